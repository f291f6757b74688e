"""Run a command that exports models, and check what it wrote.

    python -m trtcheck.fixtures --run "python tests/export.py {out}" --target 10.13

`{out}` is the folder `.trtcheck-fixtures` below the working folder, made for this run: its place and its name stay the
same, so that the project's configuration and baseline hold for what is written there. Everything but `--run` goes to
`trtcheck check`. The command is split into words as a shell does, but no shell reads it, and it runs in the environment
of the caller: what pre-commit put in front of PATH for this hook is taken off again, so that `python` is the one that
has the project installed.

The exit code is that of `trtcheck check`; 2 also says that the command failed, wrote no model, or wrote one outside of
`{out}`, where nobody would have checked it.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

__all__ = ["main"]

_USAGE = 'usage: python -m trtcheck.fixtures --run "COMMAND with {out}" [options of trtcheck check]'
_PLACE = "{out}"
_FOLDER = Path(".trtcheck-fixtures")
# Marks the folder as ours, and keeps it out of commits.
_MARK = "# made by trtcheck.fixtures, removed after each run\n*\n"


class _Failed(Exception):
    """Nothing was checked; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: its arguments, those of the process when None; returns the exit code."""
    try:
        command, options = _split(sys.argv[1:] if arguments is None else arguments)
        with _own_folder() as folder:
            _export(command, folder)
            return _check(folder, options)
    except _Failed as error:
        print(f"trtcheck-fixtures: {error}", file=sys.stderr)
        return 2


@contextmanager
def _own_folder() -> Iterator[Path]:
    """`_FOLDER`, empty but for its mark; gone afterwards. What a killed run left behind is cleared away."""
    mark = _FOLDER / ".gitignore"
    try:
        if not _FOLDER.exists():
            _FOLDER.mkdir()
            mark.write_text(_MARK)
        elif not mark.is_file() or mark.read_text() != _MARK:
            raise _Failed(f"`{_FOLDER}` exists and is not ours; remove or rename it")
        with mark.open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _Failed(f"`{_FOLDER}` is in use by another run") from None
            try:
                for left in _FOLDER.iterdir():
                    if left != mark:
                        shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
                yield _FOLDER
            finally:
                if _FOLDER.exists():
                    shutil.rmtree(_FOLDER)
    except OSError as error:
        raise _Failed(f"`{_FOLDER}`: {(error.strerror or str(error)).lower()}") from None


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of the command, and what is for `trtcheck check`."""
    command = None
    options: list[str] = []
    words = iter(arguments)
    for word in words:
        if word in ("-h", "--help"):
            print(f"{_USAGE}\n\n{__doc__}")
            raise SystemExit(0)
        if word == "--run":
            command = next(words, "")
        elif word.startswith("--run="):
            command = word.removeprefix("--run=")
        else:
            options.append(word)
    if not command:
        raise _Failed(f"no command given; {_USAGE}")
    try:
        parts = shlex.split(command)
    except ValueError as error:
        raise _Failed(f"--run: cannot split `{command}` into words: {str(error).lower()}") from None
    if not any(_PLACE in part for part in parts):
        raise _Failed(f"--run: `{command}` does not say where to write; put `{_PLACE}` where the folder belongs")
    return parts, options


def _export(command: Sequence[str], folder: Path) -> None:
    words = [word.replace(_PLACE, os.fspath(folder.absolute())) for word in command]
    shown = shlex.join(command).replace(f"'{_PLACE}'", _PLACE)
    before = _models_of_the_project()
    try:
        ran = subprocess.run(
            words, env=_environment(os.environ), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
    except OSError as error:
        raise _Failed(f"cannot run `{shown}`: {(error.strerror or str(error)).lower()}: {words[0]}") from None
    if ran.returncode != 0:
        ended = f"ended with exit code {ran.returncode}" if ran.returncode > 0 else f"died of signal {-ran.returncode}"
        output = ran.stdout.decode(errors="replace").rstrip()
        raise _Failed(f"`{shown}` {ended}" + (f"; it said:\n{output}" if output else " and said nothing"))
    after = _models_of_the_project()
    elsewhere = sorted(path for path, written in after.items() if before.get(path) != written)
    if elsewhere:
        raise _Failed(f"`{shown}` wrote outside of {_PLACE}, which is not checked: {', '.join(elsewhere)}")
    if not any(folder.rglob("*.onnx")):
        others = sorted(path.name for path in folder.rglob("*") if path.is_file() and path.name != ".gitignore")
        instead = f"; there are {', '.join(others[:5])}" if others else ""
        raise _Failed(f"`{shown}` wrote no .onnx file into {_PLACE}{instead}")


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    """The caller's environment, without the one that pre-commit made for this hook."""
    environment = dict(given)
    if environment.get("PRE_COMMIT") != "1":
        return environment
    own = os.path.realpath(Path(sys.prefix) / "bin")
    folders = environment.get("PATH", "").split(os.pathsep)
    environment["PATH"] = os.pathsep.join(f for f in folders if os.path.realpath(f) != own)
    environment.pop("VIRTUAL_ENV", None)
    return environment


def _models_of_the_project() -> dict[str, tuple[int, int]]:
    """Path, time and size of every ONNX file below the working folder, as git finds them (ignored ones, too)."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--", "*.onnx"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return {}  # no repository: only what is in {out} is known
    found = {}
    for name in filter(None, os.fsdecode(listed).split("\0")):
        if Path(name).parts[0] == _FOLDER.name:
            continue
        try:
            status = Path(name).stat()
        except OSError:
            continue  # deleted, not yet committed
        found[name] = (status.st_mtime_ns, status.st_size)
    return found


def _check(folder: Path, options: Sequence[str]) -> int:
    models = sorted(os.fspath(path) for path in folder.rglob("*.onnx"))
    command = [sys.executable, "-m", "trtcheck", "check", *options, *models]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
