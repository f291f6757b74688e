// `trtcheck fix --output-format html`: the graph around each repair, before and after, side by side.
#pragma once

#include <span>
#include <string>

#include <trtcheck/report.hpp>

#include "cli/fix_text.hpp"

namespace trtcheck::cli {

/// A page of its own.
[[nodiscard]] std::string fix_html(std::span<const FixedFile> files, std::span<const Failure> failures);

}  // namespace trtcheck::cli
