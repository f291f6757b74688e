// The edits of one cure at one node, in the making: names are made up and places filled in here.
//
//     // Cast(x) -> y becomes Cast(Cast(x to FLOAT)) -> y
//     draft.set_input(0, draft.op("Cast", {draft.in(0)}, {{"to", std::int64_t{1}}}));
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/fix.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

#include "edit/names.hpp"
#include "fold/fold.hpp"

namespace trtcheck::cure {

/// What all drafts of one round share.
struct Patient {
  const Model& model;
  const Shapes& shapes;
  const Target& target;
  edit::Names names;
  Folder folder;

  Patient(const Model& m, const Shapes& s, const Target& t) : model(m), shapes(s), target(t), names(m), folder(m, s) {}
};

class Draft {
 public:
  using Attributes = std::vector<edit::AttributeValue>;
  using Inputs = std::vector<std::string>;

  /// @param node  that the finding is about; none = the whole model
  Draft(Patient& patient, NodeId node);

  [[nodiscard]] const Model& model() const noexcept { return patient_->model; }
  [[nodiscard]] const Shapes& shapes() const noexcept { return patient_->shapes; }
  [[nodiscard]] const Target& target() const noexcept { return patient_->target; }
  [[nodiscard]] DimTable& dims() const noexcept { return shapes().dims(); }
  [[nodiscard]] NodeId id() const noexcept { return id_; }
  [[nodiscard]] const Node& node() const noexcept { return model().node(id_); }
  /// Of ONNX, in the graph of the node; 0 = not imported.
  [[nodiscard]] std::int64_t opset() const noexcept;

  // Reading.
  /// Name of an input or output of the node; "" = left out.
  [[nodiscard]] std::string in(std::size_t index) const { return std::string(model().value(node().input(index)).name); }
  [[nodiscard]] std::string out(std::size_t index) const {
    return std::string(model().value(node().output(index)).name);
  }
  [[nodiscard]] const ValueShape& in_shape(std::size_t index) const { return shapes()[node().input(index)]; }
  [[nodiscard]] const ValueShape& out_shape(std::size_t index) const { return shapes()[node().output(index)]; }
  /// Something reads the value, or a graph returns it; no: it is left out.
  [[nodiscard]] bool is_read(ValueId id) const;
  /// Element type, nothing when it is not known.
  [[nodiscard]] std::optional<DataType> type(ValueId id) const;
  /// Rank, nothing when it is not known.
  [[nodiscard]] std::optional<std::size_t> rank(ValueId id) const;
  /// All dims, when each of them is a number.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> sizes(ValueId id) const;
  /// Contents of a value that follows from constants.
  [[nodiscard]] std::optional<Constant> contents(ValueId id);
  /// Why there are none, one line.
  [[nodiscard]] std::string why_unknown(ValueId id) { return std::string(patient_->folder.why_not(id)); }
  /// The same of whole numbers; nothing for another type.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> ints(ValueId id);
  /// An attribute, or the default.
  [[nodiscard]] std::int64_t int_attribute(std::string_view name, std::int64_t otherwise) const;
  [[nodiscard]] float float_attribute(std::string_view name, float otherwise) const;
  [[nodiscard]] std::string text_attribute(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> ints_attribute(std::string_view name) const;
  /// Whether the operator exists in the opset of the node's graph, and the target supports it.
  [[nodiscard]] bool may_use(std::string_view op_type) const;

  // Writing. New nodes stand before the node of the finding, unless `after()` was called.
  /// A node with one output. @returns the name of that output
  std::string op(std::string_view op_type, Inputs inputs, Attributes attributes = {});
  /// A node with several outputs.
  std::vector<std::string> ops(std::string_view op_type, Inputs inputs, Attributes attributes, std::size_t outputs);
  /// A node that makes values of these names.
  void op_to(std::vector<std::string> outputs, std::string_view op_type, Inputs inputs, Attributes attributes = {});
  /// The node again with other inputs and outputs: its attributes, metadata and name of operator.
  void again(Inputs inputs, std::vector<std::string> outputs, Attributes attributes = {});
  /// A constant: an initializer, inside of functions a Constant node. @returns its name
  std::string constant(edit::TensorValue tensor, std::string_view base = "constant");
  std::string constant(const Constant& tensor, std::string_view base = "constant");
  std::string ints_constant(const std::vector<std::int64_t>& values, std::string_view base = "constant");  ///< rank 1
  std::string int_constant(std::int64_t value, std::string_view base = "constant");                        ///< rank 0
  /// One number of a floating point or integer type, rank 0. @pre the type is FLOAT, FLOAT16, BFLOAT16, DOUBLE or an
  /// integer of 8 to 64 bits, or BOOL
  std::string scalar(double value, DataType type, std::string_view base = "constant");
  void set_input(std::size_t index, std::string name);
  void set_output(std::size_t index, std::string name);
  void set_attribute(std::string_view name, edit::AttributeValue::Value value);
  /// Nothing where the node does not have it.
  void drop_attribute(std::string_view name);
  void set_operator(std::string_view op_type, std::string_view domain = {});
  /// Takes the node away; somebody else has to make its outputs.
  void remove();
  /// Further nodes stand behind the node.
  void after() noexcept { is_after_ = true; }
  /// About another node.
  void set_input_of(NodeId node, std::size_t index, std::string name);
  void remove_node(NodeId node);
  /// All who read a value read another one from now on. Not for outputs of graphs: they keep their name.
  void rewire(ValueId from, const std::string& to);
  /// A value that new nodes made becomes an output of the node, which is taken away; its name was a stopgap.
  void becomes(std::size_t output, const std::string& made);
  /// Anything else.
  void add(edit::Edit edit) { edits_.push_back(std::move(edit)); }
  /// What stands at another node is made there and taken over with `join`.
  [[nodiscard]] Draft at(NodeId node) const { return {*patient_, node}; }
  void join(const Draft& other) { edits_.insert(edits_.end(), other.edits_.begin(), other.edits_.end()); }
  /// A name that no value has.
  [[nodiscard]] std::string fresh(std::string_view base) { return patient_->names.fresh(base); }
  /// Where the node stands in the file.
  [[nodiscard]] const edit::NodeAt& place() const noexcept { return place_; }

  /// What was done, one line: "write `axes` as an attribute".
  void title(std::string text) { title_ = std::move(text); }
  /// It promises less than the cure does in general.
  void promises(CureClass kind) noexcept { kind_ = kind; }
  /// Why nothing can be done, for the list of what is left. @returns false
  bool refuse(std::string reason);

  [[nodiscard]] const std::vector<edit::Edit>& edits() const noexcept { return edits_; }
  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }
  [[nodiscard]] std::optional<CureClass> promised() const noexcept { return kind_; }

 private:
  void insert(edit::NewNode made);

  Patient* patient_;
  NodeId id_;
  edit::NodeAt place_{};
  std::vector<edit::Edit> edits_;
  std::string title_;
  std::string refusal_;
  std::optional<CureClass> kind_;
  bool is_after_ = false;
};

}  // namespace trtcheck::cure
