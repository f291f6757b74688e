"""A node to ask about: its operator, inputs and attributes as values, from which a model is made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import onnx
import onnx.checker
import onnx.defs
import onnx.shape_inference
from numpy.typing import NDArray
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

Array = NDArray[np.float64]
Dims = tuple[int | str, ...]

FLOAT, FLOAT16, BFLOAT16, DOUBLE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE
BOOL, INT8, UINT8 = TensorProto.BOOL, TensorProto.INT8, TensorProto.UINT8
INT32, INT64 = TensorProto.INT32, TensorProto.INT64
FLOATS = (FLOAT, FLOAT16, BFLOAT16, DOUBLE)

# How an input comes to the node.
FORMS = ("run", "initializer", "listed", "constant", "identity", "cast")
PLACES = ("main", "if", "if-constant", "loop", "function")
# onnx has no inference for these.
LIKE_THE_FIRST = ("GroupNormalization", "MeanVarianceNormalization")
# The newest opset whose facts anybody has.
LAST_OPSET = 25


@dataclass(frozen=True, eq=False)
class Input:
    """`value`: what stands in it where it is constant; every form but "run" and "cast" needs one."""

    type: int
    dims: Dims
    value: Array | None = None
    form: str = "run"

    @property
    def is_constant(self) -> bool:
        return self.form not in ("run", "cast")

    def constant(self) -> Input:
        """As an initializer; without a value of its own small numbers, the same each time."""
        if self.value is not None:
            return replace(self, form="initializer", dims=self.value.shape)
        shape = tuple(2 if isinstance(d, str) else d for d in self.dims)
        count = int(np.prod(shape, dtype=np.int64))
        value = (np.arange(count) % 7 - 3).reshape(shape) / 8
        if self.type not in FLOATS:
            value = (np.arange(count) % 2).reshape(shape).astype(np.float64)
        return Input(self.type, shape, value, "initializer")


@dataclass(frozen=True, eq=False)
class Case:
    op: str
    opset: int
    inputs: tuple[Input | None, ...]
    attributes: dict[str, Any]
    outputs: int = 1
    place: str = "main"
    # What has been changed of the operator's seed, in words.
    changes: tuple[str, ...] = ()

    @property
    def schema(self) -> onnx.defs.OpSchema:
        return onnx.defs.get_schema(self.op, self.opset)

    def with_input(self, index: int, value: Input | None) -> Case:
        inputs = list(self.inputs)
        inputs[index] = value
        while inputs and inputs[-1] is None:
            inputs.pop()
        return replace(self, inputs=tuple(inputs))

    def with_attribute(self, name: str, value: Any) -> Case:
        attributes = {k: v for k, v in self.attributes.items() if k != name}
        if value is not None:
            attributes[name] = value
        return replace(self, attributes=attributes)


def tensor(name: str, element: int, value: Array) -> TensorProto:
    if element == TensorProto.STRING:
        return helper.make_tensor(name, element, value.shape, np.array([str(v) for v in value.flat]))
    # Above 8 bits numpy has the type; below it onnx packs.
    if element in (FLOAT, DOUBLE, FLOAT16, INT32, INT64, INT8, UINT8, BOOL, BFLOAT16):
        made = TensorProto(name=name, data_type=element, dims=value.shape)
        made.raw_data = np.asarray(value).astype(helper.tensor_dtype_to_np_dtype(element)).tobytes()
        return made
    return helper.make_tensor(name, element, value.shape, list(value.flat))


class Maker:
    """Puts one case into a model."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self.listed: list[ValueInfoProto] = []

    def model(self) -> ModelProto | None:
        """None: onnx does not take it, or has no types for its outputs."""
        case = self.case
        names = [self._feed(i, given) for i, given in enumerate(case.inputs)]
        outputs = [f"y{i}" for i in range(case.outputs)]
        node = helper.make_node(case.op, names, outputs)
        node.attribute.extend(attribute(*pair) for pair in sorted(case.attributes.items()))
        plain = self._wrap([*self.nodes, node], [ValueInfoProto(name=name) for name in outputs])
        values = _outputs(plain)
        if values is None:
            return None
        made = getattr(self, f"_{case.place.replace('-', '_')}")(node, values)
        try:
            onnx.checker.check_model(made)
        except onnx.checker.ValidationError:
            return None
        return made  # type: ignore[no-any-return]

    def _feed(self, index: int, given: Input | None) -> str:
        """The name of the node's input; what makes it goes into the model."""
        if given is None:
            return ""
        name = f"x{index}"
        if not given.is_constant:
            declared = given.type if given.form == "run" else FLOAT
            source = name if given.form == "run" else f"{name}_uncast"
            self.listed.append(helper.make_tensor_value_info(source, declared, list(given.dims)))
            if given.form == "cast":
                self.nodes.append(helper.make_node("Cast", [source], [name], to=given.type))
            return name
        assert given.value is not None
        content = tensor(name, given.type, given.value)
        if given.form == "constant":
            self.nodes.append(helper.make_node("Constant", [], [name], value=content))
            return name
        if given.form == "identity":
            content.name = f"{name}_source"
            self.nodes.append(helper.make_node("Identity", [content.name], [name]))
        self.initializers.append(content)
        if given.form == "listed":
            self.listed.append(helper.make_tensor_value_info(name, given.type, list(given.value.shape)))
        return name

    def _wrap(self, nodes: list[NodeProto], outputs: list[ValueInfoProto]) -> ModelProto:
        graph = helper.make_graph(nodes, "g", self.listed, outputs, self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.case.opset)], ir_version=10)

    def _main(self, node: NodeProto, outputs: list[ValueInfoProto]) -> ModelProto:
        return self._wrap([*self.nodes, node], outputs)

    def _if(self, node: NodeProto, outputs: list[ValueInfoProto]) -> ModelProto:
        self.listed.append(helper.make_tensor_value_info("condition", BOOL, []))
        return self._branches(node, outputs)

    def _if_constant(self, node: NodeProto, outputs: list[ValueInfoProto]) -> ModelProto:
        self.initializers.append(tensor("condition", BOOL, np.asarray(1.0)))
        return self._branches(node, outputs)

    def _branches(self, node: NodeProto, outputs: list[ValueInfoProto]) -> ModelProto:
        branches = {}
        for name in ("then_branch", "else_branch"):
            inner = NodeProto()
            inner.CopyFrom(node)
            inner.output[:] = [f"{output}_{name}" for output in node.output]
            results = [renamed(output, f"{output.name}_{name}") for output in outputs]
            branches[name] = helper.make_graph([inner], name, [], results)
        choice = helper.make_node("If", ["condition"], [o.name for o in outputs], **branches)
        return self._wrap([*self.nodes, choice], outputs)

    def _loop(self, node: NodeProto, outputs: list[ValueInfoProto]) -> ModelProto:
        inner = NodeProto()
        inner.CopyFrom(node)
        inner.output[:] = [f"{output}_body" for output in node.output]
        results = [renamed(output, f"{output.name}_body") for output in outputs]
        go_on = helper.make_tensor_value_info("go_on", BOOL, [])
        body = helper.make_graph(
            [helper.make_node("Identity", ["again"], ["go_on"]), inner],
            "body",
            [helper.make_tensor_value_info("i", INT64, []), helper.make_tensor_value_info("again", BOOL, [])],
            [go_on, *results],
        )
        self.initializers += [tensor("times", INT64, np.asarray(2.0)), tensor("start", BOOL, np.asarray(1.0))]
        loop = helper.make_node("Loop", ["times", "start"], [o.name for o in outputs], body=body)
        return self._wrap([*self.nodes, loop], [stacked(output) for output in outputs])

    def _function(self, node: NodeProto, outputs: list[ValueInfoProto]) -> ModelProto:
        given = [name for name in node.input if name]
        opsets = [helper.make_opsetid("", self.case.opset)]
        function = helper.make_function("local", "Inner", given, list(node.output), [node], opsets)
        call = helper.make_node("Inner", given, list(node.output), domain="local")
        made = self._wrap([*self.nodes, call], outputs)
        made.opset_import.append(helper.make_opsetid("local", 1))
        made.functions.append(function)
        return made


def attribute(name: str, value: Any) -> AttributeProto:
    """Tensors are stated as inputs, empty lists as lists of integers."""
    if isinstance(value, Input):
        assert value.value is not None
        return helper.make_attribute(name, tensor("", value.type, value.value))
    if value == []:
        return helper.make_attribute(name, value, attr_type=AttributeProto.INTS)
    return helper.make_attribute(name, value)


def _outputs(model: ModelProto) -> list[ValueInfoProto] | None:
    """As onnx infers them; None: an element type or a rank is missing."""
    try:
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception:  # onnx raises what it likes
        return None
    outputs = list(inferred.graph.output)
    if model.graph.node[-1].op_type in LIKE_THE_FIRST:
        outputs = [_like_the_first(model, outputs[0].name)]
    if model.graph.node[-1].op_type == "Loop":
        _give_rank(model, outputs[0])
    if all(o.type.tensor_type.elem_type and o.type.tensor_type.HasField("shape") for o in outputs):
        return outputs
    return None


def _give_rank(model: ModelProto, carried: ValueInfoProto) -> None:
    """What a Loop carries has the rank that it starts with; its extents may change."""
    shapes = {value.name: len(value.type.tensor_type.shape.dim) for value in model.graph.input}
    shapes |= {tensor.name: len(tensor.dims) for tensor in model.graph.initializer}
    rank = shapes.get([*model.graph.node[-1].input, "", "", ""][2])
    if rank is not None and carried.type.HasField("tensor_type"):
        names = [f"carried{i}" for i in range(rank)]
        carried.CopyFrom(helper.make_tensor_value_info(carried.name, carried.type.tensor_type.elem_type, names))


def _like_the_first(model: ModelProto, name: str) -> ValueInfoProto:
    last = model.graph.node[-1]
    for value in model.graph.input:
        if value.name == last.input[0]:
            return renamed(value, name)
    return ValueInfoProto(name=name)


def renamed(value: ValueInfoProto, name: str) -> ValueInfoProto:
    made = ValueInfoProto()
    made.CopyFrom(value)
    made.name = name
    return made


def stacked(value: ValueInfoProto) -> ValueInfoProto:
    """What a Loop makes of an output of its body."""
    dims = [d.dim_value if d.HasField("dim_value") else d.dim_param for d in value.type.tensor_type.shape.dim]
    return helper.make_tensor_value_info(value.name, value.type.tensor_type.elem_type, [2, *dims])
