"""The pages about all facts say what a check says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import onnx.parser
import pytest
from test_cli import PROGRAM

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import fact_pages  # noqa: E402
from operator_pages import read_operators  # noqa: E402

OPERATORS = read_operators(PROGRAM)
# What needs no option of a check to be reported.
FACTS = [
    (operator["op"], fact)
    for operator in OPERATORS
    for fact in operator["facts"]
    if fact["effect"] in ("refuse", "change") and not fact["gpus"] and not fact["network"]
]


def ends(fact: dict[str, Any]) -> list[str]:
    return [end for end in dict.fromkeys([fact["from"], fact["to"]]) if not end.startswith("rtx-")]


def test_the_certainty_of_a_fact_is_that_of_its_finding() -> None:
    compared = 0
    for op, fact in FACTS:
        model = onnx.parser.parse_model(fact["example"])
        for release in ends(fact):
            found = [one for one in trtcheck.check(model, target=release).findings if one.fact == fact["fact"]]
            if found:
                assert found[0].certainty == fact_pages.certainty(fact, release), (op, fact["fact"], release)
                compared += 1
    assert compared > 1000


@pytest.mark.parametrize(
    ("evidence", "certainties"),
    [
        (
            {"read_from": "8.2", "read_to": "10.3"},
            {"8.0": "likely", "8.2": "proven", "10.3": "proven", "10.10": "likely"},
        ),
        ({"measured": [{"tensorrt_rtx": "1.5", "verdict": "refused"}]}, {"8.0": "likely", "11.0": "likely"}),
        ({"reported": ["https://github.com/NVIDIA/TensorRT/issues/1"]}, {"10.10": "possible"}),
        ({"reported": ["https://a.b/issues/1", "https://a.b/issues/2"]}, {"10.10": "likely"}),
        ({"read_from": "8.2", "read_to": "8.2", "reported": ["https://a.b/issues/1"]}, {"10.10": "likely"}),
    ],
)
def test_the_certainty_by_release(evidence: dict[str, Any], certainties: dict[str, str]) -> None:
    known = {"read_from": None, "read_to": None, "measured": [], "reported": [], **evidence}
    for release, certainty in certainties.items():
        assert fact_pages.certainty({"evidence": known}, release) == certainty


def test_a_fact_of_several_operators_counts_once() -> None:
    evidence = {"read_from": "8.0", "read_to": "8.0", "measured": [], "reported": []}
    fact = {"fact": "a", "from": "8.0", "to": "9.3", "evidence": evidence, "code": "OPS401"}
    operators = [{"op": "Add", "facts": [fact]}, {"op": "Mul", "facts": [{**fact, "from": "8.2"}]}]
    assert fact_pages.facts_in(operators, "8.0") == {"a": "proven"}
    assert fact_pages.facts_in(operators, "9.3") == {"a": "likely"}
    assert fact_pages.facts_in(operators, "10.3") == {}


def case(first: str, last: str, **evidence: Any) -> dict[str, Any]:
    known = {"read_from": None, "read_to": None, "measured": [], "reported": [], **evidence}
    return {"from": first, "to": last, "evidence": known}


# Of an operator that 9.0 to 10.16 have.
BEGIN = {
    "the operator is new": case("9.0", "10.3", read_from="9.0", read_to="9.3"),
    "the sources show it from there on": case("9.2", "10.3", read_from="9.2", read_to="10.1"),
    "read in the sources": case("9.2", "10.3", read_from="9.3", read_to="10.1"),
    "seen with TensorRT-RTX": case("10.0", "11.5", measured=[{"tensorrt_rtx": "1.4", "verdict": "refused"}]),
    "reported by users": case("10.0", "11.5", reported=["https://github.com/NVIDIA/TensorRT/issues/1"]),
    "said by headers": case("10.0", "11.5"),
}
END = {
    "the operator is gone": case("9.0", "10.16"),
    "a TensorRT-RTX": case("9.0", "10.3", measured=[{"tensorrt_rtx": "1.5", "verdict": "accepted"}], read_to="10.3"),
    "the sources show it up to there": case("9.0", "10.3", read_from="9.0", read_to="10.3"),
    "said by headers": case("9.0", "10.3"),
}


@pytest.mark.parametrize(
    ("ends", "which"), [(ends, which) for ends in (False, True) for which in (END if ends else BEGIN)]
)
def test_why_a_fact_begins_or_ends(ends: bool, which: str) -> None:
    fact = {"fact": "a", **(END if ends else BEGIN)[which]}
    operator = {"op": "Add", "support": [{"from": "9.0", "to": "10.16", "support": "supported"}], "facts": [fact]}
    is_bound = which.startswith("the operator")
    here = fact["to"] if ends else fact["from"]
    there = "11.0" if ends and is_bound else "10.10" if ends else "8.6" if is_bound else "9.1"
    reasons = fact_pages.REASONS_TO_END if ends else fact_pages.REASONS_TO_BEGIN
    (found,) = fact_pages.by_reason([operator], ["a"], here, there, reasons)
    assert found.startswith(which)


def test_every_fact_about_wrong_numbers_stands_on_its_page() -> None:
    page = fact_pages.KNOWN_WRONG.read_text("utf-8")
    wrong = {fact["fact"] for operator in OPERATORS for fact in operator["facts"] if fact["effect"] == "change"}
    assert wrong and all(f"| `{name}` |" in page for name in wrong)
