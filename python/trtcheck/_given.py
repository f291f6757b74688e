"""Models as they were handed in: how they reach the library, and how what is made of them goes back."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from trtcheck import _inputs

_Made = TypeVar("_Made")


def made_of(
    model: object,
    base_dir: str | os.PathLike[str] | None,
    of_file: Callable[..., _Made],
    of_memory: Callable[..., _Made],
    options: dict[str, Any],
) -> _Made:
    """Call `of_file` with the path of a model on disk, which is read in parts, or `of_memory` with bytes and folder."""
    if _inputs.is_file(model) and not _inputs.is_text_form(model):
        return of_file(os.fsencode(model), **options)
    content, folder = _inputs.serialized(model, base_dir)
    return of_memory(content, folder, **options)


def as_given(content: bytes, given: object) -> Any:
    """A model as an object of the class that was handed in; of a path or bytes its bytes."""
    if _inputs.is_a(given, "onnx", "ModelProto"):
        return type(given).FromString(content)  # type: ignore[attr-defined]
    if _inputs.is_a(given, "onnx_ir", "Model"):
        return _ir_model(content)
    if _inputs.is_a(given, "torch", "ONNXProgram"):
        return type(given)(_ir_model(content), given.exported_program)  # type: ignore[call-arg, attr-defined]
    return content


def _ir_model(content: bytes) -> Any:
    import onnx

    return sys.modules["onnx_ir"].from_proto(onnx.ModelProto.FromString(content))
