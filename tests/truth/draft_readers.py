"""What reads sizes in a draft."""

from __future__ import annotations

from typing import Any

import numpy as np
from draft import Draft, Value
from draft_layers import a_float
from draft_sizes import constant, scalar, vector
from onnx import numpy_helper


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
    value = draft.pick(lambda v: v.array.size > 0)
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
    attributes["coordinate_transformation_mode"] = draft.rng.choice(
        ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    )
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
