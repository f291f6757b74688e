// From a call of a model-local function to what the file says of it. Shared by the rules of this folder.
#pragma once

#include <trtcheck/model.hpp>

namespace trtcheck::rules {

/// The function that the node calls, as ONNX finds it: by domain, name and overload; nullptr: none.
/// @pre `call.call()` is set
const Function* function_of(const Model& model, const Node& call) noexcept;

/// The one that TensorRT takes: the first of that name (onnx-tensorrt ModelImporter.cpp importLocalFunctions, 10.10).
const Function* first_of_name(const Model& model, const Node& call) noexcept;

/// The node as the definition of the function has it, where references to attributes still stand; none for nodes that
/// stand in no call.
NodeId definition_of(const Model& model, NodeId node) noexcept;

}  // namespace trtcheck::rules
