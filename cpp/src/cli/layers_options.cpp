#include "cli/layers_options.hpp"

namespace trtcheck::cli {

void LayersWords::add_to(Options& options, bool reads_weights) {
  options.add_argument("MODEL", path, "ONNX file").required();
  settings.add_to(options, false, reads_weights);
  if (reads_weights) options.remove("--ranges");
  options.remove("--fail-on");  // a forecast does not fail
  output.add_to(options);
}

void TypesWords::add_to(Options& options) {
  LayersWords::add_to(options, true);
  options.add_flag("--sparsity", sparsity, "which weights are 2:4 sparse, with --read-weights").group(kDataOptions);
}

LayersRequest LayersWords::layers_request() const {
  return {path, output.request(), settings.choice(), settings.overrides()};
}

}  // namespace trtcheck::cli
