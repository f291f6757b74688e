// What the reader makes of a graph: values, scopes, users, order.
#include <catch2/catch.hpp>

#include <algorithm>

#include "support.hpp"

using namespace trtcheck;
using test::Fixture;

namespace {

std::vector<std::string> defects(const Model& model) {
  static constexpr const char* kNames[] = {"duplicate_value",    "undefined_input", "undefined_output",
                                           "unsorted",           "cyclic",          "duplicate_initializer",
                                           "recursive_function", "expansion_limit"};
  std::vector<std::string> result;
  for (const Defect& d : model.defects()) {
    std::string text = kNames[static_cast<std::size_t>(d.kind)];
    if (d.node) text.append(" ").append(model.node_label(d.node));
    if (d.value) text.append(" ").append(model.value(d.value).name);
    result.push_back(text);
  }
  return result;
}

std::vector<std::string> order(const Model& model, GraphId graph = GraphId{0}) {
  std::vector<std::string> result;
  for (const NodeId id : model.graph(graph).order) result.push_back(model.node_label(id));
  return result;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("values know their producer, users, type and initializer") {
  const Fixture f(R"(g (float[N, 3, 2] x) => (float[N, 3, 2] y) <float w = {1.5}, float[N, 3, 2] t> {
    t = Mul(x, w)
    y = Add(t, t)
  })");
  const Model& m = f.model;
  REQUIRE(m.node_count() == 2);
  const Value& x = m.value(f.value("x"));
  CHECK(x.is_input);
  CHECK_FALSE(x.producer);
  const Type& type = m.type(x.declared);
  REQUIRE(type.dims.size() == 3);
  CHECK(type.dims[0].kind == DeclaredDim::Kind::param);
  CHECK(type.dims[0].param == "N");
  CHECK(type.dims[1].value == 3);
  CHECK(type.element == DataType::float32);

  const Value& w = m.value(f.value("w"));
  REQUIRE(w.initializer);
  CHECK(m.tensor(w.initializer).name == "w");
  CHECK(m.constant(f.value("w")) == w.initializer);
  const Value& t = m.value(f.value("t"));
  CHECK(t.producer == NodeId{0});
  REQUIRE(t.users.size() == 2);
  CHECK(t.users[0].node == NodeId{1});
  CHECK(t.users[1].input == 1);
  CHECK(t.declared);
  CHECK(m.value(f.value("y")).is_output);
  CHECK(m.defects().empty());
  CHECK(order(m) == Strings{"Mul_0", "Add_1"});
  CHECK(m.opset(GraphId{0}) == 17);
  CHECK_FALSE(m.opset(GraphId{0}, "com.microsoft"));
}

TEST_CASE("a name from an outer graph is the outer value") {
  const Fixture f(R"(g (bool c, float[2] x) => (float[2] y) {
    t = Relu(x)
    y = If(c) <then_branch = a () => (float[2] p) { p = Add(t, x) },
               else_branch = b () => (float[2] q) { t2 = Neg(t)  q = Abs(t2) }>
  })");
  const Model& m = f.model;
  REQUIRE(m.graph_count() == 3);
  const ValueId t = f.value("t");
  REQUIRE(m.value(t).users.size() == 2);
  CHECK(m.node(m.value(t).users[0].node).op_type == "Add");
  CHECK(m.node(m.value(t).users[1].node).op_type == "Neg");
  const Graph& then_branch = m.graph(m.node(NodeId{1}).attribute("then_branch")->g());
  CHECK(then_branch.kind == Graph::Kind::body);
  CHECK(then_branch.attribute == "then_branch");
  CHECK(then_branch.parent == NodeId{1});
  CHECK(then_branch.depth == 1);
  CHECK(m.graph_path(GraphId{1}) == "main/If_1.then_branch");
  CHECK(m.graph_depth() == 1);
  CHECK(m.defects().empty());
}

TEST_CASE("flaws of a graph are recorded, not thrown") {
  struct Row {
    const char* text;
    Strings defects;
    Strings order;
  };
  const Row rows[] = {
      {"g (float x) => (float y) { y = Relu(x)  y = Neg(x) }", {"duplicate_value Neg_1 y"}, {"Relu_0", "Neg_1"}},
      {"g (float x) => (float y) { x = Relu(x)  y = Neg(x) }", {"duplicate_value Relu_0 x"}, {"Relu_0", "Neg_1"}},
      {"g (float x) => (float y) { y = Add(x, z) }", {"undefined_input Add_0 z"}, {"Add_0"}},
      {"g (float x) => (float y, float z) { y = Relu(x) }", {"undefined_output z"}, {"Relu_0"}},
      {"g (float x) => (float y) { y = Neg(t)  t = Relu(x) }", {"unsorted Neg_0 t"}, {"Relu_1", "Neg_0"}},
      {"g (float x) => (float y) { a = Add(x, b)  b = Relu(a)  y = Neg(b)  z = Abs(x) }",
       {"cyclic Add_0", "cyclic Relu_1", "cyclic Neg_2"},
       {"Abs_3", "Add_0", "Relu_1", "Neg_2"}},
      {"g (float x) => (float y) { y = Add(x, y) }", {"cyclic Add_0"}, {"Add_0"}},
      {"g (bool c, float x) => (float y) { y = If(c) <then_branch = a () => (float p) { p = Relu(t) }, "
       "else_branch = b () => (float q) { q = Neg(x) }>  t = Abs(x) }",
       {"unsorted If_0 t"},
       {"Abs_1", "If_0"}},
      {"g (float x) => (float y) <float w = {1}, float w = {2}> { y = Add(x, w) }",
       {"duplicate_initializer w"},
       {"Add_0"}},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const Fixture f(row.text);
    CHECK(defects(f.model) == row.defects);
    CHECK(order(f.model) == row.order);
  }
}

TEST_CASE("a call of a model-local function is a graph of its own") {
  const Fixture f(R"(<ir_version: 9, opset_import: ["" : 17, "lib" : 1]>
    g (float[2] x) => (float[2] y) { t = lib.leaky <slope = 0.5> (x)  y = lib.leaky (t) }
    <domain: "lib", opset_import: ["" : 15]>
    leaky <slope: float = 0.25> (a) => (b) { b = LeakyRelu <alpha: float = @slope> (a) })");
  const Model& m = f.model;
  REQUIRE(m.functions().size() == 1);
  REQUIRE(m.graph_count() == 4);
  CHECK(m.graph(m.functions()[0].definition).kind == Graph::Kind::function_definition);
  const auto slope = [&](std::uint32_t node) {
    const Graph& call = m.graph(m.node(NodeId{node}).call());
    CHECK(call.kind == Graph::Kind::function_call);
    return m.node(call.first_node).attribute("alpha")->f();
  };
  CHECK(slope(0) == 0.5F);
  CHECK(slope(1) == 0.25F);
  CHECK(m.opset(m.node(NodeId{0}).call()) == 15);
  CHECK(m.opset(GraphId{0}) == 17);
  CHECK(m.defects().empty());
}

TEST_CASE("nodes that state the same numbers share them, and nothing else") {
  const Fixture f(R"(g (float[1, 4, 8, 8] x, bool c) => (float[N, M, H, W] y) <float[4, 4, 3, 3] w> {
    a = Conv <pads = [1, 1, 1, 1], group = 1> (x, w)
    [named] b = Conv <pads = [1, 1, 1, 1], group = 1> (a, w)
    d = Conv <group = 1, pads = [1, 1, 1, 1]> (b, w)
    e = If (c) <then_branch = t () => (float[N, M, H, W] u) { u = Relu(d) },
                else_branch = l () => (float[N, M, H, W] v) { v = Sigmoid(d) }>
    y = If (c) <then_branch = t () => (float[N, M, H, W] u) { u = Relu(d) },
                else_branch = l () => (float[N, M, H, W] v) { v = Sigmoid(d) }>
  })");
  const Model& m = f.model;
  const auto attributes = [&](std::uint32_t node) { return m.node(NodeId{node}).attributes(); };
  CHECK(attributes(0).data() == attributes(1).data());
  CHECK(attributes(0).data() != attributes(2).data());  // the order in the file is kept
  CHECK(attributes(2)[0].name == "group");
  CHECK(m.node(NodeId{1}).name == "named");
  CHECK(attributes(3)[0].g() != attributes(4)[0].g());  // every body is a graph of its own
}

TEST_CASE("references in a function are filled in call by call") {
  const Fixture f(R"(<ir_version: 10, opset_import: ["" : 17, "m" : 1]>
  g (float[2, 3] x) => (float[N, M] y, float[N, M] z) {
    y = m.F <by = 0> (x)
    z = m.F <by = 1> (x)
  }
  <domain: "m", opset_import: ["" : 17]> F <by> (x) => (y) { y = Softmax <axis : int = @by> (x) })");
  const Model& m = f.model;
  for (std::uint32_t node = 0; node < 2; ++node) {
    const Node& inner = m.node(m.graph(m.node(NodeId{node}).call()).first_node);
    REQUIRE(inner.attribute("axis") != nullptr);
    CHECK(inner.attribute("axis")->i() == node);
  }
}
