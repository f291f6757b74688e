// A cure: one descriptor and a function that says which edits repair a finding.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/cure.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/fix.hpp>

namespace trtcheck::cure {

class Draft;

struct Cure {
  std::string_view name;                       ///< what is done, kebab-case: "reduction-none-dropped"
  CureClass kind = CureClass::proven;          ///< a draft may promise less
  std::string_view summary;                    ///< one line, no full stop
  std::span<const std::string_view> findings;  ///< "QDQ104", "OPS401:pad-mode"; "OPS401" = each fact of the rule
  std::span<const std::string_view> ops = {};  ///< op types of the node; empty = any
  /// Writes the edits into the draft. False: it is not for this node, nothing is done.
  bool (*make)(Draft& draft, const Finding& finding) = nullptr;
};

/// All cures, in the order in which they are tried for a finding.
[[nodiscard]] std::span<const Cure* const> cures() noexcept;

/// Those of them that are meant for such a finding, in that order.
[[nodiscard]] std::vector<const Cure*> cures_of(const Finding& finding);

}  // namespace trtcheck::cure
