// `--statistics`: how often each rule was broken.
#pragma once

#include <span>
#include <string>

#include <trtcheck/report.hpp>

namespace trtcheck::cli {

/// The most frequent first; consequences count. `json` is a document, any other format a table.
[[nodiscard]] std::string statistics(std::span<const Report> reports, const RenderOptions& options);

}  // namespace trtcheck::cli
