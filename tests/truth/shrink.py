"""Reduces a model about which we and the witness disagree to the smallest one about which we still do.

    python tests/truth/shrink.py MODEL [--version 1.7.1] [--witness PROGRAM]

Prints it as ONNX text, as a row's example has it. Exit code 1: there is no disagreement.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import onnx
import onnx.printer
from compare import compared, is_strict, our_verdict
from messages import essence
from onnx import ModelProto
from prepare import declare_outputs, profile_text, write
from program import add_witness_option, find_program
from smaller import is_valid, smaller
from witness import WHEELS, Verdict, Witness, find_libraries

Signature = tuple[str, str]


def shrink(model: ModelProto, still: Callable[[ModelProto], bool]) -> ModelProto:
    """Takes the first smaller model that will do, until there is none."""
    best = model
    while True:
        found = next(
            (made for made in smaller(best) if is_progress(made, best) and is_valid(made) and still(made)), None
        )
        if found is None:
            return best
        best = found


def is_progress(made: ModelProto, best: ModelProto) -> bool:
    return size(made) < size(best)


def size(model: ModelProto) -> tuple[int, int]:
    """Letters to write it down, then the elements of its inputs."""
    elements = 0
    for value in model.graph.input:
        count = 1
        for dim in value.type.tensor_type.shape.dim:
            count *= max(dim.dim_value, 2 if dim.dim_param else 1)
        elements += count
    return len(onnx.printer.to_text(model)), elements


class Disagreement:
    """Asks both about one model."""

    def __init__(self, witness: Witness, folder: Path) -> None:
        self._witness = witness
        self._folder = folder

    def signature(self, model: ModelProto) -> Signature | None:
        """Whether we missed it or were wrong, and why; None: we agree, or nobody can tell."""
        path = write(model, self._folder)
        level, facts = our_verdict(path, self._witness.libraries.version)
        theirs = self._ask(path)
        word = compared(level == "error", theirs)
        if word not in ("missed", "false"):
            return None
        return word, essence(theirs.reason) if word == "missed" else ", ".join(sorted(set(facts)))

    def _ask(self, path: Path) -> Verdict:
        profiles = profile_text(path)
        if not profiles:
            return self._witness.ask(path)
        with Witness(self._witness.program, self._witness.libraries, profiles=profiles) as own:
            return own.ask(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--version", choices=list(WHEELS), default=list(WHEELS)[-1])
    add_witness_option(parser)
    args = parser.parse_args()
    model = onnx.load(args.model)
    declare_outputs(model)
    libraries = find_libraries(args.version)
    with tempfile.TemporaryDirectory() as folder, Witness(find_program(args.witness), libraries) as witness:
        disagreement = Disagreement(witness, Path(folder))
        signature = disagreement.signature(model)
        if signature is None:
            print(f"{args.model}: there is no disagreement with {args.version}", file=sys.stderr)
            return 1
        # What onnx finds nothing wrong with stays so.
        right = is_strict(model)
        small = shrink(model, lambda made: (is_strict(made) or not right) and disagreement.signature(made) == signature)
    print(f"# {signature[0]}: {signature[1]}")
    print(onnx.printer.to_text(small).strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
