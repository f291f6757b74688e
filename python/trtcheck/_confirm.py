"""What NVIDIA's own parser and builder say of a model, next to what was predicted."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trtcheck import _core, _inputs, _options, _text_forms
from trtcheck._errors import Error
from trtcheck._program import program

StrPath = str | os.PathLike[str]
# The packages of the wheels that bring TensorRT-RTX.
_PACKAGES = ("onnxruntime_ep_nv_tensorrt_rtx", "tensorrt_rtx_libs")


def find_witness(path: StrPath | None = None, *, timeout: float = 60) -> _core.Witness:
    """Find NVIDIA's parser and builder on this machine, and make sure that they work.

    Args:
        path: a library of TensorRT-RTX or TensorRT, its folder, or a program that answers like `trtcheck-witness`; or
            a release, "10.16" or "rtx-1.4": the newest that answers for it. By default the wheel in this Python, then
            the environment variable TRTCHECK_WITNESS, then the newest that is kept in ~/.cache/trtcheck/witness, then
            TensorRT on the library path.
        timeout: seconds for the self-test, a model of one node that is built before a library is trusted.

    Raises:
        Error: there is none, or it does not work; the text says how to get one.
    """
    return _find(path, timeout)[0][-1]


def find_witnesses(which: str = "all", *, timeout: float = 60) -> list[_core.Witness]:
    """Find all on this machine that answer for a release, the oldest first.

        for witness in trtcheck.find_witnesses():
            print(trtcheck.confirm("model.onnx", witness=witness))

    Args:
        which: "all", or a release, "10.16" or "rtx-1.4".
        timeout: seconds for the self-test of each.

    Raises:
        Error: there is none; the text says how to get one.
    """
    return _find(which, timeout)[0]


def _find(path: StrPath | None, timeout: float) -> tuple[list[_core.Witness], list[str]]:
    try:
        witness = os.fsencode(program("trtcheck-witness"))
    except (FileNotFoundError, ModuleNotFoundError):
        witness = b""  # beside the library, perhaps
    specs = [spec for package in _PACKAGES if (spec := find_spec(package)) is not None]
    folders = [folder for spec in specs for folder in spec.submodule_search_locations or ()]
    given = b"" if path is None else os.fsencode(path)
    named = [os.fsencode(folder) for folder in folders]
    return _core.find_witnesses(given, program=witness, folders=named, timeout=timeout)


def confirm(
    model: object,
    *,
    target: str | _core.Target | None = None,
    precision: str | Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    dla: bool = False,
    strongly_typed: bool = False,
    plugins: str | Iterable[str] = (),
    profile: _options.Profile | None = None,
    require_profile: bool = False,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    propose_profile: bool = False,
    parse_only: bool = False,
    witness: StrPath | _core.Witness | None = None,
    timeout: float = 300,
    memory: float = 0,
) -> _core.Confirmation:
    """Predict whether TensorRT will convert the model, ask NVIDIA's own parser and builder, and compare.

    They run in a process of their own: a crash, a hang or a want of memory is an answer. `pip install
    tensorrt_rtx_cu12_libs==1.7.1.116` brings NVIDIA's TensorRT-RTX, which parses and builds without a GPU.

    Args:
        model: a path, or a model in memory as for `check`, which goes through a temporary file: data that lies outside
            of it is not found there.
        target: as for `check`, and so are the following up to `ignore`; of the prediction. By default the release that
            the witness is, "rtx-1.7". The answer is compared with the prediction for that one in any case; the
            prediction for another release stands beside it, as `requested`.
        precision: as for `check`.
        compute_capability: as for `check`; TensorRT-RTX builds for it, where it knows it.
        dla: as for `check`.
        strongly_typed: as for `check`.
        plugins: as for `check`.
        profile: as for `check`; the builder gets it, too. A model with dynamic inputs and no profile is only parsed.
        require_profile: as for `check`.
        select: as for `check`.
        ignore: as for `check`.
        propose_profile: dynamic inputs without a profile get one.
        parse_only: the builder is not asked.
        witness: what `find_witness` accepts or has returned.
        timeout: seconds, for the model and for the self-test of the witness; 0 = no limit.
        memory: GB (2^30 bytes) that the process may write to; 0 = three quarters of this machine's.

    Raises:
        Error: there is no witness, the model cannot be read, or an option makes no sense.
        TypeError: `model` is nothing that can be written to a file.
    """
    asked = witness if isinstance(witness, _core.Witness) else find_witness(witness, timeout=min(timeout or 60, 60))
    made = _options.make_target(
        target or asked.target, precision, compute_capability, plugins, profile, dla, strongly_typed, require_profile
    )
    with as_file(model) as path:
        return _core.confirm(
            path,
            _name(model),
            asked,
            target=made,
            select=_options.words(select, "select"),
            ignore=_options.words(ignore, "ignore"),
            parse_only=_options.flag(parse_only, "parse_only"),
            propose_profile=_options.flag(propose_profile, "propose_profile"),
            timeout=timeout,
            memory=memory,
        )


def confirm_with(model: object, settings: _core.Settings) -> _core.Confirmation:
    """With the settings of a project; a profile is proposed where they have none."""
    if _inputs.is_file(model):
        settings = settings.for_model(os.fsencode(model))
    with as_file(model) as path:
        return _core.confirm_with(
            path, _name(model), find_witness(), settings, parse_only=False, propose_profile=True, timeout=300, memory=0
        )


def _name(model: object) -> bytes:
    """Of a text form, whose binary is elsewhere."""
    return os.fsencode(model) if _inputs.is_file(model) and _text_forms.is_text(model) else b""


@contextmanager
def as_file(model: Any) -> Iterator[bytes]:
    """The name of a file that holds the model for the time of the block."""
    if isinstance(model, _core.Analysis):
        model = model.model
    if isinstance(model, _core.Model):
        if not model.path:
            raise TypeError("a Model that was read from memory is no file: give what it was read from")
        model = model.path
    if _inputs.is_file(model) and not _text_forms.is_text(model):
        yield os.fsencode(model)
        return
    if _inputs.is_path(model) and not _inputs.is_file(model):
        raise Error(_inputs.label(model), "the witness reads files of this machine only")
    with tempfile.TemporaryDirectory(prefix="trtcheck-") as folder:
        path = Path(folder) / "model.onnx"
        if _inputs.is_file(model):
            path.write_bytes(_text_forms.read(model))
        else:
            _inputs.save(model, path)
        yield os.fsencode(path)
