// One finding of the HTML document, or several of one cause.
#pragma once

#include <string>

#include <trtcheck/report.hpp>

#include "report/html_parts.hpp"

namespace trtcheck::report {

struct HtmlFinding {
  std::string id;  ///< of the element
  bool is_open = false;
};
/// <details> with everything that is known of the first finding, and the places of the others. The text of its rule is
/// elsewhere, at `#rule-CODE`.
[[nodiscard]] std::string html_finding(const FindingGroup& group, const HtmlFinding& how, Pictures& pictures);

/// One line: severity, code, message and place. For findings that are too many to be told in full.
[[nodiscard]] std::string html_brief_finding(const FindingGroup& group);

}  // namespace trtcheck::report
