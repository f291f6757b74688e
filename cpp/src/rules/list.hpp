// What list.cpp shares with the runner and the selection.
#pragma once

#include <string_view>

#include <trtcheck/rule.hpp>

namespace trtcheck::rules {

bool same_ignoring_case(std::string_view a, std::string_view b) noexcept;

/// Reports a rule that threw. It checks nothing itself (`check` is null).
extern const Rule internal_error;
/// Reported by `check` when it looks at `trtcheck.ignore` (`check` is null).
extern const Rule suppression_malformed;
extern const Rule suppression_unused;

/// Reported by `confirm` (`check` is null).
extern const Rule refused_by_witness;

/// Whether it reports what happened, not what is in a model: there is no model that shows it.
[[nodiscard]] inline bool reports_events(const Rule& rule) noexcept {
  return &rule == &internal_error || &rule == &refused_by_witness;
}

/// They speak for rows of cpp/data/facts, see rows.hpp.
extern const Rule form_unsupported;
extern const Rule silently_different;
extern const Rule silently_ignored;
extern const Rule slow_form;
extern const Rule documented_limit;
extern const Rule dla_fallback;

/// What they find, kernels refuse, and not parser or network: see Fact::is_of_kernels.
extern const Rule conv1d_before_add;
extern const Rule operand_types_differ;
extern const Rule sizes_differ_in_nested_if;
extern const Rule two_sizes_in_body;

}  // namespace trtcheck::rules
