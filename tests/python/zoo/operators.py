"""Which operators the exports consist of, and the file operators.md that lists them.

python -m zoo.operators > zoo/operators.md      (in tests/python)
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import onnx

from .catalog import ENTRIES
from .export import all_exports, export


def nodes(graph: onnx.GraphProto) -> Iterator[onnx.NodeProto]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                yield from nodes(body)


def operators() -> dict[str, dict[str, int]]:
    """Operator -> {"dynamo": exports that use it, "torchscript": ...}; domains other than ONNX's are written out."""
    found: dict[str, dict[str, int]] = {}
    for entry, exporter, mode in all_exports(ENTRIES.values()):
        path = export(entry, exporter, mode).path
        if path is None:
            continue
        model = onnx.load(path)
        used = {
            node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}::{node.op_type}"
            for node in nodes(model.graph)
        }
        used |= {f"function {function.domain}::{function.name}" for function in model.functions}
        for name in used:
            found.setdefault(name, {"dynamo": 0, "torchscript": 0})[exporter] += 1
    return dict(sorted(found.items()))


def page() -> str:
    lines = [
        "# Operators of the zoo",
        "",
        "Made by `python -m zoo.operators`; a test holds it up to date. Numbers are exports that contain the operator.",
        "Each of them must have a shape function of our own.",
        "",
        "| operator | dynamo | torchscript |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {count['dynamo']} | {count['torchscript']} |" for name, count in operators().items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    print(page(), end="")
