#include <algorithm>
#include <tuple>

#include "model/fields.hpp"
#include "model/reader.hpp"
#include "model/unread.hpp"

namespace trtcheck {
namespace {

// See Limits::expansion: a small file must not grow to a hundred times what a large one may be.
constexpr std::uint64_t kExpansionOfAnyFile = 150'000;

/// True when the attribute is the same in whatever node and graph it stands.
bool holds_numbers_or_text(AttributeType type) {
  switch (type) {
    case AttributeType::float_:
    case AttributeType::int_:
    case AttributeType::string:
    case AttributeType::floats:
    case AttributeType::ints:
    case AttributeType::strings:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Reader::read_node(GraphId id, std::string_view text, std::uint32_t position) {
  namespace f = field::node;
  node_inputs_.clear();
  node_outputs_.clear();
  node_attributes_.clear();
  pairs_.clear();
  Node node;
  NodeAccess::More more;
  node.graph = id;
  node.position = position;
  wire::Cursor c(text);
  while (c.next()) {
    switch (c.key()) {
      case wire::bytes(f::input):
        node_inputs_.push_back(c.bytes());
        break;
      case wire::bytes(f::output):
        node_outputs_.push_back(c.bytes());
        break;
      case wire::bytes(f::name):
        node.name = c.bytes();
        break;
      case wire::bytes(f::op_type):
        node.op_type = c.bytes();
        break;
      case wire::bytes(f::attribute):
        node_attributes_.push_back(c.bytes());
        break;
      case wire::bytes(f::doc_string):
        more.doc_string = c.bytes();
        break;
      case wire::bytes(f::domain):
        more.domain = c.bytes();
        break;
      case wire::bytes(f::overload):
        more.overload = c.bytes();
        break;
      case wire::bytes(f::metadata_props):
        pairs_.push_back(read_pair(c.bytes()));
        break;
      case wire::bytes(f::device_configurations):
        check_unread(MessageKind::node_device, c.bytes());
        break;
      default:
        c.skip();
    }
  }
  if (more.domain == "ai.onnx") more.domain = {};
  more.metadata = data_.keep(pairs_);

  const NodeId self{static_cast<std::uint32_t>(data_.nodes.size())};
  keep_more(node, self, more);
  data_.nodes.push_back(node);
  // Inputs first: a node that reads its own output reads a name that is not defined yet.
  read_node_inputs(self, data_.nodes.back());
  read_node_outputs(self, data_.nodes.back());
  enter_call(self, data_.nodes.back());
}

/// Layer after layer states the same kernel and pads: that is read and kept once.
void Reader::keep_more(Node& node, NodeId id, NodeAccess::More& more) {
  const bool states_more =
      !more.domain.empty() || !more.overload.empty() || !more.doc_string.empty() || !more.metadata.empty();
  if (node_attributes_.empty()) {
    if (states_more) NodeAccess::set_more(node, data_.keep(more));
    return;
  }
  std::uint64_t hash = 0;
  for (const std::string_view text : node_attributes_) hash = hash * 31 + names_.hash(text);
  SeenAttributes& seen = seen_attributes_[hash % seen_attributes_.size()];
  if (std::ranges::equal(seen.texts, node_attributes_)) {
    more.attributes = seen.kept->attributes;
    NodeAccess::set_more(node, states_more ? data_.keep(more) : *seen.kept);
    return;
  }
  bool is_plain = !sources_[node.graph.index].in_call;  // there references are filled in
  attributes_.clear();
  for (const std::string_view text : node_attributes_) {
    Attribute attribute;
    if (read_attribute(text, node.graph, id, attribute)) attributes_.push_back(attribute);
    is_plain = is_plain && attribute.ref_attr_name.empty() && holds_numbers_or_text(attribute.type);
  }
  more.attributes = data_.keep(attributes_);
  if (is_plain) {
    NodeAccess::More alone;
    alone.attributes = more.attributes;
    seen.texts = node_attributes_;
    seen.kept = &data_.keep(alone);
  }
  NodeAccess::set_more(node, is_plain && !states_more ? *seen.kept : data_.keep(more));
}

void Reader::read_node_inputs(NodeId id, Node& node) {
  const std::span<ValueId> inputs = data_.allocate<ValueId>(node_inputs_.size());
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    const std::string_view name = node_inputs_[i];
    if (name.empty()) continue;
    const std::uint64_t hash = names_.hash(name);
    inputs[i] = names_.find(node.graph, name, hash);
    // Produced later in this graph, by an outer graph, or by nobody: known when the graph has been read.
    if (!inputs[i]) pending_.push_back({id, i, name, hash});
  }
  node.inputs = inputs;
}

void Reader::read_node_outputs(NodeId id, Node& node) {
  const std::span<ValueId> outputs = data_.allocate<ValueId>(node_outputs_.size());
  for (std::uint32_t i = 0; i < outputs.size(); ++i) {
    const std::string_view name = node_outputs_[i];
    if (name.empty()) continue;
    const std::uint64_t hash = names_.hash(name);
    const bool is_taken = static_cast<bool>(names_.find(node.graph, name, hash));
    outputs[i] = add_value(node.graph, name);
    Value& value = data_.values[outputs[i].index];
    value.producer = id;
    value.output = i;
    if (is_taken) {
      record(Defect::Kind::duplicate_value, node.graph, id, outputs[i]);
    } else {
      names_.add(outputs[i], hash);
    }
  }
  node.outputs = outputs;
}

std::uint32_t Reader::find_function(const Node& node) const {
  const auto key_of = [&](std::uint32_t i) {
    const Function& f = data_.functions[i];
    return std::make_tuple(f.name, f.domain, f.overload);
  };
  const auto key = std::make_tuple(node.op_type, node.domain(), node.overload());
  const auto found = std::lower_bound(function_order_.begin(), function_order_.end(), key,
                                      [&](std::uint32_t i, const auto& wanted) { return key_of(i) < wanted; });
  return found != function_order_.end() && key_of(*found) == key ? *found : ModelData::kMain;
}

// Along the text, not along the calls: a body that is handed to a function may call that function again.
bool Reader::is_recursive(GraphId graph, std::uint32_t function) const {
  while (graph) {
    const Graph& at = data_.graphs[graph.index];
    const bool is_call = at.kind == Graph::Kind::function_call;
    if (is_call && data_.function_of[graph.index] == function) return true;
    graph = is_call ? data_.nodes[at.parent.index].graph : sources_[graph.index].scope;
  }
  return false;
}

/// Takes `cost` from the budget of expansions; when it is used up that is recorded, once.
bool Reader::spend(std::uint64_t cost, GraphId graph, NodeId node) {
  const std::uint64_t most =
      std::min<std::uint64_t>(limits_.expansion, kExpansionOfAnyFile + data_.bytes.span().size() / kBytesPerUnit);
  if (expanded_ <= most && cost <= most - expanded_) {
    expanded_ += cost;
    return true;
  }
  if (!expansion_reported_) data_.defects.push_back({Defect::Kind::expansion_limit, graph, node, {}});
  expansion_reported_ = true;
  return false;
}

void Reader::enter_call(NodeId id, Node& node) {
  const Source& source = sources_[node.graph.index];
  const bool in_definition = !source.in_call && data_.function_of[node.graph.index] != ModelData::kMain;
  if (functions_.empty() || in_definition) return;
  const std::uint32_t index = find_function(node);
  if (index == ModelData::kMain) return;

  FunctionText& function = functions_[index];
  if (is_recursive(node.graph, index)) {
    if (!function.reported) data_.defects.push_back({Defect::Kind::recursive_function, node.graph, id, {}});
    function.reported = true;
    return;
  }
  const bool is_too_deep = data_.graphs[node.graph.index].depth >= limits_.graph_depth;
  if (!spend(is_too_deep ? limits_.expansion + 1 : function.cost, node.graph, id)) return;
  const Source call{
      .parts = function.parts, .is_function = true, .in_call = true, .call_attributes = node.attributes()};
  NodeAccess::More more = NodeAccess::more(node);
  more.call = enqueue(Graph::Kind::function_call, call, id, {}, index);
  NodeAccess::set_more(node, data_.keep(more));
}

}  // namespace trtcheck
