"""`trtcheck reduce` and `trtcheck.reduce`: what is left, what it is made of, what is refused."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import numpy_helper

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))
import reduced_models  # noqa: E402

PROGRAM = ROOT / ".venv/bin/trtcheck"
SCHEMA = json.loads((ROOT / "cpp/data/reduce.schema.json").read_text())

TEXT = """<ir_version: 8, producer_name: "secret", opset_import: ["" : 17, "custom" : 1],
  metadata_props: ["secret": "secret"]>
secret (float[secret_n,4] secret_x) => (float[secret_n,2] secret_y)
<float[4,4] secret_w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
 float secret_scale = {0.25}, int8 secret_zero = {0}> {
  [secret_one] secret_a = MatMul (secret_x, secret_w)
  [secret_two] secret_q = QuantizeLinear (secret_a, secret_scale, secret_zero)
  [secret_three] secret_d = DequantizeLinear (secret_q, secret_scale, secret_zero)
  [secret_four] secret_b = custom.Foo <note = "secret"> (secret_d, secret_w)
  [secret_five] secret_y = Relu (secret_b)
}"""
MODEL = onnx.parser.parse_model(TEXT)


def run(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "reduce", "--no-config", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "net.onnx"
    made.write_bytes(MODEL.SerializeToString())
    return made


@pytest.mark.parametrize("name", reduced_models.DEFECTS)
def test_planted_defects(name: str) -> None:
    word = reduced_models.DEFECTS[name][0]
    model = reduced_models.planted(name, 300)
    small = trtcheck.reduce(model, word)
    assert small.finding is not None
    assert word in (small.finding.code, f"{small.finding.code}:{small.finding.fact}")
    assert small.after.nodes <= 10 < small.before.nodes
    again = trtcheck.check(small.model)
    assert any(each.code == small.finding.code for each in again.findings)
    before = {each.code for each in trtcheck.check(model).findings if each.severity == "error"}
    assert {each.code for each in again.findings if each.severity == "error"} <= before


def test_what_is_left() -> None:
    small = trtcheck.reduce(MODEL, "OPS103")
    assert [node.op_type for node in small.model.graph.node] == ["Foo"]
    assert [value.name for value in small.model.graph.input] == ["secret_d"]
    assert [entry.name for entry in small.model.graph.initializer] == ["secret_w"]
    assert "secret_w" in small.nodes[0]
    assert (small.before.nodes, small.after.nodes) == (5, 1)
    assert small.to_dict()["after"]["nodes"] == 1
    assert "Foo" in small._repr_html_()


def weight(model: onnx.ModelProto) -> np.ndarray:
    return numpy_helper.to_array(model.graph.initializer[0])


def test_weights() -> None:
    whole = weight(MODEL)
    random = weight(trtcheck.reduce(MODEL, "OPS103").model)
    assert random.shape == whole.shape and random.dtype == whole.dtype
    assert not np.array_equal(random, whole)
    assert (random > 0).all(), "what is positive stays positive"
    assert np.array_equal(random, weight(trtcheck.reduce(MODEL, "OPS103").model)), "equal models give equal bytes"
    assert np.array_equal(weight(trtcheck.reduce(MODEL, "OPS103", weights="keep").model), whole)
    assert np.array_equal(weight(trtcheck.reduce(MODEL, "OPS103", weights="zero").model), np.ones_like(whole))


def test_weights_larger_than_any_memory_stay() -> None:
    weights = onnx.TensorProto(name="w", data_type=onnx.TensorProto.FLOAT, dims=[1 << 40, 1 << 20])
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> g (float[1,4] x) => (float y) {y = Add (x, w)}'
    )
    model.graph.initializer.append(weights)
    small = trtcheck.reduce(model, "MDL212", target="8.6")
    assert "weights of `w` are those of the model" in small.notes[0]
    assert (small.after.weights, small.after.weight_bytes) == (1, 0)


def test_anonymous_says_nothing(path: Path, tmp_path: Path) -> None:
    small = trtcheck.reduce(str(path), "OPS103@secret_four", anonymous=True)
    assert b"secret" not in small.model
    assert small.notes == []
    small.write_report(tmp_path / "bug")
    files = sorted((tmp_path / "bug").iterdir())
    assert [each.name for each in files] == ["environment.txt", "finding.json", "finding.txt", "issue.md", "model.onnx"]
    assert all(b"secret" not in each.read_bytes() for each in files)
    assert "OPS103" in (tmp_path / "bug/finding.txt").read_text()
    assert json.loads((tmp_path / "bug/finding.json").read_text())
    assert f"onnx {onnx.__version__}" in (tmp_path / "bug/environment.txt").read_text()


def test_a_function_as_the_judge() -> None:
    def has_both(path: str) -> bool:
        operators = {node.op_type for node in onnx.load(path).graph.node}
        return {"MatMul", "Relu"} <= operators

    small = trtcheck.reduce(MODEL, check=has_both)
    assert sorted(node.op_type for node in small.model.graph.node) == ["MatMul", "Relu"]
    assert small.finding is None

    def broken(path: str) -> bool:
        raise KeyError(path)

    with pytest.raises(KeyError):
        trtcheck.reduce(MODEL, check=broken)
    with pytest.raises(trtcheck.Error, match="says no of the model itself"):
        trtcheck.reduce(MODEL, check=lambda path: False)


def test_a_command_as_the_judge(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "small.onnx"
    done = run("--check", "grep -q QuantizeLinear {}", path, "-o", output)
    assert done.returncode == 0, done.stderr
    assert len(onnx.load(output).graph.node) == 1
    appended = run("--check", "grep -q QuantizeLinear", path, "-o", output)
    assert appended.returncode == 0, appended.stderr
    slow = run("--check", "sleep 5; true", "--timeout", "0.3", path, "-o", output)
    assert slow.returncode == 2 and "says no of the model itself" in slow.stderr
    missing = run("--check", "! no-such-program {}", path)
    assert missing.returncode == 2 and "not found" in missing.stderr


REFUSED = {
    "not there": (("--finding", "OPS101"), "there is no finding OPS101 in it for TensorRT"),
    "those that are there": (("--finding", "OPS101"), "OPS103"),
    "another node": (("--finding", "OPS103@secret_fou"), "did you mean `secret_four`?"),
    "no such rule": (("--finding", "OPS9999"), "is no rule code"),
    "no node": (("--finding", "OPS103@"), "there is no node after the `@`"),
    "nothing": ((), "--finding or --check is required"),
    "weights": (("--finding", "OPS103", "--weights", "radnom"), "did you mean"),
    "seconds": (("--finding", "OPS103", "--timeout", "-1"), "--timeout"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_one_line(name: str, path: Path) -> None:
    words, cause = REFUSED[name]
    done = run(*words, path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert cause in done.stderr
    assert not path.with_name("net.reduced.onnx").exists()


def test_json(path: Path) -> None:
    done = run("--finding", "OPS103", "--output-format", "json", path)
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    assert document["finding"]["node"] == "secret_four"
    assert document["output"] == str(path.with_name("net.reduced.onnx"))


def test_an_interrupt_keeps_the_smallest_so_far(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "small.onnx"
    command = [str(PROGRAM), "reduce", "--no-config", "--check", "sleep 0.4; grep -q QuantizeLinear {}", str(path)]
    with subprocess.Popen([*command, "-o", str(output)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        printed, complained = process.communicate(timeout=60)
    assert process.returncode == 130, complained
    assert b"partial" in printed and b"partial" in complained
    assert 0 < len(onnx.load(output).graph.node) < len(MODEL.graph.node)


def test_words_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="a finding or a check"):
        trtcheck.reduce(MODEL)
    with pytest.raises(TypeError, match="check must be"):
        trtcheck.reduce(MODEL, check=3)  # type: ignore[arg-type]
