"""Whether nodes read and make the types that their operators allow, by the schemas of the package onnx."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import onnx

_Types = Mapping[str, str]

# Of longer ones inference follows nothing.
_MOST_VALUES = 4096

_OPTION = onnx.defs.OpSchema.FormalParameterOption


def problems(model: onnx.ModelProto) -> list[str]:
    """What does not fit, a line each. The model has all types that are known."""
    return missing_outputs(model) + list(_of_graph(model.graph, {}, _opsets(model.opset_import)))


def problems_of(
    node: onnx.NodeProto,
    types: Mapping[str, onnx.TypeProto],
    imports: Iterable[onnx.OperatorSetIdProto] | None,
    schema: onnx.defs.OpSchema,
) -> list[str]:
    """The same of one node, whose schema is the one that is given unless an operator set is imported."""
    opsets = {schema.domain: schema.since_version, **_opsets(imports or [])}
    return list(_of_node(node, {name: _text(kind) for name, kind in types.items() if _text(kind)}, opsets))


def function_problems(function: onnx.FunctionProto, inputs: Iterable[onnx.TypeProto]) -> list[str]:
    """The same of a function with inputs of these types."""
    types = {name: _text(kind) for name, kind in zip(function.input, inputs)}  # noqa: B905 (Python 3.9)
    types.update((value.name, _text(value.type)) for value in function.value_info)
    known = {name: text for name, text in types.items() if text}
    opsets = _opsets(function.opset_import)
    return [line for node in function.node for line in _of_node(node, known, opsets)]


def arity(node: onnx.NodeProto, schema: onnx.defs.OpSchema) -> list[str]:
    """Whether the node has as many inputs as its operator allows."""
    if schema.min_input <= len(node.input) <= schema.max_input:
        return []
    return [f"{node.op_type} has {len(node.input)} inputs, from {schema.min_input} to {schema.max_input} are allowed"]


def missing_outputs(model: onnx.ModelProto) -> list[str]:
    """Nodes without outputs, of operators that have at least one."""
    opsets = _opsets(model.opset_import)
    return [
        f"{node.op_type} `{node.name}`: no outputs, at least one output is required"
        for node in model.graph.node
        if not node.output and (schema := _schema(node, opsets)) is not None and schema.min_output > 0
    ]


def damaged(model: onnx.ModelProto) -> list[str]:
    """Constants that sizes may depend on, and whose values cannot be read."""
    lines = []
    for tensor in model.graph.initializer:
        if tensor.data_location == onnx.TensorProto.EXTERNAL or math.prod(tensor.dims) > _MOST_VALUES:
            continue
        try:
            onnx.checker.check_tensor(tensor)
        except onnx.checker.ValidationError as error:
            lines.append(f"initializer `{tensor.name}`: {error}")
    return lines


def surplus(model: onnx.ModelProto) -> list[str]:
    """Nodes with more inputs or outputs than their operators have."""
    opsets = _opsets(model.opset_import)
    return [
        f"{node.op_type} `{node.name}`: more inputs or outputs than the operator has"
        for node in model.graph.node
        if (schema := _schema(node, opsets)) is not None
        and (len(node.input) > schema.max_input or len(node.output) > schema.max_output)
    ]


def _opsets(imports: Iterable[onnx.OperatorSetIdProto]) -> dict[str, int]:
    return {entry.domain if entry.domain != "ai.onnx" else "": entry.version for entry in imports}


def _schema(node: onnx.NodeProto, opsets: Mapping[str, int]) -> onnx.defs.OpSchema | None:
    domain = "" if node.domain == "ai.onnx" else node.domain
    try:
        return onnx.defs.get_schema(node.op_type, opsets.get(domain, 0), domain)
    except onnx.defs.SchemaError:
        return None


def _of_graph(graph: onnx.GraphProto, outer: _Types, opsets: Mapping[str, int]) -> Iterator[str]:
    types = {**outer, **_types_of(graph)}
    for value in graph.input:
        if value.type.WhichOneof("value") == "tensor_type" and value.type.tensor_type.elem_type == 0 and not outer:
            yield f"input `{value.name}` has no element type"
    for node in graph.node:
        yield from _of_node(node, types, opsets)
        for attribute in node.attribute:
            for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                yield from _of_graph(body, types, opsets)


def _types_of(graph: onnx.GraphProto) -> dict[str, str]:
    types = {}
    for tensor in graph.initializer:
        types[tensor.name] = _tensor(tensor.data_type)
    for values in (graph.input, graph.value_info, graph.output):
        for value in values:
            if text := _text(value.type):
                types[value.name] = text
    return types


def _tensor(element: int, kind: str = "tensor") -> str:
    try:
        return f"{kind}({onnx.TensorProto.DataType.Name(element).lower()})" if element else ""
    except ValueError:
        return ""


def _text(kind: onnx.TypeProto) -> str:
    """`tensor(float)`, as schemas have it; "" = unknown."""
    which = kind.WhichOneof("value")
    if which == "tensor_type":
        return _tensor(kind.tensor_type.elem_type)
    if which == "sparse_tensor_type":
        return _tensor(kind.sparse_tensor_type.elem_type, "sparse_tensor")
    if which in ("sequence_type", "optional_type"):
        inner = _text(getattr(kind, which).elem_type)
        return inner and f"{'seq' if which == 'sequence_type' else 'optional'}({inner})"
    return ""


def _of_node(node: onnx.NodeProto, types: _Types, opsets: Mapping[str, int]) -> Iterator[str]:
    schema = _schema(node, opsets)
    if schema is None:
        return
    bound: dict[str, str] = {}
    where = f"{node.op_type} `{node.name or (node.output[0] if node.output else '')}`"
    for words, names, formals in (("input", node.input, schema.inputs), ("output", node.output, schema.outputs)):
        for name, formal in _paired(names, formals):
            actual = types.get(name)
            if actual is None:
                continue
            if actual not in formal.types:
                yield f"{where}: {words} `{name}` is {actual}, which `{formal.name}` must not be"
                return
            is_one = formal.option != _OPTION.Variadic or formal.is_homogeneous
            if is_one and bound.setdefault(formal.type_str, actual) != actual:
                yield f"{where}: {words} `{name}` is {actual}, must be {bound[formal.type_str]} as the others"
                return


def _paired(
    names: Iterable[str], formals: Sequence[onnx.defs.OpSchema.FormalParameter]
) -> Iterator[tuple[str, onnx.defs.OpSchema.FormalParameter]]:
    for index, name in enumerate(names):
        if index < len(formals):
            formal = formals[index]
        elif formals and formals[-1].option == _OPTION.Variadic:
            formal = formals[-1]
        else:
            return
        if name:
            yield name, formal


def cyclic_function(model: onnx.ModelProto) -> str:
    """A function that calls itself, directly or through others; "" = there is none."""
    functions = {(one.domain, one.name, one.overload): one for one in model.functions}
    done: set[tuple[str, str, str]] = set()
    for start in functions:
        path: list[tuple[tuple[str, str, str], Iterator[tuple[str, str, str]]]] = [
            (start, _calls(functions[start].node))
        ]
        if start in done:
            continue
        while path:
            called = next((name for name in path[-1][1] if name in functions and name not in done), None)
            if called is None:
                done.add(path.pop()[0])
            elif any(name == called for name, _ in path):
                return called[1]
            else:
                path.append((called, _calls(functions[called].node)))
    return ""


def _calls(nodes: Iterable[onnx.NodeProto]) -> Iterator[tuple[str, str, str]]:
    for node in nodes:
        yield node.domain, node.op_type, node.overload
        for attribute in node.attribute:
            for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                yield from _calls(body.node)
