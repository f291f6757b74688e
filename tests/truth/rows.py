"""What our rows and rules claim about a model: that TensorRT refuses it, or that it does not.

The claims come from our own answer, release by release: a row whose example we refuse claims a refusal, as sure as the
finding says. A near miss, and what a rule's page shows under *Instead*, claims that the model is not refused.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import onnx
import onnx.parser
import tomllib
from onnx import ModelProto
from prepare import declare_outputs

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cpp/codegen"))
cases_of = importlib.import_module("records").cases_of

FACTS = ROOT / "cpp/data/facts"
PAGES = ROOT / "docs/rules"
CERTAINTIES = ("proven", "likely", "possible")


@dataclass(frozen=True)
class Sample:
    """A model of a row or a page. `fact`: the id of the row, or the code of the rule, that it is about."""

    address: str
    part: str  # "example" or "near"
    fact: str
    model: ModelProto
    profile: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return f"{self.address} {self.part}"


@dataclass(frozen=True)
class Claim:
    refused: bool
    certainty: str


def of_rows() -> Iterator[Sample]:
    for path in sorted(FACTS.glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        for case in (case for fact in data["fact"] for case in cases_of(fact)):
            ops = case.get("ops") or data.get("ops") or [path.stem]
            for op in ops:
                for part in ("example", "near"):
                    text = re.sub(rf"\b{ops[0]}\b", op, case[part].strip())
                    model = parsed(text, case.get("at_opset", "17"))
                    yield Sample(f"{op}:{case['id']} ({case['in']})", part, case["id"], model)


def parsed(text: str, opset: str) -> ModelProto:
    if not text.lstrip().startswith("<"):
        text = f'<ir_version: 10, opset_import: ["" : {opset}]> {text}'
    return onnx.parser.parse_model(text)


# About the GPU: whatever the model, the witness has none.
NOT_ABOUT_MODELS = {"HWD301"}


def of_pages() -> Iterator[Sample]:
    for path in sorted(PAGES.glob("*.md")):
        title = re.match(r"# ([A-Z]{3}\d{3}) ", path.read_text("utf-8"))
        if title is None or title[1] in NOT_ABOUT_MODELS:
            continue
        text = path.read_text("utf-8")
        for heading, part in (("Example", "example"), ("Instead", "near")):
            section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
            blocks = re.findall(r"^```onnx(.*?)\n(.*?)^```", section[1] if section else "", re.MULTILINE | re.DOTALL)
            for number, (options, block) in enumerate(blocks):
                yield from _of_block(
                    f"{title[1]} {path.stem}", part + (f" {number + 1}" if number else ""), options, block
                )


def _of_block(address: str, part: str, options: str, block: str) -> Iterator[Sample]:
    said: dict[str, list[str]] = {}
    for word in options.split():
        name, _, value = word.partition("=")
        said.setdefault(name, []).append(value)
    # A folder of external data that is missing is no question for the witness.
    if "folder" in said or "outputs" in said:
        return
    try:
        model = parsed(block, said.get("opset", ["17"])[0])
    except onnx.parser.ParseError:
        return
    profile = ",".join(said.get("profile", []))
    named = {"precision": "precision", "plugin": "plugins", "cc": "compute_capability"}
    options_of_check = tuple((named[name], values[0]) for name, values in said.items() if name in named)
    yield Sample(address, part, address.split()[0], model, profile, options_of_check)


def typed(sample: Sample) -> Sample | None:
    """With element types for all outputs; None: they cannot be had."""
    model = ModelProto()
    model.CopyFrom(sample.model)
    return replace(sample, model=model) if declare_outputs(model) else None


def claim(sample: Sample, target: str) -> Claim | None:
    """What we say of the model for a release; None: something else is wrong with it there."""
    options: dict[str, Any] = dict(sample.options)
    if sample.profile:
        options["profile"] = sample.profile
    report = trtcheck.check(sample.model, target=target, **options)
    about = [finding for finding in report.errors if sample.fact in (finding.fact, finding.code)]
    if about:
        return Claim(True, min(about, key=lambda f: CERTAINTIES.index(f.certainty)).certainty)
    return None if report.errors else Claim(False, "")
