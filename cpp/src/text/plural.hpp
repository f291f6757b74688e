// Words that many messages share.
#pragma once

#include <concepts>
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

/// "a Relu", "an Identity".
inline std::string with_article(std::string_view word) {
  const bool vowel = !word.empty() && std::string_view("AEIOaeio").find(word.front()) != std::string_view::npos;
  return std::string(vowel ? "an " : "a ") + std::string(word);
}

}  // namespace trtcheck
