// Protobuf messages by hand, for spellings that no serializer makes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace trtcheck::test {

inline std::string number(std::uint64_t value) {
  std::string result;
  for (; value >= 0x80; value >>= 7U) result += static_cast<char>(value | 0x80U);
  return result + static_cast<char>(value);
}
inline std::string tag(std::uint32_t field, std::uint32_t type) { return number(field << 3U | type); }
inline std::string varint(std::uint32_t field, std::uint64_t value) { return tag(field, 0) + number(value); }
inline std::string bytes(std::uint32_t field, std::string_view content) {
  return tag(field, 2) + number(content.size()) + std::string(content);
}

/// A model that holds `graph` as its main graph.
inline std::string model_of(std::string_view graph) { return varint(1, 10) + bytes(7, graph); }
/// A model with one node that has one attribute `a`.
inline std::string model_with_attribute(std::string_view attribute) {
  return model_of(bytes(1, bytes(4, "Op") + bytes(5, bytes(1, "a") + std::string(attribute))));
}
/// A model with one graph input `x` of that type.
inline std::string model_with_type(std::string_view type) {
  return model_of(bytes(11, bytes(1, "x") + bytes(2, type)));
}

}  // namespace trtcheck::test
