"""Which models Python finds: those of the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import samples
from test_cli import run

import trtcheck


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Git repository, seen from its root."""
    for name in ("b", "a", "build/c", "build/keep", "old/d", ".venv/e", ".hidden/f", "deep/er/g"):
        path = tmp_path / f"{name}.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(samples.serialized(samples.HEALTHY))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/*\n!keep.onnx\n")
    (tmp_path / "trtcheck.toml").write_text('exclude = ["old/", "[[:alpha:]].onnx", "!/a.onnx"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def on_the_command_line(*words: str) -> list[str]:
    result = run("check", "--output-format", "json", *words)
    return [model["path"] for model in json.loads(result.stdout)["models"]]


@pytest.mark.parametrize("words", [["."], ["deep", "."], ["**/*.onnx", "a.onnx"], ["old/d.onnx", "build"], [".venv"]])
@pytest.mark.parametrize("configured", [True, False])
def test_the_command_line_and_python_look_at_the_same_files(project: Path, words: list[str], configured: bool) -> None:
    settings = trtcheck.load_settings() if configured else None
    expected = on_the_command_line(*words, *([] if configured else ["--no-config"]))
    assert trtcheck.find_models(words, settings=settings) == expected
    reports = trtcheck.check_many(words, settings=settings, in_flight=1)
    assert list(dict.fromkeys(report.path for report in reports)) == expected


def test_what_is_found(project: Path) -> None:
    everything = [".hidden/f.onnx", "a.onnx", "b.onnx", "build/keep.onnx", "deep/er/g.onnx", "old/d.onnx"]
    assert trtcheck.find_models(".") == everything
    assert trtcheck.find_models(project) == [str(project / name) for name in everything]
    assert trtcheck.find_models(Path("build"), respect_gitignore=False) == ["build/c.onnx", "build/keep.onnx"]
    settings = trtcheck.load_settings()
    assert trtcheck.find_models(".", settings=settings) == ["a.onnx", "build/keep.onnx"]
    assert trtcheck.find_models(["a.onnx", "old/d.onnx"], settings=settings) == ["a.onnx", "old/d.onnx"]
    assert trtcheck.find_models(["a.onnx", "old/d.onnx"], settings=settings, force_exclude=True) == ["a.onnx"]
    assert trtcheck.find_models(["b.onnx", "./b.onnx", "gone.bin"]) == ["b.onnx", "gone.bin"]
    assert trtcheck.find_models([]) == []
    assert trtcheck.find_models("old", settings=settings) == []  # somebody wanted it so


def test_names_need_not_be_utf8(project: Path) -> None:
    name = os.fsdecode(b"caf\xe9.onnx")
    (project / "deep" / name).write_bytes(b"")
    assert f"deep/{name}" in trtcheck.find_models("deep")


def test_nothing_found_is_an_error(project: Path) -> None:
    (project / "empty").mkdir()
    for word in ("empty", "no*.onnx"):
        with pytest.raises(trtcheck.Error) as caught:
            trtcheck.find_models(word)
        assert caught.value.path == word and "no model" in caught.value.cause
        answer, report = trtcheck.check_many([word, "a.onnx"], errors="return")
        assert (str(answer), report.path) == (str(caught.value), "a.onnx")


@pytest.mark.parametrize(("given", "named"), [("s3://bucket/a.onnx", "s3://bucket/a.onnx"), ([b"a.onnx"], "bytes")])
def test_what_is_no_path_of_this_machine(given: Any, named: str) -> None:
    with pytest.raises(TypeError, match=f"not {named}$"):
        trtcheck.find_models(given)
