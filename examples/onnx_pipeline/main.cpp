// Builds a model, checks it, repairs it in memory, and writes it: onnx_pipeline [OUTPUT].
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <string>
#include <vector>

#include <trtcheck/onnx.hpp>

namespace {

void declare(onnx::ValueInfoProto& value, const std::string& name, int columns) {
  value.set_name(name);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(onnx::TensorProto::FLOAT);
  tensor.mutable_shape()->add_dim()->set_dim_param("batch");
  tensor.mutable_shape()->add_dim()->set_dim_value(columns);
}

void add_node(onnx::GraphProto& graph, const std::string& type, std::initializer_list<const char*> inputs,
              const std::string& output) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(type);
  for (const char* input : inputs) node.add_input(input);
  node.add_output(output);
}

/// Products, squared. ONNX allows an exponent in INT32, TensorRT does not.
onnx::ModelProto make_model() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("ranking");
  declare(*graph.add_input(), "features", 512);
  declare(*graph.add_output(), "squares", 1000);
  add_node(graph, "MatMul", {"features", "weight"}, "scores");
  add_node(graph, "Pow", {"scores", "exponent"}, "squares");

  onnx::TensorProto& weight = *graph.add_initializer();
  weight.set_name("weight");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t dim : {512, 1000}) weight.add_dims(dim);
  const std::vector<float> values(std::size_t{512} * 1000, 0.25F);
  weight.set_raw_data(values.data(), values.size() * sizeof(float));
  onnx::TensorProto& exponent = *graph.add_initializer();
  exponent.set_name("exponent");
  exponent.set_data_type(onnx::TensorProto::INT32);
  exponent.add_int32_data(2);
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  onnx::ModelProto model = make_model();
  trtcheck::FixOptions options;
  options.check.target.release = trtcheck::parse_release("10.3");

  std::cout << "scores: " << trtcheck::infer(model).text("scores") << "\n";
  std::cout << "before: " << to_string(trtcheck::check(model, options.check).verdict()) << "\n";
  const trtcheck::FixedProto fixed = trtcheck::fix(model, options);  // weights stay where they are
  for (const trtcheck::AppliedCure& cure : fixed.applied) std::cout << "  " << cure.title << "\n";
  std::cout << "after: " << to_string(fixed.after.verdict()) << "\n";

  if (argc > 1) {
    std::ofstream file(argv[1], std::ios::binary);
    if (!model.SerializeToOstream(&file)) {
      std::cerr << argv[1] << ": cannot be written\n";
      return 2;
    }
  }
  return fixed.after.verdict() == trtcheck::Verdict::refused ? 1 : 0;
}
