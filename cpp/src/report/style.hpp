// Colours and links of the text formats. Without them every function gives its text unchanged.
#pragma once

#include <string>
#include <string_view>

#include <trtcheck/report.hpp>

#include "report/rule_page_name.hpp"

namespace trtcheck::report {

class Style {
 public:
  /// @param rule_pages  what rules link to, see RenderOptions; "" = no links
  explicit Style(bool color, std::string rule_pages = {}) : color_(color), rule_pages_(std::move(rule_pages)) {}
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
  /// The text as a link to the page of the rule (OSC 8).
  [[nodiscard]] std::string link(const Rule& rule, const std::string& text) const {
    if (rule_pages_.empty()) return text;
    return "\x1b]8;;" + rule_pages_ + rule_page_name(rule) + "\x1b\\" + text + "\x1b]8;;\x1b\\";
  }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    if (!color_ || text.empty()) return std::string(text);
    std::string out = "\x1b[";
    return out.append(code).append("m").append(text).append("\x1b[0m");
  }

  bool color_;
  std::string rule_pages_;
};

}  // namespace trtcheck::report
