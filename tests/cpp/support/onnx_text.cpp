#include "onnx_text.hpp"

#include <as_bytes.hpp>
#include <stdexcept>

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <trtcheck/trtcheck.hpp>

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

std::string with_declared_outputs(const std::string& bytes) {
  onnx::ModelProto proto;
  if (!proto.ParseFromString(bytes)) return bytes;  // nested deeper than protobuf goes
  const Model model = read_model(as_bytes(bytes));
  const Shapes shapes = infer(model);
  const auto outputs = model.graph().outputs;
  for (int i = 0; i < proto.graph().output_size() && i < static_cast<int>(outputs.size()); ++i) {
    onnx::ValueInfoProto& output = *proto.mutable_graph()->mutable_output(i);
    if (output.has_type()) continue;
    const DataType computed = shapes[outputs[static_cast<std::size_t>(i)]].type;
    output.mutable_type()->mutable_tensor_type()->set_elem_type(
        static_cast<int>(computed == DataType::undefined ? DataType::float32 : computed));
  }
  return proto.SerializeAsString();
}

}  // namespace trtcheck::test
