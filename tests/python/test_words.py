"""Texts that users read keep to the word list of docs/writing.md."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_cli import PROGRAM

import trtcheck

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(__file__).resolve().parents[2]
WRITING = ROOT / "docs/writing.md"
# Made from the facts, the rules and the settings, or from what NVIDIA prints; the word list itself.
NOT_PAGES = {WRITING, ROOT / "docs/messages.md", ROOT / "docs/accuracy.md"}
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if page not in NOT_PAGES and ROOT / "docs/operators" not in page.parents]
FACTS = sorted((ROOT / "cpp/data/facts").glob("*.toml"))
LONGEST_MESSAGE = 240


def refused_words() -> list[str]:
    """The left side of the table `not | but`."""
    rows = re.findall(r"^\| (`.*) \| .* \|$", WRITING.read_text(), re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row)]


def pattern_of(words: list[str]) -> re.Pattern[str]:
    ends = [re.escape(word) + (r"\b" if word[-1].isalnum() else "") for word in words]
    return re.compile(r"\b(" + "|".join(ends) + ")", re.IGNORECASE)


REFUSED = pattern_of(refused_words())


def prose(text: str) -> str:
    """Without code, which quotes names and what other programs print."""
    text = re.sub(r"^(`{3,}|:{3,}).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)", "", text)


def found(text: str) -> list[str]:
    return [match[0] for match in REFUSED.finditer(prose(text))]


def fact_texts(page: Path) -> Iterator[tuple[str, str]]:
    """Id and text of every message and fix."""
    for fact in tomllib.loads(page.read_text())["fact"]:
        for case in (fact, *fact.get("case", [])):
            yield from ((fact["id"], case[key]) for key in ("message", "fix") if key in case)


def commands() -> list[str]:
    text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z]+) {2,}", text, re.MULTILINE)


def test_the_list_is_read_whole() -> None:
    words = refused_words()
    assert {"behind", "TensorRT takes", "is wanted", "TensorRT rtx-"} <= set(words)
    assert len(words) == len(set(words)) > 15


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("TensorRT takes one of them", ["TensorRT takes"]),
        ("the Relu behind it, where TensorRT wants a constant", ["behind", "TensorRT wants"]),
        ("it takes 3 s; `TensorRT takes` is quoted", []),
        ("a scale is wanted, as TensorRT rtx-1.7 prints", ["is wanted", "TensorRT rtx-"]),
        ("unwanted, [behind](behind.md)", ["behind"]),
    ],
)
def test_words_are_found(text: str, words: list[str]) -> None:
    assert found(text) == words


@pytest.mark.parametrize("page", FACTS, ids=lambda page: page.stem)
def test_facts(page: Path) -> None:
    for name, text in fact_texts(page):
        assert not found(text), f"{name}: {text}"
        assert len(text) <= LONGEST_MESSAGE, f"{name}: {len(text)} characters: {text}"
        assert not text.endswith("."), f"{name}: {text}"


def test_rules() -> None:
    for rule in trtcheck.rules():
        assert not found(rule.summary), f"{rule.name}: {rule.summary}"
        assert not found(rule.docs), f"{rule.name}: {found(rule.docs)}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page: Path) -> None:
    for number, line in enumerate(prose(page.read_text()).splitlines(), 1):
        assert not found(line), f"{page.name}, line {number} without code: {line}"


@pytest.mark.parametrize("command", ["", *commands()])
def test_help(command: str) -> None:
    text = subprocess.run([PROGRAM, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
    assert not found(text)


@pytest.mark.parametrize("page", sorted((ROOT / "cpp/data").glob("*.schema.json")), ids=lambda page: page.name)
def test_schemas(page: Path) -> None:
    def walk(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            if isinstance(value.get("description"), str):
                yield value["description"]
            for inner in value.values():
                yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)

    for text in walk(json.loads(page.read_text())):
        assert not found(text), text


def test_docstrings() -> None:
    for name in trtcheck.__all__:
        assert not found(getattr(trtcheck, name).__doc__ or ""), name
