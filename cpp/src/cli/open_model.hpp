// A model of the command line: a file of ONNX, or one of its text forms.
#pragma once

#include <string>

#include <trtcheck/error.hpp>
#include <trtcheck/model.hpp>

#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"

namespace trtcheck::cli {

/// What ends in .onnxtxt or .onnxtext (ONNX text), .textproto, .prototxt or .pbtxt (text of protobuf), .onnxjson or
/// .json.
[[nodiscard]] bool is_text_form(const std::string& path);
/// The binary form of a text form.
/// @throws Error  the path, and as far as they are known the line and the cause of its parser
[[nodiscard]] Bytes as_binary(const std::string& path);

/// A text form is read by Python with its package `onnx`; all else as `read_model` does it.
/// @throws Error  cannot be read
[[nodiscard]] Model open_model(const std::string& path, const Limits& limits = {});

/// What `work` returns.
/// @throws Error  what it throws, with this path
template <class Work>
[[nodiscard]] auto told_of(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(path, error.path().empty() ? error.cause() : error.what());
  }
}

/// What `make` makes of a model that is read in parts, or of the binary form of a text form.
/// @param binary  filled for a text form only; it must outlive the result
/// @param make    (path), or (bytes, folder of external data)
/// @throws Error  cannot be read, and what `make` throws
template <class Make>
[[nodiscard]] auto made_of(const std::string& path, Bytes& binary, const Make& make) {
  if (!is_text_form(path)) return make(path);
  binary = as_binary(path);
  return told_of(path, [&] { return make(binary.span(), folder_of(path)); });
}

}  // namespace trtcheck::cli
