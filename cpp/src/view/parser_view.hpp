// What the ONNX parser of a release sees of a model: which values count as constants, which type they get.
#pragma once

#include <string_view>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "target/release_view.hpp"

namespace trtcheck {

class ParserView {
 public:
  ParserView(const Model& model, const Shapes& shapes, const ReleaseView& release) noexcept
      : model_(&model), shapes_(&shapes), release_(&release) {}

  /// What stands behind a parameter of a function: the parser hands the call's arguments through.
  [[nodiscard]] ValueId argument(ValueId id) const;
  /// Initializers and outputs of Constant nodes; the parser folds nothing. Unknown behind operators that hand constants
  /// on in some of their forms. Source: onnx-tensorrt TensorOrWeights.hpp is_weights, 10.10; TensorRT-RTX 1.5 to 1.7.
  [[nodiscard]] Truth is_constant(ValueId id) const;
  /// "FP32", see network_type_name; "" = not known. A constant of type UINT8 becomes INT32 on reading in most releases,
  /// and nobody can tell which (onnx-tensorrt WeightsContext.cpp convertUint8).
  [[nodiscard]] std::string_view network_type(ValueId id) const;

 private:
  const Model* model_;
  const Shapes* shapes_;
  const ReleaseView* release_;
};

}  // namespace trtcheck
