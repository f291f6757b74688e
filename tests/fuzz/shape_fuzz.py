"""Random models: what trtcheck says of their shapes, and what ONNX Runtime makes of them.

    python tests/fuzz/shape_fuzz.py --seconds 1800
    python tests/fuzz/shape_fuzz.py --seed 7 --first 4711 --count 1

A model of five to sixty nodes is drawn so that it runs at one size; then it is run at that size, at small, odd, large
and empty ones, node by node. Wherever a node runs, dims, types and contents that we state must be its own, and no
conflict and no obligation may speak against it. What is found is made smaller and printed as ONNX text. Exit code 1:
something was found.
"""

from __future__ import annotations

import argparse
import os
import pickle
import random
import resource
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "truth")]

from shape_changes import changed_results  # noqa: E402
from shape_draft import drawn  # noqa: E402
from shape_oracle import disagreements  # noqa: E402
from shape_shrink import Found, minimised  # noqa: E402

#: Changes to models are looked at in one of so many.
CHANGES_EVERY = 4
#: Bytes that one model may take: some operators of ONNX Runtime ask for all there is.
MOST_MEMORY = 8 << 30
#: Some loops run on and on in ONNX Runtime.
MOST_SECONDS = 120


@dataclass
class Tally:
    models: int = 0
    nodes: int = 0
    #: the process that drew or ran a model died: ONNX Runtime's doing
    died: list[str] = field(default_factory=list)
    compared: Counter[str] = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)
    #: what ONNX Runtime refused and we said nothing against, by operator: the values decide, or we could say more
    missed: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return (
            f"{self.models} models of {self.nodes} nodes, {sum(self.compared.values())} tensors of "
            f"{len(self.compared)} operators compared, {len(self.died)} ended the process, {len(self.found)} found"
        )


def one(seed: str) -> Tally:
    tally = Tally()
    sample = drawn(seed)
    if sample is None:
        return tally
    tally.models, tally.nodes = 1, len(sample.model.graph.node)
    rng = random.Random(seed)
    signatures = set()
    for found in disagreements(sample):
        if found.signature not in signatures:
            signatures.add(found.signature)
            tally.found.append(minimised(seed, sample, found))
    if rng.randrange(CHANGES_EVERY) == 0:
        tally.found += [Found(seed, found, "") for found in changed_results(sample, rng)]
    tally.compared.update(sample.compared)
    tally.missed.update({op: len(reasons) for op, reasons in sample.missed.items()})
    tally.reasons = {op: f"seed {seed}: {reasons[0]}" for op, reasons in sample.missed.items()}
    return tally


def isolated(seed: str) -> Tally:
    """In a process of its own: some models end it."""
    read, write = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(read)
        code = 1
        try:
            warnings.simplefilter("ignore")
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.RLIM_INFINITY))
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, resource.RLIM_INFINITY))
            with os.fdopen(write, "wb") as pipe:
                pipe.write(pickle.dumps(one(seed)))
            code = 0
        except MemoryError:
            pass
        except BaseException as error:  # a defect of the fuzzer itself
            print(f"seed {seed}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            code = 3
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        content = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 3:
        raise RuntimeError(f"seed {seed}: the fuzzer failed")
    if status or not content:
        return Tally(died=[seed])
    made: Tally = pickle.loads(content)
    return made


def fuzz(seed: str, first: int, count: int, seconds: float, echo: bool = False) -> Tally:
    """Models `first` and the following ones of a seed, until their number or the time is over."""
    total = Tally()
    until = time.monotonic() + seconds
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork, in a process that has threads
        for at in range(first, first + count):
            if time.monotonic() > until:
                break
            made = isolated(f"{seed} {at}")
            total.models += made.models
            total.nodes += made.nodes
            total.died += made.died
            total.compared.update(made.compared)
            total.found += made.found
            total.missed.update(made.missed)
            total.reasons = made.reasons | total.reasons
            if echo:
                for gone in made.died:
                    print(f"seed {gone}: the process ended", flush=True)
                for found in made.found:
                    print(found, flush=True)
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", default=str(random.randrange(1 << 32)))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1 << 40)
    parser.add_argument("--missed", action="store_true", help="print what ONNX Runtime refused and we did not")
    args = parser.parse_args()
    print(f"--seed {args.seed}", flush=True)
    total = fuzz(args.seed, args.first, args.count, args.seconds, echo=True)
    print(total)
    print(", ".join(f"{op} {count}" for op, count in total.compared.most_common()))
    if args.missed:
        for op, count in total.missed.most_common():
            print(f"{op} {count}: {total.reasons[op][-300:]}")
    return 1 if total.found else 0


if __name__ == "__main__":
    sys.exit(main())
