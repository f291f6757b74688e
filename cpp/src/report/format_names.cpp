#include "report/format_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include <trtcheck/error.hpp>

#include "report/formats.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace {

using report::FormatRow;

constexpr std::array kRows{
    FormatRow{.name = {Format::full, "full", "for people, like the diagnostics of a compiler"},
              .render = report::render_full,
              .ending = ".txt",
              .is_text = true,
              .counts_rules = true,
              .lists = true,
              .explains = true,
              .compares = true,
              .confirms = true,
              .tabulates = true,
              .forecasts = true},
    FormatRow{.name = {Format::concise, "concise", "one line for each finding"},
              .render = report::render_concise,
              .is_text = true,
              .counts_rules = true,
              .lists = true,
              .explains = true,
              .compares = true,
              .forecasts = true},
    FormatRow{.name = {Format::json, "json", "one document with everything"},
              .render = report::render_json,
              .ending = ".json",
              .counts_unlisted = true,
              .has_pictures = true,
              .counts_rules = true,
              .lists = true,
              .explains = true,
              .compares = true,
              .confirms = true,
              .tabulates = true,
              .forecasts = true},
    FormatRow{.name = {Format::jsonl, "jsonl", "one JSON object per line for each model"},
              .render = report::render_jsonl,
              .ending = ".jsonl",
              .counts_unlisted = true,
              .has_pictures = true},
    FormatRow{.name = {Format::sarif, "sarif", "SARIF 2.1.0, for code scanning and editors"},
              .render = report::render_sarif,
              .ending = ".sarif"},
    FormatRow{.name = {Format::github, "github", "annotations for GitHub Actions"}, .render = report::render_github},
    FormatRow{.name = {Format::gitlab, "gitlab", "Code Quality report for GitLab"}, .render = report::render_gitlab},
    FormatRow{.name = {Format::junit, "junit", "JUnit XML, a test suite for each model"},
              .render = report::render_junit,
              .ending = ".xml"},
    FormatRow{.name = {Format::markdown, "markdown", "a comment for a pull request"},
              .render = report::render_markdown,
              .ending = ".md",
              .compares = true,
              .confirms = true,
              .tabulates = true},
    FormatRow{.name = {Format::html, "html", "one page with everything in it"},
              .render = report::render_html_document,
              .ending = ".html",
              .has_pictures = true,
              .explains = true,
              .confirms = true,
              .tabulates = true,
              .forecasts = true},
};

constexpr auto kFormats = [] {
  std::array<FormatName, kRows.size()> made{};
  for (std::size_t i = 0; i < kRows.size(); ++i) made[i] = kRows[i].name;
  return made;
}();

constexpr bool in_order() {
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (kFormats[i].format != static_cast<Format>(i)) return false;
  }
  return true;
}
static_assert(in_order(), "formats() is indexed by the enumeration");

}  // namespace

std::span<const report::FormatRow> report::format_rows() noexcept { return kRows; }

const report::FormatRow& report::row_of(Format format) noexcept {
  const auto index = static_cast<std::size_t>(format);
  return kRows[index < kRows.size() ? index : 0];
}

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
