"""A floor includes only floors below it, and each library stays behind one floor."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "cpp/src"
HEADERS = ROOT / "cpp/include/trtcheck"

# A floor may include itself and what stands before it.
FLOORS = [
    "text",
    "bytes",
    "model",
    "edit",
    "ranges",
    "dims",
    "schema",
    "shapes",
    "fold",
    "annotate",
    "subgraph",
    "target",
    "view",
]
FLOORS += [
    "layers",
    "evidence",
    "provenance",
    "facts",
    "rules",
    "engine",
    "explain",
    "picture",
    "report",
    "suppress",
    "check",
    "cure",
    "simplify",
    "sizing",
    "baseline",
    "diff",
    "matrix",
    "profile",
    "axes",
    "why",
    "memory",
    "partition",
    "witness",
    "reduce",
    "one_report",
    "discover",
    "settings",
    "cli",
]

# Public headers, by the floor that they belong to.
PUBLIC = {
    "export.hpp": "text",
    "error.hpp": "text",
    "version.hpp": "text",
    "model.hpp": "model",
    "parts.hpp": "model",
    "edit.hpp": "edit",
    "ranges.hpp": "ranges",
    "sizes.hpp": "text",
    "dim.hpp": "dims",
    "shapes.hpp": "shapes",
    "shape_functions.hpp": "shapes",
    "conflict_id.hpp": "shapes",
    "annotate.hpp": "annotate",
    "extract.hpp": "subgraph",
    "gate_set.hpp": "target",
    "refused_by.hpp": "target",
    "target.hpp": "target",
    "layers.hpp": "layers",
    "sparsity.hpp": "layers",
    "rule.hpp": "evidence",
    "finding.hpp": "evidence",
    # What it declares the cures tell, which stand above: a report says what they are for.
    "cure.hpp": "evidence",
    "unlisted.hpp": "evidence",
    "neighbourhood.hpp": "evidence",
    "messages.hpp": "explain",
    "picture.hpp": "picture",
    "report.hpp": "report",
    "check_options.hpp": "report",
    "trtcheck.hpp": "check",
    "fix.hpp": "cure",
    "simplify.hpp": "simplify",
    "baseline.hpp": "baseline",
    "diff.hpp": "diff",
    "matrix.hpp": "matrix",
    "profile.hpp": "profile",
    "axes.hpp": "axes",
    "why.hpp": "why",
    "memory.hpp": "memory",
    "partition.hpp": "partition",
    "confirm.hpp": "witness",
    "reduce.hpp": "reduce",
    "settings.hpp": "settings",
    "discover.hpp": "discover",
}

# Library headers, and the floors that may see them.
LIBRARIES = {
    r"onnx/|google/": set(),
    r"protozero/": {"model", "edit"},
    r"CLI/": {"cli"},
    r"nlohmann/": {
        "bytes",
        "ranges",
        "report",
        "baseline",
        "diff",
        "matrix",
        "profile",
        "partition",
        "witness",
        "one_report",
        "settings",
        "cli",
    },
    r"toml\+\+/": {"settings"},
    r"graphviz/": {"picture"},
    r"cmark": {"report"},
    r"Eigen/": {"fold"},
}


def includes(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE)


def floor_of(include: str) -> str | None:
    if include.startswith("trtcheck/"):
        return PUBLIC[include.removeprefix("trtcheck/")]
    first = include.split("/")[0]
    return first if "/" in include and first in FLOORS else None


def files() -> list[tuple[str, Path]]:
    inner = [(path.relative_to(SOURCES).parts[0], path) for path in SOURCES.rglob("*.?pp")]
    return inner + [(PUBLIC[path.name], path) for path in HEADERS.glob("*.hpp")]


def test_every_folder_is_a_floor() -> None:
    assert {path.name for path in SOURCES.iterdir() if path.is_dir()} <= set(FLOORS)
    assert {path.name for path in HEADERS.iterdir()} == set(PUBLIC)


def test_a_floor_includes_only_floors_below() -> None:
    wrong = []
    for floor, path in files():
        for include in includes(path):
            other = floor_of(include)
            if other is not None and FLOORS.index(other) > FLOORS.index(floor):
                wrong.append(f"{path.relative_to(ROOT)} ({floor}) includes {include} ({other})")
    assert not wrong, "\n".join(wrong)


def test_libraries_stay_behind_their_floor() -> None:
    wrong = []
    for floor, path in files():
        for include in includes(path):
            for pattern, allowed in LIBRARIES.items():
                if re.match(pattern, include) and (floor not in allowed or path.is_relative_to(HEADERS)):
                    wrong.append(f"{path.relative_to(ROOT)} includes {include}")
    assert not wrong, "\n".join(wrong)


def test_the_rules_of_this_test_catch_something() -> None:
    assert floor_of("trtcheck/trtcheck.hpp") == "check"
    assert floor_of("engine/run.hpp") == "engine"
    assert floor_of("vector") is None
    assert "text/printable.hpp" in includes(SOURCES / "report/full.cpp")
