"""Runs trtcheck and what else there is over the five broken examples, for README.md and docs/comparison.md.

python docs/compare.py             print what belongs into the pages
python docs/compare.py --write     put it there, between the marks
python docs/compare.py --check     fail when a page says something else
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnx
import onnx.checker
import onnx.shape_inference
import onnxruntime
from generate import find_program
from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
COMPARISON = ROOT / "docs/comparison.md"
MODELS = Path("examples/models")
# A release that the reports behind the five cases may be of; newer ones may build the first.
TARGET = "10.13"

CASES = {
    "grouped Conv after a channel shuffle": "case0_channel_shuffle.onnx",
    "quantized residual block, shortcut left in float": "case1_residual.onnx",
    "quantized ConvTranspose, scales on the wrong axis": "case2_deconvolution.onnx",
    "INT8 grouped Conv, 3 channels per group": "case3_grouped_int8.onnx",
    "BatchNormalization pruned unlike its Conv": "case4_batchnorm.onnx",
}


def verdict_of_onnx(call: Callable[[], object]) -> str:
    try:
        call()
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
        return "fails"
    return "passes"


def onnxruntime_says(file: str) -> tuple[str, str]:
    """Its symbolic shape inference, and whether it takes the model for the CPU."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        SymbolicShapeInference.infer_shapes(onnx.load(ROOT / MODELS / file), auto_merge=True)
        symbolic = "passes"
    except Exception:  # whatever it raises is its answer
        symbolic = "fails"
    try:
        onnxruntime.InferenceSession(ROOT / MODELS / file, options, providers=["CPUExecutionProvider"])
        session = "loads"
    except onnxruntime.capi.onnxruntime_pybind11_state.Fail:
        session = "fails"
    return symbolic, session


def trtcheck(program: str, *args: str) -> str:
    command = [program, "check", "--no-color", "--target", TARGET, *args]
    same_width = os.environ | {"COLUMNS": "100"}
    return subprocess.run(command, cwd=ROOT, env=same_width, capture_output=True, text=True, check=False).stdout


def onnx_says(file: str) -> tuple[str, str]:
    model = onnx.load(ROOT / MODELS / file)
    checker = verdict_of_onnx(lambda: onnx.checker.check_model(model, full_check=True))
    inference = verdict_of_onnx(lambda: onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True))
    return checker, inference


def row(program: str, title: str, file: str) -> str:
    checker, inference = onnx_says(file)
    report: dict[str, Any] = json.loads(trtcheck(program, "--output-format", "json", str(MODELS / file)))["models"][0]
    answer = report["verdict"]
    if report["findings"]:
        first = report["findings"][0]
        answer += f": [{first['code']}](docs/rules/{first['name']}.md) {first['message']}"
    return f"| {title} | {checker} | {inference} | {answer.replace('|', chr(92) + '|')} |"


def parts(program: str) -> dict[str, str]:
    """For README.md: what stands between `<!-- name: begin -->` and `<!-- name: end -->`."""
    shown = MODELS / CASES["grouped Conv after a channel shuffle"]
    output = f"```console\n$ trtcheck --target {TARGET} {shown}\n{trtcheck(program, str(shown))}```"
    passed = sum(onnx_says(file) == ("passes", "passes") for file in CASES.values())
    table = [
        f"trtcheck says what TensorRT {TARGET} makes of them. "
        f"{passed} of {len(CASES)} pass `onnx.checker.check_model(full_check=True)` and"
        " `onnx.shape_inference.infer_shapes(strict_mode=True, data_prop=True)`:",
        "",
        "| model | onnx.checker | onnx.shape_inference | trtcheck |",
        "|---|---|---|---|",
        *(row(program, *case) for case in CASES.items()),
    ]
    return {"output": output, "compare": "\n".join(table)}


def tools(program: str) -> dict[str, str]:
    lines = [
        "| model | onnx.checker | onnx.shape_inference | ONNX Runtime, symbolic | ONNX Runtime, CPU | trtcheck |",
        "|---|---|---|---|---|---|",
    ]
    for title, file in CASES.items():
        answers = [*onnx_says(file), *onnxruntime_says(file)]
        report = json.loads(trtcheck(program, "--output-format", "json", str(MODELS / file)))["models"][0]
        first = report["findings"][0]
        answers.append(f"{report['verdict']}: [{first['code']}](rules/{first['name']}.md)")
        lines.append(f"| {title} | {' | '.join(answers)} |")
    return {"tools": "\n".join(lines)}


def filled(page: Path, texts: dict[str, str]) -> str:
    text = page.read_text(encoding="utf-8")
    for name, part in texts.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if begin not in text or end not in text:
            sys.exit(f"{page.name}: the marks for `{name}` are missing")
        between = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        text = between.sub(lambda _, new=f"{begin}\n{part}\n{end}": new, text)  # type: ignore[misc]
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    program = find_program()
    pages = {README: parts(program), COMPARISON: tools(program)}
    if not args.write and not args.check:
        print("\n\n".join(text for texts in pages.values() for text in texts.values()))
        return 0
    stale = 0
    for page, texts in pages.items():
        new = filled(page, texts)
        if args.write:
            page.write_text(new, encoding="utf-8")
        elif new != page.read_text(encoding="utf-8"):
            print(f"{page.relative_to(ROOT)}: what is measured is stale; run `python docs/compare.py --write`")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
