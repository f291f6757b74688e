// A bias that is computed, where a convolution needs a constant: added behind the convolution.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::bias_added {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  const auto rank = draft.rank(draft.node().input(1));
  if (!draft.node().input(2) || !rank || *rank < 3) return false;
  std::vector<std::int64_t> shape(*rank - 1, 1);
  shape[0] = -1;
  const std::string sum = draft.fresh(draft.out(0) + "/without_bias");
  const std::string bias = draft.op("Reshape", {draft.in(2), draft.ints_constant(shape, "shape")});
  draft.add(edit::SetInputs{draft.place(), {draft.in(0), draft.in(1)}});
  draft.set_output(0, sum);
  draft.after();
  draft.op_to({draft.out(0)}, "Add", {sum, bias});
  draft.title(fmt::format("add the bias `{}` after the convolution", draft.in(2)));
  return true;
}

constexpr std::string_view kOps[] = {"Conv", "ConvTranspose"};
constexpr std::string_view kFindings[] = {"OPS401:bias-computed", "OPS401:conv-transpose-border-without-bias",
                                          "OPS411:conv-transpose-border-without-bias"};

}  // namespace

extern constinit const Cure cure{
    .name = "bias-added",
    .kind = CureClass::rounding,
    .summary = "a computed bias of a convolution is added after it",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::bias_added
