"""Real models through `simplify`: equal outputs at up to three sizes, bit for bit; a second time changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from google.protobuf.message import DecodeError
from onnx import TensorProto, numpy_helper
from onnxruntime.capi import onnxruntime_pybind11_state as state
from zoo.catalog import ENTRIES
from zoo.export import all_exports, export
from zoo.reference import session

import trtcheck

RUNNING = [
    pytest.param(*case, id="-".join([case[0].name, *case[1:]]))
    for case in all_exports(ENTRIES.values())
    if case[0].edit is None and case[1:] not in case[0].cannot_export
]
TEST_DATA = Path("/usr/share/libonnx-testdata/data")
#: Inputs that are sequences, and operators that ONNX Runtime does not have.
UNRUNNABLE = (DecodeError, TypeError, ValueError, state.Fail, state.InvalidGraph, state.NotImplemented)


def bits(value: Any) -> Any:
    """What is compared: sequences and maps by their elements."""
    if isinstance(value, np.ndarray):
        return (value.dtype, value.shape, value.tobytes() if value.dtype != object else value.tolist())
    if isinstance(value, list):
        return [bits(one) for one in value]
    return value


def checked(model: onnx.ModelProto) -> onnx.ModelProto:
    """The simplified model."""
    simple = trtcheck.simplify(model)
    made = simple.model
    assert made.graph.input == model.graph.input
    assert made.graph.output == model.graph.output
    assert simple.after.nodes <= simple.before.nodes
    assert not any("taken back" in line for line in simple.left), simple.left
    twice = trtcheck.simplify(made)
    assert not twice.is_changed, [(one.name, one.title) for one in twice.applied]
    return made


@pytest.mark.parametrize(("entry", "exporter", "mode"), RUNNING)
def test_exports(entry: Any, exporter: str, mode: str) -> None:
    made = export(entry, exporter, mode)
    assert made.path is not None
    model = onnx.load(made.path)
    before, after = session(model), session(checked(model))
    for sizes in made.sizes:
        arguments = zip(entry.inputs, entry.arguments(sizes), strict=True)
        names = {value.name for value in before.get_inputs()}
        feeds = {name: value.numpy() for name, value in arguments if name in names}
        assert bits(after.run(None, feeds)) == bits(before.run(None, feeds))


def test_shape_chains_of_exports() -> None:
    """Of the dynamic exports of the older exporter: most of what computes sizes is gone."""
    before = after = 0
    for entry, exporter, mode in all_exports(ENTRIES.values()):
        made = export(entry, exporter, mode)
        if exporter != "torchscript" or made.path is None:
            continue
        simple = trtcheck.simplify(made.path)
        before += simple.before.shapes
        after += simple.after.shapes
    assert after * 4 < before


def given(model: onnx.ModelProto, folder: Path) -> dict[str, np.ndarray]:
    feeds = {}
    for i, value in enumerate(model.graph.input):
        path = folder / f"input_{i}.pb"
        if not path.exists():
            continue
        tensor = TensorProto()
        tensor.ParseFromString(path.read_bytes())
        feeds[value.name] = numpy_helper.to_array(tensor)
    return feeds


def test_models_of_onnx() -> None:
    """Those of libonnx-testdata that are changed, and that ONNX Runtime runs."""
    compared = 0
    for path in sorted(TEST_DATA.glob("*/*/model.onnx")):
        model = onnx.load(path)
        made = checked(model)
        if made == model:
            continue
        try:
            feeds = given(model, path.parent / "test_data_set_0")
            before = session(model).run(None, feeds)
        except UNRUNNABLE:
            continue
        assert bits(session(made).run(None, feeds)) == bits(before), path.parent.name
        compared += 1
    assert compared > 80
