"""Kinds of operators: mistakes in cpp/data/operators.toml stop the build, every kind is asked, and no source has a list
of its own that says the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import tomllib

CPP = Path(__file__).resolve().parents[2] / "cpp"
GENERATOR = CPP / "codegen" / "embed_operators.py"
KINDS = tomllib.loads((CPP / "data" / "operators.toml").read_text(encoding="utf-8"))
SOURCES = {
    path: path.read_text(encoding="utf-8") for path in (CPP / "src").rglob("*.[ch]pp") if "cure" not in path.parts
}

GOOD = """
[pool]
what = "pools"
operators = ["AveragePool", "MaxPool"]

[window]
what = "looks at windows"
source = "read"
operators = ["Conv"]
with = ["pool"]
"""


def embed(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    source, output = tmp_path / "operators.toml", tmp_path / "operators.inc"
    source.write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, str(GENERATOR), str(source), str(output)], capture_output=True, text=True)


def test_kinds_become_constants(tmp_path: Path) -> None:
    assert embed(tmp_path, GOOD).returncode == 0
    made = (tmp_path / "operators.inc").read_text(encoding="utf-8")
    assert 'inline constexpr OperatorKind pool{0, "pool", "pools", "", pool_operators};' in made
    assert 'window_operators[] = {"AveragePool", "Conv", "MaxPool"};' in made
    assert '{"Conv", {0x2U, 0x0U}},' in made
    assert '{"MaxPool", {0x3U, 0x0U}},' in made


def test_the_65th_kind_is_in_the_second_word(tmp_path: Path) -> None:
    many = "".join(f'[kind-{i}]\nwhat = "x"\noperators = ["Op{i}"]\n' for i in range(65))
    made = embed(tmp_path, many)
    assert made.returncode == 0, made.stderr
    assert '{"Op64", {0x0U, 0x1U}},' in (tmp_path / "operators.inc").read_text(encoding="utf-8")
    too_many = embed(tmp_path, many + "".join(f'[more-{i}]\nwhat = "x"\noperators = ["Op"]\n' for i in range(64)))
    assert too_many.returncode == 1
    assert "more than 128 kinds" in too_many.stderr


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        ("[pool]", "[Pool]", "[Pool]: a name has small letters"),
        ('what = "pools"\n', "", "[pool]: has a text `what`"),
        ('operators = ["AveragePool", "MaxPool"]', "", "[pool]: has a text `what`, and `operators` or `with`"),
        ('"AveragePool", "MaxPool"', '"MaxPool", "AveragePool"', "[pool]: `operators` is not sorted"),
        ('"AveragePool", "MaxPool"', '"MaxPool", "MaxPool"', "[pool]: `operators` is not sorted, or names"),
        ('source = "read"', 'sourse = "read"', "[window]: `sourse` is no key"),
        ('source = "read"', "source = 1", "[window]: `source` is no key, or of the wrong type"),
        ('with = ["pool"]', 'with = ["pol"]', "[window]: `pol` is no kind"),
        ('with = ["pool"]', 'with = ["window"]', "[window]: is made of itself"),
        ('["Conv"]', '["Conv", "MaxPool"]', "[window]: MaxPool is of `pool` already"),
        ("[window]", "[window", "operators.toml: "),
    ],
)
def test_a_mistake_stops_the_build(tmp_path: Path, before: str, after: str, cause: str) -> None:
    assert before in GOOD
    done = embed(tmp_path, GOOD.replace(before, after))
    assert done.returncode == 1
    assert cause in done.stderr
    assert not (tmp_path / "operators.inc").exists()


def test_every_kind_is_asked() -> None:
    asked = set(re.findall(r"kinds::(\w+)", "\n".join(SOURCES.values())))
    made_of = {other for kind in KINDS.values() for other in kind.get("with", [])}
    for name in KINDS:
        assert name.replace("-", "_") in asked or name in made_of, name


LIST = r"\b(k[A-Z]\w*)(?:\[\])? ?=? ?(?:std::to_array<std::string_view>\()?\{([^{}]*)\}"
# Lists of other things: names of types, and what a floor below the kinds has to know.
OTHER_LISTS = {
    "kWeighty": "model/asked.cpp, which is below the kinds",
}


def test_no_source_has_a_list_of_operators_of_its_own() -> None:
    operators = {name for kind in KINDS.values() for name in kind.get("operators", [])}
    found = []
    for path, text in SOURCES.items():
        for match in re.finditer(LIST, text):
            names = re.findall(r'"(\w+)"', match[2])
            # What a rule is called for is its own affair, where it is no kind.
            is_list = match[1] != "kOps" and len(names) > 1 and set(names) <= operators
            if is_list and match[1] not in OTHER_LISTS:
                found.append(f"{path.relative_to(CPP)}: {match[1]}")
    assert not found


def whole(name: str) -> frozenset[str]:
    parts = (whole(other) for other in KINDS[name].get("with", []))
    return frozenset(KINDS[name].get("operators", [])).union(*parts)


def test_no_rule_writes_down_the_operators_of_a_kind() -> None:
    kinds = {whole(name): name for name in KINDS}
    for path, text in SOURCES.items():
        for listed in re.findall(r"kOps\[\] = \{([^{}]*)\}", text):
            names = frozenset(re.findall(r'"(\w+)"', listed))
            assert names not in kinds, f"{path.name}: kinds::{kinds.get(names)}"
