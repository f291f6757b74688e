"""What dynamic axes may be, and which of them cause findings."""

from __future__ import annotations

import os
from collections.abc import Iterable

from trtcheck import _core, _inputs, _options
from trtcheck._core import AxesReport, Target
from trtcheck._shape_functions import ShapeFunctions


def axes(
    model: object,
    *,
    target: str | Target | None = None,
    precision: str | Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    strongly_typed: bool = False,
    plugins: str | Iterable[str] = (),
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    shape_functions: ShapeFunctions | None = None,
    asked: str | Iterable[str] = (),
    base_dir: str | os.PathLike[str] | None = None,
) -> AxesReport:
    """Say what the dynamic axes of a model may be, which of them cause its findings, and which to pin.

        report = trtcheck.axes("model.onnx", target="10.13")
        print(report)
        print(report.pins)  # {"height": 224}

    The model is checked with all axes dynamic, with numbers in place of all, and with some of them: no example of yours
    and no runtime is needed.

    Args:
        model: as for `check`.
        target, precision, compute_capability, strongly_typed, plugins, select, ignore, shape_functions: as for
            `check`.
        asked: axes of inputs that were to be dynamic, as "x.dim0": those that came out as numbers are in
            `report.fixed`.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, or an option makes no sense.
        TypeError: `model` is nothing that can be read.
    """
    made = _options.make_target(
        target,
        precision,
        compute_capability,
        plugins,
        None,
        strongly_typed=strongly_typed,
        shape_functions=shape_functions,
    )
    with _inputs.opened(model, base_dir) as opened:
        return _core.axes(
            opened,
            target=made,
            select=_options.words(select, "select"),
            ignore=_options.words(ignore, "ignore"),
            asked=_options.words(asked, "asked"),
        )
