"""Multiply-accumulates, against figures made by hand from the formulas of ONNX, and what is said not to be counted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import pytest
from test_cli import run

#: Initializers by name and sizes: zeros of FLOAT.
Sizes = dict[str, tuple[int, ...]]


def saved(path: Path, graph: str, weights: Sizes, opset: int = 17) -> Path:
    made = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : {opset}, "com.microsoft" : 1]> {graph}')
    made.graph.initializer.extend(
        onnx.numpy_helper.from_array(np.zeros(size, np.float32), name) for name, size in weights.items()
    )
    onnx.save(made, path)
    return path


LOOP = """m (float[2,4] x{inputs}) => (float[2,4] y) <bool yes = {{1}}, int64 three = {{3}}> {{
  y = Loop ({trips}, {go}, x) <body = turn (int64 i, bool c, float[2,4] a) => (bool d, float[2,4] b) {{
    d = Identity ({ends})  b = MatMul (a, w) }}> }}"""
SCAN = """m (float[T,2,4] x) => (float[T,2,4] y) {
  y = Scan <num_scan_inputs = 1, body = step (float[2,4] a) => (float[2,4] b) { b = MatMul (a, w) }> (x) }"""
NESTED = """m (float[5,2,4] x) => (float[5,2,4] y) <int64 three = {3}, bool yes = {1}> {
  y = Scan <num_scan_inputs = 1, body = step (float[2,4] a) => (float[2,4] b) {
    b = Loop (three, yes, a) <body = turn (int64 i, bool c, float[2,4] p) => (bool d, float[2,4] q) {
      d = Identity (c)  q = MatMul (p, w) }> }> (x) }"""
HEADS = "q_num_heads = 2, kv_num_heads = 2"

#: name -> graph, weights, opset, work of each layer
CASES: dict[str, tuple[str, Sizes, int, list[str]]] = {
    # 5 steps * batch 2 * (2 directions * 4 gates * 4 * 3 + 2 * 4 gates * 4 * 4)
    "LSTM": (
        'm (float[5,2,3] x) => (y) { y = LSTM <hidden_size = 4, direction = "bidirectional"> (x, w, r) }',
        {"w": (2, 16, 3), "r": (2, 16, 4)},
        17,
        ["2240"],
    ),
    "LSTM, only its last state": (
        "m (float[5,2,3] x) => (h) { , h = LSTM <hidden_size = 4> (x, w, r) }",
        {"w": (1, 16, 3), "r": (1, 16, 4)},
        17,
        ["1120"],
    ),
    # T * B * (3 gates * 4 * 3 + 3 * 4 * 4)
    "GRU": (
        "m (float[T,B,3] x) => (y) { y = GRU <hidden_size = 4> (x, w, r) }",
        {"w": (1, 12, 3), "r": (1, 12, 4)},
        17,
        ["84*B*T"],
    ),
    "RNN, batch first": (
        "m (float[2,5,3] x) => (y) { y = RNN <hidden_size = 4, layout = 1> (x, w, r) }",
        {"w": (1, 4, 3), "r": (1, 4, 4)},
        17,
        ["280"],  # 2 * 5 * (4 * 3 + 4 * 4)
    ),
    # keys 7: 2 heads * 5 queries * 7 * 8 for the scores, * 6 for the values
    "Attention": (
        "m (float[1,2,5,8] q, float[1,2,7,8] k, float[1,2,7,6] v) => (y) { y = Attention (q, k, v) }",
        {},
        23,
        ["980"],
    ),
    "Attention, heads shared": (
        "m (float[1,4,5,8] q, float[1,2,7,8] k, float[1,2,7,6] v) => (y) { y = Attention (q, k, v) }",
        {},
        23,
        ["1960"],
    ),
    "Attention of three axes": (
        f"m (float[1,5,16] q, float[1,7,16] k, float[1,7,12] v) => (y) {{ y = Attention <{HEADS}> (q, k, v) }}",
        {},
        23,
        ["980"],
    ),
    "Attention with a past of 3": (
        """m (float[1,2,5,8] q, float[1,2,7,8] k, float[1,2,7,6] v, float[1,2,3,8] pk, float[1,2,3,6] pv) => (y)
        { y, a, b = Attention (q, k, v, , pk, pv) }""",
        {},
        23,
        ["1400"],
    ),
    "Einsum": (
        'm (float[2,3,4] x, float[2,4,5] z) => (y) { y = Einsum <equation = "bij,bjk->bik"> (x, z) }',
        {},
        17,
        ["120"],
    ),
    "Einsum with an ellipsis": (
        'm (float[2,N,3,4] x, float[2,N,4,5] z) => (y) { y = Einsum <equation = "...ij,...jk->...ik"> (x, z) }',
        {},
        17,
        ["120*N"],
    ),
    "Einsum without an arrow": (
        'm (float[3,4] x, float[4,5] z) => (y) { y = Einsum <equation = "ij,jk"> (x, z) }',
        {},
        17,
        ["60"],
    ),
    "Einsum of one operand": ('m (float[3,4] x) => (y) { y = Einsum <equation = "ij->ji"> (x) }', {}, 17, []),
    "Loop of 3": (LOOP.format(inputs="", trips="three", go="yes", ends="c"), {"w": (4, 4)}, 17, ["96"]),
    "Loop without a first condition": (
        LOOP.format(inputs="", trips="three", go="", ends="c"),
        {"w": (4, 4)},
        17,
        ["96"],
    ),
    "Scan": (SCAN, {"w": (4, 4)}, 17, ["32*T"]),
    "Loop in a Scan": (NESTED, {"w": (4, 4)}, 17, ["480"]),
}


def types(path: Path) -> dict:  # type: ignore[type-arg]
    done = run("types", path, "--no-config", "--output-format", "json")
    assert done.returncode == 0, done.stderr
    document: dict = json.loads(done.stdout)  # type: ignore[type-arg]
    return document


@pytest.mark.parametrize("name", CASES)
def test_work_by_hand(name: str, tmp_path: Path) -> None:
    graph, weights, opset, expected = CASES[name]
    path = saved(tmp_path / "m.onnx", graph, weights, opset)
    document = types(path)
    assert [layer["multiply_accumulates"] for layer in document["layers"]] == expected
    assert not any(layer["counted_once"] for layer in document["layers"])
    assert document["not_counted"] == {"layers": [], "bodies_counted_once": []}
    assert "not counted" not in run("types", path, "--no-config").stdout


#: name -> graph, weights, opset, what is said
LEFT_OUT: dict[str, tuple[str, Sizes, int, str]] = {
    "a trip count that is an input": (
        LOOP.format(inputs=", int64 n", trips="n", go="yes", ends="c"),
        {"w": (4, 4)},
        17,
        "not counted: bodies of 1 Loop counted once: trip count unknown",
    ),
    "a condition that may end it": (
        LOOP.format(inputs=", bool stop", trips="three", go="yes", ends="stop"),
        {"w": (4, 4)},
        17,
        "not counted: bodies of 1 Loop counted once: trip count unknown",
    ),
    "a first condition that is an input": (
        LOOP.format(inputs=", bool first", trips="three", go="first", ends="c"),
        {"w": (4, 4)},
        17,
        "not counted: bodies of 1 Loop counted once: trip count unknown",
    ),
    "sizes that are not known": (
        """m (float[A,2] q0, float[1,2,7,8] k, float[1,2,7,6] v) => (y) {
        i = NonZero (q0)  f = Cast <to = 1> (i)  s = Constant <value_ints = [1, 2, -1, 8]> ()
        q = Reshape (f, s)  y = Attention (q, k, v) }""",
        {},
        23,
        "not counted: 1 Attention without known sizes",
    ),
    "an operator without a formula": (
        """m (float[1,4,8,8] x, float[1,18,6,6] o) => (y) { y = DeformConv (x, w, o) }""",
        {"w": (4, 4, 3, 3)},
        19,
        "not counted: 1 DeformConv",
    ),
    "three operands": (
        'm (float[2,3] x, float[3,4] z, float[4,5] u) => (y) { y = Einsum <equation = "ij,jk,kl->il"> (x, z, u) }',
        {},
        17,
        "not counted: 1 Einsum",
    ),
    "an Attention of another domain": (
        "m (float[1,5,16] x) => (y) { y = com.microsoft.Attention <num_heads = 2> (x, w, b) }",
        {"w": (16, 48), "b": (48,)},
        17,
        "not counted: 1 Attention",
    ),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_not_counted_is_told(name: str, tmp_path: Path) -> None:
    graph, weights, opset, said = LEFT_OUT[name]
    path = saved(tmp_path / "m.onnx", graph, weights, opset)
    text = run("types", path, "--no-config").stdout
    assert said in [line.strip() for line in text.splitlines()]
    assert ("100.0 %" in text) == ("Loop" in said)
    page = run("quantization", path, "--no-config", "--output-format", "html").stdout
    assert f'<p class="soft">{said}</p>' in page
    missing = types(path)["not_counted"]
    assert len(missing["layers"]) + len(missing["bodies_counted_once"]) == 1
    (layer,) = types(path)["layers"]
    assert layer["counted_once"] == ("Loop" in said)
    assert layer["multiply_accumulates"] == ("32" if "Loop" in said else None)


def test_a_linear_behind_what_cannot_be_counted_is_not_all_of_it(tmp_path: Path) -> None:
    graph = """m (float[1,4,8,8] x, float[1,18,6,6] o) => (y) { c = DeformConv (x, w, o)  y = MatMul (c, v) }"""
    path = saved(tmp_path / "m.onnx", graph, {"w": (4, 4, 3, 3), "v": (6, 6)}, 19)
    text = run("types", path, "--no-config").stdout
    assert "100.0 %" not in text and "not counted: 1 DeformConv" in text
