#include "rules/ops/seen.hpp"

#include <fmt/core.h>

namespace trtcheck::rules {

Certainty certainty_of(std::optional<TrtVersion> seen, TrtVersion release) noexcept {
  return seen && release <= *seen ? Certainty::proven : Certainty::likely;
}

void rest_on(const RuleContext& context, FindingBuilder finding, std::optional<TrtVersion> seen) {
  const TrtVersion release = context.target().release;
  if (certainty_of(seen, release) == Certainty::proven) return;
  finding.certainty(Certainty::likely);
  if (release <= newest_read_release()) return;
  finding.note(
      seen ? fmt::format("this was read up to TensorRT {}, and nothing that is known of {} contradicts it",
                         to_string(*seen), to_string(release))
           : fmt::format("this was read in no source of TensorRT {}, the evidence is indirect", to_string(release)));
}

}  // namespace trtcheck::rules
