// What commands that change models say alike.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <trtcheck/extract.hpp>

#include "report/style.hpp"

namespace trtcheck::cli {

/// " at Reshape `view`"; "" = of no node.
[[nodiscard]] std::string place_text(const std::string& op_type, const std::string& node);

/// The nodes before a change and after it, as ONNX text, a line each.
[[nodiscard]] std::string changed_lines(std::span<const std::string> before, std::span<const std::string> after,
                                        const report::Style& style);

/// "written to net.fixed.onnx", and where nothing was written, why.
/// @param output  "" = nothing was written
[[nodiscard]] std::string outcome_text(const std::string& output, bool is_changed);

/// "3 nodes, 2 weights of 48 bytes".
[[nodiscard]] std::string counts_text(const PartCounts& counts);
[[nodiscard]] nlohmann::ordered_json counts_json(const PartCounts& counts);

/// null: there is no text.
[[nodiscard]] nlohmann::ordered_json text_or_null(const std::string& text);

}  // namespace trtcheck::cli
