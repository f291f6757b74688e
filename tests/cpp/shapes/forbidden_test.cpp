// What every runtime refuses (" ! "), and what the standard forbids and onnx's reference evaluator runs all the same
// (" ~~ "); tests/python/test_forbidden_nodes.py asks both.
#include <catch2/catch.hpp>

#include "inferred.hpp"
#include "shape_case.hpp"

using trtcheck::test::inferred_text;
using trtcheck::test::ShapeCase;

namespace {

constexpr const char* kUnpooled = "float[1,1,2,2] x, int64[1,1,2,2] i";
constexpr const char* kHeads = "float[2,4,3,8] q, float[2,2,5,8] k, float[2,2,5,6] v";

const ShapeCase kForbidden[] = {
    // MaxUnpool
    {22, "float[1,1,2,2] x, int64[1,2,2] i", "", "y = MaxUnpool<kernel_shape=[2,2], strides=[2,2]>(x, i)",
     "FLOAT[1,1,4,4] ~~ indices have 3 axes, input 0 has 4"},
    {22, kUnpooled, "", "y = MaxUnpool<kernel_shape=[2]>(x, i)",
     "FLOAT[...] ! attribute `kernel_shape` has 1 entries, input 0 has 4 axes"},
    {22, kUnpooled, "", "y = MaxUnpool<kernel_shape=[2,2,2]>(x, i)",
     "FLOAT[...] ! attribute `kernel_shape` has 3 entries, input 0 has 4 axes"},
    {22, kUnpooled, "int64[4] s = {1,1,4,4}", "y = MaxUnpool<kernel_shape=[2]>(x, i, s)",
     "FLOAT[1,1,4,4] ! attribute `kernel_shape` has 1 entries, input 0 has 4 axes"},
    {22, kUnpooled, "int64[4] s = {1,1,4,4}", "y = MaxUnpool<kernel_shape=[2,2,2]>(x, i, s)",
     "FLOAT[1,1,4,4] ! attribute `kernel_shape` has 3 entries, input 0 has 4 axes"},
    {22, kUnpooled, "int64[3] s = {1,4,4}", "y = MaxUnpool<kernel_shape=[2,2]>(x, i, s)",
     "FLOAT[...] ! `output_shape` has 3 values, input 0 has 4 axes"},
    {22, kUnpooled, "", "y = MaxUnpool<kernel_shape=[2,2], strides=[0,1]>(x, i)",
     "FLOAT[1,1,?,?] ~~ attribute `strides` holds 0"},
    {22, kUnpooled, "", "y = MaxUnpool<kernel_shape=[2,2], strides=[2,1]>(x, i)", "FLOAT[1,1,4,3]"},
    // FlexAttention
    {23, kHeads, "", "y = ai.onnx.preview.FlexAttention(q, k, v)", "FLOAT[2,4,3,6]"},
    {23, "float[2,4,3,8] q, float[1,2,5,8] k, float[1,2,5,6] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[2,4,3,6] ~~ the batch of input 1 is 1, 2 is required ~~ the batch of input 2 is 1, 2 is required"},
    {23, "float[1,4,3,8] q, float[2,2,5,8] k, float[2,2,5,6] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[2,4,3,6] ~~ the batch of input 1 is 2, 1 is required"},
    {23, "float[2,4,3,8] q, float[3,2,5,8] k, float[3,2,5,6] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[2,4,3,6] ! query, key and value have the same batch: 2 is not 3 ! query, key and value have the same "
     "batch: "
     "2 is not 3"},
    {23, "float[2,4,3,8] q, float[2,2,5,8] k, float[2,5,6] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[...] ! input 2 has 3 axes, 4 are required"},
    {23, "float[2,4,3,8] q, float[2,3,5,8] k, float[2,3,5,6] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[2,4,3,6] ! query heads are a multiple of key heads: 4 is not a multiple of 3"},
    {23, "float[2,4,3,8] q, float[2,2,5,7] k, float[2,2,5,6] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[2,4,3,6] ! query and key heads have the same size: 8 is not 7"},
    {23, "float[2,4,3,8] q, float[2,1,5,8] k, float[2,4,5,6] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[2,4,3,6] ! key and value have the same number of heads: 1 is not 4"},
    {23, "float[2,4,3,8] q, float[2,2,1,8] k, float[2,2,5,6] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[2,4,3,6] ! key and value have the same length: 1 is not 5"},
    // CausalConvWithState
    {27, "float[2,3,5] x, float[3,1,4] w", "", "y, z = CausalConvWithState(x, w)", "FLOAT[2,3,5]; FLOAT[2,3,3]"},
    {27, "float[2,1,5] x, float[3,1,4] w", "", "y, z = CausalConvWithState(x, w)",
     "FLOAT[2,3,5]; FLOAT[2,1,3] ~~ input 0 has one channel, 3 filters need one each"},
    {27, "float[2,1,5] x, float[1,1,4] w", "", "y, z = CausalConvWithState(x, w)", "FLOAT[2,1,5]; FLOAT[2,1,3]"},
    {27, "float[2,3,5] x, float[1,1,4] w", "", "y, z = CausalConvWithState(x, w)",
     "FLOAT[2,3,5]; FLOAT[2,3,3] ! there is one filter per channel: 3 is not 1"},
    {27, "float[2,3,5] x, float[3,1,0] w", "", "y, z = CausalConvWithState(x, w)",
     "FLOAT[2,3,5]; FLOAT[2,3,?] ! the kernel has one element or more: 0 is less than 1"},
    {27, "float[2,3,5] x, float[3,4] w", "", "y, z = CausalConvWithState(x, w)",
     "FLOAT[2,3,5]; FLOAT[...] ! input 1 has 2 axes, 3 are required"},
    {27, "float[2,3,5,5] x, float[3,1,4] w", "", "y, z = CausalConvWithState(x, w)",
     "FLOAT[2,3,5,5]; FLOAT[...] ! input 0 has 4 axes, 3 are required"},
    {27, "float[2,3,5] x, float[3,1,4] w", "", "y, z = CausalConvWithState<activation=\"relu\">(x, w)",
     "FLOAT[2,3,5]; FLOAT[2,3,3] ! attribute `activation` must be none, silu or swish"},
    // LinearAttention
    {27, "float[1,3,8] q, float[1,3,4] k, float[1,3,6] v", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2, update_rule=\"linear\">(q, k, v)",
     "FLOAT[1,3,12]; FLOAT[1,2,2,3]"},
    {27, "float[1,3,8] q, float[1,3,4] k, float[1,3,6] v", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2, update_rule=\"other\">(q, k, v)",
     "FLOAT[1,3,12]; FLOAT[1,2,2,3] ! attribute `update_rule` must be linear, gated, delta or gated_delta"},
    {27, "float[1,3,8] q, float[1,3,4] k, float[1,3,6] v", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2, update_rule=\"delta\">(q, k, v)",
     "FLOAT[1,3,12]; FLOAT[1,2,2,3] ! input `beta` is required for the update rule delta"},
    {27, "float[1,3,8] q, float[1,3,4] k, float[1,3,6] v, float[1,3,2] d", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2, update_rule=\"linear\">(q, k, v, , d)",
     "FLOAT[1,3,12]; FLOAT[1,2,2,3] ! input `decay` must be left out for the update rule linear"},
    {27, "float[1,3,8] q, float[1,3,4] k, float[1,3,6] v, float[1,3,3] d", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2, update_rule=\"gated\">(q, k, v, , d)",
     "FLOAT[1,3,12]; FLOAT[1,2,2,3] ! axis 2 of input 4 is 3, 2 or 4 is required"},
    {27, "float[1,3,8] q, float[1,3,4] k, float[1,3,6] v, float[1,3,4] d", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2, update_rule=\"gated\">(q, k, v, , d)",
     "FLOAT[1,3,12]; FLOAT[1,2,2,3]"},
    {27, "float[1,3,6] q, float[1,3,4] k, float[1,3,6] v", "",
     "y, z = LinearAttention<q_num_heads=3, kv_num_heads=2, update_rule=\"linear\">(q, k, v)",
     "FLOAT[1,3,9]; FLOAT[1,2,2,3] ! 3 query heads are no multiple of 2 key heads"},
    {27, "float[1,3,8] q, float[1,3,5] k, float[1,3,6] v", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2, update_rule=\"linear\">(q, k, v)",
     "FLOAT[1,3,12]; FLOAT[1,2,2,3] ! the last axis is a multiple of the number of heads: 5 is not a multiple of 2"},
    // ConvTranspose: TensorRT-RTX was asked about every pair of ranks from 2 to 6
    {22, "float[1,3] x, float[3,4,3] w", "", "y = ConvTranspose(x, w)",
     "FLOAT[...] ! input 0 has 2 axes, at least 3 are required"},
    {22, "float[1,3,5] x, float[3,4] w", "", "y = ConvTranspose(x, w)",
     "FLOAT[...] ! input 1 has 2 axes, at least 3 are required"},
    {22, "float[1,3,5] x, float[3,4,3,3] w", "", "y = ConvTranspose(x, w)",
     "FLOAT[...] ! weight has 4 axes, input 0 has 3"},
    {22, "float[1,3,5,5] x, float[3,4,3] w", "", "y = ConvTranspose(x, w)",
     "FLOAT[...] ~ weight has 3 axes, input 0 has 4"},
    {22, "float[1,3,5] x, float[3,4,3] w", "", "y = ConvTranspose(x, w)", "FLOAT[1,4,7]"},
};

// Scan: s is a state, x is scanned.
constexpr const char* kScanned = "float[2] s, float[4,3] x";

const ShapeCase kScans[] = {
    {21, kScanned, "",
     "y, z = Scan<num_scan_inputs=1, body=b (float[2] a, float[3] e) => (c, d) {c = Identity(a) d = Identity(e)}>(s, "
     "x)",
     "FLOAT[2]; FLOAT[4,3]"},
    {21, kScanned, "",
     "y, z = Scan<num_scan_inputs=3, body=b (float[2] a, float[3] e) => (c, d) {c = Identity(a) d = Identity(e)}>(s, "
     "x)",
     "?; ? ~~ attribute `num_scan_inputs` is 3, of 2 inputs"},
    {21, kScanned, "",
     "y, z = Scan<num_scan_inputs=-1, body=b (float[2] a, float[3] e) => (c, d) {c = Identity(a) d = Identity(e)}>(s, "
     "x)",
     "?; ? ! attribute `num_scan_inputs` is -1, of 2 inputs"},
    {21, kScanned, "", "y = Scan<num_scan_inputs=1, body=b (float[2] a) => (c) {c = Identity(a)}>(s, x)",
     "? ~~ Scan has 2 inputs, its body 1"},
    {21, kScanned, "", "y, z = Scan<num_scan_inputs=1, body=b (float[2] a, float[3] e) => (c) {c = Identity(a)}>(s, x)",
     "?; ? ! Scan has 2 outputs, its body 1"},
    {21, "float[2] s, float[5] t, float[4,3] x", "",
     "y = Scan<num_scan_inputs=1, body=b (float[2] a, float[5] f, float[3] e) => (c, d) {c = Identity(a) d = "
     "Identity(f)}>(s, t, x)",
     "FLOAT[2] ~~ Scan has 1 outputs for 2 loop state variables"},
    {21, "float[2] s, float[5] t, float[4,3] x", "",
     "y = Scan<num_scan_inputs=1, body=b (float[2] a, float[5] f, float[3] e) => (c) {c = Identity(a)}>(s, t, x)",
     "? ~~ Scan has 1 outputs for 2 loop state variables ~~ the body of Scan has 1 outputs for 2 loop state variables"},
};

TEST_CASE("what the standard forbids is no error where onnx's reference evaluator runs it") {
  for (const ShapeCase& c : kForbidden) {
    INFO(c.inputs << " | " << c.constants << " | " << c.nodes);
    CHECK(inferred_text(c) == c.expected);
  }
}

TEST_CASE("counts of Scan") {
  for (const ShapeCase& c : kScans) {
    INFO(c.inputs << " | " << c.nodes);
    CHECK(inferred_text(c) == c.expected);
  }
}

}  // namespace
