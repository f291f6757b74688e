// One finding of the HTML document.
#pragma once

#include <string>

#include <trtcheck/report.hpp>

#include "report/html_parts.hpp"

namespace trtcheck::report {

struct HtmlFinding {
  std::string id;  ///< of the element
  bool is_open = false;
};
/// <details> with everything that is known of it. The text of its rule is elsewhere, at `#rule-CODE`.
[[nodiscard]] std::string html_finding(const Finding& finding, const HtmlFinding& how, Pictures& pictures);

/// One line: severity, code, message and place. For findings that are too many to be told in full.
[[nodiscard]] std::string html_brief_finding(const Finding& finding);

}  // namespace trtcheck::report
