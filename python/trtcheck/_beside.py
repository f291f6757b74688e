"""Files with data beside a model at an fsspec URL: their sizes, and only those constants that a check needs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from trtcheck import _core

# These file systems keep whole files or large blocks of another one.
CACHING = {"blockcache", "cached", "filecache", "simplecache"}
_LOCAL = {"file", "local"}
HTTP = {"http", "https"}
# The status of an answer that says that there is no such file.
ABSENT = {404, 410}
# Without ranges a file up to this size is fetched as a whole.
_WHOLE = 1 << 20

_Range = tuple[int, int]
_Parts = list[tuple[int, bytes]]


def protocols(system: Any) -> set[str]:
    return {system.protocol} if isinstance(system.protocol, str) else {*system.protocol}


class _Unknown(Exception):
    """Nothing can be said of a file."""


class Files:
    """The files in the folder of the model.

    Args:
        system: where the model is.
        path: the model in it.
        told: the text of an error, without secrets.
    """

    def __init__(self, system: Any, path: str, told: Callable[[Exception], str]) -> None:
        # A cache would fetch a file of weights as a whole for a few numbers in it.
        while protocols(system) & CACHING:
            system = system.fs
        self._system, self._told = system, told
        self._is_http = bool(protocols(system) & HTTP)
        self._query = ""
        if self._is_http:
            path, self._query = re.split(r"(?=[?#]|$)", path, maxsplit=1)
            self._query = self._query.partition("#")[0]
        self._folder = path[: path.rfind("/") + 1]

    @property
    def folder(self) -> bytes:
        """On this machine: links are looked at there, too. Empty elsewhere."""
        return os.fsencode(self._folder) if self._is_local else b""

    @property
    def fetched(self) -> Callable[[list[tuple[bytes, list[_Range]]]], list[_core.FarFile]] | None:
        """What is known of files below the folder, with the bytes of the ranges."""
        return None if self._is_local else lambda wants: [self._file(path, ranges) for path, ranges in wants]

    @property
    def _is_local(self) -> bool:
        return bool(protocols(self._system) & _LOCAL)

    def _file(self, below: bytes, ranges: list[_Range]) -> _core.FarFile:
        text = os.fsdecode(below)
        path = self._folder + (quote(text) + self._query if self._is_http else text)
        try:
            info = self._system.info(path)
            if info.get("type") == "directory":
                return _core.FarFile.directory()
            size = info.get("size")
            return _core.FarFile.found(size, self._parts(path, size, ranges))
        except FileNotFoundError as error:
            if self._is_absent(error):
                return _core.FarFile.missing()
            return self._unknown(error.__cause__ if isinstance(error.__cause__, Exception) else error)
        except _Unknown as error:
            return _core.FarFile.unknown(str(error))
        except Exception as error:  # each file system has its own kinds of failure
            return self._unknown(error)

    def _unknown(self, error: Exception) -> _core.FarFile:
        return _core.FarFile.unknown(f"cannot be fetched: {self._told(error)}")

    def _is_absent(self, error: FileNotFoundError) -> bool:
        """fsspec reports each failure over HTTP as a missing file, and a query may be what names a file."""
        if not self._is_http:
            return True
        return not self._query and getattr(error.__cause__, "status", None) in ABSENT

    def _parts(self, path: str, size: int | None, ranges: list[_Range]) -> _Parts:
        if not ranges:
            return []
        if size is None:
            raise _Unknown("its size is not known")
        inside = [(start, min(end, size)) for start, end in ranges if start < size]
        if not inside:
            return []
        by_range = not self._is_http and self._has_ranges()
        parts = self._by_range(path, inside) if by_range else self._by_position(path, size, inside)
        for (start, end), (_, content) in zip(inside, parts, strict=True):
            if len(content) != end - start:
                raise _Unknown(f"gives {len(content)} bytes where {end - start} were asked for")
        return parts

    def _has_ranges(self) -> bool:
        """Whether it does ranges itself: without a file that is open, many at a time if it can."""
        from fsspec import AbstractFileSystem

        own = type(self._system).cat_file is not AbstractFileSystem.cat_file
        return own or bool(getattr(self._system, "async_impl", False))

    def _by_range(self, path: str, ranges: list[_Range]) -> _Parts:
        starts, ends = [start for start, _ in ranges], [end for _, end in ranges]
        contents = self._system.cat_ranges([path] * len(ranges), starts, ends, on_error="raise")
        return [(start, bytes(content)) for start, content in zip(starts, contents, strict=True)]

    def _by_position(self, path: str, size: int, ranges: list[_Range]) -> _Parts:
        """Over HTTP this sees whether the server would send the whole file instead."""
        parts = []
        try:
            with self._system.open(path, "rb", cache_type="none") as file:
                for start, end in ranges:
                    file.seek(start)
                    parts.append((start, read_up_to(file, end - start)))
        except (ValueError, NotImplementedError):
            if size > _WHOLE:
                raise _Unknown(f"has {size} bytes, and cannot be fetched in parts") from None
            content: bytes = self._system.cat_file(path)
            return [(start, content[start:end]) for start, end in ranges]
        return parts


def read_up_to(file: Any, count: int) -> bytes:
    """Fewer bytes only where the file ends."""
    content = bytearray()
    while len(content) < count and (more := file.read(count - len(content))):
        content += more
    return bytes(content)
