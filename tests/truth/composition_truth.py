"""Compositions and mutants of exports next to NVIDIA's builder; part of docs/accuracy.md.

Of the second seed only counts leave this file: nobody looks at its models.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import accuracy
import grid
import verdicts
from compare import Entry, is_strict
from compositions import LARGEST, SECOND_SEED, SEED, SMALLEST, every_composition, nodes_of
from draft import profile
from groups import groups
from mutants import every_mutant
from onnx import ModelProto
from witness import STANDS_FOR, WHEELS, Libraries, Verdict, Witness

FILES = {
    SEED: Path(__file__).with_name("composition_verdicts.json"),
    SECOND_SEED: Path(__file__).with_name("composition_verdicts_2.json"),
}
SEEDS = (SEED, SECOND_SEED)

INTRODUCTION = """\
## Compositions

Graphs of {smallest} to {largest} nodes that are drawn, and that ONNX Runtime computes at the smallest, the best and the
largest size of their profile: shape arithmetic in front of Reshape, Expand, Slice, Pad, Resize and others (*sizes*),
constants computed from constants (*constants*), If, Loop and Scan (*bodies*), Q/DQ around layers (*quantized*), mixed
types (*types*), layers of all kinds (*layers*); and exports of the zoo with one or two things changed (*mutants*). All
are built. Of seed {first} what was missed was looked at, and became facts; of seed {second} nobody has seen a model.
*node*: of the refusals that are found, and for which NVIDIA names a node, how many times it is one that we name.
"""
_FUSED = re.compile(r"\{ForeignNode\[.*?\]\}")


def all_names(model: ModelProto) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.name for node in nodes_of(model.graph) if node.name))


def _entry(address: str, made: ModelProto, folder: Path, given: tuple[str, ...]) -> Entry:
    path = folder / f"{address.replace('/', '-')}.onnx"
    path.write_bytes(made.SerializeToString(deterministic=True))
    return Entry(address, grid.digest(made), path, (address,), is_strict(made), nodes=all_names(made), profile=given)


def write(folder: Path, seed: int) -> list[Entry]:
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for made in every_composition(seed):
        given = tuple(filter(None, (profile(value.name) for value in made.model.graph.input)))
        entries.append(_entry(made.address, made.model, folder, given))
    for at, model, given in every_mutant(seed):
        entries.append(_entry(f"mutants-{at // 100:02}/{at % 100}", model, folder, given))
    return entries


def kind(entry: Entry) -> str:
    return entry.address.partition("-")[0]


def judge_theirs(entries: Sequence[Entry], program: Path, libraries: Libraries) -> None:
    """All are built that nobody has asked this version about. One child process for all that are drawn: the names of
    their inputs hold the sizes."""
    version = libraries.version
    entries = [entry for entry in entries if not entry.is_asked(version)]
    drawn = [entry for entry in entries if kind(entry) != "mutants"]
    given = tuple(sorted({text for entry in drawn for text in entry.profile}))
    _ask(drawn, Witness(program, libraries, profiles=given))
    mutants = sorted((entry for entry in entries if kind(entry) == "mutants"), key=lambda entry: entry.profile)
    for profiles, some in groupby(mutants, key=lambda entry: entry.profile):
        _ask(some, Witness(program, libraries, profiles=profiles))


def _ask(entries: Iterable[Entry], witness: Witness) -> None:
    with witness:
        for entry in entries:
            verdict = witness.ask(entry.path)
            entry.theirs[witness.libraries.version] = replace(verdict, node=named(verdict, entry.nodes))


def named(verdict: Verdict, names: Sequence[str]) -> str:
    """The node that NVIDIA names, alone or first; "": none, or a part of the graph that was fused."""
    if verdict.node in names:
        return verdict.node
    # Long names first: one may begin as another does.
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    found = re.search(rf"(?<![\w/.])({words})(?![\w/])", _FUSED.sub("", verdict.reason)) if words else None
    return found[1] if found else ""


def of_nodes(entries: Iterable[Entry], version: str) -> tuple[int, int]:
    """How many refusals that we found name a node, and of how many we name the same."""
    found = [
        entry
        for entry in entries
        if entry.is_asked(version) and entry.theirs[version].refused and entry.word(version) == "agree"
    ]
    told = [entry for entry in found if entry.theirs[version].node]
    return len(told), sum(entry.theirs[version].node in entry.named[version] for entry in told)


def tables(parts: dict[str, list[Entry]]) -> Iterator[str]:
    titles = ["found", "missed", "of these warned", "false alarm", "taken", "not judged"]
    yield accuracy.line("models", "version", "is", *titles, "refusals found", "of those taken refused", "node")
    yield "|" + "---|" * 12
    for name, entries in parts.items():
        for version in WHEELS:
            if not any(entry.is_asked(version) for entry in entries):
                continue
            counts = accuracy.count(entries, version)
            numbers = [counts[word] for word in ("found", "missed", "warned", "false", "built", "unjudged")]
            told, right = of_nodes(entries, version)
            node = accuracy.percent(right, told)
            yield accuracy.line(name, version, STANDS_FOR[version], *numbers, *accuracy.rates(counts), node)


def section(by_seed: dict[int, list[Entry]]) -> str:
    parts = {f"seed {seed}": entries for seed, entries in by_seed.items()}
    newest = list(WHEELS)[-1]
    head = INTRODUCTION.format(smallest=SMALLEST, largest=LARGEST, first=SEED, second=SECOND_SEED)
    lines = [head, *tables(parts), "", f"By kind, of RTX {newest}:", ""]
    lines += [
        accuracy.line("kind", *(f"{name}: found of refused" for name in parts), "models"),
        "|" + "---|" * (len(parts) + 2),
    ]
    for name in dict.fromkeys(kind(entry) for entry in by_seed[SEED]):
        cells = []
        for entries in by_seed.values():
            counts = accuracy.count((entry for entry in entries if kind(entry) == name), newest)
            cells.append(f"{counts['found']} of {counts['found'] + counts['missed']}")
        models = Counter(kind(entry) for entries in by_seed.values() for entry in entries)[name]
        lines.append(accuracy.line(name, *cells, models))
    lines += ["", f"What is missed most of seed {SEED}, by RTX {newest}:", ""]
    for group in groups(by_seed[SEED], [newest], "missed")[:10]:
        lines.append(f"- {len(group.entries)}: `{group.title.replace('`', '')}`")
    return "\n".join(lines)


def recalled(entries: list[Entry], seed: int) -> list[Entry]:
    """Those that nobody has asked about."""
    file = FILES[seed]
    return verdicts.recall(entries, verdicts.load(file), seed) if file.exists() else entries
