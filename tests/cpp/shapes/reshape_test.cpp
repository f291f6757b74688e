// Reshape, Flatten, Squeeze, Unsqueeze, Transpose, Expand, Tile: what becomes of sizes.
#include <string>

#include <catch2/catch.hpp>

#include "inferred.hpp"

namespace trtcheck::test {
namespace {

struct Case {
  std::string input;  ///< type of x
  std::string nodes;  ///< make y
  std::string shape;  ///< of y
  std::string conflict{};
  std::string obligation{};
  int opset = 17;
};

void check(const Case& c) {
  INFO("x: " << c.input << "  " << c.nodes << "  opset " << c.opset);
  const Inferred inferred("g (" + c.input + " x) => (y) { " + c.nodes + " }", c.opset);
  CHECK(inferred.text("y") == c.shape);
  CHECK(inferred.conflicts() == c.conflict);
  CHECK(inferred.obligations() == c.obligation);
}

std::string to(const std::string& target) { return "t = Constant<value_ints = [" + target + "]>() y = Reshape(x, t)"; }

TEST_CASE("Reshape solves a -1 exactly or says what it needs") {
  const Case cases[] = {
      {"float[2,3,4]", to("6, 4"), "FLOAT[6,4]"},
      {"float[2,3,4]", to("-1"), "FLOAT[24]"},
      {"float[2,3,4]", to("0, -1"), "FLOAT[2,12]"},
      {"float[N,S,768]", to("0, 0, 12, -1"), "FLOAT[N,S,12,64]"},
      {"float[N,3,H,W]", to("0, 0, -1"), "FLOAT[N,3,H*W]"},
      {"float[N,10]", to("-1, 5"), "FLOAT[2*N,5]"},
      {"float[N,10]", to("-1, 4"), "FLOAT[2*N + floor(N/2),4]", "", "divides 10*N 4"},
      {"float[N,10]", to("2, 5, -1"), "FLOAT[2,5,N]"},
      {"float[N,3,H]",
       "h = Shape<start = 2>(x) two = Constant<value_ints = [2]>() f = Div(h, two) m = Constant<value_ints = [-1]>() "
       "t = Concat<axis = 0>(m, f) y = Reshape(x, t)",
       "FLOAT[floor(3*H*N/max(1, floor(H/2))),floor(H/2)]", "", "at_least floor(H/2) 1\ndivides 3*H*N floor(H/2)"},
      {"float[0,4]", to("0"), "FLOAT[0]"},
      {"float[0,4]", to("0, 7"), "FLOAT[0,7]"},
      {"float[2,4]", to("0"), "FLOAT[2]", "Reshape cannot make 2 elements of 8"},
      {"float[2,3]", to("4, -1"), "FLOAT[4,?]", "the -1 of Reshape needs a whole quotient: 6 is not a multiple of 4"},
      {"float[2,3]", to("4, 2"), "FLOAT[4,2]", "Reshape cannot make 8 elements of 6"},
      {"float[2,3]", to("-1, -1"), "FLOAT[?,?]", "the Reshape target has more than one -1"},
      {"float[2,3]", to("6, -2"), "FLOAT[6,?]", "entry 1 of the Reshape target is -2"},
      {"float[2,3]", to("6, 1, 0"), "FLOAT[6,1,?]",
       "entry 2 of the Reshape target is 0 (copy), the input has 2 axes only"},
      {"float[N,3]", to("2, 3"), "FLOAT[2,3]", "", "equal N 2"},
      {"float", to("-1"), "FLOAT[1]"},
      {"float[1]", "t = Constant<value_ints = [0]>() e = Slice(t, t, t) y = Reshape(x, e)", "FLOAT[]"},
      {"float[0,3]", "t = Constant<value_ints = [3, 0]>() y = Reshape<allowzero = 1>(x, t)", "FLOAT[3,0]"},
      {"float[0,3]", "t = Constant<value_ints = [0, -1]>() y = Reshape<allowzero = 1>(x, t)", "FLOAT[0,?]",
       "a -1 in a Reshape target with a size of 0 has no answer"},
      {"float[2,3]", "y = Reshape<shape = [3, -1]>(x)", "FLOAT[3,2]", "", "", 4},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("Reshape targets made of sizes keep the sizes") {
  const Case cases[] = {
      {"float[N,C,H,W]",
       "s = Shape(x) i = Constant<value_ints = [0]>() n = Gather(s, i) m = Constant<value_ints = [-1]>() "
       "t = Concat<axis = 0>(n, m) y = Reshape(x, t)",
       "FLOAT[N,C*H*W]"},
      {"float[N,8,H,W]",
       "s = Shape(x) i = Constant<value_int = 0>() n = Gather(s, i) a = Constant<value_ints = [0]>() u = Unsqueeze(n, "
       "a) "
       "k = Constant<value_ints = [2, 4, -1]>() t = Concat<axis = 0>(u, k) y = Reshape(x, t)",
       "FLOAT[N,2,4,H*W]"},
      {"float[2,N]", "s = Shape(x) y = Reshape(x, s)", "FLOAT[2,N]"},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("a size in a Reshape target that may be 0 stands under that condition") {
  check({"float[8,H]",
         "s = Shape<start = 1>(x) t = Constant<value_ints = [2]>() h = Div(s, t) m = Constant<value_ints = [8]>() "
         "k = Constant<value_ints = [2]>() r = Concat<axis = 0>(m, h, k) y = Reshape(x, r)",
         "FLOAT[8,floor(H/2),2]", "", "at_least floor(H/2) 1\nequal H 2*floor(H/2)"});
}

TEST_CASE("a Reshape target from the run keeps what is known around it") {
  const Inferred one(
      "g (float[N,64] x, int64[1] k) => (y) { m = Constant<value_ints = [8]>() t = Concat<axis = 0>(k, m) y = "
      "Reshape(x, t) }");
  CHECK(one.text("y") == "FLOAT[8*N,8]");
  const Inferred all("g (float[N,64] x, int64[3] t) => (y) { y = Reshape(x, t) }");
  CHECK(all.text("y") == "FLOAT[?,?,?]");
  const Inferred none("g (float[N,64] x, int64[K] t) => (y) { y = Reshape(x, t) }");
  CHECK(none.text("y") == "FLOAT[...]");
  const ValueShape& shape = none.shapes()[none.value("y")];
  CHECK(shape.reason == "the Reshape target is computed at run time");
  CHECK(shape.reason_node == none.model().value(none.value("y")).producer);
}

TEST_CASE("as TensorRT a -1 next to sizes that are not fixed stays unknown and names its Reshape") {
  const std::string text = "g (float[N,8,H,W] x) => (y) { t = Constant<value_ints = [0, 2, -1]>() y = Reshape(x, t) }";
  const Inferred ours(text);
  CHECK(ours.text("y") == "FLOAT[N,2,4*H*W]");
  CHECK(ours.shapes().solved_reshape());
  const Inferred theirs(text, 17, {.ranges = {}, .as_tensorrt = true});
  CHECK(theirs.text("y") == "FLOAT[N,2,?]");
  CHECK_FALSE(theirs.shapes().solved_reshape());
  const Dim open = theirs.shapes()[theirs.value("y")].dims[2];
  const auto origins = theirs.shapes().dims().origins(open);
  REQUIRE(origins.size() == 1);
  CHECK(origins[0].node == theirs.model().value(theirs.value("y")).producer.index);
  CHECK(origins[0].axis == 2);

  const Inferred fixed("g (float[2,8,3,5] x) => (y) { t = Constant<value_ints = [0, 2, -1]>() y = Reshape(x, t) }", 17,
                       {.ranges = {}, .as_tensorrt = true});
  CHECK(fixed.text("y") == "FLOAT[2,2,60]");
  CHECK_FALSE(fixed.shapes().solved_reshape());
}

TEST_CASE("axes come, go and move") {
  const std::string axes = "a = Constant<value_ints = [0, -1]>() ";
  const Case cases[] = {
      {"float[N,3,4]", "y = Flatten(x)", "FLOAT[N,12]"},
      {"float[N,3,4]", "y = Flatten<axis = -1>(x)", "FLOAT[3*N,4]"},
      {"float[N,3,4]", "y = Flatten<axis = 0>(x)", "FLOAT[1,12*N]"},
      {"float[N,3,4]", "y = Flatten<axis = 4>(x)", "FLOAT[?,?]", "axis 4 is outside of [-3, 3]"},
      {"float[1,N,1]", axes + "y = Squeeze(x, a)", "FLOAT[N]"},
      {"float[1,2,1]", "y = Squeeze(x)", "FLOAT[2]"},
      {"float[1,N,1]", "y = Squeeze(x)", "FLOAT[...]"},
      {"float[2,N,1]", axes + "y = Squeeze(x, a)", "FLOAT[N]", "Squeeze removes axes of size 1 only: 2 is not 1"},
      {"float[N,3,M]", axes + "y = Squeeze(x, a)", "FLOAT[3]", "", "equal N 1\nequal M 1"},
      {"float[1,N]", "y = Squeeze<axes = [0]>(x)", "FLOAT[N]", "", "", 11},
      {"float[N]", axes + "y = Unsqueeze(x, a)", "FLOAT[1,N,1]"},
      {"float[N]", "a = Constant<value_ints = [1, 1]>() y = Unsqueeze(x, a)", "FLOAT[...]", "axis 1 is listed twice"},
      {"float[N]", "y = Unsqueeze<axes = [1]>(x)", "FLOAT[N,1]", "", "", 11},
      {"float[N,C,H]", "y = Transpose(x)", "FLOAT[H,C,N]"},
      {"float[N,C,H]", "y = Transpose<perm = [0, 2, 1]>(x)", "FLOAT[N,H,C]"},
      {"float[N,C,H]", "y = Transpose<perm = [0, 2, 2]>(x)", "FLOAT[...]", "axis 2 is listed twice"},
      {"float[N,C,H]", "y = Transpose<perm = [1, 0]>(x)", "FLOAT[C,N,H]", "perm has 2 entries, the input has 3 axes"},
      {"float[N,1,4]", "t = Constant<value_ints = [1, 7, 4]>() y = Expand(x, t)", "FLOAT[N,7,4]"},
      {"float[3]", "t = Constant<value_ints = [4]>() y = Expand(x, t)", "FLOAT[...]",
       "cannot broadcast 3 against 4 at axis 0"},
      {"float[N,3]", "t = Constant<value_ints = [2, 5]>() y = Tile(x, t)", "FLOAT[2*N,15]"},
      {"float[N,3]", "t = Constant<value_ints = [2]>() y = Tile(x, t)", "FLOAT[2*N,6]",
       "1 repeats for an input with 2 axes"},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("Squeeze without axes: the file may say how many axes are left, not how long they are") {
  const auto text = [](const std::string& input, const std::string& claim) {
    return Inferred("g (" + input + " x) => (" + claim + " y) { y = Squeeze(x) }").text("y");
  };
  CHECK(text("float[batch,3,1]", "float[2,3]") == "FLOAT[batch,3]");
  CHECK(text("float[batch,3,1]", "float[3]") == "FLOAT[3]");
  CHECK(text("float[batch,3,1]", "float[batch,3]") == "FLOAT[batch,3]");
  const Inferred marked("g (float[batch,3,1] x) => (float[2,3] y, z) { y = Squeeze(x) z = Relu(y) }");
  CHECK(marked.shapes()[marked.value("y")].assumed);
  CHECK(marked.shapes()[marked.value("z")].assumed);
  const Inferred theirs("g (float[batch,3,1] x) => (float[2,3] y) { y = Squeeze(x) }", 17,
                        {.ranges = {}, .as_tensorrt = true});
  CHECK(theirs.text("y") == "FLOAT[...]");
}

}  // namespace
}  // namespace trtcheck::test
