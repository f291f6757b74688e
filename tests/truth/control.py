"""Models of Loop, Scan and If: what they carry, where sizes come from, what decides them."""

from __future__ import annotations

import onnx.parser
from control_forms import COUNTS, DIMENSIONS, SEED, Form, forms
from control_ifs import if_graph
from control_loops import loop_graph, scan_graph
from control_places import placed
from onnx import ModelProto

__all__ = ["COUNTS", "DIMENSIONS", "OPSET", "SEED", "Form", "forms", "model", "text"]

OPSET = 17


def model(form: Form) -> ModelProto:
    return onnx.parser.parse_model(text(form))


def text(form: Form) -> str:
    graph = {"Loop": loop_graph, "Scan": scan_graph, "If": if_graph}[form.kind](form)
    return f'<ir_version: 9, opset_import: ["" : {OPSET}]> {placed(form, graph).body("agraph")}'
