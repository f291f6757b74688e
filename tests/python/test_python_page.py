"""The programs in docs/python.md run as they stand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/python.md").read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=[str(number) for number, _ in enumerate(BLOCKS)])
def test_block(block: str, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    for name in ("model.onnx", "models/a.onnx", "models/b.onnx"):
        shutil.copy(ROOT / "examples/models/healthy_shufflenet.onnx", tmp_path / name)
    (tmp_path / "program.py").write_text(block)
    command = [sys.executable, "-W", "error", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "print(" not in block or "clean" in done.stdout
