// Where sizes come from: declared inputs, ranges of a profile, claims of the file.
#include <catch2/catch.hpp>
#include <trtcheck/error.hpp>

#include "inferred.hpp"

namespace trtcheck::test {
namespace {

TEST_CASE("declared sizes become literals, symbols and expressions") {
  const Inferred inferred("g (float[2,N,?] x, float z, int64 k) => (y) { y = Relu(x) }");
  CHECK(inferred.text("y") == "FLOAT[2,N,x.dim2]");
  CHECK(inferred.text("k") == "INT64[]");
}

TEST_CASE("ranges bound the symbols, and a range of one size is that size") {
  const InferOptions options{.ranges = {{"x", {{4, 8}, {3, 3}, {7, 7}}}}, .as_tensorrt = false};
  const Inferred inferred("g (float[N,3,?] x) => (y) { y = Relu(x) }", 17, options);
  CHECK(inferred.text("y") == "FLOAT[N,3,7]");
  const ValueShape& shape = inferred.shapes()[inferred.value("y")];
  CHECK(inferred.shapes().dims().bounds(shape.dims[0]) == Interval{4, 8});
}

std::string refusal(const InferOptions& options) {
  try {
    const Inferred inferred("g (float[N,3] x, float[N] z) => (y) { y = Relu(x) }", 17, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a range for an initializer is refused") {
  const InferOptions options{.ranges = {{"t", {{1, 2}}}}, .as_tensorrt = false};
  CHECK_THROWS_WITH(Inferred("g (float[6] x, int64[2] t = {2, 3}) => (y) { y = Reshape(x, t) }", 17, options),
                    "range of `t`: it has an initializer, which makes it a constant");
}

TEST_CASE("ranges that make no sense are refused") {
  CHECK(refusal({.ranges = {{"w", {{1, 2}}}}, .as_tensorrt = false}) == "range of `w`: the model has no such input");
  CHECK(refusal({.ranges = {{"x", {{1, 2}}}}, .as_tensorrt = false}) == "range of `x`: 1 axes, the input has 2");
  CHECK(refusal({.ranges = {{"x", {{1, 2}, {4, 8}}}}, .as_tensorrt = false}) ==
        "range of `x`: axis 1 is 3 in the model, not 4..8");
  CHECK(refusal({.ranges = {{"x", {{2, 1}, {3, 3}}}}, .as_tensorrt = false}) ==
        "range of `x`: 2..1 is no range of sizes");
  CHECK(refusal({.ranges = {{"x", {{1, 2}, {3, 3}}}, {"z", {{4, 8}}}}, .as_tensorrt = false}) ==
        "range of `z`: axis 0: 4..8 leaves no size for `N`");
  CHECK(refusal({.ranges = {{"x", {{1, 4}, {3, 3}}}, {"z", {{4, 8}}}}, .as_tensorrt = false}) == "");
}

TEST_CASE("a claim is believed only where nothing is known, and marked") {
  const Inferred inferred(
      "g (float[N,3] x) => (y) <float[N,7] u, float[N,9] v> { u = Foo(x) v = Relu(u) y = Relu(v) }");
  CHECK(inferred.text("u") == "FLOAT[N,7]");
  CHECK(inferred.shapes()[inferred.value("u")].assumed);
  CHECK(inferred.text("v") == "FLOAT[N,7]");
  CHECK(inferred.shapes()[inferred.value("v")].assumed);  // it rests on the claim about `u`
  CHECK_FALSE(inferred.shapes()[inferred.value("x")].assumed);
  CHECK(inferred.mismatches() == "`v` is declared as FLOAT[N,9], computed is FLOAT[N,7]");
  CHECK(inferred.shapes()[inferred.value("u")].reason == "operator `Foo` is not known");
}

TEST_CASE("as TensorRT claims count for nothing") {
  const Inferred inferred("g (float[N,3] x) => (y) <float[N,7] u> { u = Foo(x) y = Relu(u) }", 17,
                          {.ranges = {}, .as_tensorrt = true});
  CHECK(inferred.text("u") == "?");
}

TEST_CASE("an open axis takes the claimed size") {
  const Inferred inferred("g (float[N,3] x) => (y) <int64[2,K] u> { u = NonZero(x) y = Relu(u) }");
  CHECK(inferred.text("u") == "INT64[2,K]");
  CHECK(inferred.shapes()[inferred.value("u")].assumed);
}

TEST_CASE("only what is proved to differ is a contradiction") {
  const auto mismatches = [](const std::string& claim) {
    return Inferred("g (float[N,3,H] x) => (" + claim + " y) { y = Relu(x) }").mismatches();
  };
  CHECK(mismatches("float[N,3,H]") == "");
  CHECK(mismatches("float[batch,channels,7]") == "");
  CHECK(mismatches("float[1,3,7]") == "");
  CHECK(mismatches("float") == "`y` is declared as FLOAT[], computed is FLOAT[N,3,H]");
  CHECK(mismatches("float[N,4,H]") == "`y` is declared as FLOAT[N,4,H], computed is FLOAT[N,3,H]");
  CHECK(mismatches("float[N,H]") == "`y` is declared as FLOAT[N,H], computed is FLOAT[N,3,H]");
  CHECK(mismatches("int64[N,3,H]") == "`y` is declared as INT64[N,3,H], computed is FLOAT[N,3,H]");
}

TEST_CASE("an initializer is constant, whether the main graph lists it as an input or not, at any IR version") {
  const Inferred constant("g (float[6] x) => (y) <int64[2] t = {2, 3}> { y = Reshape(x, t) }");
  CHECK(constant.text("y") == "FLOAT[2,3]");
  for (const char* version : {"3", "4", "10"}) {
    const Inferred listed("<ir_version: " + std::string(version) + R"(, opset_import: ["" : 17]>
      g (float[6] x, int64[2] t = {2, 3}) => (y) { y = Reshape(x, t) })");
    CHECK(listed.text("y") == "FLOAT[2,3]");
    CHECK(listed.shapes().folds_to_constant(listed.value("t")));
    CHECK(listed.model().constant(listed.value("t")));
    CHECK_FALSE(listed.model().is_network_input(listed.value("t")));
    CHECK(listed.model().is_network_input(listed.value("x")));
  }
}

TEST_CASE("a parameter of a body is no constant, even if an initializer has its name") {
  const Inferred inferred(R"(g (int64 m, int64[2] s, float[6] x) => (y, r) {
    y, r = Loop (m, "", s) <
      body = b (int64 i, bool k, int64[2] t = {2, 3}) => (k2, t2, q) { k2 = Identity(k) t2 = Add(t, t) q = Reshape(x, t) }
    >
  })");
  CHECK(inferred.text("q") == "FLOAT[?,?]");
  CHECK_FALSE(inferred.model().constant(inferred.value("t")));
  CHECK_FALSE(inferred.model().is_network_input(inferred.value("t")));
}

}  // namespace
}  // namespace trtcheck::test
