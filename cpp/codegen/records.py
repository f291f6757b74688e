"""The form of a record in cpp/data/facts: its keys, its cases and its loops.

A fact has one id and one effect. Where it is another one in other releases, opsets or for other operators, it has
`[[fact.case]]` tables, each with the keys that differ. `for = { X = ["A", "B"] }` writes it out once for each name,
which stands for `$X` in every text. Standard library only.
"""

from __future__ import annotations

import re
from typing import Any

from data import DataError

EFFECTS = ("refuse", "change", "ignore", "slow", "document", "fallback")
EVIDENCE = ("read", "measured", "reported", "source")
NEEDED = ("id", "in", "example", "near")
KEYS = {
    *NEEDED, *EFFECTS, *EVIDENCE, "for", "ops", "opset", "network", "gpu", "says", "message", "fix", "about",
    "if_unknown", "at_opset", "by",
}  # fmt: skip
#: Everything else is a text, `example` and `near` may be one of each loop.
LISTS = {"ops", "source", "reported"}


def all_cases(fact: dict[str, Any]) -> list[dict[str, Any]]:
    """All cases of a record, each with all its keys, as they are written."""
    shared = {key: value for key, value in fact.items() if key != "case"}
    return [one for case in fact.get("case", [{}]) for one in written_out({**shared, **case})]


def cases_of(fact: dict[str, Any]) -> list[dict[str, Any]]:
    """The same, of a record that is whole."""
    if "id" not in fact:
        raise DataError("`id` is missing")
    if not isinstance(fact["id"], str) or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", fact["id"]):
        raise DataError("an id is lower-case words with hyphens")
    cases = all_cases(fact)
    for case in cases:
        check(case)
    effects = {effect for case in cases for effect in EFFECTS if effect in case}
    if len(effects) != 1:
        raise DataError(f"a fact has one effect, and this one has {' and '.join(sorted(effects))}")
    return cases


def written_out(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Once for each turn of `for`; without one, as it is."""
    loop = case.pop("for", None)
    if loop is None:
        return [case]
    if not isinstance(loop, dict) or not loop or len({len(names) for names in loop.values()}) != 1:
        raise DataError("`for` names lists of one length: { X = ['A', 'B'] }")
    made = []
    for turn in range(len(next(iter(loop.values())))):
        names = {name: values[turn] for name, values in loop.items()}
        made.append({key: in_turn(key, value, names, turn) for key, value in case.items()})
    return made


def in_turn(key: str, value: Any, names: dict[str, str], turn: int) -> Any:
    if isinstance(value, list):
        return in_turn(key, value[turn], names, turn) if key in ("example", "near") else value
    if not isinstance(value, str):
        return value
    for name, stands_for in names.items():
        value = re.sub(rf"\${name}\b", stands_for, value)
    return value


def check(case: dict[str, Any]) -> None:
    """The keys of a case, by name and kind."""
    if unknown := set(case) - KEYS:
        raise DataError(f"unknown key `{min(unknown)}` (known: {', '.join(sorted(KEYS))})")
    if missing := set(NEEDED) - set(case):
        raise DataError(f"`{min(missing)}` is missing")
    for key, value in case.items():
        if key == "measured":
            continue
        if key in LISTS:
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise DataError(f"`{key}` is to be a list of texts")
        elif not isinstance(value, str):
            raise DataError(f"`{key}` is to be a text")
    if sum(effect in case for effect in EFFECTS) != 1:
        raise DataError(f"exactly one of {', '.join(EFFECTS)} is wanted")
