// The window of a convolution or pool: a kernel shape that is not written, pads beside auto_pad.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::window_form {
namespace {

bool write_kernel_shape(Draft& draft, bool is_wrong) {
  const auto sizes = draft.sizes(draft.node().input(1));
  if (!sizes || sizes->size() < 3) return draft.refuse(fmt::format("the sizes of `{}` are not known", draft.in(1)));
  // A runtime refuses such a node, so that nobody knows which of the two is meant.
  if (is_wrong) draft.promises(CureClass::choice);
  const std::vector<std::int64_t> kernel(sizes->begin() + 2, sizes->end());
  draft.set_attribute("kernel_shape", kernel);
  draft.title(fmt::format("write `kernel_shape` as [{}], the sizes of the weights", fmt::join(kernel, ", ")));
  return true;
}

/// ONNX takes one of the two, SAME and VALID say what the pads are.
bool drop_pads(Draft& draft) {
  const auto pads = draft.ints_attribute("pads");
  if (!pads) return false;
  if (!std::ranges::all_of(*pads, [](std::int64_t pad) { return pad == 0; })) draft.promises(CureClass::choice);
  draft.drop_attribute("pads");
  draft.title(fmt::format("drop `pads`: `auto_pad` is {}", draft.text_attribute("auto_pad", "NOTSET")));
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  if (finding.rule->code == "WGT106") return write_kernel_shape(draft, true);
  if (finding.fact == "kernel-shape-missing") return write_kernel_shape(draft, false);
  return drop_pads(draft);
}

constexpr std::string_view kFindings[] = {"WGT106",

                                          "OPS401:kernel-shape-missing",
                                          "OPS401:same-with-pads",
                                          "OPS401:valid-with-pads",
                                          "OPS411:valid-with-pads",
                                          "OPS412:valid-with-pads"};

}  // namespace

extern constinit const Cure cure{
    .name = "window-form",
    .kind = CureClass::proven,
    .summary = "a convolution or pool is written with its kernel shape and one kind of padding",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::window_form
