"""Arrays of samples in files, read when they are needed: the samples of an `.npz` one after the other."""

from __future__ import annotations

import base64
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from math import prod
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from trtcheck._errors import Error, made

_EXPECTED = "is no .npz of NumPy (nor a .json of Polygraphy)"
# What zipfile raises for an archive that is damaged, encrypted, or packed in a way it does not know.
_DAMAGE = (ValueError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError)


@runtime_checkable
class Stored(Protocol):
    """An array whose elements may still be in a file."""

    shape: tuple[int, ...]
    dtype: Any

    def whole(self) -> Any:
        """All of it."""
        ...

    def rows(self) -> Iterator[Any]:
        """The entries of its first axis, one after the other."""
        ...


#: The arrays of one file, or of one run in it, by name.
Arrays: TypeAlias = Mapping[str, Stored]


class Held:
    """An array in memory."""

    def __init__(self, array: Any) -> None:
        import numpy as np

        self._array = np.asarray(array)
        self.shape, self.dtype = self._array.shape, self._array.dtype

    def whole(self) -> Any:
        return self._array

    def rows(self) -> Iterator[Any]:
        import numpy as np

        # An entry of an array with one axis is a number of NumPy, and no array.
        for index in range(len(self._array)):
            yield np.asarray(self._array[index])


class _Member:
    """An array of an `.npz`. What its header says is compared with what is there before memory is asked for."""

    def __init__(self, source: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self._source, self._archive, self._info = source, archive, info
        self.name = info.filename.removesuffix(".npy")
        with self._opened() as stream:
            self.shape, self._is_fortran, self.dtype = _header(stream)
            self._start = stream.tell()
            _compare_size(self.shape, self.dtype, info.file_size - self._start)

    def whole(self) -> Any:
        with self._opened() as stream:
            stream.read(self._start)
            array = self._read(stream, self.shape[::-1] if self._is_fortran else self.shape)
        return array.T if self._is_fortran else array

    def rows(self) -> Iterator[Any]:
        if self._is_fortran:  # its samples are spread over the whole file
            yield from Held(self.whole()).rows()
            return
        with self._opened() as stream:
            stream.read(self._start)
            for _ in range(self.shape[0]):
                yield self._read(stream, self.shape[1:])

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        with _telling(self._source, self.name), self._archive.open(self._info) as stream:
            yield stream

    def _read(self, stream: Any, shape: tuple[int, ...]) -> Any:
        import numpy as np

        count = prod(shape) * self.dtype.itemsize
        content = stream.read(count)
        if len(content) < count:
            raise ValueError("it ends too early")
        return np.frombuffer(content, self.dtype).reshape(shape)


def read(path: Path, name: str) -> Iterator[Arrays]:
    """What a file holds: the arrays of an `.npz`, or run by run those of a `.json`.

    Raises:
        Error: it cannot be read, or is neither; names `name`.
    """
    read: Callable[[Path, str, ExitStack], Iterator[Arrays]] = _polygraphy if path.suffix == ".json" else _npz
    with ExitStack() as opened:
        try:
            yield from read(path, name, opened)
        except OSError as error:
            raise made(name, error.strerror or str(error)) from error
        except MemoryError as error:
            raise Error(name, "does not fit into memory") from error


def _npz(path: Path, name: str, opened: ExitStack) -> Iterator[Arrays]:
    file = opened.enter_context(path.open("rb"))
    if not zipfile.is_zipfile(file):
        raise Error(name, _EXPECTED)
    try:
        archive = opened.enter_context(zipfile.ZipFile(file))
    except _DAMAGE as error:
        raise Error(name, f"{_EXPECTED}: {_first_line(error)}") from error
    yield _Members(name, archive)


class _Members(Mapping[str, Stored]):
    """The arrays of an `.npz`, whose headers are read when somebody asks."""

    def __init__(self, source: str, archive: zipfile.ZipFile) -> None:
        self._source, self._archive = source, archive
        self._infos = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}

    def __getitem__(self, name: str) -> Stored:
        return _Member(self._source, self._archive, self._infos[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)


@contextmanager
def _telling(source: str, name: str) -> Iterator[None]:
    """Names file and array in what goes wrong."""
    try:
        yield
    except MemoryError as error:
        raise Error(source, f"`{name}` does not fit into memory") from error
    except _DAMAGE as error:
        raise Error(source, f"`{name}` is no array of NumPy: {_first_line(error)}") from error


def _header(stream: Any) -> tuple[tuple[int, ...], bool, Any]:
    """Shape, whether columns come first, and type of a `.npy`."""
    from numpy.lib import format as npy

    version = npy.read_magic(stream)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"version {version[0]}.{version[1]} of its format is not for numbers")
    header = (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(stream)
    shape, is_fortran, dtype = header
    if dtype.hasobject:
        raise ValueError("it holds objects of Python, not numbers")
    if any(size < 0 for size in shape):
        raise ValueError("a size of its header is negative")
    return shape, is_fortran, dtype


def _compare_size(shape: tuple[int, ...], dtype: Any, held: int) -> None:
    wanted = prod(shape) * dtype.itemsize
    if wanted > held:
        raise ValueError(f"its header says {wanted} bytes, it has {held}")


def _polygraphy(path: Path, name: str, _: ExitStack) -> Iterator[Arrays]:
    """A list of runs, each an object of arrays: base64 of a `.npy` under `array` (Polygraphy's `save_json`)."""
    try:
        runs = json.loads(path.read_bytes())
    except RecursionError as error:
        raise Error(name, "is no list of inputs: it is nested too deep") from error
    except ValueError as error:
        raise Error(name, "is not JSON") from error
    for run in runs if isinstance(runs, list) else [runs]:
        if not isinstance(run, dict) or not all(isinstance(each, dict) and "array" in each for each in run.values()):
            raise Error(name, "is no list of inputs as Polygraphy's --save-inputs writes it")
        yield {key: Held(_decoded(name, key, each["array"])) for key, each in run.items()}


def _decoded(source: str, key: str, text: object) -> Any:
    import numpy as np

    try:
        content = base64.b64decode(str(text), validate=True)
        stream = io.BytesIO(content)
        shape, _, dtype = _header(stream)
        _compare_size(shape, dtype, len(content) - stream.tell())
        stream.seek(0)
        return np.load(stream, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise Error(source, f"`{key}` is no array of NumPy in base64: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
