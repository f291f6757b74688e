// Parts of a model that nothing here reads (training, sharding, annotations, values of an attribute that is of
// another type). They still have to be well-formed: TensorRT and ONNX Runtime parse them and refuse the file.
#pragma once

#include <string_view>

#include "model/messages.hpp"

namespace trtcheck {

/// Walks the message and everything in it.
/// @throws wire::Malformed
void check_unread(MessageKind kind, std::string_view text);

}  // namespace trtcheck
