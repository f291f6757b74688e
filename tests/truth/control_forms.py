"""Forms of models of Loop, Scan and If: one option in each of a few dimensions.

Most options are the plain ones; the grid walks each unusual option alone, then pairs of them, and draws the rest.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

SEED = 1
COUNTS = {"Loop": 1100, "Scan": 350, "If": 950}

# The first option is the plain one.
LOOP: dict[str, tuple[str, ...]] = {
    "data": ("static", "dynamic"),
    "trip": ("four", "zero", "one", "input", "size", "data", "maximum", "none"),
    "condition": ("true", "none", "input", "folded", "in the body", "from data"),
    "first": ("input", "relu", "matmul", "gather", "reshape", "unsqueeze", "expand", "reduce", "transpose", "constant"),
    "carried": (
        "stable",
        "concat",
        "doubled",
        "broadcast",
        "broadcast back",
        "unsqueezed",
        "squeezed",
        "shrunk",
        "other type",
        "concat of nothing",
        "expanded",
        "reshaped",
        "grown and cut",
        "swapped",
        "passed on",
        "constant",
        "outer",
    ),
    "size": (
        "none",
        "iteration",
        "iteration + 1",
        "counter",
        "carried vector",
        "outer shape",
        "outer input",
        "initializer",
        "constant",
        "shape of carried",
        "table",
        "table, folded",
        "from data",
        "minimum",
        "if",
    ),
    "user": (
        "slice to",
        "slice from",
        "slice both",
        "range",
        "zeros",
        "expand",
        "reshape",
        "tile",
        "pad",
        "resize",
        "topk",
        "split",
        "onehot",
        "gather",
        "trilu",
    ),
    "stacked": ("none", "carried", "used"),
    "place": ("main", "in a Loop", "in an If", "in a taken If"),
}
SCAN: dict[str, tuple[str, ...]] = {
    "data": ("static", "dynamic", "dynamic row"),
    "carried": LOOP["carried"],
    "size": (
        "none",
        "counter",
        "carried vector",
        "outer shape",
        "outer input",
        "initializer",
        "constant",
        "shape of carried",
        "scanned",
        "shape of scanned",
        "from data",
        "if",
    ),
    "user": LOOP["user"],
    "stacked": LOOP["stacked"],
    "first": LOOP["first"],
    "axis": ("0", "1"),
    "direction": ("forward", "backward"),
    "place": ("main", "in a Loop", "in an If"),
}
IF: dict[str, tuple[str, ...]] = {
    "data": ("static", "dynamic"),
    "condition": (
        "input",
        "initializer",
        "constant",
        "identity",
        "folded",
        "static size",
        "dynamic size",
        "from data",
        "input of one",
        "size input",
        "iteration",
    ),
    "branches": (
        "same",
        "other size",
        "other rank",
        "other type",
        "transposed",
        "outer",
        "both outer",
        "outer and relu",
        "initializer",
        "constants",
        "invalid else",
        "invalid then",
        "squeeze",
        "sizes",
        "one size",
        "shape of data",
        "sliced",
        "empty",
    ),
    "after": (
        "none",
        "relu",
        "shape",
        "slice",
        "reshape",
        "expand",
        "zeros",
        "range",
        "topk",
        "concat",
        "matmul",
        "conv",
        "add",
        "transpose",
        "resize",
        "reduce",
        "softmax",
        "gru",
        "mixed",
    ),
    "place": ("main", "in a Loop", "in an If", "in front of a Loop", "in front of an If"),
}
DIMENSIONS = {"Loop": LOOP, "Scan": SCAN, "If": IF}


@dataclass(frozen=True)
class Form:
    kind: str
    choices: tuple[tuple[str, str], ...]  # the unusual ones

    def __getitem__(self, dimension: str) -> str:
        return dict(self.choices).get(dimension, DIMENSIONS[self.kind][dimension][0])

    @property
    def name(self) -> str:
        return f"{self.kind}: " + (", ".join(f"{name} {option}" for name, option in self.choices) or "plain")


def forms(seed: int = SEED) -> Iterator[Form]:
    for kind, dimensions in DIMENSIONS.items():
        rng = random.Random(f"{seed} {kind}")
        seen: set[Form] = set()
        for form in itertools.chain(_designed(kind, dimensions), _drawn(kind, dimensions, rng)):
            if form in seen:
                continue
            seen.add(form)
            yield form
            if len(seen) == COUNTS[kind]:
                break


def _unusual(dimensions: dict[str, tuple[str, ...]], chosen: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, chosen[name]) for name in dimensions if chosen.get(name, dimensions[name][0]) != dimensions[name][0]
    )


def _designed(kind: str, dimensions: dict[str, tuple[str, ...]]) -> Iterator[Form]:
    """The plain one, each unusual option alone, and each pair of where a size comes from and who uses it."""
    yield Form(kind, ())
    for name, options in dimensions.items():
        for option in options[1:]:
            yield Form(kind, ((name, option),))
    pair = ("branches", "after") if kind == "If" else ("size", "user")
    for first, second in itertools.product(dimensions[pair[0]][1:], dimensions[pair[1]]):
        yield Form(kind, _unusual(dimensions, {pair[0]: first, pair[1]: second}))


def _drawn(kind: str, dimensions: dict[str, tuple[str, ...]], rng: random.Random) -> Iterator[Form]:
    while True:
        names = rng.sample(sorted(dimensions), rng.choice((2, 2, 3, 3, 4)))
        yield Form(kind, _unusual(dimensions, {name: rng.choice(dimensions[name]) for name in names}))
