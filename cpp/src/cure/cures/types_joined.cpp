// Operands of one node in one type: constants are stored in it, computed ones cast.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"
#include "fold/array.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure {
namespace {

struct Operand {
  std::size_t index;
  ValueId id;
  DataType type;
  std::optional<Constant> constant;
};

bool is_integer(DataType type) { return type == DataType::int32 || type == DataType::int64; }
bool is_half(DataType type) { return type == DataType::float16 || type == DataType::bfloat16; }
bool is_cast(DataType type) {
  return is_integer(type) || is_half(type) || type == DataType::float32 || type == DataType::float64 ||
         type == DataType::boolean;
}

/// The narrowest type that holds both; nothing where only somebody else knows.
std::optional<DataType> join(DataType a, DataType b) {
  if (a == b) return a;
  if (a == DataType::boolean) return b;
  if (b == DataType::boolean) return a;
  if (a == DataType::float64 || b == DataType::float64) return DataType::float64;
  if (is_integer(a) && is_integer(b)) return DataType::int64;
  return DataType::float32;
}

/// How little a conversion of numbers at run time promises.
CureClass class_of(DataType from, DataType to) {
  if (from == to || from == DataType::boolean || to == DataType::float64) return CureClass::proven;
  if (fold::is_real(from) && !fold::is_real(to)) return CureClass::choice;
  if (to == DataType::boolean) return CureClass::choice;
  if (is_half(from) && to == DataType::float32) return CureClass::proven;
  if (from == DataType::int32 && to == DataType::int64) return CureClass::proven;
  if (from == DataType::int64 && to == DataType::int32) return CureClass::choice;
  return CureClass::rounding;
}

class Join {
 public:
  explicit Join(Draft& draft)
      : draft_(&draft), schema_(schema::schema_facts(draft.node().domain(), draft.node().op_type, draft.opset())) {}

  bool run() {
    if (schema_ == nullptr) return false;
    for (std::size_t first = 0; first < schema_->inputs.size(); ++first) {
      if (schema_->inputs[first].like == first && read_group(first)) return mend(first);
    }
    return false;
  }

 private:
  /// False: these are all of one type, or not known.
  bool read_group(std::size_t first) {
    operands_.clear();
    const Node& node = draft_->node();
    bool differ = false;
    for (std::size_t i = first; i < node.inputs.size(); ++i) {
      const schema::InputFacts* input = schema_->input(i);
      if (input == nullptr || input->like != first || !node.inputs[i]) continue;
      const auto type = draft_->type(node.inputs[i]);
      if (!type) return false;
      operands_.push_back({i, node.inputs[i], *type, std::nullopt});
      differ = differ || *type != operands_.front().type;
    }
    return differ;
  }

  [[nodiscard]] bool is_allowed(std::size_t first, DataType type) const {
    return (schema_->inputs[first].types >> static_cast<unsigned>(type) & 1U) != 0;
  }

  void weaken(CureClass kind) { kind_ = std::max(kind_, kind); }

  /// What the result has to be. Where types are mixed, inference takes that of the first operand: what the file
  /// declares counts more.
  [[nodiscard]] std::optional<DataType> result_type(ValueId output) const {
    const DataType declared = draft_->model().type(draft_->model().value(output).declared).element;
    return declared != DataType::undefined ? declared : draft_->type(output);
  }

  std::optional<DataType> wanted() {
    std::optional<DataType> data;
    for (Operand& operand : operands_) {
      operand.constant = stored(*draft_, operand.id);
      if (operand.constant) continue;
      if (!is_cast(operand.type)) return std::nullopt;
      data = data ? join(*data, operand.type) : operand.type;
    }
    if (!data) data = operands_.front().type;
    // What does not fit into the type of the data makes it wider.
    for (Operand& operand : operands_) {
      const bool would_be_truth = *data == DataType::boolean && operand.type != DataType::boolean;
      if (!operand.constant || (!would_be_truth && converted(*operand.constant, *data))) continue;
      data = join(*data, operand.type);
    }
    return data;
  }

  void write_inputs(DataType type) {
    std::map<std::string, std::string> made;
    for (const Operand& operand : operands_) {
      if (operand.type == type) continue;
      const std::string name = name_of(*draft_, operand.id);
      auto [at, is_new] = made.emplace(name, "");
      if (is_new) {
        if (auto constant = operand.constant ? converted(*operand.constant, type) : std::nullopt) {
          if (!constant->exact) weaken(CureClass::rounding);
          at->second = draft_->constant(constant->constant, "constant");
          ++stored_;
        } else {
          weaken(class_of(operand.type, type));
          at->second = cast(*draft_, name, type);
          ++casts_;
        }
      }
      draft_->set_input(operand.index, at->second);
    }
  }

  void drop_old() {
    for (const Operand& operand : operands_) drop_stored(*draft_, operand.id);
  }

  void write_outputs(std::size_t first, DataType type) {
    std::vector<std::pair<std::string, std::pair<std::string, DataType>>> back;
    for (std::size_t i = 0; i < draft_->node().outputs.size(); ++i) {
      const ValueId output = draft_->node().output(i);
      const auto like = schema_->input_like_output(i);
      if (!output || !like || *like >= schema_->inputs.size() || schema_->inputs[*like].like != first) continue;
      const auto old = result_type(output);
      if (!old || *old == type) continue;
      const std::string inner = draft_->fresh(draft_->out(i));
      draft_->set_output(i, inner);
      back.push_back({draft_->out(i), {inner, *old}});
      weaken(class_of(type, *old));
    }
    if (back.empty()) return;
    draft_->after();
    for (const auto& [name, from] : back) cast_to(*draft_, name, from.first, from.second);
    ++casts_;
  }

  bool mend(std::size_t first) {
    const auto type = wanted();
    if (!type || !is_allowed(first, *type)) return draft_->refuse("no type holds all of its operands");
    write_inputs(*type);
    drop_old();
    write_outputs(first, *type);
    draft_->title(casts_ == 0 ? fmt::format("store the constants in the type of the data, {}", to_string(*type))
                              : fmt::format("compute in {}: operands are stored or cast to it", to_string(*type)));
    draft_->promises(kind_);
    return true;
  }

  Draft* draft_;
  const schema::SchemaFacts* schema_;
  std::vector<Operand> operands_;
  CureClass kind_ = CureClass::proven;
  std::size_t stored_ = 0;
  std::size_t casts_ = 0;
};

bool make(Draft& draft, const Finding&) { return Join(draft).run(); }

constexpr std::string_view kFindings[] = {"STY101",
                                          "OPS401:clip-limit-bytes",
                                          "OPS401:clip-limit-differs",
                                          "OPS401:clip-limit-type",
                                          "OPS401:pad-stored-value-type",
                                          "OPS401:pad-value-codes"};

}  // namespace

extern constinit const Cure types_joined{
    .name = "types-joined",
    .kind = CureClass::proven,
    .summary = "operands of different element types are stored in or cast to one type",
    .findings = kFindings,
    .make = make};

}  // namespace trtcheck::cure
