"""Arithmetic on sizes, of all kinds, that a draft may get next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from draft import Draft, RejectedError, Value
from onnx import numpy_helper

MOST = 1 << 12


def few(value: Value) -> bool:
    return value.dtype == np.int64 and value.rank <= 2 and value.array.size <= 10


def numbers(draft: Draft, wanted: Callable[[Value], bool] = lambda _: True) -> Value:
    """INT64, of which there are few."""
    if draft.chance(0.12):
        return fixed(draft)
    return draft.pick(lambda value: few(value) and not value.is_constant and wanted(value))


def fixed(draft: Draft, sizes: Any = None) -> Value:
    if sizes is None:
        sizes = draft.rng.choice([[], [], [1], [2], [3]])
    count = int(np.prod(sizes))
    made = [draft.rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 7, -1, -2, 8]) for _ in range(count)]
    return ints(draft, np.reshape(np.asarray(made, np.int64), sizes))


def ints(draft: Draft, content: Any, dtype: Any = np.int64) -> Value:
    made = np.asarray(content, dtype)
    return draft.constant_node(made) if draft.chance(0.4) else draft.initializer(made)


def scalar(draft: Draft) -> Value:
    value = numbers(draft, lambda v: v.array.size == 1)
    return value if value.rank == 0 else draft.add("Reshape", value, ints(draft, []), keep=False)


def one(draft: Draft) -> Value:
    """INT64[1]"""
    value = numbers(draft, lambda v: v.array.size == 1)
    return value if value.rank == 1 else draft.add("Reshape", value, ints(draft, [-1]), keep=False)


def row(draft: Draft, count: int) -> Value:
    """INT64[count], of numbers that are there."""
    found = [v for v in draft.visible() if few(v) and v.shape == (count,)]
    if found and draft.chance(0.5):
        return draft.rng.choice(found)
    if count == 0:
        return ints(draft, [])
    parts = [
        one(draft) if draft.chance(0.6) else ints(draft, [draft.rng.choice([1, 1, 2, 3, -1, 0])]) for _ in range(count)
    ]
    return parts[0] if count == 1 else draft.add("Concat", *parts, keep=False, axis=0)


def kept(draft: Draft, value: Value) -> None:
    """Numbers that grow without end are of no use."""
    if value.array.size > 64 or (value.array.size and np.abs(value.array.astype(np.float64)).max() > MOST):
        raise RejectedError("too large")


def shape_of(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0)
    form = draft.rng.choice(["whole", "whole", "part", "size", "end"])
    if form == "size":
        kept(draft, draft.add("Size", value))
    elif form == "whole" or draft.opset < 15:
        draft.add("Shape", value)
    else:
        words: dict[str, Any] = {"start": draft.rng.randint(-value.rank - 1, value.rank)}
        if form == "end":
            words["end"] = draft.rng.randint(-value.rank - 1, value.rank + 1)
        draft.add("Shape", value, **words)


def picked(draft: Draft) -> None:
    """One size."""
    shape = draft.add("Shape", draft.pick(lambda v: v.rank > 0))
    index = draft.rng.randrange(-shape.shape[0], shape.shape[0])
    draft.add("Gather", shape, ints(draft, draft.rng.choice([index, [index]])), axis=0)


def arithmetic(draft: Draft) -> None:
    op = draft.rng.choice(["Add", "Sub", "Mul", "Div", "Div", "Mod", "Min", "Max", "Add", "Sub", "Sum", "Pow", "Mean"])
    a, b = numbers(draft), numbers(draft)
    if op in ("Div", "Mod") and draft.prefix:  # nobody looks whether it is 0 there
        b = ints(draft, draft.rng.choice([1, 2, 3]))
    words: dict[str, Any] = {"fmod": 1} if op == "Mod" and draft.chance(0.3) else {}
    if op in ("Min", "Max", "Sum") and draft.chance(0.3):
        kept(draft, draft.add(op, a, b, numbers(draft)))
    elif op == "Mean":
        a, b = (draft.add("Cast", v, keep=False, to=1) for v in (a, b))
        draft.add("Cast", draft.add("Mean", a, b, keep=False), to=7)
    else:
        kept(draft, draft.add(op, a, b, **words))


def bits(draft: Draft) -> None:
    op = draft.rng.choice(["BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot", "BitShift"])
    if op == "BitShift":
        a, b = (draft.add("Cast", numbers(draft), keep=False, to=13) for _ in range(2))
        made = draft.add(op, a, b, keep=False, direction=draft.rng.choice(["LEFT", "RIGHT"]))
        kept(draft, draft.add("Cast", made, to=7))
    elif draft.opset >= 18:
        draft.add(op, numbers(draft)) if op == "BitwiseNot" else draft.add(op, numbers(draft), numbers(draft))


def single(draft: Draft) -> None:
    value = numbers(draft)
    op = draft.rng.choice(["Neg", "Abs", "Sign", "Identity", "Clip"])
    if op == "Clip":
        low, high = ints(draft, draft.rng.choice([0, 1, 2])), ints(draft, draft.rng.choice([3, 6, 100]))
        draft.add(op, value, draft.rng.choice([None, low]), draft.rng.choice([None, high]))
    else:
        draft.add(op, value)


def floats(draft: Draft) -> None:
    """By way of floats."""
    to = draft.rng.choice([1, 1, 11, 10])
    dtype = {1: np.float32, 11: np.float64, 10: np.float16}[to]
    value = draft.add("Cast", numbers(draft), keep=False, to=to)
    factor = draft.rng.choice([0.5, 2.0, 0.25, 1.5, 1 / 3, 0.1, 3.0])
    for op in draft.rng.sample(
        ["Mul", "Div", "Add", "Floor", "Ceil", "Round", "Sqrt", "Neg", "Reciprocal", "Pow"], draft.rng.randint(1, 3)
    ):
        if op in ("Mul", "Div", "Add", "Pow"):
            other = ints(draft, factor, dtype)
            value = draft.add(op, value, other, keep=False)
        else:
            value = draft.add(op, value, keep=False)
    if not np.isfinite(value.array).all() or (value.array.size and np.abs(value.array).max() > MOST):
        raise RejectedError("no number")
    draft.add("Cast", value, to=draft.rng.choice([7, 7, 7, 6]))


def through(draft: Draft) -> None:
    """A cast there and back."""
    to = draft.rng.choice([6, 6, 9, 2, 3, 5, 4, 12, 13])
    draft.add("Cast", draft.add("Cast", numbers(draft), keep=False, to=to), to=7)


def condition(draft: Draft, value: Value | None = None) -> Value:
    a, b = value or numbers(draft), numbers(draft)
    op = draft.rng.choice(["Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"])
    if op.endswith("OrEqual") and draft.opset < 12:
        op = "Less"
    return draft.add(op, a, b)


def decided(draft: Draft) -> None:
    form = draft.rng.choice(["where", "where", "and", "not", "cast"])
    test = condition(draft)
    if form == "where":
        kept(draft, draft.add("Where", test, numbers(draft), numbers(draft)))
    elif form == "and":
        draft.add(draft.rng.choice(["And", "Or", "Xor"]), test, condition(draft))
    elif form == "not":
        draft.add("Cast", draft.add("Not", test), to=7)
    else:
        draft.add("Cast", test, to=draft.rng.choice([7, 6]))


def reduced(draft: Draft) -> None:
    value = numbers(draft)
    op = draft.rng.choice(
        [
            "ReduceSum",
            "ReduceProd",
            "ReduceMax",
            "ReduceMin",
            "ReduceMean",
            "ReduceL1",
            "ReduceSumSquare",
            "ArgMax",
            "ArgMin",
            "CumSum",
        ]
    )
    if op == "CumSum":
        axis = ints(draft, draft.rng.randrange(-value.rank, value.rank))
        kept(draft, draft.add(op, value, axis, exclusive=draft.rng.choice([0, 1]), reverse=draft.rng.choice([0, 1])))
        return
    words: dict[str, Any] = {"keepdims": draft.rng.choice([0, 1])}
    if op.startswith("Arg"):
        draft.add(op, value, axis=draft.rng.randrange(-value.rank, value.rank), **words)
        return
    axes = draft.rng.sample(range(value.rank), draft.rng.randint(0, value.rank))
    if draft.opset >= 18 or (op == "ReduceSum" and draft.opset >= 13):
        if draft.chance(0.3):
            words["noop_with_empty_axes"] = 1
        kept(draft, draft.add(op, value, draft.rng.choice([None, ints(draft, axes)]), **words))
    else:
        if axes:
            words["axes"] = axes
        kept(draft, draft.add(op, value, **words))


def moved(draft: Draft) -> None:
    """Numbers in another order, or some of them, or more often."""
    rng = draft.rng
    form = rng.choice(
        [
            "concat",
            "gather",
            "elements",
            "nd",
            "scatter",
            "scatter nd",
            "slice",
            "split",
            "squeeze",
            "unsqueeze",
            "reshape",
            "transpose",
            "tile",
            "expand",
            "pad",
            "flatten",
            "concat",
            "range",
            "one hot",
            "top k",
            "fill",
            "trilu",
            "compress",
            "unique",
            "nonzero",
            "eye",
            "like",
            "matmul",
            "einsum",
        ]
    )
    value = numbers(draft, lambda v: v.rank > 0)
    rank = value.rank
    axis = rng.randrange(-rank, rank)
    size = value.shape[axis]
    add = draft.add
    if form == "concat":
        add("Concat", *(numbers(draft, lambda v: v.rank == rank) for _ in range(rng.randint(1, 3))), axis=axis)
    elif form == "gather":
        index = rng.choice([0, -1, size - 1, [0], [size - 1, 0], [[0], [-1]], []])
        add("Gather", value, ints(draft, index, rng.choice([np.int64, np.int32])), axis=axis)
    elif form == "elements":
        add("GatherElements", value, ints(draft, np.zeros([rng.choice([1, n]) for n in value.shape])), axis=axis)
    elif form == "nd":
        add("GatherND", value, ints(draft, rng.choice([[0], [[0]], [[0], [-1]]])))
    elif form == "scatter":
        add(
            "ScatterElements",
            value,
            ints(draft, np.full([1] * rank, rng.choice([0, -1]))),
            numbers(draft, lambda v: v.shape == (1,) * rank),
            axis=axis,
        )
    elif form == "scatter nd":
        add(
            "ScatterND",
            value,
            ints(draft, [[rng.choice([0, -1])]]),
            numbers(draft, lambda v: v.shape == (1, *value.shape[1:])),
        )
    elif form == "slice":
        start, end = rng.choice([0, 1, -1, -2, size, 100, -100]), rng.choice([size, 1, -1, 1 << 40, -(1 << 62), 2, 0])
        add(
            "Slice",
            value,
            ints(draft, [start]),
            ints(draft, [end]),
            ints(draft, [axis]),
            ints(draft, [rng.choice([1, 1, -1, 2, -2, 3])]),
        )
    elif form == "split" and size > 1:
        first = rng.randint(0, size)
        draft.add_all("Split", value, ints(draft, [first, size - first]), outputs=2, axis=axis)
    elif form == "squeeze":
        add("Squeeze", value) if draft.chance(0.5) else add("Squeeze", value, ints(draft, [axis]))
    elif form == "unsqueeze":
        add("Unsqueeze", value, ints(draft, [rng.randint(-rank - 1, rank)]))
    elif form == "reshape":
        add("Reshape", value, ints(draft, rng.choice([[-1], [1, -1], [-1, 1], [2, -1], [0, -1], [-1, 2]])))
    elif form == "transpose":
        add("Transpose", value)
    elif form == "tile":
        kept(draft, add("Tile", value, ints(draft, [rng.choice([1, 2, 2, 0]) for _ in range(rank)])))
    elif form == "expand":
        kept(draft, add("Expand", value, ints(draft, [rng.choice([1, 1, 2, 3]), *value.shape])))
    elif form == "pad":
        pads = [rng.choice([0, 0, 1, -1, 2]) for _ in range(2 * rank)]
        add(
            "Pad",
            value,
            ints(draft, pads),
            rng.choice([None, ints(draft, 7)]),
            mode=rng.choice(["constant", "constant", "edge", "reflect"]),
        )
    elif form == "flatten":
        add("Flatten", value, axis=rng.randint(-rank, rank))
    elif form == "range":
        kept(
            draft,
            add("Range", ints(draft, rng.choice([0, 1, -2])), scalar(draft), ints(draft, rng.choice([1, 1, 2, -1]))),
        )
    elif form == "one hot":
        kept(
            draft,
            add(
                "OneHot",
                value,
                ints(draft, rng.choice([2, 3, [4]])),
                ints(draft, [0, 1]),
                axis=rng.randint(-rank - 1, rank),
            ),
        )
    elif form == "top k":
        draft.add_all(
            "TopK", value, ints(draft, [rng.randint(0, size)]), outputs=2, axis=axis, largest=rng.choice([0, 1])
        )
    elif form == "fill":
        kept(
            draft,
            add(
                "ConstantOfShape",
                row(draft, rng.choice([0, 1, 1, 2])),
                value=numpy_helper.from_array(np.asarray([rng.choice([0, 1, 2, -1])], np.int64)),
            ),
        )
    elif form == "trilu":
        add(
            "Trilu",
            add("Reshape", value, ints(draft, [1, -1]), keep=False),
            rng.choice([None, ints(draft, rng.choice([0, 1, -1]))]),
            upper=rng.choice([0, 1]),
        )
    elif form == "compress":
        chosen = ints(draft, [rng.choice([True, False]) for _ in range(size)], np.bool_)
        add("Compress", value, chosen, axis=axis)
    elif form == "unique":
        words: dict[str, Any] = {"axis": axis} if draft.chance(0.4) else {}
        draft.add_all("Unique", value, outputs=rng.choice([1, 2, 4]), sorted=rng.choice([0, 1]), **words)
    elif form == "nonzero":
        add("NonZero", value)
    elif form == "eye":
        add("EyeLike", add("Reshape", value, ints(draft, [1, -1]), keep=False), k=rng.choice([0, 1, -1]))
    elif form == "like":
        add("CastLike", value, draft.pick(), keep=True)
    elif form == "matmul":
        kept(draft, add("MatMul", value, numbers(draft, lambda v: v.rank > 0)))
    elif form == "einsum":
        kept(
            draft,
            add(
                "Einsum",
                value,
                value,
                equation=rng.choice(["i,i->", "i,i->i", "i,j->ij", "ij,ij->i", "ij,kj->ik", "...i,...i->..."]),
            ),
        )


NUMBERS = (
    shape_of, shape_of, picked, picked, picked, arithmetic, arithmetic, arithmetic, arithmetic, bits, single,
    floats, floats, through, decided, decided, reduced, reduced, moved, moved, moved, moved,
)  # fmt: skip
