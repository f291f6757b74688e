// What `trtcheck fix` says of one model.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <trtcheck/fix.hpp>

#include "report/style.hpp"

namespace trtcheck::cli {

/// One repaired model, and where it was written to.
struct FixedFile {
  std::string path;
  Fixed fixed;
  std::string output;             ///< "" = nothing was written
  std::optional<Report> written;  ///< the check of what was written
};

/// @param shows_nodes  nodes before and after each repair
[[nodiscard]] std::string fix_text(const FixedFile& file, const report::Style& style, bool shows_nodes);
/// As cpp/data/fix.schema.json has it.
[[nodiscard]] nlohmann::ordered_json fix_json(const FixedFile& file);
/// All cures with what they repair.
[[nodiscard]] std::string cures_text(const report::Style& style);
[[nodiscard]] nlohmann::ordered_json cures_json();

}  // namespace trtcheck::cli
