"""Operators as `standard-function` writes them, in every opset and type: run beside the operator itself."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from cases import BFLOAT16, DOUBLE, FLOAT, FLOAT16, Case, Input, Maker
from cures import run
from grid import opsets
from onnx import TensorProto
from seeds import cases_of, types_of

import trtcheck

# Of each operator some release lacks it, or lacks it in some form.
TARGETS = ("rtx-1.7", "11.5", "10.13", "10.3", "9.0", "8.6", "8.4", "8.0")
TOLERANCE: dict[int, float] = {FLOAT16: 2e-2, BFLOAT16: 1e-1, DOUBLE: 1e-5, FLOAT: 1e-5}
NOT_NUMBERS = (TensorProto.STRING, TensorProto.COMPLEX64, TensorProto.COMPLEX128)
RUNTIMES = ("onnxruntime", "reference")


SOURCES = Path(__file__).resolve().parents[2] / "cpp/src/cure/cures"
# What the cure has a table row for, whether ONNX calls it a function or not.
WRITTEN = sorted(
    {op for path in SOURCES.glob("expand_*.cpp") for op in re.findall(r'\.op = "(\w+)"', path.read_text("utf-8"))}
)
# Written only where sizes are unknown, or of types, that no seed has: tests/cures/standard-function.md has them.
ELSEWHERE = frozenset({"Celu", "EyeLike", "InstanceNormalization", "SoftmaxCrossEntropyLoss"})
# Read as places, whatever their type.
WHOLE = frozenset({"OneHot"})


def in_type(case: Case, kind: int) -> Case:
    """All inputs that share the type of the first one, and floating point ones beside floating point."""
    formal = case.schema.inputs
    name = formal[0].type_str

    def is_like_the_first(index: int, given: Input) -> bool:
        own = min(index, len(formal) - 1)
        both = kind in TOLERANCE and given.type in TOLERANCE and kind in types_of(case.schema, own)
        return both or formal[own].type_str == name

    inputs = [
        replace(given, type=kind) if given is not None and is_like_the_first(i, given) else given
        for i, given in enumerate(case.inputs)
    ]
    return replace(case, inputs=tuple(inputs))


def models(op: str) -> Iterator[tuple[str, int, onnx.ModelProto]]:
    for opset in opsets(op):
        for number, (case, _) in enumerate(cases_of(op, opset)):
            kinds = types_of(case.schema, 0) if case.schema.inputs else [0]
            for kind in set(kinds) - set(NOT_NUMBERS):
                made = Maker(in_type(case, kind) if kind else case).model()
                if made is not None:
                    yield f"{op}/{opset}/{number} {onnx.TensorProto.DataType.Name(kind)}", kind, made


def written(model: onnx.ModelProto) -> Iterator[onnx.ModelProto]:
    """As the cure writes it for each release that lacks it, each form once."""
    known = set()
    for target in TARGETS:
        fixed = trtcheck.fix(model, target=target, cures=["standard-function"])
        if not fixed.is_changed:
            continue
        content = fixed.model.SerializeToString(deterministic=True)
        if content not in known:
            known.add(content)
            yield fixed.model


def numbers(model: onnx.ModelProto, seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    stored = {tensor.name for tensor in model.graph.initializer}
    made: dict[str, Any] = {}
    for value in model.graph.input:
        if value.name in stored:
            continue
        tensor = value.type.tensor_type
        sizes = [dim.dim_value or 4 for dim in tensor.shape.dim]
        kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if tensor.elem_type in TOLERANCE and model.graph.node[0].op_type not in WHOLE:
            made[value.name] = np.asarray(random.normal(size=sizes)).astype(kind)
        else:
            made[value.name] = np.asarray(random.integers(0, 2, size=sizes)).astype(kind)
    return made


def runtime_of(model: onnx.ModelProto, given: dict[str, Any]) -> tuple[str, list[Any]] | None:
    for name in RUNTIMES:
        try:
            return name, run(model, given, name)
        except Exception:  # they raise what they like
            continue
    return None


def divisor_of(model: onnx.ModelProto, given: dict[str, Any]) -> Any:
    """Of Mod: rounded another way, a remainder may be a whole divisor away. 0 of all else."""
    node = model.graph.node[0]
    if node.op_type != "Mod":
        return 0.0
    stored = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    return (given | stored)[node.input[1]].astype(np.float64)


def assert_close(old: Any, new: Any, declared: int, kind: int, what: str, divisor: Any = 0.0) -> None:
    """The evaluator gives some results in another type than the operator has; what is written does not."""
    assert new.dtype == onnx.helper.tensor_dtype_to_np_dtype(declared), what
    assert old.shape == new.shape, what
    if old.dtype == np.dtype(ml_dtypes.bfloat16):
        kind = BFLOAT16
    tolerance = TOLERANCE.get(kind, 1e-5)
    found, expected = new.astype(np.float64), old.astype(np.float64)
    if kind in TOLERANCE:
        is_beside = np.isclose(np.abs(found - expected), np.abs(divisor), rtol=tolerance, atol=0)
        found = np.where(is_beside, expected, found)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, err_msg=what)


@pytest.mark.parametrize("op", WRITTEN)
def test_what_is_written_computes_the_same(op: str) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    compared = 0
    for name, kind, model in models(op):
        given = numbers(model, seed)
        first = None
        for fixed in written(model):
            first = first or runtime_of(model, given)
            if first is None:
                break
            by, before = first
            for old, new, output in zip(before, run(fixed, given, by), model.graph.output, strict=True):
                declared = output.type.tensor_type.elem_type
                what = f"{name}, {by}, seed {seed}"
                assert_close(np.asarray(old), np.asarray(new), declared, kind, what, divisor_of(model, given))
            compared += 1
    assert bool(compared) == (op not in ELSEWHERE)
