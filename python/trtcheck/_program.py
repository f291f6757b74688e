"""Where the native programs of this distribution are."""

from __future__ import annotations

import os
from pathlib import Path


def program(name: str = "trtcheck") -> Path:
    """As it was installed, whatever the scheme (venv, user, --target)."""
    from importlib import metadata  # takes longer than all else here

    for entry in metadata.files("trtcheck-cpp") or []:
        if entry.name in (name, f"{name}.exe") and entry.parent.name in ("bin", "Scripts"):
            return Path(os.fspath(entry.locate())).resolve()
    raise FileNotFoundError(f"the program `{name}` is not part of this installation")
