"""Pages about all facts: docs/known-wrong.md, what comes out wrong without a message, and docs/facts.md, how many facts
hold in a release and how certain they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import tomllib
from operator_pages import Operator, code, opsets

DOCS = Path(__file__).resolve().parent
KNOWN_WRONG, FACTS = DOCS / "known-wrong.md", DOCS / "facts.md"
# Releases that people run, and the first and the last one.
RELEASES = ("8.0", "8.6", "9.3", "10.3", "10.10", "10.16", "11.0", "11.5")
CERTAINTIES = ("proven", "likely", "possible")

KNOWN_WRONG_INTRODUCTION = """\
# Known wrong numbers

TensorRT accepts these models without a message, and its results are not those that ONNX defines: the numbers differ, or
the shapes. {count} such forms are known; `trtcheck check` reports them as [{rule}](rules/{page}.md), and
`trtcheck explain NAME` prints one with an example, and with a model beside it that is right. *proven*: read in the
sources of that release, or seen with TensorRT-RTX; *likely*: known of other releases, or from several threads;
*possible*: one thread, others of the kind may be right. Values that FLOAT16 cannot hold are another matter
([measured ranges](ranges.md)).

| form | operators | releases | GPUs | wrong if | instead | known from |
|---|---|---|---|---|---|---|
"""

# Rules that find the same by looking at more than one node.
RULES_OF_WRONG_NUMBERS = ("resize-after-if", "values-read-as-bytes", "domain-ignored", "function-opset-ignored")
RULES_INTRODUCTION = """
## Forms of several nodes

Rules that look at more than one node find these:

"""

# What nobody has reduced to a form yet.
REPORTS = DOCS / "wrong_numbers.toml"
REPORTS_INTRODUCTION = """
## Reports without a form

Nobody has found what in these models decides, so that trtcheck says nothing of them. Compare the results of such a
model with those of ONNX Runtime (`polygraphy run model.onnx --trt --onnxrt`).

| model | releases | compute capability | what helps | thread |
|---|---|---|---|---|
"""

FACTS_INTRODUCTION = """\
# Facts by release

{count} facts say what TensorRT requires of operators ([adding a fact](adding-a-fact.md)), each with the releases in
which it holds and with its evidence. *proven*: read in the sources of that release; *likely*: known of other releases,
of TensorRT-RTX, or from several threads; *possible*: one thread. A fact about several operators counts once.

| TensorRT | facts | proven | likely | possible | begin since the release before | end before it |
|---|---|---|---|---|---|---|
"""


def version(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def is_of_tensorrt(fact: dict[str, Any]) -> bool:
    return not str(fact["from"]).startswith("rtx-")


def holds(fact: dict[str, Any], release: str) -> bool:
    return is_of_tensorrt(fact) and version(fact["from"]) <= version(release) <= version(fact["to"])


def certainty(fact: dict[str, Any], release: str) -> str:
    """As a finding has it for that release of TensorRT; cpp/src/evidence decides the same."""
    known = fact["evidence"]
    if not known["read_from"]:
        return "possible" if not known["measured"] and len(known["reported"]) == 1 else "likely"
    is_read = version(known["read_from"]) <= version(release) <= version(known["read_to"])
    return "proven" if is_read else "likely"


def facts_in(operators: list[Operator], release: str) -> dict[str, str]:
    """The certainty of each fact that holds, by its name."""
    found: dict[str, str] = {}
    for operator in operators:
        for fact in operator["facts"]:
            if holds(fact, release):
                known = certainty(fact, release)
                found[fact["fact"]] = min(known, found.get(fact["fact"], known), key=CERTAINTIES.index)
    return found


def is_taken(operator: Operator, release: str) -> bool:
    return any(
        entry["support"] in ("supported", "experimental")
        and version(entry["from"]) <= version(release) <= version(entry["to"])
        for entry in operator["support"]
        if not entry["from"].startswith("rtx-")
    )


def _read(fact: dict[str, Any], end: str) -> str | None:
    found: str | None = fact["evidence"][end]
    return found


Case = tuple[Operator, dict[str, Any]]

# Why a fact is none before a release, or none after one: the first that is true of all its cases.
REASONS_TO_BEGIN: tuple[tuple[str, Callable[[Case, str], bool]], ...] = (
    ("the operator is new", lambda case, before: not is_taken(case[0], before)),
    ("the sources show it from there on", lambda case, _: _read(case[1], "read_from") == case[1]["from"]),
    ("read in the sources", lambda case, _: _read(case[1], "read_from") is not None),
    (
        "seen with TensorRT-RTX, and assumed of older releases where nothing speaks against it",
        lambda case, _: bool(case[1]["evidence"]["measured"]),
    ),
    ("reported by users", lambda case, _: bool(case[1]["evidence"]["reported"])),
    ("said by headers, documentation or notes of the release", lambda case, _: True),
)
REASONS_TO_END: tuple[tuple[str, Callable[[Case, str], bool]], ...] = (
    ("the operator is gone", lambda case, after: not is_taken(case[0], after)),
    (
        "a TensorRT-RTX of the next release was seen to accept it",
        lambda case, _: any(seen["verdict"] == "accepted" for seen in case[1]["evidence"]["measured"]),
    ),
    ("the sources show it up to there", lambda case, _: _read(case[1], "read_to") is not None),
    ("said by headers, documentation or notes of the release", lambda case, _: True),
)


def by_reason(
    operators: list[Operator], names: Iterable[str], here: str, there: str, reasons: Any
) -> dict[str, list[str]]:
    """The names, each below the reason why it holds `here` and not `there`."""
    cases: dict[str, list[Case]] = {}
    for operator in operators:
        for fact in operator["facts"]:
            if holds(fact, here):
                cases.setdefault(fact["fact"], []).append((operator, fact))
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        of_name = cases[name]
        reason = next(text for text, is_it in reasons if all(is_it(case, there) for case in of_name))
        found.setdefault(reason, []).append(name)
    return {text: found[text] for text, _ in reasons if text in found}


def _changes(title: str, reasons: dict[str, list[str]]) -> list[str]:
    if not reasons:
        return []
    lines = [f"### {title}", ""]
    for reason, names in reasons.items():
        lines.append(f"- {reason} ({len(names)}): {', '.join(f'`{name}`' for name in names)}")
    return [*lines, ""]


def facts_page(operators: list[Operator]) -> str:
    all_names = {fact["fact"] for operator in operators for fact in operator["facts"]}
    lines, changes = [], []
    before: dict[str, str] | None = None
    previous = ""
    for release in RELEASES:
        found = facts_in(operators, release)
        counts = [sum(known == word for known in found.values()) for word in CERTAINTIES]
        begun = sorted(found.keys() - before.keys()) if before is not None else []
        ended = sorted(before.keys() - found.keys()) if before is not None else []
        cells = [release, len(found), *counts, *(("", "") if before is None else (len(begun), len(ended)))]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        if before is not None:
            begin = by_reason(operators, begun, release, previous, REASONS_TO_BEGIN)
            end = by_reason(operators, ended, previous, release, REASONS_TO_END)
            changes += _changes(f"Begin up to {release}", begin) + _changes(f"Hold no more in {release}", end)
        before, previous = found, release
    head = FACTS_INTRODUCTION.format(count=len(all_names))
    return "\n".join([head + "\n".join(lines), "", *of_rtx(operators), "## What changes", "", WHAT_CHANGES, *changes])


WHAT_CHANGES = """\
Each with what decides where it begins or ends; `trtcheck explain NAME`, and the page of its
[operator](operators/index.md), name the file, the thread or the measurement.
"""


def of_rtx(operators: list[Operator]) -> list[str]:
    names = {fact["fact"] for operator in operators for fact in operator["facts"] if not is_of_tensorrt(fact)}
    return [f"{len(names)} facts are about [TensorRT-RTX](rtx.md) only.", ""] if names else []


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _known_from(fact: dict[str, Any], certainties: list[str]) -> str:
    threads = [f"[{_thread(url)}]({url})" for url in fact["evidence"]["reported"]]
    return "; ".join(["/".join(certainties), *threads])


def _thread(url: str) -> str:
    """`NVIDIA/TensorRT 4646` of an address at GitHub."""
    parts = url.rstrip("/").split("/")
    return f"{parts[-4]}/{parts[-3]} {parts[-1]}" if "github.com" in url and len(parts) > 6 else parts[2]


def known_wrong_page(operators: list[Operator], rules: list[dict[str, Any]]) -> str:
    """One line for each form and set of releases; operators that share it stand together."""
    rows: dict[tuple[str, ...], list[str]] = {}
    names = set()
    by_name = {rule["name"]: rule for rule in rules}
    rule = by_name["silently-different"]
    for operator in operators:
        for fact in operator["facts"]:
            if fact["effect"] != "change":
                continue
            names.add(fact["fact"])
            where = ", ".join(filter(None, [fact["releases"], fact["network"], opsets(fact)]))
            ends = [str(fact["from"]), str(fact["to"])]
            certain = list(dict.fromkeys(certainty(fact, end) for end in ends if not end.startswith("rtx-")))
            sentence = re.sub(rf"\b{operator['op']}\b", "the node", fact["sentence"])
            cells = [where, fact["gpus"] or "", _cell(sentence), _cell(fact["fix"]), _known_from(fact, certain)]
            rows.setdefault((fact["fact"], *cells), []).append(operator["op"])
    lines = []
    for (name, *cells), ops in sorted(rows.items()):
        shown = ", ".join(f"[{op}](operators/{op}.md)" for op in dict.fromkeys(ops))
        lines.append("| " + " | ".join([code(name), shown, *cells]) + " |")
    head = KNOWN_WRONG_INTRODUCTION.format(count=len(names), rule=rule["code"], page=rule["name"])
    more = [
        f"- [{by_name[name]['code']}](rules/{name}.md): {by_name[name]['summary']}" for name in RULES_OF_WRONG_NUMBERS
    ]
    return head + "\n".join(lines) + "\n" + RULES_INTRODUCTION + "\n".join(more) + "\n" + _reports()


def _reports() -> str:
    lines = []
    for report in tomllib.loads(REPORTS.read_text("utf-8"))["report"]:
        url = report["thread"]
        cells = [report["model"], report["releases"], report["gpus"], report["helps"], f"[{_thread(url)}]({url})"]
        lines.append("| " + " | ".join(cells) + " |")
    return REPORTS_INTRODUCTION + "\n".join(lines) + "\n"
