"""Turns cpp/data/gates.toml into constexpr C++ constants.

usage: embed_gates.py GATES_TOML OP_SUPPORT_JSON OUTPUT

It runs in every build and needs the standard library only. A gate with another key, without a text or of a release that
is not in the list fails the build with its name.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from data import DataError, tomllib

KEYS = ("from", "what", "source")


def identifier(name: str) -> str:
    return name.replace("-", "_")


def gate(index: int, name: str, row: Any, releases: dict[str, str]) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise DataError(f"[{name}]: a name has small letters, digits and hyphens")
    if not isinstance(row, dict) or sorted(row) != sorted(KEYS) or not all(row[key] for key in KEYS):
        raise DataError(f"[{name}]: has the keys {', '.join(KEYS)}, each with a text")
    if row["from"] not in releases:
        raise DataError(f"[{name}]: release {row['from']} is not in the list")
    texts = ", ".join(json.dumps(row[key], ensure_ascii=False) for key in ("what", "source"))
    fields = f"{index}, {{{releases[row['from']]}}}, {json.dumps(name)}, {texts}"
    return f"inline constexpr Gate {identifier(name)}{{{fields}}};"


def main() -> int:
    source, support, output = map(Path, sys.argv[1:])
    tables = json.loads(support.read_text(encoding="utf-8"))
    releases = {row["release"]: row["release"].replace(".", ", ") for row in tables["releases"]}
    for row in tables["rtx"]["releases"]:
        releases[row["release"]] = f"{row['like'].replace('.', ', ')}, Product::rtx"
    try:
        gates = tomllib.loads(source.read_text(encoding="utf-8"))
        lines = [gate(index, name, row, releases) for index, (name, row) in enumerate(gates.items())]
        lines.append(
            f"inline constexpr const Gate* kAll[] = {{{', '.join('&' + identifier(name) for name in gates)}}};"
        )
    except (DataError, tomllib.TOMLDecodeError) as error:
        print(f"{source}: {error}", file=sys.stderr)
        return 1
    output.write_text(
        "\n".join([f"// Made from {source.name} by {Path(__file__).name}.", *lines, ""]), encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
