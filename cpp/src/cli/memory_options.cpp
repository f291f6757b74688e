#include "cli/memory_options.hpp"

namespace trtcheck::cli {

void MemoryWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options
      .add_list("--profile", profiles,
                "sizes of an input; without it they are chosen as `trtcheck profile` does; repeatable")
      .value("NAME=MIN:OPT:MAX");
  options.add("--target", target, "TensorRT release, for its known problems (default: the newest known)")
      .value("RELEASE");
  settings.add_shape_functions_to(options);
  output.add_to(options);
}

MemoryRequest MemoryWords::request() const {
  MemoryRequest request{path, settings.choice(), settings.overrides(), {}, output.request()};
  for (const std::string& word : profiles) {
    request.options.target.profile.push_back(parsed("--profile", word, parse_profile));
  }
  if (!target.empty()) request.options.target.release = parsed("--target", target, parse_release);
  return request;
}

}  // namespace trtcheck::cli
