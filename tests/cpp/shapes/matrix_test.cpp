// Contents of rank 2: how PyTorch's older exporter computes the pads of F.pad.
#include <string>

#include <catch2/catch.hpp>

#include "inferred.hpp"

namespace trtcheck::test {
namespace {

std::string ints(const std::string& name, const std::string& values) {
  return name + " = Constant<value_ints = [" + values + "]>() ";
}

/// y from m, which holds 1 to 6 and N as rows of two.
std::string of_matrix(const std::string& nodes) {
  return "g (float[N] x) => (y) { s = Shape(x) " + ints("six", "1, 2, 3, 4, 5") + "v = Concat<axis = 0>(six, s) " +
         ints("two", "-1, 2") + "m = Reshape(v, two) " + ints("flat", "-1") + nodes + " }";
}

TEST_CASE("contents survive as a matrix and come back as a vector") {
  const std::string rows = ints("a", "0") + ints("minus", "-1");
  struct Case {
    std::string nodes;
    std::string contents;
  };
  const Case cases[] = {
      {"y = Reshape(m, flat)", "1,2,3,4,5,N"},
      {"t = Transpose(m) y = Reshape(t, flat)", "1,3,5,2,4,N"},
      {"t = Transpose<perm = [1, 0]>(m) y = Reshape(t, flat)", "1,3,5,2,4,N"},
      {"t = Transpose<perm = [0, 1]>(m) y = Reshape(t, flat)", "1,2,3,4,5,N"},
      {rows + ints("far", "-9223372036854775807") + "r = Slice(m, minus, far, a, minus) y = Reshape(r, flat)",
       "5,N,3,4,1,2"},
      {rows + ints("end", "2") + "r = Slice(m, a, end, a) y = Reshape(r, flat)", "1,2,3,4"},
      {rows + ints("e", "1") + "r = Slice(m, a, e, e) y = Reshape(r, flat)", "1,3,5"},
      // What is computed from the matrix is not followed.
      {"r = Add(m, m) y = Reshape(r, flat)", "-"},
      {"y = Identity(m)", "-"},
  };
  for (const Case& c : cases) {
    INFO(c.nodes);
    const Inferred inferred(of_matrix(c.nodes));
    CHECK(inferred.known("y") == c.contents);
    CHECK(inferred.conflicts() == "");
  }
}

TEST_CASE("the pads of F.pad are known") {
  // pad of the last two axes by (1, 2) and (N, 4), as exported: zeros behind, pairs reversed, then columns.
  const Inferred inferred(
      "g (float[B,3,N,7] x) => (y) { s = Shape(x) " + ints("i", "2") + "n = Gather(s, i) " + ints("front", "1, 2") +
      ints("last", "4") + ints("zeros", "0, 0, 0, 0") + "p = Concat<axis = 0>(front, n, last, zeros) " +
      ints("two", "-1, 2") + "m = Reshape(p, two) " + ints("a", "0") + ints("b", "-1") +
      ints("far", "-9223372036854775807") + "r = Slice(m, b, far, a, b) " +
      "t = Transpose<perm = [1, 0]>(r) q = Reshape(t, b) pads = Cast<to = 7>(q) y = Pad(x, pads) }");
  CHECK(inferred.known("pads") == "0,0,N,1,0,0,4,2");
  CHECK(inferred.text("y") == "FLOAT[B,3,2*N + 4,10]");
  CHECK(inferred.conflicts() == "");
}

TEST_CASE("a matrix of a loop body does not outlive its iteration") {
  const Inferred inferred("g (int64[4] v, int64 trip, bool go) => (y) { " + ints("two", "2, 2") + ints("flat", "-1") +
                          ints("start", "1, 2, 3, 4") +
                          "y = Loop(trip, go, start) <body = b (int64 i, bool c, int64[4] w) => (bool d, int64[4] o) { "
                          "d = Identity(c) m = Reshape(w, two) f = Reshape(m, flat) o = Add(f, v) }> }");
  CHECK(inferred.known("f") == "-");
}

}  // namespace
}  // namespace trtcheck::test
