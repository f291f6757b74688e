"""The hooks, run by pre-commit itself on a repository made for the purpose."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hook_repository import commit_all, git, make_hook_repository
from test_cli import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
HEALTHY = ROOT / "examples/models/healthy_shufflenet.onnx"
REFUSED = ROOT / "examples/models/case4_batchnorm.onnx"
PRE_COMMIT = shutil.which("pre-commit", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))

pytestmark = [
    pytest.mark.skipif(PRE_COMMIT is None, reason="pre-commit is not installed"),
]

# Writes what it is told to: export.py FOLDER MODEL...
EXPORT = """\
import os, shutil, sys
import project_only
for model in filter(os.path.isfile, sys.argv[2:]):
    shutil.copy(model, sys.argv[1])
"""


class Project:
    """A repository with a .pre-commit-config.yaml."""

    def __init__(self, folder: Path, hooks: Path, revision: str, home: Path) -> None:
        self.folder = folder
        self._hooks, self._revision, self._home = hooks, revision, home
        folder.mkdir()

    def configure(self, hook: str, **options: object) -> None:
        repository = {"repo": str(self._hooks), "rev": self._revision, "hooks": [{"id": hook, **options}]}
        (self.folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [repository]}))

    def write(self, name: str, content: Path | str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copy(content, path)
        else:
            path.write_text(content)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        if not (self.folder / ".git").exists():
            commit_all(self.folder)
        git(self.folder, "add", "--all")
        # A user's interpreter with the project in it, as an activated environment has it.
        environment = {
            **os.environ,
            "PRE_COMMIT_HOME": str(self._home),
            "PIP_NO_INDEX": "1",
            "PATH": os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]]),
        }
        assert PRE_COMMIT is not None
        command = [PRE_COMMIT, "run", "--all-files", "--verbose", "--color=never", *words]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, Path]:
    """The hook repository, its revision, and where pre-commit keeps the environment that it builds once."""
    folder = tmp_path_factory.mktemp("hooks")
    return folder, make_hook_repository(folder, PROGRAM), tmp_path_factory.mktemp("pre-commit-home")


@pytest.fixture
def project(hooks: tuple[Path, str, Path], tmp_path: Path) -> Project:
    folder, revision, home = hooks
    made = Project(tmp_path / "project", folder, revision, home)
    # `python` of the project can import what the hook's environment has not.
    made.write("bin/python", f'#!/bin/sh\nPYTHONPATH="{made.folder}/only" exec {sys.executable} "$@"\n')
    (made.folder / "bin/python").chmod(0o755)
    made.write("only/project_only.py", "")
    made.write("export.py", EXPORT)
    return made


def test_a_model_that_is_refused_stops_the_commit(project: Project) -> None:
    project.configure("trtcheck")
    project.write("models/bad.onnx", REFUSED)
    project.write("models/good one.onnx", HEALTHY)
    ran = project.run()
    assert ran.returncode == 1, ran.stdout
    assert "error[WGT201] batchnorm-parameter-count" in ran.stdout
    assert "models/bad.onnx: refused" in ran.stdout
    assert "2 models: 1 refused, 0 uncertain, 1 clean" in ran.stdout


def test_clean_models_pass_and_arguments_reach_the_check(project: Project) -> None:
    project.configure("trtcheck", args=["--target", "10.0"])
    project.write("good.onnx", HEALTHY)
    ran = project.run()
    assert ran.returncode == 0, ran.stdout
    assert "Passed" in ran.stdout
    assert "good.onnx: clean for TensorRT 10.0" in ran.stdout


def test_other_files_are_none_of_its_business(project: Project) -> None:
    project.configure("trtcheck")
    project.write("model.onnx.txt", "no model")
    ran = project.run()
    assert ran.returncode == 0, ran.stdout
    assert "no files to check" in ran.stdout


def test_what_pre_commit_excludes_is_not_checked(project: Project) -> None:
    project.configure("trtcheck", exclude="^broken/")
    project.write("broken/bad.onnx", REFUSED)
    project.write("good.onnx", HEALTHY)
    ran = project.run()
    assert ran.returncode == 0, ran.stdout
    assert "bad.onnx" not in ran.stdout


def test_what_the_configuration_excludes_is_not_checked(project: Project) -> None:
    project.configure("trtcheck")
    project.write("trtcheck.toml", 'exclude = ["broken/"]\n')
    project.write("broken/bad.onnx", REFUSED)
    project.write("good.onnx", HEALTHY)
    ran = project.run()
    assert ran.returncode == 0, ran.stdout
    assert "WGT201" not in ran.stdout


def test_a_file_that_is_no_model_is_named(project: Project) -> None:
    project.configure("trtcheck")
    project.write("not.onnx", "plain text")
    ran = project.run()
    assert ran.returncode == 1, ran.stdout
    assert "not.onnx" in ran.stdout
    assert "exit code: 2" in ran.stdout


def test_exported_models_are_checked(project: Project) -> None:
    project.configure("trtcheck-fixtures", args=["--run", f"python export.py {{out}} {HEALTHY}", "--target", "10.0"])
    ran = project.run()
    assert ran.returncode == 0, ran.stdout
    assert "healthy_shufflenet.onnx: clean for TensorRT 10.0" in ran.stdout
    assert not (project.folder / ".trtcheck-fixtures").exists()


def test_an_exported_model_that_is_refused_stops_the_commit(project: Project) -> None:
    project.configure("trtcheck-fixtures", args=["--run", f"python export.py {{out}} '{REFUSED}' {HEALTHY}"])
    ran = project.run()
    assert ran.returncode == 1, ran.stdout
    assert "error[WGT201]" in ran.stdout
    assert "case4_batchnorm.onnx: refused" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--run", "python -c 'import sys; print(7); sys.exit(3)' {out}"],
            "{out}` ended with exit code 3; it said:\n7",
        ),
        (["--run", "python export.py {out}"], "`python export.py {out}` wrote no .onnx file into {out}"),
        (["--run", f"python export.py . {HEALTHY} {{out}}"], "wrote outside of {out}, which is not checked: healthy"),
        (["--run", "no-such-program {out}"], "cannot run `no-such-program {out}`: no such file or directory"),
        (["--run", "python export.py"], "does not say where to write; put `{out}`"),
        (
            ["--run", "python 'export.py {out}"],
            "cannot split `python 'export.py {out}` into words: no closing quotation",
        ),
        (["--target", "8.6"], "no command given; usage:"),
    ],
)
def test_what_goes_wrong_with_the_command_is_said(project: Project, arguments: list[str], said: str) -> None:
    project.configure("trtcheck-fixtures", args=arguments)
    ran = project.run()
    assert ran.returncode == 1, ran.stdout
    assert "exit code: 2" in ran.stdout
    assert f"trtcheck-fixtures: {said}" in ran.stdout or said in ran.stdout


def test_the_configuration_of_the_project_holds_for_what_is_exported(project: Project) -> None:
    project.write("trtcheck.toml", 'ignore = ["WGT201"]\ntarget = "8.6"\n')
    project.configure("trtcheck-fixtures", args=["--run", f"python export.py {{out}} {REFUSED}"])
    ran = project.run()
    assert ran.returncode == 0, ran.stdout
    assert ".trtcheck-fixtures/case4_batchnorm.onnx: " in ran.stdout
    assert "for TensorRT 8.6" in ran.stdout


def test_what_a_killed_run_left_behind_is_cleared_away_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "trtcheck.fixtures", "--run", "false {out}"]
    folder = tmp_path / ".trtcheck-fixtures"
    folder.mkdir()
    (folder / "precious.onnx").write_text("mine")
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "trtcheck-fixtures: `.trtcheck-fixtures` exists and is not ours; remove or rename it\n"
    assert (folder / "precious.onnx").read_text() == "mine"
    (folder / "precious.onnx").unlink()
    (folder / ".gitignore").write_text("# made by trtcheck.fixtures, removed after each run\n*\n")
    (folder / "left").mkdir()
    (folder / "left/over.onnx").write_text("")
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stderr == "trtcheck-fixtures: `false {out}` ended with exit code 1 and said nothing\n"
    assert not folder.exists()
