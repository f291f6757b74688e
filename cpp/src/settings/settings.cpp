#include <trtcheck/settings.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "settings/places.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace {

constexpr std::array<std::string_view, 4> kFailOn{"info", "warning", "error", "never"};  // in the order of FailOn

/// "trtcheck.toml:7", where the option stands.
std::string place_of(const std::string& option, const std::string& file, const std::vector<SettingOrigin>& origins) {
  for (const SettingOrigin& origin : origins) {
    if (origin.from != SettingOrigin::From::file || origin.entry.empty()) continue;
    if (option == fmt::format("{} `{}`", origin.key, origin.entry)) return origin.place();
  }
  return settings::shown_path(file);
}

}  // namespace

std::string_view to_string(FailOn fail_on) noexcept { return kFailOn[static_cast<std::size_t>(fail_on)]; }

FailOn parse_fail_on(std::string_view text) {
  const auto found = std::ranges::find(kFailOn, text);
  if (found != kFailOn.end()) return static_cast<FailOn>(found - kFailOn.begin());
  throw Error("fail-on",
              fmt::format("`{}` is none of {}{}", text, fmt::join(kFailOn, ", "), did_you_mean(text, kFailOn)));
}

void load_ranges(Settings& settings) {
  if (!settings.ranges.empty()) settings.check.ranges = std::make_shared<const Ranges>(read_ranges(settings.ranges));
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
  const auto known = by_file_.find(settings.file);
  if (known != by_file_.end() && known->second.options.empty()) return;
  std::set<std::string> options(settings.unmatched.begin(), settings.unmatched.end());
  options.insert(report.unmatched.begin(), report.unmatched.end());
  if (known == by_file_.end()) {
    by_file_.emplace(settings.file, Left{std::move(options), settings.origins});
    return;
  }
  std::erase_if(known->second.options, [&](const std::string& option) { return !options.contains(option); });
}

std::vector<std::string> UnmatchedSettings::lines() const {
  std::vector<std::string> made;
  for (const auto& [file, left] : by_file_) {
    for (const std::string& option : left.options) {
      made.push_back(fmt::format("{}: {} matched nothing", place_of(option, file, left.origins), option));
    }
  }
  std::ranges::sort(made);
  return made;
}

}  // namespace trtcheck
