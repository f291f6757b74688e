"""The files of cpp/data/facts as text: keys of one table are changed, and nothing else moves."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomllib

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "cpp/data/facts"
sys.path.insert(0, str(ROOT / "cpp/codegen"))
records = importlib.import_module("records")

#: What stands behind a key of evidence in a record.
BEHIND = {
    "read": ("measured", "reported", "source", "at_opset", "example"),
    "measured": ("reported", "source", "at_opset", "example"),
}


@dataclass(frozen=True)
class Holder:
    """A table that says how its cases are known: a fact, or a case with evidence of its own."""

    id: str
    number: int  # of the table in its file
    own: dict[str, Any]  # what is written in it
    cases: tuple[dict[str, Any], ...]  # all that its evidence is of, each with all keys
    ops: tuple[str, ...]  # of the file


def holders(path: Path, text: str, key: str) -> Iterator[Holder]:
    data = tomllib.loads(text)
    ops = tuple(data.get("ops") or [path.stem])
    number = -1
    for fact in data.get("fact", []):
        number += 1
        shared = {name: value for name, value in fact.items() if name != "case"}
        of_fact: list[dict[str, Any]] = [] if "case" in fact else records.all_cases(fact)
        own_number = number
        for case in fact.get("case", []):
            number += 1
            cases = records.written_out({**shared, **case})
            if key in case or ("in" in case and key not in shared):
                yield Holder(fact["id"], number, case, tuple(cases), ops)
            else:
                of_fact += cases
        if of_fact:
            yield Holder(fact["id"], own_number, shared, tuple(of_fact), ops)


def ops_of(holder: Holder, case: dict[str, Any]) -> tuple[str, ...]:
    return tuple(case.get("ops") or holder.ops)


def with_key(text: str, number: int, key: str, value: str) -> str:
    """The table gets `key = value`, in the place of what it has."""
    tables = list(re.finditer(r"^\[\[fact(\.case)?\]\]\n", text, re.MULTILINE))
    start = tables[number].end()
    end = tables[number + 1].start() if number + 1 < len(tables) else len(text)
    table = text[start:end]
    line = f"{key} = {value}\n"
    if re.search(rf"^{key} = ", table, re.MULTILINE):
        table = re.sub(rf"^{key} = .*\n", lambda _: line, table, count=1, flags=re.MULTILINE)
    else:
        behind = re.search(rf"^({'|'.join(BEHIND[key])}) = ", table, re.MULTILINE)
        at = behind.start() if behind else len(table.rstrip("\n")) + 1
        table = table[:at] + line + table[at:]
    return text[:start] + table + text[end:]
