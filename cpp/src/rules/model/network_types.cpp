#include "rules/model/network_types.hpp"

#include "facts/gates.hpp"

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
      return gates::uint8_network.open_in(release);
    case DataType::bfloat16:
    case DataType::float8e4m3fn:
      return gates::bfloat16_network.open_in(release);
    case DataType::int4:
      return gates::int4_network.open_in(release);
    case DataType::float4e2m1:
      return gates::float4_network.open_in(release);
    default:
      return false;
  }
}

}  // namespace trtcheck::rules
