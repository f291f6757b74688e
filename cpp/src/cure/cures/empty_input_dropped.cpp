// Optional inputs that are listed with an empty name at the end: ONNX leaves them out as well without it.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  Draft::Inputs inputs;
  for (std::size_t i = 0; i < draft.node().inputs.size(); ++i) inputs.push_back(draft.in(i));
  const std::size_t before = inputs.size();
  while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
  if (inputs.size() == before) return false;
  draft.title(fmt::format("leave out the empty input name of `{}`", draft.node().op_type));
  draft.add(edit::SetInputs{draft.place(), std::move(inputs)});
  return true;
}

constexpr std::string_view kFindings[] = {
    "OPS401:deform-conv-empty-bias", "OPS401:dq-zero-point-empty-name", "OPS401:gemm-empty-c",
    "OPS401:layernorm-empty-bias",   "OPS401:q-zero-point-empty-name",  "OPS401:slice-empty-steps",
    "OPS401:split-empty-name",       "OPS401:squeeze-empty-name",       "OPS401:trilu-empty-diagonal"};

}  // namespace

extern constinit const Cure empty_input_dropped{
    .name = "empty-input-dropped",
    .kind = CureClass::proven,
    .summary = "an optional input with an empty name at the end is left out",
    .findings = kFindings,
    .make = make};

}  // namespace trtcheck::cure
