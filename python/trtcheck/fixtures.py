"""Run a command that exports models, and check what it wrote.

    python -m trtcheck.fixtures --run "python tests/export.py {out}" --target 10.13

`{out}` is a folder that exists for this run only. Everything but `--run` goes to `trtcheck check`, with the
configuration of the folder that this is called in. The command is split into words as a shell does, but no shell reads
it, and it runs in the environment of the caller: what pre-commit put in front of PATH for this hook is taken off again,
so that `python` is the one that has the project installed.

The exit code is that of `trtcheck check`; 2 also says that the command failed, wrote no model, or wrote one outside of
`{out}`, where nobody would have checked it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["main"]

_USAGE = 'usage: python -m trtcheck.fixtures --run "COMMAND with {out}" [options of trtcheck check]'
_PLACE = "{out}"


class _Failed(Exception):
    """Nothing was checked; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: its arguments, those of the process when None; returns the exit code."""
    try:
        command, options = _split(sys.argv[1:] if arguments is None else arguments)
        with tempfile.TemporaryDirectory(prefix="trtcheck-") as name:
            folder = Path(name).resolve()
            _export(command, folder)
            return _check(folder, options)
    except _Failed as error:
        print(f"trtcheck-fixtures: {error}", file=sys.stderr)
        return 2


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
    words = [word.replace(_PLACE, os.fspath(folder)) for word in command]
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
        others = sorted(path.name for path in folder.rglob("*") if path.is_file())
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
        try:
            status = Path(name).stat()
        except OSError:
            continue  # deleted, not yet committed
        found[name] = (status.st_mtime_ns, status.st_size)
    return found


def _check(folder: Path, options: Sequence[str]) -> int:
    # Relative to the folder, so that no report and no baseline holds its name.
    models = sorted(os.fspath(path.relative_to(folder)) for path in folder.rglob("*.onnx"))
    paths = [f"./{name}" if name.startswith("-") else name for name in models]
    command = [sys.executable, "-m", "trtcheck", "check", *options, *paths]
    return subprocess.run(command, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
