// Budgets, and models that nobody exports: no crash, no time, no guess.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include <chrono>

#include "folded.hpp"

using namespace trtcheck;
using test::Folded;

namespace {

onnx::ModelProto empty_model(int opset = 17) {
  onnx::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(opset);
  return proto;
}

onnx::NodeProto& add_node(onnx::ModelProto& proto, const char* op, const std::vector<std::string>& inputs,
                          const std::string& output) {
  auto& node = *proto.mutable_graph()->add_node();
  node.set_op_type(op);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

void add_int64s(onnx::ModelProto& proto, const char* name, const std::vector<std::int64_t>& dims,
                const std::vector<std::int64_t>& values) {
  auto& tensor = *proto.mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  for (const std::int64_t value : values) tensor.add_int64_data(value);
}

}  // namespace

TEST_CASE("elements of one tensor are limited") {
  Budget budget;
  budget.elements = 6;
  Folded f(
      "g (float x) => (float y) <float[2] a = {1, 2}, int64[2] fits = {3, 2}, int64[2] not_ = {4, 2}>"
      "{ p = Expand(a, fits) q = Expand(a, not_) r = Tile(p, not_) y = Add(x, x) }",
      17, budget);
  CHECK(f.text("p") == "FLOAT[3,2] 1 2 1 2 1 2");
  CHECK(f.text("q") == "(operator `Expand`: larger than 6 elements)");
  CHECK(f.text("r") == "(operator `Tile`: larger than 6 elements)");
}

TEST_CASE("elements in total, nodes and steps are limited") {
  const char* text = "g (float x) => (float y) <float[4] a = {1, 2, 3, 4}> { p = Neg(a) q = Neg(p) y = Add(x, q) }";
  Budget budget;
  budget.total = 12;
  Folded in_total(text, 17, budget);
  CHECK(in_total.text("p") == "FLOAT[4] -1 -2 -3 -4");
  CHECK(in_total.text("q") == "(more elements in total than the budget allows)");
  budget = {};
  budget.nodes = 1;
  Folded nodes(text, 17, budget);
  CHECK(nodes.text("p") == "FLOAT[4] -1 -2 -3 -4");
  CHECK(nodes.text("q") == "(operator `Neg`: more nodes than the budget allows)");
  budget = {};
  budget.steps = 8;
  Folded steps(text, 17, budget);
  CHECK(steps.text("p") == "FLOAT[4] -1 -2 -3 -4");
  CHECK(steps.text("q") == "(operator `Neg`: more work than the budget allows)");
}

TEST_CASE("constants with impossible dims") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  struct Row {
    std::vector<std::int64_t> dims;
    const char* reason;
  };
  const Row rows[] = {
      {{most, most}, "constant `c` has a size that is negative or too large"},
      {{-1, 2}, "constant `c` has a size that is negative or too large"},
      {{0, most}, "constant `c` is larger than 1048576 elements"},
      {{3}, "constant `c` cannot be read"},
      {std::vector<std::int64_t>(65, 1), "constant `c` has more than 64 dims"},
  };
  for (const Row& row : rows) {
    onnx::ModelProto proto = empty_model();
    add_int64s(proto, "c", row.dims, {1, 2});
    add_node(proto, "Neg", {"c"}, "y");
    Folded f = Folded::of_bytes(proto.SerializeAsString());
    CHECK(f.why_not("c") == row.reason);
    CHECK(f.why_not("y") == row.reason);
  }
}

TEST_CASE("parameters that leave 64 bits") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t a : {most, least, std::int64_t{-1}, std::int64_t{0}, most / 2}) {
    for (const std::int64_t b : {most, least, std::int64_t{1}}) {
      onnx::ModelProto proto = empty_model();
      add_int64s(proto, "x", {2}, {a, b});
      add_int64s(proto, "p", {1}, {a});
      add_int64s(proto, "q", {1}, {b});
      add_int64s(proto, "ab", {2}, {a, b});
      add_node(proto, "Slice", {"x", "p", "q", "", "q"}, "slice");
      add_node(proto, "Pad", {"x", "ab"}, "pad");
      add_node(proto, "Tile", {"x", "p"}, "tile");
      add_node(proto, "Expand", {"x", "ab"}, "expand");
      add_node(proto, "Reshape", {"x", "ab"}, "reshape");
      add_node(proto, "ConstantOfShape", {"ab"}, "filled");
      add_node(proto, "Gather", {"x", "p"}, "gather");
      add_node(proto, "GatherND", {"x", "p"}, "gather_nd");
      add_node(proto, "Range", {"p", "q", "q"}, "range");
      add_node(proto, "OneHot", {"p", "q", "x"}, "one_hot");
      add_node(proto, "Unsqueeze", {"x", "p"}, "unsqueeze");
      add_node(proto, "ReduceSum", {"x", "p"}, "sum");
      add_node(proto, "CumSum", {"x", "p"}, "running");
      add_node(proto, "TopK", {"x", "p"}, "top");
      add_node(proto, "Div", {"p", "q"}, "div");
      add_node(proto, "Mod", {"p", "q"}, "mod");
      add_node(proto, "Mul", {"p", "q"}, "mul");
      add_node(proto, "Add", {"p", "q"}, "add");
      add_node(proto, "Sub", {"p", "q"}, "sub");
      add_node(proto, "Pow", {"p", "q"}, "pow");
      add_node(proto, "Neg", {"x"}, "neg");
      add_node(proto, "Abs", {"x"}, "abs");
      add_node(proto, "ReduceProd", {"x"}, "product");
      add_node(proto, "ReduceL1", {"x"}, "l1");
      add_node(proto, "Split", {"x", "ab"}, "split");
      Folded f = Folded::of_bytes(proto.SerializeAsString());
      // Wrapping is what ONNX Runtime does.
      const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
      CHECK(f.text("add") == "INT64[1] " + std::to_string(sum));
      if (a == least && b == 1) CHECK(f.text("div") == "INT64[1] " + std::to_string(least));
      for (const char* name : {"tile", "filled", "expand", "pad", "range"}) {
        const auto made = f.value(name);
        CHECK((!made || made->bytes.size() <= 64));
      }
      for (const auto& node : proto.graph().node()) {
        CHECK(f.value(node.output(0)).has_value() == f.why_not(node.output(0)).empty());
      }
    }
  }
}

TEST_CASE("integers without a result") {
  Folded f(R"(g (float x) => (float y)
    <int32[2] a = {7, -2147483648}, int32[2] b = {2, -1}, int32[2] z = {1, 0}, int8[1] low = {-128}, int8[1] m = {-1}> {
      overflow = Div(a, b)
      by_zero = Div(a, z)
      rest_by_zero = Mod(a, z)
      rest = Mod(a, b)
      narrow = Div(low, m)
      wraps = Neg(low)
      y = Add(x, x) })");
  CHECK(f.text("overflow") == "(operator `Div`: a quotient leaves its type)");
  CHECK(f.text("by_zero") == "(operator `Div`: division by zero)");
  CHECK(f.text("rest_by_zero") == "(operator `Mod`: division by zero)");
  CHECK(f.text("rest") == "INT32[2] 1 0");
  CHECK(f.text("narrow") == "(operator `Div`: a quotient leaves its type)");
  CHECK(f.text("wraps") == "INT8[1] -128");
}

TEST_CASE("nodes that ONNX does not define") {
  Folded f(R"(g (float x) => (float y)
    <float[2] a = {1, 2}, double[2] d = {1, 2}, int64[3] three = {1, 2, 3}, int64[1] far = {9}, bool[2] b = {0, 1}> {
      types = Add(a, d)
      kinds = Add(b, b)
      sizes = Add(three, three)
      apart = Gather(a, far)
      many = Neg(a, a)
      none = Add(a)
      axis = Softmax <axis: int = 5> (a)
      kind = Softmax <axis: float = 1.0> (a)
      matrix = MatMul(a, three)
      y = Add(x, x) })");
  CHECK(f.text("types") == "(operator `Add`: inputs are of different types, FLOAT and DOUBLE)");
  CHECK(f.text("kinds") == "(operator `Add`: opset 17 does not define it for BOOL)");
  CHECK(f.text("sizes") == "INT64[3] 2 4 6");
  CHECK(f.text("apart") == "(operator `Gather`: index 9 is outside of an axis of size 2)");
  CHECK(f.text("many") == "(operator `Neg`: the number of inputs is not allowed)");
  CHECK(f.text("none") == "(operator `Add`: the number of inputs is not allowed)");
  CHECK(f.text("axis") == "(operator `Softmax`: axis 5 does not exist in a tensor of rank 1)");
  CHECK(f.text("kind") == "(operator `Softmax`: attribute `axis` is not of the type that ONNX defines)");
}

TEST_CASE("cycles, names without a meaning, and two definitions") {
  onnx::ModelProto proto = empty_model();
  add_int64s(proto, "c", {1}, {1});
  add_node(proto, "Add", {"b", "c"}, "a");
  add_node(proto, "Neg", {"a"}, "b");
  add_node(proto, "Neg", {"nobody"}, "d");
  add_node(proto, "Neg", {"c"}, "twice");
  add_node(proto, "Abs", {"c"}, "twice");
  add_node(proto, "Neg", {"twice"}, "after");
  Folded f = Folded::of_bytes(proto.SerializeAsString());
  CHECK(f.why_not("a").find("depends on itself") != std::string::npos);
  CHECK(f.why_not("b").find("depends on itself") != std::string::npos);
  CHECK(f.why_not("d") == "`nobody` is not defined");
  CHECK(f.why_not("after") == "`twice` is defined twice");
}

TEST_CASE("a hundred thousand nodes in a row, and inputs of one node") {
  onnx::ModelProto proto = empty_model();
  add_int64s(proto, "v0", {1}, {1});
  auto* concat = &add_node(proto, "Concat", {}, "all");
  auto& axis = *concat->add_attribute();
  axis.set_name("axis");
  axis.set_type(onnx::AttributeProto::INT);
  for (int i = 0; i < 90'000; ++i) {
    add_node(proto, "Neg", {"v" + std::to_string(i)}, "v" + std::to_string(i + 1));
    proto.mutable_graph()->mutable_node(0)->add_input("v" + std::to_string(i));
  }
  const auto start = std::chrono::steady_clock::now();
  Folded f = Folded::of_bytes(proto.SerializeAsString());
  CHECK(f.text("v90000") == "INT64[1] 1");
  const auto all = f.value("all");
  REQUIRE(all);
  CHECK(all->dims == std::vector<std::int64_t>{90'000});
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}
