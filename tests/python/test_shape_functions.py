"""Shape functions of the user: from a file, from texts, from Python, and in a configuration."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import onnx
import onnx.parser
import pytest
from test_cli import one_line, run

import trtcheck
from trtcheck import ShapeNode, ShapeSize

MODEL = """<ir_version: 10, opset_import: ["" : 17, "mydomain" : 1]>
g (float[batch,8,H] x) => (y) {
  y = mydomain.Merge<by = 2, name = "a", pads = [1, 2]>(x, , x)
}"""
ROW = '[[shape]]\nop = "mydomain::Merge"\noutputs = ["type(in0)[in0[0], in0[1] / attr.by, ...in0[2:]]"]\n'


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    onnx.save(onnx.parser.parse_model(MODEL), "model.onnx")
    (tmp_path / "shapes.toml").write_text(ROW)
    return tmp_path / "model.onnx"


def shape(model: Path, functions: Any) -> str:
    return str(trtcheck.infer_shapes(model, shape_functions=functions)["y"])


def test_without_a_function_nothing_is_known(model: Path) -> None:
    assert shape(model, None) == "?"


def test_a_file_texts_and_functions_say_the_same(model: Path) -> None:
    def merge(node: ShapeNode) -> Any:
        x = node.inputs[0]
        assert x is not None and x.dims is not None
        return x.dtype, [x.dims[0], x.dims[1] // node.attributes["by"], *x.dims[2:]]

    text = "FLOAT[in0[0], 4, in0[2]]"
    marked = trtcheck.shape_function("mydomain::Merge")(merge)
    assert marked is merge
    for functions in ("shapes.toml", Path("shapes.toml"), {"mydomain::Merge": text}, {"Merge": [text]}, [merge]):
        assert shape(model, functions) == "FLOAT[batch,4,H]", functions
    assert shape(model, {"mydomain::Merge": merge}) == "FLOAT[batch,4,H]"


def test_a_function_sees_the_node(model: Path) -> None:
    seen: list[ShapeNode] = []

    def look(node: ShapeNode) -> None:
        seen.append(node)

    assert shape(model, {"mydomain::Merge": look}) == "?"
    node = seen[0]
    assert (node.domain, node.op_type, node.outputs) == ("mydomain", "Merge", 1)
    assert node.attributes == {"by": 2, "name": "a", "pads": [1, 2]}
    first, second, third = node.inputs
    assert first is not None and third is not None and second is None
    assert (first.dtype, first.dims) == ("FLOAT", [ShapeSize("in0[0]"), 8, ShapeSize("in0[2]")])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (lambda n: n.inputs[0], "FLOAT[batch,8,H]"),
        (lambda n: [n.inputs[0]], "FLOAT[batch,8,H]"),
        (lambda n: "INT64[3]", "INT64[3]"),
        (lambda n: ("INT8", None), "INT8[...]"),
        (lambda n: (None, [3, None]), "?[3,?]"),
        (lambda n: None, "?"),
        (lambda n: [], "?"),
        (lambda n: ("FLOAT", [2 * n.inputs[0].dims[0] + 1 - n.inputs[0].dims[2] % 2]), None),
        (lambda n: ("FLOAT", [(3 - n.inputs[0].dims[0]) * 2, (1 + n.inputs[0].dims[0]) // 2]), None),
    ],
)
def test_what_a_function_may_give(model: Path, given: Any, expected: str | None) -> None:
    made = shape(model, {"mydomain::Merge": given})
    assert made == expected if expected else "?" not in made and made.startswith("FLOAT["), made


def test_sizes_are_computed_exactly(model: Path) -> None:
    shapes = trtcheck.infer_shapes(
        model, shape_functions={"mydomain::Merge": lambda n: ("FLOAT", [(3 * n.inputs[0].dims[0] + 1) // 2])}
    )
    dims = shapes["y"].dims
    assert dims is not None and not isinstance(dims[0], int)
    assert [dims[0].evaluate({"batch": batch}) for batch in (1, 2, 5)] == [2, 3, 8]


@pytest.mark.parametrize(
    ("given", "cause"),
    [
        (lambda n: n.inputs[9], "IndexError: list index out of range"),
        (lambda n: 3, "TypeError: an output must be a text, (type, dims), an input or None, not int"),
        (lambda n: ("FLOAT", [True]), "TypeError: a size must be a whole number, a size of an input or None, not bool"),
        (lambda n: (3, [1]), 'TypeError: an element type must be a name such as "FLOAT", not int'),
        (lambda n: "FLOTA[1]", "output 0: `FLOTA` is no element type of ONNX in `FLOTA[1]`"),
    ],
)
def test_what_goes_wrong_names_operator_and_node(model: Path, given: Any, cause: str) -> None:
    with pytest.raises(trtcheck.Error) as caught:
        shape(model, {"mydomain::Merge": given})
    text = str(caught.value)
    assert "shape function of `mydomain::Merge`, node `" in text and "\n" not in text
    assert text.endswith(cause) or cause.removeprefix("output 0: ") in text, text


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        (3, "shape_functions must be a file, a dict by operator or a list of functions, not int"),
        (
            [len],
            "shape_functions must hold functions marked by trtcheck.shape_function, not builtin_function_or_method",
        ),
        ({3: "in0"}, 'operators of shape_functions must be named "domain::Op", not int'),
        ({"A::B": 3}, "the shape function of `A::B` must be a function, or one text for each output, not int"),
    ],
)
def test_options_of_the_wrong_type(model: Path, functions: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        shape(model, functions)
    assert str(caught.value) == message


def test_operators_of_onnx_and_malformed_names_are_refused(model: Path) -> None:
    for op in ("Conv", "", "::A", "a::"):
        with pytest.raises(trtcheck.Error, match="shape function of"):
            shape(model, {op: "in0"})


def test_a_check_counts_them(model: Path) -> None:
    options: dict[str, Any] = {"plugins": ["Merge"], "shape_functions": {"mydomain::Merge": "FLOAT[in0[0], 4, in0[2]]"}}
    report = trtcheck.check(model, **options)
    assert report.target.shape_functions == ["mydomain::Merge"]
    with pytest.raises(TypeError, match="a Target holds"):
        trtcheck.check(model, target=report.target, shape_functions=options["shape_functions"])


def test_functions_are_asked_from_any_thread(model: Path) -> None:
    functions = {"mydomain::Merge": lambda n: n.inputs[0]}
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: shape(model, functions), range(16)))
    assert made == ["FLOAT[batch,8,H]"] * 16


def test_texts_are_pickled_and_functions_are_asked_for_again(model: Path) -> None:
    shapes = trtcheck.infer_shapes(model, shape_functions="shapes.toml")
    assert str(pickle.loads(pickle.dumps(shapes))["y"]) == "FLOAT[batch,4,H]"
    shapes = trtcheck.infer_shapes(model, shape_functions={"mydomain::Merge": lambda n: n.inputs[0]})
    with pytest.raises(trtcheck.Error, match="a function in Python does not go into another process"):
        pickle.loads(pickle.dumps(shapes))


def test_the_command_line_and_the_configuration(model: Path) -> None:
    assert "[batch, 4, H]" in run("shapes", "--shape-functions", "shapes.toml", "model.onnx").stdout
    assert "[batch, 4, H]" not in run("shapes", "model.onnx").stdout
    folder = model.parent
    (folder / "trtcheck.toml").write_text('shape-functions = "shapes.toml"\n')
    settings = trtcheck.load_settings()
    assert pickle.loads(pickle.dumps(settings)).origins["shape-functions"] == "trtcheck.toml:1"
    assert run("check", "--plugin", "Merge", "model.onnx").returncode in (0, 1)
    (folder / "shapes.toml").write_text(ROW.replace("in0[0]", "n"))
    for words in (("check",), ("settings",), ("shapes", "--shape-functions", "shapes.toml")):
        result = run(*words, "model.onnx")
        assert "shapes.toml:3: shape function of `mydomain::Merge`" in one_line(result)


# Every reader of a model that uses shapes: what it says with the function, and that it cannot say it without.

CHAIN = """<ir_version: 10, opset_import: ["" : 17, "mydomain" : 1]>
g (float[4,8,6] x, float[4,24] z) => (y) {
  m = mydomain.Merge<by = 2, name = "a">(x)
  s = Shape(m)
  y = Reshape<name = "r">(z, s)
}"""


@pytest.fixture
def chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    onnx.save(onnx.parser.parse_model(CHAIN), "chain.onnx")
    (tmp_path / "shapes.toml").write_text(ROW)
    return tmp_path / "chain.onnx"


def test_simplify_counts_them(chain: Path) -> None:
    assert trtcheck.simplify(chain).after.shapes == 1
    made = trtcheck.simplify(chain, shape_functions="shapes.toml")
    assert made.after.shapes == 0
    made.write("simple.onnx")
    (node,) = onnx.load("simple.onnx").graph.node
    assert node.op_type == "Reshape"


def test_extract_counts_them(chain: Path) -> None:
    with pytest.raises(trtcheck.Error, match="`m`"):
        trtcheck.extract(chain, inputs=["m", "z"])
    functions = {"mydomain::Merge": lambda n: ("FLOAT", [4, 4, 6])}
    part = trtcheck.extract(chain, inputs=["m", "z"], shape_functions=functions)
    assert [(one.name, one.type) for one in part.inputs if one.is_new] == [("m", "FLOAT[4,4,6]")]


def test_annotated_models_count_them(chain: Path) -> None:
    assert [one.value for one in trtcheck.annotate_shapes(chain).unknown] == ["m", "y"]
    made = trtcheck.annotate_shapes(chain, shape_functions="shapes.toml")
    assert made.unknown == []
    declared = {value.name: value for value in onnx.load_from_string(made.model).graph.value_info}
    assert [dim.dim_value for dim in declared["m"].type.tensor_type.shape.dim] == [4, 4, 6]


def test_memory_counts_them(chain: Path) -> None:
    assert trtcheck.memory(chain).points[-1].unknown == 3
    assert trtcheck.memory(chain, shape_functions="shapes.toml").points[-1].unknown == 0


def test_pieces_count_them(chain: Path) -> None:
    def type_of_m(**options: Any) -> set[str]:
        report = trtcheck.partition(chain, **options)
        return {tensor.type for piece in report.pieces for tensor in piece.inputs if tensor.name == "m"}

    assert type_of_m() == {"?"}
    assert type_of_m(shape_functions="shapes.toml", output="pieces") == {"FLOAT[4,4,6]"}
    (piece,) = Path("pieces").iterdir()
    (given,) = [one for one in onnx.load(piece).graph.input if one.name == "m"]
    assert [dim.dim_value for dim in given.type.tensor_type.shape.dim] == [4, 4, 6]


@pytest.mark.parametrize("command", ["fix", "reduce", "axes"])
def test_what_checks_counts_them(chain: Path, command: str) -> None:
    """A file that makes no sense is refused by each of them: it was read."""
    run_it: Any = {"fix": trtcheck.fix, "axes": trtcheck.axes, "reduce": trtcheck.reduce}[command]
    arguments = ["OPS301"] if command == "reduce" else []
    with pytest.raises(trtcheck.Error, match="shape function of `Conv`"):
        run_it(chain, *arguments, shape_functions={"Conv": "in0"})


def test_axes_become_dynamic_behind_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 17, "mydomain" : 1]>
    g (float[2,8,6] x) => (float[2,24] y) <int64[2] to = {2, 24}> {
      m = mydomain.Merge<by = 2>(x)
      y = Reshape(m, to)
    }""")
    functions = {"mydomain::Merge": "type(in0)[in0[0], in0[1] / attr.by, in0[2]]"}
    with pytest.raises(trtcheck.Error):
        trtcheck.fix(model, plugins="Merge", dynamic={"x": {0: "batch"}})
    fixed = trtcheck.fix(model, plugins="Merge", dynamic={"x": {0: "batch"}}, shape_functions=functions)
    shapes = trtcheck.infer_shapes(fixed.model, shape_functions=functions)
    assert str(shapes["y"]) == "FLOAT[batch,24]"


def test_the_smallest_part_keeps_their_shapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relu is taken away only if what follows keeps its type, which only the function knows."""
    monkeypatch.chdir(tmp_path)
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 17, "mydomain" : 1]>
    g (float[2,8,6] x) => (y) {
      a = Relu(x)
      m = mydomain.Merge<by = 2>(a)
      y = Softmax<axis = 5>(m)
    }""")
    functions = {"mydomain::Merge": "type(in0)[in0[0], in0[1] / attr.by, in0[2]]"}
    with pytest.raises(trtcheck.Error, match="SHP101"):
        trtcheck.reduce(model, "SHP101", plugins="Merge")
    small = trtcheck.reduce(model, "SHP101", plugins="Merge", shape_functions=functions)
    assert small.after.nodes <= 2


COMMANDS = {
    "simplify": (["simplify", "--list", "chain.onnx"], "Shape"),
    "extract": (["extract", "--inputs", "m", "--inputs", "z", "--list", "chain.onnx"], "FLOAT[4,4,6]"),
    "shapes": (["shapes", "chain.onnx"], "[4, 4, 6]"),
    "annotated": (["shapes", "chain.onnx", "-o", "annotated.onnx"], "2 declarations added, 1 completed"),
    "memory": (["memory", "chain.onnx"], ""),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_count_the_option_and_the_configuration(chain: Path, command: str) -> None:
    words, said = COMMANDS[command]
    without = run(*words)
    given = run(*words, "--shape-functions", "shapes.toml")
    assert given.returncode == 0 and said in given.stdout
    assert given.stdout != without.stdout
    (chain.parent / "trtcheck.toml").write_text('shape-functions = "shapes.toml"\n')
    assert run(*words).stdout == given.stdout
    assert run(*words, "--no-config").stdout == without.stdout
    Path("shapes.toml").write_text("[[shapes]]\n")
    assert "shapes.toml:1: unknown key `shapes`" in one_line(run(*words))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", None),
        ("shape = 3\n", "1: `shape` must be an array, it is an integer"),
        ("[[shapes]]\n", "1: unknown key `shapes`; the file is made of [[shape]]"),
        ("[[shape]]\n", "1: `op` is missing"),
        ('[[shape]]\nop = "a::B"\n', "1: `outputs` is missing"),
        ('[[shape]]\nop = 3\noutputs = ["in0"]\n', "2: `op` must be a string, it is an integer"),
        ('[[shape]]\nop = "a::B"\noutputs = "in0"\n', "3: `outputs` must be an array, it is a string"),
        ('[[shape]]\nop = "a::B"\noutputs = [3]\n', "3: `outputs` must hold strings, one is an integer"),
        ('[[shape]]\nop = "a::B"\noutputs = []\n', "3: `outputs` is empty: there is one string for each output"),
        ('[[shape]]\nop = "a::B"\noutput = ["in0"]\n', "3: unknown key `output`, did you mean `outputs`?"),
        ('[[shape]]\nop = "a::B"\noutputs = ["in0"]\n' * 2, "6: `a::B` has a shape function already, at shapes.toml:3"),
        ("[[shape]\n", None),
    ],
)
def test_files_that_make_no_sense(model: Path, text: str, error: str | None) -> None:
    Path("shapes.toml").write_text(text)
    if not text:
        assert shape(model, "shapes.toml") == "?"
        return
    with pytest.raises(trtcheck.Error) as caught:
        shape(model, "shapes.toml")
    expected = f"shapes.toml:{error}" if error else "shapes.toml:1:"
    assert str(caught.value) == expected if error else str(caught.value).startswith(expected)


def test_a_file_that_is_not_there(model: Path) -> None:
    with pytest.raises(trtcheck.Error, match=r"^nothing\.toml: cannot be opened"):
        shape(model, "nothing.toml")
