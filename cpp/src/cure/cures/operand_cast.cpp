// An operand of a type that ONNX does not allow there: stored in or cast to the nearest type that it allows, and the
// results cast back.
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/declarations.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"
#include "fold/array.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure::operand_cast {
namespace {

/// By preference: what holds all numbers first.
std::span<const DataType> nearest(DataType type) {
  static constexpr DataType kOfSmall[] = {DataType::float32, DataType::int32, DataType::int64, DataType::boolean};
  static constexpr DataType kOfInt32[] = {DataType::int64, DataType::float32, DataType::boolean};
  static constexpr DataType kOfInt64[] = {DataType::int32, DataType::float32, DataType::boolean};
  static constexpr DataType kOfHalf[] = {DataType::float32, DataType::float16, DataType::int64, DataType::int32,
                                         DataType::boolean};
  static constexpr DataType kOfFloat[] = {DataType::float32, DataType::int64, DataType::int32, DataType::boolean};
  switch (type) {
    case DataType::boolean:
    case DataType::int8:
    case DataType::uint8:
      return kOfSmall;
    case DataType::int32:
      return kOfInt32;
    case DataType::int64:
      return kOfInt64;
    case DataType::float16:
    case DataType::bfloat16:
      return kOfHalf;
    case DataType::float32:
    case DataType::float64:
      return kOfFloat;
    default:
      return {};
  }
}

bool is_half(DataType type) { return type == DataType::float16 || type == DataType::bfloat16; }

CureClass class_of(DataType from, DataType to) {
  if (from == to || from == DataType::boolean) return CureClass::proven;
  if (to == DataType::boolean || (fold::is_real(from) && !fold::is_real(to))) return CureClass::choice;
  if (is_half(from) && to == DataType::float32) return CureClass::proven;
  if (from == DataType::int32 && to == DataType::int64) return CureClass::proven;
  if ((from == DataType::int8 || from == DataType::uint8) && !is_half(to)) return CureClass::proven;
  if (from == DataType::int64 && to == DataType::int32) return CureClass::choice;
  return CureClass::rounding;
}

class Mend {
 public:
  explicit Mend(Draft& draft)
      : draft_(&draft), schema_(schema::schema_facts(draft.node().domain(), draft.node().op_type, draft.opset())) {}

  bool run() {
    if (schema_ == nullptr) return false;
    const Node& node = draft_->node();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const schema::InputFacts* input = schema_->input(i);
      const auto type = draft_->type(node.inputs[i]);
      if (input == nullptr || !type || input->types == 0 || allows(*input, *type)) continue;
      if (is_fed_shape(*draft_, node.inputs[i])) {
        return draft_->refuse(fmt::format("input `{}` holds a shape, and has to be INT32 or INT64 itself",
                                          name_of(*draft_, node.inputs[i])));
      }
      if (!mend_group(input->like, i, *type)) return false;
    }
    if (draft_->edits().empty()) return false;
    for (const ValueId input : node.inputs) drop_stored(*draft_, input);
    cast_results();
    draft_->title(fmt::format("cast what {} reads to {}", node.op_type, to_string(to_)));
    draft_->promises(kind_);
    return true;
  }

 private:
  static bool allows(const schema::InputFacts& input, DataType type) {
    return (input.types >> static_cast<unsigned>(type) & 1U) != 0;
  }

  /// All that have to be of one type, of which this one is of a wrong one.
  bool mend_group(std::uint8_t group, std::size_t wrong, DataType type) {
    const auto chosen = choose(*schema_->input(wrong), type);
    if (!chosen) return draft_->refuse(fmt::format("no type that {} allows holds {}", name(), to_string(type)));
    to_ = *chosen;
    const Node& node = draft_->node();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const schema::InputFacts* input = schema_->input(i);
      const bool is_of_group =
          i == wrong || (input != nullptr && group != schema::InputFacts::kUnlike && input->like == group);
      if (is_of_group && node.inputs[i] && !done_.contains(i)) mend(i);
    }
    if (group == schema::InputFacts::kUnlike) return true;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const auto like = schema_->input_like_output(i);
      if (node.output(i) && like && *like < schema_->inputs.size() && schema_->inputs[*like].like == group) {
        results_.emplace_back(i, to_);
      }
    }
    return true;
  }

  [[nodiscard]] std::string_view name() const { return draft_->node().op_type; }

  std::optional<DataType> choose(const schema::InputFacts& input, DataType type) const {
    for (const DataType to : nearest(type)) {
      if (allows(input, to)) return to;
    }
    return std::nullopt;
  }

  void mend(std::size_t index) {
    const ValueId id = draft_->node().inputs[index];
    const auto type = draft_->type(id);
    done_.insert(index);
    if (!type || *type == to_) return;
    const auto constant = stored(*draft_, id);
    const auto made = constant ? converted(*constant, to_) : std::nullopt;
    if (made) {
      if (!made->exact) weaken(CureClass::rounding);
      draft_->set_input(index, draft_->constant(made->constant));
      return;
    }
    weaken(class_of(*type, to_));
    draft_->set_input(index, cast(*draft_, name_of(*draft_, id), to_));
  }

  void cast_results() {
    std::vector<std::pair<std::string, std::pair<std::string, DataType>>> back;
    for (const auto& [index, made] : results_) {
      const ValueId output = draft_->node().output(index);
      const DataType declared = draft_->model().type(draft_->model().value(output).declared).element;
      const DataType old = declared != DataType::undefined ? declared : draft_->type(output).value_or(made);
      if (old == made) continue;
      const std::string inner = draft_->fresh(draft_->out(index));
      draft_->set_output(index, inner);
      back.push_back({draft_->out(index), {inner, old}});
      weaken(class_of(made, old));
    }
    draft_->after();
    for (const auto& [old, from] : back) cast_to(*draft_, old, from.first, from.second);
  }

  void weaken(CureClass kind) { kind_ = std::max(kind_, kind); }

  Draft* draft_;
  const schema::SchemaFacts* schema_;
  DataType to_ = DataType::undefined;
  CureClass kind_ = CureClass::proven;
  std::set<std::size_t> done_;
  std::vector<std::pair<std::size_t, DataType>> results_;
};

bool make(Draft& draft, const Finding&) { return draft.node().domain().empty() && Mend(draft).run(); }

constexpr std::string_view kFindings[] = {"OPS304"};

}  // namespace

extern constinit const Cure cure{
    .name = "operand-cast",
    .kind = CureClass::proven,
    .summary = "an operand of a type that ONNX does not allow there is stored in or cast to one that it allows",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::operand_cast
