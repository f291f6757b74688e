"""What is installed: the C++ library for other projects, and the wheel into an empty environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
import samples
import tomllib

import trtcheck

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

# What the glibc and libstdc++ of a plain Debian 12 give.
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2"}

USE = """
import sys, trtcheck
from pathlib import Path
report = trtcheck.check(sys.argv[1])
assert report.verdict == "refused", report
assert report[0].picture().startswith("<svg")
assert str(trtcheck.infer_shapes(sys.argv[2])["a"]) == "FLOAT[N,3]"
print("\\n".join({line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if ".so" in line}))
"""


def run(*command: str | Path, **options: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def needed(binary: Path) -> set[str]:
    """The shared libraries that it asks the loader for."""
    lines = run("readelf", "--dynamic", binary).splitlines()
    return {line.partition("[")[2].rstrip("]") for line in lines if "(NEEDED)" in line}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("models")
    made = folder / "refused.onnx", folder / "healthy.onnx"
    made[0].write_bytes(samples.serialized(samples.REFUSED))
    # no shape function of our own: goes through the onnx library
    made[1].write_bytes(samples.serialized(samples.HEALTHY.replace("Relu", "Softsign")))
    return made


def test_one_version_everywhere() -> None:
    assert trtcheck.__version__ == VERSION
    assert VERSION in run(Path(sys.executable).parent / "trtcheck", "--version")


def test_a_project_outside_the_tree_uses_the_installed_library(tmp_path: Path, models: tuple[Path, Path]) -> None:
    prefix, project = tmp_path / "prefix", tmp_path / "project"
    run("cmake", "--build", ROOT / "build", "--target", "trtcheck", "trtcheck_wheel")
    run("cmake", "--install", ROOT / "build", "--prefix", prefix, "--component", "library")
    shutil.copytree(ROOT / "tests" / "install", project)
    run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", project / "build")
    assert run(project / "build" / "user", models[0]).split() == ["FLOAT[N,3]", "refused", VERSION, "<svg"]
    missing = subprocess.run([project / "build" / "user", "missing.onnx"], capture_output=True, text=True, check=False)
    assert (missing.returncode, missing.stdout[:14]) == (2, "missing.onnx: ")  # the exception crosses the library
    assert run(prefix / "bin" / "trtcheck", "--version").strip().endswith(VERSION)
    assert (prefix / "share/doc/trtcheck/rules/op-unsupported.html").is_file()

    (library,) = prefix.rglob("libtrtcheck.so.*.*.*")
    shown = run("nm", "--dynamic", "--defined-only", "--demangle", library).splitlines()
    names = [line.split(maxsplit=2)[2].removeprefix("typeinfo ").removeprefix("name ") for line in shown]
    names = [name.removeprefix("vtable ").removeprefix("for ") for name in names]
    assert "trtcheck::all_rules()" in names
    assert [name for name in names if not name.startswith("trtcheck::")] == []
    headers = {path.name for path in (prefix / "include" / "trtcheck").iterdir()}
    assert headers == {path.name for path in (ROOT / "cpp" / "include" / "trtcheck").iterdir()}


def test_the_wheel_needs_nothing_but_the_system(tmp_path: Path, models: tuple[Path, Path]) -> None:
    run("make", "--silent", "wheel", f"DIST={tmp_path / 'dist'}", cwd=ROOT)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.name.startswith(f"trtcheck_cpp-{VERSION}-")
    oldest = re.search(r"manylinux_2_(\d+)_", wheel.name)
    assert oldest is not None
    assert int(oldest[1]) <= 36  # the glibc of Debian 12
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "unpacked")
    program = tmp_path / "unpacked" / f"trtcheck_cpp-{VERSION}.data" / "scripts" / "trtcheck"
    assert program.read_bytes()[:4] == b"\x7fELF"  # no launcher script in between
    assert needed(program) <= SYSTEM_LIBRARIES
    (extension,) = (tmp_path / "unpacked" / "trtcheck").glob("_core*.so")
    bundled = {path.name for path in (tmp_path / "unpacked" / "trtcheck_cpp.libs").iterdir()}
    assert needed(extension) <= SYSTEM_LIBRARIES | bundled
    assert (tmp_path / "unpacked" / "trtcheck" / "py.typed").exists()
    assert (tmp_path / "unpacked" / "trtcheck" / "_core.pyi").exists()

    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel)
    alone = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    loaded = run(python, "-I", "-c", USE, *models, env=alone, cwd=tmp_path).split()
    own = [path for path in loaded if path.startswith(str(tmp_path))]
    assert {Path(path).name for path in own} >= bundled
    assert (tmp_path / "venv/share/doc/trtcheck/rules/op-unsupported.html").is_file()
    foreign = [path for path in loaded if path not in own]
    assert [path for path in foreign if re.search("protobuf|gvc|cgraph|gvplugin", path)] == []
    assert any("gvplugin_dot_layout" in path for path in own)
    listed = run(tmp_path / "venv" / "bin" / "trtcheck", "rules", env=alone)
    assert "OPS103" in listed
    assert run(python, "-I", "-m", "trtcheck", "rules", env=alone, cwd=tmp_path) == listed
    drawn = run(tmp_path / "venv" / "bin" / "trtcheck", "graph", models[0], "--around", "OPS103", env=alone)
    assert drawn.startswith("<svg")


def test_python_m_trtcheck_is_the_program(models: tuple[Path, Path]) -> None:
    program = Path(sys.executable).parent / "trtcheck"
    for arguments in (["check", models[0]], ["check", "--output-format", "json", models[1]], ["--no-such-option"]):
        native = subprocess.run([program, *arguments], capture_output=True, check=False)
        module = subprocess.run([sys.executable, "-m", "trtcheck", *arguments], capture_output=True, check=False)
        assert (module.returncode, module.stdout, module.stderr) == (native.returncode, native.stdout, native.stderr)
    assert os.access(program, os.X_OK)
