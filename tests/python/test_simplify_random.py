"""Random graphs, full of what `simplify` looks for: the simplified model computes the same bits at three sizes."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, field

import numpy as np
import onnx
import pytest
from cures import run
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.capi.onnxruntime_pybind11_state import Fail

import trtcheck

SIZES = ({"N": 2, "L": 6}, {"N": 3, "L": 4}, {"N": 1, "L": 10})


@dataclass
class Graph:
    """A graph in the making; every value is FLOAT of dims that are numbers or the symbols N and L."""

    random: random.Random
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    stored: list[TensorProto] = field(default_factory=list)
    values: dict[str, tuple[int | str, ...]] = field(default_factory=dict)
    count: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def op(self, op_type: str, *inputs: str, **attributes: object) -> str:
        name = self.fresh()
        self.nodes.append(helper.make_node(op_type, inputs, [name], **attributes))
        return name

    def ints(self, *numbers: int) -> str:
        return self.constant(np.array(numbers, np.int64))

    def constant(self, array: np.ndarray) -> str:
        tensor = numpy_helper.from_array(array)
        if self.random.random() < 0.5:
            return self.op("Constant", value=tensor)
        tensor.name = self.fresh()
        self.stored.append(tensor)
        return tensor.name

    def any(self) -> str:
        return self.random.choice(list(self.values)[-5 if self.random.random() < 0.7 else 0 :])

    def size(self, dim: int | str, of: str, axis: int) -> str:
        """A vector that holds a dim, written or computed."""
        if isinstance(dim, int) and self.random.random() < 0.4:
            return self.ints(dim)
        shape = self.op("Shape", of)
        how = self.random.randrange(3)
        if how == 0:
            index = self.constant(np.array(axis, np.int64))
            return self.op("Unsqueeze", self.op("Gather", shape, index), self.ints(0))
        if how == 1:
            return self.op("Slice", shape, self.ints(axis), self.ints(axis + 1), self.ints(0))
        return self.op("Gather", shape, self.ints(axis))

    def target(self, of: str, dims: list[tuple[int | str, int]]) -> str:
        """A vector of sizes: of each the dim and the axis of `of` that has it; -1: a number of its own."""
        parts = [self.ints(int(dim)) if axis < 0 else self.size(dim, of, axis) for dim, axis in dims]
        return self.op("Concat", *parts, axis=0)


def grow_plain(graph: Graph) -> None:
    source = graph.any()
    dims = graph.values[source]
    op = graph.random.choice(["Relu", "Neg", "Abs", "Identity", "Dropout", "Sigmoid", "Tanh"])
    graph.values[graph.op(op, source)] = dims


def grow_neutral(graph: Graph) -> None:
    source = graph.any()
    op, number = graph.random.choice(
        [("Mul", 1.0), ("Sub", 0.0), ("Add", -0.0), ("Div", 1.0), ("Add", 0.0), ("Mul", 2.0)]
    )
    made = graph.op(op, source, graph.constant(np.array([number], np.float32)))
    if graph.values[source]:
        graph.values[made] = graph.values[source]


def grow_sum(graph: Graph) -> None:
    source = graph.any()
    others = [name for name, dims in graph.values.items() if dims == graph.values[source]]
    graph.values[graph.op("Add", source, graph.random.choice(others))] = graph.values[source]


def grow_transpose(graph: Graph) -> None:
    source = graph.any()
    dims = graph.values[source]
    perm = list(range(len(dims)))
    graph.random.shuffle(perm)
    graph.values[graph.op("Transpose", source, perm=perm)] = tuple(dims[axis] for axis in perm)


def grow_reshape(graph: Graph) -> None:
    """Splits or joins the last axes, with a target that is computed."""
    source = graph.any()
    dims = graph.values[source]
    parts = [(dim, axis) for axis, dim in enumerate(dims)]
    last = dims[-1]
    if isinstance(last, int) and last % 2 == 0 and last > 2 and graph.random.random() < 0.6:
        parts = [*parts[:-1], (2, -1), (last // 2, -1)]
    elif len(dims) > 1 and isinstance(last, int) and isinstance(dims[-2], int):
        parts = [*parts[:-2], (last * dims[-2], -1)]
    made = graph.op("Reshape", source, graph.target(source, parts))
    graph.values[made] = tuple(dim for dim, _ in parts)


def grow_expand(graph: Graph) -> None:
    source = graph.any()
    dims = graph.values[source]
    ones = graph.op("Unsqueeze", source, graph.ints(0))
    target = graph.op("Concat", graph.ints(graph.random.choice([1, 3])), graph.op("Shape", source), axis=0)
    made = graph.op("Expand", ones, target)
    graph.values[graph.op("ReduceMax", made, keepdims=0, axes=[0])] = dims


def grow_slice(graph: Graph) -> None:
    """All of an axis, to its size or a number beyond it."""
    source = graph.any()
    dims = graph.values[source]
    axis = graph.random.randrange(len(dims))
    end = graph.size(dims[axis], source, axis) if graph.random.random() < 0.7 else graph.ints(2**62)
    graph.values[graph.op("Slice", source, graph.ints(0), end, graph.ints(axis))] = dims


def grow_cast(graph: Graph) -> None:
    source = graph.any()
    wide = graph.op("Cast", source, to=TensorProto.DOUBLE)
    graph.values[graph.op("Cast", wide, to=TensorProto.FLOAT)] = graph.values[source]


def grow_filled(graph: Graph) -> None:
    source = graph.any()
    dims = graph.values[source]
    target = graph.target(source, [(dim, axis) for axis, dim in enumerate(dims)])
    graph.values[graph.op("ConstantOfShape", target, value=helper.make_tensor("", 1, [1], [0.5]))] = dims


def grow_branches(graph: Graph) -> None:
    """An If whose condition is known, or is not."""
    source = graph.any()
    dims = graph.values[source]
    rank = graph.op("Size", graph.op("Shape", source))
    known = graph.op("Equal", rank, graph.constant(np.array(graph.random.choice([len(dims), 7]), np.int64)))
    condition = known if graph.random.random() < 0.6 else "flag"
    bodies = []
    for op in graph.random.sample(["Relu", "Neg", "Tanh", "Identity"], 2):
        inner, made = graph.fresh(), graph.fresh()
        nodes = [helper.make_node("Abs", [source], [inner]), helper.make_node(op, [inner], [made])]
        bodies.append(helper.make_graph(nodes, "body", [], [helper.make_tensor_value_info(made, 1, dims)]))
    graph.values[graph.op("If", condition, then_branch=bodies[0], else_branch=bodies[1])] = dims


GROW = [
    grow_plain,
    grow_neutral,
    grow_sum,
    grow_transpose,
    grow_reshape,
    grow_expand,
    grow_slice,
    grow_cast,
    grow_filled,
    grow_branches,
]


def random_model(seed: int) -> onnx.ModelProto:
    graph = Graph(random.Random(seed))
    graph.values["x"] = ("N", "L", 8)
    graph.values["z"] = ("N", 4)
    for _ in range(graph.random.randint(8, 40)):
        graph.random.choice(GROW)(graph)
    read = {name for node in graph.nodes for name in node.input}
    made = [name for name in graph.values if name not in ("x", "z")]
    outputs = [name for name in made if name not in read and graph.random.random() < 0.7] or made[-1:]
    outputs += [name for name in made if name in read and graph.random.random() < 0.1]
    inputs = [helper.make_tensor_value_info(name, 1, graph.values[name]) for name in ("x", "z")]
    inputs.append(helper.make_tensor_value_info("flag", TensorProto.BOOL, []))
    proto = helper.make_graph(
        graph.nodes,
        "random",
        inputs,
        [helper.make_tensor_value_info(name, 1, graph.values[name]) for name in outputs],
        graph.stored,
    )
    return helper.make_model(proto, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def given(at: int, seed: int) -> dict[str, np.ndarray]:
    numbers = np.random.default_rng(seed + at)
    n, length = SIZES[at]["N"], SIZES[at]["L"]
    return {
        "x": numbers.normal(size=(n, length, 8)).astype(np.float32),
        "z": numbers.normal(size=(n, 4)).astype(np.float32),
        "flag": np.array(at % 2 == 0),
    }


def both(before: onnx.ModelProto, after: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> tuple[list, list]:
    """Outputs of both models. Of some bodies ONNX Runtime forgets what they read: then onnx's reference runs both."""
    try:
        return run(before, feeds, "onnxruntime"), run(after, feeds, "onnxruntime")
    except Fail:
        return run(before, feeds, "reference"), run(after, feeds, "reference")


@pytest.mark.parametrize("batch", range(8))
def test_random_graphs(batch: int) -> None:
    for seed in [secrets.randbits(32) for _ in range(20)]:
        print(f"batch {batch}, seed {seed}")
        model = random_model(seed)
        made = trtcheck.simplify(model)
        assert not made.left
        assert made.after.nodes <= made.before.nodes
        assert made.model.graph.input == model.graph.input
        assert made.model.graph.output == model.graph.output
        assert not trtcheck.simplify(made.model).is_changed
        for at in range(len(SIZES)):
            feeds = given(at, seed)
            for old, new in zip(*both(model, made.model, feeds), strict=True):
                assert (old.dtype, old.shape, old.tobytes()) == (new.dtype, new.shape, new.tobytes())
