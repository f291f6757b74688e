// What to check a model for.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/ranges.hpp>
#include <trtcheck/rule.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

/// Findings at nodes of this name are suppressed.
struct NodeIgnore {
  std::string node;                ///< glob over node labels: "/encoder/*"
  std::vector<std::string> rules;  ///< codes, prefixes or names; empty = all
  std::string reason;              ///< never empty
};

/// Rules that report at another severity than their own.
struct SeverityOverride {
  std::string rule;                       ///< code, prefix or name; the most specific one counts
  Severity severity = Severity::warning;  ///< to report at
};

/// What to check a model for, and what to leave out.
struct CheckOptions {
  Target target;                             ///< the release, and how it will be used
  std::vector<std::string> select;           ///< codes, prefixes or names; empty = all
  std::vector<std::string> ignore;           ///< wins over select
  std::vector<NodeIgnore> node_ignores;      ///< findings to suppress by node
  std::vector<SeverityOverride> severities;  ///< rules to report at another severity
  bool skip_unknown_inputs = false;  ///< profiles of inputs that the model lacks: `Report::unmatched`, not an Error
  bool neighbourhoods = false;       ///< fill in `Finding::neighbourhood` of the first 500 findings
  /// Findings of one rule and severity that are listed, the first ones; the others are counted (`Report::unlisted`).
  /// 0 = all.
  std::size_t most_of_a_rule = 2000;
  /// What the tensors reached on samples; nothing = nobody measured. Ranges of another model are an Error.
  std::shared_ptr<const Ranges> ranges;
  bool read_weights = false;  ///< all weights are looked at; without it only where `target` asks for FP16
  Limits limits;              ///< for hostile input
};

}  // namespace trtcheck
