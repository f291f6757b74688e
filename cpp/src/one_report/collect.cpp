#include <utility>

#include "one_report/one_report.hpp"

namespace trtcheck::one_report {
namespace {

ProfileProposal proposal_for(const LayersOfModel& of, std::span<const SizeRange> dims) {
  try {
    return propose(of.model(),
                   {.given = of.target().profile, .dims = {dims.begin(), dims.end()}, .target = of.target()});
  } catch (const Error& error) {
    throw Error(of.model().path(), error.what());
  }
}

}  // namespace

OneReport collect(const LayersOfModel& of, Report report, const CheckOptions& options,
                  std::span<const SizeRange> dims) {
  CheckOptions brief = options;
  brief.neighbourhoods = false;
  std::vector<std::string> not_looked = not_looked_at(of, options, report);
  return {.of = of,
          .report = std::move(report),
          .matrix = matrix(of.analysis(), brief, parse_releases("all")),
          .profile = proposal_for(of, dims),
          .casts = type_borders(of.model(), of.shapes(), of.target()),
          .not_looked = std::move(not_looked)};
}

}  // namespace trtcheck::one_report
