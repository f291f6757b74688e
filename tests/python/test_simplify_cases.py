"""What `simplify` writes, case by case: expected text, equal outputs, near misses, nothing left for a second time."""

from __future__ import annotations

import secrets

import numpy as np
import onnx
import pytest
from cures import Case, feeds, run, text_of
from simplifying import CASES, cases, simplified

import trtcheck

ALL = [case for path in sorted(CASES.glob("*.md")) for case in cases(path)]
CHANGED = [case for case in ALL if case.fixed != "none"]


def label(case: Case) -> str:
    return f"{case.cure}: {case.name}"


def test_there_is_a_near_miss_of_each_topic() -> None:
    topics = {path.stem for path in CASES.glob("*.md")} - {"static"}
    assert {case.cure for case in ALL if case.name.startswith("near miss")} == topics
    assert all(case.fixed == "none" for case in ALL if case.name.startswith("near miss"))


def test_every_kind_of_change_has_a_case() -> None:
    made = {one.name for case in CHANGED for one in simplified(case).applied}
    assert made == {kind.name for kind in trtcheck.simplifications()} - {"opset-imported"}


@pytest.mark.parametrize("case", ALL, ids=label)
def test_the_simplified_model(case: Case) -> None:
    made = simplified(case)
    if case.fixed == "none":
        assert not made.is_changed, [(one.name, one.title) for one in made.applied]
        assert made.applied == []
        return
    assert made.applied
    assert text_of(made.model).split() == case.fixed.split()
    onnx.checker.check_model(made.model)


@pytest.mark.parametrize("case", CHANGED, ids=label)
def test_it_computes_the_same(case: Case) -> None:
    made = simplified(case)
    model = case.proto()
    by = case.options.get("by", "onnxruntime")
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    for at in range(3):
        given = feeds(made.model if "static" in case.options else model, case, at, seed)
        after = run(made.model, given, by)
        if "fixed-only" in case.options or "random" in case.options:
            continue
        before = run(model, given, by)
        for old, new in zip(before, after, strict=True):
            assert old.dtype == new.dtype
            assert old.shape == new.shape
            rounds = case.options.get("class") == "rounding" or "fuse" in case.options
            assert old.tobytes() == new.tobytes() or rounds
            np.testing.assert_allclose(
                new, old, **({"rtol": 1e-5, "atol": 1e-5} if "fuse" in case.options else {"rtol": 1e-6})
            )


@pytest.mark.parametrize("case", CHANGED, ids=label)
def test_twice_changes_nothing(case: Case) -> None:
    once = simplified(case).model
    twice = simplified(case, once)
    assert not twice.is_changed, [(one.name, one.title) for one in twice.applied]


@pytest.mark.parametrize("case", ALL, ids=label)
def test_inputs_and_outputs_stay(case: Case) -> None:
    made = simplified(case).model
    model = case.proto()
    if "static" not in case.options:
        assert list(made.graph.input) == list(model.graph.input)
        assert list(made.graph.output) == list(model.graph.output)
    assert [value.name for value in made.graph.input] == [value.name for value in model.graph.input]
    assert [value.name for value in made.graph.output] == [value.name for value in model.graph.output]
