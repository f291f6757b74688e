#include "cli/extract_options.hpp"

#include <array>

namespace trtcheck::cli {

void ExtractWords::add_to(Options& options) {
  constexpr const char* kCut = "Where to cut";
  options.add_argument("MODEL", path, "ONNX file").required();
  options
      .add_list("--inputs", inputs,
                "tensors that the part begins with; without the option, the inputs of the model that it needs")
      .value("NAMES")
      .group(kCut);
  options
      .add_list("--outputs", outputs, "tensors that the part ends with; without the option, the outputs of the model")
      .value("NAMES")
      .group(kCut);
  options.add_flag("--list", list, "say what the part would be, write nothing").group(kCut);
  options.add("-o,--output", output, "write the part there; without it, net.onnx becomes net.extracted.onnx beside it")
      .value("FILE")
      .group(kOutputOptions);
  data.add_to(options);
  settings.add_shape_functions_to(options);
  options.add("--output-format", format, "full (default), json").value("FORMAT").group(kOutputOptions);
  options.add_flag("--no-color", no_color, "no colors").group(kOutputOptions);
}

ExtractRequest ExtractWords::request() const {
  ExtractRequest request{.path = path,
                         .config = settings.choice(),
                         .overrides = settings.overrides(),
                         .options = {},
                         .output = output,
                         .only_shows = list};
  if (inputs.empty() && outputs.empty()) refuse("--inputs or --outputs is required");
  if (list && !output.empty()) refuse("--list writes nothing: not with --output");
  request.options.inputs = inputs;
  request.options.outputs = outputs;
  const std::optional<edit::DataPlace> place = data.place();
  if (place && list) refuse("--list writes nothing: not with --copy-data, --inline-data or --external-data");
  request.data = place.value_or(edit::DataPlace::kept);
  constexpr std::array<std::string_view, 2> kFormats{"full", "json"};
  request.is_json = choose("--output-format", format, kFormats) == 1;
  request.no_color = no_color;
  return request;
}

}  // namespace trtcheck::cli
