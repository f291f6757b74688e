"""Shape inference under the names of onnx and ONNX Runtime: change an import, and nothing else.

    from trtcheck import shape_inference           # instead of: from onnx import shape_inference
    inferred = shape_inference.infer_shapes(model)

    from trtcheck.shape_inference import SymbolicShapeInference
                                      # instead of: from onnxruntime.tools.symbolic_shape_infer import ...
    inferred = SymbolicShapeInference.infer_shapes(model)

The functions accept and return what theirs accept and return. What differs: sizes that are computed are always followed
(`data_prop` changes nothing), dims that are computed from named ones are expressions over these names, `2*N + 1`, two
unknown dims have the same name only where they are proven equal, and nothing is merged or guessed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import onnx
import onnx.shape_inference

from trtcheck import _annotate, _onnx_schemas, _onnx_types

__all__ = [
    "InferenceError",
    "SymbolicShapeInference",
    "infer_function_output_types",
    "infer_node_outputs",
    "infer_shapes",
    "infer_shapes_path",
    "symbolic_shape_infer",
]


class InferenceError(onnx.shape_inference.InferenceError):
    """What `strict_mode` or `check_type` refuses. Who catches onnx's exception of that name catches it too."""


def infer_shapes(
    model: onnx.ModelProto | bytes, check_type: bool = False, strict_mode: bool = False, data_prop: bool = False
) -> onnx.ModelProto:
    """Add inferred types and shapes to `value_info`, and to outputs that lack them, as `onnx.shape_inference` does.

    Args:
        model: an onnx.ModelProto, or the bytes of one. It stays as it is.
        check_type: compare the element types of inputs and outputs of nodes with what their operators allow; what does
            not fit is an error where `strict_mode` is set.
        strict_mode: raise an error if a node cannot run, or the model declares what cannot be; otherwise what can be
            inferred is inferred, and declarations of the model stay.
        data_prop: accepted; sizes that are computed are always followed.

    Returns:
        A new onnx.ModelProto. Unknown dims have names, `unk__0`, as onnx gives them.

    Raises:
        InferenceError: with `strict_mode`, what contradicts.
        ValidationError: of onnx.checker: a function of the model calls itself.
        TypeError: `model` is neither an onnx.ModelProto nor bytes.
        Error: the bytes are no model.
    """
    del data_prop
    if isinstance(model, (str, os.PathLike)):
        raise TypeError(
            "infer_shapes only accepts ModelProto or bytes. "
            "For Model paths (str or os.PathLike), use infer_shapes_path()."
        )
    if not isinstance(model, (onnx.ModelProto, bytes)):
        raise TypeError(f"infer_shapes only accepts ModelProto or bytes, not {type(model)}")
    return _inferred(model, check_type, strict_mode, names_unknown=True)


def infer_shapes_path(
    model_path: str | os.PathLike[str],
    output_path: str | os.PathLike[str] = "",
    check_type: bool = False,
    strict_mode: bool = False,
    data_prop: bool = False,
) -> None:
    """Do the same for a file of any size, whose weights are not read.

    Args:
        model_path: the model.
        output_path: where the result goes; by default it replaces the model. External data stays where it is.
        check_type: as for `infer_shapes`.
        strict_mode: as for `infer_shapes`. What is refused is not written.
        data_prop: as for `infer_shapes`.

    Raises:
        InferenceError: with `strict_mode`, what contradicts.
        TypeError: a path is neither a string nor path-like.
        Error: the model cannot be read, or the result cannot be written.
    """
    del data_prop
    for path in (model_path, output_path):
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"infer_shapes_path only accepts paths (str or os.PathLike), not {type(path).__name__}")
    made = _annotate.annotate_shapes(model_path, names_unknown=True)
    if strict_mode:
        problems = _annotate.problems_of(made)
        if check_type:
            problems += _onnx_types.problems(onnx.ModelProto.FromString(made.model))
        _refuse(problems)
    made.write(os.fspath(output_path) or model_path)


def infer_node_outputs(
    schema: onnx.defs.OpSchema,
    node: onnx.NodeProto,
    input_types: dict[str, onnx.TypeProto],
    input_data: dict[str, onnx.TensorProto] | None = None,
    input_sparse_data: dict[str, onnx.SparseTensorProto] | None = None,
    opset_imports: list[onnx.OperatorSetIdProto] | None = None,
    ir_version: int = onnx.IR_VERSION,
) -> dict[str, onnx.TypeProto]:
    """Types of the outputs of one node, from the types of its inputs and the values of those that are known.

    Raises:
        InferenceError: the node cannot run.
        ValidationError: of onnx.checker: it has inputs that the operator does not allow.
        KeyError: an input of the node has no type.
    """
    graph = onnx.GraphProto(name="node")
    graph.node.append(node)
    known = {**(input_data or {}), **(input_sparse_data or {})}
    for name in [name for name in node.input if name]:
        input_types[name]
    for name, kind in input_types.items():
        if name not in known:
            graph.input.append(onnx.ValueInfoProto(name=name, type=kind))
    for name in known:
        value = known[name]
        if isinstance(value, onnx.SparseTensorProto):
            graph.sparse_initializer.append(value)
            graph.sparse_initializer[-1].values.name = name
        else:
            graph.initializer.append(value)
            graph.initializer[-1].name = name
    for name in node.output:
        if name:
            graph.output.append(onnx.ValueInfoProto(name=name))
    imports = list(opset_imports or [])
    if all(entry.domain != schema.domain for entry in imports):
        imports.append(onnx.OperatorSetIdProto(domain=schema.domain, version=schema.since_version))
    model = onnx.ModelProto(ir_version=ir_version, graph=graph, opset_import=imports)
    if problems := _onnx_types.arity(node, schema) + _onnx_types.problems_of(node, input_types, opset_imports, schema):
        raise onnx.checker.ValidationError("; ".join(problems))
    inferred = _inferred(model, check_type=False, strict_mode=True, names_unknown=False)
    return {value.name: value.type for value in inferred.graph.output if value.type.WhichOneof("value") is not None}


def infer_function_output_types(
    function: onnx.FunctionProto, input_types: Sequence[onnx.TypeProto], attributes: Sequence[onnx.AttributeProto]
) -> list[onnx.TypeProto]:
    """Types of the outputs of a function, from the types of its inputs and the attributes of the call.

    Raises:
        InferenceError: a node of the function cannot run.
    """
    domain = function.domain or "function"
    called = onnx.FunctionProto()
    called.CopyFrom(function)
    called.domain = domain
    graph = onnx.GraphProto(name="call")
    inputs = []
    for name, kind in zip(function.input, input_types):  # noqa: B905 (Python 3.9)
        is_given = kind.WhichOneof("value") is not None
        inputs.append(f"given_{name}" if is_given else "")
        if is_given:
            graph.input.append(onnx.ValueInfoProto(name=f"given_{name}", type=kind))
    node = onnx.NodeProto(op_type=function.name, domain=domain, input=inputs, overload=function.overload)
    node.output.extend(f"made_{name}" for name in function.output)
    node.attribute.extend(attributes)
    graph.node.append(node)
    graph.output.extend(onnx.ValueInfoProto(name=name) for name in node.output)
    model = onnx.ModelProto(ir_version=onnx.IR_VERSION, graph=graph, functions=[called])
    model.opset_import.extend(entry for entry in function.opset_import if entry.domain != domain)
    model.opset_import.append(onnx.OperatorSetIdProto(domain=domain, version=1))
    inferred = _inferred(model, check_type=False, strict_mode=True, names_unknown=False)
    _refuse(_onnx_types.function_problems(inferred.functions[0], input_types))
    return [value.type for value in inferred.graph.output]


def symbolic_shape_infer(
    model: onnx.ModelProto,
    int_max: int = 2**31 - 1,
    auto_merge: bool = False,
    guess_output_rank: bool = False,
    verbose: int = 0,
) -> onnx.ModelProto:
    """Do what `onnxruntime.tools.symbolic_shape_infer` does; see `SymbolicShapeInference.infer_shapes`.

    Args:
        model: an onnx.ModelProto. It stays as it is.
        int_max: accepted; large ends of Slice are followed exactly.
        auto_merge: accepted; names of dims are never merged, because they may be different sizes.
        guess_output_rank: accept values whose rank is unknown; ranks are not guessed.
        verbose: above 0, say through `logging` which declarations contradict.

    Returns:
        A new onnx.ModelProto with types and shapes of all values.

    Raises:
        Exception: the rank of a value is unknown, as ONNX Runtime's raises it.
    """
    del int_max, auto_merge
    made = _annotate.annotate_shapes(model, names_unknown=True)
    if verbose > 0:
        import logging

        for one in made.contradictions:
            logging.getLogger(__name__).warning("%s", one.message)
    if made.unknown and not guess_output_rank:
        first = made.unknown[0]
        raise Exception(f"Incomplete symbolic shape inference: `{first.value}` in {first.graph}: {first.message}")
    annotated: onnx.ModelProto = made.model
    return annotated


class SymbolicShapeInference:
    """The class of `onnxruntime.tools.symbolic_shape_infer`, as far as it is used: its one static function."""

    @staticmethod
    def infer_shapes(
        in_mp: onnx.ModelProto,
        int_max: int = 2**31 - 1,
        auto_merge: bool = False,
        guess_output_rank: bool = False,
        verbose: int = 0,
    ) -> onnx.ModelProto:
        """Do what `symbolic_shape_infer` does."""
        return symbolic_shape_infer(in_mp, int_max, auto_merge, guess_output_rank, verbose)


def _inferred(
    model: onnx.ModelProto | bytes, check_type: bool, strict_mode: bool, *, names_unknown: bool
) -> onnx.ModelProto:
    made = _annotate.annotate_shapes(model, names_unknown=names_unknown)
    inferred = _model_of(made.model)
    unknown = {one.value: one.message for one in made.unknown if one.graph == "main"}
    if unknown and (declared := _onnx_schemas.declared_by_schemas(_model_of(model), inferred, unknown)) is not None:
        made = _annotate.annotate_shapes(declared, names_unknown=names_unknown)
        inferred = made.model
    if inferred.functions and (name := _onnx_types.cyclic_function(inferred)):
        raise onnx.checker.ValidationError(f"function `{name}` calls itself")
    if check_type:
        _refuse(_onnx_types.surplus(inferred))
    if strict_mode:
        problems = _annotate.problems_of(made) + _onnx_types.damaged(inferred)
        problems += _onnx_types.problems(inferred) if check_type else _onnx_types.missing_outputs(inferred)
        _refuse(problems)
    return inferred


def _model_of(model: onnx.ModelProto | bytes) -> onnx.ModelProto:
    return onnx.ModelProto.FromString(model) if isinstance(model, bytes) else model


def _refuse(problems: list[Any]) -> None:
    if problems:
        raise InferenceError("Inference error(s): " + "\n".join(map(str, problems)))
