"""Models as text: ONNX text, text of protobuf and ONNX JSON, read by the package `onnx`."""

from __future__ import annotations

import os
import re
import sys
import warnings
from pathlib import Path

from trtcheck._errors import Error

# The endings that `onnx` knows; cpp/src/cli/open_model.cpp has the same.
_ENDINGS = {".onnxtxt", ".onnxtext", ".textproto", ".prototxt", ".pbtxt", ".onnxjson", ".json"}
_NEED = "reads text forms through the Python package onnx: `pip install onnx`"
# What the program takes from Python; cpp/src/witness/child.cpp has the same.
_MOST = 64 << 20
_PLACES = (
    re.compile(r"\(line: (?P<line>\d+) column: (?P<column>\d+)\)"),  # onnx.parser
    re.compile(r"^(?P<line>\d+):(?P<column>\d+) : "),  # google.protobuf.text_format
    re.compile(r": line (?P<line>\d+) column (?P<column>\d+) \(char \d+\)"),  # json
)


def is_text(path: str | os.PathLike[str]) -> bool:
    """Whether the name of the file says that it holds a text form."""
    return Path(path).suffix in _ENDINGS


def read(path: str | os.PathLike[str]) -> bytes:
    """The model as binary ONNX; external data stay where they are."""
    name = os.fsencode(path).decode(errors="backslashreplace")
    try:
        import onnx
    except ImportError as error:
        raise Error(name, f"{error}; {_NEED}") from None
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise Error(name, f"cannot be opened: {error.strerror}") from None
    kind = onnx.serialization.registry.get_format_from_file_extension(Path(path).suffix)
    # protobuf and onnx raise classes of their own, each another one, and RecursionError.
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that ONNX text is experimental
            model = onnx.serialization.registry.get(kind or "").deserialize_proto(content, onnx.ModelProto())
            return bytes(model.SerializeToString())
    except Exception as error:
        raise Error(name, _cause(error)) from None


def _cause(error: Exception) -> str:
    """The place, as far as the parser tells it, and what is wrong: one line."""
    text = str(error)
    if isinstance(error.args[0] if error.args else None, bytes):  # onnx.parser
        text = error.args[0].decode(errors="backslashreplace")
    found = next((match for match in (place.search(text) for place in _PLACES) if match), None)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    cause = lines[-1] if lines and lines[0].startswith("[ParseError") else (lines or [type(error).__name__])[0]
    if found is None:
        return f"the text cannot be read: {cause}"
    cause = cause.replace(found.group(0), "").rstrip(".")
    return f"line {found['line']}, column {found['column']}: {cause}"


def main() -> None:
    """For the program: FILE, and the model as binary ONNX on standard output."""
    (path,) = sys.argv[1:]
    try:
        made = read(path)
    except Error as error:
        sys.stderr.write(f"{error.cause}\n".encode(errors="backslashreplace").decode())
        sys.exit(2)
    if len(made) > _MOST:
        sys.stderr.write(
            f"has {len(made)} bytes as binary ONNX, the program reads text forms of up to {_MOST}: convert it first\n"
        )
        sys.exit(2)
    sys.stdout.buffer.write(made)
