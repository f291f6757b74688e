// What `trtcheck fix` may be able to do about a report. Nothing is tried here: a claim is that there is a cure for such
// findings.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

struct RepairClaim {
  std::string text;     ///< "12 of 14 errors may be repaired"; "" = nothing
  std::string command;  ///< "trtcheck fix net.onnx", for a shell; of a model in memory, for Python; "" = no file
  std::string more;     ///< "2 more with --class proven,rounding,interface,choice"; "" = none
};
/// Consequences count, too; what is not listed does not.
[[nodiscard]] RepairClaim repair_claim(const Report& report);
/// The same as one line; "" = nothing.
[[nodiscard]] std::string repair_line(const Report& report);

/// Names of cures, in the order in which they are tried.
[[nodiscard]] std::vector<std::string> cure_names(const Finding& finding);

}  // namespace trtcheck::report
