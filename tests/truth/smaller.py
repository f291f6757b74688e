"""Models that are a little smaller than a given one: one node, output, input, attribute or extent less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import onnx.checker
import onnx.shape_inference
from cases import renamed
from numpy.typing import NDArray
from onnx import ModelProto, ValueInfoProto, numpy_helper


def smaller(model: ModelProto) -> Iterator[ModelProto]:
    """What promises most comes first. Not all of them are right models."""
    yield from fewer_nodes(model)
    yield from passed_over(model)
    yield from fewer_outputs(model)
    yield from fewer_inputs_of_nodes(model)
    yield from fewer_attributes(model)
    yield from smaller_extents(model)
    yield from smaller_constants(model)
    yield from without_constants(model)
    yield from less_besides(model)


def copy_of(model: ModelProto) -> ModelProto:
    made = ModelProto()
    made.CopyFrom(model)
    return made


def is_valid(model: ModelProto) -> bool:
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError:
        return False
    return bool(model.graph.node)


def known_values(model: ModelProto) -> dict[str, ValueInfoProto]:
    try:
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception:  # onnx raises what it likes
        inferred = model
    graph = inferred.graph
    return {value.name: value for value in [*graph.value_info, *graph.input, *graph.output]}


def tidy(model: ModelProto) -> ModelProto:
    """Without inputs and initializers that nobody reads."""
    read = {name for node in _all_nodes(model.graph) for name in node.input}
    read |= {output.name for output in model.graph.output}
    for values in (model.graph.input, model.graph.initializer):
        for at in reversed(range(len(values))):
            if values[at].name not in read:
                del values[at]
    del model.graph.value_info[:]
    return model


def _all_nodes(graph: onnx.GraphProto) -> Iterator[onnx.NodeProto]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                yield from _all_nodes(body)


def fewer_nodes(model: ModelProto) -> Iterator[ModelProto]:
    """All before a node, all behind it, or the node alone taken off."""
    values = known_values(model)
    nodes = model.graph.node
    for at in range(len(nodes)):
        yield from filter(None, [_cut(model, values, {at})])
    for at in range(1, len(nodes)):
        yield from filter(None, [_cut(model, values, set(range(at))), _cut(model, values, set(range(at, len(nodes))))])


def _cut(model: ModelProto, values: dict[str, ValueInfoProto], gone: set[int]) -> ModelProto | None:
    """What the nodes made comes in from outside; what only they read goes out."""
    if len(gone) == len(model.graph.node):
        return None
    made = copy_of(model)
    graph = made.graph
    cut = [node for at, node in enumerate(model.graph.node) if at in gone]
    kept = [node for at, node in enumerate(model.graph.node) if at not in gone]
    lost = {name for node in cut for name in node.output if name}
    read = {name for node in _all_nodes(model.graph) if node not in cut for name in node.input}
    outputs = [output for output in graph.output if output.name not in lost]
    ends = {name for node in kept for name in node.output} & {name for node in cut for name in node.input}
    names = [*sorted(lost & read), *sorted(ends)]
    if any(name not in values for name in names):
        return None
    outputs += [values[name] for name in sorted(ends) if name not in {output.name for output in outputs}]
    if not outputs:
        return None
    inputs = [*graph.input, *(values[name] for name in sorted(lost & read))]
    for field, content in ((graph.node, kept), (graph.output, outputs), (graph.input, inputs)):
        new = [type(item).FromString(item.SerializeToString()) for item in content]
        del field[:]
        field.extend(new)
    return tidy(made)


def _graphs(graph: onnx.GraphProto) -> Iterator[onnx.GraphProto]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                yield from _graphs(body)


def passed_over(model: ModelProto) -> Iterator[ModelProto]:
    """A node less, in bodies too: who read its result reads one of its inputs."""
    for number, graph in enumerate(_graphs(model.graph)):
        for at, node in enumerate(graph.node):
            for name in filter(None, node.input):
                if len(node.output) == 1:
                    yield _without(model, number, at, name)


def _without(model: ModelProto, number: int, at: int, instead: str) -> ModelProto:
    made = copy_of(model)
    graph = list(_graphs(made.graph))[number]
    result = graph.node[at].output[0]
    del graph.node[at]
    for inner in _graphs(graph):
        for node in inner.node:
            node.input[:] = [instead if name == result else name for name in node.input]
        if inner is not made.graph:
            for output in inner.output:
                output.name = instead if output.name == result else output.name
    _sweep(graph)
    return _with_outputs(tidy(made))


def _sweep(graph: onnx.GraphProto) -> None:
    """Without nodes that nobody reads."""
    while True:
        read = {name for node in _all_nodes(graph) for name in node.input}
        read |= {output.name for inner in _graphs(graph) for output in inner.output}
        unread = [at for at, node in enumerate(graph.node) if not read.intersection(node.output)]
        if not unread:
            return
        for at in reversed(unread):
            del graph.node[at]


def fewer_outputs(model: ModelProto) -> Iterator[ModelProto]:
    for at in range(len(model.graph.output) if len(model.graph.output) > 1 else 0):
        made = copy_of(model)
        del made.graph.output[at]
        yield tidy(made)


def fewer_inputs_of_nodes(model: ModelProto) -> Iterator[ModelProto]:
    for at, node in enumerate(model.graph.node):
        for i in reversed(range(len(node.input))):
            if not node.input[i]:
                continue
            made = copy_of(model)
            inputs = [*node.input]
            inputs[i] = ""
            while inputs and not inputs[-1]:
                inputs.pop()
            made.graph.node[at].input[:] = inputs
            yield tidy(made)


def fewer_attributes(model: ModelProto) -> Iterator[ModelProto]:
    for at, node in enumerate(model.graph.node):
        for i in range(len(node.attribute)):
            made = copy_of(model)
            del made.graph.node[at].attribute[i]
            yield tidy(made)


def smaller_extents(model: ModelProto) -> Iterator[ModelProto]:
    """An extent wherever it stands, then of one input alone; dimensions taken off."""
    dims = [dim for value in model.graph.input for dim in value.type.tensor_type.shape.dim]
    for size in sorted({dim.dim_value for dim in dims if dim.dim_value > 1}, reverse=True):
        for other in (1, 2, size // 2):
            if other < size:
                yield _resized(model, size, other, range(len(model.graph.input)))
    for at, value in enumerate(model.graph.input):
        for size in sorted({dim.dim_value for dim in value.type.tensor_type.shape.dim if dim.dim_value > 1}):
            yield _resized(model, size, 1, [at])
        for axis in range(len(value.type.tensor_type.shape.dim)):
            made = copy_of(model)
            del made.graph.input[at].type.tensor_type.shape.dim[axis]
            yield _with_outputs(made)
        if any(dim.dim_param for dim in value.type.tensor_type.shape.dim):
            made = copy_of(model)
            for dim in made.graph.input[at].type.tensor_type.shape.dim:
                dim.dim_value = dim.dim_value or 2
            yield _with_outputs(made)


def _resized(model: ModelProto, size: int, other: int, inputs: range | list[int]) -> ModelProto:
    made = copy_of(model)
    for at in inputs:
        for dim in made.graph.input[at].type.tensor_type.shape.dim:
            if dim.dim_value == size:
                dim.dim_value = other
    return _with_outputs(made)


def _with_outputs(model: ModelProto) -> ModelProto:
    """Outputs declared as they are now."""
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    values = known_values(model)
    for output in model.graph.output:
        if output.name in values:
            output.CopyFrom(renamed(values[output.name], output.name))
    return model


def smaller_constants(model: ModelProto) -> Iterator[ModelProto]:
    for at, tensor in enumerate(model.graph.initializer):
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            continue
        array = numpy_helper.to_array(tensor)
        for axis in range(array.ndim):
            for count in (1, array.shape[axis] // 2):
                if 0 < count < array.shape[axis]:
                    yield _with_constant(model, at, np.take(array, range(count), axis))
        if array.size > 1 and (array != array.flat[0]).any():
            yield _with_constant(model, at, np.full_like(array, array.flat[0]))


def _with_constant(model: ModelProto, at: int, array: NDArray[Any]) -> ModelProto:
    made = copy_of(model)
    tensor = made.graph.initializer[at]
    tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    return _with_outputs(made)


def without_constants(model: ModelProto) -> Iterator[ModelProto]:
    """A large constant as an input: shorter to write down."""
    for at, tensor in enumerate(model.graph.initializer):
        if np.prod(tensor.dims) > 4:
            made = copy_of(model)
            value = onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims))
            listed = {item.name for item in model.graph.input}
            del made.graph.initializer[at]
            made.graph.input.extend([] if tensor.name in listed else [value])
            yield made


def less_besides(model: ModelProto) -> Iterator[ModelProto]:
    """Names, documentation and metadata."""
    made = ModelProto(ir_version=model.ir_version)
    made.opset_import.extend(model.opset_import)
    made.functions.extend(model.functions)
    made.graph.CopyFrom(model.graph)
    for item in (made.graph, *made.graph.node):
        item.ClearField("doc_string")
        item.ClearField("metadata_props")
    for node in made.graph.node:
        node.ClearField("name")
    if made.ByteSize() < model.ByteSize():
        yield made
