// Findings that are counted instead of listed.
#pragma once

#include <cstddef>

#include <trtcheck/rule.hpp>

namespace trtcheck {

/// How many findings of one rule and severity a report knows of and does not list: beyond the first
/// `CheckOptions::most_of_a_rule` nobody reads them, and a file of a few megabytes can provoke a million.
struct Unlisted {
  const Rule* rule = nullptr;             ///< never null
  Severity severity = Severity::warning;  ///< of each of them
  std::size_t count = 0;                  ///< never 0
};

}  // namespace trtcheck
