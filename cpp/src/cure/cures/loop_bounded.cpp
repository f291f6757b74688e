// Trip count and condition of a Loop, in the form that TensorRT reads.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::loop_bounded {
namespace {

// TensorRT takes a larger count for none.
constexpr std::int64_t kLargestCount = 2147483646;

bool make(Draft& draft, const Finding& finding) {
  if (finding.fact == "loop-condition-read") {
    draft.set_input(1, draft.scalar(1, DataType::boolean, "condition"));
    draft.title("give the condition that ONNX assumes: true");
    return true;
  }
  if (finding.fact == "loop-negative-count") {
    draft.set_input(0, draft.int_constant(0, "count"));
    draft.title("write 0 instead of a negative trip count");
    return true;
  }
  // A Loop that goes on for longer would end there.
  draft.promises(CureClass::choice);
  draft.set_input(0, draft.int_constant(kLargestCount, "count"));
  draft.title(fmt::format("give the trip count {}, the largest that is one", kLargestCount));
  return true;
}

constexpr std::string_view kOps[] = {"Loop"};
constexpr std::string_view kFindings[] = {"OPS401:loop-condition-read", "OPS401:loop-iteration-number",
                                          "OPS401:loop-negative-count"};

}  // namespace

extern constinit const Cure cure{
    .name = "loop-bounded",
    .kind = CureClass::proven,
    .summary = "a Loop gets the condition or the trip count that its body needs",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::loop_bounded
