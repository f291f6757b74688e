"""What is installed: the C++ library for other projects, and the wheel into an empty environment."""

from __future__ import annotations

import fcntl
import os
import platform
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import samples
import tomllib
from doc_blocks import blocks

import trtcheck

ROOT = Path(__file__).parents[2]
INTEGRATIONS = ROOT / "docs/integrations.md"
INSTALLING = ROOT / "docs/installing.md"
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


@pytest.fixture
def build() -> Iterator[Path]:
    """The build folder as `make build` leaves it, for one process at a time."""
    folder = ROOT / "build"
    with (folder / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run("cmake", "--build", folder, "--target", "trtcheck", "trtcheck_wheel")
        yield folder


@pytest.fixture
def prefix(build: Path, tmp_path: Path) -> Path:
    """A full installation, in a folder with a blank in its name."""
    folder = tmp_path / "a prefix"
    run("cmake", "--install", build, "--prefix", folder)
    return folder


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_an_installation_is_its_components(build: Path, prefix: Path, tmp_path: Path) -> None:
    written = (build / "install_manifest.txt").read_text().splitlines()
    assert {Path(path).relative_to(prefix).as_posix() for path in written} == files(prefix)
    parts = {}
    for component in ("runtime", "development", "program", "python"):
        run("cmake", "--install", build, "--prefix", tmp_path / component, "--component", component)
        parts[component] = files(tmp_path / component)
    assert parts["runtime"] | parts["development"] | parts["program"] == files(prefix)
    names = {component: {Path(file).name for file in parts[component]} for component in parts}
    picture = "libtrtcheck_picture.so"
    soname, full = (f"libtrtcheck.so.{version}" for version in (VERSION.rpartition(".")[0], VERSION))
    assert names["runtime"] == {soname, full, picture}
    assert {"libtrtcheck.so", "trtcheck.hpp", "trtcheckConfig.cmake", "trtcheck.pc"} <= names["development"]
    assert {"trtcheck", "trtcheck.1", "trtcheck.fish", "op-unsupported.html", picture} <= names["program"]
    assert not names["development"] & (names["runtime"] | names["program"])

    # The package comes when it is asked for, whole, and finds its layout module.
    (package,) = (tmp_path / "python").rglob("site-packages")
    assert {file.name for file in (ROOT / "python/trtcheck").glob("*.py*")} | {"py.typed"} <= names["python"]
    assert parts["python"] == {f"{package.relative_to(tmp_path / 'python')}/{file}" for file in files(package)}
    use = "import sys, trtcheck; print(trtcheck.__file__, trtcheck.check(sys.argv[1])[0].picture()[:4])"
    model = tmp_path / "refused.onnx"
    model.write_bytes(samples.serialized(samples.REFUSED))
    environment = os.environ | {"PYTHONPATH": str(package)}
    said = run(sys.executable, "-P", "-c", use, model, env=environment, cwd=tmp_path)
    assert said.split() == [str(package / "trtcheck/__init__.py"), "<svg"]


def test_what_an_installation_wrote_can_be_removed(build: Path, prefix: Path) -> None:
    foreign = prefix / "share/doc/trtcheck/rules/my-notes.txt"
    foreign.write_text("mine")
    run("cmake", "--install", build, "--prefix", prefix)
    (remove,) = re.findall(r"^xargs .*$", INSTALLING.read_text(), re.MULTILINE)
    run("sh", "-c", remove, cwd=ROOT)
    assert files(prefix) == {foreign.relative_to(prefix).as_posix()}


def test_a_relative_prefix_and_destdir(build: Path, prefix: Path, tmp_path: Path) -> None:
    run("cmake", "--install", build, "--prefix", "relative", cwd=tmp_path)
    assert files(tmp_path / "relative") == files(prefix)
    stage = tmp_path / "stage"
    run("cmake", "--install", build, "--prefix", "/opt/trtcheck", env=os.environ | {"DESTDIR": str(stage)})
    assert files(stage) == {f"opt/trtcheck/{file}" for file in files(prefix)}


def test_the_folders_of_a_wheel_are_left_alone(build: Path, tmp_path: Path) -> None:
    command = ["cmake", "--install", build, "--prefix", tmp_path / "prefix", "--component", "wheel"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "the component `wheel` is for pip, `python` is the one for a prefix" in refused.stderr
    assert not (tmp_path / "prefix").exists()


def test_the_installed_program_runs_where_it_is(build: Path, prefix: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    prefix.rename(moved)
    model = tmp_path / "refused.onnx"
    model.write_bytes(samples.serialized(samples.REFUSED))
    alone = {"PATH": "/usr/bin:/bin"}
    drawn = run(moved / "bin/trtcheck", "graph", model, "--around", "OPS103", env=alone)
    assert drawn.startswith("<svg")
    for file in files(moved):
        binary = moved / file
        if not binary.is_symlink() and binary.read_bytes()[:4] == b"\x7fELF":
            assert str(ROOT) not in run("readelf", "--dynamic", binary), file


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """docs/installing.md, typed into an empty folder."""
    folder = tmp_path / "my project"
    folder.mkdir()
    for language, name in ("cmake", "CMakeLists.txt"), ("cpp", "main.cpp"):
        (text,) = (block.text for block in blocks(INSTALLING) if block.language == language)
        (folder / name).write_text(text)
    shutil.copy(ROOT / "examples/models/case4_batchnorm.onnx", folder / "model.onnx")
    return folder


def test_the_page_is_all_that_a_user_of_the_library_needs(prefix: Path, project: Path) -> None:
    (typed,) = (block.text for block in blocks(INSTALLING) if "CMAKE_PREFIX_PATH" in block.text)
    said = [run("sh", "-c", line.replace("/opt/trtcheck", f"'{prefix}'"), cwd=project) for line in typed.splitlines()]
    assert said[-1] == "refused\n"
    # Nothing of what the library is made of reaches its users.
    targets = "".join(path.read_text() for path in prefix.rglob("trtcheckTargets*.cmake"))
    assert "trtcheck::trtcheck" in targets
    assert re.findall(r"onnx|protobuf|cmark|LINK_ONLY|/build/", targets) == []


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="pkg-config is not installed")
def test_the_page_holds_without_cmake(prefix: Path, project: Path, tmp_path: Path) -> None:
    prefix = prefix.rename(tmp_path / "moved")
    (pkgconfig,) = prefix.rglob("pkgconfig")
    environment = os.environ | {"PKG_CONFIG_PATH": str(pkgconfig), "LD_LIBRARY_PATH": str(pkgconfig.parent)}
    (typed,) = (block.text for block in blocks(INSTALLING) if "pkg-config" in block.text)
    run("sh", "-c", typed, cwd=project, env=environment)
    assert run(project / "my_gate", "model.onnx", cwd=project, env=environment) == "refused\n"
    assert run("pkg-config", "--modversion", "trtcheck", env=environment).strip() == VERSION


def test_a_project_outside_the_tree_uses_the_installed_library(
    prefix: Path, tmp_path: Path, models: tuple[Path, Path]
) -> None:
    project = tmp_path / "project"
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


def test_the_wheel_needs_nothing_but_the_system(build: Path, tmp_path: Path, models: tuple[Path, Path]) -> None:
    for library in build.glob("libtrtcheck.so*"):
        library.unlink()
    shown = run("make", "--silent", "wheel", f"DIST={tmp_path / 'dist'}", cwd=ROOT)
    # What is being built is shown, and is all that `cmake --install` wants.
    assert re.search(r"^\[\d+/\d+\] Linking CXX shared library libtrtcheck\.so", shown, re.MULTILINE), shown
    run("cmake", "--install", build, "--prefix", tmp_path / "prefix")
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.name.startswith(f"trtcheck_cpp-{VERSION}-")
    oldest = re.search(r"manylinux_2_(\d+)_", wheel.name)
    assert oldest is not None
    promised = re.search(r"any Linux with glibc 2\.(\d+) or newer", INTEGRATIONS.read_text())
    assert promised is not None
    if platform.libc_ver() == ("glibc", "2.36"):  # the docs name the wheel that Debian 12 makes
        assert oldest[1] == promised[1]
    named = re.findall(r"manylinux_2_(\d+)_", INTEGRATIONS.read_text())
    assert set(named) == {promised[1]}
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "unpacked")
    program = tmp_path / "unpacked" / f"trtcheck_cpp-{VERSION}.data" / "scripts" / "trtcheck"
    assert program.read_bytes()[:4] == b"\x7fELF"  # no launcher script in between
    assert needed(program) <= SYSTEM_LIBRARIES
    (extension,) = (tmp_path / "unpacked" / "trtcheck").glob("_core*.so")
    brought = list((tmp_path / "unpacked" / "trtcheck_cpp.libs").iterdir())
    bundled = {path.name for path in brought}
    assert needed(extension) <= SYSTEM_LIBRARIES | bundled
    foreign_needs = {name for path in brought for name in needed(path)} - SYSTEM_LIBRARIES - bundled
    assert foreign_needs <= set(re.findall(r"`(lib[a-z.0-9]+)`", INTEGRATIONS.read_text()))
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


def test_a_build_that_fails_says_what_it_needs(tmp_path: Path) -> None:
    settings = {"build-dir": str(tmp_path / "build"), "cmake.define.CMAKE_DISABLE_FIND_PACKAGE_Threads": "ON"}
    code = f"from scikit_build_core.build import build_wheel; build_wheel({str(tmp_path)!r}, {settings})"
    failed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert failed.returncode != 0
    (told,) = re.findall(r"^    sudo (apt-get install .*)$", INSTALLING.read_text(), re.MULTILINE)
    assert told in failed.stdout + failed.stderr
    makefile = (ROOT / "Makefile").read_text()
    known = re.findall(r"^(?:PROGRAM|SYSTEM)_PACKAGES :=((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    assert set(told.split()[2:]) <= set(" ".join(known).split())


def test_python_m_trtcheck_is_the_program(models: tuple[Path, Path]) -> None:
    program = Path(sys.executable).parent / "trtcheck"
    for arguments in (["check", models[0]], ["check", "--output-format", "json", models[1]], ["--no-such-option"]):
        native = subprocess.run([program, *arguments], capture_output=True, check=False)
        module = subprocess.run([sys.executable, "-m", "trtcheck", *arguments], capture_output=True, check=False)
        assert (module.returncode, module.stdout, module.stderr) == (native.returncode, native.stdout, native.stderr)
    assert os.access(program, os.X_OK)
