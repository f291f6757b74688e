"""Measured ranges: against NumPy, in every form of samples, and what a check makes of them."""

from __future__ import annotations

import base64
import io
import itertools
import json
import os
import pickle
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import pytest
import torch
from onnxruntime.transformers.float16 import convert_float_to_float16  # type: ignore[import-untyped]
from samples import proto
from test_cli import ROOT, one_line, run
from zoo.catalog import HEALTHY
from zoo.export import all_exports, export

import trtcheck
import trtcheck.torch
from trtcheck import _ranges

pytest_plugins = ["pytester"]

SCHEMA = json.loads((ROOT / "cpp/data/ranges.schema.json").read_text())
SEED = 7

# `scores` becomes large, `y` is small again.
LARGE = """<ir_version: 8, opset_import: ["" : 17]>
main (float[N,8] x) => (float[N,8] y)
<float gain = {40000.0}> {
  scores = Mul (x, gain)
  a = Relu (scores)
  y = Softmax <axis = -1> (a)
}"""
BRANCHES = """<ir_version: 8, opset_import: ["" : 17]>
main (bool c, float[N] x) => (float[N] y) {
  y = If (c) <
    then_branch = yes () => (float[N] t) { s = Exp (x)  t = Neg (s) },
    else_branch = no () => (float[N] e) { e = Relu (x) }
  >
}"""
TWO = """<ir_version: 8, opset_import: ["" : 17]>
main (float[N,2] a, int64[N,2] b) => (float[N,2] y) { f = Cast <to = 1> (b)  y = Add (a, f) }"""


@pytest.fixture
def large(tmp_path: Path) -> Path:
    onnx.save(proto(LARGE), tmp_path / "large.onnx")
    return tmp_path / "large.onnx"


@pytest.fixture
def x(tmp_path: Path) -> Any:
    array = np.random.default_rng(SEED).normal(size=(3, 8)).astype(np.float32)
    np.savez(tmp_path / "x.npz", x=array)
    return array


def facts(tensor: trtcheck.MeasuredTensor) -> tuple[Any, ...]:
    return (tensor.elements, tensor.zeros, tensor.nan, tensor.inf, tensor.neg_inf, tensor.min, tensor.max)


def expected(array: Any) -> tuple[Any, ...]:
    finite = array[np.isfinite(array)]
    return (
        array.size,
        int(np.sum(array == 0)),
        int(np.sum(np.isnan(array))),
        int(np.sum(array == np.inf)),
        int(np.sum(array == -np.inf)),
        float(finite.min()) if finite.size else None,
        float(finite.max()) if finite.size else None,
    )


# --- what is measured ----------------


def test_every_tensor_of_the_main_graph_is_measured(large: Path, x: Any) -> None:
    ranges = trtcheck.measure_ranges(large, {"x": x})
    assert [tensor.name for tensor in ranges.tensors] == ["x", "scores", "a", "y"]
    assert (ranges.samples, ranges.left_out, ranges.model) == (1, 0, str(large))
    assert facts(ranges["x"]) == expected(x)
    assert facts(ranges["scores"]) == expected(x * np.float32(40000))
    assert facts(ranges["a"]) == expected(np.maximum(x * np.float32(40000), 0))
    assert ranges["a"].zeros > 0 and "gain" not in ranges
    with pytest.raises(KeyError, match="gain"):
        ranges["gain"]


def test_nan_and_infinite_numbers_are_counted(tmp_path: Path) -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]>
    main (float[N] x) => (float[N] r, float[N] s) { r = Reciprocal (x)  s = Sqrt (x) }"""
    x = np.array([0.0, -0.0, -4.0, np.inf, 9.0], np.float32)
    ranges = trtcheck.measure_ranges(proto(text), {"x": x})
    with np.errstate(all="ignore"):
        assert facts(ranges["r"]) == expected(1 / x)
        assert facts(ranges["s"]) == expected(np.sqrt(x))
    nothing = trtcheck.measure_ranges(proto(text), {"x": np.full(3, np.nan, np.float32)})
    assert facts(nothing["r"]) == (3, 0, 3, 0, 0, None, None)
    assert facts(trtcheck.measure_ranges(proto(text), {"x": x[:0]})["r"]) == (0, 0, 0, 0, 0, None, None)


def test_samples_add_up_and_parts_of_the_graph_give_the_same(
    large: Path, x: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [{"x": x}, {"x": 10 * x[:1]}]
    whole = trtcheck.measure_ranges(large, runs)
    assert facts(whole["x"]) == expected(np.concatenate([x, 10 * x[:1]]))
    assert whole.samples == 2
    monkeypatch.setattr(_ranges, "_MOST_BYTES", 1)
    assert trtcheck.measure_ranges(large, iter(runs)).to_json() == whole.to_json()


def test_inner_tensors_are_left_out_and_counted(tmp_path: Path) -> None:
    ranges = trtcheck.measure_ranges(proto(BRANCHES), {"c": np.array(True), "x": np.ones(2, np.float32)})
    assert [tensor.name for tensor in ranges.tensors] == ["x", "y"]
    assert ranges.left_out == 3
    assert ranges["y"].max == pytest.approx(-np.e)


def test_external_data_is_found_where_it_is(tmp_path: Path) -> None:
    weights = np.random.default_rng(SEED).normal(size=(8, 8)).astype(np.float32)
    model = proto(LARGE.replace("<float gain = {40000.0}>", "").replace("Mul (x, gain)", "MatMul (x, w)"))
    model.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    folder = tmp_path / "model"
    folder.mkdir()
    onnx.save(model, folder / "a.onnx", save_as_external_data=True, location="a.data", size_threshold=0)
    (tmp_path / "link.onnx").symlink_to(folder / "a.onnx")
    before = sorted(folder.iterdir())
    for path in (folder / "a.onnx", tmp_path / "link.onnx"):
        ranges = trtcheck.measure_ranges(path, {"x": np.eye(8, dtype=np.float32)})
        assert facts(ranges["scores"]) == pytest.approx(expected(weights))
    inside = onnx.load(folder / "a.onnx", load_external_data=False)
    ranges = trtcheck.measure_ranges(inside, {"x": np.eye(8, dtype=np.float32)}, base_dir=folder)
    assert facts(ranges["scores"]) == pytest.approx(expected(weights))
    assert sorted(folder.iterdir()) == before


def test_float16_that_overflows_is_infinite() -> None:
    text = LARGE.replace("float", "float16").replace("40000.0", str(np.float16(40000).view(np.uint16)))
    ranges = trtcheck.measure_ranges(proto(text), {"x": np.array([[1, 2, -3, 0, 0, 0, 0, 0.5]], np.float16)})
    assert (ranges["scores"].inf, ranges["scores"].neg_inf, ranges["scores"].max) == (1, 1, 40000)
    report = trtcheck.check(proto(text), target="11.1", ranges=ranges)
    (told,) = [finding for finding in report.findings if finding.code == "NUM301"]
    assert told.message == "`scores` became infinite with these samples (2 of 8 elements): it overflowed FP16"


# --- samples ----------------


def test_an_axis_more_is_several_samples(large: Path, x: Any, tmp_path: Path) -> None:
    np.savez(tmp_path / "stacked.npz", x=np.stack([x, 2 * x]))
    stacked = trtcheck.measure_ranges(large, tmp_path / "stacked.npz")
    assert stacked.samples == 2
    assert stacked.to_json() == trtcheck.measure_ranges(large, [{"x": x}, {"x": 2 * x}]).to_json()


def test_polygraphys_inputs(large: Path, x: Any, tmp_path: Path) -> None:
    def encoded(array: Any) -> dict[str, str]:
        file = io.BytesIO()
        np.save(file, array, allow_pickle=False)
        return {"array": base64.b64encode(file.getvalue()).decode(), "polygraphy_class": "ndarray"}

    path = tmp_path / "inputs.json"
    path.write_text(json.dumps([{"x": encoded(x)}, {"x": encoded(2 * x)}]))
    saved = trtcheck.measure_ranges(large, path)
    assert saved.to_json() == trtcheck.measure_ranges(large, [{"x": x}, {"x": 2 * x}]).to_json()
    path.write_text(json.dumps([{"x": [1, 2]}]))
    with pytest.raises(trtcheck.Error, match="is no list of inputs as Polygraphy's --save-inputs"):
        trtcheck.measure_ranges(large, path)
    path.write_text(json.dumps([{"x": {"array": "AAAA"}}]))
    with pytest.raises(trtcheck.Error, match="`x` is no array of NumPy in base64"):
        trtcheck.measure_ranges(large, path)


def test_arrays_by_position_and_of_another_width(tmp_path: Path) -> None:
    np.savez(tmp_path / "both.npz", np.full((1, 2), 0.5), np.array([[3, 4]], np.int32))
    ranges = trtcheck.measure_ranges(proto(TWO), tmp_path / "both.npz")
    assert (ranges["y"].min, ranges["y"].max) == (3.5, 4.5)
    assert "b" not in ranges  # INT64 has no range that matters


@pytest.mark.parametrize(
    ("arrays", "cause"),
    [
        ({"a": np.ones((1, 2))}, "holds nothing for input `b`"),
        ({"a": np.ones((1, 2)), "c": np.ones((1, 2))}, "the model has no input `c`, there is `a`"),
        ({"a": np.ones(2), "b": np.ones((1, 2), int)}, "`a` has 1 axis, the model expects 2"),
        ({"a": np.ones((1, 2)), "b": np.ones((1, 2))}, "`b` is float64, the model expects int64"),
        (
            {"a": np.ones((3, 1, 2)), "b": np.ones((2, 1, 2), int)},
            "holds different numbers of samples: 3 of `a`, 2 of `b`",
        ),
        ({"a": np.ones((1, 2), bool), "b": np.ones((1, 2), int)}, "`a` is bool, the model expects float32"),
        ({"a": np.ones((1, 2), np.int32), "b": np.ones((1, 2), int)}, "`a` is int32, the model expects float32"),
        (
            {"a": np.array([[1, 1e300]]), "b": np.ones((1, 2), int)},
            "`a` holds 1e+300, which is too large for float32 of the model",
        ),
        (
            {"a": np.ones((1, 2)), "b": np.full((1, 2), 2**63, np.uint64)},
            "`b` holds 9223372036854775808, which is too large for int64 of the model",
        ),
        ({"a": np.array([["one", "two"]]), "b": np.ones((1, 2), int)}, "`a` is <U3, the model expects float32"),
        ({"a": np.ones((1, 3)), "b": np.ones((1, 2), int)}, "ONNX Runtime cannot run it on these samples"),
    ],
)
def test_samples_that_do_not_fit(tmp_path: Path, arrays: dict[str, Any], cause: str) -> None:
    onnx.save(proto(TWO), tmp_path / "two.onnx")
    np.savez(tmp_path / "s.npz", **arrays)
    said = one_line(run("ranges", tmp_path / "two.onnx", "--data", tmp_path / "s.npz"))
    assert cause in said and str(tmp_path) in said


SCALAR = """<ir_version: 8, opset_import: ["" : 17]>
main (float[2,8] x, int64 n) => (float[2,8] y) <bool yes = {1}> {
  y = Loop (n, yes, x) <body = turn (int64 i, bool go, float[2,8] a) => (bool on, float[2,8] b) {
    on = Identity (go)  b = Add (a, a) }>
}"""


def test_a_scalar_in_each_of_several_samples(tmp_path: Path) -> None:
    x = np.random.default_rng(SEED).normal(size=(3, 2, 8)).astype(np.float32)
    np.savez(tmp_path / "s.npz", x=x, n=np.array([3, 4, 5]))
    ranges = trtcheck.measure_ranges(proto(SCALAR), tmp_path / "s.npz")
    assert ranges.samples == 3
    assert facts(ranges["y"]) == expected(np.stack([x[0] * 8, x[1] * 16, x[2] * 32]))
    assert ranges.to_json() == trtcheck.measure_ranges(proto(SCALAR), {"x": x, "n": np.array([3, 4, 5])}).to_json()


def test_an_array_of_columns_and_one_without_samples(large: Path, x: Any, tmp_path: Path) -> None:
    stacked = np.stack([x, 2 * x])
    np.savez(tmp_path / "c.npz", x=stacked)
    np.savez(tmp_path / "f.npz", x=np.asfortranarray(stacked))
    measured = [trtcheck.measure_ranges(large, tmp_path / name).to_json() for name in ("c.npz", "f.npz")]
    assert measured[0] == measured[1]
    np.savez(tmp_path / "none.npz", x=stacked[:0])
    assert one_line(run("ranges", large, "--data", tmp_path / "none.npz")) == "there is no sample"


def npy(header: str, content: bytes = b"") -> bytes:
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (
            npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 3000)}", bytes(64)),
            "`x` is no array of NumPy: its header says 12000000000000 bytes, it has 64",
        ),
        (npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 8)}"), "`x` is no array of NumPy: a size of its"),
        (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"), "`x` is no array of NumPy: it holds objects"),
        (npy("{'descr': '<f4'}"), "`x` is no array of NumPy: Header does not contain the correct keys"),
        (b"\x93NUMPY\x09\x00", "`x` is no array of NumPy: version 9.0"),
        (b"", "`x` is no array of NumPy: "),
    ],
)
def test_a_member_that_lies(large: Path, tmp_path: Path, content: bytes, cause: str) -> None:
    with zipfile.ZipFile(tmp_path / "s.npz", "w") as archive:
        archive.writestr("x.npy", content)
    said = one_line(run("ranges", large, "--data", tmp_path / "s.npz"))
    assert said.startswith(f"{tmp_path / 's.npz'}: {cause}")
    encoded = {"x": {"array": base64.b64encode(content).decode()}}
    (tmp_path / "s.json").write_text(json.dumps([encoded]))
    said = one_line(run("ranges", large, "--data", tmp_path / "s.json"))
    assert said.startswith(f"{tmp_path / 's.json'}: {cause.replace('NumPy', 'NumPy in base64')}")


def test_a_damaged_archive_and_a_deep_document(large: Path, x: Any, tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "s.npz", x=x)
    content = bytearray((tmp_path / "s.npz").read_bytes())
    content[60:90] = bytes(30)
    (tmp_path / "s.npz").write_bytes(content)
    said = one_line(run("ranges", large, "--data", tmp_path / "s.npz"))
    assert said.startswith(f"{tmp_path / 's.npz'}: `x` is no array of NumPy: ")
    (tmp_path / "s.json").write_text("[" * 100_000)
    said = one_line(run("ranges", large, "--data", tmp_path / "s.json"))
    assert said == f"{tmp_path / 's.json'}: is no list of inputs: it is nested too deep"


MEASURE = """
import re, sys, trtcheck
ranges = trtcheck.measure_ranges(sys.argv[1], sys.argv[2])
# That of getrusage counts what the parent had before.
kilobytes = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
print(ranges.samples, ranges["y"].max, int(kilobytes) // 1024)
"""


@pytest.mark.parametrize("columns", [False, True], ids=["rows", "scalars-beside"])
def test_samples_are_read_one_after_the_other(columns: bool, tmp_path: Path) -> None:
    """512 MB of samples in a file of 0.5 MB."""
    text = """<ir_version: 8, opset_import: ["" : 17]>
    main (float[N] x, float s) => (float[N] y) { y = Add (x, s) }"""
    onnx.save(proto(text), tmp_path / "m.onnx")
    with zipfile.ZipFile(tmp_path / "s.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, shape in (("x", (512, 1 << 18)), ("s", (512,) if columns else ())):
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                file.write(npy(f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}"))
                for _ in range(shape[0] if shape else 1):
                    file.write(np.full(shape[1:], 0.5, "<f4").tobytes())
    assert (tmp_path / "s.npz").stat().st_size < 1 << 20
    words = [sys.executable, "-c", MEASURE, tmp_path / "m.onnx", tmp_path / "s.npz"]
    samples, largest, megabytes = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    assert (samples, largest) == ("512", "1.0")
    assert int(megabytes) < 300


def test_no_sample_and_no_samples(large: Path, tmp_path: Path) -> None:
    with pytest.raises(trtcheck.Error, match="there is no sample"):
        trtcheck.measure_ranges(large, [])
    with pytest.raises(TypeError, match="expected files and mappings of arrays, not int"):
        trtcheck.measure_ranges(large, [3])  # type: ignore[list-item]
    (tmp_path / "a.npz").write_text("nothing")
    assert one_line(run("ranges", large, "--data", tmp_path / "a.npz")).endswith(
        "a.npz: is no .npz of NumPy (nor a .json of Polygraphy)"
    )
    assert one_line(run("ranges", large, "--data", tmp_path / "b.npz")).endswith("b.npz: No such file or directory")
    (tmp_path / "c.json").write_text("nothing")
    assert one_line(run("ranges", large, "--data", tmp_path / "c.json")).endswith("c.json: is not JSON")


def test_what_onnx_runtime_does_not_know(tmp_path: Path) -> None:
    model = proto("""<ir_version: 8, opset_import: ["" : 17, "mine" : 1]>
    main (float[N] x) => (float[N] y) { y = mine.Foo (x) }""")
    with pytest.raises(trtcheck.Error, match=r"ONNX Runtime cannot load it: .*Foo"):
        trtcheck.measure_ranges(model, {"x": np.ones(2, np.float32)})


# --- the program ----------------


def test_the_program_measures_saves_and_checks(large: Path, x: Any, tmp_path: Path) -> None:
    saved = tmp_path / "ranges.json"
    ran = run("ranges", large, "--data", tmp_path / "x.npz", "--data", tmp_path / "x.npz", "--save", saved)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[0] == f"{large}: 4 floating point tensors, 2 samples"
    assert ran.stdout.splitlines()[1].split() == ["tensor", "type", "min", "max", "zeros", "NaN", "infinite"]
    assert [line.split()[0] for line in ran.stdout.splitlines()[2:]] == ["x", "scores", "a", "y"]
    document = json.loads(saved.read_text())
    jsonschema.validate(document, SCHEMA)
    assert document == json.loads(run("ranges", large, "--data", tmp_path / "x.npz", "--data", tmp_path / "x.npz",
                                      "--output-format", "json").stdout)  # fmt: skip
    assert trtcheck.read_ranges(saved).to_json() == saved.read_text()

    checked = run("check", "--target", "10.3", "--precision", "fp16", "--ranges", saved, large)
    largest = f"{np.abs(x).max() * np.float32(40000):,.0f}"
    assert (
        f"warning[NUM301] measured-overflow: `scores` reached {'' if x.max() >= -x.min() else '-'}{largest} with "
        in (checked.stdout.replace("\n  ", " "))
    )
    without = run("check", "--target", "10.3", "--precision", "fp16", large)
    assert "NUM301" not in without.stdout


def test_ranges_of_another_model_are_refused(large: Path, x: Any, tmp_path: Path) -> None:
    saved = tmp_path / "ranges.json"
    saved.write_text(trtcheck.measure_ranges(large, {"x": x}).to_json())
    onnx.save(proto(LARGE.replace("scores", "score")), tmp_path / "other.onnx")
    said = one_line(
        run("check", "--no-config", "--output-format", "concise", "--quiet", "--ranges", saved, tmp_path / "other.onnx")
    )
    assert said == (
        f"{tmp_path / 'other.onnx'}: {saved}: was measured on another model than {tmp_path / 'other.onnx'}: it has no "
        "tensor `scores`, did you mean `score`?; measure it anew with `trtcheck ranges`"
    )


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"schema_version": 2}, "is a file of ranges of version 2, this trtcheck reads version 1; measure them anew"),
        ({"samples": -1}, "is no file of ranges of trtcheck: `samples` of it is no number from 0 on"),
        ({"tensors": {}}, "is no file of ranges of trtcheck: `tensors` of it is no list"),
        ({"tensors": [{}]}, "is no file of ranges of trtcheck: entry 0 of `tensors` has no `name`"),
        ({"tensors": [3]}, "is no file of ranges of trtcheck: entry 0 of `tensors` is no object"),
    ],
)
def test_files_that_are_none(large: Path, x: Any, tmp_path: Path, change: dict[str, Any], cause: str) -> None:
    document = json.loads(trtcheck.measure_ranges(large, {"x": x}).to_json())
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(document | change))
    with pytest.raises(trtcheck.Error) as caught:
        trtcheck.read_ranges(path)
    assert caught.value.path == str(path) and cause in caught.value.cause
    assert cause in one_line(run("check", "--quiet", "--ranges", path, large))


def test_min_beyond_max_and_a_name_twice(large: Path, x: Any, tmp_path: Path) -> None:
    document = json.loads(trtcheck.measure_ranges(large, {"x": x}).to_json())
    path = tmp_path / "wrong.json"
    first = document["tensors"][0]
    for tensors, cause in (
        ([first | {"min": 3, "max": 2}], "`min` and `max` of entry 0 of `tensors` are no range"),
        ([first | {"min": None}], "`min` and `max` of entry 0 of `tensors` are no range"),
        ([first, first], "`x` stands twice in `tensors`"),
        ([first | {"type": "INT8"}], "`type` of entry 0 of `tensors` is no FLOAT, FLOAT16, BFLOAT16 or DOUBLE"),
    ):
        path.write_text(json.dumps(document | {"tensors": tensors}))
        with pytest.raises(trtcheck.Error, match=cause):
            trtcheck.read_ranges(path)


def test_python_that_cannot(large: Path, x: Any, tmp_path: Path) -> None:
    words = ("ranges", large, "--data", tmp_path / "x.npz")
    said = one_line(run(*words, env={"TRTCHECK_PYTHON": str(tmp_path / "no-python")}))
    assert said.startswith(f"{tmp_path / 'no-python'}: cannot be started") and "pip install onnxruntime" in said
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(bare.stat().st_mode | stat.S_IXUSR)
    said = one_line(run(*words, env={"TRTCHECK_PYTHON": str(bare)}))
    assert said.startswith(
        f"{bare}: there is no trtcheck in this Python; ranges are measured by Python with ONNX Runtime"
    )
    # A folder in the way, as if ONNX Runtime were not installed.
    (tmp_path / "hidden/onnxruntime").mkdir(parents=True)
    (tmp_path / "hidden/onnxruntime/__init__.py").write_text("raise ImportError('not here')\n")
    paths = os.pathsep.join([str(tmp_path / "hidden"), os.environ.get("PYTHONPATH", "")])
    said = one_line(run(*words, env={"TRTCHECK_PYTHON": sys.executable, "PYTHONPATH": paths}))
    assert said == "measuring ranges needs ONNX Runtime: `pip install onnxruntime` (not here)"


def test_the_working_folder_is_no_library(large: Path, x: Any, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("trtcheck.py", "onnxruntime.py", "numpy.py"):
        (folder / name).write_text("raise SystemExit('taken from the working folder')\n")
    ran = run("ranges", large, "--data", tmp_path / "x.npz", cwd=folder, env={"TRTCHECK_PYTHON": sys.executable})
    assert (ran.returncode, ran.stderr) == (0, "")


# --- check ----------------


def test_findings_by_every_way(large: Path, x: Any, tmp_path: Path) -> None:
    saved = tmp_path / "r.json"
    ranges = trtcheck.measure_ranges(large, {"x": x})
    saved.write_text(ranges.to_json())
    half = {"target": "10.3", "precision": "fp16"}
    reports = [
        trtcheck.check(large, ranges=ranges, **half),  # type: ignore[arg-type]
        trtcheck.check(large, ranges=saved, **half),  # type: ignore[arg-type]
        trtcheck.check(trtcheck.analyze(large), ranges=pickle.loads(pickle.dumps(ranges)), **half),  # type: ignore[arg-type]
        trtcheck.load_settings(large, config=False, ranges=saved, **half).check(large),  # type: ignore[arg-type]
        pickle.loads(pickle.dumps(trtcheck.load_settings(large, ranges=saved, **half))).check(large),  # type: ignore[arg-type]
    ]
    (tmp_path / "trtcheck.toml").write_text('target = "10.3"\nprecision = "fp16"\nranges = "r.json"\n')
    reports.append(trtcheck.load_settings(large).check(large))
    for report in reports:
        assert [finding.code for finding in report.findings] == ["NUM301"]
        assert "with these samples" in report.findings[0].message
    assert trtcheck.check(large, **half).findings == []  # type: ignore[arg-type]
    with pytest.raises(trtcheck.Error, match="was measured on another model"):
        trtcheck.check(proto(BRANCHES), ranges=ranges)


def test_what_is_told_of_float_comes_true_in_float16() -> None:
    """Large inputs for the healthy models of the zoo, converted by ONNX Runtime's own tool and run in FLOAT16."""
    told = 0
    for case in all_exports(HEALTHY):
        if case[1:] in case[0].cannot_export or case[1:] != ("torchscript", "static"):
            continue
        model = onnx.load(export(*case).path)
        if any(node.op_type == "QuantizeLinear" for node in model.graph.node):
            continue
        samples = {each.name: large_array(each.type.tensor_type) for each in model.graph.input}
        ranges = trtcheck.measure_ranges(model, samples)
        found = trtcheck.check(model, target="10.3", precision="fp16", ranges=ranges)
        half = trtcheck.measure_ranges(convert_float_to_float16(model), samples)
        for value in {finding.value for finding in found.findings if finding.code == "NUM301"}:
            if value in half:
                told += 1
                assert half[value].inf + half[value].neg_inf + half[value].nan > 0, (case[0].name, value)
    assert told > 20


def large_array(tensor: onnx.TypeProto.Tensor) -> Any:
    shape = [dim.dim_value for dim in tensor.shape.dim]
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    rng = np.random.default_rng(SEED)
    if dtype.kind == "f":
        return np.clip(rng.normal(scale=3e4, size=shape), -6e4, 6e4).astype(dtype)
    return rng.integers(0, 2, shape).astype(dtype)


def test_the_marker_of_a_test_and_the_assertion(large: Path, x: Any, pytester: pytest.Pytester) -> None:
    Path("r.json").write_text(trtcheck.measure_ranges(large, {"x": x}).to_json())
    pytester.makepyfile(f"""
        import pytest, trtcheck

        @pytest.mark.trtcheck(target="10.3", precision="fp16", ranges="r.json", fail_on="warning")
        def test_large():
            trtcheck.assert_convertible({str(large)!r})
    """)
    ran = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(["*NUM301*measured-overflow*"])


def test_a_module_and_a_loader() -> None:
    class Large(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.softmax(torch.relu(x * 40000.0), -1)

    batches = [(torch.full((2, 8), float(value)), torch.zeros(2)) for value in (1, 3)]
    images = batches[0][0]
    ranges = trtcheck.torch.measure_ranges(
        Large().eval(), itertools.islice(batches, 2), (images,), exporter="torchscript"
    )
    assert (ranges.samples, ranges["/Mul_output_0"].max, ranges.model) == (2, 120000, "")
    half = {"target": "10.3", "precision": "fp16"}
    report = trtcheck.torch.check_module(Large().eval(), (images,), exporter="torchscript", ranges=ranges, **half)
    assert [finding.code for finding in report.findings] == ["NUM301"]
    by_name = trtcheck.torch.measure_ranges(
        Large().eval(), [{"image": images}], images, exporter="torchscript", input_names=["image"]
    )
    assert by_name["image"].max == 1
    with pytest.raises(trtcheck.Error, match="there is no sample"):
        trtcheck.torch.measure_ranges(Large().eval(), [])
    with pytest.raises(trtcheck.Error, match="batch 0 has 0 tensors, the export 1 inputs"):
        trtcheck.torch.measure_ranges(Large().eval(), [()], images, exporter="torchscript")


# --- weights ----------------


def test_weights_are_read_when_somebody_asks(tmp_path: Path) -> None:
    weights = np.ones((8, 8), np.float32)
    weights[0, :3] = [np.nan, np.inf, -np.inf]
    model = proto(LARGE.replace("<float gain = {40000.0}>", "").replace("Mul (x, gain)", "MatMul (x, w)"))
    model.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    path = tmp_path / "a.onnx"
    onnx.save(model, path, save_as_external_data=True, location="a.data", size_threshold=0)
    assert trtcheck.check(path).findings == []
    (told,) = trtcheck.check(path, read_weights=True).findings
    assert (told.code, told.message) == ("NUM103", "3 elements of weights `w` are infinite or NaN")
    assert "NUM103" in run("check", "--read-weights", path).stdout
    assert "NUM103" in str(trtcheck.load_settings(path, read_weights=True).check(path))


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float64"])
def test_weights_of_every_type(kind: str, tmp_path: Path) -> None:
    import ml_dtypes

    dtype = np.dtype(getattr(ml_dtypes, kind, None) or kind)
    weights = np.random.default_rng(SEED).normal(size=(300, 400)).astype(dtype)
    weights[5, 7], weights[299, 399], weights[0, 0] = np.inf, -np.inf, np.nan
    element = {"float16": "float16", "bfloat16": "bfloat16", "float64": "double"}[kind]
    model = proto(f"""<ir_version: 8, opset_import: ["" : 17]>
    main ({element}[N,300] x) => ({element}[N,400] y) {{ y = MatMul (x, w) }}""")
    model.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    told = [f.message for f in trtcheck.check(model, read_weights=True).findings if f.code == "NUM103"]
    assert told == ["3 elements of weights `w` are infinite or NaN"]
    assert "NUM103" not in {finding.code for finding in trtcheck.check(model).findings}
