// Sequences and optionals: what they hold is followed as far as it can be said.
#include <catch2/catch.hpp>

#include <span>
#include <string>

#include "inferred.hpp"
#include "shape_case.hpp"

using trtcheck::test::Inferred;
using trtcheck::test::inferred_text;
using trtcheck::test::ShapeCase;

namespace {

const ShapeCase kBuilt[] = {
    {17, "float[N,3] x, float[N,5] w", "int64 i = {1}", "s = SequenceConstruct(x, w) y = SequenceAt(s, i)",
     "FLOAT[N,5]"},
    {17, "float[N,3] x, float[N,5] w", "int64 i = {-2}", "s = SequenceConstruct(x, w) y = SequenceAt(s, i)",
     "FLOAT[N,3]"},
    {17, "float[N,3] x, float[N,5] w, int64 i", "", "s = SequenceConstruct(x, w) y = SequenceAt(s, i)", "FLOAT[N,?]"},
    {17, "float[N,3] x, float[N] w, int64 i", "", "s = SequenceConstruct(x, w) y = SequenceAt(s, i)", "FLOAT[...]"},
    {17, "float[N,3] x", "int64 i = {4}", "s = SequenceConstruct(x, x) y = SequenceAt(s, i)", "FLOAT[N,3]"},
    {17, "float[N,3] x, float[M,3] w", "", "s = SequenceConstruct(x, w) y = ConcatFromSequence<axis=0>(s)",
     "FLOAT[M + N,3]"},
    {17, "float[N,3] x, float[N,5] w", "", "s = SequenceConstruct(x, w) y = ConcatFromSequence<axis=-1>(s)",
     "FLOAT[N,8]"},
    {17, "float[N,3] x, float[N,5] w", "", "s = SequenceConstruct(x, w) y = ConcatFromSequence<axis=0>(s)",
     "FLOAT[2*N,?] ! tensors that are joined agree on all other axes: 3 is not 5"},
    {17, "float[N,3] x, float[N,5] w", "", "s = SequenceConstruct(x, w) y = ConcatFromSequence<axis=0, new_axis=1>(s)",
     "FLOAT[2,N,?] ! tensors that are joined agree on all other axes: 3 is not 5"},
    {17, "float[N,3] x", "", "s = SequenceConstruct(x, x, x) y = ConcatFromSequence<axis=1, new_axis=1>(s)",
     "FLOAT[N,3,3]"},
    {17, "float[N,3] x", "", "s = SequenceConstruct(x, x) y = ConcatFromSequence<axis=5>(s)",
     "FLOAT[...] ! axis 5 is outside of [-2, 1]"},
    {17, "float[N,3] x, float[M,3] w", "int64 i = {0}",
     "e = SequenceEmpty() a = SequenceInsert(e, x) b = SequenceInsert(a, w, i) y = SequenceAt(b, i) z = "
     "ConcatFromSequence<axis=0>(b)",
     "FLOAT[M,3]"},
    {17, "float[N,3] x, float[M,3] w", "int64 i = {0}",
     "e = SequenceEmpty() a = SequenceInsert(e, x) b = SequenceInsert(a, w, i) q = SequenceAt(b, i) y = "
     "ConcatFromSequence<axis=0>(b)",
     "FLOAT[M + N,3]"},
    {17, "float[N,3] x, float[M,3] w, int64 p", "int64 i = {0}",
     "a = SequenceConstruct(x) b = SequenceInsert(a, w, p) y = SequenceAt(b, i) z = ConcatFromSequence<axis=0>(b)",
     "FLOAT[?,3]"},
    {17, "float[N,3] x, float[M,3] w, int64 p", "int64 i = {0}",
     "a = SequenceConstruct(x) b = SequenceInsert(a, w, p) q = SequenceAt(b, i) y = ConcatFromSequence<axis=0>(b)",
     "FLOAT[?,3]"},
    {17, "float[N,3] x, float[M,3] w", "int64 i = {0}",
     "a = SequenceConstruct(x, w) b = SequenceErase(a, i) y = SequenceAt(b, i) c = SequenceErase(a) z = SequenceAt(c, "
     "i)",
     "FLOAT[M,3]"},
    {17, "float[N,3] x, float[M,3] w", "int64 i = {0}",
     "a = SequenceConstruct(x, w) b = SequenceErase(a, i) q = SequenceAt(b, i) c = SequenceErase(a) y = SequenceAt(c, "
     "i)",
     "FLOAT[N,3]"},
};

const ShapeCase kSplit[] = {
    {17, "float[N,7] x", "int64 k = {3}, int64 i = {2}", "s = SplitToSequence<axis=1>(x, k) y = SequenceAt(s, i)",
     "FLOAT[N,1]"},
    {17, "float[N,7] x, int64 i", "int64 k = {3}", "s = SplitToSequence<axis=1>(x, k) y = SequenceAt(s, i)",
     "FLOAT[N,?]"},
    {17, "float[N,6] x, int64 i", "int64 k = {3}", "s = SplitToSequence<axis=1>(x, k) y = SequenceAt(s, i)",
     "FLOAT[N,3]"},
    {17, "float[N,6] x", "int64[2] k = {2, 4}, int64 i = {1}",
     "s = SplitToSequence<axis=-1>(x, k) y = SequenceAt(s, i) z = ConcatFromSequence<axis=1>(s)", "FLOAT[N,4]"},
    {17, "float[N,6] x", "int64[2] k = {2, 4}, int64 i = {1}",
     "s = SplitToSequence<axis=-1>(x, k) q = SequenceAt(s, i) y = ConcatFromSequence<axis=1>(s)", "FLOAT[N,6]"},
    {17, "float[N,6] x, int64 i", "", "s = SplitToSequence(x) y = SequenceAt(s, i)", "FLOAT[1,6]"},
    {17, "float[N,6] x, int64 i", "", "s = SplitToSequence<keepdims=0>(x) y = SequenceAt(s, i)", "FLOAT[6]"},
    {17, "float[3,6] x", "int64 i = {2}", "s = SplitToSequence<keepdims=0>(x) y = SequenceAt(s, i)", "FLOAT[6]"},
    {17, "float[N,6] x, int64[2] k, int64 i", "", "s = SplitToSequence<axis=1>(x, k) y = SequenceAt(s, i)",
     "FLOAT[N,?]"},
    {17, "float[N,6] x", "", "s = SplitToSequence<keepdims=0>(x) y = ConcatFromSequence<axis=0, new_axis=1>(s)",
     "FLOAT[?,6]"},
    {17, "float[100,6] x", "int64 i = {2}", "s = SplitToSequence(x) y = SequenceAt(s, i)", "FLOAT[1,6]"},
    {17, "float[3,6] x, int64 i", "int64 k = {0}", "s = SplitToSequence(x, k) y = SequenceAt(s, i)",
     "FLOAT[...] ! the size of a part must be greater than zero"},
    {17, "float[3,6] x, int64 i", "int64[2] k = {0, 3}", "s = SplitToSequence(x, k) y = SequenceAt(s, i)",
     "FLOAT[?,6]"},
};

const ShapeCase kHandedOn[] = {
    {17, "float[N,3] x, float[N,5] w", "int64 i = {1}",
     "s = SequenceConstruct(x, w) t = Identity(s) y = SequenceAt(t, i)", "FLOAT[N,5]"},
    {17, "float[N,3] x, int64 i", "",
     "s = SequenceConstruct(x, x) t = SequenceMap(s) <body = b (float[A,B] e) => (float[B,A] r) { r = Transpose(e) }> "
     "y = SequenceAt(t, i)",
     "FLOAT[3,N]"},
    {18, "float[N,3] x", "", "o = Optional(x) y = OptionalGetElement(o) z = OptionalHasElement(o)", "FLOAT[N,3]"},
    {18, "float[N,3] x", "", "o = Optional(x) q = OptionalGetElement(o) y = OptionalHasElement(o)", "BOOL[]"},
    {17, "float[N,3] x", "int64 i = {0}",
     "s = SequenceConstruct(x) o = Optional(s) t = OptionalGetElement(o) y = SequenceAt(t, i)", "FLOAT[N,3]"},
    {17, "float[N,3] x, int64 j", "",
     "s = SplitToSequence<axis=1>(x, j) o = Optional(s) p = Identity(o) t = OptionalGetElement(p) y = SequenceAt(t, j)",
     "FLOAT[N,?]"},
    {17, "bool c, float[N,1] x, float[N,5] w", "",
     "o = If(c) <then_branch = a () => (p) { p = Optional(x) }, else_branch = b () => (q) { q = Optional(w) }> y = "
     "OptionalGetElement(o)",
     "FLOAT[N,?]"},
    {17, "bool c, float[N,3] x, float[M,3] w, int64 i", "",
     "s = If(c) <then_branch = a () => (p) { p = SequenceConstruct(x, w) }, else_branch = b () => (q) { q = "
     "SequenceConstruct(w) }> y = SequenceAt(s, i)",
     "FLOAT[?,3]"},
    {17, "bool c, float[N,3] x, float[M,3] w", "int64 i = {1}",
     "s = If(c) <then_branch = a () => (p) { p = SequenceConstruct(x, w) }, else_branch = b () => (q) { q = "
     "SequenceConstruct(w, w) }> y = SequenceAt(s, i)",
     "FLOAT[M,3]"},
};

void check_all(std::span<const ShapeCase> cases) {
  for (const ShapeCase& c : cases) {
    INFO(c.nodes << "  of  " << c.inputs);
    CHECK(inferred_text(c) == c.expected);
  }
}

TEST_CASE("elements of a sequence are followed one by one") { check_all(kBuilt); }
TEST_CASE("parts of a split are followed") { check_all(kSplit); }
TEST_CASE("sequences and optionals hand on what they hold") { check_all(kHandedOn); }

TEST_CASE("the length of a sequence and the presence of an element are known contents") {
  const Inferred made(R"(<ir_version: 10, opset_import: ["" : 18]>
    g (float[N,3] x) => (y, z) {
      s = SequenceConstruct(x, x, x) y = SequenceLength(s)
      o = Optional(x) z = OptionalHasElement(o)
    })");
  CHECK(made.known("y") == "3");
  CHECK(made.known("z") == "1");
}

TEST_CASE("nobody knows whether one of two branches holds an element") {
  const Inferred made(R"(<ir_version: 10, opset_import: ["" : 18]>
    g (bool c, float[N,3] x) => (y, z) {
      o = If(c) <then_branch = a () => (p) { p = Optional(x) }, else_branch = b () => (q) { q = Optional<type: type_proto = float[5,3]>() }>
      y = OptionalHasElement(o) z = OptionalGetElement(o)
    })");
  CHECK(made.known("y") == "-");
  CHECK(made.text("z") == "FLOAT[N,3]");
}

// One shape stands for all elements, but two of them may still differ where it is unknown.
TEST_CASE("unknown sizes of two elements are not the same size") {
  const Inferred made(R"(<ir_version: 10, opset_import: ["" : 17]>
    g (float[N,6] x, int64[2] k, int64 i, int64 j) => (y) {
      s = SplitToSequence<axis=1>(x, k) a = SequenceAt(s, i) b = SequenceAt(s, j) y = Add(a, b)
    })");
  auto& shapes = made.shapes();
  const auto& a = shapes[made.value("a")];
  const auto& b = shapes[made.value("b")];
  REQUIRE(a.rank() == 2);
  REQUIRE(b.rank() == 2);
  CHECK(shapes.dims().equal(a.dims[1], b.dims[1]) == trtcheck::Truth::unknown);
  CHECK(shapes.dims().equal(a.dims[0], b.dims[0]) == trtcheck::Truth::yes);
}

TEST_CASE("a branch that is taken hands on its sequence, and a long chain of insertions stays cheap") {
  const Inferred made(R"(<ir_version: 10, opset_import: ["" : 17]>
    g (float[N,3] x) => (y) <bool c = {1}, int64 i = {0}> {
      s = If(c) <then_branch = a () => (seq(float) r) { r = SequenceConstruct(x, x) },
                 else_branch = b () => (seq(float) q) { q = SequenceConstruct(x) }>
      y = SequenceAt(s, i)
    })");
  CHECK(made.text("y") == "FLOAT[N,3]");

  std::string chain = "<ir_version: 10, opset_import: [\"\" : 17]> g (float[N,3] x) => (y) { s0 = SequenceEmpty() ";
  for (int i = 0; i < 4000; ++i) {
    chain += "s" + std::to_string(i + 1) + " = SequenceInsert(s" + std::to_string(i) + ", x) ";
  }
  const Inferred longer(chain + "y = ConcatFromSequence<axis=0>(s4000) }");
  CHECK(longer.text("y") == "FLOAT[?,3]");
}

}  // namespace
