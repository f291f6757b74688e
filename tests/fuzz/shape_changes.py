"""What changes a model for the better changes nothing that it computes: simplify, extract and annotate_shapes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from draft import Array, names_read
from onnx import ModelProto, TensorProto
from shape_oracle import Disagreement, Look, Sample, Sizes, feed_at
from shape_runs import Runner, is_forbidden, nodes_within, session

import trtcheck

#: Operators whose results are places, or whole numbers: a last bit of their data decides them.
DECIDES = frozenset({"ArgMax", "ArgMin", "Cast", "Ceil", "Floor", "Round", "TopK"})
#: By bytes of an element: of sums in another order.
ROUNDING = {2: 1e-2, 4: 1e-5, 8: 1e-13}
#: Different each time.
RANDOM = {
    "RandomNormal",
    "RandomNormalLike",
    "RandomUniform",
    "RandomUniformLike",
    "Bernoulli",
    "Multinomial",
    "Dropout",
}


def changed_results(sample: Sample, rng: random.Random) -> Iterator[Disagreement]:
    model = sample.model
    if any(node.op_type in RANDOM for node in nodes_within(model.graph)):
        return
    before = _computed(model, sample)
    if not before:
        return
    yield from _compared("simplify", trtcheck.simplify(model).model, sample, before)
    made = trtcheck.annotate_shapes(model).model
    yield from _compared("annotate_shapes", made, sample, before)
    # A body may declare what ONNX Runtime alone makes of an empty tensor.
    known = {message for _, message in trtcheck.infer_shapes(model).mismatches}
    for value, message in trtcheck.infer_shapes(made).mismatches:
        if message not in known:
            yield Disagreement("annotate_shapes", value.name, message)
    yield from _extracted(sample, rng)


def _computed(model: ModelProto, sample: Sample) -> list[tuple[Sizes, list[Array]]]:
    """At all points where ONNX Runtime runs the model as a whole; a size with a name is at least 1."""
    try:
        loaded = session(model)
    except Exception:  # it raises what it likes
        return []
    made = []
    runner = Runner(sample.opset)
    shapes = trtcheck.infer_shapes(model)
    for sizes in sample.points:
        if not all(sizes.values()):
            continue
        feed = feed_at(sample, sizes)
        done = runner.run(model, feed)
        if done.refused or any(value.name not in done.values for value in model.graph.output):
            continue  # or sizes are made up
        if Look(sample, model, runner, done, sizes).found_beyond(shapes, sizes):
            continue
        try:
            found = loaded.run(None, {given.name: feed[given.name] for given in loaded.get_inputs()})
        except Exception:
            continue
        made.append((sizes, found))
    return made


def _compared(
    what: str, after: ModelProto, sample: Sample, before: list[tuple[Sizes, list[Array]]]
) -> Iterator[Disagreement]:
    try:
        loaded = session(after)
    except Exception as error:
        # What was computed before is a constant now, and a node may not take it: nor would it have run.
        if _is_believed(str(error)) and not any(_is_forbidden_at(sample, sizes) for sizes, _ in before):
            yield Disagreement(what, "model", f"does not load: {error}")
        return
    for sizes, expected in before:
        feed = feed_at(sample, sizes)
        try:
            found = loaded.run(None, {given.name: feed[given.name] for given in loaded.get_inputs()})
        except Exception as error:
            # Of a window that ceil_mode leaves out onnx has a size of its own, by which ONNX Runtime shares memory. The
            # largest of no elements has a shape of its own there, if a body computes it.
            if any(words in str(error) for words in ("re-use buffer", "pre-allocated output OrtValues")):
                continue
            yield Disagreement(what, "model", f"{sizes}: does not run: {error}")
            return
        for value, old, new in zip(sample.model.graph.output, expected, found, strict=True):
            if is_same(old, new) or (_decides_by_half(sample.model) and _is_whole(old, new)):
                continue
            if not _adds_nothing_up(sample, sizes):
                yield Disagreement(what, "model", f"{sizes}: `{value.name}` is another one")
                return


def _decides_by_half(model: ModelProto) -> bool:
    """Rounds FLOAT16, or looks for its largest: ONNX Runtime computes in FLOAT, and rounds in between as it likes."""
    nodes = list(nodes_within(model.graph))
    types = {tensor.data_type for tensor in model.graph.initializer}
    types |= {value.type.tensor_type.elem_type for value in model.graph.input}
    types |= {one.i for node in nodes if node.op_type == "Cast" for one in node.attribute if one.name == "to"}
    return TensorProto.FLOAT16 in types and any(node.op_type in DECIDES for node in nodes)


def _is_whole(old: Any, new: Any) -> bool:
    a, b = np.asarray(old), np.asarray(new)
    return a.dtype == b.dtype and a.dtype.kind in "iu" and a.shape == b.shape


def _is_believed(error: str) -> bool:
    """Where more shapes are known, onnx propagates more data, and concludes what is wrong (the Shape of a tensor of
    unknown rank has no elements, sizes of 0 do not broadcast). That shapes contradict each other is believed."""
    return "ShapeInferenceError" not in error or any(word in error for word in ("merge", "mismatch", "differ"))


def _is_forbidden_at(sample: Sample, sizes: Sizes) -> bool:
    values = Runner(sample.opset).run(sample.model, feed_at(sample, sizes)).values
    return any(
        is_forbidden(node, {name: values[name] for name in names_read(node)}, sample.opset)
        for node in sample.model.graph.node
    )


def _adds_nothing_up(sample: Sample, sizes: Sizes) -> bool:
    """A product of integers over no elements: ONNX Runtime leaves in the result what the memory held before."""
    values = Runner(sample.opset).run(sample.model, feed_at(sample, sizes)).values
    products = [node for node in nodes_within(sample.model.graph) if node.op_type == "MatMulInteger"]
    return any(name in values and not np.size(values[name]) for node in products for name in node.input)


def is_same(old: Any, new: Any) -> bool:
    if isinstance(old, list):
        return len(old) == len(new) and all(map(is_same, old, new))
    a, b = np.asarray(old), np.asarray(new)
    if a.dtype != b.dtype or a.shape != b.shape or a.dtype.kind != "f":
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    # ONNX Runtime packs operands of products that are constants, and sums in another order then.
    rounding = ROUNDING[a.dtype.itemsize]
    largest = np.max(np.abs(a), where=np.isfinite(a), initial=0)
    with np.errstate(all="ignore"):
        return bool(np.allclose(a, b, rtol=rounding, atol=rounding * float(largest), equal_nan=True))


def _extracted(sample: Sample, rng: random.Random) -> Iterator[Disagreement]:
    """Some value, of the inputs and of a value on the way to it."""
    done = Runner(sample.opset).run(sample.model, feed_at(sample, sample.points[0]))
    made = [name for node in sample.model.graph.node for name in node.output if _is_array(done.values, name)]
    if not made:
        return
    output = rng.choice(made)
    try:
        part = trtcheck.extract(sample.model, outputs=[output]).model
    except trtcheck.Error as error:
        # Nothing tells the type of an output, and the part could not declare it.
        if "the element type of" in str(error):
            return
        raise
    feed = {value.name: done.values[value.name] for value in part.graph.input}
    found = Runner(sample.opset).run(part, feed).values.get(output)
    if found is None or not is_same(found, done.values[output]):
        yield Disagreement("extract", "model", f"`{output}` is another one")


def _is_array(values: Mapping[str, Any], name: str) -> bool:
    return isinstance(values.get(name), np.ndarray)
