// What text and HTML say of a proposal in the same words. Any bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/profile.hpp>

namespace trtcheck::profiles {

/// Whether the proposal fits the model.
struct Fit {
  Verdict verdict;
  std::string_view text;  ///< "it fits"
};
[[nodiscard]] Fit fit_of(const ProfileProposal& proposal) noexcept;

/// "axis 0 of `x`, axis 0 of `ids`"; the first ones of many.
[[nodiscard]] std::string axes_text(const SizeChoice& choice);

/// Inputs for which nothing can be proposed, a line for each.
[[nodiscard]] std::vector<std::string> left_to_write(const ProfileProposal& proposal);

/// Sizes, findings and commands as a part of a page.
[[nodiscard]] std::string html_part(const ProfileProposal& proposal);

}  // namespace trtcheck::profiles
