#include "cli/output_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

constexpr const char* kFormatOption = "--output-format";
constexpr const char* kFileOption = "--output";

std::vector<Format> all_formats() {
  std::vector<Format> out;
  for (const FormatName& entry : formats()) out.push_back(entry.format);
  return out;
}

/// Takes the options in the order in which they were given.
class Pairing {
 public:
  explicit Pairing(bool no_color) : no_color_(no_color) {}

  void format(Format format) {
    finish();
    format_ = format;
    waiting_ = true;
  }
  void file(const std::string& file) {
    add(file_of_word(file));
    waiting_ = false;
  }
  std::vector<OutputRequest> take() {
    finish();
    return std::move(outputs_);
  }

 private:
  /// A format that no file followed goes to standard output.
  void finish() {
    if (waiting_) add("");
    waiting_ = false;
  }
  void add(const std::string& file) {
    for (const OutputRequest& other : outputs_) {
      if (!same_file(file, other.file)) continue;
      refuse(
          fmt::format("--output: two outputs to {}", file.empty() ? "standard output" : "`" + printable(file) + "`"));
    }
    outputs_.push_back({format_, file, no_color_});
  }

  bool no_color_;
  bool waiting_ = false;
  Format format_ = Format::full;
  std::vector<OutputRequest> outputs_;
};

}  // namespace

void OutputsWords::add_to(Options& options) {
  options.add(kFormatOption, formats, format_names(all_formats()))
      .value("FORMAT")

      .group(kOutputOptions);
  options.add("-o," + std::string(kFileOption), files, "write here; may follow each --output-format")
      .value("FILE")

      .group(kOutputOptions);
  options.add_flag("--no-color", no_color, "no colours (as NO_COLOR=1 does)").group(kOutputOptions);
  options.read_order(order_);
}

std::vector<OutputRequest> OutputsWords::requests() const {
  const std::vector<Format> known = all_formats();
  std::vector<Format> chosen;
  for (const std::string& word : formats) chosen.push_back(choose_format(word, known));
  if (chosen.empty() && files.empty()) return {{Format::full, "", no_color}};
  if (chosen.size() == 1 && files.size() == 1) return {{chosen[0], file_of_word(files[0]), no_color}};
  Pairing pairing(no_color);
  auto format = chosen.begin();
  auto file = files.begin();
  for (const std::string& option : order_) {
    if (option == kFormatOption) pairing.format(*format++);
    if (option == kFileOption) pairing.file(*file++);
  }
  return pairing.take();
}

}  // namespace trtcheck::cli
