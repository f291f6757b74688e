"""Seeds of the operators that hold graphs: If, Loop and Scan."""

from __future__ import annotations

from typing import Any

import onnx.parser
from onnx import GraphProto


def graph(text: str) -> GraphProto:
    return onnx.parser.parse_graph(text)


def branch(dims: str = "2,3", element: str = "float", value: str = "1,2,3,4,5,6") -> GraphProto:
    """One constant, of which If takes the one or the other."""
    constant = f"k = Constant <value = {element}[{dims}] {{{value}}}> ()"
    return graph(f"branch () => ({element}[{dims}] r) {{ {constant}  r = Identity (k) }}")


IF: dict[str, list[Any]] = {
    "else_branch": [
        branch("3,2"),
        branch("2", value="1,2"),
        branch("1,2,3"),
        branch("2,3", "float16"),
        branch("2,3", "int32"),
        branch("0", value=""),
        graph("branch () => (float r) { r = Constant <value_float = 1.0> () }"),
    ]
}

# Their inputs: the iteration, the condition, what is carried on.
_LOOP = {
    "sum": "body (int64 i, bool c, float[2,3] v) => (bool d, float[2,3] w, float[2,3] s)"
    " { d = Identity (c)  w = Add (v, v)  s = Relu (w) }",
    "other type": "body (int64 i, bool c, float16[2,3] v) => (bool d, float16[2,3] w, float16[2,3] s)"
    " { d = Identity (c)  w = Add (v, v)  s = Relu (w) }",
    "growing": "body (int64 i, bool c, float[n,3] v) => (bool d, float[m,3] w, float[n,3] s)"
    " { d = Identity (c)  w = Concat <axis = 0> (v, v)  s = Relu (v) }",
    "condition": "body (int64 i, bool c, float[2,3] v) => (bool d, float[2,3] w, float[2,3] s)"
    " { k = Constant <value = float {100.0}> ()  m = ReduceSum <keepdims = 0> (v)  d = Less (m, k)  w = Add (v, v)"
    "  s = Relu (w) }",
    "reads the iteration": "body (int64 i, bool c, float[2,3] v) => (bool d, float[2,3] w, float[2,3] s)"
    " { d = Identity (c)  j = Cast <to = 1> (i)  w = Add (v, j)  s = Relu (w) }",
    "scalar result": "body (int64 i, bool c, float[2,3] v) => (bool d, float[2,3] w, int64 s)"
    " { d = Identity (c)  w = Add (v, v)  s = Identity (i) }",
    "passes on": "body (int64 i, bool c, float[2,3] v) => (bool d, float[2,3] v, float[2,3] s)"
    " { d = Identity (c)  s = Relu (v) }",
}
LOOP: dict[str, list[Any]] = {"body": [graph(text) for text in _LOOP.values()]}

_SCAN = {
    "sum": "body (float[3] h, float[3] x) => (float[3] k, float[3] y) { k = Add (h, x)  y = Relu (k) }",
    "other type": "body (float16[3] h, float16[3] x) => (float16[3] k, float16[3] y) { k = Add (h, x)  y = Relu (k) }",
    "another size": "body (float[3] h, float[3] x) => (float[3] k, float[6] y)"
    " { k = Add (h, x)  y = Concat <axis = 0> (k, x) }",
}
SCAN: dict[str, list[Any]] = {
    "body": [graph(text) for text in _SCAN.values()],
    "scan_input_axes": [[0], [1], [-1]],
    "scan_input_directions": [[0], [1]],
    "scan_output_axes": [[0], [1]],
    "scan_output_directions": [[0], [1]],
}
