"""The zoo itself: every module goes through both exporters, and what comes out computes what the module computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from zoo import operators
from zoo.catalog import ENTRIES, EXPORTERS, HEALTHY, MODES, Entry
from zoo.export import all_exports, export
from zoo.reference import run, session

ALL = [pytest.param(*case, id="-".join([case[0].name, *case[1:]])) for case in all_exports(ENTRIES.values())]


def test_at_least_fourteen_healthy_modules() -> None:
    assert len({entry.build for entry in HEALTHY}) >= 14


@pytest.mark.parametrize(("entry", "exporter", "mode"), ALL)
def test_exports_or_is_refused_as_listed(entry: Entry, exporter: str, mode: str) -> None:
    made = export(entry, exporter, mode)
    expected = entry.cannot_export.get((exporter, mode))
    if expected is None:
        assert made.path is not None, made.refusal
        onnx.checker.check_model(made.path)
    else:
        assert made.path is None, "it exports now: take it off the list in catalog.py"
        assert expected in made.refusal


@pytest.mark.parametrize(("entry", "exporter", "mode"), ALL)
def test_computes_what_the_module_computes(entry: Entry, exporter: str, mode: str) -> None:
    made = export(entry, exporter, mode)
    if made.path is None or entry.edit is not None or entry.training:
        pytest.skip("no export, edited after it, or training mode")
    running = session(onnx.load(made.path))
    names = [value.name for value in running.get_inputs()]
    for sizes in made.sizes:
        arguments = entry.arguments(sizes)
        feeds = {n: a.numpy() for n, a in zip(entry.inputs, arguments, strict=True) if n in names}
        with torch.no_grad():
            expected = entry.module()(*arguments)
        for want, got in zip(
            expected if isinstance(expected, tuple) else (expected,), running.run(None, feeds), strict=True
        ):
            assert got.shape == tuple(want.shape)
            np.testing.assert_allclose(got, want.numpy(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(("entry", "exporter", "mode"), ALL)
def test_every_tensor_is_recorded(entry: Entry, exporter: str, mode: str) -> None:
    made = export(entry, exporter, mode)
    if made.path is None or entry.edit is not None:
        pytest.skip("no export, or edited so that it does not run")
    traces = run(made)
    assert len(traces) == (3 if mode == "dynamic" and (exporter, mode) not in entry.first_size_only else 1)
    values = {name for node in onnx.load(made.path).graph.node for name in node.output if name}
    for trace in traces:
        assert values <= set(trace.shapes)


FIRST_SIZE_ONLY = [(e, *c) for e in ENTRIES.values() for c in e.first_size_only]


@pytest.mark.parametrize(("entry", "exporter", "mode"), FIRST_SIZE_ONLY, ids=lambda x: getattr(x, "name", x))
def test_an_exporter_wrote_sizes_into_the_graph(entry: Entry, exporter: str, mode: str) -> None:
    path = export(entry, exporter, mode).path
    assert path is not None
    feeds = {name: value.numpy() for name, value in zip(entry.inputs, entry.arguments(entry.sizes[1]), strict=True)}
    with pytest.raises(Exception) as failure:
        session(onnx.load(path)).run(None, feeds)
    assert entry.first_size_only[exporter, mode] in str(failure.value)


def test_exceptions_are_listed_for_real_combinations() -> None:
    for entry in ENTRIES.values():
        for exporter, mode in [*entry.cannot_export, *entry.first_size_only]:
            assert exporter in EXPORTERS and mode in MODES


def test_operator_list_is_up_to_date() -> None:
    assert (Path(operators.__file__).parent / "operators.md").read_text() == operators.page()
