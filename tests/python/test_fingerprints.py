"""A finding is the same finding in another order, under other names, and in a new export."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import onnx
import onnx.parser
import pytest
from shuffled import shuffled
from zoo.catalog import ENTRIES
from zoo.export import export

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples/models").glob("*.onnx"))
TESTDATA = Path("/usr/share/libonnx-testdata")
ZOO = ("case0_shuffle", "case1_float_shortcut", "case2_scale_by_axis1", "case4_pruned", "bert", "branches")
# An old release finds the most. Renaming removes duplicate names, which is what MDL102 is about.
OPTIONS = {"target": "8.0", "ignore": "MDL102"}

Prints = Counter[tuple[str, str]]


def flat(findings: list[trtcheck.Finding]) -> list[trtcheck.Finding]:
    return [each for finding in findings for each in (finding, *flat(finding.consequences))]


def prints(model: bytes | Path, **options: str) -> Prints:
    report = trtcheck.check(model, **(OPTIONS | options))  # type: ignore[arg-type]
    return Counter((finding.code, finding.fingerprint) for finding in flat(report.findings))


def assert_survives(path: Path, seed: int) -> int:
    model = onnx.load(path, load_external_data=False)
    before = prints(path)
    after = prints(shuffled(model, random.Random(seed)).SerializeToString())
    assert before == after, f"seed {seed}, {path}"
    return before.total()


def new_seed() -> int:
    return int.from_bytes(os.urandom(4), "big")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_shuffled_and_renamed(path: Path) -> None:
    for _ in range(5):
        assert_survives(path, new_seed())


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
@pytest.mark.parametrize("name", ZOO)
def test_zoo_models_shuffled_and_renamed(name: str, exporter: str) -> None:
    path = export(ENTRIES[name], exporter, "dynamic").path
    if path is None:
        pytest.skip("this exporter refuses the module")
    assert assert_survives(path, new_seed()) > 0


@pytest.mark.skipif(not TESTDATA.is_dir(), reason="no libonnx-testdata")
def test_many_models_shuffled_and_renamed() -> None:
    seed = new_seed()
    print("seed", seed)
    paths = random.Random(seed).sample(sorted(TESTDATA.rglob("*.onnx")), 250)
    found = sum(assert_survives(path, seed + i) for i, path in enumerate(paths) if path.stat().st_size < 1_000_000)
    assert found > 50


MODULE = """
import logging, sys, warnings
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(8, 8, 3, padding=1, groups=2)
    def forward(self, x):
        b, c, h, w = x.shape
        x = x.view(b, 2, 4, h, w).transpose(1, 2).contiguous().view(b, -1, h, w)
        return torch.relu(self.conv(x))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

warnings.simplefilter("ignore")
logging.getLogger("torch.onnx").setLevel(logging.ERROR)
torch.manual_seed(int(sys.argv[2]))  # other weights are still the same model
net, x = Net().eval(), torch.zeros(2, 8, 6, 6)
torch.onnx.export(net, (x,), sys.argv[1] + "/dynamo.onnx", input_names=["x"], dynamo=True, external_data=False,
                  verbose=False, dynamic_shapes={"x": {0: "batch", 2: "height", 3: "width"}})
torch.onnx.export(net, (x,), sys.argv[1] + "/torchscript.onnx", input_names=["x"], dynamo=False,
                  dynamic_axes={"x": {0: "batch", 2: "height", 3: "width"}})
"""


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same module, exported in two fresh processes."""
    folders = []
    for seed in ("1", "2"):
        folder = tmp_path_factory.mktemp(f"export{seed}")
        script = folder / "net.py"
        script.write_text(MODULE)
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, script, folder, seed], env=environment, check=True, capture_output=True)
        folders.append(folder)
    return folders


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
def test_a_new_export_of_the_same_module(exports: list[Path], exporter: str) -> None:
    first, second = (trtcheck.check(folder / f"{exporter}.onnx") for folder in exports)
    assert [finding.module for finding in first] == ["blocks.0.conv", "blocks.1.conv"], str(first)
    assert [finding.fingerprint for finding in first] == [finding.fingerprint for finding in second]
    assert prints(exports[0] / f"{exporter}.onnx") == prints(exports[1] / f"{exporter}.onnx")


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
def test_blocks_of_one_kind_differ_by_their_module(exports: list[Path], exporter: str) -> None:
    report = trtcheck.check(exports[0] / f"{exporter}.onnx")
    assert len({finding.fingerprint for finding in report}) == len(report) == 2


def test_changing_an_attribute_changes_it(tmp_path: Path) -> None:
    model = onnx.load(EXAMPLES[0])
    (before,) = trtcheck.check(EXAMPLES[0])
    (node,) = [node for node in model.graph.node if node.op_type == "Conv" and before.node == node.name]
    (pads,) = [attribute for attribute in node.attribute if attribute.name == "pads"]
    pads.ints[0] += 1
    (after,) = trtcheck.check(model)
    assert (before.code, before.node) == (after.code, after.node)
    assert before.fingerprint != after.fingerprint


def test_the_document_and_pickle_have_it() -> None:
    report = trtcheck.check(EXAMPLES[0])
    (stated,) = json.loads(report.to_json())["models"][0]["findings"]
    assert stated["fingerprint"] == report[0].fingerprint
    assert len(report[0].fingerprint) == 16
