"""For test_fold.py: what `fold` says of a model, and random graphs of constants."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import trtcheck
from trtcheck import _core


@dataclass(frozen=True)
class Folded:
    """Contents of a value."""

    type: int
    dims: list[int]
    raw: bytes

    def array(self) -> np.ndarray:
        return numpy_helper.to_array(TensorProto(data_type=self.type, dims=self.dims, raw_data=self.raw))


def fold(model: onnx.ModelProto, **limits: int) -> dict[str, Folded | str]:
    """Of each value of the main graph: its contents, or why there are none."""
    found = _core.fold(trtcheck.read_model(model), **limits)
    return {name: made if isinstance(made, str) else Folded(*made) for name, made in found.items()}


@dataclass
class Graph:
    """A graph that grows at random; each of its values is an output."""

    rng: random.Random
    opset: int
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    #: Sizes and types of what there is, as NumPy knows them.
    values: dict[str, np.ndarray] = field(default_factory=dict)
    #: Made by operations that IEEE 754 defines, from values that are.
    exact: set[str] = field(default_factory=set)

    def constant(self, array: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = array
        self.exact.add(name)
        return name


def random_graph(rng: random.Random) -> Graph:
    return Graph(rng, 17)
