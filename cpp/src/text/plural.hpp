// Words that many messages share.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace trtcheck {

/// counted(1, "value") = "1 value", counted(3, "value") = "3 values", counted("N", "channel") = "N channels".
inline std::string counted(std::string_view number, std::string_view noun) {
  return std::string(number) + " " + std::string(noun) + (number == "1" ? "" : "s");
}
template <std::integral Integer>
std::string counted(Integer number, std::string_view noun) {
  return counted(std::string_view(std::to_string(number)), noun);
}

/// "1", "1 or 2", "1, 2 or 4".
inline std::string alternatives(std::span<const std::string> items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " or " : ", ";
    text += items[i];
  }
  return text;
}

/// Of a list so short that nobody sorts it.
inline bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// "a Relu", "an Identity".
inline std::string with_article(std::string_view word) {
  const bool vowel = !word.empty() && std::string_view("AEIOaeio").find(word.front()) != std::string_view::npos;
  return std::string(vowel ? "an " : "a ") + std::string(word);
}

}  // namespace trtcheck
