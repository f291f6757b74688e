// An operator whose layer does not exist for the type of its data: Cast around it.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure::computed_in_another_type {
namespace {

// They choose among elements, or move them: 0 and 1 stay 0 and 1 in any type.
constexpr std::string_view kOnBool[] = {"Clip",   "DepthToSpace", "Max",  "Min",  "ReduceMax", "ReduceMin", "Relu",
                                        "Resize", "SpaceToDepth", "Tile", "TopK", "Trilu",     "Upsample",  "Where"};
constexpr std::string_view kFloatOnly[] = {"Resize", "Upsample"};
constexpr std::string_view kMoves[] = {"Resize", "TopK", "Upsample"};

bool is_one(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool interpolates(const Draft& draft) {
  return is_one(kFloatOnly, draft.node().op_type) && draft.text_attribute("mode", "nearest") != "nearest";
}

std::optional<DataType> computed_in(const Draft& draft, DataType type) {
  const std::string_view op = draft.node().op_type;
  // Coordinates lose places in half precision.
  if (op == "GridSample" && type != DataType::boolean) return DataType::float32;
  switch (type) {
    case DataType::boolean:
      if (!is_one(kOnBool, op) || interpolates(draft)) return std::nullopt;
      return is_one(kFloatOnly, op) ? DataType::float32 : DataType::int32;
    case DataType::int32:
    case DataType::int64:
    case DataType::bfloat16:
    case DataType::float16:
      return DataType::float32;
    default:
      return std::nullopt;
  }
}

bool is_half_or_float(DataType type) {
  return type == DataType::float16 || type == DataType::bfloat16 || type == DataType::float32;
}

CureClass class_of(const Draft& draft, DataType type) {
  if (draft.node().op_type == "IsInf") return CureClass::proven;
  // What lies between two whole numbers is cut, too.
  const bool is_between = draft.node().op_type == "GridSample" && draft.text_attribute("mode", "linear") != "nearest";
  if (is_between && !is_half_or_float(type)) return CureClass::choice;
  // Logarithms are cut to whole numbers, from just below one as well.
  if (type == DataType::boolean) return CureClass::proven;
  if (draft.node().op_type.starts_with("ReduceLog") && !is_half_or_float(type)) return CureClass::choice;
  const bool is_exact = type == DataType::bfloat16 && is_one(kMoves, draft.node().op_type) && !interpolates(draft);
  return is_exact ? CureClass::proven : CureClass::rounding;
}

bool make(Draft& draft, const Finding&) {
  const Node& node = draft.node();
  const schema::SchemaFacts* schema = schema::schema_facts(node.domain(), node.op_type, draft.opset());
  const std::size_t data = node.op_type == "Where" ? 1 : 0;
  const auto type = draft.type(node.input(data));
  if (schema == nullptr || !type || data >= schema->inputs.size()) return false;
  const auto to = computed_in(draft, *type);
  const std::uint8_t group = schema->inputs[data].like;
  if (!to || (schema->inputs[data].types >> static_cast<unsigned>(*to) & 1U) == 0) return false;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const schema::InputFacts* input = schema->input(i);
    const bool is_data =
        i == data || (input != nullptr && group != schema::InputFacts::kUnlike && input->like == group);
    const bool is_grid = node.op_type == "GridSample" && i == 1;
    if ((!is_data && !is_grid) || !node.input(i) || draft.type(node.input(i)) == to) continue;
    const auto constant = stored(draft, node.input(i));
    const auto made = constant ? converted(*constant, *to) : std::nullopt;
    draft.set_input(i, made ? draft.constant(made->constant) : cast(draft, draft.in(i), *to));
  }
  for (const ValueId input : node.inputs) drop_stored(draft, input);
  std::vector<std::pair<std::string, std::string>> back;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const auto like = schema->input_like_output(i);
    if (*type == *to || !node.output(i) || !like || *like >= schema->inputs.size() ||
        schema->inputs[*like].like != group)
      continue;
    back.emplace_back(draft.out(i), draft.fresh(draft.out(i)));
    draft.set_output(i, back.back().second);
  }
  draft.after();
  for (const auto& [name, from] : back) cast_to(draft, name, from, *type);
  draft.promises(class_of(draft, *type));
  draft.title(fmt::format("compute {} in {}", node.op_type, to_string(*to)));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS401:batchnorm-no-integers",
                                          "OPS401:clip-bfloat16",
                                          "OPS401:clip-no-bool",
                                          "OPS401:conv-transpose-bfloat16",
                                          "OPS401:deform-conv-types",
                                          "OPS401:depth-to-space-no-bool",
                                          "OPS401:einsum-no-integers",
                                          "OPS401:elementwise-no-bool",
                                          "OPS401:erf-types",
                                          "OPS401:gelu-no-int32",
                                          "OPS401:gemm-factors-bfloat16",
                                          "OPS401:gemm-factors-half",
                                          "OPS401:gemm-no-integers",
                                          "OPS401:global-lp-pool-types",
                                          "OPS401:hardswish-types",
                                          "OPS401:instancenorm-types",
                                          "OPS401:grid-sample-mixed-types",
                                          "OPS401:grid-sample-types-differ",
                                          "OPS401:gru-half",
                                          "OPS401:gru-no-bfloat16",
                                          "OPS401:is-nan-no-integers",
                                          "OPS401:isinf-one-sided-bfloat16",
                                          "OPS401:isinf-one-sided-half",
                                          "OPS401:lp-normalization-types",
                                          "OPS401:lp-pool-types",
                                          "OPS401:matmul-no-integers",
                                          "OPS401:mish-types",
                                          "OPS401:mvn-half",
                                          "OPS401:old-activation-no-int64",
                                          "OPS401:old-activation-types",
                                          "OPS401:pow-float-base",
                                          "OPS401:prelu-no-integers",
                                          "OPS401:reduce-no-bool",
                                          "OPS401:reduce-no-integers",
                                          "OPS401:relu-no-bool",
                                          "OPS401:relu-no-int32",
                                          "OPS401:resize-no-bool",
                                          "OPS401:resize-no-integers",
                                          "OPS401:resize-types",
                                          "OPS401:rnn-bfloat16-lengths",
                                          "OPS401:rnn-bfloat16-state",
                                          "OPS401:rnn-half-lengths",
                                          "OPS401:rnn-half-state",
                                          "OPS401:shrink-types",
                                          "OPS401:sign-no-integers",
                                          "OPS401:space-to-depth-no-bool",
                                          "OPS401:tensorscatter-types",
                                          "OPS401:tile-no-bool",
                                          "OPS401:topk-no-bool",
                                          "OPS401:topk-no-integers",
                                          "OPS401:upsample-no-bool",
                                          "OPS401:upsample-no-integers",
                                          "OPS401:upsample-types",
                                          "OPS401:where-no-bool",
                                          "OPS411:gru-half-one",
                                          "OPS411:mean-half-factor"};

}  // namespace

extern constinit const Cure cure{
    .name = "computed-in-another-type",
    .kind = CureClass::proven,
    .summary =
        "an operator that has no layer for the type of its data is computed in another one, with a Cast around it",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::computed_in_another_type
