// What a notebook shows of values that are no reports.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace trtcheck::python {

/// One line of a table: a name and its type, any bytes.
using NamedType = std::pair<std::string_view, std::string>;

/// A table with the colours of the notebook. Of `count` rows in all, `rows` are shown.
[[nodiscard]] std::string shapes_html(std::span<const NamedType> rows, std::size_t count);
/// The text of a dim, and what is known of it.
[[nodiscard]] std::string dim_html(std::string_view text, std::string_view remark);

/// Rows of a table in a notebook.
inline constexpr std::size_t kMaxRows = 200;

}  // namespace trtcheck::python
