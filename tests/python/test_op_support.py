"""The support data: schemas, code generator, and every cell of the table against the built program's table.

The JSON is read here independently of the code generator: a list of statuses per release, without folding.
"""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from codegen import codegen

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "cpp/data"
SUPPORT: dict[str, Any] = json.loads((DATA / "op_support.json").read_text("utf-8"))
PLUGINS: dict[str, Any] = json.loads((DATA / "plugins.json").read_text("utf-8"))
RELEASES: list[str] = [row["release"] for row in SUPPORT["releases"]]
READ: list[str] = [row["release"] for row in SUPPORT["releases"] if not row.get("table_interpolated", False)]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """Rows of each table that the generator writes, as lists of C++ tokens."""
    output = tmp_path_factory.mktemp("tables") / "target_tables.inc"
    command = [sys.executable, str(ROOT / "cpp/codegen/embed_target.py")]
    subprocess.run(
        [
            *command,
            str(DATA / "op_support.json"),
            str(DATA / "plugins.json"),
            str(output),
        ],
        check=True,
    )
    tables: dict[str, list[list[str]]] = {}
    for line in output.read_text("utf-8").splitlines():
        if match := re.match(r"inline constexpr \S+ (\w+)\[\]", line):
            current = tables.setdefault(match[1], [])
        elif line.startswith("    "):
            current.append([t.strip('"') for t in re.findall(r'"[^"]*"|[\w:.]+', line)])
    return tables


def held(entry: dict[str, Any], release: str) -> bool:
    last = len(RELEASES) - 1 if entry["to"] is None else RELEASES.index(entry["to"])
    return RELEASES.index(entry["from"]) <= RELEASES.index(release) <= last


def is_read(entry: dict[str, Any], release: str) -> bool:
    """Whether what the row says of the release was read; else it is likely."""
    if "seen" not in entry:
        return RELEASES.index(release) <= RELEASES.index(READ[-1])
    return entry["seen"] is not None and RELEASES.index(release) <= RELEASES.index(entry["seen"])


@pytest.mark.parametrize("name", ["op_support", "plugins"])
def test_data_follow_their_schema(name: str) -> None:
    schema = json.loads((DATA / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads((DATA / f"{name}.json").read_text("utf-8")), schema)


def test_every_release_and_operator_is_there() -> None:
    assert sorted(RELEASES, key=lambda name: tuple(map(int, name.split(".")))) == RELEASES
    assert len(SUPPORT["ops"]) == 234
    assert list(SUPPORT["ops"]) == sorted(SUPPORT["ops"])


def test_every_cell_of_the_table_agrees_with_the_data(rows: dict[str, list[list[str]]]) -> None:
    cells: dict[tuple[str, str], tuple[str, str, str, bool]] = {}
    for op, first, last, status, refused, through, seen, *_ in rows["kSupportRows"]:
        for release in RELEASES[int(first) : int(last) + 1]:
            assert (op, release) not in cells
            read = RELEASES.index(release) < int(seen)
            cells[op, release] = (status.removeprefix("Support::"), refused, through, read)
    assert len(cells) == len(SUPPORT["ops"]) * len(RELEASES)
    for op, entry in SUPPORT["ops"].items():
        for release in RELEASES:
            (part,) = [part for part in entry["support"] if held(part, release)]
            by_name = str(any(held(part, release) for part in entry.get("refused_by_name", []))).lower()
            by_plugin = str(any(held(part, release) for part in entry.get("through_plugin", []))).lower()
            assert cells[op, release] == (part["status"], by_name, by_plugin, is_read(part, release)), (op, release)


def test_every_plugin_version_agrees_with_the_data(rows: dict[str, list[list[str]]]) -> None:
    table = {
        (name, version): (RELEASES[int(first)], RELEASES[int(last)], by_init, RELEASES[: int(seen)][-1:])
        for name, version, first, last, seen, by_init in rows["kPluginRows"]
    }
    data = {
        (name, entry["version"]): (
            entry["from"],
            entry["to"] or RELEASES[-1],
            "true" if entry["registered_by"] == "init" else "false",
            [release for release in READ if held(entry, release)][-1:],
        )
        for name, entries in PLUGINS["plugins"].items()
        for entry in entries
    }
    assert table == data


def test_an_operator_that_the_parser_refuses_by_name_is_unsupported_there() -> None:
    for op, entry in SUPPORT["ops"].items():
        for release in RELEASES:
            if any(held(part, release) for part in entry.get("refused_by_name", [])):
                (status,) = [part["status"] for part in entry["support"] if held(part, release)]
                assert status == "unsupported", op


BREAKAGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a hole": (lambda d: d["ops"]["Conv"]["support"][0].update({"from": "8.2"}), "nothing is said of release 8.0"),
    "an overlap": (lambda d: d["ops"]["Conv"]["support"].append(d["ops"]["Conv"]["support"][0]), "is stated twice"),
    "an unknown release": (lambda d: d["ops"]["Conv"]["support"][0].update({"to": "9.9"}), "9.9 is not in the list"),
    "an empty range": (lambda d: d["ops"]["Gelu"]["support"][1].update({"to": "8.0"}), "is empty"),
    "an unknown status": (lambda d: d["ops"]["Conv"]["support"][0].update({"status": "maybe"}), "status maybe"),
    "unknown evidence": (lambda d: d["ops"]["Conv"].update({"evidence": ["hearsay"]}), "hearsay"),
    "no evidence": (lambda d: d["ops"]["Conv"].update({"evidence": []}), "no evidence"),
    "refused where supported": (
        lambda d: d["ops"]["Conv"].update({"refused_by_name": [{"from": "9.1", "to": None}]}),
        "refused by name in 9.1",
    ),
    "seen outside": (lambda d: d["ops"]["Gelu"]["support"][0].update({"seen": "10.0"}), "where it does not hold"),
    "nothing read": (lambda d: [row.update({"table_interpolated": True}) for row in d["releases"]], "no release"),
    "unsorted releases": (lambda d: d["releases"].reverse(), "not sorted"),
}


@pytest.mark.parametrize("name", BREAKAGES)
def test_the_generator_refuses_data_that_make_no_sense(name: str) -> None:
    damage, message = BREAKAGES[name]
    data = copy.deepcopy(SUPPORT)
    damage(data)
    module = codegen("embed_target")
    with pytest.raises(module.DataError, match=message):
        module.render(data, PLUGINS)
