// ONNX text as fixtures: the parser of the onnx library makes the bytes, our reader reads them.
#pragma once

#include <string>
#include <string_view>

namespace trtcheck::test {

/// Serialized ModelProto of a model in ONNX text syntax. Throws std::runtime_error with the parser's message.
/// Text that starts with a graph (no `<ir_version: ...>` header) gets ir_version 10 and opset `opset`.
std::string onnx_bytes(std::string_view text, int opset = 17);

/// The same model; outputs of the main graph without a type are declared as what is computed (else FLOAT).
std::string with_declared_outputs(const std::string& bytes);

}  // namespace trtcheck::test
