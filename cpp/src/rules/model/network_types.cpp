#include "rules/model/network_types.hpp"

#include <fmt/core.h>

#include "target/gates.hpp"

namespace trtcheck::rules {

bool is_network_type(DataType type, const ReleaseView& release) {
  switch (type) {
    case DataType::float32:
    case DataType::float64:
    case DataType::float16:
    case DataType::int8:
    case DataType::int32:
    case DataType::int64:
    case DataType::boolean:
      return true;
    case DataType::uint8:
      return release.has(gates::uint8_network);
    case DataType::bfloat16:
    case DataType::float8e4m3fn:
      return release.has(gates::bfloat16_network);
    case DataType::int4:
      return release.has(gates::int4_network);
    case DataType::float4e2m1:
      return release.has(gates::float4_network);
    default:
      return false;
  }
}

DataType network_type(DataType type, const ReleaseView& release) {
  if (type == DataType::float64) return DataType::float32;
  if (type == DataType::int64 && !release.has(gates::int64_network)) return DataType::int32;
  return type;
}

std::string type_remedy(DataType type, std::string_view tensor) {
  switch (type) {
    case DataType::bfloat16:
      return fmt::format(
          "export the model in FP16 or FP32, or use TensorRT {} or newer, for operators that accept BF16",
          to_string(gates::bfloat16_network.from));
    case DataType::uint8:
      return fmt::format("make {} INT32 or FLOAT, or use TensorRT {} or newer", tensor,
                         to_string(gates::uint8_network.from));
    case DataType::float8e4m3fn:
      return fmt::format("quantize to INT8, or use TensorRT {} or newer", to_string(gates::bfloat16_network.from));
    case DataType::int4:
      return fmt::format("quantize to INT8, or use TensorRT {} or newer", to_string(gates::int4_network.from));
    case DataType::float4e2m1:
      return fmt::format("quantize to INT8, or use TensorRT {} or newer", to_string(gates::float4_network.from));
    case DataType::uint2:
    case DataType::int2:
    case DataType::uint4:
      return fmt::format("quantize to INT8, or to INT4 for TensorRT {} or newer", to_string(gates::int4_network.from));
    case DataType::float8e4m3fnuz:
    case DataType::float8e5m2:
    case DataType::float8e5m2fnuz:
    case DataType::float8e8m0:
    case DataType::float6e2m3:
    case DataType::float6e3m2:
      return fmt::format("quantize to INT8, or to FLOAT8E4M3FN for TensorRT {} or newer",
                         to_string(gates::bfloat16_network.from));
    case DataType::complex64:
    case DataType::complex128:
      return fmt::format("split {} into its real and its imaginary part", tensor);
    case DataType::string:
      return "leave text outside of the model, hand over numbers";
    default:
      return fmt::format("make {} INT32 or INT64", tensor);
  }
}

}  // namespace trtcheck::rules
