"""Where the program `trtcheck-witness` is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def add_witness_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--witness", type=Path, help="the program trtcheck-witness; that of build/cpp by default")


def find_program(named: Path | None) -> Path:
    if named is not None:
        return named
    for path in sorted((ROOT / "build/cpp").glob("**/trtcheck-witness")):
        if path.is_file():
            return path
    sys.exit("trtcheck-witness is not built; name it with --witness")
