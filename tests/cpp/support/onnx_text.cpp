#include "onnx_text.hpp"

#include <stdexcept>

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

namespace trtcheck::test {

std::string onnx_bytes(std::string_view text, int opset) {
  const std::size_t start = text.find_first_not_of(" \t\n");
  std::string source(start == std::string_view::npos ? "" : text.substr(start));
  if (source.empty() || source.front() != '<') {
    source = "<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) + "]>\n" + source;
  }
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, source.c_str());
  if (!status.IsOK()) throw std::runtime_error(status.ErrorMessage());
  return model.SerializeAsString();
}

}  // namespace trtcheck::test
