"""Checks inside of tests: `assert_convertible`, and what the pytest plugin tells it about the test that runs."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from trtcheck import _confirm, _inputs, _options, _settings
from trtcheck._core import Confirmation, Report
from trtcheck._errors import Error

# What `trtcheck.torch` takes about the export, and `load_settings` does not.
_EXPORT = ("kwargs", "dynamic_shapes", "dynamic_axes", "input_names", "output_names", "exporter", "opset")


@dataclass(frozen=True)
class Surroundings:
    """Of a test that runs: what counts for its checks, unless the call says otherwise."""

    folder: str | os.PathLike[str] = "."  #: whose configuration counts for models without a path
    options: Mapping[str, Any] = field(default_factory=dict)  #: of the marker and of the command line of pytest
    record: Callable[[Report | Error], None] = lambda report: None  #: a report, or why there is none
    exporting: Callable[[], AbstractContextManager[None]] = nullcontext  #: around each export


surroundings: ContextVar[Surroundings | None] = ContextVar("trtcheck_surroundings", default=None)


def assert_convertible(
    model: object,
    args: object = None,
    *,
    allow: str | Iterable[str] = (),
    confirm: bool | None = None,
    base_dir: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Report:
    """Assert that TensorRT will convert a model or a PyTorch module. The failure message is the full report.

        trtcheck.assert_convertible("model.onnx", target="10.13")
        trtcheck.assert_convertible(module, (torch.randn(1, 3, 224, 224),), allow=["QDQ203"])

    What the project's configuration says counts, as on the command line: that of the folder of the model, or for
    models without a path that of the folder of the test. Inside of pytest, `@pytest.mark.trtcheck(...)`,
    `--trtcheck-target` and `--trtcheck-confirm` stand over it, and the arguments of the call over all of them.

    Args:
        model: as for `trtcheck.check`; or a module, which is exported as by `trtcheck.torch.check_module`.
        args: example inputs of the module, one tensor or a tuple.
        allow: codes, prefixes or names of rules that may report, besides those that the configuration ignores.
        confirm: ask NVIDIA's own parser and builder, too, as `trtcheck.confirm` does with a proposed profile. What they
            refuse fails, what they cannot judge does not.
        base_dir: as for `trtcheck.check`.
        **options: of `trtcheck.load_settings` (`target`, `precision`, `profile`, `fail_on`, ...); for a module also
            of `trtcheck.torch.check_module` (`kwargs`, `dynamic_shapes`, ...).

    Returns:
        The report.

    Raises:
        AssertionError: there is a finding that is at least as severe as `fail_on` (by default: an error), or NVIDIA's
            parser or builder refuses the model.
        Error: the model cannot be read or exported, an option makes no sense, or nobody is there to confirm.
    """
    __tracebackhide__ = True
    if confirm is not None:
        options["confirm"] = confirm
    report, settings, confirmation = checked(model, args, allow=allow, base_dir=base_dir, **options)
    refused = confirmation is not None and _refuses(confirmation)
    if refused or settings.fails(report):
        raise AssertionError(_failure(report, confirmation))
    return report


def _refuses(confirmation: Confirmation) -> bool:
    return confirmation.testimony in ("refused", "crashed") and not confirmation._is_accepted()


def _failure(report: Report, confirmation: Confirmation | None) -> str:
    """The report, with its fixes and lines, and who was asked."""
    text = str(report)
    if confirmation is None:
        return text.rstrip("\n")
    asked = str(confirmation)
    # The findings quote what the witness says, if there are any.
    is_quoted = any(finding.severity != "info" for finding in report)
    return f"{text}{asked.partition(chr(10))[0] if is_quoted else asked}".rstrip("\n")


def check_here(model: object, args: object = None, **options: Any) -> Report:
    """`trtcheck.check` with the configuration of the project; see `assert_convertible`, which accepts the same."""
    __tracebackhide__ = True
    return checked(model, args, **{"confirm": False, **options})[0]


def checked(
    model: Any,
    args: Any = None,
    *,
    allow: str | Iterable[str] = (),
    base_dir: str | os.PathLike[str] | None = None,
    **options: Any,
) -> tuple[Report, _settings.Settings, Confirmation | None]:
    """The report, what it was made with, and what NVIDIA's parser and builder say, if they are to be asked."""
    __tracebackhide__ = True
    here = surroundings.get() or Surroundings()
    options = {**here.options, **options}
    confirmed: list[Confirmation] = []
    confirms = options.pop("confirm", False)
    # That of the call comes on top of the marker's.
    allowed = [*_options.words(allow, "allow"), *_options.words(options.pop("allow", ()), "allow")]
    export = {name: options.pop(name) for name in _EXPORT if name in options}
    settings = _settings_for(model if _inputs.is_file(model) else here.folder, allowed, options)
    is_module = _inputs.is_module(model)
    if not is_module and (args is not None or export):
        raise TypeError(f"{', '.join(export) or 'args'}: only for a PyTorch module, not for {type(model).__name__}")

    def check(exported: object, **given: Any) -> Report:
        report = settings.check(exported, **given)
        if confirms:
            confirmed.append(_confirm.confirm_with(exported, settings._common))
            report = confirmed[0]._marked(report)
        return report

    try:
        if is_module:
            from trtcheck import torch

            with here.exporting():
                exported, remarks = torch._use_export(check, model, () if args is None else args, **export)
            report = exported._with_remarks("", remarks)
        else:
            report = check(model, base_dir=base_dir)
    except Error as error:
        here.record(error)
        raise
    here.record(report)
    return report, settings, confirmed[0] if confirmed else None


@cache
def option_names() -> frozenset[str]:
    """What a marker may say."""
    return frozenset(inspect.signature(_settings.load_settings).parameters) - {"path"} | {*_EXPORT, "allow", "confirm"}


def _settings_for(path: str | os.PathLike[str], allowed: list[str], options: dict[str, Any]) -> _settings.Settings:
    """Of a model or a folder, with what is allowed on top of what is ignored."""
    settings = _settings.load_settings(path, **options)
    if not allowed:
        return settings
    return _settings.load_settings(path, **{**options, "ignore": [*settings.ignore, *allowed]})
