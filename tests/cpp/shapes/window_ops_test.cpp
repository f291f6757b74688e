// Convolution and pooling: sizes with symbols, opset differences, near misses.
#include <catch2/catch.hpp>

#include "inferred.hpp"
#include "shape_case.hpp"

using trtcheck::test::inferred_text;
using trtcheck::test::obligation_text;
using trtcheck::test::ShapeCase;

namespace {

const ShapeCase kConvolutions[] = {
    // Conv
    {17, "float[N,3,H,W] x, float[8,3,3,3] w", "", "y = Conv(x, w)", "FLOAT[N,8,H - 2,W - 2]"},
    {17, "float[N,3,H,W] x, float[8,3,3,3] w", "", "y = Conv<pads=[1,1,1,1], strides=[2,2]>(x, w)",
     "FLOAT[N,8,floor((H + 1)/2),floor((W + 1)/2)]"},
    {17, "float[1,3,224,224] x, float[64,3,7,7] w, float[64] b", "",
     "y = Conv<kernel_shape=[7,7], pads=[3,3,3,3], strides=[2,2]>(x, w, b)", "FLOAT[1,64,112,112]"},
    {11, "float16[N,4,L] x, float16[6,2,3] w", "", "y = Conv<dilations=[2], group=2>(x, w)", "FLOAT16[N,6,L - 4]"},
    {17, "float[N,3,D,H,W] x, float[4,3,1,3,3] w", "", "y = Conv<pads=[0,1,1,0,1,1]>(x, w)", "FLOAT[N,4,D,H,W]"},
    {17, "float[N,3,H,W] x, float[8,3,5,4] w", "", "y = Conv<auto_pad=\"SAME_UPPER\", strides=[2,3]>(x, w)",
     "FLOAT[N,8,floor((H + 1)/2),floor((W + 2)/3)]"},
    {17, "float[N,3,9,9] x, float[8,3,5,5] w", "", "y = Conv<auto_pad=\"VALID\", strides=[2,2]>(x, w)",
     "FLOAT[N,8,3,3]"},
    {17, "float[N,3,9,9] x, float[8,3,5,5] w", "", "y = Conv<auto_pad=\"SAME_LOWER\", pads=[0,0,0,0]>(x, w)",
     "FLOAT[N,8,9,9]"},
    // the weight alone gives rank and channels
    {17, "float[] x, float[8,3,3,3] w", "", "y = Conv(x, w)", "FLOAT[?,8,? - 2,? - 2]"},
    {17, "float[N,?,H,W] x, float[8,3,3,3] w", "", "y = Conv(x, w)", "FLOAT[N,8,H - 2,W - 2]"},
    // near misses
    {17, "float[N,6,H,W] x, float[8,4,3,3] w", "", "y = Conv<group=2>(x, w)",
     "FLOAT[N,8,H - 2,W - 2] ! input 0 has 6 channels, weight expects 8 (4 x group 2)"},
    {17, "float[N,8,H,W] x, float[8,4,3,3] w", "", "y = Conv<group=2>(x, w)", "FLOAT[N,8,H - 2,W - 2]"},
    {17, "float[N,63,H,W] x, float[8,64,1,1] w", "", "y = Conv(x, w)",
     "FLOAT[N,8,H,W] ! input 0 has 63 channels, weight expects 64"},
    {17, "float[N,4,H,W] x, float[7,2,1,1] w", "", "y = Conv<group=2>(x, w)",
     "FLOAT[N,7,H,W] ! output channels are a multiple of group: 7 is not a multiple of 2"},
    {17, "float[N,4,H,W] x, float[8,4,1,1] w, float[4] b", "", "y = Conv(x, w, b)",
     "FLOAT[N,8,H,W] ! bias has 4 values, 8 output channels need one each"},
    {17, "float[N,4,H] x, float[8,4,1,1] w", "", "y = Conv(x, w)",
     "FLOAT[...] ! input 0 has 3 axes, the weight tensor has 4"},
    {17, "float[N,4,H,W] x, float[8,4,3,3] w", "", "y = Conv<strides=[2]>(x, w)",
     "FLOAT[N,8,floor((H + 1)/2) - 1,W - 2] ~ attribute `strides` has 1 entries, 2 are required"},
    {17, "float[N,4,H,W] x, float[8,4,3,3] w", "", "y = Conv<strides=[0,1]>(x, w)",
     "FLOAT[N,8,?,?] ! attribute `strides` holds 0"},
    {17, "float[N,4,H] x, float[8,4,2] w", "", "y = Conv<dilations=[9223372036854775807]>(x, w)",
     "FLOAT[N,8,?] ! attribute `dilations` holds 9223372036854775807: sizes computed from it overflow"},
    // The attribute says what the weight leaves open.
    {17, "float[N,4,16,16] x, float[8,4,K,L] w", "", "y = Conv<kernel_shape=[3,3]>(x, w)", "FLOAT[N,8,14,14]"},
    {17, "float[N,4,16,16] x, float[8,4,K,3] w", "", "y = Conv(x, w)", "FLOAT[N,8,-K + 17,14]"},
    {17, "float[25,48,16,16] x, float[48,32,K,L] w", "",
     "y = ConvTranspose<kernel_shape=[3,3], strides=[2,2], pads=[1,1,2,2]>(x, w)", "FLOAT[25,32,30,30]"},
    {17, "float[1,2,1] x, float[2,9223372036854775807,1] w", "", "y = ConvTranspose<group=2>(x, w)",
     "FLOAT[1,2*?,1] ~~ the number of output channels overflows: it is 2^60 or above"},
    {17, "float[N,4,H,W] x, float[8,4,3,3] w", "", "y = Conv<kernel_shape=[3,5]>(x, w)",
     "FLOAT[N,8,H - 2,W - 2] ! kernel_shape says 5 for axis 3, weight has 3"},
    {17, "float[1,4,2,9] x, float[8,4,3,3] w", "", "y = Conv(x, w)",
     "FLOAT[1,8,?,7] ! axis 2 of the padded input is 2, a window of 3 does not fit"},
    {17, "float[1,4,3,9] x, float[8,4,3,3] w", "", "y = Conv(x, w)", "FLOAT[1,8,1,7]"},
    // relatives
    {10, "uint8[N,3,H,W] x, uint8[8,3,3,3] w, uint8 xz", "", "y = ConvInteger(x, w, xz)", "INT32[N,8,H - 2,W - 2]"},
    {10, "uint8[N,3,H,W] x, float xs, uint8 xz, int8[8,3,3,3] w, float ws, int8 wz, float ys, uint8 yz, int32[8] b", "",
     "y = QLinearConv(x, xs, xz, w, ws, wz, ys, yz, b)", "UINT8[N,8,H - 2,W - 2]"},
    {19, "float[N,3,H,W] x, float[8,3,3,3] w, float[N,18,P,Q] o", "", "y = DeformConv(x, w, o)",
     "FLOAT[N,8,H - 2,W - 2]"},
    // ConvTranspose
    {17, "float[N,8,H,W] x, float[8,4,2,2] w", "", "y = ConvTranspose<strides=[2,2]>(x, w)", "FLOAT[N,4,2*H,2*W]"},
    {17, "float[N,8,H,W] x, float[8,4,3,3] w", "",
     "y = ConvTranspose<strides=[2,2], pads=[1,1,1,1], output_padding=[1,1]>(x, w)", "FLOAT[N,4,2*H,2*W]"},
    {17, "float[N,8,H,W] x, float[8,4,3,3] w, float[8] b", "", "y = ConvTranspose<group=2>(x, w, b)",
     "FLOAT[N,8,H + 2,W + 2]"},
    {17, "float[N,8,H,W] x, float[8,4,3,3] w", "", "y = ConvTranspose<auto_pad=\"SAME_UPPER\", strides=[2,2]>(x, w)",
     "FLOAT[N,4,2*H,2*W]"},
    {17, "float[N,8,H,W] x, float[8,4,1,1] w", "", "y = ConvTranspose<auto_pad=\"SAME_UPPER\", strides=[2,2]>(x, w)",
     "FLOAT[N,4,2*H - 1,2*W - 1]"},
    {17, "float[N,8,H,W] x, float[8,4,3,3] w", "", "y = ConvTranspose<output_shape=[10,8], strides=[3,2]>(x, w)",
     "FLOAT[N,4,10,8]"},
    {17, "float[N,6,H,W] x, float[8,4,3,3] w", "", "y = ConvTranspose(x, w)",
     "FLOAT[N,4,H + 2,W + 2] ! input 0 has 6 channels, weight expects 8"},
    {17, "float[N,8,H,W] x, float[8,4,3,3] w, float[4] b", "", "y = ConvTranspose<group=2>(x, w, b)",
     "FLOAT[N,8,H + 2,W + 2] ! bias has 4 values, 8 output channels need one each (4 x group 2)"},
};

const ShapeCase kPools[] = {
    {17, "float[N,C,H,W] x", "", "y = MaxPool<kernel_shape=[2,2], strides=[2,2]>(x)",
     "FLOAT[N,C,floor(H/2),floor(W/2)]"},
    {17, "float[N,C,H,W] x", "", "y = MaxPool<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(x)",
     "FLOAT[N,C,floor((H + 1)/2),floor((W + 1)/2)]"},
    {17, "float[N,C,H,W] x", "", "y, z = MaxPool<kernel_shape=[3,3]>(x)",
     "FLOAT[N,C,H - 2,W - 2]; INT64[N,C,H - 2,W - 2]"},
    {17, "float[N,C,H] x", "", "y = MaxPool<kernel_shape=[3], dilations=[2], strides=[3]>(x)",
     "FLOAT[N,C,floor((H + 1)/3) - 1]"},
    {17, "float[N,C,H] x", "", "y = MaxPool<kernel_shape=[3], strides=[2], ceil_mode=1>(x)", "FLOAT[N,C,floor(H/2)]"},
    // ceil_mode: a window that would start in the end padding does not count
    {17, "float[1,1,4] x", "", "y = MaxPool<kernel_shape=[1], strides=[2], ceil_mode=1>(x)", "FLOAT[1,1,2]"},
    {17, "float[1,1,2] x", "", "y = AveragePool<kernel_shape=[3], strides=[3], pads=[1,1], ceil_mode=1>(x)",
     "FLOAT[1,1,1]"},
    {17, "float[1,1,3] x", "", "y = AveragePool<kernel_shape=[3], strides=[3], pads=[1,1], ceil_mode=1>(x)",
     "FLOAT[1,1,2]"},
    {17, "float[1,1,L] x", "", "y = AveragePool<kernel_shape=[3], strides=[3], pads=[1,1], ceil_mode=1>(x)",
     "FLOAT[1,1,floor(L/3) + 1]"},
    {17, "float[1,1,L] x", "", "y = MaxPool<kernel_shape=[1], strides=[2], ceil_mode=1>(x)",
     "FLOAT[1,1,floor((L + 1)/2)]"},
    {17, "float[N,C,H,W] x", "", "y = AveragePool<kernel_shape=[3,3], auto_pad=\"SAME_UPPER\", strides=[2,2]>(x)",
     "FLOAT[N,C,floor((H + 1)/2),floor((W + 1)/2)]"},
    {18, "float[N,C,L] x", "", "y = LpPool<kernel_shape=[2]>(x)", "FLOAT[N,C,L - 1]"},
    {17, "float[N,C,H,W] x", "", "y = GlobalAveragePool(x)", "FLOAT[N,C,1,1]"},
    {17, "float[N,C,D,H,W] x", "", "y = GlobalMaxPool(x)", "FLOAT[N,C,1,1,1]"},
    {11, "float[N,C,4,4] x, int64[N,C,4,4] i", "", "y = MaxUnpool<kernel_shape=[2,2], strides=[2,2]>(x, i)",
     "FLOAT[N,C,8,8]"},
    {11, "float[1,1,2,2] x, int64[1,1,2,2] i", "int64[4] s = {1,1,5,5}",
     "y = MaxUnpool<kernel_shape=[2,2], strides=[2,2]>(x, i, s)", "FLOAT[1,1,5,5]"},
    // rounding up makes room for a window that is larger than what is there
    {17, "float[1,1,3] x", "", "y = MaxPool<kernel_shape=[4], strides=[3], ceil_mode=1>(x)", "FLOAT[1,1,1]"},
    // near misses
    {17, "float[N,C,H] x", "", "y = MaxPool<kernel_shape=[2,2]>(x)",
     "FLOAT[...] ! attribute `kernel_shape` has 2 entries, an input of 3 axes needs 1"},
    {17, "float[1,1,2,2] x", "", "y = MaxPool<kernel_shape=[3,3]>(x)",
     "FLOAT[1,1,0,0] ~ axes 2 and 3 of the padded input are 2 by 2, a window of 3 by 3 does not fit"},
    // less than a stride short: runtimes round towards 0
    {17, "float[1,1,2,5] x", "", "y = MaxPool<kernel_shape=[3,3], strides=[2,2]>(x)",
     "FLOAT[1,1,?,2] ~~ axis 2 of the padded input is 2, a window of 3 does not fit"},
    {17, "float[1,1,2,5] x", "", "y = MaxPool<kernel_shape=[4,3], strides=[2,2]>(x)",
     "FLOAT[1,1,0,2] ~ axis 2 of the padded input is 2, a window of 4 does not fit"},
    {17, "float[1,1,2,5] x", "", "y = MaxPool<kernel_shape=[5,3], strides=[2,2]>(x)",
     "FLOAT[1,1,?,2] ! axis 2 of the padded input is 2, a window of 5 does not fit"},
    {17, "float[1,1,2,5,1] x", "", "y = MaxPool<kernel_shape=[3,3,3]>(x)",
     "FLOAT[1,1,0,3,?] ! axes 2 and 4 of the padded input are 2 by 1, a window of 3 by 3 does not fit"},
    {17, "float[1,1,2,1,1] x, float[1,1,3,2,3] w", "", "y = Conv(x, w)",
     "FLOAT[1,1,?,?,?] ! axes 2, 3 and 4 of the padded input are 2 by 1 by 1, a window of 3 by 2 by 3 does not fit"},
};

}  // namespace

TEST_CASE("convolutions give exact sizes") {
  for (const ShapeCase& c : kConvolutions) {
    CAPTURE(c.inputs, c.nodes);
    CHECK(inferred_text(c) == c.expected);
  }
}

TEST_CASE("pools give exact sizes") {
  for (const ShapeCase& c : kPools) {
    CAPTURE(c.inputs, c.nodes);
    CHECK(inferred_text(c) == c.expected);
  }
}

TEST_CASE("channels that cannot be compared are an obligation") {
  CHECK(obligation_text({17, "float[N,C,H,W] x, float[8,3,1,1] w", "", "y = Conv(x, w)", ""}) ==
        "C ? 3: data channels are weight channels times group");
  CHECK(obligation_text({17, "float[N,?,H,W] x, float[8,3,1,1] w", "", "y = Conv<group=2>(x, w)", ""}) ==
        "x.dim1 ? 6: data channels are weight channels times group");
  CHECK(obligation_text({17, "float[N,3,H,W] x, float[8,3,1,1] w", "", "y = Conv(x, w)", ""}).empty());
}

TEST_CASE("that the window fits is an obligation") {
  CHECK(obligation_text({17, "float[N,3,H,8] x", "", "y = MaxPool<kernel_shape=[2,2], strides=[2,2]>(x)", ""}) ==
        "floor(H/2) ? 1: the window fits into the padded input");
  CHECK(obligation_text({17, "float[N,3,H,8] x, float[8,3,3,3] w", "", "y = Conv(x, w)", ""}) ==
        "H - 2 ? 1: the window fits into the padded input");
  CHECK(
      obligation_text({17, "float[N,3,H,8] x", "", "y = MaxPool<kernel_shape=[2,2], pads=[1,0,0,0]>(x)", ""}).empty());
  CHECK(obligation_text({17, "float[N,3,H,8] x", "", "y = MaxPool<kernel_shape=[2,2], auto_pad=\"SAME_UPPER\">(x)", ""})
            .empty());
}

TEST_CASE("an extent that nobody knows may be 0") {
  const trtcheck::test::Inferred result(R"(
    g (float[1,2,N,6] x, int64[R] s) => (y) {
      r = Reshape(x, s)
      y = MaxPool<kernel_shape = [3, 4], pads = [2, 0, 1, 5]>(r)
    })");
  CHECK(result.text("y") == "FLOAT[?,?,? + 1,? + 2]");
  const trtcheck::DimTable& dims = result.shapes().dims();
  const auto made = result.shapes()[result.value("y")].dims;
  CHECK(dims.bounds(made[2]) == trtcheck::Interval{1, trtcheck::Interval::kMax});
  CHECK(dims.bounds(made[3]) == trtcheck::Interval{2, trtcheck::Interval::kMax});
}

TEST_CASE("a convolution inside a branch sees the outer sizes") {
  const trtcheck::test::Inferred result(R"(
    g (bool c, float[N,4,H,W] x, float[6,2,3,3] w) => (y) {
      y = If(c) <then_branch = a () => (p) { p = Conv<group = 2>(x, w) },
                 else_branch = b () => (q) { q = Conv<group = 3>(x, w) }>
    })");
  CHECK(result.text("p") == "FLOAT[N,6,H - 2,W - 2]");
  CHECK(result.text("y") == "FLOAT[N,6,H - 2,W - 2]");
  CHECK(result.conflicts() == "input 0 has 4 channels, weight expects 6 (2 x group 3)");
}

TEST_CASE("a pool inside a function sees the sizes of each call") {
  const trtcheck::test::Inferred result(R"(
    <ir_version: 9, opset_import: ["" : 17, "local" : 1]>
    g (float[N,4,H,W] x) => (y, z) { t = local.half(x)  y = local.half(t)  z = Identity(t) }
    <opset_import: ["" : 17], domain: "local">
    half (a) => (b) { b = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(a) })");
  CHECK(result.text("z") == "FLOAT[N,4,floor(H/2),floor(W/2)]");
  CHECK(result.text("y") == "FLOAT[N,4,floor(H/4),floor(W/4)]");
}
