"""The page of `trtcheck quantization`: table, shares and picture, also in a real browser."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
from browser import Page, needs_browser, open_browser
from onnx import numpy_helper
from test_cli import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
RESIDUAL = ROOT / "examples/models/case1_residual.onnx"
HOSTILE = "</script><img src=x onerror=alert(1)><b>`</details>&lt;"


def page_of(target: Path, *words: Path | str) -> str:
    command = [PROGRAM, "quantization", "--no-config", "--output-format", "html", "--output", str(target)]
    done = subprocess.run([*command, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return target.read_text(encoding="utf-8")


def save(path: Path, text: str, **weights: np.ndarray) -> Path:
    model = onnx.parser.parse_model(text)
    model.graph.initializer.extend(numpy_helper.from_array(data, name) for name, data in weights.items())
    onnx.save(model, path)
    return path


class Contents(HTMLParser):
    """Tables as rows of texts, and the groups of the picture as (class, texts)."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.groups: list[tuple[str, list[str]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        elif tag == "g":
            self.groups.append((dict(attrs)["class"] or "", []))
        if tag not in ("meta", "rect", "path", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "text" and "g" in self.open:
            self.groups[-1][1].append(data)
        elif "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data


def test_tables_and_picture(tmp_path: Path) -> None:
    page = page_of(tmp_path / "page.html", RESIDUAL, "--target", "11.5")
    assert "3 of 4 layers with weights run quantized, 96.6 % of the multiply-accumulates</p>" in page
    contents = Contents(page)
    shares, layers = contents.tables
    assert [row[:2] + row[3:] for row in shares[1:]] == [["INT8", "3", "96.6 %"], ["FLOAT", "1", "3.4 %"]]
    assert [row[:4] for row in layers[1:]] == [
        ["node_conv2d", "Conv", "INT8", "INT8"],
        ["node_conv2d_1", "Conv", "INT8", "FLOAT"],
        ["node_conv2d_2", "Conv", "FLOAT", "FLOAT"],
        ["node_add_40", "Add", "FLOAT", "FLOAT"],
        ["node_conv2d_3", "Conv", "INT8", "FLOAT"],
    ]
    assert layers[3][5] == "neither data nor weights have Q/DQ"
    marked = [texts for kind, texts in contents.groups if kind == "trtcheck-node" and texts[0] in ("INT8", "FLOAT")]
    assert sorted(marked) == sorted([row[2], row[1], row[0]] for row in layers[1:])
    # Behind the first Conv and its Relu INT8 goes on, and no pair is drawn but that of the input.
    kinds = [texts[0] for kind, texts in contents.groups if kind == "trtcheck-node"]
    assert kinds.count("QuantizeLinear") == 1
    assert "DequantizeLinear" not in kinds
    tensors = [texts[0] for kind, texts in contents.groups if kind == "trtcheck-tensor"]
    assert any(text.startswith("INT8[batch,8,") for text in tensors)


BODY = """<ir_version: 10, opset_import: ["" : 21]>
main (float[1,4,8,8] x, bool c) => (y) {
  h = Cast<to = 10>(x)
  a = Conv(h, w)
  b = If (c) <
    then_branch = t () => (u) { u = Relu(a) },
    else_branch = e () => (v) { v = Neg(a) }
  >
  y = Cast<to = 1>(b)
}"""


def test_half_precision_and_what_bodies_read(tmp_path: Path) -> None:
    model = save(tmp_path / "half.onnx", BODY, w=np.zeros((4, 4, 1, 1), np.float16))
    page = page_of(tmp_path / "page.html", model, "--target", "11.5")
    contents = Contents(page)
    assert [row[:3] for row in contents.tables[1][1:]] == [["Conv_1", "Conv", "FLOAT16"]]
    assert "var(--trtcheck-half" in page
    nodes = [texts[-2] for kind, texts in contents.groups if kind == "trtcheck-node"]
    assert sorted(nodes) == ["Cast", "Cast", "Conv", "If"]
    # x -> Cast, c -> If, and from Conv into If, though no input of If names it.
    tensors = [texts for kind, texts in contents.groups if kind == "trtcheck-tensor"]
    assert sum(text[0].startswith("FLOAT16[1,4,8,8]") for text in tensors) == 3


def test_weights_of_four_bits(tmp_path: Path) -> None:
    text = """<ir_version: 10, opset_import: ["" : 21]>
    main (float[N,4] x) => (float[N,2] y) <int4[4,2] w = {1,2,3,4,5,6,7,-8}, float[2,2] s = {1,1,1,1}> {
      d = DequantizeLinear<axis=0, block_size=2>(w, s)
      y = MatMul(x, d)
    }"""
    page = page_of(tmp_path / "page.html", save(tmp_path / "int4.onnx", text), "--target", "10.13")
    contents = Contents(page)
    assert contents.tables[1][1][2] == "FLOAT, INT4 weights"
    assert ["FLOAT, INT4 weights", "MatMul", "MatMul_1"] in [texts for _, texts in contents.groups]


def test_nothing_that_multiplies(tmp_path: Path) -> None:
    text = '<ir_version: 8, opset_import: ["" : 17]> main (float[N] x) => (float[N] y) { y = Relu(x) }'
    page = page_of(tmp_path / "page.html", save(tmp_path / "relu.onnx", text))
    assert "No layer that multiplies (Conv, Gemm, MatMul, LSTM, Attention ...)." in page
    assert [texts[-2] for kind, texts in Contents(page).groups if kind == "trtcheck-node"] == ["Relu"]


def test_large_graphs_are_drawn_in_part(tmp_path: Path) -> None:
    lines = "\n".join(f"t{i + 1} = Relu(t{i})" for i in range(600))
    text = f'<ir_version: 8, opset_import: ["" : 17]> main (float[N] t0) => (float[N] t600) {{ {lines} }}'
    page = page_of(tmp_path / "page.html", save(tmp_path / "long.onnx", text))
    assert "Not drawn: 100 nodes after these." in page


def test_hostile_names(tmp_path: Path) -> None:
    model = onnx.load(RESIDUAL)
    for i, node in enumerate(model.graph.node):
        node.name = f"{HOSTILE}{i}"
    path = tmp_path / "hostile.onnx"
    onnx.save(model, path)
    page = page_of(tmp_path / "page.html", path)
    assert "<img" not in page
    assert "&lt;/script&gt;" in page
    Contents(page)


def test_errors_in_the_way(tmp_path: Path) -> None:
    text = '<ir_version: 8, opset_import: ["" : 17, "my" : 1]> main (float[N] x) => (y) { y = my.Foo(x) }'
    page = page_of(tmp_path / "page.html", save(tmp_path / "foo.onnx", text))
    assert '<span class="badge refused">refused</span>' in page
    assert re.search(r"the model will not build: \d errors?; <code>trtcheck check</code> lists them</p>", page)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with open_browser(tmp_path_factory.mktemp("profile")) as page:
        page.requests()
        yield page


@needs_browser
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1100, 360])
def test_in_a_browser(browser: Page, tmp_path: Path, width: int, dark: bool) -> None:
    target = tmp_path / "page.html"
    page_of(target, RESIDUAL)
    browser.open(target, width=width, dark=dark)
    assert browser.complaints() == []
    assert [address for address in browser.requests() if not re.match(r"chrome:|data:", address)] == [target.as_uri()]
    assert browser.poor_contrasts(dark=dark) == []
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert browser.run(f"return {wide}"), "the page is wider than the window"
    bars = [bar.size for bar in browser.all(".share svg")]
    assert len(bars) == 2
    assert all(bar["width"] > 250 for bar in bars)
    assert browser.one(".layers thead").is_displayed() == (width > 736)
