"""What a notebook shows: executed by Jupyter's own executor, looked at in a browser."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from browser import needs_browser, open_browser
from nbclient import NotebookClient

import trtcheck

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOK = EXAMPLES / "check_a_model.ipynb"

# Page and text of JupyterLab's two themes.
THEMES = {"light": ("#ffffff", "#212121"), "dark": ("#111111", "#e0e0e0")}


@pytest.fixture(scope="module")
def cells() -> dict[str, Any]:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert all(cell.outputs == [] for cell in notebook.cells if cell.cell_type == "code"), "clear the outputs"
    folder = {"metadata": {"path": str(EXAMPLES)}}
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources=folder)
    client.execute()
    return {cell.id: cell for cell in notebook.cells}


def data(cell: Any) -> dict[str, str]:
    """What the last expression of the cell is shown as."""
    (output,) = [output for output in cell.outputs if output.output_type == "execute_result"]
    return dict(output.data)


@pytest.mark.filterwarnings("default")
def test_cells_show_what_they_made(cells: dict[str, Any]) -> None:
    report = data(cells["cell-1"])
    assert set(report) == {"text/html", "text/plain"}
    assert report["text/plain"].startswith("error[WGT101] grouped-conv-unknown-channels")
    assert report["text/html"].count("<svg") == 1
    assert "WGT101" in report["text/html"]
    finding = data(cells["show-finding"])
    assert finding["text/html"].count("<svg") == 1
    assert finding["text/plain"].startswith("<Finding WGT101 error: `/unit/conv/Conv`: ")
    assert data(cells["show-picture"])["image/svg+xml"].startswith("<svg")
    shapes = data(cells["cell-5"])
    assert "<table" in shapes["text/html"]
    assert re.search(r"^x +FLOAT\[", shapes["text/plain"], re.MULTILINE)
    dim = data(cells["show-dim"])
    assert dim["text/html"].startswith("<code>batch</code>")
    assert dim["text/plain"] == "batch"
    assert not [cell for cell in cells.values() for output in cell.get("outputs", []) if output.output_type == "error"]


def report() -> trtcheck.Report:
    return trtcheck.check(EXAMPLES / "models/case0_channel_shuffle.onnx", target="10.13")


def test_a_finding_draws_itself() -> None:
    (finding,) = report()
    svg = finding.picture()
    assert svg.startswith("<svg")
    assert "found here" in svg
    assert "comes from here" in svg
    assert "WGT101" in svg
    assert trtcheck.check(EXAMPLES / "models/healthy_shufflenet.onnx").findings == []


def test_shapes_of_a_large_model_do_not_flood_the_notebook() -> None:
    import onnx.parser

    lines = "\n".join(f"u{i} = Relu (x)" for i in range(3000))
    head = '<ir_version: 8, opset_import: ["" : 17]> g (float[N,4] x) => (float[N,4] y)'
    model = f"{head} {{ z = NonZero (x) {lines} y = Relu (x) }}"
    shapes = trtcheck.infer_shapes(onnx.parser.parse_model(model).SerializeToString())
    shown = shapes._repr_html_()
    assert shown.count("<tr") == 201
    assert "and 2803 more" in shown
    (known, _), (_, unknown) = shapes["x"].dims, shapes["z"].dims
    assert known._repr_html_() == '<code>N</code> <span style="opacity:.75">1 or more</span>'
    assert "unknown: " in unknown._repr_html_()


def test_hostile_names_stay_text() -> None:
    import onnx.parser

    name = "</code><script>alert(1)</script>"
    made = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> g (float[N] x) => (float[N] y) { y = Foo (x) }'
    )
    made.graph.input[0].name = made.graph.node[0].input[0] = made.graph.node[0].name = name
    made.graph.input[0].type.tensor_type.shape.dim[0].dim_param = name
    shapes = trtcheck.infer_shapes(made.SerializeToString())
    (finding, *_) = trtcheck.check(made.SerializeToString())
    for shown in (shapes._repr_html_(), shapes[name].dims[0]._repr_html_(), finding._repr_html_(), finding.picture()):
        assert "<script" not in shown
        assert html.escape("<script>") in shown


@needs_browser
@pytest.mark.parametrize("theme", THEMES)
def test_it_can_be_read_in_both_themes(theme: str, tmp_path: Path) -> None:
    back, ink = THEMES[theme]
    shapes = trtcheck.infer_shapes(EXAMPLES / "models/healthy_shufflenet.onnx")
    shown = report()._repr_html_() + shapes._repr_html_() + shapes["x"].dims[0]._repr_html_()
    body = f'<body style="background:{back};color:{ink};font:13px sans-serif">{shown}</body>'
    (tmp_path / "cell.html").write_text(f"<!DOCTYPE html><html><head><meta charset=utf-8></head>{body}</html>")
    with open_browser(tmp_path / "profile") as page:
        page.open(tmp_path / "cell.html")
        assert page.poor_contrasts() == []
        assert page.complaints() == []
        assert page.one("svg").is_displayed()
