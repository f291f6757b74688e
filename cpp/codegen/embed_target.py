"""Turns cpp/data/op_support.json and plugins.json into constexpr C++ tables.

usage: embed_target.py OP_SUPPORT_JSON PLUGINS_JSON TABLES_OUTPUT

Standard library only: it runs in every build. It checks what the tables rely on (known releases, ranges that cover
every release once, known evidence keys) and fails the build with the place of the first mistake. Neighbouring ranges
that say the same are folded into one.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from data import DataError

STATUSES = ("supported", "unsupported", "experimental")


def quoted(text: str) -> str:
    return json.dumps(text)


class Releases:
    """The known releases, and ranges of them as pairs of indices."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.names: list[str] = [row["release"] for row in rows]
        keys = [tuple(int(part) for part in name.split(".")) for name in self.names]
        if keys != sorted(set(keys)):
            raise DataError("releases are not sorted or not unique")
        if not any(self.is_read(row) for row in rows):
            raise DataError("the tables of no release were read")
        # Those below this index: what is between two that were read counts as read, the neighbours agree.
        self.read = max(i for i, row in enumerate(rows) if self.is_read(row)) + 1

    @staticmethod
    def is_read(row: dict[str, Any]) -> bool:
        return not row.get("table_interpolated", False)

    def index(self, name: str, where: str) -> int:
        if name not in self.names:
            raise DataError(f"{where}: release {name} is not in the list")
        return self.names.index(name)

    def span(self, entry: dict[str, Any], where: str) -> tuple[int, int]:
        first = self.index(entry["from"], where)
        last = len(self.names) - 1 if entry["to"] is None else self.index(entry["to"], where)
        if first > last:
            raise DataError(f"{where}: range {entry['from']}..{entry['to']} is empty")
        return first, last

    def seen(self, entry: dict[str, Any], where: str) -> int:
        """The row was read in its releases below this index, 0: in none."""
        first, last = self.span(entry, where)
        if "seen" not in entry:
            return min(last + 1, self.read) if first < self.read else 0
        if entry["seen"] is None:
            return 0
        index = self.index(entry["seen"], where)
        if not first <= index <= last:
            raise DataError(f"{where}: seen in {entry['seen']}, where it does not hold")
        return index + 1


def check_evidence(keys: list[str], sources: dict[str, str], where: str) -> None:
    if not keys:
        raise DataError(f"{where}: no evidence")
    for key in keys:
        if key not in sources:
            raise DataError(f"{where}: evidence `{key}` is not among the sources")


def per_release(entries: list[dict[str, Any]], releases: Releases, where: str) -> list[bool]:
    """For each release, whether one of the ranges holds it."""
    held = [False] * len(releases.names)
    for entry in entries:
        first, last = releases.span(entry, where)
        for i in range(first, last + 1):
            if held[i]:
                raise DataError(f"{where}: two ranges hold release {releases.names[i]}")
            held[i] = True
    return held


class Cell(NamedTuple):
    """What is said of an operator in one release."""

    status: str
    refused: bool
    through_plugin: bool
    seen: int
    evidence: tuple[str, ...]


def cells(op: str, entry: dict[str, Any], releases: Releases) -> list[Cell]:
    """One for every release."""
    found: list[dict[str, Any]] = [{}] * len(releases.names)
    for part in entry["support"]:
        if part["status"] not in STATUSES:
            raise DataError(f"ops.{op}: status {part['status']}")
        first, last = releases.span(part, f"ops.{op}")
        for i in range(first, last + 1):
            if found[i]:
                raise DataError(f"ops.{op}: release {releases.names[i]} is stated twice")
            found[i] = part
    if {} in found:
        raise DataError(f"ops.{op}: nothing is said of release {releases.names[found.index({})]}")
    refused = per_release(entry.get("refused_by_name", []), releases, f"ops.{op}.refused_by_name")
    through = per_release(entry.get("through_plugin", []), releases, f"ops.{op}.through_plugin")
    made = []
    for i, part in enumerate(found):
        status = part["status"]
        if refused[i] and status != "unsupported":
            raise DataError(f"ops.{op}: refused by name in {releases.names[i]}, where it is {status}")
        if through[i] and status != "supported":
            raise DataError(f"ops.{op}: through a plugin in {releases.names[i]}, where it is {status}")
        evidence = tuple(part.get("evidence", entry["evidence"]))
        made.append(Cell(status, refused[i], through[i], releases.seen(part, f"ops.{op}"), evidence))
    return made


def folded(cells: list[Cell]) -> list[tuple[int, int, Cell]]:
    """(first, last, cell) for runs of equal neighbours."""
    runs: list[tuple[int, int, Cell]] = []
    for i, cell in enumerate(cells):
        if runs and runs[-1][2] == cell:
            runs[-1] = (runs[-1][0], i, cell)
        else:
            runs.append((i, i, cell))
    return runs


def boolean(value: bool) -> str:
    return "true" if value else "false"


def release_lines(rows: list[dict[str, Any]]) -> list[str]:
    lines = []
    for row in rows:
        major, minor = row["release"].split(".")
        interpolated = row.get("opset_interpolated", False)
        highest = row["opset_max_upper_bound"] if interpolated else row["opset_max"]
        opsets = f"{row['opset_min']}, {row['opset_max']}, {highest}, {boolean(interpolated)}"
        lines.append(f"    {{{{{major}, {minor}}}, {{{opsets}}}}},")
    return lines


def support_lines(data: dict[str, Any], releases: Releases) -> list[str]:
    lines = []
    for op in sorted(data["ops"]):
        entry = data["ops"][op]
        check_evidence(entry["evidence"], data["sources"], f"ops.{op}")
        for first, last, cell in folded(cells(op, entry, releases)):
            check_evidence(list(cell.evidence), data["sources"], f"ops.{op}")
            evidence = quoted("; ".join(data["sources"][key] for key in cell.evidence))
            lines.append(
                f"    {{{quoted(op)}, {first}, {last}, Support::{cell.status}, {boolean(cell.refused)},"
                f" {boolean(cell.through_plugin)}, {cell.seen}, {evidence}}},"
            )
    return lines


def plugin_lines(data: dict[str, Any], releases: Releases) -> list[str]:
    lines = []
    check_evidence(data["evidence"], data["sources"], "plugins")
    for name in sorted(data["plugins"]):
        if name in data["left_out"]["names"]:
            raise DataError(f"plugins.{name} is also left out")
        versions = sorted(data["plugins"][name], key=lambda entry: int(entry["version"]))
        for entry in versions:
            first, last = releases.span(entry, f"plugins.{name}")
            if not re.fullmatch(r"[0-9]+", entry["version"]) or entry["registered_by"] not in ("static", "init"):
                raise DataError(f"plugins.{name}: version {entry['version']} by {entry['registered_by']}")
            check_evidence(entry.get("evidence", data["evidence"]), data["sources"], f"plugins.{name}")
            seen = releases.seen(entry, f"plugins.{name}")
            by_init = boolean(entry["registered_by"] == "init")
            lines.append(f"    {{{quoted(name)}, {quoted(entry['version'])}, {first}, {last}, {seen}, {by_init}}},")
    return lines


def rtx_lines(data: dict[str, Any], releases: Releases) -> tuple[list[str], list[str]]:
    """Releases of TensorRT-RTX, and what they import beyond those that they are like."""
    rtx = data["rtx"]
    check_evidence(rtx["evidence"], data["sources"], "rtx")
    named, last = [], -1
    for row in rtx["releases"]:
        like = releases.index(row["like"], f"rtx.{row['release']}")
        if like <= last:
            raise DataError(f"rtx.{row['release']}: like {row['like']}, which is not newer than that before it")
        last = like
        named.append(f"    {{{quoted(row['release'])}, {like}}},")
    names = [row["release"] for row in rtx["releases"]]
    ops = []
    for op, first in sorted(rtx["ops"].items()):
        if op in data["ops"] or first not in names:
            raise DataError(f"rtx.ops.{op}: from {first} of {', '.join(names)}, and not an operator of TensorRT")
        ops.append(f"    {{{quoted(op)}, {names.index(first)}}},")
    return named, ops


def table(declaration: str, lines: list[str]) -> list[str]:
    return [f"inline constexpr {declaration}[] = {{", *lines, "};", ""]


def render(support: dict[str, Any], plugins: dict[str, Any]) -> str:
    for data, name in ((support, "op_support"), (plugins, "plugins")):
        if data["schema_version"] != 1:
            raise DataError(f"{name}: schema_version {data['schema_version']}")
    check_evidence(support["opset_evidence"], support["sources"], "opset_evidence")
    releases = Releases(support["releases"])
    names = [f"    {quoted(op)}," for op in sorted(support["ops"])]
    lines = ["// Made by codegen/embed_target.py from cpp/data. Do not edit.", ""]
    lines += table("ReleaseRow kReleaseRows", release_lines(support["releases"]))
    lines += [f"inline constexpr std::size_t kNewestRead = {releases.read - 1};", ""]
    rtx, rtx_ops = rtx_lines(support, releases)
    rtx_evidence = quoted("; ".join(support["sources"][key] for key in support["rtx"]["evidence"]))
    lines += table("RtxRow kRtxRows", rtx)
    lines += table("RtxOperator kRtxOperators", rtx_ops)
    lines += [f"inline constexpr std::string_view kRtxEvidence = {rtx_evidence};", ""]
    lines += table("SupportRow kSupportRows", support_lines(support, releases))
    lines += table("PluginRow kPluginRows", plugin_lines(plugins, releases))
    lines += table("std::string_view kOperatorNames", names)
    lines += table("std::string_view kPluginNames", [f"    {quoted(name)}," for name in sorted(plugins["plugins"])])
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    support_path, plugins_path, output = (Path(argument) for argument in arguments)
    try:
        text = render(json.loads(support_path.read_text("utf-8")), json.loads(plugins_path.read_text("utf-8")))
    except (DataError, KeyError, ValueError) as error:
        print(f"embed_target.py: {error!r}", file=sys.stderr)
        return 1
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
