#include "cli/profile_options.hpp"

namespace trtcheck::cli {

void ProfileWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add_list("--dim", dims, "size of a named axis: batch=4, batch=1..8; repeatable").value("NAME=MIN:OPT:MAX");
  options.add_list("--profile", profiles, "sizes of an input that are settled; repeatable").value("NAME=MIN:OPT:MAX");
  options.add("--target", target, "TensorRT release to check it for (default: the newest known)").value("RELEASE");
  options.add_list("--precision", precisions, "fp16, bf16, int8: allowed by the commands, up to 10.16")
      .value("PRECISION");
  options.add_flag("--strongly-typed", strongly_typed, "as trtexec --stronglyTyped; from 11.0 on always");
  output.add_to(options);
}

ProfileRequest ProfileWords::request() const {
  ProfileRequest request{path, {}, output.request()};
  for (const std::string& word : dims) request.options.dims.push_back(parsed("--dim", word, parse_size_range));
  for (const std::string& word : profiles) {
    request.options.given.push_back(parsed("--profile", word, parse_profile));
  }
  if (!target.empty()) request.options.target.release = parsed("--target", target, parse_release);
  for (const std::string& word : precisions) {
    request.options.target.precisions.push_back(parsed("--precision", word, parse_precision));
  }
  request.options.target.strongly_typed = strongly_typed;
  return request;
}

}  // namespace trtcheck::cli
