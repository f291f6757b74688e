"""A decoder of a language model as exporters write it: a KV cache, rotary positions, heads that share their keys.

Sizes are the names `batch`, `sequence` and `past`; every target of a Reshape and an Expand is computed from shapes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

HEADS, KV_HEADS, SIZE = 8, 2, 16
WIDTH = HEADS * SIZE


class Decoder:
    def __init__(self, layers: int) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}
        self.count = 0
        self.inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "sequence"])]
        self.inputs.append(
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "past + sequence"])
        )
        self.outputs: list[str] = []
        self.positions()
        hidden = self.op("Gather", self.weight(64, WIDTH), "input_ids")
        for layer in range(layers):
            hidden = self.layer(hidden, layer)
        self.outputs.append(self.op("MatMul", self.normed(hidden), self.weight(WIDTH, 64)))

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        self.count += 1
        name = f"{kind}_{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f"/{name}", **attributes))
        return name

    def constant(self, array: Any, dtype: Any = np.int64) -> str:
        made = np.asarray(array, dtype)
        name = f"c_{made.dtype}_{made.tolist()}"
        self.constants[name] = numpy_helper.from_array(made, name)
        return name

    def weight(self, *sizes: int) -> str:
        name = f"w_{len(self.constants)}"
        self.constants[name] = numpy_helper.from_array(np.zeros(sizes, np.float32), name)
        return name

    def size(self, value: str, axis: int) -> str:
        return self.op("Gather", self.op("Shape", value), self.constant(axis), axis=0)

    def shape(self, *entries: str | int) -> str:
        parts = [
            self.constant([entry]) if isinstance(entry, int) else self.op("Unsqueeze", entry, self.constant([0]))
            for entry in entries
        ]
        return self.op("Concat", *parts, axis=0)

    def positions(self) -> None:
        self.inputs += [
            helper.make_tensor_value_info(f"past.0.{kind}", TensorProto.FLOAT, ["batch", KV_HEADS, "past", SIZE])
            for kind in ("key", "value")
        ]
        past, length = self.size("past.0.key", 2), self.size("input_ids", 1)
        total = self.op("Add", past, length)
        rows = self.op("Cast", self.op("Range", past, total, self.constant(1)), to=TensorProto.FLOAT)
        turns = self.op("MatMul", self.op("Unsqueeze", rows, self.constant([1])), self.weight(1, SIZE // 2))
        both = self.op("Concat", turns, turns, axis=-1)
        self.cos, self.sin = self.op("Cos", both), self.op("Sin", both)
        columns = self.op("Range", self.constant(0), total, self.constant(1))
        seen = self.op(
            "LessOrEqual",
            columns,
            self.op("Reshape", self.op("Range", past, total, self.constant(1)), self.constant([-1, 1])),
        )
        given = self.op("Cast", self.op("Unsqueeze", "attention_mask", self.constant([1, 2])), to=TensorProto.BOOL)
        wide = self.op("Expand", given, self.shape(self.size("input_ids", 0), 1, length, total))
        self.mask = self.op(
            "Where", self.op("And", wide, seen), self.constant(0.0, np.float32), self.constant(-1e9, np.float32)
        )

    def normed(self, value: str) -> str:
        squares = self.op("ReduceMean", self.op("Pow", value, self.constant(2.0, np.float32)), axes=[-1])
        root = self.op("Sqrt", self.op("Add", squares, self.constant(1e-6, np.float32)))
        return self.op("Mul", self.op("Mul", value, self.op("Reciprocal", root)), self.weight(WIDTH))

    def heads(self, value: str, count: int) -> str:
        made = self.op("MatMul", value, self.weight(WIDTH, count * SIZE))
        target = self.shape(self.size(value, 0), self.size(value, 1), count, SIZE)
        return self.op("Transpose", self.op("Reshape", made, target), perm=[0, 2, 1, 3])

    def turned(self, value: str) -> str:
        half = self.op("Div", self.size(value, 3), self.constant(2))
        split = self.op("Unsqueeze", half, self.constant([0]))
        left = self.op("Slice", value, self.constant([0]), split, self.constant([3]))
        right = self.op("Slice", value, split, self.constant([1 << 62]), self.constant([3]))
        other = self.op("Concat", self.op("Neg", right), left, axis=-1)
        return self.op("Add", self.op("Mul", value, self.cos), self.op("Mul", other, self.sin))

    def repeated(self, value: str) -> str:
        """Each key for several heads."""
        batch, length = self.size(value, 0), self.size(value, 2)
        wide = self.op(
            "Expand",
            self.op("Unsqueeze", value, self.constant([2])),
            self.shape(batch, KV_HEADS, HEADS // KV_HEADS, length, SIZE),
        )
        return self.op("Reshape", wide, self.shape(batch, HEADS, length, SIZE))

    def layer(self, hidden: str, at: int) -> str:
        if at:
            self.inputs += [
                helper.make_tensor_value_info(f"past.{at}.{kind}", TensorProto.FLOAT, ["batch", KV_HEADS, "past", SIZE])
                for kind in ("key", "value")
            ]
        value = self.normed(hidden)
        query, key = self.turned(self.heads(value, HEADS)), self.turned(self.heads(value, KV_HEADS))
        keys = self.op("Concat", f"past.{at}.key", key, axis=2)
        values = self.op("Concat", f"past.{at}.value", self.heads(value, KV_HEADS), axis=2)
        self.outputs += [keys, values]
        scores = self.op("MatMul", query, self.op("Transpose", self.repeated(keys), perm=[0, 1, 3, 2]))
        scores = self.op("Add", self.op("Mul", scores, self.constant(0.25, np.float32)), self.mask)
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), self.repeated(values))
        target = self.shape(self.size(value, 0), self.size(value, 1), WIDTH)
        flat = self.op("Reshape", self.op("Transpose", mixed, perm=[0, 2, 1, 3]), target)
        hidden = self.op("Add", hidden, self.op("MatMul", flat, self.weight(WIDTH, WIDTH)))
        value = self.normed(hidden)
        gate = self.op("MatMul", value, self.weight(WIDTH, 2 * WIDTH))
        gate = self.op("Mul", gate, self.op("Sigmoid", gate))
        up = self.op("Mul", gate, self.op("MatMul", value, self.weight(WIDTH, 2 * WIDTH)))
        return self.op("Add", hidden, self.op("MatMul", up, self.weight(2 * WIDTH, WIDTH)))

    def model(self) -> ModelProto:
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in self.outputs]
        graph = helper.make_graph(self.nodes, "decoder", self.inputs, outputs, list(self.constants.values()))
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
