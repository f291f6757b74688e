"""`check_module(..., fix=True)`: the export is repaired, and remarks say which lines of Python are better changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx
import pytest
import torch

import trtcheck
import trtcheck.torch
from trtcheck import _source_advice
from trtcheck.torch import check_module


class Mixed(torch.nn.Module):
    """A BatchNorm that normalizes with the statistics of its batch, and one input that nobody reads."""

    def forward(self, x: torch.Tensor, mean: torch.Tensor, variance: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.dropout(x, 0.5, training=True) + mean + variance


class Healthy(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)


X = torch.randn(2, 3, 8, 8)
ARGS = (X, torch.zeros(3, 1, 1), torch.ones(3, 1, 1))
# To drop nothing is to compute something else: class choice.
ALL = ("proven", "rounding", "choice")


def marked(text: str) -> int:
    return next(i for i, line in enumerate(Path(__file__).read_text().splitlines(), 1) if text in line)


def test_what_was_repaired_and_where_to_change_the_program(tmp_path: Path) -> None:
    before = check_module(Mixed().eval(), ARGS, exporter="torchscript")
    if before.verdict == "clean":
        pytest.fail("the export has nothing to repair: this test shows nothing")
    report = check_module(
        Mixed().eval(), ARGS, exporter="torchscript", fix=True, classes=ALL, keep=tmp_path / "net.onnx"
    )
    assert report.verdict == "clean"
    assert report.path == str(tmp_path / "net.onnx")
    repaired = [remark for remark in report.remarks if remark.startswith("repaired ")]
    assert any("switch training mode off" in remark for remark in repaired), report.remarks
    # What is kept is the repaired model.
    assert trtcheck.check(tmp_path / "net.onnx").verdict == "clean"
    onnx.checker.check_model(tmp_path / "net.onnx")
    advice = [remark for remark in report.remarks if "module.eval()" in remark]
    assert len(advice) == 1
    line = marked("functional.dropout(x, 0.5, training=True)")
    assert f"test_torch_fix.py:{line}: export it in evaluation mode" in advice[0]


def test_nothing_is_said_of_a_healthy_module() -> None:
    assert check_module(Healthy().eval(), (X,), fix=True).remarks == []


def test_options_are_those_of_fix() -> None:
    report = check_module(Mixed().eval(), ARGS, exporter="torchscript", fix=True, classes="interface")
    assert not [remark for remark in report.remarks if remark.startswith("repaired ")]


class Line:
    """A repair of a finding at a recorded line."""

    def __init__(self, cure: str, title: str, code: str) -> None:
        self.cure, self.title, self.kind = cure, title, "proven"
        self.code, self.node, self.message = "WGT101", "conv", "message"
        self.source = _Source(code)


class _Source:
    file, line, function = "net.py", 12, "forward"

    def __init__(self, code: str) -> None:
        self.code = code


class Fixed:
    def __init__(self, *applied: Any) -> None:
        self.applied = list(applied)
        self.before: list[Any] = []


@pytest.mark.parametrize(
    ("cure", "title", "code", "advice"),
    [
        (
            "channels-written",
            "write 4 instead of -1 at index 1 of the target of Reshape `view`",
            "  y = x.view(b, -1, h, w)",
            "net.py:12: write 4 instead of -1, `y = x.view(b, 4, h, w)`, in `y = x.view(b, -1, h, w)`",
        ),
        # Nobody knows which of them.
        (
            "channels-written",
            "write 4 instead of -1 at index 1 of the target of Reshape `view`",
            "y = x.flatten(-1).view(b, -1)",
            "net.py:12: write 4 instead of -1 in `y = x.flatten(-1).view(b, -1)`",
        ),
        (
            "types-joined",
            "compute in FLOAT16: operands are stored or cast to it",
            "return a + b",
            "net.py:12: give the operands one dtype: `.to(torch.float16)` in `return a + b`",
        ),
        (
            "squeeze-axes-written",
            "write the axes of `Squeeze`: [1, 2]",
            "return x.squeeze()",
            "net.py:12: name the dims: `squeeze(1, 2)` in `return x.squeeze()`",
        ),
        ("graph-sorted", "move 2 nodes behind what they read", "return x", None),
    ],
)
def test_what_belongs_into_the_program(cure: str, title: str, code: str, advice: str | None) -> None:
    made = _source_advice.remarks(Fixed(Line(cure, title, code)))
    assert made == [f"repaired WGT101 at `conv`: {title} (proven)", *([advice] if advice else [])]


def test_every_repair_with_advice_exists() -> None:
    assert set(_source_advice._MAKERS) <= {cure.name for cure in trtcheck.cures()}


def test_the_line_of_user_case_0() -> None:
    path = Path(__file__).resolve().parents[2] / "examples/models/case0_channel_shuffle.onnx"
    made = _source_advice.remarks(trtcheck.fix(path))
    assert any("write 4 instead of -1" in remark and ".py:" in remark for remark in made[1:]), made
