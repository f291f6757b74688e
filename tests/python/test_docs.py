"""The pages are what the rules say, and links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from doc_blocks import Block, Reader, blocks
from test_cli import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
# `make docs` makes those of operators, and follows the links to them.
OPERATORS = ROOT / "docs/operators"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if OPERATORS not in page.parents]


def test_rule_pages_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "docs/generate.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_readme_shows_what_is_measured() -> None:
    command = [sys.executable, str(ROOT / "docs/compare.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_between_files_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target and OPERATORS not in (page.parent / target).parents:
            assert (page.parent / target).exists(), target


def test_nobody_is_told_to_install_the_unrelated_project() -> None:
    for page in PAGES:
        assert not re.search(r"pip install\s+(-\S+\s+)*trtcheck(?!-cpp)", page.read_text()), page


# The pages of rules hold ONNX text only, which the C++ tests run; test_adding_a_rule.py follows adding-a-rule.md,
# test_adding_a_setting.py adding-a-setting.md, test_package.py installing.md, test_onnx_component.py onnx-in-memory.md.
ELSEWHERE = ("adding-a-rule", "adding-a-setting", "installing", "onnx-in-memory")
RUN_ELSEWHERE = {ROOT / f"docs/{name}.md" for name in ELSEWHERE}
RUN_ELSEWHERE |= {*(ROOT / "docs/rules").glob("*.md")}
FOLLOWED = [page for page in PAGES if page not in RUN_ELSEWHERE]


@pytest.mark.parametrize("page", FOLLOWED, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_a_page_tells_to_type_works(page: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path, PROGRAM, page.read_text())
    for block in blocks(page):
        try:
            reader.follow(block)
        except Exception as error:
            error.add_note(f"{page.relative_to(ROOT)}:{block.line}")
            raise


def test_every_kind_of_block_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# T\n\n    trtcheck a.onnx   # c\n    make test\n\ntext\n\n    entries = entry\n\n"
        "```python\nx = 1\n\ny = 2\n```\n\n````console\n$ a\n```\n````\n\n- list\n    trtcheck not-a-block\n"
    )
    assert list(blocks(page)) == [
        Block("sh", "trtcheck a.onnx   # c\nmake test\n", 3),
        Block("python", "x = 1\n\ny = 2\n", 10),
        Block("console", "$ a\n```\n", 16),
    ]


@pytest.mark.parametrize(
    "block",
    [
        Block("sh", "trtcheck check --no-such-option model.onnx\n", 1),
        Block("console", "$ trtcheck --version\ntrtcheck 9.9.9\n", 1),
        Block("console", "trtcheck 9.9.9\n", 1),
        Block("python", "assert False\n", 1),
        Block("toml", "a = \n", 1),
        Block("json", "{", 1),
        Block("yaml", "# .github/workflows/x.yml\non: push\n", 1),
        Block("yaml", "on: push\n", 1),
        Block("cpp", "int x = undeclared;\n", 1),
        Block("klingon", "", 1),
    ],
)
def test_a_block_that_does_not_work_is_noticed(block: Block, tmp_path: Path) -> None:
    reader = Reader(tmp_path, PROGRAM)
    with pytest.raises((AssertionError, ValueError)):
        reader.follow(block)


def test_three_dots_stand_for_lines(tmp_path: Path) -> None:
    reader = Reader(tmp_path, PROGRAM)
    reader.follow(Block("console", "$ printf '1\\n2\\n3\\n'\n1\n...\n3\n$ echo a...\na...\n", 1))
