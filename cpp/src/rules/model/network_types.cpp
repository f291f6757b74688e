#include "rules/model/network_types.hpp"

namespace trtcheck::rules {

bool is_network_type(DataType type, TrtVersion release) noexcept {
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
      return release >= TrtVersion{8, 5};
    case DataType::bfloat16:
    case DataType::float8e4m3fn:
      return release >= TrtVersion{9, 0};
    case DataType::int4:
      return release >= TrtVersion{10, 0};
    case DataType::float4e2m1:
      return release >= TrtVersion{10, 8};
    default:
      return false;
  }
}

}  // namespace trtcheck::rules
