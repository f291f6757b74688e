// Messages for the tests of the onnx component.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

#include <trtcheck/onnx.hpp>

#include "as_bytes.hpp"
#include "onnx_text.hpp"

namespace trtcheck::test {

inline onnx::ModelProto parsed(const std::string& bytes) {
  onnx::ModelProto message;
  if (!message.ParseFromString(bytes)) throw std::runtime_error("not a model");
  return message;
}

inline std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Gives the graph an initializer of floats that stands in `raw_data`.
inline onnx::TensorProto& add_weights(onnx::GraphProto& graph, const std::string& name,
                                      const std::vector<std::int64_t>& dims, float value = 1) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  std::size_t count = 1;
  for (const std::int64_t dim : dims) {
    tensor.add_dims(dim);
    count *= static_cast<std::size_t>(dim);
  }
  const std::vector<float> values(count, value);
  tensor.set_raw_data(values.data(), count * sizeof(float));
  return tensor;
}

/// The first initializer of that name in the main graph.
inline onnx::TensorProto& weights(onnx::ModelProto& message, const std::string& name) {
  for (onnx::TensorProto& tensor : *message.mutable_graph()->mutable_initializer()) {
    if (tensor.name() == name) return tensor;
  }
  throw std::runtime_error("no initializer " + name);
}

/// The report with all its findings, byte for byte.
inline std::string json(Report report) {
  report.path = "model";
  return render({&report, 1}, {.format = Format::json, .show_all = true});
}

/// A large product, and a Pow whose exponent has a type that TensorRT 10.3 refuses.
inline onnx::ModelProto repairable() {
  onnx::ModelProto message = parsed(onnx_bytes(R"(
    agraph (float[N,300] x) => (float[N,400] z) <int32 e = {2}> {
      y = MatMul (x, w)
      i = Identity (e)
      z = Pow (y, i)
    })"));
  add_weights(*message.mutable_graph(), "w", {300, 400});
  return message;
}

/// For which it is repaired.
inline FixOptions repairs() {
  FixOptions options;
  options.check.target.release = parse_release("10.3");
  return options;
}

}  // namespace trtcheck::test
