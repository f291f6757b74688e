"""If, Loop and Scan in a draft, and Q/DQ around its layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from draft import Draft, RejectedError, Value, declared, names_read, of_rank
from draft_layers import a_float, binary, conv, gemm, matmul, pool, unary, weights
from draft_lists import FLOATS, PLAIN, SIZES, Layer
from draft_sizes import constant, scalar
from onnx import AttributeProto, GraphProto, TensorProto, helper

TRIES = 4


def grow(draft: Draft, layers: Sequence[Layer], count: int) -> int:
    """Adds so many; those that cannot be added are given up. Returns how many there are."""
    done = 0
    for _ in range(TRIES * count):
        if done == count:
            break
        kept = len(draft.nodes), len(draft.pool), len(draft.initializers), len(draft.inputs)
        try:
            draft.rng.choice(layers)(draft)
            done += 1
        except (RejectedError, IndexError, ValueError, OverflowError):
            lists: tuple[list[Any], ...] = (draft.nodes, draft.pool, draft.initializers, draft.inputs)
            for values, size in zip(lists, kept, strict=True):
                del values[size:]
    return done


def inside(draft: Draft, inputs: Sequence[Value] = ()) -> Draft:
    body = Draft(draft.rng, draft.opset, draft.name("b") + "_", draft.folding, (*draft.outer, *draft.pool[-5:]))
    body.pool += inputs
    return body


def captured(draft: Draft, graphs: Sequence[GraphProto]) -> list[Value]:
    node = helper.make_node("If", [], [])
    node.attribute.extend(AttributeProto(name="g", type=AttributeProto.GRAPH, g=graph) for graph in graphs)
    wanted = set(names_read(node))
    known = {value.name: value for value in draft.visible()}
    if not wanted <= known.keys():
        raise RejectedError("reads what it cannot")
    return [known[name] for name in sorted(wanted)]


def _condition(draft: Draft) -> Value:
    rng = draft.rng
    form = rng.choice(["input", "input", "constant", "data", "size", "folded", "element"])
    if form == "input":
        if any(value.name.startswith("b") for value, _ in draft.inputs):
            return next(value for value, _ in draft.inputs if value.name.startswith("b"))
        if draft.prefix:
            raise RejectedError("no input in a body")
        value = draft.input([], np.bool_)
        return value
    if form == "constant":
        return constant(draft, rng.choice([True, False]), np.bool_)
    if form == "folded":
        return draft.add("Not", constant(draft, rng.choice([True, False]), np.bool_), keep=False)
    value = a_float(draft)
    if form == "size":
        return draft.add("Equal", scalar(draft, value.shape[0]), constant(draft, 3, np.int64), keep=False)
    total = draft.add("ReduceMax", value, keep=False, keepdims=0)
    made = draft.add("Greater", total, constant(draft, 0.5, value.dtype), keep=False)
    return draft.add("Reshape", made, constant(draft, [1], np.int64), keep=False) if form == "element" else made


def branch(draft: Draft) -> None:
    """If: mostly of equal sizes, as a model that TensorRT accepts has it."""
    rng = draft.rng
    condition = _condition(draft)
    value = a_float(draft)
    graphs, made = [], []
    style = rng.choice(["same", "same", "layers", "layers", "free", "passed"])
    for at in range(2):
        body = inside(draft)
        if style == "passed" and at:
            result = body.add("Identity", value)
        elif style == "same":
            result = body.add(rng.choice(["Relu", "Abs", "Neg", "Sigmoid"]), value)
            grow(body, (unary, _same), rng.randint(0, 2))
            result = body.pool[-1]
        else:
            body.add("Relu", value)
            grow(body, PLAIN if style == "layers" else (*PLAIN, *SIZES), rng.randint(1, 3))
            result = body.pool[-1]
        made.append(result)
        graphs.append(body.graph([result], body.prefix + "g", []))
    if made[0].dtype != made[1].dtype:
        raise RejectedError("types differ")
    name = draft.name("If")
    node = helper.make_node(
        "If", [condition.name], [f"{name}_0"], name=name, then_branch=graphs[0], else_branch=graphs[1]
    )
    draft.put(node, [*{v.name: v for v in [condition, *captured(draft, graphs)]}.values()])


def _same(draft: Draft) -> None:
    value = a_float(draft)
    draft.add(draft.rng.choice(["Add", "Mul", "Max"]), value, constant(draft, np.ones(value.shape[-1:]), value.dtype))


def _trips(draft: Draft) -> Value:
    form = draft.rng.choice(["constant", "constant", "size", "input"])
    if form == "size":
        value = draft.pick(lambda v: v.rank > 0 and not v.is_constant)
        return scalar(draft, value.shape[0])
    if form == "input" and not draft.prefix:
        value = draft.input([], np.int64)
        return value
    return constant(draft, draft.rng.choice([1, 2, 3]), np.int64)


def loop(draft: Draft) -> None:
    rng = draft.rng
    trips, first = _trips(draft), a_float(draft)
    flag = constant(draft, True, np.bool_)
    prefix = draft.name("i")
    turn = Value(f"{prefix}_i", np.asarray(0, np.int64))
    go = Value(f"{prefix}_c", np.asarray(True))
    carried = Value(f"{prefix}_v", first.array)
    body = inside(draft, [carried])
    if rng.random() < 0.5:
        body.pool.append(turn)
    grow(body, rng.choice([PLAIN, (unary, _same, binary), (*PLAIN, *SIZES), FLOATS]), rng.randint(1, 4))
    found = [v for v in body.pool if v.dtype == first.dtype and v.rank == first.rank and v is not carried]
    same = [v for v in found if v.shape == first.shape]
    result = (same or found)[-1] if same or found else body.add("Relu", carried)
    on = body.add("Identity", go, keep=False)
    outputs = [on, result]
    if rng.random() < 0.5:
        outputs.append(body.add("Identity", rng.choice(body.pool)))
    inputs = [declared(turn, []), declared(go, []), of_rank(carried)]
    graph = body.graph(outputs, body.prefix + "g", inputs)
    name = draft.name("Loop")
    node = helper.make_node(
        "Loop",
        [trips.name, flag.name, first.name],
        [f"{name}_{n}" for n in range(len(outputs) - 1)],
        name=name,
        body=graph,
    )
    read = {value.name: value for value in [trips, flag, first, *captured(draft, [graph])]}
    draft.put(node, [*read.values()])


def scan(draft: Draft) -> None:
    data = draft.pick(lambda v: v.is_float and v.rank > 1 and v.shape[0] > 0)
    prefix = draft.name("s")
    state = Value(f"{prefix}_h", np.zeros(data.shape[1:], data.dtype))
    part = Value(f"{prefix}_x", data.array[0])
    first = draft.add("ReduceSum", data, constant(draft, [0], np.int64), keep=False, keepdims=0)
    body = inside(draft, [state, part])
    body.add("Add", state, part)
    grow(body, (unary, _same, binary), draft.rng.randint(0, 2))
    same = [value for value in body.pool if value.shape == state.shape and value.dtype == state.dtype]
    outputs = [same[-1], body.add("Identity", draft.rng.choice(body.pool))]
    graph = body.graph(outputs, body.prefix + "g", [of_rank(state), of_rank(part)])
    name = draft.name("Scan")
    node = helper.make_node(
        "Scan", [first.name, data.name], [f"{name}_0", f"{name}_1"], name=name, body=graph, num_scan_inputs=1
    )
    read = {value.name: value for value in [first, data, *captured(draft, [graph])]}
    draft.put(node, [*read.values()])


BODIES: tuple[Layer, ...] = (branch, branch, loop, loop, scan)

# Q/DQ: the codes between the two are not in the pool, only what comes out.
CODES = {
    "int8": TensorProto.INT8,
    "uint8": TensorProto.UINT8,
    "fp8": TensorProto.FLOAT8E4M3FN,
    "int16": TensorProto.INT16,
}


def _codes(draft: Draft) -> str:
    kinds = (
        ["int8"] * 10
        + ["uint8"] * 2
        + (["fp8"] * 3 if draft.opset >= 19 else [])
        + (["int16"] if draft.opset >= 21 else [])
    )
    return draft.rng.choice(kinds)


def _zero(draft: Draft, kind: str, shape: Sequence[int]) -> Value | None:
    rng = draft.rng
    if kind == "fp8" or (kind == "int8" and rng.random() < 0.9):
        number = 0
    else:
        number = rng.choice([0, 128]) if kind == "uint8" else rng.choice([0, 0, 3])
    name = draft.name("z")
    tensor = helper.make_tensor(name, CODES[kind], shape, [number] * int(np.prod(shape)))
    if kind == "fp8":
        tensor = helper.make_tensor(name, CODES[kind], shape, bytes(int(np.prod(shape))), raw=True)
    draft.initializers.append(tensor)
    return Value(name, np.zeros(shape, np.int8))


def quantized(draft: Draft, value: Value) -> Value:
    """Q and DQ behind a value."""
    rng = draft.rng
    kind = _codes(draft)
    axis = 1 if value.rank > 1 and rng.random() < 0.07 else None
    sizes = [] if axis is None and rng.random() < 0.9 else [value.shape[axis] if axis is not None else 1]
    scale = constant(draft, np.full(sizes, rng.choice([0.05, 0.1, 1.0])), value.dtype)
    return _pair(draft, value, scale, _zero(draft, kind, sizes), axis)


def _pair(draft: Draft, value: Value, scale: Value, zero: Value | None, axis: int | None) -> Value:
    """ONNX Runtime has no arrays of all codes, so the values stay as they are."""
    words: dict[str, Any] = {} if axis is None else {"axis": axis}
    q, dq = draft.name("QuantizeLinear"), draft.name("DequantizeLinear")
    parameters = [scale.name, *([zero.name] if zero else [])]
    draft.nodes.append(helper.make_node("QuantizeLinear", [value.name, *parameters], [f"{q}_0"], name=q, **words))
    draft.nodes.append(helper.make_node("DequantizeLinear", [f"{q}_0", *parameters], [f"{dq}_0"], name=dq, **words))
    made = Value(f"{dq}_0", value.array)
    draft.pool.append(made)
    return made


def quantized_weights(draft: Draft, sizes: Sequence[int], axis: int) -> Value:
    rng = draft.rng
    form = rng.choice(["codes", "codes", "pair", "one scale", "one scale", "float"])
    if form == "float":
        return weights(draft, list(sizes), np.float32)
    one_scale = form == "one scale"
    scales = [] if one_scale else [sizes[axis]]
    scale = constant(draft, np.full(scales, 0.02), np.float32)
    words = {} if one_scale else {"axis": axis}
    if form == "pair":
        value = draft.initializer(draft.random(sizes))
        return _pair(draft, value, scale, _zero(draft, "int8", scales), None if one_scale else axis)
    codes = (
        constant(draft, draft.numbers.integers(-100, 100, sizes), np.int8)
        if rng.random() < 0.1
        else draft.initializer(draft.numbers.integers(-100, 100, sizes), np.int8)
    )
    zero = _zero(draft, "int8", scales) if rng.random() < 0.7 else None
    return draft.add("DequantizeLinear", codes, scale, zero, keep=False, **words)


def _quantized_conv(draft: Draft) -> None:
    value = quantized(draft, a_float(draft, (4,)))
    group = draft.rng.choice([1, 1, 1, value.shape[1]])
    kernel, op = draft.rng.choice([(1, "Conv"), (3, "Conv"), (3, "Conv"), (2, "ConvTranspose")])
    out = 4 * group if group > 1 else draft.rng.choice([4, 8])
    sizes = [out, value.shape[1] // group, kernel, kernel]
    if op == "ConvTranspose":
        sizes = [value.shape[1], 4, kernel, kernel]
    weight = quantized_weights(draft, sizes, 0 if op == "Conv" else 1)
    outs = out if op == "Conv" else 4 * group
    bias = constant(draft, draft.random([outs]), np.float32) if draft.chance(0.6) else None
    words: dict[str, Any] = {"pads": [kernel // 2] * 4} if op == "Conv" else {"strides": [2, 2]}
    if op == "ConvTranspose" and group > 1:
        weight = quantized_weights(draft, sizes, 0)
    draft.add(op, value, weight, bias, group=group, **words)


def _quantized_product(draft: Draft) -> None:
    value = quantized(draft, a_float(draft, (2, 3, 4)))
    if value.rank == 2 and draft.chance(0.5):
        draft.add(
            "Gemm",
            value,
            quantized_weights(draft, [8, value.shape[1]], 0),
            constant(draft, draft.random([8]), np.float32),
            transB=1,
        )
    elif value.rank > 2 and draft.chance(0.3):
        perm = [*range(value.rank - 2), value.rank - 1, value.rank - 2]
        other = quantized(draft, draft.add("Transpose", a_float(draft, (value.rank,)), perm=perm))
        draft.add("MatMul", value, other)
    else:
        draft.add("MatMul", value, quantized_weights(draft, [value.shape[-1], 8], 1))


def _quantized_residual(draft: Draft) -> None:
    value = a_float(draft)
    others = [v for v in draft.visible() if v.is_float and v.shape == value.shape and v is not value]
    other = draft.rng.choice(others) if others else draft.add("Relu", value)
    if draft.chance(0.8):
        value = quantized(draft, value)
    draft.add("Add", value, quantized(draft, other) if draft.chance(0.7) else other)


def _quantized_any(draft: Draft) -> None:
    quantized(draft, a_float(draft))
    draft.rng.choice([unary, pool, *PLAIN, *SIZES])(draft)


def _quantized_constant(draft: Draft) -> None:
    """A constant operand in codes."""
    value = a_float(draft)
    sizes = draft.rng.choice([[], [1], list(value.shape[-1:])])
    codes = draft.initializer(draft.numbers.integers(-100, 100, sizes), np.int8)
    scale = draft.initializer(0.02, np.float32)
    operand = draft.add("DequantizeLinear", codes, scale, keep=False)
    draft.add(draft.rng.choice(["Add", "Mul"]), quantized(draft, value) if draft.chance(0.5) else value, operand)


QUANTIZED: tuple[Layer, ...] = (
    _quantized_conv, _quantized_conv, _quantized_conv, _quantized_product, _quantized_product, _quantized_residual,
    _quantized_residual, _quantized_any, _quantized_any, _quantized_constant, unary, pool, conv, matmul, gemm,
)  # fmt: skip
