"""`python -m trtcheck`: the installed native program, in place of this interpreter."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path


def program() -> Path:
    """Where this distribution installed the program, whatever the scheme (venv, user, --target)."""
    for entry in metadata.files("trtcheck-cpp") or []:
        if entry.name in ("trtcheck", "trtcheck.exe") and entry.parent.name in ("bin", "Scripts"):
            return Path(os.fspath(entry.locate())).resolve()
    raise FileNotFoundError("the program `trtcheck` is not part of this installation")


def main() -> None:
    try:
        path = program()
        os.execv(path, [os.fspath(path), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"python -m trtcheck: {error}")


if __name__ == "__main__":
    main()
