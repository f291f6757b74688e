// What could be done about the findings of a model, and which of it can be done at once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/fix.hpp>

#include "cure/state.hpp"

namespace trtcheck::cure {

/// One cure of one finding.
struct Attempt {
  const Finding* finding = nullptr;
  Key key;
  std::string cure;
  CureClass kind = CureClass::proven;
  std::string title;
  std::vector<edit::Edit> edits;
};

/// Why nothing is attempted for a finding.
struct Missing {
  std::string reason;
  std::string cure;  ///< that would be made if its class were asked for
};

struct Attempts {
  std::vector<Attempt> made;                    ///< no two of them touch one thing
  std::map<const Finding*, Missing> missing{};  ///< of findings for which nothing is attempted
};

/// Cures that were taken back, by key of the finding and name of the cure, with the reason.
using Failed = std::map<std::pair<std::string, std::string>, std::string>;

/// What failed is not tried again; the next cure for that finding is.
[[nodiscard]] Attempts attempts_for(const State& state, const FixOptions& options, const Failed& failed);

/// Edits of all, in order.
[[nodiscard]] std::vector<edit::Edit> all_edits(std::span<const Attempt> attempts);

}  // namespace trtcheck::cure
