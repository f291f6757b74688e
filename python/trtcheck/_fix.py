"""Repairs of a model, given back as the kind of object that was handed in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trtcheck import _core, _given, _options, edit
from trtcheck._core import AppliedCure, Cure, LeftFinding, Report, Target
from trtcheck._errors import Error
from trtcheck._shape_functions import ShapeFunctions


class Fixed:
    """What `fix` made of a model.

    Nothing is written until `write` is called; `model` is the repaired model as the kind of object that was given.
    """

    def __init__(self, native: _core.FixedModel, given: object) -> None:
        self._native = native
        self._given = given

    @property
    def before(self) -> Report:
        """The check of the model as it was."""
        return self._native.before

    @property
    def after(self) -> Report:
        """The check of the repaired model."""
        return self._native.after

    @property
    def applied(self) -> list[AppliedCure]:
        """The repairs that were made, in order."""
        return self._native.applied

    @property
    def left(self) -> list[LeftFinding]:
        """Errors and warnings that remain, each with the reason."""
        return self._native.left

    @property
    def is_changed(self) -> bool:
        """Whether anything was repaired."""
        return bool(self._native.applied)

    @property
    def model(self) -> Any:
        """The repaired model: bytes for a path or bytes, else an object of the class that was given.

        Raises:
            MemoryError: it is larger than memory; `write` copies without reading weights.
        """
        return _given.as_given(self._native.content(), self._given)

    def write(self, output: str | os.PathLike[str], *, data: edit.DataPlace = "kept") -> Report:
        """Write the repaired model, and check what was written.

        A file that is there is replaced once all of the new one is written.

        Args:
            output: where.
            data: where the data of tensors goes, as for `trtcheck.edit.apply`; by default external data stays where it
                is.

        Raises:
            Error: it cannot be written, the model was written to since it was read, or external data is missing or too
                short.
        """
        return self._native.write(os.fsencode(output), data)

    def __repr__(self) -> str:
        return f"<Fixed: {len(self.applied)} repaired, {len(self.left)} left, {self.after.verdict}>"


def fix(
    model: object,
    *,
    target: str | Target | None = None,
    precision: str | Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    strongly_typed: bool = False,
    plugins: str | Iterable[str] = (),
    profile: _options.Profile | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    shape_functions: ShapeFunctions | None = None,
    classes: str | Iterable[str] = ("proven", "rounding"),
    cures: str | Iterable[str] = (),
    rounds: int = 10,
    static: Mapping[str, int | Sequence[int]] | None = None,
    dynamic: Mapping[str, Mapping[int, str]] | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> Fixed:
    """Repair what can be repaired, without TensorRT and without moving a weight.

        fixed = trtcheck.fix("model.onnx", target="10.13")
        for repair in fixed.applied:
            print(repair.code, repair.node, repair.title)
        fixed.write("repaired.onnx")

    Each repair is made on a copy, which is read and checked again. A repair stays only if its finding is gone, no new
    finding of the same severity came up, and all tensors that both models have keep their type and shape.

    Args:
        model: as for `check`; a path is read in parts, whatever its size.
        target: as for `check`, and so are the following up to `shape_functions`. Only what is selected is repaired.
        precision, compute_capability, strongly_typed, plugins, profile, select, ignore, shape_functions: see there.
        classes: which repairs may be made: "proven" (the same function, bit for bit), "rounding" (the same up to
            rounding), "interface" (inputs or outputs of the model change), "choice" (values change, or somebody has to
            decide).
        cures: names of cures (`trtcheck.cures()`); none = all of the classes.
        rounds: how often the model is checked and repaired; a repair may bring out what the next one is for.
        static: inputs or symbols whose dims become numbers, for which the model is then simplified, before anything is
            repaired: `{"x": (1, 3, 224, 224), "batch": 1}`.
        dynamic: axes of inputs that become dynamic, before that: `{"x": {0: "batch"}}`, as for `torch.onnx.export`.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, an option makes no sense, or sizes that were asked for cannot be.
        TypeError: `model` is nothing that can be read.
    """
    made = _options.make_target(
        target,
        precision,
        compute_capability,
        plugins,
        profile,
        strongly_typed=strongly_typed,
        shape_functions=shape_functions,
    )
    if not isinstance(rounds, int) or isinstance(rounds, bool) or rounds < 1:
        raise TypeError("rounds must be a whole number, at least 1")
    options: dict[str, Any] = {
        "target": made,
        "select": _options.words(select, "select"),
        "ignore": _options.words(ignore, "ignore"),
        "classes": _options.words(classes, "classes"),
        "cures": _options.words(cures, "cures"),
        "rounds": rounds,
        "sizes": [(name, _options.dims(size, f"static[{name!r}]")) for name, size in (static or {}).items()],
        "dynamic": _axes(dynamic or {}),
    }
    return Fixed(_given.made_of(model, base_dir, _core.fix_file, _core.fix_memory, options), model)


def fix_report(report: Report, **options: Any) -> Fixed:
    """`Report.fix`: the model is read again from where it was."""
    if not report.path:
        raise Error("", "the model was in memory, which a report does not keep: call `trtcheck.fix(model)`")
    return fix(report.path, **{"target": report.target, **options})


def cures() -> list[Cure]:
    """All repairs that `fix` knows, sorted by name."""
    return _core.cures()


def _axes(dynamic: Mapping[str, Mapping[int, str]]) -> list[tuple[str, int, str]]:
    made = []
    for name, axes in dynamic.items():
        if not isinstance(axes, Mapping):
            raise TypeError(f"dynamic[{name!r}] must map axes to symbols: {{0: 'batch'}}")
        for axis, symbol in axes.items():
            if type(axis) is not int or axis < 0 or not isinstance(symbol, str):
                raise TypeError(f"dynamic[{name!r}] must map axes, counted from 0, to symbols: {{0: 'batch'}}")
            made.append((name, axis, symbol))
    return made
