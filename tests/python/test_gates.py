"""Release gates: mistakes in cpp/data/gates.toml stop the build, and every gate is asked somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import tomllib

CPP = Path(__file__).resolve().parents[2] / "cpp"
GENERATOR = CPP / "codegen" / "embed_gates.py"
SUPPORT = CPP / "data" / "op_support.json"
GATES = tomllib.loads((CPP / "data" / "gates.toml").read_text(encoding="utf-8"))

GOOD = '[outputs-skipped]\nfrom = "10.6"\nwhat = "they do not count"\nsource = "toposort.hpp, 10.6"\n'


def embed(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    source, output = tmp_path / "gates.toml", tmp_path / "gates.inc"
    source.write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(GENERATOR), str(source), str(SUPPORT), str(output)], capture_output=True, text=True
    )


def test_a_gate_becomes_a_constant(tmp_path: Path) -> None:
    assert embed(tmp_path, GOOD).returncode == 0
    made = (tmp_path / "gates.inc").read_text(encoding="utf-8")
    assert 'inline constexpr Gate outputs_skipped{0, {10, 6}, "outputs-skipped", "they do not count",' in made
    assert "kAll[] = {&outputs_skipped};" in made


def test_a_gate_of_tensorrt_rtx(tmp_path: Path) -> None:
    assert embed(tmp_path, GOOD.replace('"10.6"', '"rtx-1.6"')).returncode == 0
    made = (tmp_path / "gates.inc").read_text(encoding="utf-8")
    assert "outputs_skipped{0, {11, 2, Product::rtx}," in made


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        ('from = "10.6"', 'from = "10.99"', "[outputs-skipped]: release 10.99 is not in the list"),
        ("[outputs-skipped]", "[Outputs_skipped]", "[Outputs_skipped]: a name has small letters"),
        ('what = "they do not count"\n', "", "[outputs-skipped]: has the keys from, what, source"),
        ('what = "they do not count"', 'what = ""', "[outputs-skipped]: has the keys from, what, source"),
        ("source =", "sourse =", "[outputs-skipped]: has the keys from, what, source"),
        ('from = "10.6"', 'from = "10.6', "gates.toml: "),
    ],
)
def test_a_mistake_stops_the_build(tmp_path: Path, before: str, after: str, cause: str) -> None:
    assert before in GOOD
    done = embed(tmp_path, GOOD.replace(before, after))
    assert done.returncode == 1
    assert cause in done.stderr
    assert not (tmp_path / "gates.inc").exists()


def test_every_gate_is_asked() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (CPP / "src").rglob("*.?pp"))
    asked = set(re.findall(r"\bgates::(\w+)", code))
    assert asked - {"kAll"} == {name.replace("-", "_") for name in GATES}


def test_no_rule_has_a_release_of_its_own() -> None:
    for room in ("target", "view", "facts", "rules", "engine"):
        for path in (CPP / "src" / room).rglob("*.?pp"):
            assert not re.search(r"TrtVersion(\s+\w+)?\s*\{\s*\d", path.read_text(encoding="utf-8")), path


#: Rooms that see a release through `ReleaseView` only: it gives what the descriptor of a rule lists.
SEEING = ("view", "facts", "rules")

#: What tells releases apart without that: the answers that `Operators` holds, and the functions behind `ReleaseView`.
TELLING = {"view/dispatch.cpp", "view/executed.cpp", "view/operators.cpp", "view/node_view.hpp"}


def test_rules_see_no_release_but_through_its_view() -> None:
    # `gates_test.cpp` looks at what they ask of it.
    looks = re.compile(r"target(\(\))?\.release\b|\bopen_in\(|\bt\.release\b")
    found = set()
    for room in SEEING:
        for path in sorted((CPP / "src" / room).rglob("*.?pp")):
            if looks.search(re.sub(r"//.*", "", path.read_text(encoding="utf-8"))):
                found.add(str(path.relative_to(CPP / "src")))
    assert found <= TELLING
