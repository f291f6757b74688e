// Who reads the value `v`: its data, its shape alone, or nobody. What TensorRT-RTX 1.4.0 to 1.7.1 build when `v` comes
// from a node that only compiling refuses, and when from one that the analysis of shapes refuses.
#include <as_bytes.hpp>
#include <catch2/catch.hpp>
#include <onnx_text.hpp>
#include <string>

#include <trtcheck/model.hpp>

#include "view/reads.hpp"

namespace trtcheck::test {
namespace {

struct Case {
  const char* nodes;  ///< of x, to y
  const char* who;    ///< "data", "shape", "nobody"
};

ValueId named(const Model& model, std::string_view name) {
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    if (model.value(ValueId{i}).name == name) return ValueId{i};
  }
  return {};
}

std::string who_reads(const std::string& nodes) {
  const std::string bytes =
      onnx_bytes("agraph (float[N] x, bool c) => (y) <int64 n = {2}, float[2] k = {1, 2}> { " + nodes + " }", 17);
  const Model model = read_model(as_bytes(bytes));
  const ValueId value = named(model, "v");
  if (!value) return "no such value";
  if (is_read(model, value, Reads::data)) return "data";
  return is_read(model, value, Reads::anything) ? "shape" : "nobody";
}

constexpr const char* kBody = "body = b (int64 i, bool p, float[N] a, float[N] d) => (";

}  // namespace

TEST_CASE("a value is read by outputs of the model and by what they need") {
  const Case one = GENERATE(values<Case>({
      {"v = Relu(x) y = Neg(v)", "data"},
      {"v = Relu(x) y = Neg(x)", "nobody"},
      {"v = Relu(x) u = Neg(v) w = Abs(u) y = Neg(x)", "nobody"},
      {"v = Relu(x) y = Shape(v)", "shape"},
      {"v = Relu(x) u = Neg(v) y = Size(u)", "shape"},
      {"v = Relu(x) s = Shape(v) y = Neg(x)", "nobody"},
      {"v = Relu(x) y = CastLike(x, v)", "nobody"},
      {"v = Relu(x) y = CastLike(v, x)", "data"},
  }));
  CAPTURE(one.nodes);
  CHECK(who_reads(one.nodes) == one.who);
}

TEST_CASE("a value in a branch is read where the output of the If is") {
  const Case one = GENERATE(values<Case>({
      {"y = If(c) <then_branch = t () => (v) { v = Relu(x) }, else_branch = e () => (q) { q = Neg(x) }>", "data"},
      {"r = If(c) <then_branch = t () => (v) { v = Relu(x) }, else_branch = e () => (q) { q = Neg(x) }> y = Shape(r)",
       "shape"},
      {"y, r = If(c) <then_branch = t () => (u, v) { v = Relu(x) u = Abs(x) }, "
       "else_branch = e () => (q, p) { q = Neg(x) p = Neg(x) }>",
       "nobody"},
      {"y = If(c) <then_branch = t () => (u) { v = Relu(x) u = Abs(x) }, else_branch = e () => (q) { q = Neg(x) }>",
       "nobody"},
      {"v = Relu(x) y = If(c) <then_branch = t () => (u) { u = Abs(v) }, else_branch = e () => (q) { q = Neg(x) }>",
       "data"},
      {"v = Relu(x) r = If(c) <then_branch = t () => (u) { u = Abs(v) }, else_branch = e () => (q) { q = Neg(x) }> "
       "y = Neg(x)",
       "nobody"},
      // The condition decides what comes out.
      {"v = Not(c) y = If(v) <then_branch = t () => (u) { u = Abs(x) }, else_branch = e () => (q) { q = Neg(x) }>",
       "data"},
      // A branch may hand on a value of the graph around it.
      {"v = Relu(x) y = If(c) <then_branch = t () => (v) {}, else_branch = e () => (q) { q = Neg(x) }>", "data"},
  }));
  CAPTURE(one.nodes);
  CHECK(who_reads(one.nodes) == one.who);
}

TEST_CASE("a value in a body is read by the outputs of the Loop and by the next step") {
  const Case one = GENERATE(values<Case>({
      {"p2, v, u) { p2 = Identity(p) v = Relu(a) u = Abs(d) }> (n, c, x, x)  y = Neg(r)", "data"},
      {"p2, u, v) { p2 = Identity(p) v = Relu(a) u = Abs(a) }> (n, c, x, x)  y = Neg(r)", "nobody"},
      // Carried on, and read by what is read.
      {"p2, u, v) { p2 = Identity(p) v = Relu(a) u = Add(a, d) }> (n, c, x, x)  y = Neg(r)", "data"},
      {"p2, u, v) { p2 = Identity(p) v = Relu(d) u = Abs(a) }> (n, c, x, x)  y = Neg(r)", "nobody"},
      // The condition decides how often it runs.
      {"v, u, w) { v = Not(p) u = Abs(a) w = Abs(d) }> (n, c, x, x)  y = Neg(r)", "data"},
      {"v, u, w) { v = Not(p) u = Abs(a) w = Abs(d) }> (n, c, x, x)  y = Neg(x)", "nobody"},
      {"p2, u, w) { p2 = Identity(p) u = Abs(a) w = Abs(d) }> (n, c, v, x)  v = Relu(x) y = Neg(r)", "data"},
      {"p2, u, w) { p2 = Identity(p) u = Abs(a) w = Abs(d) }> (n, c, x, v)  v = Relu(x) y = Neg(r)", "nobody"},
      {"p2, u, w) { p2 = Identity(p) u = Add(a, d) w = Abs(d) }> (n, c, x, v)  v = Relu(x) y = Neg(r)", "data"},
      {"p2, u, w) { p2 = Identity(p) u = Abs(a) w = Abs(d) }> (n, v, x, x)  v = Not(c) y = Neg(r)", "data"},
      {"p2, u, w, v) { p2 = Identity(p) u = Abs(a) w = Abs(d) v = Relu(x) }> (n, c, x, x)  y = Neg(r)", "nobody"},
  }));
  CAPTURE(one.nodes);
  CHECK(who_reads(std::string("r, s, z = Loop <") + kBody + one.nodes) == one.who);
}

TEST_CASE("a value in a body is read by the outputs of the Scan and by the next step") {
  const Case one = GENERATE(values<Case>({
      {"b (float a, float e) => (u, v) { u = Relu(a) v = Abs(e) }> (k0, x)  y = Neg(z)", "data"},
      {"b (float a, float e) => (u, v) { u = Relu(a) v = Abs(e) }> (k0, x)  y = Neg(r)", "nobody"},
      {"b (float a, float e) => (v, u) { v = Relu(a) u = Abs(e) }> (k0, x)  y = Neg(z)", "nobody"},
      {"b (float a, float e) => (v, u) { v = Relu(a) u = Add(a, e) }> (k0, x)  y = Neg(z)", "data"},
      {"b (float a, float e) => (w, u) { w = Relu(a) u = Abs(e) }> (k0, v)  v = Abs(x) y = Neg(z)", "data"},
      {"b (float a, float e) => (w, u) { w = Relu(a) u = Abs(a) }> (k0, v)  v = Abs(x) y = Neg(z)", "nobody"},
  }));
  CAPTURE(one.nodes);
  const std::string first = "k0 = ReduceSum<keepdims = 0>(k) r, z = Scan <num_scan_inputs = 1, body = ";
  CHECK(who_reads(first + one.nodes) == one.who);
}

TEST_CASE("where a body does not fit its Scan, everything is read") {
  CHECK(who_reads("k0 = ReduceSum<keepdims = 0>(k) r, z = Scan <num_scan_inputs = 1, "
                  "body = b (float e) => (u, v) { u = Relu(e) v = Abs(e) }> (k0, x)  y = Neg(r)") == "data");
}

TEST_CASE("chains that are too long are taken for read") {
  std::string nodes = "v = Relu(x) t0 = Neg(v) y = Neg(x)";
  for (int i = 0; i < 100; ++i) nodes += " t" + std::to_string(i + 1) + " = Neg(t" + std::to_string(i) + ")";
  CHECK(who_reads(nodes) == "data");
}

}  // namespace trtcheck::test
