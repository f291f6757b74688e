"""What two versions of the program say of all our models: before_after.py BEFORE AFTER [FOLDER ...]

The models are the examples and near misses of all facts, what the pages of rules show, and those of the folders. Each
is checked at ten releases, and at some with a GPU, with DLA and in FP16. Prints what was told before alone and after
alone, by code and fact, each with a model; exits with 1 where something differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rows
from onnx import ModelProto

RELEASES = ("8.0", "8.2", "8.6", "9.3", "10.3", "10.7", "10.12", "10.16", "11.5", "rtx-1.7")
RUNS: list[tuple[str, ...]] = [("--target", release) for release in RELEASES]
RUNS += [
    ("--target", "8.2", "--gpu", "7.0"),
    ("--target", "8.6", "--gpu", "7.5", "--precision", "fp16"),
    ("--target", "10.3", "--dla", "--precision", "fp16"),
    ("--target", "10.16", "--gpu", "8.7"),
    ("--target", "11.5", "--gpu", "12.0", "--strongly-typed"),
]
#: Files of one process.
MANY = 500

Said = tuple[str, str, str]  # code, fact, severity


def models() -> Iterator[tuple[str, ModelProto]]:
    for sample in [*rows.of_rows(), *rows.of_pages()]:
        yield sample.name, sample.model


def findings(report: dict[str, Any]) -> Iterator[tuple[Said, str]]:
    waiting = list(report.get("findings", []))
    while waiting:
        one = waiting.pop()
        waiting += one.get("consequences", [])
        place = f"{one.get('graph', '')}/{one.get('node', '')}"
        yield (one["code"], one.get("fact") or "", one["severity"]), f"{place}: {one['message']}"


def told(program: Path, run: tuple[str, ...], files: list[Path]) -> dict[str, Counter[tuple[Said, str]]]:
    """By file."""
    found: dict[str, Counter[tuple[Said, str]]] = {}
    for at in range(0, len(files), MANY):
        part = files[at : at + MANY]
        command = [str(program), "check", "--no-config", "--fail-on", "never", "--output-format", "json", *run]
        done = subprocess.run([*command, *map(str, part)], capture_output=True, text=True, check=False)
        for report in json.loads(done.stdout)["models"]:
            found[report["path"]] = Counter(findings(report))
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="what two versions of the program say of all our models")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER")
    parser.add_argument("--messages", action="store_true", help="a message that differs counts as well")
    options = parser.parse_args(arguments)
    differences: dict[tuple[str, Said], list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        names: dict[str, str] = {}
        for number, (name, model) in enumerate(models()):
            path = Path(folder) / f"{number}.onnx"
            path.write_bytes(model.SerializeToString())
            names[str(path)] = name
        for other in options.folders:
            names |= {str(path): str(path) for path in sorted(other.rglob("*.onnx"))}
        files = [Path(name) for name in names]
        for run in RUNS:
            before, after = (told(program, run, files) for program in (options.before, options.after))
            for file in before:
                sides = (("before", before[file] - after[file]), ("after", after[file] - before[file]))
                if not options.messages:
                    kinds = [Counter(what for what, _ in side[file].elements()) for side in (before, after)]
                    sides = (("before", _some(kinds[0] - kinds[1])), ("after", _some(kinds[1] - kinds[0])))
                for side, more in sides:
                    for what, message in more:
                        differences[side, what].append(f"{names[file]}, {' '.join(run)}: {message}")
    for (side, (code, fact, severity)), places in sorted(differences.items()):
        print(f"{side} alone: {severity} {code}{':' * bool(fact)}{fact}, {len(places)} times; {places[0]}")
    print(f"{len(names)} models, {len(RUNS)} runs: {len(differences)} kinds of findings differ")
    return 1 if differences else 0


def _some(kinds: Counter[Said]) -> Counter[tuple[Said, str]]:
    return Counter({(what, ""): count for what, count in kinds.items()})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
