"""What follows from the table of configuration keys: the JSON schema and the reference in configuration.md."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "cpp/data/settings.schema.json"
PAGE = ROOT / "docs/configuration.md"
MARKS = ("<!-- reference: begin -->", "<!-- reference: end -->")


def read_schema(program: str) -> str:
    command = [program, "settings", "--schema"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def entry(name: str, key: dict[str, Any]) -> list[str]:
    option = f"`{key['x-option']}`" if key["x-option"] else "none"
    fallback = key["x-default"]
    if fallback[0] in '[{"':
        value, _, words = fallback.partition(", ")
        fallback = f"`{value}`" + (f", {words}" if words else "")
    return [
        f"### {name}",
        "",
        key["description"],
        "",
        f"*{key['x-type'].partition(' such as ')[0]} · default: {fallback} · option of `trtcheck check`: {option}*",
        "",
        "```toml",
        key["x-example"],
        "```",
        "",
    ]


def reference(schema: str) -> str:
    keys: dict[str, Any] = json.loads(schema)["properties"]
    lines = [line for name, key in keys.items() for line in entry(name, key)]
    return "\n".join([MARKS[0], "", *lines, MARKS[1]])


def settings_pages(program: str) -> dict[Path, str]:
    """The text of each file."""
    schema = read_schema(program)
    pattern = re.compile(re.escape(MARKS[0]) + ".*" + re.escape(MARKS[1]), re.DOTALL)
    page, count = pattern.subn(lambda _: reference(schema), PAGE.read_text(encoding="utf-8"))
    if count != 1:
        sys.exit(f"{PAGE.relative_to(ROOT)}: the marks of the reference are not there")
    return {SCHEMA: schema, PAGE: page}
