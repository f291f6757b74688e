"""The examples run as they stand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.parametrize("notebook", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    names: dict[str, Any] = {}
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "clear the outputs before committing"
            exec("".join(cell["source"]), names)
    assert names["report"].node_count > 0
