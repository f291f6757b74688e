"""Samples for a model, from what people have: `.npz` files, Polygraphy's saved inputs, arrays."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

from trtcheck import _sample_files
from trtcheck._errors import Error
from trtcheck._sample_files import Held, Stored

StrPath = str | os.PathLike[str]
#: One run: an array for each input of the network, by name.
Sample: TypeAlias = Mapping[str, Any]
#: A file, one run, or any number of both.
Samples: TypeAlias = StrPath | Sample | Iterable[StrPath | Sample]


class Inputs:
    """What a model is fed.

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
        named = self._renamed(arrays)
        self._complain(source, named)
        stored = {name: array if isinstance(array, Stored) else Held(array) for name, array in named.items()}
        stacked = {name for name, array in stored.items() if self._is_stacked(source, name, array)}
        for name, array in stored.items():
            self._compare_type(source, name, array.dtype)
        counts = {stored[name].shape[0] for name in stacked}
        if len(counts) > 1:
            listed = ", ".join(f"{stored[name].shape[0]} of `{name}`" for name in stored if name in stacked)
            raise Error(source, f"holds different numbers of samples: {listed}")
        alone = {
            name: self._typed(source, name, array.whole()) for name, array in stored.items() if name not in stacked
        }
        if not stacked:
            yield alone
            return
        names = [name for name in stored if name in stacked]
        for rows in zip(*(stored[name].rows() for name in names), strict=True):
            fed = {name: self._typed(source, name, row) for name, row in zip(names, rows, strict=True)}
            yield {name: fed[name] if name in stacked else alone[name] for name in stored}

    def _is_stacked(self, source: str, name: str, array: Stored) -> bool:
        """Whether it has an axis of samples."""
        rank, axes = self._ranks[name], len(array.shape)
        if rank is None or axes == rank:
            return False
        if axes != rank + 1:
            raise Error(source, f"`{name}` has {axes} {'axis' if axes == 1 else 'axes'}, the model expects {rank}")
        return True

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

    def _compare_type(self, source: str, name: str, given: Any) -> None:
        import numpy as np

        wanted = self._dtypes[name]
        if wanted is None or given == wanted:
            return
        wanted = np.dtype(wanted)
        if not any({given.kind, wanted.kind} <= kinds for kinds in _CONVERTED):
            raise Error(source, f"`{name}` is {given}, the model expects {wanted}")

    def _typed(self, source: str, name: str, array: Any) -> Any:
        import numpy as np

        wanted = self._dtypes[name]
        if wanted is None or array.dtype == wanted:
            return array
        with np.errstate(over="ignore"):
            made = array.astype(wanted)
        if not array.size or np.can_cast(array.dtype, wanted, "safe"):
            return made
        for number in (array[np.isfinite(array)].min(initial=0), array[np.isfinite(array)].max(initial=0)):
            if not _holds(wanted, number):
                raise Error(source, f"`{name}` holds {number}, which is too large for {wanted} of the model")
        return made


# Kinds of NumPy's types between which numbers keep their meaning: another width, or another sign.
_CONVERTED = ({"f"}, {"i", "u"})


def _holds(dtype: Any, number: Any) -> bool:
    import numpy as np

    if np.dtype(dtype).kind == "f":
        return bool(abs(number) <= np.finfo(dtype).max)
    limits = np.iinfo(dtype)
    return limits.min <= int(number) <= limits.max


def each_run(inputs: Inputs, data: Samples) -> Iterator[dict[str, Any]]:
    """What is fed run by run.

    Raises:
        Error: a file cannot be read, or does not fit.
        TypeError: `data` is no file, no mapping and nothing to iterate over.
    """
    for index, each in enumerate(_several(data)):
        if isinstance(each, (str, os.PathLike)):
            name = os.fsencode(each).decode(errors="backslashreplace")
            for arrays in _sample_files.read(Path(each), name):
                yield from inputs.runs(name, arrays)
        elif isinstance(each, Mapping):
            yield from inputs.runs(f"sample {index}", each)
        else:
            raise TypeError(f"expected files and mappings of arrays, not {type(each).__name__}")


def _several(data: Samples) -> Iterable[StrPath | Sample]:
    if isinstance(data, (str, os.PathLike, Mapping)):
        return [data]
    return data
