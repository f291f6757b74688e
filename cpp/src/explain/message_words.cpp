#include "explain/message_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "text/suggest.hpp"

namespace trtcheck::explain {
namespace {

constexpr std::size_t kWildcardWords = 8;
constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max() / 4;

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Releases differ by these: "ONNX graph has duplicate tensor name", "has a duplicate".
bool is_small(const std::string& word) {
  constexpr std::array<std::string_view, 8> kSmall{"a", "an", "the", "is", "of", "to", "be", "s"};
  return std::ranges::find(kSmall, word) != kSmall.end();
}

/// 0 equal, 1 misspelt ("initialzer"), kNever another word.
std::size_t distance(const std::string& a, const std::string& b) {
  if (a == b) return 0;
  constexpr std::size_t kShortest = 4;
  if (std::min(a.size(), b.size()) < kShortest || a[0] != b[0]) return kNever;
  const std::size_t allowed = std::min(a.size(), b.size()) >= 8 ? 2 : 1;
  const std::size_t length = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  return length <= allowed && edit_distance(a, b) <= allowed ? 1 : kNever;
}

/// Cheapest ways to have read `wanted` up to a word and to stop at each place of the text.
class Search {
 public:
  Search(const Words& text, bool nearly) : text_(&text), nearly_(nearly), cost_(text.size() + 1, 0) {}

  void read(const std::string& word) {
    std::vector<std::size_t> next(cost_.size(), kNever);
    for (std::size_t end = 0; end < cost_.size(); ++end) {
      if (word == "*") {
        for (std::size_t n = 0; n <= std::min(end, kWildcardWords); ++n)
          next[end] = std::min(next[end], cost_[end - n]);
        continue;
      }
      if (end > 0) next[end] = std::min(next[end], cost_[end - 1] + price(word, (*text_)[end - 1]));
      if (nearly_ && is_small(word)) next[end] = std::min(next[end], cost_[end] + 1);
      if (end > 0 && nearly_ && is_small((*text_)[end - 1])) next[end] = std::min(next[end], next[end - 1] + 1);
    }
    skip_wildcards(next);
    cost_ = std::move(next);
  }

  [[nodiscard]] std::size_t cheapest() const { return *std::ranges::min_element(cost_); }

 private:
  [[nodiscard]] std::size_t price(const std::string& word, const std::string& other) const {
    if (word == other) return 0;
    if (other == "*") return 1;
    return nearly_ ? distance(word, other) : kNever;
  }
  void skip_wildcards(std::vector<std::size_t>& cost) const {
    for (std::size_t end = 1; end < cost.size(); ++end) {
      if ((*text_)[end - 1] == "*") cost[end] = std::min(cost[end], cost[end - 1]);
    }
  }

  const Words* text_;
  bool nearly_;
  std::vector<std::size_t> cost_;
};

}  // namespace

Words words_of(std::string_view text) {
  Words words;
  std::size_t at = 0;
  while (at < text.size()) {
    std::string word;
    for (; at < text.size(); ++at) {
      // "file.cpp::function::64" ends in a line.
      const bool is_scope = text.substr(at, 2) == "::" && !word.empty() && at + 2 < text.size() &&
                            is_letter(text[at + 2]) && !is_digit(text[at + 2]);
      if (is_scope) {
        word += "::";
        ++at;
      } else if (is_letter(text[at])) {
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
      } else {
        break;
      }
    }
    if (!word.empty()) words.push_back(std::ranges::all_of(word, is_digit) ? "#" : std::move(word));
    if (at < text.size() && text[at] == '*') words.emplace_back("*");
    ++at;
  }
  return words;
}

std::optional<std::size_t> find_words(const Words& wanted, const Words& text, Agreement agreement) {
  auto first = wanted.begin();
  auto last = wanted.end();
  while (first != last && *first == "*") ++first;
  while (last != first && *(last - 1) == "*") --last;
  const auto words = static_cast<std::size_t>(last - first - std::count(first, last, "*"));
  if (words == 0) return std::nullopt;
  const bool nearly = agreement == Agreement::nearly;
  Search search(text, nearly);
  for (auto word = first; word != last; ++word) search.read(*word);
  const auto allowed = nearly ? words / 5 : static_cast<std::size_t>(std::ranges::count(text, "*"));
  const std::size_t cost = search.cheapest();
  if (cost > allowed) return std::nullopt;
  return words - cost;
}

}  // namespace trtcheck::explain
