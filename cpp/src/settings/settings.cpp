#include <trtcheck/settings.hpp>

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "settings/places.hpp"
#include "target/suggest.hpp"

namespace trtcheck {
namespace {

constexpr std::array<std::string_view, 4> kFailOn{"info", "warning", "error", "never"};  // in the order of FailOn

/// "trtcheck.toml:7: per-file-ignores: `legacy/*` matches no model": such lines begin with the key and its entry.
std::string with_place(const Settings& settings, const std::string& line) {
  for (const SettingOrigin& origin : settings.origins) {
    if (origin.from != SettingOrigin::From::file || origin.entry.empty()) continue;
    if (line.starts_with(fmt::format("{}: `{}`", origin.key, origin.entry))) return origin.place() + ": " + line;
  }
  return settings::shown_path(settings.file) + ": " + line;
}

}  // namespace

std::string_view to_string(FailOn fail_on) noexcept { return kFailOn[static_cast<std::size_t>(fail_on)]; }

FailOn parse_fail_on(std::string_view text) {
  const auto found = std::ranges::find(kFailOn, text);
  if (found != kFailOn.end()) return static_cast<FailOn>(found - kFailOn.begin());
  throw Error("fail-on",
              fmt::format("`{}` is none of {}{}", text, fmt::join(kFailOn, ", "), did_you_mean(text, kFailOn)));
}

bool fails(const Report& report, FailOn fail_on) noexcept {
  switch (fail_on) {
    case FailOn::never:
      return false;
    case FailOn::info:
      if (report.count(Severity::info) > 0) return true;
      [[fallthrough]];
    case FailOn::warning:
      if (report.count(Severity::warning) > 0) return true;
      [[fallthrough]];
    case FailOn::error:
      break;
  }
  return report.count(Severity::error) > 0;
}

std::string SettingOrigin::place() const {
  switch (from) {
    case From::defaults:
      return "default";
    case From::caller:
      return "command line";
    case From::file:
      break;
  }
  return fmt::format("{}:{}{}", settings::shown_path(file), line, extended ? " and command line" : "");
}

void UnmatchedSettings::add(const Settings& settings, const Report& report) {
  if (settings.file.empty()) return;
  std::set<std::string> lines;
  for (const std::vector<std::string>* list : {&settings.unmatched, &report.unmatched}) {
    for (const std::string& line : *list) lines.insert(with_place(settings, line));
  }
  const auto [known, is_new] = left_.try_emplace(settings.file, lines);
  if (is_new) return;
  std::set<std::string> both;
  std::ranges::set_intersection(known->second, lines, std::inserter(both, both.end()));
  known->second = std::move(both);
}

std::vector<std::string> UnmatchedSettings::lines() const {
  std::vector<std::string> made;
  for (const auto& [file, lines] : left_) made.insert(made.end(), lines.begin(), lines.end());
  return made;
}

}  // namespace trtcheck
