// The lines of a Python program in the stacks that exporters record.
#pragma once

#include <optional>
#include <string_view>

#include <trtcheck/finding.hpp>

namespace trtcheck::rules {

/// What a stack says of the program; see Finding::source and Finding::library.
struct RecordedLines {
  std::optional<SourceLocation> source;
  std::optional<SourceLocation> library;
};

/// From a Python stack, most recent call last: `File "x.py", line 3, in forward` and the text of the line.
[[nodiscard]] RecordedLines lines_from_stack(std::string_view stack);
/// From `x.py(3): forward` lines, most recent call first; also from `# x.py:3:0`.
[[nodiscard]] RecordedLines lines_from_doc_string(std::string_view doc);

}  // namespace trtcheck::rules
