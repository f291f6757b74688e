"""The page of gates: what TensorRT does differently from a release on, beside what is said of single operators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomllib

INTRODUCTION = """# What changed from release to release

Rules ask these questions of the release that is checked for. What is about one operator only stands on
[its page](operators/index.md).

| from | what | source |
|---|---|---|
"""


def by_release(gate: dict[str, Any]) -> tuple[bool, list[int]]:
    """TensorRT-RTX comes last."""
    release = gate["from"].removeprefix("rtx-")
    return release != gate["from"], [int(part) for part in release.split(".")]


def gates_page(source: Path) -> str:
    gates = tomllib.loads(source.read_text(encoding="utf-8")).values()
    rows = [f"| {gate['from']} | {gate['what']} | {gate['source']} |" for gate in sorted(gates, key=by_release)]
    return INTRODUCTION + "\n".join(rows) + "\n"
