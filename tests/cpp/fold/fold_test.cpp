// Which values follow from constants, and what is said of the others.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include <fstream>

#include "folded.hpp"
#include "temporary_folder.hpp"

using namespace trtcheck;
using test::Folded;

TEST_CASE("a chain of constants is folded, what depends on an input is not") {
  Folded f(R"(g (float[2] x) => (float[2] y)
    <float[2] a = {1, 2}, float b = {0.5}> { sum = Add(a, b) product = Mul(sum, sum) y = Add(product, x) })");
  CHECK(f.text("a") == "FLOAT[2] 1 2");
  CHECK(f.text("sum") == "FLOAT[2] 1.5 2.5");
  CHECK(f.text("product") == "FLOAT[2] 2.25 6.25");
  CHECK(f.text("x") == "(`x` is an input)");
  CHECK(f.text("y") == "(`x` is an input)");
  CHECK(f.why_not("product").empty());
}

TEST_CASE("a constant in every attribute form") {
  Folded f(R"(g (float x) => (float y) {
    a = Constant <value = float[2] {1, 2}> ()
    b = Constant <value_float: float = 2.5> ()
    c = Constant <value_floats: floats = [1.0, 2.0]> ()
    d = Constant <value_int: int = 3> ()
    e = Constant <value_ints: ints = [3, 4]> ()
    s = Constant <value_string: string = "text"> ()
    two = Constant <value_int: int = 3, value_float: float = 2.5> ()
    y = Add(x, b) })");
  CHECK(f.text("a") == "FLOAT[2] 1 2");
  CHECK(f.text("b") == "FLOAT[] 2.5");
  CHECK(f.text("c") == "FLOAT[2] 1 2");
  CHECK(f.text("d") == "INT64[] 3");
  CHECK(f.text("e") == "INT64[2] 3 4");
  CHECK(f.text("s") == "(operator `Constant`: a constant in attribute `value_string` is not read)");
  CHECK(f.text("two") == "(operator `Constant`: it does not have one attribute)");
}

TEST_CASE("what shape inference knows is a constant, too") {
  Folded f(R"(g (float[N,3,8] x) => (float y) <int64 one = {1}, int64[1] m = {-1}, int64 zero = {0}> {
    all = Shape(x)
    c = Gather(all, one)
    n = Gather(all, zero)
    twice = Mul(c, c)
    tail = Shape <start: int = 1> (x)
    relu = Relu(x)
    inner = Shape <start: int = 2> (relu)
    count = Size(tail)
    target = Concat <axis: int = 0> (m, tail)
    y = Reshape(x, target) })");
  CHECK(f.text("all") == "(operator `Shape`: the sizes of `x` are not known)");
  CHECK(f.text("n") == "(operator `Shape`: the sizes of `x` are not known)");
  CHECK(f.text("c") == "INT64[] 3");
  CHECK(f.text("twice") == "INT64[] 9");
  CHECK(f.text("tail") == "INT64[2] 3 8");
  CHECK(f.text("inner") == "INT64[1] 8");
  CHECK(f.text("count") == "INT64[] 2");
  CHECK(f.text("target") == "INT64[3] -1 3 8");
  CHECK(f.text("y") == "(`x` is an input)");
}

TEST_CASE("a size that the file claims alone is not used") {
  Folded f(R"(<ir_version: 9, opset_import: ["": 17, "my": 1]> g (float[2] x) => (int64[1] y) <float[3] a> {
    a = my.Unknown(x)
    y = Shape(a) })");
  CHECK(f.text("y") == "(operator `Shape`: the sizes of `a` are not known)");
}

TEST_CASE("the branch that is taken") {
  const std::string_view text = R"(g (float[1] x) => (float[1] y) <float[1] a = {2}, bool yes = {1}, bool no = {0}> {
    p = If (yes) <then_branch = t1 () => (float[1] r1) { r1 = Add(a, a) },
                  else_branch = e1 () => (float[1] r2) { r2 = Add(x, a) }>
    q = If (no) <then_branch = t2 () => (float[1] r3) { r3 = Add(a, a) },
                 else_branch = e2 () => (float[1] r4) { r4 = Add(x, a) }>
    both = Concat <axis: int = 0> (p, a)
    y = Add(q, x) })";
  Folded f(text);
  CHECK(f.text("p") == "FLOAT[1] 4");
  CHECK(f.text("both") == "FLOAT[2] 4 2");
  CHECK(f.text("q") == "(`x` is an input)");
}

TEST_CASE("calls of model-local functions are followed, each with its own inputs") {
  Folded f(R"(<ir_version: 9, opset_import: ["": 17, "my": 1]>
    g (float[2] x) => (float[2] y) <float[2] a = {1, 2}> {
      p = my.Twice(a)
      q = my.Twice(p)
      y = my.Twice(x) }
    <domain: "my", opset_import: ["": 17]> Twice (u) => (v) { w = Add(u, u) v = Identity(w) })");
  CHECK(f.text("p") == "FLOAT[2] 2 4");
  CHECK(f.text("q") == "FLOAT[2] 4 8");
  CHECK(f.text("y") == "(`x` is an input)");
}

TEST_CASE("each output of a node") {
  Folded f(R"(g (float x) => (float[3] y) <float[3] a = {3, 1, 2}, int64[1] k = {2}, int64[2] parts = {1, 2}> {
    best, places = TopK(a, k)
    first, rest = Split(a, parts)
    kept, mask = Dropout(a)
    y = Add(a, x) })");
  CHECK(f.text("best") == "FLOAT[2] 3 2");
  CHECK(f.text("places") == "INT64[2] 0 2");
  CHECK(f.text("first") == "FLOAT[1] 3");
  CHECK(f.text("rest") == "FLOAT[2] 1 2");
  CHECK(f.text("mask") == "BOOL[3] 1 1 1");
}

TEST_CASE("4-bit elements are packed as the file has them") {
  onnx::ModelProto proto;
  proto.set_ir_version(10);
  proto.add_opset_import()->set_version(21);
  auto& tensor = *proto.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::INT4);
  tensor.add_dims(3);
  tensor.set_raw_data(std::string("\xf1\x08", 2));
  auto& node = *proto.mutable_graph()->add_node();
  node.set_op_type("Cast");
  node.add_input("w");
  node.add_output("wide");
  auto& to = *node.add_attribute();
  to.set_name("to");
  to.set_type(onnx::AttributeProto::INT);
  to.set_i(onnx::TensorProto::INT8);
  auto& flipped = *proto.mutable_graph()->add_node();
  flipped.set_op_type("Transpose");
  flipped.add_input("w");
  flipped.add_output("same");
  Folded f = Folded::of_bytes(proto.SerializeAsString());
  CHECK(f.text("wide") == "INT8[3] 1 -1 -8");
  CHECK(f.text("w") == "INT4[3] 241 8");
  CHECK(f.text("same") == "INT4[3] 241 8");
}

TEST_CASE("constants in other files are read, or it is said why not") {
  const test::TemporaryFolder folder;
  onnx::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(17);
  for (const char* name : {"here", "gone"}) {
    auto& tensor = *proto.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(2);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    auto& location = *tensor.add_external_data();
    location.set_key("location");
    location.set_value(std::string(name) + ".bin");
  }
  const std::vector<float> content{1.5F, -2};
  std::ofstream(folder.path / "here.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(sizeof(float) * 2));
  std::ofstream(folder.path / "m.onnx", std::ios::binary) << proto.SerializeAsString();
  const Model model = read_model((folder.path / "m.onnx").string());
  const Shapes shapes = infer(model);
  Folder folder_of(model, shapes);
  const auto here = folder_of.value(ValueId{0});
  REQUIRE(here);
  CHECK(test::elements<float>(*here) == content);
  CHECK_FALSE(folder_of.value(ValueId{1}));
  CHECK(folder_of.why_not(ValueId{1}) == "constant `gone` is in a file that cannot be read");
}

TEST_CASE("weights that were stepped over when the model was read") {
  const test::TemporaryFolder folder;
  onnx::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(17);
  auto& tensor = *proto.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(300);
  tensor.add_dims(1000);
  std::vector<float> content(300'000, 0.5F);
  content.back() = 7;
  tensor.set_raw_data(content.data(), content.size() * sizeof(float));
  auto& node = *proto.mutable_graph()->add_node();
  node.set_op_type("ReduceMax");
  node.add_input("w");
  node.add_output("top");
  std::ofstream(folder.path / "m.onnx", std::ios::binary) << proto.SerializeAsString();
  const Model model = read_model((folder.path / "m.onnx").string());
  const Shapes shapes = infer(model);
  Folder folder_of(model, shapes);
  const ValueId top = model.node(NodeId{0}).outputs[0];
  const auto made = folder_of.value(top);
  REQUIRE(made);
  CHECK(test::elements<float>(*made) == std::vector<float>{7});
}
