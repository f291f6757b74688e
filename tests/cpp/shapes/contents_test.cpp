// Small integer contents are followed element by element.
#include <string>

#include <catch2/catch.hpp>

#include "inferred.hpp"
#include "shape_case.hpp"

namespace trtcheck::test {
namespace {

struct Case {
  std::string nodes;     ///< make y from x and constants
  std::string contents;  ///< "-" = not known
  std::string shape{};
};

void check(const std::string& input, const Case& c) {
  INFO(input << ": " << c.nodes);
  const Inferred inferred("g (" + input + " x, int64 k) => (y) { s = Shape(x) " + c.nodes + " }", 21);
  CHECK(inferred.known("y") == c.contents);
  if (!c.shape.empty()) CHECK(inferred.text("y") == c.shape);
  CHECK(inferred.conflicts() == "");
}

std::string ints(const std::string& name, const std::string& values) {
  return name + " = Constant<value_ints = [" + values + "]>() ";
}
std::string scalar(const std::string& name, const std::string& value) {
  return name + " = Constant<value_int = " + value + ">() ";
}

std::string floats(const std::string& name, const std::string& values) {
  return name + " = Constant<value_floats = [" + values + "]>() ";
}
std::string scalar_float(const std::string& name, const std::string& value) {
  return name + " = Constant<value_float = " + value + ">() ";
}

TEST_CASE("contents made of the sizes of x [N,3,H,W]") {
  const Case cases[] = {
      {"y = Identity(s)", "N,3,H,W", "INT64[4]"},
      {"y = Shape<start = 1, end = -1>(x)", "3,H"},
      {"y = Shape<start = -2>(x)", "H,W"},
      {"y = Size(x)", "3*H*N*W", "INT64[]"},
      {scalar("i", "2") + "y = Gather(s, i)", "H", "INT64[]"},
      {ints("i", "-1, 0") + "y = Gather(s, i)", "W,N", "INT64[2]"},
      {ints("a", "1") + ints("b", "3") + "y = Slice(s, a, b)", "3,H", "INT64[2]"},
      {ints("a", "2") + ints("b", "9223372036854775807") + "y = Slice(s, a, b)", "H,W", "INT64[2]"},
      {ints("a", "-1") + ints("b", "-9223372036854775807") + ints("e", "0") + ints("f", "-1") +
           "y = Slice(s, a, b, e, f)",
       "W,H,3,N"},
      // ONNX Runtime goes on to the front, the specification stops at once.
      {ints("a", "2") + ints("b", "9223372036854775807") + ints("e", "0") + ints("f", "-1") +
           "y = Slice(s, a, b, e, f)",
       "-", "INT64[?]"},
      {ints("a", "2") + "y = Mul(s, a)", "2*N,6,2*H,2*W"},
      {ints("a", "2") + "y = Div(s, a)", "floor(N/2),1,floor(H/2),floor(W/2)"},
      {ints("a", "1, 1, 2, 2") + "y = Sub(s, a)", "N - 1,2,H - 2,W - 2"},
      {ints("a", "4") + "y = Mod(s, a)", "N - 4*floor(N/4),3,H - 4*floor(H/4),W - 4*floor(W/4)"},
      {"y = Neg(s)", "-N,-3,-H,-W"},
      {ints("a", "-2") + "y = Div(s, a)", "-floor(N/2),-1,-floor(H/2),-floor(W/2)"},
      {"y = Cast<to = 6>(s)", "N,3,H,W", "INT32[4]"},
      {"f = Cast<to = 1>(s) y = Cast<to = 7>(f)", "N,3,H,W", "INT64[4]"},
      {"y = Cast<to = 9>(s)", "1,1,1,1", "BOOL[4]"},
      {"y = ReduceProd<keepdims = 0>(s)", "3*H*N*W", "INT64[]"},
      {ints("a", "5, 6") + "y = Concat<axis = 0>(s, a)", "N,3,H,W,5,6"},
      {"p, y = Split<num_outputs = 2>(s)", "H,W"},
      {ints("a", "1, 3") + "p, y = Split(s, a)", "3,H,W"},
      {ints("a", "0") + "n = Gather(s, a) y = Squeeze(n)", "N", "INT64[]"},
      {ints("a", "-1, 3, -1, 7") + ints("m", "-1") + "c = Equal(a, m) y = Where(c, s, a)", "N,3,H,7"},
      {ints("m", "0") + "c = Greater(s, m) y = Cast<to = 7>(c)", "1,1,1,1"},
      {ints("m", "3") + "c = Less(s, m) y = Cast<to = 7>(c)", "?,0,?,?"},
      {ints("n", "3") + "y = ConstantOfShape(n)", "0,0,0", "FLOAT[3]"},
      {ints("n", "3") + "y = ConstantOfShape<value = int64[1] {7}>(n)", "7,7,7", "INT64[3]"},
      {ints("m", "3") + "y = Max(s, m)", "max(3, N),3,max(3, H),max(3, W)"},
      {scalar("a", "0") + scalar("b", "6") + scalar("d", "2") + "y = Range(a, b, d)", "0,2,4", "INT64[3]"},
      {ints("a", "0") + "u = Unsqueeze(k, a) y = Concat<axis = 0>(u, s)", "?,N,3,H,W"},
      {"y = Clip(s)", "N,3,H,W"},
  };
  for (const Case& c : cases) check("float[N,3,H,W]", c);
}

TEST_CASE("float detours of exporters are followed as far as they are exact") {
  const std::string half = "h = Constant<value_float = 0.5>() ";
  const std::string odd = "h = Constant<value_float = 0.3>() ";
  const std::string f = "f = Cast<to = 1>(s) ";
  const Case cases[] = {
      {f + "h = Constant<value_float = 2.0>() m = Mul(f, h) r = Floor(m) y = Cast<to = 7>(r)", "2*N,2*H"},
      {f + half + "m = Mul(f, h) r = Floor(m) y = Cast<to = 7>(r)", "floor(N/2),floor(H/2)"},
      {f + half + "m = Mul(f, h) y = Cast<to = 7>(m)", "floor(N/2),floor(H/2)"},
      {f + "h = Constant<value_float = 3.0>() m = Div(f, h) r = Floor(m) y = Cast<to = 7>(r)", "floor(N/3),floor(H/3)"},
      {f + odd + "m = Mul(f, h) r = Floor(m) y = Cast<to = 7>(r)", "?,?"},
      {f + half + "y = Mul(f, h)", "?,?", "FLOAT[2]"},
      // TensorFlow's padding "same": max((ceil(H/2) - 1)*2 + 3 - H, 0)
      {f + floats("t", "2.0") + floats("o", "1.0") + floats("v", "3.0") + floats("z", "0.0") +
           "q = Div(f, t) c = Ceil(q) d = Sub(c, o) e = Mul(d, t) g = Add(e, v) h = Sub(g, f) i = Max(h, z) "
           "y = Cast<to = 7>(i)",
       "2*floor((N + 1)/2) - N + 1,2*floor((H + 1)/2) - H + 1"},
      {f + floats("t", "32.0") + "q = Div(f, t) c = Ceil(q) d = Mul(c, t) y = Cast<to = 7>(d)",
       "32*floor((N + 31)/32),32*floor((H + 31)/32)"},
      // halves go to the even number, thirds have none
      {f + floats("t", "2.0") + "q = Div(f, t) c = Round(q) y = Cast<to = 7>(c)",
       "floor((N + 1)/4) + floor((N + 2)/4),floor((H + 1)/4) + floor((H + 2)/4)"},
      {f + floats("t", "3.0") + "q = Div(f, t) c = Round(q) y = Cast<to = 7>(c)", "floor((N + 1)/3),floor((H + 1)/3)"},
      {f + half + "m = Mul(f, h) a = Add(m, h) r = Floor(a) y = Cast<to = 7>(r)", "floor((N + 1)/2),floor((H + 1)/2)"},
      {f + floats("t", "0.75") + "m = Mul(f, t) y = Cast<to = 7>(m)", "N - floor((N + 3)/4),H - floor((H + 3)/4)"},
      // a third that is multiplied by 3 again need not be whole in float32
      {f + floats("t", "3.0") + "q = Div(f, t) m = Mul(q, t) y = Cast<to = 7>(m)", "?,?"},
      {f + floats("t", "3.0") + floats("u", "2.0") + "q = Div(f, t) m = Mul(q, u) r = Floor(m) y = Cast<to = 7>(r)",
       "N - floor((N + 2)/3),H - floor((H + 2)/3)"},
      {f + half + "m = Neg(f) n = Mul(m, h) y = Cast<to = 7>(n)", "floor((N + 1)/2) - N,floor((H + 1)/2) - H"},
      {f + half + "m = Mul(f, h) a = Clip(m, h) r = Ceil(a) y = Cast<to = 7>(r)", "floor((N + 1)/2),floor((H + 1)/2)"},
      {f + half + "m = Mul(f, h) y = Less(h, m)", "?,?", "BOOL[2]"},
      {f + half + "m = Mul(f, h) y = LessOrEqual(h, m)", "1,1", "BOOL[2]"},
      {f + half + "m = Mul(f, h) t = Reciprocal(h) n = Mul(m, t) y = Cast<to = 7>(n)", "N,H"},
      // fractions move like numbers
      {f + half + "m = Mul(f, h) " + ints("i", "1") +
           "g = Gather(m, i) c = Concat<axis = 0>(g, m) r = Floor(c) "
           "y = Cast<to = 7>(r)",
       "floor(H/2),floor(N/2),floor(H/2)"},
      // products of sizes need more digits than float32 has, float64 has enough
      {"p = ReduceProd<keepdims = 1>(s) f = Cast<to = 1>(p) y = Cast<to = 7>(f)", "?"},
      {"p = ReduceProd<keepdims = 1>(s) f = Cast<to = 11>(p) y = Cast<to = 7>(f)", "H*N"},
      {"f = Cast<to = 10>(s) y = Cast<to = 7>(f)", "?,?"},
  };
  for (const Case& c : cases) check("float[N,H]", c);
}

TEST_CASE("numbers are computed as the type rounds them") {
  const Case cases[] = {
      {floats("a", "10.0") + floats("b", "0.7") + "m = Mul(a, b) y = Cast<to = 7>(m)", "7"},
      {floats("a", "0.1") + floats("b", "3.0") + "m = Mul(a, b) n = Mul(m, a) r = Ceil(n) y = Cast<to = 7>(r)", "1"},
      {floats("a", "2.0") + "r = Sqrt(a) m = Mul(r, r) y = Cast<to = 7>(m)", "1"},
      {floats("a", "3.0") + "r = Sqrt(a) m = Mul(r, r) y = Cast<to = 7>(m)", "3"},
      {floats("a", "100.0") + floats("b", "0.29") + "m = Mul(a, b) y = Cast<to = 7>(m)", "29"},
      {floats("a", "2.5, 3.5, -2.5, 0.4") + "r = Round(a) y = Cast<to = 7>(r)", "2,4,-2,0"},
      {floats("a", "-2.5, 2.5") + "y = Cast<to = 7>(a)", "-2,2"},
      {floats("a", "0.0, 0.5") + "y = Cast<to = 9>(a)", "0,1"},
      {floats("a", "1.5") + ints("i", "2") + "y = Pow(a, i)", "?", "FLOAT[1]"},
      {floats("a", "1.5") + ints("i", "2") + "p = Pow(a, i) m = Mul(p, p) y = Cast<to = 7>(m)", "5"},
      {floats("a", "1.0") + floats("b", "0.0") + "q = Div(a, b) y = Cast<to = 7>(q)", "?"},
      {scalar_float("a", "0.0") + scalar_float("b", "1.0") + scalar_float("d", "0.25") + "y = Range(a, b, d)", "-",
       "FLOAT[4]"},
      // 1.1 - 0.1 is 1 in float32 and a little more in double: runtimes differ
      {scalar_float("a", "0.1") + scalar_float("b", "1.1") + scalar_float("d", "0.1") + "y = Range(a, b, d)", "-",
       "FLOAT[?]"},
      {scalar("i", "1") + "g = Gather(s, i) f = Cast<to = 1>(g) " + scalar_float("a", "0.0") +
           scalar_float("d", "2.0") + "y = Range(a, f, d)",
       "-", "FLOAT[floor((H + 1)/2)]"},
  };
  for (const Case& c : cases) check("float[N,H]", c);
}

TEST_CASE("numbers that a type cannot hold are not followed") {
  const Case cases[] = {
      {"a = Constant<value_float = 16777216.0>() b = Constant<value_float = 1.0>() y = Add(a, b)", "16777216",
       "FLOAT[]"},
      {"a = Constant<value_float = 16777215.0>() b = Constant<value_float = 1.0>() y = Add(a, b)", "16777216",
       "FLOAT[]"},
      {ints("i", "2147483647") + ints("j", "1") + "a = Cast<to = 6>(i) b = Cast<to = 6>(j) y = Add(a, b)", "?",
       "INT32[1]"},
      {ints("i", "2147483647") + ints("j", "1") + "y = Add(i, j)", "2147483648", "INT64[1]"},
      {ints("i", "100") + "a = Cast<to = 3>(i) y = Add(a, a)", "?", "INT8[1]"},
      {ints("i", "60") + "a = Cast<to = 3>(i) y = Add(a, a)", "120", "INT8[1]"},
      // 10009766.6259765625 needs more digits than float32 has.
      {ints("i", "10000001") + "f = Cast<to = 1>(i) h = Constant<value_float = 1.0009765625>() m = Mul(f, h) "
                               "r = Floor(m) y = Cast<to = 7>(r)",
       "10009767", "INT64[1]"},
  };
  for (const Case& c : cases) check("float[N,H]", c);
}

TEST_CASE("pads that an exporter flips as a matrix stay known") {
  // What torch.onnx makes of F.pad: [a, b, c, d, 0, 0, 0, 0] -> rows of two, flipped, transposed, flattened.
  const Case c{ints("p", "1, 2, 3, 4") + ints("n", "4") +
                   "z = ConstantOfShape<value = int64[1] {0}>(n) c = Concat<axis = 0>(p, z) " + ints("t", "-1, 2") +
                   "m = Reshape(c, t) " + ints("a", "-1") + ints("b", "-9223372036854775807") + ints("e", "0") +
                   "f = Slice(m, a, b, e, a) u = Transpose<perm = [1, 0]>(f) v = Reshape(u, a) y = Cast<to = 7>(v)",
               "0,0,3,1,0,0,4,2", "INT64[8]"};
  check("float[N,3,H,W]", c);
}

TEST_CASE("sizes come back as sizes") {
  const Case cases[] = {
      {"y = ConstantOfShape(s)", "-", "FLOAT[N,H]"},
      {ints("a", "1, 1") + "y = Expand(a, s)", "-", "INT64[N,2]"},
      {scalar("i", "1") + "h = Gather(s, i) " + scalar("a", "0") + scalar("d", "1") + "y = Range(a, h, d)", "-",
       "INT64[H]"},
      {scalar("i", "1") + "h = Gather(s, i) " + scalar("a", "0") + scalar("d", "2") + "y = Range(a, h, d)", "-",
       "INT64[floor((H + 1)/2)]"},
      {"y = NonZero(x)", "-", "INT64[2,?]"},
      {ints("a", "1") + ints("b", "-1") + ints("e", "1") + "y = Slice(x, a, b, e)", "-", "FLOAT[N,max(0, H - 2)]"},
      {ints("a", "0") + ints("b", "9223372036854775807") + ints("e", "1") + ints("p", "2") + "y = Slice(x, a, b, e, p)",
       "-", "FLOAT[N,floor((H + 1)/2)]"},
      {ints("a", "-1") + ints("b", "-9223372036854775807") + ints("e", "1") + ints("p", "-1") +
           "y = Slice(x, a, b, e, p)",
       "-", "FLOAT[N,H]"},
      {"y = Gather<axis = 1>(x, s)", "-", "FLOAT[N,2]"},
      {ints("i", "1") + "y, z = TopK(x, i)", "-", "FLOAT[N,1]"},
      // 1 - N is 0 or negative: from the front, or from the end
      {scalar("i", "0") + "n = Gather(s, i) " + ints("o", "1") + "c = Sub(o, n) " + ints("b", "9223372036854775807") +
           ints("e", "1") + "y = Slice(x, c, b, e)",
       "-", "FLOAT[N,H - min(H, max(0, H*min(1, N - 1) - N + 1))]"},
      {"r = Reshape(x, s) u = Shape(x) m = Constant<value_int = 0>() z = Constant<value_ints = [0]>() v = Max(s, z) "
       "y = Expand(x, v)",
       "-", "FLOAT[N,H]"},
  };
  for (const Case& c : cases) check("float[N,H]", c);
}

TEST_CASE("sizes that depend on data are those of the data where it is constant, and bounded where it is not") {
  const Case cases[] = {
      {ints("a", "0, 3, 0, 5") + "y = NonZero(a)", "-", "INT64[1,2]"},
      {ints("a", "0, 3, 0, 5") + "n = NonZero(a) " + ints("t", "-1") + "y = Reshape(n, t)", "1,3", "INT64[2]"},
      {"y = NonZero(s)", "-", "INT64[1,2]"},
      {"m = Constant<value = bool[2,2] {1, 0, 1, 1}>() y = NonZero(m)", "-", "INT64[2,3]"},
      {"m = Constant<value = float[2,2] {0.5, 0, 0, 1}>() y = NonZero(m)", "-", "INT64[2,2]"},
      {ints("a", "4, 2, 4, 2, 2") + "y = Unique(a)", "-", "INT64[2]"},
      {"m = Constant<value = int64[3,2] {1, 2, 3, 4, 1, 2}>() y = Unique<axis = 0>(m)", "-", "INT64[2,2]"},
      {"m = Constant<value = int64[3,2] {1, 2, 3, 4, 1, 2}>() y = Unique<axis = 1>(m)", "-", "INT64[3,2]"},
      {"m = Constant<value = float[2,2] {0.5, 0.5, 0, 1}>() y = Unique(m)", "-", "FLOAT[3]"},
      {"c = Constant<value = bool[3] {1, 0, 1}>() a = Constant<value = int64[4,2] {1, 2, 3, 4, 5, 6, 7, 8}>() "
       "y = Compress<axis = 0>(a, c)",
       "-", "INT64[2,2]"},
      {"c = Constant<value = bool[3] {1, 0, 1}>() a = Constant<value = int64[4,2] {1, 2, 3, 4, 5, 6, 7, 8}>() "
       "y = Compress(a, c)",
       "-", "INT64[2]"},
      // the axis may have 1 or 2 elements only
      {"c = Constant<value = bool[3] {1, 0, 1}>() y = Compress<axis = 0>(x, c)", "-", "FLOAT[?,H]"},
      {"c = Constant<value = bool[1] {1}>() y = Compress<axis = 0>(x, c)", "-", "FLOAT[1,H]"},
      // a table of two numbers, from the first on to a size of 1 or more
      {ints("t", "7, 8") + ints("a", "0") + ints("o", "1") + "b = Slice(s, a, o) c = Add(b, o) y = Slice(t, a, c)",
       "7,8", "INT64[2]"},
      {ints("t", "7, 8") + ints("a", "0") + ints("o", "1") + "b = Slice(s, a, o) y = Slice(t, a, b)", "-",
       "INT64[min(2, N)]"},
  };
  for (const Case& c : cases) check("float[N,H]", c);
  const Inferred bounded(R"(g (float[1,80] x, float[1,5,4] b, float[1,3,5] c) => (n, u, m, r) {
    n = NonZero(x) u = Unique(x) k = Constant<value = int64[1] {2}>() m = NonMaxSuppression(b, c, k)
    z = Shape(n) i = Constant<value_int = 1>() j = Gather(z, i) o = Constant<value_int = 0>() s = Neg(i)
    r = Range(o, j, i) })",
                         17);
  const auto range = [&](const char* name, std::size_t axis) {
    return bounded.shapes().dims().bounds(bounded.shapes()[bounded.value(name)].dims[axis]);
  };
  CHECK(range("n", 1) == Interval{0, 80});
  CHECK(range("u", 0) == Interval{0, 80});
  CHECK(range("m", 0) == Interval{0, 6});
  CHECK(range("r", 0) == Interval{0, 80});
}

TEST_CASE("axes that sizes tell have to be there") {
  const auto reduced = [](const char* nodes) {
    return ShapeCase{18, "float[2,3] x, float[W] w", "int64[1] t = {-2}, int64[1] two = {2}", nodes, ""};
  };
  CHECK(obligation_text(reduced("a = Shape(w) y = ReduceMax(x, a)")) == "1 ? W: the reduced axis exists");
  CHECK(obligation_text(reduced("s = Shape(w) n = Neg(s) a = Max(n, t) y = ReduceMax(x, a)")).empty());
  CHECK(inferred_text(reduced("s = Shape(w) a = Max(s, two) y = ReduceMax(x, a)")) ==
        "FLOAT[?,?] ! the reduced axis exists: 1 is less than max(2, W)");
}

TEST_CASE("axes that are not known leave what does not depend on them") {
  const auto text = [](const std::string& input, const std::string& nodes) {
    return Inferred("g (" + input + ") => (y) { " + nodes + " }", 21).text("y");
  };
  CHECK(text("float[2,3] x, int64[2] a", "y = ReduceSum(x, a)") == "FLOAT[1,1]");
  CHECK(text("float[2,3] x, int64[2] a", "y = ReduceSum<keepdims = 0>(x, a)") == "FLOAT[]");
  CHECK(text("float[2,3] x, int64[1] a", "y = ReduceSum(x, a)") == "FLOAT[?,?]");
  CHECK(text("float[2,2] x, int64[1] a", "y = ReduceSum<keepdims = 0>(x, a)") == "FLOAT[2]");
  CHECK(text("float[2,3] x, int64[1] a", "y = ReduceSum<keepdims = 0>(x, a)") == "FLOAT[?]");
  CHECK(text("float[1,3,4] x, int64[1] a", "y = Squeeze(x, a)") == "FLOAT[3,4]");
  CHECK(text("float[1,3,1] x, int64[1] a", "y = Squeeze(x, a)") == "FLOAT[?,?]");
  CHECK(text("float[1,3,1] x, int64[2] a", "y = Squeeze(x, a)") == "FLOAT[3]");
  CHECK(text("float[1,N] x, int64[1] a", "y = Squeeze(x, a)") == "FLOAT[?]");
  CHECK(text("float[] x, int64[2] a", "y = Unsqueeze(x, a)") == "FLOAT[...]");
  CHECK(text("float[1] x, int64[2] a", "y = Unsqueeze(x, a)") == "FLOAT[1,1,1]");
  CHECK(text("float[3] x, int64[1] a", "y = Unsqueeze(x, a)") == "FLOAT[?,?]");
}

TEST_CASE("where both sides of a broadcast are open, neither is picked") {
  const Inferred inferred("g (float[N,1,4] a, float[M,3,1] b) => (y) { y = Add(a, b) }");
  CHECK(inferred.text("y") == "FLOAT[broadcast(M, N),3,4]");
  CHECK(inferred.obligations() == "one_or_equal N M");
  const Inferred literal("g (float[N] a, float[5] b) => (y) { y = Mul(a, b) }");
  CHECK(literal.text("y") == "FLOAT[5]");
  CHECK(literal.obligations() == "one_or_equal N 5");
  const Inferred never("g (float[2,3] a, float[2,4] b) => (y) { y = Mul(a, b) }");
  CHECK(never.text("y") == "FLOAT[...]");
  CHECK(never.conflicts() == "cannot broadcast 3 against 4 at axis 1");
}

TEST_CASE("elements of a tensor that may be empty are compared with it") {
  const Inferred inferred(
      "g (float[N,4] a, int64[N] b) => (y) { n = NonZero(a) m = Transpose<perm = [1, 0]>(n) z = Constant<value_ints = "
      "[0]>() t = Concat<axis = 0>(z, b) y = Reshape(m, t) s = Shape(m) e = Slice(s, z, o) o = Constant<value_ints = "
      "[1]>() f = Shape(a) g = Slice(f, z, o) u = Concat<axis = 0>(e, g) w = Reshape<allowzero = 1>(m, u) }");
  CHECK(inferred.text("w") == "INT64[?,N]");
  CHECK(inferred.obligations() == "equal ?*N 2*?");
}

TEST_CASE("the least number of a type has no opposite in it") {
  const Inferred inferred(
      "g (float[N] x) => (y) <int32[2] c = {-2147483648, 5}> { a = Neg(c) b = Abs(c) s = Shape(x) t = Cast<to = 6>(s) "
      "d = Neg(t) y = Neg(d) }");
  const auto contents = [&](const char* name) { return inferred.shapes()[inferred.value(name)].known; };
  for (const char* name : {"a", "b"}) {
    CAPTURE(name);
    CHECK_FALSE(contents(name)[0].is_literal());
    CHECK(contents(name)[1].is_literal());
  }
  CHECK(contents("y")[0].same(contents("s")[0]));
}

TEST_CASE("one number beyond all sizes is one number, wherever it stands") {
  const Inferred inferred(
      "g (bool c, float[N] x) => (y) { y = If(c) <then_branch = t () => (p) { p = Constant<value_ints = "
      "[9223372036854775807]>() }, else_branch = e () => (q) { q = Constant<value_ints = [9223372036854775807]>() }> "
      "k = Constant<value_ints = [9223372036854775807]>() f = Constant<value_ints = [9223372036854775806]>() }");
  const auto contents = [&](const char* name) { return inferred.shapes()[inferred.value(name)].known.front(); };
  CHECK(contents("y").same(contents("k")));
  CHECK_FALSE(contents("y").same(contents("f")));
}

TEST_CASE("a number that wraps in UINT64 is not the number that comes back") {
  const Inferred inferred(
      "g (float[N] x) => (y) { c = Constant<value_int = -1>() u = Cast<to = 13>(c) y = Cast<to = 7>(u) s = Shape(x) "
      "v = Cast<to = 13>(s) z = Cast<to = 7>(v) }");
  const auto contents = [&](const char* name) { return inferred.shapes()[inferred.value(name)].known.front(); };
  CHECK_FALSE(contents("u").same(contents("y")));
  CHECK(contents("s").same(contents("z")));
}

TEST_CASE("an entry of a Reshape target that is not known may be anything beside a size of 0") {
  const std::string target = "z = Constant<value_ints = [0]>() t = Concat<axis = 0>(z, k) y = Reshape(x, t)";
  CHECK(Inferred("g (float[0,4] x, int64[1] k) => (y) { " + target + " }").text("y") == "FLOAT[0,?]");
  CHECK(Inferred("g (float[3,4] x, int64[1] k) => (y) { " + target + " }").text("y") == "FLOAT[3,4]");
  // A number that the data decides may be 0, a name of an input is 1 or more.
  const Inferred counted("g (float[M,4] a, int64[1] k) => (y) { n = NonZero(a) x = Transpose<perm = [1, 0]>(n) " +
                         target + " }");
  CHECK(counted.text("y") == "INT64[?,?]");
  CHECK(Inferred("g (float[N,4] x, int64[1] k) => (y) { " + target + " }").text("y") == "FLOAT[N,4]");
}

TEST_CASE("Concat adds one axis and holds the others together") {
  const Inferred fits("g (float[N,3] a, float[N,M] b) => (y) { y = Concat<axis = 1>(a, b) }");
  CHECK(fits.text("y") == "FLOAT[N,M + 3]");
  CHECK(fits.obligations() == "");
  const Inferred may("g (float[N,3] a, float[4,3] b) => (y) { y = Concat<axis = 1>(a, b) }");
  CHECK(may.text("y") == "FLOAT[4,6]");
  CHECK(may.obligations() == "equal N 4");
  const Inferred never("g (float[2,3] a, float[4,3] b) => (y) { y = Concat<axis = 1>(a, b) }");
  CHECK(never.conflicts() == "Concat inputs agree on all other axes: 2 is not 4");
  CHECK(never.text("y") == "FLOAT[?,6]");
  const Inferred once("g (float[2,3] a, float[4,3] b, float[5,3] c) => (y) { y = Concat<axis = 1>(a, b, c) }");
  CHECK(once.text("y") == "FLOAT[?,9]");
  CHECK(once.conflicts() == "Concat inputs agree on all other axes: 2 is not 4");
  const Inferred ranks("g (float[2,3] a, float[2] b) => (y) { y = Concat<axis = 0>(a, b) }");
  CHECK(ranks.conflicts() == "Concat input 1 has 1 axes, input 0 has 2");
}

TEST_CASE("constants fold, and what is made of them, but nothing that depends on an input or on chance") {
  const Inferred inferred(R"(g (float[2,N] x) => (y) {
    a = Constant<value_ints = [1]>() b = Add(a, a) r = RandomNormal<shape = [2]>() s = Shape(x) e = Shape<end = 1>(x)
    y = Relu(x) })");
  const auto folds = [&](const char* name) { return inferred.shapes().folds_to_constant(inferred.value(name)); };
  CHECK(folds("a"));
  CHECK(folds("b"));
  CHECK(folds("e"));
  CHECK_FALSE(folds("r"));
  CHECK_FALSE(folds("s"));
  CHECK_FALSE(folds("y"));
}

}  // namespace
}  // namespace trtcheck::test
