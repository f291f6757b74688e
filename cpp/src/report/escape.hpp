// Text of a model on its way into a markup language. All take any bytes; all make them printable() first, so that
// nothing invisible survives, and cut them to `limit` bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/printable.hpp"

namespace trtcheck::report {

/// escape_markup() for XML 1.0, whose documents cannot hold every character (https://www.w3.org/TR/xml/#charsets).
[[nodiscard]] std::string xml_escape(std::string_view text, std::size_t limit = kMaxMessage);

/// For running text of GitHub's Markdown, tables and HTML blocks included: no character of it means anything, nobody is
/// mentioned and no issue is linked.
[[nodiscard]] std::string markdown_escape(std::string_view text, std::size_t limit = kMaxMessage);
/// The same with `names in backticks` in <code>.
[[nodiscard]] std::string markdown_prose(std::string_view text, std::size_t limit = kMaxMessage);
/// The same, all of it in <code>.
[[nodiscard]] std::string markdown_code(std::string_view text, std::size_t limit = kMaxMessage);

/// The same as markdown_prose() in CommonMark without HTML: for readers that show none.
[[nodiscard]] std::string markdown_spans(std::string_view text, std::size_t limit = kMaxMessage);

/// A path as a relative reference or the path of a URI (RFC 3986): bytes other than unreserved ones and `/` as %NN. A
/// colon in the first segment would read as a scheme; it is encoded, too.
[[nodiscard]] std::string uri_path(std::string_view path);

}  // namespace trtcheck::report
