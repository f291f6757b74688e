// What the reader of standard output can show. Files have neither colours nor links, whatever is forced.
#pragma once

#include "cli/output.hpp"

namespace trtcheck::cli {

/// Colours on: --no-color and NO_COLOR forbid them, FORCE_COLOR asks for them, else only on a terminal.
[[nodiscard]] bool use_color(const OutputRequest& request);
/// Links (OSC 8) on: only on a terminal that is known to take them, never in CI or on `dumb`; FORCE_HYPERLINK=1 asks
/// for them on any standard output, FORCE_HYPERLINK=0 forbids them. Files have neither colours nor links.
[[nodiscard]] bool use_hyperlinks(const OutputRequest& request);
/// Columns of the terminal, at most 120; 100 when there is none, and in files. COLUMNS counts more than either.
[[nodiscard]] int text_width(const OutputRequest& request);

}  // namespace trtcheck::cli
