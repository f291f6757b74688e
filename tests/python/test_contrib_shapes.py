"""Operators of ONNX Runtime: our sizes at two settings of the names are its sizes, our element types its types.

Where its CPU has the operator, the sizes are those of a run. Where it has not, the node's shape is asked for by
`Shape`, which is folded from what ONNX Runtime infers before anybody looks for a kernel.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import pytest
from contrib_cases import CASES, Case
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.capi import onnxruntime_pybind11_state as runtime  # type: ignore[import-untyped]

import trtcheck

#: Two settings; R is B times S, Q one more than there are sequences.
SETTINGS = (
    {"B": 2, "S": 6, "T": 7, "H": 9, "W": 8, "M": 5, "K": 4, "P": 3, "C": 3, "N": 4, "R": 12, "Q": 3},
    {"B": 3, "S": 4, "T": 8, "H": 12, "W": 11, "M": 2, "K": 6, "P": 5, "C": 2, "N": 3, "R": 12, "Q": 4},
)
ONNX_OPSET = 18
TYPES = {
    "float": TensorProto.FLOAT,
    "float16": TensorProto.FLOAT16,
    "bool": TensorProto.BOOL,
    "string": TensorProto.STRING,
}
TYPES |= {name: getattr(TensorProto, name.upper()) for name in ("uint8", "int8", "int16", "uint16", "int32", "int64")}
#: No kernel, or inputs that it does not like: zeros are rarely sensible identifiers. Half precision is tried as casts.
REFUSALS = (
    runtime.NotImplemented,
    runtime.RuntimeException,
    runtime.InvalidArgument,
    runtime.InvalidGraph,
    runtime.Fail,
)
#: They hold a compiled graph, of which nothing is said.
OPAQUE = {"EPContext", "Snpe"}
#: No case here: what their result is like cannot be asked of ONNX Runtime, it has no kernel and infers nothing, or it
#: needs a graph of a decoder. `tests/cpp/shapes/contrib_ops_test.cpp` has them.
ELSEWHERE = {
    *("AttnLSTM", "Irfft", "Rfft", "ReduceSumInteger", "SparseToDenseMatMul", "MatMulBlockQuantizedFp8Weight"),
    *("BeamSearch", "GreedySearch", "Sampling", "WhisperBeamSearch", "DynamicSparseAttention", "SparsePagedAttention"),
    *("BitmaskDropout", "BitmaskBiasDropout", "QuantizeBFP", "DequantizeBFP", "ComplexMul", "ComplexMulConj"),
    *("MatMulFpQ4", "DecoderMaskedSelfAttention", "DecoderAttention", "RemovePadding", "RelativePositionBias"),
    *("SparseAttentionIndexer", "PackedSparseAttentionIndexer", "VarlenNGramHashMapping"),
}  # fmt: skip


def parsed(case: Case) -> list[tuple[str, str, list[int | str]] | None]:
    out: list[tuple[str, str, list[int | str]] | None] = []
    for text in re.split(r",\s(?![^\[]*\])", case.inputs):
        if text.strip() == "-":
            out.append(None)
            continue
        found = re.fullmatch(r"\s*(\w+)\[([\w,]*)\] (\w+)", text)
        assert found, text
        dims = [int(d) if d.isdigit() else d for d in found[2].split(",") if d]
        out.append((found[3], found[1], dims))
    return out


def opsets(case: Case) -> list[onnx.OperatorSetIdProto]:
    nhwc = case.domain == "com.ms.internal.nhwc"
    made = [helper.make_opsetid("", ONNX_OPSET)]
    return made + ([helper.make_opsetid(case.domain, ONNX_OPSET if nhwc else 1)] if case.domain else [])


def model_of(case: Case, sizes: dict[str, int] | None = None, types: list[int] | None = None) -> onnx.ModelProto:
    """With names for sizes, or numbers; its outputs are untyped, of the given types, or (with numbers) their shapes."""
    inputs = parsed(case)
    values = [
        helper.make_tensor_value_info(name, TYPES[kind], [d if sizes is None else sizes.get(str(d), d) for d in dims])
        for name, kind, dims in (i for i in inputs if i)
        if name not in case.constants
    ]
    outputs = [f"y{i}" for i in range(case.outputs)]
    names = ["" if i is None else i[0] for i in inputs]
    nodes = [helper.make_node(case.op, names, outputs, name="it", domain=case.domain, **case.attributes)]
    made = [onnx.ValueInfoProto(name=name) for name in outputs]
    if types is not None:
        made = [helper.make_tensor_value_info(n, t, None) for n, t in zip(outputs, types, strict=True)]
    elif sizes is not None:
        nodes += [helper.make_node("Shape", [name], [f"shape_{name}"]) for name in outputs]
        made = [helper.make_tensor_value_info(f"shape_{name}", TensorProto.INT64, None) for name in outputs]
    constants = [numpy_helper.from_array(np.asarray(v), n) for n, v in case.constants.items()]
    graph = helper.make_graph(nodes, "g", values, made, constants)
    return helper.make_model(graph, opset_imports=opsets(case), ir_version=10)


def session(model: onnx.ModelProto, folds: bool) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    level = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = level.ORT_ENABLE_BASIC if folds else level.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def feed(kind: str, dims: list[int]) -> np.ndarray:
    made = re.fullmatch(r"tensor\((\w+)\)", kind)
    assert made
    if made[1] == "string":
        return np.full(dims, "a word", dtype=object)
    if made[1] == "float" or made[1] == "float16":
        return np.random.default_rng(1).random(dims).astype(np.float32 if made[1] == "float" else np.float16)
    return np.zeros(dims, made[1])


def shapes_by_onnxruntime(case: Case, sizes: dict[str, int]) -> tuple[list[list[int] | None], bool]:
    """None: not known to it either. True: by a run."""
    model = model_of(case, sizes)
    try:
        it = session(model, folds=False)
        out = it.run(None, {i.name: feed(i.type, i.shape) for i in it.get_inputs()})
        return [[int(d) for d in shape] for shape in out], True
    except REFUSALS:
        pass
    found: list[list[int] | None] = []
    for at in range(case.outputs):
        one = onnx.ModelProto()
        one.CopyFrom(model)
        del one.graph.output[:]
        one.graph.output.append(model.graph.output[at])
        try:
            it = session(one, folds=True)
            found.append([int(d) for d in it.run(None, {i.name: feed(i.type, i.shape) for i in it.get_inputs()})[0]])
        except REFUSALS:
            found.append(None)
    return found, False


def label(case: Case) -> str:
    return f"{case.domain}.{case.op}({case.inputs})"


@cache
def stated(case_at: int) -> list[Any]:
    case = CASES[case_at]
    shapes = trtcheck.infer_shapes(model_of(case))
    assert not shapes.conflicts, [c.message for c in shapes.conflicts]
    return [shapes[f"y{i}"] for i in range(case.outputs)]


@pytest.mark.parametrize("at", range(len(CASES)), ids=lambda at: f"{at}-{CASES[at].op}")
def test_sizes_are_those_of_onnxruntime(at: int) -> None:
    case = CASES[at]
    for sizes in SETTINGS:
        computed, _ = shapes_by_onnxruntime(case, sizes)
        assert any(c is not None for c in computed), "no oracle: it belongs to `ELSEWHERE`"
        unknown = 0
        for shape, made in zip(stated(at), computed, strict=True):
            assert shape.dims is not None, shape.reason
            found = [d if isinstance(d, int) else d.evaluate(sizes) for d in shape.dims]
            unknown += found.count(None)
            if made is not None:
                assert len(found) == len(made), (shape, made)
                assert all(f in (None, m) for f, m in zip(found, made, strict=True)), (shape, found, made, sizes)
        assert unknown == case.unknown, stated(at)


@pytest.mark.parametrize("at", range(len(CASES)), ids=lambda at: f"{at}-{CASES[at].op}")
def test_types_are_those_of_onnxruntime(at: int) -> None:
    types = [int(shape.dtype) for shape in stated(at)]
    assert types.count(0) == CASES[at].untyped
    try:
        session(model_of(CASES[at], SETTINGS[0], types), folds=False)
    except (runtime.NotImplemented, runtime.InvalidGraph) as refusal:
        # The types were accepted: a kernel was looked for, and for half precision one between casts.
        assert isinstance(refusal, runtime.NotImplemented) or "InsertedPrecisionFreeCast" in str(refusal)


def test_most_cases_are_run() -> None:
    ran = sum(shapes_by_onnxruntime(case, SETTINGS[0])[1] for case in CASES)
    assert ran > len(CASES) // 2, ran


def test_every_operator_is_known() -> None:
    tested = {(case.domain, case.op) for case in CASES}
    for schema in runtime.get_all_operator_schema():
        if schema.domain != "com.microsoft" or schema.name in OPAQUE | ELSEWHERE:
            continue
        assert (schema.domain, schema.name) in tested, schema.name


@pytest.mark.parametrize("op", sorted(OPAQUE))
def test_what_is_opaque_is_unknown(op: str) -> None:
    shape = trtcheck.infer_shapes(model_of(Case(op, "float[B,S] x")))["y0"]
    assert shape.dims is None and shape.reason == f"operator `{op}` is not known (at `it`)"
