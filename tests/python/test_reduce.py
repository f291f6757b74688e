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
from zoo.reference import session

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


FUNCTIONS = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18, "own" : 1]>
main (int32[N,4] x) => (int32[N,4] y, int32[N,4] z) <int32[4] w = {1, 2, 3, 4}> {
  [one] a = Add (x, w)
  [two] b = own.outer <mode = 0> (a, w)
  [three] y = Neg (b)
  [four] z = own.plain (a)
}
<domain: "own", opset_import: ["" : 18, "own" : 1]>
outer <mode> (p, q) => (r) { s = Mod <fmod: int = @mode> (p, q) t = own.inner (s, q) r = Neg (t) }
<domain: "own", opset_import: ["" : 18]>
inner (p, q) => (r) { h = Abs (p) r = BitwiseXor (h, q) }
<domain: "own", opset_import: ["" : 18]>
plain (p) => (q) { q = Sign (p) }""")


class TestFunctions:
    """Calls of model-local functions; TensorRT has no BitwiseXor."""

    def test_what_a_call_does_becomes_the_model(self) -> None:
        small = trtcheck.reduce(FUNCTIONS, "OPS101", target="10.13", weights="keep")
        assert [node.op_type for node in small.model.graph.node] == ["BitwiseXor"]
        assert list(small.model.functions) == []
        assert (small.before.functions, small.after.functions) == (3, 0)
        assert [entry.name for entry in small.model.graph.initializer] == [small.model.graph.node[0].input[1]]
        assert np.array_equal(weight(small.model), weight(FUNCTIONS))
        self.shows(small)

    def test_a_judge_that_needs_the_function(self) -> None:
        def calls(path: str) -> bool:
            return any(node.op_type == "outer" for node in onnx.load(path).graph.node)

        small = trtcheck.reduce(FUNCTIONS, "OPS101", target="10.13", check=calls)
        assert [node.op_type for node in small.model.graph.node] == ["outer"]
        assert sorted(function.name for function in small.model.functions) == ["inner", "outer"]
        self.shows(small)

    def test_anonymous(self) -> None:
        def has_functions(path: str) -> bool:
            return len(onnx.load(path).functions) >= 2

        small = trtcheck.reduce(FUNCTIONS, "OPS101", target="10.13", check=has_functions, anonymous=True)
        assert not {"outer", "inner", "mode"} & {each.name for each in small.model.functions}
        self.shows(small)

    def shows(self, small: trtcheck.Reduced) -> None:
        """The model is valid, runs, and has the finding."""
        onnx.checker.check_model(small.model, full_check=True)
        fed = {value.name: np.ones((2, 4), np.int32) for value in small.model.graph.input}
        assert session(small.model).run(None, fed)
        assert "OPS101" in [finding.code for finding in trtcheck.check(small.model, target="10.13")]


def external(folder: Path) -> Path:
    """The model of this file with its matrix beside it."""
    folder.mkdir(exist_ok=True)
    made = onnx.ModelProto()
    made.CopyFrom(MODEL)
    for entry in made.graph.initializer:
        entry.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(entry), entry.name))
    onnx.save_model(made, folder / "net.onnx", save_as_external_data=True, location="net.data", size_threshold=16)
    assert (folder / "net.data").stat().st_size >= 64
    return folder / "net.onnx"


class TestExternalData:
    @pytest.mark.parametrize("weights", ["keep", "random", "zero"])
    def test_weights(self, weights: str, tmp_path: Path) -> None:
        path = external(tmp_path / "a")
        before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
        small = trtcheck.reduce(path, "OPS103", weights=weights)
        small.write(tmp_path / "a/small.onnx")
        made = onnx.load(tmp_path / "a/small.onnx", load_external_data=False)
        (entry,) = made.graph.initializer
        assert bool(entry.external_data) == (weights == "keep")
        numbers = weight(onnx.load(tmp_path / "a/small.onnx"))
        assert numbers.shape == (4, 4)
        assert np.array_equal(numbers, weight(MODEL)) == (weights == "keep")
        assert [finding.code for finding in trtcheck.check(tmp_path / "a/small.onnx")].count("OPS103") == 1
        for name, content in before.items():
            assert (tmp_path / "a" / name).read_bytes() == content

    def test_a_judge_gets_all_of_the_model(self, tmp_path: Path) -> None:
        seen = []

        def judge(path: str) -> bool:
            made = onnx.load(path)
            seen.append(sorted(each.name for each in Path(path).parent.iterdir()))
            return "Foo" in {node.op_type for node in made.graph.node} and weight(made).sum() == 136

        small = trtcheck.reduce(external(tmp_path), check=judge, weights="keep")
        assert len(seen) > 1 and all(names == ["model.onnx"] for names in seen)
        assert [node.op_type for node in onnx.load_from_string(small.model).graph.node] == ["Foo"]

    def test_elsewhere(self, tmp_path: Path) -> None:
        path = external(tmp_path / "a")
        (tmp_path / "b").mkdir()
        words = ["--finding", "OPS103", "--weights", "keep", path, "-o", tmp_path / "b/small.onnx"]
        done = run(*words)
        assert done.returncode == 2 and "copy it too" in done.stderr and done.stderr.count("\n") == 1
        assert list((tmp_path / "b").iterdir()) == []
        (tmp_path / "a/net.data").unlink()
        done = run("--check", "true", path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "net.data" in done.stderr
        assert [each.name for each in (tmp_path / "a").iterdir()] == ["net.onnx"]

    def test_the_folder_of_a_report_holds_all(self, tmp_path: Path) -> None:
        small = trtcheck.reduce(external(tmp_path / "a"), "OPS103", weights="keep")
        small.write_report(tmp_path / "bug")
        assert np.array_equal(weight(onnx.load(tmp_path / "bug/model.onnx")), weight(MODEL))


#: Ends, prints and fails as NVIDIA's program does.
TRTEXEC = """#!/bin/sh
echo $$ > {folder}/pid
for word; do case "$word" in --onnx=*) model="${{word#--onnx=}}";; esac; done
echo '&&&& RUNNING TensorRT.trtexec [TensorRT v101300] [b34] # trtexec' "$@"
if ! [ -f "$model" ]; then echo "[E] Could not open file $model"; exit 1; fi
if grep -q Foo "$model" && grep -q Relu "$model"; then
  echo '[E] [TRT] ModelImporter.cpp:839: ERROR: ModelImporter.cpp:199 In function parseNode:'
  echo '[E] [TRT] [8] Assertion failed: axis >= 0 && axis < nbDims'
  echo '&&&& FAILED TensorRT.trtexec [TensorRT v101300] [b34] # trtexec' "$@"
  exit 1
elif grep -q Foo "$model"; then
  echo '[E] [TRT] Plugin not found, are the plugin name, version, and namespace correct?'
  {otherwise}
fi
echo '&&&& PASSED TensorRT.trtexec [TensorRT v101300] [b34] # trtexec' "$@"
"""


class TestTrtexec:
    """The commands of the manual, with a program in the place of trtexec."""

    def reduced(self, path: Path, command: str, otherwise: str, *words: str) -> tuple[list[str], str]:
        program = path.parent / "trt exec"
        program.write_text(TRTEXEC.format(folder=f"'{path.parent}'", otherwise=otherwise))
        program.chmod(0o755)
        output = path.parent / "small.onnx"
        done = run("--check", command.replace("trtexec", f"'{program}'"), *words, path, "-o", output)
        assert done.returncode == 0, done.stderr
        return [node.op_type for node in onnx.load(output).graph.node], done.stdout

    def test_exit_codes(self, path: Path) -> None:
        left, _ = self.reduced(path, "! trtexec --skipInference --onnx={}", "exit 1")
        assert left == ["Foo"]

    def test_printed_text(self, path: Path) -> None:
        """A smaller model fails for another reason, which does not count."""
        command = 'trtexec --onnx={} 2>&1 | grep -q "Assertion failed: axis"'
        left, _ = self.reduced(path, command, "exit 1")
        assert left == ["Foo", "Relu"]

    def test_a_crash_is_a_failure(self, path: Path) -> None:
        left, _ = self.reduced(path, "! trtexec --onnx={}", "kill -SEGV $$")
        assert left == ["Foo"]
        left, _ = self.reduced(path, "trtexec --onnx={} | grep -q 'axis >= 0'", "kill -SEGV $$")
        assert left == ["Foo", "Relu"]

    def test_a_run_that_hangs_says_no_and_ends(self, path: Path) -> None:
        left, _ = self.reduced(path, "! trtexec --onnx={}", "exec sleep 600", "--timeout", "0.5")
        assert left == ["Foo", "Relu"]
        pid = int((path.parent / "pid").read_text())
        deadline = time.monotonic() + 10
        while Path(f"/proc/{pid}").exists() and "sleep" in Path(f"/proc/{pid}/cmdline").read_text():
            assert time.monotonic() < deadline, "the program of a run that took too long is still there"
            time.sleep(0.05)

    def test_with_a_finding_both_have_to_agree(self, path: Path) -> None:
        left, printed = self.reduced(path, "! trtexec --onnx={}", "exit 0", "--finding", "OPS103")
        assert left == ["Foo", "Relu"] and "OPS103" in printed


def test_words_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="a finding or a check"):
        trtcheck.reduce(MODEL)
    with pytest.raises(TypeError, match="check must be"):
        trtcheck.reduce(MODEL, check=3)  # type: ignore[arg-type]
