"""Control flow next to NVIDIA's builder: a grid of Loop, Scan and If, PyTorch programs; part of docs/accuracy.md."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import accuracy
import control
import grid
import onnx
import programs
import verdicts
from compare import Entry, is_in_sample, is_strict
from groups import groups
from onnx import ModelProto
from prepare import profile_text
from witness import STANDS_FOR, WHEELS, Libraries, Witness

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from zoo.catalog import ENTRIES
from zoo.catalog import Entry as ZooEntry
from zoo.export import all_exports, export

FILE = Path(__file__).with_name("control_verdicts.json")
# The second one was looked at when all rules but CTL106 stood.
SEEDS = (control.SEED, 3)
# Extents of dynamic inputs: what the programs were exported with, and any number.
PROGRAM_SIZE, GRID_SIZE = 5, 4

INTRODUCTION = """\
## Control flow

Models of Loop, Scan and If: where sizes come from (the iteration, a carried value, outside,
constants), what is carried (growing, shrinking, broadcast, another type or rank), what decides (constant, folded,
computed, at run time, by the iteration), nested and not, and in front of a Loop or an If that reads the result. All are
built, by RTX 1.4.0 one in six. The second seed was drawn when the rules stood; what was missed of it led to CTL106.
The programs are {programs} PyTorch functions, exported from TorchScript (`for`, `while`, `if`) and by dynamo
(`torch.cond`, `scan`), with fixed and with dynamic sizes.
The zoo are {zoo} exports of whole networks by both exporters, those of the tests, some of them damaged on purpose.
"""


def _entry(address: str, made: ModelProto, folder: Path, name: str) -> Entry:
    path = folder / f"{address.replace('/', '-')}.onnx"
    path.write_bytes(made.SerializeToString(deterministic=True))
    return Entry(address, grid.digest(made), path, (name,), is_strict(made))


def write_grid(folder: Path, seed: int = control.SEED) -> list[Entry]:
    """Of other seeds than the first what the first has not."""
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    entries = []
    known = set() if seed == control.SEED else set(control.forms())
    for form in control.forms(seed):
        if form in known:
            continue
        at = counts[form.kind] = counts.get(form.kind, -1) + 1
        entries.append(_entry(f"{form.kind}/{control.OPSET}/{at}", control.model(form), folder, form.name))
    return entries


def write_programs(folder: Path) -> list[Entry]:
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for at, (name, made) in enumerate(programs.every_program(folder)):
        if isinstance(made, str):
            print(f"not exported: {name}: {made}")
        else:
            entries.append(_entry(f"programs/{control.OPSET}/{at}", made, folder, name))
    return entries


def write_zoo(folder: Path) -> tuple[list[Entry], dict[str, tuple[str, ...]]]:
    """The modules that the tests export, and profiles of the sizes that they were exported with, by address."""
    folder.mkdir(parents=True, exist_ok=True)
    entries, profiles = [], {}
    for at, (module, exporter, mode) in enumerate(all_exports(ENTRIES.values())):
        made = export(module, exporter, mode)
        if made.path is None:
            continue
        address = f"zoo/{control.OPSET}/{at}"
        entries.append(_entry(address, onnx.load(made.path), folder, made.name))
        profiles[address] = _profiles(module) if mode == "dynamic" else ()
    return entries, profiles


def _profiles(module: ZooEntry) -> tuple[str, ...]:
    numbers = module.sizes[0]
    texts = {name: "x".join(str(numbers.get(str(dim), dim)) for dim in x.shape) for name, x in module.inputs.items()}
    return tuple(f"{name}={text}:{text}:{text}" for name, text in texts.items())


def judge_theirs(
    entries: list[Entry],
    program: Path,
    libraries: Libraries,
    size: int,
    given: Mapping[str, tuple[str, ...]] | None = None,
) -> None:
    """All are built that nobody has asked this version about, by some versions a sample; those with dynamic inputs with
    the given profile, or one whose dynamic extents are `size`."""
    version = libraries.version
    with Witness(program, libraries) as static:
        for entry in entries:
            if entry.is_asked(version) or not is_in_sample(entry, version):
                continue
            profiles = profile_text(entry.path, size) if given is None else given[entry.address]
            if not profiles:
                entry.theirs[version] = static.ask(entry.path)
                continue
            with Witness(program, libraries, profiles=profiles) as own:
                entry.theirs[version] = own.ask(entry.path)


def recall(entries: list[Entry]) -> None:
    """What is recorded of the first seed."""
    if FILE.exists():
        verdicts.recall(entries, verdicts.load(FILE), control.SEED)


def tables(parts: dict[str, list[Entry]]) -> Iterator[str]:
    yield accuracy.line(
        "models",
        "version",
        "is",
        "found",
        "missed",
        "of these warned",
        "false alarm",
        "taken",
        "not judged",
        "refusals found",
    )
    yield "|" + "---|" * 10
    for name, entries in parts.items():
        for version in WHEELS:
            counts = accuracy.count(entries, version)
            numbers = [counts[word] for word in ("found", "missed", "warned", "false", "built", "unjudged")]
            yield accuracy.line(name, version, STANDS_FOR[version], *numbers, accuracy.rates(counts)[0])


def section(parts: dict[str, list[Entry]]) -> str:
    newest = list(WHEELS)[-1]
    lines = [
        INTRODUCTION.format(programs=len(parts["programs"]), zoo=len(parts["zoo"])),
        *tables(parts),
        "",
        f"What is missed, of all of them, by RTX {newest}:",
        "",
    ]
    every = [entry for entries in parts.values() for entry in entries]
    for group in groups(every, [newest], "missed"):
        lines.append(f"- {len(group.entries)}: `{group.title.replace('`', '')}`")
    return "\n".join(lines)


def profile_size(name: str) -> int:
    return PROGRAM_SIZE if name == "programs" else GRID_SIZE
