"""Shapes agree with what ONNX Runtime makes, for every tensor of every export at every size: 0 wrong, few unknown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import onnx
import pytest
from zoo import operators
from zoo.catalog import ENTRIES, Entry
from zoo.export import ROOT, Export, all_exports, export
from zoo.reference import Trace, run

import trtcheck

RUNNING = [
    pytest.param(*case, id="-".join([case[0].name, *case[1:]]))
    for case in all_exports(ENTRIES.values())
    if case[0].edit is None and case[1:] not in case[0].cannot_export
]

#: Sizes that depend on the data: only these may be unknown, and only for this reason.
DATA_DEPENDENT = {"detector_nonzero": "NonZero finds as many as there are"}


@dataclass(frozen=True)
class Comparison:
    wrong: list[str]
    unknown: list[str]


def number(dim: int | trtcheck.Dim, sizes: dict[str, int]) -> int | None:
    return dim if isinstance(dim, int) else dim.evaluate(sizes)


def compare_value(name: str, shape: trtcheck.ValueShape, trace: Trace, found: Comparison) -> None:
    actual = trace.shapes[name]
    if shape.dims is None:
        found.unknown.append(f"{name}: rank ({shape.reason})")
        return
    if len(shape.dims) != len(actual):
        found.wrong.append(f"{name}: rank {len(shape.dims)}, runs as {actual}")
        return
    dims = [number(d, trace.sizes) for d in shape.dims]
    if any(d not in (None, a) for d, a in zip(dims, actual, strict=True)):
        found.wrong.append(f"{name}: {shape} is {dims} at {trace.sizes}, runs as {actual}")
    elif None in dims:
        reasons = [d.reasons for d in shape.dims if not isinstance(d, int)]
        found.unknown.append(f"{name}: {shape} {reasons}")
    for i, d in enumerate(shape.dims):
        low, high = (d, d) if isinstance(d, int) else d.bounds
        if (low is not None and actual[i] < low) or (high is not None and actual[i] > high):
            found.wrong.append(f"{name}: axis {i} outside its bounds {low}..{high}, runs as {actual}")
    if shape.known is not None and name in trace.contents:
        contents = [number(d, trace.sizes) for d in shape.known]
        if any(d not in (None, a) for d, a in zip(contents, trace.contents[name], strict=True)):
            found.wrong.append(f"{name}: contents {contents}, runs as {trace.contents[name]}")


def bind_claimed_names(made: Export, shapes: trtcheck.Shapes, trace: Trace) -> None:
    """Names that only the file's claims know (`u0`, `Concat76_dim_0`) get the first size seen; others must agree."""
    if made.entry.name not in DATA_DEPENDENT:
        return
    for name, actual in trace.shapes.items():
        for dim, size in zip(shapes[name].dims or (), actual, strict=True):
            if not isinstance(dim, int) and str(dim) in dim.symbols:
                trace.sizes.setdefault(str(dim), size)


def compare(made: Export) -> Comparison:
    assert made.path is not None
    shapes = trtcheck.infer_shapes(made.path)
    found = Comparison([], [])
    for trace in run(made):
        bind_claimed_names(made, shapes, trace)
        for name in trace.shapes:
            compare_value(name, shapes[name], trace, found)
            dtype = shapes[name].dtype
            if dtype is not None and onnx.helper.tensor_dtype_to_np_dtype(int(dtype)) != trace.types[name]:
                found.wrong.append(f"{name}: type {dtype}, runs as {trace.types[name]}")
    return found


@pytest.mark.parametrize(("entry", "exporter", "mode"), RUNNING)
def test_no_shape_is_wrong_and_few_are_unknown(entry: Entry, exporter: str, mode: str) -> None:
    found = compare(export(entry, exporter, mode))
    assert not found.wrong, "\n".join(found.wrong)
    cause = DATA_DEPENDENT.get(entry.name)
    unexplained = [line for line in found.unknown if cause is None or cause not in line]
    assert not unexplained, "\n".join(unexplained)


UNKNOWN = re.compile(r"\?")


@pytest.mark.parametrize(("entry", "exporter", "mode"), RUNNING)
def test_sizes_that_are_not_known_are_those_of_data_and_have_bounds(entry: Entry, exporter: str, mode: str) -> None:
    shapes = trtcheck.infer_shapes(export(entry, exporter, mode).path)
    unknown = {name: shape for name, shape in shapes.items() if shape.dims is None or UNKNOWN.search(str(shape))}
    assert not unknown or entry.name in DATA_DEPENDENT, unknown
    for name, shape in unknown.items():
        assert shape.dims is not None, name
        for low, high in (d.bounds for d in shape.dims if not isinstance(d, int) and UNKNOWN.search(str(d))):
            assert low == 0, name
            assert (high is not None) == (mode == "static"), f"{name}: {low}..{high}"


def test_every_operator_has_a_shape_function_of_our_own() -> None:
    own: dict[str, int] = {}
    for table in sorted((ROOT / "cpp/src/shapes/ops").glob("*.inc")):
        for op, since in re.findall(r'^TRTCHECK_OP\("", "(\w+)", (\d+), \w+\)', table.read_text(), re.MULTILINE):
            own[op] = min(int(since), own.get(op, int(since)))
    assert own
    listed = re.findall(
        r"^\| (\w+) \| \d+", Path(operators.__file__).with_name("operators.md").read_text(), re.MULTILINE
    )
    assert [op for op in listed if own.get(op, 99) > 17] == []
