// Calls of model-local functions: every call is a graph, with attributes filled in; recursion and explosion end.
#include <catch2/catch.hpp>

#include "support.hpp"
#include "wire_text.hpp"

using namespace trtcheck;
using test::Fixture;

namespace {

constexpr std::string_view kHeader = "<ir_version: 10, opset_import: [\"\" : 17, \"lib\" : 1]>\n";

std::string with_functions(std::string_view graph, std::string_view functions) {
  return std::string(kHeader).append(graph).append(functions);
}

std::size_t count(const Model& model, Defect::Kind kind) {
  std::size_t result = 0;
  for (const Defect& d : model.defects()) result += d.kind == kind ? 1U : 0U;
  return result;
}

}  // namespace

TEST_CASE("a body inside a function sees the function's names and attributes, not the caller's") {
  const Fixture f(
      with_functions("g (bool c, float[2] x, float[2] hidden) => (float[2] y) { y = lib.f <slope = 0.5> (c, x) }",
                     R"(<domain: "lib", opset_import: ["" : 17]> f <slope> (k, a) => (b) {
        t = Relu(a)
        b = If(k) <then_branch = p () => (u) { u = LeakyRelu <alpha: float = @slope> (t) },
                   else_branch = q () => (v) { v = Neg(hidden) }>
      })"));
  const Model& m = f.model;
  const Graph& call = m.graph(m.node(NodeId{0}).call());
  CHECK(call.kind == Graph::Kind::function_call);
  CHECK(call.depth == 1);
  CHECK(call.name == "f");
  const Node& branch_owner = m.node(NodeId{call.first_node.index + 1});
  const Graph& then_branch = m.graph(branch_owner.attribute("then_branch")->g());
  CHECK(then_branch.depth == 2);
  const Node& leaky = m.node(then_branch.first_node);
  CHECK(leaky.attribute("alpha")->f() == 0.5F);
  CHECK(m.value(leaky.inputs[0]).producer == call.first_node);
  CHECK(m.graph_path(leaky.graph) == "main/f_0/If_1.then_branch");
  CHECK(m.opset(leaky.graph) == 17);

  // `hidden` belongs to the caller. Recorded once, for the definition.
  REQUIRE(m.defects().size() == 1);
  CHECK(m.defects()[0].kind == Defect::Kind::undefined_input);
  CHECK(m.graph_path(m.defects()[0].graph) == "function f/If_1.else_branch");
}

TEST_CASE("an attribute that the call does not give and that has no default is absent") {
  const Fixture f(with_functions("g (float[2] x) => (float[2] y) { y = lib.f (x) }",
                                 R"(<domain: "lib", opset_import: ["" : 17]>
                                    f <slope> (a) => (b) { b = LeakyRelu <alpha: float = @slope> (a) })"));
  const Model& m = f.model;
  CHECK(m.node(m.graph(m.node(NodeId{0}).call()).first_node).attributes().empty());
  const Node& in_definition = m.node(m.graph(m.functions()[0].definition).first_node);
  REQUIRE(in_definition.attribute("alpha") != nullptr);
  CHECK(in_definition.attribute("alpha")->ref_attr_name == "slope");
}

TEST_CASE("functions call functions, attributes pass through") {
  const Fixture f(with_functions("g (float[2] x) => (float[2] y) { y = lib.outer <s = 0.125> (x) }",
                                 R"(<domain: "lib", opset_import: ["" : 17, "lib" : 1]>
                                    outer <s> (a) => (b) { b = lib.inner <slope: float = @s> (a) }
                                    <domain: "lib", opset_import: ["" : 17]>
                                    inner <slope> (a) => (b) { b = LeakyRelu <alpha: float = @slope> (a) })"));
  const Model& m = f.model;
  const Graph& outer = m.graph(m.node(NodeId{0}).call());
  const Graph& inner = m.graph(m.node(outer.first_node).call());
  CHECK(inner.depth == 2);
  CHECK(m.node(inner.first_node).attribute("alpha")->f() == 0.125F);
  CHECK(m.graph_path(GraphId{m.node(inner.first_node).graph}) == "main/outer_0/inner_0");
}

TEST_CASE("overload and domain choose the function") {
  using namespace trtcheck::test;
  const auto function = [](std::string_view domain, std::string_view overload, std::string_view op) {
    return bytes(25, bytes(1, "f") + bytes(10, domain) + bytes(13, overload) + bytes(7, bytes(4, op)));
  };
  const auto call = [](std::string_view domain, std::string_view overload) {
    return bytes(1, bytes(4, "f") + bytes(7, domain) + bytes(8, overload));
  };
  const std::string text = bytes(7, call("a", "") + call("a", "two") + call("b", "") + call("c", "")) +
                           function("a", "", "A") + function("a", "two", "A2") + function("b", "", "B");
  const Model m = read_model(as_bytes(text));
  const auto callee = [&](std::uint32_t node) -> std::string_view {
    const GraphId call_graph = m.node(NodeId{node}).call();
    return call_graph ? m.node(m.graph(call_graph).first_node).op_type : "none";
  };
  CHECK(callee(0) == "A");
  CHECK(callee(1) == "A2");
  CHECK(callee(2) == "B");
  CHECK(callee(3) == "none");
}

TEST_CASE("recursion is recorded and not entered") {
  struct Row {
    const char* functions;
    std::size_t graphs;
  };
  const Row rows[] = {
      {R"(<domain: "lib", opset_import: ["lib" : 1]> f (a) => (b) { b = lib.f (a) })", 3},
      {R"(<domain: "lib", opset_import: ["lib" : 1]> f (a) => (b) { b = lib.g (a) }
          <domain: "lib", opset_import: ["lib" : 1]> g (a) => (b) { b = lib.f (a) })",
       5},
  };
  for (const Row& row : rows) {
    const Fixture f(with_functions("g (float x) => (float y) { y = lib.f (x) }", row.functions));
    CHECK(count(f.model, Defect::Kind::recursive_function) == 1);
    CHECK(f.model.defects().size() == 1);
    CHECK(f.model.graph_count() == row.graphs);
  }
}

TEST_CASE("an explosion of calls ends at the limit") {
  std::string functions;
  for (int i = 0; i < 40; ++i) {
    const std::string self = "f" + std::to_string(i);
    const std::string next = "lib.f" + std::to_string(i + 1);
    functions += "<domain: \"lib\", opset_import: [\"lib\" : 1]> " + self + " (a) => (b) { t = " + next +
                 "(a)  b = " + next + "(t) }\n";
  }
  functions += "<domain: \"lib\", opset_import: [\"\" : 17]> f40 (a) => (b) { b = Relu(a) }";
  const std::string bytes = test::onnx_bytes(with_functions("g (float x) => (float y) { y = lib.f0 (x) }", functions));
  const Model model = read_model(test::as_bytes(bytes), {}, {.expansion = 10'000});
  CHECK(count(model, Defect::Kind::expansion_limit) == 1);
  CHECK(model.node_count() < 10'100);
}

TEST_CASE("a chain of calls ends at the depth limit") {
  std::string functions;
  for (int i = 0; i < 100; ++i) {
    functions += "<domain: \"lib\", opset_import: [\"lib\" : 1]> f" + std::to_string(i) + " (a) => (b) { b = lib.f" +
                 std::to_string(i + 1) + "(a) }\n";
  }
  functions += "<domain: \"lib\", opset_import: [\"\" : 17]> f100 (a) => (b) { b = Relu(a) }";
  const Fixture f(with_functions("g (float x) => (float y) { y = lib.f0 (x) }", functions));
  CHECK(count(f.model, Defect::Kind::expansion_limit) == 1);
}

TEST_CASE("a body that is handed to a function keeps the caller's names") {
  // f<body>(k, t): If(k) <then_branch = @body, else_branch = @body>; ONNX text has no such attribute.
  using namespace trtcheck::test;
  const std::string ref_then = bytes(5, bytes(1, "then_branch") + varint(20, 5) + bytes(21, "body"));
  const std::string ref_else = bytes(5, bytes(1, "else_branch") + varint(20, 5) + bytes(21, "body"));
  const std::string owner = bytes(7, bytes(1, "k") + bytes(2, "o") + bytes(4, "If") + ref_then + ref_else);
  const std::string function = bytes(
      25, bytes(1, "f") + bytes(10, "lib") + bytes(4, "k") + bytes(4, "t") + bytes(5, "o") + bytes(6, "body") + owner);
  const std::string inner_call = bytes(1, bytes(1, "c") + bytes(2, "r") + bytes(4, "f") + bytes(7, "lib"));
  const std::string body =
      bytes(1, bytes(1, "t") + bytes(2, "u") + bytes(4, "Relu")) + inner_call + bytes(12, bytes(1, "u"));
  const std::string call = bytes(1, bytes(1, "c") + bytes(1, "x") + bytes(2, "y") + bytes(4, "f") + bytes(7, "lib") +
                                        bytes(5, bytes(1, "body") + varint(20, 5) + bytes(6, body)));
  const std::string producer = bytes(1, bytes(1, "x") + bytes(2, "t") + bytes(4, "Abs"));
  const std::string graph =
      producer + call + bytes(11, bytes(1, "x")) + bytes(11, bytes(1, "c")) + bytes(12, bytes(1, "y"));
  const std::string text = bytes(7, graph) + function;
  const Model m = read_model(as_bytes(text));
  CHECK(m.defects().empty());  // above all: the call of f inside the body is no recursion

  const Node& inner_if = m.node(m.graph(m.node(NodeId{1}).call()).first_node);
  const GraphId then_branch = inner_if.attribute("then_branch")->g();
  const GraphId else_branch = inner_if.attribute("else_branch")->g();
  CHECK(then_branch != else_branch);
  CHECK(m.graph(then_branch).attribute == "then_branch");
  const Node& relu = m.node(m.graph(then_branch).first_node);
  CHECK(m.value(relu.inputs[0]).producer == NodeId{0});
  CHECK(m.node(NodeId{m.graph(then_branch).first_node.index + 1}).call());
}
