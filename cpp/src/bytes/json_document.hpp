// A JSON file of ours, read as what anybody may have written.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace trtcheck {

/// What a file is meant to be.
struct JsonKind {
  std::string_view name;    ///< "baseline": errors say "is no baseline of trtcheck: ..."
  int schema_version = 1;   ///< the only one that is read
  std::string_view remedy;  ///< for a file of another version: "write it anew with --update-baseline"
};

/// @throws Error  always: "is no baseline of trtcheck: cause"
[[noreturn]] void refuse_document(const std::string& path, const JsonKind& kind, const std::string& cause);

/// An object with that `schema_version`, nested at most eight deep.
/// @throws Error  the file cannot be read, or is something else
[[nodiscard]] nlohmann::json read_document(const std::string& path, const JsonKind& kind);
/// The same of text that is there already.
/// @param path  for errors
[[nodiscard]] nlohmann::json parse_document(const std::string& path, const JsonKind& kind, std::string_view text);

/// A document that is read again: its version, `head`, then a list with one entry in a line, so that a comparison of
/// two such files shows entries.
/// @param entries  JSON of one line each
[[nodiscard]] std::string document_of_lines(const JsonKind& kind, const nlohmann::ordered_json& head,
                                            std::string_view list, std::span<const std::string> entries);

}  // namespace trtcheck
