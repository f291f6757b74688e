"""What exporters say while they run, taken off the hands of whoever shows the output of a test."""

from __future__ import annotations

import io
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout

# Their loggers have handlers of their own, and pytest has some at the root.
_FAMILIES = ("torch", "onnx", "onnx_ir", "onnxscript")


@contextmanager
def captured() -> Iterator[Callable[[], str]]:
    """Takes loggers of exporters, standard output and standard error; gives a function that tells what came so far."""
    with tempfile.TemporaryFile(buffering=0) as file:
        stream = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", write_through=True)

        def said() -> str:
            return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode(errors="backslashreplace")

        with ExitStack() as stack:
            stack.callback(stream.detach)
            stack.enter_context(_loggers_to(logging.StreamHandler(stream)))
            stack.enter_context(redirect_stdout(stream))
            stack.enter_context(redirect_stderr(stream))
            for descriptor in (1, 2):
                stack.enter_context(_descriptor_to(descriptor, file.fileno()))
            yield said


@contextmanager
def _loggers_to(handler: logging.Handler) -> Iterator[None]:
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    for family in _FAMILIES:
        logging.getLogger(family)
    known = list(logging.root.manager.loggerDict.items())
    loggers = [each for name, each in known if name.split(".")[0] in _FAMILIES and isinstance(each, logging.Logger)]
    before = [(logger, logger.handlers, logger.propagate) for logger in loggers]
    for logger in loggers:
        is_family = logger.name in _FAMILIES
        logger.handlers = [handler] if is_family else []
        logger.propagate = not is_family
    try:
        yield
    finally:
        for logger, handlers, propagate in before:
            # What an import has added meanwhile stays.
            logger.handlers = handlers + [each for each in logger.handlers if each not in (*handlers, handler)]
            logger.propagate = propagate


@contextmanager
def _descriptor_to(descriptor: int, file: int) -> Iterator[None]:
    """For what is written by C++."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            stream.flush()
    try:
        kept = os.dup(descriptor)
    except OSError:  # it is closed
        yield
        return
    os.dup2(file, descriptor)
    try:
        yield
    finally:
        os.dup2(kept, descriptor)
        os.close(kept)
