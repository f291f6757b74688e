"""docs/cures.md: all repairs, from what the program says of them and from their cases."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import tomllib

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cures.md"
# What people repair by hand, in the order of the survey that found it.
REPAIRS = ROOT / "docs" / "repairs.toml"

INTRODUCTION = """\
# All repairs

What [`trtcheck fix`](fixing.md) can do: {count} repairs, by what they promise. *proven* is the same function, bit for
bit; *rounding* is the same up to rounding; with *interface*, inputs or outputs of the model change; with *choice*,
values change, or somebody has to decide. A single repair may promise less than its kind, and says so. `--cure NAME`
makes only repairs of that name.

Each has cases in `tests/cures`, in which ONNX Runtime or onnx's reference evaluator runs the model before and after.
"""


def read_cures(program: str) -> list[dict[str, Any]]:
    command = [program, "fix", "--cures", "--output-format", "json"]
    cures: list[dict[str, Any]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return cures


SURVEY = """\
## What people repair by hand

Forty repairs that threads and scripts ask for, found by reading them, and which of the above does it.

| repair | done by | what is left |
|---|---|---|"""


def survey(names: set[str]) -> list[str]:
    lines = [SURVEY]
    for repair in tomllib.loads(REPAIRS.read_text("utf-8"))["repair"]:
        done = repair.get("cures", [])
        if unknown := set(done) - names:
            raise ValueError(f"{REPAIRS.name} names cures that there are not: {', '.join(sorted(unknown))}")
        lines.append(f"| {repair['what']} | {', '.join(f'`{name}`' for name in done)} | {repair.get('reason', '')} |")
    return [*lines, ""]


def link(finding: str, rules: dict[str, str]) -> str:
    code = finding.partition(":")[0]
    return f"[`{finding}`](rules/{rules[code]}.md)"


def cures_page(program: str, rules: list[dict[str, Any]]) -> str:
    names = {rule["code"]: rule["name"] for rule in rules}
    cures = read_cures(program)
    lines = [INTRODUCTION.format(count=len(cures))]
    for kind in ("proven", "rounding", "interface", "choice"):
        of_kind = [cure for cure in cures if cure["class"] == kind]
        if not of_kind:
            continue
        lines += [f"## {kind}", "", "| repair | what is done | for |", "|---|---|---|"]
        for cure in of_kind:
            findings = ", ".join(link(finding, names) for finding in cure["findings"])
            summary = re.sub(r"\|", r"\\|", cure["summary"])
            lines.append(f"| `{cure['name']}` | {summary} | {findings} |")
        lines.append("")
    lines += survey({cure["name"] for cure in cures})
    return "\n".join(lines)
