"""Axes that are an expression over a size, `4*h`, as `torch.export` writes them, and what a profile says of `h`."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import onnx
import onnx.helper as oh
import pytest
from onnx import ModelProto, TensorProto

import trtcheck


def model(*axes: str | int, keep: int = 50, second: list[str | int] | None = None) -> ModelProto:
    """The `keep` largest of all elements of `x`; a second input is only there."""
    nodes = [oh.make_node("Reshape", ["x", "flat"], ["r"]), oh.make_node("TopK", ["r", "k"], ["y", "i"], name="top")]
    inputs = [oh.make_tensor_value_info("x", TensorProto.FLOAT, list(axes))]
    outputs = [oh.make_tensor_value_info("y", TensorProto.FLOAT, [keep])]
    if second is not None:
        inputs.append(oh.make_tensor_value_info("z", TensorProto.FLOAT, second))
        nodes.append(oh.make_node("Relu", ["z"], ["u"]))
        outputs.append(oh.make_tensor_value_info("u", TensorProto.FLOAT, None))
    constants = [
        oh.make_tensor("flat", TensorProto.INT64, [1], [-1]),
        oh.make_tensor("k", TensorProto.INT64, [1], [keep]),
    ]
    graph = oh.make_graph(nodes, "g", inputs, outputs, constants)
    return oh.make_model(graph, opset_imports=[oh.make_opsetid("", 17)], ir_version=10)


def shape(made: ModelProto, profile: str, value: str = "r") -> str:
    return str(trtcheck.infer_shapes(made, profile=profile)[value])


@pytest.mark.parametrize(
    ("axes", "profile", "said"),
    [
        (("4*h", "2*w"), "x=16x8", "FLOAT[128]"),
        (("4*h", "2*w"), "x=16x8:16x8:16x10", "FLOAT[32*w]"),
        (("h + 1", 2), "x=9x2", "FLOAT[18]"),
        (("9 - h", 2), "x=4x2", "FLOAT[8]"),
        # One number for two sizes says which their product is, and neither of them.
        (("h*w", 2), "x=9x2", "FLOAT[2*h*w]"),
        # 18 is no multiple of 4: the size stays what it was, a name.
        (("4*h", 2), "x=18x2", "FLOAT[8*h]"),
    ],
)
def test_a_profile_of_one_size_is_that_size(axes: tuple[str | int, ...], profile: str, said: str) -> None:
    assert shape(model(*axes, keep=1), profile) == said


def test_what_does_not_fit_is_found_and_what_fits_is_not() -> None:
    made = model("4*h", "4*w")
    for profile, codes in (
        ("x=4x4", ["SHP101"]),
        ("x=8x8", []),
        ("x=8x8:16x16:64x64", []),
        ("x=4x4:4x4:8x8", ["SHP102"]),
    ):
        errors = trtcheck.check(made, target="10.3", profile=profile).errors
        assert [error.code for error in errors] == codes, profile


def test_inputs_that_share_a_size() -> None:
    made = model("4*h", 2, keep=1, second=["h"])
    assert shape(made, "x=16x2,z=4", "u") == shape(made, "x=16x2", "u") == "FLOAT[4]"
    # They contradict each other: what stands on an axis alone counts.
    assert shape(made, "x=16x2,z=5", "u") == "FLOAT[5]"
    assert trtcheck.check(made, profile="x=16x2,z=5").errors == []
    # So it is beside an assumption.
    for assumed in ("h >= 1", "h <= 9"):
        shapes = trtcheck.infer_shapes(made, profile="x=16x2,z=5", assume=[assumed])
        assert str(shapes["u"]) == "FLOAT[5]"


def test_memory_and_pieces_know_them() -> None:
    made = model("4*h", "4*w", keep=1)
    report = trtcheck.memory(made, profile="x=16x16")
    assert report.points[-1].inputs == 16 * 16 * 4 and report.points[-1].unknown == 0
    assert trtcheck.memory(made).points[-1].unknown == 0
    (piece,) = trtcheck.partition(made, ort=True).pieces
    assert [tensor.name for tensor in piece.inputs] == ["x"]
    assert not any("sizes of" in note for note in trtcheck.partition(made, ort=True).notes)


@pytest.mark.parametrize("seed", range(20))
def test_numbers_that_were_drawn(seed: int) -> None:
    drawn = random.Random(seed)
    factor, constant = drawn.choice([-3, -1, 1, 2, 4, 32]), drawn.randint(-3, 12)
    sizes = [s for s in range(1, 40) if factor * s + constant > 0]
    if not sizes:
        return
    size = drawn.choice(sizes)
    axis = factor * size + constant
    text = f"{factor}*s + {constant}" if constant >= 0 else f"{factor}*s - {-constant}"
    made = model(text, keep=1, second=["s"])
    assert shape(made, f"x={axis}", "u") == f"FLOAT[{size}]", (seed, text, axis)


def test_an_export_with_derived_sizes(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")

    class Top(torch.nn.Module):  # type: ignore[misc,name-defined]
        def forward(self, x):  # type: ignore[no-untyped-def]
            return torch.topk(x[:, :, ::4, ::4].flatten(1), 50, dim=1).values

    path = tmp_path / "top.onnx"
    axes = {0: torch.export.Dim("batch"), 2: 4 * torch.export.Dim("h"), 3: 4 * torch.export.Dim("w")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(Top().eval(), (torch.zeros(2, 1, 64, 64),), path, dynamo=True, dynamic_shapes=(axes,))
    declared = onnx.load(path).graph.input[0].type.tensor_type.shape.dim
    assert declared[2].dim_param == "4*h"
    assert trtcheck.check(path, target="10.3", profile="x=1x1x64x64").errors == []
    (error,) = trtcheck.check(path, target="10.3", profile="x=1x1x16x16").errors
    assert "TopK" in error.message and "50" in error.message
