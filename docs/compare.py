"""Runs onnx.checker, onnx.shape_inference and trtcheck over the five cases and prints the table of the README.

python docs/compare.py             print the table
python docs/compare.py --write     put it between the marks in README.md
python docs/compare.py --check     fail when the README says something else
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.checker
import onnx.helper as oh
import onnx.shape_inference
from generate import find_program
from onnx import numpy_helper

README = Path(__file__).resolve().parents[1] / "README.md"
MARKS = ("<!-- compare: begin -->", "<!-- compare: end -->")

Shape = list[int | str]


class Builder:
    """One small graph: `x` goes in, `y` comes out."""

    def __init__(self, shape: Shape) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.input = oh.make_tensor_value_info("x", onnx.TensorProto.FLOAT, shape)

    def weight(self, name: str, array: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def node(self, op: str, *inputs: str, out: str, **attributes: Any) -> str:
        self.nodes.append(oh.make_node(op, list(inputs), [out], name=out, **attributes))
        return out

    def quantized(self, tensor: str, scales: int = 0, axis: int = 0) -> str:
        """A QuantizeLinear and a DequantizeLinear in the way, per tensor or per channel."""
        shape = (scales,) if scales else ()
        scale = self.weight(f"{tensor}_scale", np.full(shape, 0.05, np.float32))
        zero = self.weight(f"{tensor}_zero", np.zeros(shape, np.int8))
        where: dict[str, Any] = {"axis": axis} if scales else {}
        q = self.node("QuantizeLinear", tensor, scale, zero, out=f"{tensor}_q", **where)
        return self.node("DequantizeLinear", q, scale, zero, out=f"{tensor}_dq", **where)

    def model(self) -> onnx.ModelProto:
        output = oh.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
        graph = oh.make_graph(self.nodes, "case", [self.input], [output], self.weights)
        return oh.make_model(graph, opset_imports=[oh.make_opsetid("", 13)], ir_version=8)


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def grouped_conv() -> Builder:
    """Channel shuffle with -1 as the channel extent before a grouped convolution."""
    b = Builder(["N", 4, "H", "W"])
    shape = b.node("Shape", "x", out="s")
    n, h, w = (
        b.node("Gather", shape, b.weight(f"i{i}", np.array([i], np.int64)), out=f"d{i}", axis=0) for i in (0, 2, 3)
    )
    two = b.weight("two", np.array([2, 2], np.int64))
    rest = b.weight("rest", np.array([-1], np.int64))
    split = b.node("Reshape", "x", b.node("Concat", n, two, h, w, out="t1", axis=0), out="a")
    swapped = b.node("Transpose", split, out="b", perm=[0, 2, 1, 3, 4])
    joined = b.node("Reshape", swapped, b.node("Concat", n, rest, h, w, out="t2", axis=0), out="r")
    b.node("Conv", joined, b.weight("weight", ones(8, 2, 3, 3)), out="y", group=2, pads=[1, 1, 1, 1])
    return b


def residual_add() -> Builder:
    """A quantized residual block whose shortcut is left in float."""
    b = Builder([1, 16, 32, 32])
    first = b.node(
        "Conv", b.quantized("x"), b.quantized(b.weight("w1", ones(32, 16, 3, 3)), 32), out="c1", strides=[2, 2],
        pads=[1, 1, 1, 1],
    )  # fmt: skip
    relu = b.node("Relu", first, out="r1")
    main = b.node(
        "Conv", b.quantized(relu), b.quantized(b.weight("w2", ones(32, 32, 3, 3)), 32), out="c2", pads=[1, 1, 1, 1]
    )
    shortcut = b.node("Conv", "x", b.weight("wd", ones(32, 16, 1, 1)), out="d", strides=[2, 2])
    joined = b.node("Relu", b.node("Add", main, shortcut, out="sum"), out="z")
    b.node("Conv", b.quantized(joined), b.quantized(b.weight("w3", ones(32, 32, 3, 3)), 32), out="y", pads=[1, 1, 1, 1])
    return b


def deconv_bias() -> Builder:
    """A quantized transposed convolution with a bias as long as the other axis of its weight."""
    b = Builder([1, 64, 16, 16])
    weight = b.quantized(b.weight("weight", ones(64, 10, 1, 1)), 10, axis=1)
    b.node("ConvTranspose", b.quantized("x"), weight, b.weight("bias", ones(64)), out="y")
    return b


def int8_groups() -> Builder:
    """An INT8 grouped convolution with three channels per group."""
    b = Builder([1, 24, 16, 16])
    weight = b.quantized(b.weight("weight", ones(24, 3, 3, 3)), 24)
    conv = b.node("Conv", b.quantized("x"), weight, out="c", group=8, pads=[1, 1, 1, 1])
    b.node("Relu", conv, out="y")
    return b


def batch_norm() -> Builder:
    """Batch normalization with 16 parameters over 64 channels."""
    b = Builder(["N", 64, 32, 32])
    b.node("BatchNormalization", "x", *(b.weight(n, ones(16)) for n in ("scale", "bias", "mean", "var")), out="y")
    return b


CASES = {
    "grouped Conv behind a channel shuffle": (grouped_conv, []),
    "quantized residual block, float shortcut": (residual_add, []),
    "quantized ConvTranspose, bias of the wrong axis": (deconv_bias, []),
    "INT8 grouped Conv, 3 channels per group": (int8_groups, ["--target", "8.6"]),
    "BatchNormalization, 16 parameters for 64 channels": (batch_norm, []),
}


def onnx_says(model: onnx.ModelProto) -> tuple[str, str]:
    answers = []
    for call in (
        lambda: onnx.checker.check_model(model, full_check=True),
        lambda: onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True),
    ):
        try:
            call()
            answers.append("passes")
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
            answers.append("fails")
    return answers[0], answers[1]


def trtcheck_says(program: str, path: Path, options: list[str]) -> str:
    command = [program, "check", "--output-format", "json", *options, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(result.stdout)["models"][0]
    worst = report["findings"][0] if report["findings"] else None
    if worst is None:
        return f"{report['verdict']} for {report['target']}"
    return f"{report['verdict']} for {report['target']}: {worst['code']} {worst['message']}"


def table() -> str:
    program = find_program()
    lines = ["| model | onnx.checker | onnx.shape_inference | trtcheck |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        for name, (build, options) in CASES.items():
            model = build().model()
            path = Path(folder) / "model.onnx"
            onnx.save(model, path)
            checker, inference = onnx_says(model)
            lines.append(f"| {name} | {checker} | {inference} | {trtcheck_says(program, path, options)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    made = f"{MARKS[0]}\n{table()}{MARKS[1]}"
    if not args.write and not args.check:
        print(made)
        return 0
    old = README.read_text(encoding="utf-8")
    new = re.sub(f"{MARKS[0]}.*?{MARKS[1]}", lambda _: made, old, flags=re.DOTALL)
    if args.write:
        README.write_text(new, encoding="utf-8")
    elif new != old:
        print("README.md: the comparison is stale; run `python docs/compare.py --write`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
