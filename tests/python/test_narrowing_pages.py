"""The pages of `trtcheck axes`, `memory` and `partition` in a browser, with names as exporters write them."""

from __future__ import annotations

import html
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from browser import Page, needs_browser, open_browser
from onnx import numpy_helper
from test_cli import PROGRAM

import trtcheck

LONG = "/model/backbone/stages.2/blocks/blocks.11/attention/self/relative_position_bias_table"
COMMANDS = {"axes": (), "memory": (), "partition": ("--ort",)}
DESKTOP, PHONE = (1280, 800), (390, 844)


def exported() -> onnx.ModelProto:
    made = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18, "custom.ops.of.somebody" : 1]>
    m (float[batch_size_of_the_export,3,height_of_the_image,width] x, float[sequence_length,4] mask,
       float[other_length,4] z) => (float[a,b,c,d] y, float[e,f] o) <int64[2] t = {-1, 32}> {
      h0 = Conv <pads = [1,1,1,1]> (x, w)
      h1 = Relu (h0)
      h2 = custom.ops.of.somebody.DeformableAttentionWithAVeryLongName (h1)
      h3 = Sigmoid (h2)
      h4 = Bernoulli (h3)
      y = Mul (h4, h4)
      s = Reshape (x, t)
      m2 = Concat <axis = 1> (mask, z)
      o = Concat <axis = 0> (m2, m2)
    }""")
    made.graph.initializer.append(numpy_helper.from_array(np.zeros((8, 3, 3, 3), "f"), "w"))
    for i, node in enumerate(made.graph.node):
        node.name = f"{LONG}/{node.op_type}_{i}"
        for names in (node.input, node.output):
            names[:] = [f"{LONG}/{name}_output_0" if re.fullmatch(r"h\d|s|m2", name) else name for name in names]
    return made


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    path = folder / "a_model_with_a_rather_long_name_that_has_to_go_somewhere.onnx"
    onnx.save(exported(), path)
    for name, words in COMMANDS.items():
        command = [PROGRAM, name, "--target", "10.13", "--output-format", "html", *words, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode in (0, 1), done.stderr
        (folder / f"{name}.html").write_text(done.stdout)
    return folder


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


#: What sticks out of the window, and of no box that scrolls.
STICKS_OUT = """
const scrolls = (e) => /auto|scroll|hidden/.test(getComputedStyle(e).overflowX);
return [...document.querySelectorAll("main *")].filter((element) => {
  if (element.closest("svg") || element.getBoundingClientRect().right <= innerWidth + 1) return false;
  for (let at = element.parentElement; at; at = at.parentElement) if (scrolls(at)) return false;
  return true;
}).map((element) => element.tagName + " " + element.textContent.slice(0, 40));
"""

#: Cells of a table whose text is painted over that of another one.
OVERLAPPING = """
const boxes = [...document.querySelectorAll("td, th")].flatMap((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return [...range.getClientRects()].map((box) => ({ cell, box }));
}).filter(({ box }) => box.width > 1 && box.height > 1);
const found = [];
for (const a of boxes) for (const b of boxes) {
  if (a.cell === b.cell) continue;
  const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
  const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
  if (width > 1 && height > 4) found.push([a.cell.textContent.slice(0, 30), b.cell.textContent.slice(0, 30)]);
}
return found;
"""


@needs_browser
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_it_fits(page: Page, pages: Path, name: str, size: tuple[int, int]) -> None:
    page.complaints()
    for dark in (False, True):
        page.open(pages / f"{name}.html", dark=dark, width=size[0], height=size[1])
        assert page.run("return document.documentElement.scrollWidth <= innerWidth")
        assert page.run(STICKS_OUT) == []
        assert page.run(OVERLAPPING) == []
        assert page.poor_contrasts(dark=dark) == []
    assert page.complaints() == []


@needs_browser
@pytest.mark.parametrize("name", COMMANDS)
def test_headings_stand_apart(page: Page, pages: Path, name: str) -> None:
    """From the table or picture before them, too."""
    page.open(pages / f"{name}.html", width=PHONE[0], height=PHONE[1])
    gaps = page.run("""return [...document.querySelectorAll("main h2")].filter((h) => h.previousElementSibling)
      .map((h) => h.getBoundingClientRect().top - h.previousElementSibling.getBoundingClientRect().bottom)""")
    assert gaps and min(gaps) >= 8, gaps


@needs_browser
def test_a_wide_picture_scrolls_by_itself(page: Page, pages: Path) -> None:
    page.open(pages / "partition.html", width=PHONE[0], height=PHONE[1])
    inner, outer = page.run(
        "const box = document.querySelector('figure .scroll'); return [box.scrollWidth, box.clientWidth]"
    )
    assert inner > outer > 0
    assert page.run("return document.querySelector('figure .scroll').tabIndex") == 0


def test_what_is_pasted_is_whole(pages: Path) -> None:
    """All lines of it, and nothing that only a screen needs."""
    report = trtcheck.axes(exported(), target="10.13")
    text = (pages / "axes.html").read_text()
    shown = [html.unescape(each) for each in re.findall(r'<pre class="signature">(.*?)</pre>', text, re.S)]
    assert [each.strip() for each in shown] == [report.dynamic_shapes.strip(), report.dynamic_axes.strip()]
    assert report.dynamic_shapes.count("\n") > 3
