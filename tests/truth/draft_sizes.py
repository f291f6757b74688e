"""Constants that are computed from constants, and sizes that are computed from shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from draft import Array, Draft, RejectedError, Value

FORMS = (
    "identity",
    "cast",
    "uniform",
    "expand",
    "reshape",
    "unsqueeze",
    "transpose",
    "sum",
    "product",
    "concat",
    "slice",
    "gather",
    "node",
    "where",
    "squeeze",
    "negative",
)


def constant(draft: Draft, array: Any, dtype: Any = None, depth: int = 2) -> Value:
    """An initializer, a Constant, or computed from some."""
    made = np.asarray(array, dtype)
    if depth == 0 or not draft.chance(draft.folding):
        return draft.constant_node(made) if draft.chance(0.25) else draft.initializer(made)
    try:
        return _folded(draft, made, draft.rng.choice(FORMS), depth - 1)
    except RejectedError:
        return draft.initializer(made)


def _folded(draft: Draft, made: Array, form: str, depth: int) -> Value:
    rng = draft.rng

    def inner(array: Any, dtype: Any = None) -> Value:
        return constant(draft, array, dtype, depth)

    def add(op: str, *inputs: Value | None, **attributes: Any) -> Value:
        return draft.add(op, *inputs, keep=False, **attributes)

    rank = made.ndim
    is_uniform = made.size > 0 and bool((made == made.flat[0]).all())
    if form == "identity":
        return add("Identity", inner(made))
    if form == "cast" and made.dtype.kind != "b":
        other = rng.choice(["float32", "float16", "int32", "int64", "float64"])
        with np.errstate(all="ignore"):
            is_same = bool((made.astype(other).astype(made.dtype) == made).all())
        if is_same:
            return add("Cast", inner(made, other), to=_type(made))
    if form == "uniform" and is_uniform:
        from onnx import numpy_helper

        value = numpy_helper.from_array(np.asarray([made.flat[0]]))
        return add("ConstantOfShape", inner(list(made.shape), np.int64), value=value)
    if form == "expand" and is_uniform:
        return add("Expand", inner(made.flat[0], made.dtype), inner(list(made.shape), np.int64))
    if form == "reshape" and made.size:
        shape = [-1, *made.shape[1:]] if rank else []
        return add("Reshape", inner(made.reshape(-1)), inner(shape, np.int64))
    if form == "unsqueeze" and rank and made.shape[0] == 1:
        return add("Unsqueeze", inner(made[0]), inner([0], np.int64))
    if form == "squeeze" and rank < 4:
        return add("Squeeze", inner(made[np.newaxis]), inner([0], np.int64))
    if form == "transpose" and rank > 1:
        return add("Transpose", inner(made.transpose()))
    if form == "sum" and made.dtype.kind in "fi":
        return add("Add", inner(np.ones_like(made)), inner(made - np.ones_like(made)))
    if form == "product" and made.dtype.kind in "fi":
        return add("Mul", inner(made), inner(np.ones((), made.dtype)))
    if form == "negative" and made.dtype.kind in "fi":
        return add("Neg", inner(-made))
    if form == "concat" and rank and made.shape[0] > 1:
        at = rng.randrange(1, made.shape[0])
        return add("Concat", inner(made[:at]), inner(made[at:]), axis=0)
    if form == "slice" and rank:
        longer = np.concatenate([made, made])
        return add("Slice", inner(longer), *(inner([n], np.int64) for n in (0, len(made), 0)))
    if form == "gather":
        return add("Gather", inner(np.stack([made, made])), inner(1, np.int64), axis=0)
    if form == "where":
        return add("Where", inner(np.ones(made.shape[-1:], bool)), inner(made), inner(np.zeros((), made.dtype)))
    return draft.constant_node(made)


def _type(array: Array) -> int:
    from draft import element_type

    return element_type(array.dtype)


def _sized(draft: Draft) -> list[tuple[Value, int]]:
    """Axes of data, whose sizes can be asked."""
    some = [value for value in draft.visible() if value.rank and not value.is_constant and value.array.size > 1]
    return [(value, axis) for value in some[-6:] for axis in range(value.rank)]


def dimension(draft: Draft, value: Value, axis: int) -> Value:
    """The size of an axis, INT64[1], in one of the ways that exporters write."""

    def number(n: Any) -> Value:
        return constant(draft, n, np.int64, 1)

    form = draft.rng.choice(["gather", "gather one", "slice", "part", "split", "squeezed"])
    if form == "part" and draft.opset >= 15:
        return draft.add("Shape", value, keep=False, start=axis, end=axis + 1)
    shape = draft.add("Shape", value, keep=False)
    if form == "gather":
        one = draft.add("Gather", shape, number(axis), keep=False)
        return draft.add("Unsqueeze", one, number([0]), keep=False)
    if form == "slice":
        return draft.add("Slice", shape, number([axis]), number([axis + 1]), number([0]), keep=False)
    if form == "split" and value.rank > 1:
        sizes = number([1] * value.rank)
        return draft.add_all("Split", shape, sizes, keep=False, axis=0, outputs=value.rank)[axis]
    if form == "squeezed":
        one = draft.add("Squeeze", draft.add("Gather", shape, number([axis]), keep=False), keep=False)
        return draft.add("Reshape", one, number([1]), keep=False)
    return draft.add("Gather", shape, number([axis]), keep=False)


def one(draft: Draft, wanted: int, depth: int = 2, fixed: float = 0.3) -> Value:
    """INT64[1] of this value: a constant, the size of an axis, or computed from one."""
    axes = _sized(draft)
    if not axes or draft.chance(fixed):
        return constant(draft, [wanted], np.int64)
    same = [(value, axis) for value, axis in axes if value.shape[axis] == wanted]
    if same and draft.chance(0.75):
        return _wrapped(draft, dimension(draft, *draft.rng.choice(same)), depth)
    value, axis = draft.rng.choice(axes)
    size = value.shape[axis]
    base = dimension(draft, value, axis)
    if size and wanted % size == 0 and wanted:
        made = draft.add("Mul", base, constant(draft, [wanted // size], np.int64), keep=False)
    elif wanted > 0 and size % wanted == 0:
        made = draft.add("Div", base, constant(draft, [size // wanted], np.int64), keep=False)
    elif draft.chance(0.5):
        made = draft.add("Add", base, constant(draft, [wanted - size], np.int64), keep=False)
    else:
        made = draft.add("Sub", constant(draft, [wanted + size], np.int64), base, keep=False)
    return _wrapped(draft, made, depth)


WRAPS = (
    "none",
    "none",
    "cast",
    "float",
    "division",
    "floor",
    "ceil",
    "identity",
    "maximum",
    "minimum",
    "where",
    "scalar",
    "reduce",
    "concat",
    "negative",
    "expand",
    "reshape",
    "modulo",
    "absolute",
    "clip",
    "half",
)


def _wrapped(draft: Draft, value: Value, depth: int) -> Value:
    """Computed on, to the same value."""
    if depth == 0:
        return value
    form = draft.rng.choice(WRAPS)

    def add(op: str, *inputs: Value | None, **attributes: Any) -> Value:
        return draft.add(op, *inputs, keep=False, **attributes)

    def number(n: Any, dtype: Any = np.int64) -> Value:
        return constant(draft, n, dtype, 1)

    n = int(value.array.flat[0])
    made = value
    if form == "cast":
        made = add("Cast", add("Cast", value, to=6), to=7)
    elif form in ("float", "half"):
        made = add("Cast", add("Cast", value, to=1 if form == "float" else 10), to=7)
    elif form == "division":
        quotient = add("Div", add("Cast", value, to=1), number([2.0], np.float32))
        made = add("Cast", add("Mul", quotient, number([2.0], np.float32)), to=7)
    elif form == "floor":
        made = add("Cast", add("Floor", add("Mul", add("Cast", value, to=1), number([1.0], np.float32))), to=7)
    elif form == "ceil":
        made = add("Cast", add("Ceil", add("Div", add("Cast", value, to=1), number([1.0], np.float32))), to=7)
    elif form == "identity":
        made = add("Identity", value)
    elif form == "maximum":
        made = add("Max", value, number([0] if n >= 0 else [n]))
    elif form == "minimum":
        made = add("Min", value, number([1 << 20]))
    elif form == "where":
        made = add("Where", add("Equal", value, number([-1])), number([1]), value)
    elif form == "scalar":
        made = add("Unsqueeze", add("Squeeze", value, number([0])), number([0]))
    elif form == "reduce":
        op = draft.rng.choice(["ReduceMax", "ReduceMin", "ReduceProd"])
        made = add(op, value, keepdims=1)
    elif form == "concat":
        longer = add("Concat", value, number([3]), axis=0)
        made = add("Slice", longer, number([0]), number([1]))
    elif form == "negative":
        made = add("Neg", add("Neg", value))
    elif form == "expand":
        made = add("Expand", value, number([1]))
    elif form == "reshape":
        made = add("Reshape", value, number(draft.rng.choice([[-1], [1]])))
    elif form == "modulo":
        made = add("Mod", value, number([1 << 20]))
    elif form == "absolute" and n >= 0:
        made = add("Abs", value)
    elif form == "clip":
        made = add("Clip", value, number(0 if n >= 0 else n), number(1 << 20))
    return _wrapped(draft, made, depth - 1)


def vector(draft: Draft, wanted: Sequence[int], fixed: float = 0.3) -> Value:
    """INT64 of these values."""
    whole = [value for value in draft.visible() if value.rank and list(value.shape) == list(wanted)]
    if not wanted or (draft.chance(fixed) and draft.chance(0.5)):
        return constant(draft, list(wanted), np.int64)
    if whole and draft.chance(0.4):
        made = draft.add("Shape", draft.rng.choice(whole), keep=False)
    elif len(wanted) == 1:
        made = one(draft, wanted[0], fixed=fixed)
    else:
        parts = [one(draft, n, depth=draft.rng.choice([0, 0, 1, 2]), fixed=fixed) for n in wanted]
        made = draft.add("Concat", *parts, keep=False, axis=0)
    return _vector_wrapped(draft, made) if draft.chance(0.35) else made


def _vector_wrapped(draft: Draft, value: Value) -> Value:
    def add(op: str, *inputs: Value | None, **attributes: Any) -> Value:
        return draft.add(op, *inputs, keep=False, **attributes)

    def number(n: Any) -> Value:
        return constant(draft, n, np.int64, 1)

    form = draft.rng.choice(["cast", "identity", "where", "reshape", "two", "mul", "slice", "max", "scatter", "int32"])
    count = value.shape[0]
    if form == "cast":
        return add("Cast", add("Cast", value, to=draft.rng.choice([1, 6])), to=7)
    if form == "identity":
        return add("Identity", value)
    if form == "where":
        ones = add("ConstantOfShape", number([count]), value=_ones())
        return add("Where", add("Equal", value, add("Mul", ones, number(-1))), ones, value)
    if form == "reshape":
        return add("Reshape", value, number([-1]))
    if form == "two" and count % 2 == 0:
        return add("Reshape", add("Transpose", add("Reshape", value, number([-1, 2])), perm=[0, 1]), number([-1]))
    if form == "mul":
        return add("Mul", value, number([1] * count))
    if form == "slice":
        longer = add("Concat", value, value, axis=0)
        return add("Slice", longer, number([0]), number([count]), number([0]))
    if form == "max":
        return add("Max", value, number([min(0, *map(int, value.array))]))
    if form == "scatter":
        return add("ScatterND", value, number([[0]]), number([int(value.array[0])]))
    return value


def _ones() -> Any:
    from onnx import numpy_helper

    return numpy_helper.from_array(np.asarray([1], np.int64))


def scalar(draft: Draft, wanted: int) -> Value:
    """INT64 of rank 0."""
    made = one(draft, wanted)
    if made.is_constant and draft.chance(0.7):
        return constant(draft, wanted, np.int64)
    form = draft.rng.choice(["squeeze", "reshape", "gather", "reduce"])
    if form == "squeeze":
        return draft.add("Squeeze", made, constant(draft, [0], np.int64, 1), keep=False)
    if form == "reshape":
        return draft.add("Reshape", made, draft.initializer([], np.int64), keep=False)
    if form == "gather":
        return draft.add("Gather", made, constant(draft, 0, np.int64, 1), keep=False)
    return draft.add("ReduceMax", made, keep=False, keepdims=0)
