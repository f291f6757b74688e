// Reports in every output format, for the function and for the method.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "checked_report.hpp"
#include "text.hpp"

namespace trtcheck::python {

struct RenderWords {
  std::string format = "full";
  bool color = false;
  int width = 100;
  std::string fail_on = "error";
  bool show_all = false;
  std::vector<Failure> failures = {};  ///< what has no report
};

/// Paths are made relative to the folder of the repository, as on the command line.
/// @throws Error  no such format or severity
[[nodiscard]] std::string render_reports(std::span<const CheckedReport> reports, const RenderWords& words);

}  // namespace trtcheck::python
