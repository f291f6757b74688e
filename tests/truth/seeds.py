"""For each operator a node that TensorRT should take, from which the grid varies one thing at a time.

A seed names inputs in their order, or by name, because what is an attribute in one opset is an input in the next: a
name that the opset does not have is left out. `also` has values of attributes that are worth a try.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx.defs
from bodies import IF, LOOP, SCAN, branch
from cases import BOOL, FLOAT, FLOAT16, INT8, INT32, INT64, UINT8, Case, Dims, Input

Given = Input | None


@dataclass(frozen=True)
class Seed:
    order: tuple[Given, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)
    also: dict[str, list[Any]] = field(default_factory=dict)
    first: int = 1
    outputs: int = 1


def seed(
    *order: Given, also: dict[str, list[Any]] | None = None, first: int = 1, outputs: int = 1, **named: Any
) -> Seed:
    return Seed(order, named, also or {}, first, outputs)


def run(*dims: int | str, type: int = FLOAT) -> Input:
    return Input(type, dims)


def const(value: Any, type: int = INT64) -> Input:
    array = np.asarray(value, np.float64)
    return Input(type, array.shape, array, "initializer")


def weight(*dims: int | str, type: int = FLOAT) -> Input:
    return Input(type, dims).constant()


def ids(value: Any, type: int = INT64) -> Input:
    """Read at run time; as a constant it has this value."""
    array = np.asarray(value, np.float64)
    return Input(type, array.shape, array)


X: Dims = (2, 3, 4)
IMAGE = run(1, 4, 9, 10)
SPATIAL: dict[str, list[Any]] = {
    "strides": [[2, 2], [1, 2], [0, 1], [1], [3, 3]],
    "dilations": [[2, 2], [1, 2], [1], [0, 1], [3, 3]],
    "pads": [[1, 1, 1, 1], [0, 0, 1, 1], [1, 0, 0, 1], [3, 3, 3, 3], [-1, 0, 0, 0], [1, 1], [9, 9, 9, 9]],
    "auto_pad": ["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET", "SAME"],
    "kernel_shape": [[1, 1], [2, 2], [5, 5], [3], [9, 10], [10, 11], [0, 3]],
}
POOL = SPATIAL | {"ceil_mode": [0, 1, 2], "count_include_pad": [0, 1], "storage_order": [0, 1], "p": [1, 2, 3]}
TYPES = [1, 10, 16, 11, 6, 7, 3, 2, 9, 5, 4, 12, 13, 8, 17, 19, 22, 21, 23, 24]
RESIZE: dict[str, list[Any]] = {
    "mode": ["nearest", "linear", "cubic", "area"],
    "coordinate_transformation_mode": [
        *("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"),
        *("half_pixel_symmetric", "tf_half_pixel_for_nn"),
    ],
    "nearest_mode": ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"],
    "keep_aspect_ratio_policy": ["stretch", "not_larger", "not_smaller"],
    "antialias": [0, 1],
    "exclude_outside": [0, 1],
    "extrapolation_value": [0.0, 1.0],
    "cubic_coeff_a": [-0.75, -0.5],
}
RECURRENT: dict[str, list[Any]] = {
    "direction": ["forward", "reverse", "bidirectional"],
    "layout": [0, 1],
    "clip": [0.0, 1.0],
    "linear_before_reset": [0, 1],
    "input_forget": [0, 1],
    "activations": [["Tanh"], ["Relu"], ["Sigmoid", "Tanh"], ["Sigmoid", "Tanh", "Tanh"], ["Affine"] * 3, ["Elu"]],
}
ATTENTION: dict[str, list[Any]] = {
    "is_causal": [0, 1],
    "scale": [0.0, 0.125, 1.0],
    "softcap": [0.0, 2.0],
    "qk_matmul_output_mode": [0, 1, 2, 3],
    "softmax_precision": [1, 10, 16, 11],
    "q_num_heads": [1, 2, 4],
    "kv_num_heads": [1, 2, 4],
}


def _recurrent(gates: int, *more: Given) -> Seed:
    return seed(
        run(5, 2, 4),
        weight(1, gates * 3, 4),
        weight(1, gates * 3, 3),
        weight(1, 2 * gates * 3),
        None,
        run(1, 2, 3),
        *more,
        hidden_size=3,
        also=RECURRENT,
    )


def _resize(sizes: bool) -> Seed:
    scales = None if sizes else const([1, 1, 2, 2], FLOAT)
    given = {"sizes": const([1, 4, 18, 20])} if sizes else {"scales": scales}
    return seed(IMAGE, mode="nearest", roi=const([], FLOAT), also=RESIZE, **given)


UNARY = [
    "Abs",
    "Acos",
    "Acosh",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "BitwiseNot",
    "Ceil",
    "Cos",
    "Cosh",
    "Elu",
    "Erf",
    "Exp",
    "Floor",
    "HardSigmoid",
    "HardSwish",
    "Identity",
    "IsInf",
    "IsNaN",
    "LeakyRelu",
    "Log",
    "Mish",
    "Neg",
    "NonZero",
    "Not",
    "RandomNormalLike",
    "RandomUniformLike",
    "Reciprocal",
    "Relu",
    "Round",
    "Selu",
    "Shape",
    "Shrink",
    "Sigmoid",
    "Sign",
    "Sin",
    "Sinh",
    "Size",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Swish",
    "Tan",
    "Tanh",
    "ThresholdedRelu",
    "Celu",
    "Bernoulli",
]
BINARY = [
    "Add",
    "And",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Div",
    "Equal",
    "Greater",
    "GreaterOrEqual",
    "Less",
    "LessOrEqual",
    "Mul",
    "Or",
    "Sub",
    "Xor",
]
_REDUCTIONS = ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")
REDUCE = [f"Reduce{word}" for word in _REDUCTIONS]

SEEDS: dict[str, list[Seed]] = {
    **{op: [seed(run(*X))] for op in UNARY},
    **{op: [seed(run(*X), run(*X)), seed(run(*X), weight(4))] for op in BINARY},
    **{op: [seed(run(2, 3, 4, 5), axes=const([1])), seed(run(*X))] for op in REDUCE},
    **{
        op: [seed(run(*X), run(*X)), seed(run(*X), run(1, 4), weight(4)), seed(run(*X))]
        for op in ("Max", "Min", "Sum", "Mean")
    },
    "ArgMax": [seed(run(2, 3, 4, 5), axis=1)],
    "ArgMin": [seed(run(2, 3, 4, 5), axis=1)],
    "AffineGrid": [seed(run(1, 2, 3), const([1, 3, 4, 5]))],
    "Attention": [
        *(
            seed(*(run(1, 2, 4, size, type=element) for _ in range(3)), first=23)
            for size, element in ((8, FLOAT16), (512, FLOAT16), (64, FLOAT))
        ),
        seed(
            run(1, 2, 4, 64, type=FLOAT16),
            run(1, 2, 5, 64, type=FLOAT16),
            run(1, 2, 5, 64, type=FLOAT16),
            also=ATTENTION,
            first=23,
        ),
        seed(
            run(1, 2, 4, 64, type=FLOAT16),
            run(1, 2, 5, 64, type=FLOAT16),
            run(1, 2, 5, 64, type=FLOAT16),
            run(4, 5),
            also=ATTENTION,
            first=23,
        ),
        seed(
            run(1, 4, 128, type=FLOAT16),
            run(1, 5, 128, type=FLOAT16),
            run(1, 5, 128, type=FLOAT16),
            also=ATTENTION,
            q_num_heads=2,
            kv_num_heads=2,
            first=23,
        ),
        seed(
            *(
                run(1, 2, 4, 64, type=FLOAT16),
                run(1, 2, 4, 64, type=FLOAT16),
                run(1, 2, 4, 64, type=FLOAT16),
                None,
                run(1, 2, 3, 64, type=FLOAT16),
                run(1, 2, 3, 64, type=FLOAT16),
            ),
            also=ATTENTION,
            first=23,
            outputs=3,
        ),
    ],
    "AveragePool": [seed(IMAGE, kernel_shape=[3, 3], also=POOL)],
    "MaxPool": [seed(IMAGE, kernel_shape=[3, 3], also=POOL)],
    "LpPool": [seed(IMAGE, kernel_shape=[3, 3], also=POOL)],
    "BatchNormalization": [seed(run(1, 4, 9, 10), weight(4), weight(4), weight(4), const([1] * 4, FLOAT))],
    "BitShift": [seed(run(*X, type=UINT8), run(*X, type=UINT8), direction="LEFT")],
    "BlackmanWindow": [seed(const(8))],
    "HammingWindow": [seed(const(8))],
    "HannWindow": [seed(const(8))],
    "Cast": [seed(run(*X), to=10, also={"to": TYPES})],
    "CastLike": [seed(run(*X), run(*X, type=FLOAT))],
    "CenterCropPad": [seed(run(*X), const([2, 2, 2]))],
    "Clip": [seed(run(*X), min=const(-1, FLOAT), max=const(1, FLOAT)), seed(run(*X), None, const(1, FLOAT), first=11)],
    "Col2Im": [seed(run(1, 5, 5), const([5, 5]), const([1, 5]))],
    "Compress": [seed(run(*X), const([1, 0, 1], BOOL), axis=1)],
    "Concat": [seed(run(*X), run(*X), axis=1), seed(run(*X), weight(*X), run(2, 5, 4), axis=1)],
    "Constant": [
        seed(value=const([1, 2, 3], FLOAT)),
        seed(value_float=1.5, first=12),
        seed(value_floats=[1.5, 2.5], first=12),
        seed(value_int=3, first=12),
        seed(value_ints=[3, 4], first=12),
    ],
    "ConstantOfShape": [seed(const([2, 3]), value=const([1], FLOAT)), seed(const([2, 3]))],
    "Conv": [
        seed(IMAGE, weight(6, 4, 3, 3), weight(6), also=SPATIAL | {"group": [1, 2, 4]}),
        seed(IMAGE, weight(8, 1, 3, 3), group=4, also=SPATIAL),
        seed(run(1, 4, 10), weight(6, 4, 3)),
        seed(run(1, 4, 5, 6, 7), weight(6, 4, 3, 3, 3)),
        seed(IMAGE, run(6, 4, 3, 3)),
    ],
    "ConvTranspose": [
        seed(
            IMAGE,
            weight(4, 6, 3, 3),
            weight(6),
            also=SPATIAL | {"group": [1, 2, 4], "output_padding": [[1, 1], [1, 0], [2, 2]], "output_shape": [[12, 12]]},
        ),
        seed(IMAGE, weight(4, 6, 3, 3), strides=[2, 2], also=SPATIAL | {"output_padding": [[1, 1], [0, 1]]}),
        seed(run(1, 4, 10), weight(4, 6, 3)),
    ],
    "ConvInteger": [seed(run(1, 4, 9, 10, type=UINT8), run(6, 4, 3, 3, type=UINT8))],
    "CumSum": [seed(run(*X), const(1, INT64), also={"exclusive": [0, 1], "reverse": [0, 1]})],
    "DFT": [seed(run(1, 8, 1), axis=1)],
    "DeformConv": [seed(run(1, 1, 8, 8), weight(1, 1, 3, 3), run(1, 18, 6, 6))],
    "DepthToSpace": [seed(run(1, 8, 3, 4), blocksize=2, also={"mode": ["DCR", "CRD", "XYZ"]})],
    "SpaceToDepth": [seed(run(1, 2, 6, 8), blocksize=2, also={"mode": ["DCR", "CRD"]})],
    "DequantizeLinear": [
        seed(run(2, 4, 6, type=INT8), const(0.5, FLOAT), const(0, INT8)),
        seed(weight(4, 6, type=INT8), const([0.5] * 4, FLOAT), const([0] * 4, INT8), axis=0, first=13),
        seed(weight(4, 6, type=INT8), const([[0.5] * 6] * 2, FLOAT), axis=0, block_size=2, first=21),
        seed(run(2, 4, 6, type=INT8), const(0.5, FLOAT)),
    ],
    "QuantizeLinear": [
        seed(run(2, 4, 6), const(0.5, FLOAT), const(0, INT8)),
        seed(run(2, 4, 6), const([0.5] * 4, FLOAT), const([0] * 4, INT8), axis=1, first=13),
        seed(run(4, 6), const([[0.5] * 6] * 2, FLOAT), const([[0] * 6] * 2, INT8), axis=0, block_size=2, first=21),
        seed(run(2, 4, 6), const(0.5, FLOAT), output_dtype=3, also={"output_dtype": TYPES}, first=21),
    ],
    "Det": [seed(run(3, 3))],
    "Dropout": [seed(run(*X), ratio=const(0.5, FLOAT)), seed(run(*X), const(0.5, FLOAT), const(0, BOOL), first=12)],
    "DynamicQuantizeLinear": [seed(run(*X), outputs=3)],
    "Einsum": [
        seed(
            run(3, 4),
            run(4, 5),
            equation="ij,jk->ik",
            also={
                "equation": ["ij,jk", "ij,jk->ki", "ij,jk->", "ij,jk->ijk", "ij,jj->i", "...j,jk->...k", "IJ,JK->IK"]
            },
        ),
        seed(run(2, 3, 4), equation="ijk->kji", also={"equation": ["ijk->ik", "iji->j", "...k->k...", "ijk->"]}),
        seed(run(2, 3, 4), run(2, 4, 5), equation="bij,bjk->bik"),
        seed(run(1, 2, 1, 2, 3), run(1, 2, 1, 3, 2), equation="abcde,abcef->abcdf"),
        seed(run(2, 1, 2, 1, 2, 1, 2, 1), run(2, 1, 2, 1, 2), equation="abcdefgh,habij->cdefgij"),
        seed(run(2, 1, 2, 1, 2), run(2, 1, 2, 1), equation="abcde,fghi->abcdefghi"),
        seed(run(2, 1, 2, 1, 2), run(2, 1, 2, 1, 2), equation="abcde,efghi->abcdefghi"),
        seed(run(2, 3), run(3, 4), run(4, 5), equation="ij,jk,kl->il"),
        *(
            seed(run(*(1,) * n), run(*(1,) * n), equation=f"{'abcdefghi'[:n]},{'jklmnopqr'[:n]}->{'abcdefghi'[:n]}")
            for n in (2, 4, 6, 8)
        ),
    ],
    "Expand": [seed(run(3, 1), const([2, 3, 4])), seed(run(3, 1), ids([2, 3, 4]))],
    "EyeLike": [seed(run(3, 4), also={"dtype": TYPES, "k": [-1, 0, 1, 5]})],
    "Flatten": [seed(run(2, 3, 4, 5), axis=1)],
    "Gather": [seed(run(*X), ids([0, 1]), axis=1), seed(weight(8, 4), ids([[0, 1]]))],
    "GatherElements": [seed(run(3, 3), ids([[0, 1, 2]]), axis=0)],
    "GatherND": [seed(run(*X), ids([[0, 1], [1, 0]])), seed(run(*X), ids([[1], [0]]), batch_dims=1)],
    "Gelu": [seed(run(*X), also={"approximate": ["none", "tanh", "fast"]})],
    "Gemm": [
        seed(run(3, 4), weight(4, 5), weight(5), also={"alpha": [0.0, 0.5, 2.0], "beta": [0.0, 0.5], "transA": [0, 2]}),
        seed(run(3, 4), weight(5, 4), weight(5), transB=1),
        seed(run(4, 3), run(4, 5), transA=1),
        seed(run(3, 4), run(4, 5), run(3, 5)),
    ],
    "GlobalAveragePool": [seed(IMAGE)],
    "GlobalMaxPool": [seed(IMAGE)],
    "GlobalLpPool": [seed(IMAGE, also={"p": [1, 2, 3]})],
    "GRU": [_recurrent(3)],
    "LSTM": [_recurrent(4, run(1, 2, 3)), _recurrent(4, run(1, 2, 3), weight(1, 9))],
    "RNN": [_recurrent(1)],
    "GridSample": [
        seed(
            run(1, 2, 5, 6),
            run(1, 3, 4, 2),
            also={
                "mode": ["bilinear", "nearest", "bicubic", "linear", "cubic"],
                "padding_mode": ["zeros", "border", "reflection"],
            },
        ),
        seed(run(1, 2, 4, 5, 6), run(1, 2, 3, 4, 3), first=20),
    ],
    "GroupNormalization": [
        seed(IMAGE, weight(2), weight(2), num_groups=2),
        seed(IMAGE, weight(4), weight(4), num_groups=2, first=21),
    ],
    "Hardmax": [seed(run(*X), axis=-1)],
    "Softmax": [seed(run(*X), axis=-1)],
    "LogSoftmax": [seed(run(*X), axis=-1)],
    "If": [
        seed(run(type=BOOL), then_branch=branch(), else_branch=branch(value="6,5,4,3,2,1"), also=IF),
        seed(const(1, BOOL), then_branch=branch(), else_branch=branch(value="6,5,4,3,2,1"), also=IF),
    ],
    "Loop": [
        seed(const(3), const(1, BOOL), run(2, 3), body=LOOP["body"][0], also=LOOP, outputs=2),
        seed(ids(3), const(1, BOOL), run(2, 3), body=LOOP["body"][0], also=LOOP, outputs=2),
        seed(None, ids(1, BOOL), run(2, 3), body=LOOP["body"][3], also=LOOP, outputs=2),
    ],
    "Scan": [seed(run(3), run(5, 3), body=SCAN["body"][0], num_scan_inputs=1, also=SCAN, outputs=2)],
    "InstanceNormalization": [seed(IMAGE, weight(4), weight(4))],
    "LRN": [seed(IMAGE, size=3, also={"size": [1, 2, 3, 5, 15, 17]})],
    "LayerNormalization": [seed(run(2, 3, 8), weight(8), weight(8), axis=-1, also={"stash_type": [1, 10, 16]})],
    "RMSNormalization": [seed(run(2, 3, 8), weight(8), axis=-1, also={"stash_type": [1, 10, 16]})],
    "LpNormalization": [seed(run(*X), also={"p": [1, 2, 3]})],
    "MatMul": [
        seed(run(2, 3, 4), run(2, 4, 5)),
        seed(run(2, 3, 4), weight(4, 5)),
        seed(run(4), run(2, 4, 5)),
        seed(run(2, 3, 4), run(4)),
    ],
    "MatMulInteger": [seed(run(3, 4, type=UINT8), run(4, 5, type=UINT8))],
    "MaxRoiPool": [seed(IMAGE, run(2, 5), pooled_shape=[2, 2])],
    "MaxUnpool": [seed(run(1, 1, 2, 2), run(1, 1, 2, 2, type=INT64), kernel_shape=[2, 2], strides=[2, 2])],
    "MeanVarianceNormalization": [seed(IMAGE, also={"axes": [[0, 2, 3], [1], [0, 1, 2, 3], [-1]]})],
    "MelWeightMatrix": [seed(const(8), const(16), const(8192), const(0, FLOAT), const(4096, FLOAT))],
    "Mod": [seed(run(*X), run(*X), fmod=1), seed(run(*X, type=INT32), weight(4, type=INT32), fmod=0)],
    "Multinomial": [seed(run(2, 4))],
    "NegativeLogLikelihoodLoss": [seed(run(3, 5), run(3, type=INT64))],
    "NonMaxSuppression": [
        seed(run(1, 10, 4), run(1, 3, 10), const([3]), const([0.5], FLOAT), const([0.1], FLOAT)),
    ],
    "OneHot": [seed(ids([1, 2, 0]), const(4), const([0, 1], FLOAT), axis=-1)],
    "PRelu": [seed(run(*X), weight(4)), seed(IMAGE, weight(4, 1, 1))],
    "Pad": [
        seed(
            run(*X),
            pads=const([0, 1, 1, 0, 1, 1]),
            constant_value=const(0, FLOAT),
            also={"mode": ["constant", "reflect", "edge", "wrap", "symmetric"]},
        ),
        seed(run(*X), pads=const([1, 1]), axes=const([1]), first=18),
    ],
    "Pow": [seed(run(*X), run(*X)), seed(run(*X), const(2, FLOAT)), seed(run(*X), const(2, INT64))],
    "QLinearConv": [
        seed(
            *(run(1, 4, 9, 10, type=UINT8), const(0.5, FLOAT), const(0, UINT8), weight(6, 4, 3, 3, type=UINT8)),
            *(const(0.5, FLOAT), const(0, UINT8), const(0.5, FLOAT), const(0, UINT8)),
        )
    ],
    "QLinearMatMul": [
        seed(
            *(run(3, 4, type=UINT8), const(0.5, FLOAT), const(0, UINT8), run(4, 5, type=UINT8)),
            *(const(0.5, FLOAT), const(0, UINT8), const(0.5, FLOAT), const(0, UINT8)),
        )
    ],
    "RandomNormal": [seed(shape=[2, 3], also={"dtype": TYPES[:4]})],
    "RandomUniform": [seed(shape=[2, 3], also={"dtype": TYPES[:4]})],
    "Range": [
        seed(const(0), const(5), const(1)),
        seed(ids(0), ids(5), ids(1)),
        seed(const(0, FLOAT), const(5, FLOAT), const(1, FLOAT)),
    ],
    "Reshape": [
        seed(run(*X), const([6, 4]), also={"allowzero": [0, 1]}),
        seed(run(*X), const([0, -1])),
        seed(run(*X), ids([6, 4])),
    ],
    "Resize": [_resize(False), _resize(True), seed(IMAGE, const([1, 1, 2, 2], FLOAT), mode="nearest", also=RESIZE)],
    "ReverseSequence": [seed(run(4, 3, 2), ids([1, 2, 4]), time_axis=0, batch_axis=1)],
    "RoiAlign": [seed(IMAGE, run(2, 4), const([0, 0]), output_height=2, output_width=2)],
    "RotaryEmbedding": [
        seed(
            run(2, 3, 4, 8), run(2, 4, 4), run(2, 4, 4), also={"interleaved": [0, 1], "rotary_embedding_dim": [0, 4, 8]}
        ),
        seed(run(2, 3, 4, 8), weight(50, 4), weight(50, 4), ids([[0, 1, 2, 3]] * 2)),
        seed(run(2, 4, 24), run(2, 4, 4), run(2, 4, 4), num_heads=3),
    ],
    "STFT": [seed(run(1, 32, 1), const(4), weight(8), const(8))],
    "Scatter": [seed(run(3, 3), ids([[0, 1, 2]]), run(1, 3))],
    "ScatterElements": [
        seed(run(3, 3), ids([[0, 1, 2]]), run(1, 3), also={"reduction": ["none", "add", "mul", "max", "min"]}),
    ],
    "ScatterND": [
        seed(run(4, 5), ids([[0], [2]]), run(2, 5), also={"reduction": ["none", "add", "mul", "max", "min"]})
    ],
    "Slice": [
        seed(run(4, 6, 8), starts=const([0, 1]), ends=const([2, 5]), axes=const([0, 1]), steps=const([1, 2])),
        seed(run(8), starts=const([1]), ends=const([-1])),
        seed(run(4, 6, 8), ids([0]), ids([2]), ids([1]), first=10),
    ],
    "Split": [
        seed(run(4, 6), axis=1, split=const([2, 4]), outputs=2),
        seed(run(4, 6), axis=1, outputs=2, num_outputs=2),
    ],
    "Squeeze": [seed(run(1, 3, 1, 4), axes=const([0])), seed(run(1, 3, 1, 4))],
    "Unsqueeze": [seed(run(*X), axes=const([0]))],
    "Swish": [seed(run(*X))],
    "TensorScatter": [
        seed(
            run(1, 2, 8, 4),
            run(1, 2, 3, 4),
            ids([1]),
            also={"mode": ["linear", "circular"], "axis": [-2, 1, 2, -3, -1]},
        ),
    ],
    "Tile": [seed(run(*X), const([1, 2, 1])), seed(run(*X), ids([1, 2, 1]))],
    "TopK": [
        seed(run(2, 10), k=2, K=const([2]), axis=-1, outputs=2, also={"largest": [0, 1], "sorted": [0, 1]}),
        seed(run(1, 5000), k=3840, K=const([3840]), axis=-1, outputs=2),
        seed(run(1, 5000), k=3841, K=const([3841]), axis=-1, outputs=2),
    ],
    "Transpose": [
        seed(run(*X), perm=[2, 0, 1], also={"perm": [[0, 1, 2], [1, 0], [-1, 0, 1], [0, 0, 1], [3, 0, 1]]}),
        seed(run(*X)),
    ],
    "Trilu": [seed(run(3, 4)), seed(run(3, 4), const(1), upper=0)],
    "Unique": [seed(run(8))],
    "Upsample": [seed(IMAGE, scales=const([1, 1, 2, 2], FLOAT), also={"mode": ["nearest", "linear", "cubic"]})],
    "Where": [seed(run(*X, type=BOOL), run(*X), run(*X)), seed(run(3, 1, type=BOOL), run(*X), weight(4))],
}


def cases_of(op: str, opset: int) -> list[tuple[Case, dict[str, list[Any]]]]:
    """The seeds of the operator as nodes of this opset, with the values that are worth a try."""
    found = []
    for one in SEEDS.get(op, []):
        if opset >= one.first and (case := _case(op, opset, one)):
            allowed = case.schema.attributes
            found.append((case, {name: values for name, values in one.also.items() if name in allowed}))
    return found


def _case(op: str, opset: int, given: Seed) -> Case | None:
    schema = onnx.defs.get_schema(op, opset)
    inputs = list(given.order)
    attributes: dict[str, Any] = {}
    names = [formal.name for formal in schema.inputs]
    is_variadic = bool(schema.inputs) and schema.inputs[-1].option == onnx.defs.OpSchema.FormalParameterOption.Variadic
    if not is_variadic:
        inputs = inputs[: len(names)]
    for name, value in given.named.items():
        if name in names:
            index = names.index(name)
            inputs += [None] * (index + 1 - len(inputs))
            inputs[index] = value if isinstance(value, Input) else const(value)
        elif name in schema.attributes:
            attributes[name] = _attribute(value, schema.attributes[name].type)
    typed = [None if x is None else _typed(x, schema, min(i, len(names) - 1)) for i, x in enumerate(inputs)]
    return Case(op, opset, tuple(typed), attributes, min(given.outputs, max(1, schema.max_output)))


def _attribute(value: Any, kind: onnx.defs.OpSchema.AttrType) -> Any:
    """A constant input of one opset as the attribute of another."""
    if not isinstance(value, Input) or kind == onnx.defs.OpSchema.AttrType.TENSOR:
        return value
    assert value.value is not None
    whole = kind in (onnx.defs.OpSchema.AttrType.INT, onnx.defs.OpSchema.AttrType.INTS)
    values = [int(v) if whole else float(v) for v in value.value.flat]
    is_list = kind in (onnx.defs.OpSchema.AttrType.INTS, onnx.defs.OpSchema.AttrType.FLOATS)
    return values if is_list else values[0]


def _typed(given: Input, schema: onnx.defs.OpSchema, index: int) -> Input:
    """With a type that the schema has, where it has not this one."""
    allowed = types_of(schema, index)
    if given.type in allowed or not allowed:
        return given
    preferred = [t for t in (FLOAT, INT32, INT64, BOOL, INT8, UINT8) if t in allowed]
    return Input((preferred or allowed)[0], given.dims, given.value, given.form)


def types_of(schema: onnx.defs.OpSchema, index: int) -> list[int]:
    """Element types of an input."""
    found = []
    for name in schema.inputs[index].types:
        if name.startswith("tensor("):
            word = {"float": "FLOAT", "double": "DOUBLE"}.get(name[7:-1], name[7:-1].upper())
            found.append(int(onnx.TensorProto.DataType.Value(word)))
    return sorted(found)
