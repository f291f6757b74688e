"""tests/truth/repairs.py: what is counted as repaired, equal and out of reach."""

from __future__ import annotations

import numpy as np
import onnx.parser
import repairs
from onnx import ModelProto
from repairs import Refused


def model(text: str) -> ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> {text}')


def refused(text: str) -> Refused:
    return Refused("rules", "x", model(text), "")


def test_the_same_models_are_drawn_for_a_seed() -> None:
    names = [[one.name for one in repairs.of_grid(3, seed)] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]
    assert len(names[0]) == 3


def test_the_first_class_that_makes_it_clean_counts() -> None:
    for text, kind in (
        ("agraph (float[2,4,3] x) => (float[2,4,3] y) { y = LRN <size = 2> (x) }", "rounding"),
        ("agraph (int16[2] x) => (int16[2] y) { y = Identity (x) }", "interface"),
        ("agraph (int16[2] x) => (int16[2] y) { y = Add (x, x) }", "choice"),
        ("agraph (float[2] x) => (float[2] y) { y = Relu (x) }", ""),
    ):
        one = refused(text)
        repairs.repair(one, repairs.TARGETS[repairs.VERSION])
        assert one.kind == kind


def test_outputs_are_compared() -> None:
    one = refused(
        "agraph (float[1,1,4,4] x) => (float[1,1,3,3] y, int64[1,1,3,3] i) "
        "{ y, i = MaxPool <kernel_shape = [2,2]> (x) }"
    )
    repairs.repair(one, repairs.TARGETS[repairs.VERSION])
    repairs.compare(one)
    assert (one.kind, one.sound, one.compared) == ("proven", "runtime", "equal")
    one.fixed = model(
        "agraph (float[1,1,4,4] x) => (float[1,1,3,3] y, int64[1,1,3,3] i) "
        "{ t, i = MaxPool <kernel_shape = [2,2]> (x)  y = Neg (t) }"
    )
    repairs.compare(one)
    assert one.compared.startswith("different: runtime: output 0 is off by")
    assert repairs.is_wrong(one)


def test_how_much_they_may_differ() -> None:
    one, other = [np.asarray([1.0], np.float32)], [np.asarray([1.00001], np.float32)]
    assert repairs.differs(one, other, "rounding", 1e-4) == ""
    assert "though proven" in repairs.differs(one, other, "proven", 1e-4)
    assert "float64 instead of float32" in repairs.differs(one, [np.asarray([1.0], np.float64)], "rounding", 1e-4)
    assert repairs.differs(one, [np.asarray([1.0], np.float64)], "interface", 1e-4) == ""


def test_what_is_out_of_reach() -> None:
    one = refused("agraph (float[2] x) => (float[2] y) { y = Relu (x) }")
    one.left = ["HWD201:: no cure is known"]
    assert "more axes" in repairs.out_of_reach(one)
    one.kind = "proven"
    assert repairs.out_of_reach(one) == ""
