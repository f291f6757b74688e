// What several fixes say of ONNX Runtime's quantizer: its options stand on one page, docs/quantizing.md, and are tested
// with the real one (tests/python/test_quantized_by_onnxruntime.py).
#pragma once

#include <string_view>

namespace trtcheck::rules {

/// Follows a remedy.
inline constexpr std::string_view kWithOnnxRuntime =
    " (ONNX Runtime's quantizer: `op_types_to_quantize` and `OpTypesToExcludeOutputQuantization` = Conv, "
    "ConvTranspose, Gemm, MatMul; `ActivationSymmetric=True`, `QuantizeBias=False`, `per_channel=True`, QInt8: see "
    "docs/quantizing.md)";

}  // namespace trtcheck::rules
