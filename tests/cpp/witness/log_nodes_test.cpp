// From what a log prints to the nodes of a model.
#include <catch2/catch.hpp>

#include <string>

#include <fmt/format.h>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "witness/log_nodes.hpp"

using namespace trtcheck;

namespace {

// "130" is a tensor of an old exporter, `output` one of a careless one; Sqrt and the second Relu have no name.
constexpr const char* kModel =
    "agraph (float[1,4] x) => (float[1,4] y) { [stem_act] a_1 = Relu (x) [Reshape_12] b = Identity (a_1) output = Sqrt "
    "(b) [layer_relu] h_out = Relu (output) y = Neg (h_out) }";

std::string named(std::string_view log) {
  const std::string bytes = test::onnx_bytes(kModel);
  const Model model = read_model(test::as_bytes(bytes));
  std::string text;
  for (const witness::LogNode& node : witness::nodes_in_log(model, log)) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", node.line, node.message.node);
  }
  return text;
}

}  // namespace

TEST_CASE("a line of a log names a node") {
  struct Row {
    const char* line;
    const char* nodes;
  };
  const Row rows[] = {
      // the parser
      {"[E] [TRT] ModelImporter.cpp:773: While parsing node number 1 [Identity -> \"b\"]:", "1:Reshape_12"},
      {"While parsing node number 7 [Relu -> \"h_out\"]:", "1:layer_relu"},
      {"While parsing node number 2 [Sqrt -> \"other\"]:", "1:Sqrt_2"},
      {"While parsing node number 2 [Conv -> \"other\"]:", ""},
      {"In node 3 with name: layer_relu and operator: Relu (parseNode): UNSUPPORTED_NODE: no", "1:layer_relu"},
      {"In node 4 with name:  and operator: Neg (parseNode): UNSUPPORTED_NODE: no", "1:Neg_4"},
      {"In node 2 (importSqrt): UNSUPPORTED_NODE: Assertion failed", "1:Sqrt_2"},
      {"In node -1 (importModel): INVALID_GRAPH: Assertion failed", ""},
      {"name: \"stem_act\"", "1:stem_act"},
      {"input: \"a_1\" output: \"b\" name: \"Reshape_12\" op_type: \"Identity\"", "1:Reshape_12"},
      // what a node reads is not the node
      {"input: \"a_1\"", ""},
      // the builder and its decorations
      {"[E] Error Code 4: Internal Error ([Reshape_12]: volume mismatch)", "1:Reshape_12"},
      {"[E] 10: Could not find any implementation for node {ForeignNode[stem_act...layer_relu]}.", "1:stem_act"},
      {"[E] layer_relu: bad", "1:layer_relu"},
      {"[E] node_of_y has no runners", "1:Neg_4"},
      {"[E] h_out: kernel weights", "1:layer_relu"},
      {"[W] stem_act + Reshape_12: slow", "1:stem_act"},
      // words that are names of tensors, too; nothing; what is no failure
      {"[E] the output is wrong", ""},
      {"[E] x: is an input", ""},
      {"[E] somebody_else failed", ""},
      {"[I] [TRT] stem_act", ""},
      {"[V] [TRT] Parsing node: stem_act [Relu]", ""},
  };
  for (const Row& row : rows) {
    INFO(row.line);
    CHECK(named(row.line) == row.nodes);
  }
}

TEST_CASE("a log names each node once") {
  CHECK(named("[I] stem_act\r\n[E] stem_act: a\r\n[E] stem_act: b\r\n[E] layer_relu: c\r\n") ==
        "2:stem_act 4:layer_relu");
  CHECK(named("").empty());
}
