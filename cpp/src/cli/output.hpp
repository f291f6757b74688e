// Where the result goes: standard output, or a file that is replaced only when all of it was written.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <trtcheck/report.hpp>

namespace trtcheck::cli {

struct OutputRequest {
  Format format = Format::full;
  std::string file;  ///< "" = standard output
  bool no_color = false;
};

/// Colours on: --no-color and NO_COLOR forbid them, FORCE_COLOR asks for them, else only on a terminal.
[[nodiscard]] bool use_color(const OutputRequest& request);
/// Columns of the terminal (COLUMNS counts more), at most 120; 100 when there is none.
[[nodiscard]] int text_width();

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no file of ours ends up as standard output.
void reserve_standard_streams();

/// Writes the whole text. A reader that has gone away (closed pipe) is no error.
/// A regular file is written next to its place and renamed over it: on failure the old one stands untouched.
/// @param inputs  files that were read; none of them may be the file to write
/// @throws Error  cannot write
void write_output(const OutputRequest& request, std::string_view text, std::span<const std::string> inputs = {});

/// One line on standard error, made printable: "trtcheck: message".
void complain(std::string_view message);

}  // namespace trtcheck::cli
