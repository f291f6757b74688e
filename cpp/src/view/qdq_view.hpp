// Reading Q/DQ patterns: what comes out of a DequantizeLinear, and which layers TensorRT must run quantized.
//
// A Q/DQ pair on both data and weights of a layer is a demand, not a hint: TensorRT then runs the layer in that type
// or refuses. Source: TensorRT guide, "Working with quantized types", explicit quantization.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "view/node_view.hpp"

namespace trtcheck {

/// The parser looks at the op type only, not at the domain.
[[nodiscard]] inline bool is_quantize(const Node& node) noexcept { return node.op_type == "QuantizeLinear"; }
[[nodiscard]] inline bool is_dequantize(const Node& node) noexcept { return node.op_type == "DequantizeLinear"; }

/// Layers that TensorRT moves Q and DQ across, and those that it drops: MaxPool, Reshape, Transpose, Identity, ...
[[nodiscard]] bool commutes_with_qdq(const Node& node);

/// What becomes one kernel with the convolution or matrix product in front of it: activations, BatchNormalization, and
/// what disappears. Of GELU NVIDIA's list of fusions says that both sides have to be of one precision, FP16 or INT8: so
/// it is where the layer runs quantized and GELU's result is quantized as well.
[[nodiscard]] bool fuses_with_product(const Node& node);

/// A value that comes out of a DequantizeLinear, perhaps through layers that commute with it.
struct Dequantized {
  NodeId dq;
  NodeId q;                             ///< none: the codes are stored in the file or are a graph input
  ValueId source;                       ///< what Q reads; without Q what DQ reads
  DataType code = DataType::undefined;  ///< type of the codes; UINT8 reads as INT8, as the parser has it
  bool direct = true;                   ///< nothing stands between DQ and the value
};

/// Looks back through layers that commute with Q and DQ (MaxPool, Reshape, Transpose, ...).
std::optional<Dequantized> dequantized(const ModelView& view, ValueId value);

/// Quantization of the two operands of Conv, ConvTranspose, Gemm or MatMul.
struct LayerQuantization {
  std::optional<Dequantized> data;
  std::optional<Dequantized> weight;
  [[nodiscard]] bool both(DataType code) const noexcept {
    return data && weight && data->code == code && weight->code == code;
  }
  [[nodiscard]] bool int8() const noexcept { return both(DataType::int8); }
  [[nodiscard]] bool fp8() const noexcept { return both(DataType::float8e4m3fn); }
};
LayerQuantization layer_quantization(const ModelView& view, const Node& node);

/// Type of the codes that a QuantizeLinear makes or a DequantizeLinear reads, as the file states it
/// (`output_dtype`, zero point, data); undefined when it says nothing.
DataType code_type(const ModelView& view, const Node& node);

/// The codes come out of a QuantizeLinear, perhaps through layers that keep their type (MaxPool, Concat, ...). The
/// parser makes INT8 of these, whatever the zero point says. Also true where too much lies between to tell.
bool is_made_by_quantizer(const ModelView& view, ValueId codes);

/// The scale of a Q or DQ node.
struct ScaleView {
  std::optional<std::int64_t> count;  ///< elements, when known
  std::size_t rank = 0;
  bool axis_given = false;
  std::int64_t axis = 0;       ///< as TensorRT reads it, in 0 .. rank-1 when it is in range
  std::int64_t onnx_axis = 1;  ///< as ONNX defines it
  [[nodiscard]] bool per_axis() const noexcept { return rank == 1 && count && *count > 1; }
};
ScaleView scale_view(const ModelView& view, const Node& node);
/// Of one axis, even with one element: TensorRT-RTX 1.5 to 1.7 do not run a Conv quantized that reads such data.
[[nodiscard]] bool has_vector_scale(const ModelView& view, const Node& node);
/// Up to 10.12 the parser takes axis 0 where the attribute is missing, ONNX means 1.
/// Source: onnx-tensorrt QuantDequantLinearHelper, 10.10 and 11.0.
bool reads_missing_axis_as_zero(const ModelView& view);
/// Asked of nodes without the attribute.
inline constexpr GateSet kScaleGates{gates::scale_axis_of_onnx};
/// Before opset 13 there is none: ONNX has one scale for all, TensorRT takes axis 0 (TensorRT-RTX 1.5 to 1.7).
bool has_axis(const ModelView& view, const Node& node);

/// Same scale: one tensor, or equal contents. Nothing when it cannot be told.
std::optional<bool> same_scale(const ModelView& view, const Node& a, const Node& b);

/// Integers of a constant, also behind Identity and Cast; nothing when it is none, or larger than `limit`.
std::optional<std::vector<std::int64_t>> constant_ints(const ModelView& view, ValueId value, std::int64_t limit);

}  // namespace trtcheck
