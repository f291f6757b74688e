"""trtcheck.torch.check_module: every kind of module, both exporters."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import onnx
import pytest
import torch

import trtcheck
import trtcheck.torch
from trtcheck.torch import ExportError, check_module

X = torch.randn(2, 3, 8, 8)


class Small(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        made: torch.Tensor = torch.relu(self.norm(self.conv(x)))
        return made


class Scaled(torch.nn.Module):
    def forward(self, x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return x * scale


class Impossible(torch.nn.Module):
    """Neither exporter can follow it."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise ValueError("this forward never works")


def small() -> Small:
    return Small().eval()


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript", "auto"])
def test_a_module_through_each_exporter(exporter: Any) -> None:
    report = check_module(small(), (X,), exporter=exporter)
    assert (report.verdict, report.path, report.remarks) == ("clean", "", [])
    assert report.node_count > 0


@pytest.mark.parametrize("kind", ["scripted", "traced", "exported"])
def test_other_kinds_of_module(kind: str) -> None:
    module: Any = {
        "scripted": lambda: torch.jit.script(small()),
        "traced": lambda: torch.jit.trace(small(), X),
        "exported": lambda: torch.export.export(small(), (X,)),
    }[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = module()
    assert check_module(made, () if kind == "exported" else (X,)).verdict == "clean"


def test_an_onnx_program_is_checked_as_it_is() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(small(), (X,), dynamo=True, verbose=False)
    assert program is not None
    assert trtcheck.check(program).verdict == "clean"
    assert trtcheck.read_model(program).graph.inputs[0].name == "x"


def test_keyword_arguments_and_a_bare_tensor() -> None:
    for exporter in ("dynamo", "torchscript"):
        assert check_module(Scaled().eval(), (X,), {"scale": X}, exporter=exporter).ok  # type: ignore[arg-type]
    assert check_module(small(), X).ok


def test_dynamic_sizes_of_each_exporter(tmp_path: Path) -> None:
    batch = torch.export.Dim("batch")
    check_module(small(), (X,), dynamic_shapes={"x": {0: batch}}, keep=tmp_path / "a.onnx")
    check_module(small(), (X,), input_names=["x"], dynamic_axes={"x": {0: "batch"}}, keep=tmp_path / "b.onnx")
    for name in ("a.onnx", "b.onnx"):
        dims = trtcheck.infer_shapes(tmp_path / name)["x"].dims
        assert dims is not None
        assert [str(dim) for dim in dims] == ["batch", "3", "8", "8"]


def test_the_export_is_kept_on_request(tmp_path: Path) -> None:
    path = tmp_path / "kept.onnx"
    report = check_module(small(), (X,), keep=path, opset=18, target="10.3")
    assert (report.path, report.target.release) == (str(path), "10.3")
    assert {entry.domain: entry.version for entry in onnx.load(path).opset_import}[""] == 18


def test_findings_are_on_the_line_of_the_module() -> None:
    class Custom(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.det(x)

    report = check_module(Custom().eval(), (torch.randn(2, 3, 3),), target="8.6")
    assert report.verdict == "refused"
    (finding,) = report.errors
    assert finding.op_type == "Det"
    assert finding.source is not None
    assert finding.source.file.endswith("test_torch_api.py")
    assert finding.source.code == "return torch.det(x)"


class Shuffled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(4, 8, 3, groups=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, _, h, w = x.shape
        made: torch.Tensor = self.conv(x.view(b, 2, 2, h, w).transpose(1, 2).reshape(b, -1, h, w))
        return made


def test_the_older_exporter_records_lines_and_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    report = check_module(
        Shuffled().eval(),
        (torch.randn(1, 4, 8, 8),),
        input_names=["x"],
        dynamic_axes={"x": {0: "batch", 2: "height", 3: "width"}},
        target="10.13",
    )
    assert [finding.code for finding in report] == ["WGT101"]
    source = report.errors[0].source
    assert source is not None
    line = Path(source.file).read_text().splitlines()[source.line - 1]
    assert (Path(source.file), line.strip().startswith("made: torch.Tensor = self.conv(")) == (Path(__file__), True)
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
def test_training_mode_is_told_and_restored(exporter: Any) -> None:
    module = Small()
    module.norm.eval()
    with pytest.warns(UserWarning, match="`Small` is in training mode"):
        report = check_module(module, (X,), exporter=exporter)
    assert report.verdict == "clean"
    assert len(report.remarks) == 1
    assert "training mode" in report.remarks[0]
    assert str(report).startswith(f"note: {report.remarks[0]}")
    assert (module.training, module.conv.training, module.norm.training) == (True, True, False)


def test_a_part_in_training_mode_is_told() -> None:
    module = small()
    module.norm.train()
    with pytest.warns(UserWarning, match="a part of `Small`"):
        check_module(module, (X,))
    assert (module.training, module.norm.training) == (False, True)


def test_a_scripted_module_gets_its_mode_back() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = torch.jit.script(Small())
    with pytest.warns(UserWarning, match="training mode"):
        check_module(module, (X,))
    assert (module.training, module.norm.training) == (True, True)


@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
def test_a_failing_exporter_speaks_for_itself(exporter: Any, tmp_path: Path) -> None:
    module = Impossible().train()
    with pytest.warns(UserWarning, match="training mode"), pytest.raises(ExportError) as caught:
        check_module(module, (X,), exporter=exporter, keep=tmp_path / "never.onnx")
    assert caught.value.exporter == exporter
    assert f"the {exporter} exporter failed: " in str(caught.value)
    assert "this forward never works" in str(caught.value)
    assert caught.value.__cause__ is not None
    assert module.training
    assert not (tmp_path / "never.onnx").exists()
    assert isinstance(caught.value, trtcheck.Error)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"exporter": "onnx"}, '"auto", "dynamo" or "torchscript"'),
        ({"exporter": "dynamo", "dynamic_axes": {"x": [0]}}, "use dynamic_shapes"),
        ({"exporter": "torchscript", "dynamic_shapes": {"x": {}}}, "use dynamic_axes"),
        ({"dynamic_axes": {"x": [0]}, "dynamic_shapes": {"x": {}}}, "give one of them"),
    ],
)
def test_options_that_do_not_fit_together(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        check_module(small(), (X,), **options)


def test_an_exporter_that_cannot_take_the_module() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(small(), X)
    with pytest.raises(ValueError, match="torchscript"):
        check_module(traced, (X,), exporter="dynamo")
    with pytest.raises(ValueError, match="dynamo"):
        check_module(torch.export.export(small(), (X,)), exporter="torchscript")


def test_check_points_to_check_module() -> None:
    with pytest.raises(TypeError, match="check_module"):
        trtcheck.check(small())
