"""Lines of Python in findings: that of the user's own program first, and one for each step and for the fix."""

from __future__ import annotations

import importlib
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch

import trtcheck
import trtcheck.torch

NET = """import torch
from installed_blocks import Block

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        y = x.reshape(x.shape[0], -1, x.shape[2], x.shape[3])
        return self.block(y)
"""
BLOCKS = """import torch

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(4, 8, 3, groups=2)

    def forward(self, x):
        return self.conv(x)
"""
OPEN = {0: "batch", 2: "height", 3: "width"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A program, and a package that it has from elsewhere."""
    folder = tmp_path_factory.mktemp("program")
    packages = folder / "env" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "installed_blocks.py").write_text(BLOCKS)
    (folder / "own_net.py").write_text(NET)
    sys.path[:0] = [str(folder), str(packages)]
    yield importlib.import_module("own_net")
    del sys.path[:2]
    for name in ("own_net", "installed_blocks"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module", params=["dynamo", "torchscript"])
def finding(request: pytest.FixtureRequest, program: ModuleType) -> trtcheck.Finding:
    net, x = program.Net().eval(), torch.randn(2, 4, 8, 8)
    if request.param == "dynamo":
        shapes = {"x": {axis: torch.export.Dim(name) for axis, name in OPEN.items()}}
        report = trtcheck.torch.check_module(net, x, dynamic_shapes=shapes, target="10.3")
    else:
        report = trtcheck.torch.check_module(net, x, dynamic_axes={"x": OPEN}, input_names=["x"], target="10.3")
    (found,) = (finding for finding in report if finding.code == "WGT101")
    return found


def place(source: trtcheck.SourceLocation | None) -> tuple[str, int]:
    assert source is not None
    return Path(source.file).name, source.line


def test_the_users_line_comes_first_and_that_of_the_package_below_it(finding: trtcheck.Finding) -> None:
    assert place(finding.source) == ("own_net.py", 11)
    assert place(finding.library) == ("installed_blocks.py", 9)


def test_the_cause_and_the_fix_have_lines_of_their_own(finding: trtcheck.Finding) -> None:
    steps = [note for note in finding.notes if "-1 at index 1" in note.message]
    assert steps and finding.fix is not None
    for part in (*steps, finding.fix):
        assert place(part.source) == ("own_net.py", 10)
        assert part.library is None
        assert part.node == steps[0].node != ""
    (weights,) = (note for note in finding.notes if "input channels per group" in note.message)
    assert place(weights.source) == place(finding.source)
    assert [note.source for note in finding.notes if not note.node] == [None]  # a graph input is on no line


def test_lines_survive_pickling(finding: trtcheck.Finding) -> None:
    twin = pickle.loads(pickle.dumps(finding))
    assert twin.__reduce__()[1] == finding.__reduce__()[1]
    assert place(twin.fix.source) == ("own_net.py", 10)
    assert place(twin.library) == ("installed_blocks.py", 9)
