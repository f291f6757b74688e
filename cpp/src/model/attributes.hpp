// Values of attributes for who does not care whether they are there.
#pragma once

#include <cstdint>
#include <string_view>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// Integer attribute, or `fallback` where it is missing or of another type.
[[nodiscard]] inline std::int64_t int_attribute(const Node& node, std::string_view name,
                                                std::int64_t fallback) noexcept {
  const Attribute* attribute = node.attribute(name);
  return attribute != nullptr && attribute->type == AttributeType::int_ ? attribute->i() : fallback;
}

}  // namespace trtcheck
