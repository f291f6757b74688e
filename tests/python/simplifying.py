"""Cases of `simplify`, tests/simplify/<topic>.md: a model, the simplified model, and a run of both.

The form is that of tests/python/cures.py, with a block `simplified` in place of `fixed`. Options behind the word
`onnx`: those of cures.py that are about the model and its inputs, and
  class=rounding        more classes than proven
  fuse                  with `--fuse`, which rounds
  static=x=1x3x8        sizes that become numbers; several with commas
  random                what the model computes is random, or training: outputs are not compared
  fixed-only            no runtime runs the model as it was

`python tests/python/simplifying.py tests/simplify/x.md` writes the blocks `simplified` as they come out. Read them
before you keep them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import onnx
from cures import ROOT, Case, text_of

import trtcheck

CASES = ROOT / "tests/simplify"
BLOCK = re.compile(
    r"## (?P<name>.+?)\n(?P<text>.*?)```onnx(?P<options>[^\n]*)\n(?P<model>.*?)```\s*```simplified\n(?P<made>.*?)```",
    re.S,
)


def cases(path: Path) -> list[Case]:
    made = []
    for found in BLOCK.finditer(path.read_text(encoding="utf-8")):
        options = dict(word.partition("=")[::2] for word in found["options"].split())
        sizes = {
            key[5:]: [int(size) for size in value.split(",")]
            for key, value in options.items()
            if key.startswith("size.")
        }
        made.append(Case(path.stem, found["name"].strip(), options, found["model"], found["made"].strip(), sizes))
    return made


def simplified(case: Case, model: onnx.ModelProto | None = None) -> trtcheck.Simplified:
    sizes: dict[str, list[int]] = {}
    for word in case.options.get("static", "").split(","):
        name, _, dims = word.rpartition("=")
        if name:
            sizes[name] = [int(dim) for dim in dims.split("x")]
    classes = ["proven", *(word for word in case.options.get("class", "").split(",") if word)]
    return trtcheck.simplify(
        model or case.proto(), sizes=sizes if model is None else {}, classes=classes, fuse="fuse" in case.options
    )


def rewrite(path: Path) -> None:
    """Puts what comes out into the blocks `simplified`."""
    text = path.read_text(encoding="utf-8")
    for case in cases(path):
        made = simplified(case)
        print(f"{case.name}: {[(one.name, one.title) for one in made.applied]} left: {made.left}")
        block = text_of(made.model) if made.is_changed else "none"
        text = re.sub(
            rf"(## {re.escape(case.name)}\n.*?```simplified\n).*?```",
            lambda m, block=block: f"{m[1]}{block}\n```",
            text,
            count=1,
            flags=re.S,
        )
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
