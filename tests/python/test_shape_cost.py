"""What shape inference costs: it follows the number of nodes, however long sizes are computed on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import pytest

import trtcheck

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

from bomb_models import Y, constant, graph, number_of, op
from decoder_graph import HEADS, KV_HEADS, SIZE, Decoder
from models import value_info

Step = Callable[[str, str, int], bytes]

#: Chains of sizes, each entry computed of the one before.
STEPS: dict[str, Step] = {
    "sums": lambda a, b, i: op("Add", [a, f"s{i % 5}"], [b]),
    "differences": lambda a, b, i: op("Sub" if i % 2 else "Add", [a, f"s{i % 4}"], [b]),
    "products": lambda a, b, i: op("Mul", [a, f"s{i % 5}"], [b]),
    "quotients": lambda a, b, i: op("Div" if i % 2 else "Add", [a, "s1" if i % 4 else "s2"], [b]),
    "remainders": lambda a, b, i: op("Mod" if i % 2 else "Add", [a, "s1" if i % 4 else "s2"], [b]),
    "extremes": lambda a, b, i: op(("Max", "Min", "Add")[i % 3], [a, f"s{i % 5}"], [b]),
    "choices": lambda a, b, i: op("Where", ["less", a, f"s{i % 5}"], [b]) if i % 2 else op("Add", [a, "s1"], [b]),
    "rows": lambda a, b, i: (
        op("Concat", [a, f"s{i % 5}"], [f"{b}_"], number_of("axis", 0))
        + op("Gather", [f"{b}_", "i1" if i % 3 else "i0"], [b], number_of("axis", 0))
    ),
}


def chained(step: Step, count: int) -> bytes:
    inputs = value_info(11, "x", ["A", "B", "C", "D", "E"])
    sizes = b"".join(constant(f"i{i}", [i]) + op("Gather", ["s", f"i{i}"], [f"s{i}"]) for i in range(5))
    sizes += op("Less", ["s0", "s1"], ["less"])
    names = ["s0", *(f"v{i}" for i in range(count))]
    nodes = b"".join(step(names[i], names[i + 1], i) for i in range(count))
    return b"".join(graph(inputs, op("Shape", ["x"], ["s"]), sizes, nodes, op("Reshape", ["x", names[-1]], ["y"]), Y))


def seconds(model: object, times: int = 3) -> float:
    """Of the processor; the best of some."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        trtcheck.infer_shapes(model)
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.parametrize("name", STEPS)
def test_time_follows_the_length_of_a_chain(name: str) -> None:
    short, long = (chained(STEPS[name], count) for count in (20_000, 100_000))
    # Five times as many.
    assert seconds(long, 1) < 9 * max(seconds(short), 0.01)


def decoder() -> onnx.ModelProto:
    return Decoder(20).model()


def test_a_decoder_is_known_in_all_its_sizes() -> None:
    model = decoder()
    assert len(model.graph.node) > 1700
    shapes = trtcheck.infer_shapes(model)
    unknown = [f"{name}: {shape}" for name, shape in shapes.items() if shape.dims is None or "?" in str(shape)]
    assert not unknown
    assert not shapes.conflicts
    assert str(shapes[model.graph.output[0].name]) == f"FLOAT[batch,{KV_HEADS},past + sequence,{SIZE}]"


def test_a_decoder_runs_with_the_sizes_that_are_stated() -> None:
    model = Decoder(1).model()
    values = [(name, shape) for name, shape in trtcheck.infer_shapes(model).items()]
    for name, _ in values:
        if name not in {value.name for value in [*model.graph.input, *model.graph.output]}:
            model.graph.output.append(onnx.ValueInfoProto(name=name))
    sizes = {"batch": 3, "sequence": 2, "past": 5}
    past = np.zeros((3, KV_HEADS, 5, SIZE), np.float32)
    feeds = {"input_ids": np.ones((3, 2), np.int64), "attention_mask": np.ones((3, 7), np.int64)}
    feeds |= {"past.0.key": past, "past.0.value": past}
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    made = dict(zip([value.name for value in session.get_outputs()], session.run(None, feeds), strict=True))
    assert len(made) > 100 and HEADS > KV_HEADS
    for name, shape in values:
        if name in made:
            assert [d if isinstance(d, int) else d.evaluate(sizes) for d in shape.dims] == list(made[name].shape), name


def test_a_decoder_costs_less_than_onnx_needs_for_it() -> None:
    model = decoder()
    content = model.SerializeToString()
    start = time.process_time()
    onnx.shape_inference.infer_shapes(content, data_prop=True)
    theirs = time.process_time() - start
    assert seconds(content) < theirs / 2
