#include "rules/types/one_type.hpp"

#include <algorithm>
#include <iterator>

namespace trtcheck::rules {
namespace {

// BatchNormalization, RMSNormalization and Pow take mixed types (measured: TensorRT-RTX 1.5.0 and 1.7.1).
// InstanceNormalization: onnx-tensorrt onnxOpImporters.cpp, 10.1, "Inputs must be either all FLOAT or all FLOAT16."
constexpr OneType kRows[] = {
    {"Add", Weak::refused},
    {"Concat", Weak::refused},
    {"Conv", Weak::possible},
    {"ConvTranspose", Weak::possible},
    {"Div", Weak::refused},
    {"Einsum", Weak::possible},
    {"Equal", Weak::refused},
    {"GRU", Weak::possible},
    {"Gemm", Weak::possible},
    {"Greater", Weak::refused},
    {"GreaterOrEqual", Weak::refused},
    {"GroupNormalization", Weak::possible},
    {"InstanceNormalization", Weak::refused, true},
    {"LSTM", Weak::possible},
    {"LayerNormalization", Weak::possible},
    {"Less", Weak::refused},
    {"LessOrEqual", Weak::refused},
    {"MatMul", Weak::possible},
    {"Max", Weak::refused},
    {"Mean", Weak::refused},
    {"Min", Weak::refused},
    {"Mod", Weak::refused},
    {"Mul", Weak::refused},
    {"PRelu", Weak::possible},
    {"RNN", Weak::possible},
    {"Range", Weak::told},
    {"RotaryEmbedding", Weak::possible},
    {"Scatter", Weak::possible},
    {"ScatterElements", Weak::possible},
    {"ScatterND", Weak::possible},
    {"Sub", Weak::refused},
    {"Sum", Weak::refused},
    {"TensorScatter", Weak::possible},
    {"Where", Weak::refused},
};

}  // namespace

const OneType* one_type(std::string_view op_type) noexcept {
  const auto* const row = std::ranges::find(kRows, op_type, &OneType::op);
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace trtcheck::rules
