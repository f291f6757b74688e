#include "cli/data_words.hpp"

namespace trtcheck::cli {

void DataWords::add_to(Options& options) {
  options
      .add_flag("--copy-data", copy,
                "copy external data into one file beside the new model, net.onnx.data; without it the data stays where "
                "it is")
      .group(kOutputOptions);
  options.add_flag("--inline-data", inlined, "make external data part of the new model, which must stay below 2 GB")
      .group(kOutputOptions);
  options
      .add_flag("--external-data", external,
                "move the weights out of the new model into one file beside it, net.onnx.data")
      .group(kOutputOptions);
}

std::optional<edit::DataPlace> DataWords::place() const {
  if (int{copy} + int{inlined} + int{external} > 1) {
    refuse("one of --copy-data, --inline-data and --external-data at a time");
  }
  if (copy) return edit::DataPlace::copied;
  if (inlined) return edit::DataPlace::inlined;
  return external ? std::optional(edit::DataPlace::external) : std::nullopt;
}

}  // namespace trtcheck::cli
