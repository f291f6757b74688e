"""What to change in the Python program, so that the next export needs no repair."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from trtcheck._core import AppliedCure, Report, SourceLocation


class Repaired(Protocol):
    """`trtcheck.Fixed`."""

    @property
    def before(self) -> Report: ...
    @property
    def applied(self) -> list[AppliedCure]: ...


# As PyTorch calls the element types of ONNX.
_DTYPES = {
    "FLOAT": "float32",
    "FLOAT16": "float16",
    "BFLOAT16": "bfloat16",
    "DOUBLE": "float64",
    "INT64": "int64",
    "INT32": "int32",
    "INT8": "int8",
    "UINT8": "uint8",
    "BOOL": "bool",
}


def remarks(fixed: Repaired) -> list[str]:
    """One line for each repair, then one for each line of Python that is better changed."""
    made = [_repair_text(applied) for applied in fixed.applied]
    for applied in fixed.applied:
        text = _advice(applied, fixed.before)
        if text and text not in made:
            made.append(text)
    return made


def _repair_text(applied: AppliedCure) -> str:
    where = f" at `{applied.node}`" if applied.node else ""
    return f"repaired {applied.code}{where}: {applied.title} ({applied.kind})"


def _advice(applied: AppliedCure, before: Report) -> str:
    make = _MAKERS.get(applied.cure)
    source = _line(applied, before)
    if make is None or source is None:
        return ""
    text = make(applied, source.code)
    code = f" in `{source.code.strip()}`" if source.code else ""
    return f"{source.file}:{source.line}: {text}{code}" if text else ""


def _line(applied: AppliedCure, before: Report) -> SourceLocation | None:
    """Of the node to change; the finding may stand at another one, which only suffers from it."""
    for finding in before:
        is_same = (finding.code, finding.node, finding.message) == (applied.code, applied.node, applied.message)
        if is_same and finding.fix is not None and finding.fix.source is not None:
            return finding.fix.source
    return applied.source


def _view(applied: AppliedCure, code: str) -> str:
    number = re.match(r"write (\d+) instead of -1", applied.title)
    if number is None:
        return ""
    # Which -1 it is can be said where there is one.
    changed = re.sub(r"-1\b", number[1], code.strip()) if code.count("-1") == 1 else ""
    what = f"write {number[1]} instead of -1"
    return f"{what}, `{changed}`," if changed else what


def _evaluation(applied: AppliedCure, code: str) -> str:
    del applied, code
    return "export it in evaluation mode: `module.eval()`, and `training=False` where a function is called"


def _dtype(applied: AppliedCure, code: str) -> str:
    del code
    named = [_DTYPES[word] for word in re.findall(r"[A-Z]+\d*", applied.title) if word in _DTYPES]
    return f"give the operands one dtype: `.to(torch.{named[0]})`" if named else ""


def _axes(applied: AppliedCure, code: str) -> str:
    del code
    numbers = re.search(r"\[(-?\d+(?:, -?\d+)*)\]$", applied.title)
    return f"name the dims: `squeeze({numbers[1]})`" if numbers else ""


# By name of the cure. What is not here has no place in the program that is known to be better.
_MAKERS: dict[str, Callable[[AppliedCure, str], str]] = {
    "channels-written": _view,
    "batchnorm-inference": _evaluation,
    "batchnorm-statistics": _evaluation,
    "dropout-removed": _evaluation,
    "argument-retyped": _dtype,
    "computed-in-another-type": _dtype,
    "constant-retyped": _dtype,
    "small-integers-widened": _dtype,
    "types-joined": _dtype,
    "squeeze-axes-written": _axes,
}
