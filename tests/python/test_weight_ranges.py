"""How far weights reach along an axis, against NumPy: in the file of the model, beside it and in typed fields."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import trtcheck

SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))


def model(weights: np.ndarray, scale: np.ndarray, axis: int, *, is_typed: bool) -> ModelProto:
    """Weights behind a pair; the layer does not matter."""
    stored = numpy_helper.from_array(weights, "w")
    if is_typed:
        values = weights.ravel().tolist()
        stored = helper.make_tensor("w", TensorProto.FLOAT, weights.shape, values)
    half = weights.dtype == np.float16
    attributes = {"axis": axis} if scale.ndim else {}
    nodes = [
        helper.make_node("QuantizeLinear", ["w", "s", "z"], ["q"], name="q", **attributes),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"], name="d", **attributes),
        helper.make_node("Mul", ["x", "d"], ["y"]),
    ]
    element = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", element, weights.shape)],
        [helper.make_tensor_value_info("y", element, weights.shape)],
        [
            stored,
            numpy_helper.from_array(scale.astype(weights.dtype), "s"),
            numpy_helper.from_array(np.zeros(scale.shape, np.int8), "z"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def said(model_or_path: object) -> str:
    report = trtcheck.check(model_or_path, select=["QDQ227"], read_weights=True)
    return "; ".join(finding.message for finding in report.findings)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("turn", range(8))
def test_the_slice_that_is_cut_off_is_the_one_of_numpy(tmp_path: Path, turn: int, dtype: type) -> None:
    rng = np.random.default_rng([SEED, turn])
    shape = tuple(int(n) for n in rng.integers(8, 20, int(rng.integers(2, 5))))
    if turn >= 6:
        shape = (300, 600)  # more than is read with the structure, in several parts
    axis = int(rng.integers(0, len(shape)))
    weights = rng.uniform(-1, 1, shape).astype(dtype)
    place = tuple(int(rng.integers(0, n)) for n in shape)
    weights[place] = rng.choice([-40, 40])
    scale = np.full(shape[axis], 1 / 127)
    where = f"TRTCHECK_SEED={SEED}, {shape}, axis {axis}, {place}"
    expected = (
        f"weights `w` reach 40, their scale ends at 1 at index {place[axis]} of axis {axis}: larger ones are cut off"
    )
    made = model(weights, scale, axis, is_typed=False)
    forms: list[object] = [made.SerializeToString(), tmp_path / "in.onnx", tmp_path / "beside.onnx"]
    onnx.save(made, tmp_path / "in.onnx")
    onnx.save(made, tmp_path / "beside.onnx", save_as_external_data=True, size_threshold=1024, location="w.bin")
    if dtype is np.float32 and weights.size <= 65536:
        forms.append(model(weights, scale, axis, is_typed=True).SerializeToString())
    for form in forms:
        assert re.sub(r"ends at (1|0\.999|1\.0\d*) ", "ends at 1 ", said(form)) == expected, where


def test_weights_that_are_no_numbers_are_left_to_others() -> None:
    weights = np.full((16, 16), 40, np.float32)
    weights[3, 3] = np.nan
    assert said(model(weights, np.array(0.01), 0, is_typed=False).SerializeToString()) == ""


def test_what_fits_is_not_told() -> None:
    rng = np.random.default_rng(SEED)
    for _ in range(20):
        weights = rng.standard_normal((64, 32)).astype(np.float32)
        for axis in (0, 1):
            scale = np.abs(weights).max(axis=1 - axis) / rng.choice([127, 127.5, 128, 100])
            assert said(model(weights, scale, axis, is_typed=False).SerializeToString()) == "", f"TRTCHECK_SEED={SEED}"
