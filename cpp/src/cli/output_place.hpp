// Whether a result can be written, asked before an hour of work rather than after it.
#pragma once

#include <span>
#include <string>

#include "cli/output.hpp"

namespace trtcheck::cli {

/// @param inputs  files that are read; the output may be none of them
/// @throws Error  it is known already that the output cannot be written
void refuse_unwritable(const OutputRequest& request, std::span<const std::string> inputs);

/// Text on standard output without any result: what failed is said on standard error. A file is written all the same,
/// so that none of an earlier run is taken for this one.
[[nodiscard]] bool is_said_already(const OutputRequest& request, bool is_without_results);

}  // namespace trtcheck::cli
