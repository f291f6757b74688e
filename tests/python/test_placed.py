"""Models that `make truth` puts into other places compute what they computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import placed
import pytest

TEXT = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2,3] x, float[3] v) => (float[2,3] y) <float[1] k = {2}> { s = Mul (x, k) t = Add (s, v) y = Relu (t) }"""
X, V, A = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3), np.float32([1, -2, 3]), np.float32(0.5)


def alone(x: np.ndarray[Any, Any], v: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.maximum(2 * x + v, 0)


def thrice(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.tanh(np.tanh(np.tanh(value)))


EXPECTED = {
    "beside an If": alone(X, V),
    "beside a Loop": alone(X, V),
    "behind an If": alone(np.exp(X), np.exp(V)),
    "behind a Loop": alone(thrice(X), thrice(V)),
    "inside of an If": alone(X, V),
    "inside of an If with a Loop": alone(X, V),
    "inside of a Loop": A + 3 * alone(X, V).max(),
    "carried by a Loop": alone(alone(alone(X, V), V), V),
    "behind Relu": alone(np.maximum(X, 0), np.maximum(V, 0)),
    "behind Identity": alone(X, V),
    "before Neg": -alone(X, V),
    "before Identity": alone(X, V),
}


@pytest.mark.parametrize("place", placed.PLACES)
def test_a_place_changes_what_it_says_alone(place: str) -> None:
    model = onnx.parser.parse_model(TEXT)
    made = dict(placed.in_all_places(model))[place]
    assert onnx.parser.parse_model(TEXT) == model
    onnx.checker.check_model(made)
    session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    given = {"x": X, "v": V, "placed_c": np.array(True), "placed_a": np.array(A)}
    found = session.run(None, {one.name: given[one.name] for one in session.get_inputs()})
    np.testing.assert_allclose(found[0], EXPECTED[place], rtol=1e-5)


def test_places_that_do_not_fit_are_left_out() -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]> g (bool[2] x) => (bool[2] y) { y = Not (x) }"""
    places = {place for place, _ in placed.in_all_places(onnx.parser.parse_model(text))}
    assert places == {"beside an If", "beside a Loop", "behind Identity", "before Identity"}


def test_near_misses_of_many_operators_are_placed() -> None:
    operators = {node.op_type for sample in placed.samples() for node in sample.model.graph.node}
    assert len(operators) > 120
    assert not operators & {"If", "Loop", "Scan"}
