#include "model/asked.hpp"

#include <algorithm>
#include <string_view>

namespace trtcheck {
namespace {

// Their shape functions look at the shapes of floating-point inputs, and no rule looks at the numbers.
constexpr std::string_view kWeighty[] = {
    "BatchNormalization",    "Conv", "ConvTranspose",      "GRU",    "Gemm",  "GroupNormalization",
    "InstanceNormalization", "LSTM", "LayerNormalization", "MatMul", "PRelu", "RNN"};

constexpr std::uint32_t kVariance = 4;

bool is_floating(DataType type) {
  return type == DataType::float32 || type == DataType::float16 || type == DataType::bfloat16 ||
         type == DataType::float64;
}

/// The tensor of an initializer or of a Constant node.
TensorId constant_of(const ModelData& data, const Value& value) {
  if (value.initializer || !value.producer) return value.initializer;
  const Attribute* attribute = data.nodes[value.producer.index].attribute("value");
  return attribute == nullptr ? TensorId{} : attribute->t();
}

/// Rules ask for thousands of numbers only where they are scales or zero points, also behind Identity and Cast.
Asked asked_by(const Node& node, std::uint32_t input, DataType type) {
  const bool is_quantization = node.op_type.find("uantizeLinear") != std::string_view::npos;
  if ((is_quantization && input > 0) || node.op_type == "Identity" || node.op_type == "Cast") return Asked::if_small;
  // A row looks for negative ones.
  if (node.op_type == "BatchNormalization" && input == kVariance) return Asked::if_short;
  const bool is_weight =
      is_floating(type) && node.domain().empty() && std::ranges::find(kWeighty, node.op_type) != std::end(kWeighty);
  return is_weight ? Asked::never : Asked::if_short;
}

}  // namespace

std::vector<Asked> asked_of(const ModelData& data) {
  std::vector<Asked> asked(data.tensors.size(), Asked::if_short);
  std::vector<bool> is_seen(data.tensors.size());
  for (const Value& value : data.values) {
    const TensorId id = constant_of(data, value);
    if (!id || value.users.empty()) continue;
    Asked most = is_seen[id.index] ? asked[id.index] : Asked::never;
    for (const Use& use : value.users) {
      most = std::max(most, asked_by(data.nodes[use.node.index], use.input, data.tensors[id.index].type));
    }
    asked[id.index] = most;
    is_seen[id.index] = true;
  }
  return asked;
}

}  // namespace trtcheck
