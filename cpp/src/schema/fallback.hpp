// The door to the onnx library's own shape inference, for operators without a shape function of ours.
// No protobuf type passes through it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck::schema {

/// A number, or a name that stands for "the same as every other dim of this name", or nothing.
struct CarriedDim {
  enum class Kind : std::uint8_t { unknown, literal, name };
  Kind kind = Kind::unknown;
  std::int64_t value = 0;  ///< the literal, or which name
};

/// What goes in and comes out for one value.
struct CarriedValue {
  enum class Kind : std::uint8_t { absent, tensor, sequence };
  Kind kind = Kind::absent;  ///< absent: left out, or nothing is known of it
  DataType type = DataType::undefined;
  bool has_rank = false;
  std::vector<CarriedDim> dims;
  bool has_contents = false;  ///< integers, rank 0 or 1
  std::vector<CarriedDim> contents;
  TensorId constant;  ///< small constants go in as data
};

struct Outcome {
  std::vector<CarriedValue> outputs;  ///< one per output of the node
  std::string failure;                ///< why there is nothing: one line; empty = it went well
};

/// Runs the inference function of the operator's schema. The schemas are registered on the first call of the
/// process (10 ms), safe from several threads. Never throws for a strange node: the onnx library's complaint
/// is `failure`.
[[nodiscard]] Outcome infer_by_onnx(const Model& model, const Node& node, std::int64_t opset,
                                    std::span<const CarriedValue> inputs);

}  // namespace trtcheck::schema
