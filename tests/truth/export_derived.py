"""What people make of an export with ONNX Runtime before they give it to TensorRT; part of exports.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_dynamic,
    quantize_static,
)
from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer
from onnxruntime.quantization.shape_inference import quant_pre_process
from onnxruntime.transformers.float16 import convert_float_to_float16

Make = Callable[[Path, Path], None]
KINDS = {"u8": QuantType.QUInt8, "s8": QuantType.QInt8, "u16": QuantType.QUInt16, "s16": QuantType.QInt16}
NUMBERS = {onnx.TensorProto.FLOAT: np.float32, onnx.TensorProto.INT64: np.int64}


class Calibration(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, path: Path) -> None:
        random = np.random.default_rng(0)
        graph = onnx.load(path).graph
        samples = []
        for _ in range(2):
            made = {}
            for value in graph.input:
                sizes = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
                kind = NUMBERS[value.type.tensor_type.elem_type]
                made[value.name] = (random.random(sizes) + 0.25 if kind is np.float32 else np.ones(sizes)).astype(kind)
            samples.append(made)
        self.samples: Iterator[dict[str, Any]] = iter(samples)

    def get_next(self) -> dict[str, Any] | None:
        return next(self.samples, None)


def prepared(base: Path, path: Path) -> Path:
    """As ONNX Runtime advises before it quantizes."""
    made = path.with_name("prepared.onnx")
    quant_pre_process(str(base), str(made), skip_symbolic_shape=True)
    return made


def static(activation: str, weight: str, base: Path, path: Path, **options: Any) -> None:
    how = {"quant_format": QuantFormat.QDQ} | options
    ready = prepared(base, path)
    kinds = {"activation_type": KINDS[activation], "weight_type": KINDS[weight]}
    quantize_static(str(ready), str(path), Calibration(ready), **kinds, **how)


def dynamic(weight: str, base: Path, path: Path, **options: Any) -> None:
    quantize_dynamic(str(prepared(base, path)), str(path), weight_type=KINDS[weight], **options)


def nbits(bits: int, block: int, base: Path, path: Path, **options: Any) -> None:
    how = DefaultWeightOnlyQuantConfig(block_size=block, is_symmetric=False, bits=bits, **options)
    quantizer = MatMulNBitsQuantizer(onnx.load(base), algo_config=how)
    quantizer.process()
    quantizer.model.save_model_to_file(str(path))


def optimized(level: str, base: Path, path: Path) -> None:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_ENABLE_{level}")
    options.optimized_model_filepath = str(path)
    options.log_severity_level = 4
    onnxruntime.InferenceSession(str(base), options, providers=["CPUExecutionProvider"])


def half(base: Path, path: Path, **options: Any) -> None:
    onnx.save(convert_float_to_float16(onnx.load(base), **options), path)


def half_of_others(base: Path, path: Path, **options: Any) -> None:
    from onnxconverter_common import float16

    onnx.save(float16.convert_float_to_float16(onnx.load(base), **options), path)


def fused(kind: str, base: Path, path: Path) -> None:
    from onnxruntime.transformers.optimizer import optimize_model

    made = optimize_model(str(base), model_type=kind, num_heads=4, hidden_size=32, opt_level=0)
    made.save_model_to_file(str(path))


QUANTIZED: dict[str, Make] = {
    "qdq-u8u8": partial(static, "u8", "u8"),
    "qdq-u8s8": partial(static, "u8", "s8"),
    "qdq-s8s8": partial(static, "s8", "s8"),
    "qdq-s8s8-symmetric": partial(static, "s8", "s8", extra_options={"ActivationSymmetric": True}, per_channel=True),
    "qdq-s16s8": partial(static, "s16", "s8"),
    "qoperator-u8s8": partial(static, "u8", "s8", quant_format=QuantFormat.QOperator),
    "qoperator-s8s8": partial(static, "s8", "s8", quant_format=QuantFormat.QOperator, per_channel=True),
    "dynamic-u8": partial(dynamic, "u8"),
    "dynamic-s8": partial(dynamic, "s8"),
}
CONVERTED: dict[str, Make] = {
    "optimized-basic": partial(optimized, "BASIC"),
    "optimized-extended": partial(optimized, "EXTENDED"),
    "converted-half": partial(half, keep_io_types=True),
    "converted-half-io": partial(half_of_others, keep_io_types=False),
    "converted-half-mixed": partial(
        half_of_others, keep_io_types=True, op_block_list=["Softmax", "Pow", "Clip", "Add"]
    ),
}
CONVOLUTIONS = QUANTIZED | CONVERTED
ATTENTION = (
    QUANTIZED
    | CONVERTED
    | {
        "dynamic-s8-channels": partial(dynamic, "s8", per_channel=True),
        "nbits-4-32": partial(nbits, 4, 32),
        "nbits-4-16": partial(nbits, 4, 16),
        "nbits-8-32": partial(nbits, 8, 32),
        "nbits-4-32-qdq": partial(nbits, 4, 32, quant_format=QuantFormat.QDQ),
        "fused-bert": partial(fused, "bert"),
        "fused-gpt2": partial(fused, "gpt2"),
    }
)
