// Operators of ONNX Runtime and plugins of TensorRT. Most of the former are held against ONNX Runtime in
// tests/python/test_contrib_shapes.py; here stand those that it cannot be asked about, what is not known, and plugins.
#include <catch2/catch.hpp>

#include <span>

#include "shape_case.hpp"
#include "shapes/table.hpp"

using trtcheck::test::inferred_text;
using trtcheck::test::ShapeCase;

namespace {

void check_all(std::span<const ShapeCase> cases) {
  for (const ShapeCase& c : cases) {
    INFO(c.nodes << "  of  " << c.inputs);
    CHECK(inferred_text(c) == c.expected);
  }
}

const ShapeCase kElements[] = {
    {17, "float[B,S,64] x", "", "y, z = com.microsoft.BitmaskDropout(x)", "FLOAT[B,S,64]; UINT32[2*B*S]"},
    {17, "float[B,5] x, float[5] b", "", "y, z = com.microsoft.BitmaskBiasDropout(x, b)",
     "FLOAT[B,5]; UINT32[floor((5*B + 31)/32)]"},
    {17, "float[B,S,2] x, float[S,2] w", "", "y = com.microsoft.ComplexMul(x, w)", "FLOAT[B,S,2]"},
    {17, "float[2,3] x, float[4,3] w", "", "y = com.microsoft.ComplexMulConj(x, w)",
     "FLOAT[...] ! cannot broadcast 2 against 4 at axis 0"},
    {17, "float[B,7] x", "", "y, z, u = com.microsoft.QuantizeBFP<bfp_type=0>(x)", "UINT8[?]; INT64[2]; INT64[2]"},
    {17, "uint8[D] x, int64[2] s, int64[2] t", "", "y = com.microsoft.DequantizeBFP<bfp_type=0, dtype=10>(x, s, t)",
     "FLOAT16[?,?]"},
    {17, "uint8[D] x, int64[R] s, int64[R] t", "", "y = com.microsoft.DequantizeBFP<bfp_type=0>(x, s, t)",
     "FLOAT[...]"},
    {17, "int8[B,S] x", "", "y = com.microsoft.DequantizeWithOrder<order_input=1, order_output=1>(x)", "?[B,S]"},
    {17, "float[B,S,6] x, float[B,S,4] w", "", "y = com.microsoft.HyperConnectionPreMix<num_branches=3>(x, w)",
     "FLOAT[B,S,2]"},
    {17, "uint8[B,S] x", "", "y = com.microsoft.ReduceSumInteger<axes=[1], keepdims=0>(x)", "UINT32[B]"},
    {17, "int8[B,S] x", "", "y = com.microsoft.ReduceSumInteger<axes=[0], keepdims=1>(x)", "INT32[1,S]"},
    {17, "float[B,N] x", "", "y = com.microsoft.Rfft<signal_ndim=1>(x)", "FLOAT[B,floor(N/2) + 1,2]"},
    {17, "float[B,9,2] x", "", "y = com.microsoft.Irfft<signal_ndim=1>(x)", "FLOAT[B,16]"},
    {17, "float[B,S] x, int32 w", "", "y = com.microsoft.ExpandDims(x, w)", "FLOAT[...]"},
    {17, "float[B,S] x, int64[4] p", "", "y = com.microsoft.Pad(x, p)", "FLOAT[?,?]"},
    {17, "int64 a, int64 b", "", "y = com.microsoft.Range(a, b)", "INT64[?]"},
    {17, "float[T] x", "", "y, z, u = com.microsoft.Unique(x)", "FLOAT[?]; INT64[T]; INT64[?]"},
};

const ShapeCase kProductsAndWords[] = {
    {17, "float[B,S,64] x, uint8[9] w", "int64[2] s = {64, 32}", "y = com.microsoft.MatMulFpQ4(x, w, s)",
     "FLOAT[B,S,32]"},
    {17, "float[B,64] x, uint8[32,4,8] w, float[32,4] s", "",
     "y = com.microsoft.MatMulNBits<N=32, K=64, block_size=16>(x, w, s)", "FLOAT[B,32]"},
    {17, "float[B,60] x, uint8[32,4,8] w, float[32,4] s", "",
     "y = com.microsoft.MatMulNBits<N=32, K=64, block_size=16>(x, w, s)",
     "FLOAT[B,32] ! inner sizes of the matrix product are equal: 60 is not 64"},
    {17, "float[B,64] x, uint8[32,4,8] w, float[32,4] s", "", "y = com.microsoft.MatMulNBits(x, w, s)", "FLOAT[B,?]"},
    {17, "float16[B,S,64] x, float16[32,64] w, float[32,1] s", "",
     "y = com.microsoft.MatMulBlockQuantizedFp8Weight(x, w, s)", "FLOAT16[B,S,32]"},
    {17, "float[2,3] x, float[4,5] w", "", "y = com.microsoft.FusedMatMul(x, w)",
     "FLOAT[2,5] ! inner sizes of the matrix product are equal: 3 is not 4"},
    {17, "float[3,2] x, float[3,5] w", "", "y = com.microsoft.FusedMatMul<transA=1>(x, w)", "FLOAT[2,5]"},
    {17, "float[2,N,8] x, float[M,8] w", "", "y = com.microsoft.SparseToDenseMatMul<transB=1>(x, w)", "FLOAT[2,N,M]"},
    {17, "float[S,B,8] x, float[1,16,8] w, float[1,16,4] r", "", "y, z, u = com.microsoft.AttnLSTM(x, w, r)",
     "FLOAT[S,1,B,4]; FLOAT[1,B,4]; FLOAT[1,B,4]"},
    {17, "int32[B,S] x", "int32[1] m = {20}", "y = com.microsoft.GreedySearch<eos_token_id=1, pad_token_id=2>(x, m)",
     "INT32[B,20]"},
    {17, "int32[B,S] x, int32[1] m", "", "y, z = com.microsoft.Sampling<vocab_size=99>(x, m)",
     "INT32[B,?]; FLOAT[B,99]"},
    {17, "int32[B,S] x, float[1] p", "int32[1] m = {20}, int32[1] n = {1}, int32[1] b = {4}, int32[1] r = {2}",
     "y, z, u = com.microsoft.BeamSearch<vocab_size=99>(x, m, n, b, r, p)",
     "INT32[B,2,20]; FLOAT[B,2]; FLOAT[-S + 20,B,4,99]"},
    {17, "float[B,80,3000] x, float16[1] p", "int32[1] m = {20}, int32[1] n = {1}, int32[1] b = {4}, int32[1] r = {1}",
     "y, z, u = com.microsoft.WhisperBeamSearch<model_type=2>(x, m, n, b, r, p)",
     "INT32[B,1,20]; FLOAT16[B,1]; FLOAT16[?,B,4,?]"},
    {17, "int64[T] x, int64[3] m, int64[4] v, int32[5] c", "",
     "y, z = com.microsoft.VarlenNGramHashMapping<max_ngram_size=3, n_head_per_ngram=2, pad_id=0>(x, m, v, c)",
     "INT64[T,4]; INT64[4,2]"},
};

const ShapeCase kAttention[] = {
    {17, "float[B,1,64] x, float[64,96] w, float[96] b, float[2,B,4,P,8] p", "",
     "y, z = com.microsoft.DecoderMaskedSelfAttention<num_heads=4, past_present_share_buffer=1>(x, w, b, , p)",
     "FLOAT[B,1,32]; FLOAT[2,B,4,P,8]"},
    {17, "float[B,1,64] x, float[64,96] w, float[96] b, float[2,B,4,P,8] p", "",
     "y, z = com.microsoft.DecoderMaskedSelfAttention<num_heads=4>(x, w, b, , p)",
     "FLOAT[B,1,32]; FLOAT[2,B,4,P + 1,8]"},
    {17, "float[S,B,64] q, float[T,B,64] k", "", "y, z, u = com.microsoft.DecoderAttention<num_heads=4>(q, k)",
     "FLOAT[S,B,64]; FLOAT[B,4,?,16]; FLOAT[B,4,?,16]"},
    {17, "float[B,S,64] x, int32[B] n", "", "y, z, u = com.microsoft.RemovePadding(x, n)",
     "FLOAT[?,64]; INT32[B,S]; INT32[B + 1]"},
    {17, "float[32,4] t", "int64 q = {7}, int64 k = {7}",
     "y = com.microsoft.RelativePositionBias<max_distance=128>(t, q, k)", "FLOAT[1,4,7,7]"},
    {17, "float[32,4] t, int64 q, int64 k", "", "y = com.microsoft.RelativePositionBias<max_distance=128>(t, q, k)",
     "FLOAT[1,4,?,?]"},
    {17, "float[B,S,64] q", "", "y, z = com.microsoft.MultiHeadAttention(q)", "FLOAT[...]; FLOAT[...]"},
    {17, "float[B,S,192] q", "", "y, z = com.microsoft.DecoderMaskedMultiHeadAttention<num_heads=4>(q)",
     "FLOAT[B,S,64]; FLOAT[B,4,S,16]"},
    // The length of the cache is computed from a mask, as the model builder of onnxruntime-genai writes it.
    {17, "float[B,S,64] q, float[B,S,32] k, float[B,S,32] v, float[B,2,P,16] p, int32[B] n, int64[B,T] m",
     "int64 one = {1}",
     "shape = Shape(m) length = Gather(shape, one) total = Cast<to=6>(length) "
     "y, z = com.microsoft.GroupQueryAttention<num_heads=4, kv_num_heads=2>(q, k, v, p, p, n, total)",
     "FLOAT[B,S,64]; FLOAT[B,2,max(P, T),16]"},
    {17, "float[B,S,64] q, float[B,S,32] k, float[B,S,32] v, float[B,2,P,16] p, int32[B] n, int32 total", "",
     "y, z = com.microsoft.GroupQueryAttention<num_heads=4, kv_num_heads=2>(q, k, v, p, p, n, total)",
     "FLOAT[B,S,64]; FLOAT[B,2,?,16]"},
    {17, "float16[T,576] q, float16[N,16,1,576] kc", "",
     "y, z = com.microsoft.PagedAttention<num_heads=8, kv_num_heads=1, kv_cache_layout=\"LATENT\", v_head_size=512>"
     "(q, q, , kc)",
     "FLOAT16[T,4096]; FLOAT16[N,16,1,576]"},
    {17, "float16[T,128] q, float16[N,16,2,16] kc", "",
     "y, z, u = com.microsoft.SparsePagedAttention<num_heads=4, kv_num_heads=2>(q, , , kc, kc)",
     "FLOAT16[T,64]; FLOAT16[N,16,2,16]; FLOAT16[N,16,2,16]"},
    {17, "float[B,S,128] q, float[B,2,P,16] p, int32[B] i", "int32 total = {9}",
     "y, z = com.microsoft.DynamicSparseAttention<num_heads=4, kv_num_heads=2>(q, , , p, p, , , i, i, i, total)",
     "FLOAT[B,S,64]; FLOAT[B,2,max(9, P),16]"},
    {17, "float[B,S,64] q, float[B,S,16] k, float[16] w, float[9,8] c, float[B,P,16] p", "",
     "y, z = com.microsoft.SparseAttentionIndexer<policy_mode=\"qsa\", compress_ratio=4, token_budget=8>"
     "(q, k, w, w, c, c, , p)",
     "INT32[B,S,11]; FLOAT[B,P + S,16]"},
    {17, "float[T,64] q, float[T,16] k, float[16] w, float[9,8] c, float[B,9,16] p", "",
     "y, z, u = com.microsoft.PackedSparseAttentionIndexer<policy_mode=\"csa\", compress_ratio=4, index_topk=8>"
     "(q, k, w, w, c, c, , , , , , , p)",
     "INT32[T,8]; INT32[T]; FLOAT[B,9,16]"},
    {17, "float[W,B,8,3] s, float[B,8,S] x, float[8,1,4] w", "",
     "y, z = com.microsoft.CausalConvWithState<state_window=2>(x, w)", "FLOAT[B,8,S]; FLOAT[2,B,8,3]"},
    {17, "float[B,S,4,5] x, float[4,1,3] w", "", "y, z = com.microsoft.CausalConvWithState<channels_last=1>(x, w)",
     "FLOAT[B,S,4,5]; FLOAT[B,2,4,5]"},
};

const ShapeCase kPlugins[] = {
    {17, "float[B,N,4] b, float[B,N,80] s", "", "y, z, u = TRT.EfficientNMS_TRT<max_output_boxes=100>(b, s)",
     "INT32[B,1]; FLOAT[B,100,4]; FLOAT[B,100]"},
    {17, "float[B,N,4] b, float[B,N,80] s", "", "y = EfficientNMS_ONNX_TRT<max_output_boxes_per_class=100>(b, s)",
     "INT32[100*B,3]"},
    {17, "float[B,N,4] b, float[B,N,80] s", "", "y, z = EfficientNMS_TRT(b, s)", "INT32[B,1]; FLOAT[B,?,4]"},
    {17, "float[B,N,1,4] b, float[B,N,80] s", "", "y, z, u = BatchedNMSDynamic_TRT<keepTopK=100>(b, s)",
     "INT32[B,1]; FLOAT[B,100,4]; FLOAT[B,100]"},
    {17, "float[B,N,1,1] b", "", "y, z = NMSDynamic_TRT<keepTopK=20>(b)", "FLOAT[B,1,20,7]; FLOAT[B,1,1,1]"},
    {17, "float16[B,C,H,W] x, float16[R,4] r, int32[R] i", "",
     "y = ROIAlign_TRT<output_height=7, output_width=6>(x, r, i)", "FLOAT16[R,C,7,6]"},
    {17, "float[B,S,8,32] v, int32[4,2] s, int32[4] i, float[B,Q,8,4,4,2] l, float[B,Q,8,4,4] a", "",
     "y = MultiscaleDeformableAttnPlugin_TRT(v, s, i, l, a)", "FLOAT[B,Q,8,32]"},
    {17, "float[B,64,H,W] x, float[B,18,5,6] o, float[B,9,5,6] m, float[32,64,3,3] w", "",
     "y = TRT.ModulatedDeformConv2d(x, o, m, w)", "FLOAT[B,32,5,6]"},
    {17, "float[B,P,64] x, uint32[B,P,4] c", "", "y = PillarScatterPlugin<dense_shape=[496, 432]>(x, c)",
     "FLOAT[B,64,496,432]"},
    {17, "float[B,3,H,W] x, float[B,R,4,1] r", "", "y = CropAndResizeDynamic<crop_height=7, crop_width=5>(x, r)",
     "FLOAT[B,R,3,7,5]"},
    {17, "float[B,C,H,W] x", "", "y = InstanceNormalization_TRT(x)", "FLOAT[B,C,H,W]"},
    // ONNX's own name counts before that of a plugin, and a plugin's name in ONNX's domain is no operator of ONNX.
    {17, "float[B,C] x", "", "y = Affine(x)", "FLOAT[B,C]"},
    {17, "float[B,C] x", "", "y = com.microsoft.Affine(x)", "?"},
    {17, "float[B,C] x", "", "y = Nothing_TRT(x)", "?"},
};

const ShapeCase kLayouts[] = {
    {17, "float[B,H,W,3] x, float[8,3,3,3] w", "", "y = com.ms.internal.nhwc.Conv<strides=[2,2]>(x, w)",
     "FLOAT[B,floor((H + 1)/2) - 1,floor((W + 1)/2) - 1,8]"},
    {17, "float[B,C,H,W] x", "", "y = com.microsoft.nchwc.ReorderInput(x)", "FLOAT[B,?,H,W]"},
    {17, "float[B,32,H,W] x", "", "y = com.microsoft.nchwc.ReorderInput(x)", "FLOAT[B,32,H,W]"},
    {17, "float[B,32,H,W] x", "", "y = com.microsoft.nchwc.ReorderOutput(x)", "FLOAT[B,?,H,W]"},
    {17, "float[B,3,H,W] x, float[3,8,2,2] w, int64[4] p", "",
     "y = com.microsoft.ConvTransposeWithDynamicPads(x, w, p)", "FLOAT[B,8,?,?]"},
    // What is recorded about axes that were turned would name the wrong ones.
    {17, "float[B,2,2,3] x, float[8,3,3,3] w", "", "y = com.microsoft.NhwcConv(x, w)", "FLOAT[B,?,?,8]"},
};

TEST_CASE("operators of ONNX Runtime: elements") { check_all(kElements); }
TEST_CASE("operators of ONNX Runtime: products and words") { check_all(kProductsAndWords); }
TEST_CASE("operators of ONNX Runtime: attention") { check_all(kAttention); }
TEST_CASE("operators of ONNX Runtime: layouts") { check_all(kLayouts); }
TEST_CASE("plugins of TensorRT") { check_all(kPlugins); }

TEST_CASE("operators are found by their name alone where their domain does not have them") {
  CHECK(trtcheck::shapes::find_by_name("mine", "EfficientNMS_TRT") != nullptr);
  CHECK(trtcheck::shapes::find_by_name("", "EfficientNMS_TRT") != nullptr);
  CHECK(trtcheck::shapes::find_by_name("", "SimplifiedLayerNormalization") != nullptr);
  CHECK(trtcheck::shapes::find_by_name("mine", "SimplifiedLayerNormalization") == nullptr);
  CHECK(trtcheck::shapes::find_by_name("", "Conv") == nullptr);
}

// Nodes without inputs and attributes, of every operator here: nothing may be read that is not there.
TEST_CASE("a node of ONNX Runtime or TensorRT may be empty") {
  for (const trtcheck::shapes::OpRow& row : trtcheck::shapes::op_table()) {
    if (!row.domain.starts_with("com.") && row.domain != "*" && row.domain != "onnxruntime") continue;
    const std::string domain = row.domain == "*" || row.domain == "onnxruntime" ? "" : std::string(row.domain) + ".";
    for (const char* inputs : {"", "x", "x, x, x, x, x, x, x, x, x, x, x, x, x, x"}) {
      for (const char* type : {"float[1] x", "int64 x", "float[2,3,4,5] x", "float[B,S,7] x", "string[2,3] x"}) {
        const std::string node = "y, z, u = " + domain + std::string(row.op) + "(" + inputs + ")";
        INFO(node << "  of  " << type);
        CHECK_FALSE(inferred_text({17, type, "", node.c_str(), ""}).empty());
      }
    }
  }
}

}  // namespace
