"""The example of every rule, many times in one file: a million findings of each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

import onnx
import onnx.parser

import trtcheck

#: Behind every name: replaced by a number of the same length, so that the rest of the bytes stays as it is.
MARK = "#0000000"


def example_of(rule: trtcheck.Rule) -> str | None:
    """ONNX text with a header."""
    found = re.search(r"## Example\b.*?```onnx([^\n]*)\n(.*?)```", rule.docs, re.DOTALL)
    if not found or found[2].startswith("<"):
        return found and found[2]
    opset = re.search(r"opset=(\d+)", found[1])
    return f'<ir_version: 10, opset_import: ["" : {opset[1] if opset else 17}]>\n{found[2]}'


def rename(graph: onnx.GraphProto) -> None:
    for node in graph.node:
        node.name = (node.name or node.op_type) + MARK
        for names in (node.input, node.output):
            names[:] = [name and name + MARK for name in names]
        for attribute in node.attribute:
            for body in (attribute.g, *attribute.graphs):
                rename(body)
    for item in (*graph.initializer, *graph.input, *graph.output, *graph.value_info):
        item.name += MARK
    for sparse in graph.sparse_initializer:
        sparse.values.name += MARK


def copies(text: str, size: int) -> list[bytes]:
    """The model without its graph, and graphs: readers put those of one model together."""
    model = onnx.parser.parse_model(text)
    rename(model.graph)
    graph = model.graph.SerializeToString()
    model.ClearField("graph")
    model.ClearField("ir_version")
    part = onnx.ModelProto(graph=onnx.GraphProto.FromString(graph)).SerializeToString()
    mark = MARK.encode()
    numbered: Iterator[bytes] = (part.replace(mark, b"#%07d" % i) for i in range(max(1, size // len(part))))
    return [model.SerializeToString(), b"".join(numbered)]


def makers() -> dict[str, Callable[[int], list[bytes]]]:
    texts = {rule: example_of(rule) for rule in trtcheck.rules()}
    return {f"{rule.code}_{rule.name}": partial(copies, text) for rule, text in texts.items() if text}
