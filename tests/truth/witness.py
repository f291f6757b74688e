"""NVIDIA's own parser and builder, asked through the program `trtcheck-witness`.

The libraries are those of TensorRT-RTX, out of a wheel that users install themselves: where it is installed, or in the
cache, or downloaded into it. They run without a GPU. The program is a child process: a crash or a hang of it is an
answer about one model.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import resource
import select
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Wheel:
    package: str
    version: str
    folder: str  # of the libraries
    suffix: str  # of their names


def _of_onnxruntime(version: str, libraries: str) -> Wheel:
    package = "onnxruntime-ep-nv-tensorrt-rtx-cu13"
    return Wheel(package, version, "onnxruntime_ep_nv_tensorrt_rtx", libraries)


# By version of the libraries: the wheel, and the branch of TensorRT that is compiled into the library as a path.
WHEELS = {
    "1.4.0": Wheel("tensorrt_rtx_cu13_libs", "1.4.0.76", "tensorrt_rtx_libs", "1"),
    "1.5.0": _of_onnxruntime("0.3.0", "1.5.0"),
    "1.6.1": _of_onnxruntime("0.4.0", "1.6.1"),
    "1.7.1": _of_onnxruntime("0.5.0", "1.7.1"),
}
STANDS_FOR = {"1.4.0": "10.16", "1.5.0": "11.0", "1.6.1": "11.2", "1.7.1": "11.4"}
# What our verdict is asked for.
TARGETS = {version: f"rtx-{version[:3]}" for version in WHEELS}

ADDRESS_SPACE = 24 << 30
# What these versions cannot say without a driver, or what RTX alone lacks, is no judgement of a model.
NOT_JUDGED = re.compile(
    r"[Pp]lugin[^\n]*(not found|not registered)|was not found in[^\n]*plugin"
    r"|no runners that implement it|\bcreator\b|getPluginCreator|cudnn_impl\.cpp[^\n]*CHECK\(dtype =="
    r"|no optimization profile has been defined|missing values for shape input|Network must have at least one output"
    r"|is not supported in TensorRT-RTX|No importer registered for op: (DeformConv|RoiAlign)"
    # 1.4.0 folds no constant of Q/DQ without a device, and refuses any INT8 input, whatever reads it.
    r"|generateForCurrent at|cannot be quantized by [^\n]*You might want to add a DQ node before"
    r"|Could not open|failed to open|[Oo]ut of memory|std::bad_alloc"
)


class WitnessError(Exception):
    """The witness cannot be had."""


@dataclass(frozen=True)
class Libraries:
    version: str
    library: Path
    parser: Path


@dataclass(frozen=True)
class Verdict:
    """What the witness makes of one model.

    `kind`: "built"; "parsed", and nobody tried to build it; "parser" or "builder", which refused it; "unjudged";
    "unasked".
    """

    kind: str
    reason: str = ""
    # The name of the node that the parser names.
    node: str = ""

    @property
    def refused(self) -> bool:
        return self.kind in ("parser", "builder")


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trtcheck/witness"


def _libraries_in(folder: Path, version: str) -> Libraries | None:
    suffix = WHEELS[version].suffix
    names = [folder / f"lib{name}.so.{suffix}" for name in ("tensorrt_rtx", "tensorrt_onnxparser_rtx")]
    return Libraries(version, *names) if all(path.exists() for path in names) else None


def _folders(wheel: Wheel) -> Iterator[Path]:
    """Where the wheel may be unpacked: the running environment, the cache."""
    try:
        installed = importlib.metadata.distribution(wheel.package)
    except importlib.metadata.PackageNotFoundError:
        pass
    else:
        if installed.version == wheel.version:
            yield Path(str(installed.locate_file(wheel.folder)))
    yield cache_folder() / wheel.version / wheel.folder


def find_libraries(version: str, download: bool = True) -> Libraries:
    """The libraries of a version; downloads the wheel into the cache where it is nowhere."""
    wheel = WHEELS[version]
    for folder in _folders(wheel):
        if found := _libraries_in(folder, version):
            return found
    if download:
        _download(wheel)
        return find_libraries(version, download=False)
    raise WitnessError(f"TensorRT-RTX {version} is not there: pip install {wheel.package}=={wheel.version}")


def _download(wheel: Wheel) -> None:
    folder = cache_folder() / wheel.version
    folder.mkdir(parents=True, exist_ok=True)
    # The newest one does not run on every machine that this does; it need not.
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
    name = f"{wheel.package}=={wheel.version}"
    done = subprocess.run([*command, name], capture_output=True, text=True, check=False)
    if done.returncode:
        raise WitnessError(f"{name}: {done.stderr.strip().splitlines()[-1]}")
    for archive in folder.glob("*.whl"):
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)
        archive.unlink()


def judge(answer: dict[str, Any]) -> Verdict:
    """Reads one answer of the program."""
    errors = "\n".join(error["description"] for error in answer["errors"])
    logged = "\n".join(entry["text"] for entry in answer["log"] if entry["severity"] != "warning")
    if NOT_JUDGED.search(f"{errors}\n{logged}"):
        return Verdict("unjudged", first_line(f"{errors}\n{logged}"))
    if not answer["parsed"]:
        return Verdict("parser", errors or logged, next((error.get("node_name", "") for error in answer["errors"]), ""))
    if answer["built"]:
        return Verdict("built")
    if answer["built"] is None:
        return Verdict("parsed", answer["not_built"] or "")
    return Verdict("builder", logged)


def first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")


@dataclass
class Witness:
    """One child process, started anew after a crash.

    with Witness(program, libraries) as witness:
        witness.ask(path)
    """

    program: Path
    libraries: Libraries
    parse_only: bool = False
    profiles: tuple[str, ...] = ()
    timeout: float = 60
    crashes: int = field(default=0, init=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _unread: bytes = field(default=b"", init=False)

    def __enter__(self) -> Witness:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def ask(self, model: Path) -> Verdict:
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(os.fsencode(model) + b"\n")
            process.stdin.flush()
            line = self._line(process)
        except BrokenPipeError:
            line = b""
        if line is None:
            self._stop()
            return Verdict("unjudged", f"no answer in {self.timeout:g} s")
        if not line:
            self.crashes += 1
            status = self._stop()
            return Verdict("builder" if not self.parse_only else "parser", f"it crashes (status {status})")
        answer = json.loads(line)
        if "fatal" in answer:
            raise WitnessError(answer["fatal"])
        return judge(answer)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            command = [str(self.program), "--library", str(self.libraries.library)]
            command += ["--parser", str(self.libraries.parser)]
            command += ["--parse-only"] if self.parse_only else []
            for profile in self.profiles:
                command += ["--profile", profile]
            self._unread = b""
            self._process = subprocess.Popen(
                [*command, "--batch"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                preexec_fn=_limit,
            )
        return self._process

    def _line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        """One line; empty: the process ended; None: it took too long."""
        assert process.stdout is not None
        end = time.monotonic() + self.timeout
        while b"\n" not in self._unread:
            ready, _, _ = select.select([process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            read = os.read(process.stdout.fileno(), 1 << 16)
            if not read:
                return b""
            self._unread += read
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _stop(self) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        with process:
            try:
                if process.stdin:
                    process.stdin.close()
                return process.wait(timeout=0.5)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                process.kill()
                return process.wait()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
