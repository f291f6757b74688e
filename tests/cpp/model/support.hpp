#pragma once

#include <span>
#include <string>
#include <string_view>

#include <trtcheck/model.hpp>

#include "onnx_text.hpp"

namespace trtcheck::test {

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// A model from ONNX text; keeps the bytes that the model borrows.
struct Fixture {
  explicit Fixture(std::string_view text, int opset = 17)
      : bytes(onnx_bytes(text, opset)), model(read_model(as_bytes(bytes))) {}
  std::string bytes;
  Model model;

  [[nodiscard]] ValueId value(std::string_view name, GraphId graph = GraphId{0}) const {
    for (std::uint32_t i = 0; i < model.value_count(); ++i) {
      if (model.value(ValueId{i}).name == name && model.value(ValueId{i}).graph == graph) return ValueId{i};
    }
    return {};
  }
};

}  // namespace trtcheck::test
