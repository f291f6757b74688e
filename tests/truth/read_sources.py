"""Puts the facts of cpp/data/facts beside the sources of NVIDIA's parser: read_sources.py FOLDER

FOLDER has a folder for each release (8.6, 10.1 ...) with the C++ files of onnx-tensorrt in it. They are not part of
this project. For every fact that says what TensorRT prints, and every release of its range that is there:

    missing   no importer, checker or helper of the operator prints it, nor does what all nodes pass
    before    the release before the range prints it already
    after     the release after the range prints it still

What is known and right stands in explained.toml, with the reason. Exits with 1 where something is left, or explained in
vain.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomllib
from source_texts import Release

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "cpp/data/facts"
sys.path.insert(0, str(ROOT / "cpp/codegen"))
all_cases = importlib.import_module("records").all_cases
SUPPORT = ROOT / "cpp/data/op_support.json"
EXPLAINED = Path(__file__).with_name("explained.toml")
KINDS = ("missing", "before", "after")


class DataError(Exception):
    """One line: what is wrong with the folder or with explained.toml."""


@dataclass(frozen=True)
class Said:
    op: str
    id: str
    span: tuple[str, ...]  # all releases of the range
    before: str  # the release before it, "" where there is none
    after: str
    says: str

    @property
    def range(self) -> str:
        return self.span[0] if len(self.span) == 1 else f"{self.span[0]}..{self.span[-1]}"


@dataclass(frozen=True)
class Gap:
    """A release in which a fact and the source do not agree."""

    fact: Said
    kind: str
    release: str


@dataclass(frozen=True)
class Explanation:
    id: str
    ops: tuple[str, ...]  # none: all of that id
    kind: str
    releases: tuple[str, ...]
    reason: str

    def covers(self, gap: Gap) -> bool:
        return (
            gap.fact.id == self.id
            and (not self.ops or gap.fact.op in self.ops)
            and gap.kind == self.kind
            and gap.release in self.releases
        )


def span(text: str, releases: list[str]) -> list[str]:
    """Of `8.2..9.3`, `10.0..` or `8.5`."""
    lower, dots, upper = text.partition("..")
    if unknown := {lower or releases[0], upper or releases[-1]} - set(releases):
        raise DataError(f"`{min(unknown)}` is no release (known: {releases[0]} to {releases[-1]})")
    first = releases.index(lower) if lower else 0
    last = first if not dots else releases.index(upper) if upper else len(releases) - 1
    return releases[first : last + 1]


def facts(folder: Path, releases: list[str]) -> Iterator[Said]:
    """One for each operator and case of a fact of TensorRT that says something."""
    for path in sorted(folder.glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        for case in (case for fact in data["fact"] for case in all_cases(fact)):
            if "says" not in case or case["in"].startswith("rtx"):
                continue
            held = span(case["in"], releases)
            first, last = releases.index(held[0]), releases.index(held[-1])
            before = releases[first - 1] if first else ""
            after = releases[last + 1] if last + 1 < len(releases) else ""
            for op in case.get("ops") or data.get("ops") or [path.stem]:
                yield Said(op, case["id"], tuple(held), before, after, case["says"])


def gaps(said: Iterable[Said], sources: dict[str, Release]) -> Iterator[Gap]:
    known = list(said)
    for fact in known:
        for release in fact.span:
            if release in sources and not sources[release].prints(fact.op, fact.says):
                yield Gap(fact, "missing", release)
        for kind, release in (("before", fact.before), ("after", fact.after)):
            # Another case of that fact may say the same there.
            goes_on = any(release in other.span for other in known if (other.op, other.id) == (fact.op, fact.id))
            source = sources.get(release)
            if source and not goes_on and source.knows(fact.op) and source.prints(fact.op, fact.says):
                yield Gap(fact, kind, release)


def explanations(path: Path, releases: list[str]) -> list[Explanation]:
    found = []
    for entry in tomllib.loads(path.read_text("utf-8")).get("explained", []):
        if unknown := set(entry) - {"id", "ops", *KINDS, "reason"}:
            raise DataError(f"{path.name}: unknown key `{min(unknown)}`")
        name = entry.get("id", "?")
        if not entry.get("reason") or not set(entry) & set(KINDS):
            raise DataError(f"{path.name}: {name}: a reason and one of {', '.join(KINDS)} must be given")
        for kind in sorted(set(entry) & set(KINDS)):
            held = tuple(span(entry[kind], releases))
            found.append(Explanation(name, tuple(entry.get("ops", ())), kind, held, entry["reason"]))
    return found


def support() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(SUPPORT.read_text("utf-8"))
    return data


def releases_of(data: dict[str, Any]) -> list[str]:
    return [row["release"] for row in data["releases"]]


def read(folder: Path, releases: list[str]) -> dict[str, Release]:
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder")
    sources = {release: Release.read(folder / release) for release in releases if (folder / release).is_dir()}
    if not any(sources.values()):
        raise DataError(f"{folder} has no folder of a release (like {releases[-1]})")
    for release, source in sources.items():
        if not source.functions:
            raise DataError(f"{folder / release} has no C++ file")
    return sources


def shortened(names: list[str], releases: list[str]) -> str:
    """Neighbours as a range."""
    runs: list[list[str]] = []
    for name in sorted(set(names), key=releases.index):
        if runs and releases.index(runs[-1][-1]) + 1 == releases.index(name):
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs)


def table(left: list[Gap], releases: list[str]) -> Iterator[str]:
    """One line for each fact, range and kind."""
    together: dict[tuple[Said, str], list[str]] = {}
    for gap in left:
        together.setdefault((gap.fact, gap.kind), []).append(gap.release)
    for (fact, kind), names in together.items():
        name = f"{fact.op}:{fact.id}"
        yield f"{name:<58} {fact.range:<14} {kind:<8} {shortened(names, releases):<24} {fact.says}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="facts of cpp/data/facts beside the sources of NVIDIA's parser")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder for each release in it")
    parser.add_argument("--facts", type=Path, default=FACTS, help="where the facts are")
    parser.add_argument("--explained", type=Path, default=EXPLAINED, help="what is known and right")
    options = parser.parse_args(arguments)
    try:
        releases = releases_of(support())
        sources = read(options.folder, releases)
        known = explanations(options.explained, releases)
    except (DataError, OSError, tomllib.TOMLDecodeError) as error:
        print(f"read_sources: {error}", file=sys.stderr)
        return 2
    all_facts = list(facts(options.facts, releases))
    found = list(gaps(all_facts, sources))
    left = [gap for gap in found if not any(one.covers(gap) for one in known)]
    vain = [one for one in known if set(one.releases) & set(sources) and not any(one.covers(gap) for gap in found)]
    for line in table(left, releases):
        print(line)
    for one in vain:
        print(f"{one.id}: explained.toml explains `{one.kind}` in vain")
    unexplained = {(gap.fact.op, gap.fact.id) for gap in left}
    print(
        f"{len(all_facts)} facts that say something, {len(sources)} releases: {len(unexplained)} unexplained,"
        f" {len({(gap.fact.op, gap.fact.id) for gap in found}) - len(unexplained)} explained"
    )
    return 1 if left or vain else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
