"""build_wheel.py FOLDER: makes the wheel in FOLDER, in the build folder `build` that the C++ tests share.

The build backend itself, without pip in between: pip shows nothing of a build, or all of it at its end. Here CMake and
Ninja write to the terminal (one line that changes) or to the log (one line for each step).
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from scikit_build_core.build import build_wheel

ROOT = Path(__file__).resolve().parents[1]
SETTINGS: dict[str, str | list[str]] = {
    "build-dir": "build",
    # trtcheck: the library, so that `cmake --install build` finds all that it installs.
    "build.targets": ["trtcheck_wheel", "trtcheck"],
    "cmake.define.TRTCHECK_BUILD_TESTS": "ON",
    # What `make demo` may have asked for in this folder.
    "cmake.define.CMAKE_UNITY_BUILD": "OFF",
    "cmake.define.CMAKE_INSTALL_MESSAGE": "NEVER",
}


def main() -> None:
    folder = Path(sys.argv[1]).absolute()
    os.chdir(ROOT)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    build_wheel(os.fspath(folder), SETTINGS)


if __name__ == "__main__":
    main()
