"""Models as text: ONNX text, text of protobuf, ONNX JSON."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import onnx.printer
import pytest
from google.protobuf import json_format, text_format
from onnx import numpy_helper
from test_cli import one_line, run
from test_confirm import ANSWER, script

import trtcheck

TEXT = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N,4] x) => (float[N,2,2] y) {
  s = Constant<value = int64[3] {-1, 2, 2}>()
  y = Reshape(x, s)
}
"""
ENDINGS = [".onnxtxt", ".onnxtext", ".textproto", ".prototxt", ".pbtxt", ".onnxjson", ".json"]


def write(path: Path, model: onnx.ModelProto) -> Path:
    if path.suffix in (".onnxtxt", ".onnxtext"):
        path.write_text(onnx.printer.to_text(model))
    elif path.suffix in (".onnxjson", ".json"):
        path.write_text(json_format.MessageToJson(model))
    else:
        path.write_text(text_format.MessageToString(model))
    return path


def told(path: Path) -> str:
    ran = run("check", "--no-config", "--output-format", "json", path)
    assert ran.stderr == ""
    return json.dumps(json.loads(ran.stdout)).replace(path.name, "MODEL")


@pytest.mark.parametrize("ending", ENDINGS)
def test_each_form_is_read_as_its_binary(ending: str, tmp_path: Path) -> None:
    model = onnx.parser.parse_model(TEXT)
    binary = tmp_path / "m.onnx"
    onnx.save(model, binary)
    path = write(tmp_path / f"m{ending}", model)
    assert told(path) == told(binary)
    report = trtcheck.check(path)
    assert (report.path, report.verdict) == (str(path), trtcheck.check(binary).verdict)
    assert pickle.loads(pickle.dumps(report)).to_dict() == report.to_dict()


@pytest.mark.parametrize("command", ["shapes", "profile", "types", "quantization", "matrix", "report"])
def test_commands_read_text(command: str, tmp_path: Path) -> None:
    path = tmp_path / "m.onnxtxt"
    path.write_text(TEXT)
    ran = run(command, path)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    assert ran.stdout


REPAIRABLE = """<ir_version: 8, opset_import: ["" : 13]>
g (float[2,1,4] x) => (float[2,4] y) <int64[1] one = {1}> {
  a = Identity(one)
  y = Squeeze(x, a)
}
"""


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    ("command", "word"), [(["fix", "--target", "8.2"], "fixed"), (["simplify"], "simplified"), (["shapes"], "")]
)
def test_a_text_form_is_changed_into_binary(command: list[str], word: str, ending: str, tmp_path: Path) -> None:
    model = onnx.parser.parse_model(REPAIRABLE)
    binary = tmp_path / "binary.onnx"
    onnx.save(model, binary)
    path = write(tmp_path / f"m{ending}", model)
    before = path.read_bytes()
    for made, given in (("a.onnx", path), ("b.onnx", binary)):
        ran = run(*command, given, "-o", tmp_path / made)
        assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes() != binary.read_bytes()
    assert path.read_bytes() == before
    if word:
        assert run(*command, path).returncode == 0
        assert (tmp_path / f"m.{word}.onnx").read_bytes() == (tmp_path / "a.onnx").read_bytes()


@pytest.mark.parametrize("command", [["fix", "--target", "8.2"], ["simplify"]])
@pytest.mark.parametrize("output", [["--in-place"], ["-o", "new.textproto"]])
def test_no_binary_under_the_name_of_a_text(command: list[str], output: list[str], tmp_path: Path) -> None:
    path = tmp_path / "m.onnxtxt"
    path.write_text(REPAIRABLE)
    ran = run(*command, path, *output, cwd=tmp_path)
    assert ran.returncode == 2
    assert "its ending is that of a text form" in one_line(ran)
    assert [file.name for file in tmp_path.iterdir()] == ["m.onnxtxt"]
    assert path.read_text() == REPAIRABLE


@pytest.mark.parametrize("command", ["fix", "simplify", "shapes"])
def test_a_broken_text_is_told_with_its_place(command: str, tmp_path: Path) -> None:
    path = tmp_path / "m.onnxtxt"
    path.write_text("broken (")
    ran = run(command, path, "-o", tmp_path / "new.onnx")
    assert ran.returncode == 2
    assert f"{path}: line 1, column 9: Identifier expected" in one_line(ran)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("command", [["confirm"], ["check", "--confirm"]])
def test_the_witness_reads_the_binary_form(
    ending: str, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    model = onnx.parser.parse_model(TEXT.replace("[N,4]", "[3,4]").replace("[N,2,2]", "[3,2,2]"))
    path = write(tmp_path / f"m{ending}", model)
    read = tmp_path / "read"
    reads = f"import shutil; shutil.copyfile(sys.argv[-1], {str(read)!r}); print(json.dumps({ANSWER!r}))"
    witness = script(tmp_path / "witness", reads)
    monkeypatch.setenv("TRTCHECK_WITNESS", str(witness))
    ran = run(*command, "--no-config", "--output-format", "json", path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["models"][0]["path"] == str(path)
    assert onnx.load(read, format="protobuf") == model
    read.unlink()
    answer = trtcheck.confirm(path, witness=witness)
    assert (answer.path, answer.report.path, answer.testimony) == (str(path), str(path), "built")
    assert onnx.load(read, format="protobuf") == model


def test_the_witness_reads_no_text_with_tensors_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    witness = script(tmp_path / "witness", f"print(json.dumps({ANSWER!r}))")
    path = with_external_data(tmp_path)
    said = (
        "holds tensors in other files, which the witness finds beside a binary file only: convert it with `onnx.save`"
    )
    ran = run("confirm", "--no-config", "--witness", witness, path)
    assert (ran.returncode, ran.stderr) == (2, f"trtcheck: {path}: {said}\n")
    with pytest.raises(trtcheck.Error, match="holds tensors in other files"):
        trtcheck.confirm(path, witness=witness)


@pytest.mark.parametrize("ending", ENDINGS)
def test_ranges_of_a_text(ending: str, tmp_path: Path) -> None:
    model = onnx.parser.parse_model(TEXT)
    onnx.save(model, tmp_path / "m.onnx")
    path = write(tmp_path / f"m{ending}", model)
    np.savez(tmp_path / "samples.npz", x=np.full((3, 4), 5, np.float32))
    made = [
        run("ranges", "--output-format", "json", each, "--data", tmp_path / "samples.npz")
        for each in (path, tmp_path / "m.onnx")
    ]
    assert [(each.returncode, each.stderr) for each in made] == [(0, ""), (0, "")]
    text, binary = (json.loads(each.stdout) for each in made)
    assert text["tensors"] == binary["tensors"] and text["tensors"][0]["max"] == 5
    ranges = trtcheck.measure_ranges(path, tmp_path / "samples.npz")
    assert trtcheck.check(path, ranges=ranges, precision="fp16")
    external = with_external_data(tmp_path)
    np.savez(tmp_path / "samples.npz", x=np.ones((2, 4), np.float32))
    assert run("ranges", external, "--data", tmp_path / "samples.npz").returncode == 0


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        text_format.MessageToString(onnx.parser.parse_model(TEXT)),
        json_format.MessageToJson(onnx.parser.parse_model(TEXT)),
    ],
)
def test_a_text_on_standard_input_is_one_line(content: str) -> None:
    line = one_line(run("check", "-", input=content))
    said = "a text form of one: it is read from a file named .onnxtxt, .textproto or .json"
    assert line == f"<stdin>: not an ONNX model but {said}"


def test_a_text_that_is_too_large_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "m.textproto"
    path.write_text('ir_version: 8\ndoc_string: "' + "x" * (64 << 20) + '"\n')
    size = (64 << 20) + 7
    line = one_line(run("check", path))
    assert (
        line
        == f"{path}: has {size} bytes as binary ONNX, the program reads text forms of up to 67108864: convert it first"
    )


def with_external_data(folder: Path) -> Path:
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> g (float[2,4] x) => (float[2,8] y) { y = MatMul(x, w) }'
    )
    model.graph.initializer.append(numpy_helper.from_array(np.ones((4, 8), np.float32), "w"))
    onnx.save(model, folder / "e.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    return write(folder / "e.textproto", onnx.load(folder / "e.onnx", load_external_data=False))


def test_two_texts_are_compared(tmp_path: Path) -> None:
    for name in ("a.onnxtxt", "b.onnxtxt"):
        (tmp_path / name).write_text(TEXT)
    assert run("diff", tmp_path / "a.onnxtxt", tmp_path / "b.onnxtxt").returncode == 0


def test_external_data_lie_beside_the_text(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> g (float[2,4] x) => (float[2,8] y) { y = MatMul(x, w) }'
    )
    model.graph.initializer.append(numpy_helper.from_array(np.ones((4, 8), np.float32), "w"))
    onnx.save(model, tmp_path / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    path = write(tmp_path / "m.textproto", onnx.load(tmp_path / "m.onnx", load_external_data=False))
    assert run("check", path).returncode == 0
    assert not trtcheck.check(path).findings
    (tmp_path / "w.bin").unlink()
    assert "MDL201" in run("check", path).stdout
    assert [finding.code for finding in trtcheck.check(path).findings] == ["MDL201"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("m.onnxtxt", TEXT.replace("x, s)", "x, s"), "line 5, column 1: Expected character ) not found"),
        ("m.onnxtxt", "", "line 1, column 1: Identifier expected but not found"),
        ("m.textproto", "ir_version: 8\ngraph {\n  nodee { }\n}", 'line 3, column 3: Message type "onnx.GraphProto"'),
        ("m.json", '{"irVersion": "8",\n "graph": }', "line 2, column 11: Failed to load JSON: Expecting value"),
        ("m.json", '{"irVersion": "8", "graph": {"nodee": 1}}', 'has no field named "nodee"'),
        ("m.json", "[" * 100_000, "recursion"),
        ("m.onnxtxt", b"\xff\xfe", "codec can't decode byte 0xff"),
        ("m.pbtxt", b"\xff\xfe", "codec can't decode byte 0xff"),
    ],
)
def test_bad_text_is_one_line(name: str, content: str | bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    line = one_line(run("check", path))
    assert line.startswith(f"{path}: ") and said in line and line.count(str(path)) == 1
    with pytest.raises(trtcheck.Error, match="m\\.") as raised:
        trtcheck.check(path)
    assert str(raised.value) == line
    document = json.loads(run("check", "--output-format", "json", path).stdout)
    assert document["failures"] == [{"path": str(path), "cause": line.removeprefix(f"{path}: ")}]


def test_a_file_that_is_missing_and_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "none.onnxtxt"
    assert one_line(run("check", path)).endswith("cannot be opened: No such file or directory")
    with pytest.raises(trtcheck.Error, match="cannot be opened: No such file or directory"):
        trtcheck.check(path)


def test_without_the_package_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "m.onnxtxt"
    path.write_text(TEXT)
    empty = tmp_path / "no onnx"
    (empty / "onnx").mkdir(parents=True)
    (empty / "onnx/__init__.py").write_text("raise ImportError('No module named onnx')")
    need = "reads text forms through the Python package onnx: `pip install onnx`"
    line = one_line(run("check", path, env={"PYTHONPATH": str(empty)}))
    assert line == f"{path}: No module named onnx; {need}"
    line = one_line(run("check", path, env={"TRTCHECK_PYTHON": str(tmp_path / "python")}))
    assert line.startswith(f"{path}: ") and line.endswith(need)


def test_folders_do_not_stand_for_texts(tmp_path: Path) -> None:
    (tmp_path / "m.onnxtxt").write_text(TEXT)
    (tmp_path / "m.json").write_text("{}")
    assert run("check", tmp_path).returncode == 2
    onnx.save(onnx.parser.parse_model(TEXT), tmp_path / "m.onnx")
    ran = run("check", tmp_path, "--output-format", "json")
    assert [model["path"] for model in json.loads(ran.stdout)["models"]] == [os.fspath(tmp_path / "m.onnx")]
