"""For test_fold.py: what `fold` says of a model, and random graphs of constants."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import trtcheck
from trtcheck import _core

#: Models and data of an onnx of 2022: operators as opset 17 and older had them.
OLD_CASES = Path("/usr/share/libonnx-testdata/data")


@dataclass(frozen=True)
class Folded:
    """Contents of a value."""

    type: int
    dims: list[int]
    raw: bytes

    def array(self) -> np.ndarray:
        return numpy_helper.to_array(TensorProto(data_type=self.type, dims=self.dims, raw_data=self.raw))


def fold(model: onnx.ModelProto, **limits: int) -> dict[str, Folded | str]:
    """Of each value of the main graph: its contents, or why there are none."""
    found = _core.fold(trtcheck.read_model(model), **limits)
    return {name: made if isinstance(made, str) else Folded(*made) for name, made in found.items()}


def evaluated() -> set[str]:
    """All operators that are."""
    return {*_core.folded_operators(), "If"}


def with_constants(model: onnx.ModelProto, inputs: list[TensorProto]) -> onnx.ModelProto:
    """The model with its inputs as initializers."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    made.ir_version = max(made.ir_version, 4)
    for value, tensor in zip(made.graph.input, inputs, strict=False):
        made.graph.initializer.add().CopyFrom(tensor)
        made.graph.initializer[-1].name = value.name
    del made.graph.input[:]
    return made


def old_cases() -> Iterator[tuple[str, onnx.ModelProto, list[TensorProto]]]:
    """Name, model with constants, and what it must give; those of tensors alone."""
    for path in sorted(OLD_CASES.glob("*/*/model.onnx")):
        # Its windows were computed with a pi of 3.1415, and what it calls BFLOAT16 is stored as UINT16.
        if "window" in path.parent.name or "BFLOAT16" in path.parent.name:
            continue
        model = onnx.load(path)
        data = path.parent / "test_data_set_0"
        if not all(v.type.HasField("tensor_type") for v in [*model.graph.input, *model.graph.output]):
            continue
        try:
            inputs, outputs = (
                [read(data / f"{kind}_{i}.pb") for i in range(len(list(data.glob(f"{kind}_*.pb"))))]
                for kind in ("input", "output")
            )
        except DecodeError:
            continue
        yield path.parent.name, with_constants(model, inputs), outputs


def read(path: Path) -> TensorProto:
    tensor = TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return tensor


FLOATS = (np.float32, np.float64, np.float16)
SIGNED = (np.int64, np.int32, np.int8, np.int16)
INTEGERS = (*SIGNED, np.uint8, np.uint16, np.uint32, np.uint64)


class Graph:
    """A graph that grows at random; each output of a node is an output of the model."""

    def __init__(self, rng: random.Random, opset: int) -> None:
        self.rng = rng
        self.opset = opset
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}
        #: What onnx's reference computes: sizes and types are read off it.
        self.values: dict[str, np.ndarray] = {}
        #: Outputs of nodes whose result IEEE 754 defines bit for bit.
        self.exact: set[str] = set()

    def constant(self, array: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = self.values[name] = np.asarray(array)
        return name

    def array(self, dtype: Any, shape: tuple[int, ...] | None = None) -> np.ndarray:
        if shape is None:
            shape = tuple(self.rng.choice((1, 2, 3, 4)) for _ in range(self.rng.randrange(4)))
        numbers = np.random.default_rng(self.rng.randrange(2**32))
        if np.dtype(dtype) == bool:
            return numbers.integers(0, 2, shape).astype(bool)
        if np.dtype(dtype).kind == "f":
            made = np.asarray(numbers.normal(0, 4, shape)).astype(dtype)
            special = np.asarray(numbers.choice([0, -0.0, 0.5, 1.5, 2.5, -1, 1e-5, 300], shape)).astype(dtype)
            return np.asarray(np.where(numbers.random(shape) < 0.2, special, made))
        low, high = (0, 9) if np.dtype(dtype).kind == "u" else (-8, 9)
        if self.rng.random() < 0.15:
            low, high = max(np.iinfo(dtype).min, -(2**62)), min(np.iinfo(dtype).max, 2**62)
        return np.asarray(numbers.integers(low, high, shape)).astype(dtype)

    def pick(self, *dtypes: Any, min_rank: int = 0) -> str:
        """A value of one of these types, rather one that a node made."""
        fit = [n for n, v in self.values.items() if v.dtype in dtypes and v.ndim >= min_rank and v.size < 4000]
        made = [name for name in fit if name.startswith("y")]
        if made and self.rng.random() < 0.7:
            return self.rng.choice(made)
        if fit and self.rng.random() < 0.3:
            return self.rng.choice(fit)
        shape = tuple(self.rng.choice((1, 2, 3, 4)) for _ in range(self.rng.randint(min_rank, max(min_rank, 3))))
        return self.constant(self.array(self.rng.choice(dtypes), shape))

    def like(self, name: str) -> str:
        """A value of the same type whose sizes broadcast with it."""
        value = self.values[name]
        shape = tuple(d if self.rng.random() < 0.7 else 1 for d in value.shape)
        return self.constant(self.array(value.dtype, shape[self.rng.randrange(len(shape) + 1) :]))

    def add(self, op: str, *inputs: str, exact: bool = True, outputs: int = 1, **attributes: Any) -> None:
        """Adds the node if onnx's reference can run it."""
        names = [f"y{len(self.nodes)}_{i}" for i in range(outputs)]
        node = helper.make_node(op, inputs, names, **attributes)
        feeds = {name: self.values[name] for name in inputs if name}
        # What it is for is sizes and types; the values are compared by test_fold.py.
        single = helper.make_graph([node], "g", infos(feeds), [onnx.ValueInfoProto(name=name) for name in names])
        model = helper.make_model(single, opset_imports=[helper.make_opsetid("", self.opset)])
        try:
            with np.errstate(all="ignore"):
                made = ReferenceEvaluator(model).run(None, feeds)
        except Exception:
            return
        if any(not isinstance(value, np.ndarray | np.generic) or np.size(value) > 20000 for value in made):
            return
        if op.startswith("Reduce"):  # its sums of INT32 are INT64
            made = [made[0].astype(self.values[inputs[0]].dtype)]
        self.nodes.append(node)
        self.values.update((name, np.asarray(value)) for name, value in zip(names, made, strict=True))
        if exact:
            self.exact.update(names)

    @property
    def model(self) -> onnx.ModelProto:
        return self.model_of(self.nodes, self.constants)

    def model_of(self, nodes: list[onnx.NodeProto], constants: dict[str, np.ndarray]) -> onnx.ModelProto:
        """Whose outputs are all that the nodes make."""
        used = {name for node in nodes for name in node.input}
        initializers = [numpy_helper.from_array(v, n) for n, v in constants.items() if n in used]
        outputs = infos({name: self.values[name] for node in nodes for name in node.output})
        graph = helper.make_graph(nodes, "random", [], outputs, initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=10)


def infos(values: dict[str, np.ndarray]) -> list[onnx.ValueInfoProto]:
    """Types without sizes."""
    return [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), None)
        for name, value in values.items()
    ]


def arithmetic(g: Graph) -> None:
    a = g.pick(*FLOATS, np.int64, np.int32)
    g.add(g.rng.choice(["Add", "Sub", "Mul"]), *g.rng.sample([a, g.like(a)], 2))


def division(g: Graph) -> None:
    a = g.pick(*FLOATS, np.int64, np.int32)
    op = g.rng.choice(["Div", "Mod"])
    value = g.values[a]
    # ONNX Runtime goes by way of DOUBLE, which does not hold all of INT64.
    may_be_fmod = value.dtype.kind == "f" or (g.rng.random() < 0.5 and value.dtype == np.int32)
    attributes = {"fmod": 1} if op == "Mod" and may_be_fmod else {}
    g.add(op, a, g.like(a), **attributes)


def comparison(g: Graph) -> None:
    a = g.pick(*FLOATS, np.int64, np.int32)
    g.add(g.rng.choice(["Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"]), a, g.like(a))


def logic(g: Graph) -> None:
    a = g.pick(np.bool_)
    g.add(g.rng.choice(["And", "Or", "Xor"]), a, g.like(a))


def bits(g: Graph) -> None:
    a = g.pick(*INTEGERS)
    g.add(g.rng.choice(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]), a, g.like(a))


def shift(g: Graph) -> None:
    a = g.pick(np.uint8, np.uint32, np.uint64)
    by = g.constant((g.array(np.uint8, g.values[a].shape) % 8).astype(g.values[a].dtype))
    g.add("BitShift", a, by, direction=g.rng.choice(["LEFT", "RIGHT"]))


def exact_function(g: Graph) -> None:
    real = ["Abs", "Neg", "Sign", "Floor", "Ceil", "Round", "Sqrt", "Reciprocal", "Relu"]
    op = g.rng.choice([*real, "Not", "BitwiseNot"])
    types = {"Not": (np.bool_,), "BitwiseNot": INTEGERS}.get(op, FLOATS)
    g.add(op, g.pick(*types, *(SIGNED if op in ("Abs", "Sign") else ())))


#: What is computed in double and rounded once.
FUNCTIONS = """
Exp Log Erf Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Atanh Sigmoid Tanh Softplus Softsign Elu Celu Selu HardSigmoid
HardSwish LeakyRelu ThresholdedRelu Mish Gelu
"""


def function(g: Graph) -> None:
    op = g.rng.choice(FUNCTIONS.split())
    attributes = {"alpha": g.rng.uniform(0.1, 2)} if op in ("Elu", "Celu", "LeakyRelu", "ThresholdedRelu") else {}
    g.add(op, g.pick(np.float32), exact=False, **attributes)


def power(g: Graph) -> None:
    a = g.pick(np.float32, np.int64, np.int32)
    exponent = g.constant(g.array(g.rng.choice((np.float32, np.int64, np.int32)), ()))
    g.add("Pow", a, exponent, exact=False)


def cast(g: Graph) -> None:
    to = g.rng.choice((*FLOATS, *INTEGERS, np.bool_))
    g.add("Cast", g.pick(*FLOATS, *INTEGERS, np.bool_), to=helper.np_dtype_to_tensor_dtype(np.dtype(to)))


def many(g: Graph) -> None:
    a = g.pick(*FLOATS)
    op = g.rng.choice(["Min", "Max", "Sum", "Mean"])
    g.add(op, a, g.like(a), g.like(a))


def clip(g: Graph) -> None:
    a = g.pick(*FLOATS, np.int64, np.int32, np.int8)
    low, high = sorted(g.array(g.values[a].dtype, (2,)))
    g.add("Clip", a, g.constant(low) if g.rng.random() < 0.7 else "", g.constant(high))


def where(g: Graph) -> None:
    a = g.pick(*FLOATS, np.int64, np.uint8)
    g.add("Where", g.constant(g.array(np.bool_, g.values[a].shape)), a, g.like(a))


def anything(g: Graph, min_rank: int = 0) -> str:
    return g.pick(*FLOATS, np.int64, np.int32, np.uint8, np.bool_, min_rank=min_rank)


def axis_of(g: Graph, name: str) -> int:
    rank = g.values[name].ndim
    return g.rng.randrange(-rank, rank)


def int64s(g: Graph, *values: int) -> str:
    return g.constant(np.asarray(values, np.int64))


def reshape(g: Graph) -> None:
    a = anything(g)
    size = g.values[a].size
    first = g.rng.choice([d for d in range(1, size + 1) if size % d == 0] or [1])
    g.add("Reshape", a, int64s(g, *g.rng.choice([(-1,), (first, -1), (-1, 1, first), (first, size // first)])))


def transpose(g: Graph) -> None:
    a = anything(g)
    order = list(range(g.values[a].ndim))
    g.rng.shuffle(order)
    g.add("Transpose", a, **({"perm": order} if g.rng.random() < 0.8 and order else {}))


def squeeze(g: Graph) -> None:
    a = anything(g)
    shape = g.values[a].shape
    ones = [i for i, d in enumerate(shape) if d == 1]
    g.add("Squeeze", a, int64s(g, *ones[:1])) if ones else g.add("Unsqueeze", a, int64s(g, g.rng.choice([0, -1])))


def slice_(g: Graph) -> None:
    a = anything(g, 1)
    axis = axis_of(g, a)
    start, end = g.rng.randint(-6, 6), g.rng.choice([-5, -2, 2, 3, 2**62, -(2**62)])
    g.add("Slice", a, int64s(g, start), int64s(g, end), int64s(g, axis), int64s(g, g.rng.choice([-2, -1, 1, 2, 3])))


def concat(g: Graph) -> None:
    a = anything(g, 1)
    g.add("Concat", a, g.constant(g.array(g.values[a].dtype, g.values[a].shape)), a, axis=axis_of(g, a))


def split(g: Graph) -> None:
    a = anything(g, 1)
    axis = axis_of(g, a)
    dim = g.values[a].shape[axis]
    first = g.rng.randint(0, dim)
    g.add("Split", a, int64s(g, first, dim - first), axis=axis, outputs=2)


def expand(g: Graph) -> None:
    a = anything(g)
    g.add("Expand", a, int64s(g, 2, *(d if g.rng.random() < 0.7 else 1 for d in g.values[a].shape)))


def tile(g: Graph) -> None:
    a = anything(g, 1)
    g.add("Tile", a, int64s(g, *(g.rng.choice([0, 1, 1, 2, 3]) for _ in g.values[a].shape)))


def pad(g: Graph) -> None:
    a = g.pick(*FLOATS, np.int64, np.int32, min_rank=1)
    mode = g.rng.choice(["constant", "reflect", "edge", "wrap"])
    pads = [g.rng.randint(-1 if mode == "constant" else 0, 2) for _ in g.values[a].shape * 2]
    value = [g.constant(g.array(g.values[a].dtype, ()))] if mode == "constant" and g.rng.random() < 0.5 else []
    g.add("Pad", a, int64s(g, *pads), *value, mode=mode)


def shape(g: Graph) -> None:
    a = anything(g)
    g.add("Shape", a, start=g.rng.randint(-3, 2)) if g.rng.random() < 0.7 else g.add("Size", a)


def indices(g: Graph, dim: int, shape: tuple[int, ...]) -> str:
    numbers = np.random.default_rng(g.rng.randrange(2**32))
    return g.constant(np.asarray(numbers.integers(-dim, dim, shape)).astype(np.int64))


def gather(g: Graph) -> None:
    a = anything(g, 1)
    axis = axis_of(g, a)
    dim = g.values[a].shape[axis]
    if dim == 0:
        return
    if g.rng.random() < 0.5:
        g.add("Gather", a, indices(g, dim, g.rng.choice([(), (2,), (2, 2)])), axis=axis)
    else:
        g.add("GatherElements", a, indices(g, dim, g.values[a].shape), axis=axis)


def gather_nd(g: Graph) -> None:
    a = anything(g, 2)
    if 0 not in g.values[a].shape:
        g.add("GatherND", a, indices(g, min(g.values[a].shape), (3, g.rng.choice([1, 2]))))


def scatter(g: Graph) -> None:
    a = g.pick(np.float32, np.int64, np.int32, min_rank=1)
    value, axis = g.values[a], axis_of(g, a)
    if 0 in value.shape:
        return
    reduction = g.rng.choice(["none", "add", "mul", "max", "min"])
    if g.rng.random() < 0.5:
        updates = g.constant(g.array(value.dtype, value.shape))
        places = indices(g, value.shape[axis], value.shape)
        g.add("ScatterElements", a, places, updates, axis=axis, reduction=reduction)
    else:
        updates = g.constant(g.array(value.dtype, (2, *value.shape[1:])))
        g.add("ScatterND", a, indices(g, value.shape[0], (2, 1)), updates, reduction=reduction)


def reduction(g: Graph) -> None:
    kinds = ["Sum", "Mean", "Prod", "Max", "Min", "L1", "L2", "LogSum", "LogSumExp", "SumSquare"]
    op = "Reduce" + g.rng.choice(kinds)
    a = g.pick(np.float32, np.float64, np.int64, np.int32, min_rank=1)
    if 0 in g.values[a].shape:  # of which ONNX Runtime keeps the axes
        return
    axes = [int64s(g, axis_of(g, a))] if g.rng.random() < 0.7 else []
    exact = op in ("ReduceMax", "ReduceMin")
    g.add(op, a, *axes, exact=exact, keepdims=g.rng.randrange(2))


def arg(g: Graph) -> None:
    a = g.pick(*FLOATS, np.int64, np.int32, np.int8, np.uint8, min_rank=1)
    op = g.rng.choice(["ArgMax", "ArgMin"])
    g.add(op, a, axis=axis_of(g, a), keepdims=g.rng.randrange(2), select_last_index=g.rng.randrange(2))


def running(g: Graph) -> None:
    a = g.pick(np.float32, np.int64, np.int32, min_rank=1)
    axis = g.constant(np.asarray(axis_of(g, a), np.int64))
    g.add("CumSum", a, axis, exact=False, exclusive=g.rng.randrange(2), reverse=g.rng.randrange(2))


def softmax(g: Graph) -> None:
    op = g.rng.choice(["Softmax", "LogSoftmax", "Hardmax"])
    # ONNX Runtime takes the logarithm of what became 0 beyond.
    near = g.constant(g.array(np.float32, (2, 3, 2)).clip(-20, 20))
    a = near if op == "LogSoftmax" else g.pick(np.float32, np.float64, min_rank=1)
    g.add(op, a, exact=False, axis=axis_of(g, a))


def top(g: Graph) -> None:
    a = g.pick(np.float32, np.int64, np.int32, min_rank=1)
    axis = axis_of(g, a)
    k = int64s(g, g.rng.randint(0, g.values[a].shape[axis]))
    g.add("TopK", a, k, axis=axis, largest=g.rng.randrange(2), outputs=2)


def select(g: Graph) -> None:
    a = anything(g, 2)
    op = g.rng.choice(["NonZero", "Trilu", "Compress"])
    if op == "NonZero":
        g.add(op, a)
    elif op == "Trilu":
        g.add(op, a, g.constant(np.asarray(g.rng.randint(-3, 3), np.int64)), upper=g.rng.randrange(2))
    else:
        axis = axis_of(g, a)
        g.add(op, a, g.constant(g.array(np.bool_, (g.values[a].shape[axis],))), axis=axis)


def make(g: Graph) -> None:
    choice = g.rng.randrange(4)
    if choice == 0:
        start, limit, delta = (g.constant(np.asarray(g.rng.randint(-9, 9), np.int64)) for _ in range(3))
        g.add("Range", start, limit, delta)
    elif choice == 1:
        start, limit, delta = (g.constant(np.asarray(g.rng.uniform(-4, 4), np.float32)) for _ in range(3))
        g.add("Range", start, limit, delta, exact=False)
    elif choice == 2:
        a = g.pick(np.float32, np.int64, min_rank=2)
        g.add("EyeLike", a, k=g.rng.randint(-2, 2))
    else:
        depth, axis = g.constant(np.asarray(4, np.int64)), g.rng.choice([-1, 0])
        g.add("OneHot", g.constant(g.array(np.int64)), depth, g.constant(g.array(np.float32, (2,))), axis=axis)


def matmul(g: Graph) -> None:
    a = g.pick(np.float32, np.float64, np.int32, min_rank=2)
    value = g.values[a]
    batch = value.shape[:-2] if g.rng.random() < 0.5 else ()
    b = g.constant(g.array(value.dtype, (*batch, value.shape[-1], 3)))
    g.add("MatMul", a, b, exact=False)


def gemm(g: Graph) -> None:
    rows, inner, columns = (g.rng.randint(1, 5) for _ in range(3))
    flip_a, flip_b = g.rng.randrange(2), g.rng.randrange(2)
    a = g.constant(g.array(np.float32, (inner, rows) if flip_a else (rows, inner)))
    b = g.constant(g.array(np.float32, (columns, inner) if flip_b else (inner, columns)))
    c = g.constant(g.array(np.float32, g.rng.choice([(columns,), (rows, 1), (rows, columns), ()])))
    attributes = {"alpha": g.rng.uniform(-2, 2), "beta": g.rng.uniform(-2, 2)}
    g.add("Gemm", a, b, c, exact=False, transA=flip_a, transB=flip_b, **attributes)


def quantize(g: Graph) -> None:
    a = g.pick(np.float32, min_rank=2)
    value, axis = g.values[a], axis_of(g, a)
    zero = g.rng.choice((np.uint8, np.int8, np.int16, np.uint16))
    shape = (value.shape[axis],) if g.rng.random() < 0.5 else ()
    scale = g.constant(np.abs(g.array(np.float32, shape)) + np.float32(0.01))
    point = g.constant(g.array(zero, shape) % 9)
    g.add("QuantizeLinear", a, scale, point, axis=axis)
    g.add("DequantizeLinear", g.constant(g.array(zero, value.shape)), scale, point, axis=axis)


GROWERS = (
    *(arithmetic, division, comparison, logic, bits, shift, exact_function, function, power, cast, many, clip, where),
    *(reshape, transpose, squeeze, slice_, concat, split, expand, tile, pad, shape, gather, gather_nd, scatter),
    *(reduction, arg, running, softmax, top, select, make, matmul, gemm, quantize),
)


def random_graph(rng: random.Random) -> Graph:
    """Of 1 to 8 nodes."""
    graph = Graph(rng, 21)
    wanted = rng.randint(1, 8)
    for _ in range(40):
        if len(graph.nodes) >= wanted:
            break
        rng.choice(GROWERS)(graph)
    return graph
