"""Writes cpp/data/onnx_schemas.json: what the schemas of ONNX say of every operator at every opset.

usage: read_schemas.py OUTPUT        (python -m pip install onnx==VERSION, the version of cmake/onnx.cmake)

Run by hand when the version of onnx changes; builds read the file. `tests/cpp/schema/facts_test.cpp` compares all of it
with the schemas of the onnx library.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import onnx
from onnx import defs

UNBOUNDED = 2**31 - 1
Option = defs.OpSchema.FormalParameterOption


def bound(count: int) -> int | None:
    return None if count == UNBOUNDED else count


def element_types(parameter: Any) -> list[str]:
    """Of plain tensors, in the order of TensorProto.DataType."""
    names = dict(onnx.TensorProto.DataType.items())
    tensors = (text[len("tensor(") : -1] for text in parameter.types if text.startswith("tensor("))
    return sorted(({"float": "FLOAT"}.get(text, text.upper()) for text in tensors), key=names.__getitem__)


def like(parameters: Any, i: int) -> int | None:
    """The first input that has its type in common with this one, itself perhaps; None: its own values may differ."""
    if not parameters[i].is_homogeneous:
        return None
    same = [
        k for k in range(i + 1) if parameters[k].is_homogeneous and parameters[k].type_str == parameters[i].type_str
    ]
    return same[0]


def output_like(schema: Any, i: int) -> int | None:
    """The first input that has the type of this output; None: none has, or each value has its own."""
    made = schema.outputs[i]
    if not made.is_homogeneous or made.type_str not in {entry.type_param_str for entry in schema.type_constraints}:
        return None
    same = (k for k, entry in enumerate(schema.inputs) if entry.is_homogeneous and entry.type_str == made.type_str)
    return next(same, None)


def default(attribute: Any) -> list[Any] | None:
    """Always a list; None: there is no default, or it is a tensor or a graph."""
    value = attribute.default_value
    kinds = onnx.AttributeProto
    if value.type == kinds.INT:
        return [value.i]
    if value.type == kinds.FLOAT:
        return [short(value.f)]
    if value.type == kinds.STRING:
        return [value.s.decode()]
    if value.type == kinds.INTS:
        return list(value.ints)
    if value.type == kinds.FLOATS:
        return [short(number) for number in value.floats]
    if value.type == kinds.STRINGS:
        return [text.decode() for text in value.strings]
    return None


def short(number: float) -> float:
    """The shortest decimal that is the same 32-bit number."""
    return float(f"{number:.9g}")


def row(schema: Any, sets: list[list[str]]) -> dict[str, Any]:
    inputs = []
    for i, parameter in enumerate(schema.inputs):
        types = element_types(parameter)
        if types not in sets:
            sets.append(types)
        entry: dict[str, Any] = {"name": parameter.name, "types": sets.index(types), "like": like(schema.inputs, i)}
        if parameter.option == Option.Optional:
            entry["optional"] = True
        if parameter.option == Option.Variadic:
            entry["variadic"] = True
        inputs.append(entry)
    attributes = {}
    for name, attribute in sorted(schema.attributes.items()):
        entry = {"type": int(attribute.type.value), "default": default(attribute)}
        if attribute.required:
            entry["required"] = True
        attributes[name] = entry
    return {
        "domain": schema.domain,
        "op": schema.name,
        "since": schema.since_version,
        "deprecated": schema.deprecated,
        "counts": [bound(n) for n in (schema.min_input, schema.max_input, schema.min_output, schema.max_output)],
        "inputs": inputs,
        "outputs": [parameter.name for parameter in schema.outputs],
        "output_like": [output_like(schema, i) for i in range(len(schema.outputs))],
        "attributes": attributes,
    }


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    sets: list[list[str]] = []
    schemas = sorted(defs.get_all_schemas_with_history(), key=lambda s: (s.domain, s.name, s.since_version))
    rows = [row(schema, sets) for schema in schemas]

    def lines(values: list[Any]) -> str:
        return ",\n".join(json.dumps(value, separators=(",", ":")) for value in values)

    text = f'{{"onnx":{json.dumps(onnx.__version__)},\n"types":[\n{lines(sets)}\n],\n"schemas":[\n{lines(rows)}\n]}}\n'
    Path(sys.argv[1]).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
