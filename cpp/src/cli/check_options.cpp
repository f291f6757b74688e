#include "cli/check_options.hpp"

namespace trtcheck::cli {

void CheckWords::add_to(CLI::App& app) {
  app.add_option("PATH", paths, "ONNX files")->required()->type_name("");
  settings.add_to(app);
  baseline.add_to(app);
  output.add_to(app);
}

CheckRequest CheckWords::request() const {
  CheckRequest request{paths, settings.choice(), settings.overrides(), baseline.mode(), output.request()};
  baseline.put_into(request.overrides);
  return request;
}

}  // namespace trtcheck::cli
