#include "report/repairs.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include <trtcheck/cure.hpp>

#include "text/plural.hpp"
#include "text/single_quoted.hpp"

namespace trtcheck::report {
namespace {

constexpr std::string_view kAllClasses = "--class proven,rounding,interface,choice";
constexpr std::string_view kAllClassesInPython = "[\"proven\", \"rounding\", \"interface\", \"choice\"]";

bool is_made_unasked(const CureInfo* cure) noexcept {
  return cure->kind == CureClass::proven || cure->kind == CureClass::rounding;
}

/// Findings for which there is a cure.
struct Repairs {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  [[nodiscard]] std::size_t all() const noexcept { return errors + warnings; }
};
struct Counted {
  Repairs unasked;  ///< by a cure that is made without being asked for
  Repairs asked;    ///< only by others
};

void count(std::span<const Finding> findings, Counted& counted) {
  for (const Finding& finding : findings) {
    count(finding.consequences, counted);
    if (finding.severity == Severity::info) continue;
    const std::vector<const CureInfo*> cures = cures_for(finding);
    if (cures.empty()) continue;
    Repairs& repairs = std::ranges::any_of(cures, is_made_unasked) ? counted.unasked : counted.asked;
    ++(finding.severity == Severity::error ? repairs.errors : repairs.warnings);
  }
}

std::string text_of(const Report& report, const Repairs& repairs) {
  std::string text;
  const auto add = [&](std::size_t some, Severity severity, std::string_view noun) {
    if (some == 0) return;
    text += fmt::format("{}{} of {}", text.empty() ? "" : " and ", some, counted(report.count(severity), noun));
  };
  add(repairs.errors, Severity::error, "error");
  add(repairs.warnings, Severity::warning, "warning");
  return text + " may be repaired";
}

/// A file of this machine, by a name that can be typed.
bool is_file_name(std::string_view path) noexcept {
  if (path.empty() || path.front() == '<') return false;
  if (path.find("://") != std::string_view::npos || path.find("::") != std::string_view::npos) return false;
  return std::ranges::none_of(path, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string quoted_for_shell(std::string_view path) {
  const auto is_plain = [](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return is_letter || std::string_view("_-./+,=@%").find(c) != std::string_view::npos;
  };
  const std::string named = path.front() == '-' ? "./" + std::string(path) : std::string(path);
  return std::ranges::all_of(named, is_plain) ? named : single_quoted(named);
}

}  // namespace

RepairClaim repair_claim(const Report& report) {
  Counted counted;
  count(report.findings, counted);
  const bool asks = counted.unasked.all() == 0;
  const Repairs& told = asks ? counted.asked : counted.unasked;
  if (told.all() == 0) return {};
  const std::string release = to_string(report.target.release);
  const std::string target = release == to_string(Target{}.release) ? "" : release;
  RepairClaim claim{.text = text_of(report, told), .command = {}, .more = {}};
  if (!asks && counted.asked.all() > 0) claim.more = fmt::format("{} more with {}", counted.asked.all(), kAllClasses);
  if (report.path.empty()) {
    claim.command = fmt::format("trtcheck.fix(model{}{})", target.empty() ? "" : fmt::format(", target=\"{}\"", target),
                                asks ? fmt::format(", classes={}", kAllClassesInPython) : "");
  } else if (is_file_name(report.path)) {
    claim.command = fmt::format("trtcheck fix {}{}{}", target.empty() ? "" : fmt::format("--target {} ", target),
                                asks ? fmt::format("{} ", kAllClasses) : "", quoted_for_shell(report.path));
  }
  return claim;
}

std::string repair_line(const Report& report) {
  const RepairClaim claim = repair_claim(report);
  std::string line = claim.text;
  if (!claim.command.empty()) line += ": " + claim.command;
  return claim.more.empty() ? line : fmt::format("{} ({})", line, claim.more);
}

std::vector<std::string> cure_names(const Finding& finding) {
  std::vector<std::string> names;
  for (const CureInfo* cure : cures_for(finding)) names.emplace_back(cure->name);
  return names;
}

}  // namespace trtcheck::report
