#include "cli/shapes_options.hpp"

#include <CLI/CLI.hpp>

namespace trtcheck::cli {

void ShapesWords::add_to(CLI::App& app) {
  app.add_option("MODEL", path, "ONNX file")->required()->type_name("");
  add_list(app, "--profile", profiles, "size range of an input; repeatable")->type_name("NAME=MIN:OPT:MAX");
  output.add_to(app);
}

ShapesRequest ShapesWords::request() const {
  ShapesRequest request{path, {}, output.request()};
  for (const std::string& word : profiles) {
    request.target.profile.push_back(parsed("--profile", word, parse_profile));
  }
  return request;
}

}  // namespace trtcheck::cli
