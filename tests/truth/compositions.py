"""Compositions: graphs of three to twelve nodes that ONNX Runtime computes, the same ones for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from draft import Draft, RejectedError, Value, feeds, run
from draft_bodies import BODIES, QUANTIZED, grow
from draft_lists import EVERY, FLOATS, PLAIN, SIZES, TYPES, Layer
from onnx import GraphProto, ModelProto, NodeProto

SEED, SECOND_SEED = 1, 2
# So many are drawn of each kind; ONNX Runtime computes some of them.
COUNTS = {"sizes": 2400, "constants": 1500, "bodies": 2200, "quantized": 1100, "types": 1100, "layers": 900}
# Nodes; a Shape, Gather and Concat in front of a Reshape are three.
SMALLEST, LARGEST = 3, 24
SHAPES: tuple[tuple[int | str, ...], ...] = (
    (2, 4, 8, 8), (1, 3, 8, 8), (2, 4, 6), (1, 8, 12), (4, 8), (2, 6), (8,), (2, 3, 4, 6, 6), (1, 4, 8, 8), (1, 6, 8),
)  # fmt: skip
DYNAMIC: tuple[tuple[int | str, ...], ...] = (
    ("N", 4, 8, 8), ("N", 3, "H", "W"), (1, 4, "H", "W"), ("N", 4, "T"), ("N", "T", 8), (1, "T", 8), ("N", 8),
    ("N", "T"), ("T",), ("N", 4, 4, "H", "W"), (2, "T", 4), ("N", 6, 8),
)  # fmt: skip


@dataclass(frozen=True)
class Composition:
    kind: str
    at: int
    model: ModelProto

    @property
    def address(self) -> str:
        """Cells of a hundred: one that changes is asked anew alone."""
        return f"{self.kind}-{self.at // 100:02}/{self.at % 100}"


def _input(draft: Draft, dynamic: float) -> Value:
    shapes = DYNAMIC if draft.chance(dynamic) else SHAPES
    return draft.input(draft.rng.choice(shapes), np.float16 if draft.chance(0.08) else np.float32)


def _drawn(draft: Draft, kind: str) -> None:
    rng = draft.rng
    is_dynamic = 0.65 if kind in ("sizes", "bodies") else 0.35
    _input(draft, is_dynamic)
    if draft.chance(0.3):
        _input(draft, is_dynamic)
    if kind in ("types", "layers") and draft.chance(0.4):
        draft.input(rng.choice([(4,), (2, 4), ("N", "T"), ("T",)]), rng.choice([np.int64, np.int32, np.bool_]))
    plans: dict[str, Sequence[tuple[Sequence[Layer], int]]] = {
        "sizes": [(PLAIN, rng.randint(0, 2)), (SIZES, rng.randint(1, 3)), (FLOATS, rng.randint(0, 2))],
        "constants": [(FLOATS, rng.randint(1, 3)), (EVERY, rng.randint(1, 3))],
        "bodies": [(PLAIN, rng.randint(0, 2)), (BODIES, 1), ((*PLAIN, *SIZES), rng.randint(0, 3))],
        "quantized": [(FLOATS, rng.randint(0, 1)), (QUANTIZED, rng.randint(1, 4))],
        "types": [(TYPES, rng.randint(3, 7))],
        "layers": [(FLOATS, rng.randint(3, 8))],
    }
    for layers, count in plans[kind]:
        if grow(draft, layers, count) < count and layers is BODIES:
            raise RejectedError("no body")


def composition(kind: str, at: int, seed: int) -> ModelProto | None:
    """None: ONNX Runtime does not compute it, at one of the sizes of the profile."""
    rng = random.Random(f"{seed} {kind} {at}")
    folding = 0.7 if kind == "constants" else 0.12
    draft = Draft(
        rng, rng.choice([13, 17, 17, 18, 20, 21] if kind == "quantized" else [13, 17, 17, 18, 20]), folding=folding
    )
    try:
        _drawn(draft, kind)
        ends = [value for value in draft.unread() if value.name not in {given.name for given, _ in draft.inputs}]
        outputs = ends[-rng.choice([1, 1, 2, 3]) :]
        if not outputs:
            return None
        model = draft.model(outputs)
        if not SMALLEST <= sum(1 for _ in nodes_of(model.graph)) <= LARGEST:
            return None
        if kind == "bodies" and not any(node.op_type in ("If", "Loop", "Scan") for node in model.graph.node):
            return None
        for feed in feeds(draft):
            run(model, feed)
    except (RejectedError, IndexError, ValueError, OverflowError):
        return None
    return model


def nodes_of(graph: GraphProto) -> Iterator[NodeProto]:
    """Also those of bodies; without what is a number written down."""
    for node in graph.node:
        if node.op_type != "Constant":
            yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from nodes_of(attribute.g)


def every_composition(seed: int) -> Iterator[Composition]:
    for kind, count in COUNTS.items():
        for at in range(count):
            if (made := composition(kind, at, seed)) is not None:
                yield Composition(kind, at, made)
