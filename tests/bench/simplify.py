"""`trtcheck simplify` beside onnxsim, OnnxSlim and Polygraphy's folding: what is left of models, time, memory, wrong.

    python tests/bench/simplify.py .venv/bin/trtcheck [--every 3] [--peers build/peers]

Models: the exports of the zoo (tests/python/zoo), a decoder with a cache of keys and values, and two with 419 MB and
2 GB of weights, of which only time and memory are compared. Each tool runs in a process of its
own that reads a file and writes one; its time and peak memory are those of the process. "Wrong": outputs in ONNX
Runtime that differ from those of the original at one of up to three sizes by more than 1e-3 of the largest one, or a
model that does not run; trtcheck's have to be equal bit for bit. The peers are installed into a virtual environment of
their own, which nothing else uses. Exit code 1: a model of trtcheck is wrong, another tool leaves fewer shape chains
and is right in as many models, or trtcheck is less than 50 times faster in the median.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import decoder
import models
import numpy as np
import onnx
from bench import run

from trtcheck import edit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))

from zoo.catalog import ENTRIES  # noqa: E402
from zoo.export import Export, all_exports, export  # noqa: E402
from zoo.reference import session  # noqa: E402

PEERS = {
    "onnxsim": "import onnxsim, onnx, sys; onnx.save(onnxsim.simplify(onnx.load(sys.argv[1]))[0], sys.argv[2])",
    "onnxslim": "import onnxslim, onnx, sys; onnx.save(onnxslim.slim(onnx.load(sys.argv[1])), sys.argv[2])",
    "polygraphy": (
        "import sys; sys.argv = ['polygraphy', 'surgeon', 'sanitize', '--fold-constants', sys.argv[1], '-o',"
        " sys.argv[2]];"
        "from polygraphy.tools import main; main()"
    ),
}
PACKAGES = ["onnxsim", "onnxslim", "polygraphy", "onnx-graphsurgeon", "onnxruntime"]
FASTER = 50
# A process begins with the peak of the one that started it: a small one in between starts the tool.
STARTER = """
import resource, subprocess, sys, time
begin = time.perf_counter()
subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
LARGE: dict[str, models.Maker] = {
    "inline weights, 419 MB": models.inline_weights,
    "external weights, 2 GB": lambda path: models.external_weights(path, 20),
}


@dataclass
class Tally:
    """What one tool made of all models."""

    nodes: int = 0
    shapes: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def count(self, model: onnx.ModelProto) -> None:
        nodes = list(all_nodes(model.graph))
        self.nodes += len(nodes)
        self.shapes += sum(node.op_type in ("Shape", "Size") for node in nodes)

    def time(self, seconds: float, megabytes: float) -> None:
        self.seconds.append(seconds)
        self.megabytes.append(megabytes)


def all_nodes(graph: onnx.GraphProto) -> Any:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from all_nodes(attribute.g)


def python_of_peers(folder: Path) -> Path:
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def commands(program: Path, peers: Path, source: Path, target: Path) -> dict[str, list[str]]:
    made = {"trtcheck": [str(program), "simplify", "--no-config", str(source), "-o", str(target)]}
    for name, code in PEERS.items():
        made[name] = [str(peers), "-P", "-c", code, str(source), str(target)]
    return made


def measured(command: list[str]) -> tuple[float, float]:
    """Seconds and megabytes."""
    seconds, kilobytes = run([sys.executable, "-S", "-c", STARTER, *command]).output.split()
    return float(seconds), int(kilobytes) / 1000


def outputs(model: onnx.ModelProto, made: Export) -> list[list[Any]]:
    running = session(model)
    names = {value.name for value in running.get_inputs()}
    results = []
    for sizes in made.sizes:
        arguments = zip(made.entry.inputs, made.entry.arguments(sizes), strict=True)
        feeds = {name: value.numpy() for name, value in arguments if name in names}
        results.append(list(running.run(None, feeds)))
    return results


def is_close(tool: str, before: list[list[Any]], after: list[list[Any]]) -> bool:
    for old_run, new_run in zip(before, after, strict=True):
        for old, new in zip(old_run, new_run, strict=True):
            if not isinstance(old, np.ndarray):
                continue
            if (old.dtype, old.shape) != (new.dtype, new.shape):
                return False
            if tool == "trtcheck" and old.tobytes() != new.tobytes():
                return False
            scale = max(float(np.abs(old.astype("f8")).max(initial=0)), 1.0)
            if not np.allclose(old.astype("f8"), new.astype("f8"), rtol=0, atol=1e-3 * scale, equal_nan=True):
                return False
    return True


def compare(made: Export, program: Path, peers: Path, tallies: dict[str, Tally], scratch: Path) -> None:
    assert made.path is not None
    model = onnx.load(made.path)
    try:
        before = outputs(model, made)
    except Exception:  # what does not run before says nothing
        return
    tallies["none"].count(model)
    for tool, command in commands(program, peers, made.path, scratch / "out.onnx").items():
        (scratch / "out.onnx").unlink(missing_ok=True)
        tally = tallies[tool]
        tally.time(*measured(command))
        # trtcheck writes nothing where nothing is to be changed.
        target = scratch / "out.onnx"
        left = model if tool == "trtcheck" and not target.exists() else None
        try:
            left = left or onnx.load(target)
            tally.count(left)
            is_right = is_close(tool, before, outputs(left, made))
        except Exception:  # broken, in whatever way
            is_right = False
        if not is_right:
            tally.wrong.append(made.name)


def large(title: str, program: Path, peers: Path, scratch: Path) -> None:
    """Time and memory where weights are large."""
    source = scratch / "large.onnx"
    LARGE[title](scratch / "plain.onnx")
    # Something that is to be removed: without that, nothing is written.
    identity = edit.InsertNode(0, edit.NewNode("Identity", ["x"], ["same"]))
    edit.apply(scratch / "plain.onnx", [identity, edit.SetInput(edit.NodeAt(0), 0, "same")], source)
    ours = 0.0
    for tool, command in commands(program, peers, source, scratch / "out.onnx").items():
        (scratch / "out.onnx").unlink(missing_ok=True)
        seconds, megabytes = measured(command)
        ours = ours or seconds
        failed = "" if (scratch / "out.onnx").exists() else ", writes nothing"
        print(f"{title}: {tool} {seconds / ours:,.1f} times the time, {megabytes:,.0f} MB{failed}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, default=Path(".venv/bin/trtcheck"))
    parser.add_argument("--every", type=int, default=1, help="of the exports every n-th")
    parser.add_argument("--peers", type=Path, default=ROOT / "build/peers")
    arguments = parser.parse_args()
    peers = python_of_peers(arguments.peers)
    tallies = {name: Tally() for name in ("none", "trtcheck", *PEERS)}
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        running = [case for case in all_exports(ENTRIES.values()) if case[0].edit is None]
        for case in running[:: arguments.every]:
            made = export(*case)
            if made.path is not None:
                compare(made, arguments.program, peers, tallies, scratch)
        for made in decoder.exported(scratch):
            before = {name: (tally.nodes, tally.shapes) for name, tally in tallies.items()}
            compare(made, arguments.program, peers, tallies, scratch)
            left = [f"{name} {t.nodes - before[name][0]}/{t.shapes - before[name][1]}" for name, t in tallies.items()]
            print(f"{made.name}: nodes/shapes: {', '.join(left)}")
        for title in LARGE:
            large(title, arguments.program, peers, scratch)
    ours = tallies["trtcheck"]
    print(f"{'':12}{'nodes':>8}{'shapes':>8}{'wrong':>8}{'time':>10}{'memory':>10}")
    for name, tally in tallies.items():
        times = median(tally.seconds) / median(ours.seconds) if tally.seconds else 0
        memory = f"{median(tally.megabytes):,.0f} MB" if tally.megabytes else ""
        print(f"{name:12}{tally.nodes:8}{tally.shapes:8}{len(tally.wrong):8}{times:9,.0f}x{memory:>10}")
        if tally.wrong:
            print(f"  wrong: {', '.join(tally.wrong)}")
    broken = bool(ours.wrong)
    for name in PEERS:
        tally = tallies[name]
        broken |= tally.shapes < ours.shapes and len(tally.wrong) <= len(ours.wrong)
        broken |= median(tally.seconds) < FASTER * median(ours.seconds)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
