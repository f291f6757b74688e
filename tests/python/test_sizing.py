"""`trtcheck fix --static` and `--dynamic`: sizes that become numbers, and numbers that become dynamic."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import onnx.parser
import pytest
import torch
from onnx import numpy_helper
from test_cli import find_program
from zoo.catalog import ENTRIES
from zoo.export import export
from zoo.reference import session

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(find_program())
SCHEMA = json.loads((ROOT / "cpp/data/fix.schema.json").read_text())


def proto(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]>\n{text}')


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "fix", "--no-config", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def dims(value: onnx.ValueInfoProto) -> list[int | str | None]:
    return [dim.dim_value or dim.dim_param or None for dim in value.type.tensor_type.shape.dim]


COMPUTED = """agraph (float[N,8] x) => (float[N,2,4] y)
<int64[1] zero = {0}, int64[1] one = {1}, int64[2] rest = {2, 4}, float[N,8] r> {
  r = Relu (x)
  s = Shape (r)
  n = Slice (s, zero, one)
  t = Concat <axis = 0> (n, rest)
  y = Reshape (r, t)
}"""
# Four rows at a time: no number of rows but multiples of two can be.
FOURS = """agraph (float[N,2] x) => (float[4,M] y) <int64[2] t = {4, -1}> { y = Reshape (x, t) }"""
BAKED = """agraph (float[1,6] x) => (float[1,2,3] y) <int64[3] t = {1, 2, 3}, float[1,6] r> {
  [first] r = Relu (x)
  [second] y = Reshape (r, t)
}"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("computed", COMPUTED), ("fours", FOURS), ("baked", BAKED)):
        (tmp_path / f"{name}.onnx").write_bytes(proto(text).SerializeToString())
    return tmp_path


class TestStatic:
    @pytest.mark.parametrize("sizes", ["x=5x8", "N=5"])
    def test_the_program(self, sizes: str, folder: Path) -> None:
        done = run("--static", sizes, "computed.onnx", "-o", "five.onnx", cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        shown = sizes.partition("=")[2]
        assert f"  size-pinned\n    `{sizes.partition('=')[0]}` is {shown} (interface)\n" in done.stdout
        assert "  simplified\n    simplify for these sizes: " in done.stdout
        made = onnx.load(folder / "five.onnx")
        onnx.checker.check_model(made, full_check=True)
        assert [node.op_type for node in made.graph.node] == ["Relu", "Reshape"]
        for value in [*made.graph.input, *made.graph.output, *made.graph.value_info]:
            assert dims(value) in ([5, 8], [5, 2, 4])
        by_simplify = trtcheck.simplify(folder / "computed.onnx", sizes={"N": 5})
        assert (folder / "five.onnx").read_bytes() == by_simplify.model

    def test_nothing_is_written_for_a_list(self, folder: Path) -> None:
        done = run("--static", "N=5", "--list", "computed.onnx", cwd=folder)
        assert done.stdout.endswith("nothing is written\n")
        assert not (folder / "computed.fixed.onnx").exists()

    def test_sizes_that_contradict_the_graph(self, folder: Path) -> None:
        assert run("--static", "N=6", "fours.onnx", cwd=folder).returncode == 0
        done = run("--static", "N=5", "fours.onnx", "-o", "no.onnx", cwd=folder)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert "static size: the sizes contradict the graph at Reshape `Reshape_0`: " in line
        assert not (folder / "no.onnx").exists()
        with pytest.raises(trtcheck.Error, match="the sizes contradict the graph"):
            trtcheck.simplify(folder / "fours.onnx", sizes={"N": 5})

    def test_python_and_repairs_after_it(self) -> None:
        # Refused by 8.2 for the computed axes; the size is pinned as well.
        model = proto("""agraph (float[N,1,3] x) => (float[N,3] y) <int64[1] one = {1}> {
          a = Identity (one)
          y = Squeeze (x, a)
        }""")
        fixed = trtcheck.fix(model, target="8.2", static={"N": 4})
        assert fixed.after.verdict == "clean"
        assert dims(fixed.model.graph.output[0]) == [4, 3]
        assert fixed.applied[0].cure == "size-pinned"
        assert fixed.applied[0].code == ""
        assert not trtcheck.fix(fixed.model, target="8.2").is_changed

    @pytest.mark.parametrize("bad", [{"y": 3}, {"x": (0, 8)}, {"x": (1, 8, 1)}])
    def test_sizes_that_make_no_sense(self, bad: dict[str, Any], folder: Path) -> None:
        with pytest.raises(trtcheck.Error):
            trtcheck.fix(folder / "computed.onnx", static=bad)

    def test_sizes_of_another_type(self, folder: Path) -> None:
        with pytest.raises(TypeError, match=r"static\['x'\] must be a whole number"):
            trtcheck.fix(folder / "computed.onnx", static={"x": "1x8"})  # type: ignore[dict-item]


class TestTheProgram:
    def test_an_axis(self, folder: Path) -> None:
        done = run("--dynamic", "x:0=batch", "baked.onnx", cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert "    axis 0 of `x`, 1 in the file, is `batch`; `y` is FLOAT[batch,2,3] (interface)\n" in done.stdout
        assert " at Reshape `second`\n    read [0, 2, 3] as input 1 `t` (interface)\n" in done.stdout
        made = onnx.load(folder / "baked.fixed.onnx")
        onnx.checker.check_model(made, full_check=True)
        assert dims(made.graph.input[0]) == ["batch", 6]
        assert dims(made.graph.output[0]) == ["batch", 2, 3]
        assert dims(made.graph.value_info[0]) == ["batch", 6]
        assert [numpy_helper.to_array(one).tolist() for one in made.graph.initializer] == [[0, 2, 3]]

    def test_json(self, folder: Path) -> None:
        done = run("--dynamic", "x:0=batch", "--list", "--output-format", "json", "baked.onnx", cwd=folder)
        document = json.loads(done.stdout)
        jsonschema.validate(document, SCHEMA)
        first, second = document["models"][0]["applied"]
        assert (first["code"], first["message"], first["class"]) == (None, None, "interface")
        assert (second["node"], second["op_type"]) == ("second", "Reshape")

    def test_both(self, folder: Path) -> None:
        done = run("--dynamic", "x:0=batch", "--static", "batch=4", "baked.onnx", "-o", "four.onnx", cwd=folder)
        assert done.returncode == 0, done.stderr
        made = onnx.load(folder / "four.onnx")
        assert dims(made.graph.output[0]) == [4, 2, 3]

    @pytest.mark.parametrize(
        ("words", "cause"),
        [
            ("x", "--dynamic: `x`: INPUT:AXIS=NAME is required, as in x:0=batch"),
            ("x:0", "INPUT:AXIS=NAME is required"),
            ("x:first=batch", "INPUT:AXIS=NAME is required"),
            ("x:0=", "INPUT:AXIS=NAME is required"),
            ("z:0=batch", "there is no input `z`"),
            ("x:2=batch", "`x` has 2 axes, there is no axis 2"),
            ("x:0=2*n", "`2*n` is no name: letters, digits and _"),
        ],
    )
    def test_what_makes_no_sense(self, words: str, cause: str, folder: Path) -> None:
        done = run("--dynamic", words, "baked.onnx", cwd=folder)
        assert done.returncode == 2
        assert cause in done.stderr
        assert not (folder / "baked.fixed.onnx").exists()

    def test_an_axis_that_is_dynamic(self, folder: Path) -> None:
        done = run("--dynamic", "x:0=batch", "computed.onnx", cwd=folder)
        assert "axis 0 of `x` is dynamic already" in done.stderr
        by_python = {"x": {0: "batch"}}
        with pytest.raises(trtcheck.Error, match="axis 0 of `x` is dynamic already"):
            trtcheck.fix(folder / "computed.onnx", dynamic=by_python)

    @pytest.mark.parametrize("bad", [{"x": 0}, {"x": {"0": "batch"}}, {"x": {0: 1}}, {"x": {-1: "batch"}}])
    def test_axes_of_another_type(self, bad: Any, folder: Path) -> None:
        with pytest.raises(TypeError, match=r"dynamic\['x'\] must map axes"):
            trtcheck.fix(folder / "baked.onnx", dynamic=bad)


# name: model whose input `x` is made dynamic on axis 0, and dims of its output. What the model computes of some rows
# does not depend on other rows: it is run on as many as the file says, one such part after the other.
CASES: dict[str, tuple[str, list[int | str | None]]] = {
    "reshape": (BAKED, ["batch", 2, 3]),
    "a -1 that would take the batch": (
        "agraph (float[1,3,2] x) => (float[1,6] y) <int64[2] t = {1, -1}> { y = Reshape (x, t) }",
        ["batch", 6],
    ),
    "a batch and heads in one axis": (
        """agraph (float[2,12,5,4] x) => (float[2,12,5,5] y)
        <int64[3] t = {24, 5, 4}, int64[4] u = {2, 12, 5, 5}> {
          a = Reshape (x, t)
          b = Transpose <perm = [0, 2, 1]> (a)
          c = MatMul (a, b)
          y = Reshape (c, u)
        }""",
        ["batch", 12, 5, 5],
    ),
    "a batch of 1 and heads": (
        """agraph (float[1,12,5,4] x) => (float[1,12,5,5] y)
        <int64[3] t = {12, 5, 4}, int64[4] u = {1, 12, 5, 5}> {
          a = Reshape (x, t)
          b = Transpose <perm = [0, 2, 1]> (a)
          c = MatMul (a, b)
          y = Reshape (c, u)
        }""",
        ["batch", 12, 5, 5],
    ),
    "rows behind a batch of 1": (
        """agraph (float[1,7,4] x) => (float[1,7,2] y)
        <int64[2] t = {-1, 4}, int64[3] u = {1, 7, 2}, float[4,2] w = {1,2,3,4,5,6,7,8}> {
          a = Reshape (x, t)
          b = MatMul (a, w)
          y = Reshape (b, u)
        }""",
        ["batch", 7, 2],
    ),
    "an axis that is dropped and comes back": (
        """agraph (float[1,7,4] x) => (float[1,7,4] y) <int64[2] t = {7, 4}, int64[3] u = {7, 1, 4}> {
          z = Transpose <perm = [1, 0, 2]> (x)
          a = Reshape (z, t)
          b = Softmax <axis = 1> (a)
          c = Reshape (b, u)
          y = Transpose <perm = [1, 0, 2]> (c)
        }""",
        ["batch", 7, 4],
    ),
    "a token is put in front": (
        """agraph (float[2,3,4] x) => (float[2,4,4] y)
        <float[1,1,4] token = {1, 2, 3, 4}, int64[3] t = {2, 1, 4}> {
          e = Expand (token, t)
          y = Concat <axis = 1> (e, x)
        }""",
        ["batch", 4, 4],
    ),
    "a stored token of 1": (
        """agraph (float[1,3,4] x) => (float[1,4,4] y) <float[1,1,4] token = {1, 2, 3, 4}> {
          y = Concat <axis = 1> (token, x)
        }""",
        ["batch", 4, 4],
    ),
    "equal rows of a constant": (
        """agraph (float[2,3] x) => (float[2,5] y) <float[2,2] rows = {1, 2, 1, 2}, float[2,1] same = {3, 3}> {
          a = Add (x, same)
          y = Concat <axis = 1> (rows, a)
        }""",
        ["batch", 5],
    ),
    "tile": (
        """agraph (float[3,4] x) => (float[3,4] y) <float[1,4] row = {1, 2, 3, 4}, int64[2] r = {3, 1}> {
          t = Tile (row, r)
          y = Mul (x, t)
        }""",
        ["batch", 4],
    ),
    "zeros of a size": (
        """agraph (float[3,4] x) => (float[3,4] y) <int64[2] t = {3, 4}> {
          z = ConstantOfShape (t)
          y = Max (x, z)
        }""",
        ["batch", 4],
    ),
    "a slice of all": (
        """agraph (float[2,4] x) => (float[2,3] y) <int64[2] s = {0, 1}, int64[2] e = {2, 4}> {
          y = Slice (x, s, e)
        }""",
        ["batch", 3],
    ),
    "a slice of the only one": (
        """agraph (float[1,4] x) => (float[1,3] y) <int64[2] s = {0, 1}, int64[2] e = {1, 4}> {
          y = Slice (x, s, e)
        }""",
        ["batch", 3],
    ),
    "resize to sizes": (
        """agraph (float[1,2,3,3] x) => (float[1,2,5,5] y) <int64[4] sizes = {1, 2, 5, 5}> {
          y = Resize (x, , , sizes)
        }""",
        ["batch", 2, 5, 5],
    ),
    "initial state": (
        """agraph (float[2,3,4] x) => (float[3,1,2,2] y)
        <float[1,6,4] w = {0.5}, float[1,6,2] r = {0.25}, float[1,2,2] h = {0}> {
          s = Transpose <perm = [1, 0, 2]> (x)
          y = GRU <hidden_size = 2> (s, w, r, , , h)
        }""",
        [3, 1, "batch", 2],
    ),
    "in a branch": (
        """agraph (float[1,6] x, bool c) => (float[1,2,3] y) <int64[3] t = {1, 2, 3}> {
          y = If (c) <
            then_branch = one () => (float[1,2,3] a) { a = Reshape (x, t) },
            else_branch = two () => (float[1,2,3] b) { n = Neg (x) b = Reshape (n, t) }
          >
        }""",
        ["batch", 2, 3],
    ),
    "in a loop, which declares what it carries": (
        """agraph (float[2,3] x, bool c) => (float[2,3] y) <int64 n = {3}> {
          y = Loop (n, c, x) <body = b (int64 i, bool go, float[2,3] v) => (bool on, float[2,3] w) {
            on = Identity (go)
            w = Add (v, x)
          }>
        }""",
        ["batch", 3],
    ),
    "sizes that are computed": (
        """agraph (float[1,6] x) => (float[1,2,3] y) <int64[1] i = {0}, int64[2] rest = {2, 3}> {
          s = Shape (x)
          n = Gather (s, i)
          t = Concat <axis = 0> (n, rest)
          y = Reshape (x, t)
        }""",
        ["batch", 2, 3],
    ),
}


def filled(model: onnx.ModelProto) -> onnx.ModelProto:
    """Tensors of one number in the text are filled with it."""
    for tensor in model.graph.initializer:
        count = int(np.prod(tensor.dims))
        if len(tensor.float_data) == 1 and count > 1:
            tensor.float_data.extend([tensor.float_data[0]] * (count - 1))
    return model


def batch_axis(shape: list[int | str | None]) -> int:
    return next(i for i, dim in enumerate(shape) if dim == "batch")


@pytest.mark.parametrize("name", CASES)
def test_rows_do_not_depend_on_one_another(name: str) -> None:
    text, shape = CASES[name]
    model = filled(proto(text))
    rows = model.graph.input[0].type.tensor_type.shape.dim[0].dim_value
    fixed = trtcheck.fix(model, dynamic={"x": {0: "batch"}}, cures="graph-sorted")
    made = fixed.model
    onnx.checker.check_model(made, full_check=True)
    assert dims(made.graph.output[0]) == shape
    before, after = session(model), session(made)
    random = np.random.default_rng(0)
    for parts in (1, 2, 5):
        whole = random.standard_normal([rows * parts, *dims(model.graph.input[0])[1:]]).astype(np.float32)
        others: dict[str, Any] = {value.name: np.array(True) for value in model.graph.input[1:]}
        expected = [before.run(None, {"x": part, **others})[0] for part in np.split(whole, parts)]
        got = after.run(None, {"x": whole, **others})[0]
        np.testing.assert_array_equal(got, np.concatenate(expected, axis=batch_axis(shape)))


#: name: model, and why it cannot be.
REFUSED: dict[str, tuple[str, str]] = {
    "rows that differ": (
        "agraph (float[2,3] x) => (float[2,3] y) <float[2,1] c = {1, 2}> { [sum] y = Add (x, c) }",
        "Add `sum`: ",
    ),
    "rows that differ, put in front": (
        "agraph (float[2,3] x) => (float[2,4] y) <float[2,1] c = {1, 2}> { [join] y = Concat <axis = 1> (c, x) }",
        "Concat `join`: input 0 `c` has 2 entries on axis 0, which differ",
    ),
    "whole numbers that may count": (
        "agraph (int64[1,3] x) => (int64[1,4] y) <int64[1,1] c = {0}> { [join] y = Concat <axis = 1> (c, x) }",
        "Concat `join`: input 0 `c` holds whole numbers, which may count `batch`",
    ),
    "half of the rows": (
        "agraph (float[4,3] x) => (float[2,3] y) <int64[1] s = {0}, int64[1] e = {2}> { [cut] y = Slice (x, s, e) }",
        "Slice `cut`: it takes entries 0 to 2 of the 4 of `batch`",
    ),
    "a computed row": (
        "agraph (float[4,3] x, int64[1] i) => (float[1,3] y) { [pick] y = Gather (x, i) }",
        "Gather `pick`: computed numbers say which entries of `batch` it takes",
    ),
    "a split": (
        """agraph (float[4,3] x) => (float[2,3] y, float[2,3] z) <int64[2] s = {2, 2}> {
          [halves] y, z = Split (x, s)
        }""",
        "Split `halves`: ",
    ),
    "rows that are added up": (
        "agraph (float[4,3] x) => (float[3] y) <int64[1] a = {0}> { y = ReduceSum <keepdims = 0> (x, a) }",
        "no output would have another size",
    ),
    "weights": (
        "agraph (float[4,3] x) => (float[3,3] y) <float[3,4] w = {1}> { [product] y = MatMul (w, x) }",
        "MatMul `product`: ",
    ),
    "cut apart": (
        "agraph (float[6,2] x) => (float[3,4] y) <int64[2] t = {3, 4}> { [cut] y = Reshape (x, t) }",
        "Reshape `cut`: its sizes [3, 4] take a dynamic one of [batch, 2] apart",
    ),
    "rows between other rows": (
        """agraph (float[1,7,4] x) => (float[1,7,4] y) <int64[2] t = {7, 4}, int64[3] u = {1, 7, 4}> {
          z = Transpose <perm = [1, 0, 2]> (x)
          a = Reshape (z, t)
          [back] y = Reshape (a, u)
        }""",
        "[7, batch, 4] to [7, 4]: this can be read in two ways",
    ),
    "another size of pixels": (
        """agraph (float[4,2,3,3] x) => (float[4,2,5,5] y) <int64[1] i = {1}, int64[2] rest = {6, 6}> {
          s = Shape (x)
          c = Gather (s, i)
          n = Constant <value_ints = [8]> ()
          t = Concat <axis = 0> (n, c, rest)
          [up] y = Resize (x, , , t)
        }""",
        "Resize `up`: it makes 8 of `batch`",
    ),
    "sizes that may be either": (
        """agraph (float[3,4] x) => (float[3,4] y, float[3,4] z) <float[1,4] row = {1,2,3,4}, int64[2] t = {3, 4}> {
          y = Relu (x)
          [copies] z = Expand (row, t)
        }""",
        "Expand `copies`: entry 0 of Expand `copies`: 3: this can be read in two ways",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_file_does_not_say_is_refused(name: str) -> None:
    text, cause = REFUSED[name]
    with pytest.raises(trtcheck.Error) as refusal:
        trtcheck.fix(filled(proto(text)), dynamic={"x": {0: "batch"}})
    assert cause in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_only_multiples() -> None:
    """Halved and doubled again: an odd height does not come back."""
    model = proto("""agraph (float[1,1,8,8] x) => (float[1,1,8,8] y) <float[4] s = {1, 1, 2, 2}> {
      h = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
      u = Resize (h, , s)
      [joined] y = Add (u, x)
    }""")
    fixed = trtcheck.fix(model, dynamic={"x": {2: "height"}})
    (applied,) = fixed.applied
    assert applied.kind == "choice"
    assert "; not for each size: Add `joined`: " in applied.title
    after = session(fixed.model)
    assert after.run(None, {"x": np.ones((1, 1, 12, 8), np.float32)})[0].shape == (1, 1, 12, 8)
    both = trtcheck.fix(model, dynamic={"x": {0: "batch"}})
    assert [one.kind for one in both.applied] == ["interface"]


def test_two_inputs_share_a_size() -> None:
    model = proto("""agraph (float[2,3] x, float[2,3] z) => (float[2,3] y) { y = Add (x, z) }""")
    made = trtcheck.fix(model, dynamic={"x": {0: "batch"}, "z": {0: "batch"}}).model
    assert dims(made.graph.output[0]) == ["batch", 3]
    with pytest.raises(trtcheck.Error, match="Add `Add_0`"):
        trtcheck.fix(model, dynamic={"x": {0: "batch"}})
    other = proto("""agraph (float[2,3] x, float[4,3] z) => (float[2,3] y) { y = Relu (x) }""")
    with pytest.raises(trtcheck.Error, match="`batch` cannot be both 2 and 4"):
        trtcheck.fix(other, dynamic={"x": {0: "batch"}, "z": {0: "batch"}})


#: Of torch's exports: networks of convolutions, transformers, recurrent ones.
EXPORTED = ("resnet", "shufflenet", "vit", "bert", "encoder_layer", "gpt", "swin", "lstm_batch", "pointnet")


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
@pytest.mark.parametrize("name", EXPORTED)
def test_as_if_it_had_been_exported_so(name: str, exporter: str) -> None:
    """A static export, made dynamic, computes what the module computes, at three sizes."""
    entry = ENTRIES[name]
    static, dynamic = export(entry, exporter, "static"), export(entry, exporter, "dynamic")
    assert static.path is not None
    axes = {given: {i: dim for i, dim in enumerate(of.shape) if dim == "batch"} for given, of in entry.inputs.items()}
    fixed = trtcheck.fix(static.path, dynamic=axes, cures="graph-sorted")
    # Two of the rows are also two of something else there; both readings give the same sizes.
    assert {one.kind for one in fixed.applied} - ({"choice"} if name == "vit" else set()) == {"interface"}
    made = onnx.ModelProto.FromString(fixed.model)
    onnx.checker.check_model(made, full_check=True)
    again = session(made)
    by_exporter = session(onnx.load(dynamic.path)) if dynamic.path else None
    for batch in (entry.sizes[0]["batch"], 1, 5):
        sizes = entry.sizes[0] | {"batch": batch}
        arguments = entry.arguments(sizes)
        feeds = {value: given.numpy() for value, given in zip(entry.inputs, arguments, strict=True)}
        got = again.run(None, {value.name: feeds[value.name] for value in again.get_inputs()})
        if by_exporter and (exporter, "dynamic") not in entry.first_size_only:
            expected = by_exporter.run(None, {value.name: feeds[value.name] for value in by_exporter.get_inputs()})
        else:
            with torch.no_grad():
                output = entry.module()(*arguments)
            expected = [one.numpy() for one in (output if isinstance(output, tuple) else (output,))]
        for a, b in zip(got, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=2e-5)
