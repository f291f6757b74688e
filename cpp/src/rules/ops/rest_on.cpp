#include "rules/ops/rest_on.hpp"

#include <utility>

namespace trtcheck::rules {

void rest_on(const RuleContext& context, FindingBuilder finding, const evidence::Evidence& evidence) {
  std::string basis = evidence::basis_of(evidence, context.release().exact(), context.release().name());
  if (!basis.empty()) finding.of_other_releases(std::move(basis));
}

}  // namespace trtcheck::rules
