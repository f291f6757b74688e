"""What the floor `fold` computes from constants is what onnx and ONNX Runtime compute, or nothing.

Node tests of onnx with their inputs as constants, and random graphs of up to eight nodes. What IEEE 754 defines is
compared bit for bit with ONNX Runtime, the rest within a few units in the last place.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import pytest
from folding import Folded, Graph, evaluated, fold, old_cases, random_graph, with_constants
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from test_onnx_node_cases import cases

SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))
GRAPHS = int(os.environ.get("TRTCHECK_FOLD_GRAPHS", "400"))

#: Why a node test of a listed operator has no value here, by the words of the reason. All of them are counted below.
HONEST = (
    "is of type STRING",
    "is not evaluated",
    "cannot be read",
    "is in training mode",
    "is not read",
    "does not define",
    "has no NaN",
    "does not fit into",
    "is an input",
)


@dataclass
class Tally:
    equal: int = 0
    exact: int = 0
    none: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def plain(array: np.ndarray) -> np.ndarray:
    """Types that NumPy lacks as FLOAT, all of whose numbers FLOAT has."""
    return array if array.dtype.kind in "biuf" else array.astype(np.float32)


def differs(found: Folded, wanted: np.ndarray, rtol: float = 1e-5, atol: float = 1e-6) -> str:
    """What is not equal; "" when all is."""
    made = found.array()
    if made.dtype != wanted.dtype or made.shape != wanted.shape:
        return f"{made.dtype}{made.shape} instead of {wanted.dtype}{wanted.shape}"
    if rtol and wanted.dtype.name in ("float16", "bfloat16"):
        rtol, atol = 2e-3 if wanted.dtype == np.float16 else 1.6e-2, max(atol, 1e-3)
    a, b = plain(made), plain(wanted)
    if a.dtype.kind != "f":
        return "" if np.array_equal(a, b) else f"{a.ravel()[:8]} instead of {b.ravel()[:8]}"
    with np.errstate(all="ignore"):
        close = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
    return "" if close.all() else f"{a[~close].ravel()[:4]} instead of {b[~close].ravel()[:4]}"


def operators(model: onnx.ModelProto) -> set[str]:
    return {node.op_type for node in model.graph.node}


def compare_case(name: str, model: onnx.ModelProto, wanted: list[TensorProto | None], tally: Tally) -> None:
    if any(node.domain for node in model.graph.node) or not operators(model) <= evaluated():
        return
    found = fold(model)
    for value, tensor in zip(model.graph.output, wanted, strict=False):
        made = found[value.name]
        if isinstance(made, str):
            tally.none[f"{name}: {made}"] += 1
        elif tensor is not None and (difference := differs(made, numpy_helper.to_array(tensor), rtol=1e-4)):
            tally.wrong.append(f"{name}: {difference}")
        else:
            tally.equal += tensor is not None


def check(tally: Tally, at_least: int) -> None:
    print(f"equal {tally.equal}, none {sum(tally.none.values())}, wrong {len(tally.wrong)}")
    assert not tally.wrong, "\n".join(tally.wrong)
    assert tally.equal > at_least
    strange = [reason for reason in tally.none if not any(words in reason for words in HONEST)]
    assert not strange, "\n".join(strange)
    assert sum(tally.none.values()) < 0.05 * tally.equal, "\n".join(tally.none)


def test_node_cases_of_onnx() -> None:
    tally = Tally()
    for case in cases():
        inputs = [value for value in case.inputs[: len(case.model.graph.input)] if value is not None]
        if len(inputs) == min(len(case.inputs), len(case.model.graph.input)):
            compare_case(case.name, with_constants(case.model, inputs), case.outputs, tally)
    check(tally, 1300)


def test_node_cases_of_an_old_onnx() -> None:
    tally = Tally()
    for name, model, wanted in old_cases():
        compare_case(name, model, list(wanted), tally)
    check(tally, 600)


@dataclass(frozen=True)
class Computed:
    values: list[np.ndarray]
    by_runtime: bool


def run(model: onnx.ModelProto, asks_runtime: bool = True) -> Computed | None:
    """By ONNX Runtime, or by onnx's reference where ONNX Runtime has no kernel; None where both refuse."""
    if asks_runtime:
        computed = run_in_runtime(model)
        if computed is not None:
            return computed
    try:
        with np.errstate(all="ignore"):
            return Computed([np.asarray(value) for value in ReferenceEvaluator(model).run(None, {})], False)
    except Exception:
        return None


def run_in_runtime(model: onnx.ModelProto) -> Computed | None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    content = model.SerializeToString()
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        return Computed(session.run(None, {}), True)
    except Exception:
        return None


def tolerance(node: onnx.NodeProto, inputs: list[np.ndarray], is_exact: bool) -> dict[str, float]:
    """Sums are as near as their largest addend allows."""
    if is_exact:
        return {"rtol": 0, "atol": 0}
    finite = [np.abs(plain(value)[np.isfinite(plain(value))]).astype(np.float64) for value in inputs]
    largest = max([1.0, *(float(value.max()) for value in finite if value.size)])
    multiplies = node.op_type in ("MatMul", "Gemm", "ReduceSumSquare")
    return {"rtol": 1e-5, "atol": 1e-5 * (largest * largest if multiplies else largest)}


def rounds_integers(node: onnx.NodeProto, values: dict[str, np.ndarray]) -> bool:
    """ONNX Runtime goes by way of DOUBLE, which does not hold all of INT64."""
    goes_by_double = node.op_type in ("Pow", "Mod") or node.op_type.startswith("Reduce")
    return goes_by_double and any(v.dtype == np.int64 and np.any(abs(v.astype(float)) > 2**50) for v in values.values())


def keeps_empty_shape(node: onnx.NodeProto, values: dict[str, np.ndarray]) -> bool:
    """ONNX Runtime's ArgMax of (2, 0, 1) over the first axis is (2, 0, 1) and not (1, 0, 1)."""
    return node.op_type in ("ArgMax", "ArgMin") and any(value.size == 0 for value in values.values())


def compare_node(graph: Graph, node: onnx.NodeProto, found: dict[str, Folded | str], tally: Tally) -> None:
    """One node, with the inputs that `fold` computed for it: small differences do not add up."""
    values = {name: made.array() for name in node.input if isinstance(made := found.get(name), Folded)}
    made = [found[name] for name in node.output]
    missing = [value for value in made if isinstance(value, str)]
    if missing:
        tally.none[missing[0]] += 1
        return
    computed = None
    if not rounds_integers(node, values):
        computed = run(graph.model_of([node], values), not keeps_empty_shape(node, values))
    if computed is None:
        tally.none["nobody runs it"] += 1
        return
    is_exact = computed.by_runtime and node.output[0] in graph.exact
    for value, wanted in zip(made, computed.values, strict=True):
        assert isinstance(value, Folded)
        difference = differs(value, wanted, **tolerance(node, list(values.values()), is_exact))
        if difference:
            tally.wrong.append(f"{difference}\n{onnx.printer.to_text(node)}\n{list(values.values())}")
            return
    tally.equal += 1
    tally.exact += is_exact


def test_random_graphs() -> None:
    print(f"TRTCHECK_SEED={SEED}")
    rng = random.Random(SEED)
    tally = Tally()
    for _ in range(GRAPHS):
        graph = random_graph(rng)
        found = fold(graph.model)
        for node in graph.nodes:
            compare_node(graph, node, found, tally)
    print(f"equal {tally.equal}, bit for bit {tally.exact}, none {sum(tally.none.values())}")
    assert not tally.wrong, f"TRTCHECK_SEED={SEED}\n" + "\n".join(tally.wrong[:5])
    assert tally.exact > 0.3 * tally.equal
    assert sum(tally.none.values()) < 0.12 * tally.equal, tally.none


#: Functions of one FLOAT, and what NumPy computes in double.
FUNCTIONS = {
    "Exp": np.exp,
    "Log": np.log,
    "Sqrt": np.sqrt,
    "Sin": np.sin,
    "Cos": np.cos,
    "Tan": np.tan,
    "Asin": np.arcsin,
    "Acos": np.arccos,
    "Atan": np.arctan,
    "Sinh": np.sinh,
    "Cosh": np.cosh,
    "Tanh": np.tanh,
    "Asinh": np.arcsinh,
    "Acosh": np.arccosh,
    "Atanh": np.arctanh,
    "Reciprocal": np.reciprocal,
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Softplus": lambda x: np.logaddexp(0, x),
}


@pytest.mark.parametrize("op", FUNCTIONS)
def test_functions_within_one_unit_in_the_last_place(op: str) -> None:
    numbers = np.random.default_rng(1)
    x = np.concatenate([numbers.normal(0, 1, 4000), numbers.uniform(-80, 80, 4000)]).astype(np.float32)
    node = helper.make_node(op, ["x"], ["y"])
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "g", [], [output], [numpy_helper.from_array(x, "x")])
    made = fold(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8))["y"]
    assert isinstance(made, Folded)
    with np.errstate(all="ignore"):
        wanted = FUNCTIONS[op](x.astype(np.float64)).astype(np.float32)
    found, finite = made.array(), np.isfinite(wanted)
    assert finite.sum() > 1000
    assert np.array_equal(np.isnan(found), np.isnan(wanted))
    assert np.all(np.abs(found[finite] - wanted[finite]) <= np.spacing(np.abs(wanted[finite])))
