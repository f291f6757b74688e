"""Line and branch coverage of folders of cpp/src, from what gcov says: coverage.py BUILD FOLDER...

Branches that only an exception would take (each call may throw) do not count, and neither do lines of other folders.
Prints each file with what no test reached, and the sums.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


class File:
    """Of all builds and templates together: a line that one of them reached was reached."""

    def __init__(self) -> None:
        self.lines: dict[int, int] = defaultdict(int)
        self.branches: dict[tuple[int, int], int] = defaultdict(int)

    def add(self, lines: list[dict[str, Any]]) -> None:
        for line in lines:
            number = line["line_number"]
            self.lines[number] += line["count"]
            for at, branch in enumerate(branch for branch in line["branches"] if not branch["throw"]):
                self.branches[number, at] += branch["count"]


def counted(build: Path, folders: list[str]) -> dict[str, File]:
    files: dict[str, File] = defaultdict(File)
    notes = [path for folder in folders for path in build.rglob(f"src/{folder}/*.gcda")]
    with tempfile.TemporaryDirectory() as made:
        command = ["gcov", "--branch-probabilities", "--json-format", *map(str, notes)]
        subprocess.run(command, cwd=made, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in Path(made).glob("*.gcov.json.gz"):
            for file in json.loads(gzip.decompress(path.read_bytes()))["files"]:
                name = (build / file["file"]).resolve()
                if any(name.is_relative_to(ROOT / "cpp/src" / folder) for folder in folders):
                    files[str(name.relative_to(ROOT))].add(file["lines"])
    return files


def share(counts: list[int]) -> str:
    reached = sum(count > 0 for count in counts)
    return f"{reached}/{len(counts)} ({100 * reached / max(len(counts), 1):.1f} %)"


def main(build: str, *folders: str) -> int:
    files = counted(Path(build).resolve(), list(folders))
    if not files:
        print(f"{build}: nothing was counted in {', '.join(folders)}: run the tests first", file=sys.stderr)
        return 2
    for name, file in sorted(files.items()):
        print(f"{name}: lines {share([*file.lines.values()])}, branches {share([*file.branches.values()])}")
        missed = sorted(line for line, count in file.lines.items() if count == 0)
        partly = sorted({line for (line, _), count in file.branches.items() if count == 0} - {*missed})
        if missed:
            print(f"  lines that nothing reaches: {', '.join(map(str, missed))}")
        if partly:
            print(f"  branches that nothing takes, at: {', '.join(map(str, partly))}")
    lines = [count for file in files.values() for count in file.lines.values()]
    branches = [count for file in files.values() for count in file.branches.values()]
    print(f"{', '.join(folders)}: lines {share(lines)}, branches {share(branches)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
