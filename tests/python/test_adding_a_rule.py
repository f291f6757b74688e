"""docs/adding-a-rule.md, followed literally in a copy of the tree.

To stay cheap, only what the new files change is compiled, with the commands of the existing build; the rest of
the library is linked as it is.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TRTCHECK_BUILD_DIR", ROOT / "build"))
PAGE = ROOT / "docs/adding-a-rule.md"

#: Of the test program: what reads tests/rules, and what takes long and asks nothing new of one rule more.
CASES = "every Markdown case finds what it says and nothing else"
NO_MATTER = ["many releases at once*", "every text leads to its rule*", "a model of 2 GiB or more*"]


class Block(NamedTuple):
    language: str
    path: str
    text: str


def blocks(markdown: str) -> list[Block]:
    """Code blocks; one with a longer fence may hold others."""
    found = []
    for match in re.finditer(r"^(`{3,4})(\w+)(?: (\S+))?\n(.*?)^\1\n", markdown, re.MULTILINE | re.DOTALL):
        found.append(Block(match[2], match[3] or "", match[4]))
    return found


def copy_tree(to: Path) -> None:
    shutil.copytree(ROOT / "cpp", to / "cpp")
    shutil.copytree(ROOT / "tests/cpp", to / "tests/cpp")
    shutil.copytree(ROOT / "tests/rules", to / "tests/rules")


def insert_sorted(path: Path, line: str) -> None:
    def code(text: str) -> str:
        return text.rsplit("// ", 1)[1].strip()

    lines = path.read_text().splitlines(keepends=True)
    rules = [i for i, text in enumerate(lines) if text.startswith("TRTCHECK_RULE(")]
    place = next((i for i in rules if code(lines[i]) > code(line)), rules[-1] + 1)
    lines.insert(place, line)
    path.write_text("".join(lines))


def compile_file(source: Path, like: str, scratch: Path, into: Path) -> Path:
    """Compiles `source` with the command of the existing build for the file `like`."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    entry = next(e for e in commands if e["file"] == str(ROOT / like))
    words = shlex.split(entry["command"])
    generated = str(BUILD)
    target = into / (source.stem + ".o")
    moved = [w if generated in w else w.replace(str(ROOT), str(scratch)) for w in words]
    moved[moved.index("-o") + 1] = str(target)
    moved[moved.index("-c") + 1] = str(source)
    for flag in ("-MF", "-MT"):
        if flag in moved:
            moved[moved.index(flag) + 1] = str(target) + ".d"
    # Precompiled headers are for a compiler that optimizes.
    moved = [w if w != "-O3" else "-O1" for w in moved]
    subprocess.run(moved, cwd=entry["directory"], check=True)
    return target


def link_command(objects: list[Path], program: Path) -> list[str]:
    """The build's own command for the test program, with our objects in place of the old ones."""
    command = ["ninja", "-C", str(BUILD), "-t", "commands", "test_rules"]
    last = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    words = [word for word in shlex.split(last) if word not in {":", "&&"}]
    words[words.index("-o") + 1] = str(program)
    kept = [word for word in words if not re.search(r"/(list_test|cases_test)\.cpp\.o$", word)]
    # Ours come first: the old list of rules in the library is then not taken.
    first = next(i for i, word in enumerate(kept) if word.endswith(".o"))
    return kept[:first] + [str(path) for path in objects] + kept[first:]


@pytest.mark.slow
def test_the_page_makes_a_rule_that_builds_and_passes(tmp_path: Path) -> None:
    files = {block.path: block.text for block in blocks(PAGE.read_text()) if block.path}
    source = next(path for path in files if path.endswith(".cpp"))
    cases = next(path for path in files if path.startswith("tests/rules/"))
    copy_tree(tmp_path)
    (tmp_path / source).write_text(files[source])
    (tmp_path / cases).write_text(files[cases])
    insert_sorted(tmp_path / "cpp/src/rules/list.inc", files["cpp/src/rules/list.inc"])

    objects = [
        compile_file(tmp_path / source, "cpp/src/rules/model/internal_error.cpp", tmp_path, tmp_path),
        compile_file(tmp_path / "cpp/src/rules/list.cpp", "cpp/src/rules/list.cpp", tmp_path, tmp_path),
        compile_file(tmp_path / "tests/cpp/rules/list_test.cpp", "tests/cpp/rules/list_test.cpp", tmp_path, tmp_path),
        compile_file(tmp_path / "tests/cpp/rules/cases_test.cpp", "tests/cpp/rules/cases_test.cpp", tmp_path, tmp_path),
    ]
    program = tmp_path / "test_rules"
    subprocess.run(link_command(objects, program), cwd=BUILD, check=True)
    result = subprocess.run(
        [str(program), *(f"~{name}" for name in NO_MATTER)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout

    # The cases are really run: with another expectation they fail.
    (tmp_path / cases).write_text(files[cases].replace("none", "info MDL980 main/Identity_0: x"))
    assert subprocess.run([str(program), CASES], capture_output=True, check=False).returncode != 0


def test_the_build_commands_of_the_page_exist() -> None:
    shell = "".join(b.text for b in blocks(PAGE.read_text()) if b.language == "sh")
    for line in shell.splitlines():
        assert line.split()[0] in {"cmake", "ninja", "build/tests/cpp/test_rules", "make", "python"}
    assert "test_rules" in shell and (ROOT / "docs/generate.py").is_file()
