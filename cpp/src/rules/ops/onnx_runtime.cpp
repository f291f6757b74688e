#include "rules/ops/onnx_runtime.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include <fmt/core.h>

#include "target/gates.hpp"
#include "text/printable.hpp"

namespace trtcheck::rules {
namespace {

// Layouts of its own, under names of ONNX: com.microsoft.nchwc.Conv (onnxruntime/core/graph/constants.h).
constexpr std::string_view kLayoutDomains[] = {"com.microsoft.nchwc", "com.ms.internal.nhwc"};

// Fused by the optimizer of a session (onnxruntime/core/optimizer, level "extended") or by the scripts of
// onnxruntime.transformers, 1.31; docs/ContribOperators.md describes them.
constexpr std::string_view kFused[] = {
    "Attention",
    "BiasAdd",
    "BiasDropout",
    "BiasGelu",
    "BiasSoftmax",
    "BiasSplitGelu",
    "BitmaskBiasDropout",
    "BitmaskDropout",
    "DecoderMaskedMultiHeadAttention",
    "EmbedLayerNormalization",
    "FastGelu",
    "FusedConv",
    "FusedGemm",
    "FusedMatMul",
    "FusedMatMulActivation",
    "Gelu",
    "GemmFastGelu",
    "GroupNorm",
    "GroupQueryAttention",
    "MultiHeadAttention",
    "NhwcConv",
    "NhwcFusedConv",
    "NhwcMaxPool",
    "PackedAttention",
    "PackedMultiHeadAttention",
    "PagedAttention",
    "QuickGelu",
    "RelativePositionBias",
    "RotaryEmbedding",
    "SimplifiedLayerNormalization",
    "SkipGroupNorm",
    "SkipLayerNormalization",
    "SkipSimplifiedLayerNormalization",
    "TransposeMatMul",
};

// Quantized operators, ONNX's and com.microsoft's: onnxruntime.quantization in its QOperator format or for dynamic
// quantization, or the optimizer of a session from Q/DQ nodes.
constexpr std::string_view kQuantized[] = {
    "ConvInteger",
    "DynamicQuantizeLSTM",
    "DynamicQuantizeLinear",
    "DynamicQuantizeMatMul",
    "MatMulInteger",
    "MatMulIntegerToFloat",
    "QAttention",
    "QEmbedLayerNormalization",
    "QGemm",
    "QLinearAdd",
    "QLinearAveragePool",
    "QLinearConcat",
    "QLinearConv",
    "QLinearGlobalAveragePool",
    "QLinearLeakyRelu",
    "QLinearMatMul",
    "QLinearMul",
    "QLinearReduceMean",
    "QLinearSigmoid",
    "QLinearSoftmax",
    "QLinearWhere",
};

// Weights in blocks of few bits: MatMulNBitsQuantizer, whose format is QOperator by default.
constexpr std::string_view kBlockQuantized[] = {"GatherBlockQuantized", "MatMulNBits"};

static_assert(std::ranges::is_sorted(kFused) && std::ranges::is_sorted(kQuantized) &&
              std::ranges::is_sorted(kBlockQuantized));

bool is_one_of(std::span<const std::string_view> sorted, std::string_view name) {
  return std::ranges::binary_search(sorted, name);
}

}  // namespace

std::optional<std::string> onnx_runtime_remedy(const Node& node) {
  const bool own = node.domain() == "com.microsoft";
  const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
  // SimplifiedLayerNormalization stands in the domain of ONNX, which does not have it.
  const bool fused = (own && is_one_of(kFused, node.op_type)) ||
                     (standard && node.op_type == "SimplifiedLayerNormalization") ||
                     std::ranges::find(kLayoutDomains, node.domain()) != std::end(kLayoutDomains);
  if (fused) {
    return fmt::format(
        "export the model again, or take it from before ONNX Runtime optimized it (a session with "
        "`optimized_model_filepath`, `onnxruntime.transformers.optimizer`): {} was made of ONNX operators there",
        shortened(node.op_type, kMaxKeptName));
  }
  if ((own || standard) && is_one_of(kQuantized, node.op_type)) {
    return "quantize with Q/DQ nodes instead, `quantize_static(..., quant_format=QuantFormat.QDQ)`, and do not run "
           "ONNX "
           "Runtime's optimizer on the result";
  }
  if (own && is_one_of(kBlockQuantized, node.op_type)) {
    return fmt::format(
        "quantize with Q/DQ nodes instead, `DefaultWeightOnlyQuantConfig(is_symmetric=True, "
        "quant_format=QuantFormat.QDQ)`; TensorRT accepts INT4 from {} on",
        to_string(gates::int4_network.from));
  }
  return std::nullopt;
}

}  // namespace trtcheck::rules
