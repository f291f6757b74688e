"""A repository that pre-commit can install hooks from: the hook file of this tree, and this tree as it was built.

pre-commit makes a virtual environment and lets pip build the repository in it. Compiling takes minutes, so the build
backend of this stand-in puts the package and the program that were built already into a wheel; everything else is real.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_PYPROJECT = """\
[build-system]
requires = []
build-backend = "built_before"
backend-path = ["."]

[project]
name = "trtcheck-cpp"
version = "0.1.0"
"""

_BACKEND = """\
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
INFO = "trtcheck_cpp-0.1.0.dist-info"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = "trtcheck_cpp-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        names = []
        for path in sorted((HERE / "built").rglob("*")):
            if path.is_file():
                names.append(path.relative_to(HERE / "built").as_posix())
                wheel.write(path, names[-1])
        wheel.writestr(f"{INFO}/METADATA", "Metadata-Version: 2.1\\nName: trtcheck-cpp\\nVersion: 0.1.0\\n")
        tags = "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
        wheel.writestr(f"{INFO}/WHEEL", tags)
        names += [f"{INFO}/METADATA", f"{INFO}/WHEEL", f"{INFO}/RECORD"]
        wheel.writestr(f"{INFO}/RECORD", "".join(f"{name},,\\n" for name in names))
    return name
"""


def git(folder: Path, *words: str) -> str:
    """Git without the settings of whoever runs the tests."""
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        **{f"GIT_{who}_{what}": "t@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    ran = subprocess.run(["git", *words], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def commit_all(folder: Path) -> str:
    """A first commit of everything in the folder; its hash."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message=all")
    return git(folder, "rev-parse", "HEAD")


def make_hook_repository(folder: Path, program: str) -> str:
    """Returns the revision."""
    built = folder / "built"
    shutil.copytree(ROOT / "python/trtcheck", built / "trtcheck", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    extension = find_spec("trtcheck._core")
    assert extension is not None and extension.origin is not None
    shutil.copy(extension.origin, built / "trtcheck")
    scripts = built / "trtcheck_cpp-0.1.0.data/scripts"
    scripts.mkdir(parents=True)
    shutil.copy(program, scripts / "trtcheck")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", folder)
    (folder / "pyproject.toml").write_text(_PYPROJECT)
    (folder / "built_before.py").write_text(_BACKEND)
    return commit_all(folder)
