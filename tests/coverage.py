"""Line and branch coverage of folders of cpp/src, from what gcov says: coverage.py [--least PERCENT] BUILD FOLDER...

Prints each file with what no test reached, and the sums. Exit code 1: of the lines or of the branches less than
PERCENT was reached.

What counts is what the source decides, once, however many templates and programs it was compiled for: it was reached
when one of them reached it. Of what gcov lists these do not count:

- whether a call comes back. gcov has two branches for each call that may throw;
- lines without a word, such as `}`, and functions that are `= default`: nothing is decided there but by the compiler;
- decisions that nothing came to, on a line where as many others were made as it has words for them: they are how to
  clean up after an exception.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DECISION = re.compile(r"\b(?:if|for|while|switch)\b|\?|&&|\|\|")


class Line:
    """One line of one function, or of all that are made of one template."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.reached = 0
        self.branches: dict[tuple[bool, ...], list[int]] = {}

    def add(self, line: dict[str, Any]) -> None:
        self.reached += line["count"]
        counts = [branch["count"] for branch in line["branches"]]
        kinds = tuple(branch["throw"] for branch in line["branches"])
        before = self.branches.get(kinds, [0] * len(kinds))
        self.branches[kinds] = [one + other for one, other in zip(before, counts, strict=True)]

    def decided(self) -> list[int]:
        """How often each branch that counts was taken."""
        return [count for kinds, counts in self.branches.items() for count in self.of_source(kinds, counts)]

    def of_source(self, kinds: tuple[bool, ...], counts: list[int]) -> list[int]:
        # The way back from a call stands before the one of an exception.
        calls = {at for at in range(len(kinds) - 1) if kinds[at + 1]}
        all_ = [count for at, count in enumerate(counts) if not kinds[at] and at not in calls]
        made = [count for at in range(0, len(all_), 2) if any(all_[at : at + 2]) for count in all_[at : at + 2]]
        # Of a switch there are as many branches as it has cases.
        is_all_made = "switch (" not in self.text and len(made) // 2 >= len(DECISION.findall(self.text))
        return made if is_all_made else all_


class File:
    def __init__(self, path: Path) -> None:
        self.text = [re.sub(r"//.*", "", line).rstrip() for line in path.read_text("utf-8").splitlines()]
        # By number and place of the function: a lambda may share a line with the function around it.
        self.lines: dict[tuple[int, tuple[int, int]], Line] = {}

    def add(self, file: dict[str, Any]) -> None:
        places = {one["name"]: (one["start_line"], one["start_column"]) for one in file["functions"]}
        for line in file["lines"]:
            text = self.text[line["line_number"] - 1]
            if re.search(r"\w", text) and not text.endswith("= default;"):
                key = (line["line_number"], places.get(line.get("function_name"), (0, 0)))
                self.lines.setdefault(key, Line(text)).add(line)

    def reached(self) -> dict[int, int]:
        reached: dict[int, int] = defaultdict(int)
        for (number, _), line in self.lines.items():
            reached[number] += line.reached
        return reached

    def branches(self) -> list[tuple[int, int]]:
        """Line and count of each."""
        return [(number, count) for (number, _), line in self.lines.items() for count in line.decided()]


def counted(build: Path, folders: list[str]) -> dict[str, File]:
    files: dict[str, File] = {}
    # The tests of a folder have its inline functions in them.
    places = [place for folder in folders for place in (f"src/{folder}", f"test_{folder}.dir/{folder}")]
    notes = [path for place in places for path in build.rglob(f"{place}/*.gcno")]
    with tempfile.TemporaryDirectory() as made:
        command = ["gcov", "--branch-probabilities", "--json-format", *map(str, notes)]
        subprocess.run(command, cwd=made, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in Path(made).glob("*.gcov.json.gz"):
            for file in json.loads(gzip.decompress(path.read_bytes()))["files"]:
                name = (build / file["file"]).resolve()
                if any(name.is_relative_to(ROOT / "cpp/src" / folder) for folder in folders):
                    files.setdefault(str(name.relative_to(ROOT)), File(name)).add(file)
    return files


def share(counts: list[int]) -> float:
    return 100 * sum(count > 0 for count in counts) / max(len(counts), 1)


def words(counts: list[int]) -> str:
    return f"{sum(count > 0 for count in counts)}/{len(counts)} ({share(counts):.1f} %)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT")
    parser.add_argument("build", type=Path)
    parser.add_argument("folders", nargs="+")
    asked = parser.parse_args()
    files = counted(asked.build.resolve(), asked.folders)
    if not files:
        print(f"{asked.build}: nothing is compiled to be counted there", file=sys.stderr)
        return 2
    lines: list[int] = []
    branches: list[int] = []
    for name, file in sorted(files.items()):
        reached = file.reached()
        taken = file.branches()
        of_file = [*reached.values()], [count for _, count in taken]
        lines += of_file[0]
        branches += of_file[1]
        print(f"{name}: lines {words(of_file[0])}, branches {words(of_file[1])}")
        missed = sorted(line for line, count in reached.items() if count == 0)
        partly = sorted({line for line, count in taken if count == 0} - {*missed})
        if missed:
            print(f"  lines that nothing reaches: {', '.join(map(str, missed))}")
        if partly:
            print(f"  branches that nothing takes, at: {', '.join(map(str, partly))}")
    print(f"{', '.join(asked.folders)}: lines {words(lines)}, branches {words(branches)}")
    if min(share(lines), share(branches)) < asked.least:
        print(f"less than {asked.least} % was reached", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
