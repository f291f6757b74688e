"""`python -m trtcheck`: the installed native program, in place of this interpreter."""

from __future__ import annotations

import os
import sys

from trtcheck._program import program


def main() -> None:
    try:
        path = program()
        os.environ.setdefault("TRTCHECK_PYTHON", sys.executable)
        os.execv(path, [os.fspath(path), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"python -m trtcheck: {error}")


if __name__ == "__main__":
    main()
