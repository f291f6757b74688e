// What the messages of ONNX hold: the one table for who checks, skips, finds or writes fields.
#pragma once

#include <cstdint>

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

/// What the bytes of a field are.
enum class Content : std::uint8_t {
  message,
  varints,  ///< a packed list
  fixed32,  ///< a packed list
  fixed64,  ///< a packed list
  payload,  ///< elements of a tensor
};

/// A field of bytes whose content has a form. All other fields are sound once they are skipped.
struct MessageField {
  MessageKind kind;
  std::uint32_t field;
  Content content;
  MessageKind inner = MessageKind::plain;  ///< of messages
  bool is_single = false;                  ///< not repeated: protobuf merges what stands there twice
};

/// @param key  field number and wire type (wire.hpp)
/// @returns nullptr: the content has no form
[[nodiscard]] const MessageField* message_field(MessageKind kind, std::uint32_t key) noexcept;

/// Whether weights may lie somewhere below a message of this kind.
[[nodiscard]] bool holds_weights(MessageKind kind) noexcept;

}  // namespace trtcheck
