"""What TensorRT 8.6 reads past in models of opset 18, told from the file alone."""

from __future__ import annotations

import onnx

#: They take their axes as an input from opset 18 on; ReduceSum does so from 13 on, which 8.6 knows.
REDUCTIONS = {"ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd"}


def is_read_past(node: onnx.NodeProto) -> bool:
    if node.op_type == "Shape":
        return any(attribute.name == "end" or attribute.i != 0 for attribute in node.attribute)
    return node.op_type in REDUCTIONS and len(node.input) > 1


def is_read_past_by_8_6(path: str) -> bool:
    """True where a Shape has `start` or `end`, or a reduction its axes as an input (onnx-tensorrt 8.6 to 9.3)."""
    return any(is_read_past(node) for node in onnx.load(path, load_external_data=False).graph.node)
