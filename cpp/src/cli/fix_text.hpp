// What `trtcheck fix` says of one model.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <trtcheck/confirm.hpp>
#include <trtcheck/fix.hpp>

#include "bytes/bytes.hpp"
#include "report/style.hpp"

namespace trtcheck::cli {

/// One repaired model, and where it was written to.
struct FixedFile {
  std::string path;
  Bytes binary;  ///< of a text form: what `fixed` refers to
  Fixed fixed;
  std::string output;                        ///< "" = nothing was written
  std::optional<Report> written;             ///< the check of what was written
  std::optional<Confirmation> confirmation;  ///< what NVIDIA's builder says of it; nothing = it was not asked
};

/// @param shows_nodes  nodes before and after each repair
[[nodiscard]] std::string fix_text(const FixedFile& file, const report::Style& style, bool shows_nodes);
/// "refused, 2 errors and 0 warnings"
[[nodiscard]] std::string counts_of(const Report& report);
/// "TensorRT-RTX 1.7.1: built in ..., as predicted"; "" = it was not asked.
[[nodiscard]] std::string confirmation_of(const FixedFile& file);
/// As cpp/data/fix.schema.json has it.
[[nodiscard]] nlohmann::ordered_json fix_json(const FixedFile& file);
/// All cures with what they repair.
[[nodiscard]] std::string cures_text(const report::Style& style);
[[nodiscard]] nlohmann::ordered_json cures_json();

}  // namespace trtcheck::cli
