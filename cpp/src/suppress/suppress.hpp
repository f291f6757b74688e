// Findings that the user does not want to hear of: taken out of the report, and listed in it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/check_options.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/shapes.hpp>

#include "engine/selection.hpp"

namespace trtcheck {

struct SuppressedBecause {
  Suppressed::By by = Suppressed::By::settings;
  std::string reason;
};
using WhySuppressed = std::function<std::optional<SuppressedBecause>(const Finding&)>;

/// Moves every finding that `why` gives an answer for to `report.suppressions`. A rule that failed is always told.
/// `why` is asked in the order of `sort_findings`.
/// @pre consequences are not folded yet
void suppress(Report& report, const WhySuppressed& why);

/// Adds findings that no rule made: each has its rule, node, message and what else its author wanted, and is completed
/// like the others. Those that are not selected are counted only.
void add_findings(Report& report, std::vector<Finding> findings, const Model& model, const Shapes& shapes,
                  const engine::Selection& selection);

class MetadataIgnores;

/// What `trtcheck.ignore` in the metadata of the model and its nodes says. What is wrong with it or matches nothing
/// becomes a finding.
void suppress_by_metadata(Report& report, MetadataIgnores& ignores, const Model& model, const Shapes& shapes,
                          const engine::Selection& selection);

/// The findings to suppress by node; remembers which entries matched something.
class NodeIgnores {
 public:
  /// @throws Error  one of them names a rule that does not exist, or has no reason
  explicit NodeIgnores(const std::vector<NodeIgnore>& ignores);
  [[nodiscard]] bool empty() const noexcept { return ignores_->empty(); }
  [[nodiscard]] std::optional<SuppressedBecause> why(std::string_view node, const Finding& finding);
  /// What matches nothing goes to `report.unmatched`.
  void suppress(Report& report);

 private:
  const std::vector<NodeIgnore>* ignores_;
  std::vector<bool> used_;
};

}  // namespace trtcheck
