// Where the result goes: standard output, or a file that is replaced only when all of it was written.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <trtcheck/report.hpp>

#include "bytes/staged_file.hpp"

namespace trtcheck::cli {

struct OutputRequest {
  Format format = Format::full;
  std::string file;  ///< "" = standard output
  bool no_color = false;
};

/// Of `--output FILE`: "-" is standard output.
[[nodiscard]] inline std::string file_of_word(const std::string& word) { return word == "-" ? "" : word; }

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no file of ours ends up as standard output.
void reserve_standard_streams();

/// Writes the whole text. A reader that has gone away (closed pipe) is no error.
/// A regular file is written next to its place and renamed over it: on failure the old one stands untouched.
/// @param inputs  files that were read; none of them may be the file to write
/// @throws Error  cannot write
void write_output(const OutputRequest& request, std::string_view text, std::span<const std::string> inputs = {});

/// As above, for a document that is larger than anybody wants to hold: its parts are written as they come. What goes to
/// standard output or to a pipe may end early when `make` throws.
/// @throws Error  cannot write
void write_output(const OutputRequest& request, const std::function<void(const Sink&)>& make,
                  std::span<const std::string> inputs = {});

/// A request with what it gets.
struct Output {
  OutputRequest request;
  std::string text;
};
/// All regular files are written before the first takes its place, standard output comes last: on failure everything
/// that was there before stands untouched, and nothing half written remains.
/// @throws Error  cannot write
void write_outputs(std::span<const Output> outputs, std::span<const std::string> inputs = {});

/// Lines that are no complaint.
void write_standard_error(std::string_view text);

/// One line on standard error, made printable: "trtcheck: message".
void complain(std::string_view message);

}  // namespace trtcheck::cli
