"""tests/truth/record_release.py: what one run writes of a new release, and what it leaves to a reader."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import tomllib

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/truth"))

import record_release  # noqa: E402
from fact_text import holders, with_key  # noqa: E402
from record_release import gone_on, inline, is_in, measured, read_on, with_row  # noqa: E402

SUPPORT_TEXT = (ROOT / "cpp/data/op_support.json").read_text("utf-8")
SUPPORT: dict[str, Any] = json.loads(SUPPORT_TEXT)
NEWEST_RTX = SUPPORT["rtx"]["releases"][-1]["release"]
BEFORE_RTX = SUPPORT["rtx"]["releases"][-2]["release"]
NEWEST = SUPPORT["releases"][-1]["release"]
FACTS = sorted((ROOT / "cpp/data/facts").glob("*.toml"))


def fact(more: str = "", *, keys: str = 'in = "9.0.."\nrefuse = "attr.x != 1"') -> str:
    return f"""# A comment that stays.
ops = ["Pad"]

[[fact]]
id = "pad-x"
{keys}
says = "no x"
{more}source = ["importer-code"]
example = '''a'''
near = '''b'''
"""


def recorded(text: str, verdict: str | None, release: str = NEWEST_RTX) -> tuple[str, list[str]]:
    return measured(Path("Pad.toml"), text, release, SUPPORT, lambda case, op: verdict)


@pytest.mark.parametrize(
    ("before", "verdict", "after", "remark"),
    [
        # It goes on.
        (f'"rtx-1.5..{BEFORE_RTX}" = "refused"', "refused", f'"rtx-1.5..{NEWEST_RTX}" = "refused"', ""),
        (f'"{BEFORE_RTX}" = "refused"', "refused", f'"{BEFORE_RTX}..{NEWEST_RTX}" = "refused"', ""),
        # One between was not asked.
        ('"rtx-1.5" = "refused"', "refused", f'"rtx-1.5" = "refused", "{NEWEST_RTX}" = "refused"', ""),
        # Another verdict.
        (f'"{BEFORE_RTX}" = "refused"', "crashed", f'"{BEFORE_RTX}" = "refused", "{NEWEST_RTX}" = "crashed"', ""),
        (
            f'"{BEFORE_RTX}" = "refused"',
            "built",
            f'"{BEFORE_RTX}" = "refused", "{NEWEST_RTX}" = "accepted"',
            "`in` has to end before",
        ),
        # Not judged, or there already.
        (f'"{BEFORE_RTX}" = "refused"', None, f'"{BEFORE_RTX}" = "refused"', ""),
        (f'"{NEWEST_RTX}" = "refused"', "refused", f'"{NEWEST_RTX}" = "refused"', ""),
    ],
)
def test_the_verdict_of_a_version(before: str, verdict: str | None, after: str, remark: str) -> None:
    text = fact(f"measured = {{ {before} }}\n")
    made, by_hand = recorded(text, verdict)
    assert made == fact(f"measured = {{ {after} }}\n")
    assert [remark] * bool(remark) == [line[line.index("`in`") :] for line in by_hand]


def test_what_nobody_measured_before_is_told_by_a_refusal_only() -> None:
    assert recorded(fact(), "refused")[0] == fact(f'measured = {{ "{NEWEST_RTX}" = "refused" }}\n')
    made, by_hand = recorded(fact(), "built")
    assert made == fact()
    assert by_hand == ["Pad.toml: pad-x: is accepted: `in` has to end before"]


@pytest.mark.parametrize(
    "keys",
    [
        'in = "9.0..10.0"\nrefuse = "attr.x != 1"',
        'in = "9.0.."\nfallback = "attr.x != 1"',
        'in = "9.0.."\ngpu = "8.6"\nrefuse = "attr.x != 1"',
        'in = "9.0.."\nnetwork = "strongly typed"\nrefuse = "attr.x != 1"',
    ],
)
def test_what_does_not_hold_there_or_is_about_a_gpu_is_not_asked(keys: str) -> None:
    assert recorded(fact(keys=keys), "refused") == (fact(keys=keys), [])


def test_other_effects_are_not_seen_in_a_build() -> None:
    text = fact(f'measured = {{ "{BEFORE_RTX}" = "changed" }}\n', keys='in = "9.0.."\nchange = "attr.x != 1"')
    made, by_hand = recorded(text, "built")
    assert f'"{BEFORE_RTX}" = "changed", "{NEWEST_RTX}" = "built"' in made
    assert not by_hand
    made, by_hand = recorded(text, "refused")
    assert made == text
    assert by_hand == ["Pad.toml: pad-x: is refused, and its effect is change"]


def test_models_that_are_judged_differently_are_left_to_a_reader() -> None:
    text = fact().replace('ops = ["Pad"]', 'ops = ["Pad", "Tile"]')
    made, by_hand = measured(
        Path("Pad.toml"), text, NEWEST_RTX, SUPPORT, lambda case, op: "refused" if op == "Pad" else "built"
    )
    assert made == text
    assert by_hand == ["Pad.toml: pad-x: its models are built and refused"]


CASES = """ops = ["Pad"]

[[fact]]
id = "pad-x"
refuse = "attr.x != 1"
says = "no x"
source = ["importer-code"]
example = '''a'''
near = '''b'''

[[fact.case]]
in = "9.0..10.0"
read = "9.0..10.0"

[[fact.case]]
in = "10.1.."
read = "10.1..11.4"
measured = { "rtx-1.5" = "refused" }
"""


def test_each_case_has_evidence_of_its_own() -> None:
    made, _ = recorded(CASES, "refused", "rtx-1.6")
    assert made == CASES.replace('{ "rtx-1.5" =', '{ "rtx-1.5..rtx-1.6" =')
    found = list(holders(Path("Pad.toml"), CASES, "read"))
    assert [(one.number, one.own["in"]) for one in found] == [(1, "9.0..10.0"), (2, "10.1..")]


def test_what_is_read_goes_on_where_the_text_is_still_there() -> None:
    releases = ["9.0", "10.0", "10.1", "11.4", "11.5"]
    made, by_hand = read_on(Path("Pad.toml"), CASES, "11.5", releases, lambda op, says: (op, says) == ("Pad", "no x"))
    assert (made, by_hand) == (CASES.replace("10.1..11.4", "10.1..11.5"), [])
    made, by_hand = read_on(Path("Pad.toml"), CASES, "11.5", releases, lambda op, says: False)
    assert (made, by_hand) == (CASES, ["Pad.toml: pad-x: 11.5 does not print what it says"])
    made, by_hand = read_on(
        Path("Pad.toml"), CASES.replace("10.1..11.4", "10.1"), "11.5", releases, lambda op, says: True
    )
    assert by_hand == ["Pad.toml: pad-x: read up to 10.1, not in 11.4"]


def test_a_release_gets_its_row_once() -> None:
    made = with_row(SUPPORT_TEXT, "rtx-9.8", "11.5")
    assert json.loads(made)["rtx"]["releases"] == [*SUPPORT["rtx"]["releases"], {"release": "rtx-9.8", "like": "11.5"}]
    assert with_row(made, "rtx-9.8", "11.5") == made
    (added,) = set(made.splitlines()) - set(SUPPORT_TEXT.splitlines()) - {_with_comma(SUPPORT["rtx"]["releases"][-1])}
    assert added.strip() == '{"release": "rtx-9.8", "like": "11.5"}'
    row = json.loads(with_row(SUPPORT_TEXT, "99.9", ""))["releases"][-1]
    assert (row["release"], row["table_interpolated"], row["opset_interpolated"]) == ("99.9", True, True)


def _with_comma(row: dict[str, str]) -> str:
    return f"      {json.dumps(row)},"


def stripped(text: str, path: Path) -> tuple[str, dict[int, str]]:
    """The file before anybody asked the newest version, and what that said, by table."""
    said: dict[int, str] = {}
    for holder in list(holders(path, text, "measured")):
        known = holder.own.get("measured", {})
        span, verdict = list(known.items())[-1] if known else ("", "")
        first, _, last = span.partition("..")
        if (last or first) != NEWEST_RTX or verdict not in ("refused", "crashed", "accepted"):
            continue
        shorter = {key: value for key, value in known.items() if key != span}
        if last:
            shorter[first if first == BEFORE_RTX else f"{first}..{BEFORE_RTX}"] = verdict
        if shorter:
            text = with_key(text, holder.number, "measured", inline(shorter))
            said[holder.number] = verdict
    return text, said


@pytest.mark.parametrize("path", FACTS, ids=lambda path: path.stem)
def test_a_run_writes_what_is_there(path: Path) -> None:
    """The newest version is taken out, and recorded once more."""
    text = path.read_text("utf-8")
    before, said = stripped(text, path)
    assert (before != text) == bool(said)
    for holder in list(holders(path, before, "measured")):
        verdict = said.get(holder.number)
        if verdict is not None:
            known = gone_on(holder.own["measured"], NEWEST_RTX, BEFORE_RTX, verdict)
            before = with_key(before, holder.number, "measured", inline(known))
    assert before == text


def test_ranges() -> None:
    releases = ["8.6", "9.0", "10.0"]
    spans = ["..", "8.6", "9.0..", "..9.0", "10.0"]
    assert [is_in(span, "9.0", releases) for span in spans] == [True, False, True, True, False]


def test_files_stay_toml(tmp_path: Path) -> None:
    (tmp_path / "Pad.toml").write_text(fact(), "utf-8")
    by_hand = record_release.update(tmp_path, lambda path, text: recorded(text, "refused"))
    made = tomllib.loads((tmp_path / "Pad.toml").read_text("utf-8"))
    assert (by_hand, made["fact"][0]["measured"]) == ([], {NEWEST_RTX: "refused"})
