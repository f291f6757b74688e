"""What the floor `fold` computes from constants is what onnx and ONNX Runtime compute, or nothing.

Node tests of onnx with their inputs as constants, and random graphs of up to eight nodes. What IEEE 754 defines is
compared bit for bit with ONNX Runtime, the rest within a few units in the last place.
"""

from __future__ import annotations

import copy
import os
import random
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
from folding import Folded, Graph, evaluated, fold, random_graph
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from test_onnx_node_cases import Case, cases

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


def as_constants(case: Case) -> onnx.ModelProto | None:
    """The model with its inputs as initializers; None where one of them is no tensor."""
    model = copy.deepcopy(case.model)
    if model.ir_version < 4 or any(value is None for value in case.inputs[: len(model.graph.input)]):
        return None
    for value, made in zip(model.graph.input, case.inputs, strict=False):
        assert made is not None
        constant = copy.deepcopy(made)
        constant.name = value.name
        model.graph.initializer.append(constant)
    del model.graph.input[:]
    return model


def plain(array: np.ndarray) -> np.ndarray:
    """Types that NumPy lacks as FLOAT, all of whose numbers FLOAT has."""
    return array if array.dtype.kind in "biuf" else array.astype(np.float32)


def differs(found: Folded, wanted: np.ndarray, rtol: float = 1e-5, atol: float = 1e-6) -> str:
    """What is not equal; "" when all is."""
    made = found.array()
    if made.dtype != wanted.dtype or made.shape != wanted.shape:
        return f"{made.dtype}{made.shape} instead of {wanted.dtype}{wanted.shape}"
    if wanted.dtype in (np.float16,) or wanted.dtype.name == "bfloat16":
        rtol = max(rtol, 2e-3 if wanted.dtype == np.float16 else 1.6e-2) if rtol else 0
        atol = max(atol, 1e-3) if rtol else 0
    a, b = plain(made), plain(wanted)
    if a.dtype.kind != "f":
        return "" if np.array_equal(a, b) else f"{a.ravel()[:8]} instead of {b.ravel()[:8]}"
    with np.errstate(all="ignore"):
        close = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
    return "" if close.all() else f"{a[~close].ravel()[:4]} instead of {b[~close].ravel()[:4]}"


def operators(model: onnx.ModelProto) -> set[str]:
    return {node.op_type for node in model.graph.node}


def compare_case(case: Case, tally: Tally) -> None:
    model = as_constants(case)
    if model is None or any(node.domain for node in model.graph.node) or not operators(model) <= evaluated():
        return
    found = fold(model)
    for value, wanted in zip(model.graph.output, case.outputs, strict=False):
        if wanted is None:
            continue
        made = found[value.name]
        if isinstance(made, str):
            tally.none[f"{case.name}: {made}"] += 1
            continue
        difference = differs(made, numpy_helper.to_array(wanted), rtol=1e-4)
        if difference:
            tally.wrong.append(f"{case.name}: {difference}")
        else:
            tally.equal += 1


def test_node_cases_of_onnx() -> None:
    tally = Tally()
    for case in cases():
        compare_case(case, tally)
    print(f"equal {tally.equal}, none {sum(tally.none.values())}, wrong {len(tally.wrong)}")
    assert not tally.wrong, "\n".join(tally.wrong)
    assert tally.equal > 900
    strange = [reason for reason in tally.none if not any(words in reason for words in HONEST)]
    assert not strange, "\n".join(strange)
    assert sum(tally.none.values()) < 0.12 * tally.equal, "\n".join(tally.none)


@dataclass(frozen=True)
class Computed:
    values: list[np.ndarray]
    by_runtime: bool


def run(model: onnx.ModelProto) -> Computed | None:
    """By ONNX Runtime, or by onnx's reference where ONNX Runtime has no kernel; None where both refuse."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    content = model.SerializeToString()
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        return Computed(session.run(None, {}), True)
    except Exception:
        pass
    try:
        with np.errstate(all="ignore"):
            return Computed([np.asarray(value) for value in ReferenceEvaluator(model).run(None, {})], False)
    except Exception:
        return None


def compare_graph(graph: Graph, tally: Tally) -> None:
    computed = run(graph.model)
    if computed is None:
        tally.none["nobody runs it"] += len(graph.model.graph.output)
        return
    found = fold(graph.model)
    for output, wanted in zip(graph.model.graph.output, computed.values, strict=True):
        made = found[output.name]
        if isinstance(made, str):
            tally.none[made] += 1
            continue
        is_exact = computed.by_runtime and output.name in graph.exact
        difference = differs(made, wanted, **({"rtol": 0, "atol": 0} if is_exact else {"rtol": 1e-4, "atol": 1e-5}))
        if difference:
            node = next(node for node in graph.nodes if output.name in node.output)
            inputs = [value.array() for name in node.input if isinstance(value := found.get(name), Folded)]
            tally.wrong.append(f"{difference}\n{onnx.printer.to_text(node)}\n{inputs}")
        else:
            tally.equal += 1
            tally.exact += is_exact


def test_random_graphs() -> None:
    print(f"TRTCHECK_SEED={SEED}")
    rng = random.Random(SEED)
    tally = Tally()
    for _ in range(GRAPHS):
        graph = random_graph(rng)
        if graph.nodes:
            compare_graph(graph, tally)
    print(f"equal {tally.equal}, bit for bit {tally.exact}, none {sum(tally.none.values())}")
    assert not tally.wrong, f"TRTCHECK_SEED={SEED}\n" + "\n".join(tally.wrong[:5])
    assert tally.exact > 0.3 * tally.equal
    assert sum(tally.none.values()) < 0.12 * tally.equal, tally.none
