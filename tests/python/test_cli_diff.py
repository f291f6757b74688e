"""trtcheck diff, and trtcheck.diff."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import onnx
import pytest
from referencing import Registry, Resource
from test_cli import CLEAN, REFUSED, ROOT, one_line, run, write

import trtcheck

SCHEMA = json.loads((ROOT / "cpp/data/diff.schema.json").read_text())


@pytest.fixture
def models(tmp_path: Path) -> tuple[Path, Path]:
    wider = REFUSED.replace("float[N,4] x", "float[N,5] x, bool flag").replace("N,4] y", "N,5] y")
    wider = wider.replace("Frobnicate(x)", "Frobnicate(x, flag)")
    return write(tmp_path / "before.onnx", CLEAN), write(tmp_path / "after.onnx", wider)


def diff(*words: str | Path, **options: Any):  # type: ignore[no-untyped-def]
    return run("diff", "--no-config", *words, **options)


def test_full(models: tuple[Path, Path]) -> None:
    result = diff(*models)
    assert (result.returncode, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"before: {models[0]}: clean for TensorRT ")
    assert lines[1].startswith(f"after:  {models[1]}: refused for TensorRT ")
    assert "new (1 error):" in lines
    assert "   = node: Frobnicate `Frobnicate_0`" in lines
    assert "  input `x`: FLOAT[N,4] -> FLOAT[N,5]" in lines
    assert "  input `flag`: new: BOOL[]" in lines
    assert "  opset `my.ops`: new: 1" in lines
    assert "  Relu 1 -> 0, my.ops.Frobnicate 0 -> 1" in lines
    assert lines[-1] == "1 new, 0 gone, 0 kept; the interface changed"


def test_the_other_way_round(models: tuple[Path, Path]) -> None:
    result = diff("--output-format", "concise", *reversed(models))
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("gone: error[OPS103] ") and lines[0].endswith(" (Frobnicate_0)")
    assert "input `flag`: gone, was BOOL[]" in lines


def test_a_model_and_itself(models: tuple[Path, Path]) -> None:
    after = models[1]
    result = diff(after, after)
    assert result.returncode == 0
    assert result.stdout.endswith("\n0 new, 0 gone, 1 kept\n")
    assert diff("--output-format", "concise", after, after).stdout == ""


def test_json_follows_the_schema(models: tuple[Path, Path]) -> None:
    document = json.loads(diff("--output-format", "json", *models).stdout)
    jsonschema.validate(document, SCHEMA)
    assert [finding["code"] for finding in document["new"]] == ["OPS103"]
    assert (document["gone"], document["kept"]) == ([], [])
    assert document["before"]["verdict"] == "clean"
    assert document["interface"][0] == {"kind": "input", "name": "x", "before": "FLOAT[N,4]", "after": "FLOAT[N,5]"}
    # Each finding is one of the report's schema.
    report = json.loads((ROOT / "cpp/data/report.schema.json").read_text())
    registry = Registry().with_resource("urn:report", Resource.from_contents(report))
    finding = jsonschema.Draft202012Validator({"$ref": "urn:report#/$defs/finding"}, registry=registry)
    for each in document["new"]:
        finding.validate(each)


def test_markdown(models: tuple[Path, Path]) -> None:
    lines = diff("--output-format", "markdown", *models).stdout.splitlines()
    assert lines[0] == "## trtcheck: 1 new, 0 gone, 0 kept; the interface changed"
    assert "### New: 1 error" in lines
    columns = [line.count(" | ") for line in lines if line.startswith("| ")]
    assert set(columns) == {2, 3}


@pytest.mark.parametrize(
    ("gates", "code"),
    [
        ([], 1),
        (["new"], 1),
        (["new-error"], 1),
        (["new-info"], 1),
        (["interface"], 1),
        (["interface,new"], 1),
        (["interface", "new"], 1),
        (["never"], 0),
    ],
)
def test_gates(models: tuple[Path, Path], gates: list[str], code: int) -> None:
    assert diff(*(word for gate in gates for word in ("--fail-on", gate)), *models).returncode == code
    assert diff(*(word for gate in gates for word in ("--fail-on", gate)), models[1], models[1]).returncode == 0


def test_only_the_gate_that_was_named(tmp_path: Path) -> None:
    before = write(tmp_path / "before.onnx", CLEAN)
    wider = write(tmp_path / "wider.onnx", CLEAN.replace("N,4", "N,5"))
    assert diff("--fail-on", "new-info", before, wider).returncode == 0
    assert diff("--fail-on", "interface", before, wider).returncode == 1
    noted = onnx.load(before)
    noted.metadata_props.add(key="trtcheck.ignore", value="QDQ: nothing here")
    onnx.save(noted, tmp_path / "noted.onnx")
    assert diff(before, tmp_path / "noted.onnx").returncode == 0
    assert diff("--fail-on", "new", before, tmp_path / "noted.onnx").returncode == 0
    assert diff("--fail-on", "new-info", before, tmp_path / "noted.onnx").returncode == 1


def test_options_of_check_count(models: tuple[Path, Path]) -> None:
    assert diff("--plugin", "Frobnicate", *models).returncode == 0
    assert diff("--ignore", "OPS", *models).returncode == 0
    assert "for TensorRT 8.6" in diff("--target", "8.6", *models).stdout
    configuration = models[0].parent / "trtcheck.toml"
    configuration.write_text('target = "9.0"\nignore = ["OPS103"]\n')
    result = run("diff", *models)
    assert result.returncode == 0
    assert "for TensorRT 9.0" in result.stdout


def test_a_file_for_the_result(models: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "diff.json"
    result = diff("--output-format", "json", "--output", out, *models)
    assert (result.returncode, result.stdout) == (1, "")
    jsonschema.validate(json.loads(out.read_text()), SCHEMA)
    before = models[0].read_bytes()
    assert "it is one of the files that are read" in one_line(diff("--output", models[0], *models))
    assert models[0].read_bytes() == before


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (["a.onnx"], "AFTER is required"),
        (["a.onnx", "a.onnx", "a.onnx"], "unexpected argument"),
        (["missing.onnx", "a.onnx"], "missing.onnx: "),
        (["a.onnx", "missing.onnx"], "missing.onnx: "),
        (["--fail-on", "newer", "a.onnx", "a.onnx"], "unknown value `newer`, did you mean `never`?"),
        (["--fail-on", "new,never", "a.onnx", "a.onnx"], "`never` cannot be combined with others"),
        (["--profile", "q=1x4", "a.onnx", "a.onnx"], "the model has no input `q`"),
        (["--output-format", "sarif", "a.onnx", "a.onnx"], "sarif"),
        (["--tagret", "8.6", "a.onnx", "a.onnx"], "did you mean `--target`?"),
    ],
)
def test_what_makes_no_sense(tmp_path: Path, words: list[str], cause: str) -> None:
    write(tmp_path / "a.onnx", CLEAN)
    assert cause in one_line(diff(*words, cwd=tmp_path))


def test_from_python(models: tuple[Path, Path]) -> None:
    made = trtcheck.diff(*models)
    assert [finding.code for finding in made.new] == ["OPS103"]
    assert (made.gone, made.kept, made.changes_interface) == ([], [], True)
    assert (made.before.verdict, made.after.verdict, made.after.path) == ("clean", "refused", str(models[1]))
    assert [(c.kind, c.name, c.before, c.after) for c in made.interface][:2] == [
        ("input", "x", "FLOAT[N,4]", "FLOAT[N,5]"),
        ("input", "flag", None, "BOOL[]"),
    ]
    assert [(c.op_type, c.before, c.after) for c in made.operators] == [("Relu", 1, 0), ("my.ops.Frobnicate", 0, 1)]
    assert repr(made) == "<Diff: 1 new, 0 gone, 0 kept>"
    assert str(made) == diff("--no-color", *models, env={"COLUMNS": "100"}).stdout
    assert made.to_dict() == json.loads(diff("--output-format", "json", *models).stdout)
    onnx_models = [onnx.load(path) for path in models]
    assert trtcheck.diff(*onnx_models, plugins="Frobnicate").new == []
    with pytest.raises(trtcheck.Error):
        trtcheck.diff(models[0], "missing.onnx")


# --- shapes and constants --------------------------------------------------------------------------------

# A mask that an optimizer may fold, or not: the size of `z` stands on it.
UNFOLDED = """<ir_version: 8, opset_import: ["" : 15]>
g (float[N,8] x) => (float[A,B] y, float[C,D] z) <int64[2] a = {2, 4}, int64[2] b = {0, 0}> {
  t = Add (a, b)
  y = Relu (x)
  t2 = Abs (t)
  z = Reshape (x, t2)
}"""
FOLDED = UNFOLDED.replace("t = Add (a, b)\n", "").replace("int64[2] a = {2, 4}", "int64[2] t = {2, 4}")


def changes(tmp_path: Path, before: str, after: str) -> dict[str, Any]:
    models = write(tmp_path / "before.onnx", before), write(tmp_path / "after.onnx", after)
    document: dict[str, Any] = json.loads(diff("--output-format", "json", *models).stdout)
    jsonschema.validate(document, SCHEMA)
    return document


def test_sizes_that_are_not_known_any_more(tmp_path: Path) -> None:
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[2,8] x) => (float[A,B] y) { h = Relu (x)  y = Relu (h) }'
    made = changes(tmp_path, text, text.replace("float[2,8]", "float[N,8]"))
    assert [(c["kind"], c["value"], c["before"], c["after"]) for c in made["shapes"]] == [
        ("lost", "x", "FLOAT[2,8]", "FLOAT[N,8]"),
        ("lost", "h", "FLOAT[2,8]", "FLOAT[N,8]"),
        ("lost", "y", "FLOAT[2,8]", "FLOAT[N,8]"),
    ]
    back = changes(tmp_path, text.replace("float[2,8]", "float[N,8]"), text)
    assert {c["kind"] for c in back["shapes"]} == {"gained"}
    other = changes(tmp_path, text, text.replace("float[2,8]", "float[3,8]"))
    assert {c["kind"] for c in other["shapes"]} == {"changed"}
    same = changes(tmp_path, text, text)
    assert (same["shapes"], same["symbols"], same["constants"]) == ([], [], [])


def test_a_size_of_another_name_is_renamed_and_no_change(tmp_path: Path) -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]> g (float[N,S] x) => (float[A,B] y)
    { c = Concat <axis = 1> (x, x)  y = Relu (c) }"""
    made = changes(tmp_path, text, text.replace("float[N,S]", "float[batch,seq]"))
    assert made["symbols"] == [
        {"before": "N", "after": "batch", "tensors": 3},
        {"before": "S", "after": "seq", "tensors": 1},
    ]
    assert made["shapes"] == []
    # One name that became two is no new name.
    split = changes(tmp_path, text.replace("float[N,S]", "float[N,N]"), text)
    assert {c["kind"] for c in split["shapes"]} == {"changed"}
    swapped = changes(tmp_path, text, text.replace("float[N,S]", "float[S,N]"))
    assert swapped["shapes"] == [] and len(swapped["symbols"]) == 2


def test_constants_that_are_computed_now(tmp_path: Path) -> None:
    made = changes(tmp_path, FOLDED, UNFOLDED)
    assert [(c["value"], c["shape"], c["op_type"]) for c in made["constants"]] == [("t", "INT64[2]", "Add")]
    assert (made["folds_before"], made["folds_after"]) == (1, 2)
    assert changes(tmp_path, UNFOLDED, FOLDED)["constants"] == []
    models = tmp_path / "after.onnx", tmp_path / "before.onnx"
    text = diff(*models).stdout
    assert "constants that are computed now:\n  `t` INT64[2], by Add `" in text
    assert "  2 nodes compute what is known without running the model, 1 did\n" in text
    assert "computed now: `t` INT64[2], by Add `" in diff("--output-format", "concise", *models).stdout
    assert "### Constants that are computed now" in diff("--output-format", "markdown", *models).stdout


def test_where_an_optimizer_lost_a_size(tmp_path: Path) -> None:
    before = '<ir_version: 8, opset_import: ["" : 17]> g (float[2,20] x) => (y) { y = Relu (x) }'
    after = before.replace("y = Relu (x)", "n = NonZero (x)  f = Cast <to = 1> (n)  y = Relu (f)")
    (change,) = changes(tmp_path, before, after)["shapes"]
    assert change["kind"] == "lost" and "NonZero" in change["reason"]
    text = diff(tmp_path / "before.onnx", tmp_path / "after.onnx").stdout
    assert "shapes:\n  lost: `y` FLOAT[2,20] -> FLOAT[2,?]: " in text
    assert text.splitlines()[-1].endswith("; sizes of 1 tensor are not known any more")


def test_shapes_from_python(tmp_path: Path) -> None:
    before, after = (write(tmp_path / name, text) for name, text in (("a.onnx", FOLDED), ("b.onnx", UNFOLDED)))
    made = trtcheck.diff(before, after)
    assert [change.value for change in made.constants] == ["t"]
    assert (made.shapes, made.symbols, made.folds_before, made.folds_after) == ([], [], 1, 2)
    assert made.to_dict()["constants"][0]["value"] == "t"


def many_names(count: int, *, is_one_size: bool) -> str:
    inputs = ", ".join(f"float[n{i}] x{i}" for i in range(count))
    names = ", ".join(f"x{i}" for i in range(count))
    node = f"y = Concat <axis = 0> ({names})" if is_one_size else "y = Relu (x0)"
    return f'<ir_version: 8, opset_import: ["" : 17]> g ({inputs}) => (y) {{ {node} }}'


TOO_MANY = [
    (many_names(513, is_one_size=False), "no shapes were compared: the inputs of the first model have 513 names"),
    (many_names(17, is_one_size=True), "shapes of 1 tensor were not compared, `y` is the first: a size is computed"),
]


@pytest.mark.parametrize(("text", "said"), TOO_MANY, ids=["names", "symbols"])
def test_what_is_not_compared_is_said_in_every_format(tmp_path: Path, text: str, said: str) -> None:
    made = changes(tmp_path, text, text)
    models = tmp_path / "before.onnx", tmp_path / "after.onnx"
    assert len(made["not_compared"]) == 1 and made["not_compared"][0].startswith(said)
    assert f"not compared:\n  {said}" in diff(*models).stdout
    assert f"not compared: {said}" in diff("--output-format", "concise", *models).stdout
    assert "### Not compared\n\n- " in diff("--output-format", "markdown", *models).stdout
    assert trtcheck.diff(*map(str, models)).not_compared == made["not_compared"]


@pytest.mark.parametrize("text", [many_names(512, is_one_size=False), many_names(16, is_one_size=True)])
def test_as_many_names_as_are_compared(tmp_path: Path, text: str) -> None:
    assert changes(tmp_path, text, text)["not_compared"] == []
