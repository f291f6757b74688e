// Each predicate of facts/predicates.inc, on models for which it says yes, no, and nothing.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include <asked_node.hpp>

#include "facts/predicates.hpp"

using namespace trtcheck;

namespace {

#define TRTCHECK_PREDICATE(name, kind) std::string_view{#name},
constexpr std::array kNames{
#include "facts/predicates.inc"
};
#undef TRTCHECK_PREDICATE

struct Case {
  std::string_view predicate;
  std::string model;
  std::string_view answer;
};

/// If with two branches that read the float[2,3] `x` around them.
std::string branches(std::string_view then_branch, std::string_view else_branch) {
  return std::string(
             "agraph (bool c, float[2,3] x, float[N] v, float[M] w, float[N,3] r) => (y) { y = If <then_branch = t () "
             "=> (p) { ") +
         std::string(then_branch) + " }, else_branch = e () => (q) { " + std::string(else_branch) + " }> (c) }";
}

const std::string kSame = branches("p = Relu (x)", "q = Abs (x)");
const std::string kOtherRank = branches("p = Relu (x)", "q = Relu (v)");
const std::string kUnknownRank = branches("p = Relu (x)", "q = NotKnown (x)");
const std::string kOtherSize = branches("p = Relu (x)", "q = Concat <axis = 0> (x, x)");
const std::string kOpenSize = branches("p = Relu (v)", "q = Relu (w)");
const std::string kOtherType = branches("p = Relu (x)", "q = Cast <to = 10> (x)");
const std::string kOtherCount =
    "agraph (bool c, float[2,3] x) => (y) { y = If <then_branch = t () => (p) { p = Relu (x) }, "
    "else_branch = e () => (q, r) { q = Relu (x) r = Abs (x) }> (c) }";
const std::string kMixed =
    "agraph (bool c, float[2,3] x) => (y, z) { y, z = If <then_branch = t () => (p, x) { p = Relu (x) }, "
    "else_branch = e () => (q, r) { q = Relu (x) r = Abs (x) }> (c) }";
const std::string kBothMixed =
    "agraph (bool c, float[2,3] x) => (y, z) { y, z = If <then_branch = t () => (p, x) { p = Relu (x) }, "
    "else_branch = e () => (q, x) { q = Abs (x) }> (c) }";
const std::string kRelu = "agraph (float[2] x) => (y) { y = Relu (x) }";

std::string loop(std::string_view body) {
  return "agraph (int64 n, bool c, float[3] s) => (a) { a = Loop <body = g (int64 i, bool k, float[3] s1) => (d, a1) "
         "{ " +
         std::string(body) + " }> (n, c, s) }";
}

const std::string kPlainLoop = loop("a1 = Relu (s1) d = Constant <value_int = 1> ()");
const std::string kCountingLoop = loop("f = Cast <to = 1> (i) a1 = Add (s1, f) d = Identity (k)");
const std::string kEndingLoop = loop("a1 = Relu (s1) d = Not (k)");

std::string einsum(std::string_view equation) {
  return "agraph (float[3,3] x, float[3,3] z) => (y) { y = Einsum <equation = \"" + std::string(equation) +
         "\"> (x, z) }";
}

/// Sizes `r` out of the shape `s` of float[N,6].
std::string sizes(std::string_view steps) {
  return "agraph (float[N,6] x) => (y) <int64[2] t = {1, 2}, int64[1] f = {-1}> { s = Shape (x) " + std::string(steps) +
         " y = Reshape (x, r) }";
}

/// Attention whose scores `s` are made of the product `p`.
std::string attention(std::string_view steps) {
  return "agraph (float[1,2,4,8] q, float[1,2,8,4] k, float[1,2,4,8] v, float[4,4] m) => (y) <float c = {8}> { "
         "p = MatMul (q, k) " +
         std::string(steps) + " y = MatMul (s, v) }";
}

/// A pair around which the data are moved, or not. The first node is asked.
std::string pair(std::string_view before, std::string_view behind) {
  return "agraph (float[2,3] x) => (y) <float a = {1}, int8 z = {0}, int8[2,3] c = {1, 1, 1, 1, 1, 1}> { " +
         std::string("d = DequantizeLinear (") + (before.empty() ? "c" : "m") + ", a, z) " + std::string(before) +
         " y = " + std::string(behind) + " (d) }";
}

/// If whose condition `d` is computed by the statements.
std::string decided(std::string_view inputs, std::string_view statements) {
  return "agraph (" + std::string(inputs) + ") => (y) { y = If <then_branch = t () => (p) { p = Relu (x) }, " +
         "else_branch = e () => (q) { q = Abs (x) }> (d) " + std::string(statements) + " }";
}

/// If behind a convolution `k`.
std::string dequantized_weights(std::string_view data) {
  return "agraph (float[1,1,2,2] x, int8[1,1,1,1] w, int8[1,1,2,2] c, float s) => (y) <int64[1] z = {0}> { v = "
         "DequantizeLinear (w, s) d "
         "= " +
         std::string(data) + " y = Conv (d, v) }";
}

/// DequantizeLinear with the scale `s`.
std::string scaled(std::string_view statements) {
  return "agraph (int8[2,2] w, int8[2] c, float k, float[2] x) => (y) <int64 one = {0}, int64[2] several = {0, 1}> { y "
         "= "
         "DequantizeLinear <axis = 0> (w, s) " +
         std::string(statements) + " }";
}

/// ReduceSum whose axes are `a`.
std::string reduced(std::string_view statements) {
  return "agraph (float[4] x) => (y) <int64[1] i = {0}> { y = ReduceSum (x, a) " + std::string(statements) + " }";
}

/// A Reshape to a size that is computed and cast to FLOAT16.
std::string halved(std::string_view size, std::string_view arithmetic) {
  return "agraph (float[" + std::string(size) +
         "] x) => (y) <int64[1] two = {2}> { y = Expand (x, d) s = Shape (x) m = " + std::string(arithmetic) +
         " h = Cast <to = 10> (m) d = Cast <to = 7> (h) }";
}

/// Resize behind an If.
std::string resized(std::string_view other, std::string_view sizes = "4,5") {
  return "agraph (bool c, float[" + std::string(sizes) +
         "] x) => (y) <float[2] k = {2, 2}> { y = Resize (r, , k) r = If (c) <then_branch = t "
         "() "
         "=> (p) { p = Relu (x) }, else_branch = e () => (q) { q = " +
         std::string(other) + " }> }";
}

/// A Resize of `q`, which is made of what an If returns.
std::string through(std::string_view layers, std::string_view sizes = "T,5", std::string_view mode = "nearest") {
  const std::string scales = sizes == "T,5" ? "float[2] k = {2, 1}" : "float[4] k = {1, 1, 2, 2}";
  return "agraph (bool c, float[" + std::string(sizes) + "] x) => (y) <" + scales + "> { y = Resize <mode = \"" +
         std::string(mode) +
         "\"> (q, , k) r = If (c) <then_branch = t () => (p) { p = Relu (x) }, else_branch = e () => (n) { n = Neg (x) "
         "}> " +
         std::string(layers) + " }";
}

/// A Resize of an input, and an If beside it.
std::string beside(std::string_view then_makes, std::string_view else_makes, std::string_view condition = "c",
                   std::string_view layers = "q = Relu (x)") {
  return "agraph (bool c, float[T,5] x, float[2] a) => (y, z) <float[2] k = {2, 1}> { y = Resize (q, , k) e = Relu "
         "(a) " +
         std::string(layers) + " z = If (" + std::string(condition) +
         ") <then_branch = t () => (p) { p = " + std::string(then_makes) +
         " }, else_branch = f () => (n) { n = " + std::string(else_makes) + " }> }";
}

/// A Resize to the sizes of another input, and an If beside it.
std::string to_sizes_of(std::string_view from, std::string_view to) {
  return "agraph (bool c, float[" + std::string(from) + "] x, float[" + std::string(to) +
         "] o, float[2] a) => (y, z) { y = Resize (x, , , s) s = Shape (o) z = If (c) <then_branch = t () => (p) { p = "
         "Exp (a) }, else_branch = f () => (n) { n = Neg (a) }> }";
}

constexpr std::string_view kRandom = "r = RandomNormalLike (x) y = Add (r, x) ";

/// Makes `l` of `begin`.
std::string loop_of(std::string_view begin, std::string_view step = "w = Add (v, v)") {
  return "l = Loop <body = b (int64 i, bool k, float v) => (bool d, float w) { d = Identity (k) " + std::string(step) +
         " }> (n, t, " + std::string(begin) + ") ";
}

/// Nodes of the main graph, and an If with something in a branch.
std::string beside_loop(std::string_view first, std::string_view outside, std::string_view inside,
                        std::string_view returned = "l") {
  const std::string result(returned);
  return "agraph (float[2] x, bool c, float a) => (y, z) <int64 n = {3}, bool t = {1}, float h = {2}> { " +
         std::string(first) + std::string(outside) + " z = If (c) <then_branch = u () => (float " + result + ") { " +
         std::string(inside) + " }, else_branch = f () => (float m) { m = Neg (a) }> }";
}

/// A convolution of rank 3, which branches of an If read.
std::string narrow_outside(std::string_view then_makes, std::string_view else_makes = "q = Neg (x)",
                           std::string_view beside = "") {
  return "agraph (bool c, float[1,4,8] x, float[4,4,3] w) => (y) { y = If (c) <then_branch = t () => (float[1,4,8] "
         "p) { " +
         std::string(then_makes) + " }, else_branch = e () => (float[1,4,8] q) { " + std::string(else_makes) +
         " }> k = Conv <pads = [1,1]> (x, w) " + std::string(beside) + " }";
}

const std::string kLoopOfA = loop_of("a");

/// A branch with a loop that returns `l`, and returns `p`.
std::string narrow_beside(std::string_view makes, std::string_view shape = "1,4,8") {
  const std::string type = "float[" + std::string(shape) + "]";
  return "agraph (bool c, " + type +
         " x, float[4,4,3] w, float a) => (y, z) <int64 n = {3}, int64 none = {0}, bool t = {1}, float h = {2}> { y, z "
         "= "
         "If (c) <then_branch = g () => (" +
         type + " p, float l) { " + std::string(makes) + " }, else_branch = e () => (" + type +
         " q, float m) { q = Neg (x) m = Neg (a) }> }";
}

/// A Loop that carries what is made of `v`.
std::string narrow_carried(std::string_view makes, std::string_view after = "y = Identity (l)",
                           std::string_view count = "n") {
  return "agraph (float[1,4,8] x, float[4,4,3] w, int64 m) => (y) <int64 n = {3}, bool t = {1}> { l = Loop <body = b "
         "(int64 i, "
         "bool k2, float[1,4,8] v) => (bool d, float[1,4,8] u) { d = Identity (k2) " +
         std::string(makes) + " }> (" + std::string(count) + ", t, x) " + std::string(after) + " }";
}

/// A recurrent layer in a branch.
std::string recurrent_in_branch(std::string_view op, std::string_view outputs, std::string_view after = "",
                                std::string_view data = "x") {
  const std::string rows = op == "GRU" ? "3" : "1";
  return "agraph (float[2,1,1] x, float[1,1,1] z, bool c) => (y) <float[1," + rows + ",1] w = {1" +
         (op == "GRU" ? ",1,1" : "") +
         "}, float[2,1,1] k = {1, 2}> { y = If (c) <then_branch = t () => (float[1,1,1] p) { " + std::string(outputs) +
         " = " + std::string(op) + " <hidden_size = 1> (" + std::string(data) + ", w, w) " + std::string(after) +
         " }, else_branch = e () => (float[1,1,1] q) { q = Neg (z) }> }";
}

/// An LSTM whose weights an If chooses.
std::string recurrent(std::string_view condition, std::string_view weights) {
  return "agraph (float[5,1,4] x, float[1,4,4] v, float[1,4,1] r, bool c) => (y) <bool t = {1}> { y = LSTM "
         "<hidden_size = 1> (x, " +
         std::string(weights) + ", r) d = Not (t) w = If (" + std::string(condition) +
         ") <then_branch = g () => (float[1,4,4] p) { p = Exp (v) }, else_branch = f () => (float[1,4,4] m) { m = Neg "
         "(v) }> q = "
         "Relu (w) }";
}

/// Loop that reshapes what it carries.
std::string moved_loop(std::string_view statements, std::string_view condition) {
  return "agraph (int64 n, bool c, float[4] s) => (a) <int64[1] m = {-1}, int64[2] t = {2, 2}> { a = Loop <body = g "
         "(int64 "
         "i, bool k, float[4] s1) => (d, a1) { w = Reshape (s1, t) " +
         std::string(statements) + " d = Constant <value = bool {1}> () }> (n, " + std::string(condition) + ", s) }";
}

const std::vector<Case> kCases{
    {"branches_differ_in_rank", kSame, "no"},
    {"branches_differ_in_rank", kOtherRank, "yes"},
    {"branches_differ_in_rank", kUnknownRank, "no"},
    {"branches_differ_in_rank", kOtherCount, "no"},
    {"branches_differ_in_rank", kRelu, "?"},
    {"branches_differ_in_sizes", kSame, "no"},
    {"branches_differ_in_sizes", kOtherSize, "yes"},
    {"branches_differ_in_sizes", kOpenSize, "?"},
    {"branches_differ_in_sizes", kOtherRank, "no"},
    {"branches_differ_in_sizes", kUnknownRank, "?"},
    {"branches_vary_apart", branches("p = Relu (x)", "q = Concat <axis = 0> (x, x)"), "no"},
    {"branches_vary_apart", branches("p = Concat <axis = 0> (v, v)", "q = Relu (v)"), "no"},
    {"branches_vary_apart", branches("p = Transpose (r)", "q = Relu (r)"), "no"},
    {"branches_vary_apart", branches("p = Concat <axis = 1> (r, r)", "q = Relu (r)"), "yes"},
    {"branches_vary_apart", branches("p = Concat <axis = 1> (r, r)", "q = NotKnown (r)"), "?"},
    {"branches_differ_in_type", kSame, "no"},
    {"branches_differ_in_type", kOtherType, "yes"},
    {"branches_differ_in_type", kOtherCount, "no"},
    {"branches_differ_in_type", kRelu, "?"},
    {"branches_mix_outside", kMixed, "yes"},
    {"branches_mix_outside", kBothMixed, "no"},
    {"branches_mix_outside", kSame, "no"},
    {"branches_mix_outside", kOtherCount, "no"},
    {"branches_mix_outside", kRelu, "?"},
    {"data_of_branches_apart", resized("Transpose (x)"), "yes"},
    {"data_of_branches_apart", resized("Neg (x)"), "no"},
    {"resizes_behind_body", resized("Neg (x)", "T,5"), "yes"},
    {"resizes_behind_body", resized("Neg (x)"), "no"},
    {"resizes_behind_body", through("c2 = Concat <axis = 0> (r, x) q = Softmax (c2)"), "yes"},
    {"resizes_behind_body", through("s = Shape (r) q = Expand (x, s)"), "no"},
    {"resizes_behind_body", through("q = Relu (r)", "1,2,T,5", "nearest"), "no"},
    {"resizes_behind_body", through("q = Relu (r)", "1,2,T,5", "cubic"), "yes"},
    {"resizes_beside_if", beside("Exp (a)", "Neg (a)"), "yes"},
    {"resizes_beside_if", to_sizes_of("N,2,T,5", "M,2,S,5"), "no"},
    {"resizes_beside_if", to_sizes_of("1,C,T,5", "1,D,T,5"), "yes"},
    {"resizes_beside_if", to_sizes_of("N,T", "M,T"), "yes"},
    {"resizes_beside_if", beside("Exp (a)", "Constant <value_floats = [1.0, 2.0]> ()"), "?"},
    {"resizes_beside_if", beside("Exp (e)", "Neg (a)"), "?"},
    {"resizes_beside_if", beside("Exp (a)", "Neg (a)", "d", "d = Not (c) q = Relu (x)"), "?"},
    {"resizes_beside_if", beside("Exp (a)", "Neg (a)", "d", "d = Constant <value = bool {1}> () q = Relu (x)"), "no"},
    {"resizes_beside_if", beside("ReduceMax (y)", "Neg (a)"), "no"},
    {"resizes_beside_if",
     beside("Exp (a)", "Neg (a)", "d", "m = ReduceMax <keepdims = 0> (y) d = IsNaN (m) q = Relu (x)"), "no"},
    {"resizes_beside_if", beside("Exp (a)", "Neg (a)", "c", "w = ReduceMax <keepdims = 0> (z) q = Mul (x, w)"), "no"},
    {"has_loop_in_branch", beside_loop(kRandom, "", loop_of("a", "w = Add (v, a)")), "yes"},
    {"has_loop_in_branch", beside_loop(kRandom, "", "g = Exp (a) " + loop_of("a", "w = Mul (v, g)")), "yes"},
    {"has_loop_in_branch", beside_loop(kRandom, "", loop_of("a", "m = ReduceMax <keepdims = 0> (x) w = Add (v, m)")),
     "?"},
    {"has_loop_in_branch", beside_loop(kRandom, "", loop_of("a", "w = Mul (v, h)")), "no"},
    {"has_loop_in_branch", beside_loop(kRandom, "", loop_of("a")), "no"},
    {"has_loop_in_branch", beside_loop(kRandom, "", "l = Exp (a)"), "no"},
    {"has_loop_in_branch", beside_loop(kRandom, loop_of("a", "w = Add (v, a)"), "l2 = Neg (l)", "l2"), "no"},
    {"stands_beside_loop",
     beside_loop("", "", loop_of("a") + "e = Elu (x) s = ReduceMax <keepdims = 0> (e) l2 = Mul (s, l)", "l2"), "yes"},
    {"stands_beside_loop",
     beside_loop("", "", loop_of("h") + "e = Elu (x) s = ReduceMax <keepdims = 0> (e) l2 = Mul (s, l)", "l2"), "no"},
    {"stands_beside_loop", beside_loop("", "", loop_of("a") + "l2 = Elu (l)", "l2"), "no"},
    {"stands_beside_loop", beside_loop("e = Elu (x) y = Neg (e) ", "", loop_of("a")), "no"},
    {"carries_narrow_layer", narrow_carried("u = Conv <pads = [1,1]> (v, w)"), "yes"},
    {"carries_narrow_layer", narrow_carried("k = Conv <pads = [1,1]> (v, w) u = Relu (k)"), "yes"},
    {"carries_narrow_layer", narrow_carried("k = Relu (\"\") u = Neg (k)"), "no"},
    {"carries_narrow_layer", narrow_carried("k = Conv <pads = [1,1]> (v, w) u = LeakyRelu (k)"), "no"},
    {"carries_narrow_layer", narrow_carried("k = Conv <pads = [1,1]> (v, w) u = Add (k, v)"), "no"},
    {"carries_narrow_layer", narrow_carried("u = Conv <pads = [1,1]> (v, w)", "y = Relu (l)"), "yes"},
    {"carries_narrow_layer", narrow_carried("u = Conv <pads = [1,1]> (v, w)", "y = Softmax (l)"), "no"},
    {"carries_narrow_layer", narrow_carried("u = Conv <pads = [1,1]> (v, w)", "r = Identity (l) y = Softmax (r)"),
     "no"},
    {"carries_narrow_layer", narrow_carried("u = Conv <pads = [1,1]> (v, w)", "y = Shape (l)"), "no"},
    {"carries_narrow_layer", narrow_carried("u = Conv <pads = [1,1]> (v, w)", "y = Neg (l)", "m"), "no"},
    {"leaves_sequence_unread", recurrent_in_branch("RNN", "s, p"), "yes"},
    {"leaves_sequence_unread", recurrent_in_branch("GRU", "s, p"), "yes"},
    {"leaves_sequence_unread", recurrent_in_branch("GRU", ", p"), "yes"},
    {"leaves_sequence_unread", recurrent_in_branch("RNN", ", p"), "no"},
    {"leaves_sequence_unread", recurrent_in_branch("RNN", "s, g", "m = ReduceMax <keepdims = 0> (s) p = Add (g, m)"),
     "no"},
    {"leaves_sequence_unread", recurrent_in_branch("RNN", "s, p", "", "k"), "no"},
    {"weights_of_body", recurrent("c", "w"), "yes"},
    {"weights_of_body", recurrent("c", "q"), "no"},
    {"weights_of_body", recurrent("d", "w"), "yes"},
    {"weights_of_body", recurrent("t", "w"), "no"},
    {"leaves_network", "agraph (float[2] x) => (y) { y = Relu (x) }", "yes"},
    {"leaves_network", "agraph (float[2] x) => (z) { y = Relu (x) z = Neg (y) }", "no"},
    {"carries_moved_value", moved_loop("a1 = Reshape (w, m)", "\"\""), "yes"},
    {"carries_moved_value", moved_loop("g = Reshape (w, m) a1 = Relu (g)", "\"\""), "no"},
    {"carries_moved_value", moved_loop("a1 = Reshape (w, m)", "c"), "no"},
    {"condition_at_run_time", decided("bool[1] c, float[2] x", "d = Squeeze (c)"), "yes"},
    {"condition_at_run_time", decided("float[2] x", "m = ReduceMax <keepdims = 0> (x) d = IsNaN (m)"), "yes"},
    {"condition_at_run_time", decided("float[2] x", "s = Shape (x) t = Squeeze (s) d = Equal (t, t)"), "no"},
    {"condition_at_run_time", decided("float[N] x, float[M] w", "s = Shape (x) t = Shape (w) d = Less (s, t)"), "?"},
    {"condition_at_run_time", decided("float[N] x, float[M] w", "s = Shape (x) t = CumSum (s, s) d = Less (s, t)"),
     "?"},
    {"condition_is_real_arithmetic", decided("float[2] x", "s = Shape (x) f = Cast <to = 1> (s) d = IsNaN (f)"), "yes"},
    {"condition_is_real_arithmetic", decided("float[2] x", "s = Shape (x) f = Cast <to = 6> (s) d = Less (f, f)"),
     "no"},
    {"condition_is_real_arithmetic", decided("float[2] x", "m = ReduceMax <keepdims = 0> (x) d = IsNaN (m)"), "no"},
    {"condition_is_real_arithmetic",
     decided("float[2] x", "s = Shape (x) f = Cast <to = 1> (s) i = Cast <to = 7> (f) d = Equal (i, i)"), "yes"},
    {"condition_is_real_layer",
     decided("float[2] x", "s = Shape (x) f = Cast <to = 1> (s) i = Cast <to = 7> (f) d = Equal (i, i)"), "no"},
    {"condition_is_real_layer",
     decided("float[2] x", "s = Shape (x) f = Cast <to = 1> (s) m = ReduceMax <keepdims = 0> (f) d = Less (m, m)"),
     "yes"},
    {"condition_is_real_layer",
     decided("float[2] x", "s = Shape (x) m = ReduceMax <keepdims = 0> (s) f = Cast <to = 1> (m) d = Less (f, f)"),
     "no"},
    {"condition_is_real_layer",
     decided("float[N] x", "s = Shape (x) f = Cast <to = 1> (s) i = Cast <to = 7> (f) d = Equal (i, i)"), "yes"},
    {"branches_differ_in_rank",
     "agraph (float[2] x) => (y) <int64 t = {3}, int64 n = {0}, int64[1] z = {0}> { y = If (d) <then_branch = t () => "
     "(float[N] p) { p = Relu (x) }, else_branch = e () => (float[M,N] q) { q = Unsqueeze (x, z) }> s = Shape (x) g = "
     "Gather (s, n) f = Cast <to = 1> (g) i = Cast <to = 7> (f) d = Equal (i, t) }",
     "yes"},
    {"depth_at_run_time", "agraph (int64[3] i, int64 d, float[2] v) => (y) { y = OneHot (i, d, v) }", "yes"},
    {"depth_at_run_time", "agraph (int64[3] i, float[2] v) => (y) { y = OneHot (i, s, v) s = Shape (i) }", "no"},
    {"depth_at_run_time", "agraph (int64[N] i, float[2] v) => (y) { y = OneHot (i, s, v) s = NonZero (i) }", "yes"},
    {"reads_narrow_layer", narrow_outside("p = Relu (k)"), "yes"},
    {"reads_narrow_layer", narrow_outside("p = Identity (k)"), "yes"},
    {"reads_narrow_layer", narrow_outside("r = Relu (k) p = Softmax (r)"), "yes"},
    {"reads_narrow_layer", narrow_outside("p = LeakyRelu (k)"), "yes"},
    {"reads_narrow_layer", narrow_outside("p = LeakyRelu (k)", "q = Neg (k)"), "no"},
    {"reads_narrow_layer", narrow_outside("p = Relu (k)", "q = Softmax (k)"), "no"},
    {"reads_narrow_layer", narrow_outside("r = Relu (k) p = Neg (x)"), "no"},
    {"reads_narrow_layer", narrow_outside("p = Relu (x)"), "no"},
    {"reads_narrow_layer", narrow_outside("p = Add (k, x)"), "no"},
    {"reads_narrow_layer", narrow_outside("p = Relu (\"\")"), "no"},
    {"reads_narrow_layer", narrow_outside("p = Relu (r)", "q = Neg (x)", "r = Exp (k)"), "yes"},
    {"reads_narrow_layer", narrow_outside("p = Relu (r)", "q = Neg (x)", "r = Softmax (k)"), "no"},
    {"reads_narrow_layer", narrow_outside("p = Relu (k)", "q = Neg (x)", "z = Softmax (k) r = Shape (k)"), "no"},
    {"reads_narrow_layer", narrow_outside("p = Relu (k)", "q = Neg (x)", "r = Shape (k)"), "yes"},
    {"reads_narrow_layer", narrow_outside("p = Relu (k)", "q = Neg (x)", "r = Conv <pads = [1,1]> (x, w)"), "no"},
    {"returns_narrow_layer_beside_loop", narrow_beside(kLoopOfA + "p = Conv <pads = [1,1]> (x, w)"), "yes"},
    {"returns_narrow_layer_beside_loop", narrow_beside(kLoopOfA + "k = Conv <pads = [1,1]> (x, w) p = Clip (k, h)"),
     "yes"},
    {"returns_narrow_layer_beside_loop",
     narrow_beside(kLoopOfA + "k = MaxPool <kernel_shape = [1]> (x) p = Clip (k, h)"), "no"},
    {"returns_narrow_layer_beside_loop", narrow_beside(kLoopOfA + "k = Conv <pads = [1,1]> (x, w) p = Add (k, x)"),
     "no"},
    {"returns_narrow_layer_beside_loop", narrow_beside("l = Exp (a) p = Conv <pads = [1,1]> (x, w)"), "no"},
    {"returns_narrow_layer_beside_loop", narrow_beside(kLoopOfA + "p = Conv <pads = [1,1]> (x, w)", "N,4,8"), "no"},
    {"returns_narrow_layer_beside_loop", narrow_beside(loop_of("a") + "k = Add (x, l) p = Conv <pads = [1,1]> (k, w)"),
     "no"},
    {"returns_narrow_layer_beside_loop",
     narrow_beside("l = Loop <body = b (int64 i, bool k, float v) => (bool d, float u) { d = Identity (k) u = Exp (v) "
                   "}> (none, t, a) p = Conv <pads = [1,1]> (x, w)"),
     "no"},
    {"weights_of_quantized_conv", dequantized_weights("DequantizeLinear (c, s)"), "yes"},
    {"weights_of_quantized_conv", dequantized_weights("Relu (x)"), "no"},
    {"weights_of_quantized_conv", dequantized_weights("DequantizeLinear (c, t) t = Unsqueeze (s, z)"), "no"},
    {"scale_is_computed", scaled("s = Relu (x)"), "yes"},
    {"scale_is_computed", scaled("s = DequantizeLinear (c, k)"), "yes"},
    {"scale_is_computed", scaled("s = Gather (x, several)"), "yes"},
    {"scale_is_computed", scaled("s = Gather (x, one)"), "no"},
    {"scale_is_computed", scaled("s = Identity (x)"), "no"},
    {"axes_maker", reduced("a = Identity (b) b = Add (i, i)"), "Add"},
    {"axes_maker", reduced("a = Identity (i)"), ""},
    {"axes_maker", reduced("a = Cast <to = 7> (b) b = Cast <to = 6> (i)"), ""},
    {"axes_maker", reduced("a = Cast <to = 7> (b) b = Cast <to = 10> (i)"), "Cast"},
    {"size_has_matrix_where",
     "agraph (float[4] x, bool c, int64[1,1] m) => (y) { y = Reshape (x, d) d = Squeeze (w) w = Where (c, m, m) }",
     "yes"},
    {"size_has_matrix_where",
     "agraph (float[4] x, bool c, int64[1] m) => (y) { y = Reshape (x, d) d = Identity (w) w = Where (c, m, m) }",
     "no"},
    {"size_has_half_cast", halved("N", "Add (s, two)"), "yes"},
    {"size_has_half_cast", halved("4", "Add (s, two)"), "no"},
    {"size_has_half_cast", halved("N", "Sub (s, s)"), "no"},
    {"size_has_half", halved("N", "Mul (s, two)"), "yes"},
    {"size_has_half", halved("N", "Add (s, two)"), "no"},
    {"size_has_half", halved("4", "Mul (s, two)"), "no"},
    {"then_outputs", kOtherCount, "1"},
    {"then_outputs", kRelu, "?"},
    {"else_outputs", kOtherCount, "2"},
    {"then_ranks", kOtherRank, "[2]"},
    {"else_ranks", kOtherRank, "[1]"},
    {"else_ranks", kUnknownRank, "[?]"},
    {"then_sizes", kOtherSize, "[2, 3]"},
    {"else_sizes", kOtherSize, "[4, 3]"},
    {"else_sizes", kUnknownRank, "?"},
    {"then_types", kOtherType, "[FP32]"},
    {"else_types", kOtherType, "[FP16]"},
    {"body_outputs", kPlainLoop, "1"},
    {"body_outputs", kRelu, "?"},
    {"body_reads_iteration", kCountingLoop, "yes"},
    {"body_reads_iteration", kPlainLoop, "no"},
    {"body_reads_iteration", kRelu, "?"},
    {"body_reads_condition", kCountingLoop, "yes"},
    {"body_reads_condition", kPlainLoop, "no"},
    {"body_reads_condition", loop("a1 = Relu (s1) d = Constant <value_int = 1> ()"), "no"},
    {"condition_may_change", kEndingLoop, "yes"},
    {"condition_may_change", kCountingLoop, "no"},
    {"condition_may_change", kPlainLoop, "?"},
    {"condition_may_change", kRelu, "?"},
    {"stands_beside_move", pair("", "Transpose"), "yes"},
    {"stands_beside_move", pair("m = Reshape (c, s) s = Constant <value_ints = [3, 2]> ()", "Relu"), "yes"},
    {"stands_beside_move", pair("m = Abs (c)", "Relu"), "no"},
    {"stands_beside_move", pair("", "Relu"), "no"},
    {"equation_has_ellipsis", einsum("...i,ij->...j"), "yes"},
    {"equation_has_ellipsis", einsum("ik,kj->ij"), "no"},
    {"equation_has_other_characters", einsum("Ik,kj->Ij"), "yes"},
    {"equation_has_other_characters", einsum("...i, ij -> ...j"), "no"},
    {"equation_takes_diagonal", einsum("ii,ij->j"), "yes"},
    {"equation_takes_diagonal", einsum("ik,jj->i"), "yes"},
    {"equation_takes_diagonal", einsum("ik,ki->i"), "no"},
    {"equation_takes_diagonal", einsum("ij,jk->ii"), "no"},

    {"sizes_through_matrix", sizes("m = Reshape (s, t) w = Transpose (m) r = Reshape (w, f)"), "yes"},
    {"sizes_through_matrix", sizes("m = Identity (s) r = Reshape (m, f)"), "?"},
    {"sizes_through_matrix", "agraph (float[2,3] x) => (y) <int64[1,2] r = {3, 2}> { y = Reshape (x, r) }", "?"},
    {"sizes_through_matrix", "agraph (float[2,3] x) => (y) { y = Relu (x) }", "?"},
    {"sizes_through_scatter", sizes("m = Constant <value = int64[1,1] {0}> () r = ScatterND (s, m, f)"), "yes"},
    {"sizes_through_scatter", sizes("r = Identity (s)"), "?"},
    {"summed_otherwise",
     "agraph (float[2,3] x) => (y, z) <int64 a = {0}, int64 b = {1}> { y = CumSum (x, a) z = CumSum (x, b) }", "yes"},
    {"summed_otherwise",
     "agraph (float[2,3] x) => (y, z) <int64 a = {0}, int64 b = {0}> { y = CumSum (x, a) z = CumSum (x, b) }", "no"},
    {"summed_otherwise",
     "agraph (float[2,3] x) => (y, z) <int64 a = {0}> { y = CumSum (x, a) z = CumSum <reverse = 1> (x, a) }", "yes"},
    {"summed_otherwise",
     "agraph (float[2,3] x, int64 b) => (y, z) <int64 a = {0}> { y = CumSum (x, a) z = CumSum (x, b) }", "?"},
    {"summed_otherwise",
     "agraph (float[2,3] x) => (y, z) <int64 a = {0}, int64 b = {1}> { y = CumSum (x, a) u = Abs (x) z = CumSum (u, b) "
     "}",
     "no"},
    {"scores_scaled_after_product", attention("d = Div (p, c) e = Add (d, m) s = Softmax (e)"), "yes"},
    {"scores_scaled_after_product", attention("d = Mul (p, c) s = Softmax (d)"), "yes"},
    {"scores_scaled_after_product", attention("s = Softmax (p)"), "no"},
    {"scores_scaled_after_product", attention("d = Mul (p, m) s = Softmax (d)"), "no"},
    {"scores_scaled_after_product", attention("s = Mul (p, c)"), "no"},
    {"sizes_through_floats", sizes("m = Cast <to = 1> (s) w = Floor (m) r = Cast <to = 7> (w)"), "yes"},
    {"sizes_through_floats", sizes("m = Cast <to = 6> (s) w = Abs (m) r = Cast <to = 7> (w)"), "?"},
    {"sizes_through_floats",
     "agraph (float[2,3] x) => (y) { s = Shape (x) m = Cast <to = 1> (s) r = Cast <to = 7> (m) y = Reshape (x, r) }",
     "?"},
    {"sizes_through_floats", "agraph (float[N,6] x, float[1] z) => (y) { y = Resize (x, , z) }", "?"},
};

std::string answered(std::string_view predicate, const test::AskedNode& asked) {
  const auto found = std::ranges::find(kNames, predicate);
  REQUIRE(found != kNames.end());
  facts::Question question{.view = asked.node};
  return facts::text_of(facts::answer(static_cast<std::uint16_t>(found - kNames.begin()), question), asked.view.dims());
}

}  // namespace

TEST_CASE("a predicate answers as its name says") {
  for (const Case& one : kCases) {
    INFO(one.predicate << ": " << one.model);
    const bool is_about_last = one.predicate.starts_with("sizes_") || one.predicate.starts_with("scores_");
    using Asked = test::AskedNode::Asked;
    const auto asked = one.predicate == "stands_beside_loop"       ? Asked::elu
                       : one.predicate == "leaves_sequence_unread" ? Asked::recurrent
                       : is_about_last                             ? Asked::last
                                                                   : Asked::first;
    CHECK(answered(one.predicate, test::AskedNode(one.model, asked)) == one.answer);
  }
}

TEST_CASE("every predicate has a case") {
  for (const std::string_view name : kNames) {
    INFO(name);
    CHECK(std::ranges::count(kCases, name, &Case::predicate) > 0);
  }
}

TEST_CASE("an equation that is not there is absent, not unknown") {
  const test::AskedNode asked("agraph (float[3] x) => (y) { y = Einsum (x) }");
  for (const std::string_view name : {"equation_has_ellipsis", "equation_takes_diagonal"}) {
    const auto index = std::ranges::find(kNames, name) - kNames.begin();
    facts::Question question{.view = asked.node};
    CHECK(facts::answer(static_cast<std::uint16_t>(index), question).kind == facts::Value::Kind::unknown);
    CHECK(question.is_absent);
  }
}

TEST_CASE("ranks that the file declares are marked, counts are not") {
  const test::AskedNode asked(
      "agraph (bool c, float[2] x) => (y) { y = If <then_branch = t () => (float[2,3] p) { p = NotKnown (x) }, "
      "else_branch = e () => (q) { q = Relu (x) }> (c) }");
  const auto is_claimed = [&](std::string_view name) {
    facts::Question question{.view = asked.node};
    const auto index = std::ranges::find(kNames, name) - kNames.begin();
    CHECK(facts::answer(static_cast<std::uint16_t>(index), question).kind != facts::Value::Kind::unknown);
    return question.is_claimed;
  };
  CHECK(is_claimed("then_ranks"));
  CHECK_FALSE(is_claimed("then_outputs"));
}
