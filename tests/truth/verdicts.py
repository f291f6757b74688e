"""What the witness said of the grid, as verdicts.json: who has no wheel compares with that.

One letter for each model of a cell and version:

    b  built            r  refused by the parser     u  not judged
    p  parsed           x  refused by the builder    .  no model has this number
                                                     n  not asked yet

A capital letter: we say otherwise, and it is known. `digests` has two letters of each model's hash: the models are made
again from the seed, and have to be the same. Of graphs of several nodes "nodes VERSION" has two letters for each model
that is refused: the number of the node that NVIDIA names, ".." for none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

import grid
import onnx
from compare import Entry
from messages import essence
from witness import WHEELS, Verdict

FILE = Path(__file__).with_name("verdicts.json")
LETTERS = {"built": "b", "parsed": "p", "parser": "r", "builder": "x", "unjudged": "u", "unasked": "n"}
KINDS = {letter: kind for kind, letter in LETTERS.items()}
_BASE = ascii_letters + digits + "-_"
VERSIONS = tuple(WHEELS)


def digest_letters(digest: str) -> str:
    return _pair(int(digest, 16) % 4096)


def _pair(number: int) -> str:
    return _BASE[number // 64] + _BASE[number % 64]


@dataclass
class Cell:
    """One operator in one opset; texts with a letter for each position, digests two."""

    digests: str
    letters: dict[str, str]
    # By position, of those that a version refuses: NVIDIA's message in short.
    reasons: dict[int, str] = field(default_factory=dict)
    # By version and position: the number of the node that NVIDIA names.
    nodes: dict[tuple[str, int], int] = field(default_factory=dict)

    def knows(self, at: int, digest: str) -> bool:
        return self.digests[2 * at : 2 * at + 2] == digest_letters(digest)

    def verdict(self, at: int, version: str) -> Verdict:
        kind = KINDS[self.letters[version][at].lower()]
        return Verdict(kind, self.reasons.get(at, "") if kind in ("parser", "builder") else "")

    def node(self, at: int, version: str, names: Sequence[str]) -> str:
        number = self.nodes.get((version, at))
        return "" if number is None else names[number]

    def is_known(self, at: int, version: str) -> bool:
        """That we say otherwise."""
        return self.letters[version][at].isupper()


@dataclass
class Recorded:
    seed: int
    onnx: str
    date: str
    cells: dict[str, Cell]


def load(path: Path = FILE) -> Recorded:
    data = json.loads(path.read_text("utf-8"))
    messages: list[str] = data["messages"]
    cells = {name: _read(cell, messages) for name, cell in data["cells"].items()}
    return Recorded(data["seed"], data["onnx"], data["date"], cells)


def _read(data: dict[str, str], messages: list[str]) -> Cell:
    # A version that was asked about nothing then.
    letters = {version: data.get(version, "n" * (len(data["digests"]) // 2)) for version in VERSIONS}
    refused = [at for at in range(len(letters[VERSIONS[0]])) if any(letters[v][at] in "rRxX" for v in VERSIONS)]
    numbers = [_number(pair) for pair in _pairs(data["reasons"])]
    reasons = {at: messages[n] for at, n in zip(refused, numbers, strict=True)}
    nodes: dict[tuple[str, int], int] = {}
    for version in VERSIONS:
        of_version = [at for at, letter in enumerate(letters[version]) if letter in "rRxX"]
        pairs = _pairs(data.get(f"nodes {version}", ".." * len(of_version)))
        nodes |= {(version, at): _number(pair) for at, pair in zip(of_version, pairs, strict=True) if pair != ".."}
    return Cell(data["digests"], letters, reasons, nodes)


def _pairs(letters: str) -> list[str]:
    return [a + b for a, b in zip(letters[::2], letters[1::2], strict=True)]


def _number(pair: str) -> int:
    return _BASE.index(pair[0]) * 64 + _BASE.index(pair[1])


def save(entries: Iterable[Entry], seed: int, date: str, path: Path = FILE) -> None:
    cells: dict[str, list[Entry]] = {}
    for entry in entries:
        cells.setdefault(entry.address.rpartition("/")[0], []).append(entry)
    messages: dict[str, int] = {}
    written = {name: _write(of_cell, messages) for name, of_cell in sorted(cells.items())}
    data: dict[str, Any] = {"seed": seed, "onnx": onnx.__version__, "date": date, "messages": list(messages)}
    lines = [f'"{name}": {json.dumps(cell)}' for name, cell in written.items()]
    head = json.dumps(data, indent=0)[:-2]
    path.write_text(f'{head},\n"cells": {{\n' + ",\n".join(lines) + "\n}}\n", "utf-8")


def _write(entries: list[Entry], messages: dict[str, int]) -> dict[str, str]:
    by_position = {int(entry.address.rpartition("/")[2]): entry for entry in entries}
    positions = range(max(by_position) + 1)
    found = {
        "digests": "".join(digest_letters(by_position[at].digest) if at in by_position else ".." for at in positions)
    }
    for version in VERSIONS:
        found[version] = "".join(_letter(by_position[at], version) if at in by_position else "." for at in positions)
    reasons = ""
    for at in sorted(by_position):
        theirs = [by_position[at].theirs[version] for version in VERSIONS]
        if said := [verdict.reason for verdict in theirs if verdict.refused]:
            # Of the newest version; 4096 messages are more than there are.
            reasons += _pair(messages.setdefault(essence(said[-1]), len(messages)))
    if any(entry.nodes for entry in entries):
        for version in VERSIONS:
            refused = [by_position[at] for at in sorted(by_position) if by_position[at].theirs[version].refused]
            found[f"nodes {version}"] = "".join(_node(entry, version) for entry in refused)
    return found | {"reasons": reasons}


def _node(entry: Entry, version: str) -> str:
    name = entry.theirs[version].node
    return _pair(entry.nodes.index(name)) if name in entry.nodes else ".."


def _letter(entry: Entry, version: str) -> str:
    letter = LETTERS[entry.theirs[version].kind]
    return letter.upper() if entry.word(version) in ("missed", "false") else letter


def recall(entries: Iterable[Entry], recorded: Recorded, seed: int = grid.SEED) -> list[Entry]:
    """Fills in what is recorded; returns the models that some version was not asked about.

    Of a cell with one new model all are asked anew: others may have moved to where a like digest stands.
    """
    unknown = []
    for name, of_cell in groupby(entries, key=lambda entry: entry.address.rpartition("/")[0]):
        models = [(int(entry.address.rpartition("/")[2]), entry) for entry in of_cell]
        cell = recorded.cells.get(name) if recorded.seed == seed else None
        if cell is None or not all(cell.knows(at, entry.digest) for at, entry in models):
            unknown += [entry for _, entry in models]
            continue
        for at, entry in models:
            asked = [version for version in VERSIONS if cell.letters[version][at] != "n"]
            if len(asked) < len(VERSIONS):
                unknown.append(entry)
            for version in asked:
                node = cell.node(at, version, entry.nodes) if entry.nodes else ""
                entry.theirs[version] = replace(cell.verdict(at, version), node=node)
    return unknown
