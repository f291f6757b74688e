"""Turns cpp/data/facts/*.toml into constexpr C++ tables.

usage: embed_facts.py FACTS_FOLDER OP_SUPPORT_JSON PLUGINS_JSON ONNX_SCHEMAS_JSON TABLES_OUTPUT OPERATORS_OUTPUT

A fact is about operators in some releases; docs/adding-a-fact.md explains the keys. A mistake stops the build with the
file, the fact and the word that is wrong. Standard library only (tomli where Python has no tomllib).
"""

from __future__ import annotations

import json
import re
import string
import sys
from collections.abc import Iterable
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
from evidence import Evidence, number
from records import EFFECTS, cases_of
from subjects import About, about_attribute, about_tensor, clause

FILE_KEYS = {"ops", "inputs", "outputs", "let", "fact"}
NO_OPSET = 1 << 30
NETWORKS = ("any", "strongly typed", "weakly typed")
ANY_GPU = ((0, 0), (0, 0))
#: Two lines: what is longer cannot be read.
LONGEST_CONDITION = 240
#: In the order in which they look at a model.
REFUSERS = ("parser", "builder", "shapes", "kernels")


@dataclass(frozen=True)
class Fact:
    op: str
    id: str
    first: int
    last: int
    opsets: tuple[int, int]
    network: str
    is_of_plugin: bool  # TensorRT's library of plugins takes the operator
    gpus: tuple[tuple[int, int], tuple[int, int]]  # compute capabilities; ANY_GPU
    effect: str
    about: About
    condition: int
    words: str
    sentence: str  # the same in plain words
    tells_unknown: bool
    refused_by: str  # one of REFUSERS
    message: tuple[tuple[str, int], ...]  # texts, each with the expression behind it or NONE
    says: str
    fix: str
    evidence: Evidence
    example: str
    near: str
    model_opset: int  # of these two


class Generator:
    def __init__(self, support: dict[str, Any], schemas: list[dict[str, Any]], plugins: Iterable[str] = ()) -> None:
        """@param plugins  names of the operators of TensorRT's library of plugins"""
        self.sources: dict[str, str] = support["sources"]
        # Those of TensorRT-RTX come behind, and no range holds both.
        self.releases: list[str] = [row["release"] for row in [*support["releases"], *support["rtx"]["releases"]]]
        self.newest = len(support["releases"]) - 1
        self.like: dict[str, str] = {row["release"]: row["like"] for row in support["rtx"]["releases"]}
        self.imported = {*support["ops"], *support["rtx"]["ops"]}
        self.known_ops = self.imported | set(plugins)
        self.schemas: dict[str, list[dict[str, Any]]] = {}
        for row in schemas:
            if not row["domain"]:
                self.schemas.setdefault(row["op"], []).append(row)
        self.pool = Pool()
        self.facts: list[Fact] = []
        self.files: dict[str, str] = {}  # by id

    def add_file(self, name: str, data: dict[str, Any]) -> None:
        if unknown := set(data) - FILE_KEYS:
            raise DataError(f"{name}: unknown key `{min(unknown)}` (known: {', '.join(sorted(FILE_KEYS))})")
        ops = data.get("ops", [Path(name).stem])
        ids: list[str] = []
        for fact in data.get("fact", []):
            where = f"{name}: {fact.get('id', '?')}"
            try:
                for case in cases_of(fact):
                    self.add_case(case, case.get("ops", ops), data)
                self.name_fact(fact["id"], name)
            except (ConditionError, DataError) as error:
                raise DataError(f"{where}: {error}") from None
            if ids and fact["id"] < ids[-1]:
                raise DataError(f"{where}: facts are sorted by id, and this one stands behind {ids[-1]}")
            ids.append(fact["id"])

    def name_fact(self, id: str, file: str) -> None:
        if id in self.files:
            raise DataError(f"the id is there twice, in {self.files[id]} too")
        self.files[id] = file

    def add_case(self, case: dict[str, Any], ops: list[str], file: dict[str, Any]) -> None:
        (effect,) = (effect for effect in EFFECTS if effect in case)
        if len(case[effect]) > LONGEST_CONDITION:
            raise DataError(f"the condition has {len(case[effect])} characters: name its parts in `let`")
        first, last = self.span(case["in"])
        evidence = Evidence.of(case, self.releases[: self.newest + 1], self.sources)
        self.contradicts(evidence, first, last)
        for op in ops:
            if op not in self.known_ops:
                raise DataError(f"`{op}` is no operator that cpp/data/op_support.json or plugins.json knows")
            mistake: ConditionError | None = None
            made = []
            for opsets, schema in self.schemas_of(op, case.get("opset"), file):
                compiler = Compiler(schema, self.pool, file.get("let", {}))
                condition = case[effect]
                try:
                    place = compiler.condition(condition)
                    about = self.about(case, condition, compiler)
                    if about.attribute in schema.later:
                        raise ConditionError(f"{op} has no attribute `{about.attribute}` at this opset")
                    fact = Fact(
                        op=op,
                        id=case["id"],
                        first=first,
                        last=last,
                        opsets=opsets,
                        network=self.network(case),
                        is_of_plugin=op not in self.imported,
                        gpus=gpu_span(case.get("gpu")),
                        effect=effect,
                        about=about,
                        condition=place,
                        words=spelled_out(condition, file.get("let", {})),
                        sentence=sentence(op, case.get("message", ""), about, compiler.schema),
                        tells_unknown=self.tells_unknown(case),
                        refused_by=self.refused_by(case),
                        message=self.template(case.get("message", ""), compiler),
                        says=case.get("says", ""),
                        fix=case.get("fix", ""),
                        evidence=evidence,
                        example=for_operator(case["example"], ops[0], op),
                        near=for_operator(case["near"], ops[0], op),
                        model_opset=int(case.get("at_opset", "17")),
                    )
                except ConditionError as error:
                    mistake = error
                    continue
                made.append(fact)
            # Without `opset` a case is about those that have its names.
            if mistake and (not made or "opset" in case):
                raise mistake
            self.facts += made

    def contradicts(self, evidence: Evidence, first: int, last: int) -> None:
        """A version that accepts the model is no part of the range; at its end, it may be ahead of its branch."""
        for release, like in self.like.items():
            at = self.index(release) if first > self.newest else self.index(like)
            if first <= at < last and evidence.verdict(release) == "accepted":
                raise DataError(f"`measured`: {release} accepts it, and is in the range")

    def network(self, case: dict[str, Any]) -> str:
        named = case.get("network", "any")
        if named not in NETWORKS:
            raise DataError(f"`network`: {named} (known: {', '.join(NETWORKS[1:])})")
        return str(named.replace(" ", "_"))

    def tells_unknown(self, case: dict[str, Any]) -> bool:
        if case.get("if_unknown", "warn") != "warn":
            raise DataError(f"`if_unknown`: {case['if_unknown']} (known: warn)")
        return "if_unknown" in case

    def refused_by(self, case: dict[str, Any]) -> str:
        """The parser, as far as nobody said another."""
        if case.get("by", REFUSERS[1]) not in REFUSERS[1:]:
            raise DataError(f"`by`: {case['by']} (known: {', '.join(REFUSERS[1:])})")
        if "by" in case and "refuse" not in case:
            raise DataError("`by` says who refuses, and the fact refuses nothing")
        return str(case.get("by", REFUSERS[0]))

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

    def schemas_of(self, op: str, opset: str | None, file: dict[str, Any]) -> list[tuple[tuple[int, int], Schema]]:
        """The opsets of a case, cut where the operator's names change."""
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

    def about(self, case: dict[str, Any], condition: str, compiler: Compiler) -> About:
        node = parse(condition)
        found = about_attribute(node) or about_tensor(node, lambda n: compiler.tensor(n, "given"))
        if found and "message" not in case:
            return found
        if "message" not in case:
            raise DataError("`message` is missing: this condition has no message of its own")
        kind, _, name = case.get("about", "node").partition(" ")
        if kind == "input" and name in compiler.schema.inputs:
            return About("relation", index=compiler.schema.inputs.index(name))
        if kind == "attribute" and name:
            compiler.known_attribute(name)
            return About("relation", name)
        if case.get("about", "node") != "node":
            raise DataError(f"`about`: {case['about']} (known: node, input NAME, attribute NAME)")
        return About("relation")

    def template(self, text: str, compiler: Compiler) -> tuple[tuple[str, int], ...]:
        """Texts with the expressions after them; `{op}`, `{node}`, `{release}`, `{gpu}` are words of messages only.

        `TensorRT {release}` is "TensorRT 10.13" or "TensorRT-RTX 1.7": the product belongs to the name.
        """
        pieces = []
        if "{release}" in text.replace("TensorRT {release}", ""):
            raise DataError("`message`: write `TensorRT {release}`")
        try:
            parts = list(string.Formatter().parse(text.replace("TensorRT {release}", "{release}")))
        except ValueError as error:
            raise DataError(f"`message`: {error}") from None
        for piece, word, form, conversion in parts:
            place = NONE
            if form or conversion:
                raise DataError(f"`message`: `{{{word}}}` has a format")
            if word in ("op", "node", "release", "gpu"):
                place = self.pool.add(Expression(f"{word}_name"))
            elif word is not None:
                place = compiler.value(parse(word))[0]
            pieces.append((piece, place))
        return tuple(pieces)

    def finished(self) -> list[Fact]:
        """Sorted by operator; facts that differ in their opsets only, and follow each other, are one."""
        joined: list[Fact] = []
        order = sorted(range(len(self.facts)), key=lambda i: self.facts[i].op)
        for fact in (self.facts[i] for i in order):
            before = joined[-1] if joined else None
            if before and replace(before, opsets=fact.opsets) == fact and before.opsets[1] + 1 == fact.opsets[0]:
                joined[-1] = replace(before, opsets=(before.opsets[0], fact.opsets[1]))
            else:
                joined.append(fact)
        self.refuse_twice(joined)
        return joined

    def refuse_twice(self, facts: list[Fact]) -> None:
        named: dict[tuple[str, str, About], list[Fact]] = {}
        for fact in facts:
            before = named.setdefault((fact.op, fact.id, fact.about), [])
            if any(meet(fact, other) for other in before):
                raise DataError(f"{fact.op}: {fact.id} is there twice for release {self.releases[fact.last]}")
            before.append(fact)


def spelled_out(condition: str, lets: dict[str, str]) -> str:
    """The condition on one line, with what its names stand for."""
    text = " ".join(condition.split())
    for name, part in lets.items():
        # Not within a text in quotes.
        pieces = re.split(r"('[^']*')", text)
        whole = part if text == name else f"({part})"
        pieces[::2] = [re.sub(rf"\b{name}\b", lambda _, whole=whole: whole, piece) for piece in pieces[::2]]
        text = "".join(pieces)
    return text


def for_operator(model: str, written_for: str, op: str) -> str:
    """The text of a model, with another operator of the same case."""
    return re.sub(rf"\b{written_for}\b", op, model.strip())


def sentence(op: str, message: str, about: About, schema: Schema) -> str:
    """When the fact speaks, in plain words: its message without the values of a model."""
    if not message:
        return clause(about, schema.inputs, schema.outputs)
    parts = []
    try:
        pieces = list(string.Formatter().parse(message.replace("TensorRT {release}", "TensorRT")))
    except ValueError as error:
        raise DataError(f"{op}: `message`: {error}") from None
    for piece, word, _, _ in pieces:
        value = {None: "", "op": op, "node": "", "release": "this release", "gpu": "this GPU"}.get(word, "...")
        parts.append(piece + value)
    return " ".join("".join(parts).replace(" ``", "").split())


def meet(fact: Fact, other: Fact) -> bool:
    """Whether both hold for some release, opset and GPU."""
    if ANY_GPU not in (fact.gpus, other.gpus) and (fact.gpus[1] < other.gpus[0] or other.gpus[1] < fact.gpus[0]):
        return False
    in_releases = fact.first <= other.last and other.first <= fact.last
    return in_releases and fact.opsets[0] <= other.opsets[1] and other.opsets[0] <= fact.opsets[1]


def opset_span(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, NO_OPSET
    lower, dots, upper = text.partition("..")
    if not re.fullmatch(r"[0-9]*(\.\.[0-9]*)?", text) or text in ("", ".."):
        raise DataError(f"`opset`: {text} is no range")
    first = int(lower or 1)
    return first, first if not dots else int(upper or NO_OPSET)


def gpu_span(text: str | None) -> tuple[tuple[int, int], tuple[int, int]]:
    """Compute capabilities, both included."""
    if text is None:
        return ANY_GPU
    if text == ".." or not re.fullmatch(r"(\d+\.\d+)?(\.\.)?(\d+\.\d+)?", text) or text.count(".") > 4:
        raise DataError(f"`gpu`: {text} is no range of compute capabilities")
    lower, dots, upper = text.partition("..")
    first, last = capability(lower or "0.1"), capability((upper or "999.9") if dots else lower)
    if first > last:
        raise DataError(f"`gpu`: the range {text} is empty")
    return first, last


def capability(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)


def quoted(text: str) -> str:
    # Octal, because the next character may be a hexadecimal digit.
    return '"' + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else
                         "".join(f"\\{byte:03o}" for byte in c.encode()) for c in text) + '"'  # fmt: skip


def expression_line(one: Expression) -> str:
    real = repr(one.real) if one.real else "0"
    return f"    {{Op::{one.op}, {one.a}, {one.b}, {one.c}, {one.number}, {real}, {quoted(one.text)}}},"


def measurement_line(one: tuple[tuple[str, str], str], like: dict[str, str]) -> str:
    """The numbers of a version of TensorRT-RTX are those of the TensorRT that it is like."""
    (first, last), verdict = one
    known = [release for release in like if number(first) <= number(release) <= number(last)]
    ends = [like[release] for release in (known[0], known[-1])] if known else ["0.0", "0.0"]
    numbers = ", ".join(f"{{{end.replace('.', ', ')}, Product::rtx}}" for end in ends)
    words = " to ".join(dict.fromkeys(release.removeprefix("rtx-") for release in (first, last)))
    return f"    {{{numbers}, {quoted(words)}, Verdict::{verdict}}},"


class Table:
    """Runs of lines that facts point into; equal runs are kept once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.places: dict[tuple[str, ...], int] = {}

    def place(self, run: tuple[str, ...]) -> str:
        """ "begin, count"."""
        if run not in self.places:
            self.places[run] = len(self.lines)
            self.lines += run
        return f"{self.places[run]}, {len(run)}"


def render(generator: Generator) -> str:
    texts, pieces, measured = Table(), Table(), Table()
    facts = []
    for fact in generator.finished():
        about, evidence = fact.about, fact.evidence
        read = ", ".join(str(NONE if place is None else place) for place in evidence.read)
        facts.append(
            f"    {{{quoted(fact.op)}, {quoted(fact.id)}, {fact.first}, {fact.last}, {fact.opsets[0]},"
            f" {fact.opsets[1]}, Network::{fact.network}, {str(fact.is_of_plugin).lower()},"
            f" {{{', '.join(map(str, fact.gpus[0]))}}}, {{{', '.join(map(str, fact.gpus[1]))}}}, Effect::{fact.effect},"
            f" Subject::{about.subject}, {quoted(about.attribute)}, {about.index},"
            f" {texts.place(tuple(f'    {quoted(text)},' for text in about.allowed))},"
            f" {fact.condition}, {quoted(fact.words)}, {quoted(fact.sentence)}, {str(fact.tells_unknown).lower()},"
            f" RefusedBy::{fact.refused_by},"
            f" {pieces.place(tuple(f'    {{{quoted(text)}, {place}}},' for text, place in fact.message))},"
            f" {quoted(fact.says)}, {quoted(fact.fix)}, {read},"
            f" {measured.place(tuple(measurement_line(one, generator.like) for one in evidence.measured))},"
            f" {texts.place(tuple(f'    {quoted(text)},' for text in evidence.reported))},"
            f" {quoted(evidence.source)}, {quoted(fact.example)}, {quoted(fact.near)}, {fact.model_opset}}},"
        )
    lines = ["// Made by codegen/embed_facts.py from cpp/data/facts. Do not edit.", ""]
    lines += ["inline constexpr FactData kFacts[] = {", *facts, "};", ""]
    # No table is empty: C++ has no arrays without elements.
    for kind, name, table, filler in (
        ("std::string_view", "kTexts", texts, '    "",'),
        ("Piece", "kPieces", pieces, f'    {{"", {NONE}}},'),
        ("Measurement", "kMeasured", measured, measurement_line((("rtx-0.0", "rtx-0.0"), "accepted"), {})),
    ):
        lines += [f"inline constexpr {kind} {name}[] = {{", *(table.lines or [filler]), "};", ""]
    lines += ["inline constexpr Expression kExpressions[] = {", *map(expression_line, generator.pool.expressions), "};"]
    return "\n".join(lines) + "\n"


def read(folder: Path, support: Path, plugins: Path, schemas: Path) -> Generator:
    tables = [json.loads(path.read_text("utf-8")) for path in (support, plugins, schemas)]
    generator = Generator(tables[0], tables[2]["schemas"], tables[1]["plugins"])
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
    folder, support, plugins, schemas, output, operators = (Path(argument) for argument in arguments)
    try:
        generator = read(folder, support, plugins, schemas)
        text = render(generator)
    except DataError as error:
        print(f"{folder}/{error}", file=sys.stderr)
        return 1
    output.write_text(text, "utf-8")
    ops = sorted({fact.op for fact in generator.facts})
    operators.write_text("".join(f"    {quoted(op)},\n" for op in ops), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
