"""The grid: models of every operator and opset, the same ones for the same seed.

A model has an address, "Conv/22/17": operator, opset, position. It is made without those before it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx.defs
from cases import LAST_OPSET, Case, Maker
from onnx import ModelProto
from seeds import SEEDS, cases_of
from vary import KINDS, variations

ROOT = Path(__file__).resolve().parents[2]
SEED = 1
FIRST_OPSET = 9
# Of one operator in one opset: of its newest opset, of those before, of an operator that no release takes.
NEWEST, OLDER, UNSUPPORTED = 330, 60, 12
# Of these one in three is two changes at a time.
PAIRS = 3


@functools.cache
def supported() -> frozenset[str]:
    data = json.loads((ROOT / "cpp/data/op_support.json").read_text("utf-8"))["ops"]
    return frozenset(op for op, row in data.items() if row["support"][-1]["status"] == "supported")


@functools.cache
def _versions() -> dict[str, list[int]]:
    found: dict[str, set[int]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if not schema.domain and schema.since_version <= LAST_OPSET:
            found.setdefault(schema.name, set()).add(schema.since_version)
    return {op: sorted(versions) for op, versions in found.items()}


def opsets(op: str) -> list[int]:
    """One for each form of the operator that is in force from FIRST_OPSET on."""
    return sorted({max(version, FIRST_OPSET) for version in _versions()[op]})


def cells() -> Iterator[tuple[str, int]]:
    for op in sorted(SEEDS):
        for opset in opsets(op):
            yield op, opset


def cases(op: str, opset: int, seed: int = SEED) -> list[Case]:
    """The nodes of one cell: its seeds as they are, then what varies them."""
    rng = random.Random(f"{seed} {op} {opset}")
    bases = cases_of(op, opset)
    count = _count(op, opset)
    by_base = [list(variations(base, also)) for base, also in bases]
    single = [made for varied in by_base for made in varied]
    rng.shuffle(single)
    kept = _spread(single, count * (PAIRS - 1) // PAIRS)
    pairs: list[Case] = []
    for _ in range(count // PAIRS if single else 0):
        at = rng.randrange(len(bases))
        if by_base[at]:
            kind = rng.choice(KINDS)
            pairs += rng.sample(seconds := list(kind(rng.choice(by_base[at]), bases[at][1])), min(1, len(seconds)))
    return [*(base for base, _ in bases), *kept, *pairs]


def _count(op: str, opset: int) -> int:
    if op not in supported():
        return UNSUPPORTED
    return NEWEST if opset == opsets(op)[-1] else OLDER


def _spread(cases: list[Case], count: int) -> list[Case]:
    """As many of each kind of change, so that what has few forms is not lost among what has many."""
    kinds: dict[str, list[Case]] = {}
    for case in cases:
        kinds.setdefault(_kind(case), []).append(case)
    found: list[Case] = []
    while len(found) < count and kinds:
        for kind in sorted(kinds):
            if len(found) < count:
                found.append(kinds[kind].pop())
            if not kinds[kind]:
                del kinds[kind]
    return found


def _kind(case: Case) -> str:
    """The change without its numbers."""
    words = case.changes[-1].split()
    return " ".join(word for word in words if not word.lstrip("-").replace(".", "").isdigit())


def crashes_onnx(case: Case) -> bool:
    """Its shape inference reads beyond the end."""
    attributes = case.attributes
    if case.op == "GatherND":
        return bool(attributes.get("batch_dims", 0) < 0)
    return case.op == "Split" and case.outputs != attributes.get("num_outputs", case.outputs)


def model(case: Case) -> ModelProto | None:
    if crashes_onnx(case):
        return None
    try:
        return Maker(case).model()
    except (ValueError, TypeError, OverflowError):
        # numpy or onnx cannot write the number down in this type.
        return None


def digest(made: ModelProto) -> str:
    return hashlib.sha256(made.SerializeToString(deterministic=True)).hexdigest()[:4]


def every_model(seed: int = SEED, only: Any = None) -> Iterator[tuple[str, Case, ModelProto]]:
    for op, opset in cells():
        if only and op not in only:
            continue
        for at, case in enumerate(cases(op, opset, seed)):
            if (made := model(case)) is not None:
                yield f"{op}/{opset}/{at}", case, made
