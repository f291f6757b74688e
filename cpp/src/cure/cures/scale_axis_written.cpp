// `axis` of QuantizeLinear and DequantizeLinear written out: without it ONNX means 1, and older parsers read 0.
#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::scale_axis_written {
namespace {

bool make(Draft& draft, const Finding&) {
  constexpr std::int64_t kHasAxis = 13;
  if (draft.rank(draft.node().input(0)) == 0 && draft.opset() >= kHasAxis) {
    draft.set_attribute("axis", std::int64_t{0});
    draft.title("write `axis` = 0: a scalar has no axis 1");
    return true;
  }
  if (draft.node().attribute("axis") != nullptr || draft.opset() < kHasAxis) return false;
  const auto scales = draft.sizes(draft.node().input(1));
  const auto data = draft.sizes(draft.node().input(0));
  if (!scales || scales->size() != 1 || !data || data->size() < 2 || (*data)[1] != (*scales)[0]) return false;
  draft.set_attribute("axis", std::int64_t{1});
  draft.title("write `axis` = 1, which ONNX means where it is left out");
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ104", "QDQ110", "OPS401:dq-scalar-data", "OPS401:q-scalar-data"};
constexpr std::string_view kOps[] = {"DequantizeLinear", "QuantizeLinear"};

}  // namespace

extern constinit const Cure cure{
    .name = "scale-axis-written",
    .kind = CureClass::proven,
    .summary = "`axis` of QuantizeLinear and DequantizeLinear is written where the release reads another one",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::scale_axis_written
