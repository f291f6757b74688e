// Where a model comes from, or a log: what somebody wrote on the command line.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace trtcheck {

/// A file, or standard input, which is written `-` and shown as `<stdin>`.
class Source {
 public:
  static constexpr std::string_view kShownStandardInput = "<stdin>";

  /// Implicit: every word names one.
  Source(std::string word) : word_(std::move(word)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] static Source standard_input() { return std::string("-"); }

  /// Of a word by itself.
  [[nodiscard]] static constexpr bool is_standard_input(std::string_view word) noexcept { return word == "-"; }
  [[nodiscard]] bool is_standard_input() const noexcept { return is_standard_input(word_); }
  /// As it was written: "-" for standard input.
  [[nodiscard]] const std::string& word() const noexcept { return word_; }
  /// As errors and reports name it.
  [[nodiscard]] std::string shown() const { return is_standard_input() ? std::string(kShownStandardInput) : word_; }
  /// @pre it is a file
  [[nodiscard]] const std::string& path() const noexcept { return word_; }

 private:
  std::string word_;
};

}  // namespace trtcheck
