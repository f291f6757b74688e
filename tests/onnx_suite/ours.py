"""A plugin of pytest: onnx's own tests of shape inference, with trtcheck in the place of onnx.

    python -m pytest -p ours --results=results.json .../onnx-1.23.2/tests/python/shape_inference_test.py

What the tests call under `onnx.shape_inference` is ours; models, checker and parser stay onnx's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx.shape_inference
import pytest

from trtcheck import shape_inference

for name in ("infer_shapes", "infer_shapes_path", "infer_node_outputs", "infer_function_output_types"):
    setattr(onnx.shape_inference, name, getattr(shape_inference, name))

_outcomes: dict[str, dict[str, str]] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--results", type=Path, required=True, help="where the outcome of every test goes, as JSON")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    name = report.nodeid.rpartition("/")[2]
    if report.when == "call" or (report.when == "setup" and report.outcome != "passed"):
        text = "" if report.passed else str(report.longrepr).rstrip().rpartition("\n")[2]
        _outcomes[name] = {"outcome": report.outcome, "text": text}


def pytest_sessionfinish(session: Any) -> None:
    session.config.getoption("--results").write_text(json.dumps(_outcomes, indent=1, sort_keys=True))
