"""Healthy exports get neither error nor warning, at the newest release and at older ones."""

from __future__ import annotations

import pytest
from zoo.catalog import BROKEN, HEALTHY, Entry
from zoo.export import all_exports, export
from zoo.old_releases import is_read_past_by_8_6

import trtcheck

TARGETS = ("8.6", "10.0", "10.13", None)

#: What is true of a model that is healthy otherwise: (entry, exporter) -> {rule: targets}. Gelu is an operator of its
#: own from opset 20 on, Mish from 18 on, and TensorRT has both from 10.0 (operators.md of onnx-tensorrt 8.6 and 10.0).
#: GridSample says `linear` from opset 20 on, which TensorRT up to 11.1 takes for `nearest` (cpp/data/facts).
KNOWN: dict[tuple[str, str], dict[str, tuple[str | None, ...]]] = {
    ("segmenter", "dynamo"): {"OPS101": ("8.6",)},
    ("vit", "dynamo"): {"OPS101": ("8.6",)},
    ("bert", "dynamo"): {"OPS101": ("8.6",)},
    ("encoder_layer", "dynamo"): {"OPS101": ("8.6",)},
    ("detector_anchors", "dynamo"): {"OPS101": ("8.6",)},
    ("convnext", "dynamo"): {"OPS101": ("8.6",)},
    ("warp", "dynamo"): {"OPS411": ("8.6", "10.0", "10.13")},
}

EXPORTED = [
    pytest.param(*case, id="-".join([case[0].name, *case[1:]]))
    for case in all_exports(HEALTHY)
    if case[1:] not in case[0].cannot_export
]


def expected(entry: Entry, exporter: str, mode: str, target: str | None) -> set[str]:
    known = KNOWN.get((entry.name, exporter), {})
    baked = {"SHP103"} if (exporter, mode) in entry.first_size_only else set()
    return {code for code, targets in known.items() if target in targets} | baked


@pytest.mark.parametrize(("entry", "exporter", "mode"), EXPORTED)
@pytest.mark.parametrize("target", TARGETS)
def test_healthy_models_are_clean(entry: Entry, exporter: str, mode: str, target: str | None) -> None:
    path = export(entry, exporter, mode).path
    report = trtcheck.check(path, target=target)
    wanted = expected(entry, exporter, mode, target)
    if target == "8.6" and is_read_past_by_8_6(str(path)):
        wanted |= {"OPS412"}
    assert {finding.code for finding in [*report.errors, *report.warnings]} == wanted, str(report)
    if not report.errors and not report.warnings:
        assert report.ok


def test_exceptions_name_healthy_models() -> None:
    names = {entry.name for entry in HEALTHY}
    assert {name for name, _ in KNOWN} <= names
    assert names.isdisjoint(entry.name for entry in BROKEN)
