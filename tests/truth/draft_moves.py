"""What moves, picks and casts elements in a draft."""

from __future__ import annotations

from typing import Any

import numpy as np
from draft import Draft, RejectedError, Value, element_type
from draft_layers import a_float
from draft_sizes import constant, scalar, vector


def transpose(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 1)
    perm = list(range(value.rank))
    draft.rng.shuffle(perm)
    draft.add("Transpose", value) if draft.chance(0.1) else draft.add("Transpose", value, perm=perm)


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
        attributes: dict[str, Any] = {"num_outputs": 2} if draft.opset >= 18 else {}
        draft.add_all("Split", value, outputs=2, axis=axis, **attributes)
        return
    at = draft.rng.randrange(1, size)
    draft.add_all("Split", value, vector(draft, [at, size - at], 0.6), outputs=2, axis=axis)


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
        indices = draft.pick(
            lambda v: v.dtype in (np.int64, np.int32) and v.array.size > 0 and abs(v.array).max() < size
        )
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
        draft.add(
            "ScatterElements",
            value,
            constant(draft, np.zeros([1] * value.rank), np.int64),
            updates,
            axis=draft.rng.randrange(value.rank),
        )


def argmax(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0 and v.dtype.kind in "fi")
    draft.add(
        draft.rng.choice(["ArgMax", "ArgMin"]),
        value,
        axis=draft.rng.randrange(value.rank),
        keepdims=draft.rng.choice([0, 1]),
    )


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


def depth_to_space(draft: Draft) -> None:
    value = a_float(draft, (4,))
    if value.shape[1] % 4 == 0 and draft.chance(0.6):
        draft.add("DepthToSpace", value, blocksize=2, mode=draft.rng.choice(["DCR", "CRD"]))
    else:
        draft.add("SpaceToDepth", value, blocksize=2)


def shape(draft: Draft) -> None:
    value = draft.pick(lambda v: v.rank > 0)
    draft.add("Shape", value)


def eye_like(draft: Draft) -> None:
    draft.add("EyeLike", draft.pick(lambda v: v.rank == 2 and v.is_float))
