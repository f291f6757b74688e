"""Which pieces of a model TensorRT runs when it does not accept all of it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from trtcheck import _core, _inputs, _options
from trtcheck._core import PartitionReport, Target
from trtcheck._shape_functions import ShapeFunctions


def partition(
    model: object,
    *,
    target: str | Target | None = None,
    ort: bool = False,
    exclude: str | Iterable[str] = (),
    min_subgraph_size: int = 1,
    profile: _options.Profile | None = None,
    precision: str | Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    strongly_typed: bool = False,
    plugins: str | Iterable[str] = (),
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    shape_functions: ShapeFunctions | None = None,
    output: str | os.PathLike[str] | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> PartitionReport:
    """Say which pieces of a model TensorRT runs, what keeps them apart, and what would help.

        report = trtcheck.partition("model.onnx", target="10.13", ort=True)
        print(report)
        print({option.name: option.value for option in report.options})

    Neither TensorRT nor ONNX Runtime is needed: the model is cut as the parser of the target cuts it, and with `ort` as
    ONNX Runtime's provider for the target gives the pieces to TensorRT.

    Args:
        model: as for `check`.
        target, precision, compute_capability, strongly_typed, plugins, select, ignore, shape_functions: as for
            `check`.
        ort: cut as ONNX Runtime does, and propose options of its provider: TensorRT's, or that of TensorRT-RTX when
            `target` is a release of it.
        exclude: operator types that are left to others, as in `trt_op_types_to_exclude`.
        min_subgraph_size: smaller pieces are left to others, as with `trt_min_subgraph_size`; with `ort`.
        profile: sizes of dynamic inputs, as for `check`; those of the others are proposed.
        output: a folder: each piece is written into it as a model of its own. `model` must be a path then.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, an option makes no sense, or a piece cannot be written.
        TypeError: `model` is nothing that can be read, or is no path though `output` is given.
        ValueError: `min_subgraph_size` is less than 1, or is given without `ort`.
    """
    if min_subgraph_size < 1:
        raise ValueError(f"min_subgraph_size must be at least 1, not {min_subgraph_size}")
    if min_subgraph_size > 1 and not ort:
        raise ValueError("min_subgraph_size is an option of ONNX Runtime: give ort=True")
    if output is not None and not isinstance(model, str | os.PathLike):
        raise TypeError("pieces of a model in memory cannot be written: give its path")
    made = _options.make_target(
        target,
        precision,
        compute_capability,
        plugins,
        profile,
        strongly_typed=strongly_typed,
        shape_functions=shape_functions,
    )
    with _inputs.opened(model, base_dir) as opened:
        return _core.partition(
            opened,
            target=made,
            select=_options.words(select, "select"),
            ignore=_options.words(ignore, "ignore"),
            ort=ort,
            exclude=_options.words(exclude, "exclude"),
            least_nodes=min_subgraph_size,
            output=None if output is None else os.fsencode(output),
        )
