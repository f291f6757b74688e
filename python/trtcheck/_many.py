"""Many models on any executor: what `check_many` hands out, and how it takes the answers back."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from trtcheck import _find, _inputs
from trtcheck._core import Report
from trtcheck._errors import Error
from trtcheck._settings import Settings

Source: TypeAlias = _inputs.Source
#: One file, one folder, one pattern, one URL, or an iterable of them.
Paths: TypeAlias = Source | Iterable[Source]
Check = Callable[..., Report]

# Of an executor that does not tell how many workers it has: a cluster is kept busy, an endless iterable is not drained.
_IN_FLIGHT = 256
# A broken pool fails its other tasks at once; one that does not is not waited for.
_SECONDS_TO_FAIL = 5.0
_MOST_NAMED = 20


@dataclass
class _Raised:
    """Not an unreadable model but a mistake of the caller, on its way back from the worker."""

    error: Exception


_Answer = Report | Error | _Raised


def reports(
    paths: Paths,
    executor: Executor | None,
    errors: str,
    in_flight: int | None,
    check: Check,
    options: dict[str, Any],
    settings: Settings | None = None,
) -> Generator[Report | Error, None, None]:
    """What came of each model, in the order in which they finish."""
    with nullcontext(executor) if executor is not None else _threads() as used:
        workers = getattr(used, "_max_workers", None)
        most = in_flight or (2 * workers if isinstance(workers, int) else _IN_FLIGHT)
        waiting = models(paths, settings)
        flight = _Flight(used, check, options)
        with closing(_answers(waiting, flight, most)) as answers:
            for answer in answers:
                if isinstance(answer, Error) and errors == "raise":
                    raise answer
                yield answer
        if flight.broken is None:
            return
        if errors == "raise":
            raise _died(flight.lost, flight.broken) from flight.broken
        yield from _missed(flight, waiting)


def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(len(os.sched_getaffinity(0)), thread_name_prefix="trtcheck")


def models(paths: Paths, settings: Settings | None) -> Iterator[Source | Error]:
    """One by one; an iterable is read only as far as somebody asks."""
    if isinstance(paths, (bytes, bytearray, memoryview)):
        raise TypeError("expected paths, not the bytes of a model: use trtcheck.check")
    given: Iterable[Source] = [paths] if _inputs.is_path(paths) else paths  # type: ignore[assignment]
    for path in given:
        if not _inputs.is_path(path):
            raise TypeError(f"expected paths, not {type(path).__name__}: use trtcheck.check for a model in memory")
        if _inputs.is_file(path):
            yield from _find.found(path, settings)
        else:
            yield path


def _answers(waiting: Iterator[Source | Error], flight: _Flight, most: int) -> Generator[Report | Error, None, None]:
    more = True
    try:
        while more or flight.pending:
            if more and len(flight.pending) < most and flight.broken is None:
                model = next(waiting, None)
                if isinstance(model, Error):
                    yield model
                elif model is None:
                    more = False
                else:
                    flight.start(model)
            more = more and flight.broken is None
            answer = flight.answer(wait=not more or len(flight.pending) >= most)
            if isinstance(answer, _Raised):
                raise answer.error
            if answer is not None:
                yield answer
    finally:
        for future in flight.pending:
            future.cancel()


class _Flight:
    """The tasks that an executor has got, and those that were lost with its workers."""

    def __init__(self, executor: Executor, check: Check, options: dict[str, Any]) -> None:
        self.pending: dict[Future[_Answer], str] = {}
        self.lost: list[str] = []
        self.broken: BrokenExecutor | None = None
        self._executor = executor
        self._check = check
        self._options = options
        self._finished: SimpleQueue[Future[_Answer]] = SimpleQueue()

    def start(self, model: Source) -> None:
        label = _inputs.label(model)
        absolute = _inputs.absolute(model)
        given = None if absolute is model else _inputs.as_bytes(model)
        try:
            future = self._executor.submit(_answer, self._check, absolute, given, self._options)
        except BrokenExecutor as error:
            self._lose(label, error)
            return
        self.pending[future] = label
        future.add_done_callback(self._finished.put)

    def answer(self, wait: bool) -> _Answer | None:
        """That of a finished task; None when there is none (yet)."""
        if not self.pending:
            return None
        try:
            done = self._finished.get(wait, None if self.broken is None else _SECONDS_TO_FAIL)
        except Empty:
            if self.broken is not None:
                self.lost += self.pending.values()
                self.pending.clear()
            return None
        label = self.pending.pop(done)
        if done.cancelled():
            return Error(label, "was not checked: the executor cancelled it")
        try:
            return done.result()
        except BrokenExecutor as error:
            self._lose(label, error)
            return None
        except Exception as error:  # what `check` raises comes back as a value: this is the executor's own
            failed = Error(label, f"was not checked, the executor failed: {_one_line(error)}")
            failed.__cause__ = error
            return failed

    def _lose(self, label: str, error: BrokenExecutor) -> None:
        self.lost.append(label)
        self.broken = self.broken or error


def _answer(check: Check, path: Source, given: bytes | None, options: dict[str, Any]) -> _Answer:
    """One task. Whatever `check` has to say is returned, so that an exception can only be the executor's.

    Args:
        path: of the model, for any working folder.
        given: how the user wrote it, when it was relative.
    """
    try:
        report = check(path, **options)
    except Error as error:
        if given is not None and error.path == _inputs.label(path):
            return Error(_inputs.label(os.fsdecode(given)), error.cause, error.offset)
        return error
    except Exception as error:
        return _Raised(error)
    return report if given is None else report._renamed(given)


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _missed(flight: _Flight, waiting: Iterator[Source | Error]) -> Iterator[Error]:
    """Of an executor that broke: what it had got, and what is left."""
    died = f"a worker died ({type(flight.broken).__name__})"
    for label in flight.lost:
        yield Error(label, f"was not checked: {died} while it was in flight")
    for model in waiting:
        yield model if isinstance(model, Error) else Error(_inputs.label(model), f"was not checked: {died} before")


def _died(lost: list[str], broken: BrokenExecutor) -> Error:
    more = f" and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
    names = ", ".join(f"`{name}`" for name in lost[:_MOST_NAMED])
    died = f"a worker died ({type(broken).__name__}) while these models were in flight: {names}{more}"
    return Error("", f"{died}; none was checked after that")
