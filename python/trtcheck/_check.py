"""Checks of one model and of many."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from concurrent.futures import Executor
from typing import Any, Literal, overload

from trtcheck import _core, _inputs, _many, _options
from trtcheck._core import Analysis, Ranges, Report, Target
from trtcheck._errors import Error
from trtcheck._settings import Settings
from trtcheck._shape_functions import ShapeFunctions


def check(
    model: object,
    *,
    target: str | Target | None = None,
    precision: str | Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    dla: bool = False,
    strongly_typed: bool = False,
    plugins: str | Iterable[str] = (),
    profile: _options.Profile | None = None,
    require_profile: bool = False,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    ranges: str | os.PathLike[str] | Ranges | None = None,
    read_weights: bool = False,
    shape_functions: ShapeFunctions | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> Report:
    """Tell whether TensorRT will convert the model, and why not.

    The GIL is released meanwhile; any number of threads may check at once.

    Args:
        model: a path; a URL for fsspec, such as "s3://bucket/model.onnx", or what `fsspec.open` returns (of a
            large file only those bytes are fetched that are needed); the bytes of a file (`bytes` or any other
            contiguous buffer, borrowed, not copied), or a file that is open for bytes; an `onnx.ModelProto`, a
            `torch.onnx.ONNXProgram` or an `onnx_ir.Model` (serialized without loading external data); or what
            `read_model` or `analyze` returned.
        target: TensorRT release, "10.13"; the newest known one by default. See `releases` and `rtx_releases`.
        precision: precisions beyond FP32 that the build will allow: "fp16", "bf16", "int8", "fp8", ... From 11.0 on no
            flag asks for them, the types in the file decide (STY201).
        compute_capability: of the GPU: "8.6", 8.6 or (8, 6). Unknown by default.
        dla: layers are to run on NVIDIA's Deep Learning Accelerator, with fallback to the GPU: what it does not run is
            reported.
        strongly_typed: the network is made strongly typed, as by `trtexec --stronglyTyped`: the types in the file are
            those of the engine. A choice from 9.0 to 10.16; from 11.0 on every network is.
        plugins: names of operators that your own plugins serve.
        profile: sizes of the inputs, in elements: `{"x": ((1, 3, 224, 224), (4, 3, 224, 224), (8, 3, 224, 224))}` for
            the smallest, best and largest shape, or a single shape; or as text,
            "x=1x3x224x224:4x3x224x224:8x3x224x224", or "x:1x3x224x224,y:1x8" as for `trtexec --shapes`.
        require_profile: sizes come from a profile alone, not from a default of trtexec: dynamic inputs without any are
            reported (PRF105).
        select: rule codes ("QDQ104"), prefixes ("QDQ") or names; only these are reported.
        ignore: the same; these are left out, also when selected.
        ranges: what the tensors reached on samples: what `measure_ranges` returned, or a file of it.
        read_weights: all weights are looked at, those in other files too; without it only with precision "fp16".
        shape_functions: what comes out of operators that trtcheck does not know: a file of [[shape]] tables, texts or
            functions by operator, `{"mydomain::MyOp": "FLOAT[in0[0], 4 * in0[1]]"}`, or functions that
            `shape_function` marked.
        base_dir: the folder of external data, for a model that does not come from a path.

    Returns:
        The findings. Whatever is wrong with the model is one of them.

    Raises:
        Error: the model cannot be read, an option makes no sense, or the ranges were measured on another model.
        TypeError: `model` is nothing that can be checked.

    The facts come from TensorRT's source and documentation; each finding names its evidence.
    """
    made = _options.make_target(
        target,
        precision,
        compute_capability,
        plugins,
        profile,
        dla,
        strongly_typed,
        require_profile,
        shape_functions,
    )
    rules: dict[str, Any] = {"select": _options.words(select, "select"), "ignore": _options.words(ignore, "ignore")}
    rules |= {"ranges": measured(ranges), "read_weights": _options.flag(read_weights, "read_weights")}
    if isinstance(model, Analysis):
        return _core.check(model, target=made, **rules)
    with _inputs.opened(model, base_dir) as opened:
        return _core.check(opened, target=made, **rules)


@overload
def check_many(
    paths: _many.Paths,
    *,
    executor: Executor | None = None,
    errors: Literal["raise"] = "raise",
    in_flight: int | None = None,
    settings: Settings | None = None,
    **check_options: Any,
) -> Generator[Report, None, None]: ...
@overload
def check_many(
    paths: _many.Paths,
    *,
    executor: Executor | None = None,
    errors: Literal["return"],
    in_flight: int | None = None,
    settings: Settings | None = None,
    **check_options: Any,
) -> Generator[Report | Error, None, None]: ...
def check_many(
    paths: _many.Paths,
    *,
    executor: Executor | None = None,
    errors: str = "raise",
    in_flight: int | None = None,
    settings: Settings | None = None,
    **check_options: Any,
) -> Generator[Report | Error, None, None]:
    """Check many models in parallel, and give each report as soon as it is there.

        for report in trtcheck.check_many("models/", target="10.13"):
            print(report.path, report.verdict)

    Reports come in the order in which they are finished; `Report.path` tells which one it is. Close the generator,
    or leave it by an exception or Ctrl-C, and models that have not been started are not checked any more.

    Args:
        paths: a file, a folder or a pattern (the models that `find_models` gives for it), a URL for fsspec, or an
            iterable of them. It is read only as far as models can be started: it may be a generator of a million paths.
        executor: who does the work: any `concurrent.futures.Executor`, such as a `ProcessPoolExecutor` or
            `dask.distributed.Client.get_executor()`; it is not shut down. Threads of this process, one for each
            CPU, by default: a check does not hold the GIL.
        errors: what happens with a model that cannot be read or that the executor lost: "raise" the `Error`,
            or "return" it in place of a report. When a worker dies and the executor breaks, that is one `Error` for
            each model that has no report, to the end of `paths`.
        in_flight: how many models the executor may have at a time; twice its workers, or 256 when it does not tell.
        settings: what `load_settings` returned, in place of options; its `exclude` counts in folders.
        **check_options: those of `check`. They are tried at once: what makes no sense is raised by the call.

    Raises:
        Error: an option makes no sense. With `errors="raise"`: a model cannot be read; the executor broke because
            one of its workers died: the text names the models that were in flight.
        TypeError: an entry of `paths` is no path.
    """
    if errors not in ("raise", "return"):
        raise ValueError(f'errors is "raise" or "return", not {errors!r}')
    if in_flight is not None and in_flight < 1:
        raise ValueError(f"in_flight is at least 1, not {in_flight}")
    if settings is not None:
        if check_options.keys() - {"base_dir"}:
            raise TypeError(f"a Settings holds {', '.join(check_options)} already")
        return _many.reports(paths, executor, errors, in_flight, settings.check, check_options, settings)
    _options.make_target(None, (), None, (), check_options.get("profile"))
    check(_EMPTY_MODEL, **{**check_options, "profile": None})
    return _many.reports(paths, executor, errors, in_flight, check, check_options)


# A graph without a node, for which every option can be tried.
_EMPTY_MODEL = b"\x08\x08\x3a\x00"


def measured(ranges: object) -> Ranges | None:
    measured = _core.read_ranges(os.fsencode(ranges)) if isinstance(ranges, (str, os.PathLike)) else ranges
    if measured is None or isinstance(measured, Ranges):
        return measured
    kind = type(ranges).__name__
    raise TypeError(f"ranges must be what trtcheck.measure_ranges returned, or a file of it, not {kind}")
