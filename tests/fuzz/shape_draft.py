"""Random graphs for the shape engine: whatever runs at one size; what it does at others is the question."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import draft_bodies
import numpy as np
from draft import Array, Draft, RejectedError, Value
from draft_bodies import grow
from draft_lists import EVERY, Layer
from onnx import NodeProto
from shape_bodies import BODIES
from shape_layers import ODD
from shape_numbers import NUMBERS, shape_of
from shape_oracle import Sample, Sizes
from shape_readers import READERS
from shape_runs import RefusedError, Runner

NAMES = ("N", "T", "H", "W", "C")
OPSETS = (11, 12, 13, 14, 15, 16, 17, 18, 18, 19, 20, 21, 22, 23, 24)
PLANS: tuple[tuple[Sequence[Layer], int], ...] = (
    (NUMBERS, 30), (READERS, 20), (ODD, 15), (EVERY, 15), (BODIES, 7), (draft_bodies.BODIES, 3), ((shape_of,), 5),
)  # fmt: skip


class ShapeDraft(Draft):
    """Its named sizes are its own, and onnx's reference computes what ONNX Runtime lacks."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.best: Sizes = {name: self.rng.choice([1, 2, 3, 4, 5, 6, 8, 9]) for name in NAMES}
        self._runner = Runner(self.opset)

    def input(self, dims: Sequence[int | str], dtype: Any = np.float32) -> Value:
        sizes = [dim if isinstance(dim, int) else self.best[dim] for dim in dims]
        value = Value(f"{np.dtype(dtype).kind}{len(self.inputs)}", self.random(sizes, dtype))
        self.inputs.append((value, tuple(dims)))
        self.pool.append(value)
        return value

    def put(self, node: NodeProto, read: Sequence[Value], keep: bool = True) -> list[Value]:
        constants = frozenset(value.name for value in read if value.is_constant)
        try:
            arrays = self._runner.compute(node, {value.name: value.array for value in read}, constants)
        except RefusedError as error:
            raise RejectedError(str(error)) from error
        fixed = bool(read) and all(value.is_constant for value in read)
        made = [Value(name, array, fixed) for name, array in zip(node.output, arrays, strict=True)]
        self.nodes.append(node)
        if keep:
            self.pool += [value for value in made if isinstance(value.array, np.ndarray) and value.dtype.kind in "fiub"]
        return made


def _dims(rng: random.Random) -> tuple[int | str, ...]:
    rank = rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5])
    return tuple(
        rng.choice(NAMES) if rng.random() < 0.55 else rng.choice([1, 2, 3, 4, 6, 8, 0 if rng.random() < 0.2 else 1])
        for _ in range(rank)
    )


def drawn(seed: str, smallest: int = 5, largest: int = 60) -> Sample | None:
    rng = random.Random(seed)
    draft = ShapeDraft(rng, rng.choice(OPSETS), folding=0.1)
    for at in range(rng.randint(1, 4)):
        dtype = rng.choice([np.float32] * 6 + [np.int64, np.int64, np.float16, np.float64, np.bool_, np.int32])
        dims = _dims(rng)
        draft.input((*dims, "N") if at == 0 and not dims else dims, np.float32 if at == 0 else dtype)
    grow(draft, (shape_of,), 1)
    layers = [plan for plan, _ in PLANS]
    weights = [weight * rng.choice([0.2, 1, 1, 2]) for _, weight in PLANS]
    wanted = rng.randint(smallest, largest)
    for _ in range(wanted):
        if len(draft.nodes) >= wanted:
            break
        grow(draft, rng.choices(layers, weights)[0], 1)
    ends = [value for value in draft.unread() if value.name not in {given.name for given, _ in draft.inputs}]
    if not ends or len(draft.nodes) < smallest:
        return None
    model = draft.model(ends)
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    feed: dict[str, Array] = {value.name: value.array for value, _ in draft.inputs}
    feed = {value.name: feed[value.name] for value in model.graph.input}
    named = sorted({dim.dim_param for value in model.graph.input for dim in value.type.tensor_type.shape.dim} - {""})
    points: list[Sizes] = [{name: draft.best[name] for name in named}]
    for sizes in ([1, 2, 3, 4, 5, 6, 7, 8, 9, 13], [1, 1, 2], [3, 5, 7, 11, 31, 64], [0, 1, 2, 4]):
        points.append({name: rng.choice(sizes) for name in named})
    if not named:
        points = points[:1]
    return Sample(model, feed, points, draft.opset)
