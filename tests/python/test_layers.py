"""How layers run: element types, reasons, work."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

import trtcheck

PROGRAM = [sys.executable, "-m", "trtcheck"]


def model(body: str, inputs: str = "float[1,4,8,8] x", output_type: int = onnx.TensorProto.FLOAT) -> onnx.ModelProto:
    """Tensors are pairs already where the body says `Q(x)`: that stands for QuantizeLinear and DequantizeLinear."""
    lines, made = [], 0
    for line in filter(None, (line.strip() for line in body.splitlines())):
        while "Q(" in line:
            start = line.rindex("Q(")
            end = line.index(")", start)
            name, made = line[start + 2 : end], made + 1
            lines.append(f"q{made} = QuantizeLinear({name}, a, z)")
            lines.append(f"d{made} = DequantizeLinear(q{made}, a, z)")
            line = line[:start] + f"d{made}" + line[end + 1 :]
        lines.append(line)
    text = f"""<ir_version: 10, opset_import: ["" : 21]>
    main ({inputs}) => (y)
    <float a = {{0.05}}, int8 z = {{0}}> {{ {chr(10).join(lines)} }}"""
    proto = onnx.parser.parse_model(text)
    weights = {"w": np.zeros((4, 4, 3, 3), np.float32), "m": np.zeros((4, 4), np.float32)}
    proto.graph.initializer.extend(onnx.numpy_helper.from_array(data, name) for name, data in weights.items())
    proto.graph.output[0].type.tensor_type.elem_type = output_type
    return proto


CONV = "Conv<pads=[1,1,1,1]>"
#: name -> body, op: (computes in, writes, reason)
CASES: dict[str, tuple[str, list[tuple[str, str, str, str]]]] = {
    "float": (f"y = {CONV}(x, w)", [("Conv", "FLOAT", "FLOAT", "not-quantized")]),
    "both": (f"y = {CONV}(Q(x), Q(w))", [("Conv", "INT8", "FLOAT", "none")]),
    "and the result": (
        f"c = {CONV}(Q(x), Q(w))\n y = Relu(Q(c))",
        [("Conv", "INT8", "INT8", "none"), ("Relu", "FLOAT", "FLOAT", "pair-before")],
    ),
    "a pair on both sides of Relu": (
        f"c = {CONV}(Q(x), Q(w))\n r = Relu(Q(c))\n y = Neg(Q(r))",
        [("Conv", "INT8", "INT8", "none"), ("Relu", "FLOAT", "INT8", "pair-before")],
    ),
    "the result behind Relu": (
        f"c = {CONV}(Q(x), Q(w))\n r = Relu(c)\n y = Neg(Q(r))",
        [("Conv", "INT8", "INT8", "none")],
    ),
    "the result behind Gelu": (
        f"c = {CONV}(Q(x), Q(w))\n g = Gelu(c)\n y = Neg(Q(g))",
        [("Conv", "INT8", "INT8", "none")],
    ),
    "the result behind what does not fuse": (
        f"c = {CONV}(Q(x), Q(w))\n r = Exp(c)\n y = Neg(Q(r))",
        [("Conv", "INT8", "FLOAT", "none")],
    ),
    "one of two readers": (
        f"c = {CONV}(Q(x), Q(w))\n n = Neg(c)\n y = Add(Q(c), n)",
        [("Conv", "INT8", "FLOAT", "none"), ("Add", "FLOAT", "FLOAT", "input-float")],
    ),
    "weights only": (f"y = {CONV}(x, Q(w))", [("Conv", "FLOAT", "FLOAT", "weights-only")]),
    "data only": (f"y = {CONV}(Q(x), w)", [("Conv", "FLOAT", "FLOAT", "data-only")]),
    "Exp in between": (f"e = Exp(Q(x))\n y = {CONV}(e, Q(w))", [("Conv", "FLOAT", "FLOAT", "operator-between")]),
    "Transpose in between": (
        f"e = Transpose<perm=[0,1,3,2]>(Q(x))\n y = {CONV}(e, Q(w))",
        [("Conv", "INT8", "FLOAT", "none")],
    ),
    "pool": ("p = AveragePool<kernel_shape=[2,2]>(Q(x))\n y = Neg(Q(p))", [("AveragePool", "INT8", "INT8", "none")]),
    "pool, in front only": (
        "y = AveragePool<kernel_shape=[2,2]>(Q(x))",
        [("AveragePool", "FLOAT", "FLOAT", "output-float")],
    ),
    "pool, behind only": (
        "p = AveragePool<kernel_shape=[2,2]>(x)\n y = Neg(Q(p))",
        [("AveragePool", "FLOAT", "FLOAT", "input-float")],
    ),
    "MaxPool moves": ("y = MaxPool<kernel_shape=[2,2]>(Q(x))", [("MaxPool", "INT8", "INT8", "none")]),
    "Add": ("s = Add(Q(x), Q(x))\n y = Neg(Q(s))", [("Add", "INT8", "INT8", "none")]),
    "Add of one": ("s = Add(Q(x), x)\n y = Neg(Q(s))", [("Add", "FLOAT", "FLOAT", "input-float")]),
    "Concat": ("s = Concat<axis=1>(Q(x), Q(x))\n y = Neg(Q(s))", [("Concat", "INT8", "INT8", "none")]),
    "far from Q/DQ": ("n = Add(x, x)\n y = Neg(Q(x))", []),
    "Gemm": ("f = Reshape(x, shape)\n y = Gemm(Q(f), Q(m))", [("Gemm", "INT8", "FLOAT", "none")]),
    "residual": (
        f"c = {CONV}(Q(x), Q(w))\n s = Add(c, Q(x))\n r = Relu(s)\n y = Neg(Q(r))",
        [("Conv", "INT8", "INT8", "none"), ("Add", "INT8", "INT8", "none")],
    ),
    "residual, shortcut in float": (
        f"c = {CONV}(Q(x), Q(w))\n s = Add(c, x)\n r = Relu(s)\n y = Neg(Q(r))",
        [("Conv", "INT8", "FLOAT", "none"), ("Add", "FLOAT", "FLOAT", "input-float")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_forecast(name: str) -> None:
    body, expected = CASES[name]
    body = body.replace("f = Reshape(x, shape)", "shape = Constant<value_ints=[-1,4]>()\n f = Reshape(x, shape)")
    made = model(body)
    found = trtcheck.layers(made)
    assert [(f.node.op_type, type_name(f.type), type_name(f.output), f.reason) for f in found] == expected
    for layer in found:
        assert bool(layer.why) == (layer.reason != "none" and ("Q(" in body))


def type_name(word: trtcheck.DataType | int | None) -> str:
    assert isinstance(word, trtcheck.DataType)
    return {"FLOAT32": "FLOAT"}.get(word.name.upper(), word.name.upper())


def test_the_reason_names_the_node_at_fault() -> None:
    (layer,) = trtcheck.layers(model(f"e = Exp(Q(x))\n y = {CONV}(e, Q(w))"))
    assert layer.at is not None
    assert layer.at.op_type == "Exp"
    assert "stands between DequantizeLinear and input 0" in layer.why


def test_weights_of_four_bits_are_stored_only() -> None:
    text = """<ir_version: 10, opset_import: ["" : 21]>
    main (float[N,4] x) => (float[N,2] y) <int4[4,2] w = {1,2,3,4,5,6,7,-8}, float[2,2] s = {1,1,1,1}> {
      d = DequantizeLinear<axis=0, block_size=2>(w, s)
      y = MatMul(x, d)
    }"""
    (layer,) = trtcheck.layers(onnx.parser.parse_model(text), target="10.13")
    assert (type_name(layer.type), type_name(layer.weights), layer.reason) == ("FLOAT", "INT4", "weights-only")
    assert str(layer.work) == "8*N"


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.b = nn.Conv2d(8, 16, (3, 5), dilation=2, groups=4)
        self.t = nn.ConvTranspose2d(16, 6, 3, stride=2, groups=2)
        self.c = nn.Conv1d(6, 4, 3)
        self.l = nn.Linear(10, 7)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.t(self.b(self.a(x)))
        z = self.c(y.mean(dim=3))[..., :10]
        y = self.l(z)
        return torch.matmul(y, y.transpose(1, 2))


@pytest.mark.parametrize("dynamo", [True, False])
def test_work_is_what_torch_counts(tmp_path: Path, dynamo: bool) -> None:
    net, x = Net().eval(), torch.randn(2, 3, 33, 47)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        net(x)
    path = tmp_path / "net.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(net, (x,), path, dynamo=dynamo, opset_version=18, input_names=["x"])
    work = [layer.work for layer in trtcheck.layers(path)]
    assert None not in work
    # torch counts an addition and a multiplication.
    assert 2 * sum(int(str(each)) for each in work) == counter.get_total_flops()


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *map(str, words), "--no-config"], capture_output=True, text=True, check=False)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A Conv in INT8, one whose data have no Q/DQ, a Cast to FLOAT16 and a MatMul there; N open."""
    path = tmp_path / "mixed.onnx"
    body = f"""c = {CONV}(Q(x), Q(w))
    e = Exp(c)
    g = {CONV}(e, Q(w))
    h = Cast<to=10>(g)
    y = MatMul(h, h)"""
    onnx.save(model(body, "float[N,4,8,8] x", onnx.TensorProto.FLOAT16), path)
    return path


def test_quantization_as_text(mixed: Path) -> None:
    done = run("quantization", mixed, "--target", "11.5")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0].endswith("mixed.onnx, TensorRT 11.5")
    assert lines[1] == "1 of 3 layers with weights run quantized, 45.0 % of the multiply-accumulates"
    assert "INT8 1 9216*N 45.0 %" in lines  # 4 * 4 * 3 * 3 weights at 8 * 8 places
    assert "FLOAT16 1 2048*N 10.0 %" in lines
    why = "its weights are quantized, its data (`e`) are not"
    assert f"Conv_8 Conv FLOAT, INT8 weights FLOAT {why}" in lines


def test_quantization_as_json_with_a_profile(mixed: Path) -> None:
    done = run("quantization", mixed, "--output-format", "json", "--profile", "x=1x4x8x8:2x4x8x8:4x4x8x8")
    document = json.loads(done.stdout)
    by_type = {entry["type"]: entry for entry in document["types"]}
    assert by_type["INT8"]["multiply_accumulates"] == "9216*N"
    assert by_type["INT8"]["multiply_accumulates_at_opt"] == 18432
    assert sum(entry["share"] for entry in document["types"]) == pytest.approx(1)
    assert [layer["reason"] for layer in document["layers"]] == ["none", "weights-only", "not-quantized"]


def test_sizes_that_an_exporter_named_are_told_with_their_axis(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    text = "g (float[s27,4] ids, float[4,2] w) => (float[s27,2] y) { y = MatMul (ids, w) }"
    onnx.save(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> {text}'), path)
    assert "\n  s27 is axis 0 of input `ids`\n" in run("types", path).stdout


def test_the_errors_of_a_refused_model_are_counted_as_check_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    text = "g (float[N,4] x) => (float[N,4] y) { a = Foo (x) b = Bar (a) y = Relu (b) }"
    onnx.save(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> {text}'), path)
    summary = run("check", "--no-config", path).stdout.splitlines()[-1]
    counts = summary.split(": ")[2].partition(" in ")[0]
    assert f"\nthe model will not build: {counts}; `trtcheck check` lists them\n" in run("types", path).stdout


def test_errors_beyond_the_listing_are_counted_as_check_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    nodes = [onnx.helper.make_node("Foo", ["x"], [f"y{i}"]) for i in range(3000)]
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [4])
    y = onnx.helper.make_tensor_value_info("y0", onnx.TensorProto.FLOAT, [4])
    onnx.save(onnx.helper.make_model(onnx.helper.make_graph(nodes, "g", [x], [y])), path)
    summary = run("check", "--no-config", path).stdout.splitlines()[-1]
    counts = summary.split(": ")[2].partition(" in ")[0]
    # The first Foo is the cause of the others; of the 1,000 that are not listed nobody knows it.
    assert counts.startswith("3000 errors, ") and counts.endswith(" (at least 1999 of them follow from others)")
    said = f"\nthe model will not build: {counts}; `trtcheck check --all-findings` lists them\n"
    assert said in run("types", path).stdout


def test_types_lists_the_casts(mixed: Path) -> None:
    done = run("types", mixed, "--output-format", "json")
    document = json.loads(done.stdout)
    assert [(cast["from"], cast["to"]) for cast in document["casts"]] == [("FLOAT", "FLOAT16")]
    assert "1 Cast between floating point types" in run("types", mixed).stdout
    assert "precision flag" not in run("types", mixed, "--target", "11.0").stdout
    assert "precision flag" in run("types", mixed, "--target", "10.3").stdout


def test_shares_that_depend_on_sizes_are_not_told(tmp_path: Path) -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]>
    main (float[N,4] x, float16[M,4] h) => (float[N,4] y, float16[M,4] z)
    { y = MatMul(x, w)  z = MatMul(h, v) }"""
    path = tmp_path / "two.onnx"
    made = onnx.parser.parse_model(text)
    made.graph.initializer.append(onnx.numpy_helper.from_array(np.zeros((4, 4), np.float32), "w"))
    made.graph.initializer.append(onnx.numpy_helper.from_array(np.zeros((4, 4), np.float16), "v"))
    onnx.save(made, path)
    assert "shares depend on sizes: --profile gives them" in run("types", path).stdout
    sizes = ["--profile", "x=1x4:3x4:4x4", "--profile", "h=1x4:1x4:4x4"]
    assert "75.0 %" in run("types", path, *sizes).stdout


@pytest.mark.parametrize("target", ["10.3", "11.5"])
def test_nothing_quantized(tmp_path: Path, target: str) -> None:
    path = tmp_path / "float.onnx"
    onnx.save(model(f"y = {CONV}(x, w)"), path)
    done = run("quantization", path, "--target", target)
    assert "nothing is quantized" in done.stdout
    assert ("calibrator" in done.stdout) == (target == "10.3")


@pytest.mark.parametrize("command", ["quantization", "types"])
@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (["missing.onnx"], "missing.onnx"),
        (["MODEL", "--output-format", "jsn"], "json"),
        (["MODEL", "--target", "11.55"], "11.5"),
        (["MODEL", "--profile", "z=1"], "`z`"),
        ([], "MODEL"),
    ],
)
def test_mistakes(mixed: Path, command: str, words: list[str], cause: str) -> None:
    done = run(command, *(mixed if word == "MODEL" else word for word in words))
    assert done.returncode == 2
    assert done.stdout == ""
    assert cause in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
