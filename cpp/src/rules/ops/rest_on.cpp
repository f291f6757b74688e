#include "rules/ops/rest_on.hpp"

#include <utility>

namespace trtcheck::rules {

void rest_on(const RuleContext& context, FindingBuilder finding, const evidence::Evidence& evidence) {
  std::string basis = evidence::basis_of(evidence, context.release().exact(), context.release().name());
  if (basis.empty()) return;
  if (evidence::certainty_of(evidence, context.release().exact()) == Certainty::possible) {
    finding.severity(Severity::info).certainty(Certainty::possible).note(std::move(basis));  // a suspicion
    return;
  }
  finding.of_other_releases(std::move(basis));
}

}  // namespace trtcheck::rules
