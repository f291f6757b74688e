"""The operators that drafts of TensorRT's own do not have, and bodies whose shapes change."""

from __future__ import annotations

from typing import Any

import numpy as np
from draft import Draft, Value
from draft_layers import a_float
from draft_lists import Layer
from shape_numbers import ints, row, scalar


def number(draft: Draft, content: Any, dtype: Any = np.float32) -> Value:
    return ints(draft, content, dtype)


def one_float(draft: Draft) -> None:
    op = draft.rng.choice(
        [
            "Acos",
            "Acosh",
            "Asin",
            "Asinh",
            "Atanh",
            "Cosh",
            "Sinh",
            "Tan",
            "IsInf",
            "IsNaN",
            "Mish",
            "Gelu",
            "Shrink",
            "Swish",
            "Det",
            "Bernoulli",
            "RandomNormalLike",
            "RandomUniformLike",
            "ReduceLogSum",
            "GlobalLpPool",
        ]
    )
    draft.add(op, a_float(draft))


def generated(draft: Draft) -> None:
    rng = draft.rng
    op = rng.choice(
        [
            "HannWindow",
            "HammingWindow",
            "BlackmanWindow",
            "RandomNormal",
            "RandomUniform",
            "MelWeightMatrix",
            "Multinomial",
        ]
    )
    if op.endswith("Window"):
        draft.add(op, scalar(draft), periodic=rng.choice([0, 1]), output_datatype=rng.choice([1, 1, 11]))
    elif op == "MelWeightMatrix":
        draft.add(
            op,
            ints(draft, rng.choice([4, 6])),
            ints(draft, rng.choice([8, 16, 9])),
            ints(draft, 8000),
            number(draft, 0.0),
            number(draft, 4000.0),
        )
    elif op == "Multinomial":
        draft.add(op, a_float(draft, (2,)), sample_size=rng.choice([1, 3]), dtype=rng.choice([6, 7]))
    else:
        draft.add(op, shape=[rng.choice([1, 2, 3]) for _ in range(rng.randint(1, 3))], dtype=rng.choice([1, 11]))


def windows(draft: Draft) -> None:
    """Convolutions and poolings of any attributes."""
    rng = draft.rng
    value = a_float(draft, (3, 4, 4, 5))
    spatial, channels = value.rank - 2, value.shape[1]
    kernel = [rng.randint(1, 4) for _ in range(spatial)]
    words: dict[str, Any] = {}
    if draft.chance(0.6):
        words["strides"] = [rng.randint(1, 3) for _ in range(spatial)]
    form = rng.choice(["pads", "pads", "none", "SAME_UPPER", "SAME_LOWER", "VALID"])
    if form == "pads":
        words["pads"] = [rng.randint(0, k - 1) for k in kernel * 2]
    elif form != "none":
        words["auto_pad"] = form
    op = rng.choice(
        [
            "Conv",
            "ConvTranspose",
            "MaxPool",
            "AveragePool",
            "LpPool",
            "ConvInteger",
            "MaxUnpool",
            "DeformConv",
            "QLinearConv",
        ]
    )
    if op in ("Conv", "ConvTranspose", "MaxPool") and draft.chance(0.4):
        words["dilations"] = [rng.randint(1, 2) for _ in range(spatial)]
    if op == "AveragePool" and draft.opset >= 19 and draft.chance(0.3):
        words["dilations"] = [rng.randint(1, 2) for _ in range(spatial)]
    if op.endswith("Pool"):
        if op != "LpPool" or draft.opset >= 18:
            words["ceil_mode"] = rng.choice([0, 1])
        outputs = rng.choice([1, 2]) if op == "MaxPool" else 1
        draft.add_all(op, value, kernel_shape=kernel, outputs=outputs, **words)
    elif op == "MaxUnpool":
        words = {key: word for key, word in words.items() if key == "strides"}
        best, index = draft.add_all("MaxPool", value, outputs=2, kernel_shape=kernel, keep=False, **words)
        shape = draft.add("Shape", value, keep=False) if draft.chance(0.4) else None
        draft.add(op, best, index, *([shape] if shape else []), kernel_shape=kernel, **words)
    elif op == "ConvTranspose":
        group = rng.choice([1, 1, channels])
        if draft.chance(0.3):
            words["output_padding"] = [rng.randint(0, s - 1) for s in words.get("strides", [1] * spatial)]
        if draft.chance(0.2):
            words["output_shape"] = [rng.randint(4, 20) for _ in range(spatial)]
        weight = number(draft, draft.random([channels, rng.choice([1, 2]), *kernel]), value.dtype)
        draft.add(op, value, weight, group=group, **words)
    elif op == "ConvInteger":
        data = draft.add("Cast", value, keep=False, to=2)
        draft.add(op, data, number(draft, np.ones([2, channels, *kernel]), np.uint8), **words)
    elif op == "QLinearConv":
        data = draft.add("Cast", value, keep=False, to=2)
        scale, zero = number(draft, 0.5), number(draft, 0, np.uint8)
        draft.add(
            op,
            data,
            scale,
            zero,
            number(draft, np.ones([2, channels, *kernel]), np.uint8),
            scale,
            zero,
            scale,
            zero,
            keep=False,
            **words,
        )
    elif op == "DeformConv" and spatial == 2 and draft.opset >= 19:
        weight = number(draft, np.ones([2, channels, *kernel]), value.dtype)
        made = draft.add("Conv", value, weight, keep=False, **words)
        offset = draft.add(
            "Expand", number(draft, 0.0, value.dtype), row_of(draft, made, {1: 2 * kernel[0] * kernel[1]}), keep=False
        )
        draft.add(op, value, weight, offset, **words)
    else:
        group = rng.choice([1, 1, channels])
        out = group * rng.choice([1, 2])
        draft.add(
            "Conv",
            value,
            number(draft, draft.random([out, channels // group, *kernel]), value.dtype),
            group=group,
            **words,
        )


def row_of(draft: Draft, value: Value, changed: dict[int, int]) -> Value:
    """The shape of a value, with some other sizes."""
    shape = draft.add("Shape", value, keep=False)
    for axis, size in changed.items():
        shape = draft.add("ScatterElements", shape, ints(draft, [axis]), ints(draft, [size]), keep=False, axis=0)
    return shape


def blocks(draft: Draft) -> None:
    value = a_float(draft, (4,))
    op = draft.rng.choice(["DepthToSpace", "SpaceToDepth"])
    draft.add(op, value, blocksize=draft.rng.choice([1, 2, 3]))


def products(draft: Draft) -> None:
    rng = draft.rng
    op = rng.choice(["MatMul", "Gemm", "MatMulInteger", "QLinearMatMul", "Einsum"])
    a = a_float(draft, (2,)) if op == "Gemm" else a_float(draft)
    others = [v for v in draft.visible() if v.is_float and v.dtype == a.dtype and v.rank > 0]
    b = rng.choice(others)
    if op == "MatMul":
        draft.add(op, a, b)
    elif op == "Gemm":
        words: dict[str, Any] = {key: rng.choice([0, 1]) for key in ("transA", "transB")}
        inner = a.shape[0] if words["transA"] else a.shape[1]
        weight = number(draft, np.ones([3, inner] if words["transB"] else [inner, 3]), a.dtype)
        bias = rng.choice([None, number(draft, np.ones(rng.choice([[], [1], [3], [1, 3], [1, 1]])), a.dtype)])
        draft.add(op, a, weight, *([bias] if bias else []), **words)
    elif op == "Einsum":
        equation = rng.choice(
            [
                "...ij,...jk->...ik",
                "ij,kj->ik",
                "bij,bkj->bik",
                "ij->ji",
                "...i->...",
                "ii->i",
                "i,j->ij",
                "...,...->...",
                "ij,j->i",
                "ij , jk",
                "bij,jk->bik",
            ]
        )
        draft.add(op, *([a, b] if "," in equation else [a]), equation=equation)
    else:
        a, b = (draft.add("Cast", draft.add("Abs", v, keep=False), keep=False, to=2) for v in (a, b))
        if op == "MatMulInteger":
            draft.add(op, a, b)
        else:
            scale, zero = number(draft, 0.5), number(draft, 0, np.uint8)
            draft.add(op, a, scale, zero, b, scale, zero, scale, zero, keep=False)


def any_pair(draft: Draft) -> None:
    """Two values that perhaps broadcast."""
    a = draft.pick(lambda v: v.dtype.kind in "fi")
    b = draft.rng.choice([v for v in draft.visible() if v.dtype == a.dtype])
    draft.add(draft.rng.choice(["Add", "Mul", "Sub", "Max", "Min", "Equal", "Less"]), a, b)


def any_concat(draft: Draft) -> None:
    a = draft.pick(lambda v: v.rank > 0)
    same = [v for v in draft.visible() if v.dtype == a.dtype and v.rank == a.rank]
    draft.add("Concat", a, draft.rng.choice(same), axis=draft.rng.randrange(-a.rank, a.rank))


def normalized(draft: Draft) -> None:
    rng = draft.rng
    op = rng.choice(
        ["GroupNormalization", "RMSNormalization", "LayerNormalization", "BatchNormalization", "DynamicQuantizeLinear"]
    )
    value = a_float(draft, (2, 3, 4))
    if op == "DynamicQuantizeLinear":
        draft.add_all(op, value, outputs=3, keep=False)
    elif op == "GroupNormalization":
        channels = value.shape[1]
        count = channels if draft.opset >= 21 else 1
        draft.add(
            op,
            value,
            number(draft, np.ones(count), value.dtype),
            number(draft, np.ones(count), value.dtype),
            num_groups=1,
        )
    elif op == "BatchNormalization":
        four = [number(draft, np.ones(value.shape[1]), value.dtype) for _ in range(4)]
        draft.add(op, value, *four)
    else:
        axis = rng.randrange(-value.rank, value.rank)
        scale = number(draft, np.ones(value.shape[axis:]), value.dtype)
        outputs = rng.choice([1, 3]) if op == "LayerNormalization" else 1
        draft.add_all(op, value, scale, axis=axis, outputs=outputs)


def losses(draft: Draft) -> None:
    value = a_float(draft, (2, 3, 4))
    target = draft.add("ArgMax", value, axis=1, keepdims=0, keep=False)
    op = draft.rng.choice(["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"])
    outputs = draft.rng.choice([1, 2]) if op.startswith("Soft") else 1
    draft.add_all(op, value, target, outputs=outputs, reduction=draft.rng.choice(["none", "mean", "sum"]))


def regions(draft: Draft) -> None:
    rng = draft.rng
    op = rng.choice(["RoiAlign", "NonMaxSuppression", "MaxRoiPool", "GridSample", "AffineGrid", "Col2Im"])
    if op == "RoiAlign":
        value = a_float(draft, (4,))
        boxes = number(draft, [[0, 0, 2, 2]] * 3, value.dtype)
        draft.add(op, value, boxes, ints(draft, [0, 0, 0]), output_height=rng.choice([1, 2]), output_width=3)
    elif op == "MaxRoiPool":
        value = a_float(draft, (4,))
        draft.add(op, value, number(draft, [[0, 0, 0, 2, 2]] * 2), pooled_shape=[2, 3])
    elif op == "NonMaxSuppression":
        value = a_float(draft, (3,))
        boxes = draft.add("Expand", number(draft, [[[0, 0, 1, 1]]]), ints(draft, [1, value.shape[2], 4]), keep=False)
        scores = draft.add("Slice", value, ints(draft, [0]), ints(draft, [1]), keep=False)
        draft.add(op, boxes, scores, ints(draft, [2]))
    elif op == "GridSample":
        value, grid = a_float(draft, (4,)), a_float(draft, (4,))
        draft.add(op, value, draft.add("Slice", grid, ints(draft, [0]), ints(draft, [2]), ints(draft, [3]), keep=False))
    elif op == "AffineGrid":
        count = rng.choice([4, 5])
        size = row(draft, count)
        theta = number(draft, np.ones([int(size.array[0]), count - 2, count - 1]))
        draft.add(op, theta, size)
    else:
        value = a_float(draft, (3,))
        draft.add(
            op,
            value,
            row(draft, 2),
            ints(draft, rng.choice([[1, 1], [2, 2], [1, 2]])),
            strides=[rng.choice([1, 2])] * 2,
        )


def signal(draft: Draft) -> None:
    rng = draft.rng
    op = rng.choice(["DFT", "STFT"])
    value = a_float(draft, (2, 3))
    if op == "DFT":
        real = draft.add("Unsqueeze", value, ints(draft, [-1]), keep=False)
        length = rng.choice([None, scalar(draft)])
        words: dict[str, Any] = {"onesided": rng.choice([0, 1]), "inverse": 0}
        axis = rng.randrange(value.rank)
        if draft.opset >= 20:
            draft.add(op, real, length, ints(draft, axis), **words)
        else:
            draft.add(op, real, *([length] if length else []), axis=axis, **words)
        return
    flat = draft.add("Reshape", value, ints(draft, [1, -1, 1]), keep=False)
    step, size = ints(draft, rng.choice([1, 2, 3])), ints(draft, rng.choice([2, 4]))
    if draft.chance(0.5):
        draft.add(op, flat, step, None, size, onesided=rng.choice([0, 1]))
    else:
        draft.add(op, flat, step, number(draft, np.ones(4), value.dtype), onesided=rng.choice([0, 1]))


def axis_or_none(draft: Draft, axis: int) -> dict[str, Any]:
    return {"axis": axis} if draft.chance(0.6) else {}


def rearranged(draft: Draft) -> None:
    rng = draft.rng
    op = rng.choice(
        [
            "ReverseSequence",
            "Compress",
            "Unique",
            "NonZero",
            "ScatterElements",
            "GatherND",
            "Trilu",
            "CumProd",
            "TensorScatter",
            "Scatter",
            "Shape",
            "GatherElements",
        ]
    )
    value = draft.pick(lambda v: v.rank > 0 and v.is_float and 0 < v.array.size < 2000)
    axis = rng.randrange(-value.rank, value.rank)
    if op == "ReverseSequence" and value.rank > 1:
        draft.add(op, value, ints(draft, np.ones(value.shape[1])), batch_axis=1, time_axis=0)
    elif op == "Compress":
        words = axis_or_none(draft, axis)
        draft.add(
            op, value, ints(draft, [rng.choice([True, False]) for _ in range(rng.randint(1, 4))], np.bool_), **words
        )
    elif op == "Unique":
        draft.add_all(op, value, outputs=4, **axis_or_none(draft, axis))
    elif op == "NonZero":
        draft.add(op, value)
    elif op in ("ScatterElements", "Scatter") and not (op == "Scatter" and draft.opset > 10):
        draft.add(
            op,
            value,
            ints(draft, np.zeros([1] * value.rank)),
            number(draft, np.zeros([1] * value.rank), value.dtype),
            axis=axis,
        )
    elif op == "GatherND":
        batch = rng.choice([0, 0, 1]) if value.rank > 1 else 0
        index = np.zeros([*value.shape[:batch], *rng.choice([[1], [2, 1], [3, 2]])], np.int64)
        draft.add(op, value, ints(draft, index), batch_dims=batch)
    elif op == "GatherElements":
        draft.add(op, value, ints(draft, np.zeros([rng.randint(1, n) for n in value.shape])), axis=axis)
    elif op == "TensorScatter" and value.rank > 2:
        draft.add(
            op,
            value,
            draft.add("Slice", value, ints(draft, [0]), ints(draft, [1]), ints(draft, [value.rank - 2]), keep=False),
        )
    elif op == "CumProd":
        draft.add(op, value, ints(draft, axis))


def attention(draft: Draft) -> None:
    rng = draft.rng
    if rng.random() < 0.3:
        value = a_float(draft, (4,))
        half = value.shape[3] // 2
        position = draft.add("Slice", value, ints(draft, [0]), ints(draft, [half]), ints(draft, [3]), keep=False)
        cache = (
            draft.add("ReduceMax", position, axes=[1], keepdims=0, keep=False)
            if draft.opset < 18
            else draft.add("ReduceMax", position, ints(draft, [1]), keepdims=0, keep=False)
        )
        draft.add("RotaryEmbedding", value, cache, cache)
        return
    value = a_float(draft, (3, 4))
    heads = rng.choice([1, 2])
    words: dict[str, Any] = {"q_num_heads": heads, "kv_num_heads": heads} if value.rank == 3 else {}
    other = rng.choice([v for v in draft.visible() if v.is_float and v.rank == value.rank])
    past = value if value.rank == 4 and draft.chance(0.4) else None
    draft.add_all(
        "Attention", value, other, other, *([None, past, past] if past else []), outputs=3 if past else 1, **words
    )


def recurrent(draft: Draft) -> None:
    rng = draft.rng
    value = a_float(draft, (3,))
    op, gates = rng.choice([("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    ways, direction = rng.choice([(1, "forward"), (2, "bidirectional"), (1, "reverse")])
    kernel = number(draft, draft.random([ways, gates * 4, value.shape[2]]), value.dtype)
    state = number(draft, draft.random([ways, gates * 4, 4]), value.dtype)
    words: dict[str, Any] = {"layout": 1} if draft.opset >= 14 and draft.chance(0.2) else {}
    draft.add_all(
        op,
        value,
        kernel,
        state,
        outputs=rng.choice([2, 3 if op == "LSTM" else 2]),
        hidden_size=4,
        direction=direction,
        **words,
    )


def sequences(draft: Draft) -> None:
    """Tensors in sequences, and out of them."""
    rng = draft.rng
    value = draft.pick(lambda v: v.rank > 0 and v.is_float and v.array.size < 2000)
    others = [v for v in draft.visible() if v.dtype == value.dtype and v.rank == value.rank]
    form = rng.choice(["at", "concat", "stack", "split", "insert", "length", "erase"])
    if form == "split":
        axis = rng.randrange(-value.rank, value.rank)
        words: dict[str, Any] = {"keepdims": rng.choice([0, 1])} if draft.chance(0.5) else {}
        made = draft.add(
            "SplitToSequence",
            value,
            *([] if words else [ints(draft, rng.choice([1, 2]))]),
            axis=axis,
            keep=False,
            **words,
        )
    else:
        # ONNX Runtime stacks what has different sizes, too, and leaves the rest as it was.
        other = value if form == "stack" else rng.choice(others)
        made = draft.add("SequenceConstruct", value, other, keep=False)
    if form == "insert":
        made = draft.add("SequenceInsert", made, rng.choice(others), keep=False)
    if form == "erase":
        made = draft.add("SequenceErase", made, ints(draft, 0), keep=False)
    if form == "length":
        draft.add("SequenceLength", made)
    elif form == "concat":
        draft.add("ConcatFromSequence", made, axis=rng.randrange(-value.rank, value.rank))
    elif form == "stack":
        draft.add("ConcatFromSequence", made, axis=rng.randrange(-value.rank - 1, value.rank + 1), new_axis=1)
    else:
        draft.add("SequenceAt", made, ints(draft, rng.choice([0, -1])))


def quantized(draft: Draft) -> None:
    value = a_float(draft)
    axis = draft.rng.randrange(-value.rank, value.rank)
    sizes = draft.rng.choice([[], [value.shape[axis]]])
    scale, zero = (
        number(draft, np.full(sizes, 0.5)),
        number(draft, np.zeros(sizes), draft.rng.choice([np.uint8, np.int8])),
    )
    words: dict[str, Any] = {"axis": axis} if draft.opset >= 13 else {}
    made = draft.add("QuantizeLinear", value, scale, zero, keep=False, **words)
    draft.add("DequantizeLinear", made, scale, zero, **words)


ODD: tuple[Layer, ...] = (
    one_float, generated, windows, windows, windows, blocks, products, products, any_pair, any_pair, any_pair,
    any_concat, any_concat, normalized, losses, regions, regions, signal, rearranged, rearranged, attention,
    recurrent, sequences, quantized,
)  # fmt: skip
