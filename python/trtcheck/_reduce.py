"""The smallest part of a model that still has a finding."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from importlib import metadata
from typing import Any, Literal

from trtcheck import _core, _given, _options, _values, edit
from trtcheck._core import Finding, PartCounts, Report, Target
from trtcheck._shape_functions import ShapeFunctions

#: What a bug report tells the versions of, where it is installed.
_PACKAGES = ("torch", "onnx", "onnxruntime", "onnxscript", "tensorrt", "tensorrt-rtx")


class Reduced:
    """A small model that still has a finding.

    Nothing is written until `write` or `write_report` is called; `model` is the small model as the kind of object that
    was given.
    """

    def __init__(self, native: _core.ReducedModel, given: object) -> None:
        self._native = native
        self._given = given

    @property
    def report(self) -> Report:
        """The check of the small model."""
        return self._native.report

    @property
    def finding(self) -> Finding | None:
        """The finding in the small model; None: only `check` decided."""
        return self._native.finding

    @property
    def before(self) -> PartCounts:
        """What is in the model."""
        return self._native.before

    @property
    def after(self) -> PartCounts:
        """What is in the small model."""
        return self._native.after

    @property
    def steps(self) -> int:
        """How many models were looked at."""
        return self._native.steps

    @property
    def is_partial(self) -> bool:
        """Whether Ctrl-C ended the search: a smaller model may exist."""
        return self._native.is_partial

    @property
    def nodes(self) -> list[str]:
        """The nodes of the small model, as ONNX text."""
        return self._native.nodes

    @property
    def notes(self) -> list[str]:
        """What could not be done, one line each."""
        return self._native.notes

    @property
    def model(self) -> Any:
        """The small model: bytes for a path or bytes, else an object of the class that was given."""
        return _given.as_given(self._native.content(), self._given)

    def write(self, output: str | os.PathLike[str], *, data: edit.DataPlace = "kept") -> None:
        """Write the small model.

        Args:
            output: where.
            data: where the data of tensors goes, as for `trtcheck.edit.apply`.

        Raises:
            Error: it cannot be written.
        """
        self._native.write(os.fsencode(output), data)

    def write_report(self, folder: str | os.PathLike[str]) -> None:
        """Write a folder for a bug report: model.onnx, finding.txt, finding.json, environment.txt and issue.md.

        Raises:
            Error: it cannot be written.
        """
        self._native.write_report(os.fsencode(folder), _versions())

    def to_dict(self) -> dict[str, Any]:
        """What was found, as plain Python values."""
        return {
            "finding": None if self.finding is None else self.finding.to_dict(),
            "nodes": self.nodes,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "steps": self.steps,
            "is_partial": self.is_partial,
            "notes": self.notes,
        }

    def _repr_html_(self) -> str:
        rows = [(each,) for each in self.nodes]
        return _values._line(repr(self)[1:-1]) + _values._table(("nodes",), rows)

    def __repr__(self) -> str:
        partial = ", partial" if self.is_partial else ""
        return f"<Reduced: {self.after.nodes} of {self.before.nodes} nodes in {self.steps} steps{partial}>"


def reduce(
    model: object,
    finding: str | Finding = "",
    *,
    check: str | Callable[[str], object] | None = None,
    timeout: float = 60,
    weights: Literal["random", "zero", "keep"] = "random",
    anonymous: bool = False,
    target: str | Target | None = None,
    precision: str | Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    strongly_typed: bool = False,
    plugins: str | Iterable[str] = (),
    profile: _options.Profile | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    read_weights: bool = False,
    shape_functions: ShapeFunctions | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> Reduced:
    """Find the smallest part of a model that still has a finding.

        small = trtcheck.reduce("model.onnx", "OPS401", target="10.13")
        small.write("small.onnx")

    Nodes, then inputs and outputs, then attributes are taken away as long as the finding stays, in memory; at last
    weights are replaced. No step may bring an error that the model did not have. Ctrl-C ends the search, and what was
    found so far is the result.

    Args:
        model: as for `check`.
        finding: code, name or fact, "OPS401", "OPS401:pad-mode", for one node "OPS401@/backbone/Pad"; or a finding of a
            report.
        check: a shell command that ends with 0 as long as a model shows the problem (`{}` in it is the path, else that
            is appended), or a function that gets the path. With a finding, both have to agree.
        timeout: seconds for one run of the command, 0 = no limit.
        weights: "random" (others of the same type and shape), "zero", or "keep".
        anonymous: names, free strings, metadata and documentation are replaced or removed.
        target, precision, compute_capability, strongly_typed, plugins, profile, select, ignore, read_weights: as for
            `check`.
        shape_functions: as for `check`.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, does not have the finding (the message names those that it has), or the command
            says no of the model itself.
        ValueError: neither a finding nor a check is given.
        TypeError: `model` is nothing that can be read.
    """
    if not finding and check is None:
        raise ValueError("a finding or a check is required")
    if check is not None and not isinstance(check, str) and not callable(check):
        raise TypeError("check must be a shell command or a function")
    options: dict[str, Any] = {
        "target": _options.make_target(
            target,
            precision,
            compute_capability,
            plugins,
            profile,
            strongly_typed=strongly_typed,
            shape_functions=shape_functions,
        ),
        "select": _options.words(select, "select"),
        "ignore": _options.words(ignore, "ignore"),
        "read_weights": _options.flag(read_weights, "read_weights"),
        "finding": finding if isinstance(finding, str) else _word_for(finding),
        "command": check if isinstance(check, str) else "",
        "judge": None if isinstance(check, str) else check,
        "timeout": timeout,
        "weights": weights,
        "anonymous": _options.flag(anonymous, "anonymous"),
    }
    of_file = functools.partial(_core.reduce_model, None)
    return Reduced(_given.made_of(model, base_dir, of_file, _core.reduce_model, options), model)


def _word_for(finding: Finding) -> str:
    word = f"{finding.code}:{finding.fact}" if finding.fact else finding.code
    return f"{word}@{finding.node}" if finding.node else word


def _versions() -> list[str]:
    found = []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return found
