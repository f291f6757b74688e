"""The committed example models: small, neutral, as the script would make them today, judged as `make demo` shows."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import onnx
import pytest
from zoo.export import ROOT

import trtcheck

FOLDER = ROOT / "examples" / "models"
VERDICTS = {
    "healthy_shufflenet": "clean",
    "healthy_attention": "clean",
    "healthy_quantized": "clean",
    "case0_channel_shuffle": "uncertain",
    "case1_residual": "uncertain",
    "case2_deconvolution": "refused",
    "case3_grouped_int8": "uncertain",
    "case4_batchnorm": "refused",
}


def make_models() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_models", ROOT / "examples" / "make_models.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def recorded(model: onnx.ModelProto) -> list[str]:
    return [
        node.doc_string or "".join(p.value for p in node.metadata_props if "stack" in p.key)
        for node in model.graph.node
    ]


def test_the_folder_holds_the_examples_and_nothing_else() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.onnx" for name in VERDICTS}


@pytest.mark.parametrize("name", VERDICTS)
def test_verdict(name: str) -> None:
    assert trtcheck.check(FOLDER / f"{name}.onnx").verdict == VERDICTS[name]


def test_the_channel_shuffle_is_refused_by_the_releases_of_its_reports() -> None:
    for release in ("8.5", "10.13", "10.15"):
        assert trtcheck.check(FOLDER / "case0_channel_shuffle.onnx", target=release).verdict == "refused"


@pytest.mark.parametrize("name", VERDICTS)
def test_small_and_free_of_machine_paths(name: str) -> None:
    data = (FOLDER / f"{name}.onnx").read_bytes()
    assert len(data) < 20_000
    assert not re.search(rb"/(home|root|tmp|usr|opt|Users)/|site-packages", data)


@pytest.mark.parametrize("name", VERDICTS)
def test_findings_point_at_lines_that_exist(name: str) -> None:
    for finding in trtcheck.check(FOLDER / f"{name}.onnx"):
        assert finding.source is not None
        lines = (ROOT / finding.source.file).read_text().splitlines()
        line = lines[finding.source.line - 1].strip()
        assert line
        assert finding.source.code in (None, "", line)


@pytest.mark.parametrize("name", VERDICTS)
def test_the_script_makes_the_same_again(name: str, tmp_path: Path) -> None:
    maker = make_models()
    (example,) = (e for e in maker.EXAMPLES if e.file == name)
    new, old = onnx.load(maker.make(example, tmp_path)), onnx.load(FOLDER / f"{name}.onnx")
    assert [node.op_type for node in new.graph.node] == [node.op_type for node in old.graph.node]
    assert recorded(new) == recorded(old), "run `python examples/make_models.py`"
