"""Models as the witness wants them: in files, with outputs that declare an element type."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import onnx
import onnx.shape_inference
from onnx import ModelProto

import trtcheck


def element_types(model: ModelProto) -> dict[str, int]:
    """Of the values of the main graph: what onnx infers, else what we do."""
    found: dict[str, int] = {}
    with contextlib.suppress(trtcheck.Error, KeyError):
        shapes = trtcheck.infer_shapes(model)
        for output in model.graph.output:
            if dtype := shapes[output.name].dtype:
                found[output.name] = int(dtype)
    try:
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception:  # onnx raises what it likes
        return found
    for value in [*inferred.graph.value_info, *inferred.graph.output]:
        if value.type.HasField("tensor_type") and value.type.tensor_type.elem_type:
            found[value.name] = value.type.tensor_type.elem_type
    return found


def declare_outputs(model: ModelProto) -> bool:
    """Gives each output that has none an element type; False: it cannot be had."""
    missing = [output for output in model.graph.output if not output.type.WhichOneof("value")]
    missing += [output for output in model.graph.output if is_untyped(output)]
    if not missing:
        return True
    types = element_types(model)
    for output in missing:
        if output.name not in types:
            return False
        output.type.tensor_type.elem_type = types[output.name]
    return True


def is_untyped(value: onnx.ValueInfoProto) -> bool:
    return value.type.WhichOneof("value") == "tensor_type" and not value.type.tensor_type.elem_type


def write(model: ModelProto, folder: Path) -> Path:
    """A file named after its content."""
    content = model.SerializeToString(deterministic=True)
    path = folder / f"{hashlib.sha256(content).hexdigest()[:16]}.onnx"
    path.write_bytes(content)
    return path


def profile_of(model: ModelProto, size: int = 4) -> dict[str, tuple[int, ...]]:
    """One shape for each dynamic input, each unknown extent `size`."""
    constants = {tensor.name for tensor in model.graph.initializer}
    shapes = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        if value.name in constants or not tensor.HasField("shape"):
            continue
        dims = tensor.shape.dim
        if any(not dim.HasField("dim_value") for dim in dims):
            shapes[value.name] = tuple(_extent(dim, size) for dim in dims)
    return shapes


def _extent(dim: onnx.TensorShapeProto.Dimension, size: int) -> int:
    """The grid names an extent of 4 "d4"."""
    if dim.HasField("dim_value"):
        return dim.dim_value
    return int(dim.dim_param[1:]) if dim.dim_param[1:].isdigit() else size


def profile_text(model: ModelProto | Path, size: int = 4) -> tuple[str, ...]:
    """The same, as the witness reads it."""
    made = onnx.load(model) if isinstance(model, Path) else model
    shapes = {name: "x".join(map(str, dims)) for name, dims in profile_of(made, size).items()}
    return tuple(f"{name}={dims}:{dims}:{dims}" for name, dims in shapes.items())
