"""The exceptions of trtcheck."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trtcheck._core import Report


class Error(Exception):
    """Something could not be read, or an option made no sense.

    Whatever is wrong with a *model* is a finding of the report instead. When a file is missing, it is a
    `FileNotFoundError`, too.

    Attributes:
        path: the file or argument at fault; "" when there is none.
        cause: what is wrong, one line.
        offset: the byte of the file at which reading stopped, or None.
    """

    def __init__(self, path: str, cause: str, offset: int | None = None) -> None:
        super().__init__(path, cause, offset)
        self.path = path
        self.cause = cause
        self.offset = offset

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        at = "" if self.offset is None else f" (at byte {self.offset})"
        return f"{place}{self.cause}{at}"


class MissingFileError(Error, FileNotFoundError):
    """A file is not there."""

    def __init__(self, path: str, cause: str, offset: int | None = None) -> None:
        super().__init__(path, cause, offset)
        self.args = (path, cause, offset)
        self.errno, self.strerror, self.filename, self.filename2 = errno.ENOENT, _MISSING, path, None


_MISSING = os.strerror(errno.ENOENT)
MISSING = f"cannot be opened: {_MISSING}"


def made(path: str, cause: str, offset: int | None = None) -> Error:
    """The error of this cause, as the native part words it."""
    kind = MissingFileError if cause in (_MISSING, MISSING) else Error
    return kind(path, cause, offset)


class ConversionError(Error):
    """TensorRT will refuse the model. The text is the full report.

    Attributes:
        report: the report that says so.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report.path, "TensorRT will refuse the model")
        self.args = (report,)
        self.report = report

    def __str__(self) -> str:
        return str(self.report)
