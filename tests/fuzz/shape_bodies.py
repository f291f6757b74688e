"""If, Loop and Scan whose shapes change, and whose conditions and trips may be computed."""

from __future__ import annotations

from typing import Any

import numpy as np
from draft import Draft, RejectedError, Value, declared, of_rank
from draft_bodies import captured, grow, inside
from draft_lists import PLAIN, Layer
from draft_sizes import constant
from onnx import helper
from shape_layers import any_pair, number
from shape_numbers import NUMBERS, condition, ints, scalar
from shape_readers import READERS


def counted(draft: Draft) -> None:
    """A Loop over what grows, shrinks or stays; whose trips may be computed."""
    rng = draft.rng
    first = draft.pick(lambda v: v.rank > 0 and v.dtype.kind in "fi" and v.array.size < 500)
    trips = scalar(draft) if draft.chance(0.5) else ints(draft, rng.choice([0, 1, 2, 3]))
    flag = rng.choice([None, ints(draft, True, np.bool_), ints(draft, False, np.bool_) if draft.chance(0.3) else None])
    prefix = draft.name("l")
    turn, go = Value(f"{prefix}_i", np.asarray(0, np.int64)), Value(f"{prefix}_c", np.asarray(True))
    carried = Value(f"{prefix}_v", first.array)
    body = inside(draft, [carried, turn])
    form = rng.choice(["grow", "grow", "shrink", "same", "layers", "expand", "rank", "reset", "numbers"])
    if form == "grow":
        axis = rng.randrange(-first.rank, first.rank)
        parts = [carried, rng.choice([carried, first])]
        result = body.add("Concat", *parts, axis=axis)
    elif form == "shrink":
        result = body.add(
            "Slice",
            carried,
            constant(body, [rng.choice([0, 1])], np.int64),
            constant(body, [rng.choice([-1, 2, 1000])], np.int64),
        )
    elif form == "expand":
        result = (
            body.add("Unsqueeze", carried, constant(body, [0], np.int64))
            if draft.opset >= 13
            else body.add("Identity", carried)
        )
    elif form == "rank":
        result = body.add("Reshape", carried, constant(body, [-1], np.int64))
    elif form == "reset":
        result = body.add("Identity", first)
    elif form == "numbers":
        grow(body, NUMBERS, rng.randint(1, 4))
        same = [v for v in body.pool if v.dtype == first.dtype]
        result = same[-1]
    else:
        grow(body, PLAIN if form == "layers" else (any_pair,), rng.randint(1, 3))
        result = [v for v in body.pool if v.dtype == first.dtype][-1]
    on = body.add("Identity", go, keep=False)
    if draft.chance(0.2):
        on = body.add("Less", turn, constant(body, rng.choice([0, 1, 2]), np.int64), keep=False)
    outputs = [on, result if result is not carried else body.add("Identity", carried)]
    if draft.chance(0.6):
        outputs.append(body.add("Identity", rng.choice(body.pool)))
    inputs = [declared(turn, []), declared(go, []), _undeclared(carried)]
    graph = body.graph(outputs, body.prefix + "g", inputs)
    for value in graph.output:
        value.type.tensor_type.ClearField("shape")
    name = draft.name("Loop")
    given = [trips if rng.random() < 0.9 else None, flag, first]
    if given[0] is None and not on.name.startswith("Less"):
        given[0] = trips
    node = helper.make_node(
        "Loop",
        [v.name if v else "" for v in given],
        [f"{name}_{n}" for n in range(len(outputs) - 1)],
        name=name,
        body=graph,
    )
    read = {value.name: value for value in [*filter(None, given), *captured(draft, [graph])]}
    draft.put(node, [*read.values()])


def _undeclared(value: Value) -> Any:
    made = of_rank(value)
    made.type.tensor_type.ClearField("shape")
    return made


def decided(draft: Draft) -> None:
    """An If whose branches differ, and whose condition may be known."""
    rng = draft.rng
    test = condition(draft, scalar(draft))
    if test.array.size != 1:
        raise RejectedError("many")
    value = draft.pick(lambda v: v.dtype.kind in "fi" and v.array.size < 1000)
    graphs, made = [], []
    for _ in range(2):
        body = inside(draft)
        body.add("Identity", value)
        grow(body, rng.choice([PLAIN, READERS, NUMBERS]), rng.randint(0, 3))
        result = [v for v in body.pool if v.dtype == value.dtype][-1]
        graph = body.graph([result], body.prefix + "g", [])
        graph.output[0].type.tensor_type.ClearField("shape")
        graphs.append(graph)
        made.append(result)
    name = draft.name("If")
    node = helper.make_node("If", [test.name], [f"{name}_0"], name=name, then_branch=graphs[0], else_branch=graphs[1])
    draft.put(node, [*{v.name: v for v in [test, *captured(draft, graphs)]}.values()])


def scanned(draft: Draft) -> None:
    """A Scan along any axes, either way."""
    rng = draft.rng
    data = draft.pick(lambda v: v.is_float and v.rank > 1 and v.array.size > 0)
    axis = rng.randrange(-data.rank, data.rank)
    prefix = draft.name("s")
    part = Value(f"{prefix}_x", np.take(data.array, 0, axis))
    state = Value(f"{prefix}_h", np.zeros([3], np.float32))
    first = number(draft, [1.0, 2.0, 3.0])
    body = inside(draft, [part])
    grow(body, PLAIN, rng.randint(0, 2))
    made = rng.choice([v for v in body.pool if v.is_float])
    out = body.add("Identity", made)
    outputs = [body.add("Identity", state), out]
    graph = body.graph(outputs, body.prefix + "g", [of_rank(state), of_rank(part)])
    for value in [*graph.output, *graph.input]:
        if draft.chance(0.5):
            value.type.tensor_type.ClearField("shape")
    name = draft.name("Scan")
    words: dict[str, Any] = {"scan_input_axes": [axis], "scan_input_directions": [rng.choice([0, 1])]}
    if draft.chance(0.5):
        words["scan_output_axes"] = [rng.randint(-out.rank - 1, out.rank)]
    node = helper.make_node(
        "Scan", [first.name, data.name], [f"{name}_0", f"{name}_1"], name=name, body=graph, num_scan_inputs=1, **words
    )
    read = {value.name: value for value in [first, data, *captured(draft, [graph])]}
    draft.put(node, [*read.values()])


BODIES: tuple[Layer, ...] = (counted, counted, decided, scanned)
