"""trtcheck::onnx: installed, used by other projects, and in one process with other copies of protobuf."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import onnx
import pytest
import samples
from doc_blocks import blocks
from test_package import ROOT, run

PAGE = ROOT / "docs/onnx-in-memory.md"
HEADERS = ROOT / "cpp/onnx/include/trtcheck"
PARTS = ("CLI", "PYTHON", "PICTURE", "WITNESS", "DOCUMENTS", "TESTS")
#: Both orders of loading; the first line loads the library that uses the component.
USE = """
import ctypes, sys
gate = ctypes.CDLL(sys.argv[1])
gate.gate_errors.argtypes = [ctypes.c_char_p, ctypes.c_int]
"""
CALL = """
for name in sys.argv[2:]:
    model = open(name, "rb").read()
    print(gate.gate_errors(model, len(model)))
print(gate.gate_errors(b"no model", 8), gate.gate_errors(b"", 0))
x = torch.nn.Linear(4, 2)(torch.ones(3, 4))
assert x.shape == (3, 2)
onnx.checker.check_model(onnx.load(sys.argv[2]))
import trtcheck
print(trtcheck.check(sys.argv[2]).verdict)
"""


@pytest.fixture(scope="module")
def onnx_of_the_tests() -> Path:
    """Where `make build` put headers and library of onnx."""
    commands = json.loads((ROOT / "build/compile_commands.json").read_text())
    words = " ".join(entry["command"] for entry in commands if "/tests/cpp/" in entry["file"])
    found = re.search(r"-isystem (\S+/onnx-[^/ ]+/install)/include", words)
    assert found is not None
    return Path(found[1])


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The library of the ordinary build with the component: nothing is compiled for it."""
    folder = tmp_path_factory.mktemp("installed") / "a prefix"
    headers = tmp_path_factory.mktemp("headers")
    words = [f"-DTRTCHECK_BUILD_{part}=OFF" for part in PARTS]
    run("cmake", "-S", ROOT, "-B", headers, "-G", "Ninja", "-DTRTCHECK_BUILD_ONNX=ON", *words)
    run("cmake", "--install", headers, "--prefix", folder, "--component", "onnx")
    with (ROOT / "build/tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run("cmake", "--build", ROOT / "build", "--target", "trtcheck")
        for component in ("runtime", "development"):
            run("cmake", "--install", ROOT / "build", "--prefix", folder, "--component", component)
        yield folder


@pytest.fixture(scope="module")
def gate(prefix: Path, onnx_of_the_tests: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("gate")
    run("cmake", "-S", ROOT / "tests/install/onnx", "-B", built, f"-DCMAKE_PREFIX_PATH={prefix};{onnx_of_the_tests}")
    run("cmake", "--build", built)
    return built / "libgate.so"


@pytest.fixture
def models(tmp_path: Path) -> list[Path]:
    """One that stays refused, one that is clean."""
    made = [tmp_path / "refused.onnx", tmp_path / "healthy.onnx"]
    for path, text in zip(made, (samples.REFUSED, samples.HEALTHY), strict=True):
        path.write_bytes(samples.serialized(text))
    return made


def test_the_component_holds_its_headers_only(prefix: Path) -> None:
    installed = prefix / "include/trtcheck"
    for path in HEADERS.rglob("*.hpp"):
        assert (installed / path.relative_to(HEADERS)).read_text() == path.read_text()
    (package,) = prefix.rglob("trtcheckOnnx.cmake")
    # Neither onnx nor protobuf is part of it, nor any path of the machine that built it.
    targets = (package.parent / "trtcheckOnnxTargets.cmake").read_text()
    assert "trtcheck::onnx" in targets
    assert re.findall(r"protobuf|LINK_ONLY|/build|/tmp/", targets) == []


def test_the_example_builds_and_repairs_a_model(prefix: Path, onnx_of_the_tests: Path, tmp_path: Path) -> None:
    example = ROOT / "examples/onnx_pipeline"
    run("cmake", "-S", example, "-B", tmp_path / "out", f"-DCMAKE_PREFIX_PATH={prefix};{onnx_of_the_tests}")
    run("cmake", "--build", tmp_path / "out")
    written = tmp_path / "ranking.onnx"
    said = run(tmp_path / "out/onnx_pipeline", written).splitlines()
    assert said[:2] == ["scores: FLOAT[batch,1000]", "before: refused"]
    assert said[-1] == "after: clean"
    onnx.checker.check_model(onnx.load(written), full_check=True)
    assert run(Path(sys.executable).parent / "trtcheck", "--target", "10.3", written).startswith(str(written))


def test_the_page_is_all_that_a_user_needs(prefix: Path, onnx_of_the_tests: Path, tmp_path: Path) -> None:
    """docs/onnx-in-memory.md, typed into an empty folder."""
    written = list(blocks(PAGE))
    for language, name in ("cmake", "CMakeLists.txt"), ("cpp", "main.cpp"):
        (text,) = (block.text for block in written if block.language == language)
        (tmp_path / name).write_text(text)
    shutil.copy(ROOT / "examples/models/case0_channel_shuffle.onnx", tmp_path / "model.onnx")
    (typed,) = (block.text for block in written if "CMAKE_PREFIX_PATH" in block.text)
    found = f"'{prefix};{onnx_of_the_tests}'"
    said = [run("sh", "-c", line.replace("/opt/trtcheck", found), cwd=tmp_path) for line in typed.splitlines()]
    assert "\nclean\n" in said[-1]
    assert re.search(r"^\w+: FLOAT\[batch,", said[-1], re.MULTILINE)


LIBRARIES = "import torch, onnx, onnxruntime\n"


@pytest.mark.parametrize("first", [LIBRARIES + USE, USE + LIBRARIES], ids=["before", "after"])
def test_it_shares_a_process_with_torch(gate: Path, models: list[Path], first: str) -> None:
    """Each has a protobuf of its own."""
    said = run(sys.executable, "-c", first + CALL, gate, *models).splitlines()
    errors = [int(line) for line in said[:2]]
    assert errors[0] > 0
    assert errors[1] == 0
    assert said[2:] == ["-1 -2", "refused"]


def test_nothing_of_it_is_shown(gate: Path) -> None:
    """Names as the loader sees them; instances of the standard library's templates do not count."""
    shown = run("nm", "--dynamic", "--defined-only", gate)
    assert "gate_errors" in shown
    inner = re.findall(r" _Z(?:T[VSI])?NK?8trtcheck5proto\w*", shown)
    functions = re.findall(r" _ZN8trtcheck(?:5check|5infer|3fix|8simplify|8annotate)E\w*N4onnx\w*", shown)
    assert inner + functions == []


def test_an_installation_without_it_says_so(prefix: Path, tmp_path: Path) -> None:
    without = tmp_path / "without"
    shutil.copytree(prefix, without, symlinks=True)
    for path in without.rglob("trtcheckOnnx*.cmake"):
        path.unlink()
    told = configure(tmp_path / "a", without)
    assert "this installation of trtcheck was made without TRTCHECK_BUILD_ONNX" in told
    # The onnx of the system, where there is one, does not count here.
    hidden = ["-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON"]
    told = configure(tmp_path / "b", prefix, *hidden)
    assert "trtcheck::onnx needs onnx and protobuf: find yours before, or name the target" in told


def configure(folder: Path, prefix: Path, *words: str) -> str:
    """What CMake says of a project that it refuses."""
    command = ["cmake", "-S", ROOT / "tests/install/onnx", "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode != 0, done.stdout
    return " ".join(done.stderr.split())
