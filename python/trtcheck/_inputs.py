"""What may be checked: files, bytes, and models that other libraries hold in memory."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeGuard

from trtcheck import _core, _remote, _text_forms
from trtcheck._errors import Error

# Protobuf refuses messages of 2 GiB; a model near it goes through a temporary file with its weights outside.
_LARGEST_MESSAGE = 1_500_000_000


class OpenFile(Protocol):
    """`fsspec.core.OpenFile`: a place in a file system, not opened yet."""

    fs: Any
    path: str

    @property
    def full_name(self) -> str: ...


#: What names a model: a path, a URL for fsspec ("s3://bucket/a.onnx"), or what `fsspec.open` returned.
Source: TypeAlias = str | os.PathLike[str] | OpenFile


@contextmanager
def opened(model: object, base_dir: str | os.PathLike[str] | None = None) -> Iterator[_core.Model]:
    """The model read, and whatever it needs on disk there for the time of the block."""
    if isinstance(model, _core.Model):
        yield model
    elif isinstance(model, _core.Analysis):
        yield model.model
    elif _is_remote(model):
        yield _remote.read(model)
    elif isinstance(model, (str, os.PathLike)) and _text_forms.is_text(model):
        made = _text_forms.read(model)
        yield _core.read_partial(made, os.fsencode(model), [], os.fsencode(Path(model).parent), None)
    elif isinstance(model, (str, os.PathLike)):
        yield _core.read_file(os.fsencode(model))
    elif _is(model, "torch", "ONNXProgram"):
        with _opened_ir(model.model, base_dir) as read:  # type: ignore[attr-defined]
            yield read
    elif _is(model, "onnx_ir", "Model"):
        with _opened_ir(model, base_dir) as read:
            yield read
    elif _is(model, "onnx", "ModelProto"):
        yield _core.read_memory(_serialized(model), _folder(base_dir))
    elif base_dir is None and (path := _path_of(model)) is not None:
        yield _core.read_file(path)
    else:
        yield _core.read_memory(_buffer(model), _folder(base_dir))


def is_path(given: object) -> TypeGuard[Source]:
    return isinstance(given, (str, os.PathLike)) or _is_remote(given)


def is_file(given: object) -> TypeGuard[str | os.PathLike[str]]:
    """A path on this machine, whether there is something or not."""
    return isinstance(given, (str, os.PathLike)) and not _is_remote(given)


def is_module(given: object) -> bool:
    """What has to be exported first."""
    return _is(given, "torch", "Module") or _is(given, "torch", "ExportedProgram")


def label(path: Source) -> str:
    """As reports and errors name it."""
    return as_bytes(path).decode(errors="backslashreplace")


def as_bytes(path: Source) -> bytes:
    """The name of a file need not be UTF-8."""
    return os.fsencode(path if is_file(path) else _remote.name(path))


def absolute(path: Source) -> Source:
    """The same model from any working folder; the very same object when that needs no change."""
    if not is_file(path) or os.path.isabs(path):  # noqa: PTH117
        return path
    return os.path.abspath(path)  # noqa: PTH100 (keeps `..` behind a link)


def _is_remote(given: object) -> bool:
    return _remote.is_url(given) if isinstance(given, str) else _is(given, "fsspec", "OpenFile")


def _is(model: object, package: str, name: str) -> bool:
    """Whether it is an instance of that class, without importing the package."""
    return any(kind.__name__ == name and kind.__module__.partition(".")[0] == package for kind in type(model).__mro__)


def _folder(base_dir: str | os.PathLike[str] | None) -> bytes:
    return b"" if base_dir is None else os.fsencode(base_dir)


def _buffer(model: object) -> memoryview:
    try:
        return memoryview(model)  # type: ignore[arg-type]
    except TypeError:
        pass
    if callable(getattr(model, "read", None)):
        return memoryview(_content(model))
    if is_module(model):
        raise TypeError("a PyTorch module has to be exported first: use trtcheck.torch.check_module")
    kinds = "a path, URL, bytes, open file, onnx.ModelProto, torch.onnx.ONNXProgram or onnx_ir.Model"
    raise TypeError(f"expected {kinds}, not {type(model).__name__}")


def _path_of(model: object) -> bytes | None:
    """Of a file of this machine that is open for bytes, at its beginning."""
    if not isinstance(model, io.BufferedReader) or not isinstance(model.name, (str, bytes)):
        return None
    path = os.fsencode(model.name)
    try:
        is_same = os.path.samestat(os.fstat(model.fileno()), os.stat(path))  # noqa: PTH116 (the name is bytes)
        return path if is_same and model.tell() == 0 else None
    except (OSError, ValueError):  # gone, a pipe, closed
        return None


def _content(file: Any) -> bytes:
    """What can be read of it from here on; where it can, it then stands where it stood."""
    start = file.tell() if file.seekable() else None
    content = file.read()
    if not isinstance(content, bytes):
        raise TypeError('a model must be opened for bytes: open(path, "rb")')
    if start is not None:
        file.seek(start)
    return content


def _serialized(model: Any) -> bytes:
    """Of a message of protobuf, which refuses more than 2 GiB."""
    from google.protobuf.message import EncodeError  # type: ignore[import-untyped]

    try:
        content: bytes = model.SerializeToString()
    except (EncodeError, ValueError, MemoryError) as error:
        raise Error(
            "",
            "the model cannot be serialized, which protobuf refuses above 2 GiB: write its weights to a file of their "
            "own by `onnx.save(model, path, save_as_external_data=True)`, and pass the path "
            f"({(str(error).strip() or type(error).__name__).splitlines()[0]})",
        ) from error
    return content


@contextmanager
def _opened_ir(model: Any, base_dir: str | os.PathLike[str] | None) -> Iterator[_core.Model]:
    # onnx_ir made the object, so it has been imported.
    ir = sys.modules["onnx_ir"]
    tensors = [value.const_value for value in model.graph.initializers.values() if value.const_value is not None]
    external = [tensor for tensor in tensors if isinstance(tensor, ir.ExternalTensor)]
    inline = sum(tensor.nbytes for tensor in tensors if not isinstance(tensor, ir.ExternalTensor))
    if base_dir is None and external:
        base_dir = external[0].base_dir
    if inline < _LARGEST_MESSAGE:
        yield _core.read_memory(_serialized(ir.to_proto(model)), _folder(base_dir))
        return
    with tempfile.TemporaryDirectory(prefix="trtcheck-") as folder:
        path = Path(folder) / "model.onnx"
        ir.save(model, path, external_data="model.onnx.data")
        yield _core.read_memory(path.read_bytes(), _folder(folder))


def is_a(given: object, package: str, name: str) -> bool:
    """Whether it is an instance of that class, without importing the package."""
    return _is(given, package, name)


def is_text_form(path: object) -> bool:
    """A model as text, which is read through the package `onnx`."""
    return isinstance(path, (str, os.PathLike)) and _text_forms.is_text(path)


def serialized(model: object, base_dir: str | os.PathLike[str] | None = None) -> tuple[Any, bytes]:
    """The bytes of a model that is not read as a file, and the folder of its external data."""
    if isinstance(model, (str, os.PathLike)) and _text_forms.is_text(model):
        return _text_forms.read(model), os.fsencode(Path(model).parent)
    if _is(model, "torch", "ONNXProgram"):
        model = model.model  # type: ignore[attr-defined]
    if _is(model, "onnx_ir", "Model"):
        return _serialized(sys.modules["onnx_ir"].to_proto(model)), _folder(base_dir)
    if _is(model, "onnx", "ModelProto"):
        return _serialized(model), _folder(base_dir)
    if isinstance(model, (_core.Model, _core.Analysis)):
        raise TypeError("a model that was read cannot be repaired: give its path or bytes")
    return _buffer(model), _folder(base_dir)


def save(model: Any, path: Path) -> None:
    """Write what `opened` would read from memory."""
    if _is(model, "torch", "ONNXProgram"):
        model = model.model
    if _is(model, "onnx_ir", "Model"):
        sys.modules["onnx_ir"].save(model, path, external_data=f"{path.name}.data")
    elif _is(model, "onnx", "ModelProto"):
        path.write_bytes(_serialized(model))
    else:
        path.write_bytes(_buffer(model))
