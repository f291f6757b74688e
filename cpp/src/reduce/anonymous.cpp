#include "reduce/anonymous.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/error.hpp>

#include "edit/document.hpp"
#include "edit/encode.hpp"
#include "model/fields.hpp"
#include "model/wire.hpp"

namespace trtcheck::reducing {
namespace {

namespace f = field;
using edit::Message;
using edit::Pieces;

/// Counted names for words.
class Words {
 public:
  explicit Words(std::string_view letter) : letter_(letter) {}
  [[nodiscard]] std::string of(std::string_view word) {
    if (word.empty()) return {};
    const auto [at, is_new] = known_.try_emplace(std::string(word));
    if (is_new) at->second = std::string(letter_) + std::to_string(known_.size() - 1);
    return at->second;
  }
  [[nodiscard]] const std::map<std::string, std::string>& all() const noexcept { return known_; }

 private:
  std::string_view letter_;
  std::map<std::string, std::string> known_;
};

class Writer {
 public:
  explicit Writer(const Model& model) {
    for (const Function& function : model.functions()) {
      functions_.emplace(function.domain, function.name);
      domains_.emplace(function.domain);
    }
  }

  void model(Message& m) {
    drop(m, {f::model::producer_name, f::model::producer_version, f::model::domain, f::model::doc_string,
             f::model::metadata_props, f::model::training_info, f::model::configuration});
    if (Message* main = m.open_single(wire::bytes(f::model::graph))) graph(*main);
    for (const std::size_t i : m.fields(wire::bytes(f::model::functions))) function(m.open(i));
    imports(m, f::model::opset_import);
  }

  [[nodiscard]] const std::map<std::string, std::string>& values() const noexcept { return values_.all(); }

 private:
  static void drop(Message& m, std::initializer_list<std::uint32_t> numbers) {
    for (const std::uint32_t number : numbers) m.replace(number, {});
  }
  static void put(Message& m, std::uint32_t number, std::string_view text) {
    Pieces made;
    if (!text.empty()) made.add(edit::text_field(number, text));
    m.replace(number, made);
  }
  /// Each text of a repeated field.
  template <class Rename>
  static void rename_all(Message& m, std::uint32_t number, Rename rename) {
    std::vector<std::string> names;
    for (const std::size_t i : m.fields(wire::bytes(number))) names.push_back(rename(m.bytes(i)));
    if (names.empty()) return;
    Pieces made;
    made.add(edit::text_fields(number, names));
    m.replace(number, made);
  }
  void rename_values(Message& m, std::uint32_t number) {
    rename_all(m, number, [this](std::string_view name) { return values_.of(name); });
  }
  void each(Message& m, std::uint32_t number, void (Writer::*change)(Message&)) {
    for (const std::size_t i : m.fields(wire::bytes(number))) (this->*change)(m.open(i));
  }

  void graph(Message& m) {
    put(m, f::graph::name, graphs_.of(m.text(wire::bytes(f::graph::name))));
    drop(m, {f::graph::doc_string, f::graph::metadata_props, f::graph::quantization_annotation});
    for (const std::uint32_t list : {f::graph::input, f::graph::output, f::graph::value_info}) {
      each(m, list, &Writer::value_info);
    }
    each(m, f::graph::initializer, &Writer::initializer);
    for (const std::size_t i : m.fields(wire::bytes(f::graph::sparse_initializer))) {
      if (Message* values = m.open(i).open_single(wire::bytes(f::sparse_tensor::values))) initializer(*values);
    }
    each(m, f::graph::node, &Writer::node);
  }

  void function(Message& m) {
    const std::string_view domain = m.text(wire::bytes(f::function::domain));
    put(m, f::function::name, function_name(domain, m.text(wire::bytes(f::function::name))));
    put(m, f::function::domain, domain_name(domain));
    drop(m, {f::function::doc_string, f::function::metadata_props});
    rename_values(m, f::function::input);
    rename_values(m, f::function::output);
    each(m, f::function::value_info, &Writer::value_info);
    each(m, f::function::node, &Writer::node);
    each(m, f::function::attribute_proto, &Writer::free_attribute);
    imports(m, f::function::opset_import);
  }

  void imports(Message& m, std::uint32_t list) {
    for (const std::size_t i : m.fields(wire::bytes(list))) {
      Message& import = m.open(i);
      const std::string_view domain = import.text(wire::bytes(f::opset::domain));
      if (domains_.contains(domain)) put(import, f::opset::domain, domain_name(domain));
    }
  }
  [[nodiscard]] std::string domain_name(std::string_view domain) {
    return domains_.contains(domain) ? domain_names_.of(domain) : std::string(domain);
  }
  [[nodiscard]] std::string function_name(std::string_view domain, std::string_view name) {
    return function_names_.of(std::string(domain) + "::" + std::string(name));
  }

  void value_info(Message& m) {
    put(m, f::value_info::name, values_.of(m.text(wire::bytes(f::value_info::name))));
    drop(m, {f::value_info::doc_string, f::value_info::metadata_props});
    if (Message* inner = m.open_single(wire::bytes(f::value_info::type))) type(*inner);
  }
  // As deep as types are nested, which the reader limits.
  void type(Message& m) {
    drop(m, {f::type::denotation});
    for (const std::uint32_t kind : {f::type::tensor_type, f::type::sparse_tensor_type}) {
      Message* tensor = m.open_single(wire::bytes(kind));
      Message* shape = tensor == nullptr ? nullptr : tensor->open_single(wire::bytes(f::tensor_type::shape));
      if (shape != nullptr) each(*shape, f::shape::dim, &Writer::dim);
    }
    for (const std::uint32_t kind : {f::type::sequence_type, f::type::optional_type}) {
      Message* list = m.open_single(wire::bytes(kind));
      Message* element = list == nullptr ? nullptr : list->open_single(wire::bytes(f::sequence_type::elem_type));
      if (element != nullptr) type(*element);
    }
    Message* map = m.open_single(wire::bytes(f::type::map_type));
    Message* held = map == nullptr ? nullptr : map->open_single(wire::bytes(f::map_type::value_type));
    if (held != nullptr) type(*held);
  }
  void dim(Message& m) {
    drop(m, {f::dim::denotation});
    const std::string_view name = m.text(wire::bytes(f::dim::param));
    if (!name.empty()) put(m, f::dim::param, formula(name));
  }
  /// Symbols of a formula: "floor((height + 1)/2)".
  [[nodiscard]] std::string formula(std::string_view text) {
    constexpr std::string_view kSigns = " +-*/(),";
    static const std::set<std::string_view> kFunctions{"floor", "min", "max", "broadcast"};
    std::string made;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of(kSigns), text.size());
      if (end == 0) {
        made += text.front();
        text.remove_prefix(1);
        continue;
      }
      const std::string_view word = text.substr(0, end);
      const bool is_number = std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
      made += is_number || kFunctions.contains(word) ? std::string(word) : symbols_.of(word);
      text.remove_prefix(end);
    }
    return made;
  }

  void initializer(Message& m) {
    put(m, f::tensor::name, values_.of(m.text(wire::bytes(f::tensor::name))));
    tensor_content(m);
  }
  void tensor(Message& m) {
    drop(m, {f::tensor::name});
    tensor_content(m);
  }
  void tensor_content(Message& m) {
    drop(m, {f::tensor::doc_string, f::tensor::metadata_props});
    rename_all(m, f::tensor::string_data, [this](std::string_view text) { return strings_.of(text); });
  }

  void node(Message& m) {
    rename_values(m, f::node::input);
    rename_values(m, f::node::output);
    put(m, f::node::name, nodes_.of(m.text(wire::bytes(f::node::name))));
    drop(m, {f::node::doc_string, f::node::metadata_props, f::node::device_configurations});
    const std::string_view domain = m.text(wire::bytes(f::node::domain));
    const std::string_view op = m.text(wire::bytes(f::node::op_type));
    const bool is_call = functions_.contains({domain, op});
    if (is_call) {
      put(m, f::node::op_type, function_name(domain, op));
      put(m, f::node::domain, domain_name(domain));
    }
    const bool is_onnx = (domain.empty() || domain == "ai.onnx") && !is_call;
    for (const std::size_t i : m.fields(wire::bytes(f::node::attribute))) attribute(m.open(i), is_onnx);
  }

  void free_attribute(Message& m) { attribute(m, false); }
  void attribute(Message& m, bool is_onnx) {
    drop(m, {f::attribute::doc_string});
    if (Message* body = m.open_single(wire::bytes(f::attribute::g))) graph(*body);
    each(m, f::attribute::graphs, &Writer::graph);
    if (Message* stored = m.open_single(wire::bytes(f::attribute::t))) tensor(*stored);
    each(m, f::attribute::tensors, &Writer::tensor);
    if (Message* held = m.open_single(wire::bytes(f::attribute::tp))) type(*held);
    each(m, f::attribute::type_protos, &Writer::type);
    if (is_onnx && !is_free(m.text(wire::bytes(f::attribute::name)))) return;
    const auto counted = [this](std::string_view text) { return strings_.of(text); };
    rename_all(m, f::attribute::s, counted);
    rename_all(m, f::attribute::strings, counted);
  }
  /// Attributes of ONNX's operators that hold any text; the others hold a word of a list, or a formula.
  static bool is_free(std::string_view name) {
    constexpr std::array kFree{std::string_view("value_string"), std::string_view("value_strings"),
                               std::string_view("pool_strings"), std::string_view("stopwords"),
                               std::string_view("locale"),       std::string_view("delimiter")};
    return std::ranges::find(kFree, name) != kFree.end();
  }

  std::set<std::pair<std::string_view, std::string_view>> functions_;
  std::set<std::string_view> domains_;
  Words values_{"t"};
  Words nodes_{"n"};
  Words graphs_{"g"};
  Words symbols_{"d"};
  Words strings_{"s"};
  Words function_names_{"f"};
  Words domain_names_{"local"};
};

}  // namespace

Anonymous anonymous(const Model& model) {
  const std::span<const std::byte> bytes = model.bytes();
  try {
    Message root({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, {ByteRange{0, bytes.size()}});
    Writer writer(model);
    writer.model(root);
    return {root.pieces(), writer.values()};
  } catch (const wire::Malformed& problem) {
    throw Error(model.path(), "cannot be edited: " + problem.cause);
  }
}

}  // namespace trtcheck::reducing
