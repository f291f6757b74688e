#include "report/unlisted.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "report/formats.hpp"
#include "report/identity.hpp"
#include "text/plural.hpp"

namespace trtcheck::report {

Finding stand_in(const Unlisted& unlisted) {
  const Rule& rule = *unlisted.rule;
  Finding finding;
  finding.rule = &rule;
  finding.severity = unlisted.severity;
  finding.certainty = rule.certainty;
  finding.message = fmt::format("{} of this rule, not listed: `trtcheck check --all-findings --select {}` lists all",
                                counted(unlisted.count, "more finding"), rule.code);
  finding.graph = "main";
  finding.evidence.assign(rule.evidence.begin(), rule.evidence.end());
  finding.fingerprint = structural_identity(finding);
  return finding;
}

Report with_stand_ins(const Report& report) {
  Report told = report;
  for (Unlisted& each : told.unlisted) {
    const auto milder =
        std::ranges::find_if(told.findings, [&](const Finding& f) { return f.severity < each.severity; });
    told.findings.insert(milder, stand_in(each));
    --each.count;  // the stand-in counts as one
  }
  return told;
}

}  // namespace trtcheck::report
