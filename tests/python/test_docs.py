"""The pages are what the rules say, and links lead somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_cli import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.skipif(PROGRAM is None, reason="the program trtcheck is not built")
def test_rule_pages_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "docs/generate.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.skipif(PROGRAM is None, reason="the program trtcheck is not built")
def test_the_readme_shows_what_is_measured() -> None:
    command = [sys.executable, str(ROOT / "docs/compare.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_between_files_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_nobody_is_told_to_install_the_unrelated_project() -> None:
    for page in PAGES:
        assert not re.search(r"pip install\s+(-\S+\s+)*trtcheck(?!-cpp)", page.read_text()), page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the commands of the pages are typed."""
    (tmp_path / "models").mkdir()
    for name in ("model.onnx", "models/a.onnx", "models/b.onnx"):
        shutil.copy(ROOT / "examples/models/healthy_shufflenet.onnx", tmp_path / name)
    return tmp_path


@pytest.mark.skipif(PROGRAM is None, reason="the program trtcheck is not built")
def test_the_commands_of_getting_started_run(folder: Path) -> None:
    text = (ROOT / "docs/getting-started.md").read_text()
    commands = re.findall(r"^    (?:\.venv/bin/)?trtcheck (.+?)(?:  +#.*)?$", text, re.MULTILINE)
    assert len(commands) >= 6
    for command in commands:
        line = f"'{PROGRAM}' {command}"
        result = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, check=False)
        assert (result.returncode, result.stderr) == (0, ""), (command, result)


def test_the_python_of_getting_started_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("trtcheck")
    (block,) = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs/getting-started.md").read_text(), re.MULTILINE | re.DOTALL
    )
    monkeypatch.chdir(folder)
    scope: dict[str, object] = {}
    exec(block, scope)
    assert scope["report"].verdict == "clean"  # type: ignore[attr-defined]
