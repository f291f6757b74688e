"""Pages of operators: what TensorRT asks of them, by release, as `trtcheck support` prints it."""

from __future__ import annotations

import json
import subprocess
from typing import Any

Operator = dict[str, Any]

EFFECTS = {
    "refuse": "refused",
    "change": "gives another result, silently,",
    "ignore": "ignored silently",
    "slow": "slower than another form",
    "fallback": "not run by DLA, the GPU runs it",
    "document": "ruled out by the documentation, no refusal was observed,",
}


def read_operators(program: str) -> list[Operator]:
    command = [program, "support", "--output-format", "json"]
    document = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    found: list[Operator] = document["operators"]
    return found


def span(entry: dict[str, Any]) -> str:
    first, last = entry["from"], entry["to"]
    return first if first == last else f"{first} to {last}"


def supported(operator: Operator) -> str:
    ranges = [span(entry) for entry in operator["support"] if entry["support"] in ("supported", "experimental")]
    return ", ".join(ranges) or "no release"


def opsets(fact: dict[str, Any]) -> str:
    first, last = fact["opset_from"], fact["opset_to"]
    if last is None:
        return "" if first == 1 else f"opset {first} and later"
    return f"opset {first}" if first == last else f"opsets {first} to {last}"


def code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def fact_lines(fact: dict[str, Any]) -> list[str]:
    network = f"{fact['network']} networks" if fact["network"] else ""
    where = [f"TensorRT {fact['releases']}", network, fact["gpus"] or "", opsets(fact)]
    lines = [f"### {fact['fact']}", "", f"*{', '.join(part for part in where if part)}; {fact['code']}*", ""]
    effect = EFFECTS[fact["effect"]]
    lines += [f"{effect[0].upper()}{effect[1:]} if: {fact['sentence']}.", "", f"Condition: {code(fact['when'])}.", ""]
    if fact["says"]:
        lines += [f"TensorRT prints {code(fact['says'])}.", ""]
    if fact["fix"]:
        lines += [f"Fix: {fact['fix']}.", ""]
    for title, key in (("Example", "example"), ("Accepted", "near_miss")):
        lines += [f"{title}:", "", "```text", *fact[key].splitlines(), "```", ""]
    return [*lines, f"Evidence: {fact['evidence']['text']}.", ""]


def page(operator: Operator) -> str:
    lines = [f"# {operator['op']}", "", f"Taken by {supported(operator)}.", "", "## What TensorRT asks of it", ""]
    for fact in operator["facts"]:
        lines += fact_lines(fact)
    return "\n".join(lines)


def operator_pages(operators: list[Operator]) -> dict[str, str]:
    """By file name: one for each operator that there are facts about, and an index of all."""
    lines = [
        "# Operators",
        "",
        "Which releases take an operator, and what they ask of it. `trtcheck support OP` prints the",
    ]
    lines += ["same. [Adding a fact](../adding-a-fact.md) explains the conditions.", ""]
    lines += ["| operator | taken by | facts |", "|---|---|---|"]
    made = {}
    for operator in operators:
        op, facts = operator["op"], operator["facts"]
        lines.append(f"| {f'[{op}]({op}.md)' if facts else op} | {supported(operator)} | {len(facts) or ''} |")
        if facts:
            made[f"{op}.md"] = page(operator)
    hidden = ["", "```{toctree}", ":hidden:", ":glob:", "", "*", "```", ""]
    return made | {"index.md": "\n".join([*lines, *hidden])}


def facts_of_rule(rule: str, operators: list[Operator]) -> list[str]:
    """A list of what the rule tells; empty for rules that tell one thing."""
    found: dict[str, list[str]] = {}
    for operator in operators:
        for fact in operator["facts"]:
            ops = found.setdefault(fact["fact"], [])
            if fact["code"] == rule and operator["op"] not in ops:
                ops.append(operator["op"])
    lines = [f"- `{name}`: {', '.join(ops)}" for name, ops in sorted(found.items()) if ops]
    return ["## Facts", "", "`trtcheck explain` prints each of them.", "", *lines, ""] if lines else []
