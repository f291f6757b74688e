// Gemm with factors that the release stores as FLOAT: operands are multiplied before.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  const std::optional<DataType> type = draft.type(draft.node().input(0));
  if (!type || !is_float(*type)) return false;
  Writer w(draft);
  const auto multiply = [&](std::size_t input, std::string_view factor) {
    const float value = draft.float_attribute(factor, 1);
    draft.drop_attribute(factor);
    if (value == 1 || !draft.node().input(input)) return;
    draft.set_input(input, w.mul(draft.in(input), draft.scalar(value, *type, factor)));
  };
  multiply(0, "alpha");
  multiply(2, "beta");
  draft.title("multiply operands by `alpha` and `beta` before `Gemm`");
  return true;
}

constexpr std::string_view kOps[] = {"Gemm"};
constexpr std::string_view kFindings[] = {"OPS401:gemm-factors-bfloat16", "OPS401:gemm-factors-half"};

}  // namespace

extern constinit const Cure gemm_factors_multiplied{
    .name = "gemm-factors-multiplied",
    .kind = CureClass::rounding,
    .summary = "factors of Gemm become multiplications in the type of its operands",
    .findings = kFindings,
    .ops = kOps,
    .make = make};

}  // namespace trtcheck::cure
