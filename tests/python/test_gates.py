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
    assert 'inline constexpr Gate outputs_skipped{{10, 6}, "outputs-skipped", "they do not count",' in made


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
    code = "\n".join(path.read_text(encoding="utf-8") for path in (CPP / "src").rglob("*.cpp"))
    asked = set(re.findall(r"\bgates::(\w+)", code))
    assert asked == {name.replace("-", "_") for name in GATES}


def test_no_rule_has_a_release_of_its_own() -> None:
    for room in ("target", "view", "facts", "rules", "engine"):
        for path in (CPP / "src" / room).rglob("*.?pp"):
            assert not re.search(r"TrtVersion(\s+\w+)?\s*\{\s*\d", path.read_text(encoding="utf-8")), path


#: Files that compare a release themselves, and what tells whoever listens of it (target/release_span.hpp).
COMPARING = {
    "evidence/evidence.cpp": "changes_behind",
    "rules/ops/op_unsupported.cpp": "to_string(target.release)",
    "rules/hardware/gpu_unsupported.cpp": "holds_only_for",
    "rules/hardware/kernel_reported_missing.cpp": "holds_only_for",
}


def test_whoever_compares_releases_is_heard() -> None:
    compares = re.compile(
        r"\brelease (?:<|>|<=|>=|==|!=) \S|(?:<|>|<=|>=|==|!=) (?:\w+\.)*release\b|release\.product =="
    )
    found = {}
    for room in ("view", "evidence", "facts", "rules"):
        for path in sorted((CPP / "src" / room).rglob("*.?pp")):
            code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
            if compares.search(code):
                found[str(path.relative_to(CPP / "src"))] = code
    assert set(found) == set(COMPARING)
    assert all(heard in found[path] for path, heard in COMPARING.items())
