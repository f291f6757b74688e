#include "cli/output_words.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <string>

#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

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
    add(file == "-" ? "" : file);
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

void OutputsWords::add_to(CLI::App& app) {
  app.add_option("--output-format", formats, format_names(all_formats()))
      ->type_name("FORMAT")
      ->allow_extra_args(false)
      ->group(kOutputOptions);
  app.add_option("-o,--output", files, "write here; may follow each --output-format")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(kOutputOptions);
  app.add_flag("--no-color", no_color, "no colours (as NO_COLOR=1 does)")->group(kOutputOptions);
  // The application is gone when the words are used.
  app.parse_complete_callback([this, &app] {
    for (const CLI::Option* option : app.parse_order()) {
      if (option->check_lname("output-format")) order_.push_back(Word::format);
      if (option->check_lname("output")) order_.push_back(Word::file);
    }
  });
}

std::vector<OutputRequest> OutputsWords::requests() const {
  const std::vector<Format> known = all_formats();
  std::vector<Format> chosen;
  for (const std::string& word : formats) chosen.push_back(choose_format(word, known));
  if (chosen.empty() && files.empty()) return {{Format::full, "", no_color}};
  if (chosen.size() == 1 && files.size() == 1) return {{chosen[0], files[0] == "-" ? "" : files[0], no_color}};
  Pairing pairing(no_color);
  auto format = chosen.begin();
  auto file = files.begin();
  for (const Word word : order_) {
    if (word == Word::format) {
      pairing.format(*format++);
    } else {
      pairing.file(*file++);
    }
  }
  return pairing.take();
}

}  // namespace trtcheck::cli
