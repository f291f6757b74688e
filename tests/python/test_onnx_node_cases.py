"""Every node test of the installed onnx, newest opsets included: what we state is what its reference computes.

Each case is inferred twice: as it is, and with open input sizes but short parameters (axes, sizes, scales) constant.
What the file claims about outputs is taken away first, so that only our own answers are compared.
"""

from __future__ import annotations

import copy
import warnings
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

import trtcheck

#: Part of the sizes that may stay unknown: they depend on the data, or the operator is newer than TensorRT's parser.
#: As they are, axes and sizes are inputs and known to nobody.
FEW_UNKNOWN = 0.05
SOME_UNKNOWN = 0.15


@dataclass(frozen=True)
class Case:
    name: str
    model: onnx.ModelProto
    inputs: list[TensorProto | None]
    outputs: list[TensorProto | None]


@dataclass
class Tally:
    sizes: int = 0
    wrong: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def tensor(value: object) -> TensorProto | None:
    if isinstance(value, TensorProto):
        return value
    return numpy_helper.from_array(np.asarray(value)) if isinstance(value, np.ndarray | np.generic) else None


@cache
def cases() -> list[Case]:
    out = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in collect_testcases(""):
            if case.model is None or not case.data_sets:
                continue
            inputs, outputs = case.data_sets[0]
            out.append(Case(case.name, case.model, [tensor(v) for v in inputs], [tensor(v) for v in outputs]))
    return out


def without_claims(model: onnx.ModelProto) -> onnx.ModelProto:
    out = copy.deepcopy(model)
    del out.graph.value_info[:]
    for output in out.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return out


def opened(case: Case) -> tuple[onnx.ModelProto, dict[str, int]] | None:
    """Input sizes become names; None for cases with empty inputs, which a name does not stand for."""
    model = without_claims(case.model)
    sizes: dict[str, int] = {}
    kept = []
    for at, value in enumerate(model.graph.input):
        made = case.inputs[at] if at < len(case.inputs) else None
        if made is None or not value.type.HasField("tensor_type"):
            kept.append(value)
            continue
        is_number = made.data_type in (TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL)
        is_parameter = len(made.dims) <= 1 and (is_number or value.name == "scales")
        if is_parameter and model.ir_version >= 4:
            constant = copy.deepcopy(made)
            constant.name = value.name
            model.graph.initializer.append(constant)
            continue
        if 0 in made.dims:
            return None
        names = [f"in{at}_{axis}" for axis in range(len(made.dims))]
        sizes.update(zip(names, made.dims, strict=True))
        kept.append(helper.make_tensor_value_info(value.name, value.type.tensor_type.elem_type, names))
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return model, sizes


def compare(case: Case, model: onnx.ModelProto, sizes: dict[str, int], tally: Tally) -> None:
    shapes = trtcheck.infer_shapes(model)
    tally.wrong += [f"{case.name}: conflict: {c.message}" for c in shapes.conflicts]
    for value, made in zip(model.graph.output, case.outputs, strict=False):
        if made is None or not value.type.HasField("tensor_type"):
            continue
        stated = shapes[value.name]
        declared = value.type.tensor_type.elem_type
        if int(stated.dtype) not in (0, declared):
            tally.wrong.append(f"{case.name}: {stated}, declared type {declared}")
        if stated.dims is None:
            tally.unknown.append(f"{case.name}: {stated.reason}")
            continue
        found = [d if isinstance(d, int) else d.evaluate(sizes) for d in stated.dims]
        tally.sizes += len(found)
        tally.unknown += [f"{case.name}: {stated}"] * found.count(None)
        if len(found) != len(made.dims) or any(f not in (None, d) for f, d in zip(found, made.dims, strict=True)):
            tally.wrong.append(f"{case.name}: {stated} is {found}, computed {list(made.dims)}")


def test_as_they_are() -> None:
    tally = Tally()
    for case in cases():
        compare(case, without_claims(case.model), {}, tally)
    assert not tally.wrong
    assert tally.sizes > 4000
    assert len(tally.unknown) < SOME_UNKNOWN * tally.sizes, tally.unknown


def test_with_open_sizes() -> None:
    tally = Tally()
    for case in cases():
        made = opened(case)
        if made is not None:
            compare(case, *made, tally)
    assert not tally.wrong
    assert tally.sizes > 4000
    assert len(tally.unknown) < FEW_UNKNOWN * tally.sizes, tally.unknown


def test_there_are_enough_cases() -> None:
    if len(cases()) < 1500:
        pytest.skip("an onnx without its node tests")
