"""What people do to a model after the export, with the mistakes that TensorRT stops at. All pass the ONNX checker."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper


def only(model: onnx.ModelProto, op_type: str) -> onnx.NodeProto:
    (node,) = (n for n in model.graph.node if n.op_type == op_type)
    return node


def initializer(model: onnx.ModelProto, name: str) -> onnx.TensorProto:
    (tensor,) = (t for t in model.graph.initializer if t.name == name)
    return tensor


def resize(model: onnx.ModelProto, name: str, length: int) -> None:
    """Cuts or repeats the entries of a vector."""
    tensor = initializer(model, name)
    values = np.resize(numpy_helper.to_array(tensor), length)
    tensor.CopyFrom(numpy_helper.from_array(values, name))


def prune_norm(model: onnx.ModelProto) -> None:
    """Half of the channels pruned from the BatchNorm, not from the convolution before it."""
    for name in only(model, "BatchNormalization").input[1:]:
        resize(model, name, 8)


def norm_channels_last(model: onnx.ModelProto) -> None:
    """The data of the BatchNorm turned to channels-last, as a layout pass does that forgets the node behind it."""
    norm = only(model, "BatchNormalization")
    turned = norm.input[0] + "_channels_last"
    transpose = onnx.helper.make_node(
        "Transpose", [norm.input[0]], [turned], name="to_channels_last", perm=[0, 2, 3, 4, 1]
    )
    norm.input[0] = turned
    model.graph.node.insert(list(model.graph.node).index(norm), transpose)


def size_bias_by_axis0(model: onnx.ModelProto) -> None:
    """A bias as long as axis 0 of the ConvTranspose weights, right for Conv only."""
    resize(model, only(model, "ConvTranspose").input[2], 64)


def drop_scale_axis(model: onnx.ModelProto) -> None:
    """Ten scales for the output channels of [64, 10, 1, 1] weights, read along axis 0 because `axis` got lost."""
    weight = only(model, "ConvTranspose").input[1]
    (dequantize,) = (n for n in model.graph.node if weight in n.output)
    (quantize,) = (n for n in model.graph.node if dequantize.input[0] in n.output)
    for node in (quantize, dequantize):
        for attribute in node.attribute:
            if attribute.name == "axis":
                attribute.i = 0
