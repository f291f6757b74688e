// Operators that TensorRT refuses when operands differ which have one type by ONNX's schema.
#pragma once

#include <string_view>

namespace trtcheck::rules {

/// Who says what about a release that is not strongly typed.
enum class Weak {
  refused,   ///< NvInfer.h, addElementWise and others, 8.6 to 10.x: only FLOAT beside HALF is compatible
  possible,  ///< the layers' texts say it for INT32 and BF16, nobody saw it
  told,      ///< a fact reports it for weakly typed networks
};

struct OneType {
  std::string_view op;
  Weak weak;                            ///< of other pairs than FLOAT with FLOAT16
  bool floats_in_weak_refused = false;  ///< FLOAT beside FLOAT16 is refused without strong typing, too
};

/// nullptr: it takes mixed types, or nobody saw it refuse them.
[[nodiscard]] const OneType* one_type(std::string_view op_type) noexcept;

}  // namespace trtcheck::rules
