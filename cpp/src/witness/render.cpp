#include <trtcheck/error.hpp>

#include "witness/wording.hpp"

namespace trtcheck {

std::string render(std::span<const Confirmation> confirmations, const RenderOptions& options) {
  switch (options.format) {
    case Format::full:
      return witness::render_full(confirmations, options);
    case Format::json:
      return witness::render_json(confirmations, options);
    case Format::markdown:
      return witness::render_markdown(confirmations, options);
    case Format::html:
      return witness::render_html(confirmations, options);
    default:
      break;
  }
  throw Error("", "a confirmation has the formats full, json, markdown and html");
}

}  // namespace trtcheck
