"""Writes the hostile models.

    python tests/bench/make_bombs.py FOLDER BYTES [NAME...]

Prints the names of the models, of which FOLDER holds `NAME.onnx`. With names: only makers that contain one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import bomb_shapes  # noqa: F401  (its makers join those of bomb_models)
import rule_bombs
from bomb_models import MAKERS, write


def make(folder: Path, size: int, words: Sequence[str] = ()) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    makers = {**MAKERS, **rule_bombs.makers()}
    names = [name for name in makers if not words or any(word in name for word in words)]
    for name in names:
        write(folder / f"{name}.onnx", makers[name](size))
    return names


if __name__ == "__main__":
    print("\n".join(make(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])))
