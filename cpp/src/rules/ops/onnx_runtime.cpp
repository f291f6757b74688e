#include "rules/ops/onnx_runtime.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/core.h>

#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "text/printable.hpp"

namespace trtcheck::rules {
namespace {

// Layouts of its own, under names of ONNX: com.microsoft.nchwc.Conv (onnxruntime/core/graph/constants.h).
constexpr std::string_view kLayoutDomains[] = {"com.microsoft.nchwc", "com.ms.internal.nhwc"};

}  // namespace

std::optional<std::string> onnx_runtime_remedy(const Node& node) {
  const bool own = node.domain() == "com.microsoft";
  const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
  // SimplifiedLayerNormalization stands in the domain of ONNX, which does not have it.
  const bool fused = (own && is_a(node.op_type, kinds::fused_by_onnx_runtime)) ||
                     (standard && node.op_type == "SimplifiedLayerNormalization") ||
                     std::ranges::find(kLayoutDomains, node.domain()) != std::end(kLayoutDomains);
  if (fused) {
    return fmt::format(
        "export the model again, or take it from before ONNX Runtime optimized it (a session with "
        "`optimized_model_filepath`, `onnxruntime.transformers.optimizer`): {} was made of ONNX operators there",
        shortened(node.op_type, kMaxKeptName));
  }
  if ((own || standard) && is_a(node.op_type, kinds::quantized_by_onnx_runtime)) {
    return "quantize with Q/DQ nodes instead, `quantize_static(..., quant_format=QuantFormat.QDQ)`, and do not run "
           "ONNX "
           "Runtime's optimizer on the result";
  }
  if (own && is_a(node.op_type, kinds::weights_in_blocks)) {
    return fmt::format(
        "quantize with Q/DQ nodes instead, `DefaultWeightOnlyQuantConfig(is_symmetric=True, "
        "quant_format=QuantFormat.QDQ)`; TensorRT accepts INT4 from {} on",
        to_string(gates::int4_network.from));
  }
  return std::nullopt;
}

}  // namespace trtcheck::rules
