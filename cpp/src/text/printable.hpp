// Text of a model made fit for a terminal or a document, and measured in columns.
//
// Names come from files that anybody can write: nothing of them may reach a terminal that could move the
// cursor, change colours or reverse the reading direction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck {

/// Longest name or message that a text format prints; the rest is cut off with "...".
inline constexpr std::size_t kMaxName = 240;
inline constexpr std::size_t kMaxMessage = 4000;

/// Longest name that a finding holds, whatever prints it; of what is longer the length is told.
inline constexpr std::size_t kMaxKeptName = 1000;

/// Cuts what is longer than `limit`, not inside of a character, and puts the length that it had behind it.
void shorten(std::string& text, std::size_t limit);
[[nodiscard]] std::string shortened(std::string_view text, std::size_t limit);

/// Valid UTF-8 without control, format and line separator characters: "\n" "\t" "\x1b" "\u{202e}" stand for them, and
/// "\xff" for every byte that is not UTF-8. Cut to `limit` bytes, never inside a character.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = kMaxMessage);

/// Well-formed UTF-8 (RFC 3629).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// UTF-8 with line breaks and all else kept; only bytes that are not UTF-8 turn into "\xff". For JSON and HTML.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// Columns that the text takes in a terminal: wide characters count 2, combining ones 0.
/// @pre `text` is printable()
[[nodiscard]] std::size_t display_width(std::string_view text) noexcept;

/// Valid UTF-8 as text or attribute value of HTML and XML: & < > and both quotes as references. `text` may be any
/// bytes; what printable() replaces is replaced here, too.
[[nodiscard]] std::string escape_markup(std::string_view text, std::size_t limit = kMaxMessage);

/// Breaks at spaces into lines of at most `width` columns; a longer word has a line of its own. Never empty.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace trtcheck
