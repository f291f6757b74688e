"""Turns cpp/data/onnx_schemas.json into constexpr C++ tables, included by src/schema/facts.cpp.

usage: embed_schemas.py ONNX_SCHEMAS_JSON OUTPUT

It runs in every build and needs the standard library only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

# As onnx.TensorProto.DataType counts them.
TYPES = [
    "UNDEFINED",
    "FLOAT",
    "UINT8",
    "INT8",
    "UINT16",
    "INT16",
    "INT32",
    "INT64",
    "STRING",
    "BOOL",
    "FLOAT16",
    "DOUBLE",
    "UINT32",
    "UINT64",
    "COMPLEX64",
    "COMPLEX128",
    "BFLOAT16",
    "FLOAT8E4M3FN",
    "FLOAT8E4M3FNUZ",
    "FLOAT8E5M2",
    "FLOAT8E5M2FNUZ",
    "UINT4",
    "INT4",
    "FLOAT4E2M1",
    "FLOAT8E8M0",
    "UINT2",
    "INT2",
    "FLOAT6E2M3",
    "FLOAT6E3M2",
]


def truth(row: dict[str, Any], key: str) -> str:
    return "true" if row.get(key) else "false"


def span(pool: str, first: int, end: int) -> str:
    return "{}" if first == end else f"std::span({pool}).subspan({first}, {end - first})"


def like(index: int | None) -> str:
    return "InputFacts::kUnlike" if index is None else str(index)


def count(number: int | None) -> str:
    return "SchemaFacts::kUnbounded" if number is None else str(number)


def main() -> int:
    source, output = map(Path, sys.argv[1:])
    data = json.loads(source.read_text(encoding="utf-8"))
    masks = [sum(1 << TYPES.index(name) for name in names) for names in data["types"]]
    inputs: list[str] = []
    attributes: list[str] = []
    outputs: list[str] = []
    rows = []
    for row in data["schemas"]:
        first_input, first_attribute, first_output = len(inputs), len(attributes), len(outputs)
        required = 0
        for i, parameter in enumerate(row["inputs"]):
            if i < 64 and not parameter.get("optional") and not parameter.get("variadic"):
                required |= 1 << i
            flags = f"{truth(parameter, 'optional')}, {truth(parameter, 'variadic')}"
            inputs.append(
                f'{{"{parameter["name"]}", {flags}, {like(parameter["like"])}, {masks[parameter["types"]]}U}}'
            )
        for name, attribute in row["attributes"].items():
            attributes.append(f'{{"{name}", AttributeType{{{attribute["type"]}}}, {truth(attribute, "required")}}}')
        outputs += map(like, row["output_like"])
        counts = ", ".join(count(number) for number in row["counts"])
        rows.append(
            f'{{"{row["domain"]}", "{row["op"]}", {row["since"]}, {counts}, {truth(row, "deprecated")}, {required}U, '
            f"{span('kInputs', first_input, len(inputs))}, {span('kAttributes', first_attribute, len(attributes))}, "
            f"{span('kOutputs', first_output, len(outputs))}}}"
        )
    text = f"// Made from {source.name} by {Path(__file__).name}.\n"
    for kind, name, lines in (
        ("InputFacts", "kInputs", inputs),
        ("AttributeFacts", "kAttributes", attributes),
        ("std::uint8_t", "kOutputs", outputs),
        ("SchemaFacts", "kFacts", rows),
    ):
        text += f"constexpr {kind} {name}[] = {{\n" + "".join(f"    {line},\n" for line in lines) + "};\n\n"
    output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
