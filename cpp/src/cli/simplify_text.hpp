// What `trtcheck simplify` says of one model.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <trtcheck/simplify.hpp>

#include "bytes/bytes.hpp"
#include "report/style.hpp"

namespace trtcheck::cli {

/// One simplified model, and where it was written to.
struct SimplifiedFile {
  std::string path;
  Bytes binary;  ///< of a text form: what `simplified` refers to
  Simplified simplified;
  std::string output{};  ///< "" = nothing was written
};

/// How much is said.
enum class Detail : std::uint8_t {
  counts,   ///< how many changes of each kind
  changes,  ///< each change
  nodes,    ///< nodes before and after each change
};
[[nodiscard]] std::string simplify_text(const SimplifiedFile& file, const report::Style& style, Detail detail);
/// As cpp/data/simplify.schema.json has it.
[[nodiscard]] nlohmann::ordered_json simplify_json(const SimplifiedFile& file);

}  // namespace trtcheck::cli
