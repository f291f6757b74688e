"""A few random models, drawn by tests/fuzz/shape_fuzz.py; and that each kind of mistake would be seen.

TRTCHECK_SEED=anything draws others; `make fuzz-shapes` goes on for as long as one likes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx.parser
import pytest
import shape_changes
import shape_oracle
from shape_fuzz import fuzz
from shape_oracle import Sample, disagreements
from shape_shrink import minimised

import trtcheck

SEED = os.environ.get("TRTCHECK_SEED", "1")
#: The same ones on every machine, however fast it is.
MODELS = 12


def test_random_models() -> None:
    print(f"TRTCHECK_SEED={SEED}")
    total = fuzz(SEED, 0, MODELS, 600.0)
    print(total)
    assert not total.found, "\n".join(map(str, total.found))
    # What is drawn is worth it.
    assert total.models >= 10 and total.nodes > 15 * total.models
    assert len(total.compared) > 40
    assert len(total.died) <= 1 + total.models // 20, total.died


MODEL = """<ir_version: 10, opset_import: ["" : 17]> m (float[N,4] x, float[M,4] z, bool[1] b) => (y, w, k, s) {
  [shape] s = Shape (x)  [zero] i = Constant <value_ints = [0]> ()
  [size] n = Gather (s, i)  [minus] m = Constant <value_ints = [-1]> ()
  [target] t = Concat <axis = 0> (m, n)  [reshape] y = Reshape (x, t)
  [both] w = Concat <axis = 0> (x, z)  [cast] k = Cast <to = 6> (x)
  [if] e = If (b) <then_branch = f () => (p) { [relu] p = Relu (x) }, else_branch = g () => (q) { [neg] q = Neg (x) }>
}"""


def sample() -> Sample:
    model = onnx.parser.parse_model(MODEL)
    feed = {"x": np.ones((3, 4), np.float32), "z": np.ones((2, 4), np.float32), "b": np.array([True])}
    return Sample(model, feed, [{"N": 3, "M": 2}, {"N": 1, "M": 5}], 17)


def changed(value: str, **more: Any) -> Callable[[Any], Any]:
    def made(shapes: Any) -> Any:
        items = []
        for name, stated in shapes.items():
            seen = SimpleNamespace(dims=stated.dims, dtype=stated.dtype, known=stated.known)
            if name == value:
                vars(seen).update({key: word(stated) if callable(word) else word for key, word in more.items()})
            items.append((name, seen))
        return Fake(items, shapes.conflicts, shapes.obligations)

    return made


@dataclass
class Fake:
    found: list[Any]
    conflicts: list[Any] = field(default_factory=list)
    obligations: list[Any] = field(default_factory=list)

    def items(self) -> list[Any]:
        return self.found


def node_of(shapes: Any, name: str) -> Any:
    return next(node for node in shapes.model.nodes if node.name == name)


def needing(node: str, need: str, a: Any, b: Any) -> Callable[[Any], Any]:
    def made(shapes: Any) -> Any:
        one = SimpleNamespace(node=node_of(shapes, node), need=trtcheck.Need[need], a=a, b=b, why="it is a test")
        return Fake(shapes.items(), [], [one])

    return made


def against(node: str) -> Callable[[Any], Any]:
    def made(shapes: Any) -> Any:
        return Fake(shapes.items(), [SimpleNamespace(node=node_of(shapes, node), message="it is a test")])

    return made


LIES: dict[str, tuple[Callable[[Any], Any], tuple[str, str]]] = {
    "a size": (changed("y", dims=(3, 3)), ("dims", "Reshape")),
    "a rank": (changed("y", dims=(1, 4, 3)), ("rank", "Reshape")),
    "a type": (changed("k", dtype=trtcheck.DataType.FLOAT), ("type", "Cast")),
    "a content": (changed("s", known=(3, 5)), ("known", "Shape")),
    "a number of contents": (changed("s", known=(3,)), ("known", "Shape")),
    "a symbol for another": (changed("z", dims=lambda stated: (stated.dims[1], stated.dims[0])), ("dims", "input")),
    "a conflict": (against("reshape"), ("conflict", "Reshape")),
    "a conflict in the branch that is taken": (against("relu"), ("conflict", "Relu")),
    "an equality": (needing("both", "EQUAL", 3, 4), ("obligation", "Concat")),
    "a quotient": (needing("both", "DIVIDES", 7, 4), ("obligation", "Concat")),
    "a broadcast": (needing("both", "ONE_OR_EQUAL", 2, 4), ("obligation", "Concat")),
    "a least size": (needing("both", "AT_LEAST", 2, 4), ("obligation", "Concat")),
    "a range": (needing("both", "IN_RANGE", 4, 4), ("obligation", "Concat")),
    "a bound": (
        changed("w", dims=lambda stated: (SimpleNamespace(evaluate=lambda _: None, bounds=(1, 2)), 4)),
        ("bounds of dims", "Concat"),
    ),
    "two unknowns that would be one": (
        changed("w", dims=lambda stated: (One(), One())), ("equal dims", "Concat"),
    ),
}  # fmt: skip


class One:
    """Equal to all of its kind."""

    bounds = (None, None)

    def evaluate(self, _: Any) -> None:
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, One)

    def __hash__(self) -> int:
        return 1


@pytest.mark.parametrize("lie", LIES)
def test_a_mistake_is_seen(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(disagreements(sample()))
    tell, signature = LIES[lie]
    real = trtcheck.infer_shapes
    monkeypatch.setattr(shape_oracle.trtcheck, "infer_shapes", lambda model, **more: tell(real(model, **more)))
    assert {found.signature for found in disagreements(sample())} == {signature}


def test_a_branch_that_is_not_taken_may_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    real = trtcheck.infer_shapes
    monkeypatch.setattr(shape_oracle.trtcheck, "infer_shapes", lambda model, **_: against("neg")(real(model)))
    assert not list(disagreements(sample()))


def test_what_is_found_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    real = trtcheck.infer_shapes

    def wrong(model: Any, **more: Any) -> Any:
        shapes = real(model, **more)
        return changed("y", dims=lambda stated: (*stated.dims[:-1], 77))(shapes)

    monkeypatch.setattr(shape_oracle.trtcheck, "infer_shapes", wrong)
    (first,) = {found.signature: found for found in disagreements(sample())}.values()
    found = minimised("1", sample(), first)
    assert found.disagreement.signature == ("dims", "Reshape")
    assert "Reshape" in found.text and "Concat" not in found.text and "If" not in found.text


def test_a_change_that_computes_something_else_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    import random

    assert not list(shape_changes.changed_results(sample(), random.Random(1)))

    def simplified(model: Any) -> Any:
        made = onnx.ModelProto()
        made.CopyFrom(model)
        made.graph.node[7].attribute[0].i = 7
        return SimpleNamespace(model=made)

    monkeypatch.setattr(shape_changes.trtcheck, "simplify", simplified)
    (found,) = shape_changes.changed_results(sample(), random.Random(1))
    assert found.kind == "simplify"
