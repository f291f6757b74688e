// The nodes around a finding, told as lines of text.
#include "picture/neighbourhood.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

std::string called(const Neighbourhood::Node& node) {
  constexpr const char* kKinds[] = {"", "input ", "initializer ", "output ", "more "};
  constexpr const char* kRoles[] = {"", " (culprit)", " (victim)"};
  return kKinds[static_cast<int>(node.kind)] + node.op_type + (node.op_type.empty() ? "" : " ") + node.name +
         kRoles[static_cast<int>(node.role)];
}

/// "Relu r -FLOAT[N]-> Add a (victim)", one line for each edge; "=" for the tensor at fault.
std::string told(const Neighbourhood& shown) {
  std::string out;
  for (const Neighbourhood::Edge& edge : shown.edges) {
    const char* const line = edge.at_fault ? "=" : "-";
    out += called(shown.nodes.at(edge.from)) + " " + line + edge.type + edge.contents + line + "> " +
           called(shown.nodes.at(edge.to)) + "\n";
  }
  return out;
}

struct Subject {
  explicit Subject(const std::string& text, int opset = 17)
      : bytes(test::onnx_bytes(text, opset)), model(read_model(test::as_bytes(bytes))), shapes(infer(model)) {}

  [[nodiscard]] NodeId node(const std::string& label) const {
    for (std::uint32_t i = 0; i < model.node_count(); ++i) {
      if (model.node_label(NodeId{i}) == label) return NodeId{i};
    }
    FAIL("no node " << label);
    return {};
  }
  [[nodiscard]] Neighbourhood around(const std::string& victim, const std::string& culprit = "",
                                     std::string_view value = "", const Reach& reach = {}) const {
    return NeighbourhoodFinder(model, shapes)
        .around({node(victim), culprit.empty() ? NodeId{} : node(culprit), value}, reach);
  }

  std::string bytes;
  Model model;
  Shapes shapes;
};

/// x -> n0 -> n1 -> ... -> y
std::string chain(int length) {
  std::string text = "g (float[N] x) => (float[N] y) {\n";
  for (int i = 0; i < length; ++i) {
    text += "[n" + std::to_string(i) + "] " + (i + 1 == length ? "y" : "v" + std::to_string(i)) + " = Relu (" +
            (i == 0 ? "x" : "v" + std::to_string(i - 1)) + ")\n";
  }
  return text + "}";
}

std::size_t count(const Neighbourhood& shown, Neighbourhood::Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(shown.nodes.begin(), shown.nodes.end(), [kind](const auto& node) { return node.kind == kind; }));
}

}  // namespace

TEST_CASE("who feeds a node, who reads it, inputs, outputs and its own initializers") {
  const Subject subject(R"(g (float[N,2] x) => (float[N,3] y, float[N,2] a)
  <float[2,3] w = {1, 2, 3, 4, 5, 6}, float[2] b = {1, 2}> {
    [pre] a = Add (x, b)
    [mul] m = MatMul (a, w)
    [act] y = Relu (m)
  })");
  CHECK(told(subject.around("mul", "", "a")) ==
        "input x -FLOAT[N,2]-> Add pre\n"
        "Add pre =FLOAT[N,2]=> MatMul mul (victim)\n"
        "initializer w -FLOAT[2,3]-> MatMul mul (victim)\n"
        "MatMul mul (victim) -FLOAT[N,3]-> Relu act\n"
        "Add pre =FLOAT[N,2]=> output a\n"
        "Relu act -FLOAT[N,3]-> output y\n");
}

TEST_CASE("contents of sizes are told, those of weights and of long tensors are not") {
  const Subject subject(R"(g (float[N,4,H,W] x) => (float[N,4,H,W] y, int64[9] t)
  <int64[1] zero = {0}, int64[2] hw = {2, 3}, int64[1] any = {-1}, int64[9] long = {1,1,1,1,1,1,1,1,1}, float[1] f = {2}> {
    s = Shape (x)
    n = Gather (s, zero)
    v = Gather (s, hw)
    [sizes] c = Concat <axis = 0> (n, any, v)
    [view] r = Reshape (x, c)
    [scale] y = Mul (r, f)
    [keep] t = Identity (long)
  })");
  CHECK_THAT(told(subject.around("scale", "view")),
             Contains("Concat sizes -INT64[4][N,-1,H,W]-> Reshape view (culprit)\n"));
  CHECK_THAT(told(subject.around("sizes")), Contains("initializer any -INT64[1][-1]-> Concat sizes (victim)\n"));
  CHECK_THAT(told(subject.around("scale")), Contains("initializer f -FLOAT[1]-> Mul scale (victim)\n"));
  CHECK_THAT(told(subject.around("keep")), Contains("initializer long -INT64[9]-> Identity keep (victim)\n"));
}

TEST_CASE("stubs where the graph goes on") {
  CHECK(told(Subject(chain(9)).around("n4", "", "", {.depth = 1})) ==
        "more  -FLOAT[N]-> Relu n3\n"
        "Relu n3 -FLOAT[N]-> Relu n4 (victim)\n"
        "Relu n4 (victim) -FLOAT[N]-> Relu n5\n"
        "Relu n5 -FLOAT[N]-> more \n");
  CHECK(told(Subject(chain(3)).around("n1", "", "", {.depth = 0})) ==
        "more  -FLOAT[N]-> Relu n1 (victim)\n"
        "Relu n1 (victim) -FLOAT[N]-> more \n");
}

TEST_CASE("the way from culprit to victim is shown, a long one by its ends") {
  CHECK(told(Subject(chain(12)).around("n7", "n3", "", {.depth = 0})) ==
        "more  -FLOAT[N]-> Relu n3 (culprit)\n"
        "Relu n3 (culprit) -FLOAT[N]-> Relu n4\n"
        "Relu n4 -FLOAT[N]-> Relu n5\n"
        "Relu n5 -FLOAT[N]-> Relu n6\n"
        "Relu n6 -FLOAT[N]-> Relu n7 (victim)\n"
        "Relu n7 (victim) -FLOAT[N]-> more \n");
  CHECK(told(Subject(chain(60)).around("n55", "n2", "", {.depth = 0})) ==
        "more  -FLOAT[N]-> Relu n2 (culprit)\n"
        "Relu n2 (culprit) -FLOAT[N]-> Relu n3\n"
        "Relu n3 -FLOAT[N]-> Relu n4\n"
        "more 48 more -FLOAT[N]-> Relu n53\n"
        "Relu n53 -FLOAT[N]-> Relu n54\n"
        "Relu n54 -FLOAT[N]-> Relu n55 (victim)\n"
        "Relu n4 -FLOAT[N]-> more 48 more\n"
        "Relu n55 (victim) -FLOAT[N]-> more \n");
  // a culprit behind the victim
  CHECK_THAT(told(Subject(chain(9)).around("n3", "n5", "", {.depth = 0})),
             Contains("Relu n3 (victim) -FLOAT[N]-> Relu n4\nRelu n4 -FLOAT[N]-> Relu n5 (culprit)"));
}

TEST_CASE("no way between culprit and victim: both are shown") {
  const Subject subject(R"(g (float[N] x, float[N] z) => (float[N] y, float[N] u) {
    [one] y = Relu (x)
    [two] u = Relu (z)
  })");
  CHECK(told(subject.around("one", "two")) ==
        "input x -FLOAT[N]-> Relu one (victim)\n"
        "input z -FLOAT[N]-> Relu two (culprit)\n"
        "Relu one (victim) -FLOAT[N]-> output y\n"
        "Relu two (culprit) -FLOAT[N]-> output u\n");
}

TEST_CASE("a tensor with ten thousand readers, a node with a thousand inputs") {
  std::string text = "g (float[N] x) => (float[N] y) {\n[hub] h = Relu (x)\n";
  std::string inputs;
  for (int i = 0; i < 10'000; ++i) {
    text += "[r" + std::to_string(i) + "] u" + std::to_string(i) + " = Relu (h)\n";
    if (i < 1000) inputs += (i == 0 ? "u" : ", u") + std::to_string(i);
  }
  const Subject subject(text + "[all] y = Concat <axis = 0> (" + inputs + ")\n}");
  NeighbourhoodFinder finder(subject.model, subject.shapes);

  const auto start = std::chrono::steady_clock::now();
  Neighbourhood hub;
  Neighbourhood all;
  for (int i = 0; i < 500; ++i) {
    hub = finder.around({.victim = subject.node("hub"), .culprit = {}, .value = {}});
    all = finder.around({.victim = subject.node("all"), .culprit = {}, .value = "u900"});
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  CHECK(took.count() < 5.0);

  CHECK(count(hub, Neighbourhood::Kind::node) <= 16);
  CHECK_THAT(told(hub), Contains("Relu hub (victim) -FLOAT[N]-> more 9996 more"));
  CHECK(count(all, Neighbourhood::Kind::node) <= 16);
  CHECK(count(all, Neighbourhood::Kind::more) <= 16);
  CHECK_THAT(told(all), Contains("Relu r900 =FLOAT[N]=> Concat all (victim)"));
}

TEST_CASE("graphs that no runtime would take") {
  const Subject cyclic(R"(g (float[N] x) => (float[N] y) {
    [a] y = Add (x, z)
    [b] z = Relu (y)
  })");
  CHECK_THAT(told(cyclic.around("a", "b")), Contains("Relu b (culprit)") && Contains("> Relu b (culprit)"));
  const Subject undefined("g (float[N] x) => (float[N] y) { [a] y = Add (x, nowhere) }");
  CHECK_THAT(told(undefined.around("a", "", "nowhere")), Contains("more nothing makes it =?=> Add a (victim)"));
  const Subject itself("g (float[N] x) => (float[N] y) { [a] y = Add (x, y) }");
  CHECK_THAT(told(itself.around("a")), Contains("Add a (victim) -FLOAT[N]-> Add a (victim)"));
}

TEST_CASE("bodies: what they read from around them, and who reads for them") {
  const Subject subject(R"(g (float[N] x, bool c) => (float[N] y) {
    [pre] p = Relu (x)
    [if] y = If (c) <
      then_branch = yes () => (float[N] t) { [in] t = Abs (p) },
      else_branch = no () => (float[N] e) { e = Neg (p) }
    >
  })");
  CHECK(told(subject.around("in")) ==
        "input x -FLOAT[N]-> Relu pre\n"
        "input c -BOOL[]-> If if\n"
        "Relu pre -FLOAT[N]-> Abs in (victim)\n"
        "Relu pre -FLOAT[N]-> If if\n"
        "If if -FLOAT[N]-> output y\n"
        "Abs in (victim) -FLOAT[N]-> output t\n");
  CHECK_THAT(told(subject.around("pre")), Contains("Relu pre (victim) -FLOAT[N]-> If if"));
}

TEST_CASE("findings get the culprit that their reasons name") {
  const std::string bytes = test::onnx_bytes(R"(g (float[N,4,H] x, float[3] s) => (float[N,M,H] y) <float[8,2,3] w> {
    [pre] p = Relu (x)
    [view] r = Reshape (p, shape)
    [conv] y = Conv <group = 2> (r, w)
    shape = Constant <value = int64[3] {0, -1, 6}> ()
  })");
  const Report plain = check(test::as_bytes(bytes), {});
  CheckOptions options;
  options.neighbourhoods = true;
  const Report report = check(test::as_bytes(bytes), options);
  REQUIRE(plain.findings.size() == report.findings.size());
  bool seen = false;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    CHECK(plain.findings[i].neighbourhood.empty());
    CHECK(plain.findings[i].message == report.findings[i].message);
    if (report.findings[i].node != "conv") continue;
    seen = true;
    CHECK_THAT(told(report.findings[i].neighbourhood), Contains("Conv conv (victim)"));
  }
  CHECK(seen);
}

TEST_CASE("a report has neighbourhoods of its first findings only") {
  std::string text = "g (float[N] x) => (float[N] y) {\n";
  for (int i = 0; i < 600; ++i) text += "u" + std::to_string(i) + " = Foo" + std::to_string(i) + " (x)\n";
  const std::string bytes = test::onnx_bytes(text + "y = Relu (x)\n}");
  CheckOptions options;
  options.neighbourhoods = true;
  const Report report = check(test::as_bytes(bytes), options);
  std::size_t drawn = 0;
  for (const Finding& finding : report.findings) drawn += finding.neighbourhood.empty() ? 0U : 1U;
  CHECK(report.findings.size() >= 600);
  CHECK(drawn == kMaxNeighbourhoods);
}

TEST_CASE("names of a hostile model are cut") {
  const std::string name(100'000, 'n');
  const Subject subject("g (float[N] x) => (float[N] y) { [" + name + "] y = Relu (x) }");
  for (const Neighbourhood::Node& node : subject.around(subject.model.node_label(NodeId{0})).nodes)
    CHECK(node.name.size() <= kMaxText + std::string_view("... (100000 bytes)").size());
}
