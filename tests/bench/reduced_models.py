"""Models as exporters write them, with one defect in the middle: what `trtcheck reduce` has to find."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
from onnx import TensorProto, helper, numpy_helper

CHANNELS = 16

#: By name: the finding, and nodes that read `x`, FLOAT[batch,16,height,width], and make `y`, FLOAT.
DEFECTS: dict[str, tuple[str, str]] = {
    "a plugin that nobody named": ("OPS103", "a = custom.Foo (x)  y = Relu (a)"),
    "an operator that does not exist": ("OPS102", "a = Blorp (x)  y = Relu (a)"),
    "an operator without an importer": ("OPS101", "y = Det (x)"),
    "whole numbers, bit by bit": ("OPS101", "u = Cast <to = 7> (x)  v = BitwiseXor (u, u)  y = Cast <to = 1> (v)"),
    "a sequence": ("OPS101", "s = SplitToSequence <axis = 1> (x)  y = ConcatFromSequence <axis = 1> (s)"),
    "too many dims": (
        "HWD201",
        "s = Constant <value_ints = [0, 2, 2, 2, 2, 1, 1, 1, -1]> ()  y = Reshape (x, s)",
    ),
    "a TopK of too many": (
        "HWD203",
        """s = Constant <value_ints = [1, -1]> ()  f = Reshape (x, s)
        k = Constant <value_ints = [5000]> ()  y, i = TopK (f, k)""",
    ),
    "a product that does not fit": (
        "SHP101",
        "m = Shape (x)  i = Gather (m, one)  f = ConstantOfShape (i)  y = MatMul (f, bad)",
    ),
    "UINT8 that is computed with": ("MDL314", "u = Cast <to = 2> (x)  v = Add (u, u)  y = Cast <to = 1> (v)"),
    "branches of different ranks": (
        "OPS401:if-ranks",
        """m = ReduceSum <keepdims = 0> (x)  z = Constant <value_float = 0.0> ()  c = Greater (m, z)
        y = If (c) <then_branch = yes () => (float[a,b,c,d] t) { t = Relu (x) },
                    else_branch = no () => (float[e,f] g) { q = Neg (x) g = Flatten (q) }>""",
    ),
    "an operator of a branch": (
        "OPS101",
        """m = ReduceSum <keepdims = 0> (x)  z = Constant <value_float = 0.0> ()  c = Greater (m, z)
        y = If (c) <then_branch = yes () => (float[a,b,c,d] t) { t = Relu (x) },
                    else_branch = no () => (float[a,b,c,d] g) { q = Neg (x) r = Cast <to = 7> (q)
                      u = BitwiseXor (r, r) g = Cast <to = 1> (u) }>""",
    ),
    "a loop that grows": (
        "CTL103",
        """n = Constant <value_int = 4> ()  c = Constant <value = bool {1}> ()
        y = Loop (n, c, x) <body = b (int64 i, bool k, float[a,b,c,d] v) => (bool o, float[a,b,c,f] r) {
          o = Identity (k)  w = Relu (v)  r = Concat <axis = 3> (w, w) }>""",
    ),
    "a scale that is computed": (
        "QDQ109",
        "m = ReduceMax <keepdims = 0> (x)  q = QuantizeLinear (x, m)  y = DequantizeLinear (q, m)",
    ),
    "a Resize with antialias": (
        "OPS401:resize-antialias",
        """r = Constant <value_floats = [1.0, 1.0, 2.0, 2.0]> ()
        y = Resize <mode = "cubic", antialias = 1> (x, , r)""",
    ),
    "a scatter that adds": (
        "OPS401:scatternd-no-reduction",
        """i = Constant <value = int64[1,1] {0}> ()  u = Gather (x, first)
        y = ScatterND <reduction = "add"> (x, i, u)""",
    ),
    "batches first in a recurrent layer": (
        "OPS412:rnn-layout",
        "f = ReduceMean <keepdims = 0> (x, last)  y, yh = GRU <hidden_size = 4, layout = 1> (f, wr, rr)",
    ),
    "a size from data": ("SHP104", "n = NonZero (x)  t = Transpose (n)  y = Cast <to = 1> (t)"),
    "complex numbers": ("OPS401:cast-type", "u = Cast <to = 14> (x)  y = Cast <to = 1> (u)"),
    "a pool with dilations": ("OPS305", "y = AveragePool <kernel_shape = [2, 2], dilations = [2, 2]> (x)"),
    "a value that is made twice": ("MDL101", "a = Relu (x)  a = Neg (x)  y = Relu (a)"),
    "an input that nothing makes": ("MDL103", "y = Add (x, nothing)"),
}
#: Weights that the nodes above read.
WEIGHTS = {
    "last": np.array([3], np.int64),
    "one": np.array([1], np.int64),
    "first": np.array([0], np.int64),
    "bad": np.ones((4, 5), np.float32),
    "wr": np.ones((1, 12, 8), np.float32),
    "rr": np.ones((1, 12, 4), np.float32),
}


class Export:
    """A graph in the making, named as exporters name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.random = np.random.default_rng(0)

    def op(self, op: str, *inputs: str, **attributes: object) -> str:
        index = len(self.nodes)
        output = f"/{op.lower()}_{index}/{op}_output_0"
        self.nodes.append(helper.make_node(op, list(inputs), [output], f"/{op.lower()}_{index}/{op}", **attributes))
        return output

    def weight(self, value: np.ndarray) -> str:
        name = f"onnx::{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(value, name))
        return name

    def conv(self, x: str) -> str:
        w = self.weight(self.random.standard_normal((CHANNELS, CHANNELS, 3, 3)).astype(np.float32))
        b = self.weight(self.random.standard_normal(CHANNELS).astype(np.float32))
        return self.op("Conv", x, w, b, kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def residual(self, x: str) -> str:
        """6 nodes."""
        inner = self.op("Relu", self.conv(x))
        scaled = self.op("Mul", inner, self.op("Sigmoid", inner))
        return self.op("Add", self.conv(scaled), x)

    def attention(self, x: str) -> str:
        """21 nodes, sizes computed as PyTorch's exporter does it."""
        sizes = self.op("Shape", x)
        batch, height, width = (self.op("Gather", sizes, self.weight(np.array(i, np.int64)), axis=0) for i in (0, 2, 3))
        minus = self.op("Constant", value=numpy_helper.from_array(np.array([-1], np.int64)))
        channels = self.op("Constant", value=numpy_helper.from_array(np.array([CHANNELS], np.int64)))
        zero = self.weight(np.array([0], np.int64))
        batch, height, width = (self.op("Unsqueeze", each, zero) for each in (batch, height, width))
        tokens = self.op("Reshape", x, self.op("Concat", batch, channels, minus, axis=0))
        rows = self.op("Transpose", tokens, perm=[0, 2, 1])
        scores = self.op("MatMul", rows, tokens)
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), rows)
        back = self.op("Transpose", mixed, perm=[0, 2, 1])
        return self.op("Reshape", back, self.op("Concat", batch, channels, height, width, axis=0))


def planted(name: str, nodes: int) -> onnx.ModelProto:
    """About that many nodes, with the defect after the half of them."""
    made = Export()
    x = "input"
    is_planted = False
    outputs = []
    while len(made.nodes) < nodes:
        if not is_planted and len(made.nodes) > nodes // 2:
            outputs.append(plant(made, name, x))
            is_planted = True
        x = made.attention(x) if len(made.nodes) // 30 % 8 == 3 else made.residual(x)
    sizes = ["batch", CHANNELS, "height", "width"]
    graph = helper.make_graph(
        made.nodes,
        "main_graph",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, sizes)],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, sizes), *outputs],
        [*made.weights, *(numpy_helper.from_array(value, key) for key, value in WEIGHTS.items() if reads(made, key))],
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("custom", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="pytorch")


def reads(made: Export, name: str) -> bool:
    return any(name in node.input for node in made.nodes)


def plant(made: Export, name: str, x: str) -> onnx.ValueInfoProto:
    """Adds the nodes of the defect. Returns the output that they make."""
    given = ", ".join(f"int64 {key}" for key in WEIGHTS)
    text = (
        f'<ir_version: 8, opset_import: ["" : 18]> g (float[N,C,H,W] x, {given}) => (float y) {{ {DEFECTS[name][1]} }}'
    )
    for node in onnx.parser.parse_model(text).graph.node:
        rename(node, x)
        made.nodes.append(node)
    return helper.make_tensor_value_info("defect/y", TensorProto.FLOAT, None)


def rename(node: onnx.NodeProto, x: str) -> None:
    def new(name: str) -> str:
        return x if name == "x" else name if name in WEIGHTS or not name else f"defect/{name}"

    node.name = f"defect/{node.output[0]}"
    node.input[:] = [new(each) for each in node.input]
    node.output[:] = [new(each) for each in node.output]
    for attribute in node.attribute:
        if attribute.HasField("g"):
            for value in (*attribute.g.input, *attribute.g.output):
                value.name = new(value.name)
            for inner in attribute.g.node:
                rename(inner, x)
