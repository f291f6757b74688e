"""Nodes that a draft may get next: layers, what reads sizes, what mixes types."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from draft import Draft, RejectedError, Value, element_type
from draft_sizes import constant, scalar, vector

Layer = Callable[[Draft], object]
UNARY = (
    "Relu Sigmoid Tanh Exp Neg Abs Erf Softplus Elu LeakyRelu HardSigmoid Selu Sin Cos Floor Ceil Round Sign Softsign "
    "HardSwish Celu ThresholdedRelu Atan Identity Reciprocal Sqrt Log Dropout"
).split()
REDUCTIONS = "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSumExp ReduceSumSquare".split()


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
    op = draft.rng.choice("Add Add Add Sub Mul Mul Div Max Min Pow Mean Sum PRelu".split())
    if not value.is_float and op in ("Div", "Pow", "Mean", "PRelu"):
        op = "Add"
    other = _partner(draft, value)
    pair = [value, other] if draft.chance(0.7) or op in ("PRelu", "Pow") else [other, value]
    draft.add(op, *pair)


def compare(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind in "fi")
    draft.add(draft.rng.choice(["Greater", "Less", "Equal", "GreaterOrEqual", "LessOrEqual"]), value, _partner(draft, value))


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


def transpose(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 1)
    perm = list(range(value.rank))
    draft.rng.shuffle(perm)
    draft.add("Transpose", value, **({} if draft.chance(0.1) else {"perm": perm}))


def softmax(draft: Draft) -> None:
    value = a_float(draft)
    draft.add(draft.rng.choice(["Softmax", "Softmax", "LogSoftmax", "Hardmax"]), value, axis=draft.rng.randrange(-value.rank, value.rank))


def concat(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0)
    axis = draft.rng.randrange(value.rank)

    def fits(other: Value) -> bool:
        return (
            other.dtype == value.dtype
            and other.rank == value.rank
            and all(m == n or at == axis for at, (m, n) in enumerate(zip(value.shape, other.shape, strict=True)))
        )

    others = [other for other in draft.visible() if fits(other)]
    draft.add("Concat", *draft.rng.choices(others, k=draft.rng.choice([1, 2, 2, 3])), axis=axis)


def split(draft: Draft) -> None:
    value = draft.pick(lambda v: any(size > 1 for size in v.shape))
    axis = draft.rng.choice([axis for axis, size in enumerate(value.shape) if size > 1])
    size = value.shape[axis]
    if size % 2 == 0 and draft.chance(0.5):
        attributes = {"num_outputs": 2} if draft.opset >= 18 else {}
        draft.add_all("Split", value, outputs=2, axis=axis, **attributes)
        return
    at = draft.rng.randrange(1, size)
    draft.add_all("Split", value, vector(draft, [at, size - at], 0.6), outputs=2, axis=axis)


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
    op = draft.rng.choice(["BatchNormalization", "InstanceNormalization", "LayerNormalization", "LRN", "LpNormalization", "MeanVarianceNormalization"])
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
    others = [other for other in draft.visible() if other.rank > 1 and other.dtype == value.dtype and other.shape[-2] == inner]
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
    attributes = {"transB": swapped, "alpha": draft.rng.choice([1.0, 0.5])}
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
        op, value, kernel, state, bias, None, first, outputs=draft.rng.choice([1, 2]), hidden_size=hidden, direction=direction
    )
    if draft.chance(0.7):
        draft.add("Squeeze", made[0], constant(draft, [1], np.int64)) if ways == 1 else draft.add(
            "Reshape",
            draft.add("Transpose", made[0], perm=[0, 2, 1, 3]),
            vector(draft, [value.shape[0], value.shape[1], 2 * hidden]),
        )


def cast(draft: Draft) -> None:
    value = draft.pick()
    to = draft.rng.choice([np.float32, np.float32, np.float16, np.int32, np.int64, np.bool_, np.float64])
    if to == value.dtype:
        raise RejectedError("the same type")
    draft.add("Cast", value, to=element_type(to))


def cast_like(draft: Draft) -> None:
    value, other = draft.pick(lambda v: v.is_float), draft.pick()
    draft.add("CastLike", value, other)


def gather(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.array.size > 0)
    axis = draft.rng.randrange(-value.rank, value.rank)
    size = value.shape[axis]
    form = draft.rng.choice(["scalar", "vector", "matrix", "computed", "negative"])
    if form == "computed":
        indices = draft.pick(lambda v: v.dtype in (np.int64, np.int32) and v.array.size > 0 and abs(v.array).max() < size)
    else:
        made = {"scalar": 0, "vector": [0, size - 1], "matrix": [[0], [size - 1]], "negative": -1}[form]
        indices = constant(draft, made, draft.rng.choice([np.int64, np.int64, np.int32]))
    draft.add("Gather", value, indices, axis=axis)


def gather_elements(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.is_float and v.array.size > 0)
    axis = draft.rng.randrange(value.rank)
    if draft.chance(0.5):
        best = draft.add("ArgMax", value, axis=axis, keepdims=1)
    else:
        best = constant(draft, np.zeros([*value.shape[:axis], 1, *value.shape[axis + 1 :]]), np.int64)
    draft.add("GatherElements", value, best, axis=axis)


def gather_nd(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 1 and v.array.size > 0)
    draft.add("GatherND", value, constant(draft, draft.rng.choice([[[0]], [[0, 0]], [0, 0], [[[0, 0]]]]), np.int64))


def scatter(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 1 and v.array.size > 0 and v.dtype.kind == "f")
    if draft.chance(0.5):
        row = draft.add("Gather", value, constant(draft, [0], np.int64), axis=0)
        draft.add("ScatterND", value, constant(draft, [[0]], np.int64), row)
    else:
        updates = constant(draft, np.zeros([1] * value.rank), value.dtype)
        draft.add("ScatterElements", value, constant(draft, np.zeros([1] * value.rank), np.int64), updates, axis=draft.rng.randrange(value.rank))


def argmax(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.dtype.kind in "fi")
    draft.add(draft.rng.choice(["ArgMax", "ArgMin"]), value, axis=draft.rng.randrange(value.rank), keepdims=draft.rng.choice([0, 1]))


def top_k(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.dtype.kind in "fi" and v.array.size > 0)
    axis = draft.rng.randrange(value.rank)
    draft.add_all("TopK", value, vector(draft, [draft.rng.randint(1, value.shape[axis])], 0.6), outputs=2, axis=axis)


def cumsum(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.dtype.kind in "fi")
    draft.add("CumSum", value, constant(draft, draft.rng.randrange(value.rank), draft.rng.choice([np.int64, np.int32])))


def one_hot(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind == "i")
    depth = scalar(draft, draft.rng.choice([3, 4, 8]))
    draft.add("OneHot", value, depth, constant(draft, [0, 1], draft.rng.choice([np.float32, np.int64])), axis=-1)


def trilu(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 1 and v.dtype.kind in "fib")
    k = None if draft.chance(0.4) else constant(draft, draft.rng.choice([0, 1, -1]), np.int64)
    draft.add("Trilu", value, k, upper=draft.rng.choice([0, 1]))


def squeeze(draft: Draft) -> None:
    value = draft.pick(lambda v: 1 in v.shape)
    axes = [axis for axis, size in enumerate(value.shape) if size == 1]
    draft.add("Squeeze", value, None if draft.chance(0.15) else constant(draft, axes[:1], np.int64))


def unsqueeze(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank < 5)
    draft.add("Unsqueeze", value, constant(draft, [draft.rng.randrange(-1, value.rank + 1)], np.int64))


def flatten(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0)
    draft.add("Flatten", value, axis=draft.rng.randrange(value.rank + 1))


def clip(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind in "fi")
    low = None if draft.chance(0.3) else constant(draft, 0, value.dtype)
    draft.add("Clip", value, low, None if draft.chance(0.3) else constant(draft, 6, value.dtype))


def depth_to_space(draft: Draft) -> None:
    value = a_float(draft, (4,))
    if value.shape[1] % 4 == 0 and draft.chance(0.6):
        draft.add("DepthToSpace", value, blocksize=2, mode=draft.rng.choice(["DCR", "CRD"]))
    else:
        draft.add("SpaceToDepth", value, blocksize=2)


def grid_sample(draft: Draft) -> None:
    value = a_float(draft, (4,))
    theta = draft.random([value.shape[0], 4, 4, 2])
    draft.add("GridSample", value, constant(draft, np.tanh(theta), value.dtype), mode="bilinear" if draft.opset < 20 else "linear")


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


# What reads sizes.


def _factors(draft: Draft, volume: int, count: int) -> list[int]:
    sizes = []
    for _ in range(count - 1):
        size = draft.rng.choice([n for n in range(1, volume + 1) if volume % n == 0])
        sizes.append(size)
        volume //= size
    sizes.append(volume)
    draft.rng.shuffle(sizes)
    return sizes


def reshape(draft: Draft) -> None:
    value = draft.pick(lambda v: 0 < v.array.size)
    form = draft.rng.choice(["factors", "merge", "split", "keep", "flat"])
    sizes = list(value.shape)
    if form == "merge" and len(sizes) > 1:
        at = draft.rng.randrange(len(sizes) - 1)
        sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
    elif form == "split" and sizes:
        at = draft.rng.randrange(len(sizes))
        sizes[at : at + 1] = _factors(draft, sizes[at], 2)
    elif form == "factors":
        sizes = _factors(draft, value.array.size, draft.rng.randint(1, 4))
    elif form == "flat":
        sizes = [value.array.size]
    if sizes and draft.chance(0.5):
        sizes[draft.rng.randrange(len(sizes))] = -1
    if len(sizes) == value.rank and draft.chance(0.2) and sizes:
        at = draft.rng.randrange(len(sizes))
        if sizes[at] == value.shape[at]:
            sizes[at] = 0
    fixed = [size for size in sizes if size > 0]
    target = vector(draft, sizes) if len(fixed) == len(sizes) else _mixed(draft, sizes)
    draft.add("Reshape", value, target)


def _mixed(draft: Draft, sizes: list[int]) -> Value:
    parts = [vector(draft, [size]) if size > 0 else constant(draft, [size], np.int64) for size in sizes]
    return draft.add("Concat", *parts, keep=False, axis=0) if len(parts) > 1 else parts[0]


def expand(draft: Draft) -> None:
    value = draft.pick(lambda v: 0 < v.array.size < 600 and v.rank < 5)
    sizes = [size if size > 1 else draft.rng.choice([1, 2, 3, 8]) for size in value.shape]
    if draft.chance(0.3) and len(sizes) < 5:
        sizes = [draft.rng.choice([1, 2, 3]), *sizes]
    draft.add("Expand", value, vector(draft, [1 if draft.chance(0.2) else size for size in sizes]))


def tile(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and 0 < v.array.size < 600)
    draft.add("Tile", value, vector(draft, [draft.rng.choice([1, 1, 2]) for _ in value.shape]))


def slice_(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.array.size > 0)
    axis = draft.rng.randrange(value.rank)
    size = value.shape[axis]
    start = draft.rng.choice([0, 0, 1, -1]) if size > 1 else 0
    end = draft.rng.choice([size, size, max(1, size - 1), 1 << 31, -1 if size > 2 and start >= 0 else size])
    step = draft.rng.choice([None, None, 1, 2, -1])
    starts = vector(draft, [start]) if start >= 0 else constant(draft, [start], np.int64)
    ends = vector(draft, [end]) if 0 < end <= size else constant(draft, [end], np.int64)
    if step == -1:
        starts, ends = constant(draft, [-1], np.int64), constant(draft, [-(1 << 31)], np.int64)
    axes = constant(draft, [axis - value.rank if draft.chance(0.3) else axis], np.int64)
    draft.add("Slice", value, starts, ends, axes, constant(draft, [step], np.int64) if step else None)


def pad(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.is_float and v.array.size > 0)
    pads = [0] * (2 * value.rank)
    for axis in draft.rng.sample(range(value.rank), min(value.rank, draft.rng.choice([1, 2]))):
        pads[axis] = draft.rng.choice([0, 1])
        pads[axis + value.rank] = draft.rng.choice([0, 1, 2])
    mode = draft.rng.choice(["constant", "constant", "reflect", "edge"])
    given = constant(draft, 0, value.dtype) if mode == "constant" and draft.chance(0.5) else None
    draft.add("Pad", value, vector(draft, pads, 0.5), given, mode=mode)


def resize(draft: Draft) -> None:
    value = a_float(draft, (3, 4, 4, 4, 5))
    mode = draft.rng.choice(["nearest", "nearest", "linear", "linear", "cubic"])
    attributes: dict[str, Any] = {"mode": mode}
    attributes["coordinate_transformation_mode"] = draft.rng.choice(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])
    if mode == "nearest":
        attributes["nearest_mode"] = draft.rng.choice(["floor", "round_prefer_floor", "ceil"])
    factors = [1, 1] + [draft.rng.choice([1, 2, 2]) for _ in value.shape[2:]]
    if draft.chance(0.4):
        scales = constant(draft, factors, np.float32)
        if draft.chance(0.2):
            ratio = draft.add("Cast", vector(draft, [2], 0.2), keep=False, to=1)
            ones = constant(draft, [1, 1], np.float32)
            scales = draft.add("Concat", ones, *[ratio] * (value.rank - 2), keep=False, axis=0)
        draft.add("Resize", value, None, scales, **attributes)
        return
    sizes = [size * factor for size, factor in zip(value.shape, factors, strict=True)]
    draft.add("Resize", value, None, None, vector(draft, sizes), **attributes)


def constant_of_shape(draft: Draft) -> None:
    from onnx import numpy_helper

    value = draft.pick(lambda v: v.rank > 0 and 0 < v.array.size < 2000)
    dtype = draft.rng.choice([np.float32, np.float32, np.int64, np.bool_])
    given = numpy_helper.from_array(np.asarray([1], dtype))
    draft.add("ConstantOfShape", vector(draft, list(value.shape), 0.1), value=given)


def range_(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.array.size > 0)
    limit = scalar(draft, draft.rng.choice(value.shape))
    if draft.chance(0.2):
        limit = draft.add("Cast", limit, keep=False, to=1)
        draft.add("Range", constant(draft, 0, np.float32), limit, constant(draft, 1, np.float32))
    else:
        draft.add("Range", constant(draft, 0, np.int64), limit, constant(draft, 1, np.int64))


def shape(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0)
    draft.add("Shape", value)


def eye_like(draft: Draft) -> None:
    draft.add("EyeLike", draft.pick(lambda v: v.rank == 2 and v.is_float))


SIZES: tuple[Layer, ...] = (
    reshape, reshape, reshape, expand, expand, tile, slice_, slice_, pad, pad, resize, resize, constant_of_shape, range_,
    split, top_k, one_hot,
)  # fmt: skip
FLOATS: tuple[Layer, ...] = (
    unary, unary, binary, binary, reduce, transpose, softmax, concat, split, conv, conv, conv_transpose, pool, norm, norm,
    matmul, matmul, gemm, einsum, recurrent, gather, gather_elements, gather_nd, scatter, argmax, top_k, cumsum, trilu,
    squeeze, unsqueeze, flatten, clip, depth_to_space, grid_sample, attention, resize, pad, slice_, reshape,
)  # fmt: skip
TYPES: tuple[Layer, ...] = (
    cast, cast, cast, cast_like, compare, compare, logic, logic, where, where, binary, unary, argmax, gather, reduce, cumsum,
    one_hot, clip, concat, matmul, softmax, expand, range_, constant_of_shape, top_k, shape, trilu, slice_, eye_like, pad,
    unsqueeze, scatter, norm,
)  # fmt: skip
EVERY = (*SIZES, *FLOATS, *TYPES)
PLAIN: tuple[Layer, ...] = (unary, binary, transpose, softmax, reduce, concat, matmul, norm, unsqueeze, conv, slice_, squeeze)
