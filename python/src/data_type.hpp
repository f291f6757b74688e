// A file may hold numbers that ONNX does not know; those reach Python as plain int.
#pragma once

#include <variant>

#include <trtcheck/model.hpp>

namespace trtcheck::python {

inline constexpr DataType kLastDataType = DataType::float6e3m2;

inline std::variant<DataType, int> element_type(DataType type) {
  const auto number = static_cast<int>(type);
  if (number < 0 || number > static_cast<int>(kLastDataType)) return number;
  return type;
}

}  // namespace trtcheck::python
