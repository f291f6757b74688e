"""The zoo's exports with one or two things changed that people change, or that another exporter writes otherwise.

ONNX Runtime computes all of them.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from draft import RejectedError, run
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from zoo.catalog import ENTRIES
from zoo.export import Export, all_exports, export

COUNT = 900
_FLOATS: set[int] = {TensorProto.FLOAT, TensorProto.FLOAT16}
_SWAPS = {
    "Relu": ("Abs", "Sigmoid", "HardSwish", "Softplus", "Round"),
    "Sigmoid": ("Tanh", "HardSigmoid"),
    "Add": ("Sub", "Max", "Mul"),
    "Mul": ("Add", "Div", "Min"),
    "MaxPool": ("AveragePool",),
    "AveragePool": ("MaxPool",),
    "GlobalAveragePool": ("GlobalMaxPool",),
    "Softmax": ("LogSoftmax", "Hardmax"),
    "ReduceMean": ("ReduceSum", "ReduceMax", "ReduceL2", "ReduceLogSumExp"),
    "BatchNormalization": (),
}
Mutation = Callable[[random.Random, ModelProto], object]


class _Names:
    def __init__(self, model: ModelProto) -> None:
        self.count = len(model.graph.node)

    def __call__(self, op: str) -> str:
        self.count += 1
        return f"added_{op}_{self.count}"


def _node(rng: random.Random, model: ModelProto, wanted: Callable[[NodeProto], bool]) -> tuple[int, NodeProto]:
    found = [(at, node) for at, node in enumerate(model.graph.node) if wanted(node)]
    if not found:
        raise RejectedError("no such node")
    return rng.choice(found)


def _before(model: ModelProto, at: int, slot: int, ops: list[tuple[str, list[str], dict[str, Any]]]) -> None:
    """Nodes in a row in front of an input of a node; "" stands for what the one before makes."""
    graph, names = model.graph, _Names(model)
    node = graph.node[at]
    value = node.input[slot]
    made = []
    for op, inputs, attributes in ops:
        name = names(op)
        made.append(helper.make_node(op, [word or value for word in inputs], [f"{name}_0"], name=name, **attributes))
        value = f"{name}_0"
    node.input[slot] = value
    nodes = [*graph.node[:at], *made, *graph.node[at:]]
    kept = [NodeProto.FromString(item.SerializeToString()) for item in nodes]
    del graph.node[:]
    graph.node.extend(kept)


def _constants(model: ModelProto) -> dict[str, TensorProto]:
    return {tensor.name: tensor for tensor in model.graph.initializer}


def _constant_slot(
    rng: random.Random, model: ModelProto, types: set[int] | None = None
) -> tuple[int, int, TensorProto]:
    known = _constants(model)
    found = [
        (at, slot, known[name])
        for at, node in enumerate(model.graph.node)
        for slot, name in enumerate(node.input)
        if name in known and (types is None or known[name].data_type in types)
    ]
    if not found:
        raise RejectedError("no constant")
    return rng.choice(found)


def constant_behind_identity(rng: random.Random, model: ModelProto) -> None:
    at, slot, _ = _constant_slot(rng, model)
    _before(model, at, slot, [("Identity", [""], {})])


def constant_behind_cast(rng: random.Random, model: ModelProto) -> None:
    at, slot, tensor = _constant_slot(rng, model)
    other = rng.choice([TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.INT32, TensorProto.FLOAT])
    _before(model, at, slot, [("Cast", [""], {"to": other}), ("Cast", [""], {"to": tensor.data_type})])


def constant_reshaped(rng: random.Random, model: ModelProto) -> None:
    at, slot, tensor = _constant_slot(rng, model)
    name = _Names(model)("shape")
    model.graph.initializer.append(numpy_helper.from_array(np.asarray(tensor.dims, np.int64), name))
    _before(model, at, slot, [("Reshape", ["", name], {})])


def constant_as_node(rng: random.Random, model: ModelProto) -> None:
    at, slot, tensor = _constant_slot(rng, model)
    _before(model, at, slot, [("Constant", [], {"value": TensorProto.FromString(tensor.SerializeToString())})])


def uniform_constant(rng: random.Random, model: ModelProto) -> None:
    """One number, as ConstantOfShape or Expand makes it."""
    at, slot, tensor = _constant_slot(rng, model, _FLOATS)
    names = _Names(model)
    shape, number = names("shape"), names("number")
    kind = helper.tensor_dtype_to_np_dtype(tensor.data_type)
    model.graph.initializer.append(numpy_helper.from_array(np.asarray(tensor.dims, np.int64), shape))
    if rng.random() < 0.5:
        value = numpy_helper.from_array(np.asarray([0.5], kind))
        _before(model, at, slot, [("ConstantOfShape", [shape], {"value": value})])
    else:
        model.graph.initializer.append(numpy_helper.from_array(np.asarray(0.5, kind), number))
        _before(model, at, slot, [("Expand", [number, shape], {})])


def other_number(rng: random.Random, model: ModelProto) -> None:
    at, slot, tensor = _constant_slot(rng, model, {int(TensorProto.INT64)})
    array = numpy_helper.to_array(tensor).copy()
    if not array.size:
        raise RejectedError("empty")
    array.flat[rng.randrange(array.size)] = rng.choice([-1, 0, 1, 2, 3])
    name = _Names(model)("number")
    model.graph.initializer.append(numpy_helper.from_array(array, name))
    model.graph.node[at].input[slot] = name


def of_rank_one(rng: random.Random, model: ModelProto) -> None:
    """A number as a vector of one, or the other way round."""
    at, slot, tensor = _constant_slot(rng, model)
    array = numpy_helper.to_array(tensor)
    if array.size != 1:
        raise RejectedError("not one element")
    name = _Names(model)("number")
    made = array.reshape([1] if array.ndim == 0 else [])
    model.graph.initializer.append(numpy_helper.from_array(made, name))
    model.graph.node[at].input[slot] = name


def _float_slot(rng: random.Random, model: ModelProto) -> tuple[int, int]:
    known = _constants(model)
    at, node = _node(rng, model, lambda node: any(name and name not in known for name in node.input))
    return at, rng.choice([slot for slot, name in enumerate(node.input) if name and name not in known])


def through_half(rng: random.Random, model: ModelProto) -> None:
    at, slot = _float_slot(rng, model)
    other = rng.choice([TensorProto.FLOAT16, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.INT32])
    _before(model, at, slot, [("Cast", [""], {"to": other}), ("Cast", [""], {"to": TensorProto.FLOAT})])


def through_codes(rng: random.Random, model: ModelProto) -> None:
    at, slot = _float_slot(rng, model)
    names = _Names(model)
    scale, zero = names("scale"), names("zero")
    kind = rng.choice([np.int8, np.int8, np.uint8])
    model.graph.initializer.append(numpy_helper.from_array(np.asarray(0.1, np.float32), scale))
    model.graph.initializer.append(numpy_helper.from_array(np.asarray(rng.choice([0, 0, 3]), kind), zero))
    _before(model, at, slot, [("QuantizeLinear", ["", scale, zero], {}), ("DequantizeLinear", ["", scale, zero], {})])


def weights_in_codes(rng: random.Random, model: ModelProto) -> None:
    at, slot, tensor = _constant_slot(rng, model, {int(TensorProto.FLOAT)})
    names = _Names(model)
    codes, scale = names("codes"), names("scale")
    array = numpy_helper.to_array(tensor)
    made = np.clip(np.round(array * 50), -127, 127).astype(np.int8)
    by_channel = array.ndim > 1 and rng.random() < 0.5
    scales = np.full(array.shape[:1] if by_channel else (), 0.02, np.float32)
    model.graph.initializer.append(numpy_helper.from_array(made, codes))
    model.graph.initializer.append(numpy_helper.from_array(scales, scale))
    words = {"axis": 0} if by_channel else {}
    model.graph.node[at].input[slot] = codes
    _before(model, at, slot, [("DequantizeLinear", ["", scale], words)])


def there_and_back(rng: random.Random, model: ModelProto) -> None:
    """What changes nothing."""
    at, slot = _float_slot(rng, model)
    name = _Names(model)("axes")
    form = rng.choice(["unsqueeze", "shape", "identity", "flat", "neg"])
    if form == "unsqueeze":
        model.graph.initializer.append(numpy_helper.from_array(np.asarray([0], np.int64), name))
        _before(model, at, slot, [("Unsqueeze", ["", name], {}), ("Squeeze", ["", name], {})])
    elif form == "shape":
        value = model.graph.node[at].input[slot]
        _before(model, at, slot, [("Shape", [""], {}), ("Reshape", [value, ""], {})])
    elif form == "flat":
        value = model.graph.node[at].input[slot]
        model.graph.initializer.append(numpy_helper.from_array(np.asarray([-1], np.int64), name))
        _before(model, at, slot, [("Reshape", ["", name], {})])
        shape = f"{name}_of"
        added = model.graph.node[at]
        node = model.graph.node[at + 1]
        made = helper.make_node("Shape", [value], [shape], name=shape)
        back = helper.make_node("Reshape", [added.output[0], shape], [f"{name}_back"], name=f"{name}_back")
        node.input[slot] = f"{name}_back"
        nodes = [*model.graph.node[: at + 1], made, back, *model.graph.node[at + 1 :]]
        kept = [NodeProto.FromString(item.SerializeToString()) for item in nodes]
        del model.graph.node[:]
        model.graph.node.extend(kept)
    else:
        _before(model, at, slot, [("Identity" if form == "identity" else "Neg", [""], {})] * 2)


def other_operator(rng: random.Random, model: ModelProto) -> None:
    _, node = _node(rng, model, lambda node: bool(_SWAPS.get(node.op_type)))
    node.op_type = rng.choice(_SWAPS[node.op_type])


def other_attribute(rng: random.Random, model: ModelProto) -> None:
    def numbers(node: NodeProto) -> list[onnx.AttributeProto]:
        return [
            a
            for a in node.attribute
            if a.type in (onnx.AttributeProto.INT, onnx.AttributeProto.INTS) and a.name != "to"
        ]

    _, node = _node(rng, model, lambda node: bool(numbers(node)))
    attribute = rng.choice(numbers(node))
    if attribute.type == onnx.AttributeProto.INT:
        attribute.i = rng.choice([0, 1, 2, -1, attribute.i + 1])
    elif attribute.ints:
        attribute.ints[rng.randrange(len(attribute.ints))] = rng.choice([0, 1, 2, 3])


def taken_out(rng: random.Random, model: ModelProto) -> None:
    known = _constants(model)
    at, node = _node(rng, model, lambda node: len(node.output) == 1 and bool(node.input) and node.input[0] not in known)
    if node.output[0] in {output.name for output in model.graph.output}:
        raise RejectedError("an output")
    given, made = node.input[0], node.output[0]
    del model.graph.node[at]
    for other in model.graph.node:
        for slot, name in enumerate(other.input):
            if name == made:
                other.input[slot] = given


def free_size(rng: random.Random, model: ModelProto) -> None:
    """A size of an input that may vary."""
    tensors = [value for value in model.graph.input if value.type.tensor_type.elem_type in _FLOATS]
    if not tensors:
        raise RejectedError("no such input")
    dims = [dim for dim in rng.choice(tensors).type.tensor_type.shape.dim if dim.HasField("dim_value")]
    if not dims:
        raise RejectedError("all vary")
    rng.choice(dims).dim_param = "free"


def in_a_branch(rng: random.Random, model: ModelProto) -> None:
    """A node in both branches of an If."""
    graph = model.graph
    at, node = _node(
        rng, model, lambda node: len(node.output) == 1 and not any(a.HasField("g") for a in node.attribute)
    )
    flag = _Names(model)("flag")
    if rng.random() < 0.5:
        graph.input.append(helper.make_tensor_value_info(flag, TensorProto.BOOL, []))
    else:
        graph.initializer.append(numpy_helper.from_array(np.asarray(True), flag))
    branches = []
    for word in ("then", "else"):
        inner = NodeProto.FromString(node.SerializeToString())
        inner.name = f"{flag}_{word}"
        inner.output[0] = f"{node.output[0]}_{word}"
        branches.append(helper.make_graph([inner], word, [], [onnx.ValueInfoProto(name=inner.output[0])]))
    made = helper.make_node(
        "If", [flag], list(node.output), name=f"{flag}_If", then_branch=branches[0], else_branch=branches[1]
    )
    graph.node[at].CopyFrom(made)


MUTATIONS: tuple[Mutation, ...] = (
    constant_behind_identity, constant_behind_cast, constant_reshaped, constant_as_node, uniform_constant, other_number,
    of_rank_one, through_half, through_codes, weights_in_codes, there_and_back, other_operator, other_operator,
    other_attribute, other_attribute, taken_out, free_size, in_a_branch,
)  # fmt: skip


def exports() -> list[Export]:
    found = [export(*how) for how in all_exports(ENTRIES.values())]
    return [made for made in found if made.path is not None and made.path.stat().st_size < 1 << 20]


def feed(made: Export, model: ModelProto) -> dict[str, Any]:
    arguments = made.entry.arguments(made.entry.sizes[0])
    arrays = {name: tensor.numpy() for name, tensor in zip(made.entry.inputs, arguments, strict=True)}
    missing = {value.name for value in model.graph.input} - arrays.keys()
    return arrays | {name: np.asarray(True) for name in missing}


def profiles(made: Export, model: ModelProto) -> tuple[str, ...]:
    """The sizes that it was exported with, between the smallest and the largest that it accepts."""
    texts = []
    for value in model.graph.input:
        dims = value.type.tensor_type.shape.dim
        known = made.entry.inputs.get(value.name)
        if known is None or all(dim.HasField("dim_value") for dim in dims):
            continue
        points = [tuple(numbers.get(str(dim), dim) for dim in known.shape) for numbers in made.entry.sizes]
        if made.mode == "static":
            points = points[:1]
        ends = [tuple(end(column) for column in zip(*points, strict=True)) for end in (min, max)]
        shapes = [
            tuple(dim.dim_value if dim.HasField("dim_value") else size for dim, size in zip(dims, point, strict=True))
            for point in (ends[0], points[0], ends[1])
        ]
        texts.append(f"{value.name}={':'.join('x'.join(map(str, shape)) for shape in shapes)}")
    return tuple(texts)


def every_mutant(seed: int, count: int = COUNT) -> Iterator[tuple[int, ModelProto, tuple[str, ...]]]:
    """Number, model, profile."""
    made = exports()
    for at in range(count):
        rng = random.Random(f"{seed} mutant {at}")
        chosen = rng.choice(made)
        model = onnx.load(chosen.path)
        try:
            for mutation in rng.sample(MUTATIONS, rng.choice([1, 1, 2])):
                mutation(rng, model)
            content = model.SerializeToString()
            run(content, feed(chosen, model))
            yield at, model, profiles(chosen, model)
        except (RejectedError, ValueError, IndexError, KeyError, OverflowError):
            continue
