"""Samples for a model, from what people have: `.npz` files, Polygraphy's saved inputs, arrays."""

from __future__ import annotations

import base64
import io
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

from trtcheck._errors import Error

StrPath = str | os.PathLike[str]
#: One run: an array for each input of the network, by name.
Sample: TypeAlias = Mapping[str, Any]
#: A file, one run, or any number of both.
Samples: TypeAlias = StrPath | Sample | Iterable[StrPath | Sample]


class Inputs:
    """What a model wants to be fed.

    Args:
        names: of the inputs of the network, in order.
        ranks: number of axes of each, None where it is not known.
        dtypes: of NumPy.
    """

    def __init__(self, names: Sequence[str], ranks: Sequence[int | None], dtypes: Sequence[Any]) -> None:
        self._names = list(names)
        self._ranks = dict(zip(names, ranks, strict=True))
        self._dtypes = dict(zip(names, dtypes, strict=True))

    def runs(self, source: str, arrays: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """What is fed run by run: arrays with one axis more than their inputs hold a run in each entry of the first.

        Raises:
            Error: an input is missing or not known, or an array does not fit; names `source`.
        """
        import numpy as np

        named = {name: np.asarray(array) for name, array in self._renamed(arrays).items()}
        self._complain(source, named)
        ranks = {name: self._ranks[name] for name in named}
        stacked = {name for name, array in named.items() if ranks[name] is not None and array.ndim == ranks[name] + 1}  # type: ignore[operator]
        for name, array in named.items():
            if ranks[name] is not None and name not in stacked and array.ndim != ranks[name]:
                raise Error(source, f"`{name}` has {array.ndim} axes, the model wants {ranks[name]}")
        fed = {name: self._typed(source, name, array) for name, array in named.items()}
        if not stacked:
            yield fed
            return
        counts = {len(fed[name]) for name in stacked}
        if len(counts) != 1:
            told = ", ".join(f"{len(fed[name])} of `{name}`" for name in fed if name in stacked)
            raise Error(source, f"holds different numbers of samples: {told}")
        for index in range(counts.pop()):
            yield {name: array[index] if name in stacked else array for name, array in fed.items()}

    def _renamed(self, arrays: Mapping[str, Any]) -> Mapping[str, Any]:
        """`numpy.savez(file, a, b)` names arrays by position."""
        by_position = [f"arr_{index}" for index in range(len(self._names))]
        if set(arrays) != set(by_position) or set(arrays) == set(self._names):
            return arrays
        return {name: arrays[position] for name, position in zip(self._names, by_position, strict=True)}

    def _complain(self, source: str, arrays: Mapping[str, Any]) -> None:
        for name in arrays:
            if name not in self._ranks:
                near = get_close_matches(name, self._names, 1) or self._names[:1]
                hint = f", there is `{near[0]}`" if near else ""
                raise Error(source, f"the model has no input `{name}`{hint}")
        for name in self._names:
            if name not in arrays:
                raise Error(source, f"holds nothing for input `{name}`")

    def _typed(self, source: str, name: str, array: Any) -> Any:
        import numpy as np

        wanted = self._dtypes[name]
        if wanted is None or array.dtype == wanted:
            return array
        if not np.can_cast(array.dtype, wanted, "same_kind"):
            raise Error(source, f"`{name}` is {array.dtype}, the model wants {np.dtype(wanted)}")
        return array.astype(wanted)


def each_run(inputs: Inputs, data: Samples) -> Iterator[dict[str, Any]]:
    """What is fed run by run.

    Raises:
        Error: a file cannot be read, or does not fit.
        TypeError: `data` is no file, no mapping and nothing to iterate over.
    """
    for index, each in enumerate(_several(data)):
        if isinstance(each, (str, os.PathLike)):
            name = os.fsencode(each).decode(errors="backslashreplace")
            for arrays in _read(Path(each), name):
                yield from inputs.runs(name, arrays)
        elif isinstance(each, Mapping):
            yield from inputs.runs(f"sample {index}", each)
        else:
            raise TypeError(f"expected files and mappings of arrays, not {type(each).__name__}")


def _several(data: Samples) -> Iterable[StrPath | Sample]:
    if isinstance(data, (str, os.PathLike, Mapping)):
        return [data]
    return data


def _read(path: Path, name: str) -> Iterator[Mapping[str, Any]]:
    read: Callable[[Path, str], Iterator[Mapping[str, Any]]] = _polygraphy if path.suffix == ".json" else _npz
    try:
        yield from read(path, name)
    except OSError as error:
        raise Error(name, error.strerror or str(error)) from error


def _npz(path: Path, name: str) -> Iterator[Mapping[str, Any]]:
    import numpy as np

    expected = "is no .npz of NumPy (nor a .json of Polygraphy)"
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise Error(name, expected)
    try:
        with np.load(path, allow_pickle=False) as arrays:
            yield {key: arrays[key] for key in arrays.files}
    except (ValueError, zipfile.BadZipFile) as error:
        raise Error(name, f"{expected}: {_first_line(error)}") from error


def _polygraphy(path: Path, name: str) -> Iterator[Mapping[str, Any]]:
    """A list of runs, each an object of arrays: base64 of a `.npy` under `array` (Polygraphy's `save_json`)."""
    try:
        runs = json.loads(path.read_bytes())
    except ValueError as error:
        raise Error(name, "is not JSON") from error
    for run in runs if isinstance(runs, list) else [runs]:
        if not isinstance(run, dict) or not all(isinstance(each, dict) and "array" in each for each in run.values()):
            raise Error(name, "is no list of inputs as Polygraphy's --save-inputs writes it")
        yield {key: _decoded(name, key, each["array"]) for key, each in run.items()}


def _decoded(source: str, key: str, text: object) -> Any:
    import numpy as np

    try:
        return np.load(io.BytesIO(base64.b64decode(str(text), validate=True)), allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise Error(source, f"`{key}` is no array of NumPy in base64") from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
