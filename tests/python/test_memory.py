"""`trtcheck memory` and `trtcheck.memory`: by hand, and beside what ONNX Runtime allocates for the same models."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper, numpy_helper

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".venv/bin/trtcheck"
SCHEMA = json.loads((ROOT / "cpp/data/memory.schema.json").read_text())
KB = 1024


def model(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> {text}')


def point(text: str) -> trtcheck.MemoryPoint:
    (made,) = trtcheck.memory(model(text)).points
    return made


#: The model; sum, peak and peak where pointwise operators write over what they read, in KB of 256 floats.
COUNTED = {
    "a chain": ("m (float[256] x) => (float[256] y) { a = Neg (x) b = Neg (a) c = Neg (b) y = Neg (c) }", 3, 2, 1),
    "a branch that waits": (
        "m (float[256] x) => (float[256] y) { a = Sin (x) b = Sin (a) c = Sin (b) y = Add (a, c) }", 3, 3, 3,
    ),
    "inputs and outputs are the caller's": ("m (float[256] x) => (float[256] y) { y = Neg (x) }", 0, 0, 0),
    "views make nothing": (
        "m (float[256] x) => (float[256] y) <int64[2] t = {16, 16}> {"
        " a = Sin (x) b = Reshape (a, t) c = Flatten <axis = 0> (b) d = Squeeze (c) y = Sin (d) }",
        1, 1, 1,
    ),
    "a view of an input": (
        "m (float[256] x) => (float[16,16] y) <int64[2] t = {16, 16}> { b = Reshape (x, t) y = Sin (b) }", 0, 0, 0,
    ),
    "constants are weights": (
        "m (float[256] x) => (float[256] y) { a = Neg (x) k = Constant <value_float = 1.0> () y = Add (a, k) }",
        1, 1, 1,
    ),
    "types": ("m (float[256] x) => (float16[256] y) { a = Cast <to = 10> (x) y = Neg (a) }", 0.5, 0.5, 0.5),
    "read twice": (
        "m (float[256] x) => (float[256] y) { a = Sin (x) b = Neg (a) c = Mul (a, b) y = Sin (c) }", 3, 3, 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTED)
def test_counted_by_hand(name: str) -> None:
    text, sum_, peak, fused = COUNTED[name]
    made = point(text)
    assert (made.sum, made.peak, made.fused_peak) == (sum_ * KB, peak * KB, fused * KB)
    assert max(made.live) == made.peak
    assert made.name == "static" and made.unknown == 0


def test_inputs_outputs_and_weights() -> None:
    given = model("""m (float[256] x, int64[2] i) => (float[256] y, float16[8] z) {
      y = Neg (x)
      z = Cast <to = 10> (w)
    }""")
    given.graph.initializer.append(numpy_helper.from_array(np.ones(8, np.float32), "w"))
    given.graph.initializer.append(numpy_helper.from_array(np.ones(3, np.int8), "other"))
    report = trtcheck.memory(given)
    (made,) = report.points
    assert (made.inputs, made.outputs) == (KB + 16, KB + 16)
    assert [(each.type, each.count, each.bytes) for each in report.weights] == [("FLOAT", 1, 32), ("INT8", 1, 3)]
    assert report.weight_bytes == 35


def test_bodies_count_while_they_run() -> None:
    made = point("""m (float[256] x, bool c) => (float[256] y) {
      a = Sin (x)
      b = If (c) <
        then_branch = t () => (float[256] u) { p = Sin (a) q = Sin (p) u = Sin (q) },
        else_branch = e () => (float[256] v) { v = Sin (a) }
      >
      y = Sin (b)
    }""")
    # a, b, and two of p, q and u.
    assert made.peak == 4 * KB
    assert made.peak_op_type == "If"


DYNAMIC = "m (float[N,256] x) => (float[N,256] y) { [first] a = Sin (x) [second] b = Sin (a) [third] y = Sin (b) }"


def test_sizes_of_a_profile() -> None:
    report = trtcheck.memory(model(DYNAMIC), profile={"x": ((1, 256), (4, 256), (16, 256))})
    assert [(each.name, each.peak) for each in report.points] == [("min", 2 * KB), ("opt", 8 * KB), ("max", 32 * KB)]
    assert not report.is_proposed
    assert report.points[2].peak_node == "second"
    assert [(each.name, each.bytes, each.op_type) for each in report.points[2].peak_tensors] == [
        ("a", 16 * KB, "Sin"),
        ("b", 16 * KB, "Sin"),
    ]
    proposed = trtcheck.memory(model(DYNAMIC))
    assert proposed.is_proposed and list(proposed.profile) == ["x"]


def test_what_is_not_known_is_said() -> None:
    made = point("m (float[8] x) => (int64[1,n] y) { a = NonZero (x) b = Neg (a) y = Neg (b) }")
    assert made.unknown == 3


def test_the_line_of_the_program() -> None:
    report = trtcheck.memory(ROOT / "examples/models/case0_channel_shuffle.onnx")
    assert report.points[-1].peak_tensors[0].source is not None


class TestWarnings:
    def test_more_elements_than_are_counted(self) -> None:
        given = model(DYNAMIC)
        large = trtcheck.memory(given, profile={"x": ((1, 256), (1, 256), (1 << 23, 256))})
        assert [each.node for each in large.warnings] == ["", "first", "second", "third"]
        assert "2147483648 elements at max" in large.warnings[0].text
        near = trtcheck.memory(given, profile={"x": ((1, 256), (1, 256), ((1 << 23) - 1, 256))})
        assert near.warnings == []

    @pytest.mark.parametrize(
        ("release", "body", "count"),
        [
            ("11.2", "a = Softmax (x) b = Mul (a, w) y = Softmax (b)", 1),
            ("11.3", "a = Softmax (x) b = Mul (a, w) y = Softmax (b)", 0),
            ("11.2", "a = Softmax (x) b = Mul (a, w) c = Relu (b) y = Softmax (c)", 0),
            ("11.2", "a = Softmax (x) b = Transpose (a) y = Softmax (b)", 0),
        ],
    )
    def test_a_pointwise_operator_that_stands_alone(self, release: str, body: str, count: int) -> None:
        given = model(f"m (float[4096,8192] x) => (float[4096,8192] y) <float[1] w = {{2}}> {{ {body} }}")
        warnings = trtcheck.memory(given, target=release).warnings
        assert len(warnings) == count
        assert all("7 times" in each.text for each in warnings)


# --- beside ONNX Runtime ---

RUN = """
import ctypes, json, sys
import numpy as np, onnxruntime
counted = ctypes.CDLL(None)
counted.counted_live.restype = counted.counted_peak.restype = ctypes.c_size_t
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
options.enable_cpu_mem_arena = options.enable_mem_pattern = options.enable_mem_reuse = False
options.intra_op_num_threads = 1
made = []
for path in sys.argv[1:]:
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for each in session.get_inputs():
        binding.bind_cpu_input(each.name, np.ones(each.shape, np.float32))
    kept = [onnxruntime.OrtValue.ortvalue_from_shape_and_type(each.shape, np.float32) for each in session.get_outputs()]
    for each, value in zip(session.get_outputs(), kept):
        binding.bind_ortvalue_output(each.name, value)
    session.run_with_iobinding(binding)
    counted.counted_restart()
    before = counted.counted_live()
    session.run_with_iobinding(binding)
    made.append(counted.counted_peak() - before)
print(json.dumps(made))
"""


def random_model(seed: int) -> onnx.ModelProto:
    """Some 25 nodes, each of which reads the one before: there is one order in which they can run."""
    rng = random.Random(seed)
    known = {"x": 64}
    nodes = []
    for i in range(25):
        source = list(known)[-1]
        rows = known[source]
        kind = rng.choice(["Relu", "Sin", "Add", "Mul", "Concat", "Softmax", "Transpose", "Slice", "Reshape"])
        others = [name for name in known if known[name] == rows]
        name = f"t{i}"
        inputs, attributes, made = [source], {}, rows
        if kind in ("Add", "Mul"):
            inputs = [source, rng.choice(others)]
        elif kind == "Concat" and rows < 1024:
            inputs, attributes, made = [source, rng.choice(others)], {"axis": 0}, 2 * rows
        elif kind == "Slice" and rows > 64:
            inputs, made = [source, "zero", f"half{rows}", "zero"], rows // 2
        elif kind == "Transpose":
            nodes.append(helper.make_node("Transpose", [source], [f"{name}_t"], perm=[1, 0]))
            inputs, attributes = [f"{name}_t"], {"perm": [1, 0]}
        elif kind == "Reshape":
            nodes.append(helper.make_node("Reshape", [source, "flat"], [f"{name}_f"]))
            inputs = [f"{name}_f", f"shape{rows}"]
        elif kind in ("Concat", "Slice"):
            kind = "Sin"
        nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        known[name] = made
    last = list(known)[-1]
    stored = [("zero", [0]), ("flat", [-1])]
    stored += [(f"half{rows}", [rows // 2]) for rows in (128, 256, 512, 1024)]
    stored += [(f"shape{rows}", [rows, 256]) for rows in (64, 128, 256, 512, 1024)]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [64, 256])],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, [known[last], 256])],
        [numpy_helper.from_array(np.array(numbers, np.int64), name) for name, numbers in stored],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


MODELS = 24


@pytest.fixture(scope="module")
def allocated(tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler is not None
    folder = tmp_path_factory.mktemp("memory")
    library = folder / "counted.so"
    source = Path(__file__).with_name("counted.c")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"], check=True)
    paths = []
    for seed in range(MODELS):
        paths.append(folder / f"{seed}.onnx")
        onnx.save(random_model(seed), paths[-1])
    environment = os.environ | {"LD_PRELOAD": str(library)}
    command = [sys.executable, "-c", RUN, *paths]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    made: list[int] = json.loads(done.stdout)
    return made


@pytest.mark.parametrize("seed", range(MODELS))
def test_what_onnxruntime_allocates(seed: int, allocated: list[int]) -> None:
    """Node by node, without reuse of what is free: only Relu, Add and Mul may write over what they read."""
    (made,) = trtcheck.memory(random_model(seed)).points
    assert made.fused_peak <= allocated[seed] <= made.peak, (made.fused_peak, allocated[seed], made.peak)


def test_most_peaks_are_exact(allocated: list[int]) -> None:
    peaks = [trtcheck.memory(random_model(seed)).points[0].peak for seed in range(MODELS)]
    assert sum(one == other for one, other in zip(peaks, allocated, strict=True)) >= 20


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "memory", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


class TestTheProgram:
    @pytest.fixture(autouse=True)
    def _files(self, tmp_path: Path) -> None:
        onnx.save(model(DYNAMIC), tmp_path / "m.onnx")

    def test_text(self, tmp_path: Path) -> None:
        done = run("m.onnx", "--profile", "x=1x256:4x256:16x256", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "at max the peak is at Sin `second`; what is there then:\n" in done.stdout
        assert "  16.0 KB  a  FLOAT[16,256]  Sin `first`\n" in done.stdout
        assert "sizes: x=1x256:4x256:16x256\n" in done.stdout

    def test_json(self, tmp_path: Path) -> None:
        document = json.loads(run("m.onnx", "--output-format", "json", cwd=tmp_path).stdout)
        jsonschema.validate(document, SCHEMA)
        assert document["is_proposed"] and len(document["points"][0]["live"]) == 3
        jsonschema.validate(trtcheck.memory(model(DYNAMIC)).to_dict(), SCHEMA)

    def test_html(self, tmp_path: Path) -> None:
        assert run("m.onnx", "--output-format", "html", "-o", "m.html", cwd=tmp_path).returncode == 0
        page = (tmp_path / "m.html").read_text()
        assert page.startswith("<!DOCTYPE html>") and "<svg" in page and "live bytes over the graph" in page

    @pytest.mark.parametrize(
        ("arguments", "cause"),
        [
            (["gone.onnx"], "gone.onnx: "),
            (["m.onnx", "--profile", "z=1:2:3"], "z"),
            (["m.onnx", "--profile", "x=one"], "--profile"),
            (["m.onnx", "--output-format", "sarif"], "sarif"),
        ],
    )
    def test_what_makes_no_sense(self, arguments: list[Any], cause: str, tmp_path: Path) -> None:
        done = run(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert cause in done.stderr and done.stderr.count("\n") == 1, done.stderr
