// Colours of the text formats. Without colour every function gives its text unchanged.
#pragma once

#include <string>
#include <string_view>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

class Style {
 public:
  explicit Style(bool color) noexcept : color_(color) {}
  [[nodiscard]] std::string bold(std::string_view text) const { return paint("1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return paint("2", text); }
  [[nodiscard]] std::string frame(std::string_view text) const { return paint("1;94", text); }
  [[nodiscard]] std::string remedy(std::string_view text) const { return paint("32", text); }
  [[nodiscard]] std::string severity(Severity severity, std::string_view text) const {
    return paint(severity == Severity::error ? "1;31" : severity == Severity::warning ? "1;33" : "1;36", text);
  }
  [[nodiscard]] std::string verdict(Verdict verdict, std::string_view text) const {
    return paint(verdict == Verdict::refused ? "1;31" : verdict == Verdict::uncertain ? "1;33" : "1;32", text);
  }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    if (!color_ || text.empty()) return std::string(text);
    std::string out = "\x1b[";
    return out.append(code).append("m").append(text).append("\x1b[0m");
  }

  bool color_;
};

}  // namespace trtcheck::report
