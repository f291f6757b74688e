"""docs/accuracy.md: our verdicts over the grid, next to what NVIDIA's parser and builder say."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from compare import Entry
from groups import groups
from witness import STANDS_FOR, WHEELS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/accuracy.md"
WORST, REASONS = 10, 4
NEWEST, OLDEST = list(WHEELS)[-1], next(iter(WHEELS))

INTRODUCTION = """\
# How often it is right

What trtcheck says of {models:,} small models, next to what NVIDIA's own parser and builder say of them, on {date}. The
models are made from the schemas of ONNX (seed {seed}), for every operator and each of its opsets: one node, of which
one or two things are unusual: the type or the rank of an input, an extent, an attribute, what is constant, where the
node stands. So this is no picture of models as people export them: it looks for the edges. The models were looked at
while facts were written; those of the part "A seed that nobody looked at" were not. The parts on control flow and on
compositions have models of several nodes, programs and exports. `make truth` makes this page.

The parser and the builder are those of TensorRT-RTX, which run without a GPU; trtcheck is asked about the same release
(`--target rtx-1.7`), whose networks are strongly typed in every version. What they have to say of TensorRT is *likely*,
not proven: {stands}. All models are parsed; built are those that trtcheck refuses, and a sample of the rest.

- *found*: TensorRT refuses the model, and so does trtcheck. *missed*: trtcheck reports no error; *warned*: a warning
- *false alarm*: it is built, and trtcheck refuses it
- *taken*: it is built, or at least parsed, and trtcheck reports no error
- *right types*: models whose types and shapes `onnx.shape_inference` finds right. The others pass `onnx.checker` all
  the same, and exporters write them: a FLOAT16 weight that meets FLOAT data
- *not judged*: it needs a plugin, which does not load without a driver; or trtcheck refuses what was parsed only
"""


def count(entries: Iterable[Entry], version: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for entry in entries:
        if not entry.is_asked(version):
            continue
        word, theirs = entry.word(version), entry.theirs[version]
        if word == "agree":
            word = "found" if theirs.refused else theirs.kind
        counts[word] += 1
        counts["warned"] += word == "missed" and entry.ours[version] == "warning"
    return counts


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else ""


def rates(counts: Counter[str]) -> list[str]:
    refused = counts["found"] + counts["missed"]
    taken = counts["built"] + counts["parsed"]
    return [percent(counts["found"], refused), percent(counts["false"], taken + counts["false"])]


def line(*cells: object) -> str:
    return f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in cells)} |"


def totals(entries: list[Entry]) -> Iterator[str]:
    """Of all models, then of those that onnx finds nothing wrong with."""
    words = ["found", "missed", "warned", "false", "built", "parsed", "unjudged"]
    titles = ["found", "missed", "of these warned", "false alarm", "taken: built", "taken: parsed", "not judged"]
    yield line("version", "is", *titles, "refusals found", "of those taken refused")
    yield "|" + "---|" * (len(titles) + 4)
    for kind, some in (("", entries), (", right types", [entry for entry in entries if entry.is_strict])):
        for version in WHEELS:
            counts = count(some, version)
            yield line(version + kind, STANDS_FOR[version], *(counts[word] for word in words), *rates(counts))


def by_operator(entries: list[Entry], version: str = NEWEST) -> Iterator[str]:
    yield line("operator", "found", "missed", "of these warned", "false alarm", "taken", "not judged", "refusals found")
    yield "|" + "---|" * 8
    total: Counter[str] = Counter()
    for op, of_op in sorted(_of_operators(entries).items()):
        counts = count(of_op, version)
        total += counts
        yield _operator(op, counts)
    yield _operator("**all**", total)


def _operator(name: str, counts: Counter[str]) -> str:
    taken = counts["built"] + counts["parsed"]
    numbers = [counts[word] for word in ("found", "missed", "warned", "false")]
    return line(name, *numbers, taken, counts["unjudged"], rates(counts)[0])


def _of_operators(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[entry.op].append(entry)
    return found


def worst(entries: list[Entry], version: str = NEWEST) -> Iterator[str]:
    """The operators with the most disagreements, and what they are about."""

    def disagreements(of_op: list[Entry]) -> int:
        counts = count(of_op, version)
        return counts["missed"] + counts["false"]

    ranked = sorted(_of_operators(entries).items(), key=lambda item: (-disagreements(item[1]), item[0]))
    for op, of_op in ranked[:WORST]:
        yield f"- {op}:"
        for word, verb in (("missed", "missed"), ("false", "false alarm")):
            for group in groups(of_op, [version], word)[:REASONS]:
                yield f"  - {verb} {len(group.entries)}: `{group.title.replace('`', '')}`"


def page(entries: list[Entry], seed: int, date: str) -> str:
    stands = ", ".join(f"RTX {version} is {release}" for version, release in STANDS_FOR.items())
    parts = [
        INTRODUCTION.format(models=len(entries), seed=seed, date=date, stands=stands),
        "## In total",
        "",
        *totals(entries),
        "",
        "## Where it is worst",
        "",
        f"Of RTX {NEWEST}, with NVIDIA's message (`*` and `#` for names and numbers), or the rules that are wrong:",
        "",
        *worst(entries),
        "",
        f"Of RTX {OLDEST}, which stands for TensorRT {STANDS_FOR[OLDEST]}:",
        "",
        *worst(entries, OLDEST),
        "",
        "## By operator",
        "",
        f"Of RTX {NEWEST}.",
        "",
        *by_operator(entries),
        "",
        f"Of RTX {OLDEST}.",
        "",
        *by_operator(entries, OLDEST),
    ]
    return "\n".join(parts) + "\n" + _kept()


def _kept() -> str:
    """What other programs wrote behind it stays."""
    text = PAGE.read_text("utf-8") if PAGE.exists() else ""
    mark = re.search(r"\n<!-- \w+: begin -->", text)
    return text[mark.start() :] if mark else ""


def put_section(name: str, text: str, page: Path = PAGE) -> None:
    """Puts it between the marks of that name, or to the end of the page."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    content = page.read_text("utf-8")
    part = f"{begin}\n{text}\n{end}\n"
    if begin in content:
        content = content[: content.index(begin)] + part + content[content.index(end) + len(end) + 1 :]
    else:
        content += "\n" + part
    page.write_text(content, "utf-8")
