"""onnx's own tests of shape inference, with trtcheck in the place of onnx; a table says why some are left out."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(__file__).resolve().parents[2]
SUITE = ROOT / "tests/onnx_suite"
FILES = (
    "shape_inference_test.py",
    "data_propagation_test.py",
    "symbolic_shape_test.py",
    "model_inference_test.py",
    "function_inference_test.py",
    "inference_function_test.py",
    "node_shape_inference_test.py",
    "split_shape_inference_test.py",
)
REASONS = ("more", "runtime", "unlike")


def left_out() -> list[dict[str, Any]]:
    return tomllib.loads((SUITE / "left_out.toml").read_text())["left_out"]


def cache() -> Path:
    """Where CMake keeps the sources of onnx, too."""
    if given := os.environ.get("TRTCHECK_CACHE_DIR"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "trtcheck" if base else Path.home() / ".cache/trtcheck"


@pytest.fixture(scope="module")
def sources() -> Path:
    text = (ROOT / "cmake/onnx.cmake").read_text()
    version, digest = (
        re.search(rf"set\({name} (\S+)\)", text) for name in ("TRTCHECK_ONNX_VERSION", "TRTCHECK_ONNX_SHA256")
    )
    assert version
    assert digest
    command = [sys.executable, ROOT / "cmake/fetch_onnx.py", "--version", version[1], "--sha256", digest[1]]
    done = subprocess.run([*command, "--into", cache() / "sources"], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip()) / "tests/python"


@pytest.fixture(scope="module")
def outcomes(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    results = tmp_path_factory.mktemp("onnx_suite") / "results.json"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "ours", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-p", "no:randomly", f"--results={results}", f"--rootdir={sources}", "-c", os.devnull]
    environment = {**os.environ, "PYTHONPATH": str(SUITE), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    done = subprocess.run(
        [*command, *(str(sources / name) for name in FILES)],
        capture_output=True, text=True, env=environment, cwd=results.parent, check=False,
    )  # fmt: skip
    assert results.is_file(), done.stdout[-4000:] + done.stderr[-4000:]
    return json.loads(results.read_text())


def test_nearly_all_of_them_pass(outcomes: dict[str, dict[str, str]]) -> None:
    passed = [name for name, one in outcomes.items() if one["outcome"] == "passed"]
    ran = [name for name, one in outcomes.items() if one["outcome"] != "skipped"]
    assert len(ran) > 1000
    assert len(passed) >= 1003, f"{len(passed)} of {len(ran)}"


def test_the_others_are_listed_with_their_reason(outcomes: dict[str, dict[str, str]]) -> None:
    patterns = [entry["test"] for entry in left_out()]
    failed = {name: one["text"] for name, one in outcomes.items() if one["outcome"] == "failed"}
    unlisted = {n: t for n, t in failed.items() if not any(fnmatch.fnmatchcase(n, p) for p in patterns)}
    assert not unlisted, "\n".join(f"{name}: {text}" for name, text in sorted(unlisted.items()))


def test_what_is_listed_fails(outcomes: dict[str, dict[str, str]]) -> None:
    failed = [name for name, one in outcomes.items() if one["outcome"] == "failed"]
    needless = [e["test"] for e in left_out() if not any(fnmatch.fnmatchcase(name, e["test"]) for name in failed)]
    assert not needless


def test_every_entry_has_a_reason() -> None:
    for entry in left_out():
        assert set(entry) == {"test", "kind", "reason"}
        assert entry["kind"] in REASONS
        assert len(entry["reason"]) > 20
