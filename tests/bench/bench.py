"""Time and peak memory of the program `trtcheck`, against onnx's two calls on the same files, in one run.

    python tests/bench/bench.py .venv/bin/trtcheck

"trtcheck" is the whole process from its start to its end, page cache warm, the best of several runs ("cpu":
without waiting for others on a busy machine; the limits are about wall time). "onnx" is
`onnx.checker.check_model(full_check=True)` plus `onnx.shape_inference.infer_shapes(data_prop=True)`: "calls" without
starting Python and importing onnx, "process" with both. Peak memory is that of the process; a child inherits the
high-water mark of this script, so it cannot show less than some 12 MB. Exit code 1: a limit is broken.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import models

TEST_DATA = Path("/usr/share/libonnx-testdata")
MANY = "libonnx-testdata, all in one process"


@dataclass(frozen=True)
class Limit:
    """What the project promises for one model; None: nothing."""

    milliseconds: float | None = None
    megabytes: float | None = None
    times_faster: float = 1.0


LIMITS = {
    "tiny": Limit(20, 20),
    "inline weights, 419 MB": Limit(50, 50, 20),
    "external weights, 4 GB": Limit(50, 30, 20),
    "20,000 nodes": Limit(60),
    "1,000,000 nodes": Limit(),
    MANY: Limit(200),
}


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu: float
    megabytes: float
    output: str
    status: int


def run(command: list[str], timeout: float = 600) -> Run:
    """One process: wall time, peak resident memory and what it printed. Killed after `timeout` seconds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    killer = threading.Timer(timeout, process.kill)
    killer.start()
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    killer.cancel()
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(
        seconds,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1000,
        output.decode(errors="replace"),
        process.returncode,
    )


def best(command: list[str], repeat: int) -> Run:
    runs = [run(command) for _ in range(repeat)]
    fastest = min(runs, key=lambda r: r.seconds)
    return Run(
        fastest.seconds, min(r.cpu for r in runs), max(r.megabytes for r in runs), fastest.output, fastest.status
    )


def duration(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms" if seconds < 1 else f"{seconds:,.2f} s"


def verdicts(limit: Limit, ours: Run, calls: float | None, process: float | None) -> list[str]:
    """The broken promises."""
    broken = []
    if limit.milliseconds is not None and ours.seconds * 1000 > limit.milliseconds:
        broken.append(f"{duration(ours.seconds)} > {limit.milliseconds:g} ms")
    if limit.megabytes is not None and ours.megabytes > limit.megabytes:
        broken.append(f"{ours.megabytes:.0f} MB > {limit.megabytes:g} MB")
    if calls is not None and limit.times_faster > 1 and calls < ours.seconds * limit.times_faster:
        broken.append(f"{calls / ours.seconds:.1f} times faster < {limit.times_faster:g}")
    if process is not None and process < ours.seconds:
        broken.append("slower than onnx")
    return broken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, default=Path(".venv/bin/trtcheck"))
    parser.add_argument("--python", default=sys.executable, help="interpreter with onnx (default: this one)")
    parser.add_argument("--models", type=Path, default=Path("build/bench"), help="where the models are made and kept")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--no-onnx", action="store_true", help="measure trtcheck only")
    parser.add_argument("--onnx-timeout", type=float, default=300, metavar="SECONDS")
    args = parser.parse_args()
    if not args.program.is_file():
        parser.error(f"{args.program} does not exist: run `make build` first")

    # In a process of its own, because its memory would count as that of every child of this one.
    subprocess.run([sys.executable, models.__file__, str(args.models)], check=True)
    cases = {title: [str(models.path_of(args.models, title))] for title in models.MAKERS}
    if TEST_DATA.is_dir():
        cases[MANY] = [str(path) for path in sorted(TEST_DATA.rglob("model.onnx"))]
    print(f"{'':38}{'trtcheck':>12}{'cpu':>11}{'peak':>9}{'onnx: calls':>14}{'process':>12}{'peak':>10}{'ratio':>9}")
    broken: list[str] = []
    for title, paths in cases.items():
        repeat = args.repeat if title != "1,000,000 nodes" else 2
        ours = best([str(args.program), "check", "--fail-on", "never", "--output-format", "concise", *paths], repeat)
        if ours.status != 0:
            broken.append(f"{title}: exit code {ours.status}")
        line = f"{title:38}{duration(ours.seconds):>12}{duration(ours.cpu):>11}{ours.megabytes:>6.0f} MB"
        calls = process = None
        if not args.no_onnx:
            theirs = run([args.python, str(Path(__file__).with_name("onnx_calls.py")), *paths], args.onnx_timeout)
            process = theirs.seconds
            words = theirs.output.split()
            calls = float(words[0]) if theirs.status == 0 and words else None
            shown = duration(calls) if calls is not None else "killed"
            ratio = (calls if calls is not None else process) / ours.seconds
            line += f"{shown:>14}{duration(process):>12}{theirs.megabytes:>7.0f} MB{ratio:>8.1f}x"
            if calls is not None and int(words[1]) > 0:
                line += f"  (onnx refuses {words[1]})"
        print(line, flush=True)
        broken += [f"{title}: {what}" for what in verdicts(LIMITS[title], ours, calls, process)]
    print("\nall limits are kept" if not broken else "\nbroken limits:\n  " + "\n  ".join(broken))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
