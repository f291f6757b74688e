#include "cli/layers_options.hpp"

namespace trtcheck::cli {

void LayersWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  settings.add_to(options);
  options.remove("--fail-on");  // a forecast does not fail
  output.add_to(options);
}

LayersRequest LayersWords::layers_request() const {
  return {path, output.request(), settings.choice(), settings.overrides()};
}

}  // namespace trtcheck::cli
