#include "text/suggest.hpp"

#include <algorithm>
#include <vector>

namespace trtcheck {
namespace {

// Longer words are no misspellings of anything here, and the table below is quadratic.
constexpr std::size_t kLongestWord = 128;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t common_begin(std::string_view a, std::string_view b) {
  std::size_t count = 0;
  while (count < std::min(a.size(), b.size()) && lower(a[count]) == lower(b[count])) ++count;
  return count;
}

bool same(char a, char b) { return lower(a) == lower(b); }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::optional<std::string_view> nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  std::optional<std::string_view> best;
  std::size_t best_distance = allowed + 1;
  for (std::string_view candidate : candidates) {
    const std::size_t gap = std::max(candidate.size(), word.size()) - std::min(candidate.size(), word.size());
    if (gap > best_distance || gap > allowed) continue;
    const std::size_t distance = edit_distance(word, candidate);
    const bool is_as_near = best && distance == best_distance;
    if (distance < best_distance || (is_as_near && common_begin(word, candidate) > common_begin(word, *best))) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto best = nearest_word(word, candidates);
  if (!best) return {};
  return ", did you mean `" + std::string(*best) + "`?";
}

}  // namespace trtcheck
