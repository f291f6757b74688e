"""What NVIDIA's own parser and builder say of our verdicts.

    python tests/truth/truth.py rows

Exit code 1: a claim that we call proven is refuted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import referee
import rows
from witness import WHEELS, find_libraries, first_line

ROOT = Path(__file__).resolve().parents[2]


def find_program() -> Path:
    for path in sorted((ROOT / "build").glob("cpp/**/trtcheck-witness")):
        return path
    sys.exit("trtcheck-witness is not built; name it with --witness")


def of_rows(program: Path, versions: list[str]) -> int:
    samples = [*rows.of_rows(), *rows.of_pages()]
    outcomes = [
        outcome for version in versions for outcome in referee.put_before(samples, program, find_libraries(version))
    ]
    for outcome in outcomes:
        if outcome.word == "refuted":
            said = f"refused ({outcome.claim.certainty})" if outcome.claim.refused else "taken"
            reason = first_line(outcome.verdict.reason)[:160]
            print(f"{outcome.version} {outcome.sample.name}: we say {said}; {outcome.verdict.kind} {reason}")
    for version in versions:
        counts = Counter(outcome.word for outcome in outcomes if outcome.version == version)
        print(version, ", ".join(f"{word} {count}" for word, count in sorted(counts.items())))
    return int(any(outcome.is_grave for outcome in outcomes))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rows"])
    parser.add_argument("--witness", type=Path, help="the program trtcheck-witness")
    parser.add_argument("--version", action="append", choices=list(WHEELS), help="only these")
    args = parser.parse_args()
    program = args.witness or find_program()
    return of_rows(program, args.version or list(WHEELS))


if __name__ == "__main__":
    sys.exit(main())
