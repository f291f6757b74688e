"""What a message says to install is installed into an empty environment, and the command runs again."""

from __future__ import annotations

import fcntl
import re
import subprocess
import sys
import venv
from pathlib import Path

import numpy
import pytest
import tomllib
from test_cli import CLEAN, ROOT, write

BUILD = ROOT / "build"
STATIC = CLEAN.replace("[N,4]", "[1,4]")


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/proc/nothing"}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


class Environment:
    """An empty one with the wheel in it."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, with_pip=False)
        self.python = folder / "bin/python"
        self.program = folder / "bin/trtcheck"
        self.install("--no-index", "--no-deps", str(wheel))

    def install(self, *words: str) -> None:
        command = [sys.executable, "-m", "pip", "--python", self.python, "install", "--quiet", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "connection" in done.stderr.lower():
            pytest.skip("the package index cannot be reached")
        assert done.returncode == 0, done.stderr


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    if not BUILD.is_dir():
        pytest.skip("`make build` makes the wheel")
    # Another test makes the wheel anew (test_package.py), under the same lock.
    with (BUILD / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wheels = sorted((BUILD / "wheel").glob("*.whl"))
        if not wheels:
            pytest.skip("`make build` makes the wheel")
        return Environment(tmp_path / "venv", wheels[-1])


def hint(said: str) -> list[str]:
    """The words after the first `pip install`."""
    found = re.search(r"`pip install ([^`]+)`", said)
    assert found is not None, said
    return found[1].split()


@pytest.mark.slow
def test_the_hint_to_the_witness(environment: Environment, tmp_path: Path) -> None:
    command = (environment.program, "confirm", "--no-config", write(tmp_path / "model.onnx", STATIC))
    before = run(*command)
    assert before.returncode == 2
    environment.install(*hint(before.stderr))
    after = run(*command)
    assert (after.returncode, after.stderr) == (0, "")
    assert "agree: built by TensorRT-RTX 1.7.1" in after.stdout
    # And from Python.
    asked = run(environment.python, "-I", "-c", f"import trtcheck; print(trtcheck.confirm({str(command[-1])!r}))")
    assert "agree: built by TensorRT-RTX 1.7.1" in asked.stdout, asked.stderr


@pytest.mark.slow
def test_the_hint_to_onnx_runtime(environment: Environment, tmp_path: Path) -> None:
    numpy.savez(tmp_path / "samples.npz", x=numpy.ones((1, 1, 4), "float32"))
    model = write(tmp_path / "model.onnx", STATIC)
    command = (environment.program, "ranges", model, "--data", tmp_path / "samples.npz")
    before = run(*command)
    assert before.returncode == 2
    environment.install(*hint(before.stderr))
    after = run(*command)
    assert (after.returncode, after.stderr) == (0, "")
    assert "2 floating point tensors" in after.stdout


def test_every_hint_names_what_the_wheel_would_bring() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    witness = extras["confirm"][0].partition(";")[0]
    for path in ("cpp/src/witness/find.cpp", "python/trtcheck/_confirm.py", "docs/confirm.md"):
        assert witness in (ROOT / path).read_text(), path
    for path in ("cpp/src/cli/ranges_command.cpp", "python/trtcheck/_ranges.py", "docs/ranges.md"):
        assert "pip install onnxruntime" in (ROOT / path).read_text(), path
    # Ours is on no index: nothing promises that it is.
    for folder, endings in (("cpp", "?pp"), ("python", "py"), ("docs", "md")):
        for path in (ROOT / folder).rglob(f"*.{endings}"):
            assert "pip install 'trtcheck-cpp[" not in path.read_text(), path
