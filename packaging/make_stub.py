"""Write the stub of the extension from the extension: make_stub.py FILE."""

from __future__ import annotations

import enum
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from trtcheck import _core


def generated() -> str:
    with tempfile.TemporaryDirectory() as folder:
        run("pybind11_stubgen", "trtcheck._core", "--output-dir", folder, "--exit-code")
        stub = Path(folder) / "trtcheck" / "_core.pyi"
        stub.write_text(polished(stub.read_text()))
        style = ("--quiet", "--isolated", "--target-version", "py310")
        ours = ("--config", "lint.isort.known-first-party = ['trtcheck']")
        run("ruff", "check", *style, *ours, "--select", "I,F401,UP", "--fix", str(stub))
        run("ruff", "format", *style, "--line-length", "120", str(stub))
        return stub.read_text()


def polished(text: str) -> str:
    """What the generator does not know of enumerations, pickling and equality."""
    text = text.replace("    @classmethod\n    def __new__(cls, value):\n        ...\n", "")
    text = text.replace("    def __format__(self, format_spec):\n        ...\n", "")
    text = re.sub(r"^    (\w+): typing\.ClassVar\[(\w+)\].*$", member, text, flags=re.MULTILINE)
    text = re.sub(r"\btuple(?=[:)\]])", "tuple[typing.Any, ...]", text)
    return re.sub(r"def __eq__\(self, arg0: \w+\) -> bool", "def __eq__(self, other: object, /) -> bool", text)


def member(match: re.Match[str]) -> str:
    name, kind = match.groups()
    values = getattr(_core, kind)
    assert issubclass(values, enum.IntEnum)
    return f"    {name} = {values[name].value}"


def run(*command: str) -> None:
    subprocess.run([sys.executable, "-m", *command], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(generated())
