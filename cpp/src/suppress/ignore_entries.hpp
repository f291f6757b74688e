// What stands behind the key `trtcheck.ignore` in the metadata of a model or a node.
//
//     entries = entry { ( newline | ";" ) entry }        blank ones do not count
//     entry   = rule { "," rule } ":" reason
//     rule    = a code, a prefix of codes, or a name      blanks around it do not count
//     reason  = text, not blank
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck {

inline constexpr std::string_view kIgnoreKey = "trtcheck.ignore";

struct IgnoreEntry {
  std::vector<std::string_view> rules;  ///< each matches some rule
  std::string_view reason;              ///< never empty
  std::vector<std::string> mistakes;    ///< one message each; an entry with mistakes may still name good rules
};

/// The first `most` entries, each with its first `most` rules; views into `text`.
[[nodiscard]] std::vector<IgnoreEntry> parse_ignore_entries(std::string_view text, std::size_t most);

}  // namespace trtcheck
