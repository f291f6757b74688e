// What ONNX text cannot say: metadata of nodes.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <onnx/onnx_pb.h>

#include <onnx_text.hpp>

namespace trtcheck::test {

/// The bytes of the model after `edit`.
inline std::string edited(std::string_view text, const std::function<void(onnx::ModelProto&)>& edit) {
  onnx::ModelProto model;
  if (!model.ParseFromString(onnx_bytes(text))) throw std::runtime_error("not a model");
  edit(model);
  return model.SerializeAsString();
}

inline void add_metadata(onnx::NodeProto& node, const std::string& key, const std::string& value) {
  onnx::StringStringEntryProto* entry = node.add_metadata_props();
  entry->set_key(key);
  entry->set_value(value);
}

inline void add_metadata(onnx::ModelProto& model, const std::string& key, const std::string& value) {
  onnx::StringStringEntryProto* entry = model.add_metadata_props();
  entry->set_key(key);
  entry->set_value(value);
}

}  // namespace trtcheck::test
