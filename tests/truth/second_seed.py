"""The grid of a seed that nobody looked at; part of docs/accuracy.md.

Only counts leave this file, no model, no message and no verdict: what was looked at once is no yardstick any more.
With each release comes a new seed.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from pathlib import Path

import accuracy
import grid
from compare import Entry, is_strict

SEED = 2
# So many models take a few minutes of each version.
ONE_IN = 6

SECTION = """\
## A seed that nobody looked at

The figures of the grid above are of seed {first}. Its models were looked at while facts were written, so they say how
well the facts hold what was seen, and what a change has broken. The figures below are of seed {seed}, on {date}:
{models:,} models, one in {one_in} of that grid, none of them a model of seed {first}. Nobody looked at any of them,
only these counts are kept, so they say what to expect of an edge that nobody has seen. A new seed is drawn with each
release.
"""


def _full(model: bytes) -> bytes:
    return hashlib.sha256(model).digest()


def write_sample(folder: Path, seed: int = SEED, only: Iterable[str] = (), one_in: int = ONE_IN) -> list[Entry]:
    """Of the grid of `seed` one model in so many, without what the first seed has too."""
    names = frozenset(only)
    known = {_full(made.SerializeToString(deterministic=True)) for _, _, made in grid.every_model(grid.SEED, names)}
    rng = random.Random(seed)
    entries: list[Entry] = []
    for address, case, made in grid.every_model(seed, names):
        model = made.SerializeToString(deterministic=True)
        if rng.randrange(one_in) or _full(model) in known:
            continue
        path = folder / f"{len(entries)}.onnx"
        path.write_bytes(model)
        entries.append(Entry(address, grid.digest(made), path, case.changes, is_strict(made)))
    return entries


def section(entries: list[Entry], date: str) -> str:
    head = SECTION.format(first=grid.SEED, seed=SEED, date=date, models=len(entries), one_in=ONE_IN)
    return "\n".join([head, *accuracy.totals(entries)])
