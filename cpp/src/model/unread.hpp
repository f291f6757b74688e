// Parts of a model that nothing here reads (training, sharding, annotations, values of an attribute that is of
// another type). They still have to be well-formed: TensorRT and ONNX Runtime parse them and refuse the file.
#pragma once

#include <cstdint>
#include <string_view>

namespace trtcheck {

enum class MessageKind : std::uint8_t {
  plain,  ///< no messages and no packed lists inside
  model,
  function,
  attribute,
  graph,
  node,
  tensor,
  sparse_tensor,
  value_info,
  type,
  tensor_type,
  list_type,
  map_type,
  shape,
  annotation,
  training,
  node_device,
  sharding,
  index_map,
  sharded_dim,
};

/// Walks the message and everything in it.
/// @throws wire::Malformed
void check_unread(MessageKind kind, std::string_view text);

}  // namespace trtcheck
