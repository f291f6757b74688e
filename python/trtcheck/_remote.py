"""Models at fsspec URLs: of a large one only those bytes are fetched that a check looks at."""

from __future__ import annotations

import mmap
import os
import re
import zlib
from dataclasses import dataclass
from typing import Any, BinaryIO

from trtcheck import _beside, _core
from trtcheck._errors import MISSING, Error, made

# One protocol, or a chain of them: "s3://bucket/a.onnx", "simplecache::s3://bucket/a.onnx".
_URL = re.compile(r"(?:[A-Za-z][\w+.-]*::)*[A-Za-z][\w+.-]*://")
# What stands in front of the @ is a part of the place, and no user.
_PLACE_AT = {"abfs", "abfss", "hf", "wasb", "wasbs"}

# One request gets a file of this size, which can have little to leave out.
_WHOLE = 1 << 20
# Read on after a hole: little, more and more if it goes on without one.
_SMALLEST_BLOCK = 1 << 15
_LARGEST_BLOCK = 1 << 20
# Protobuf's limit for a message. What is no weight and still larger is no model.
_MOST_FETCHED = 1 << 31
# A server that packs what it sends, although it is asked not to, may send a little for very much.
_MOST_UNPACKED = 1 << 28
_GZIP = b"\x1f\x8b"
# Linux; the module `mmap` names it from Python 3.13 on. Pages that are never written to cost nothing.
_MAP_NORESERVE = 0x4000

_Range = tuple[int, int]
_Memory = bytes | bytearray | mmap.mmap


def is_url(path: str) -> bool:
    return _URL.match(path) is not None


def printable(url: str) -> str:
    """The URL without what may be secret: user, password, query."""
    parts = (_Part.of(part) for part in url.split("::"))
    return "::".join(f"{part.scheme}{part.place}{part.path}" for part in parts)


@dataclass
class _Part:
    """One URL of a chain."""

    scheme: str  # with its "://"
    user: str
    place: str
    path: str
    query: str

    @classmethod
    def of(cls, text: str) -> _Part:
        scheme, colon, rest = text.rpartition("://")
        if not colon:
            return cls("", "", "", text, "")
        rest, _, query = rest.partition("?")
        place, slash, path = rest.partition("/")
        user, at, host = place.rpartition("@")
        if not at or (scheme in _PLACE_AT and ":" not in user):
            user, host = "", place
        return cls(scheme + colon, user, host, slash + path, query)

    def secrets(self) -> list[str]:
        values = [value for pair in self.query.split("&") for value in pair.split("=")]
        return [self.query, self.user, *self.user.split(":"), *values]


def _told(url: str, error: BaseException) -> str:
    """What a file system says of its failure, in one line and without secrets."""
    text = " ".join(str(error).replace(url, printable(url)).split())
    secrets = {secret for part in url.split("::") for secret in _Part.of(part).secrets() if len(secret) > 3}
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text or type(error).__name__


def read(source: object) -> _core.Model:
    """The model at a URL or an `fsspec.core.OpenFile`."""
    label = name(source)
    try:
        system, path = _place(source)
        memory, holes = _fetched(label, system, path)
        beside = _beside.Files(system, path, lambda error: _told(_url(source), error))
    except Error:
        raise
    except Exception as error:  # each file system has its own kinds of failure
        # The chain of causes would print the URL as it is.
        raise made(label, _cause(_url(source), error)) from None
    return _core.read_partial(memory, os.fsencode(label), holes, beside.folder, beside.fetched)


def _cause(url: str, error: Exception) -> str:
    """fsspec reports each failure over HTTP as a missing file; what the server answered follows it."""
    answer: BaseException = error
    if isinstance(error, FileNotFoundError):
        answer = error.__cause__ or error
        is_http = type(answer).__module__.partition(".")[0] == "aiohttp" or isinstance(answer, TimeoutError)
        if not is_http or getattr(answer, "status", None) in _beside.ABSENT:
            return MISSING
    kind = type(answer).__name__
    if kind == "TooManyRedirects":
        return "cannot be fetched: the server redirects again and again"
    if kind in ("NonHttpUrlRedirectClientError", "InvalidUrlRedirectClientError"):
        return f"cannot be fetched: the server redirects to `{_told(url, answer)}`, which is no HTTP"
    return f"cannot be fetched: {_told(url, answer)}"


def name(source: object) -> str:
    """As reports and errors have it."""
    return printable(_url(source))


def _url(source: object) -> str:
    return source if isinstance(source, str) else str(source.full_name)  # type: ignore[attr-defined]


def _place(source: object) -> tuple[Any, str]:
    """The file system, and the path in it."""
    if not isinstance(source, str):
        return _as_sent(source.fs), source.path  # type: ignore[attr-defined]
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise Error(name(source), "a URL needs the package fsspec: pip install fsspec") from None
    system, path = url_to_fs(source)
    return _as_sent(system), path


def _as_sent(system: Any) -> Any:
    """Over HTTP nothing is to be packed, and what is packed anyway stays so until it is unpacked here."""
    if not _beside.protocols(system) & _beside.HTTP:
        return system
    headers = {**system.kwargs.get("headers", {}), "Accept-Encoding": "identity"}
    client = {**system.client_kwargs, "auto_decompress": False}
    return type(system)(**{**system.storage_options, "headers": headers, "client_kwargs": client})


def _fetched(label: str, system: Any, path: str) -> tuple[_Memory, list[_Range]]:
    """Memory of the file's size, and the ranges of it that were left out."""
    # Not a byte more than what is asked for: blocks and what to skip are decided here. A cache says so itself.
    options = {} if _beside.protocols(system) & _beside.CACHING else {"cache_type": "none"}
    with system.open(path, "rb", **options) as file:
        try:
            size = file.seek(0, os.SEEK_END)
        except (OSError, ValueError, NotImplementedError):  # a stream
            return _unpacked(label, _stream(label, file)), []
        if size <= _WHOLE:
            file.seek(0)
            return _unpacked(label, _read(label, file, size)), []
        try:
            memory, holes = _parts(label, file, size)
            if memory[:2] != _GZIP:
                return memory, holes
        except (ValueError, NotImplementedError):  # a server that knows the size, but no ranges
            if size > _MOST_FETCHED:
                raise Error(label, f"has {size} bytes, and cannot be fetched in parts") from None
    return _unpacked(label, system.cat_file(path)), []


def _unpacked(label: str, content: bytes) -> _Memory:
    """No model begins as gzip does."""
    if content[:2] != _GZIP:
        return content
    unpacker = zlib.decompressobj(wbits=31)
    unpacked = bytearray()
    try:
        while content and not unpacker.eof:
            unpacked += unpacker.decompress(content, _LARGEST_BLOCK)
            content = unpacker.unconsumed_tail
            if len(unpacked) > _MOST_UNPACKED:
                raise Error(label, f"is packed with gzip, and has more than {_MOST_UNPACKED} bytes when it is unpacked")
    except zlib.error as error:
        raise Error(label, f"is packed with gzip, and cannot be unpacked: {error}") from error
    if not unpacker.eof:
        raise Error(label, "is packed with gzip, and ends too early")
    return unpacked


def _parts(label: str, file: BinaryIO, size: int) -> tuple[mmap.mmap, list[_Range]]:
    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE)
    except (OSError, OverflowError, ValueError):
        raise Error(label, f"is said to have {size} bytes, for which this machine has no address space") from None
    skeleton = _core.Skeleton(size)
    fetched = count = 0
    block = _SMALLEST_BLOCK
    while (wanted := skeleton.next(memory, fetched)) is not None:
        start, end = wanted
        block = _SMALLEST_BLOCK if start > fetched else min(2 * block, _LARGEST_BLOCK)
        fetched = min(size, max(end, start + block))
        count += fetched - start
        if count > _MOST_FETCHED:
            raise Error(label, f"has more than {_MOST_FETCHED} bytes that are no weights")
        file.seek(start)
        memory[start:fetched] = _read(label, file, fetched - start)
    return memory, skeleton.holes()


def _read(label: str, file: BinaryIO, count: int) -> bytes:
    content = _beside.read_up_to(file, count)
    if len(content) < count:
        raise Error(label, f"ends {count - len(content)} bytes earlier than its size says")
    return content


def _stream(label: str, file: BinaryIO) -> bytes:
    content = bytearray()
    while part := file.read(_LARGEST_BLOCK):
        content += part
        if len(content) > _MOST_FETCHED:
            raise Error(label, f"is a stream of more than {_MOST_FETCHED} bytes")
    return bytes(content)
