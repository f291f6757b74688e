"""Healthy exports that ONNX Runtime converts to FLOAT16 are healthy for strongly typed networks as well.

NVIDIA's builder (TensorRT-RTX 1.7.1) takes all of the static ones, quantized ones with FLOAT16 scales included.
"""

from __future__ import annotations

import onnx
import pytest
from onnxruntime.transformers.float16 import convert_float_to_float16  # type: ignore[import-untyped]
from zoo.catalog import HEALTHY, Entry
from zoo.export import all_exports, export

import trtcheck

TARGETS = ("11.5", "rtx-1.7")
#: What is told of FLOAT16 alone: layers that add up squares.
ADVICE = {"NUM104"}

STATIC = [
    pytest.param(*case[:2], id=f"{case[0].name}-{case[1]}")
    for case in all_exports(HEALTHY)
    if case[1:] not in case[0].cannot_export and case[2] == "static"
]


@pytest.mark.parametrize("keeps_inputs", [True, False], ids=["FLOAT inputs", "FLOAT16 inputs"])
@pytest.mark.parametrize(("entry", "exporter"), STATIC)
def test_converted_models_are_healthy(entry: Entry, exporter: str, keeps_inputs: bool) -> None:
    path = export(entry, exporter, "static").path
    converted = convert_float_to_float16(onnx.load(path), keep_io_types=keeps_inputs)
    assert converted.SerializeToString() != onnx.load(path).SerializeToString()
    for target in TARGETS:
        before = {finding.code for finding in trtcheck.check(path, target=target).findings}
        report = trtcheck.check(converted, target=target)
        assert not report.errors, str(report)
        assert {finding.code for finding in report.warnings} <= before | ADVICE, str(report)
