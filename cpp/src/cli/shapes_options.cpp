#include "cli/shapes_options.hpp"

namespace trtcheck::cli {

void ShapesWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add_list("--profile", profiles, "size range of an input; repeatable").value("NAME=MIN:OPT:MAX");
  output.add_to(options);
}

ShapesRequest ShapesWords::request() const {
  ShapesRequest request{path, {}, output.request()};
  for (const std::string& word : profiles) {
    request.target.profile.push_back(parsed("--profile", word, parse_profile));
  }
  return request;
}

}  // namespace trtcheck::cli
