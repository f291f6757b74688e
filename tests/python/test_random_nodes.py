"""Random nodes of convolution, pooling, resizing and the like, inferred with named sizes and run by ONNX Runtime.

ONNX Runtime may refuse a node (a window that does not fit, an attribute it does not implement); then nothing is
compared. Where it runs, our sizes are its sizes, and we saw no conflict.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import trtcheck

NODES_PER_OPERATOR = 60
SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))


@dataclass
class Sample:
    node: NodeProto
    inputs: dict[str, tuple[int, ...]]
    constants: dict[str, np.ndarray]
    opset: int = 17


def ints(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    return [rng.randint(low, high) for _ in range(count)]


def window(rng: random.Random, spatial: int, kernel: list[int], with_dilations: bool = True) -> dict[str, Any]:
    attributes: dict[str, Any] = {"strides": ints(rng, spatial, 1, 3)}
    if with_dilations and rng.random() < 0.5:
        attributes["dilations"] = ints(rng, spatial, 1, 2)
    choice = rng.choice(["pads", "pads", "none", "SAME_UPPER", "SAME_LOWER", "VALID"])
    if choice == "pads":
        attributes["pads"] = [rng.randint(0, k - 1) for k in kernel * 2]
    elif choice != "none":
        attributes["auto_pad"] = choice
        attributes.pop("dilations", None)
    return attributes


def data(rng: random.Random, channels: int, spatial: int) -> tuple[int, ...]:
    return (rng.randint(1, 2), channels, *ints(rng, spatial, 1, 12))


def pool(kind: str) -> Callable[[random.Random], Sample]:
    def make(rng: random.Random) -> Sample:
        spatial = rng.randint(1, 2)
        kernel = ints(rng, spatial, 1, 4)
        attributes = window(rng, spatial, kernel, with_dilations=kind == "MaxPool")
        if "auto_pad" not in attributes:
            attributes["ceil_mode"] = rng.randint(0, 1)
        opset = 18 if kind == "LpPool" else 17
        node = helper.make_node(kind, ["x"], ["y"], kernel_shape=kernel, **attributes)
        shape = data(rng, 2, spatial)
        if not attributes.get("ceil_mode"):
            # ONNX Runtime's division truncates, so a window that does not fit runs there, and nowhere else.
            shape = (*shape[:2], *(max(d, 2 * k - 1) for d, k in zip(shape[2:], kernel, strict=True)))
        return Sample(node, {"x": shape}, {}, opset)

    return make


def conv(rng: random.Random) -> Sample:
    spatial, group = rng.randint(1, 2), rng.randint(1, 3)
    kernel = ints(rng, spatial, 1, 4)
    per_group, out = rng.randint(1, 2), group * rng.randint(1, 2)
    weight = np.zeros((out, per_group, *kernel), np.float32)
    node = helper.make_node("Conv", ["x", "w"], ["y"], group=group, **window(rng, spatial, kernel))
    return Sample(node, {"x": data(rng, group * per_group, spatial)}, {"w": weight})


def conv_transpose(rng: random.Random) -> Sample:
    spatial, group = rng.randint(1, 2), rng.randint(1, 2)
    kernel = ints(rng, spatial, 1, 4)
    attributes = window(rng, spatial, kernel)
    if rng.random() < 0.4:
        attributes["output_padding"] = [rng.randint(0, s - 1) for s in ints(rng, spatial, 1, 3)]
    weight = np.zeros((group * 2, rng.randint(1, 2), *kernel), np.float32)
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], group=group, **attributes)
    return Sample(node, {"x": data(rng, group * 2, spatial)}, {"w": weight})


def resize(rng: random.Random) -> Sample:
    shape = data(rng, 2, 2)
    if rng.random() < 0.5:
        last = [rng.choice([0.5, 2.0, 1.5, 0.25, 3.0, 0.3, 0.7142857, 1.1]) for _ in range(2)]
        scales = np.array([1.0, 1.0, *last], np.float32)
        return Sample(
            helper.make_node("Resize", ["x", "", "s"], ["y"]), {"x": shape}, {"s": scales}, rng.choice([13, 18])
        )
    sizes = np.array([*shape[:2], *ints(rng, 2, 1, 20)], np.int64)
    policy = rng.choice(["stretch", "not_larger", "not_smaller"])
    if policy == "stretch":
        return Sample(helper.make_node("Resize", ["x", "", "", "s"], ["y"]), {"x": shape}, {"s": sizes}, 13)
    node = helper.make_node("Resize", ["x", "", "", "s"], ["y"], axes=[2, 3], keep_aspect_ratio_policy=policy)
    return Sample(node, {"x": shape}, {"s": sizes[2:]}, 18)


def pad(rng: random.Random) -> Sample:
    axes = rng.sample([0, 1, 2, -1], rng.randint(1, 3))
    axes = [a for a in axes if a != 2 or -1 not in axes]
    pads = np.array(ints(rng, 2 * len(axes), -1, 3), np.int64)
    node = helper.make_node("Pad", ["x", "p", "", "a"], ["y"])
    return Sample(node, {"x": (*ints(rng, 3, 2, 5),)}, {"p": pads, "a": np.array(axes, np.int64)}, 18)


def matmul(rng: random.Random) -> Sample:
    inner, batch = rng.randint(1, 4), ints(rng, 2, 1, 3)
    left = [d if rng.random() < 0.7 else 1 for d in batch[rng.randint(0, 2) :]]
    right = [d if rng.random() < 0.7 else 1 for d in batch[rng.randint(0, 2) :]]
    a = (*left, rng.randint(1, 4), inner) if left or rng.random() < 0.7 else (inner,)
    b = (*right, inner, rng.randint(1, 4)) if right or rng.random() < 0.7 else (inner,)
    return Sample(helper.make_node("MatMul", ["x", "w"], ["y"]), {"x": a, "w": b}, {})


def einsum(rng: random.Random) -> Sample:
    sizes = dict(zip("abcde", ints(rng, 5, 2, 4), strict=True))
    left, right = rng.sample("abcde", rng.randint(1, 3)), rng.sample("abcde", rng.randint(1, 3))
    result = rng.sample(sorted({*left, *right}), rng.randint(0, len({*left, *right})))
    equation = f"{''.join(left)},{''.join(right)}->{''.join(result)}"
    shapes = {"x": tuple(sizes[c] for c in left), "w": tuple(sizes[c] for c in right)}
    return Sample(helper.make_node("Einsum", ["x", "w"], ["y"], equation=equation), shapes, {})


def blocks(kind: str) -> Callable[[random.Random], Sample]:
    def make(rng: random.Random) -> Sample:
        size = rng.randint(1, 3)
        channels, scale = (size * size * 2, 1) if kind == "DepthToSpace" else (2, size)
        shape = (1, channels, rng.randint(1, 4) * scale, rng.randint(1, 4) * scale)
        return Sample(helper.make_node(kind, ["x"], ["y"], blocksize=size), {"x": shape}, {})

    return make


OPERATORS: dict[str, Callable[[random.Random], Sample]] = {
    "MaxPool": pool("MaxPool"),
    "AveragePool": pool("AveragePool"),
    "LpPool": pool("LpPool"),
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Resize": resize,
    "Pad": pad,
    "MatMul": matmul,
    "Einsum": einsum,
    "DepthToSpace": blocks("DepthToSpace"),
    "SpaceToDepth": blocks("SpaceToDepth"),
}


def model_of(sample: Sample, with_names: bool) -> ModelProto:
    inputs = [
        helper.make_tensor_value_info(
            name, TensorProto.FLOAT, [f"{name}{i}" for i in range(len(shape))] if with_names else list(shape)
        )
        for name, shape in sample.inputs.items()
    ]
    constants = [numpy_helper.from_array(value, name) for name, value in sample.constants.items()]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([sample.node], "g", inputs, [output], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", sample.opset)], ir_version=8)


def executed(sample: Sample) -> tuple[int, ...] | None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    feed = {name: np.zeros(shape, np.float32) for name, shape in sample.inputs.items()}
    try:
        session = onnxruntime.InferenceSession(model_of(sample, True).SerializeToString(), options)
        (made,) = session.run(None, feed)
    except Exception:  # whatever ONNX Runtime's reason: it did not run, so there is nothing to compare
        return None
    return tuple(np.asarray(made).shape)


@pytest.mark.parametrize("operator", OPERATORS)
def test_sizes_are_those_of_onnx_runtime(operator: str) -> None:
    rng = random.Random(f"{SEED} {operator}")
    wrong, compared = [], 0
    for _ in range(NODES_PER_OPERATOR):
        sample = OPERATORS[operator](rng)
        made = executed(sample)
        if made is None or 0 in made:
            continue
        compared += 1
        names = {f"{name}{i}": d for name, shape in sample.inputs.items() for i, d in enumerate(shape)}
        for with_names in (True, False):
            shapes = trtcheck.infer_shapes(model_of(sample, with_names))
            stated = shapes["y"]
            found = (
                None if stated.dims is None else [d if isinstance(d, int) else d.evaluate(names) for d in stated.dims]
            )
            is_right = found is not None and len(found) == len(made)
            is_right = is_right and all(f in (None, m) for f, m in zip(found or [], made, strict=False))
            if not is_right or shapes.conflicts:
                text = f"{sample.node} {sample.inputs}: {stated} is {found}, runs as {made}"
                wrong.append(text + "".join(f"; {c.message}" for c in shapes.conflicts))
    assert not wrong, f"seed {SEED}: " + "\n".join(wrong)
    assert compared > NODES_PER_OPERATOR // 4, f"seed {SEED}: ONNX Runtime ran {compared} nodes only"
