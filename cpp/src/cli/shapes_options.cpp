#include "cli/shapes_options.hpp"

#include <trtcheck/settings.hpp>

namespace trtcheck::cli {

void ShapesWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add_list("--profile", profiles, "size range of an input; repeatable").value("NAME=MIN:OPT:MAX");
  options.add("--shape-functions", shape_functions, "what comes out of operators of your own, in TOML").value("FILE");
  output.add_to(options);
}

ShapesRequest ShapesWords::request() const {
  ShapesRequest request{path, {}, output.request()};
  for (const std::string& word : profiles) {
    request.target.profile.push_back(parsed("--profile", word, parse_profile));
  }
  if (!shape_functions.empty()) request.target.shape_functions = read_shape_functions(shape_functions);
  return request;
}

}  // namespace trtcheck::cli
