#include "simplify/values.hpp"

#include <algorithm>

#include "dims/dim_key.hpp"
#include "schema/facts.hpp"

namespace trtcheck::simplifying {
namespace {

template <class Number>
void add_number(std::string& key, Number number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void add_text(std::string& key, std::string_view text) {
  add_number(key, text.size());
  key += text;
}

/// Other numbers each time, more than a value to compare, or what says that a layer is quantized.
constexpr std::string_view kAlone[] = {"Bernoulli",     "Constant",         "DequantizeLinear", "Dropout",
                                       "Multinomial",   "QuantizeLinear",   "RandomNormal",     "RandomNormalLike",
                                       "RandomUniform", "RandomUniformLike"};
static_assert(std::ranges::is_sorted(kAlone));

/// False: it is of a type that is not compared.
bool add_attribute(std::string& key, const Attribute& attribute) {
  add_text(key, attribute.name);
  add_number(key, attribute.type);
  switch (attribute.type) {
    case AttributeType::float_:
      add_number(key, attribute.f());
      return true;
    case AttributeType::int_:
      add_number(key, attribute.i());
      return true;
    case AttributeType::string:
      add_text(key, attribute.s());
      return true;
    case AttributeType::floats:
      add_number(key, attribute.floats().size());
      for (const float number : attribute.floats()) add_number(key, number);
      return true;
    case AttributeType::ints:
      add_number(key, attribute.ints().size());
      for (const std::int64_t number : attribute.ints()) add_number(key, number);
      return true;
    case AttributeType::strings:
      add_number(key, attribute.strings().size());
      for (const std::string_view text : attribute.strings()) add_text(key, text);
      return true;
    default:
      return false;
  }
}

}  // namespace

Values::Values(Known& known)
    : known_(&known),
      first_(known.model().value_count()),
      is_pinned_(first_.size()),
      stored_(known.model().graph_count()) {
  names_.reserve(first_.size());
  for (std::uint32_t i = 0; i < first_.size(); ++i) {
    const Value& value = model().value(ValueId{i});
    first_[i] = ValueId{i};
    is_pinned_[i] = value.is_output;
    ++names_[value.name];
    if (value.initializer) stored_[value.graph.index].push_back(ValueId{i});
  }
  for (std::uint32_t i = 0; i < model().graph_count(); ++i) {
    for (const ValueId output : model().graph(GraphId{i}).outputs) {
      if (output) is_pinned_[output.index] = true;
    }
  }
}

bool Values::has_own_name(ValueId value) const {
  const auto found = names_.find(model().value(value).name);
  return found != names_.end() && found->second == 1;
}

void Values::leave() {
  for (const std::string& key : scopes_.back()) seen_.erase(key);
  scopes_.pop_back();
}

ValueId Values::earlier(std::string key, ValueId value) {
  const auto [at, is_new] = seen_.try_emplace(std::move(key), value);
  if (!is_new) return at->second;
  scopes_.back().push_back(at->first);
  return {};
}

std::optional<std::string> Values::constant_key(ValueId value) const {
  std::string key = "c";
  if (const Constant* constant = known_->contents(value)) {
    add_number(key, constant->type);
    add_number(key, constant->dims.size());
    for (const std::int64_t dim : constant->dims) add_number(key, dim);
    key.append(reinterpret_cast<const char*>(constant->bytes.data()), constant->bytes.size());
    return key;
  }
  const TensorId stored = model().value(value).initializer;
  const Tensor& tensor = model().tensor(stored);
  if (!stored || model().constant(value) != stored || tensor.data != Tensor::Data::external || tensor.is_sparse) {
    return std::nullopt;
  }
  key = "x";
  add_number(key, tensor.type);
  for (const std::int64_t dim : tensor.dims) add_number(key, dim);
  for (const StringPair& pair : tensor.external) {
    add_text(key, pair.key);
    add_text(key, pair.value);
  }
  return key;
}

std::optional<std::string> Values::sizes_key(ValueId value) const {
  const auto sizes = known_->sizes(value);
  if (!sizes || sizes->empty() || std::ranges::all_of(*sizes, [](Dim dim) { return dim.is_literal(); })) {
    return std::nullopt;
  }
  std::string key = "s";
  const ValueShape& shape = known_->shapes()[value];
  add_number(key, shape.type);
  add_number(key, shape.rank());
  for (const Dim dim : *sizes) add_number(key, key_of(dim));
  return key;
}

std::optional<std::string> Values::node_key(NodeId id) const {
  const Node& node = model().node(id);
  if (!node.domain().empty() || node.call() || std::ranges::binary_search(kAlone, node.op_type)) return std::nullopt;
  const std::optional<std::int64_t> opset = model().opset(node.graph);
  if (!opset || schema::schema_facts("", node.op_type, *opset) == nullptr) return std::nullopt;
  std::string key = "n";
  add_text(key, node.op_type);
  for (const ValueId input : node.inputs) add_number(key, first(input).index);
  add_number(key, node.outputs.size());
  for (const ValueId output : node.outputs) add_number(key, static_cast<bool>(output));
  std::vector<std::string> attributes;
  for (const Attribute& attribute : node.attributes()) {
    attributes.emplace_back();
    if (!add_attribute(attributes.back(), attribute)) return std::nullopt;
  }
  std::ranges::sort(attributes);
  for (const std::string& attribute : attributes) key += attribute;
  return key;
}

}  // namespace trtcheck::simplifying
