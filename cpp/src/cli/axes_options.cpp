#include "cli/axes_options.hpp"

namespace trtcheck::cli {

void AxesWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add_list("--asked", asked, "axes that were to be dynamic: those that came out as numbers are reported")
      .value("NAME.dimN");
  settings.add_to(options);
  options.remove("--fail-on");
  options.remove("--profile");
  output.add_to(options);
}

AxesRequest AxesWords::request() const {
  return {path, settings.choice(), settings.overrides(), asked, output.request()};
}

}  // namespace trtcheck::cli
