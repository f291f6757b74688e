"""Time and peak memory of the program `trtcheck`, against onnx's two calls on the same files, in one run.

    python tests/bench/bench.py .venv/bin/trtcheck

Like is compared with like. "process": the whole process from its start to its end, page cache warm (the program
`trtcheck`, the best of several runs; Python with onnx). "calls": the calls alone, in a Python process that has imported
the package: `trtcheck.check`, which also runs all rules, and `onnx.checker.check_model(full_check=True)` plus
`onnx.shape_inference.infer_shapes(data_prop=True)`. Peak memory is that of the process; a child inherits the
high-water mark of this script, so it cannot show less than some 12 MB. Limits are about the wall time and the peak of
the program, and about both ratios; for a node of the chain, about instructions, which valgrind counts: the same on a
loaded machine as on a free one. Other commands are given in checks of the same model. Exit code 1: a limit is broken.
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
FOLDER = "libonnx-testdata, as a folder"
CHAIN = "20,000 nodes"
# Of the program that reads, infers and checks; those of a model with one node taken off.
INSTRUCTIONS_A_NODE = 8_000
CONFIGURED = "tiny, with a configuration file"


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
    CHAIN: Limit(60),
    "1,000,000 nodes": Limit(megabytes=400),
    MANY: Limit(100, times_faster=1.5),
    FOLDER: Limit(1500),
    CONFIGURED: Limit(20, 20),
}


@dataclass(frozen=True)
class Command:
    """A command, next to `check` of the same model in the same run; None: no limit of its time."""

    model: str
    words: tuple[str, ...]
    most_checks: float
    seconds: float | None = None
    #: Ratios are of instructions, which no load changes; else of processor time, where valgrind would take minutes.
    is_counted: bool = True


#: `{}` in a word is the path of the model, without its suffix.
COMMANDS = {
    # No weight is read, and the small file is written beside the data.
    "extract": Command(models.EXTERNAL, ("extract", "--inputs", "v10", "--outputs", "v30", "-o", "{}.part.onnx"), 2, 1),
    "axes": Command(models.AXES, ("axes", "--target", "10.13"), 10),
    # The model is checked, and its pieces until nothing changes.
    "partition": Command(models.CUT, ("partition", "--ort"), 6),
    # Few steps look at more than the nodes around the finding.
    "reduce": Command(
        models.CUT, ("reduce", "--finding", "OPS101", "-o", "{}.small.onnx"), 5, seconds=10, is_counted=False
    ),
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


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "killed"
    return f"{seconds * 1000:,.1f} ms" if seconds < 1 else f"{seconds:,.2f} s"


def calls_of(
    package: str, python: str, paths: list[str], timeout: float, repeat: int = 1
) -> tuple[Run, float | None, int]:
    """The process, the seconds of the calls alone (None: killed or failed) and the number of files refused."""
    command = [python, str(Path(__file__).with_name("calls.py")), package, *paths]
    runs = [run(command, timeout) for _ in range(repeat)]
    timed = [run.output.split() for run in runs if run.status == 0]
    if not timed:
        return runs[0], None, 0
    return runs[0], min(float(words[0]) for words in timed), int(timed[0][1])


def ratio(theirs: float | None, ours: float | None) -> float | None:
    return None if theirs is None or ours is None else theirs / ours


def verdicts(limit: Limit, ours: Run, ratios: dict[str, float | None]) -> list[str]:
    """The broken promises."""
    broken = []
    if limit.milliseconds is not None and ours.seconds * 1000 > limit.milliseconds:
        broken.append(f"{duration(ours.seconds)} > {limit.milliseconds:g} ms")
    if limit.megabytes is not None and ours.megabytes > limit.megabytes:
        broken.append(f"{ours.megabytes:.0f} MB > {limit.megabytes:g} MB")
    for what, times in ratios.items():
        if times is not None and times < limit.times_faster:
            broken.append(f"{what}: {times:.1f} times faster < {limit.times_faster:g}")
    return broken


def instructions(program: Path, model: str, *words: str) -> int:
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    words = words or ("check", "--fail-on", "never", "--output-format", "concise")
    printed = subprocess.run([*valgrind, str(program), *words, model], capture_output=True, text=True).stderr
    return int(printed.rsplit("Collected :", 1)[1].split()[0])


def compared(program: Path, command: Command, model: str, repeat: int) -> tuple[float, float]:
    """How many times what `check` costs, and the wall time of the command."""
    words = [word.replace("{}", model.removesuffix(".onnx")) for word in command.words]
    check = [str(program), "check", "--fail-on", "never", "--output-format", "concise", model]
    if "--target" in words:
        check[2:2] = words[words.index("--target") :][:2]
    ours = best([str(program), *words, model], repeat)
    if ours.status not in (0, 1):
        raise RuntimeError(f"{words[0]}: exit code {ours.status}")
    if not command.is_counted:
        return ours.cpu / best(check, repeat).cpu, ours.seconds
    return instructions(program, model, *words) / instructions(program, model, *check[1:-1]), ours.seconds


def configured(folder: Path, model: str) -> str:
    """The model once more, below a folder with a configuration file."""
    project = folder / "project"
    (project / "models").mkdir(parents=True, exist_ok=True)
    (project / "trtcheck.toml").write_text('target = "10.3"\nprecision = ["fp16"]\nignore = ["HWD"]\n')
    copy = project / "models" / Path(model).name
    copy.write_bytes(Path(model).read_bytes())
    return str(copy)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, default=Path(".venv/bin/trtcheck"))
    parser.add_argument("--python", default=sys.executable, help="has onnx and trtcheck (default: this one)")
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
        cases[FOLDER] = [str(TEST_DATA)]
    cases[CONFIGURED] = [configured(args.models, cases["tiny"][0])]
    print(f"{'':38}{'process':>11}{'peak':>9}{'calls':>11}{'onnx: process':>15}{'peak':>10}{'calls':>11}{'ratios':>17}")
    broken: list[str] = []
    for title, paths in cases.items():
        repeat = args.repeat if title != "1,000,000 nodes" else 2
        ours = best([str(args.program), "check", "--fail-on", "never", "--output-format", "concise", *paths], repeat)
        if ours.status != 0:
            broken.append(f"{title}: exit code {ours.status}")
        files = cases[MANY] if title == FOLDER else paths
        _, our_calls, _ = calls_of("trtcheck", args.python, files, args.onnx_timeout, min(repeat, 3))
        line = f"{title:38}{duration(ours.seconds):>11}{ours.megabytes:>6.0f} MB{duration(our_calls):>11}"
        ratios: dict[str, float | None] = {}
        if not args.no_onnx:
            process, calls, refused = calls_of("onnx", args.python, files, args.onnx_timeout)
            ratios = {"process": ratio(process.seconds, ours.seconds), "calls": ratio(calls, our_calls)}
            line += f"{duration(process.seconds):>15}{process.megabytes:>7.0f} MB{duration(calls):>11}"
            line += "".join(f"{times:>8.1f}x" if times is not None else f"{'-':>9}" for times in ratios.values())
            line += f"  (onnx refuses {refused})" if refused else ""
        print(line, flush=True)
        broken += [f"{title}: {what}" for what in verdicts(LIMITS[title], ours, ratios)]
    counted = [instructions(args.program, cases[title][0]) for title in (CHAIN, "tiny")]
    a_node = (counted[0] - counted[1]) // 20_000
    print(f"\n{a_node:,} instructions a node of the chain")
    if a_node > INSTRUCTIONS_A_NODE:
        broken.append(f"{CHAIN}: {a_node:,} instructions a node > {INSTRUCTIONS_A_NODE:,}")
    for name, command in COMMANDS.items():
        checks, seconds = compared(args.program, command, str(models.path_of(args.models, command.model)), args.repeat)
        print(f"{name:12}{command.model:38}{checks:6.1f} checks{duration(seconds):>12}", flush=True)
        if checks > command.most_checks:
            broken.append(f"{name}: {checks:.1f} checks > {command.most_checks:g}")
        if command.seconds is not None and seconds > command.seconds:
            broken.append(f"{name}: {duration(seconds)} > {command.seconds:g} s")
    print("\nall limits are kept" if not broken else "\nbroken limits:\n  " + "\n  ".join(broken))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
