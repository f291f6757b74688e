// Inputs that are left out by an empty name at the end of the list: TensorRT counts them, so the list ends before.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "text/plural.hpp"

namespace trtcheck::cure::empty_names_dropped {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  std::size_t count = draft.node().inputs.size();
  while (count > 0 && !draft.node().input(count - 1)) --count;
  const std::size_t dropped = draft.node().inputs.size() - count;
  if (dropped == 0) return false;
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < count; ++i) inputs.push_back(draft.in(i));
  draft.add(edit::SetInputs{draft.place(), inputs});
  draft.title(fmt::format("drop {} at the end of the inputs", trtcheck::counted(dropped, "empty name")));
  return true;
}

constexpr std::string_view kFindings[] = {
    "OPS401:empty-bias-name",  "OPS401:deform-conv-empty-bias", "OPS401:dropout-training-mode-empty",
    "OPS401:gemm-empty-c",     "OPS401:layernorm-empty-bias",   "OPS401:slice-empty-steps",
    "OPS401:split-empty-name", "OPS401:squeeze-empty-name",     "OPS401:trilu-empty-diagonal"};

}  // namespace

extern constinit const Cure cure{
    .name = "empty-names-dropped",
    .kind = CureClass::proven,
    .summary = "empty names at the end of the inputs of a node are dropped",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::empty_names_dropped
