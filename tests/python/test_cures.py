"""Each cure repairs what it is for, computes the same, and leaves near misses alone."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import onnx
import pytest
from cures import CASES, Case, cases, feeds, run, text_of

import trtcheck

ALL = [case for path in sorted(CASES.glob("*.md")) for case in cases(path)]
CURED = [case for case in ALL if case.fixed != "none"]


def label(case: Case) -> str:
    return f"{case.cure}: {case.name}"


def test_every_cure_has_a_case_and_a_near_miss() -> None:
    names = {cure.name for cure in trtcheck.cures()}
    assert {path.stem for path in CASES.glob("*.md")} == names
    assert {case.cure for case in CURED} == names
    assert {case.cure for case in ALL if case.fixed == "none"} == names


@pytest.mark.parametrize("case", ALL, ids=label)
def test_the_repaired_model(case: Case) -> None:
    fixed = case.fix()
    if case.fixed == "none":
        assert case.cure not in [applied.cure for applied in fixed.applied]
        return
    assert case.cure in [applied.cure for applied in fixed.applied], [(left.code, left.reason) for left in fixed.left]
    assert text_of(fixed.model).split() == case.fixed.split()


def as_declared(model: onnx.ModelProto, given: dict[str, Any]) -> dict[str, Any]:
    """In the types of the inputs, which cures of the class `interface` change."""
    types = {value.name: value.type.tensor_type.elem_type for value in model.graph.input}
    return {
        name: array.astype(onnx.helper.tensor_dtype_to_np_dtype(types[name])) if name in types else array
        for name, array in given.items()
    }


@pytest.mark.parametrize("case", CURED, ids=label)
def test_it_computes_the_same(case: Case) -> None:
    fixed = case.fix()
    model = case.proto()
    by = case.options.get("by", "onnxruntime")
    kinds = {applied.kind for applied in fixed.applied}
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    for at in range(3):
        given = feeds(model, case, at, seed)
        after = run(fixed.model, as_declared(fixed.model, given), by)
        if "fixed-only" in case.options:
            continue
        before = run(model, given, by)
        assert len(before) == len(after)
        for old, new in zip(before, after, strict=True):
            assert old.dtype == new.dtype or not kinds <= {"proven", "rounding"}
            assert old.shape == new.shape
            if kinds <= {"proven"}:
                np.testing.assert_array_equal(old, new)
            else:
                tolerance = float(case.options.get("tolerance", "1e-5"))
                np.testing.assert_allclose(new.astype("f8"), old.astype("f8"), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("case", CURED, ids=label)
def test_twice_changes_nothing(case: Case) -> None:
    once = case.fix().model
    again = Case(case.cure, case.name, case.options, case.model, case.fixed)
    again.proto = lambda: once  # type: ignore[method-assign]
    assert not again.fix().is_changed
