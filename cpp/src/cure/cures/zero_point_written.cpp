// DequantizeLinear of INT8 without a zero point, where a release asks for one: zeros.
#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {
namespace {

bool make(Draft& draft, const Finding&) {
  if (draft.type(draft.node().input(0)) != DataType::int8 || draft.node().input(2)) return false;
  const auto scale = draft.contents(draft.node().input(1));
  if (!scale) return draft.refuse("the scale is not constant");
  draft.set_input(2, zeros_like(draft, *scale));
  draft.title("write the zero point 0");
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ109"};
constexpr std::string_view kOps[] = {"DequantizeLinear"};

}  // namespace

extern constinit const Cure zero_point_written{.name = "zero-point-written",
                                               .kind = CureClass::proven,
                                               .summary = "DequantizeLinear of INT8 without a zero point gets zeros",
                                               .findings = kFindings,
                                               .ops = kOps,
                                               .make = make};

}  // namespace trtcheck::cure
