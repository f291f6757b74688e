#include "rules/model/defects.hpp"

namespace trtcheck::rules {

std::vector<Defect> reached_defects(const RuleContext& context, Defect::Kind kind) {
  const Reached reached(context.model(), context.shapes());
  std::vector<Defect> found;
  for (const Defect& defect : context.model().defects()) {
    if (defect.kind == kind && reached.has(defect.graph)) found.push_back(defect);
  }
  return found;
}

}  // namespace trtcheck::rules
