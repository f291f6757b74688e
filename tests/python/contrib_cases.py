"""One node of every operator that ONNX Runtime has beside ONNX, with named sizes: input for test_contrib_shapes.py.

Inputs are written as in ONNX text, `-` stands for one that is left out. `unknown` says how many sizes stay unknown,
`untyped` how many types.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

MICROSOFT = "com.microsoft"


@dataclass(frozen=True)
class Case:
    op: str
    inputs: str
    outputs: int = 1
    attributes: dict[str, Any] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    domain: str = MICROSOFT
    unknown: int = 0
    untyped: int = 0


def quantized(names: str, op: str, data: str, **attributes: Any) -> Case:
    """Data, then a scale and a zero point for each name."""
    rest = ", ".join(f"float[] {n}_scale, uint8[] {n}_zero" for n in names.split())
    return Case(op, f"{data}, {rest}", 1, attributes)


def i32(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def i64(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


X = "float[B,S,64] x"
ATTENTION = f"{X}, float[64,96] w, float[96] b"
CONV = "float[B,4,H,W] x, float[8,4,3,2] w"
QKV = "float[B,S,64] q, float[B,T,64] k, float[B,T,32] v"
CACHE = "float[B,2,P,16] pk, float[B,2,P,16] pv"
LENGTHS = "int32[B] lengths, int32[] total"
BITS = {"N": 32, "K": 64, "block_size": 16}

CASES = (
    # element by element
    Case("Gelu", X),
    Case("QuickGelu", X),
    Case("FastGelu", f"{X}, float[64] b"),
    Case("BiasGelu", f"{X}, float[64] b"),
    Case("BiasAdd", f"{X}, float[64] b, float[B,S,64] s"),
    Case("BiasSplitGelu", f"{X}, float[64] b"),
    Case("BiasSoftmax", "float[B,N,S,S] x, float[B,1,1,S] b", 1, {"axis": 3, "is_inner_broadcast": 0}),
    Case("BiasDropout", f"{X}, float[64] b", 2),
    Case(
        "QLinearAdd",
        "uint8[B,S,64] a, float[] as, uint8[] az, uint8[S,1] b, float[] bs, uint8[] bz, float[] cs, uint8[] cz",
    ),
    Case(
        "QLinearMul", "int8[B,S,64] a, float[] as, int8[] az, int8[64] b, float[] bs, int8[] bz, float[] cs, int8[] cz"
    ),
    Case("MulInteger", "uint8[B,S,64] a, uint8[] az, uint8[S,1] b, uint8[] bz"),
    quantized("x y", "QLinearSigmoid", "uint8[B,S] x"),
    quantized("x y", "QLinearLeakyRelu", "uint8[B,S] x", alpha=0.1),
    quantized("x y", "QLinearSoftmax", "uint8[B,S] x", opset=13, axis=-1),
    Case(
        "QLinearWhere",
        "bool[S,1] c, uint8[B,S,64] x, float[] xs, uint8[] xz, uint8[64] y, float[] ys, uint8[] yz, "
        "float[] zs, uint8[] zz",
    ),
    Case("QuantizeLinear", f"{X}, float[] s, uint16[] z"),
    Case("QuantizeLinear", f"{X}, float[] s"),
    Case("DequantizeLinear", "uint8[B,S] x, float[] s, uint8[] z"),
    Case("QuantizeWithOrder", f"{X}, float[] s", 1, {"order_input": 1, "order_output": 2}),
    Case("DequantizeWithOrder", "int8[B,S,64] x, float[] s", 1, {"order_input": 1, "order_output": 2, "to": 10}),
    Case("IsAllFinite", f"{X}, float[B] y"),
    Case("MurmurHash3", "int32[B,S] x"),
    Case("MurmurHash3", "int32[B,S] x", 1, {"positive": 0}),
    Case("Inverse", "float[B,4,4] x"),
    Case("Trilu", "float[B,S,T] x, int64[] k"),
    Case("SampleOp", X),
    Case("ScaledSiLU", X),
    Case("GatedAdd", f"{X}, float[B,S,64] y, float[B,S,1] g"),
    Case("LinearAttentionGate", "float[B,S,8] a, float[8] d, float[8] e, float[B,S,8] b", 2),
    Case(
        "EngramGate", "float[B,S,2,8] k, float[B,S,2,8] q, float[B,S,8] v, float[2,8] n, float[2,8] m, float[2,8] c", 2
    ),
    Case("NGramRepeatBlock", "int64[B,S] x, float[B,99] s", 1, {"ngram_size": 2}),
    Case("MoE", f"{X}, float[R,4] p, float[4,32,64] f, -, float[4,64,32] g", 1, {"k": 1}),
    Case(
        "QMoE",
        "float16[B,S,64] x, float16[R,4] p, uint8[4,32,32] f, float16[4,32] fs, -, uint8[4,64,16] g, float16[4,64] gs",
        1,
        {"k": 1},
    ),
    Case(
        "RotaryEmbedding",
        f"{X}, int64[B,S] p, float[99,8] c, float[99,8] s",
        1,
        {"num_heads": 4, "rotary_embedding_dim": 16},
    ),
    Case(
        "MRotaryEmbedding",
        f"{X}, int64[3,B,S] p, float[99,8] c, float[99,8] s",
        1,
        {"num_heads": 4, "rotary_embedding_dim": 16, "mrope_section": [4, 2, 2]},
    ),
    Case(
        "GemmaRotaryEmbedding",
        "float[B,S,8] e, float16[B,N,S,8] q, float16[B,N,S,8] r, float16[B,N,S,8] k, float16[B,N,S,8] l",
        2,
    ),
    Case("HyperConnectionPreMix", "float[B,S,4,64] x, float[B,S,4] p"),
    Case("HyperConnectionPreMix", "float[B,S,256] x, float[B,S,4] p", 1, {"num_branches": 4}),
    Case("HyperConnectionPostMix", "float[B,S,4,64] x, float[B,S,64] b, float[B,S,4] p"),
    # normalisation
    Case("SkipLayerNormalization", f"{X}, float[S,64] s, float[64] g, float[64] b, float[64] c", 4),
    Case("SkipLayerNormalization", "float[T,64] x, float[T,64] s, float[64] g", 4),
    Case("SkipSimplifiedLayerNormalization", f"{X}, float[B,S,64] s, float[64] g", 4),
    Case("SimplifiedLayerNormalization", f"{X}, float[64] g", 2, domain=""),
    Case("SimplifiedLayerNormalization", f"{X}, float[S,64] g", 2, {"axis": 1}, domain=""),
    Case("EmbedLayerNormalization", "int32[B,S] x, -, float[99,64] w, float[99,64] p, -, float[64] g, float[64] b", 3),
    Case(
        "QEmbedLayerNormalization",
        "int32[B,S] x, int32[B,S] g, uint8[99,64] w, uint8[99,64] p, uint8[9,64] s, uint8[64] gm, "
        "uint8[64] bt, int32[B,S] m, "
        "float[] a, float[] c, float[] d, float[] e, float[] f, uint8[] h, uint8[] i, uint8[] j, uint8[] k, uint8[] l",
        2,
    ),
    Case("GroupNorm", "float[B,H,W,8] x, float[8] g, float[8] b", 1, {"groups": 2, "activation": 0}),
    Case(
        "SkipGroupNorm", "float[B,H,W,8] x, float[8] g, float[8] b, float[B,1,1,8] s", 2, {"groups": 2, "activation": 1}
    ),
    Case("BranchwiseRMSNorm", "float[B,S,4,64] x, float[64] s"),
    Case("GatedRMSNorm", f"{X}, float[64] s, float[B,S,64] g"),
    Case("QOrderedGelu", "int8[B,S,64] x, float[] a, float[] b"),
    Case("QOrderedLayerNormalization", "int8[B,S,64] x, float[] a, float[64] g, float[64] c, float[] b"),
    # matrix products
    Case("FusedMatMul", "float[B,S,64] x, float[64,32] w"),
    Case("FusedMatMul", "float[B,64,S] x, float[32,64] w", 1, {"transA": 1, "transB": 1}),
    Case("FusedMatMul", "float[S,B,C,64] x, float[64,B,C,T] w", 1, {"transBatchA": 1, "transBatchB": 1}),
    Case("FusedMatMul", "float[64,B,S] x, float[B,64,T] w", 1, {"transBatchA": 1, "transA": 1}),
    Case("FusedMatMul", "float[64] x, float[B,64,T] w", 1, {"transA": 1}),
    Case("TransposeMatMul", "float[B,64,S] x, float[B,T,64] w", 1, {"transA": 1, "transB": 1}),
    Case("FusedMatMulActivation", "float[B,S,64] x, float[64,32] w", 1, {"activation": "Relu"}),
    Case("GemmFastGelu", "float[B,S,64] x, float[64,32] w, float[32] b"),
    Case("FusedGemm", "float[B,64] x, float[32,64] w, float[32] b", 1, {"transB": 1, "activation": "Relu"}),
    Case(
        "QGemm",
        "uint8[B,64] x, float[] as, uint8[] az, uint8[32,64] w, float[] bs, uint8[] bz, -, float[] ys, uint8[] yz",
        1,
        {"transB": 1},
    ),
    Case("QGemm", "uint8[B,64] x, float[] as, uint8[] az, uint8[32,64] w, float[] bs, uint8[] bz", 1, {"transB": 1}),
    Case("GemmFloat8", "float16[B,64] x, float16[32,64] w", 1, {"transB": 1, "dtype": 10}),
    Case("MatMulNBits", f"{X}, uint8[32,4,8] w, float[32,4] s", 1, BITS),
    Case("MatMulBnb4", f"{X}, uint8[1024] w, float[128] s", 1, BITS | {"quant_type": 0}),
    Case("MatMulBnb4", "float[B,S,32] x, uint8[1024] w, float[128] s", 1, BITS | {"quant_type": 0, "transB": 0}),
    Case(
        "MatMulNBitsMlp",
        f"{X}, -, -, uint8[32,2,16] g, float[32,2] gs, -, uint8[32,2,16] u, float[32,2] us",
        1,
        {"N": 32, "K": 64, "block_size": 32, "activation": "silu"},
    ),
    Case(
        "MatMulNBitsQkv",
        f"{X}, -, float[64] n, uint8[32,2,16] g, float[32,2] gs, -, uint8[16,2,16] u, float[16,2] us, -, "
        f"uint8[16,2,16] v, float[16,2] vs",
        3,
        {"Nq": 32, "Nkv": 16, "K": 64, "block_size": 32},
    ),
    Case("MatMulBlockQuantizedFp4Weight", "float16[B,S,64] x, uint8[32,32] w, uint8[32,4] s, float[] t"),
    Case("MatMulInteger16", "int16[B,S,64] x, int16[64,32] w"),
    Case("MatMulIntegerToFloat", "uint8[B,S,64] x, int8[64,32] w, float[] a, float[] b"),
    Case("DynamicQuantizeMatMul", f"{X}, int8[64,32] w, float[] s"),
    Case(
        "QOrderedMatMul",
        "int8[B,S,64] x, float[] a, int8[64,32] w, float[] b, float[] y",
        1,
        {"order_A": 1, "order_B": 0, "order_Y": 1},
    ),
    Case("CDist", "float[M,8] x, float[K,8] y"),
    # convolution and pooling
    Case("FusedConv", f"{CONV}, float[8] b", 1, {"activation": "Relu", "pads": [1, 0, 1, 0]}),
    Case("NhwcConv", "float[B,H,W,4] x, float[8,4,3,2] w", 1, {"strides": [2, 1], "pads": [1, 0, 1, 1]}),
    Case("NhwcFusedConv", "float16[B,H,W,4] x, float16[8,4,3,2] w", 1, {"pads": [1, 0, 1, 1]}),
    Case("NhwcMaxPool", "uint8[B,H,W,4] x", 1, {"kernel_shape": [3, 2], "strides": [2, 2]}),
    Case("MaxpoolWithMask", "float[B,4,H,W] x, int32[B,4,H,W] m", 1, {"kernel_shape": [3, 2]}),
    Case(
        "QLinearConv",
        "uint8[B,H,W,4] x, float[] xs, uint8[] xz, uint8[8,4,3,2] w, float[] ws, uint8[] wz, float[] ys, uint8[] yz",
        1,
        {"channels_last": 1},
    ),
    Case(
        "QLinearConv",
        "uint8[B,4,H,W] x, float[] xs, uint8[] xz, uint8[8,4,3,2] w, float[] ws, uint8[] wz, float[] ys, uint8[] yz",
        1,
    ),
    quantized("x y", "QLinearAveragePool", "uint8[B,H,W,4] x", kernel_shape=[3, 2], channels_last=1),
    quantized("x y", "QLinearAveragePool", "uint8[B,4,H,W] x", kernel_shape=[3, 2], strides=[2, 1]),
    quantized("x y", "QLinearGlobalAveragePool", "uint8[B,H,W,4] x", channels_last=1),
    quantized("x y", "QLinearGlobalAveragePool", "uint8[B,4,H,W] x"),
    Case(
        "ConvTransposeWithDynamicPads",
        "float[B,4,H,W] x, float[4,3,3,2] w, int64[4] p",
        1,
        {"group": 2, "strides": [2, 1], "output_padding": [1, 0]},
        {"p": i64(1, 0, 1, 1)},
    ),
    Case("CausalConvWithState", "float[B,8,S] x, float[8,1,4] w", 2),
    Case("CausalConvWithState", "float[B,8,S] x, float[8,1,4] w, -, float[B,8,6] s", 2, {"dilation": 2}),
    Case("VarlenCausalConvWithState", "float[T,8] x, float[8,1,4] w, int32[Q] c, -, float[B,8,3] s", 2),
    # attention
    Case("Attention", ATTENTION, 1, {"num_heads": 4}),
    Case("Attention", ATTENTION, 2, {"num_heads": 4}),
    Case("Attention", f"{ATTENTION}, -, float[2,B,4,P,8] p", 2, {"num_heads": 4, "unidirectional": 1}),
    Case("Attention", f"{X}, float[64,80] w, float[80] b", 1, {"num_heads": 4, "qkv_hidden_sizes": [32, 32, 16]}),
    Case(
        "QAttention",
        "uint8[B,S,64] x, uint8[64,96] w, float[96] b, float[] s, float[] t, int32[B] m, uint8[] xz, "
        "uint8[] wz, float[2,B,4,P,8] p",
        2,
        {"num_heads": 4, "unidirectional": 1},
    ),
    Case("MultiHeadAttention", QKV, 3, {"num_heads": 4}),
    Case(
        "MultiHeadAttention",
        "float[B,S,64] q, float[B,T,64] k, float[B,T,64] v, -, -, -, float[B,4,P,16] pk, float[B,4,P,16] pv",
        3,
        {"num_heads": 4},
    ),
    Case("MultiHeadAttention", "float[B,S,64] q, float[B,4,T,16] k, float[B,4,T,16] v", 1, {"num_heads": 4}),
    Case("MultiHeadAttention", "float[B,S,64] q, float[B,T,4,2,16] k", 1, {"num_heads": 4}),
    Case("MultiHeadAttention", "float[B,S,4,3,16] q", 1, {"num_heads": 4}),
    Case(
        "DecoderMaskedMultiHeadAttention",
        "float[B,1,64] q, float[B,1,64] k, float[B,1,64] v, -, -, float[B,4,P,16] pk, float[B,4,P,16] pv",
        3,
        {"num_heads": 4},
    ),
    Case(
        "PackedAttention", "float[T,64] x, float[64,96] w, float[96] b, int32[B,S] o, int32[Q] c", 1, {"num_heads": 4}
    ),
    Case(
        "PackedMultiHeadAttention",
        "float[T,64] q, float[T,64] k, float[T,32] v, -, int32[B,S] o, int32[Q] c",
        1,
        {"num_heads": 4},
    ),
    Case("PackedMultiHeadAttention", "float[T,4,3,16] q, -, -, -, int32[B,S] o, int32[Q] c", 1, {"num_heads": 4}),
    Case(
        "LongformerAttention",
        f"{X}, float[64,192] w, float[192] b, float[B,S] m, float[64,192] gw, float[192] gb, int32[B,S] g",
        1,
        {"num_heads": 4, "window": 2},
    ),
    Case(
        "QOrderedAttention",
        "int8[B,S,64] x, float[] a, float[] b, float[] c, float[] d, int8[64,64] q, int8[64,64] k, "
        "int8[64,64] v, float[] e, float[] f, float[] g, "
        "float[64] qb, float[64] kb, float[64] vb, float[] h, float[] i, float[] j",
        1,
        {"num_heads": 4, "order_input": 1, "order_weight": 0, "order_output": 1, "qkv_hidden_sizes": [64, 64, 64]},
    ),
    Case(
        "QOrderedLongformerAttention",
        "int8[B,S,64] x, float[] a, int8[64,192] w, float[] b, float[192] c, float[] d, float[] e, "
        "float16[B,S] m, int8[64,192] gw, float[] f, float[192] gb, float[] h, "
        "int32[B,S] g, float[] i",
        1,
        {"num_heads": 4, "window": 2, "order_input": 1, "order_weight": 0, "order_global_weight": 0, "order_output": 1},
    ),
    Case(
        "GroupQueryAttention",
        f"{X}, float[B,S,32] k, float[B,S,32] v, {CACHE}, {LENGTHS}",
        3,
        {"num_heads": 4, "kv_num_heads": 2},
        {"total": np.array(9, np.int32)},
    ),
    Case(
        "GroupQueryAttention",
        f"float[B,S,128] x, -, -, {CACHE}, {LENGTHS}",
        3,
        {"num_heads": 4, "kv_num_heads": 2},
        {"total": np.array(40, np.int32)},
    ),
    Case(
        "GroupQueryAttention",
        "float[B,5,64] x, float[B,5,32] k, float[B,5,32] v, -, -, int32[B] lengths, int32[] total",
        3,
        {"num_heads": 4, "kv_num_heads": 2},
        {"total": np.array(5, np.int32)},
    ),
    Case(
        "SparseAttention",
        f"float[B,S,128] x, -, -, {CACHE}, int32[1,5] br, int32[1,5] bc, int32[] total, int32[B] lengths",
        3,
        {"num_heads": 4, "kv_num_heads": 2, "sparse_block_size": 16},
        {"total": np.array(9, np.int32)},
    ),
    Case(
        "PagedAttention",
        "float16[T,64] q, float16[T,32] k, float16[T,32] v, float16[N,16,2,16] kc, float16[N,16,2,16] vc, "
        "int32[Q] c, int32[B] p, int32[B,9] t",
        3,
        {"num_heads": 4, "kv_num_heads": 2},
    ),
    Case(
        "LinearAttention",
        f"{X}, float[B,S,32] k, float[B,S,48] v, -, float[B,S,2] d, float[B,S,2] b",
        2,
        {"q_num_heads": 4, "kv_num_heads": 2},
    ),
    Case(
        "GatedDeltaNet",
        "float16[T,4,8] q, float16[T,2,8] k, float16[T,4,16] v, int32[Q] c, float[T,4] d, float[T,4] b, "
        "float[R,4,16,8] s",
        2,
    ),
    Case("RestorePadding", "float[T,64] x, int32[B,S] o"),
    Case(
        "GatedRelativePositionBias",
        "float[B,S,64] q, float[64] b, float[1,4,S,S] r, float[16,8] w, float[8] c, float[1,4,1,1] e",
        1,
        {"num_heads": 4},
    ),
    # moving, picking, reducing
    Case("Pad", "float[B,S] x, int64[4] p", 1, {}, {"p": i64(1, 2, 3, 4)}),
    Case("Pad", "float[B,S] x, int64[1,4] p", 1, {}, {"p": i64(1, 2, 3, 4).reshape(1, 4)}),
    Case("Range", "int64[] a, int64[] b", 1, {}, {"a": np.array(2), "b": np.array(9)}),
    Case("Range", "int64[] a, int64[] b, int64[] c", 1, {}, {"a": np.array(2), "b": np.array(9), "c": np.array(3)}),
    Case("Unique", "float[T] x", 3, unknown=2),
    Case("ExpandDims", "float[B,S] x, int32[] a", 1, {}, {"a": np.array(1, np.int32)}),
    Case("ExpandDims", "float[B,S] x, int32[] a", 1, {}, {"a": np.array(-1, np.int32)}),
    Case("ExpandDims", "float[B,S] x, int32[] a", 1, {}, {"a": np.array(-3, np.int32)}),
    Case("GatherND", "float[B,S,64] x, int64[M,2] i"),
    Case("GridSample", "float[B,3,H,W] x, float[B,S,T,2] g"),
    Case("CropAndResize", "float[B,3,H,W] x, float[M,4] r, int32[M] b, int32[2] c", 1, {}, {"c": i32(4, 6)}),
    Case("GatherBlockQuantized", "uint8[99,16] x, int64[B,S] i, float[99,2] s", 1, {"bits": 4, "block_size": 16}),
    Case("GatherBlockQuantized", "uint8[99,32] x, int64[B,S] i, float[99,2] s", 1, {"bits": 8, "block_size": 16}),
    Case("TorchEmbedding", "float[99,64] w, int64[B,S] i"),
    Case("UnfoldTensor", "float[B,H,4] x", 1, {"dim": 1, "size": 3, "step": 2}),
    Case(
        "QLinearConcat",
        "float[] s, uint8[] z, uint8[B,S] x, float[] xs, uint8[] xz, uint8[B,T] y, float[] ys, uint8[] yz",
        1,
        {"axis": 1},
    ),
    quantized("x y", "QLinearReduceMean", "uint8[B,S,64] x", axes=[1], keepdims=1),
    quantized("x y", "QLinearReduceMean", "uint8[B,S,64] x", axes=[0, -1], keepdims=0),
    Case("DynamicTimeWarping", "float[M,K] x", unknown=1),
    Case("BifurcationDetector", "int64[S] s, int64[T] c, int64[] p", 2, unknown=1),
    # words and sequences of tokens
    Case(
        "DynamicQuantizeLSTM",
        "float[S,B,8] x, uint8[2,8,16] w, uint8[2,4,16] r, -, -, -, -, -, float[2] ws, uint8[2] wz, "
        "float[2] rs, uint8[2] rz",
        3,
        {"hidden_size": 4, "direction": "bidirectional"},
    ),
    Case(
        "WordConvEmbedding",
        "int32[S,8] x, float[6,1,2,5] w, float[6] b, float[99,5] c",
        1,
        {"embedding_size": 6, "conv_window_size": 2, "char_embedding_size": 5},
    ),
    Case(
        "NGramHashMapping",
        "int64[B,S] x, int64[3] m, int64[4] v",
        2,
        {"max_ngram_size": 3, "n_head_per_ngram": 2, "pad_id": 0},
    ),
    Case(
        "Tokenizer", "string[B,S] x", 1, {"mark": 0, "mincharnum": 1, "pad_value": "#", "separators": [" "]}, unknown=1
    ),
    # plugins of TensorRT that ONNX Runtime has a schema of
    Case(
        "EfficientNMS_TRT",
        "float[B,T,4] b, float[B,T,9] s",
        4,
        {
            "max_output_boxes": 20,
            "score_threshold": 0.1,
            "iou_threshold": 0.5,
            "background_class": -1,
            "score_activation": 0,
            "box_coding": 0,
            "plugin_version": "1",
        },
        domain="",
    ),
    Case(
        "PyramidROIAlign_TRT",
        "float[B,M,4] r, float[B,8,H,W] a, float[B,8,H,W] b, float[B,8,H,W] c, float[B,8,H,W] d",
        1,
        {"pooled_size": 7, "plugin_version": "1"},
        domain="",
    ),
    Case(
        "MultilevelCropAndResize_TRT",
        "float[B,M,4] r, float[B,8,H,W] a, float[B,8,H,W] b, float[B,8,H,W] c, float[B,8,H,W] d",
        1,
        {"pooled_size": 7, "image_size": [3, 9, 9], "plugin_version": "1"},
        domain="",
    ),
    Case(
        "DisentangledAttention_TRT",
        "float[T,S,S] a, float[T,S,8] b, float[T,S,8] c",
        1,
        {"span": 4, "factor": 0.1},
        domain="",
    ),
    # layouts
    Case("ReorderInput", "float[B,4,H,W] x", domain="com.microsoft.nchwc", unknown=1),
    Case("ReorderInput", "float[B,H,W,16] x", 1, {"channels_last": 1}, domain="com.microsoft.nchwc"),
    Case("ReorderOutput", "float[B,16,H,W] x", 1, {"channels": 12}, domain="com.microsoft.nchwc"),
    Case("ReorderOutput", "float[B,16,H,W] x", 1, {"channels": 12, "channels_last": 1}, domain="com.microsoft.nchwc"),
    Case("Conv", "float[B,16,H,W] x, float[32,16,3,2] w", 1, {"strides": [2, 1]}, domain="com.microsoft.nchwc"),
    Case("MaxPool", "float[B,16,H,W] x", 1, {"kernel_shape": [2, 2], "strides": [2, 2]}, domain="com.microsoft.nchwc"),
    Case("AveragePool", "float[B,16,H,W] x", 1, {"kernel_shape": [2, 2]}, domain="com.microsoft.nchwc"),
    Case("GlobalMaxPool", "float[B,16,H,W] x", domain="com.microsoft.nchwc"),
    Case("GlobalAveragePool", "float[B,16,H,W] x", domain="com.microsoft.nchwc"),
    Case("Upsample", "float[B,16,H,W] x", 1, {"scales": [1, 1, 2, 3]}, domain="com.microsoft.nchwc"),
    Case("Conv", "float[B,H,W,4] x, float[8,4,3,2] w", 1, {"strides": [2, 1]}, domain="com.ms.internal.nhwc"),
    Case("ConvTranspose", "float[B,H,W,4] x, float[4,8,3,2] w", 1, {"strides": [2, 1]}, domain="com.ms.internal.nhwc"),
    Case("MaxPool", "float[B,H,W,4] x", 1, {"kernel_shape": [2, 2]}, domain="com.ms.internal.nhwc"),
    Case("GlobalAveragePool", "float[B,H,W,4] x", domain="com.ms.internal.nhwc"),
    Case("DepthToSpace", "float[B,H,W,8] x", 1, {"blocksize": 2}, domain="com.ms.internal.nhwc"),
    Case("SpaceToDepth", "float[B,H,W,3] x", 1, {"blocksize": 2}, domain="com.ms.internal.nhwc"),
    Case("GridSample", "float[B,H,W,3] x, float[B,S,T,2] g", domain="com.ms.internal.nhwc"),
    Case("LRN", "float[B,H,W,4] x", 1, {"size": 3}, domain="com.ms.internal.nhwc"),
)
