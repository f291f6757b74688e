"""Operators whose schema a program registered with onnx: what the schema's own function says of their outputs."""

from __future__ import annotations

from collections.abc import Mapping

import onnx
from onnx.shape_inference import infer_shapes as infer_by_onnx


def declared_by_schemas(
    model: onnx.ModelProto, inferred: onnx.ModelProto, unknown: Mapping[str, str]
) -> onnx.ModelProto | None:
    """The model, in which the outputs of such nodes are declared as onnx infers them. None: there is no such node.

    Only onnx can call a schema's function, which asks for an `InferenceContext`.

    Args:
        model: as it was given. It stays as it is.
        inferred: the same after inference, so that the functions see what is known.
        unknown: values of the main graph whose rank is unknown, and why.
    """
    opsets = {entry.domain: entry.version for entry in model.opset_import}
    asked = {
        name
        for node in model.graph.node
        for name in node.output
        if unknown.get(name) == f"operator `{node.op_type}` is not known" and _has_function(node, opsets)
    }
    if not asked:
        return None
    said = infer_by_onnx(inferred, data_prop=True).graph
    types = {value.name: value.type for value in [*said.value_info, *said.output] if value.name in asked}
    made = onnx.ModelProto()
    made.CopyFrom(model)
    outputs = {value.name: value for value in made.graph.output}
    declared = {value.name: value for value in made.graph.value_info}
    for name, kind in types.items():
        known = [values[name] for values in (outputs, declared) if name in values]
        for value in known or [made.graph.value_info.add(name=name)]:
            value.type.CopyFrom(kind)
    return made


def _has_function(node: onnx.NodeProto, opsets: dict[str, int]) -> bool:
    try:
        schema = onnx.defs.get_schema(node.op_type, opsets.get(node.domain, 1), node.domain)
    except onnx.defs.SchemaError:
        return False
    return schema.has_type_and_shape_inference_function
