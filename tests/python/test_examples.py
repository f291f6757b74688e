"""The examples run as they stand."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import trtcheck

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_check_a_model() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "check_a_model.py", EXAMPLES / "models" / "healthy_shufflenet.onnx", "10.13"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "clean for TensorRT 10.13\n")


def test_check_a_model_says_what_cannot_be_read() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "check_a_model.py", "missing.onnx"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("missing.onnx: ")


def test_check_on_dask(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    for path in (EXAMPLES / "models").glob("*.onnx"):
        shutil.copy(path, tmp_path)
    expected = [trtcheck.check(path, target="10.13") for path in sorted(tmp_path.iterdir())]
    command = [sys.executable, EXAMPLES / "check_on_dask.py", tmp_path, "--workers", "2", "--target", "10.13"]
    # Nothing but loopback, and no proxy in between.
    alone = {**os.environ, "NO_PROXY": "*", "no_proxy": "*"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=alone)
    assert done.returncode == 1, done.stderr
    *findings, last = done.stdout.splitlines()
    assert sorted(findings) == sorted(f"{report.path}: {error}" for report in expected for error in report.errors)
    counts = [sum(report.verdict == verdict for report in expected) for verdict in ("refused", "uncertain", "clean")]
    refused, uncertain, clean = counts
    pattern = rf"8 models in \d+\.\d s: {refused} refused, {uncertain} uncertain, {clean} clean; 0 could not be checked"
    assert re.fullmatch(pattern, last)

    (tmp_path / "bad.onnx").write_bytes(b"\x08")
    again = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=alone)
    assert again.returncode == 2
    assert f"{tmp_path / 'bad.onnx'}: malformed ONNX model" in again.stderr
    assert again.stdout.splitlines()[-1].startswith("8 models in ")
