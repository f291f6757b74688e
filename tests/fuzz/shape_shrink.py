"""The smallest model about which the same disagreement is left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import onnx.printer
from draft import Array, element_type, names_read
from onnx import ModelProto, ValueInfoProto
from shape_oracle import Disagreement, Sample, Sizes, disagreements, feed_at
from shape_runs import Made, Runner, with_sizes
from shrink import is_progress
from smaller import is_valid, smaller, tidy

SECONDS = 30.0


@dataclass(frozen=True)
class Found:
    seed: str
    disagreement: Disagreement
    text: str

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.disagreement}\n{self.text}"


def minimised(seed: str, sample: Sample, first: Disagreement, seconds: float = SECONDS) -> Found:
    """`first` was found in `sample`."""
    until = time.monotonic() + seconds
    best, why = sample, first
    for sizes in sample.points:
        alone = Sample(sample.model, sample.feed, [sizes], sample.opset)
        values = Runner(sample.opset).run(sample.model, feed_at(sample, sizes)).values
        if _same(alone, first) is not None:
            best = alone
            break
    else:
        return Found(seed, first, onnx.printer.to_text(sample.model))
    fixed = _sample(with_sizes(best.model, best.points[0]), values, {}, best.opset)
    if (found := _same(fixed, first)) is not None:
        best, why = fixed, found
    for made in _cuts(best.model, why.node):
        if (cut := _try(made, values, best, first)) is not None:
            best, why = cut
            break
    is_smaller = True
    while is_smaller and time.monotonic() < until:
        is_smaller = False
        for made in smaller(best.model):
            if time.monotonic() > until:
                break
            if not is_progress(made, best.model) or not is_valid(made):
                continue
            if (less := _try(made, values, best, first)) is not None:
                best, why = less
                is_smaller = True
                break
    return Found(seed, why, f"sizes {best.points[0]}, {_values(best.feed)}\n{onnx.printer.to_text(best.model)}")


def _try(
    made: ModelProto, values: dict[str, Made], best: Sample, wanted: Disagreement
) -> tuple[Sample, Disagreement] | None:
    try:
        sample = _sample(_named(made), values, best.points[0], best.opset)
        found = _same(sample, wanted)
    except Exception:  # what has no sense any more fails in many ways
        return None
    return None if found is None else (sample, found)


def _cuts(model: ModelProto, name: str) -> Iterator[ModelProto]:
    """The node alone, then with more and more of what leads to it."""
    kept = [node for node in model.graph.node if node.name == name]
    size = 0
    while kept and size < len(kept):
        size = len(kept)
        read = {word for node in kept for word in names_read(node)}
        constants = [node for node in model.graph.node if node.op_type == "Constant" and read.intersection(node.output)]
        made = ModelProto()
        made.CopyFrom(model)
        nodes = [node for node in model.graph.node if node in kept or node in constants]
        written = {word for node in nodes for word in node.output}
        inputs = {value.name: value for value in model.graph.input}
        fixed = {tensor.name for tensor in model.graph.initializer}
        for field in (made.graph.node, made.graph.output, made.graph.input):
            del field[:]
        made.graph.node.extend(nodes)
        made.graph.output.extend(ValueInfoProto(name=word) for word in nodes[-1].output if word)
        for word in sorted(read - written - fixed):
            made.graph.input.append(inputs.get(word, ValueInfoProto(name=word)))
        yield tidy(made)
        kept = [node for node in model.graph.node if node in kept or read.intersection(node.output)]


def _named(model: ModelProto) -> ModelProto:
    for at, node in enumerate(model.graph.node):
        node.name = node.name or f"n{at}"
    return model


def _sample(model: ModelProto, values: dict[str, Made], sizes: Sizes, opset: int) -> Sample:
    """What was a value in between may be an input now."""
    feed = {value.name: values[value.name] for value in model.graph.input}
    for value in model.graph.input:
        value.type.tensor_type.elem_type = element_type(feed[value.name].dtype)
        dims = value.type.tensor_type.shape.dim
        if not value.type.tensor_type.HasField("shape"):
            value.type.tensor_type.shape.SetInParent()
            for size in feed[value.name].shape:
                dims.add(dim_value=size)
        for dim, size in zip(dims, feed[value.name].shape, strict=False):
            if not dim.HasField("dim_value") and dim.dim_param not in sizes:
                dim.dim_value = size
    return Sample(model, feed, [sizes], opset)


def _same(sample: Sample, wanted: Disagreement) -> Disagreement | None:
    return next((one for one in disagreements(sample) if one.signature == wanted.signature), None)


def _values(feed: dict[str, Array]) -> str:
    return ", ".join(f"{name} = {value.tolist()}" for name, value in feed.items() if np.size(value) < 9)
