"""Check PyTorch modules: export to ONNX, check the export.

    import trtcheck.torch

    report = trtcheck.torch.check_module(model, (torch.randn(1, 3, 224, 224),), target="10.13")

Importing this imports torch; nothing else in trtcheck does.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import torch

from trtcheck import Error, Ranges, Report, _ranges, _source_advice, check, read_model
from trtcheck import fix as fix_model

__all__ = ["ExportError", "check_module", "measure_ranges"]

_Made = TypeVar("_Made")

Exporter = Literal["auto", "dynamo", "torchscript"]
Exportable = torch.nn.Module | torch.jit.ScriptModule | torch.export.ExportedProgram


class ExportError(Error):
    """PyTorch's exporter failed; there is no model to check. The text is the exporter's own.

    Attributes:
        exporter: "dynamo" or "torchscript".

    The exporter's exception is the `__cause__`.
    """

    def __init__(self, exporter: str, message: str) -> None:
        super().__init__("", f"the {exporter} exporter failed: {message}")
        self.args = (exporter, message)
        self.exporter = exporter


def check_module(
    module: Exportable,
    args: tuple[Any, ...] | torch.Tensor = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Mapping[str, Any] | Sequence[Any] | None = None,
    dynamic_axes: Mapping[str, Mapping[int, str] | Sequence[int]] | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    exporter: Exporter = "auto",
    opset: int | None = None,
    keep: str | os.PathLike[str] | None = None,
    fix: bool = False,
    **check_options: Any,
) -> Report:
    """Export a module to ONNX and check the export.

    A module in training mode is switched to evaluation for the export and back; the report's `remarks` and a
    `UserWarning` say so.

    Args:
        module: a module, a traced or scripted one, or what `torch.export.export` returned.
        args: example inputs, as for `torch.onnx.export`; not needed for an `ExportedProgram`.
        kwargs: example inputs by keyword.
        dynamic_shapes: axes of free size, as `torch.export.export` accepts them ("dynamo").
        dynamic_axes: axes of free size by input and output name ("torchscript"); needs `input_names`.
        input_names: names for the graph inputs, in order.
        output_names: names for the graph outputs, in order.
        exporter: "dynamo" is `torch.onnx.export(dynamo=True)`, "torchscript" the older one. "auto" uses
            "torchscript" for a scripted or traced module and for `dynamic_axes`, "dynamo" for all else. There is no
            second try with the other one.
        opset: ONNX opset version; the exporter's default otherwise.
        keep: a path at which the ONNX file is kept (large weights next to it).
        fix: the export is repaired, as by `trtcheck.fix`; what `keep` names is the repaired model, the report is about
            it. The `remarks` say what was repaired, and what to change in which line of the Python program, where that
            is known: then the next export needs no repair.
        **check_options: those of `trtcheck.check`; with `fix` those of `trtcheck.fix`.

    Returns:
        The report. Its `path` is `keep`, or "" for an export that is gone.

    Raises:
        ExportError: the exporter failed.
        trtcheck.Error: an option makes no sense.
        ValueError: dynamic axes in the form of the other exporter.
    """
    use: Callable[[Path], tuple[Report, list[str]]]
    use = partial(_repaired if fix else _checked, **check_options)
    (report, said), remarks = _use_export(
        use,
        module,
        args,
        kwargs,
        dynamic_shapes=dynamic_shapes,
        dynamic_axes=dynamic_axes,
        input_names=input_names,
        output_names=output_names,
        exporter=exporter,
        opset=opset,
        keep=keep,
    )
    return report._with_remarks("" if keep is None else os.fspath(keep), [*remarks, *said])


def _checked(path: Path, **options: Any) -> tuple[Report, list[str]]:
    return check(path, **options), []


def _repaired(path: Path, **options: Any) -> tuple[Report, list[str]]:
    """The repaired export in place of the first one, and what was done to it."""
    fixed = fix_model(path, **options)
    if not fixed.is_changed:
        return fixed.after, []
    return fixed.write(path), _source_advice.remarks(fixed)


def measure_ranges(
    module: Exportable,
    loader: Iterable[Any],
    args: tuple[Any, ...] | torch.Tensor | None = None,
    *,
    dynamic_shapes: Mapping[str, Any] | Sequence[Any] | None = None,
    dynamic_axes: Mapping[str, Mapping[int, str] | Sequence[int]] | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    exporter: Exporter = "auto",
    opset: int | None = None,
    keep: str | os.PathLike[str] | None = None,
) -> Ranges:
    """Export a module, run the export on what a loader gives, and tell what its tensors reached.

        ranges = trtcheck.torch.measure_ranges(module, itertools.islice(loader, 8), (images,))
        report = trtcheck.torch.check_module(module, (images,), precision="fp16", ranges=ranges)

    Args:
        module: as for `check_module`.
        loader: batches: a tensor, a tuple or list of tensors of which those after the inputs (labels) are left out,
            or a mapping by input name. Each is one run.
        args: example inputs for the export; the first batch by default.
        dynamic_shapes: as for `check_module`, and so are the following. Without dynamic axes all batches have the
            sizes of `args`.
        dynamic_axes: as for `check_module`.
        input_names: as for `check_module`.
        output_names: as for `check_module`.
        exporter: as for `check_module`.
        opset: as for `check_module`.
        keep: a path at which the ONNX file is kept (large weights next to it).

    Returns:
        As `trtcheck.measure_ranges`. It belongs to what the same export gives again.

    Raises:
        ExportError: the exporter failed.
        trtcheck.Error: a batch does not fit, or ONNX Runtime is missing or refuses the export.
        ValueError: dynamic axes in the form of the other exporter.
    """
    batches = list(loader) if isinstance(loader, Iterator) else loader
    if args is None:
        args = _first(batches)
    ranges, _ = _use_export(
        partial(_measured, "" if keep is None else os.fspath(keep), batches),
        module,
        args,
        dynamic_shapes=dynamic_shapes,
        dynamic_axes=dynamic_axes,
        input_names=input_names,
        output_names=output_names,
        exporter=exporter,
        opset=opset,
        keep=keep,
    )
    return ranges


class _Samples:
    """What a loader gives, by input name; as often as somebody asks."""

    def __init__(self, batches: Iterable[Any], names: Sequence[str]) -> None:
        self._batches = batches
        self._names = names

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for index, batch in enumerate(self._batches):
            if isinstance(batch, Mapping):
                yield {name: _array(tensor) for name, tensor in batch.items()}
                continue
            tensors = _tensors(batch)
            if len(tensors) < len(self._names):
                raise Error("", f"batch {index} has {len(tensors)} tensors, the export {len(self._names)} inputs")
            yield {name: _array(tensor) for name, tensor in zip(self._names, tensors, strict=False)}


def _measured(name: str, batches: Iterable[Any], path: Path) -> Ranges:
    inputs = [value.name for value in read_model(path).graph.inputs if value.initializer is None]
    return _ranges.measure_as(name, path, _Samples(batches, inputs))


def _first(batches: Iterable[Any]) -> tuple[Any, ...]:
    for batch in batches:
        return tuple(batch.values()) if isinstance(batch, Mapping) else _tensors(batch)
    raise Error("", "there is no sample")


def _tensors(batch: Any) -> tuple[Any, ...]:
    return tuple(batch) if isinstance(batch, (tuple, list)) else (batch,)


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy() if isinstance(tensor, torch.Tensor) else tensor


def _use_export(
    use: Callable[[Path], _Made],
    module: Exportable,
    args: tuple[Any, ...] | torch.Tensor = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    dynamic_axes: Any = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    exporter: Exporter = "auto",
    opset: int | None = None,
    keep: str | os.PathLike[str] | None = None,
) -> tuple[_Made, list[str]]:
    """What `use` makes of the export, and what has to be said about the export."""
    chosen = _exporter(module, exporter, dynamic_shapes, dynamic_axes)
    if isinstance(args, torch.Tensor):
        args = (args,)
    options = {
        "kwargs": dict(kwargs) if kwargs else None,
        "input_names": input_names,
        "output_names": output_names,
        "opset_version": opset,
    }
    with _folder(keep) as path, _evaluation(module) as remarks:
        _export(module, args, path, chosen, dynamic_shapes, dynamic_axes, options)
        return use(path), remarks


def _exporter(module: Exportable, asked: Exporter, dynamic_shapes: object, dynamic_axes: object) -> str:
    if asked not in ("auto", "dynamo", "torchscript"):
        raise ValueError(f'exporter is "auto", "dynamo" or "torchscript", not {asked!r}')
    if dynamic_shapes is not None and dynamic_axes is not None:
        raise ValueError('dynamic_shapes is for "dynamo", dynamic_axes for "torchscript": give one of them')
    scripted = isinstance(module, torch.jit.ScriptModule)
    exported = isinstance(module, torch.export.ExportedProgram)
    chosen = "torchscript" if scripted or dynamic_axes is not None else "dynamo"
    if asked != "auto":
        chosen = asked
    if chosen == "dynamo" and scripted:
        raise ValueError('a scripted or traced module needs exporter="torchscript"')
    if chosen == "torchscript" and exported:
        raise ValueError('an ExportedProgram needs exporter="dynamo"')
    if chosen == "dynamo" and dynamic_axes is not None:
        raise ValueError('dynamic_axes is for exporter="torchscript"; use dynamic_shapes')
    if chosen == "torchscript" and dynamic_shapes is not None:
        raise ValueError('dynamic_shapes is for exporter="dynamo"; use dynamic_axes')
    return chosen


def _export(
    module: Exportable,
    args: tuple[Any, ...],
    path: Path,
    exporter: str,
    dynamic_shapes: Any,
    dynamic_axes: Any,
    options: dict[str, Any],
) -> None:
    dynamic = {"dynamic_shapes": dynamic_shapes} if exporter == "dynamo" else {"dynamic_axes": dynamic_axes}
    try:
        with warnings.catch_warnings(), _silent_stdout():
            # The exporters announce their own retirement and internals on every call.
            warnings.simplefilter("ignore")
            # The older exporter records the lines of the Python program only when it is verbose; it then also
            # prints the graph, from C++.
            dynamo = exporter == "dynamo"
            torch.onnx.export(module, args, path, dynamo=dynamo, verbose=not dynamo, **dynamic, **options)
    except Exception as error:  # whatever the exporter raises is its answer
        raise ExportError(exporter, str(error) or type(error).__name__) from error


@contextmanager
def _silent_stdout() -> Iterator[None]:
    """Nothing written to the process's standard output, by Python or C++, gets through meanwhile."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is no standard output
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        yield
        sys.stdout.flush()
    finally:
        os.dup2(kept, 1)
        os.close(kept)


@contextmanager
def _folder(keep: str | os.PathLike[str] | None) -> Iterator[Path]:
    if keep is not None:
        yield Path(keep)
        return
    with tempfile.TemporaryDirectory(prefix="trtcheck-") as folder:
        yield Path(folder) / "model.onnx"


@contextmanager
def _evaluation(module: Exportable) -> Iterator[list[str]]:
    """Evaluation mode for the block; gives what has to be said about it."""
    training = [m for m in module.modules() if m.training] if isinstance(module, torch.nn.Module) else []
    if not training:
        yield []
        return
    assert isinstance(module, torch.nn.Module)
    what = f"`{type(module).__name__}`" if module.training else f"a part of `{type(module).__name__}`"
    remark = f"{what} is in training mode: exported in evaluation mode; call .eval() before exporting it yourself"
    warnings.warn(remark, UserWarning, stacklevel=5)
    module.eval()
    try:
        yield [remark]
    finally:
        for part in training:
            part.training = True
