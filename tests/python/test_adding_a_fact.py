"""docs/adding-a-fact.md, followed in a copy of the data: the fact passes the generator and says what the page says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from codegen import codegen
from test_fact_records import embed

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/adding-a-fact.md").read_text("utf-8")


def generate(checks: Path, output: Path) -> str:
    done = embed(checks, output)
    assert done.returncode == 0, done.stderr
    return output.read_text("utf-8")


def test_the_page_makes_a_fact(tmp_path: Path) -> None:
    (made,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    checks = tmp_path / "checks"
    shutil.copytree(ROOT / "cpp/data/facts", checks)
    before = generate(checks, tmp_path / "before.inc")
    file = checks / "Pad.toml"
    text = file.read_text("utf-8")
    head, *facts = re.split(r"(?m)^(?=\[\[fact\]\])", text)
    by_id = sorted([*facts, made + "\n"], key=lambda fact: re.findall(r'^id = "(.*)"', fact, re.MULTILINE)[0])
    file.write_text(head + "".join(fact.rstrip("\n") + "\n\n" for fact in by_id), "utf-8")
    after = generate(checks, tmp_path / "after.inc")
    (added,) = [line for line in after.splitlines() if '"pad-rank"' in line]
    assert "pad-rank" not in before
    assert "Effect::refuse, Subject::rank_at_most" in added
    assert added.startswith('    {"Pad", "pad-rank", ')


def words(table: str) -> set[str]:
    """Of the first column, without what is only punctuation."""
    return {
        word for cell in re.findall(r"^\| (.*?) \|", table, re.MULTILINE) for word in re.findall(r"`([^`]+)`", cell)
    }


def test_the_page_has_every_key_and_every_word() -> None:
    _, keys, *_ = re.split(r"^\| key \| says \|\n", PAGE, flags=re.MULTILINE)
    assert words(keys.split("\n\n")[0]) == codegen("records").KEYS | {"case"}
    named = set(re.findall(r"[a-z_]+", PAGE.split("| word | is |")[1].split("\n\n")[0]))
    assert set(codegen("conditions").WORDS) <= named


def test_every_operator_of_the_facts_is_known() -> None:
    support = json.loads((ROOT / "cpp/data/op_support.json").read_text("utf-8"))
    output = subprocess.run(
        [sys.executable, "-m", "trtcheck", "support", "--output-format", "json"], capture_output=True, check=True
    )
    document = json.loads(output.stdout)
    assert [entry["op"] for entry in document["operators"]] == sorted([*support["ops"], *support["rtx"]["ops"]])
    pad = next(entry for entry in document["operators"] if entry["op"] == "Pad")
    assert {"OPS401", "OPS412"} <= {fact["code"] for fact in pad["facts"]}
