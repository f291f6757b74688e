#include "notebook.hpp"

#include <fmt/core.h>

#include "text/printable.hpp"

namespace trtcheck::python {
namespace {

constexpr std::string_view kCell = "text-align:left;padding:1px 14px 1px 0";

std::string escaped(std::string_view text) { return escape_markup(text, 2 * kMaxName); }

}  // namespace

std::string shapes_html(std::span<const NamedType> rows, std::size_t count) {
  std::string out = "<table style=\"border-collapse:collapse;border:0\"><thead><tr>";
  for (const std::string_view head : {"value", "type"}) {
    out += fmt::format("<th scope=\"col\" style=\"{}\">{}</th>", kCell, head);
  }
  out += "</tr></thead><tbody>";
  for (const auto& [name, type] : rows) {
    out += fmt::format("<tr style=\"background:none\"><td style=\"{0}\"><code>{1}</code></td><td style=\"{0}\">", kCell,
                       escaped(name));
    out += "<code>" + escaped(type) + "</code></td></tr>";
  }
  out += "</tbody></table>";
  if (rows.size() < count) out += fmt::format("<div>and {} more</div>", count - rows.size());
  return out;
}

std::string dim_html(std::string_view text, std::string_view remark) {
  return fmt::format("<code>{}</code> <span style=\"opacity:.75\">{}</span>", escaped(text), escaped(remark));
}

}  // namespace trtcheck::python
