"""What ONNX Runtime quantizes statically to signed codes is healthy: at most advice."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnxruntime.quantization import (  # type: ignore[import-untyped]
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)

import trtcheck

RELEASES = ("10.13", "11.5")
IMAGE = (1, 3, 16, 16)
TOKENS = (1, 8, 16)

CONVOLUTIONS = """
agraph (float[1,3,16,16] x) => (float[1,4] y) {
  a = Conv <pads = [1,1,1,1], kernel_shape = [3,3]> (x, w0, b0)
  r = Relu (a)
  p = MaxPool <kernel_shape = [2,2], strides = [2,2]> (r)
  c = Conv <pads = [1,1,1,1], kernel_shape = [3,3]> (p, w1)
  s = Add (c, p)
  t = Relu (s)
  d = Conv <kernel_shape = [1,1]> (t, w2)
  j = Concat <axis = 1> (t, d)
  g = GlobalAveragePool (j)
  f = Flatten (g)
  y = Gemm <transB = 1> (f, w3, b3)
}
"""
ATTENTION = """
agraph (float[1,8,16] x) => (float[1,8,16] y) {
  q = MatMul (x, w0)
  k = MatMul (x, w1)
  kt = Transpose <perm = [0,2,1]> (k)
  s = MatMul (q, kt)
  n = Mul (s, c)
  a = Softmax (n)
  v = MatMul (a, q)
  o = MatMul (v, w2)
  r = Add (o, x)
  y = LayerNormalization (r, g)
}
"""
WEIGHTS = {
    "convolutions": {
        "w0": (16, 3, 3, 3), "b0": (16,), "w1": (16, 16, 3, 3), "w2": (16, 16, 1, 1), "w3": (4, 32), "b3": (4,),
    },
    "attention": {"w0": (16, 16), "w1": (16, 16), "w2": (16, 16), "c": (1,), "g": (16,)},
}  # fmt: skip
# `x + 1`: the quantizer stores the 1 as a code without axes, which TensorRT refuses.
NUMBER = """
agraph (float[1,3,16,16] x) => (float[1,16,16,16] y) {
  a = Conv <pads = [1,1,1,1], kernel_shape = [3,3]> (x, w0, b0)
  r = Relu (a)
  s = Add (r, one)
  y = Conv <pads = [1,1,1,1], kernel_shape = [3,3]> (s, w1)
}
"""
WEIGHTS["number"] = {"w0": (16, 3, 3, 3), "b0": (16,), "w1": (16, 16, 3, 3), "one": ()}
MODELS = {"convolutions": (CONVOLUTIONS, IMAGE), "attention": (ATTENTION, TOKENS), "number": (NUMBER, IMAGE)}


class Calibration(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime has no types
    def __init__(self, shape: tuple[int, ...]) -> None:
        random = np.random.default_rng(0)
        self.samples: Iterator[dict[str, np.ndarray]] = iter(
            [{"x": random.standard_normal(shape).astype(np.float32)} for _ in range(4)]
        )

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self.samples, None)


WITH_WEIGHTS = ["Conv", "ConvTranspose", "Gemm", "MatMul"]
#: As docs/quantizing.md has it.
RECIPE: dict[str, Any] = {
    "op_types_to_quantize": WITH_WEIGHTS,
    "extra_options": {"OpTypesToExcludeOutputQuantization": WITH_WEIGHTS},
}


def quantized(name: str, per_channel: bool, folder: Path, recipe: dict[str, Any] | None = None) -> Path:
    text, shape = MODELS[name]
    graph = onnx.parser.parse_graph(text)
    random = np.random.default_rng(1)
    for weight, dims in WEIGHTS[name].items():
        values = random.standard_normal(dims).astype(np.float32)
        graph.initializer.append(onnx.numpy_helper.from_array(values, weight))
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / "float.onnx")
    logging.disable(logging.WARNING)  # onnxruntime advises to run its preprocessing
    try:
        quantize_static(
            folder / "float.onnx",
            folder / "int8.onnx",
            Calibration(shape),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QInt8,
            weight_type=QuantType.QInt8,
            per_channel=per_channel,
            op_types_to_quantize=(recipe or {}).get("op_types_to_quantize"),
            extra_options={
                "ActivationSymmetric": True,
                "WeightSymmetric": True,
                "QuantizeBias": False,
                **(recipe or {}).get("extra_options", {}),
            },
        )
    finally:
        logging.disable(logging.NOTSET)
    return folder / "int8.onnx"


@pytest.mark.parametrize("per_channel", [False, True], ids=["one scale", "per channel"])
@pytest.mark.parametrize("name", ["convolutions", "attention"])
def test_a_healthy_quantized_model_gets_advice_only(name: str, per_channel: bool, tmp_path: Path) -> None:
    path = quantized(name, per_channel, tmp_path)
    assert "QuantizeLinear" in {node.op_type for node in onnx.load(path).graph.node}
    for release in RELEASES:
        report = trtcheck.check(path, target=release)
        assert not [str(finding) for finding in report.findings if finding.severity != "info"]


@pytest.mark.parametrize("name", list(MODELS))
def test_the_recipe_splits_no_layers_and_stores_no_number_as_a_code(name: str, tmp_path: Path) -> None:
    path = quantized(name, True, tmp_path, RECIPE)
    for release in RELEASES:
        report = trtcheck.check(path, target=release)
        # HWD108: small models. Attention: a residual Add reads the input that is quantized for MatMul.
        assert {finding.code for finding in report.findings} <= {"HWD108", "QDQ217"}, release
    with_weights = [layer for layer in trtcheck.layers(path) if layer.node.op_type in WITH_WEIGHTS]
    assert {layer.type for layer in with_weights} == {trtcheck.DataType.INT8}
    assert "pair-before" not in {layer.reason for layer in trtcheck.layers(path)}


def test_without_the_recipe_a_pair_splits_the_activation_and_a_number_is_refused(tmp_path: Path) -> None:
    path = quantized("number", True, tmp_path)
    report = trtcheck.check(path, target="11.5")
    assert {finding.fact for finding in report.errors} == {"dq-scalar-constant"}
    (split,) = [finding for finding in report.findings if finding.code == "QDQ204"]
    assert split.fix is not None
    assert split.fix.title.startswith("remove the pair between")
    assert "OpTypesToExcludeOutputQuantization" in split.fix.title
    assert [layer.node.op_type for layer in trtcheck.layers(path) if layer.reason == "pair-before"] == ["Relu"]


def test_the_page_has_the_options_that_are_tested() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/quantizing.md").read_text("utf-8")
    for word in (*RECIPE["extra_options"], "op_types_to_quantize=WITH_WEIGHTS", str(WITH_WEIGHTS).replace("'", '"')):
        assert word in page
