"""The seed that nobody looked at: which models it takes, and its part of docs/accuracy.md."""

from __future__ import annotations

import re
from pathlib import Path

import accuracy
import compare
import grid
import second_seed

PAGE = Path(__file__).resolve().parents[2] / "docs/accuracy.md"


def test_it_has_no_model_of_the_first_seed(tmp_path: Path) -> None:
    first, second, again = (tmp_path / name for name in ("first", "second", "again"))
    for folder in (first, second, again):
        folder.mkdir()
    seen = {entry.path.read_bytes() for entry in compare.write_grid(first, grid.SEED, ["Relu", "Gather"])}
    chosen = [entry.path.read_bytes() for entry in second_seed.write_sample(second, only=["Relu", "Gather"], one_in=2)]
    assert len(chosen) > 20
    assert not seen.intersection(chosen)
    assert chosen == [
        entry.path.read_bytes() for entry in second_seed.write_sample(again, only=["Relu", "Gather"], one_in=2)
    ]


def test_a_section_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n", "utf-8")
    accuracy.put_section("second", "old", page)
    accuracy.put_section("control", "loops", page)
    accuracy.put_section("second", "new", page)
    second = "<!-- second: begin -->\nnew\n<!-- second: end -->\n"
    assert page.read_text("utf-8") == f"# Title\n\n{second}\n<!-- control: begin -->\nloops\n<!-- control: end -->\n"


def test_the_page_says_which_figure_is_which() -> None:
    text = PAGE.read_text("utf-8")
    section = text[text.index("<!-- second: begin -->") : text.index("<!-- second: end -->")]
    assert f"seed {second_seed.SEED}, on " in section and second_seed.SEED != grid.SEED
    rows = re.findall(r"^\| (\d\.\d\.\d) \|.*\| (\d+\.\d\d) % \| (\d+\.\d\d) % \|$", section, re.MULTILINE)
    assert [version for version, _, _ in rows] == ["1.4.0", "1.5.0", "1.6.1", "1.7.1"]
    assert all(float(found) > 90 and float(false) < 1 for _, found, false in rows)
    assert "A seed that nobody looked at" in text[: text.index("## In total")]
