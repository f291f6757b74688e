"""What is run beside the program stands beside it, and belongs to somebody who may say what is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_cli import CLEAN, PROGRAM, one_line, write
from test_fix_faults import library as library

import trtcheck


def run_deleted(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A program whose file is gone, as while it is replaced by another version: nobody knows where it stood."""
    copy = folder / "gone"
    shutil.copy(PROGRAM, copy)
    file = os.open(copy, os.O_RDONLY)
    copy.unlink()
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "TRTCHECK_PYTHON")}
    command = [f"/proc/self/fd/{file}", *words]
    try:
        return subprocess.run(
            command, cwd=folder, env=environment, pass_fds=[file], capture_output=True, text=True, check=False
        )
    finally:
        os.close(file)


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """A folder with a model, and with programs that nobody installed."""
    write(tmp_path / "net.onnx", CLEAN)
    for name in ("trtcheck-witness", "python3", "libtrtcheck_picture.so"):
        (tmp_path / name).write_text('#!/bin/sh\ntouch "$(dirname "$0")/was-run"\n')
        (tmp_path / name).chmod(0o755)
    return tmp_path


def test_the_working_folder_is_not_where_a_deleted_program_stood(traps: Path) -> None:
    result = run_deleted(traps, "confirm", "--no-config", "net.onnx")
    assert one_line(result) == "witness: the program `trtcheck-witness` is not installed"
    result = run_deleted(traps, "graph", "net.onnx", "--around", "y")
    assert one_line(result) == "picture: the layout module is not installed"
    (traps / "net.onnxtxt").write_text(CLEAN)
    run_deleted(traps, "check", "--no-config", "net.onnxtxt")
    assert not (traps / "was-run").exists()


def test_a_deleted_program_still_checks(traps: Path) -> None:
    assert run_deleted(traps, "check", "--no-config", "net.onnx").returncode == 0


def test_a_program_that_its_loader_does_not_know_stands_where_the_system_says(traps: Path, library: Path) -> None:
    """As one that is linked statically."""
    bare = traps / "bin"
    bare.mkdir()
    shutil.copy(PROGRAM, bare / "trtcheck")
    environment = dict(os.environ) | {"LD_PRELOAD": str(library), "FAULT": "own-file:0"}
    command = [bare / "trtcheck", "graph", "net.onnx", "--around", "y"]
    result = subprocess.run(command, cwd=traps, env=environment, capture_output=True, text=True, check=False)
    assert one_line(result).endswith(
        f"the layout module is not installed (it would be `{bare}/libtrtcheck_picture.so`)"
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="files are given away by root only")
def test_a_file_of_somebody_else_is_not_run(traps: Path) -> None:
    bare = traps / "bin"
    bare.mkdir()
    shutil.copy(PROGRAM, bare / "trtcheck")
    (traps / "trtcheck-witness").rename(bare / "trtcheck-witness")
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "LD_LIBRARY_PATH")}
    command = [bare / "trtcheck", "confirm", "--no-config", "net.onnx"]

    def said() -> str:
        return one_line(
            subprocess.run(command, cwd=traps, env=environment, capture_output=True, text=True, check=False)
        )

    missing = f"the program `trtcheck-witness` is not installed (it would be `{bare}/trtcheck-witness`)"
    assert missing not in said()
    os.chown(bare / "trtcheck-witness", 54321, -1)
    assert missing in said()
    # The owner of the program may say what else is run.
    os.chown(bare / "trtcheck", 54321, -1)
    assert missing not in said()
    (bare / "trtcheck-witness").unlink()
    (bare / "trtcheck-witness").mkdir()
    assert missing in said()


def test_an_extension_looks_beside_itself(traps: Path) -> None:
    package = traps / "copy" / "trtcheck"
    shutil.copytree(Path(trtcheck.__file__).parent, package, ignore=shutil.ignore_patterns("trtcheck-witness"))
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "LD_LIBRARY_PATH")}
    code = "from trtcheck import _core; _core.find_witnesses(b'', program=b'', folders=[b'/nowhere'], timeout=9)"
    command = [sys.executable, "-B", "-c", code]
    result = subprocess.run(
        command,
        cwd=traps,
        env=environment | {"PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.endswith(f" is not installed (it would be `{package}/trtcheck-witness`)\n")
