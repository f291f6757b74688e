"""Writes what follows from the program: docs/rules/ (one page for each rule and an index), docs/operators/ (what
TensorRT asks of each operator), docs/facts.md and docs/known-wrong.md, docs/messages.md, docs/cures.md (all repairs),
the reference in docs/configuration.md, cpp/data/settings.schema.json, and the picture of a finding that the README
shows.

python docs/generate.py            write the pages
python docs/generate.py --check    write nothing; fail when a page is not what it would be
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from cures_page import PAGE as CURES
from cures_page import cures_page
from fact_pages import FACTS, KNOWN_WRONG, facts_page, known_wrong_page
from gates_page import gates_page
from operator_pages import code, facts_of_rule, operator_pages, read_operators
from settings_pages import settings_pages

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "rules"
OPERATORS = ROOT / "docs" / "operators"
MESSAGES = ROOT / "docs" / "messages.md"
GATES = ROOT / "docs" / "releases.md"
GATES_DATA = ROOT / "cpp" / "data" / "gates.toml"

# The finding that the README shows.
SHOWN = "examples/models/case0_channel_shuffle.onnx"
SHOWN_FOR = ("--target", "10.13")
PICTURE = ROOT / "docs" / "pictures" / "neighbourhood.svg"

FAMILIES = {
    "MDL": "Model file and graph",
    "OPS": "Operators, opsets, plugins",
    "SHP": "Shapes",
    "PRF": "Profiles",
    "CTL": "Control flow",
    "WGT": "Weights and parameters",
    "QDQ": "Quantization",
    "NUM": "Precision and numerics",
    "HWD": "Hardware and limits",
    "STY": "Strong typing",
}

MESSAGES_INTRODUCTION = """\
# From a TensorRT message to its rule

What TensorRT prints when a conversion fails names neither the cause nor the remedy. `trtcheck explain` takes such a
message, or a whole log, to the rules that do:

```sh
trtcheck explain "kernel weights has count 1474560 but 737280 was expected"
trtcheck explain --error-log build.log
trtcheck explain --error-log build.log --model model.onnx
```

With `--model`, the nodes of the model that the log names are found, by name, by number or by what they make; each is
shown with its line of Python, where the exporter recorded it, and with what a check finds there.

From Python it is `trtcheck.rules_for(message)` and `trtcheck.rules_for_log(text)`. Numbers, punctuation and the text
around a message do not matter, and a part of it is enough. A rule that knows a message is a possible cause, no proof:
check the model to see which one it is.

<div id="message-search"></div>

{count} texts, `*` for what varies. They come from the sources of the parser (onnx-tensorrt) and from reports; releases
may word them differently.
"""

Rule = dict[str, Any]


def find_program() -> str:
    for candidate in (os.environ.get("TRTCHECK_BIN"), ROOT / ".venv/bin/trtcheck", ROOT / "build/cpp/trtcheck"):
        if candidate and Path(candidate).is_file():
            return str(candidate)
    found = shutil.which("trtcheck")
    if not found:
        sys.exit("generate.py: no program `trtcheck`; build it or set TRTCHECK_BIN")
    return found


def read_rules(program: str) -> list[Rule]:
    command = [program, "rules", "--output-format", "json"]
    rules: list[Rule] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["rules"]
    return rules


def rule_page(rule: Rule, operators: list[dict[str, Any]]) -> str:
    facts = [rule["severity"], rule["certainty"], f"since {rule['since']}"]
    told = facts_of_rule(rule["code"], operators)
    if rule["ops"] and not told:
        facts.append("operators: " + ", ".join(rule["ops"]))
    lines = [
        f"# {rule['code']} {rule['name']}",
        "",
        f"*{' · '.join(facts)}*",
        "",
        f"{rule['summary'][0].upper()}{rule['summary'][1:]}.",
        "",
        rule["docs"].strip(),
        "",
    ]
    lines += told
    if rule["messages"]:
        lines += ["## What TensorRT prints", "", *(f"- {code(text)}" for text in rule["messages"]), ""]
    return "\n".join(lines)


def index_page(rules: list[Rule]) -> str:
    lines = ["# Rules", "", f"{len(rules)} rules. `trtcheck explain CODE` prints the same pages.", ""]
    for family, title in FAMILIES.items():
        members = [rule for rule in rules if rule["code"].startswith(family)]
        if not members:
            continue
        lines += [f"## {title}", "", "| code | rule | severity | what it finds |", "|---|---|---|---|"]
        for rule in members:
            name, summary = rule["name"], rule["summary"].replace("|", "\\|")
            lines.append(f"| {rule['code']} | [{name}]({name}.md) | {rule['severity']} | {summary} |")
        lines.append("")
    return "\n".join(lines)


def messages_page(rules: list[Rule], operators: list[dict[str, Any]]) -> str:
    by_text: dict[str, list[Rule]] = {}
    for rule in rules:
        for text in rule["messages"]:
            by_text.setdefault(text, []).append(rule)
    facts: dict[tuple[str, str], set[str]] = {}
    for operator in operators:
        for fact in operator["facts"]:
            facts.setdefault((fact["says"], fact["code"]), set()).add(fact["fact"])
    lines = [MESSAGES_INTRODUCTION.format(count=len(by_text)), "| TensorRT prints | rules |", "|---|---|"]
    for text in sorted(by_text, key=str.lower):
        links = [
            ": ".join(
                [
                    f"[{rule['code']} {rule['name']}](rules/{rule['name']}.md)",
                    *filter(None, [", ".join(f"`{fact}`" for fact in sorted(facts.get((text, rule["code"]), ())))]),
                ]
            )
            for rule in by_text[text]
        ]
        lines.append(f"| {code(text)} | {'<br>'.join(links)} |".replace("\n", " "))
    lines.append("")
    return "\n".join(lines)


def pages(rules: list[Rule], operators: list[dict[str, Any]]) -> dict[Path, str]:
    made = {
        PAGES / "index.md": index_page(rules),
        MESSAGES: messages_page(rules, operators),
        GATES: gates_page(GATES_DATA),
        KNOWN_WRONG: known_wrong_page(operators, rules),
        FACTS: facts_page(operators),
    }
    for rule in rules:
        made[PAGES / f"{rule['name']}.md"] = rule_page(rule, operators)
    return made


def stale(wanted: dict[Path, str], folder: Path) -> list[Path]:
    """Pages that are missing or differ, and those in the folder that nobody wants."""
    differ = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    return sorted(differ + [path for path in folder.glob("*.md") if path not in wanted])


def write(wanted: dict[Path, str], folder: Path) -> int:
    """How many pages changed."""
    folder.mkdir(parents=True, exist_ok=True)
    outdated = stale(wanted, folder)
    for path in outdated:
        if path in wanted:
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    return len(outdated)


def picture(program: str) -> str:
    words = (program, "graph", *SHOWN_FOR, "--around", "WGT101", "--depth", "1", SHOWN)
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="write nothing, fail when a page that git keeps is stale")
    how.add_argument(
        "--operators", action="store_true", help="write the pages of operators only, which git does not keep"
    )
    arguments = parser.parse_args()
    program = find_program()
    operators = read_operators(program)
    rules = read_rules(program)
    wanted = pages(rules, operators) | settings_pages(program)
    wanted |= {CURES: cures_page(program, rules), PICTURE: picture(program)}
    if arguments.check:
        outdated = stale(wanted, PAGES)
        for path in outdated:
            print(f"stale: {path.relative_to(ROOT)}; run `python docs/generate.py`")
        return 1 if outdated else 0
    changed = write({OPERATORS / name: text for name, text in operator_pages(operators).items()}, OPERATORS)
    if not arguments.operators:
        changed += write(wanted, PAGES)
    print(f"{changed} pages changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
