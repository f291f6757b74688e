// Outputs that the release does not make and nobody reads, and such that have to have a name.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::unused_output_dropped {
namespace {

bool drop(Draft& draft) {
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < draft.node().outputs.size(); ++i) {
    const ValueId value = draft.node().output(i);
    if (i > 0 && draft.is_read(value)) return draft.refuse(fmt::format("`{}` is read", draft.out(i)));
    if (i == 0) outputs.push_back(draft.out(i));
  }
  if (outputs.size() == draft.node().outputs.size()) return false;
  draft.add(edit::SetOutputs{draft.place(), std::move(outputs)});
  draft.title(fmt::format("leave out outputs of `{}` that nobody reads", draft.node().op_type));
  return true;
}

bool name(Draft& draft, std::size_t at_least) {
  std::vector<std::string> outputs;
  std::size_t named = 0;
  for (std::size_t i = 0; i < std::max(draft.node().outputs.size(), at_least); ++i) {
    const bool has_name = i < draft.node().outputs.size() && draft.node().output(i);
    outputs.push_back(has_name ? draft.out(i) : draft.fresh(fmt::format("{}/unused", draft.node().op_type)));
    named += has_name ? 0U : 1U;
  }
  if (named == 0) return false;
  draft.add(edit::SetOutputs{draft.place(), std::move(outputs)});
  draft.title(fmt::format("give the outputs of `{}` a name that nobody reads", draft.node().op_type));
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  if (finding.fact == "topk-both-outputs") return name(draft, 2);
  return drop(draft);
}

constexpr std::string_view kFindings[] = {"OPS401:attention-empty-outputs", "OPS401:layernorm-one-output",
                                          "OPS401:maxpool-no-indices", "OPS401:topk-both-outputs"};

}  // namespace

extern constinit const Cure cure{
    .name = "unused-output-dropped",
    .kind = CureClass::proven,
    .summary = "outputs that nobody reads are left out, or named where the release demands it",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::unused_output_dropped
