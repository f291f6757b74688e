"""Nodes that the standard forbids: an error where every runtime refuses them, a warning where one runs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
import onnx.parser
import onnxruntime  # type: ignore[import-untyped]
import pytest
from onnx.reference import ReferenceEvaluator

import trtcheck

ONES = {onnx.TensorProto.FLOAT: np.ones, onnx.TensorProto.INT64: np.zeros}
TYPES = {onnx.TensorProto.FLOAT: np.float32, onnx.TensorProto.INT64: np.int64}


@dataclass(frozen=True)
class Node:
    title: str
    opset: int
    inputs: str
    node: str
    constants: str = ""
    #: Why it is an error even where a runtime makes something of it.
    why_error: str = ""

    def model(self) -> onnx.ModelProto:
        outputs = ", ".join(f"float[{each}_a] {each}" for each in self.node.split(" = ")[0].split(", "))
        constants = f" <{self.constants}>" if self.constants else ""
        made = onnx.parser.parse_model(
            f'<ir_version: 10, opset_import: ["" : {self.opset}, "ai.onnx.preview" : 1]> '
            f"g ({self.inputs}) => ({outputs}){constants} {{ {self.node} }}"
        )
        for output in made.graph.output:
            output.type.tensor_type.ClearField("shape")
        return made


def _unpool(
    title: str,
    attributes: str,
    inputs: str = "float[1,1,2,2] x, int64[1,1,2,2] i",
    sizes: str = "",
    why_error: str = "",
) -> Node:
    last = (", s", f"int64[{sizes.count(',') + 1}] s = {{{sizes}}}") if sizes else ("", "")
    return Node(f"unpool {title}", 22, inputs, f"y = MaxUnpool<{attributes}>(x, i{last[0]})", last[1], why_error)


UNWRITTEN = "the reference evaluator reads sizes that it has not written: another result each time"


def _flex(title: str, q: str, k: str, v: str) -> Node:
    inputs = f"float[{q}] q, float[{k}] k, float[{v}] v"
    return Node(f"flex {title}", 23, inputs, "y = ai.onnx.preview.FlexAttention(q, k, v)")


def _conv(title: str, x: str, w: str, attributes: str = "") -> Node:
    return Node(f"causal {title}", 27, f"float[{x}] x, float[{w}] w", f"y, z = CausalConvWithState{attributes}(x, w)")


def _linear(
    title: str,
    rule: str = "linear",
    heads: tuple[int, int] = (4, 2),
    q: str = "1,3,8",
    k: str = "1,3,4",
    v: str = "1,3,6",
    more: str = "",
    given: str = "",
) -> Node:
    attributes = f'q_num_heads={heads[0]}, kv_num_heads={heads[1]}, update_rule="{rule}"'
    inputs = f"float[{q}] q, float[{k}] k, float[{v}] v{more}"
    return Node(f"linear {title}", 27, inputs, f"y, z = LinearAttention<{attributes}>(q, k, v{given})")


def _transposed(title: str, x: str, w: str, why_error: str = "") -> Node:
    return Node(f"transposed {title}", 22, f"float[{x}] x, float[{w}] w", "y = ConvTranspose(x, w)", "", why_error)


def _scan(
    title: str, count: int, body: str, outputs: str = "y, z", states: str = "float[2] s", given: str = "s"
) -> Node:
    node = f"{outputs} = Scan<num_scan_inputs={count}, body=b {body}>({given}, x)"
    return Node(f"scan {title}", 21, f"{states}, float[4,3] x", node)


FORBIDDEN = [
    _unpool("indices of another rank", "kernel_shape=[2,2], strides=[2,2]", "float[1,1,2,2] x, int64[1,2,2] i"),
    _unpool("a window of too few axes", "kernel_shape=[2]", why_error=UNWRITTEN),
    _unpool("a window of too many axes", "kernel_shape=[2,2,2]"),
    _unpool("a window of too few axes beside sizes", "kernel_shape=[2]", sizes="1,1,4,4", why_error=UNWRITTEN),
    _unpool("a window of too many axes beside sizes", "kernel_shape=[2,2,2]", sizes="1,1,4,4"),
    _unpool("too few sizes", "kernel_shape=[2,2]", sizes="1,4,4"),
    _unpool("a stride of 0", "kernel_shape=[2,2], strides=[0,1]"),
    _flex("a query of 3 axes", "4,3,8", "1,2,5,8", "1,2,5,6"),
    _flex("a value of 3 axes", "1,4,3,8", "1,4,5,8", "4,5,6"),
    _flex("heads that are no multiple", "1,4,3,8", "1,3,5,8", "1,3,5,6"),
    _flex("sizes of heads", "1,4,3,8", "1,2,5,7", "1,2,5,6"),
    _flex("heads of key and value", "1,4,3,8", "1,1,5,8", "1,4,5,6"),
    _flex("lengths of key and value", "1,4,3,8", "1,2,1,8", "1,2,5,6"),
    _flex("a batch of 1 and one of 2", "2,4,3,8", "1,2,5,8", "1,2,5,6"),
    _flex("a batch of 2 for a query of 1", "1,4,3,8", "2,2,5,8", "2,2,5,6"),
    _flex("batches of 2 and 3", "2,4,3,8", "3,2,5,8", "3,2,5,6"),
    _conv("one channel for three filters", "2,1,5", "3,1,4"),
    _conv("three channels for one filter", "2,3,5", "1,1,4"),
    _conv("four channels for three filters", "2,4,5", "3,1,4"),
    _conv("an empty kernel", "2,3,5", "3,1,0"),
    _conv("a kernel of 2 axes", "2,3,5", "3,4"),
    _conv("an input of 4 axes", "2,3,5,5", "3,1,4"),
    _conv("another activation", "2,3,5", "3,1,4", '<activation="relu">'),
    _linear("another rule", "other"),
    _linear("no decay", "gated"),
    _linear("no beta", "delta"),
    _linear("a decay too many", more=", float[1,3,2] d", given=", , d"),
    _linear("a beta too many", more=", float[1,3,2] d", given=", , , d"),
    _linear("a decay of another width", "gated", more=", float[1,3,3] d", given=", , d"),
    _linear("a decay of 2 axes", "gated", more=", float[1,3] d", given=", , d"),
    _linear("a beta of another width", "delta", more=", float[1,3,3] d", given=", , , d"),
    _linear("a query of 4 axes", q="1,4,3,2"),
    _linear("a value of 2 axes", v="3,6"),
    _linear("a state of 3 axes", more=", float[2,2,3] p", given=", p"),
    _linear("no heads", heads=(0, 2)),
    _linear("heads that are no multiple", heads=(3, 2), q="1,3,6"),
    _linear("a query that is no multiple of its heads", q="1,3,9"),
    _linear("a value that is no multiple of its heads", v="1,3,7"),
    _transposed("data of 2 axes", "1,3", "3,4,3"),
    _transposed("a weight of 2 axes", "1,3,5", "3,4"),
    _transposed("data of more axes", "1,3,5,5,5", "3,4,3,3"),
    _transposed("a weight of more axes", "1,3,5", "3,4,3,3", why_error="TensorRT-RTX refuses it"),
    _scan("more scanned inputs than inputs", 3, "(float[2] a, float[3] e) => (c, d) {c = Identity(a) d = Identity(e)}"),
    _scan("a negative count", -1, "(float[2] a, float[3] e) => (c, d) {c = Identity(a) d = Identity(e)}"),
    _scan("a body of fewer inputs", 1, "(float[2] a) => (c) {c = Identity(a)}", "y"),
    _scan("a body of fewer outputs", 1, "(float[2] a, float[3] e) => (c) {c = Identity(a)}"),
    _scan(
        "fewer outputs than states",
        1,
        "(float[2] a, float[5] f, float[3] e) => (c, d) {c = Identity(a) d = Identity(f)}",
        "y",
        "float[2] s, float[5] t",
        "s, t",
    ),
]

ALLOWED = [
    _unpool("as it must be", "kernel_shape=[2,2], strides=[2,2]"),
    _unpool("with sizes", "kernel_shape=[2,2], strides=[2,2]", sizes="1,1,5,5"),
    _flex("as it must be", "2,4,3,8", "2,2,5,8", "2,2,5,6"),
    _conv("as it must be", "2,3,5", "3,1,4"),
    _conv("one channel", "2,1,5", "1,1,4"),
    _linear("as it must be"),
    _linear("a decay for each key", "gated", more=", float[1,3,4] d", given=", , d"),
    _linear("one beta", "delta", more=", float[1,3,1] d", given=", , , d"),
    _transposed("as it must be", "1,3,5", "3,4,3"),
    _scan("as it must be", 1, "(float[2] a, float[3] e) => (c, d) {c = Identity(a) d = Identity(e)}"),
]


def feeds(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    out = {}
    for value in model.graph.input:
        kind = value.type.tensor_type
        out[value.name] = ONES[kind.elem_type]([d.dim_value for d in kind.shape.dim], TYPES[kind.elem_type])
    return out


def shapes_of_runs(model: onnx.ModelProto) -> list[list[tuple[int, ...]]]:
    """What ONNX Runtime and onnx's reference evaluator make of it, as far as they run it."""
    made = []
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    for run in (
        lambda: onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        ).run(None, feeds(model)),
        lambda: ReferenceEvaluator(model).run(None, feeds(model)),
    ):
        try:
            with np.errstate(all="ignore"):
                made.append([each.shape for each in run()])
        except Exception:  # whatever a runtime says of a broken model
            continue
    return made


@pytest.fixture(autouse=True)
def _newest_opset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOW_RELEASED_ONNX_OPSET_ONLY", "0")


def conflicts(model: onnx.ModelProto) -> list[trtcheck.Finding]:
    found = trtcheck.check(model.SerializeToString(), precision="fp32").findings
    return [each for each in found if each.code in ("SHP101", "WGT107")]


@pytest.mark.parametrize("node", FORBIDDEN, ids=lambda node: node.title)
def test_an_error_is_what_every_runtime_refuses(node: Node) -> None:
    model = node.model()
    made = shapes_of_runs(model)
    found = conflicts(model)
    assert found, "no finding"
    is_error = any(each.severity == "error" for each in found)
    assert is_error == (not made or bool(node.why_error)), (made, [each.message for each in found])
    if is_error:
        return
    assert all(each.certainty == "possible" for each in found)
    assert_fits(model, made)


@pytest.mark.parametrize("node", ALLOWED, ids=lambda node: node.title)
def test_what_is_allowed_runs_and_has_no_finding(node: Node) -> None:
    model = node.model()
    made = shapes_of_runs(model)
    assert made, "no runtime runs it"
    assert not conflicts(model)
    assert_fits(model, made)


def assert_fits(model: onnx.ModelProto, made: list[list[tuple[int, ...]]]) -> None:
    """No size that is stated is another one in a run."""
    shapes = trtcheck.infer_shapes(model)
    for output, *each in zip(model.graph.output, *made, strict=True):
        stated = shapes[output.name].dims
        for run in each:
            assert stated is None or len(stated) == len(run)
            assert all(not isinstance(s, int) or s == r for s, r in zip(stated or run, run, strict=True))
