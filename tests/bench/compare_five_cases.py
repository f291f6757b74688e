"""What onnx's own checks and trtcheck say of every variant of the five user cases, and of their healthy twins.

    python tests/bench/compare_five_cases.py        (needs torch, onnx, onnxscript and trtcheck)

Prints a Markdown table. The README has the five committed examples only (docs/compare.py); this one exports the
whole zoo of broken modules, through the exporter and mode in which each shows its defect.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import onnx
import onnx.checker
import onnx.shape_inference

import trtcheck

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from zoo.catalog import BROKEN, ENTRIES
from zoo.export import export

#: Broken module -> the nearest module without the defect.
TWINS = {
    "case0_shuffle": "shufflenet",
    "case1_float_shortcut": "qdq_resnet",
    "case2_deconv_axis0": "qdq_decoder",
    "case3_three_per_group": "qdq_grouped",
    "case4_pruned": "norm3d",
}


def passes(call: Callable[[], object]) -> str:
    try:
        call()
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
        return "fails"
    return "passes"


def row(name: str, role: str) -> str:
    exporter = "torchscript" if name == "case4_training" else "dynamo"
    path = export(ENTRIES[name], exporter, "dynamic").path
    assert path is not None
    model = onnx.load(path)
    checker = passes(lambda: onnx.checker.check_model(model, full_check=True))
    inference = passes(lambda: onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True))
    report = trtcheck.check(path)
    codes = dict.fromkeys(f"{finding.code} {finding.name}" for finding in report)
    return f"| {name} | {role} | {checker} | {inference} | {report.verdict} | {', '.join(codes)} |"


def main() -> None:
    print("| module | | onnx.checker | onnx.shape_inference | trtcheck | findings |")
    print("|---|---|---|---|---|---|")
    for entry in BROKEN:
        print(row(entry.name, "broken"))
        if entry.name in TWINS:
            print(row(TWINS[entry.name], "twin"))


if __name__ == "__main__":
    main()
