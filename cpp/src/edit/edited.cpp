#include "edit/edited.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "edit/declare.hpp"
#include "edit/document.hpp"
#include "edit/encode.hpp"
#include "edit/locate.hpp"
#include "model/fields.hpp"
#include "model/messages.hpp"
#include "model/wire.hpp"

namespace trtcheck::edit {
namespace {

namespace f = field;

std::string_view text_of(const Model& model) {
  return {reinterpret_cast<const char*>(model.bytes().data()), model.bytes().size()};
}

Pieces new_field(std::uint32_t number, std::string_view content) {
  Pieces pieces;
  pieces.add(content);
  return wrapped(number, pieces);
}

class Editor {
 public:
  explicit Editor(const Model& model)
      : model_(&model), root_(text_of(model), {ByteRange{0, model.bytes().size()}}), at_(root_, model.path()) {}

  [[nodiscard]] Pieces pieces() const { return root_.pieces(); }

  void operator()(const SetAttribute& edit) {
    Message& node = *live(edit.node).message;
    const Pieces made = new_field(f::node::attribute, encode_attribute(edit.attribute));
    const std::vector<std::size_t> old = remove_attributes(node, edit.attribute.name);
    node.insert(old.empty() ? end_of_attributes(node) : old.front(), made, "attribute " + edit.attribute.name);
  }
  void operator()(const RemoveAttribute& edit) {
    Message& node = *live(edit.node).message;
    const bool was_added = node.drop("attribute " + edit.name);
    const bool was_there = !remove_attributes(node, edit.name).empty();
    if (!was_added && !was_there) {
      at_.fail(
          fmt::format("node {} of {} has no attribute `{}`", edit.node.position, words(edit.node.graph), edit.name));
    }
  }
  void operator()(const SetOperator& edit) {
    Message& node = *live(edit.node).message;
    set_text(node, f::node::op_type, edit.op_type);
    set_text(node, f::node::domain, edit.domain);
  }
  void operator()(const SetInputs& edit) { names_of(edit.node, f::node::input) = edit.inputs; }
  void operator()(const SetOutputs& edit) { names_of(edit.node, f::node::output) = edit.outputs; }
  void operator()(const SetInput& edit) { set_name(edit.node, f::node::input, edit.index, edit.name); }
  void operator()(const SetOutput& edit) { set_name(edit.node, f::node::output, edit.index, edit.name); }
  void operator()(const RenameNode& edit) { set_text(*live(edit.node).message, f::node::name, edit.name); }
  void operator()(const RemoveNode& edit) {
    const NodeMessage node = at_.node(edit.node);
    node.graph->message->remove(node.field);
  }
  void operator()(const InsertNode& edit) {
    GraphMessage& graph = at_.graph(edit.graph);
    if (edit.before > graph.nodes.size()) {
      at_.fail(fmt::format("there is no node {} in {}, it has {}", edit.before, words(edit.graph), graph.nodes.size()));
    }
    const bool is_last = edit.before == graph.nodes.size();
    const std::size_t place = is_last ? end_of_nodes(graph) : graph.nodes[edit.before];
    graph.message->insert(place, wrapped(graph.is_function ? f::function::node : f::graph::node, node(edit.node)));
  }
  void operator()(const PutTensor& edit) {
    store(stored_in(edit.graph), edit.name, new_field(f::graph::initializer, encode_tensor(edit.name, edit.tensor)));
  }
  void operator()(const RemoveTensor& edit) {
    const bool was_sparse = remove_sparse(stored_in(edit.graph), edit.name);
    if (!remove_named(edit.graph, f::graph::initializer, f::tensor::name, edit.name) && !was_sparse) {
      at_.fail(fmt::format("{} stores no tensor `{}`", words(edit.graph), edit.name));
    }
  }
  void operator()(const CopyTensor& edit) {
    Message& from = stored_in(edit.from);
    const std::vector<std::size_t> found = tensors(from, edit.name);
    if (found.empty()) at_.fail(fmt::format("{} stores no tensor `{}`", words(edit.from), edit.name));
    Message& tensor = from.open(found.back());
    Pieces content;
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      if (tensor.number_of(i) != f::tensor::name) content.copy(tensor.range(i));
    }
    content.add(text_field(f::tensor::name, edit.as));
    store(stored_in(edit.to), edit.as, wrapped(f::graph::initializer, content));
  }
  void operator()(const DeclareType& edit) { (*this)(Declaration{edit.graph, edit.name, edit.type}); }
  void operator()(const Declaration& edit) {
    GraphMessage& graph = at_.graph(edit.graph);
    bool is_declared = false;
    for (const std::uint32_t list : {f::graph::input, f::graph::output}) {
      if (graph.is_function) break;
      for (const std::size_t index : entries(*graph.message, list, edit.name)) {
        declare(graph.message->open(index), edit);
        is_declared = true;
      }
      if (!graph.message->has_added(tag_of(list, edit.name))) continue;
      graph.message->insert(0, new_field(list, encode_declaration(edit)), tag_of(list, edit.name));
      is_declared = true;
    }
    if (is_declared) return;
    const std::uint32_t list = graph.is_function ? f::function::value_info : f::graph::value_info;
    const std::vector<std::size_t> old = entries(*graph.message, list, edit.name);
    if (!old.empty()) {
      declare(graph.message->open(old.front()), edit);
      for (std::size_t i = 1; i < old.size(); ++i) graph.message->remove(old[i]);
      return;
    }
    graph.message->insert(end_of(*graph.message, list), new_field(list, encode_declaration(edit)),
                          tag_of(list, edit.name));
  }
  void operator()(const RemoveDeclaration& edit) {
    GraphMessage& graph = at_.graph(edit.graph);
    const std::uint32_t list = graph.is_function ? f::function::value_info : f::graph::value_info;
    for (const std::size_t index : entries(*graph.message, list, edit.name)) graph.message->remove(index);
    graph.message->drop(tag_of(list, edit.name));
  }
  void operator()(const ImportOpset& edit) {
    Message& importer = at_.importer(edit.function);
    const std::uint32_t list = edit.function ? f::function::opset_import : f::model::opset_import;
    std::size_t place = end_of(importer, list);
    for (const std::size_t index : importer.fields(wire::bytes(list))) {
      if (plain(importer.open(index).text(wire::bytes(f::opset::domain))) != plain(edit.domain)) continue;
      importer.remove(index);
      place = std::min(place, index);
    }
    importer.insert(place, new_field(list, encode_opset(edit.domain, edit.version)), tag_of(list, plain(edit.domain)));
  }
  void operator()(const RemoveImport& edit) {
    bool is_known = root_.drop(tag_of(f::model::opset_import, plain(edit.domain)));
    for (const std::size_t index : root_.fields(wire::bytes(f::model::opset_import))) {
      if (plain(root_.open(index).text(wire::bytes(f::opset::domain))) != plain(edit.domain)) continue;
      root_.remove(index);
      is_known = true;
    }
    if (!is_known) at_.fail(fmt::format("the model does not import the domain `{}`", edit.domain));
  }
  void operator()(const RemoveFunction& edit) {
    (void)at_.importer(edit.position);
    functions_.insert(edit.position);
  }
  void operator()(const AddInput& edit) { add_entry(edit.graph, f::graph::input, edit.name, edit.type); }
  void operator()(const AddOutput& edit) { add_entry(edit.graph, f::graph::output, edit.name, edit.type); }
  void operator()(const RemoveInput& edit) { remove_entry(edit.graph, f::graph::input, edit.name, "has no input"); }
  void operator()(const RemoveOutput& edit) { remove_entry(edit.graph, f::graph::output, edit.name, "has no output"); }
  void operator()(const Rewire& edit) {
    bool is_known = false;
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) {
      const Value& value = model_->value(ValueId{i});
      if (value.name != edit.from || place_of(*model_, value.graph) != edit.graph) continue;
      is_known = true;
      for (const Use& use : value.users) {
        (*this)(SetInput{place_of(*model_, use.node), use.input, edit.to});
      }
    }
    if (!is_known) at_.fail(fmt::format("there is no value `{}` in {}", edit.from, words(edit.graph)));
  }

  void change_tensors(const ChangeTensor& change) { change_in(root_, MessageKind::model, change, 0); }

  /// Lists of names are written when all edits have changed them.
  void finish() {
    for (auto& [message, lists] : names_) {
      for (auto& [number, names] : lists) write_names(*message, number, names);
    }
    // Last: other edits count the functions as the file has them.
    const std::vector<std::size_t> all = root_.fields(wire::bytes(f::model::functions));
    for (const std::uint32_t position : functions_) root_.remove(all[position]);
  }

 private:
  using Names = std::vector<std::string>;

  /// The node, which no edit has taken away.
  [[nodiscard]] NodeMessage live(const NodeAt& place) { return at_.node(place); }

  /// Where they were.
  static std::vector<std::size_t> remove_attributes(Message& node, std::string_view name) {
    std::vector<std::size_t> old = Locator::attributes(node, name);
    for (const std::size_t index : old) node.remove(index);
    return old;
  }
  /// Behind the last field of that number, else at the end.
  static std::size_t end_of(Message& message, std::uint32_t number) {
    const std::optional<std::size_t> last = message.last_field(wire::bytes(number));
    return last ? *last + 1 : message.size();
  }
  static std::size_t end_of_attributes(Message& node) { return end_of(node, f::node::attribute); }
  static std::size_t end_of_nodes(const GraphMessage& graph) {
    return graph.nodes.empty() ? graph.message->size() : graph.nodes.back() + 1;
  }
  static void set_text(Message& message, std::uint32_t number, std::string_view text) {
    Pieces field;
    if (!text.empty()) field.add(text_field(number, text));
    message.replace(number, field);
  }

  Names& names_of(const NodeAt& place, std::uint32_t number) {
    Message& node = *live(place).message;
    auto& lists = names_[&node];
    if (const auto known = lists.find(number); known != lists.end()) return known->second;
    Names names;
    for (const std::size_t index : node.fields(wire::bytes(number))) names.emplace_back(node.bytes(index));
    return lists.emplace(number, std::move(names)).first->second;
  }
  void set_name(const NodeAt& place, std::uint32_t number, std::uint32_t index, const std::string& name) {
    Names& names = names_of(place, number);
    constexpr std::uint32_t kMost = 1'000'000;
    if (index >= kMost) at_.fail(fmt::format("a node has no place {} for a name", index));
    if (names.size() <= index) names.resize(index + std::size_t{1});
    names[index] = name;
  }
  static void write_names(Message& node, std::uint32_t number, const Names& names) {
    const std::vector<std::size_t> old = node.fields(wire::bytes(number));
    const bool is_same = std::ranges::equal(old, names, {}, [&](std::size_t index) { return node.bytes(index); });
    if (is_same) return;
    Pieces fields;
    fields.add(text_fields(number, names));
    // Where a node had no inputs they stand in front, as onnx writes them.
    if (old.empty()) {
      node.insert(0, std::move(fields));
    } else {
      node.replace(number, fields);
    }
  }

  [[nodiscard]] Message& stored_in(const GraphAt& place) {
    GraphMessage& graph = at_.graph(place);
    if (graph.is_function) at_.fail(fmt::format("{} is a function, which stores no tensors", words(place)));
    return *graph.message;
  }
  /// In place of the initializer of that name.
  void store(Message& graph, const std::string& name, Pieces tensor) {
    (void)remove_sparse(graph, name);
    const std::vector<std::size_t> old = tensors(graph, name);
    for (const std::size_t index : old) graph.remove(index);
    graph.insert(old.empty() ? end_of(graph, f::graph::initializer) : old.front(), std::move(tensor),
                 tag_of(f::graph::initializer, name));
  }
  [[nodiscard]] std::vector<std::size_t> tensors(Message& graph, std::string_view name) {
    return at_.named(graph, f::graph::initializer, f::tensor::name, name);
  }
  /// False: there was none.
  [[nodiscard]] static bool remove_sparse(Message& graph, std::string_view name) {
    bool is_known = false;
    for (const std::size_t index : graph.fields(wire::bytes(f::graph::sparse_initializer))) {
      const Message* values = graph.open(index).open_single(wire::bytes(f::sparse_tensor::values));
      if (values == nullptr || values->text(wire::bytes(f::tensor::name)) != name) continue;
      graph.remove(index);
      is_known = true;
    }
    return is_known;
  }
  [[nodiscard]] std::vector<std::size_t> entries(Message& graph, std::uint32_t list, std::string_view name) {
    return at_.named(graph, list, f::value_info::name, name);
  }
  /// ONNX's own domain has two names.
  static std::string_view plain(std::string_view domain) { return domain == "ai.onnx" ? std::string_view() : domain; }
  static std::string tag_of(std::uint32_t list, std::string_view name) { return fmt::format("{} {}", list, name); }
  void add_entry(const GraphAt& place, std::uint32_t list, const std::string& name, const TypeValue& type) {
    Message& graph = stored_in(place);
    const bool was_there = !entries(graph, list, name).empty();
    if (was_there || graph.has_added(tag_of(list, name))) {
      at_.fail(fmt::format("{} has `{}` already", words(place), name));
    }
    graph.insert(end_of(graph, list), new_field(list, encode_value_info(name, type)), tag_of(list, name));
  }
  /// @param lack  what is said of the graph where there is nothing of that name
  void remove_entry(const GraphAt& place, std::uint32_t list, const std::string& name, std::string_view lack) {
    if (remove_named(place, list, f::value_info::name, name)) return;
    at_.fail(fmt::format("{} {} `{}`", words(place), lack, name));
  }
  /// False: there was nothing of that name.
  [[nodiscard]] bool remove_named(const GraphAt& place, std::uint32_t list, std::uint32_t name_field,
                                  const std::string& name) {
    Message& graph = stored_in(place);
    const std::vector<std::size_t> old = at_.named(graph, list, name_field, name);
    for (const std::size_t index : old) graph.remove(index);
    const bool was_added = graph.drop(tag_of(list, name));
    return was_added || !old.empty();
  }

  /// The content of a NodeProto.
  [[nodiscard]] Pieces node(const NewNode& made) {
    Pieces content;
    content.add(text_fields(f::node::input, made.inputs));
    content.add(text_fields(f::node::output, made.outputs));
    if (!made.name.empty()) content.add(text_field(f::node::name, made.name));
    content.add(text_field(f::node::op_type, made.op_type));
    for (const AttributeValue& attribute : made.attributes) {
      content.add(new_field(f::node::attribute, encode_attribute(attribute)));
    }
    if (!made.domain.empty()) content.add(text_field(f::node::domain, made.domain));
    if (made.like) copy_rest(*made.like, made.attributes, content);
    return content;
  }
  void copy_rest(const NodeAt& from, const std::vector<AttributeValue>& own, Pieces& content) {
    Message& node = *at_.node(from).message;
    for (const std::size_t index : node.fields(wire::bytes(f::node::attribute))) {
      const std::string_view name = node.open(index).text(wire::bytes(f::attribute::name));
      if (std::ranges::find(own, name, &AttributeValue::name) == own.end()) content.copy(node.range(index));
    }
    for (const std::uint32_t number : {f::node::doc_string, f::node::metadata_props}) {
      for (const std::size_t index : node.fields(wire::bytes(number))) content.copy(node.range(index));
    }
  }

  void change_in(Message& message, MessageKind kind, const ChangeTensor& change, std::uint32_t depth) {
    if (depth > kDeepest) at_.fail("cannot be edited: messages are nested more than 256 deep");
    std::vector<std::uint32_t> keys;
    for (std::size_t i = 0; i < message.size(); ++i) {
      const std::uint32_t key = message.key_of(i);
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
    for (const std::uint32_t key : keys) {
      const MessageField* field = message_field(kind, key);
      if (field == nullptr || !holds_weights(field->inner)) continue;
      const auto go_on = [&](Message& inner) {
        if (field->inner != MessageKind::tensor) return change_in(inner, field->inner, change, depth + 1);
        change(inner, kind == MessageKind::graph);
      };
      if (field->is_single) {
        go_on(*message.open_single(key));
      } else {
        for (const std::size_t i : message.fields(key)) go_on(message.open(i));
      }
    }
  }

  // The reader refuses graphs nested more than 64 deep, each of them three messages below the last one.
  static constexpr std::uint32_t kDeepest = 256;

  const Model* model_;
  Message root_;
  Locator at_;
  std::unordered_map<Message*, std::unordered_map<std::uint32_t, Names>> names_;
  std::set<std::uint32_t> functions_;  ///< to be taken away
};

/// Reads the document, has something done to it, and says what became of it.
Pieces made_by(const Model& model, const std::function<void(Editor&)>& work) {
  try {
    Editor editor(model);
    work(editor);
    return editor.pieces();
  } catch (const wire::Malformed& problem) {
    throw Error(model.path(), "cannot be edited: " + problem.cause);
  }
}

}  // namespace

Pieces edited(const Model& model, std::span<const Edit> edits) {
  return made_by(model, [&](Editor& editor) {
    for (const Edit& edit : edits) std::visit(editor, edit);
    editor.finish();
  });
}

Pieces declared(const Model& model, std::span<const Declaration> declarations) {
  return made_by(model, [&](Editor& editor) {
    for (const Declaration& declaration : declarations) editor(declaration);
    editor.finish();
  });
}

Pieces with_tensors(const Model& model, const ChangeTensor& change) {
  return made_by(model, [&](Editor& editor) { editor.change_tensors(change); });
}

}  // namespace trtcheck::edit
