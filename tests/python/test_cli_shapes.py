"""trtcheck shapes: assumptions, ways back, demands, conflicts, filters and forms."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import numpy
import onnx
import onnx.parser
import pytest
from test_cli import ROOT, one_line, run, write

import trtcheck

SCHEMA = json.loads((ROOT / "cpp/data/shapes.schema.json").read_text())

# A cache that grows: keys of the past and of now side by side, and a mask over both.
CACHE = """<ir_version: 8, opset_import: ["" : 17]>
g (float[B,8,past,64] k0, float[B,8,seq,64] k1, float[B,1,1,total] mask) => (float[B,8,A,C] y) {
  [cat] k = Concat <axis = 2> (k0, k1)
  [turn] t = Transpose <perm = [0, 1, 3, 2]> (k)
  [scores] s = MatMul (k1, t)
  [attn] y = Add (s, mask)
}"""
# A shape chain.
CHAIN = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N,S,64] x) => (float[A,B,C] y) <int64[1] one = {1}, int64[1] rest = {-1}, int64[1] heads = {8}> {
  [shape] s = Shape (x)
  [pick] n = Gather (s, one)
  [target] t = Concat <axis = 0> (rest, n, heads)
  [fold] y = Reshape (x, t)
}"""


def shapes_of(path: Path, *words: str) -> dict[str, Any]:
    made = run("shapes", "--output-format", "json", *words, path)
    assert (made.returncode, made.stderr) == (0, "")
    document: dict[str, Any] = json.loads(made.stdout)
    jsonschema.validate(document, SCHEMA)
    return document


def sizes(document: dict[str, Any], name: str) -> list[Any]:
    (value,) = [v for graph in document["graphs"] for v in graph["values"] if v["name"] == name]
    found: list[Any] = value["sizes"]
    return found


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return write(tmp_path / "cache.onnx", CACHE)


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    return write(tmp_path / "chain.onnx", CHAIN)


# --- assumptions ---------------------------------------------------------------------------------------


def test_a_sum_is_solved_for_one_size(cache: Path) -> None:
    before = shapes_of(cache)
    assert [d["text"] for d in before["demands"]] == ["`past + seq` must equal `total`, or `total` must be 1"]
    assert before["demands"][0]["node"] == "attn"
    after = shapes_of(cache, "--assume", "past + seq == total")
    assert after["assumed"] == ["past + seq == total"]
    assert (after["demands"], after["conflicts"]) == ([], [])
    assert sizes(after, "mask") == ["B", 1, 1, "past + seq"]
    assert sizes(after, "y") == ["B", 8, "seq", "past + seq"]


@pytest.mark.parametrize(
    ("words", "value", "expected"),
    [
        (["--set", "N=4"], "x", [4, "S", 64]),
        (["--set", "N=4,S=16"], "x", [4, 16, 64]),
        (["--set", "N=4", "--set", "S=16"], "y", [32, 16, 8]),
        (["--assume", "N == 4"], "x", [4, "S", 64]),
        (["--assume", "N = S"], "x", ["N", "N", 64]),
        (["--assume", "2*N == S"], "x", ["N", "2*N", 64]),
        (["--assume", "S % 8 == 0"], "x", ["N", "S", 64]),
        (["--assume", "4 <= N <= 4"], "x", [4, "S", 64]),
        (["--assume", "N < 2"], "x", [1, "S", 64]),
        (["--assume", "N <= S", "--set", "S=1"], "x", [1, 1, 64]),
        (["--assume", "N == S", "--assume", "S == 3"], "x", [3, 3, 64]),
    ],
)
def test_what_is_assumed_is_used(chain: Path, words: list[str], value: str, expected: list[Any]) -> None:
    assert sizes(shapes_of(chain, *words), value) == expected


def test_multiples_divide(tmp_path: Path) -> None:
    model = write(
        tmp_path / "m.onnx",
        """<ir_version: 8, opset_import: ["" : 17]>
        g (float[1,3,H,W] x) => (float[1,3,A,B] y) {
          [half] a = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
          [quarter] b = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (a)
          [up] c = Upsampled (b)
          z = DepthToSpace <blocksize = 1> (b)
          y = Identity (a)
        }""".replace("[up] c = Upsampled (b)\n", ""),
    )
    assert sizes(shapes_of(model), "b") == [1, 3, "floor(H/4)", "floor(W/4)"]
    halves = shapes_of(model, "--assume", "H % 32 == 0")
    assert sizes(halves, "x") == [1, 3, "H", "W"]
    assert sizes(halves, "a")[2] == "floor(H/2)"
    assert sizes(shapes_of(model, "--assume", "H % 32 == 0", "--set", "H=64"), "b")[2] == 16


def test_a_multiple_settles_a_demand(tmp_path: Path) -> None:
    model = write(
        tmp_path / "m.onnx",
        """<ir_version: 8, opset_import: ["" : 17]>
        g (float[N,S] x) => (float[A,B] y) <int64[2] to = {-1, 8}> { [fold] y = Reshape (x, to) }""",
    )
    assert [d["text"] for d in shapes_of(model)["demands"]] == ["`N*S` must be a multiple of `8`"]
    assert shapes_of(model, "--assume", "S % 8 == 0")["demands"] == []
    assert shapes_of(model, "--assume", "S % 16 == 0")["demands"] == []
    assert shapes_of(model, "--assume", "S % 4 == 0")["demands"] != []


def test_names_that_are_no_words_and_axes_without_names(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 17]>
        g (float[N,M] x, float[K,3] z) => (float[A,B] y) { y = Relu (x) }"""
    )
    x = model.graph.input[0].type.tensor_type.shape
    x.dim[0].dim_param = "batch-size"
    x.dim[1].ClearField("dim_param")
    path = tmp_path / "m.onnx"
    onnx.save(model, path)
    assert sizes(shapes_of(path, "--set", "batch-size=4", "--assume", "x.dim1 == 2*K"), "y") == [4, "2*K"]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--assume", "totl == 4"], ["`totl == 4`", "no size `totl`, did you mean `total`?"]),
        (["--assume", "zz == 4"], ["no size `zz`; it names `B`, `past`, `seq`, `total`"]),
        (["--set", "totl=4"], ["`totl == 4`", "did you mean `total`?"]),
        (["--set", "total"], ["--set", "NAME=SIZE"]),
        (["--set", "total=x"], ["--set", "NAME=SIZE"]),
        (["--assume", "total"], ["`total`", "it must compare sizes"]),
        (["--assume", "total != 4"], ["`!=`"]),
        (["--assume", "total =="], ["nothing on one side"]),
        (["--assume", "total == 4 +"], ["`4 +` cannot be read"]),
        (["--assume", "total % 8 == 3"], ["a rest of 0"]),
        (["--assume", "total % 0 == 0"], ["nothing is divided by 0"]),
        (["--assume", "(past + seq) % 8 == 0"], ["`(past + seq)` is no size alone"]),
        (["--assume", "2*past == 3*seq"], ["no size stands alone"]),
        (["--assume", "2*past == 7"], ["no whole number `past`"]),
        (["--assume", "past <= 4", "--assume", "past >= 8"], ["`past >= 8`", "`past <= 4`"]),
        (["--assume", "past <= 7", "--assume", "past % 8 == 0"], ["`past % 8 == 0`", "`past <= 7`"]),
        (["--assume", "past == 4", "--assume", "seq == 4", "--assume", "past + seq == 9"], ["`past + seq == 9`"]),
        (["--assume", "past == seq", "--assume", "past == seq + 1"], ["`past == seq + 1`", "contradicts"]),
        (["--assume", "past <= 0"], ["`past <= 0`", "`past` is at least 1"]),
        (["--assume", "3 == 4"], ["`3 == 4`"]),
        (["--profile", "k0=1x8x1x64:1x8x2x64:1x8x4x64", "--set", "past=9"], ["`past == 9`", "from 1 to 4"]),
        (
            ["--assume", "past + seq + 2 == total", "--assume", "total >= 2"],
            ["contradicts the model: Add `attn`", "past + seq + 2"],
        ),
        (["--only", "nothing*"], ["no value is called `nothing*`"]),
        (["--only", "[a"], ["[a"]),
        (["--why", "skores"], ["no value `skores`"]),
        (["--why", "mas"], ["no value `mas`, did you mean `mask`?"]),
        (["--why", "y:x"], ["`x` is no axis"]),
        (["--why", "y:4"], ["`y` has no axis 4: it has 4"]),
    ],
)
def test_what_makes_no_sense_is_one_line(cache: Path, words: list[str], parts: list[str]) -> None:
    message = one_line(run("shapes", *words, cache))
    for part in parts:
        assert part in message, message


# --- ways back -----------------------------------------------------------------------------------------


def why(path: Path, value: str, *words: str) -> list[dict[str, Any]]:
    (made,) = shapes_of(path, "--why", value, *words)["why"]
    steps: list[dict[str, Any]] = made["steps"]
    return steps


def way(steps: list[dict[str, Any]]) -> list[str]:
    """The first source of each step."""
    made = []
    at = 0
    while True:
        made.append(steps[at]["text"])
        if not steps[at]["from"]:
            return made
        at = steps[at]["from"][0]


def test_through_a_concat_and_a_transpose(cache: Path) -> None:
    steps = why(cache, "s:3")
    assert [(s["text"], s["size"], s["kind"]) for s in steps] == [
        ("`s` axis 3", "past + seq", "computed"),
        ("`t` axis 3", "past + seq", "computed"),
        ("`k` axis 2", "past + seq", "computed"),
        ("`k0` axis 2", "past", "input"),
        ("`k1` axis 2", "seq", "input"),
    ]
    assert (steps[2]["node"], steps[2]["op_type"], steps[2]["from"]) == ("cat", "Concat", [3, 4])


def test_through_a_shape_chain(chain: Path) -> None:
    assert way(why(chain, "y:1")) == ["`y` axis 1", "`t` element 1", "`n` element 0", "`s` element 1", "`x` axis 1"]
    (last,) = [s for s in why(chain, "y:2") if s["kind"] == "constant"]
    assert (last["text"], last["size"]) == ("`heads` element 0", "8")
    assert {s["text"] for s in why(chain, "y:0") if s["kind"] == "input"} >= {"`x` axis 0"}


def test_equal_numbers_of_two_inputs_make_it_together(tmp_path: Path) -> None:
    model = write(
        tmp_path / "m.onnx",
        """<ir_version: 8, opset_import: ["" : 17]>
        g (float[N,8] x, float[8] b, float[4,8] w) => (y, z) {
          [sum] y = Add (x, b)
          [join] z = Concat <axis = 0> (x, w)
        }""",
    )
    assert way(why(model, "y:1")) == ["`y` axis 1", "`x` axis 1"]
    assert way(why(model, "z:1")) == ["`z` axis 1", "`x` axis 1"]
    assert [s["kind"] for s in why(model, "y:1")] == ["computed", "input"]


def test_text_of_a_way(chain: Path) -> None:
    lines = run("shapes", "--why", "y:1", chain).stdout.splitlines()
    start = lines.index("why axis 1 of `y` is S")
    assert lines[start + 1 : start + 6] == [
        "  1  `y` axis 1 = S: Reshape `fold`",
        "  2  `t` element 1 = S: Concat `target`",
        "  3  `n` element 0 = S: Gather `pick`",
        "  4  `s` element 1 = S: Shape `shape`",
        "  5  `x` axis 1 = S: input of the model",
    ]
    assert re.search(r"^  y  ", lines[1]), "only what was asked about is listed"


def test_the_whole_shape_and_negative_axes(chain: Path) -> None:
    (made,) = shapes_of(chain, "--why", "y")["why"]
    assert (made["axis"], made["starts"]) == (None, [0, 1, 2])
    assert why(chain, "y:-1")[0]["text"] == "`y` axis 2"


def test_a_name_with_a_colon(tmp_path: Path) -> None:
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,4] x) => (float[N,4] y) { y = Relu (x) }""")
    model.graph.node[0].output[0] = model.graph.output[0].name = "y:0"
    onnx.save(model, tmp_path / "m.onnx")
    assert len(shapes_of(tmp_path / "m.onnx", "--why", "y:0")["why"][0]["starts"]) == 2
    assert why(tmp_path / "m.onnx", "y:0:0")[0]["text"] == "`y:0` axis 0"


def test_where_an_unknown_begins(tmp_path: Path) -> None:
    model = write(
        tmp_path / "m.onnx",
        """<ir_version: 8, opset_import: ["" : 17]>
        g (float[4,20] x) => (int64[A,B] z) <int64[1] rest = {-1}> {
          [nz] i = NonZero (x)
          [turn] t = Transpose <perm = [1, 0]> (i)
          [flat] f = Relu (x)
          [end] z = Identity (t)
        }""",
    )
    steps = why(model, "z:0")
    assert [s["text"] for s in steps] == ["`z` axis 0", "`t` axis 0", "`i` axis 1"]
    assert steps[-1]["kind"] == "unknown" and steps[-1]["node"] == "nz" and steps[-1]["reason"]
    (unknown,) = shapes_of(model)["unknowns"]
    assert (unknown["name"], unknown["min"], unknown["max"], unknown["node"]) == ("nonzero_1", 0, 80, "nz")
    assert sizes(shapes_of(model), "t") == ["nonzero_1", 2]
    assert "  nonzero_1 in 0..80: " in run("shapes", model).stdout
    assert "<li>nonzero_1 in 0..80: " in run("shapes", "--output-format", "html", model).stdout
    assert "- nonzero&#95;1 in 0..80: " in run("shapes", "--output-format", "markdown", model).stdout


def test_an_operator_that_nobody_knows(tmp_path: Path) -> None:
    model = write(
        tmp_path / "m.onnx",
        """<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
        g (float[4,20] x) => (float[A] z) { [odd] a = my.Foo (x)  [next] z = Relu (a) }""",
    )
    document = shapes_of(model, "--why", "a")
    (step,) = document["why"][0]["steps"]
    assert (step["kind"], step["node"]) == ("unknown", "odd")
    assert "`Foo`" in step["reason"]


BODIES = """<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
g (float[N,S] x, float[M,S] c, bool flag)
    => (float[A,B] y, float[C,D] z, float[E,F] l, float[T,P,Q] stacked, float[G,H] s)
<int64 trips = {3}, bool go = {1}> {
  [branch] y = If (flag) <
    then_branch = yes () => (float[R,U] a) { [inner] a = Concat <axis = 0> (x, c) },
    else_branch = no () => (float[R,U] b) { [other] b = Concat <axis = 0> (c, x) }
  >
  [call] z = f.twice (x)
  [loop] l, stacked = Loop (trips, go, x) <
    body = step (int64 i, bool cond, float[K,L] v) => (bool again, float[K,L] w, float[K,L] out) {
      again = Identity (cond)
      w = Relu (v)
      [sum] out = Add (v, v)
    }
  >
  [scan] s = Scan <num_scan_inputs = 1, body = each (float[J] e) => (float[J] o) { o = Relu (e) }> (x)
}
<domain: "f", opset_import: ["" : 17]>
twice (p) => (q) { [twin] q = Concat <axis = 1> (p, p) }
"""


def test_into_bodies_and_functions(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    model = onnx.parser.parse_model(BODIES)
    path.write_bytes(model.SerializeToString())
    ends = {value: {s["text"] for s in why(path, value) if s["kind"] == "input"} for value in ("y:0", "y:1", "z:1")}
    assert ends["y:0"] == {"`x` axis 0", "`c` axis 0"}
    assert ends["y:1"] <= {"`x` axis 1", "`c` axis 1"} and ends["y:1"]
    assert ends["z:1"] == {"`x` axis 1"}
    graphs = {s["graph"] for s in why(path, "y:0")}
    assert len(graphs) == 3, graphs
    assert {s["text"] for s in why(path, "l:1") if s["kind"] == "input"} == {"`x` axis 1"}
    assert {s["text"] for s in why(path, "stacked:0") if s["kind"] == "constant"} == {"`trips` element 0"}
    assert {s["text"] for s in why(path, "stacked:2") if s["kind"] == "input"} == {"`x` axis 1"}
    assert {s["text"] for s in why(path, "s:0") if s["kind"] == "input"} == {"`x` axis 0"}
    assert {s["text"] for s in why(path, "s:1") if s["kind"] == "input"} == {"`x` axis 1"}


def test_lines_of_the_program_are_named(cache: Path) -> None:
    model = onnx.load(cache)
    entry = model.graph.node[0].metadata_props.add()
    entry.key = "pkg.torch.onnx.stack_trace"
    entry.value = 'File "/home/me/net.py", line 12, in forward\n    k = torch.cat([k0, k1], 2)\n'
    onnx.save(model, cache)
    (step,) = [s for s in why(cache, "s:3") if s["node"] == "cat"]
    assert step["source"]["line"] == 12
    assert "Concat `cat` (/home/me/net.py:12)" in run("shapes", "--why", "k:2", cache).stdout


def test_a_long_run_is_cut_in_the_text_and_whole_in_json(tmp_path: Path) -> None:
    nodes = "\n".join(f"v{i + 1} = Relu (v{i})" for i in range(40))
    path = write(
        tmp_path / "m.onnx",
        f'<ir_version: 8, opset_import: ["" : 17]> g (float[N] v0) => (float[N] v40) {{ {nodes} }}',
    )
    assert len(why(path, "v40:0")) == 41
    text = run("shapes", "--why", "v40:0", path).stdout
    assert "  ...  37 nodes pass it on as it is\n" in text
    assert "  41  `v0` axis 0 = N: input of the model\n" in text


def exporters(opset: int, text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> {text}')


# --- wrong models: one conflict each ---------------------------------------------------------------------

# Name, sizes that the message names, model.
WRONG = """
conv-channels: 3 5
    g (float[1,3,8,8] x, float[4,5,3,3] w) => (float[A,B,C,D] y) { c = Conv (x, w)  d = Relu (c)  y = Add (d, d) }
matmul: 3 4
    g (float[2,3] x, float[4,5] w) => (float[A,B] y) { c = MatMul (x, w)  d = Softmax (c)  y = Transpose (d) }
gemm: 3 4
    g (float[2,3] x, float[4,5] w, float[5] b) => (float[A,B] y) { c = Gemm (x, w, b)  y = Relu (c) }
add: 3 4
    g (float[2,3] x, float[2,4] w) => (float[A,B] y) { c = Add (x, w)  d = Add (c, x)  y = Mul (d, w) }
where: 2 3
    g (bool[2] c, float[3] x, float[1] w) => (float[A] y) { d = Where (c, x, w)  y = Relu (d) }
concat: 3 5
    g (float[2,3] x, float[4,5] w) => (float[A,B] y) { c = Concat <axis = 0> (x, w)  y = Relu (c) }
reshape: 6 8
    g (float[2,3] x) => (float[A,B] y) <int64[2] t = {4, 2}> { c = Reshape (x, t)  d = Relu (c)  y = Add (c, d) }
reshape-rest: 6 4
    g (float[2,3] x) => (float[A,B] y) <int64[2] t = {4, -1}> { c = Reshape (x, t)  y = Relu (c) }
transpose:
    g (float[2,3] x) => (float[A,B] y) { c = Transpose <perm = [0, 2]> (x)  y = Relu (c) }
gather-axis: 3
    g (float[2,3] x) => (float[A,B] y) <int64[1] i = {0}> { c = Gather <axis = 3> (x, i)  y = Relu (c) }
split: 4 3
    g (float[2,3] x) => (float[A,B] y) <int64[2] s = {2, 2}> { a, b = Split <axis = 1> (x, s)  c = Relu (a)  y =
    Add (c, b) }
expand: 2 4
    g (float[2,3] x) => (float[A,B] y) <int64[2] t = {4, 3}> { c = Expand (x, t)  y = Relu (c) }
squeeze: 2
    g (float[2,3] x) => (float[A] y) <int64[1] a = {0}> { c = Squeeze (x, a)  y = Relu (c) }
pool:
    g (float[1,3,2,2] x) => (float[A,B,C,D] y) { c = MaxPool <kernel_shape = [5, 1]> (x)  d = Relu (c)  y = Add
    (d, d) }
batchnorm: 3 4
    g (float[1,3,8,8] x, float[4] s, float[4] b, float[4] m, float[4] v) => (float[A,B,C,D] y) { c =
    BatchNormalization (x, s, b, m, v)  y = Relu (c) }
layernorm: 3 4
    g (float[2,3] x, float[4] s) => (float[A,B] y) { c = LayerNormalization (x, s)  y = Relu (c) }
einsum: 3 4
    g (float[2,3] x, float[4,5] w) => (float[A,B] y) { c = Einsum <equation = "ij,jk->ik"> (x, w)  y = Relu (c) }
conv-transpose: 3 4
    g (float[1,3,8,8] x, float[4,5,3,3] w) => (float[A,B,C,D] y) { c = ConvTranspose (x, w)  y = Relu (c) }
chain: 3 4
    g (float[2,3] x, float[2,4] w) => (float[A,B] y) <int64[2] t = {3, 2}> { c = Add (x, w)  d = Reshape (c, t)  e
    = MatMul (d, c)  f = Concat <axis = 0> (e, d)  y = Sub (f, x) }
in-a-branch: 3 4
    g (float[2,3] x, float[2,4] w, bool f) => (float[A,B] y) { c = If (f) <then_branch = a () => (float[P,Q] p) {
    p = Add (x, w) }, else_branch = b () => (float[P,Q] q) { q = Relu (x) }>  y = Relu (c) }
"""
W = {
    name: (text, sizes.split())
    for name, sizes, text in re.findall(r"^([\w-]+): *(.*)\n((?: {4}.*\n)+)", WRONG, re.MULTILINE)
}
assert len(W) == 20


@pytest.mark.parametrize("name", W)
def test_a_wrong_model_has_one_conflict_with_both_sides(tmp_path: Path, name: str) -> None:
    text, named = W[name]
    path = tmp_path / "m.onnx"
    path.write_bytes(exporters(17, text).SerializeToString())
    document = shapes_of(path)
    messages = [f"{c['op_type']}: {c['message']}" for c in document["conflicts"]]
    assert len(messages) == 1, messages
    (conflict,) = document["conflicts"]
    for size in named:
        assert re.search(rf"\b{size}\b", conflict["message"]), messages
    (output,) = [v for v in document["graphs"][0]["values"] if v["name"] == "y"]
    assert output["dtype"] == "FLOAT", "inference goes on after it"
    assert f"cannot hold:\n  {conflict['op_type']} `{conflict['node']}`" in run("shapes", path).stdout


def test_sides_of_a_conflict_come_from_somewhere(tmp_path: Path) -> None:
    weights = numpy.zeros((4, 3), "float32")
    model = exporters(17, "g (float[2,3] x) => (float[A,B] y) { [first] h = Relu (x)  [second] y = MatMul (h, w) }")
    model.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    onnx.save(model, tmp_path / "m.onnx")
    (conflict,) = shapes_of(tmp_path / "m.onnx")["conflicts"]
    assert "`h` axis 1 is 3: input `x` axis 1, through Relu `first`" in conflict["sides"]
    assert "`w` axis 0 is 4, a constant of the model" in conflict["sides"]
    assert "    `w` axis 0 is 4, a constant of the model\n" in run("shapes", tmp_path / "m.onnx").stdout


# --- filters and forms -----------------------------------------------------------------------------------


def test_only_lists_what_matches(cache: Path) -> None:
    names = [v["name"] for g in shapes_of(cache, "--only", "k?", "--only", "m*,s")["graphs"] for v in g["values"]]
    assert names == ["k0", "k1", "mask", "s"]
    assert run("shapes", "--only", "k0", "--output-format", "concise", cache).stdout == "main: k0 FLOAT[B,8,past,64]\n"


def test_only_and_why_together(cache: Path) -> None:
    document = shapes_of(cache, "--only", "k*", "--why", "s:2")
    assert [v["name"] for v in document["graphs"][0]["values"]] == ["k0", "k1", "k"]
    assert document["why"][0]["value"] == "s"


def test_markdown(cache: Path) -> None:
    lines = run(
        "shapes", "--output-format", "markdown", "--assume", "B == 2", "--why", "s:3", cache
    ).stdout.splitlines()
    assert lines[0].startswith("## trtcheck shapes: <code>")
    assert "Assumed: <code>B == 2</code>" in lines
    assert "### Why axis 3 of <code>s</code> is past + seq" in lines
    assert any(line.startswith("- <code>past + seq</code> must equal <code>total</code>") for line in lines)
    columns = {line.count(" | ") for line in lines if line.startswith("| ")}
    assert columns == {4}


def test_html_holds_rows_and_says_what_must_hold(cache: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("shapes", "--output-format", "html", "-o", page, "--only", "*", "--why", "s:3", cache).returncode == 0
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>") or text.startswith("<!doctype html>")
    assert '<div class="searchable">' in text and "<script>" in text
    assert "script-src 'sha256-" in text
    assert text.count('<tr><th scope="row">') == 7
    assert "prefers-color-scheme" in text
    assert "<h2>Must hold</h2>" in text and "<h2>Why axis 3 of <code>s</code>" in text
    assert "http://" not in text.replace("http://www.w3.org", "")


def test_names_of_a_model_are_text_in_every_form(tmp_path: Path) -> None:
    model = exporters(17, "g (float[N,4] x) => (float[N,4] y) { y = Relu (x) }")
    evil = "<script>alert(1)</script>|`\x1b[31m"
    model.graph.node[0].output[0] = model.graph.output[0].name = evil
    onnx.save(model, tmp_path / "m.onnx")
    for form in ("full", "json", "markdown", "html"):
        text = run("shapes", "--output-format", form, tmp_path / "m.onnx").stdout
        assert "\x1b" not in text
        assert form in ("full", "json") or "<script>alert" not in text


def test_formats_that_there_are(cache: Path) -> None:
    assert "markdown" in one_line(run("shapes", "--output-format", "sarif", cache))


# --- Python --------------------------------------------------------------------------------------------


def test_assumptions_from_python(cache: Path) -> None:
    shapes = trtcheck.infer_shapes(cache, assume=["past + seq == total", "past % 8 == 0"])
    assert str(shapes["mask"]) == "FLOAT[B,1,1,past + seq]"
    assert shapes.demands() == []
    with pytest.raises(trtcheck.Error, match="did you mean `total`"):
        trtcheck.infer_shapes(cache, assume="totl == 4")
    with pytest.raises(TypeError):
        trtcheck.infer_shapes(cache, assume=4)  # type: ignore[arg-type]


def test_why_from_python(cache: Path) -> None:
    shapes = trtcheck.infer_shapes(cache)
    made = shapes.why("s", 3)
    assert [step.text for step in made.steps][-2:] == ["`k0` axis 2", "`k1` axis 2"]
    assert made.steps[2].node == "cat" and made.steps[2].sources == [3, 4]
    plain = made.to_dict()
    assert plain["value"] == "s" and json.loads(json.dumps(plain)) == plain
    assert str(made).startswith("why axis 3 of `s` is past + seq\n")
    assert shapes.why("s", -1).axis == 3
    assert len(shapes.why(shapes.model.graph.outputs[0]).starts) == 4
    with pytest.raises(KeyError):
        shapes.why("nothing")
    with pytest.raises(IndexError):
        shapes.why("s", 4)
    (demand,) = shapes.demands()
    assert demand.text == "`past + seq` must equal `total`, or `total` must be 1"
    assert {step.text for step in demand.steps if step.kind == "input"} == {
        "`k0` axis 2", "`k1` axis 2", "`mask` axis 3",
    }  # fmt: skip
