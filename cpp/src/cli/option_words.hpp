// Words of the command line and how they get a meaning: what the options of all commands share.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "report/format_rows.hpp"

namespace trtcheck::cli {

/// Headings of the options in `--help` and in the man page.
inline constexpr const char* kTargetOptions = "What to check for";
inline constexpr const char* kRuleOptions = "Which rules";
inline constexpr const char* kPathOptions = "Which models";
inline constexpr const char* kDataOptions = "Which numbers";
inline constexpr const char* kConfigOptions = "Configuration";
inline constexpr const char* kOutputOptions = "Output";

/// @throws Error  always: the command line makes no sense
[[noreturn]] void refuse(std::string cause);

/// The index of the word among the choices.
/// @throws Error  it is none of them; says the nearest
[[nodiscard]] std::size_t choose(std::string_view option, std::string_view word,
                                 std::span<const std::string_view> choices);

/// `parse` with the option as it is written on the command line in front of the cause.
template <class Parse>
auto parsed(std::string_view option, const std::string& word, Parse parse) {
  try {
    return parse(word);
  } catch (const Error& error) {
    refuse(fmt::format("{}: {}", option, error.cause()));
  }
}

/// "full (default), concise, json", in lines that fit `--help`
[[nodiscard]] std::string format_names(std::span<const Format> formats, std::string_view chosen = "full");
/// @throws Error  the word is none of the formats; says the nearest
[[nodiscard]] Format choose_format(const std::string& word, std::span<const Format> formats);
/// Those whose row says so.
[[nodiscard]] std::vector<Format> formats_that(bool report::FormatRow::*may);

/// --output-format, --output and --no-color.
struct OutputWords {
  explicit OutputWords(bool report::FormatRow::*may = &report::FormatRow::lists) : formats(formats_that(may)) {}

  std::vector<Format> formats;
  std::string format = "full";
  std::string file;
  bool no_color = false;

  void add_to(Options& options);
  [[nodiscard]] OutputRequest request() const;
};

}  // namespace trtcheck::cli
