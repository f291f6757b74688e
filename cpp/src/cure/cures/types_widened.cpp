// An element type that TensorRT has no tensors of (INT16, UINT16, UINT32, UINT64, BFLOAT16 and UINT8 of old releases),
// everywhere in the model at once: inputs, outputs, constants, attributes that name it, and what is declared.
#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/declarations.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure::types_widened {
namespace {

DataType wider(DataType type) {
  switch (type) {
    case DataType::int16:
    case DataType::uint16:
    case DataType::uint8:
      return DataType::int32;
    case DataType::uint32:
    case DataType::uint64:
      return DataType::int64;
    case DataType::bfloat16:
      return DataType::float32;
    default:
      return DataType::undefined;
  }
}

bool is_one_of(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether numbers of a narrow type wrap around in the result.
bool may_wrap(const Draft& draft, const Node& node, DataType from) {
  if (from == DataType::bfloat16 || draft.type(node.output(0)) != from) return false;
  if (node.op_type == "Cast") {
    // What ONNX leaves undefined for fractions and beyond may be any number.
    const auto type = draft.type(node.input(0));
    return type == DataType::int32 || type == DataType::int64 || type == DataType::uint64 ||
           (type == DataType::int16 && from != DataType::int16);
  }
  return is_one_of({"Abs", "Add", "CumProd", "CumSum", "Div", "Einsum", "Gemm", "MatMul", "Mul", "Neg", "Pow",
                    "ReduceL1", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Sub", "Sum"},
                   node.op_type);
}

class WidenAll {
 public:
  WidenAll(Draft& draft, DataType from) : draft_(&draft), from_(from), to_(wider(from)) {}

  bool run() {
    for (std::uint32_t i = 0; i < model().value_count(); ++i) {
      if (!take(ValueId{i})) return false;
    }
    for (std::uint32_t i = 0; i < model().node_count(); ++i) {
      if (!take(NodeId{i})) return false;
    }
    if (draft_->edits().empty()) return false;
    draft_->title(fmt::format("carry {} in {}{}", to_string(from_), to_string(to_),
                              wraps_ ? ", whose numbers do not wrap around" : ""));
    draft_->promises(wraps_ ? CureClass::choice : CureClass::interface);
    return true;
  }

 private:
  [[nodiscard]] const Model& model() const noexcept { return draft_->model(); }
  [[nodiscard]] bool is_narrow(ValueId id) const { return id && draft_->type(id) == from_; }

  bool refuse(const Node& node, std::string_view why) {
    return draft_->refuse(fmt::format("{} {} {}", node.op_type, why, to_string(from_)));
  }

  bool take(ValueId id) {
    const Value& value = model().value(id);
    const Graph::Kind kind = model().graph(value.graph).kind;
    const DataType declared = model().type(value.declared).element;
    if (kind == Graph::Kind::function_definition || (!is_narrow(id) && declared != from_)) return true;
    if (kind == Graph::Kind::function_call) return draft_->refuse("a function computes with it");
    if (declared != from_ && is_narrow(id) && value.is_output) return draft_->refuse("it is declared as another type");
    if (declared == from_) {
      draft_->add(edit::DeclareType{edit::place_of(model(), value.graph), name_of(*draft_, id),
                                    declaration(*draft_, id, is_narrow(id) ? to_ : *draft_->type(id))});
    }
    return !value.initializer || store(id);
  }

  /// UINT64 has no numbers beyond those of INT64 where the highest bit is 0 everywhere.
  [[nodiscard]] std::optional<Constant> widened(std::optional<Constant> old) const {
    if (!old || old->type != DataType::uint64) {
      const auto made = old ? converted(*old, to_) : std::nullopt;
      return made ? std::optional(made->constant) : std::nullopt;
    }
    constexpr std::size_t kWidth = 8;
    constexpr std::byte kHighest{0x80};
    for (std::size_t i = kWidth - 1; i < old->bytes.size(); i += kWidth) {
      if ((old->bytes[i] & kHighest) != std::byte{0}) return std::nullopt;
    }
    old->type = to_;
    return old;
  }

  bool store(ValueId id) {
    const auto made = widened(tensor_contents(model(), model().value(id).initializer));
    if (!made) return draft_->refuse(fmt::format("`{}` does not fit into {}", name_of(*draft_, id), to_string(to_)));
    draft_->add(
        edit::PutTensor{edit::place_of(model(), model().value(id).graph), name_of(*draft_, id), tensor_value(*made)});
    return true;
  }

  /// The type may be widened at all inputs and outputs that have it.
  bool take(NodeId id) {
    const Node& node = model().node(id);
    if (model().graph(node.graph).kind == Graph::Kind::function_definition) return true;
    const bool reads = std::ranges::any_of(node.inputs, [&](ValueId input) { return is_narrow(input); });
    const bool makes = std::ranges::any_of(node.outputs, [&](ValueId output) { return is_narrow(output); });
    if (!reads && !makes) return true;
    if (!node.domain().empty() || node.call()) return refuse(node, "reads or makes");
    if (is_one_of({"BitShift", "BitwiseNot", "Bitcast", "ConvInteger", "DequantizeLinear", "DynamicQuantizeLinear",
                   "MatMulInteger", "QLinearConv", "QLinearMatMul", "QuantizeLinear"},
                  node.op_type)) {
      return refuse(node, "reads the bits of");
    }
    wraps_ = wraps_ || may_wrap(*draft_, node, from_);
    return allows(node) && write_attributes(id);
  }

  bool allows(const Node& node) {
    const auto* schema = schema::schema_facts("", node.op_type, model().opset(node.graph).value_or(0));
    if (schema == nullptr) return false;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const schema::InputFacts* input = schema->input(i);
      if (!is_narrow(node.inputs[i]) || input == nullptr) continue;
      if ((input->types >> static_cast<unsigned>(to_) & 1U) == 0) return refuse(node, "cannot do without");
    }
    return true;
  }

  bool write_attributes(NodeId id) {
    const Node& node = model().node(id);
    const edit::NodeAt place = edit::place_of(model(), id);
    for (const Attribute& attribute : node.attributes()) {
      const bool names_type = is_one_of({"to", "dtype", "output_datatype", "output_dtype"}, attribute.name);
      if (names_type && attribute.type == AttributeType::int_ && attribute.i() == static_cast<std::int64_t>(from_)) {
        draft_->add(edit::SetAttribute{place, {std::string(attribute.name), static_cast<std::int64_t>(to_)}});
      }
      if (attribute.name != "value" || attribute.type != AttributeType::tensor) continue;
      if (model().tensor(attribute.t()).type != from_) continue;
      const auto made = widened(tensor_contents(model(), attribute.t()));
      if (!made) return refuse(node, "holds numbers that do not fit, of type");
      draft_->add(edit::SetAttribute{place, {"value", tensor_value(*made)}});
    }
    return true;
  }

  Draft* draft_;
  DataType from_;
  DataType to_;
  bool wraps_ = false;
};

/// The type that the finding is about.
DataType type_at_fault(const Draft& draft, const Finding& finding) {
  for (std::uint32_t i = 0; i < draft.model().value_count(); ++i) {
    const Value& value = draft.model().value(ValueId{i});
    if (finding.value.empty() || value.name != finding.value) continue;
    const DataType declared = draft.model().type(value.declared).element;
    for (const DataType type : {draft.type(ValueId{i}).value_or(DataType::undefined), declared}) {
      if (wider(type) != DataType::undefined) return type;
    }
  }
  if (!draft.id()) return DataType::undefined;
  for (const std::span<const ValueId> values : {draft.node().outputs, draft.node().inputs}) {
    for (const ValueId id : values) {
      const auto type = draft.type(id);
      if (type && wider(*type) != DataType::undefined) return *type;
    }
  }
  return DataType::undefined;
}

bool make(Draft& draft, const Finding& finding) {
  const DataType type = type_at_fault(draft, finding);
  return type != DataType::undefined && WidenAll(draft, type).run();
}

constexpr std::string_view kFindings[] = {"MDL311", "MDL312", "MDL321", "OPS401:cast-type"};

}  // namespace

extern constinit const Cure cure{
    .name = "types-widened",
    .kind = CureClass::interface,
    .summary = "an element type that TensorRT has no tensors of becomes a wider one in the whole model",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::types_widened
