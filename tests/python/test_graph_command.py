"""`trtcheck graph`: the program, read with an XML parser that we did not write."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import onnx.parser
import pytest
from test_cli import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
SHUFFLE = ROOT / "examples/models/case0_channel_shuffle.onnx"
SVG = "{http://www.w3.org/2000/svg}"


def run(*args: str | Path, program: str | Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [str(program or PROGRAM), "graph", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def forms(svg: str) -> list[str]:
    return [element.get("class", "") for element in ET.fromstring(svg).iter(f"{SVG}g")]


def model(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "model.onnx"
    path.write_bytes(onnx.parser.parse_model(text).SerializeToString())
    return path


@pytest.mark.parametrize("around", ["WGT101", "grouped-conv-unknown-channels"])
def test_a_finding_is_drawn_with_culprit_and_victim(around: str) -> None:
    made = run(SHUFFLE, "--around", around)
    assert (made.returncode, made.stderr) == (0, "")
    shown = texts(made.stdout)
    assert {"Conv", "/unit/conv/Conv", "Reshape", "/unit/Reshape_1", "found here", "comes from here"} <= set(shown)
    assert forms(made.stdout).count("trtcheck-victim") == 1
    assert forms(made.stdout).count("trtcheck-culprit") == 1
    assert any(text.startswith("FLOAT[batch,4,") for text in shown)


@pytest.mark.parametrize("around", ["/head/Conv", "main//head/Conv", "/unit/Relu_output_0"])
def test_any_node_or_tensor_is_drawn(around: str) -> None:
    made = run(SHUFFLE, "--around", around, "--depth", "1")
    assert (made.returncode, made.stderr) == (0, "")
    assert "here" in texts(made.stdout)
    assert "found here" not in texts(made.stdout)


def test_deeper_pictures_show_more() -> None:
    nodes = [len(texts(run(SHUFFLE, "--around", "/head/Conv", "--depth", n).stdout)) for n in ("0", "1", "3", "8")]
    assert nodes == sorted(set(nodes))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "x.svg"
    assert run(SHUFFLE, "--around", "WGT101", "-o", target).stdout == ""
    whole = target.read_text()
    assert ET.fromstring(whole).tag == f"{SVG}svg"
    assert run(SHUFFLE, "--around", "nothing", "-o", target).returncode == 2
    assert target.read_text() == whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--around", "/unit/cnov/Conv"],
            "no node, tensor or finding `/unit/cnov/Conv`, did you mean `/unit/conv/Conv`",
        ),
        (["--around", "head/Conv"], "no node, tensor or finding `head/Conv`, did you mean `/head/Conv`?"),
        (["--around", "zzz"], "no node, tensor or finding `zzz`"),
        (["--around", "OPS103"], "there is no finding OPS103 (plugin-missing) in it"),
        (["--around", "x", "--depth", "many"], "--depth: `many` is no number from 0 to 20"),
        (["--around", "x", "--depth", "-1"], "--depth: `-1` is no number from 0 to 20"),
        ([], "--around is required"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(arguments: list[str], message: str) -> None:
    made = run(SHUFFLE, *arguments)
    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.count("\n") == 1
    assert message in made.stderr


def test_the_finding_is_that_of_the_target_and_of_the_settings(tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """<ir_version: 10, opset_import: ["" : 20]>
        g (float[N,8] x) => (float[N,8] y) { [gelu] y = Gelu (x) }""",
    )
    made = run(path, "--around", "OPS101", "--target", "8.6")
    assert made.returncode == 0, made.stderr
    assert "found here" in texts(made.stdout)
    made = run(path, "--around", "OPS101")
    assert (made.returncode, made.stdout) == (2, "")
    assert "there is no finding OPS101 (op-unsupported) in it for TensorRT" in made.stderr
    (tmp_path / "trtcheck.toml").write_text('target = "8.6"\n')
    assert "found here" in texts(run(path, "--around", "OPS101").stdout)
    assert run(path, "--around", "OPS101", "--no-config").returncode == 2
    (tmp_path / "trtcheck.toml").write_text('target = "8.6"\nignore = ["OPS101"]\n')
    assert "; a finding is left out by select, ignore or a suppression" in run(path, "--around", "OPS101").stderr


def test_a_fact_is_drawn(tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """<ir_version: 8, opset_import: ["" : 17]>
        g (float[4] x) => (y) <int64[2] p = {1, 1}> { [pad] y = Pad <mode = "symmetric"> (x, p) }""",
    )
    made = run(path, "--around", "OPS401:pad-mode")
    assert made.returncode == 0, made.stderr
    assert "found here" in texts(made.stdout)
    assert "no node, tensor or finding `OPS401:nothing`" in run(path, "--around", "OPS401:nothing").stderr


def test_bodies_are_looked_through(tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """<ir_version: 8, opset_import: ["" : 17]>
        g (float[N] x, bool c) => (float[N] y) {
          [inner] p = Relu (x)
          [if] y = If (c) <
            then_branch = yes () => (float[N] t) { [inner] t = Abs (p) },
            else_branch = no () => (float[N] e) { [other] e = Neg (p) }
          >
        }""",
    )
    assert "Relu" in texts(run(path, "--around", "inner", "--depth", "0").stdout)
    assert "Abs" in texts(run(path, "--around", "main/if.then_branch/inner", "--depth", "0").stdout)
    assert "Neg" in texts(run(path, "--around", "other", "--depth", "0").stdout)


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    made = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 17]> g (float[N] x) => (float[N] y) { y = Relu (x) }"""
    )
    name = "</text><script>alert(1)</script>\x1b[31m"
    made.graph.node[0].name = name
    made.graph.node[0].output[0] = made.graph.output[0].name = "]]>\" onload='x'"
    path = tmp_path / "model.onnx"
    path.write_bytes(made.SerializeToString())
    svg = run(path, "--around", name).stdout
    root = ET.fromstring(svg)
    assert root.find(f".//{SVG}script") is None
    assert all(set(element.attrib) <= ATTRIBUTES for element in root.iter())


ATTRIBUTES = {
    *("class", "role", "width", "height", "viewBox", "font-family", "text-anchor", "fill", "fill-opacity", "stroke"),
    *("stroke-width", "stroke-opacity", "stroke-dasharray", "x", "y", "rx", "d", "cx", "cy", "r", "font-size"),
    "font-weight",
}


def test_without_the_layout_module_it_says_so(tmp_path: Path) -> None:
    alone = tmp_path / "bin" / "trtcheck"
    alone.parent.mkdir()
    shutil.copy(PROGRAM, alone)
    made = run(SHUFFLE, "--around", "WGT101", program=alone)
    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.startswith("trtcheck: picture: the layout module is not installed (it would be `")
    # everything else works
    assert subprocess.run([alone, "check", SHUFFLE], capture_output=True, check=False).returncode == 0
