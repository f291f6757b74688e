"""One process holds trtcheck, torch, onnx and onnxruntime, imported in any order, and all of them work."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

# Each library does something that goes through its own onnx or protobuf: two copies that see each other crash here.
PROGRAM = """
import importlib, io, sys, warnings
for name in sys.argv[1:]:
    importlib.import_module(name)

import onnx, onnx.checker, onnx.parser, onnx.shape_inference
model = onnx.parser.parse_model('''<ir_version: 8, opset_import: ["" : 17]>
main (float[N,3] x) => (float[N,3] y) { a = Softsign (x)  y = Add (a, x) }''')

def use_trtcheck():
    import trtcheck
    assert trtcheck.check(model).verdict == "clean"
    assert str(trtcheck.infer_shapes(model)["a"]) == "FLOAT[N,3]"
    try:
        trtcheck.check(b"no model")
    except trtcheck.Error:
        return
    raise AssertionError("an error did not arrive")

def use_onnx():
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(model, data_prop=True)

def use_onnxruntime():
    import numpy, onnxruntime
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    assert session.run(None, {"x": numpy.zeros((2, 3), numpy.float32)})[0].shape == (2, 3)

def use_torch():
    import torch
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(torch.nn.ReLU(), (torch.ones(1),), io.BytesIO(), dynamo=False)

for name in sys.argv[1:]:
    globals()["use_" + name]()
use_trtcheck()
"""

LIGHT = ("trtcheck", "onnx", "onnxruntime")
ORDERS = [
    *itertools.permutations(LIGHT),
    # torch takes seconds to import: first, in the middle and last, trtcheck on either side of it
    ("torch", "trtcheck", "onnx", "onnxruntime"),
    ("trtcheck", "torch", "onnxruntime", "onnx"),
    ("onnx", "torch", "trtcheck", "onnxruntime"),
    ("onnxruntime", "trtcheck", "torch", "onnx"),
    ("onnx", "onnxruntime", "trtcheck", "torch"),
]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_any_order_of_imports(order: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *order], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_trtcheck_imports_none_of_them() -> None:
    program = "import sys, trtcheck; print({'torch', 'onnx', 'onnx_ir', 'onnxruntime', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
