"""`trtcheck extract` and `trtcheck.extract`: what is cut, what stays, what is refused; the part computes the same."""

from __future__ import annotations

import json
import os
import pickle
import random
import resource
import subprocess
import time
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper, numpy_helper
from test_data_places import contents, files, model
from zoo.catalog import ENTRIES
from zoo.export import all_exports, export
from zoo.reference import session

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".venv/bin/trtcheck"
SCHEMA = json.loads((ROOT / "cpp/data/extract.schema.json").read_text())

TEXT = """<ir_version: 8, opset_import: ["" : 17, "own" : 1, "other" : 1]>
main (float[N,4] x, bool c) => (float[N,4] y, float[N,4] z) <float[4] w = {1, 2, 3, 4}, int64[1] axes = {0}> {
  [first] a = Add (x, w)
  [second] b = own.twice (a)
  [third] y = If (c) <
    then_branch = then_graph () => (float[N,4] t) <float[4] v = {1, 1, 1, 1}> { t = Mul (b, v) },
    else_branch = else_graph () => (float[N,4] e) { inner = Neg (b) e = Add (inner, w) }
  >
  [fourth] k = Unsqueeze (x, axes)
  [fifth] z = Elu <alpha = 0.5> (a)
}
<domain: "own", opset_import: ["" : 17, "deeper" : 1]>
twice (p) => (q) { one = Add (p, p) q = deeper.same (one) }
<domain: "deeper", opset_import: ["" : 17]>
same (p) => (q) { q = Identity (p) }
<domain: "other", opset_import: ["" : 17]>
unused (p) => (q) { q = Identity (p) }"""
MODEL = onnx.parser.parse_model(TEXT)


def cut(given: onnx.ModelProto, inputs: Any = (), outputs: Any = ()) -> onnx.ModelProto:
    made = trtcheck.extract(given, inputs=inputs, outputs=outputs).model
    assert isinstance(made, onnx.ModelProto)
    return made


def declared(value: onnx.ValueInfoProto) -> tuple[str, int, list[Any]]:
    kind = value.type.tensor_type
    return value.name, kind.elem_type, [dim.dim_param or dim.dim_value for dim in kind.shape.dim]


def names(entries: Any) -> list[str]:
    return [entry.name for entry in entries]


#: inputs, outputs: nodes, initializers, inputs and outputs that are left, functions, domains
CASES: dict[str, tuple[list[str], list[str], list[str], list[str], list[str], list[str], list[str], list[str]]] = {
    "before a tensor": ([], ["a"], ["first"], ["w"], ["x"], ["a"], [], [""]),
    "a function and what it calls": (
        *([], ["b"], ["first", "second"], ["w"], ["x"], ["b"]),
        *(["twice", "same"], ["", "own"]),
    ),
    "values that bodies read": (["b", "c"], ["y"], ["third"], ["w"], ["c", "b"], ["y"], [], [""]),
    "between two tensors": (["a"], ["z"], ["fifth"], [], ["a"], ["z"], [], [""]),
    "two outputs, one of them new": (
        *([], ["k", "z"], ["first", "fourth", "fifth"], ["w", "axes"], ["x"], ["z", "k"]),
        *([], [""]),
    ),
    "a weight as an input": (["x", "w"], ["a"], ["first"], [], ["x", "w"], ["a"], [], [""]),
    "all outputs of the model": (
        *(["a", "c"], [], ["second", "third", "fifth"], ["w"], ["c", "a"], ["y", "z"]),
        *(["twice", "same"], ["", "own"]),
    ),
    "an input that nobody needs": (["x", "c"], ["a"], ["first"], ["w"], ["x", "c"], ["a"], [], [""]),
    "a name twice": (["a", "a"], ["z", "z"], ["fifth"], [], ["a"], ["z"], [], [""]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_left(name: str) -> None:
    inputs, outputs, nodes, weights, left_inputs, left_outputs, functions, domains = CASES[name]
    part = trtcheck.extract(MODEL, inputs=inputs, outputs=outputs)
    made = part.model
    assert names(made.graph.node) == nodes
    assert names(made.graph.initializer) == weights
    assert (names(made.graph.input), names(made.graph.output)) == (left_inputs, left_outputs)
    assert names(made.functions) == functions
    assert [entry.domain for entry in made.opset_import if entry.domain != "deeper"] == domains
    assert [each.name for each in part.inputs] == left_inputs
    assert [each.is_new for each in part.outputs] == [each not in ("y", "z") for each in left_outputs]
    assert part.after.functions == len(functions)
    kept = {node.name: node for node in MODEL.graph.node}
    assert all(node == kept[node.name] for node in made.graph.node)


def test_types_are_written_as_inferred() -> None:
    made = cut(
        onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        main (float[N,3,H,8] x, float[4,3,3,3] w) => (float[M] y) <int64[2] target = {0, -1}> {
          a = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (x, w)
          s = Shape (a)
          b = Reshape (a, target)
          m = NonZero (b)
          y = Flatten <axis = 0> (b)
        }"""),
        ["b"],
        ["m", "y"],
    )
    assert declared(made.graph.input[0]) == ("b", TensorProto.FLOAT, ["N", "16*floor((H + 1)/2)"])
    assert [declared(each) for each in made.graph.output][1] == ("m", TensorProto.INT64, [2, 0])
    again = cut(onnx.parser.parse_model(TEXT), ["c", "b"], ["y"])
    assert declared(again.graph.input[1]) == ("b", TensorProto.FLOAT, ["N", 4])


def test_a_node_that_makes_an_input_too() -> None:
    """The other output is needed, so it stays, and its first one gets a name that nobody reads."""
    made = cut(
        onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
        main (float[4] x) => (float[2] y) { a, b = Split (x) y = Add (a, b) }"""),
        ["x", "a"],
        ["y"],
    )
    assert list(made.graph.node[0].output) == ["a/not_read", "b"]
    arguments = {"x": np.float32([1, 2, 3, 4]), "a": np.float32([10, 20])}
    assert session(made).run(None, arguments)[0].tolist() == [13, 24]


def test_declarations_stay_with_their_values() -> None:
    given = onnx.ModelProto()
    given.CopyFrom(MODEL)
    for name in ("a", "b", "k"):
        given.graph.value_info.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", 4]))
    assert names(cut(given, [], ["y"]).graph.value_info) == ["a", "b"]
    assert names(cut(given, ["a", "c"], ["y"]).graph.value_info) == ["b"]
    assert names(cut(given, [], ["a"]).graph.value_info) == []


def test_sparse_weights_and_defaults_of_inputs() -> None:
    given = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        main (float[4] x, float[4] bias) => (float[4] y) <float[4] bias = {1, 2, 3, 4}> {
          a = Add (x, bias)
          y = Mul (a, s)
        }""")
    values = helper.make_tensor("s", TensorProto.FLOAT, [1], [2.0])
    given.graph.sparse_initializer.append(
        helper.make_sparse_tensor(values, helper.make_tensor("i", TensorProto.INT64, [1], [2]), [4])
    )
    before = cut(given, [], ["a"])
    assert (names(before.graph.input), len(before.graph.sparse_initializer)) == (["x", "bias"], 0)
    behind = cut(given, ["a"], ["y"])
    assert (names(behind.graph.input), len(behind.graph.sparse_initializer)) == (["a"], 1)
    assert names(behind.graph.initializer) == []
    fed = cut(given, ["x", "bias"], ["a"])
    assert (names(fed.graph.input), names(fed.graph.initializer)) == (["x", "bias"], [])


REFUSED = [
    (
        {"inputs": ["b"], "outputs": ["y"]},
        "output `y` also needs input `c` of the model (If `third` reads `c`): name it among the inputs, or cut at",
    ),
    (
        {"inputs": ["axes"], "outputs": ["y"]},
        "output `y` also needs inputs `c`, `x` of the model (If `third` reads `c`): name them",
    ),
    ({"outputs": ["zz"]}, "there is no tensor `zz`, did you mean `z`?"),
    ({"inputs": ["nowhere"], "outputs": ["z"]}, "there is no tensor `nowhere`"),
    (
        {"outputs": ["inner"]},
        "tensor `inner` is inside of main/third.else_branch: a model is cut at",
    ),
    ({"outputs": ["one"]}, "tensor `one` is inside of main/second"),
    ({"inputs": ["a"], "outputs": ["a"]}, "`a` is named as an input and as an output: nothing lies between"),
    ({"inputs": ["c"], "outputs": ["x", "c"]}, "`c` is named as an input and as an output"),
]


@pytest.mark.parametrize(("options", "cause"), REFUSED, ids=[cause for _, cause in REFUSED])
def test_what_is_refused(options: dict[str, Any], cause: str) -> None:
    with pytest.raises(trtcheck.Error) as caught:
        trtcheck.extract(MODEL, **options)
    assert cause in str(caught.value)


def test_types_that_cannot_be_written() -> None:
    text = """<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
        main (float[4] x) => (float[4] y) {
          a = own.Foo (x)
          b = Neg (a)
          q = SequenceConstruct (x)
          y = SequenceAt (q, zero)
        }"""
    given = onnx.parser.parse_model(text)
    given.graph.initializer.append(numpy_helper.from_array(np.int64(0), "zero"))
    with pytest.raises(trtcheck.Error, match="the element type of `a` is not known"):
        trtcheck.extract(given, inputs="a", outputs="b")
    with pytest.raises(trtcheck.Error, match="`q` is no tensor, but a sequence"):
        trtcheck.extract(given, inputs="q", outputs="y")


def test_undefined_values() -> None:
    given = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        main (float[4] x) => (float[4] y) { y = Add (x, nothing) }""")
    with pytest.raises(trtcheck.Error, match="output `y` needs `nothing`, which nothing makes"):
        trtcheck.extract(given, outputs="y")


def test_the_python_function() -> None:
    part = trtcheck.extract(MODEL, inputs="a", outputs="z")
    assert repr(part) == "<Extracted: 1 of 8 nodes, 0 weights>"
    assert part.to_dict()["inputs"] == [{"name": "a", "type": "FLOAT[N,4]", "is_new": True}]
    assert "FLOAT[N,4]" in part._repr_html_() and "<table" in part._repr_html_()
    assert pickle.loads(pickle.dumps(part.after)).to_dict() == part.after.to_dict()
    assert trtcheck.extract(MODEL, inputs=["x", "c"], outputs="a").notes == ["no output needs input `c`"]
    assert isinstance(trtcheck.extract(MODEL.SerializeToString(), outputs="a").model, bytes)
    with pytest.raises(ValueError, match="inputs or outputs are required"):
        trtcheck.extract(MODEL)
    with pytest.raises(TypeError, match="outputs must hold texts"):
        trtcheck.extract(MODEL, outputs=[3])  # type: ignore[list-item]


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "extract", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "net.onnx").write_bytes(MODEL.SerializeToString())
    return tmp_path


class TestTheProgram:
    def test_beside_the_model(self, folder: Path) -> None:
        before = (folder / "net.onnx").read_bytes()
        done = run("net.onnx", "--inputs", "b,c", "--outputs", "y", cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (
            "net.onnx\n"
            "  input   c  BOOL[]\n"
            "  input   b  FLOAT[N,4]  new\n"
            "  output  y  FLOAT[N,4]\n"
            "before: 8 nodes, 3 weights of 40 bytes, 3 functions\n"
            "after: 4 nodes, 2 weights of 32 bytes\n"
            "written to net.extracted.onnx\n"
        )
        assert (folder / "net.onnx").read_bytes() == before
        onnx.checker.check_model(onnx.load(folder / "net.extracted.onnx"), full_check=True)

    def test_json(self, folder: Path) -> None:
        done = run(
            "net.onnx", "--inputs", "a,c", "--outputs", "z", "-o", "z.onnx", "--output-format", "json", cwd=folder
        )
        document = json.loads(done.stdout)
        jsonschema.validate(document, SCHEMA)
        assert (document["output"], document["notes"]) == ("z.onnx", ["no output needs input `c`"])
        assert document["bytes"] == (folder / "z.onnx").stat().st_size

    def test_list_writes_nothing(self, folder: Path) -> None:
        done = run("net.onnx", "--outputs", "a", "--list", cwd=folder)
        assert done.stdout.endswith("nothing is written\n")
        assert files(folder) == {"net.onnx"}

    @pytest.mark.parametrize(
        ("arguments", "cause"),
        [
            (["net.onnx"], "--inputs or --outputs is required"),
            (["missing.onnx", "--outputs", "a"], "missing.onnx: "),
            (["-", "--outputs", "a"], "<stdin>: cannot be cut: a file is required"),
            (["net.onnx", "--outputs", "bb"], "net.onnx: there is no tensor `bb`, did you mean `b`?"),
            (["net.onnx", "--outputs", "a", "--list", "-o", "x.onnx"], "--list writes nothing: not with --output"),
            (["net.onnx", "--outputs", "a", "--list", "--copy-data"], "--list writes nothing: not with --copy-data"),
            (["net.onnx", "--outputs", "a", "--copy-data", "--inline-data"], "one of --copy-data, --inline-data and"),
            (["net.onnx", "--outputs", "a", "-o", "no/where.onnx"], "cannot write: no such file or directory"),
            (["net.onnx", "--outputs", "a", "--output-format", "jsn"], "did you mean `json`"),
            (["net.onnxtxt", "--outputs", "a"], "net.onnxtxt: is a text form: a file of ONNX is required"),
        ],
    )
    def test_what_makes_no_sense(self, arguments: list[str], cause: str, folder: Path) -> None:
        (folder / "net.onnxtxt").write_text(TEXT)
        done = run(*arguments, cwd=folder)
        assert (done.returncode, done.stdout) == (2, "")
        assert cause in done.stderr and done.stderr.count("\n") == 1, done.stderr
        assert files(folder) == {"net.onnx", "net.onnxtxt"}


@pytest.mark.parametrize("option", [None, "--copy-data", "--inline-data", "--external-data"])
@pytest.mark.parametrize("place", [".", "below", "../elsewhere"])
def test_data_of_other_files(option: str | None, place: str, tmp_path: Path) -> None:
    path = model(tmp_path / "a", lambda made: made.graph.node.append(helper.make_node("Add", ["far", "own"], ["sum"])))
    (tmp_path / "a" / place).mkdir(exist_ok=True, parents=True)
    words = ["net.onnx", "--outputs", "sum", *([option] if option else []), "-o", f"{place}/part.onnx"]
    done = run(*words, cwd=tmp_path / "a")
    if option is None and place != ".":
        # Above the new folder, where nobody reads it.
        assert done.returncode == 2 and "copy it too (--copy-data)" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    known = contents(path)
    made = contents(tmp_path / "a" / place / "part.onnx")
    assert made == {
        name: known[name] for name in (f"{onnx.load(path).graph.name}/own", f"{onnx.load(path).graph.name}/far")
    }
    beside = tmp_path / "a" / place / "part.onnx.data"
    assert beside.exists() == (option in ("--copy-data", "--external-data"))


def test_a_path_of_data_is_rewritten(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below/w.bin").write_bytes(np.ones(4, "f").tobytes())
    given = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        main (float[4] x) => (float[4] y) { a = Add (x, w) y = Neg (a) }""")
    weight = TensorProto(name="w", data_type=1, dims=[4], data_location=TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value="w.bin")
    given.graph.initializer.append(weight)
    (tmp_path / "below/net.onnx").write_bytes(given.SerializeToString())
    assert run("below/net.onnx", "--outputs", "a", "-o", "part.onnx", cwd=tmp_path).returncode == 0
    made = onnx.load(tmp_path / "part.onnx", load_external_data=False)
    assert made.graph.initializer[0].external_data[0].value == "below/w.bin"
    assert numpy_helper.to_array(onnx.load(tmp_path / "part.onnx").graph.initializer[0]).tolist() == [1, 1, 1, 1]


def test_four_gigabytes_of_weights(tmp_path: Path) -> None:
    """Under a second, and in the memory of a small model: no weight is read."""
    count, size = 16, 1 << 28
    given = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> main (float[1,8192] x) => (float[1,8192] y) {}'
    )
    for i in range(count):
        weight = TensorProto(name=f"w{i}", data_type=1, dims=[8192, 8192], data_location=TensorProto.EXTERNAL)
        for key, value in (("location", "net.data"), ("offset", i * size), ("length", size)):
            weight.external_data.add(key=key, value=str(value))
        given.graph.initializer.append(weight)
        reads = "x" if i == 0 else f"h{i - 1}"
        given.graph.node.append(helper.make_node("MatMul", [reads, f"w{i}"], ["y" if i == count - 1 else f"h{i}"]))
    (tmp_path / "net.onnx").write_bytes(given.SerializeToString())
    with (tmp_path / "net.data").open("wb") as data:
        data.truncate(count * size)
    begin = time.monotonic()
    done = run("net.onnx", "--inputs", "h3", "--outputs", "h11", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - begin < 1
    made = onnx.load(tmp_path / "net.extracted.onnx", load_external_data=False)
    assert names(made.graph.initializer) == [f"w{i}" for i in range(4, 12)]
    assert {entry.value for tensor in made.graph.initializer for entry in tensor.external_data[:1]} == {"net.data"}
    (tmp_path / "net.extracted.onnx").unlink()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))

    command = [str(PROGRAM), "extract", "net.onnx", "--inputs", "h3", "--outputs", "h11"]
    assert subprocess.run(command, cwd=tmp_path, preexec_fn=limit, capture_output=True, check=False).returncode == 0


RUNNING = [
    pytest.param(*case, id="-".join([case[0].name, *case[1:]]))
    for case in all_exports(ENTRIES.values())
    if case[0].edit is None and case[1:] not in case[0].cannot_export
][:: 1 if os.environ.get("TRTCHECK_ALL") else 6]


@pytest.mark.parametrize(("entry", "exporter", "mode"), RUNNING)
def test_parts_of_exports_compute_the_same(entry: Any, exporter: str, mode: str) -> None:
    """Random cuts: what ONNX Runtime computes in the whole model is fed to the part, whose outputs are compared."""
    made = export(entry, exporter, mode)
    assert made.path is not None
    whole = onnx.load(made.path)
    rng = random.Random(str((entry.name, exporter, mode)))
    shapes = trtcheck.infer_shapes(whole)
    known = [value for value in tensors(whole) if str(shapes[value]).partition("[")[0] in TYPES and value in shapes]
    if len(known) < 2:
        return
    chosen = rng.sample(known, min(len(known), 8))
    seen = onnx.ModelProto()
    seen.CopyFrom(whole)
    del seen.graph.output[:]
    seen.graph.output.extend(onnx.ValueInfoProto(name=name) for name in chosen)
    for name, entry_ in zip(chosen, seen.graph.output, strict=True):
        entry_.type.tensor_type.elem_type = TYPES[str(shapes[name]).partition("[")[0]]
    run_whole = session(seen)
    own = {value.name for value in run_whole.get_inputs()}
    arguments = zip(entry.inputs, entry.arguments(made.sizes[0]), strict=True)
    feeds = {name: value.numpy() for name, value in arguments if name in own}
    numbers = dict(zip(chosen, run_whole.run(None, feeds), strict=True)) | feeds
    for _ in range(4):
        outputs = rng.sample(chosen, min(2, len(chosen) - 1))
        rest = [name for name in chosen if name not in outputs]
        inputs = [*rng.sample(rest, rng.randrange(len(rest) + 1)), *feeds]
        part = trtcheck.extract(whole, inputs=inputs, outputs=outputs).model
        assert part.functions == [each for each in whole.functions if each in part.functions]
        ran = session(part)
        got = ran.run(outputs, {value.name: numbers[value.name] for value in ran.get_inputs()})
        for name, value in zip(outputs, got, strict=True):
            assert np.array_equal(value, numbers[name], equal_nan=value.dtype.kind == "f"), name


TYPES = {"FLOAT": 1, "INT64": 7, "INT32": 6, "BOOL": 9, "FLOAT16": 10}


def tensors(given: onnx.ModelProto) -> list[str]:
    return [name for node in given.graph.node for name in node.output if name]
