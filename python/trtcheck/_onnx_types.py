"""Whether nodes read and make the types that their operators allow, by the schemas of the package onnx."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import onnx

_Types = Mapping[str, str]

_OPTION = onnx.defs.OpSchema.FormalParameterOption


def problems(model: onnx.ModelProto) -> list[str]:
    """What does not fit, a line each. The model has all types that are known."""
    opsets = {entry.domain if entry.domain != "ai.onnx" else "": entry.version for entry in model.opset_import}
    return list(_of_graph(model.graph, {}, opsets))


def _of_graph(graph: onnx.GraphProto, outer: _Types, opsets: Mapping[str, int]) -> Iterator[str]:
    types = {**outer, **_types_of(graph)}
    for value in graph.input:
        if value.type.WhichOneof("value") == "tensor_type" and value.type.tensor_type.elem_type == 0 and value.name:
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
    domain = "" if node.domain == "ai.onnx" else node.domain
    try:
        schema = onnx.defs.get_schema(node.op_type, opsets.get(domain, 0), domain)
    except onnx.defs.SchemaError:
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
    names: Iterable[str], formals: list[onnx.defs.OpSchema.FormalParameter]
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
        path: list[tuple[tuple[str, str, str], Iterator[tuple[str, str, str]]]] = [(start, _calls(functions[start].node))]
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
