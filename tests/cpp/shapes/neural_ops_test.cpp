// Products, normalisation, quantization, resizing and the rest of family B.
#include <catch2/catch.hpp>

#include <span>

#include "shape_case.hpp"

using trtcheck::test::inferred_text;
using trtcheck::test::ShapeCase;

namespace {

const ShapeCase kProducts[] = {
    {17, "float[N,S,768] x, float[768,3072] w", "", "y = MatMul(x, w)", "FLOAT[N,S,3072]"},
    {17, "float[N,12,S,64] x, float[N,12,64,T] w", "", "y = MatMul(x, w)", "FLOAT[N,12,S,T]"},
    {17, "float[K] x, float[B,K,M] w", "", "y = MatMul(x, w)", "FLOAT[B,M]"},
    {17, "float[B,M,K] x, float[K] w", "", "y = MatMul(x, w)", "FLOAT[B,M]"},
    {17, "float[K] x, float[K] w", "", "y = MatMul(x, w)", "FLOAT[]"},
    {17, "float[B,1,M,K] x, float[C,K,P] w", "", "y = MatMul(x, w)", "FLOAT[B,C,M,P]"},
    {17, "float[N,3] x, float[4,5] w", "", "y = MatMul(x, w)",
     "FLOAT[N,5] ! cannot multiply: the last axis of input 0 is 3, input 1 needs 4"},
    {17, "float[2,N,3] x, float[5,3,4] w", "", "y = MatMul(x, w)",
     "FLOAT[...] ! cannot broadcast 2 against 5 at axis 0"},
    {10, "uint8[N,3] x, int8[3,5] w", "", "y = MatMulInteger(x, w)", "INT32[N,5]"},
    {10, "uint8[N,3] a, float s, uint8 z0, int8[3,5] b, float bs, int8 bz, float ys, int8 yz", "",
     "y = QLinearMatMul(a, s, z0, b, bs, bz, ys, yz)", "INT8[N,5]"},
    {17, "float[N,512] x, float[1000,512] w, float[1000] b", "", "y = Gemm<transB=1>(x, w, b)", "FLOAT[N,1000]"},
    {17, "float[K,N] x, float[K,M] w", "", "y = Gemm<transA=1>(x, w)", "FLOAT[N,M]"},
    {17, "float[N,511] x, float[1000,512] w", "", "y = Gemm<transB=1>(x, w)",
     "FLOAT[N,1000] ! cannot multiply: the last axis of input 0 is 511, input 1 needs 512"},
    {17, "float[N,512] x, float[512,10] w, float[7] b", "", "y = Gemm(x, w, b)",
     "FLOAT[N,10] ! input 2 of Gemm broadcasts to the product: 7 is neither 1 nor 10"},
    {17, "float[N,2,3] x, float[3,4] w", "", "y = Gemm(x, w)", "FLOAT[?,4] ! input 0 has 3 axes, 2 are required"},
    {17, "float[B,I,J] x, float[B,J,K] w", "", "y = Einsum<equation=\"bij,bjk->bik\">(x, w)", "FLOAT[B,I,K]"},
    {17, "float[B,I,J] x, float[J,K] w", "", "y = Einsum<equation=\"...ij,jk->...ik\">(x, w)", "FLOAT[B,I,K]"},
    {17, "float[I,J] x, float[J,K] w", "", "y = Einsum<equation=\"ij, jk\">(x, w)", "FLOAT[I,K]"},
    {17, "float[I,J] x", "", "y = Einsum<equation=\"ij->ji\">(x)", "FLOAT[J,I]"},
    {17, "float[I,I] x", "", "y = Einsum<equation=\"ii\">(x)", "FLOAT[]"},
    {17, "float[2,3] x, float[4,5] w", "", "y = Einsum<equation=\"ij,jk->ik\">(x, w)",
     "FLOAT[...] ! cannot broadcast 3 against 4 at axis 0"},
    {17, "float[2,3] x", "", "y = Einsum<equation=\"ijk->k\">(x)",
     "FLOAT[...] ! input 0 has 2 axes, the equation names 3"},
    {17, "float[B,3,3] x", "", "y = Det(x)", "FLOAT[B]"},
    {17, "int8[N,3] x, float[3,5] w", "", "y = MatMul(x, w)", "?[N,5]"},
    {17, "float[N,3] x, int8[N,3] w", "", "y = Concat<axis=1>(x, w)", "?[N,6]"},
    {17, "float[N,3] x, float16[3,5] w", "", "y = MatMul(x, w)", "FLOAT[N,5]"},
};

const ShapeCase kLosses[] = {
    {13, "float[N,C,H,W] x, int64[N,H,W] t", "", "y = NegativeLogLikelihoodLoss(x, t)", "FLOAT[]"},
    {13, "float[N,5,H] x, int64[2,H] t, float[5] w", "", "y = NegativeLogLikelihoodLoss<reduction=\"none\">(x, t, w)",
     "FLOAT[2,H]"},
    {13, "float[N,5] x, int64[N] t, float[4] w", "", "y = NegativeLogLikelihoodLoss<reduction=\"sum\">(x, t, w)",
     "FLOAT[] ! there is one weight per class: 4 is not 5"},
    {13, "float[N,5,8] x, int64[N,9] t", "", "y = NegativeLogLikelihoodLoss<reduction=\"none\">(x, t)",
     "FLOAT[N,8] ! each score has a label: 8 is not 9"},
    {13, "float[N,5,8] x, int64[N] t", "", "y = NegativeLogLikelihoodLoss<reduction=\"none\">(x, t)",
     "FLOAT[...] ! scores have rank 3, labels 1: one less is required"},
    {12, "float[5] x, int64[N] t", "", "y = NegativeLogLikelihoodLoss(x, t)",
     "FLOAT[] ! scores have rank 1, at least 2 is required"},
    {13, "float16[N,C,L] x, int64[N,L] t", "", "y, z = SoftmaxCrossEntropyLoss<reduction=\"none\">(x, t)",
     "FLOAT16[N,L]; FLOAT16[N,C,L]"},
    {12, "float[N,C] x, int32[N] t", "", "y = SoftmaxCrossEntropyLoss(x, t)", "FLOAT[]"},
};

const ShapeCase kWords[] = {
    {10, "string[7] x", "", "y = StringNormalizer(x)", "STRING[7]"},
    {10, "string[1,C] x", "", "y = StringNormalizer<stopwords=[\"a\"]>(x)", "STRING[1,?]"},
    {10, "string[2,C] x", "", "y = StringNormalizer(x)", "STRING[1,C] ! StringNormalizer accepts one line: 2 is not 1"},
    {10, "string[1,2,3] x", "", "y = StringNormalizer(x)", "STRING[...] ! rank 3, 1 or 2 is required"},
    {10, "int32[N,12] x", "",
     "y = TfIdfVectorizer<mode=\"TF\", max_skip_count=0, min_gram_length=1, max_gram_length=1, ngram_counts=[0], "
     "ngram_indexes=[0,3,2]>(x)",
     "FLOAT[N,4]"},
    {10, "int32[12] x", "",
     "y = TfIdfVectorizer<mode=\"TF\", max_skip_count=0, min_gram_length=1, max_gram_length=1, ngram_counts=[0], "
     "ngram_indexes=[0]>(x)",
     "FLOAT[1]"},
    {10, "int32[12] x", "",
     "y = TfIdfVectorizer<mode=\"TF\", max_skip_count=0, min_gram_length=1, max_gram_length=1, ngram_counts=[0], "
     "ngram_indexes=[0,-1]>(x)",
     "FLOAT[...] ! attribute `ngram_indexes` has to state numbers, none of them negative"},
    {20, "string[N,1] x, string[3] w", "", "y = StringConcat(x, w)", "STRING[N,3]"},
    {20, "string[2] x, string[3] w", "", "y = StringConcat(x, w)",
     "STRING[...] ! cannot broadcast 2 against 3 at axis 0"},
    {20, "string[N,7] x", "", "y = RegexFullMatch<pattern=\"a*\">(x)", "BOOL[N,7]"},
    {20, "string[N,7] x", "", "y, z = StringSplit<maxsplit=2>(x)", "STRING[N,7,?]; INT64[N,7]"},
};

// Of the newest opsets, and of ONNX's other domains, of which TensorRT takes nothing.
const ShapeCase kNewest[] = {
    {20, "uint8[B] x", "", "y = ImageDecoder(x)", "UINT8[?,?,?]"},
    {20, "uint8[2,B] x", "", "y = ImageDecoder(x)", "UINT8[?,?,?] ! a file is one axis of bytes"},
    {15, "float[N] x", "", "y = Optional(x)", "OPTIONAL(FLOAT)"},
    {28, "float16[N,S,8] x, float16[N,4,8] w", "", "y = SwiGLU(x, w)", "FLOAT16[N,4,8]"},
    {28, "float[N,8] x, float[N,1] w", "", "y = SwiGLU(x, w)",
     "FLOAT[N,8] ! gate and value have the same shape: 8 is not 1"},
    {28, "float[N,8] x, float[8] w", "", "y = SwiGLU(x, w)", "FLOAT[N,8] ! gate and value have the same shape"},
    {27, "float[N,C,L] x, float[6,1,4] w", "", "y, z = CausalConvWithState(x, w)", "FLOAT[N,C,L]; FLOAT[N,6,3]"},
    {27, "float[N,5,L] x, float[6,1,4] w", "", "y, z = CausalConvWithState(x, w)",
     "FLOAT[N,5,L]; FLOAT[N,5,3] ! there is one filter per channel: 5 is not 6"},
    {27, "float[N,T,64] q, float[N,T,32] k, float[N,T,16] v", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2>(q, k, v)",
     "FLOAT[N,T,32]; FLOAT[N,2,16,8] ! input `decay` is required for the update rule gated_delta ! input `beta` is "
     "required for the update rule gated_delta"},
    {27, "float[T,64] q, float[N,T,32] k, float[N,T,16] v", "",
     "y, z = LinearAttention<q_num_heads=4, kv_num_heads=2>(q, k, v)",
     "FLOAT[...]; FLOAT[...] ! input `decay` is required for the update rule gated_delta ! input `beta` is required "
     "for the update rule gated_delta ! input 0 has 2 axes, 3 are required"},
    {27, "float[N] a, int64[R] r, float[2,4,16,8] s", "",
     "q = Reshape(a, r) y, z = LinearAttention<q_num_heads=8, kv_num_heads=4, update_rule=\"linear\">(q, q, q, s)",
     "FLOAT[2,?,64]; FLOAT[2,4,16,8]"},
    {27, "float[N] a, int64[R] r", "",
     "q = Reshape(a, r) y, z = LinearAttention<q_num_heads=8, kv_num_heads=4, update_rule=\"linear\">(q, q, q, q)",
     "FLOAT[...]; FLOAT[...]"},
    {27, "float[N,T,64] q, float[N,T,32] k, float[N,T,16] v", "", "y, z = LinearAttention(q, k, v)", "?; ?"},
    {23, "float[B,8,S,64] q, float[B,4,T,64] k, float[B,4,T,32] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[B,8,S,32]"},
    {23, "float[B,8,64] q, float[B,4,T,64] k, float[B,4,T,32] v", "", "y = ai.onnx.preview.FlexAttention(q, k, v)",
     "FLOAT[...] ! input 0 has 3 axes, 4 are required"},
    {17, "float r, int64 t, float[A] a, double[B,2] b, float[A] g, double[B,2] h, float[A] v, double[B,2] w", "",
     "y, z, u, s = ai.onnx.preview.training.Momentum<alpha=0.9, beta=1.0, mode=\"standard\", norm_coefficient=0.0>"
     "(r, t, a, b, g, h, v, w)",
     "FLOAT[A]; DOUBLE[B,2]; FLOAT[A]"},
    {17, "float[N,5] x, int64[1,3] i", "", "y = ai.onnx.ml.ArrayFeatureExtractor(x, i)", "FLOAT[N,3]"},
    {17, "float[5] x, int64[3] i", "", "y = ai.onnx.ml.ArrayFeatureExtractor(x, i)", "FLOAT[...]"},
    {17, "double[N,5] x", "", "y = ai.onnx.ml.Scaler(x)", "FLOAT[N,5]"},
    {17, "double[N,5] x", "", "y = ai.onnx.ml.Binarizer(x)", "DOUBLE[N,5]"},
    {17, "string[N] x", "", "y = ai.onnx.ml.LabelEncoder<keys_strings=[\"a\"], values_floats=[1.0]>(x)", "FLOAT[N]"},
    {17, "string[N] x", "", "y = ai.onnx.ml.CategoryMapper<cats_int64s=[1], cats_strings=[\"a\"]>(x)", "INT64[N]"},
    {17, "float[N,5] x", "",
     "y, z = ai.onnx.ml.LinearClassifier<coefficients=[1.0, 2.0], intercepts=[0.5], classlabels_ints=[0, 1]>(x)",
     "INT64[N]; FLOAT[N,2]"},
    {17, "float[N,5] x", "", "y, z = ai.onnx.ml.LinearClassifier<coefficients=[1.0], classlabels_strings=[\"a\"]>(x)",
     "STRING[N]; FLOAT[N,?]"},
    {17, "float[N,5] x", "", "y, z = ai.onnx.ml.TreeEnsembleClassifier<classlabels_strings=[\"a\", \"b\"]>(x)",
     "STRING[N]; FLOAT[N,2]"},
    {17, "float[N,5] x", "", "y, z = ai.onnx.ml.TreeEnsembleClassifier(x)", "INT64[N]; FLOAT[N,?]"},
    {17, "float[N,5] x", "", "y = ai.onnx.ml.TreeEnsembleRegressor<n_targets=3>(x)", "FLOAT[N,3]"},
    {17, "float[5] x", "", "y = ai.onnx.ml.LinearRegressor<targets=2>(x)", "FLOAT[1,2]"},
    {17, "float[N,5] x", "", "y = ai.onnx.ml.LinearRegressor(x)", "FLOAT[N,1]"},
    {17, "float[N,5] x", "", "y, z = ai.onnx.ml.SVMClassifier<classlabels_ints=[0,1]>(x)", "INT64[...]; FLOAT[...]"},
    {17, "float[N,5] x, float[N,7] w", "", "y = ai.onnx.ml.FeatureVectorizer<inputdimensions=[5,3]>(x, w)",
     "FLOAT[N,8]"},
    {17, "float16[N,5] x", "",
     "y = ai.onnx.ml.TreeEnsemble<n_targets=3, leaf_targetids=[0], leaf_weights=float16[1] {14336}, "
     "nodes_featureids=[0], "
     "nodes_modes=uint8[1] {0}, nodes_splits=float16[1] {14336}, nodes_truenodeids=[0], nodes_falsenodeids=[0], "
     "nodes_trueleafs=[1], nodes_falseleafs=[1], tree_roots=[0]>(x)",
     "FLOAT16[N,3]"},
    {17, "int64[N,2] x", "", "y = ai.onnx.ml.OneHotEncoder<cats_int64s=[1, 2, 3]>(x)", "FLOAT[N,2,3]"},
    {17, "float[N,3] x", "", "y = ai.onnx.ml.ZipMap<classlabels_int64s=[1, 2, 3]>(x)", "SEQUENCE(?)"},
};

const ShapeCase kNormalisations[] = {
    {15, "float[N,64,H,W] x, float[64] s, float[64] b, float[64] m, float[64] v0", "",
     "y = BatchNormalization(x, s, b, m, v0)", "FLOAT[N,64,H,W]"},
    {15, "float[N,64,H,W] x, float[64] s, float[64] b, float[64] m, float[64] v0", "",
     "y, z, u = BatchNormalization<training_mode=1>(x, s, b, m, v0)", "FLOAT[N,64,H,W]; FLOAT[64]; FLOAT[64]"},
    {9, "float[N,C,H,W] x, float[C] s, float[C] b, float[C] m, float[C] v0", "",
     "y, z, u = BatchNormalization(x, s, b, m, v0)", "FLOAT[N,C,H,W]; FLOAT[C]; FLOAT[C]"},
    {15, "float[N] a, int64[R] r, float[C] m, float[C] v0", "",
     "x = Reshape(a, r) y, z, u = BatchNormalization<training_mode=1>(x, x, x, m, v0)",
     "FLOAT[...]; FLOAT[C]; FLOAT[C]"},
    {15, "float[N] a, int64[R] r", "", "x = Reshape(a, r) y, z, u = BatchNormalization<training_mode=1>(x, x, x, x, x)",
     "FLOAT[...]; FLOAT[?]; FLOAT[?]"},
    {15, "float[N,64,H,W] x, float[63] s, float[64] b, float[64] m, float[64] v0", "",
     "y = BatchNormalization(x, s, b, m, v0)",
     "FLOAT[N,64,H,W] ! input 2 has 64 values, input 1 has 63 ! input 1 has 63 values, input 0 has 64 channels"},
    {17, "float[N,S,768] x, float[768] s, float[768] b", "", "y = LayerNormalization(x, s, b)", "FLOAT[N,S,768]"},
    {17, "float16[N,S,D] x, float16[D] s", "", "y, z, u = LayerNormalization(x, s)",
     "FLOAT16[N,S,D]; FLOAT[N,S,1]; FLOAT[N,S,1]"},
    {17, "float[N,S,D] x, float[S,D] s", "", "y, z, u = LayerNormalization<axis=1>(x, s)",
     "FLOAT[N,S,D]; FLOAT[N,1,1]; FLOAT[N,1,1]"},
    {17, "float[N,S,768] x, float[767] s", "", "y = LayerNormalization(x, s)",
     "FLOAT[N,S,768] ! a parameter broadcasts to the normalised axes: 767 is neither 1 nor 768"},
    {23, "float[N,S,768] x, float[768] s", "", "y = RMSNormalization(x, s)", "FLOAT[N,S,768]"},
    {17, "float[N,8,L] x, float[8] s, float[8] b", "", "y = InstanceNormalization(x, s, b)", "FLOAT[N,8,L]"},
    {18, "float[N,8,L] x, float[4] s, float[4] b", "", "y = GroupNormalization<num_groups=4>(x, s, b)", "FLOAT[N,8,L]"},
    {18, "float[N,8,L] x, float[8] s, float[8] b", "", "y = GroupNormalization<num_groups=4>(x, s, b)",
     "FLOAT[N,8,L] ! input 1 has 8 values, num_groups is 4 ! input 2 has 8 values, num_groups is 4"},
    {21, "float[N,8,L] x, float[8] s, float[8] b", "", "y = GroupNormalization<num_groups=4>(x, s, b)", "FLOAT[N,8,L]"},
    {21, "float[N,8,L] x, float[8] s, float[8] b", "", "y = GroupNormalization<num_groups=3>(x, s, b)",
     "FLOAT[N,8,L] ! channels are a multiple of num_groups: 8 is not a multiple of 3"},
    {17, "float[N,C] x", "", "y = LpNormalization<axis=1>(x)", "FLOAT[N,C]"},
    {13, "float[N,C,H,W] x", "", "y = MeanVarianceNormalization(x)", "FLOAT[N,C,H,W]"},
    {17, "float[N,C,H,W] x", "", "y = LRN<size=5>(x)", "FLOAT[N,C,H,W]"},
    {17, "float[N,S,T] x", "", "y = Softmax<axis=-1>(x)", "FLOAT[N,S,T]"},
    {17, "float[N,S] x", "", "y = Softmax<axis=2>(x)", "FLOAT[N,S] ! axis 2 is outside of [-2, 1]"},
    {11, "float[N,S] x", "", "y = Softmax<axis=2>(x)", "FLOAT[N,S]"},
    {13, "float[N,S] x", "", "y, z = Dropout(x)", "FLOAT[N,S]; BOOL[N,S]"},
    {7, "float[N,S] x", "", "y, z = Dropout(x)", "FLOAT[N,S]; FLOAT[N,S]"},
};

const ShapeCase kQuantizations[] = {
    {13, "float[N,8,H,W] x, float s, int8 zp", "", "y = QuantizeLinear(x, s, zp)", "INT8[N,8,H,W]"},
    {13, "float[N,8,H,W] x, float s", "", "y = QuantizeLinear(x, s)", "UINT8[N,8,H,W]"},
    {21, "float[N,8] x, float s", "", "y = QuantizeLinear<output_dtype=22>(x, s)", "INT4[N,8]"},
    {13, "int8[N,8,H,W] x, float s, int8 zp", "", "y = DequantizeLinear(x, s, zp)", "FLOAT[N,8,H,W]"},
    {17, "int8[N,8,H,W] x, float16 s, int8 zp", "", "y = DequantizeLinear(x, s, zp)", "FLOAT16[N,8,H,W]"},
    {19, "int8[N,8,H,W] x, float16 s, int8 zp", "", "y = DequantizeLinear(x, s, zp)", "FLOAT16[N,8,H,W]"},
    {13, "int8[64,8,3,3] x, float[64] s, int8[64] zp", "", "y = DequantizeLinear<axis=0>(x, s, zp)", "FLOAT[64,8,3,3]"},
    {13, "int8[64,8,3,3] x, float[64] s, int8[64] zp", "", "y = DequantizeLinear(x, s, zp)",
     "FLOAT[64,8,3,3] ! scale has 64 values, axis 1 of input 0 has 8"},
    {21, "int4[64,32] x, float[2,32] s", "", "y = DequantizeLinear<axis=0, block_size=32>(x, s)", "FLOAT[64,32]"},
    {11, "float[N,8] x", "", "y, z, u = DynamicQuantizeLinear(x)", "UINT8[N,8]; FLOAT[]; UINT8[]"},
};

const ShapeCase kResizes[] = {
    {17, "float[N,C,H,W] x", "float[4] s = {1.0, 1.0, 2.0, 2.0}", "y = Resize(x, , s)", "FLOAT[N,C,2*H,2*W]"},
    {17, "float[N,C,H,W] x", "float[4] s = {1.0, 1.0, 0.5, 1.5}", "y = Resize(x, , s)",
     "FLOAT[N,C,floor(H/2),W + floor(W/2)]"},
    {17, "float[N,C,H,W] x", "float[4] s = {1.0, 1.0, 0.3, 1.0}", "y = Resize(x, , s)", "FLOAT[N,C,?,W]"},
    // float32: 7 * 0.71428573 is 5.0000001, 10 * 0.1 is 1.0
    {17, "float[1,1,7,10] x", "float[4] s = {1.0, 1.0, 0.71428573, 0.1}", "y = Resize(x, , s)", "FLOAT[1,1,5,1]"},
    // A scale of 1 leaves the size alone, all others are multiplied in float32 (measured: TensorRT-RTX 1.7.1).
    {17, "float[1,1,16777217,2147483647] x", "float[4] s = {1.0, 1.0, 1.0, 1.0}", "y = Resize(x, , s)",
     "FLOAT[1,1,16777217,2147483647]"},
    {17, "float[1,1,16777217,50331651] x", "float[4] s = {1.0, 1.0, 2.0, 0.33333334}", "y = Resize(x, , s)",
     "FLOAT[1,1,33554432,16777218]"},
    {17, "float[1,1,10,100] x", "float[4] s = {1.0, 1.0, 0.7, 0.29}", "y = Resize(x, , s)", "FLOAT[1,1,7,29]"},
    {17, "float[N,C,H,W] x", "int64[4] s = {1, 2, 30, 40}", "y = Resize(x, , , s)", "FLOAT[1,2,30,40]"},
    {11, "float[N,C,H,W] x", "float[0] r = {}, float[0] e = {}, int64[4] s = {1, 2, 30, 40}", "y = Resize(x, r, e, s)",
     "FLOAT[1,2,30,40]"},
    {10, "float[N,C,H,W] x", "float[4] s = {1.0, 1.0, 2.0, 2.0}", "y = Resize(x, s)", "FLOAT[N,C,2*H,2*W]"},
    {18, "float[N,C,H,W] x", "int64[2] s = {30, 40}", "y = Resize<axes=[2,3]>(x, , , s)", "FLOAT[N,C,30,40]"},
    {18, "float[1,1,20,10] x", "int64[2] s = {30, 30}",
     "y = Resize<axes=[2,3], keep_aspect_ratio_policy=\"not_larger\">(x, , , s)", "FLOAT[1,1,30,15]"},
    {18, "float[1,1,20,10] x", "int64[2] s = {30, 30}",
     "y = Resize<axes=[2,3], keep_aspect_ratio_policy=\"not_smaller\">(x, , , s)", "FLOAT[1,1,60,30]"},
    {18, "float[1,1,20,10] x", "int64[2] s = {-1, 30}",
     "y = Resize<axes=[2,3], keep_aspect_ratio_policy=\"not_smaller\">(x, , , s)", "FLOAT[1,1,?,?]"},
    {17, "float[N,C,H,W] x, float[4] s", "", "y = Resize(x, , s)", "FLOAT[?,?,?,?]"},
    {17, "float[N,C,H,W] x", "float[3] s = {1.0, 2.0, 2.0}", "y = Resize(x, , s)",
     "FLOAT[?,?,?,?] ! `scales` has 3 values, 4 axes are resized"},
    {17, "float[N,C,H,W] x", "", "y = Resize(x)", "FLOAT[?,?,?,?] ! neither `scales` nor `sizes` is given"},
    {9, "float[N,C,H,W] x", "float[4] s = {1.0, 1.0, 2.0, 2.0}", "y = Upsample(x, s)", "FLOAT[N,C,2*H,2*W]"},
    {7, "float[N,C,H,W] x", "", "y = Upsample<scales=[1.0, 1.0, 2.0, 3.0]>(x)", "FLOAT[N,C,2*H,3*W]"},
};

const ShapeCase kPads[] = {
    {13, "float[N,C,H,W] x", "int64[8] p = {0,0,1,2,0,0,3,4}", "y = Pad(x, p)", "FLOAT[N,C,H + 4,W + 6]"},
    {18, "float[N,C,H,W] x", "int64[2] p = {1,2}, int64[1] a = {-1}", "y = Pad(x, p, , a)", "FLOAT[N,C,H,W + 3]"},
    {2, "float[N,C,H,W] x", "", "y = Pad<pads=[0,0,1,1,0,0,1,1]>(x)", "FLOAT[N,C,H + 2,W + 2]"},
    {13, "float[N,C,H,W] x", "int64[8] p = {0,0,-1,0,0,0,-1,0}", "y = Pad(x, p)", "FLOAT[N,C,H - 2,W]"},
    {13, "float[N,C] x, int64[4] p", "", "y = Pad(x, p)", "FLOAT[?,?]"},
    {13, "float[N,C] x", "int64[3] p = {1,1,1}", "y = Pad(x, p)", "FLOAT[?,?] ! 3 pads for 2 axes, 4 are required"},
};

const ShapeCase kRecurrent[] = {
    {14, "float[S,B,10] x, float[1,80,10] w, float[1,80,20] r", "", "y, z, u = LSTM<hidden_size=20>(x, w, r)",
     "FLOAT[S,1,B,20]; FLOAT[1,B,20]; FLOAT[1,B,20]"},
    {14, "float[S,B,10] x, float[2,60,10] w, float[2,60,20] r", "",
     "y, z = GRU<hidden_size=20, direction=\"bidirectional\">(x, w, r)", "FLOAT[S,2,B,20]; FLOAT[2,B,20]"},
    {14, "float[B,S,10] x, float[1,20,10] w, float[1,20,20] r", "", "y, z = RNN<hidden_size=20, layout=1>(x, w, r)",
     "FLOAT[B,S,1,20]; FLOAT[B,1,20]"},
    {14, "float[S,B,11] x, float[1,80,10] w, float[1,80,20] r", "", "y = LSTM<hidden_size=20>(x, w, r)",
     "FLOAT[S,1,B,20] ! input 0 has size 11, weight expects 10"},
    {14, "float[S,B,10] x, float[1,60,10] w, float[1,80,20] r", "", "y = LSTM<hidden_size=20>(x, w, r)",
     "FLOAT[S,1,B,20] ! input 1 has 60 rows, 4 gates of hidden size 20 need 80"},
};

const ShapeCase kOthers[] = {
    {16, "float[N,C,H,W] x, float[R,4] r, int64[R] i", "", "y = RoiAlign<output_height=7, output_width=5>(x, r, i)",
     "FLOAT[R,C,7,5]"},
    {1, "float[N,C,H,W] x, float[R,5] r", "", "y = MaxRoiPool<pooled_shape=[7,7]>(x, r)", "FLOAT[R,C,7,7]"},
    {16, "float[N,C,H,W] x, float[N,P,Q,2] g0", "", "y = GridSample(x, g0)", "FLOAT[N,C,P,Q]"},
    {20, "float[N,2,3] t", "int64[4] s = {2,3,4,5}", "y = AffineGrid(t, s)", "FLOAT[2,4,5,2]"},
    {20, "float[N,2,3] t, int64[4] s", "", "y = AffineGrid(t, s)", "FLOAT[N,?,?,2]"},
    {11, "float[B,K,4] b, float[B,C,K] s", "", "y = NonMaxSuppression(b, s)", "INT64[?,3]"},
    {11, "int64[N,S] x, float[2] v0", "int64 d = {10}", "y = OneHot(x, d, v0)", "FLOAT[N,S,10]"},
    {11, "int64[N,S] x, float[2] v0", "int64[1] d = {10}", "y = OneHot<axis=1>(x, d, v0)", "FLOAT[N,10,S]"},
    {13, "int64[0] x, float[W] w, float[2] v0", "int64[1] k = {7}", "s = Shape(w) d = Sub(k, s) y = OneHot(x, d, v0)",
     "FLOAT[0,max(-W + 7, 0)]"},
    {11, "int64[N,S] x, float[2] v0", "int64 d = {-3}", "y = OneHot(x, d, v0)",
     "FLOAT[N,S,?] ! axis 2 of output 0 would have the size -3"},
    {11, "int64[N,0] x, float[2] v0", "int64 d = {-3}", "y = OneHot(x, d, v0)", "FLOAT[N,0,0]"},
    {13, "float[N,16,H,W] x", "", "y = DepthToSpace<blocksize=2>(x)", "FLOAT[N,4,2*H,2*W]"},
    {13, "float[N,18,H,W] x", "", "y = DepthToSpace<blocksize=2>(x)",
     "FLOAT[N,4,2*H,2*W] ! channels are a multiple of blocksize squared: 18 is not a multiple of 4"},
    {13, "float[N,3,H,W] x", "", "y = SpaceToDepth<blocksize=2>(x)", "FLOAT[N,12,floor(H/2),floor(W/2)]"},
    {18, "float[N,12,L] x", "int64[2] i = {6,7}, int64[2] b = {2,2}", "y = Col2Im(x, i, b)", "FLOAT[N,3,6,7]"},
    {18, "float[N,12,L] x, int64[2] i", "int64[2] b = {2,2}", "y = Col2Im(x, i, b)", "FLOAT[N,3,?,?]"},
    {13, "float[N,C,H,W] x", "", "y = SpaceToDepth<blocksize=4294967296>(x)",
     "FLOAT[N,?*C,floor(H/4294967296),floor(W/4294967296)] ~~ blocksize squared overflows: it is 2^60 or above"},
    {13, "float[N,C,H,W] x", "", "y = SpaceToDepth<blocksize=65536>(x)",
     "FLOAT[N,4294967296*C,floor(H/65536),floor(W/65536)]"},
    {18, "float[N,C,L] x", "int64[2] i = {1,1}, int64[2] b = {9223372036854775807,2}", "y = Col2Im(x, i, b)",
     "FLOAT[N,floor(C/(2*?)),1,1] ~~ the block's area overflows: it is 2^60 or above"},
    {16, "float[N,C,H,W] x, float[R,4] r, int64[9] i", "", "y = RoiAlign(x, r, i)", "FLOAT[9,C,1,1]"},
    {18, "float[20,10,3] x", "int64[2] s = {10,7}", "y = CenterCropPad<axes=[0,1]>(x, s)", "FLOAT[10,7,3]"},
    {18, "float[20,10,3] x", "int64[1] s = {-2}", "y = CenterCropPad<axes=[0]>(x, s)", "FLOAT[0,10,3]"},
    {18, "float[20,10,3] x, float[H,W] z", "", "s = Shape(z) y = CenterCropPad<axes=[0,1]>(x, s)", "FLOAT[H,W,3]"},
    {23, "float[B,8,S,64] q, float[B,2,T,64] k, float[B,2,T,32] v0", "", "y = Attention(q, k, v0)", "FLOAT[B,8,S,32]"},
    {23, "float[B,S,512] q, float[B,T,128] k, float[B,T,128] v0", "",
     "y = Attention<q_num_heads=8, kv_num_heads=2>(q, k, v0)", "FLOAT[B,S,512]"},
    {23, "float[B,8,S,64] q, float[B,2,T,64] k, float[B,2,T,64] w, float[B,2,P,64] pk, float[B,2,P,64] pv", "",
     "y, z, u = Attention(q, k, w, , pk, pv)", "FLOAT[B,8,S,64]; FLOAT[B,2,P + T,64]; FLOAT[B,2,P + T,64]"},
    {23, "float[B,H,S,D] x, float[50,R] c, float[50,R] s", "", "y = RotaryEmbedding(x, c, s)", "FLOAT[B,H,S,D]"},
    {17, "float[B,128] x", "int64 k = {16}, int64 f = {32}", "y = STFT(x, k, , f)", "FLOAT[B,7,17,2]"},
    {17, "float[B,128,1] x", "", "y = DFT<axis=1>(x)", "FLOAT[B,128,2]"},
    {20, "float[B,128,1] x", "", "y = DFT<onesided=1>(x)", "FLOAT[B,65,2]"},
    {20, "float[B,65,2] x", "", "y = DFT<onesided=1, inverse=1>(x)", "FLOAT[B,128,1]"},
    {20, "float[B,65,2] x", "int64 n = {129}", "y = DFT<onesided=1, inverse=1>(x, n)", "FLOAT[B,129,1]"},
    // ONNX Runtime refuses these.
    {17, "float[2,5,5,2] x", "", "y = DFT<axis=3>(x)",
     "FLOAT[...] ~~ axis 3 holds real and imaginary part, it cannot be transformed"},
    {20, "float[2,5,5,2] x", "int64 a = {-1}", "y = DFT(x, , a)",
     "FLOAT[...] ~~ axis -1 holds real and imaginary part, it cannot be transformed"},
    {20, "float[2,5,5,2] x", "int64 a = {2}", "y = DFT(x, , a)", "FLOAT[2,5,5,2]"},
    {17, "float[2,5,2] x", "", "y = DFT<onesided=1>(x)",
     "FLOAT[2,3,2] ~~ the last axis is 2, a one-sided transform requires 1"},
    {17, "float[2,5,1] x", "", "y = DFT<onesided=1, inverse=1>(x)",
     "FLOAT[2,8,1] ~~ the last axis is 1, a one-sided inverse transform requires 2"},
    {17, "float[2,5,P] x", "", "y = DFT<onesided=1>(x)", "FLOAT[2,3,2]"},
    {17, "float[2,5,2] x", "", "y = DFT(x)", "FLOAT[2,5,2]"},
    {20, "float[B,K,128,1] x, int64 a", "", "y = DFT(x, , a)", "FLOAT[B,K,128,2]"},
    {20, "float[B,K,128,1] x, int64 a", "", "y = DFT<onesided=1>(x, , a)", "FLOAT[?,?,?,2]"},
    {20, "float[B,K,128,1] x", "int64 a = {1}", "y = DFT<onesided=1>(x, , a)", "FLOAT[B,floor(K/2) + 1,128,2]"},
    {17, "float[N] x", "int64 n = {10}", "y = HannWindow(n)", "FLOAT[10]"},
};

void check(std::span<const ShapeCase> cases) {
  for (const ShapeCase& c : cases) {
    CAPTURE(c.opset, c.inputs, c.nodes);
    CHECK(inferred_text(c) == c.expected);
  }
}

}  // namespace

TEST_CASE("matrix products give exact sizes") { check(kProducts); }
TEST_CASE("losses and words") {
  check(kLosses);
  check(kWords);
  check(kNewest);
}
TEST_CASE("normalisation keeps the shape and checks its parameters") { check(kNormalisations); }
TEST_CASE("quantization gives the right dtypes and checks the scale's axis") { check(kQuantizations); }
TEST_CASE("resizing computes in float32") { check(kResizes); }
TEST_CASE("padding adds up, also symbolically") { check(kPads); }
TEST_CASE("recurrent nodes know their layouts") { check(kRecurrent); }
TEST_CASE("regions, rearrangements, attention and signals") { check(kOthers); }
