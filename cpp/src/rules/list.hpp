// What list.cpp shares with the runner and the selection.
#pragma once

#include <string_view>

#include <trtcheck/rule.hpp>

namespace trtcheck::rules {

bool same_ignoring_case(std::string_view a, std::string_view b) noexcept;

/// Reports a rule that threw. It checks nothing itself (`check` is null).
namespace internal_error {
extern const Rule rule;
}
/// Reported by `check` when it looks at `trtcheck.ignore` (`check` is null).
namespace suppression_malformed {
extern const Rule rule;
}
namespace suppression_unused {
extern const Rule rule;
}

/// Reported by `confirm` (`check` is null).
namespace refused_by_witness {
extern const Rule rule;
}

/// Whether it reports what happened, not what is in a model: there is no model that shows it.
[[nodiscard]] inline bool reports_events(const Rule& rule) noexcept {
  return &rule == &internal_error::rule || &rule == &refused_by_witness::rule;
}

/// They speak for rows of cpp/data/facts, see rows.hpp.
namespace form_unsupported {
extern const Rule rule;
}
namespace silently_different {
extern const Rule rule;
}
namespace silently_ignored {
extern const Rule rule;
}
namespace slow_form {
extern const Rule rule;
}
namespace documented_limit {
extern const Rule rule;
}
namespace dla_fallback {
extern const Rule rule;
}

}  // namespace trtcheck::rules
