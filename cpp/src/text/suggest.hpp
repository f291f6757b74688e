// "did you mean": the nearest word to a misspelt one. One place, for options, rule names, operators and releases.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trtcheck {

/// Edits (insert, delete, replace, swap of neighbours) between two words, letter case ignored.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`; nothing when none is near enough to be a plausible misspelling
/// (at most one edit per three letters). Of several equally near ones that which begins most like it, then the first.
std::optional<std::string_view> nearest_word(std::string_view word, std::span<const std::string_view> candidates);

/// ", did you mean `x`?" or "".
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace trtcheck
