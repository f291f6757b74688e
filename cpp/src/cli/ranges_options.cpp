#include "cli/ranges_options.hpp"

#include "bytes/source.hpp"

namespace trtcheck::cli {

void RangesWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add("--data", data, "samples: .npz, or JSON of Polygraphy's --save-inputs; repeatable")
      .value("FILE")
      .required();
  options.add("--save", save, "write what `trtcheck check --ranges` reads").value("FILE");
  output.add_to(options);
}

RangesRequest RangesWords::request() const {
  if (Source::is_standard_input(path)) refuse("ONNX Runtime reads files, not standard input");
  return {path, data, save, output.request()};
}

}  // namespace trtcheck::cli
