"""Hostile models: time and memory stay proportional to the file, whatever is in it.

    python tests/bench/bombs.py .venv/bin/trtcheck [--only NAME...] [--size MEGABYTES]

Every maker of bomb_models.py, bomb_shapes.py and rule_bombs.py writes a file of 10 MB, and each is given to `check`
in every output format, `matrix` (of all releases), `shapes`, `diff`, `graph` and the Python call. Printed are, for
each, the slowest and the largest of these runs: processor time, peak memory of the process, its ratio to the size of
the file, the size of the largest document. Exit code 1: a limit is broken, a run was killed or died.
tests/python/test_bombs.py runs the same
makers with small files.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown", "html")
#: Reports in Python: all findings are looked at, and the page of a notebook is made.
CALL = (
    "import sys, trtcheck\n"
    "try:\n"
    "    report = trtcheck.check(sys.argv[1])\n"
    "    print(len([f.message for f in report]), len(report._repr_html_()), len(str(report)))\n"
    "except trtcheck.Error as error:\n"
    "    print(error)\n"
)


@dataclass(frozen=True)
class Limits:
    """Of one run."""

    #: Of the processor: a busy machine breaks no promise. For each model that is read: `diff` reads two.
    seconds: float
    megabytes: float
    #: A killed run has broken its limit; nothing that hangs may stop the others.
    timeout: float


@dataclass(frozen=True)
class Run:
    what: str
    seconds: float
    megabytes: float
    output: int
    status: int


def commands(program: Path, model: Path, formats: Iterable[str] = FORMATS) -> dict[str, list[str]]:
    """What is run on a model; all but the last are runs of the program."""
    path = str(model)
    start = str(program)
    made = {f"check {f}": [start, "check", "--no-config", "--output-format", f, path] for f in formats}
    made |= {f"matrix {f}": [start, "matrix", "--no-config", "--output-format", f, path] for f in ("full", "json")}
    made |= {f"shapes {f}": [start, "shapes", "--output-format", f, path] for f in ("full", "json")}
    made |= {f"diff {f}": [start, "diff", "--no-config", "--output-format", f, path, path] for f in ("full", "json")}
    made["graph"] = [start, "graph", "--around", "y", "-o", os.devnull, path]
    made["python"] = [sys.executable, "-c", CALL, path]
    return made


#: Starts a command and writes seconds, kilobytes and status behind it. A process of its own and a small one, because
#: the memory of whoever forks counts as that of the child.
STARTER = """
import os, resource, signal, subprocess, sys, threading
most, timeout, result, *command = sys.argv[1:]
def prepare():
    resource.setrlimit(resource.RLIMIT_AS, (int(most), int(most)))
process = subprocess.Popen(command, stderr=subprocess.DEVNULL, preexec_fn=prepare)
killer = threading.Timer(float(timeout), process.kill)
killer.start()
_, status, usage = os.wait4(process.pid, 0)
killer.cancel()
with open(result, "w") as file:
    print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss, os.waitstatus_to_exitcode(status), file=file)
os._exit(0)
"""


def run(what: str, command: list[str], limits: Limits) -> Run:
    """One process; its output counts, nobody reads it. More memory than 8 times the limit is not to be had."""
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile("r") as result:
        words = [str(int(limits.megabytes * 8e6)), str(limits.timeout), result.name, *command]
        subprocess.run([sys.executable, "-S", "-E", "-c", STARTER, *words], stdout=output, check=True)
        seconds, kilobytes, status = result.read().split()
        size = os.fstat(output.fileno()).st_size
    return Run(what, float(seconds), float(kilobytes) / 1000, size, int(status))


def broken(one: Run, limits: Limits) -> list[str]:
    """The promises that a run did not keep. Exit code 2 is an answer: the file could not be read."""
    found = []
    models = 2 if one.what.startswith("diff") else 1
    if one.status not in (0, 1, 2):
        died = signal.Signals(-one.status).name if one.status < 0 else str(one.status)
        found.append(f"{one.what}: ended by {died} after {one.seconds:.1f} s")
    elif one.seconds > models * limits.seconds:
        found.append(f"{one.what}: {one.seconds:.2f} s > {models * limits.seconds:g} s")
    if one.megabytes > models * limits.megabytes:
        found.append(f"{one.what}: {one.megabytes:.0f} MB > {models * limits.megabytes:g} MB")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, default=Path(".venv/bin/trtcheck"))
    parser.add_argument("--models", type=Path, default=Path("build/bombs"), help="where the models are made")
    parser.add_argument("--size", type=float, default=10, metavar="MEGABYTES", help="of each file (default: 10)")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="makers whose name contains one of these")
    parser.add_argument("--first", action="store_true", help="check in two formats only")
    args = parser.parse_args()
    limits = Limits(seconds=3, megabytes=500, timeout=20)
    # In a process of its own, because its memory would count as that of every child of this one.
    make = [sys.executable, str(HERE / "make_bombs.py"), str(args.models), str(int(args.size * 1e6)), *args.only]
    names = subprocess.run(make, check=True, stdout=subprocess.PIPE, text=True).stdout.split()

    print(f"{'':44}{'file':>9}{'slowest':>10}{'':16}{'largest':>9}{'ratio':>7}{'':16}{'document':>9}", flush=True)
    failed: list[str] = []
    for name in names:
        model = args.models / f"{name}.onnx"
        size = model.stat().st_size / 1e6
        todo = commands(args.program, model, FORMATS[:3:2] if args.first else FORMATS)
        runs = [run(what, command, limits) for what, command in todo.items()]
        slow, large = max(runs, key=lambda r: r.seconds), max(runs, key=lambda r: r.megabytes)
        document = max(runs, key=lambda r: r.output).output / 1e6
        found = [f"{name}: {what}" for one in runs for what in broken(one, limits)]
        print(
            f"{name:44}{size:>6.1f} MB{slow.seconds:>8.2f} s  {slow.what:14}{large.megabytes:>6.0f} MB"
            f"{large.megabytes / size:>7.1f}  {large.what:14}{document:>6.1f} MB{'  !' if found else ''}",
            flush=True,
        )
        failed += found
        model.unlink()
    print("\nall limits are kept" if not failed else "\nbroken limits:\n  " + "\n  ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
