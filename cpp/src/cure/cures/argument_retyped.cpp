// Axes, sizes, limits, lengths and scales in a type that the parser does not read: stored in, or cast to, the right
// one.
#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/declarations.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::argument_retyped {
namespace {

constexpr DataType kOfData = DataType::undefined;  // that of input 0

/// Which inputs a fact is about, and the type that they must have.
struct Row {
  std::string_view fact;
  std::uint32_t inputs;  ///< bit i: input i
  DataType type;
};

constexpr std::uint32_t bit(unsigned i) { return 1U << i; }
constexpr std::uint32_t kSliceInputs = bit(1) | bit(2) | bit(3) | bit(4);

constexpr std::uint32_t kParameters = bit(1) | bit(2) | bit(3) | bit(4);

constexpr Row kRows[] = {
    {"attention-mask-precision", bit(3), kOfData},
    {"attention-mask-type", bit(3), kOfData},
    {"attention-value-type", bit(2), kOfData},
    {"batchnorm-mixed-bfloat16", kParameters, kOfData},
    {"batchnorm-mixed-bfloat16-computed", kParameters, kOfData},
    {"batchnorm-mixed-half", kParameters, kOfData},
    {"clip-limit-integer", bit(1) | bit(2), kOfData},
    {"cumsum-axis-type", bit(1), DataType::int64},
    {"dq-scale-type", bit(1), DataType::float32},
    {"dropout-training-mode-type", bit(2), DataType::boolean},
    {"expand-int32-shape", bit(1), DataType::int64},
    {"if-condition-type", bit(0), DataType::boolean},
    {"nms-int32-limit", bit(2), DataType::int64},
    {"nms-limit-type", bit(3) | bit(4), DataType::float32},
    {"nms-types-differ", bit(0) | bit(1), DataType::float32},
    {"onehot-depth-int8", bit(1), DataType::int64},
    {"pad-half-pads", bit(1), DataType::int64},
    {"pad-value-type", bit(2), kOfData},
    {"pow-float-exponent", bit(1), kOfData},
    {"q-float-data", bit(0), DataType::float32},
    {"q-scale-bytes", bit(1), DataType::float32},
    {"q-scale-type", bit(1), DataType::float32},
    {"q-uint8-data", bit(0), DataType::float32},
    {"reduce-axes-float", bit(1), DataType::int64},
    {"resize-scales-half", bit(1) | bit(2), DataType::float32},
    {"rnn-lengths-type", bit(4), DataType::int32},
    {"slice-axes-type", kSliceInputs, DataType::int64},
    {"slice-int32-starts", kSliceInputs, DataType::int64},
    {"slice-int32-steps", kSliceInputs, DataType::int64},
    {"split-int32-sizes", bit(1), DataType::int64},
    {"stft-int32", bit(1) | bit(3), DataType::int64},
    {"stft-number-type", bit(1) | bit(3), DataType::int64},
    {"tile-int32-repeats", bit(1), DataType::int64},
    {"trilu-int32-diagonal", bit(1), DataType::int64},
    {"trilu-uint8-diagonal", bit(1), DataType::int64},
};

bool is_integer(DataType type) {
  return type == DataType::int32 || type == DataType::int64 || type == DataType::int8 || type == DataType::uint8;
}

/// At run time; what is stored says itself whether it is exact.
CureClass class_of(DataType from, DataType to) {
  if (is_integer(from) && to == DataType::int64) return CureClass::proven;
  if (from == DataType::uint8 || from == DataType::int8) return CureClass::proven;
  if (from == DataType::float16 && to == DataType::float32) return CureClass::proven;
  if (from == DataType::bfloat16 && to == DataType::float32) return CureClass::proven;
  if (from == DataType::int64 && to == DataType::int32) return CureClass::choice;
  if (from == DataType::boolean) return CureClass::proven;
  return CureClass::rounding;
}

bool make(Draft& draft, const Finding& finding) {
  const auto* const row = std::ranges::find(kRows, finding.fact, &Row::fact);
  if (row == std::end(kRows)) return false;
  const auto type = row->type == kOfData ? draft.type(draft.node().input(0)) : row->type;
  if (!type) return false;
  // In another type ONNX adds the mask elsewhere.
  const bool is_attention = finding.fact.starts_with("attention-");
  CureClass promised = is_attention ? CureClass::rounding : CureClass::proven;
  std::string names;
  std::vector<ValueId> old;
  for (std::size_t i = 0; i < draft.node().inputs.size(); ++i) {
    const ValueId input = draft.node().input(i);
    const auto from = draft.type(input);
    if ((row->inputs >> i & 1U) == 0 || !input || !from || *from == *type) continue;
    const auto constant = draft.contents(input);
    const auto made = constant ? converted(*constant, *type) : std::nullopt;
    if (!made && is_fed_shape(draft, input)) {
      return draft.refuse(fmt::format("input `{}` holds a shape, and has to be INT32 or INT64 itself", draft.in(i)));
    }
    const bool is_exact = made ? made->exact : class_of(*from, *type) == CureClass::proven;
    if (!is_exact) promised = std::max(promised, made ? CureClass::rounding : class_of(*from, *type));
    draft.set_input(i, made ? draft.constant(made->constant) : cast(draft, draft.in(i), *type));
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", draft.in(i));
    old.push_back(input);
  }
  if (old.empty()) return false;
  for (const ValueId input : old) drop_stored(draft, input);
  draft.promises(promised);
  draft.title(fmt::format("give {} the type {}", names, to_string(*type)));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS401:attention-mask-precision",
                                          "OPS401:attention-mask-type",
                                          "OPS401:attention-value-type",
                                          "OPS401:batchnorm-mixed-bfloat16-computed",
                                          "OPS401:batchnorm-mixed-half",
                                          "OPS411:batchnorm-mixed-bfloat16",
                                          "OPS411:clip-limit-integer",
                                          "OPS401:cumsum-axis-type",
                                          "OPS401:dq-scale-type",
                                          "OPS401:dropout-training-mode-type",
                                          "OPS401:expand-int32-shape",
                                          "OPS401:if-condition-type",
                                          "OPS401:nms-int32-limit",
                                          "OPS401:nms-limit-type",
                                          "OPS401:nms-types-differ",
                                          "OPS401:onehot-depth-int8",
                                          "OPS401:pad-half-pads",
                                          "OPS401:pad-value-type",
                                          "OPS401:pow-float-exponent",
                                          "OPS401:q-float-data",
                                          "OPS401:q-scale-bytes",
                                          "OPS401:q-scale-type",
                                          "OPS401:q-uint8-data",
                                          "OPS401:reduce-axes-float",
                                          "OPS414:resize-scales-half",
                                          "OPS401:rnn-lengths-type",
                                          "OPS401:slice-axes-type",
                                          "OPS401:slice-int32-starts",
                                          "OPS401:slice-int32-steps",
                                          "OPS411:split-int32-sizes",
                                          "OPS411:stft-int32",
                                          "OPS401:stft-number-type",
                                          "OPS401:tile-int32-repeats",
                                          "OPS401:trilu-int32-diagonal",
                                          "OPS401:trilu-uint8-diagonal"};

}  // namespace

extern constinit const Cure cure{
    .name = "argument-retyped",
    .kind = CureClass::proven,
    .summary = "axes, sizes, limits, lengths and scales are stored in, or cast to, the type that the parser reads",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::argument_retyped
