"""The reference for shapes: ONNX Runtime runs the model and tells the shape of every tensor that it made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
import onnxruntime

from .export import Export

LARGEST = 4096  # elements of an integer tensor whose contents are compared


@dataclass(frozen=True)
class Trace:
    """What one run made: shapes of tensors by name, and the values of small integer tensors."""

    sizes: dict[str, int]
    shapes: dict[str, tuple[int, ...]]
    types: dict[str, np.dtype]
    contents: dict[str, list[int]]


def expose_everything(model: onnx.ModelProto) -> list[str]:
    """Makes every value of the main graph an output; bodies of If and Loop cannot be looked into this way."""
    listed = {output.name for output in model.graph.output}
    for node in model.graph.node:
        for name in node.output:
            if name and name not in listed:
                model.graph.output.append(onnx.ValueInfoProto(name=name))
                listed.add(name)
    return [output.name for output in model.graph.output]


def session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run(export: Export) -> list[Trace]:
    """One trace per size that the export takes."""
    assert export.path is not None
    model = onnx.load(export.path)
    names = expose_everything(model)
    running = session(model)
    fed = {value.name for value in running.get_inputs()}
    traces = []
    for sizes in export.sizes:
        arguments = zip(export.entry.inputs, export.entry.arguments(sizes), strict=True)
        feeds = {name: value.numpy() for name, value in arguments if name in fed}
        arrays = running.run(names, feeds)
        made = {n: a for n, a in zip(names, arrays, strict=True) if isinstance(a, np.ndarray)} | feeds
        traces.append(
            Trace(
                dict(sizes),
                {name: array.shape for name, array in made.items()},
                {name: array.dtype for name, array in made.items()},
                {n: [int(v) for v in a.flat] for n, a in made.items() if a.dtype.kind in "iub" and a.size <= LARGEST},
            )
        )
    return traces
