"""What it costs to compile the program, cold and after a small change, in processor seconds.

    python tests/bench/build_time.py [--keep-onnx]

One job, no ccache, in a temporary folder. Printed are the onnx library and the program, each of its rooms
(cpp/src/*), the most expensive files, and what it takes until `test_rules` is ready again when a rule, a file of rows
or a rule with messages of TensorRT is newer, and the program as `make demo` compiles it. `--keep-onnx` takes the onnx
library that an earlier build has kept.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "cpp"
LAUNCHER = Path(__file__).resolve().with_name("timed_compiler.py")
LISTED = 10
TOUCHED = {
    "a rule": "cpp/src/rules/model/input_without_shape.cpp",
    "a row": "cpp/data/facts/Pad.toml",
    "a message": "cpp/src/rules/model/external_data_missing.cpp",
}


@dataclass(frozen=True)
class Compiled:
    seconds: float
    source: Path

    @property
    def name(self) -> str:
        return str(self.source.relative_to(ROOT))

    @property
    def room(self) -> str:
        """The folder in cpp/src; what makes tables for it stands elsewhere."""
        parts = self.source.relative_to(PROGRAM).parts
        return parts[1] if parts[0] == "src" else parts[0]


class Build:
    """A build folder, and what was compiled there."""

    def __init__(self, folder: Path, keep_onnx: bool) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder / "build"
        self.log = folder / "compiled"
        self.log.touch()
        self.environment = {**os.environ, "CCACHE_DISABLE": "1", "CMAKE_BUILD_PARALLEL_LEVEL": "1"}
        self.environment["TRTCHECK_COMPILE_LOG"] = str(self.log)
        if not keep_onnx:
            self.environment["TRTCHECK_CACHE_DIR"] = str(folder / "cache")

    def run(self, *words: str) -> None:
        done = subprocess.run(
            words,
            env=self.environment,
            cwd=ROOT,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}\n{done.stdout}")

    def configure(self, *definitions: str) -> None:
        self.run(
            *("cmake", "-S", str(ROOT), "-B", str(self.folder), "-G", "Ninja"),
            *(f"-D{each}" for each in (f"CMAKE_CXX_COMPILER_LAUNCHER={LAUNCHER}", *definitions)),
        )

    def make(self, target: str) -> None:
        self.run("cmake", "--build", str(self.folder), "--target", target, "--parallel", "1")

    def compiled(self) -> list[Compiled]:
        lines = [line.split("\t") for line in self.log.read_text("utf-8").splitlines()]
        return [Compiled(float(seconds), Path(source)) for seconds, source in lines]


def seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def print_cold(compiled: list[Compiled]) -> None:
    program = [each for each in compiled if each.source.is_relative_to(PROGRAM)]
    onnx = sum(each.seconds for each in compiled if each not in program)
    rooms: dict[str, float] = defaultdict(float)
    for each in program:
        rooms[each.room] += each.seconds
    print(f"{onnx:8.1f}  onnx library")
    print(f"{sum(each.seconds for each in program):8.1f}  program, {len(program)} files")
    for room, seconds in sorted(rooms.items(), key=lambda item: -item[1]):
        print(f"{seconds:8.1f}    {room}")
    print("\nmost expensive files")
    for each in sorted(program, key=lambda each: -each.seconds)[:LISTED]:
        print(f"{each.seconds:8.1f}  {each.name}")


def print_touched(build: Build) -> None:
    print("\nuntil test_rules is ready: processor seconds, seconds, files compiled")
    for what, name in TOUCHED.items():
        (ROOT / name).touch()
        before = len(build.compiled())
        processor, start = seconds_of_children(), time.perf_counter()
        build.make("test_rules")
        processor, wall = seconds_of_children() - processor, time.perf_counter() - start
        print(f"{processor:8.1f} {wall:8.1f} {len(build.compiled()) - before:4}  {what} ({name})")


def print_demo(build: Build) -> None:
    """@param build: of the same folder, whose onnx library is there."""
    demo = Build(build.folder.parent / "demo", keep_onnx=True)
    demo.environment.update({key: value for key, value in build.environment.items() if key == "TRTCHECK_CACHE_DIR"})
    demo.configure("TRTCHECK_BUILD_TESTS=OFF", "CMAKE_UNITY_BUILD=ON")
    before = seconds_of_children()
    demo.make("trtcheck_cli")
    print(f"\n{seconds_of_children() - before:8.1f}  program as `make demo` compiles it")


def main() -> None:
    parser = argparse.ArgumentParser(description="What it costs to compile the program.")
    parser.add_argument("--keep-onnx", action="store_true", help="take the onnx library that is there already")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trtcheck-build-") as folder:
        build = Build(Path(folder), arguments.keep_onnx)
        build.configure()
        build.make("trtcheck_cli")
        print_cold(build.compiled())
        build.make("test_rules")
        print_touched(build)
        print_demo(build)


if __name__ == "__main__":
    main()
