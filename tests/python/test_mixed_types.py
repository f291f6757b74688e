"""Operands of different element types: ONNX Runtime refuses to load such a model, and we have told it at that node.

Models are drawn over families of operators: one operand gets another type, as a graph input, as an initializer, behind
a Cast, or through layers that hand the type on. The finding names where each of the two types comes from.
"""

from __future__ import annotations

import os
import random
import re
from dataclasses import dataclass

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
from onnx import ModelProto, TensorProto, ValueInfoProto, helper, numpy_helper

import trtcheck

SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))
TURNS = 5
TARGET = "11.1"
FLOATS = [TensorProto.FLOAT, TensorProto.FLOAT16]
OTHERS = [
    TensorProto.FLOAT,
    TensorProto.FLOAT16,
    TensorProto.BFLOAT16,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.INT8,
    TensorProto.BOOL,
]


@dataclass(frozen=True)
class Family:
    """`one`: operands that have one type, with their sizes. `others`: inputs of types of their own."""

    one: dict[str, tuple[int, ...]]
    order: str = ""  # names of inputs as the node has them; "" = `one`, "-" = left out
    others: dict[str, np.ndarray] | None = None
    attributes: dict[str, object] | None = None
    types: tuple[int, ...] = tuple(FLOATS)
    opset: int = 21


IMAGE = (1, 4, 6, 6)
PAIR = {"a": (2, 3), "b": (3,)}
RECURRENT = {"x": (2, 1, 3), "w": (1, 4, 3), "r": (1, 4, 4), "c": (1, 8)}
GATED = {"x": (2, 1, 3), "w": (1, 12, 3), "r": (1, 12, 4), "c": (1, 24)}
CELLS = {"x": (2, 1, 3), "w": (1, 16, 3), "r": (1, 16, 4), "c": (1, 32)}
ROWS = {"data": (4, 2), "updates": (2, 2)}
FAMILIES = {
    **{op: Family(PAIR) for op in ["Add", "Sub", "Mul", "Div"]},
    **{op: Family(PAIR) for op in ["Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"]},
    **{op: Family({"a": (2, 3), "b": (3,), "c": (2, 1)}) for op in ["Max", "Min", "Mean", "Sum"]},
    "Mod": Family(PAIR, types=(TensorProto.INT32, TensorProto.INT64)),
    "Concat": Family({"a": (2, 3), "b": (1, 3), "c": (4, 3)}, attributes={"axis": 0}),
    "Where": Family(PAIR, "if a b", {"if": np.array([True, False, True])}),
    "MatMul": Family({"a": (2, 3), "b": (3, 4)}),
    "Gemm": Family({"a": (2, 3), "b": (3, 4), "c": (4,)}),
    "Einsum": Family({"a": (2, 3), "b": (3, 4)}, attributes={"equation": "ij,jk->ik"}),
    "Conv": Family({"x": IMAGE, "w": (2, 4, 3, 3), "b": (2,)}),
    "ConvTranspose": Family({"x": IMAGE, "w": (4, 2, 3, 3), "b": (2,)}),
    "PRelu": Family({"x": IMAGE, "slope": (4, 1, 1)}),
    "LayerNormalization": Family({"x": (2, 3), "s": (3,), "b": (3,)}),
    "InstanceNormalization": Family({"x": IMAGE, "s": (4,), "b": (4,)}),
    "GroupNormalization": Family({"x": IMAGE, "s": (4,), "b": (4,)}, attributes={"num_groups": 2}),
    "RNN": Family(RECURRENT, attributes={"hidden_size": 4}),
    "GRU": Family(GATED, attributes={"hidden_size": 4}),
    "LSTM": Family(CELLS, attributes={"hidden_size": 4}),
    "Range": Family({"start": (), "limit": (), "delta": ()}, types=(TensorProto.FLOAT,)),
    "ScatterND": Family(ROWS, "data i updates", {"i": np.array([[0], [1]])}),
    "ScatterElements": Family(ROWS, "data i updates", {"i": np.array([[0, 1], [1, 0]])}, {"axis": 0}),
    "Clip": Family({"x": (2, 3), "low": (), "high": ()}),
    "Pad": Family({"x": (2, 3), "fill": ()}, "x pads fill", {"pads": np.array([0, 1, 0, 1])}),
}
REAL = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16}


def is_taken(op: str, types: dict[str, int], stored: set[str]) -> bool:
    """ONNX Runtime refuses it, TensorRT converts (TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1).

    The value that Pad fills with, among floating point types and INT8, and a stored one for INT32 data; limits of Clip
    that are both stored.
    """
    if op == "Clip":
        is_converted = set(types.values()) <= {*REAL, TensorProto.INT8, TensorProto.BOOL}
        return is_converted and types["x"] != TensorProto.BOOL and {"low", "high"} <= stored
    if op == "Pad" and TensorProto.INT8 in types.values():
        return types["x"] == TensorProto.INT8 or (types["x"] in REAL and "fill" not in stored)
    if op == "Pad" and types["fill"] in REAL:
        return types["x"] in REAL or (types["x"] == TensorProto.INT32 and "fill" in stored)
    return False


def array(shape: tuple[int, ...], element: int) -> TensorProto:
    if element == TensorProto.BFLOAT16:
        size = int(np.prod(shape, dtype=int))
        return helper.make_tensor("", element, shape, np.ones(size, np.uint16).tobytes(), raw=True)
    return numpy_helper.from_array(np.ones(shape, helper.tensor_dtype_to_np_dtype(element)))


class Drawn:
    """A model with one node of the family, `node`; `origins` is what has been said to decide each operand's type."""

    def __init__(self, op: str, rng: random.Random, *, is_mixed: bool) -> None:
        family = FAMILIES[op]
        self.rng = rng
        self.nodes: list[object] = []
        self.inputs: list[ValueInfoProto] = []
        self.constants: list[TensorProto] = []
        self.origins: dict[str, str] = {}
        self.stored: set[str] = set()  # operands that are initializers themselves
        common = rng.choice(family.types)
        odd = rng.choice(list(family.one)) if is_mixed else None
        self.types = dict.fromkeys(family.one, common)
        if odd:
            self.types[odd] = rng.choice([other for other in OTHERS if other != common])
        made = {name: self.operand(name, shape, self.types[name]) for name, shape in family.one.items()}
        for name, values in (family.others or {}).items():
            self.constants.append(numpy_helper.from_array(values, name))
            made[name] = name
        order = family.order.split() or list(family.one)
        outputs = ["", "y"] if op in ["RNN", "GRU", "LSTM"] else ["y"]
        node = helper.make_node(op, [made[name] for name in order], outputs, name="node", **(family.attributes or {}))
        tail = helper.make_node("Identity", ["y"], ["z"], name="tail")
        graph = helper.make_graph(
            [*self.nodes, node, tail],  # type: ignore[list-item]
            "g",
            self.inputs,
            [helper.make_empty_tensor_value_info("z")],
            self.constants,
        )
        self.model: ModelProto = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", family.opset)], ir_version=10
        )

    def operand(self, name: str, shape: tuple[int, ...], element: int) -> str:
        """The name of the value that the node reads."""
        kind = self.rng.choice(["input", "initializer", "cast", "through one", "through many"])
        if kind == "input":
            return self.source(name, shape, element, is_input=True)
        if kind == "initializer":
            self.stored.add(name)
            return self.source(name, shape, element, is_input=False)
        if kind == "cast":
            before = self.source(f"{name}_before", shape, TensorProto.FLOAT, is_input=self.rng.random() < 0.5)
            self.add("Cast", before, name, to=element)
            self.origins[name] = f"Cast `{name}_cast`"
            return name
        value = self.source(f"{name}_0", shape, element, is_input=self.rng.random() < 0.5)
        self.origins[name] = self.origins.pop(f"{name}_0")
        layers = 1 if kind == "through one" else self.rng.randint(2, 5)
        for layer in range(1, layers + 1):
            self.add(self.rng.choice(["Identity", "Reshape"]), value, f"{name}_{layer}")
            value = f"{name}_{layer}"
        return value

    def source(self, name: str, shape: tuple[int, ...], element: int, *, is_input: bool) -> str:
        self.origins[name] = f"the {'graph input' if is_input else 'initializer'} `{name}`"
        if is_input:
            self.inputs.append(helper.make_tensor_value_info(name, element, shape))
        else:
            self.constants.append(array(shape, element))
            self.constants[-1].name = name
        return name

    def add(self, op: str, data: str, made: str, **attributes: int) -> None:
        inputs = [data]
        if op == "Reshape":
            shape = [0] * self.rank(data)
            inputs.append(f"{made}_shape")
            self.constants.append(numpy_helper.from_array(np.array(shape, np.int64), inputs[1]))
        self.nodes.append(helper.make_node(op, inputs, [made], name=f"{made}_{op.lower()}", **attributes))

    def rank(self, name: str) -> int:
        base = re.sub(r"_\d+$", "_0", name)
        for constant in self.constants:
            if constant.name == base:
                return len(constant.dims)
        (declared,) = (each for each in self.inputs if each.name == base)
        return len(declared.type.tensor_type.shape.dim)


def refusal(model: ModelProto) -> str:
    """What ONNX Runtime says when it loads the model; "" = it takes it, or has no kernel for it."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        return "" if "NOT_IMPLEMENTED" in str(error) else str(error)
    return ""


def told(model: ModelProto) -> list[trtcheck.Finding]:
    found = trtcheck.check(model, target=TARGET).findings
    return [finding for finding in found if finding.node == "node" and finding.severity != "info"]


@pytest.mark.parametrize("op", FAMILIES)
def test_what_onnxruntime_refuses_is_told_at_the_node(op: str) -> None:
    print(f"TRTCHECK_SEED={SEED}")
    for turn in range(TURNS):
        drawn = Drawn(op, random.Random(f"{SEED} {op} {turn}"), is_mixed=True)
        where = f"TRTCHECK_SEED={SEED}, turn {turn}: {drawn.types}"
        error = refusal(drawn.model)
        assert "bound to different types" in error or "Type Error" in error, (where, error)
        assert re.search(r"\bnode\b", error), (where, error)
        findings = told(drawn.model)
        taken = is_taken(op, drawn.types, drawn.stored)
        assert bool(findings) != taken, (where, taken, findings)
        for finding in findings:
            if finding.code == "STY101":
                names_the_origins(drawn, finding, where)


def names_the_origins(drawn: Drawn, finding: trtcheck.Finding, where: str) -> None:
    """The first two notes are about two operands, each with its own type."""
    pairs = set()
    for note in finding.notes[:2]:
        said = re.fullmatch(r"(\w+) comes from (.*)", note.message)
        assert said, (where, note.message)
        pairs.add(said[1])
        named = [name for name, origin in drawn.origins.items() if said[2].startswith(origin)]
        assert named, (where, note.message)
        assert said[1] in {TensorProto.DataType.Name(drawn.types[name]) for name in named}, (where, note.message)
    assert len(pairs) == 2, where


@pytest.mark.parametrize("op", FAMILIES)
def test_what_onnxruntime_loads_is_not_told(op: str) -> None:
    for turn in range(TURNS):
        drawn = Drawn(op, random.Random(f"{SEED} {op} {turn} healthy"), is_mixed=False)
        where = f"TRTCHECK_SEED={SEED}, turn {turn}: {drawn.types}"
        assert refusal(drawn.model) == "", where
        assert not [finding for finding in told(drawn.model) if finding.code == "STY101"], where


def test_there_are_enough_models() -> None:
    assert len(FAMILIES) * TURNS >= 60
