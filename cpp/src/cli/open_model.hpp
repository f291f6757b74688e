// A model of the command line: a file of ONNX, or one of its text forms.
#pragma once

#include <string>

#include <trtcheck/model.hpp>

namespace trtcheck::cli {

/// What ends in .onnxtxt or .onnxtext (ONNX text), .textproto, .prototxt or .pbtxt (text of protobuf), .onnxjson or
/// .json is read by Python with its package `onnx`; all else as `read_model` does it.
/// @throws Error  cannot be read; of a text form the path, the line and the cause of its parser
[[nodiscard]] Model open_model(const std::string& path, const Limits& limits = {});

}  // namespace trtcheck::cli
