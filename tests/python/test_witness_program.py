"""`trtcheck-witness`: its words, libraries that are not what they seem, and the real TensorRT-RTX."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from doc_blocks import WITNESS as RECORDED
from test_cli import PROGRAM, one_line, write
from test_confirm import EXAMPLES, STATIC, confirm, real, wheel
from test_confirm import _own_cache as _own_cache

import trtcheck

# Of ours: it is built with the program, and not to find it is a failure.
CHILD = Path(PROGRAM).resolve().with_name("trtcheck-witness")


def child(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CHILD, *words], capture_output=True, text=True, check=False, **options)


def stub(folder: Path, library: str, parser: str) -> Path:
    """A pair of libraries with the given C functions."""
    for name, functions in (("libtensorrt_rtx.so.1", library), ("libtensorrt_onnxparser_rtx.so.1", parser)):
        source = folder / f"{name}.c"
        source.write_text(functions)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / name, source], check=True)
    return folder / "libtensorrt_rtx.so.1"


GOOD_LIBRARY = "int getInferLibVersion() { return 10701; } void* createInferBuilder_INTERNAL() { return 0; }"
GOOD_PARSER = "int getNvOnnxParserVersion() { return 200; } void* createNvOnnxParser_INTERNAL() { return 0; }"


@pytest.mark.parametrize(
    ("library", "parser", "said"),
    [
        ("int getInferLibVersion() { return 10801; }", GOOD_PARSER, "is version 1.8.1, which is not known"),
        ("int getInferLibVersion() { return 8601; }", GOOD_PARSER, "is version 0.86.1, which is not known"),
        ("int nothing;", GOOD_PARSER, "has no getInferLibVersion"),
        ("int getInferLibVersion() { return 10701; }", GOOD_PARSER, "has no createInferBuilder_INTERNAL"),
        (GOOD_LIBRARY, "int nothing;", "has no createNvOnnxParser_INTERNAL"),
        (GOOD_LIBRARY, GOOD_PARSER, "gives no builder"),
    ],
)
def test_libraries_that_are_not_what_they_seem(tmp_path: Path, library: str, parser: str, said: str) -> None:
    path = stub(tmp_path, library, parser)
    result = child("--library", path, "--self-test")
    assert result.returncode == 2
    answer = json.loads(result.stdout)
    assert answer["format"] == 1 and said in answer["fatal"]
    # And so it reaches the user: in one line.
    said_by_us = confirm("--witness", tmp_path, write(tmp_path / "m.onnx", STATIC))
    assert said_by_us.returncode == 2
    assert said in one_line(said_by_us)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "expected one of MODEL, --batch and --self-test"),
        (["a.onnx", "b.onnx"], "one model at a time"),
        (["--no-such"], "unknown option --no-such"),
        (["--profile", "x", "m"], "expected NAME=MIN:OPT:MAX"),
        (["--profile", "x=1:2", "m"], "expected NAME=MIN:OPT:MAX"),
        (["--profile", "x=1x-2:1x2:1x2", "m"], "`-2` is no extent"),
        (["--profile", "x=1x1x1x1x1x1x1x1x1:1:1", "m"], "more than 8 dims"),
        (["--library"], "--library: expected a value"),
        (["--library", "/nowhere/libnvinfer.so.10", "m"], "cannot open shared object file"),
    ],
)
def test_words_of_the_child(words: list[str], said: str) -> None:
    result = child(*words)
    assert result.returncode == 2
    assert said in json.loads(result.stdout)["fatal"]


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--batch", "--help"]])
def test_the_child_has_help(words: list[str]) -> None:
    result = child(*words)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("trtcheck-witness: ") and "--self-test" in result.stdout


# With the real TensorRT-RTX.


@real
def test_the_self_test_passes() -> None:
    witness = trtcheck.find_witness(wheel())
    assert witness.product == "TensorRT-RTX" and witness.release.startswith("1.")
    result = child("--library", witness.library, "--self-test")
    answer = json.loads(result.stdout)
    assert answer["built"] and answer["engine_bytes"] > 1000
    assert answer["inputs"] == [{"name": "x", "shape": [1, 4]}]
    assert answer["outputs"] == [{"name": "y", "shape": [1, 4]}]


@real
def test_the_examples_are_as_recorded() -> None:
    result = confirm("--witness", wheel(), "--propose-profile", "--output-format", "json", EXAMPLES)
    made = {Path(each["path"]).name: each for each in json.loads(result.stdout)["models"]}
    recorded = json.loads(RECORDED.with_name("answers.json").read_text())
    assert made.keys() == recorded.keys()
    for name, each in made.items():
        assert each["agreement"] == "agree"
        assert (each["testimony"] == "refused") == (not recorded[name]["parsed"])


@real
def test_a_batch_survives_hostile_models(tmp_path: Path) -> None:
    healthy = (EXAMPLES / "healthy_shufflenet.onnx").read_bytes()
    paths = [EXAMPLES / "healthy_shufflenet.onnx", tmp_path / "missing.onnx", tmp_path]
    for i in range(60):
        path = tmp_path / f"hostile {i} ü.onnx"
        cut = healthy[: i * len(healthy) // 60]
        path.write_bytes(cut if i % 2 else cut + bytes([i]) * 40)
        paths.append(path)
    library = trtcheck.find_witness(wheel()).library
    result = child("--library", library, "--batch", input="".join(f"{path}\n" for path in paths))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["model"] for answer in answers] == [str(path) for path in paths]
    assert answers[0]["parsed"] and not answers[1]["parsed"] and not answers[2]["parsed"]


@real
def test_two_at_a_time_without_a_home(tmp_path: Path) -> None:
    environment = os.environ | {"HOME": "/proc/nothing", "XDG_CACHE_HOME": "/proc/nothing"}

    def ask(name: str) -> subprocess.CompletedProcess[str]:
        return confirm("--witness", wheel(), "--propose-profile", EXAMPLES / name, env=environment)

    with ThreadPoolExecutor() as pool:
        results = list(pool.map(ask, ["healthy_attention.onnx", "healthy_shufflenet.onnx"]))
    for result in results:
        assert (result.returncode, result.stderr) == (0, "")
        assert "agree: built by" in result.stdout


@real
def test_a_real_builder_has_limits(tmp_path: Path) -> None:
    result = confirm("--witness", wheel(), "--memory", "0.01", write(tmp_path / "m.onnx", STATIC))
    assert result.returncode == 0
    assert "not judged" in result.stdout
    result = confirm("--witness", wheel(), "--timeout", "0.01", write(tmp_path / "n.onnx", STATIC))
    assert "did not end within 0.01 seconds" in result.stdout
