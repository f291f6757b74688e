"""What fixes advise in the words of PyTorch: the operator that TensorRT lacks is gone, and nothing is refused."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import onnx
import onnx.inliner
import pytest
import torch
from torch import Tensor, nn

import trtcheck

RELEASES = ("10.13", "11.5", "rtx-1.7")


class Before(nn.Module):
    """The operator itself."""

    def __init__(self, op: str) -> None:
        super().__init__()
        self.op = op

    def forward(self, x: Tensor) -> Tensor:
        if self.op == "CumProd":
            return torch.cumprod(x, 1)
        if self.op == "BitShift":
            return x.to(torch.int32) << 2
        if self.op == "BitwiseAnd":
            return x.to(torch.int32) & 3
        if self.op == "BitwiseNot":
            return ~x.to(torch.int32)
        if self.op == "Multinomial":
            return torch.multinomial(torch.softmax(x, 1), 1)
        assert self.op == "SequenceConstruct"
        return torch.stack(list(x.unbind(0)), 1)


class After(Before):
    """What the fix says in its place."""

    def forward(self, x: Tensor) -> Tensor:
        if self.op == "CumProd":
            return torch.exp(torch.cumsum(torch.log(x), 1))
        if self.op == "BitShift":
            return x.to(torch.int32) * 2**2
        if self.op == "BitwiseAnd":
            return x.to(torch.int32) % 2**2
        if self.op == "BitwiseNot":
            return -x.to(torch.int32) - 1
        if self.op == "Multinomial":
            return torch.argmax(x - torch.log(-torch.log(torch.rand_like(x))), -1)
        if self.op == "Det":
            a = x[:, :2]
            return a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, 0]
        if self.op == "Compress":
            return torch.where(x > 0, x, 0)
        if self.op == "MaxUnpool":
            return nn.functional.interpolate(nn.functional.max_pool2d(x, 2), scale_factor=2)
        if self.op == "Col2Im":
            kernel = torch.eye(4).view(4, 1, 2, 2)  # one channel, windows of 2x2
            return nn.functional.conv_transpose2d(x.view(1, 4, 3, 3), kernel, stride=2)
        if self.op == "AffineGrid":
            h, w = 3, 4
            ys, xs = torch.meshgrid(torch.linspace(-1, 1, h), torch.linspace(-1, 1, w), indexing="ij")
            base = torch.stack([xs, ys, torch.ones_like(xs)], -1).view(h * w, 3)
            return (base @ x.transpose(1, 2)).view(2, h, w, 2)
        return torch.stack([x[0], x[1]], 1)


INPUTS = {
    "AffineGrid": torch.rand(2, 2, 3),
    "BitShift": torch.rand(2, 4) * 8,
    "BitwiseAnd": torch.rand(2, 4) * 8,
    "BitwiseNot": torch.rand(2, 4) * 8,
    "Col2Im": torch.rand(1, 4, 9),
    "Compress": torch.randn(2, 4),
    "CumProd": torch.rand(2, 4) + 0.5,
    "Det": torch.rand(3, 2, 2),
    "MaxUnpool": torch.rand(1, 2, 4, 4),
    "Multinomial": torch.rand(2, 4),
    "SequenceConstruct": torch.rand(2, 4),
}


def exported(module: nn.Module, x: Tensor, path: Path) -> onnx.ModelProto:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module.eval(), (x,), path, dynamo=False, opset_version=20, input_names=["x"])
    return onnx.load(path)


@pytest.mark.parametrize("op", INPUTS)
def test_what_the_fix_says_is_not_refused(op: str, tmp_path: Path) -> None:
    model = exported(After(op), INPUTS[op], tmp_path / "after.onnx")
    assert op not in {node.op_type for node in model.graph.node}
    for release in RELEASES:
        assert not [str(finding) for finding in trtcheck.check(model, target=release).errors], release


@pytest.mark.parametrize("op", ["BitShift", "BitwiseAnd", "BitwiseNot", "CumProd"])
def test_it_computes_the_same(op: str) -> None:
    torch.testing.assert_close(After(op)(INPUTS[op]), Before(op)(INPUTS[op]))


def test_written_out_determinants_folds_and_grids_are_those_of_torch() -> None:
    x = INPUTS["Det"]
    torch.testing.assert_close(After("Det")(x), torch.linalg.det(x))
    columns = INPUTS["Col2Im"]
    torch.testing.assert_close(After("Col2Im")(columns), nn.functional.fold(columns, (6, 6), 2, stride=2))
    theta = INPUTS["AffineGrid"]
    expected = nn.functional.affine_grid(theta, [2, 1, 3, 4], align_corners=True)
    torch.testing.assert_close(After("AffineGrid")(theta), expected)


DEFINED = {
    "Bernoulli": "agraph (float[2,3] x) => (float[2,3] y) { y = Bernoulli (x) }",
    "CenterCropPad": "agraph (float[8,8] x) => (float[4,4] y) "
    "{ s = Constant <value = int64[2] {4, 4}> () y = CenterCropPad (x, s) }",
}


@pytest.mark.parametrize("op", DEFINED)
def test_definitions_of_the_standard_are_written_out(op: str) -> None:
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["" : 20]> {DEFINED[op]}')
    (finding,) = trtcheck.check(model).errors
    assert finding.fix is not None
    step = f'inline_selected_functions(model, [("", "{op}")], inline_schema_functions=True)'
    assert step in finding.fix.title
    written_out = onnx.inliner.inline_selected_functions(model, [("", op)], inline_schema_functions=True)
    assert not [str(error) for error in trtcheck.check(written_out).errors]


# What releases of 8.x lack: what the fix says in the words of PyTorch, the release, an input.
OLDER = {
    "HardSwish": (lambda x: x * nn.functional.relu6(x + 3) / 6, nn.functional.hardswish, "8.2"),
    "Hardmax": (
        lambda x: torch.where(torch.arange(x.shape[-1]) == x.argmax(-1, keepdim=True), 1.0, 0.0),
        lambda x: nn.functional.one_hot(x.argmax(-1), x.shape[-1]).to(x.dtype),
        "8.6",
    ),
    "IsInf": (lambda x: (1 / x.floor()).abs() == float("inf"), lambda x: torch.isinf(1 / x.floor()), "8.5"),
    "IsNaN": (lambda x: ~(torch.sqrt(x) == torch.sqrt(x)), lambda x: torch.isnan(torch.sqrt(x)), "8.2"),
    "Mish": (lambda x: x * torch.tanh(nn.functional.softplus(x)), nn.functional.mish, "8.6"),
    "Mod": (lambda x: x - 2 * torch.floor(x / 2), lambda x: torch.remainder(x, 2), "8.2"),
    "OneHot": (
        lambda x: (x.argmax(1).unsqueeze(-1) == torch.arange(4)).to(torch.float32),
        lambda x: nn.functional.one_hot(x.argmax(1), 4).to(torch.float32),
        "8.2",
    ),
    "Shrink": (lambda x: torch.where(x.abs() > 0.5, x, 0), lambda x: nn.functional.hardshrink(x, 0.5), "8.2"),
    "Sign": (lambda x: (x > 0).to(x.dtype) - (x < 0).to(x.dtype), torch.sign, "8.0"),
    "Swish": (lambda x: x * torch.sigmoid(x), nn.functional.silu, "8.6"),
    "Trilu": (lambda x: torch.where(torch.ones(2, 4).tril().bool(), x, 0), torch.tril, "8.2"),
    "Xor": (lambda x: ((x > 0) | (x > 1)) & ~((x > 0) & (x > 1)), lambda x: (x > 0) ^ (x > 1), "8.2"),
}


class Written(nn.Module):
    def __init__(self, function: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        return self.function(x)


@pytest.mark.parametrize("op", OLDER)
def test_what_older_releases_lack_is_written_with_what_they_have(op: str, tmp_path: Path) -> None:
    written, meant, release = OLDER[op]
    x = torch.randn(2, 4, generator=torch.Generator().manual_seed(3))
    torch.testing.assert_close(written(x), meant(x), equal_nan=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Written(written).eval(), (x,), tmp_path / "after.onnx", dynamo=False, opset_version=13, input_names=["x"]
        )
    model = onnx.load(tmp_path / "after.onnx")
    assert op not in {node.op_type for node in model.graph.node}
    assert not [str(finding) for finding in trtcheck.check(model, target=release).errors]


LOWER_OPSETS = {
    "Attention": (lambda x: nn.functional.scaled_dot_product_attention(x, x, x), (2, 2, 4, 8), (True, 23), (True, 22)),
    "Gelu": (nn.functional.gelu, (2, 4), (False, 20), (False, 19)),
    "GroupNormalization": (nn.GroupNorm(2, 4), (2, 4, 3, 3), (True, 21), (False, 17)),
    "LayerNormalization": (nn.LayerNorm(4), (2, 4), (False, 17), (False, 16)),
    "RMSNormalization": (nn.RMSNorm(4), (2, 4), (True, 23), (True, 22)),
}


@pytest.mark.parametrize("op", LOWER_OPSETS)
def test_a_lower_opset_writes_it_with_other_operators(op: str, tmp_path: Path) -> None:
    function, shape, has, lacks = LOWER_OPSETS[op]
    for (dynamo, opset), is_there in ((has, True), (lacks, False)):
        path = tmp_path / f"{opset}.onnx"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(Written(function).eval(), (torch.randn(shape),), path, dynamo=dynamo, opset_version=opset)
        assert (op in {node.op_type for node in onnx.load(path).graph.node}) == is_there, opset
