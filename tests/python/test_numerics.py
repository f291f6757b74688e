"""What becomes of weights in FP16, against NumPy's conversion."""

from __future__ import annotations

import re
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import pytest

import trtcheck

HALF = {"target": "10.3", "precision": "fp16"}


def model(weights: np.ndarray) -> onnx.ModelProto:
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["x", "w"], ["y"], name="dot")],
        "g",
        [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["N", weights.shape[0]])],
        [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, ["N", weights.shape[1]])],
        [onnx.numpy_helper.from_array(weights, "w")],
    )
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)


def random_weights(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 400, 2)
    low, high = [(-30, 14), (-16, -6)][seed % 2]
    weights = np.exp(rng.uniform(low, high, shape)) * rng.choice([-1, 1], shape)
    edges = [0, -0.0, 65504, 65519, 65520, 65535, 2.0**-24, 2.0**-25, 3 * 2.0**-26, 2.0**-26, np.inf, -np.inf, np.nan]
    for edge in edges:
        weights[rng.random(shape) < rng.choice([0, 0.01])] = edge
    return weights.astype(np.float32)


def counts(report: trtcheck.Report) -> dict[str, int]:
    """Elements that a rule tells of, by rule."""
    return {f.code: int(re.match(r"(\d+) element", f.message)[1]) for f in report if f.code.startswith("NUM")}  # type: ignore[index]


def expected(weights: np.ndarray) -> dict[str, int]:
    with np.errstate(over="ignore", under="ignore"):
        half = weights.astype(np.float16)
    made = {
        "NUM101": int(np.sum(np.isinf(half) & np.isfinite(weights))),
        "NUM102": int(np.sum((half == 0) & (weights != 0))),
        "NUM103": int(np.sum(~np.isfinite(weights))),
    }
    if made["NUM102"] * 10 < weights.size:
        subnormal = int(np.sum((half != 0) & (np.abs(half) < np.finfo(np.float16).tiny)))
        made["NUM102"] = subnormal if (subnormal + made["NUM102"]) * 2 >= weights.size else 0
    return {code: number for code, number in made.items() if number}


@pytest.mark.parametrize("seed", range(12))
def test_counts_are_those_of_numpy(tmp_path: Path, seed: int) -> None:
    weights = random_weights(seed)
    if weights.size == 1:
        pytest.skip("one element is told as a constant")
    made = model(weights)
    assert counts(trtcheck.check(made.SerializeToString(), **HALF)) == expected(weights), f"seed {seed}"
    path = tmp_path / "m.onnx"
    onnx.save(made, path, save_as_external_data=True, size_threshold=0, location="w.bin")
    assert counts(trtcheck.check(path, **HALF)) == expected(weights), f"seed {seed}, external data"


def test_large_weights_in_the_file_of_the_model(tmp_path: Path) -> None:
    """They are stepped over when the model is read."""
    weights = np.zeros((600, 700), np.float32)
    weights[5, 5], weights[7, 600] = np.nan, 1e30
    path = tmp_path / "m.onnx"
    onnx.save(model(weights), path)
    assert path.stat().st_size > 1 << 20
    assert counts(trtcheck.check(path, **HALF)) == expected(weights) == {"NUM101": 1, "NUM103": 1}
    read = trtcheck.read_model(path)
    onnx.save(model(np.zeros((600, 700), np.float32)), path)
    assert counts(trtcheck.check(read, **HALF)) == {}, "a file that was written to is not looked at any more"


def test_nobody_looks_unless_asked(tmp_path: Path) -> None:
    made = model(np.full((4, 4), 1e6, np.float32))
    assert counts(trtcheck.check(made.SerializeToString(), **HALF)) == {"NUM101": 16}
    for options in ({"target": "10.3"}, {"target": "10.3", "precision": "bf16"}):
        assert counts(trtcheck.check(made.SerializeToString(), **options)) == {}


def test_the_range_of_bfloat16() -> None:
    largest = np.array([0x7F7F7FFF], np.uint32).view(np.float32)[0]
    weights = np.array([[largest, np.nextafter(largest, np.float32(np.inf)), np.finfo(np.float32).max, 1]], np.float32)
    infinite = int(np.isinf(weights.astype(ml_dtypes.bfloat16)).sum())
    assert infinite == 2
    report = trtcheck.check(model(weights).SerializeToString(), target="10.3", precision="bf16")
    assert counts(report) == {"NUM101": infinite}


def test_weights_that_cannot_be_read_are_not_judged(tmp_path: Path) -> None:
    made = model(np.full((64, 64), 1e6, np.float32))
    path = tmp_path / "m.onnx"
    onnx.save(made, path, save_as_external_data=True, size_threshold=0, location="w.bin")
    data = (tmp_path / "w.bin").read_bytes()
    (tmp_path / "w.bin").write_bytes(data[:-4])
    report = trtcheck.check(path, **HALF)
    assert counts(report) == {}
    assert "MDL201" in {f.code for f in report}
    (tmp_path / "w.bin").unlink()
    assert counts(trtcheck.check(path, **HALF)) == {}
