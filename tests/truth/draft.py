"""A graph that is drawn node by node; ONNX Runtime computes each node at once, so that shapes and values are known.

What it cannot compute is not in the graph. Inputs are named after their dimensions, "x0_N_3_H": a profile for all
graphs at once follows from the names.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

Array = NDArray[Any]
# Smallest, best and largest size of a dimension.
SYMBOLS = {"N": (1, 2, 4), "T": (3, 6, 12), "H": (6, 8, 16), "W": (6, 8, 16)}
LARGEST = 1 << 16


class RejectedError(Exception):
    """ONNX Runtime does not compute it, or there is nothing to compute it of."""


@dataclass(frozen=True, eq=False)
class Value:
    name: str
    array: Array
    is_constant: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def rank(self) -> int:
        return self.array.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    @property
    def is_float(self) -> bool:
        return self.array.dtype.kind == "f"


@dataclass
class Draft:
    """`outer`: values of the graph around a body, which it may read."""

    rng: random.Random
    opset: int = 17
    prefix: str = ""
    # How often a constant is computed from others.
    folding: float = 0.15
    outer: tuple[Value, ...] = ()
    nodes: list[NodeProto] = field(default_factory=list)
    inputs: list[tuple[Value, tuple[int | str, ...]]] = field(default_factory=list)
    initializers: list[TensorProto] = field(default_factory=list)
    pool: list[Value] = field(default_factory=list)
    numbers: np.random.Generator = field(init=False)
    _count: int = 0

    def __post_init__(self) -> None:
        self.numbers = np.random.default_rng(self.rng.randrange(1 << 30))

    def name(self, word: str) -> str:
        self._count += 1
        return f"{self.prefix}{word}{self._count}"

    def input(self, dims: Sequence[int | str], dtype: Any = np.float32) -> Value:
        sizes = [dim if isinstance(dim, int) else SYMBOLS[dim][1] for dim in dims]
        word = np.dtype(dtype).kind
        name = "_".join([f"{word}{len(self.inputs)}", *map(str, dims)])
        value = Value(name, self.random(sizes, dtype))
        self.inputs.append((value, tuple(dims)))
        self.pool.append(value)
        return value

    def random(self, sizes: Sequence[int], dtype: Any = np.float32) -> Array:
        kind = np.dtype(dtype).kind
        if kind == "f":
            return self.numbers.standard_normal(sizes).astype(dtype)
        if kind == "b":
            return np.asarray(self.numbers.random(sizes) < 0.5)
        return np.asarray(self.numbers.integers(0, 3, sizes)).astype(dtype)

    def initializer(self, array: Any, dtype: Any = None) -> Value:
        made = np.asarray(array, dtype)
        name = self.name("c")
        self.initializers.append(numpy_helper.from_array(made, name))
        return Value(name, made, True)

    def constant_node(self, array: Any, dtype: Any = None) -> Value:
        made = np.asarray(array, dtype)
        name = self.name("Constant")
        tensor = numpy_helper.from_array(made, name)
        self.nodes.append(helper.make_node("Constant", [], [f"{name}_0"], name=name, value=tensor))
        return Value(f"{name}_0", made, True)

    def add(self, op: str, *inputs: Value | None, outputs: int = 1, keep: bool = True, **attributes: Any) -> Value:
        return self.add_all(op, *inputs, outputs=outputs, keep=keep, **attributes)[0]

    def add_all(
        self, op: str, *inputs: Value | None, outputs: int = 1, keep: bool = True, **attributes: Any
    ) -> list[Value]:
        """`keep`: later nodes may read the results."""
        name = self.name(op)
        node = helper.make_node(
            op,
            [value.name if value else "" for value in inputs],
            [f"{name}_{at}" for at in range(outputs)],
            name=name,
            **attributes,
        )
        return self.put(node, [value for value in inputs if value], keep)

    def put(self, node: NodeProto, read: Sequence[Value], keep: bool = True) -> list[Value]:
        arrays = compute(node, read, self.opset)
        fixed = bool(read) and all(value.is_constant for value in read)
        made = [Value(name, array, fixed) for name, array in zip(node.output, arrays, strict=True)]
        self.nodes.append(node)
        if keep:
            self.pool += made
        return made

    def visible(self) -> list[Value]:
        return [*self.outer, *self.pool]

    def pick(self, wanted: Callable[[Value], bool] = lambda _: True) -> Value:
        """A value that was made not long ago, mostly."""
        found = [value for value in self.visible() if wanted(value)]
        if not found:
            raise RejectedError("no such value")
        return found[-1] if self.rng.random() < 0.6 else self.rng.choice(found)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def unread(self) -> list[Value]:
        read = {name for node in self.nodes for name in names_read(node)}
        return [value for value in self.pool if value.name not in read]

    def graph(self, outputs: Sequence[Value], name: str = "g", inputs: Sequence[Any] | None = None) -> GraphProto:
        kept = needed(self.nodes, [value.name for value in outputs])
        read = {word for node in kept for word in names_read(node)} | {value.name for value in outputs}
        given = inputs
        if given is None:
            given = [declared(value, dims) for value, dims in self.inputs if value.name in read]
        tensors = [tensor for tensor in self.initializers if tensor.name in read]
        return helper.make_graph(kept, name, given, [of_rank(value) for value in outputs], tensors)

    def model(self, outputs: Sequence[Value]) -> ModelProto:
        return wrapped(self.graph(outputs), self.opset)


def declared(value: Value, dims: Sequence[int | str]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(value.name, element_type(value.dtype), list(dims))


def of_rank(value: Value) -> onnx.ValueInfoProto:
    """An output: its sizes are for others to find out."""
    dims = [f"{value.name}_{axis}" for axis in range(value.rank)]
    return helper.make_tensor_value_info(value.name, element_type(value.dtype), dims)


def element_type(dtype: Any) -> int:
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def wrapped(graph: GraphProto, opset: int) -> ModelProto:
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def names_read(node: NodeProto) -> Iterator[str]:
    """Also by its bodies, of what is outside of them."""
    yield from filter(None, node.input)
    for attribute in node.attribute:
        if not attribute.HasField("g"):
            continue
        body = attribute.g
        own = {value.name for value in body.input} | {tensor.name for tensor in body.initializer}
        own |= {name for inner in body.node for name in inner.output}
        yield from (name for inner in body.node for name in names_read(inner) if name not in own)
        yield from (value.name for value in body.output if value.name not in own)


def needed(nodes: Sequence[NodeProto], outputs: Sequence[str]) -> list[NodeProto]:
    wanted = set(outputs)
    kept: list[NodeProto] = []
    for node in reversed(nodes):
        if wanted.intersection(node.output):
            kept.append(node)
            wanted.update(names_read(node))
    return kept[::-1]


def _options() -> ort.SessionOptions:
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return options


def run(model: ModelProto | bytes, feed: dict[str, Array]) -> list[Array]:
    content = model if isinstance(model, bytes) else model.SerializeToString()
    try:
        session = ort.InferenceSession(content, _options(), providers=["CPUExecutionProvider"])
        wanted = {value.name for value in session.get_inputs()}
        found = session.run(None, {name: array for name, array in feed.items() if name in wanted})
    except Exception as error:  # it raises what it likes
        raise RejectedError(str(error)) from error
    arrays = [np.asarray(array) for array in found]
    if any(array.size > LARGEST or array.dtype.kind not in "fiub" for array in arrays):
        raise RejectedError("too large")
    return arrays


def compute(node: NodeProto, read: Sequence[Value], opset: int) -> list[Array]:
    given = {value.name: value for value in read}
    inputs = [helper.make_tensor_value_info(v.name, element_type(v.dtype), v.shape) for v in given.values()]
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output]
    graph = helper.make_graph([node], "one", inputs, outputs)
    return run(wrapped(graph, opset), {name: value.array for name, value in given.items()})


def profile(name: str) -> str:
    """Of an input, as the witness reads it; "": all its sizes are known."""
    words = name.split("_")[1:]
    if not any(word in SYMBOLS for word in words):
        return ""
    points = ["x".join(str(SYMBOLS[word][at]) if word in SYMBOLS else word for word in words) for at in range(3)]
    return f"{name}={':'.join(points)}"


def feeds(draft: Draft) -> Iterator[dict[str, Array]]:
    """Values for the inputs, at each point of the profile."""
    points = (1, 0, 2) if any(isinstance(dim, str) for _, dims in draft.inputs for dim in dims) else (1,)
    for at in points:
        yield {
            value.name: draft.random([dim if isinstance(dim, int) else SYMBOLS[dim][at] for dim in dims], value.dtype)
            for value, dims in draft.inputs
        }
