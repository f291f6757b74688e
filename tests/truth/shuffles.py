"""Convolutions behind a channel shuffle that leaves their channels open, in all forms: which are refused?

A Reshape splits the channels into groups, a Transpose swaps them, a Reshape joins them again; -1 and extents of the
input stand in their target shapes as exporters write them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

# Groups, input channels, output channels.
SIZES = ((1, 8, 8), (2, 8, 8), (2, 8, 16), (4, 16, 32), (8, 8, 8), (8, 8, 16))
# Target shapes of both Reshapes: "n" and "s" are read from the input, "half" is its channels divided, numbers stand.
TARGETS = {
    "channels -1": (("n", "groups", "per group", "s"), ("n", "-1", "s")),
    "both -1": (("n", "groups", "-1", "s"), ("n", "-1", "s")),
    "divided, -1": (("n", "groups", "half", "s"), ("n", "-1", "s")),
    "batch -1": (("-1", "groups", "per group", "s"), ("-1", "all", "s")),
    "no -1": (("n", "groups", "per group", "s"), ("n", "all", "s")),
}


@dataclass(frozen=True)
class Form:
    op: str  # "Conv", "ConvTranspose"
    rank: int  # of the kernel, without channels
    size: tuple[int, int, int]
    dynamic: str  # "n", "s", "ns": the batch, the extents behind the channels
    target: str
    quantized: bool

    @property
    def kind(self) -> str:
        groups, channels, _ = self.size
        return "one group" if groups == 1 else "depthwise" if groups == channels else "grouped"

    @property
    def name(self) -> str:
        groups, channels, outputs = self.size
        what = "quantized" if self.quantized else "float"
        return f"{self.op} {self.rank}-D, {channels} to {outputs} in {groups}, {what}, {self.dynamic}, {self.target}"


def forms() -> Iterator[Form]:
    for op, rank, size, dynamic, target, quantized in itertools.product(
        ("Conv", "ConvTranspose"), (1, 2, 3), SIZES, ("n", "s", "ns"), TARGETS, (False, True)
    ):
        # RTX builds no quantized 1-D layers.
        if not (quantized and rank == 1):
            yield Form(op, rank, size, dynamic, target, quantized)


def model(form: Form) -> ModelProto:
    groups, channels, outputs = form.size
    parts = max(groups, 2)
    extents: list[int | str] = [f"S{i}" if "s" in form.dynamic else 8 for i in range(form.rank)]
    numbers = {
        "groups": [parts],
        "per group": [channels // parts],
        "all": [channels],
        "-1": [-1],
        "axis 0": [0],
        "axis 1": [1],
        "axes": list(range(2, 2 + form.rank)),
    }
    constants = [numpy_helper.from_array(np.array(value, np.int64), name) for name, value in numbers.items()]
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Gather", ["shape", "axis 0"], ["n"]),
        helper.make_node("Gather", ["shape", "axis 1"], ["c"]),
        helper.make_node("Gather", ["shape", "axes"], ["s"]),
        helper.make_node("Div", ["c", "groups"], ["half"]),
        helper.make_node("Concat", TARGETS[form.target][0], ["split"], axis=0),
        helper.make_node("Reshape", ["x", "split"], ["parts"]),
        helper.make_node("Transpose", ["parts"], ["swapped"], perm=[0, 2, 1, *range(3, 3 + form.rank)]),
        helper.make_node("Concat", TARGETS[form.target][1], ["join"], axis=0),
        helper.make_node("Reshape", ["swapped", "join"], ["data"]),
    ]
    kernel = [outputs, channels // groups] if form.op == "Conv" else [channels, outputs // groups]
    constants.append(numpy_helper.from_array(np.full([*kernel, *[3] * form.rank], 0.1, np.float32), "weight"))
    operands = ["data", "weight"]
    if form.quantized:
        constants.append(numpy_helper.from_array(np.array(0.1, np.float32), "scale"))
        constants.append(numpy_helper.from_array(np.array(0, np.int8), "zero"))
        for name in operands:
            nodes.append(helper.make_node("QuantizeLinear", [name, "scale", "zero"], [f"{name} q"]))
            nodes.append(helper.make_node("DequantizeLinear", [f"{name} q", "scale", "zero"], [f"{name} dq"]))
        operands = ["data dq", "weight dq"]
    sizes: dict[str, Any] = {"group": groups, "kernel_shape": [3] * form.rank, "pads": [1] * 2 * form.rank}
    nodes.append(helper.make_node(form.op, operands, ["y"], **sizes))
    shape = ["N" if "n" in form.dynamic else 2, channels, *extents]
    graph = helper.make_graph(
        nodes,
        "shuffle",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * (form.rank + 2))],
        constants,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 9
    return made
