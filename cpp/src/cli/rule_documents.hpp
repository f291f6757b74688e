// Rules as JSON and as lines, for `rules` and `explain` alike.
#pragma once

#include <span>
#include <string>

#include <trtcheck/rule.hpp>

namespace trtcheck::cli {

[[nodiscard]] std::string json_document(std::span<const Rule* const> rules);
/// "CODE severity name: summary" for each.
[[nodiscard]] std::string concise(std::span<const Rule* const> rules);

}  // namespace trtcheck::cli
