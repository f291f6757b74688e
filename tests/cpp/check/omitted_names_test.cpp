// Names may be empty anywhere: an omitted input, an output that nobody wants, or a broken file. In onnx's test models
// every name in turn is taken away; the answer is findings or an Error.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>
#include <trtcheck/diff.hpp>
#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;
namespace fs = std::filesystem;

namespace {

// Larger ones are real networks of a few operators, which the small ones have as well.
constexpr std::uintmax_t kSmall = 100'000;

std::vector<std::string> small_models() {
  std::vector<std::string> models;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TRTCHECK_ONNX_TESTDATA) / "data")) {
    if (entry.path().extension() != ".onnx" || entry.file_size() > kSmall) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    models.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return models;
}

/// Everything that takes a model: check, both views of inference, every output format, the comparison.
void look_at(const std::string& bytes) {
  try {
    CheckOptions options;
    options.neighbourhoods = true;
    const Model model = read_model(test::as_bytes(bytes));
    const Report report = check(model, options);
    for (const Finding& finding : report.findings) {
      INFO(finding.message);
      REQUIRE(finding.rule->name != "internal-error");
    }
    const Shapes shapes = infer(model, {.ranges = {}, .as_tensorrt = true});
    for (std::uint32_t i = 0; i < model.value_count(); ++i) (void)shapes.text(ValueId{i});
    (void)render({&report, 1}, {});
  } catch (const Error&) {  // the other allowed end
  }
}

using Edit = std::function<void(onnx::NodeProto&)>;
const Edit kEdits[] = {
    [](onnx::NodeProto& node) {
      for (std::string& name : *node.mutable_output()) name.clear();
    },
    [](onnx::NodeProto& node) {
      for (std::string& name : *node.mutable_input()) name.clear();
    },
    [](onnx::NodeProto& node) {
      if (node.output_size() > 0) node.mutable_output(node.output_size() - 1)->clear();
    },
    [](onnx::NodeProto& node) { node.add_output(""); },
    [](onnx::NodeProto& node) { node.add_input(""); },
};

void edit_graph(const onnx::ModelProto& model, const std::function<void(onnx::GraphProto&)>& edit) {
  onnx::ModelProto edited = model;
  edit(*edited.mutable_graph());
  look_at(edited.SerializeAsString());
}

}  // namespace

TEST_CASE("a Constant without an output is no reason to die") {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::NodeProto& node = *model.mutable_graph()->add_node();
  node.set_op_type("Constant");
  node.add_output("");
  onnx::AttributeProto& value = *node.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  value.mutable_t()->set_data_type(onnx::TensorProto::INT64);
  value.mutable_t()->add_dims(1);
  value.mutable_t()->add_int64_data(3);
  const std::string bytes = model.SerializeAsString();
  look_at(bytes);
  const Model read = read_model(test::as_bytes(bytes));
  const Report report = check(read, {});
  CHECK_NOTHROW(diff(read, report, read, report));
}

TEST_CASE("what an id stands for is empty when it stands for nothing") {
  const std::string bytes = test::onnx_bytes("g (float[N] x) => (y) { y = Relu(x) }");
  const Model model = read_model(test::as_bytes(bytes));
  CHECK(model.node(NodeId{}).op_type.empty());
  CHECK(model.value(ValueId{}).users.empty());
  CHECK(model.tensor(TensorId{}).dims.empty());
  CHECK(model.type(TypeId{}).kind == Type::Kind::none);
  CHECK(model.graph(GraphId{}).order.empty());
  CHECK(model.node_label(NodeId{}).empty());
  CHECK(model.graph_path(GraphId{}).empty());
  CHECK_FALSE(model.constant(ValueId{}));
  CHECK_FALSE(model.is_network_input(ValueId{}));
  CHECK(model.opset(GraphId{}) == 17);
  CHECK(infer(model)[ValueId{}].kind == ValueShape::Kind::unknown);
}

TEST_CASE("any name of a model may be empty") {
  const std::vector<std::string> models = small_models();
  REQUIRE(models.size() > 900);
  for (const std::string& bytes : models) {
    onnx::ModelProto model;
    REQUIRE(model.ParseFromString(bytes));
    for (int i = 0; i < std::min(model.graph().node_size(), 8); ++i) {
      for (const Edit& edit : kEdits) edit_graph(model, [&](onnx::GraphProto& graph) { edit(*graph.mutable_node(i)); });
    }
    edit_graph(model, [](onnx::GraphProto& graph) {
      for (auto& input : *graph.mutable_input()) input.clear_name();
    });
    edit_graph(model, [](onnx::GraphProto& graph) {
      for (auto& output : *graph.mutable_output()) output.clear_name();
    });
    edit_graph(model, [](onnx::GraphProto& graph) {
      for (auto& tensor : *graph.mutable_initializer()) tensor.clear_name();
    });
  }
}
