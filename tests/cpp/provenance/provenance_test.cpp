// Source lines and module paths, in the forms that exporters leave behind. The texts are those of torch 2.13, cut.
#include <onnx/onnx_pb.h>
#include <catch2/catch.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "provenance/provenance.hpp"

using namespace trtcheck;
using namespace trtcheck::rules;

namespace {

std::string text(const std::optional<SourceLocation>& source) {
  if (!source) return "none";
  return source->file + "|" + std::to_string(source->line) + "|" + source->function + "|" + source->code;
}

/// The source, and behind an arrow the library that it called.
std::string text(const RecordedLines& lines) {
  return text(lines.source) + (lines.library ? " -> " + text(lines.library) : "");
}

}  // namespace

TEST_CASE("the innermost line of the user's program, from a Python stack") {
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
      // The line of the user's own file comes first, the library that it called is told beside it.
      {"File \"/p/net.py\", line 12, in forward\n    y = self.backbone(x)\n"
       "  File \"/v/lib/python3.11/site-packages/timm/models/resnet.py\", line 700, in forward\n    x = self.stem(x)\n"
       "  File \"/v/lib/python3.11/site-packages/timm/layers/conv.py\", line 40, in forward\n    return self.conv(x)\n"
       "  File \"/v/lib/python3.11/site-packages/torch/nn/modules/conv.py\", line 565, in forward\n    return f(x)",
       "/p/net.py|12|forward|y = self.backbone(x) -> "
       "/v/lib/python3.11/site-packages/timm/layers/conv.py|40|forward|return self.conv(x)"},
      // A module of the user's inside of a library's container: the innermost line is the user's own.
      {"File \"/v/dist-packages/lib/seq.py\", line 5, in forward\n    return self.inner(x)\n"
       "  File \"/p/net.py\", line 9, in forward\n    return x + 1",
       "/p/net.py|9|forward|return x + 1"},
      // Who called the exporter is not the model, whatever stands in between.
      {"File \"/p/export.py\", line 30, in main\n    torch.onnx.export(model, x)\n"
       "  File \"/v/lib/python3.11/site-packages/torch/export/_trace.py\", line 7, in f\n    return mod(*args)\n"
       "  File \"/v/lib/python3.11/site-packages/timm/layers/conv.py\", line 40, in forward\n    return self.conv(x)",
       "/v/lib/python3.11/site-packages/timm/layers/conv.py|40|forward|return self.conv(x)"},
      // Python itself is nobody's model: wrappers of decorators.
      {"File \"/p/net.py\", line 3, in forward\n    return f(x)\n"
       "  File \"/usr/lib/python3.11/contextlib.py\", line 81, in inner\n    return func(*args, **kwds)",
       "/p/net.py|3|forward|return f(x)"},
      {"File \"/opt/py/lib/python3.12/contextlib.py\", line 81, in inner", "none"},
      {"File \"C:\\Python311\\Lib\\contextlib.py\", line 81, in inner", "none"},
      {"File \"C:\\miniconda3\\envs\\a\\Lib\\contextlib.py\", line 81, in inner", "none"},
      {"File \"C:\\work\\Lib\\net.py\", line 3, in forward", "C:\\work\\Lib\\net.py|3|forward|"},
      {"File \"/p/lib/python/net.py\", line 3, in forward", "/p/lib/python/net.py|3|forward|"},
      // As PyTorch 2.13 names its own files for sizes of inputs; and carets below the line.
      {"File \"torch/fx/passes/runtime_assert.py\", line 24, in insert_deferred_runtime_asserts", "none"},
      {"  File \"/v/lib/python3.11/site-packages/torch/_dynamo/functional_export.py\", line 232, in forward\n"
       "    res = self._export_root(*args, **kwargs)\n          ^^^^^^^^^^^^^^^^^^^\n"
       "  File \"/p/net.py\", line 12, in forward\n    y = x.reshape(b, -1)\n        ^^^^^^^^^^^^^^^^\n",
       "/p/net.py|12|forward|y = x.reshape(b, -1)"},
      {"", "none"},
      {"File \"", "none"},
      {"File \"x.py\", line , in f", "none"},
      {"File \"x.py\", line 99999999999999999999, in f", "none"},
      {"File \"x.py\", line -3, in f", "none"},
      {"nonsense\n\n\n", "none"},
  };
  for (const Row& row : rows) {
    INFO(row.stack);
    CHECK(text(lines_from_stack(row.stack)) == row.expected);
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
      // torch.jit.trace before the export.
      {"/v/site-packages/torch/nn/modules/conv.py(560): forward\n"
       "/v/site-packages/torch/jit/_trace.py(1216): trace_module\n/p/export.py(21): main\n",
       "none"},
      {"/v/site-packages/torch/nn/modules/conv.py(560): forward\n/v/site-packages/timm/conv.py(40): forward\n"
       "/v/site-packages/timm/resnet.py(7): forward\n/p/net.py(9): forward\n/p/net.py(16): forward\n"
       "/v/site-packages/torch/onnx/utils.py(898): export\n/p/export.py(21): <module>\n",
       "/p/net.py|9|forward| -> /v/site-packages/timm/conv.py|40|forward|"},
      {"/usr/lib/python3.11/contextlib.py(81): inner\n/v/site-packages/timm/conv.py(40): forward\n"
       "/v/site-packages/torch/onnx/utils.py(898): export\n/p/export.py(21): <module>\n",
       "/v/site-packages/timm/conv.py|40|forward|"},
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
    CHECK(text(lines_from_doc_string(row.doc)) == row.expected);
  }
}

TEST_CASE("what nobody wrote by hand is cut") {
  const std::string longest(100'000, 'a');
  const RecordedLines lines = lines_from_stack("File \"" + longest + "\", line 3, in " + longest + "\n    " + longest);
  REQUIRE(lines.source);
  CHECK(lines.source->file.size() + lines.source->function.size() + lines.source->code.size() == 3 * 4096);
}

TEST_CASE("module paths") {
  CHECK(module_from_scopes("['', 'layers.0', 'layers.0.conv', 'conv2d']") == "layers.0.conv");
  CHECK(module_from_scopes("['', 'add_15']") == "");
  CHECK(module_from_scopes("[\"it's\", 'x']") == "it's");
  CHECK(module_from_scopes("['_empty_nn_module_stack_from_metadata_hook', 'sym_size_int_2']") == "");
  for (const char* text : {"", "[]", "['", "['x']", "x"}) CHECK(module_from_scopes(text) == "");

  CHECK(module_from_namespace(": m.Net/layers.0: m.Block/layers.0.conv: torch.nn.Conv2d/conv2d: aten.conv2d.default") ==
        "layers.0.conv");
  CHECK(module_from_namespace(": m.Net/view: aten.view.default") == "");
  CHECK(module_from_namespace("_empty_nn_module_stack_from_metadata_hook: _empty_nn_module_stack_from_metadata_hook/"
                              "sym_size_int_2: aten.sym_size.int") == "");
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
  Provenances provenances(model);
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const Provenance& provenance = provenances.of(NodeId{i});
    const bool is_edit = model.node(NodeId{i}).op_type == "Abs";
    CHECK(text(provenance.lines) == (is_edit ? "none" : "/p/net.py|7|forward|return f(x)"));
    CHECK(provenance.module == (is_edit ? "" : "head"));
  }
}
