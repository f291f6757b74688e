// What ONNX forbids and TensorRT builds all the same: the shapes are those that TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1
// gave the same nodes. " ~ " is taken, " ! " is refused.
#include <catch2/catch.hpp>

#include "shape_case.hpp"

using trtcheck::test::inferred_text;
using trtcheck::test::ShapeCase;

namespace {

const ShapeCase kCases[] = {
    {17, "float[N,4,8,8] x, float[1,1,4,1,1] s", "", "y = PRelu(x, s)",
     "FLOAT[1,N,4,8,8] ~ the slope has more axes than the input"},
    {21, "float[N,8,4] x, float[1] s, float[8] b", "", "y = GroupNormalization<num_groups = 1>(x, s, b)",
     "FLOAT[N,8,4] ~ input 1 has 1 values, input 0 has 8 channels"},
    {21, "float[N,8,4] x, float[8] s, float[1] b", "", "y = GroupNormalization<num_groups = 1>(x, s, b)",
     "FLOAT[N,8,4] ! input 2 has 1 values, input 0 has 8 channels"},
    {21, "float[N,8,4] x, float[1] s, float[8] b", "", "y = GroupNormalization<num_groups = 2>(x, s, b)",
     "FLOAT[N,8,4] ! input 1 has 1 values, input 0 has 8 channels"},
    {17, "float[1,4] x, float[2,1,4] s", "", "y = PRelu(x, s)", "FLOAT[...] ! the slope has more axes than the input"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = Conv<strides=[2]>(x, w)",
     "FLOAT[1,4,3,6] ~ attribute `strides` has 1 entries, 2 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = Conv<strides=[2,1,3]>(x, w)",
     "FLOAT[1,4,3,6] ~ attribute `strides` has 3 entries, 2 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = Conv<dilations=[2]>(x, w)",
     "FLOAT[1,4,4,6] ~ attribute `dilations` has 1 entries, 2 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = Conv<pads=[1]>(x, w)",
     "FLOAT[1,4,6,6] ~ attribute `pads` has 1 entries, 4 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = Conv<pads=[1,2,0]>(x, w)",
     "FLOAT[1,4,9,6] ~ attribute `pads` has 3 entries, 4 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = Conv<pads=[1,2,0,1,5]>(x, w)",
     "FLOAT[1,4,7,9] ~ attribute `pads` has 5 entries, 4 are required"},
    {17, "float[1,4,8] x, float[4,4,3] w", "", "y = Conv<pads=[1,0,1,0]>(x, w)",
     "FLOAT[1,4,8] ~ attribute `pads` has 4 entries, 2 are required"},
    {17, "float[1,4,8] x, float[4,4,3] w", "", "y = Conv<pads=[1,1,0,0]>(x, w)",
     "FLOAT[1,4,?] ! attribute `pads` has 4 entries, 2 are required"},
    {17, "float[1,4,8] x", "", "y = MaxPool<kernel_shape=[3], pads=[1,2,0,1]>(x)",
     "FLOAT[1,4,7] ~ attribute `pads` has 4 entries, 2 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = ConvTranspose<strides=[2]>(x, w)",
     "FLOAT[1,4,17,10] ~ attribute `strides` has 1 entries, 2 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = ConvTranspose<pads=[1,2]>(x, w)",
     "FLOAT[1,4,7,10] ~ attribute `pads` has 2 entries, 4 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = ConvTranspose<strides=[2,2], output_padding=[1]>(x, w)",
     "FLOAT[1,4,18,17] ~ attribute `output_padding` has 1 entries, 2 are required"},
    {17, "float[1,4,8,8] x, float[4,4,3,3] w", "", "y = ConvTranspose<output_shape=[10,10,10]>(x, w)",
     "FLOAT[1,4,10,10] ~ attribute `output_shape` has 3 entries, 2 are required"},
    {17, "float[1,4,8,9] x", "", "y = MaxPool<kernel_shape=[9,9]>(x)",
     "FLOAT[1,4,0,1] ~ axis 2 of the padded input is 8, a window of 9 does not fit"},
    {17, "float[1,4,8,9] x", "", "y = MaxPool<kernel_shape=[10,9], strides=[2,1]>(x)",
     "FLOAT[1,4,0,1] ~ axis 2 of the padded input is 8, a window of 10 does not fit"},
    {17, "float[1,4,8,9] x", "", "y = MaxPool<kernel_shape=[10,9]>(x)",
     "FLOAT[1,4,?,1] ! axis 2 of the padded input is 8, a window of 10 does not fit"},
    {17, "float[1,4,5,8,8] x", "", "y = LpPool<kernel_shape=[3,3], strides=[2,1], pads=[1,0,0,0]>(x)",
     "FLOAT[1,4,5,4,6] ~ attribute `kernel_shape` has 2 entries, an input of 5 axes needs 3"},
    {17, "float[1,4,5,8,8] x", "", "y = LpPool<kernel_shape=[3]>(x)",
     "FLOAT[...] ! attribute `kernel_shape` has 1 entries, an input of 5 axes needs 3"},
    {13, "float[2,3,4] x", "", "y = ReduceMax<axes=[0,0,1,-2], keepdims=0>(x)",
     "FLOAT[4] ~ axis 0 is listed twice ~ axis -2 is listed twice"},
    {17, "float[2,3,4,5] x", "", "y = Transpose<perm=[0,2,1]>(x)",
     "FLOAT[2,4,3,5] ~ perm has 3 entries, the input has 4 axes"},
    {17, "float[2,3,4] x", "", "y = Transpose<perm=[2,1,0,-9]>(x)",
     "FLOAT[4,3,2] ~ perm has 4 entries, the input has 3 axes"},
    {17, "float[2,3,4] x", "", "y = Transpose<perm=[3,2,1,0]>(x)",
     "FLOAT[...] ! perm has 4 entries, the input has 3 axes"},
    {17, "float[N,3,4] x", "int64[1] r = {2}", "y = Tile(x, r)", "FLOAT[2*N,6,8] ~ 1 repeats for an input with 3 axes"},
    {17, "float[2,3] x", "int64 r = {2}", "y = Tile(x, r)", "FLOAT[4,6] ~ 1 repeats for an input with 2 axes"},
    {17, "float[2,3] x", "int64[3] r = {1,2,2}", "y = Tile(x, r)", "FLOAT[...] ! 3 repeats for an input with 2 axes"},
    // No tensor is that large, and none has a size below 0.
    {17, "float[2] x", "int64[1] r = {9223372036854775807}", "y = Tile(x, r)",
     "FLOAT[2*?] ~~ axis 0 of the result overflows: it is 2^60 or above"},
    {17, "float[2] x", "int64[1] r = {1073741824}", "y = Tile(x, r)", "FLOAT[2147483648]"},
    {17, "float[9223372036854775807,1] x, float[1,1] w", "", "y = Concat<axis=0>(x, w)",
     "FLOAT[? + 1,1] ~~ axis 0 of the result overflows: it is 2^60 or above"},
    {17, "float[9223372036854775807,1] x", "", "y = Concat<axis=0>(x)", "FLOAT[?,1]"},
    {17, "float[N] x", "int64[2] p = {9223372036854775807,1}", "y = Pad(x, p)",
     "FLOAT[? + N + 1] ~~ axis 0 of the result overflows: it is 2^60 or above"},
    {17, "float[N] x", "int64[2] p = {9223372036854775807,-9223372036854775807}", "y = Pad(x, p)", "FLOAT[? + ? + N]"},
    {17, "int64[1] s", "int64[1] a = {-9223372036854775808}, int64[1] b = {1}", "n = Sub(a, b) y = ConstantOfShape(n)",
     "FLOAT[? - 1] ! axis 0 of the result is below 0"},
    {17, "float[9223372036854775807] x, float[1] w", "",
     "a = Shape(x) b = Shape(w) n = Add(a, b) y = ConstantOfShape(n)",
     "FLOAT[? + 1] ~~ axis 0 of the result overflows: it is 2^60 or above"},
    {17, "float[9223372036854775807] x", "", "y = Relu(x)", "FLOAT[?]"},
    {17, "float[6,4] x", "int64[2] r = {3,2}", "y = Expand(x, r)",
     "FLOAT[6,4] ~ cannot broadcast 4 to 2 ~ cannot broadcast 6 to 3"},
    {17, "float[6,3] x", "int64[2] r = {0,3}", "y = Expand(x, r)", "FLOAT[?,3] ~ cannot broadcast 6 to 0"},
    {17, "float[6,3] x", "int64[3] r = {2,4,3}", "y = Expand(x, r)", "FLOAT[2,6,3] ~ cannot broadcast 6 to 4"},
    {17, "float[6,2] x", "int64[1] p = {3}", "y = Split<axis=0>(x, p)",
     "FLOAT[3,2] ~ the parts of Split add up to the axis: 3 is not 6"},
    {17, "float[2,4,8] x, float[1,1,2,4,8] s", "", "y = LayerNormalization(x, s)",
     "FLOAT[1,1,2,4,8] ~ input 1 has 5 axes, input 0 has 3"},
    {17, "float[2,4,8] x, float[2,2,4,8] s", "", "y = LayerNormalization(x, s)",
     "FLOAT[2,4,8] ! input 1 has 4 axes, input 0 has 3"},
    {23, "float[2,4,8] x, float[2,2,4,8] s", "", "y = RMSNormalization(x, s)",
     "FLOAT[2,2,4,8] ~ input 1 has 4 axes, input 0 has 3"},
    {17, "float[2,3] x, float[3,4] w, float[3,2,4] c", "", "y = Gemm(x, w, c)",
     "FLOAT[3,2,4] ~ input 2 has 3 axes, at most 2 are allowed"},
    {17, "float[2,3] x, float[3,1] w, float[4] c", "", "y = Gemm(x, w, c)",
     "FLOAT[2,4] ~ input 2 has 4 where the product has 1"},
    {17, "float[2,4,3] x", "int64[2,0] i = {}", "y = GatherND(x, i)",
     "FLOAT[2,2,4,3] ~ index vectors without a number"},
    {17, "float[1,3,8,8] x, float[3,3,3] w", "", "y = Conv(x, w)",
     "FLOAT[...] ~ input 0 has 4 axes, the weight tensor has 3"},
    {17, "float[1,3,8] x, float[3,3,3,3] w", "", "y = Conv(x, w)",
     "FLOAT[...] ! input 0 has 3 axes, the weight tensor has 4"},
};

}  // namespace

TEST_CASE("what TensorRT takes has the shape that TensorRT gives it") {
  for (const ShapeCase& c : kCases) {
    INFO(c.inputs << "  " << c.nodes);
    CHECK(inferred_text(c) == c.expected);
  }
}
