"""`trtcheck types --sparsity`: which weights are 2:4 structured sparse, against NumPy."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper, numpy_helper

import trtcheck

PROGRAM = [sys.executable, "-m", "trtcheck"]
SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))
FLOAT8: dict[int, int] = {TensorProto.FLOAT8E4M3FN: 0x38, TensorProto.FLOAT8E5M2: 0x3C}


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)


def found(path: Path) -> dict[str, Any]:
    done = run("types", path, "--sparsity", "--read-weights", "--output-format", "json")
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)["sparsity"]
    return document


def only(path: Path) -> dict[str, Any]:
    (one,) = found(path)["weights"]
    assert isinstance(one, dict)
    return one


def prune(weights: np.ndarray, axis: int, seed: int = 0, zero: int = 0) -> np.ndarray:
    """Two values of each four along the axis become zero; the others are none."""
    rng = np.random.default_rng([SEED, seed])
    moved = np.moveaxis(weights, axis, -1).copy()
    groups = moved.reshape(-1, 4)
    for group in groups:
        group[rng.permutation(4)[:2]] = zero
    return np.ascontiguousarray(np.moveaxis(groups.reshape(moved.shape), -1, axis))


def save(
    path: Path, op: str, data: list[int], stored: list[TensorProto], before: str = "", external: bool = False, **a: Any
) -> Path:
    """One layer of data `x` and weights `w`, or of what the lines `before` make of `v`."""
    nodes = [*onnx.parser.parse_graph(f"g (float[1] x) => (float[1] y) {{ {before} }}").node] if before else []
    nodes.append(helper.make_node(op, ["x", "w"], ["y"], name="layer", **a))
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, data)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "g", [x], [y], stored)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    location = path.with_suffix(".bin").name
    onnx.save(proto, path, save_as_external_data=external, location=location, size_threshold=0)
    return path


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def conv(tmp_path: Path, weights: np.ndarray, group: int = 1, external: bool = False) -> Path:
    data = [1, weights.shape[1] * group, *[16] * (weights.ndim - 2)]
    stored = [numpy_helper.from_array(weights, "w")]
    return save(tmp_path / "m.onnx", "Conv", data, stored, external=external, group=group)


def three_set(weights: np.ndarray, at: tuple[int, ...]) -> np.ndarray:
    """Of the group of input channels that starts there three values are set."""
    k, c, *rest = at
    np.moveaxis(weights, 1, -1)[(k, *rest)][c : c + 3] = 1
    return weights


# Weights of a Conv, group -> state, groups, those that obey, first that does not, axis that is sparse.
CONVS: dict[str, tuple[np.ndarray, int, tuple[Any, ...]]] = {
    "sparse": (prune(ones(6, 8, 3, 3), 1), 1, ("sparse", 108, 108, None, None)),
    "dense": (ones(6, 8, 3, 3), 1, ("dense", 108, 0, [0, 0, 0, 0], None)),
    "one group of three": (
        three_set(prune(ones(6, 8, 3, 3), 1), (4, 4, 1, 2)),
        1,
        ("dense", 108, 107, [4, 4, 1, 2], None),
    ),
    "along output channels": (prune(ones(8, 8, 3, 3), 0), 1, ("wrong-axis", 144, None, None, 0)),
    "along the kernel": (prune(ones(6, 8, 4, 3), 2), 1, ("wrong-axis", 144, None, None, 2)),
    "6 channels": (prune(ones(8, 6, 3, 3), 0), 1, ("unaligned", 0, 0, None, None)),
    "1x1": (prune(ones(6, 8, 1, 1), 1), 1, ("sparse", 12, 12, None, None)),
    "1x1, one group of three": (
        three_set(prune(ones(6, 8, 1, 1), 1), (5, 4, 0, 0)),
        1,
        ("dense", 12, 11, [5, 4, 0, 0], None),
    ),
    "grouped": (prune(ones(8, 4, 3, 3), 1), 2, ("sparse", 72, 72, None, None)),
    "depthwise": (np.zeros((8, 1, 3, 3), np.float32), 8, ("unaligned", 0, 0, None, None)),
    "one dimension": (prune(ones(6, 8, 3), 1), 1, ("sparse", 36, 36, None, None)),
    "-0.0": (
        np.where(prune(ones(4, 8, 3, 3), 1) == 0, np.float32(-0.0), np.float32(2)),
        1,
        ("sparse", 72, 72, None, None),
    ),
    "three zeros": (
        np.where(np.arange(8) % 4 == 1, 1, 0).astype(np.float32).reshape(1, 8, 1, 1),
        1,
        ("sparse", 2, 2, None, None),
    ),
    "NaN is no zero": (np.full((1, 4, 1, 1), np.nan, np.float32), 1, ("dense", 1, 0, [0, 0, 0, 0], None)),
}


@pytest.mark.parametrize("name", CONVS)
def test_conv(tmp_path: Path, name: str) -> None:
    weights, group, (state, groups, obeying, first, other) = CONVS[name]
    one = only(conv(tmp_path, weights, group))
    assert (one["state"], one["groups"], one["axis"], one["sparse_axis"]) == (state, groups, 1, other), SEED
    assert one["channels"] == weights.shape[1]
    if state != "wrong-axis":
        assert (one["obeying"], one["first_dense"]) == (obeying, first), SEED


@pytest.mark.parametrize("pruned", [0, 1])
@pytest.mark.parametrize("transposed", [0, 1])
def test_gemm_is_sparse_along_its_sum(tmp_path: Path, transposed: int, pruned: int) -> None:
    stored = [numpy_helper.from_array(prune(ones(32, 32), pruned), "w")]
    one = only(save(tmp_path / "m.onnx", "Gemm", [2, 32], stored, transB=transposed))
    assert one["axis"] == transposed
    assert one["state"] == ("sparse" if pruned == transposed else "wrong-axis"), SEED
    assert one["sparse_axis"] == (None if pruned == transposed else pruned)


@pytest.mark.parametrize("shape", [(8,), (8, 5), (3, 8, 5)])
def test_matmul(tmp_path: Path, shape: tuple[int, ...]) -> None:
    axis = max(len(shape) - 2, 0)
    stored = [numpy_helper.from_array(prune(ones(*shape), axis), "w")]
    one = only(save(tmp_path / "m.onnx", "MatMul", [3, 2, 8], stored))
    assert (one["state"], one["axis"], one["channels"]) == ("sparse", axis, 8)


def test_weights_may_be_the_left_operand(tmp_path: Path) -> None:
    stored = [numpy_helper.from_array(prune(ones(5, 8), 1), "x2")]
    path = save(tmp_path / "m.onnx", "MatMul", [8, 5], [])
    proto = onnx.load(path)
    proto.graph.node[0].input[:] = ["x2", "x"]
    proto.graph.initializer.extend(stored)
    onnx.save(proto, path)
    assert (only(path)["state"], only(path)["axis"]) == ("sparse", 1)


# Lines that make `w` of `v`, axis of `v` that is pruned.
WAYS = {
    "Transpose": ("w = Transpose<perm=[1,0]>(v)", 1),
    "Transpose, default": ("w = Transpose(v)", 1),
    "two": ("t = Transpose(v) w = Transpose(t)", 0),
    "Identity": ("w = Identity(v)", 0),
    "Cast": ("w = Cast<to=1>(v)", 0),
}


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("fits", [True, False])
def test_on_their_way(tmp_path: Path, name: str, fits: bool) -> None:
    lines, axis = WAYS[name]
    stored = [numpy_helper.from_array(prune(ones(32, 32), axis if fits else 1 - axis), "v")]
    one = only(save(tmp_path / "m.onnx", "MatMul", [2, 32], stored, lines))
    assert (one["state"], one["axis"]) == ("sparse" if fits else "wrong-axis", 0), SEED
    assert one["sparse_axis"] == (None if fits else 1)


def test_other_operators_compute_them(tmp_path: Path) -> None:
    stored = [numpy_helper.from_array(prune(ones(8, 8), 0), "v")]
    one = only(save(tmp_path / "m.onnx", "MatMul", [2, 8], stored, "w = Neg(v)"))
    assert one["state"] == "unread"
    assert one["why"].startswith("Neg `")


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize(("dtype", "zero"), [(np.int8, 0), (np.int8, -3), (np.uint8, 0), (np.uint8, 128)])
def test_the_zero_point_is_zero(tmp_path: Path, dtype: type, zero: int, typed: bool) -> None:
    codes = prune(np.full((6, 8, 3, 3), 7, dtype), 1, zero=zero)
    element = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    v = helper.make_tensor("v", element, codes.shape, codes.ravel().tolist())
    stored = [v if typed else numpy_helper.from_array(codes, "v")]
    stored += [
        numpy_helper.from_array(np.array(0.1, np.float32), "s"),
        numpy_helper.from_array(np.array(zero, dtype), "z"),
    ]
    path = tmp_path / "m.onnx"
    assert only(save(path, "Conv", [1, 8, 9, 9], stored, "w = DequantizeLinear(v, s, z)"))["state"] == "sparse"
    stored[2] = numpy_helper.from_array(np.array(zero + 1, dtype), "z")
    assert only(save(path, "Conv", [1, 8, 9, 9], stored, "w = DequantizeLinear(v, s, z)"))["state"] == "dense"


def test_zero_points_that_differ(tmp_path: Path) -> None:
    stored = [numpy_helper.from_array(np.zeros((4, 4, 1, 1), np.int8), "v"), numpy_helper.from_array(ones(4), "s")]
    stored += [numpy_helper.from_array(np.array([0, 0, 1, 0], np.int8), "z")]
    one = only(save(tmp_path / "m.onnx", "Conv", [1, 4, 9, 9], stored, "w = DequantizeLinear<axis=0>(v, s, z)"))
    assert (one["state"], one["why"]) == ("unread", "it has more than one zero point")


def test_a_pair_in_front_of_floats(tmp_path: Path) -> None:
    stored = [
        numpy_helper.from_array(prune(ones(4, 4, 3, 3), 1), "v"),
        numpy_helper.from_array(np.array(0.1, np.float32), "s"),
    ]
    stored += [numpy_helper.from_array(np.array(0, np.int8), "z")]
    lines = "q = QuantizeLinear(v, s, z) w = DequantizeLinear(q, s, z)"
    assert only(save(tmp_path / "m.onnx", "Conv", [1, 4, 9, 9], stored, lines))["state"] == "sparse"


@pytest.mark.parametrize("element", [*FLOAT8, TensorProto.FLOAT16, TensorProto.BFLOAT16])
def test_narrow_floats(tmp_path: Path, element: int) -> None:
    set_ = prune(ones(8, 8), 0) != 0
    wide = element not in FLOAT8
    one, minus_zero = (0x3C00, 0x8000) if wide else (FLOAT8[element], 0x80)
    bits = np.where(set_, one, minus_zero).astype(np.uint16 if wide else np.uint8)
    bits[0, 0] = 0 if not set_[0, 0] else bits[0, 0]
    stored = [TensorProto(name="v", data_type=element, dims=(8, 8), raw_data=bits.tobytes())]
    lines = "w = Cast<to=1>(v)"
    if not wide:
        lines = "w = DequantizeLinear(v, s)"
        stored.append(numpy_helper.from_array(np.array(1, np.float32), "s"))
    assert only(save(tmp_path / "m.onnx", "MatMul", [2, 8], stored, lines))["state"] == "sparse", SEED


def test_types_that_are_not_looked_at(tmp_path: Path) -> None:
    stored = [TensorProto(name="v", data_type=TensorProto.INT4, dims=(8, 8), raw_data=bytes(32))]
    stored.append(numpy_helper.from_array(np.array(1, np.float32), "s"))
    one = only(save(tmp_path / "m.onnx", "MatMul", [2, 8], stored, "w = DequantizeLinear(v, s)"))
    assert (one["state"], one["why"]) == ("unread", "values of INT4 are not looked at")


def test_external_data(tmp_path: Path) -> None:
    path = conv(tmp_path, prune(ones(64, 64, 3, 3), 1), external=True)
    assert only(path)["state"] == "sparse"
    data = path.with_suffix(".bin")
    data.write_bytes(data.read_bytes()[:-1])
    one = only(path)
    assert one["state"] == "unread"
    assert one["why"].startswith("`m.bin` could not be read (")
    data.unlink()
    assert only(path)["state"] == "unread"


@pytest.mark.parametrize("turn", range(12))
def test_random_weights_as_numpy(tmp_path: Path, turn: int) -> None:
    rng = np.random.default_rng([SEED, turn])
    shape = [int(rng.integers(1, 9)), 4 * int(rng.integers(1, 9)), *rng.integers(1, 6, int(rng.integers(1, 3)))]
    if turn >= 8:
        shape = [40, 4 * 64, 7, 7]  # more than a part of a file, that parts do not divide
    elif turn >= 6:
        shape = [2, 4, 300, 700]  # rows that parts split
    weights = prune(rng.normal(size=shape).astype(np.float32), 1, turn)
    dense = int(rng.integers(0, 5))
    for at in rng.integers(0, weights.size, dense):
        weights.reshape(-1)[at] = 1
    groups = np.count_nonzero(weights.reshape(shape[0], shape[1] // 4, 4, *shape[2:]), axis=2)
    bad = np.argwhere(groups > 2)
    one = only(conv(tmp_path, weights, external=turn % 2 == 1))
    assert (one["groups"], one["obeying"]) == (groups.size, groups.size - len(bad)), SEED
    expected = [int(bad[0][0]), 4 * int(bad[0][1]), *map(int, bad[0][2:])] if len(bad) else None
    assert one["first_dense"] == expected, SEED


def test_transposed_convolutions_and_products_of_data_are_left_out(tmp_path: Path) -> None:
    stored = [numpy_helper.from_array(ones(8, 8, 3, 3), "w")]
    path = save(tmp_path / "m.onnx", "ConvTranspose", [1, 8, 9, 9], stored)
    assert found(path) == {"sparse": 0, "of": 0, "share": 0.0, "weights": []}
    said = run("types", path, "--sparsity", "--read-weights").stdout
    assert said.endswith("2:4 structured sparsity: no Conv, Gemm or MatMul has constant weights\n")


def test_text(tmp_path: Path) -> None:
    path = conv(tmp_path, three_set(prune(ones(8, 8, 3, 3), 1), (4, 4, 1, 2)))
    said = run("types", path, "--sparsity", "--read-weights").stdout
    assert "2:4 structured sparsity: 0 of 1 weight, 0.0 % of the multiply-accumulates\n" in said
    assert "dense: 143 of 144 groups obey, the first that does not starts at [4, 4, 1, 2]" in said
    said = run("types", conv(tmp_path, prune(ones(8, 8, 3, 3), 0)), "--sparsity", "--read-weights").stdout
    assert "sparse along axis 0 (output channels) only, TensorRT needs axis 1 (input channels): " in said
    said = run("types", conv(tmp_path, ones(8, 6, 3, 3)), "--sparsity", "--read-weights").stdout
    assert "6 input channels, not a multiple of 4\n" in said
    path = conv(tmp_path, prune(ones(8, 8, 3, 3), 1))
    said = run("types", path, "--sparsity", "--read-weights", "--output-format", "concise").stdout
    assert said.endswith("2:4 structured sparsity: 1 of 1 weight, 100.0 % of the multiply-accumulates\n")


def test_weights_must_be_read(tmp_path: Path) -> None:
    path = conv(tmp_path, ones(8, 8, 3, 3))
    done = run("types", path, "--sparsity")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "trtcheck: --sparsity: weights must be read for it, add --read-weights\n"
    assert "sparsity" not in json.loads(run("types", path, "--read-weights", "--output-format", "json").stdout)
    config = tmp_path / "trtcheck.toml"
    config.write_text("read-weights = true\n")
    assert run("types", path, "--sparsity", "--config", config).returncode == 0


def as_the_program_says(sparsity: trtcheck.Sparsity) -> dict[str, Any]:
    return {
        "sparse": sum(each.state == "sparse" for each in sparsity.weights),
        "of": len(sparsity.weights),
        "share": sparsity.share,
        "weights": [
            {
                "node": each.node.label,
                "op": each.node.op_type,
                "weights": each.tensor.name if each.tensor is not None else None,
                "state": each.state,
                "axis": each.axis if each.tensor is not None else None,
                "channels": each.channels if each.tensor is not None else None,
                "groups": each.groups,
                "obeying": each.obeying,
                "first_dense": each.first_dense or None,
                "sparse_axis": each.sparse_axis,
                "why": each.why,
            }
            for each in sparsity.weights
        ],
    }


@pytest.mark.parametrize("name", ["sparse", "dense", "wrong axis", "unaligned", "external", "computed", "none"])
def test_python_says_the_same(tmp_path: Path, name: str) -> None:
    weights = ones(8, 8, 3, 3)
    external = name == "external"
    if name in ("sparse", "external"):
        weights = prune(weights, 1)
    if name == "wrong axis":
        weights = prune(weights, 0)
    if name == "computed":
        path = save(tmp_path / "m.onnx", "MatMul", [2, 8], [numpy_helper.from_array(ones(8, 8), "v")], "w = Neg(v)")
    elif name == "none":
        path = save(tmp_path / "m.onnx", "Relu", [2, 8], [])
        graph = onnx.load(path)
        del graph.graph.node[0].input[1:]
        onnx.save(graph, path)
    else:
        path = conv(tmp_path, ones(8, 6, 3, 3) if name == "unaligned" else weights, external=external)
    sparsity = trtcheck.sparsity(path)
    assert as_the_program_says(sparsity) == found(path)
    if name == "external":
        (tmp_path / "m.bin").unlink()
        (one,) = trtcheck.sparsity(path).weights
        assert one.state == "unread" and one.why


def test_python_accepts_what_check_accepts(tmp_path: Path) -> None:
    path = conv(tmp_path, prune(ones(8, 8, 3, 3), 1))
    assert trtcheck.sparsity(path.read_bytes(), target="10.13").share == trtcheck.sparsity(path).share == 1.0
    with pytest.raises(trtcheck.Error, match="release"):
        trtcheck.sparsity(path, target="1.0")
    with pytest.raises(TypeError):
        trtcheck.sparsity(3)
    (one,) = trtcheck.sparsity(path).weights
    assert repr(one) == "<WeightSparsity Conv layer: sparse>"
    assert repr(trtcheck.sparsity(path)) == "<Sparsity: 1 of 1 weight>"
