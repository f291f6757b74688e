"""The stub in the tree is the one that the extension gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_regenerating_gives_no_diff(tmp_path: Path) -> None:
    made = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, ROOT / "packaging" / "make_stub.py", made], check=True)
    assert made.read_text() == (ROOT / "python" / "trtcheck" / "_core.pyi").read_text(), "run `make stub`"


def test_mypy_strict_accepts_the_package_and_the_examples() -> None:
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_user_program_is_typed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("""
from typing import Literal
import trtcheck
report = trtcheck.check("model.onnx", target="10.13", profile={"x": ((1, 3), (4, 3), (8, 3))})
verdict: Literal["clean", "uncertain", "refused"] = report.verdict
severities: list[Literal["error", "warning", "info"]] = [finding.severity for finding in report]
dims: tuple[int | trtcheck.Dim, ...] | None = trtcheck.infer_shapes(b"")["x"].dims
trtcheck.check("model.onnx", target=5)
""")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    (error,) = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert 'program.py:8: error: Argument "target" to "check" has incompatible type "int"' in error
