// INT8 codes without a zero point, where a release asks for one, or takes an empty name for a tensor: zeros.
#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {
namespace {

bool make(Draft& draft, const Finding&) {
  const bool is_quantize = draft.node().op_type == "QuantizeLinear";
  const ValueId codes = is_quantize ? draft.node().output(0) : draft.node().input(0);
  if (draft.type(codes) != DataType::int8 || draft.node().input(2)) return false;
  const auto scale = draft.contents(draft.node().input(1));
  if (!scale) return draft.refuse("the scale is not constant");
  draft.set_input(2, zeros_like(draft, *scale));
  draft.title("write the zero point 0");
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ109", "OPS401:dq-zero-point-empty-name",
                                          "OPS401:q-zero-point-empty-name"};
constexpr std::string_view kOps[] = {"DequantizeLinear", "QuantizeLinear"};

}  // namespace

extern constinit const Cure zero_point_written{
    .name = "zero-point-written",
    .kind = CureClass::proven,
    .summary = "QuantizeLinear and DequantizeLinear of INT8 without a zero point get zeros",
    .findings = kFindings,
    .ops = kOps,
    .make = make};

}  // namespace trtcheck::cure
