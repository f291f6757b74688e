"""cpp/data/coverage.json: what is known to be asked by TensorRT's parser and builder, and which row or rule says it.

The keys are names that we gave to conditions while reading NVIDIA's sources and documents. What has no entry is open.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import tomllib
from codegen import codegen

import trtcheck

cases_of = codegen("records").cases_of
ROOT = Path(__file__).resolve().parents[2]
COVERAGE: dict[str, str] = json.loads((ROOT / "cpp/data/coverage.json").read_text("utf-8"))
RULES = {rule.code for rule in trtcheck.rules()}
# "A reason" that says nothing is shorter.
SHORTEST_REASON = 20


def row_names() -> Iterator[str]:
    """ "Resize:resize-modes", by file and by operator."""
    for path in (ROOT / "cpp/data/facts").glob("*.toml"):
        data = tomllib.loads(path.read_text("utf-8"))
        for case in (case for fact in data["fact"] for case in cases_of(fact)):
            for op in {path.stem, *(case.get("ops") or data.get("ops") or [])}:
                yield f"{op}:{case['id']}"


ROWS = set(row_names())


def mistake(answer: str) -> str:
    """What is wrong with it; "" = nothing."""
    kind, _, name = answer.partition(" ")
    if kind == "row":
        return "" if name in ROWS else f"there is no row {name}"
    if kind == "rule":
        return "" if name in RULES else f"there is no rule {name}"
    if answer.startswith("left out: "):
        return "" if len(answer) >= len("left out: ") + SHORTEST_REASON else "the reason is no reason"
    return "it is neither `row`, `rule` nor `left out: `"


def test_what_covers_a_condition_is_there() -> None:
    wrong = {key: f"{answer}: {problem}" for key, answer in COVERAGE.items() if (problem := mistake(answer))}
    assert not wrong
    assert len(COVERAGE) > 1000


def test_the_file_is_sorted_and_says_each_thing_once() -> None:
    pairs = json.loads((ROOT / "cpp/data/coverage.json").read_text("utf-8"), object_pairs_hook=list)
    assert [key for key, _ in pairs] == sorted(COVERAGE)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("row Conv:no-such-row", "no row"),
        ("rule OPS999", "no rule"),
        ("left out: too hard", "no reason"),
        ("later", "neither"),
    ],
)
def test_a_wrong_answer_is_found(answer: str, said: str) -> None:
    assert said in mistake(answer)
