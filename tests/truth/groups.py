"""Disagreements in groups: by what NVIDIA says where we missed it, by rule or row where we were wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import onnx
import onnx.printer
from compare import Entry
from messages import essence

# Of so many operators of a group.
EXAMPLES = 3


@dataclass
class Group:
    """`title`: NVIDIA's message, or our rules and rows."""

    title: str
    entries: list[Entry] = field(default_factory=list)
    versions: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    warned: int = 0

    @property
    def ops(self) -> Counter[str]:
        return Counter(entry.op for entry in self.entries)

    @property
    def strict(self) -> int:
        """How many are right models."""
        return sum(entry.is_strict for entry in self.entries)

    def smallest(self, op: str) -> Entry:
        """A right model of the operator, with the fewest changes of its seed, then the shortest."""
        some = [entry for entry in self.entries if entry.op == op]
        return min(some, key=lambda entry: (not entry.is_strict, len(entry.changes), entry.path.stat().st_size))

    def add(self, entry: Entry, version: str) -> None:
        if not self.entries or self.entries[-1] is not entry:
            self.entries.append(entry)
        self.versions[version] += 1
        self.kinds[entry.theirs[version].kind] += 1
        self.warned += entry.ours[version] == "warning"


def groups(entries: Iterable[Entry], versions: Iterable[str], word: str) -> list[Group]:
    """Those with the most right models first. `word`: "missed" or "false"."""
    found: dict[str, Group] = defaultdict(lambda: Group(""))
    for entry in entries:
        for version in versions:
            if entry.word(version) != word:
                continue
            title = essence(entry.theirs[version].reason) if word == "missed" else ", ".join(entry.facts[version])
            found[title].title = title
            found[title].add(entry, version)
    return sorted(found.values(), key=lambda group: (-group.strict, -len(group.entries), group.title))


def text(entry: Entry) -> str:
    """The model as a row's example has it."""
    return onnx.printer.to_text(onnx.load(entry.path))


def table(found: list[Group], versions: Iterable[str], word: str) -> str:
    """Markdown: a line for each group, then the smallest models of each."""
    versions = list(versions)
    said = "NVIDIA says" if word == "missed" else "we say"
    head = ["#", said, "models", *versions, "by", "warned", "right ONNX", "operators"]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for number, group in enumerate(found, 1):
        ops = ", ".join(f"{op} {count}" for op, count in group.ops.most_common(12))
        kinds = ", ".join(f"{kind} {count}" for kind, count in group.kinds.most_common())
        counts = " | ".join(str(group.versions[version]) for version in versions)
        title = group.title.replace("|", "\\|")
        line = [number, title, len(group.entries), counts, kinds, group.warned, group.strict, ops]
        lines.append(f"| {' | '.join(map(str, line))} |")
    lines.append("")
    for number, group in enumerate(found, 1):
        lines += [f"## {number}. {group.title}", ""]
        for op, _ in group.ops.most_common(EXAMPLES):
            example = group.smallest(op)
            lines += [
                f"{example.address}: {'; '.join(example.changes)}",
                "",
                "```onnx",
                text(example).strip(),
                "```",
                "",
            ]
    return "\n".join(lines)
