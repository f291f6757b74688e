"""Our verdicts next to the witness's, over the grid."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import grid
import onnx.shape_inference
from onnx import ModelProto
from prepare import profile_text
from witness import TARGETS, Libraries, Verdict, Witness

import trtcheck

# One of so many that parse, and that we take too, is built.
BUILD_ONE_IN = {"1.4.0": 8, "1.5.0": 12, "1.6.1": 12, "1.7.1": 3}
# Of models with control flow, all of which are built, one in so many is asked about: 1.4 takes five times as long.
ASK_ONE_IN = {"1.4.0": 6}


@dataclass
class Entry:
    """A model of the grid. `ours` and `theirs` by version of the libraries."""

    address: str
    digest: str
    path: Path
    changes: tuple[str, ...] = ()
    # Whether it also passes onnx's inference with types checked; if not, it is no right model, though one sees such.
    is_strict: bool = True
    ours: dict[str, str] = field(default_factory=dict)  # "error", "warning", "silence"
    facts: dict[str, list[str]] = field(default_factory=dict)
    theirs: dict[str, Verdict] = field(default_factory=dict)
    # Of graphs of several nodes: the names of them, those that we name by version, and a profile.
    nodes: tuple[str, ...] = ()
    named: dict[str, list[str]] = field(default_factory=dict)
    profile: tuple[str, ...] = ()

    @property
    def op(self) -> str:
        return self.address.partition("/")[0]

    def is_asked(self, version: str) -> bool:
        return version in self.theirs and self.theirs[version].kind != "unasked"

    def word(self, version: str) -> str:
        return compared(self.ours[version] == "error", self.theirs[version])


def compared(we_refuse: bool, theirs: Verdict) -> str:
    """ "agree", "missed", "false", or "unjudged"."""
    if theirs.refused:
        return "agree" if we_refuse else "missed"
    if theirs.kind == "built":
        return "false" if we_refuse else "agree"
    # Nothing was built: the parser's word is enough where we have nothing against the model either.
    return "agree" if theirs.kind == "parsed" and not we_refuse else "unjudged"


def write_grid(folder: Path, seed: int, only: Iterable[str] = ()) -> list[Entry]:
    entries: list[Entry] = []
    for address, case, made in grid.every_model(seed, frozenset(only)):
        path = folder / f"{len(entries)}.onnx"
        path.write_bytes(made.SerializeToString(deterministic=True))
        entries.append(Entry(address, grid.digest(made), path, case.changes, is_strict(made)))
    return entries


def is_strict(model: ModelProto) -> bool:
    try:
        onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    except Exception:  # onnx raises what it likes
        return False
    return True


def is_in_sample(entry: Entry, version: str) -> bool:
    return int(entry.digest, 16) % ASK_ONE_IN.get(version, 1) == 0


def leave_out(entries: Iterable[Entry], version: str) -> None:
    """What is in no sample counts as not asked."""
    for entry in entries:
        entry.theirs.setdefault(version, Verdict("unasked"))


def our_report(model: Path | bytes, version: str, profile: tuple[str, ...] = ()) -> trtcheck.Report:
    return trtcheck.check(model, target=TARGETS[version], profile=",".join(profile) or None)


def our_verdict(model: Path | bytes, version: str) -> tuple[str, list[str]]:
    """How grave, and the rules and rows that say so."""
    return said(our_report(model, version))


def said(report: trtcheck.Report) -> tuple[str, list[str]]:
    if report.errors:
        return "error", [f"{finding.code}:{finding.fact or finding.name}" for finding in report.errors]
    return ("warning" if report.warnings else "silence"), [finding.code for finding in report.warnings]


def judge_ours(entries: Iterable[Entry], versions: Iterable[str]) -> None:
    for entry in entries:
        for version in versions:
            report = our_report(entry.path, version, entry.profile)
            entry.ours[version], entry.facts[version] = said(report)
            entry.named[version] = [finding.node for finding in report.errors if finding.node]


def judge_theirs(entries: list[Entry], program: Path, libraries: Libraries, seed: int) -> None:
    """All are parsed that nobody has asked this version about. Built are the seeds and a sample of the rest; for those
    that we refuse see judge_refused."""
    version = libraries.version
    entries = [entry for entry in entries if not entry.is_asked(version)]
    with Witness(program, libraries, parse_only=True) as parser:
        for entry in entries:
            entry.theirs[version] = parser.ask(entry.path)
    with Witness(program, libraries) as builder:
        for entry in to_build(entries, version, seed):
            entry.theirs[version] = builder.ask(entry.path)


def judge_refused(entries: Iterable[Entry], program: Path, libraries: Libraries) -> int:
    """Builds what was parsed only and we refuse, also when we had nothing against it before. Returns how many."""
    version = libraries.version
    doubtful = [entry for entry in entries if entry.theirs[version].kind == "parsed" and entry.ours[version] == "error"]
    with Witness(program, libraries) as builder:
        for entry in doubtful:
            verdict = builder.ask(entry.path)
            entry.theirs[version] = _with_profile(entry.path, version, builder) if verdict.kind == "parsed" else verdict
    return len(doubtful)


def to_build(entries: list[Entry], version: str, seed: int) -> Iterator[Entry]:
    rng = random.Random(f"{seed} {version}")
    for entry in entries:
        is_drawn = rng.randrange(BUILD_ONE_IN[version]) == 0
        is_seed = not entry.changes
        if entry.theirs[version].kind == "parsed" and (is_drawn or is_seed):
            yield entry


def build_more(entries: list[Entry], program: Path, libraries: Libraries, seed: int, seconds: float) -> int:
    """Builds models that were parsed only, seeds first, until the time is over. Returns how many."""
    version = libraries.version
    waiting = [entry for entry in entries if entry.theirs[version].kind == "parsed"]
    random.Random(seed).shuffle(waiting)
    waiting.sort(key=lambda entry: bool(entry.changes))
    end = time.monotonic() + seconds
    done = 0
    with Witness(program, libraries) as builder:
        for entry in waiting:
            if time.monotonic() > end:
                break
            entry.theirs[version] = builder.ask(entry.path)
            done += 1
    return done


def _with_profile(path: Path, version: str, builder: Witness) -> Verdict:
    """Sizes that we made up may not fit: what is built is taken, if we refuse it in these sizes, too. Anything else
    says nothing."""
    profiles = profile_text(path)
    with Witness(builder.program, builder.libraries, profiles=profiles) as own:
        verdict = own.ask(path)
    is_answer = verdict.kind == "built" and our_report(path, version, profiles).errors
    return verdict if is_answer else Verdict("parsed", "dynamic")
