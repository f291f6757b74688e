#include "cli/report_options.hpp"

namespace trtcheck::cli {

void ReportWords::add_to(Options& options) {
  output.format = to_string(Format::html);
  options.add_argument("MODEL", path, "ONNX file").required();
  settings.add_to(options, false, true);
  options.add_list("--dim", dims, "size of a named axis for the profile: batch=4, batch=1..8; repeatable")
      .value("NAME=MIN:OPT:MAX")
      .group(kTargetOptions);
  output.add_to(options);
  options.remove("--no-color");
  options.add_flag("-q,--quiet", quiet, "no warnings").group(kOutputOptions);
}

ReportRequest ReportWords::request() const {
  ReportRequest request{path, output.request(), settings.choice(), settings.overrides(), {}, quiet};
  for (const std::string& word : dims) request.dims.push_back(parsed("--dim", word, parse_size_range));
  return request;
}

}  // namespace trtcheck::cli
