"""Turns cpp/data/operators.toml into constexpr C++ constants.

usage: embed_operators.py OPERATORS_TOML OUTPUT

It runs in every build and needs the standard library only. A kind with another key, without a text, with names that are
not sorted, or made of a kind that stands nowhere fails the build with its name.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from data import DataError, tomllib

KEYS = {"what": str, "source": str, "operators": list, "with": list}
#: One bit each, in words of 64.
WORDS = 2
MOST = 64 * WORDS


def identifier(name: str) -> str:
    return name.replace("-", "_")


def check(name: str, kind: Any) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise DataError(f"[{name}]: a name has small letters, digits and hyphens")
    if not isinstance(kind, dict) or not kind.get("what") or not (kind.get("operators") or kind.get("with")):
        raise DataError(f"[{name}]: has a text `what`, and `operators` or `with`")
    for key, value in kind.items():
        if not isinstance(value, KEYS.get(key, type(None))):
            raise DataError(f"[{name}]: `{key}` is no key, or of the wrong type (keys: {', '.join(KEYS)})")
    for key in ("operators", "with"):
        names = kind.get(key, [])
        if names != sorted(set(names)):
            raise DataError(f"[{name}]: `{key}` is not sorted, or names something twice")


def operators_of(name: str, kinds: dict[str, Any], opened: tuple[str, ...] = ()) -> set[str]:
    """All operators of a kind, those of the kinds that it is made of among them."""
    if name not in kinds:
        raise DataError(f"[{opened[-1]}]: `{name}` is no kind")
    if name in opened:
        raise DataError(f"[{name}]: is made of itself")
    own = set(kinds[name].get("operators", []))
    for other in kinds[name].get("with", []):
        known = operators_of(other, kinds, (*opened, name))
        if twice := own & known:
            raise DataError(f"[{name}]: {min(twice)} is of `{other}` already")
        own |= known
    return own


def render(kinds: dict[str, Any]) -> str:
    for name, kind in kinds.items():
        check(name, kind)
    if len(kinds) > MOST:
        raise DataError(f"more than {MOST} kinds")
    members = {name: operators_of(name, kinds) for name in kinds}
    lines = []
    for index, (name, operators) in enumerate(members.items()):
        listed = ", ".join(json.dumps(one) for one in sorted(operators))
        texts = ", ".join(json.dumps(kinds[name].get(key, ""), ensure_ascii=False) for key in ("what", "source"))
        cpp = identifier(name)
        lines.append(f"inline constexpr std::string_view {cpp}_operators[] = {{{listed}}};")
        lines.append(f"inline constexpr OperatorKind {cpp}{{{index}, {json.dumps(name)}, {texts}, {cpp}_operators}};")
    pointers = ", ".join("&" + identifier(name) for name in kinds)
    lines.append(f"inline constexpr const OperatorKind* kAll[] = {{{pointers}}};")
    lines.append("inline constexpr KindsOfOperator kByOperator[] = {")
    for operator in sorted(set().union(*members.values())):
        mask = sum(1 << index for index, operators in enumerate(members.values()) if operator in operators)
        words = ", ".join(f"{mask >> 64 * word & 0xFFFFFFFFFFFFFFFF:#x}U" for word in range(WORDS))
        lines.append(f"    {{{json.dumps(operator)}, {{{words}}}}},")
    return "\n".join([*lines, "};", ""])


def main() -> int:
    source, output = map(Path, sys.argv[1:])
    try:
        text = render(tomllib.loads(source.read_text(encoding="utf-8")))
    except (DataError, tomllib.TOMLDecodeError) as error:
        print(f"{source}: {error}", file=sys.stderr)
        return 1
    output.write_text(f"// Made from {source.name} by {Path(__file__).name}.\n" + text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
