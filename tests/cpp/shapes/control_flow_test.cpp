// If, Loop, Scan and calls of model-local functions.
#include <catch2/catch.hpp>

#include "inferred.hpp"

namespace trtcheck::test {
namespace {

TEST_CASE("If keeps what both branches agree on") {
  const Inferred inferred(R"(g (bool c, float[N,3,H] x) => (y, z) {
    y, z = If (c) <
      then_branch = t () => (a, float[2] b) { a = Relu(x) b = Constant<value_floats = [1.0, 2.0]>() },
      else_branch = e () => (d, float[1,2] f) { o = Constant<value_ints = [0]>() p = Constant<value_ints = [2]>()
        i = Constant<value_ints = [2]>() d = Slice(x, o, p, i) k = Constant<value_floats = [1.0, 2.0]>() f = Unsqueeze(k, o) }
    >
  })");
  CHECK(inferred.text("y") == "FLOAT[N,3,?]");
  CHECK(inferred.text("z") == "FLOAT[...]");
  const ValueShape& shape = inferred.shapes()[inferred.value("y")];
  const auto origins = inferred.shapes().dims().origins(shape.dims[2]);
  REQUIRE(origins.size() == 1);
  CHECK(origins[0].reason == "the branches of If differ");
  CHECK_FALSE(inferred.shapes().taken_branch(inferred.model().value(inferred.value("y")).producer));
}

TEST_CASE("a known condition takes one branch") {
  const Inferred inferred(R"(g (float[N,3] x) => (y) {
    s = Shape(x) i = Constant<value_int = 1>() n = Gather(s, i) three = Constant<value_int = 3>() c = Equal(n, three)
    y = If (c) <
      then_branch = t () => (a) { a = Transpose(x) },
      else_branch = e () => (d) { d = Foo(x) }
    >
  })");
  CHECK(inferred.text("y") == "FLOAT[3,N]");
  const GraphId taken = inferred.shapes().taken_branch(inferred.model().value(inferred.value("y")).producer);
  REQUIRE(taken);
  CHECK(inferred.model().graph(taken).attribute == "then_branch");
  // The condition is computed, so that the parser imports the other branch, too.
  CHECK(inferred.shapes()[inferred.value("d")].reason == "operator `Foo` is not known");
  CHECK(inferred.shapes().imports_both_branches(inferred.model().value(inferred.value("y")).producer));
}

TEST_CASE("of a constant condition the other branch is not looked at") {
  const Inferred inferred(R"(g (float[N,3] x) => (y) <bool c = {1}> {
    y = If (c) <
      then_branch = t () => (a) { a = Transpose(x) },
      else_branch = e () => (d) { d = Foo(x) }
    >
  })");
  CHECK(inferred.text("y") == "FLOAT[3,N]");
  CHECK(inferred.shapes()[inferred.value("d")].reason == "this branch is never taken");
  CHECK_FALSE(inferred.shapes().imports_both_branches(inferred.model().value(inferred.value("y")).producer));
}

TEST_CASE("what a loop carries is compared before and after one iteration") {
  const Inferred inferred(R"(g (float[N,4] x, float[2] z) => (y, u) <int64 n = {3}, bool c = {1}> {
    y, u = Loop (n, c, x, z) <body = b (int64 i, bool k, float[A,4] v, float[2] w) => (bool d, float[B,4] r, float[2] s) {
      d = Identity (k)
      r = Concat <axis = 0> (v, v)
      s = Relu (w)
    }>
  })");
  const auto changes = inferred.shapes().carried_changes();
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].index == 0);
  CHECK(inferred.shapes().text(changes[0].before) == "FLOAT[N,4]");
  CHECK(inferred.shapes().text(changes[0].after) == "FLOAT[2*N,4]");
}

TEST_CASE("Loop gives up on the axis that grows and keeps the others") {
  const Inferred inferred(R"(g (int64 m, bool c, float[N,4] x) => (y, s) {
    y, s = Loop (m, c, x) <
      body = b (int64 i, bool k, v) => (k2, w, r) { k2 = Identity(k) w = Concat<axis = 0>(v, x) r = Relu(v) }
    >
  })");
  CHECK(inferred.text("v") == "FLOAT[?,4]");
  CHECK(inferred.text("y") == "FLOAT[?,4]");
  CHECK(inferred.text("s") == "FLOAT[?,?,4]");
}

TEST_CASE("a size that grows with each iteration has no bounds") {
  const Inferred inferred(R"(g (int64 m, bool c, float[2,4] x, float[1,4] row, float[5,4] w) => (z) {
    y = Loop (m, c, x) <
      body = b (int64 i, bool k, v) => (k2, u) { k2 = Identity(k) u = Concat<axis = 0>(v, row) }
    >
    z = Add(y, w)
  })");
  CHECK(inferred.text("y") == "FLOAT[?,4]");
  CHECK(inferred.conflicts() == "");
  const ValueShape& shape = inferred.shapes()[inferred.value("y")];
  CHECK(inferred.shapes().dims().bounds(shape.dims[0]) == Interval{0, Interval::kMax});
}

TEST_CASE("sizes that shrink, swap or grow in an inner loop have no bounds either") {
  const Inferred shrinks(R"(g (int64 m, float[9,4] x, float[5,4] w) => (z) {
    y = Loop (m, "", x) <
      body = b (int64 i, bool k, v) => (k2, u) { k2 = Identity(k) o = Constant<value_ints = [1]>()
        e = Constant<value_ints = [100]>() a = Constant<value_ints = [0]>() u = Slice(v, o, e, a) }
    >
    z = Add(y, w)
  })");
  CHECK(shrinks.text("y") == "FLOAT[?,4]");
  CHECK(shrinks.conflicts() == "");
  const Inferred several(R"(g (int64 m, float[2,4] x, float[3,4] r, float[100,4] w) => (z, t) {
    y, q = Loop (m, "", x, r) <
      body = b (int64 i, bool k, v, p) => (k2, v2, p2) { k2 = Identity(k) v2 = Concat<axis = 0>(p, p) p2 = Concat<axis = 0>(v, v) }
    >
    z = Add(y, w) t = Add(q, w)
  })");
  CHECK(several.conflicts() == "");
  const Inferred nested(R"(g (int64 m, float[2,4] x, float[1,4] row, float[50,4] w) => (z, u) {
    y, s = Loop (m, "", x) <
      body = b (int64 i, bool k, v) => (k2, v2, n) { k2 = Identity(k)
        v2 = Loop (m, "", v) < body = c (int64 j, bool l, p) => (l2, q) { l2 = Identity(l) q = Concat<axis = 0>(p, row) } >
        n = Add(v2, w) }
    >
    z = Add(y, w) u = Identity(s)
  })");
  CHECK(nested.text("y") == "FLOAT[?,4]");
  CHECK(nested.conflicts() == "");
}

TEST_CASE("Loop with shapes that stand still runs its body once and knows its trip count") {
  const Inferred inferred(R"(g (float[N,4] x) => (y, s) {
    m = Constant<value_int = 5>() c = Cast<to = 9>(m)
    y, s = Loop (m, c, x) <
      body = b (int64 i, bool k, v) => (k2, w, r) { k2 = Identity(k) w = Relu(v) r = ReduceSum<keepdims = 0>(w) }
    >
  })");
  CHECK(inferred.text("y") == "FLOAT[N,4]");
  CHECK(inferred.text("s") == "FLOAT[5]");
  CHECK(inferred.conflicts() == "");
}

TEST_CASE("a size that moves one iteration later is not taken for a constant") {
  const Inferred inferred(R"(g (int64 m, float[2] x, float[2] z) => (y, u) {
    y, u = Loop (m, "", x, z) <
      body = b (int64 i, bool k, v, p) => (k2, w, q) { k2 = Identity(k) w = Concat<axis = 0>(v, x) q = Identity(v) }
    >
  })");
  CHECK(inferred.text("p") == "FLOAT[...]");
  CHECK(inferred.text("u") == "FLOAT[...]");
}

TEST_CASE("contents that a loop hands on unchanged stay known, others do not") {
  const Inferred inferred(R"(g (int64 m, float[N,6] x) => (y) {
    t = Constant<value_ints = [2, 3]>() n = Constant<value_ints = [1]>()
    a, b, y = Loop (m, "", t, n) <
      body = b (int64 i, bool k, p, q) => (k2, p2, q2, r) {
        k2 = Identity(k) p2 = Identity(p) q2 = Add(q, q) u = Constant<value_ints = [-1]>() e = Concat<axis = 0>(u, p)
        r = Reshape(x, e) }
    >
  })");
  CHECK(inferred.text("r") == "FLOAT[N,2,3]");
  CHECK(inferred.text("y") == "FLOAT[?,N,2,3]");
  CHECK(inferred.known("q") == "-");
  CHECK(inferred.known("b") == "-");
}

TEST_CASE("nested loops stay linear") {
  std::string text = "Relu(x0)";
  std::string body = "v = Relu(x)";
  std::string open;
  std::string close;
  for (int depth = 0; depth < 30; ++depth) {
    const std::string n = std::to_string(depth);
    open += "y" + n + " = Loop (m, \"\", " + (depth == 0 ? std::string("x") : "v" + std::to_string(depth - 1)) +
            ") < body = b" + n + " (int64 i" + n + ", bool k" + n + ", v" + n + ") => (c" + n + ", w" + n + ") { c" +
            n + " = Identity(k" + n + ") w" + n + " = Concat<axis = 0>(v" + n + ", x) ";
    close = "} > " + close;
  }
  const Inferred inferred("g (int64 m, float[2] x) => (y0) { " + open + close + " }");
  CHECK(inferred.text("y0") == "FLOAT[?]");
}

TEST_CASE("nested loops that change types stay linear, too") {
  std::string open;
  std::string close;
  for (int depth = 0; depth < 30; ++depth) {
    const std::string n = std::to_string(depth);
    open += "y" + n + " = Loop (m, \"\", " + (depth == 0 ? std::string("x") : "v" + std::to_string(depth - 1)) +
            ") < body = b" + n + " (int64 i" + n + ", bool k" + n + ", v" + n + ") => (c" + n + ", w" + n + ") { c" +
            n + " = Identity(k" + n + ") w" + n + " = Cast<to = " + std::to_string(6 + depth % 2) + ">(v" + n + ") ";
    close += "} > ";
  }
  const Inferred inferred("g (int64 m, float[2] x) => (y0) { " + open + close + " }");
  CHECK(inferred.text("y0") == "?[2]");
}

TEST_CASE("a state of Scan keeps its shape, or the runtime refuses it") {
  const Inferred kept(R"(g (float[D] init, float[L,E] x) => (last, all) {
    last, all = Scan <num_scan_inputs = 1, body = b (float[P] s, float[Q] e) => (t, r) { t = Add(s, e) r = Identity(t) }> (init, x)
  })");
  CHECK(kept.text("last") == "FLOAT[D]");
  CHECK(kept.text("all") == "FLOAT[L,broadcast(D, E)]");
  CHECK(kept.obligations() == "one_or_equal D E\nequal D broadcast(D, E)");
  const Inferred grows(R"(g (float[1] init, float[L,1] x) => (last) {
    last = Scan <num_scan_inputs = 1, body = b (float[P] s, float[Q] e) => (t) { t = Concat<axis = 0>(s, e) }> (init, x)
  })");
  CHECK(grows.text("last") == "FLOAT[?]");
}

TEST_CASE("Scan of opset 8 feeds batches") {
  const Inferred inferred(R"(g (float[B,3] init, float[B,L,3] x) => (last, all) {
    last, all = Scan <num_scan_inputs = 1, body = b (float[3] s, float[3] e) => (t, r) { t = Add(s, e) r = Identity(t) }> (, init, x)
  })",
                          8);
  CHECK(inferred.text("last") == "FLOAT[B,3]");
  CHECK(inferred.text("all") == "FLOAT[B,L,3]");
  CHECK(inferred.conflicts() == "");
}

TEST_CASE("Scan feeds slices and stacks results") {
  const Inferred inferred(R"(g (float[3] init, float[T,3] x) => (last, all) {
    last, all = Scan <num_scan_inputs = 1, body = b (float[3] s, float[3] e) => (t, r) { t = Add(s, e) r = Identity(t) }> (init, x)
  })");
  CHECK(inferred.text("e") == "FLOAT[3]");
  CHECK(inferred.text("last") == "FLOAT[3]");
  CHECK(inferred.text("all") == "FLOAT[T,3]");
}

TEST_CASE("each call of a function has shapes of its own") {
  const Inferred inferred(R"(<ir_version: 10, opset_import: ["" : 17, "local" : 1]>
    g (float[N,4] x, float[2,3,4] z) => (y, w) { y = local.Flat(x) w = local.Flat(z) }
    <domain: "local", opset_import: ["" : 17]>
    Flat (v) => (f) { t = Constant<value_ints = [-1, 2]>() f = Reshape(v, t) }
  )");
  CHECK(inferred.text("y") == "FLOAT[2*N,2]");
  CHECK(inferred.text("w") == "FLOAT[12,2]");
}

// ONNX Runtime: "output index 1 is out of range".
TEST_CASE("the standard forbids calls that leave outputs out") {
  const auto said = [](const char* outputs) {
    const Inferred inferred(
        std::string(R"(<ir_version: 10, opset_import: ["" : 17, "local" : 1]> g (float[N,4] x) => (y) { )") + outputs +
        R"( = local.Two(x) }
    <domain: "local", opset_import: ["" : 17]>
    Two (v) => (f, h) { f = Relu(v) h = Neg(v) }
  )");
    CHECK(inferred.text("y") == "FLOAT[N,4]");
    return inferred.conflicts();
  };
  CHECK(said("y") == "the call has 1 outputs, its function has 2");
  CHECK(said("y, z") == "");
}

TEST_CASE("an input that a call leaves out is left out inside, too") {
  const Inferred inferred(R"(<ir_version: 10, opset_import: ["" : 17, "local" : 1]>
    g (float[N,4] x) => (y) { y = local.Limit(x) }
    <domain: "local", opset_import: ["" : 17]>
    Limit (v, low) => (f) { f = Clip(v, low) }
  )");
  CHECK(inferred.text("y") == "FLOAT[N,4]");
}

}  // namespace
}  // namespace trtcheck::test
