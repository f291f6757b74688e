"""Writes what follows from the table of configuration keys: the JSON schema and the reference in configuration.md.

python docs/generate_settings.py            write them
python docs/generate_settings.py --check    write nothing; fail when one is not what it would be
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from generate import ROOT, find_program

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


def made(schema: str) -> dict[Path, str]:
    pattern = re.compile(re.escape(MARKS[0]) + ".*" + re.escape(MARKS[1]), re.DOTALL)
    page, count = pattern.subn(lambda _: reference(schema), PAGE.read_text(encoding="utf-8"))
    if count != 1:
        sys.exit(f"{PAGE.relative_to(ROOT)}: the marks of the reference are not there")
    return {SCHEMA: schema, PAGE: page}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when one is stale")
    check_only: bool = parser.parse_args().check
    wanted = made(read_schema(find_program()))
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if check_only:
            print(f"stale: {path.relative_to(ROOT)}; run `python docs/generate_settings.py`")
        else:
            path.write_text(wanted[path], encoding="utf-8")
            print(f"written: {path.relative_to(ROOT)}")
    return 1 if check_only and stale else 0


if __name__ == "__main__":
    sys.exit(main())
