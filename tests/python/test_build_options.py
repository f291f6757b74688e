"""The library alone: which files it is made of, what they include, and that nothing is missing."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "cpp/src"
PARTS = ("CLI", "PYTHON", "PICTURE", "WITNESS", "DOCUMENTS", "ONNX", "TESTS")
#: Of Debian: what is not the compiler's own.
LIBRARIES = (
    "fmt/",
    "protozero/",
    "nlohmann/",
    "toml++/",
    "cmark",
    "graphviz/",
    "CLI/",
    "pybind11/",
    "google/",
    "onnx/",
    "Eigen/",
)


def configure(folder: Path, **options: str) -> subprocess.CompletedProcess[str]:
    words = [f"-DTRTCHECK_BUILD_{part}={options.get(part, 'OFF')}" for part in PARTS]
    words.append(f"-DCMAKE_UNITY_BUILD={options.get('unity', 'OFF')}")
    command = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    done = configure(folder)
    assert done.returncode == 0, done.stderr
    return folder


def compiled(folder: Path) -> dict[Path, str]:
    """Commands by source; precompiled headers are none."""
    commands = json.loads((folder / "compile_commands.json").read_text())
    sources = {Path(entry["file"]): entry["command"] for entry in commands}
    return {source: command for source, command in sources.items() if not source.name.startswith("cmake_pch.")}


def included(path: Path, seen: set[Path]) -> set[str]:
    """What a file includes, its headers too: names of headers that are not ours."""
    found: set[str] = set()
    for name in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE):
        ours = next((place / name for place in (SOURCES, ROOT / "cpp/include") if (place / name).is_file()), None)
        if ours is None:
            found.add(name)
        elif ours not in seen:
            seen.add(ours)
            found |= included(ours, seen)
    return found


def foreign(sources: list[Path]) -> set[str]:
    seen: set[Path] = set()
    names = {name for source in sources for name in included(source, seen)}
    return {library for library in LIBRARIES for name in names if name.startswith(library)}


def test_the_library_alone_sees_protozero_fmt_and_eigen_only(library: Path) -> None:
    sources = list(compiled(library))
    assert SOURCES / "check/check.cpp" in sources
    assert foreign(sources) == {"Eigen/", "fmt/", "protozero/"}
    assert {"nlohmann/", "cmark"} <= foreign([SOURCES / "report/sarif.cpp", SOURCES / "report/rule_html.cpp"])


def test_nothing_else_is_looked_for(library: Path) -> None:
    cache = (library / "CMakeCache.txt").read_text()
    assert "fmt_DIR" in cache
    assert not re.search(r"GRAPHVIZ|CMARK|CLI11|Protobuf|pybind11|Catch2", cache)


def test_the_library_alone_lacks_nothing(library: Path, tmp_path: Path) -> None:
    """Objects of the ordinary build are the same; linked with what stands in for the rest, no name is missing."""
    objects = ROOT / "build/cpp/CMakeFiles/trtcheck_objects.dir/src"
    commands = compiled(library)
    stand_in = SOURCES / "report/without_documents.cpp"
    inputs = [objects / f"{source.relative_to(SOURCES)}.o" for source in commands if source != stand_in]
    command = shlex.split(commands[stand_in].replace(" -c ", " -fsyntax-only -c "))
    subprocess.run(command, cwd=library, check=True)
    made = tmp_path / "without_documents.o"
    words = shlex.split(commands[stand_in])
    words[words.index("-o") + 1] = str(made)
    subprocess.run(words, cwd=library, check=True)
    linked = ["c++", "-shared", "-o", tmp_path / "library.so", *inputs, made, "-Wl,--no-undefined", "-pthread", "-ldl"]
    done = subprocess.run(linked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, "\n".join(re.findall("undefined reference to .*", done.stderr)) or done.stderr


def test_headers_of_what_is_left_out_are_not_installed(library: Path, tmp_path: Path) -> None:
    script = (library / "cmake_install.cmake").read_text()
    left_out = set(re.findall(r'REGEX "/(\w+)\\\\\.hpp\$" EXCLUDE', script))
    assert left_out == {
        *("axes", "baseline", "confirm", "diff", "matrix", "memory", "partition", "profile", "reduce", "settings"),
    }
    kept = [path for path in (ROOT / "cpp/include/trtcheck").glob("*.hpp") if path.stem not in left_out]
    included_headers = {name for path in kept for name in re.findall(r"<trtcheck/(\w+)\.hpp>", path.read_text())}
    assert "report" in included_headers
    assert not included_headers & left_out


PRECOMPILED = """cmake_minimum_required(VERSION 3.20)
project(precompiled CXX)
add_compile_options(-fpch-preprocess)
add_library(one OBJECT one.cpp)
target_include_directories(one PRIVATE include)
target_precompile_headers(one PRIVATE include/size.hpp)
"""


def test_a_compiler_cache_keeps_no_header_with_another_comment(library: Path, tmp_path: Path) -> None:
    """A build folder is made anew, and a header that is precompiled has another comment."""
    rules = (library / "build.ninja").read_text() + (library / "CMakeFiles/rules.ninja").read_text()
    launcher = re.search(r"\S+ -E env \S.*?/ccache\b", rules)
    if launcher is None:
        pytest.skip("needs ccache")
    (tmp_path / "CMakeLists.txt").write_text(PRECOMPILED)
    (tmp_path / "include").mkdir()
    environment = {**os.environ, "CCACHE_DIR": str(tmp_path / "cache")}
    for number, comment in enumerate(("one", "another comment")):
        (tmp_path / "include/size.hpp").write_text(f"#pragma once\n// {comment}\nstruct Size {{ int of; }};\n")
        (tmp_path / "one.cpp").write_text(f'#include "size.hpp"\nint size() {{ return Size{{{number}}}.of; }}\n')
        made = tmp_path / "build"
        shutil.rmtree(made, ignore_errors=True)
        time.sleep(1.1)  # the cache does not trust files of this second
        words = ["-G", "Ninja", f"-DCMAKE_CXX_COMPILER_LAUNCHER={';'.join(shlex.split(launcher[0]))}"]
        subprocess.run(["cmake", "-S", tmp_path, "-B", made, *words], check=True, capture_output=True)
        done = subprocess.run(["cmake", "--build", made], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("options", "needs"),
    [
        ({"CLI": "ON"}, "TRTCHECK_BUILD_CLI needs TRTCHECK_BUILD_DOCUMENTS"),
        ({"PYTHON": "ON"}, "TRTCHECK_BUILD_PYTHON needs TRTCHECK_BUILD_DOCUMENTS"),
        ({"TESTS": "ON", "DOCUMENTS": "ON"}, "TRTCHECK_BUILD_TESTS needs TRTCHECK_BUILD_PICTURE"),
    ],
)
def test_options_that_need_others_say_so(tmp_path: Path, options: dict[str, str], needs: str) -> None:
    done = configure(tmp_path, **options)
    assert done.returncode != 0
    assert needs in done.stderr


def test_each_part_can_be_left_out(tmp_path: Path) -> None:
    done = configure(tmp_path, CLI="ON", DOCUMENTS="ON")
    assert done.returncode == 0, done.stderr
    targets = subprocess.run(
        ["ninja", "-C", tmp_path, "-t", "targets"], capture_output=True, text=True, check=True
    ).stdout
    assert "trtcheck_cli:" in targets
    assert not re.search(r"trtcheck_(picture|witness|python):", targets)


def test_bindings_can_be_compiled_as_one_file() -> None:
    """`pip install .` does that, ten files at a time: a name that two of them give to something else would stop it."""
    declares = re.compile(
        r"^(?:\[\[\w+\]\] )?(?:(?:inline|constexpr|const|static) )*[A-Za-z_][\w:<>,&* ]*?[ &*](\w+)(?:\(|\{|\[| = )"
        r"|^(?:using|struct|class) (\w+)(?![\w:])",
        re.MULTILINE,
    )
    found: dict[str, dict[str, str]] = {}
    for path in sorted((ROOT / "python/src").glob("*.[ch]pp")):
        text = path.read_text()
        for match in declares.finditer(text):
            line = text[match.start() : text.index("\n", match.start())]
            if line.endswith(");"):  # defined elsewhere
                continue
            found.setdefault(match[1] or match[2], {})[path.stem] = line
    assert len(found) > 200
    # Fields is a template that files specialize; overloads in headers are meant.
    twice = {
        name: files
        for name, files in found.items()
        if name != "Fields" and len(set(files.values())) > 1 and any(stem.startswith("register_") for stem in files)
    }
    assert not twice


#: In a namespace, where clang-format begins a line with it: a function up to its body, or what else has a name.
DEFINED = re.compile(
    r"^namespace (?P<opened>[\w:]+ )?\{$|^\}  // namespace.*$"
    r"|^(?![ #}/])(?:\[\[\w+\]\] )?[A-Za-z_][\w:<>,&* ]*?[ &*](?P<function>\w+)\((?P<arguments>[^{};]*?)\)[^{};()]*\{"
    r"|^(?:(?:inline|constexpr|const|static) )+[A-Za-z_][\w:<>,&* ]*?[ &*](?P<constant>\w+)(?=\{|\[| = )"
    r"|^(?:enum )?(?:struct|class) (?P<type>\w+)(?=[^;\w]*(?:final )?(?::[^;]*)?\{)",
    re.MULTILINE,
)


def defined_names(text: str) -> set[tuple[str, ...]]:
    """Namespaces, name, and of a function the types of what it takes; no members, no aliases (they may be alike)."""
    names: set[tuple[str, ...]] = set()
    inside: list[str] = []
    for match in DEFINED.finditer(text):
        if match[0].startswith("namespace"):
            inside.append(match["opened"] or "")
        elif match[0].startswith("}"):
            inside.pop()
        elif match["function"]:
            parts = re.split(r",(?![^<>]*>)", match["arguments"])  # not those between < and >
            types = [re.sub(r"(?<=[ &*])\w+$", "", " ".join(part.split())).strip() for part in parts]
            names.add((*inside, match["function"], *types))
        else:
            names.add((*inside, match["constant"] or match["type"]))
    return names


def test_files_that_are_compiled_as_one_give_a_name_once(tmp_path: Path) -> None:
    """`make demo` does that, a folder at a time; the ordinary build would not notice."""
    assert configure(tmp_path, CLI="ON", DOCUMENTS="ON", unity="ON").returncode == 0
    groups = sorted(tmp_path.glob("cpp/**/unity_*.cxx"))
    assert len(groups) > 30
    # Without the path of the clone: a compiler cache knows them in another one, too.
    assert {group.name.split("_")[1] for group in groups} == {"src", "words", "json"}
    twice = []
    for group in groups:
        seen: dict[tuple[str, ...], str] = {}
        for source in re.findall(r'#include "(.*)"', group.read_text()):
            for name in defined_names(Path(source).read_text()):
                if name in seen:
                    twice.append(f"{source} and {seen[name]}: {name}")
                seen[name] = source
    assert not twice


def test_names_of_a_namespace_are_told_from_those_inside() -> None:
    text = """namespace trtcheck {
namespace {

constexpr std::size_t kMost = 3;
struct Found {
  int size;
};
std::vector<std::pair<int, int>> both(const std::map<int, int>& first,
                                      const Node& second) {
  return {};
}
bool declared(int first);

}  // namespace

void Report::add(int first) {}
bool is_of(ValueId id, const Node& node) { return id; }

}  // namespace trtcheck
"""
    local = ("trtcheck ", "")
    assert defined_names(text) == {
        (*local, "kMost"),
        (*local, "Found"),
        (*local, "both", "const std::map<int, int>&", "const Node&"),
        ("trtcheck ", "is_of", "ValueId", "const Node&"),
    }
