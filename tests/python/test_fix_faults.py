"""Whatever fails while a model is repaired: the old file or the new one is there, whole, and no debris beside it."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import onnx
import onnx.parser
import pytest
from test_cli import find_program

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(find_program())

# Large enough for weights that stay on disk, with something to repair at 8.2.
TEXT = """<ir_version: 8, opset_import: ["" : 17]>
agraph (float[2,1,512] x) => (float[2,512] y) <int64[1] one = {1}> {
  a = Identity (one)
  s = Squeeze (x, a)
  y = MatMul (s, w)
}"""


def model(path: Path) -> None:
    made = onnx.parser.parse_model(TEXT)
    weights = onnx.helper.make_tensor("w", onnx.TensorProto.FLOAT, [512, 512], bytes(4 * 512 * 512), raw=True)
    made.graph.initializer.append(weights)
    path.write_bytes(made.SerializeToString())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("faults") / "faults.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-w", str(ROOT / "tests/faults/faults.c"), "-o", str(made), "-ldl"]
    subprocess.run(command, check=True)
    return made


# Large data of its own, and large data in another file.
EXTERNAL = TEXT.replace("y = MatMul (s, w)", "m = MatMul (s, w)\n  y = Add (m, far)")


def model_with_data(path: Path) -> None:
    made = onnx.parser.parse_model(EXTERNAL)
    for name in ("w", "far"):
        size = 512 * 512 if name == "w" else 512 * 2
        tensor = onnx.helper.make_tensor(name, onnx.TensorProto.FLOAT, [size // 512, 512], bytes(4 * size), raw=True)
        if name == "far":
            tensor.ClearField("raw_data")
            tensor.data_location = onnx.TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value="far.bin")
            (path.parent / "far.bin").write_bytes(bytes(4 * size))
        made.graph.initializer.append(tensor)
    path.write_bytes(made.SerializeToString())


def is_told_partial(done: subprocess.CompletedProcess[str]) -> bool:
    """A rule or a repair that memory ended for fails alone: the report says so, or that its verdict is uncertain."""
    words = ("failed: std::bad_alloc", "the repairs ended before it was reached", "after: uncertain")
    return done.returncode == 1 and any(word in done.stdout for word in words)


def is_out_of_memory(done: subprocess.CompletedProcess[str]) -> bool:
    """Also while the report is written, when the model is in place already; or before it can say so."""
    return done.returncode < 0 or (done.returncode == 2 and done.stderr.endswith(": out of memory\n"))


def every_allocation_fails(check: Callable[[str], bool], at_the_end: int = 200) -> int:
    """The first ones, the last ones and some between. @returns their number; `check` is False behind the last"""
    reached, missed = 0, 1
    while check(f"alloc:{missed}"):
        reached, missed = missed, missed + max(1, missed // 12)
    while missed - reached > 1:
        middle = (reached + missed) // 2
        reached, missed = (middle, missed) if check(f"alloc:{middle}") else (reached, middle)
    for n in range(max(1, reached - at_the_end), reached):
        assert check(f"alloc:{n}")
    return reached


class Bench:
    """One folder with one model, as it is before and as it is once it is repaired."""

    def __init__(self, folder: Path, library: Path, command: str = "fix") -> None:
        self.folder = folder
        self.command = [command, "--target", "8.2"] if command == "fix" else [command]
        self.path = folder / "net.onnx"
        self.library = library
        model(self.path)
        self.old = self.path.read_bytes()
        done = self.run(None, None)
        assert done.returncode == 0, done.stderr
        self.new = self.path.read_bytes()
        assert self.new != self.old
        self.reset()

    def reset(self) -> None:
        for path in self.folder.iterdir():
            path.unlink()
        self.path.write_bytes(self.old)

    def run(self, fault: str | None, seen: Path | None, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = dict(os.environ) | variables
        if fault is not None:
            environment |= {"LD_PRELOAD": str(self.library), "FAULT": fault, "FAULT_SEEN": str(seen)}
        command = [str(PROGRAM), *self.command, "--no-config", "--in-place", str(self.path)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)

    def check(self, fault: str, seen: Path) -> bool:
        """False: the fault was not reached any more."""
        self.reset()
        done = self.run(fault, seen)
        names = {path.name for path in self.folder.iterdir()}
        assert names <= {"net.onnx", "net.onnx.bak"}, (fault, names)
        now = self.path.read_bytes()
        assert now in (self.old, self.new), fault
        if "net.onnx.bak" in names:
            assert (self.folder / "net.onnx.bak").read_bytes() == self.old, fault
        if not seen.exists():
            assert done.returncode == 0
            assert now == self.new
            return False
        seen.unlink()
        if done.returncode == 0:
            assert now == self.new, fault
        elif fault.startswith("alloc"):
            assert is_told_partial(done) or is_out_of_memory(done), (fault, done.returncode, done.stdout, done.stderr)
        else:
            assert done.returncode == 2, (fault, done.returncode, done.stderr)
            assert now == self.old, fault
            assert len(done.stderr.strip().splitlines()) == 1, (fault, done.stderr)
        return True


# What is to be read on standard error.
CAUSES = {
    "write": "no space left on device",
    "copy": "no space left on device",
    "read": "input/output error",
    "sync": "input/output error",
    "rename": "permission denied",
    "create": "read-only file system",
    "mode": "operation not permitted",
    "close": "input/output error",
    "ended-read": "became shorter while it was read",
    "ended-copy": "became shorter while it was read",
    "state": "input/output error",
}
# What is done again, or in another way.
HARMLESS = ["no-copy", "short-copy", "short-write", "short-read", "interrupted-write", "interrupted-read"]
HARMLESS += ["interrupted-copy"]


@pytest.mark.parametrize("command", ["fix", "simplify"])
@pytest.mark.parametrize("kind", [*CAUSES, *HARMLESS])
def test_every_call_may_fail(kind: str, command: str, library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    bench = Bench(folder, library, command)
    reached = 0
    for n in range(1, 200):
        seen = tmp_path / "seen"
        if not bench.check(f"{kind}:{n}", seen):
            break
        assert kind not in HARMLESS or bench.path.read_bytes() == bench.new, (kind, n)
        reached += 1
    else:
        pytest.fail("more calls than anybody would make")
    assert reached > 0
    if kind in CAUSES:
        bench.reset()
        done = bench.run(f"{kind}:1", tmp_path / "seen")
        assert done.returncode == 2
        assert CAUSES[kind] in done.stderr.lower()
        assert "net.onnx" in done.stderr


@pytest.mark.parametrize("command", ["fix", "simplify"])
def test_every_allocation_may_fail(command: str, library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    bench = Bench(folder, library, command)
    assert every_allocation_fails(lambda fault: bench.check(fault, tmp_path / "seen")) > 10_000


# What the system says where it cannot copy from file to file, of other file systems, old kernels and special files.
UNABLE = [errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF, errno.ETXTBSY]


@pytest.mark.parametrize("code", UNABLE, ids=lambda code: errno.errorcode[code])
def test_a_system_that_cannot_copy(code: int, library: Path, tmp_path: Path) -> None:
    bench = Bench(tmp_path, library)
    done = bench.run("no-copy:0", None, FAULT_CODE=str(code))
    assert (done.returncode, done.stderr) == (0, "")
    assert bench.path.read_bytes() == bench.new


@pytest.mark.parametrize("kind", ["write", "read", "ended-read"])
def test_copying_by_hand_may_fail(kind: str, library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    bench = Bench(folder, library)
    n = 1
    while bench.check(f"no-copy:0,{kind}:{n}", tmp_path / "seen"):
        n += 1
    assert n > 2


class DataBench:
    """A model with data in another file, and a repaired copy in a folder that holds nothing before."""

    def __init__(self, folder: Path, library: Path, option: str) -> None:
        self.source = folder / "source"
        # Where no data are put they have to be below the folder of the new model.
        self.target = folder / "target" if option else folder
        self.library = library
        self.option = option
        self.source.mkdir(parents=True)
        self.target.mkdir(exist_ok=True)
        model_with_data(self.source / "net.onnx")
        self.old = self.read(self.source)
        assert self.run(None, None).returncode == 0
        self.new = self.read(self.target)

    @staticmethod
    def read(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}

    def run(self, fault: str | None, seen: Path | None) -> subprocess.CompletedProcess[str]:
        for path in self.target.iterdir():
            if path.is_file():
                path.unlink()
        environment = dict(os.environ)
        if fault is not None:
            environment |= {"LD_PRELOAD": str(self.library), "FAULT": fault, "FAULT_SEEN": str(seen)}
        paths = [str(self.source / "net.onnx"), "-o", str(self.target / "out.onnx")]
        command = [
            str(PROGRAM),
            "fix",
            "--no-config",
            *([self.option] if self.option else []),
            "--target",
            "8.2",
            *paths,
        ]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)

    def check(self, fault: str, seen: Path) -> bool:
        """False: the fault was not reached any more."""
        done = self.run(fault, seen)
        assert self.read(self.source) == self.old, fault
        now = self.read(self.target)
        is_reached = seen.exists()
        seen.unlink(missing_ok=True)
        if done.returncode == 0:
            assert now == self.new, fault
        elif fault.startswith("alloc"):
            assert set(now) in (set(), set(self.new)), (fault, set(now))
            if is_told_partial(done):
                assert ("written to" in done.stdout) == bool(now), (fault, done.stdout)
            else:
                assert is_out_of_memory(done), (fault, done.returncode, done.stdout, done.stderr)
                assert now in ({}, self.new), fault
        else:
            # Both files or none.
            assert now == {}, (fault, set(now))
            assert done.returncode == 2, (fault, done.stderr)
            assert len(done.stderr.strip().splitlines()) == 1, (fault, done.stderr)
        return is_reached


# Without an option external data stays where it is: only the model is written, with another location in it.
OPTIONS = ["", "--copy-data", "--inline-data", "--external-data"]


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("kind", [*CAUSES, *HARMLESS])
def test_data_and_model_appear_together(kind: str, option: str, library: Path, tmp_path: Path) -> None:
    bench = DataBench(tmp_path / "models", library, option)
    reached = 0
    while bench.check(f"{kind}:{reached + 1}", tmp_path / "seen"):
        reached += 1
        assert reached < 200
    assert reached > 0


@pytest.mark.parametrize("option", OPTIONS)
def test_allocations_may_fail_where_data_move(option: str, library: Path, tmp_path: Path) -> None:
    bench = DataBench(tmp_path / "models", library, option)
    assert every_allocation_fails(lambda fault: bench.check(fault, tmp_path / "seen")) > 10_000


def test_memory_that_ends_is_no_error_of_the_model(library: Path, tmp_path: Path) -> None:
    """Whether data is there and what it is stays unknown then: that is no certainty."""
    model_with_data(tmp_path / "net.onnx")
    command = [str(PROGRAM), "check", "--no-config", "--target", "8.2", str(tmp_path / "net.onnx")]
    seen = tmp_path / "seen"

    def errors(fault: str) -> set[str]:
        environment = dict(os.environ) | {"LD_PRELOAD": str(library), "FAULT": fault, "FAULT_SEEN": str(seen)}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
        return set(re.findall(r"^error\[(\w+)", done.stdout, re.M))

    known = errors("alloc:100000000")
    assert len(known) == 1

    def check(fault: str) -> bool:
        assert errors(fault) <= known, fault
        is_reached = seen.exists()
        seen.unlink(missing_ok=True)
        return is_reached

    assert every_allocation_fails(check, 500) > 10_000


def test_a_model_in_memory_is_written_whole_or_not_at_all(library: Path, tmp_path: Path) -> None:
    model(tmp_path / "net.onnx")
    out = tmp_path / "out.onnx"
    code = (
        "import sys, trtcheck\n"
        f"try: trtcheck.fix(open({str(tmp_path / 'net.onnx')!r}, 'rb').read(), target='8.2').write({str(out)!r})\n"
        "except trtcheck.Error as error: sys.exit(str(error))"
    )

    def run(fault: str) -> subprocess.CompletedProcess[str]:
        environment = dict(os.environ) | {"LD_PRELOAD": str(library), "FAULT": fault}
        command = [sys.executable, "-B", "-c", code]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)

    for n in (1, 2, 3):
        done = run(f"write:{n}")
        assert (done.returncode, done.stderr) == (1, f"{out}: cannot write: no space left on device\n")
        assert [path.name for path in tmp_path.iterdir()] == ["net.onnx"]
    done = run("short-write:2")
    assert (done.returncode, done.stderr) == (0, "")
    trtcheck.fix(tmp_path / "net.onnx", target="8.2").write(tmp_path / "other.onnx")
    assert out.read_bytes() == (tmp_path / "other.onnx").read_bytes()
