"""The code blocks of a Markdown page, and how each kind is run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import onnx
import pytest
import yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(__file__).resolve().parents[2]
HEALTHY = ROOT / "examples/models/healthy_shufflenet.onnx"
SHUFFLE = ROOT / "examples/models/case0_channel_shuffle.onnx"
WITNESS = ROOT / "tests/python/witness/recorded.py"
LOG = "[E] [TRT] Error Code 4: kernel weights has count 144 but 72 was expected\n"

# Programs that an indented block may call; other indented text is no command.
PROGRAMS = ("trtcheck", ".venv/bin/trtcheck", "make", "pip", "python", "python3", "git", "sudo")
# Not run, and why.
NOT_RUN = {
    r"make (build|demo|test|wheel|docs)\b": "builds everything; CI runs it",
    r"(python -m )?pip install": "changes the machine, needs a network",
    r"sudo apt": "changes the machine, needs a network",
}
# Fences that are no code: directives of the site, grammars, texts of files that are checked elsewhere.
NO_CODE = {"text", "onnx", "diff", "html", "{toctree}", "{eval-rst}", "{include}", "{raw}"}
YAML_SCHEMAS = {
    ".github/workflows/": "vendor.github-workflows",
    ".gitlab-ci.yml": "vendor.gitlab-ci",
    "action.yml": "vendor.github-actions",
}


@dataclass(frozen=True)
class Block:
    language: str  # "sh" for indented commands
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """Fenced blocks, and indented ones that hold commands."""
    lines = page.read_text().splitlines()
    at = 0
    while at < len(lines):
        start = at
        if fence := re.match(r"(`{3,}|:{3,})\s*(\S*)", lines[at]):
            at += 1
            while lines[at].rstrip() != fence[1]:
                at += 1
            yield Block(fence[2], "\n".join(lines[start + 1 : at]) + "\n", start + 1)
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            text = "\n".join(line[4:] for line in lines[start:at]).rstrip() + "\n"
            if all(line.split(" ")[0] in PROGRAMS for line in text.splitlines() if line):
                yield Block("sh", text, start + 1)
            continue
        at += 1


class Reader:
    """Somebody who types what a page says, in a folder of their own, from the first line to the last.

    What a page takes for granted is there: models of any name (with the finding WGT101 where the page asks for it), and
    the log of a build.
    """

    def __init__(self, folder: Path, program: str, page: str = "") -> None:
        self.folder = folder
        self._model = SHUFFLE if re.search("--(around|finding) WGT101", page) else HEALTHY
        (folder / "build.log").write_text(LOG)
        self._scope: dict[str, Any] = {}
        programs = folder / ".venv/bin"
        programs.mkdir(parents=True)
        (programs / "trtcheck").symlink_to(Path(program).resolve())
        # A link would not find its virtual environment.
        (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (programs / "python").chmod(0o755)
        (folder / "examples").symlink_to(ROOT / "examples")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NO_COLOR", "FORCE_COLOR"))}
        path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
        # Who has no witness installed reads what one has said.
        self._environment = kept | {"COLUMNS": "100", "PATH": path, "TRTCHECK_WITNESS": str(WITNESS)}
        if not entry_points(group="pytest11", name="trtcheck"):
            self._install_plugin()
        self._has_settings = "settings" in self._run("trtcheck --help").stdout

    def _install_plugin(self) -> None:
        """The entry point, where the package is used from its sources."""
        site = self.folder / ".site"
        info = site / "trtcheck_docs-0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: trtcheck-docs\nVersion: 0\n")
        (info / "entry_points.txt").write_text("[pytest11]\ntrtcheck = trtcheck.pytest_plugin\n")
        paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._environment["PYTHONPATH"] = os.pathsep.join(paths)

    def follow(self, block: Block) -> None:
        self._make_models(block.text)
        if block.language in NO_CODE:
            return
        runner = getattr(self, f"_{block.language}", None)
        assert runner is not None, f"nothing runs blocks of `{block.language}`"
        runner(block.text)

    def _make_models(self, text: str) -> None:
        """Models that a reader would have; each stays what the page makes of it."""
        folders = re.findall(r"(?<![\w./-])models(?=/?[\s\"'*])", text)
        for name in [*re.findall(r"[\w./-]+\.onnx\b", text), *(f"{folder}/a.onnx" for folder in folders)]:
            path = self.folder / name
            if name.startswith(("/", "examples/")) or ".." in name or path.exists():
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self._model, path)
            if path.name == "model.onnx":
                _rename_last_node(path, "/decoder/Resize")

    def _run(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self._environment, capture_output=True, text=True, check=False
        )

    def _sh(self, text: str) -> None:
        for line in text.replace("\\\n", "").splitlines():
            if not line.strip() or line.startswith("#") or any(re.match(pattern, line) for pattern in NOT_RUN):
                continue
            ran = self._run(line)
            # 1: there are findings.
            assert ran.returncode in (0, 1), (line, ran)
            complaints = [said for said in ran.stderr.splitlines() if "warning:" not in said]
            assert complaints == [], (line, ran)

    def _console(self, text: str) -> None:
        parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
        assert parts[0] == "", "a console block begins with a command"
        for command, shown in zip(parts[1::2], parts[2::2], strict=True):
            if any(re.match(pattern, command) for pattern in NOT_RUN):
                continue
            ran = self._run(command)
            said = ran.stdout + ran.stderr
            # A line "..." stands for any lines.
            lines = [".*(?:\n.*)*" if line == "..." else re.escape(line) for line in shown.rstrip("\n").split("\n")]
            pattern = "\n".join(lines)
            assert re.fullmatch(pattern, said.rstrip("\n")), f"$ {command}\n{said}"

    def _python(self, text: str) -> None:
        if named := re.match(r"# (test_\w+\.py)\n", text):
            (self.folder / named[1]).write_text(text)
            ran = self._run(f"python -m pytest -q -p no:cacheprovider {named[1]}")
            assert ran.returncode == 0, ran.stdout + ran.stderr
            return
        if "__main__" in text:
            (self.folder / "program.py").write_text(text)
            ran = self._run("python program.py")
            assert (ran.returncode, ran.stderr) == (0, ""), ran
            return
        old = Path.cwd()
        os.chdir(self.folder)
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("TRTCHECK_WITNESS", str(WITNESS))
                with warnings.catch_warnings():
                    # torch's own exporter warns of its own code.
                    warnings.filterwarnings("ignore", ".*LeafSpec", FutureWarning)
                    exec(compile(text, "page", "exec"), self._scope)
        finally:
            os.chdir(old)

    def _toml(self, text: str) -> None:
        tables = tomllib.loads(text)
        if "fact" in tables:  # a record of cpp/data/facts: test_adding_a_fact.py
            return
        if "shape" in tables:  # docs/shape-functions.md
            for folder in (self.folder, self.folder / "configured"):
                folder.mkdir(exist_ok=True)
                (folder / "shapes.toml").write_text(text)
            return
        name = "pyproject.toml" if "tool" in tables else "trtcheck.toml"
        if "tool" in tables and "trtcheck" not in tables["tool"]:
            return
        if not self._has_settings:
            return
        place = self.folder / "configured"
        place.mkdir(exist_ok=True)
        (place / name).write_text(text)
        (place / "shapes.toml").touch()  # that a configuration names
        ran = self._run(f"trtcheck settings --config configured/{name}")
        assert (ran.returncode, ran.stderr) == (0, ""), ran
        (place / name).unlink()

    def _json(self, text: str) -> None:
        json.loads(text)

    def _yaml(self, text: str) -> None:
        yaml.safe_load(text)
        named = re.match(r"# (\S+)\n", text)
        assert named is not None, "the first line of a YAML block names its file"
        file = self.folder / Path(named[1]).name
        file.write_text(text)
        if file.name == ".pre-commit-config.yaml":
            command = [sys.executable, "-m", "pre_commit", "validate-config", str(file)]
        else:
            schema = next(schema for place, schema in YAML_SCHEMAS.items() if named[1].startswith(place))
            command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def _cpp(self, text: str) -> None:
        compiler = shutil.which("c++")
        if compiler is None:
            pytest.skip("there is no C++ compiler")
        if "main(" not in text:
            includes = "".join(re.findall(r"^#include.*\n", text, re.MULTILINE))
            body = re.sub(r"^#include.*\n", "", text, flags=re.MULTILINE)
            text = f"{includes}#include <iostream>\nint main() {{\n{body}}}\n"
        command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'cpp/include'}", "-x", "c++", "-"]
        ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr


def _rename_last_node(path: Path, name: str) -> None:
    model = onnx.load(path)
    model.graph.node[-1].name = name
    onnx.save(model, path)
