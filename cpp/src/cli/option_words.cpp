#include "cli/option_words.hpp"

#include <algorithm>
#include <utility>

#include "text/suggest.hpp"

namespace trtcheck::cli {
void refuse(std::string cause) { throw Error("", std::move(cause)); }

std::size_t choose(std::string_view option, std::string_view word, std::span<const std::string_view> choices) {
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  refuse(fmt::format("{}: unknown value `{}`{}; it must be {}", option, word, did_you_mean(word, choices),
                     fmt::join(choices, ", ")));
}

std::string format_names(std::span<const Format> formats, std::string_view chosen) {
  std::string out;
  for (const Format format : formats) {
    out +=
        (out.empty() ? "" : ", ") + std::string(to_string(format)) + (to_string(format) == chosen ? " (default)" : "");
  }
  return out;
}

Format choose_format(const std::string& word, std::span<const Format> formats) {
  std::vector<std::string_view> names;
  for (const Format format : formats) names.push_back(to_string(format));
  return formats[choose("--output-format", word, names)];
}

std::vector<Format> formats_that(bool report::FormatRow::*may) {
  std::vector<Format> made;
  for (const report::FormatRow& row : report::format_rows()) {
    if (row.*may) made.push_back(row.name.format);
  }
  return made;
}

void OutputWords::add_to(Options& options) {
  options.add("--output-format", format, format_names(formats, format)).value("FORMAT").group(kOutputOptions);
  options.add("-o,--output", file, "write here, not to standard output").value("FILE").group(kOutputOptions);
  options.add_flag("--no-color", no_color, "no colours (as NO_COLOR=1 does)").group(kOutputOptions);
}

OutputRequest OutputWords::request() const { return {choose_format(format, formats), file, no_color}; }

}  // namespace trtcheck::cli
