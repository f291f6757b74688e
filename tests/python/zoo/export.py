"""Exports a zoo entry through one of torch's two exporters, once: the file is kept under build/zoo.

The folder's name holds a hash of the torch and onnxscript versions and of the zoo's sources, so that a rerun
is fast and a change of either exports anew. A refusal is kept too, as the exporter's message.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import logging
import os
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import onnx
import onnxscript
import torch

from .catalog import EXPORTERS, MODES, Entry

ROOT = Path(__file__).parents[3]
SOURCES = ("catalog", "convnets", "detection", "edits", "export", "mixed", "normalization", "quantized", "sequences")
OPSET = {"dynamo": 20, "torchscript": 17}


@dataclass(frozen=True)
class Export:
    entry: Entry
    exporter: str
    mode: str
    path: Path | None
    refusal: str

    @property
    def name(self) -> str:
        return f"{self.entry.name}-{self.exporter}-{self.mode}"

    @property
    def sizes(self) -> tuple[dict[str, int], ...]:
        """The sizes that it takes: a single one when it is static, or when the exporter wrote sizes into the graph."""
        fixed = self.mode == "static" or (self.exporter, self.mode) in self.entry.first_size_only
        return self.entry.sizes[:1] if fixed else self.entry.sizes


def cache_folder() -> Path:
    digest = hashlib.sha256(f"{torch.__version__} {onnxscript.__version__}".encode())
    for source in SOURCES:
        digest.update((Path(__file__).parent / f"{source}.py").read_bytes())
    folder = Path(os.environ.get("TRTCHECK_ZOO_CACHE", ROOT / "build" / "zoo")) / digest.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def export(entry: Entry, exporter: str, mode: str) -> Export:
    folder = cache_folder()
    path = folder / f"{entry.name}-{exporter}-{mode}.onnx"
    refusal = path.with_suffix(".refused")
    if refusal.exists():
        return Export(entry, exporter, mode, None, refusal.read_text())
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / path.name
            try:
                write(entry, exporter, mode, made)
            except Exception as error:  # every exporter failure is a result of its own, compared with the catalog
                refusal.write_text(f"{type(error).__name__}: {error}")
                return Export(entry, exporter, mode, None, refusal.read_text())
            made.rename(path)
    return Export(entry, exporter, mode, path, "")


def all_exports(entries: Iterable[Entry]) -> list[tuple[Entry, str, str]]:
    every = [(entry, exporter, mode) for entry in entries for exporter in EXPORTERS for mode in MODES]
    return [(entry, *how) for entry, *how in every if tuple(how) not in entry.unreliable]  # type: ignore[misc]


@contextlib.contextmanager
def silent_output() -> Iterator[None]:
    """Both exporters report their progress on the standard output, one of them from C++."""
    sys.stdout.flush()
    kept = os.dup(1)
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        os.dup2(nowhere.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)


def write(entry: Entry, exporter: str, mode: str, path: Path, *, keep_source_lines: bool = False) -> None:
    """`keep_source_lines`: the older exporter records lines of Python only when asked to be verbose."""
    module, arguments = entry.module(), entry.arguments(entry.sizes[0])
    axes = {
        name: {i: d for i, d in enumerate(x.shape) if isinstance(d, str)} if mode == "dynamic" else {}
        for name, x in entry.inputs.items()
    }
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), silent_output():
        warnings.simplefilter("ignore")  # the exporters' own deprecation and tracer warnings
        if exporter == "dynamo":
            parameters = list(inspect.signature(module.forward).parameters)
            torch.onnx.export(
                module,
                arguments,
                str(path),
                input_names=list(entry.inputs),
                opset_version=OPSET[exporter],
                dynamo=True,
                dynamic_shapes={p: axes[n] for p, n in zip(parameters, entry.inputs, strict=True)}
                if mode == "dynamic"
                else None,
                external_data=False,
                verbose=False,
            )
        else:
            torch.onnx.export(
                module,
                arguments,
                str(path),
                input_names=list(entry.inputs),
                opset_version=OPSET[exporter],
                dynamo=False,
                dynamic_axes=axes if mode == "dynamic" else None,
                verbose=keep_source_lines,
                training=torch.onnx.TrainingMode.PRESERVE if entry.training else torch.onnx.TrainingMode.EVAL,
            )
    if entry.edit is not None:
        model = onnx.load(path)
        entry.edit(model)
        onnx.save(model, path)
