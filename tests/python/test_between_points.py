"""Sizes between the points of a profile: ONNX Runtime runs each size of the range, the rule names the first that fails.

A model is a chain of random nodes over one dynamic axis. Where all three points run and some size between them does
not, SHP102 says which is the smallest; where every size runs, it says nothing.
"""

from __future__ import annotations

import os
import random
import re

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import trtcheck

MODELS = 200
SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))


class Chain:
    """Nodes on a tensor [1, 1, L]."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}
        self.last = "x"
        for _ in range(rng.randint(0, 3)):
            self.add(rng.choice(["conv", "pool", "twice", "pad", "back"]))

    def name(self) -> str:
        return f"t{len(self.nodes)}"

    def constant(self, value: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name

    def node(self, op: str, inputs: list[str], **attributes: object) -> None:
        name = self.name()
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        self.last = name

    def add(self, what: str) -> None:
        size = self.rng.randint(1, 3)
        if what == "conv":
            weight = self.constant(np.ones((1, 1, size), np.float32))
            self.node("Conv", [self.last, weight], strides=[self.rng.randint(1, 3)], pads=[size // 2, size // 2])
        elif what == "pool":
            stride = self.rng.randint(1, 3)
            # Steps beyond the window: with ceil_mode TensorRT counts a window that ONNX does not.
            rounds_up = self.rng.randint(0, 1) if stride <= size else 0
            self.node("MaxPool", [self.last], kernel_shape=[size], strides=[stride], ceil_mode=rounds_up)
        elif what == "twice":
            self.node("Concat", [self.last, self.last], axis=2)
        elif what == "pad":
            self.node("Concat", [self.last, self.constant(np.ones((1, 1, size), np.float32))], axis=2)
        else:
            weight = self.constant(np.ones((1, 1, size), np.float32))
            self.node("ConvTranspose", [self.last, weight], strides=[size])

    def close(self) -> None:
        what = self.rng.choice(["rows", "skip", "broadcast", "whole", "top"])
        if what == "rows":
            self.node("Reshape", [self.last, self.constant(np.array([-1, self.rng.randint(2, 6)]))])
        elif what == "skip":
            self.node("Add", [self.last, "x"])
        elif what == "broadcast":
            self.node("Mul", [self.last, self.constant(np.ones(self.rng.randint(2, 9), np.float32))])
        elif what == "whole":
            self.node("Reshape", [self.last, self.constant(np.array([1, self.rng.randint(3, 12)]))])
        else:
            count = self.constant(np.array([self.rng.randint(2, 9)]))
            self.nodes.append(helper.make_node("TopK", [self.last, count], ["values", "indices"]))
            self.last = "values"

    def model(self) -> ModelProto:
        graph = helper.make_graph(
            self.nodes,
            "chain",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, "L"])],
            [helper.make_tensor_value_info(self.last, TensorProto.FLOAT, None)],
            [numpy_helper.from_array(value, name) for name, value in self.constants.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def results(model: ModelProto, low: int, high: int) -> dict[int, dict[str, np.ndarray]]:
    """What ONNX Runtime computes, by size; a size that does not run is left out."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in model.graph.output]
    found = {}
    for size in range(low, high + 1):
        x = np.ones((1, 1, size), np.float32)
        try:
            values = session.run(None, {"x": x})
        except Exception:  # whatever ONNX Runtime calls it: this size does not run
            continue
        found[size] = {"x": x, **dict(zip(names, values, strict=True))}
    return found


def sizes_that_run(model: ModelProto, low: int, high: int) -> set[int]:
    return set(results(model, low, high))


def sizes_in_doubt(model: ModelProto, low: int, high: int) -> set[int]:
    """Sizes at which a pooling window is larger than its input: ONNX Runtime rounds towards zero and counts it as one,
    ONNX and TensorRT round down to none."""
    pools = [node for node in model.graph.node[:-1] if node.op_type == "MaxPool"]
    body = ModelProto.FromString(model.SerializeToString())
    del body.graph.node[-1], body.graph.output[:]
    names = {pool.input[0] for pool in pools} - {"x"} or {pool.output[0] for pool in pools}
    if not names:
        return set()
    body.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    return {
        size
        for size, values in results(body, low, high).items()
        if any(values[pool.input[0]].shape[2] < smallest_input(pool) for pool in pools)
    }


def smallest_input(pool: NodeProto) -> int:
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in pool.attribute}
    spared = attributes["strides"][0] - 1 if attributes["ceil_mode"] else 0
    return max(1, attributes["kernel_shape"][0] - spared)


def told(model: ModelProto, low: int, opt: int, high: int) -> tuple[set[int], bool]:
    """The smallest sizes that findings name, and whether anything else says that a size fails."""
    report = trtcheck.check(model, profile={"x": ((1, 1, low), (1, 1, opt), (1, 1, high))})
    between, other = set(), False
    for finding in report.findings:
        match = re.search(r"at `L` = (\d+) between", finding.message)
        if match:
            assert any(f"`L` = {match[1]} is the smallest size" in note.message for note in finding.notes), finding
            between.add(int(match[1]))
        elif finding.rule.code.startswith("SHP"):
            other = True
    return between, other


def test_the_smallest_size_that_fails_is_the_one_that_onnx_runtime_refuses() -> None:
    rng = random.Random(SEED)
    print(f"TRTCHECK_SEED={SEED}")
    seen = {"between": 0, "clean": 0, "point": 0}
    for number in range(MODELS):
        chain = Chain(rng)
        chain.close()
        model = chain.model()
        low = rng.randint(3, 12)
        high = low + rng.randint(2, 24)
        low = max(sizes_in_doubt(model, low, high), default=low - 1) + 1
        runs = sizes_that_run(model, low, high)
        if not runs:
            continue
        good = sorted(runs) if rng.random() < 0.7 else list(range(low, high + 1))
        low, opt, high = good[0], rng.choice(good), good[-1]
        between, other = told(model, low, opt, high)
        failing = [size for size in range(low, high + 1) if size not in runs]
        where = f"TRTCHECK_SEED={SEED}, model {number}, {low}:{opt}:{high}: {[n.op_type for n in chain.nodes]}"
        if {low, opt, high} <= runs:
            assert (min(between) if between else None) == (failing[0] if failing else None), (where, between, failing)
            assert not other, where
            seen["between" if failing else "clean"] += 1
        else:
            assert between or other, where
            seen["point"] += 1
    assert min(seen.values()) > 0, seen
