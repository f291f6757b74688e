"""Runs onnx.checker, onnx.shape_inference and trtcheck over the five broken examples, for the README.

python docs/compare.py             print what belongs into README.md
python docs/compare.py --write     put it there, between the marks
python docs/compare.py --check     fail when the README says something else
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
from generate import find_program

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
MODELS = Path("examples/models")

CASES = {
    "grouped Conv behind a channel shuffle": "case0_channel_shuffle.onnx",
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


def trtcheck(program: str, *args: str) -> str:
    command = [program, "check", "--no-color", *args]
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
    """What stands between `<!-- name: begin -->` and `<!-- name: end -->`."""
    shown = MODELS / CASES["grouped Conv behind a channel shuffle"]
    output = f"```console\n$ trtcheck {shown}\n{trtcheck(program, str(shown))}```"
    passed = sum(onnx_says(file) == ("passes", "passes") for file in CASES.values())
    table = [
        f"{passed} of {len(CASES)} pass `onnx.checker.check_model(full_check=True)` and"
        " `onnx.shape_inference.infer_shapes(strict_mode=True, data_prop=True)`:",
        "",
        "| model | onnx.checker | onnx.shape_inference | trtcheck |",
        "|---|---|---|---|",
        *(row(program, *case) for case in CASES.items()),
    ]
    return {"output": output, "compare": "\n".join(table)}


def filled(readme: str, texts: dict[str, str]) -> str:
    for name, text in texts.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if begin not in readme or end not in readme:
            sys.exit(f"README.md: the marks for `{name}` are missing")
        between = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        readme = between.sub(lambda _, new=f"{begin}\n{text}\n{end}": new, readme)  # type: ignore[misc]
    return readme


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    texts = parts(find_program())
    if not args.write and not args.check:
        print("\n\n".join(texts.values()))
        return 0
    old = README.read_text(encoding="utf-8")
    new = filled(old, texts)
    if args.write:
        README.write_text(new, encoding="utf-8")
    elif new != old:
        print("README.md: the output or the comparison is stale; run `python docs/compare.py --write`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
