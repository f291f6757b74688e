// Source lines and module paths, in the forms that exporters leave behind. The texts are those of torch 2.13, cut.
#include <onnx/onnx_pb.h>
#include <catch2/catch.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "rules/provenance.hpp"

using namespace trtcheck;
using namespace trtcheck::rules;

namespace {

std::string text(const std::optional<SourceLocation>& source) {
  if (!source) return "none";
  return source->file + "|" + std::to_string(source->line) + "|" + source->function + "|" + source->code;
}

}  // namespace

TEST_CASE("the innermost frame of the user's code, from a Python stack") {
  struct Row {
    const char* stack;
    const char* expected;
  };
  const Row rows[] = {
      {"File \"/p/net.py\", line 16, in forward\n    for l in self.layers: x = l(x)\n"
       "  File \"/p/net.py\", line 9, in forward\n    y = self.act(self.conv(x))\n"
       "  File \"/v/lib/python3.11/site-packages/torch/nn/modules/conv.py\", line 565, in forward\n"
       "    return self._conv_forward(input, self.weight, self.bias)",
       "/p/net.py|9|forward|y = self.act(self.conv(x))"},
      {"File \"/p/net.py\", line 3, in forward", "/p/net.py|3|forward|"},
      {"File \"/p/net.py\", line 3", "/p/net.py|3||"},
      {"  File \"C:\\a b\\net.py\", line 3, in <lambda>\n    x", "C:\\a b\\net.py|3|<lambda>|x"},
      {"File \"C:\\v\\Lib\\site-packages\\torch\\nn\\functional.py\", line 3, in relu", "none"},
      {"File \"/src/pytorch/torch/nn/functional.py\", line 3, in relu", "none"},
      {"File \"<eval_with_key>.3\", line 3, in forward", "none"},
      // A folder of the user's that is called torch, and packages built on PyTorch, are not PyTorch.
      {"File \"/home/u/torch/net.py\", line 3, in forward", "/home/u/torch/net.py|3|forward|"},
      {"File \"/v/site-packages/torchvision/models/resnet.py\", line 92, in forward\n    out = self.conv1(x)",
       "/v/site-packages/torchvision/models/resnet.py|92|forward|out = self.conv1(x)"},
      {"", "none"},
      {"File \"", "none"},
      {"File \"x.py\", line , in f", "none"},
      {"File \"x.py\", line 99999999999999999999, in f", "none"},
      {"File \"x.py\", line -3, in f", "none"},
      {"nonsense\n\n\n", "none"},
  };
  for (const Row& row : rows) {
    INFO(row.stack);
    CHECK(text(source_from_stack(row.stack)) == row.expected);
  }
}

TEST_CASE("the same from doc_string, most recent call first") {
  struct Row {
    const char* doc;
    const char* expected;
  };
  const Row rows[] = {
      {"/v/site-packages/torch/nn/modules/conv.py(560): _conv_forward\n"
       "/v/site-packages/torch/nn/modules/module.py(1768): _slow_forward\n"
       "/p/net.py(9): forward\n/p/net.py(16): forward\n"
       "/v/site-packages/torch/onnx/_internal/torchscript_exporter/utils.py(898): export\n/p/export.py(21): <module>\n",
       "/p/net.py|9|forward|"},
      // A model that is nothing but PyTorch modules: the line that exports it is not the place.
      {"/v/site-packages/torch/nn/modules/conv.py(560): forward\n"
       "/v/site-packages/torch/onnx/__init__.py(334): export\n/p/export.py(21): <module>\n",
       "none"},
      {"# /p/net.py:12:0", "/p/net.py|12||"},
      {"x # C:\\net.py:12:4\n", "C:\\net.py|12||"},
      {"just a comment", "none"},
      {"f(3)", "none"},
      {"(3): f", "none"},
      {"# :1:2", "none"},
      {"", "none"},
  };
  for (const Row& row : rows) {
    INFO(row.doc);
    CHECK(text(source_from_doc_string(row.doc)) == row.expected);
  }
}

TEST_CASE("module paths") {
  CHECK(module_from_scopes("['', 'layers.0', 'layers.0.conv', 'conv2d']") == "layers.0.conv");
  CHECK(module_from_scopes("['', 'add_15']") == "");
  CHECK(module_from_scopes("[\"it's\", 'x']") == "it's");
  for (const char* text : {"", "[]", "['", "['x']", "x"}) CHECK(module_from_scopes(text) == "");

  CHECK(module_from_namespace(": m.Net/layers.0: m.Block/layers.0.conv: torch.nn.Conv2d/conv2d: aten.conv2d.default") ==
        "layers.0.conv");
  CHECK(module_from_namespace(": m.Net/view: aten.view.default") == "");
  for (const char* text : {"", "x", "/", "a/b"}) CHECK(module_from_namespace(text) == "");

  CHECK(module_from_node_name("/encoder/layers.10/Conv") == "encoder.layers.10");
  CHECK(module_from_node_name("/layer1/layer1.0/downsample/downsample.0/Conv") == "layer1.0.downsample.0");
  CHECK(module_from_node_name("/layer1/layer10.0/Conv") == "layer1.layer10.0");
  for (const char* text : {"/Gelu", "Conv_0", "model/conv1/Conv2D", "", "/", "//Conv"}) {
    CHECK(module_from_node_name(text) == "");
  }
}

TEST_CASE("a node without a record takes that of the node it stands in; a later edit has none") {
  onnx::ModelProto proto;
  const std::string bytes = test::onnx_bytes(R"(agraph (bool c, float[2] x) => (float[2] y, float[2] z) {
    y = If (c) <
      then_branch = t () => (float[2] a) { a = Relu (x) },
      else_branch = e () => (float[2] b) { b = Neg (x) }
    >
    z = Abs (x)
  })");
  REQUIRE(proto.ParseFromString(bytes));
  auto* entry = proto.mutable_graph()->mutable_node(0)->add_metadata_props();
  entry->set_key("pkg.torch.onnx.stack_trace");
  entry->set_value("File \"/p/net.py\", line 7, in forward\n    return f(x)");
  entry = proto.mutable_graph()->mutable_node(0)->add_metadata_props();
  entry->set_key("namespace");
  entry->set_value(": m.Net/head: m.Head/cond: cond");
  const std::string edited = proto.SerializeAsString();
  const Model model = read_model(test::as_bytes(edited));
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const Provenance provenance = provenance_of(model, NodeId{i});
    const bool is_edit = model.node(NodeId{i}).op_type == "Abs";
    CHECK(text(provenance.source) == (is_edit ? "none" : "/p/net.py|7|forward|return f(x)"));
    CHECK(provenance.module == (is_edit ? "" : "head"));
  }
}
