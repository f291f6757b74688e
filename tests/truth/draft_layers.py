"""Layers that a draft may get next."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from draft import Draft, Value
from draft_sizes import constant, vector

UNARY = [
    "Relu",
    "Sigmoid",
    "Tanh",
    "Exp",
    "Neg",
    "Abs",
    "Erf",
    "Softplus",
    "Elu",
    "LeakyRelu",
    "HardSigmoid",
    "Selu",
    "Sin",
    "Cos",
    "Floor",
    "Ceil",
    "Round",
    "Sign",
    "Softsign",
    "HardSwish",
    "Celu",
    "ThresholdedRelu",
    "Atan",
    "Identity",
    "Reciprocal",
    "Sqrt",
    "Log",
    "Dropout",
]
REDUCTIONS = [
    "ReduceSum",
    "ReduceMean",
    "ReduceMax",
    "ReduceMin",
    "ReduceProd",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSumExp",
    "ReduceSumSquare",
]


def a_float(draft: Draft, ranks: tuple[int, ...] = (1, 2, 3, 4, 5)) -> Value:
    return draft.pick(lambda value: value.is_float and value.rank in ranks and value.array.size > 0)


def weights(draft: Draft, sizes: Any, dtype: Any) -> Value:
    scale = 1 / math.sqrt(max(1, int(np.prod(sizes[1:]))))
    if draft.chance(draft.folding):
        return constant(draft, np.full(sizes, 0.25), dtype)
    return constant(draft, draft.random(sizes) * scale, dtype)


def unary(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind in "fi")
    if value.is_float:
        draft.add(draft.rng.choice(UNARY), value)
    else:
        draft.add(draft.rng.choice(["Neg", "Abs", "Sign", "Identity"]), value)


def _partner(draft: Draft, value: Value) -> Value:
    """Something that broadcasts against it."""
    others = [
        other
        for other in draft.visible()
        if other is not value and other.dtype == value.dtype and _broadcasts(other.shape, value.shape)
    ]
    if others and draft.chance(0.5):
        return draft.rng.choice(others)
    shape = value.shape
    dims = draft.rng.choice([(), (1,), shape[-1:], shape[1:2] + (1,) * max(0, len(shape) - 2), (1, *shape[1:])])
    return constant(draft, draft.random(dims, value.dtype) if draft.chance(0.5) else np.ones(dims), value.dtype)


def _broadcasts(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def binary(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind in "fi")
    op = draft.rng.choice(
        ["Add", "Add", "Add", "Sub", "Mul", "Mul", "Div", "Max", "Min", "Pow", "Mean", "Sum", "PRelu"]
    )
    if not value.is_float and op in ("Div", "Pow", "Mean", "PRelu"):
        op = "Add"
    other = _partner(draft, value)
    pair = [value, other] if draft.chance(0.7) or op in ("PRelu", "Pow") else [other, value]
    draft.add(op, *pair)


def compare(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind in "fi")
    draft.add(
        draft.rng.choice(["Greater", "Less", "Equal", "GreaterOrEqual", "LessOrEqual"]), value, _partner(draft, value)
    )


def logic(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind == "b")
    op = draft.rng.choice(["And", "Or", "Xor", "Not", "Equal"])
    draft.add("Not", value) if op == "Not" else draft.add(op, value, _partner(draft, value))


def where(draft: Draft) -> None:
    condition = draft.pick(lambda v: v.dtype.kind == "b")
    value = draft.pick(lambda v: v.dtype.kind in "fi" and _broadcasts(v.shape, condition.shape))
    draft.add("Where", condition, value, _partner(draft, value))


def reduce(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.dtype.kind in "fi")
    op = draft.rng.choice(REDUCTIONS) if value.is_float else draft.rng.choice(["ReduceSum", "ReduceMax", "ReduceMin"])
    axes = sorted(draft.rng.sample(range(value.rank), draft.rng.randint(1, min(2, value.rank))))
    axes = [axis - value.rank for axis in axes] if draft.chance(0.4) else axes
    keep = draft.rng.choice([0, 1])
    if draft.opset >= 18 or op == "ReduceSum":
        given = None if draft.chance(0.1) else constant(draft, axes, np.int64)
        draft.add(op, value, given, keepdims=keep)
    else:
        draft.add(op, value, axes=axes, keepdims=keep)


def softmax(draft: Draft) -> None:
    value = a_float(draft)
    draft.add(
        draft.rng.choice(["Softmax", "Softmax", "LogSoftmax", "Hardmax"]),
        value,
        axis=draft.rng.randrange(-value.rank, value.rank),
    )


def conv(draft: Draft) -> None:
    value = a_float(draft, (3, 4, 4, 4, 5))
    spatial = value.rank - 2
    channels = value.shape[1]
    group = draft.rng.choice([1, 1, 1, channels])
    kernel = draft.rng.choice([1, 3, 3, 2])
    out = draft.rng.choice([2, 4, 8]) * (group if group > 1 else 1)
    weight = weights(draft, [out, channels // group, *[kernel] * spatial], value.dtype)
    bias = constant(draft, draft.random([out]), value.dtype) if draft.chance(0.6) else None
    attributes: dict[str, Any] = {"group": group}
    if draft.chance(0.2):
        attributes["auto_pad"] = draft.rng.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
    else:
        attributes["pads"] = [kernel // 2] * (2 * spatial)
    if draft.chance(0.3):
        attributes["strides"] = [2] * spatial
    if draft.chance(0.15) and "auto_pad" not in attributes:
        attributes["dilations"] = [2] * spatial
    draft.add("Conv", value, weight, bias, **attributes)


def conv_transpose(draft: Draft) -> None:
    value = a_float(draft, (3, 4, 4, 5))
    spatial = value.rank - 2
    stride, kernel = draft.rng.choice([(1, 3), (2, 2), (2, 3), (2, 4)])
    group = draft.rng.choice([1, 1, value.shape[1]])
    weight = weights(draft, [value.shape[1], draft.rng.choice([2, 4]), *[kernel] * spatial], value.dtype)
    attributes: dict[str, Any] = {"strides": [stride] * spatial, "group": group}
    form = draft.rng.choice(["plain", "pads", "output_padding", "auto_pad", "dilations"])
    if form == "pads":
        attributes["pads"] = [1] * (2 * spatial)
    elif form == "output_padding":
        attributes["output_padding"] = [stride - 1] * spatial
    elif form == "auto_pad":
        attributes["auto_pad"] = draft.rng.choice(["SAME_UPPER", "VALID"])
    elif form == "dilations":
        attributes["dilations"] = [2] * spatial
    bias = constant(draft, draft.random([weight.shape[1] * group]), value.dtype) if draft.chance(0.5) else None
    draft.add("ConvTranspose", value, weight, bias, **attributes)


def pool(draft: Draft) -> None:
    value = a_float(draft, (3, 4, 4, 5))
    spatial = value.rank - 2
    op = draft.rng.choice(["MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "LpPool"])
    if op.startswith("Global"):
        draft.add(op, value)
        return
    kernel = draft.rng.choice([2, 3])
    attributes: dict[str, Any] = {"kernel_shape": [kernel] * spatial, "strides": [draft.rng.choice([1, 2])] * spatial}
    form = draft.rng.choice(["plain", "pads", "ceil", "auto_pad", "include"])
    if form in ("pads", "include"):
        attributes["pads"] = [1] * (2 * spatial)
    if form == "ceil" and op != "LpPool":
        attributes["ceil_mode"] = 1
    if form == "auto_pad":
        attributes["auto_pad"] = draft.rng.choice(["SAME_UPPER", "SAME_LOWER"])
    if form == "include" and op == "AveragePool":
        attributes["count_include_pad"] = 1
    draft.add(op, value, **attributes)


def norm(draft: Draft) -> None:
    op = draft.rng.choice(
        [
            "BatchNormalization",
            "InstanceNormalization",
            "LayerNormalization",
            "LRN",
            "LpNormalization",
            "MeanVarianceNormalization",
        ]
    )
    if op == "LayerNormalization":
        value = a_float(draft, (2, 3, 4))
        axis = draft.rng.choice([-1, -1, value.rank - 1, 1])
        sizes = value.shape[axis:]
        bias = constant(draft, draft.random(sizes), value.dtype) if draft.chance(0.7) else None
        draft.add(op, value, constant(draft, np.ones(sizes), value.dtype), bias, axis=axis)
        return
    value = a_float(draft, (3, 4, 4, 5) if op != "BatchNormalization" else (2, 3, 4, 5))
    channels = value.shape[1]

    def some(low: float) -> Value:
        return constant(draft, draft.numbers.random(channels) + low, value.dtype)

    if op == "BatchNormalization":
        draft.add(op, value, some(0.5), some(0), some(0), some(0.5))
    elif op == "InstanceNormalization":
        draft.add(op, value, some(0.5), some(0))
    elif op == "LRN":
        draft.add(op, value, size=3)
    elif op == "LpNormalization":
        draft.add(op, value, axis=draft.rng.choice([1, -1]), p=draft.rng.choice([1, 2]))
    else:
        draft.add(op, value)


def matmul(draft: Draft) -> None:
    value = a_float(draft, (1, 2, 2, 3, 4))
    inner = value.shape[-1]
    others = [
        other for other in draft.visible() if other.rank > 1 and other.dtype == value.dtype and other.shape[-2] == inner
    ]
    if others and draft.chance(0.4):
        draft.add("MatMul", value, draft.rng.choice(others))
    elif value.rank > 1 and draft.chance(0.2):
        swapped = draft.add("Transpose", value, perm=[*range(value.rank - 2), value.rank - 1, value.rank - 2])
        draft.add("MatMul", value, swapped)
    else:
        dims = draft.rng.choice([[inner, 4], [inner, 8], [inner], [1, inner, 4]])
        draft.add("MatMul", value, weights(draft, dims, value.dtype))


def gemm(draft: Draft) -> None:
    value = a_float(draft, (2,))
    swapped = draft.rng.choice([0, 1])
    inner = value.shape[1]
    bias = draft.rng.choice([None, [4], [1, 4], [1], []])
    given = None if bias is None else constant(draft, draft.random(bias), value.dtype)
    attributes: dict[str, Any] = {"transB": swapped, "alpha": draft.rng.choice([1.0, 0.5])}
    draft.add("Gemm", value, weights(draft, [4, inner] if swapped else [inner, 4], value.dtype), given, **attributes)


def einsum(draft: Draft) -> None:
    value = a_float(draft, (2, 3))
    letters = "abc"[: value.rank]
    equation = f"{letters},{letters[-1]}d->{letters[:-1]}d"
    draft.add("Einsum", value, weights(draft, [value.shape[-1], 4], value.dtype), equation=equation)


def recurrent(draft: Draft) -> None:
    value = a_float(draft, (3,))
    op, gates = draft.rng.choice([("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    hidden = 4
    ways, direction = draft.rng.choice([(1, "forward"), (2, "bidirectional"), (1, "reverse")])
    kernel = weights(draft, [ways, gates * hidden, value.shape[2]], value.dtype)
    state = weights(draft, [ways, gates * hidden, hidden], value.dtype)
    bias = constant(draft, draft.random([ways, 2 * gates * hidden]), value.dtype) if draft.chance(0.6) else None
    first = None
    if draft.chance(0.4):
        shape = vector(draft, [ways, value.shape[1], hidden], 0.3)
        first = draft.add("Expand", constant(draft, 0, value.dtype), shape, keep=False)
    made = draft.add_all(
        op,
        value,
        kernel,
        state,
        bias,
        None,
        first,
        outputs=draft.rng.choice([1, 2]),
        hidden_size=hidden,
        direction=direction,
    )
    if draft.chance(0.7):
        draft.add("Squeeze", made[0], constant(draft, [1], np.int64)) if ways == 1 else draft.add(
            "Reshape",
            draft.add("Transpose", made[0], perm=[0, 2, 1, 3]),
            vector(draft, [value.shape[0], value.shape[1], 2 * hidden]),
        )


def clip(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind in "fi")
    low = None if draft.chance(0.3) else constant(draft, 0, value.dtype)
    draft.add("Clip", value, low, None if draft.chance(0.3) else constant(draft, 6, value.dtype))


def grid_sample(draft: Draft) -> None:
    value = a_float(draft, (4,))
    theta = draft.random([value.shape[0], 4, 4, 2])
    draft.add(
        "GridSample",
        value,
        constant(draft, np.tanh(theta), value.dtype),
        mode="bilinear" if draft.opset < 20 else "linear",
    )


def attention(draft: Draft) -> None:
    """As exporters write it, of one value."""
    value = a_float(draft, (3,))
    batch, length, width = value.shape
    heads = draft.rng.choice([h for h in (1, 2, 4) if width % h == 0])
    parts = []
    for _ in range(3):
        projected = draft.add("MatMul", value, weights(draft, [width, width], value.dtype))
        shape = vector(draft, [batch, length, heads, width // heads])
        parts.append(draft.add("Transpose", draft.add("Reshape", projected, shape), perm=[0, 2, 1, 3]))
    query, key, kept = parts
    scores = draft.add("MatMul", query, draft.add("Transpose", key, perm=[0, 1, 3, 2]))
    scores = draft.add("Mul", scores, constant(draft, 0.5, value.dtype))
    mixed = draft.add("MatMul", draft.add("Softmax", scores, axis=-1), kept)
    mixed = draft.add("Transpose", mixed, perm=[0, 2, 1, 3])
    draft.add("Reshape", mixed, vector(draft, [batch, length, width]))
