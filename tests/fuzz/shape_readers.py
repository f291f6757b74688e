"""What reads numbers in a draft, whatever they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from draft import Draft, Value
from draft_layers import a_float
from onnx import numpy_helper
from shape_numbers import ints, numbers, one, row, scalar


def target(draft: Draft, value: Value) -> Value:
    """For a Reshape; mostly with a -1."""
    count = draft.rng.randint(1, 4)
    at = draft.rng.randrange(count)
    parts = []
    for axis in range(count):
        if axis == at and draft.chance(0.8):
            parts.append(ints(draft, [-1]))
        elif draft.chance(0.5):
            parts.append(ints(draft, [draft.rng.choice([1, 1, 2, 0, 3, 4])]))
        else:
            parts.append(one(draft))
    return parts[0] if count == 1 else draft.add("Concat", *parts, keep=False, axis=0)


def data(draft: Draft, ranks: Sequence[int] = (1, 2, 3, 4, 5)) -> Value:
    return draft.pick(lambda v: v.rank in ranks and v.array.size < 4000 and not v.is_constant)


def reshape(draft: Draft) -> None:
    value = data(draft, (0, 1, 2, 3, 4, 5))
    words: dict[str, Any] = {"allowzero": 1} if draft.opset >= 14 and draft.chance(0.2) else {}
    draft.add("Reshape", value, target(draft, value), **words)


def expand(draft: Draft) -> None:
    value = data(draft, (0, 1, 2, 3, 4))
    draft.add("Expand", value, row(draft, draft.rng.randint(0, value.rank + 1)))


def slices(draft: Draft) -> None:
    value = data(draft)
    count = draft.rng.randint(1, value.rank)
    axes = draft.rng.sample(range(-value.rank, 0), count)
    axes = [axis + value.rank if draft.chance(0.6) else axis for axis in axes]
    steps = (
        None if draft.chance(0.5) else ints(draft, [draft.rng.choice([1, 1, 2, 3, -1, -2, -3, 1 << 40]) for _ in axes])
    )
    far = [draft.rng.choice([1 << 31, (1 << 63) - 1, -(1 << 63), 0, 1, -1, 100, -100, 2, -3]) for _ in axes]
    ends = ints(draft, far) if draft.chance(0.4) else row(draft, count)
    starts = (
        ints(draft, [draft.rng.choice([0, 0, 1, -1, 2, -3, 100, -100]) for _ in axes])
        if draft.chance(0.5)
        else row(draft, count)
    )
    given = None if axes == [*range(count)] and steps is None else ints(draft, axes)
    draft.add("Slice", value, starts, ends, given, steps)


def pad(draft: Draft) -> None:
    value = data(draft)
    mode = draft.rng.choice(["constant", "constant", "reflect", "edge", *(["wrap"] if draft.opset >= 19 else [])])
    count = value.rank
    axes = None
    if draft.opset >= 18 and draft.chance(0.4):
        count = draft.rng.randint(1, value.rank)
        axes = ints(draft, draft.rng.sample(range(-value.rank, 0), count), draft.rng.choice([np.int64, np.int32]))
    pads = (
        ints(draft, [draft.rng.choice([0, 0, 1, 2, -1, 3]) for _ in range(2 * count)])
        if draft.chance(0.6)
        else row(draft, 2 * count)
    )
    draft.add("Pad", value, pads, None, *([axes] if axes else []), mode=mode)


def tile(draft: Draft) -> None:
    value = data(draft, (0, 1, 2, 3, 4))
    draft.add("Tile", value, row(draft, value.rank))


def ranged(draft: Draft) -> None:
    if draft.chance(0.25):
        kind = draft.rng.choice([1, 11])
        dtype = np.float32 if kind == 1 else np.float64
        limit = draft.add("Cast", scalar(draft), keep=False, to=kind)
        draft.add(
            "Range",
            ints(draft, draft.rng.choice([0, 0.5, -1.5]), dtype),
            limit,
            ints(draft, draft.rng.choice([1, 0.1, 0.3, 2.5, -1]), dtype),
        )
    else:
        draft.add(
            "Range",
            *(
                scalar(draft) if draft.chance(0.5) else ints(draft, n)
                for n in (0, draft.rng.choice([3, 8]), draft.rng.choice([1, 1, 2, -1, 3]))
            ),
        )


def fill(draft: Draft) -> None:
    dtype = draft.rng.choice([np.float32, np.int64, np.bool_])
    draft.add(
        "ConstantOfShape", row(draft, draft.rng.randint(0, 4)), value=numpy_helper.from_array(np.asarray([1], dtype))
    )


def resize(draft: Draft) -> None:
    value = a_float(draft, (1, 2, 3, 4, 5))
    rng = draft.rng
    words: dict[str, Any] = {"mode": "nearest", "nearest_mode": "floor"}
    words["coordinate_transformation_mode"] = rng.choice(["asymmetric", "half_pixel", "align_corners"])
    count = value.rank
    if draft.opset >= 18 and draft.chance(0.5):
        axes = rng.sample(range(-value.rank, 0), rng.randint(1, value.rank))
        words["axes"] = [axis + value.rank if draft.chance(0.5) else axis for axis in axes]
        count = len(axes)
    if draft.chance(0.5):
        factors = [rng.choice([1, 1, 2, 0.5, 1.5, 0.3, 1 / 3, 2.7, 0.7142857]) for _ in range(count)]
        scales = ints(draft, factors, np.float32)
        if draft.chance(0.3):
            scales = draft.add(
                "Div", draft.add("Cast", row(draft, count), keep=False, to=1), ints(draft, 2, np.float32), keep=False
            )
        draft.add("Resize", value, None, scales, **words)
        return
    if draft.opset >= 18 and draft.chance(0.4):
        words["keep_aspect_ratio_policy"] = rng.choice(["not_larger", "not_smaller", "stretch"])
    draft.add("Resize", value, None, None, row(draft, count), **words)


def top_k(draft: Draft) -> None:
    value = a_float(draft)
    draft.add_all("TopK", value, one(draft), outputs=2, axis=draft.rng.randrange(-value.rank, value.rank))


def split(draft: Draft) -> None:
    value = data(draft)
    axis = draft.rng.randrange(-value.rank, value.rank)
    count = draft.rng.randint(1, 4)
    form = draft.rng.choice(["count", "sizes", "equal"])
    if form == "sizes" and draft.opset >= 13:
        draft.add_all("Split", value, row(draft, count), outputs=count, axis=axis)
    elif draft.opset >= 18:
        draft.add_all("Split", value, outputs=count, axis=axis, num_outputs=count)
    else:
        draft.add_all("Split", value, outputs=count, axis=axis)


def one_hot(draft: Draft) -> None:
    value = draft.pick(lambda v: v.dtype.kind == "i" and v.array.size < 200)
    depth = draft.rng.choice([scalar, one])(draft)
    draft.add(
        "OneHot", value, depth, ints(draft, [0, 1], np.float32), axis=draft.rng.randint(-value.rank - 1, value.rank)
    )


def gather(draft: Draft) -> None:
    value = data(draft)
    draft.add("Gather", value, numbers(draft), axis=draft.rng.randrange(-value.rank, value.rank))


def axes_read(draft: Draft) -> None:
    """Axes that are computed."""
    value = data(draft)
    axes = one(draft)
    op = draft.rng.choice(["Squeeze", "Unsqueeze", "ReduceSum", "ReduceMax"])
    words: dict[str, Any] = {"keepdims": draft.rng.choice([0, 1])} if op.startswith("Reduce") else {}
    draft.add(op, value, axes, **words)


def crop(draft: Draft) -> None:
    value = data(draft)
    count = draft.rng.randint(1, value.rank)
    words: dict[str, Any] = (
        {"axes": draft.rng.sample(range(-value.rank, value.rank), count)} if draft.chance(0.6) else {}
    )
    draft.add("CenterCropPad", value, row(draft, count if words else value.rank), **words)


READERS = (
    reshape, reshape, reshape, expand, expand, slices, slices, slices, pad, pad, tile, ranged, fill, resize,
    resize, top_k, split, split, one_hot, gather, axes_read, crop,
)  # fmt: skip
