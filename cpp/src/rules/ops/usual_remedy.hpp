// What to write in place of an ONNX operator that no release of TensorRT has.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trtcheck::rules {

/// A step in the words of PyTorch or of the onnx package; nothing for operators that have none.
[[nodiscard]] std::optional<std::string> usual_remedy(std::string_view op_type);

}  // namespace trtcheck::rules
