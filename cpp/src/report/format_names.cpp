// The one list of output formats.
#include <trtcheck/error.hpp>
#include <trtcheck/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace {

constexpr std::array kFormats{
    FormatName{Format::full, "full", "for people, like the diagnostics of a compiler"},
    FormatName{Format::concise, "concise", "one line for each finding"},
    FormatName{Format::json, "json", "one document with everything"},
    FormatName{Format::jsonl, "jsonl", "one JSON object per line for each model"},
    FormatName{Format::sarif, "sarif", "SARIF 2.1.0, for code scanning and editors"},
    FormatName{Format::github, "github", "annotations for GitHub Actions"},
    FormatName{Format::gitlab, "gitlab", "Code Quality report for GitLab"},
    FormatName{Format::junit, "junit", "JUnit XML, a test suite for each model"},
    FormatName{Format::markdown, "markdown", "a comment for a pull request"},
    FormatName{Format::html, "html", "one page with everything in it"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (kFormats[i].format != static_cast<Format>(i)) return false;
  }
  return true;
}
static_assert(in_order(), "formats() is indexed by the enumeration");

}  // namespace

std::span<const FormatName> formats() noexcept { return kFormats; }

std::string_view to_string(Format format) noexcept {
  const auto index = static_cast<std::size_t>(format);
  return index < kFormats.size() ? kFormats[index].name : "?";
}

Format parse_format(std::string_view name) {
  std::vector<std::string_view> names;
  for (const FormatName& entry : kFormats) {
    if (entry.name == name) return entry.format;
    names.push_back(entry.name);
  }
  throw Error("", fmt::format("unknown format `{}`{}; there are {}", printable(name, kMaxName),
                              did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace trtcheck
