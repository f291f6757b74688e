// Edits of a model, as pieces of its file.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <trtcheck/edit.hpp>

#include "edit/pieces.hpp"

namespace trtcheck::edit {

class Message;

/// Changes a TensorProto. An initializer is one of a graph; else it is an attribute, or part of a sparse tensor.
using ChangeTensor = std::function<void(Message& tensor, bool is_initializer)>;

/// The file of the model with the edits made. One whose edits change nothing is the old file byte for byte.
/// @throws Error  a place does not exist; two edits of one thing contradict each other
[[nodiscard]] Pieces edited(const Model& model, std::span<const Edit> edits);
/// The same with each tensor of the file changed, sparse ones included.
/// @throws Error  as above, and what the function throws
[[nodiscard]] Pieces with_tensors(const Model& model, const ChangeTensor& change);

}  // namespace trtcheck::edit
