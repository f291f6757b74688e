// Nodes as ONNX text, one line each, to show what a cure changes.
#pragma once

#include <string>

#include <trtcheck/model.hpp>

namespace trtcheck::cure {

/// "y = Cast <to = 1> (x)". Long lists and tensors are cut: "axes = [0, 1, 2, ...]", "value = FLOAT[64]".
[[nodiscard]] std::string node_text(const Model& model, NodeId node);

}  // namespace trtcheck::cure
