"""Turns cpp/data/checks/*.toml into constexpr C++ tables.

usage: embed_checks.py CHECKS_FOLDER OP_SUPPORT_JSON ONNX_SCHEMAS_JSON TABLES_OUTPUT OPERATORS_OUTPUT

Each row is a fact about operators in some releases; docs/adding-a-fact.md explains the keys. A mistake stops the build
with the file, the row and the word that is wrong. Standard library only (tomli where Python has no tomllib).
"""

from __future__ import annotations

import json
import re
import string
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from conditions import (
    NONE,
    OUTPUTS,
    Compiler,
    ConditionError,
    Expression,
    Pool,
    Schema,
    parse,
)
from data import DataError, tomllib
from subjects import About, about_attribute, about_tensor, clause

EFFECTS = ("refuse", "change", "ignore", "slow", "document", "fallback")
FILE_KEYS = {"ops", "inputs", "outputs", "check"}
NEEDED = {"id", "in", "source", "example", "near"}
ROW_KEYS = {
    *NEEDED, *EFFECTS, "ops", "opset", "network", "seen", "says", "message", "fix", "about", "if_unknown", "at_opset"
}  # fmt: skip
NO_OPSET = 1 << 30


@dataclass(frozen=True)
class Row:
    op: str
    id: str
    first: int
    last: int
    seen: int
    opsets: tuple[int, int]
    is_strong: bool
    effect: str
    about: About
    condition: int
    words: str
    sentence: str  # the same in plain words
    tells_unknown: bool
    message: tuple[tuple[str, int], ...]  # texts, each with the expression behind it or NONE
    says: str
    fix: str
    source: str


class Generator:
    def __init__(self, support: dict[str, Any], schemas: list[dict[str, Any]]) -> None:
        self.sources: dict[str, str] = support["sources"]
        # Those of TensorRT-RTX come behind, and no range holds both.
        self.releases: list[str] = [row["release"] for row in [*support["releases"], *support["rtx"]["releases"]]]
        self.newest = len(support["releases"]) - 1
        self.known_ops = {*support["ops"], *support["rtx"]["ops"]}
        self.schemas: dict[str, list[dict[str, Any]]] = {}
        for row in schemas:
            if not row["domain"]:
                self.schemas.setdefault(row["op"], []).append(row)
        self.pool = Pool()
        self.rows: list[Row] = []

    def add_file(self, name: str, data: dict[str, Any]) -> None:
        if unknown := set(data) - FILE_KEYS:
            raise DataError(f"{name}: unknown key `{min(unknown)}` (known: {', '.join(sorted(FILE_KEYS))})")
        ops = data.get("ops", [Path(name).stem])
        for check in data.get("check", []):
            where = f"{name}: {check.get('id', '?')}"
            try:
                self.add_check(check, check.get("ops", ops), data)
            except (ConditionError, DataError) as error:
                raise DataError(f"{where}: {error}") from None

    def add_check(self, check: dict[str, Any], ops: list[str], file: dict[str, Any]) -> None:
        if unknown := set(check) - ROW_KEYS:
            raise DataError(f"unknown key `{min(unknown)}` (known: {', '.join(sorted(ROW_KEYS))})")
        if missing := NEEDED - set(check):
            raise DataError(f"`{min(missing)}` is missing")
        for key, value in check.items():
            if key not in ("ops", "source") and not isinstance(value, str):
                raise DataError(f"`{key}` is to be a text")
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", check["id"]):
            raise DataError("an id is lower-case words with hyphens")
        effects = [effect for effect in EFFECTS if effect in check]
        if len(effects) != 1:
            raise DataError(f"exactly one of {', '.join(EFFECTS)} is wanted")
        first, last = self.span(check["in"])
        seen = self.seen(check, first, last)
        source = self.source(check["source"])
        for op in ops:
            if op not in self.known_ops:
                raise DataError(f"`{op}` is no operator that cpp/data/op_support.json knows")
            mistake: ConditionError | None = None
            rows = []
            for opsets, schema in self.schemas_of(op, check.get("opset"), file):
                compiler = Compiler(schema, self.pool)
                condition = check[effects[0]]
                try:
                    place = compiler.condition(condition)
                    about = self.about(check, condition, compiler)
                    if about.attribute in schema.later:
                        raise ConditionError(f"{op} has no attribute `{about.attribute}` at this opset")
                    row = Row(
                        op=op,
                        id=check["id"],
                        first=first,
                        last=last,
                        seen=seen,
                        opsets=opsets,
                        is_strong=self.is_strong(check),
                        effect=effects[0],
                        about=about,
                        condition=place,
                        words=" ".join(condition.split()),
                        sentence=sentence(op, check.get("message", ""), about, compiler.schema),
                        tells_unknown=self.tells_unknown(check),
                        message=self.template(check.get("message", ""), compiler),
                        says=check.get("says", ""),
                        fix=check.get("fix", ""),
                        source=source,
                    )
                except ConditionError as error:
                    mistake = error
                    continue
                rows.append(row)
            # Without `opset` a row is about those that have its names.
            if mistake and (not rows or "opset" in check):
                raise mistake
            self.rows += rows

    def seen(self, check: dict[str, Any], first: int, last: int) -> int:
        """The newest release whose source was read; NONE: none was, the evidence is indirect."""
        text = check.get("seen")
        if text == "never":
            return NONE
        if text is None and check["in"].endswith(".."):
            raise DataError("`seen` is missing: which is the newest release whose source was read?")
        seen = last if text is None else self.index(text)
        if not first <= seen <= last:
            raise DataError(f"`seen`: {text} is not in {check['in']}")
        return seen

    def is_strong(self, check: dict[str, Any]) -> bool:
        if check.get("network", "strongly typed") != "strongly typed":
            raise DataError(f"`network`: {check['network']} (known: strongly typed)")
        return "network" in check

    def tells_unknown(self, check: dict[str, Any]) -> bool:
        if check.get("if_unknown", "warn") != "warn":
            raise DataError(f"`if_unknown`: {check['if_unknown']} (known: warn)")
        return "if_unknown" in check

    def index(self, release: str) -> int:
        if release not in self.releases:
            known = f"{self.releases[0]} to {self.releases[self.newest]}, {', '.join(self.releases[self.newest + 1 :])}"
            raise DataError(f"`{release}` is no release (known: {known})")
        return self.releases.index(release)

    def span(self, text: str) -> tuple[int, int]:
        lower, dots, upper = text.partition("..")
        first = self.index(lower) if lower else 0
        newest = self.newest if first <= self.newest else len(self.releases) - 1
        last = first if not dots else self.index(upper) if upper else newest
        if first > last:
            raise DataError(f"the range {text} is empty")
        if last > newest:
            raise DataError(f"the range {text} holds releases of TensorRT and of TensorRT-RTX")
        return first, last

    def source(self, named: list[str]) -> str:
        """Texts, or keys of the sources of cpp/data/op_support.json."""
        if not named:
            raise DataError("no source")
        for key in named:
            if re.fullmatch(r"[a-z-]+", key) and key not in self.sources:
                raise DataError(f"source `{key}` is not among the sources ({', '.join(self.sources)})")
        return "; ".join(self.sources.get(key, key) for key in named)

    def schemas_of(self, op: str, opset: str | None, file: dict[str, Any]) -> list[tuple[tuple[int, int], Schema]]:
        """The opsets of a row, cut where the operator's names change."""
        lowest, highest = opset_span(opset)
        if "inputs" in file:
            schema = Schema(op, tuple(file["inputs"]), tuple(file.get("outputs", [])), None)
            return [((lowest, highest), schema)]
        if op not in self.schemas:
            raise DataError(f"ONNX has no `{op}`: the file is to name its `inputs` (and `outputs`)")
        found: list[tuple[tuple[int, int], Schema]] = []
        versions = self.schemas[op]
        for place, version in enumerate(versions):
            after = versions[place + 1] if place + 1 < len(versions) else None
            first = max(lowest, version["since"])
            last = min(highest, after["since"] - 1 if after else NO_OPSET)
            if first > last or (version["deprecated"] and after is None):
                continue
            schema = Schema.of(version, versions[place + 1 :])
            if found and found[-1][1] == schema:
                found[-1] = ((found[-1][0][0], last), schema)
            else:
                found.append(((first, last), schema))
        if not found:
            raise DataError(f"`{op}` does not exist at opset {opset}")
        return found

    def about(self, check: dict[str, Any], condition: str, compiler: Compiler) -> About:
        node = parse(condition)
        found = about_attribute(node) or about_tensor(node, lambda n: compiler.tensor(n, "given"))
        if found and "message" not in check:
            return found
        if "message" not in check:
            raise DataError("`message` is missing: this condition has no message of its own")
        kind, _, name = check.get("about", "node").partition(" ")
        if kind == "input" and name in compiler.schema.inputs:
            return About("relation", index=compiler.schema.inputs.index(name))
        if kind == "attribute" and name:
            compiler.known_attribute(name)
            return About("relation", name)
        if check.get("about", "node") != "node":
            raise DataError(f"`about`: {check['about']} (known: node, input NAME, attribute NAME)")
        return About("relation")

    def template(self, text: str, compiler: Compiler) -> tuple[tuple[str, int], ...]:
        """Texts with the expressions behind them; `{op}`, `{node}` and `{release}` are words of messages only."""
        pieces = []
        try:
            parts = list(string.Formatter().parse(text))
        except ValueError as error:
            raise DataError(f"`message`: {error}") from None
        for piece, word, form, conversion in parts:
            place = NONE
            if form or conversion:
                raise DataError(f"`message`: `{{{word}}}` has a format")
            if word in ("op", "node", "release"):
                place = self.pool.add(Expression(f"{word}_name"))
            elif word is not None:
                place = compiler.value(parse(word))[0]
            pieces.append((piece, place))
        return tuple(pieces)

    def finished(self) -> list[Row]:
        """Sorted by operator; rows that differ in their opsets only, and follow each other, are one."""
        joined: list[Row] = []
        order = sorted(range(len(self.rows)), key=lambda i: self.rows[i].op)
        for row in (self.rows[i] for i in order):
            before = joined[-1] if joined else None
            if before and replace(before, opsets=row.opsets) == row and before.opsets[1] + 1 == row.opsets[0]:
                joined[-1] = replace(before, opsets=(before.opsets[0], row.opsets[1]))
            else:
                joined.append(row)
        self.refuse_twice(joined)
        return joined

    def refuse_twice(self, rows: list[Row]) -> None:
        named: dict[tuple[str, str, About], list[Row]] = {}
        for row in rows:
            before = named.setdefault((row.op, row.id, row.about), [])
            if any(meet(row, other) for other in before):
                raise DataError(f"{row.op}: {row.id} is there twice for release {self.releases[row.last]}")
            before.append(row)


def sentence(op: str, message: str, about: About, schema: Schema) -> str:
    """When the row speaks, in plain words: its message without the values of a model."""
    if not message:
        return clause(about, schema.inputs, schema.outputs)
    parts = []
    try:
        pieces = list(string.Formatter().parse(message.replace("TensorRT {release}", "TensorRT")))
    except ValueError as error:
        raise DataError(f"{op}: `message`: {error}") from None
    for piece, word, _, _ in pieces:
        value = {None: "", "op": op, "node": "", "release": "this release"}.get(word, "...")
        parts.append(piece + value)
    return " ".join("".join(parts).replace(" ``", "").split())


def meet(row: Row, other: Row) -> bool:
    """Whether both hold for some release and opset."""
    in_releases = row.first <= other.last and other.first <= row.last
    return in_releases and row.opsets[0] <= other.opsets[1] and other.opsets[0] <= row.opsets[1]


def opset_span(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, NO_OPSET
    lower, dots, upper = text.partition("..")
    if not re.fullmatch(r"[0-9]*(\.\.[0-9]*)?", text) or text in ("", ".."):
        raise DataError(f"`opset`: {text} is no range")
    first = int(lower or 1)
    return first, first if not dots else int(upper or NO_OPSET)


def quoted(text: str) -> str:
    # Octal, because the next character may be a hexadecimal digit.
    return '"' + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else
                         "".join(f"\\{byte:03o}" for byte in c.encode()) for c in text) + '"'  # fmt: skip


def expression_line(one: Expression) -> str:
    real = repr(one.real) if one.real else "0"
    return f"    {{Op::{one.op}, {one.a}, {one.b}, {one.c}, {one.number}, {real}, {quoted(one.text)}}},"


def render(generator: Generator) -> str:
    allowed: list[str] = []
    pieces: list[tuple[str, int]] = []
    rows = []
    for row in generator.finished():
        about = row.about
        rows.append(
            f"    {{{quoted(row.op)}, {quoted(row.id)}, {row.first}, {row.last}, {row.seen}, {row.opsets[0]},"
            f" {row.opsets[1]}, {str(row.is_strong).lower()}, Effect::{row.effect},"
            f" Subject::{about.subject}, {quoted(about.attribute)},"
            f" {about.index}, {len(allowed)}, {len(about.allowed)}, {row.condition}, {quoted(row.words)},"
            f" {quoted(row.sentence)},"
            f" {str(row.tells_unknown).lower()}, {len(pieces)}, {len(row.message)},"
            f" {quoted(row.says)}, {quoted(row.fix)}, {quoted(row.source)}}},"
        )
        allowed += about.allowed
        pieces += row.message
    lines = ["// Made by codegen/embed_checks.py from cpp/data/checks. Do not edit.", ""]
    lines += ["inline constexpr RowData kRows[] = {", *rows, "};", ""]
    # No table is empty: C++ has no arrays without elements.
    texts = [f"    {quoted(text)}," for text in allowed] or ['    "",']
    lines += ["inline constexpr std::string_view kAllowed[] = {", *texts, "};", ""]
    parts = [f"    {{{quoted(text)}, {place}}}," for text, place in pieces] or [f'    {{"", {NONE}}},']
    lines += ["inline constexpr Piece kPieces[] = {", *parts, "};", ""]
    lines += ["inline constexpr Expression kExpressions[] = {", *map(expression_line, generator.pool.expressions), "};"]
    return "\n".join(lines) + "\n"


def read(folder: Path, support: dict[str, Any], schemas: list[dict[str, Any]]) -> Generator:
    generator = Generator(support, schemas)
    for path in sorted(folder.glob("*.toml")):
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise DataError(f"{path.name}: {error}") from None
        generator.add_file(path.name, data)
    if len(generator.pool.expressions) >= OUTPUTS:
        raise DataError("more expressions than an index holds")
    return generator


def main(arguments: list[str]) -> int:
    folder, support, schemas, output, operators = (Path(argument) for argument in arguments)
    try:
        generator = read(
            folder, json.loads(support.read_text("utf-8")), json.loads(schemas.read_text("utf-8"))["schemas"]
        )
        text = render(generator)
    except DataError as error:
        print(f"{folder}/{error}", file=sys.stderr)
        return 1
    output.write_text(text, "utf-8")
    ops = sorted({row.op for row in generator.rows})
    operators.write_text("".join(f"    {quoted(op)},\n" for op in ops), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
