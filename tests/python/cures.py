"""Cases of cures, tests/cures/<cure>.md: a model, the repaired model, and a run of both.

    ## name of the case

    ```onnx target=8.2 opset=17
    agraph (float[2,1,N] x) => (float[2,N] y) { ... }
    ```

    ```fixed
    agraph ... { ... }            as onnx.printer has it, or: none (a near miss: nothing is repaired)
    ```

Options behind the word `onnx`:
  target=RELEASE, opset=N, domain.NAME=N, ir=N, precision=fp16, strongly-typed
  class=choice          more classes than proven and rounding
  cures=NAME            these only, advice included
  ints=LOW..HIGH        of integer inputs; 0..3 without it
  size.N=2,3,5          the three sizes of a symbol
  by=reference          onnx's reference evaluator runs it instead of ONNX Runtime
  fixed-only            no runtime runs the model as it was: say why in the text of the case
  tolerance=1e-6        of repairs of the class `rounding`; 1e-5 without it

`python tests/python/cures.py tests/cures/x.md` writes the blocks `fixed` as they come out. Read them before you keep
them.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnx.parser
import onnx.printer
import onnxruntime
from onnx.reference import ReferenceEvaluator

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/cures"
BLOCK = re.compile(
    r"## (?P<name>.+?)\n(?P<text>.*?)```onnx(?P<options>[^\n]*)\n(?P<model>.*?)```\s*```fixed\n(?P<fixed>.*?)```", re.S
)


@dataclass
class Case:
    cure: str
    name: str
    options: dict[str, str]
    model: str
    fixed: str
    sizes: dict[str, list[int]] = field(default_factory=dict)

    def proto(self) -> onnx.ModelProto:
        opsets = {"": int(self.options.get("opset", "17"))}
        opsets |= {key[7:]: int(value) for key, value in self.options.items() if key.startswith("domain.")}
        imports = ", ".join(f'"{domain}" : {version}' for domain, version in opsets.items())
        ir = self.options.get("ir", "10" if opsets[""] >= 21 else "8")
        return onnx.parser.parse_model(f"<ir_version: {ir}, opset_import: [{imports}]>\n{self.model}")

    def fix(self) -> trtcheck._fix.Fixed:
        classes = ["proven", "rounding", *self.options.get("class", "").split(",")]
        return trtcheck.fix(
            self.proto(),
            target=self.options.get("target"),
            precision=[word for word in self.options.get("precision", "").split(",") if word],
            strongly_typed="strongly-typed" in self.options,
            classes=[word for word in classes if word],
            cures=[word for word in self.options.get("cures", "").split(",") if word],
        )


def cases(path: Path) -> list[Case]:
    made = []
    for found in BLOCK.finditer(path.read_text(encoding="utf-8")):
        options = {}
        for word in found["options"].split():
            key, _, value = word.partition("=")
            options[key] = value
        sizes = {
            key[5:]: [int(size) for size in value.split(",")]
            for key, value in options.items()
            if key.startswith("size.")
        }
        made.append(Case(path.stem, found["name"].strip(), options, found["model"], found["fixed"].strip(), sizes))
    return made


def text_of(model: onnx.ModelProto) -> str:
    """The graph and its functions, one node a line; what is only declared is left out."""
    kept = onnx.ModelProto()
    kept.CopyFrom(model)
    del kept.graph.value_info[:]
    return onnx.printer.to_text(kept).split(">", 1)[1].strip()


def feeds(model: onnx.ModelProto, case: Case, at: int, seed: int) -> dict[str, Any]:
    """Numbers for the inputs, of the size that is the at-th of three."""
    random = np.random.default_rng(seed + at)
    low, high = (int(part) for part in case.options.get("ints", "0..3").split(".."))
    stored = {tensor.name for tensor in model.graph.initializer}
    made = {}
    for value in model.graph.input:
        if value.name in stored:
            continue
        tensor = value.type.tensor_type
        sizes = [dim.dim_value or case.sizes.get(dim.dim_param, [2, 3, 5])[at] for dim in tensor.shape.dim]
        kind = tensor.elem_type
        if kind == onnx.TensorProto.BOOL:
            made[value.name] = np.asarray(random.random(sizes) < 0.5)
        elif kind == onnx.TensorProto.BFLOAT16:
            made[value.name] = random.normal(size=sizes).astype(ml_dtypes.bfloat16)
        elif kind in (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT16):
            made[value.name] = random.normal(size=sizes).astype(onnx.helper.tensor_dtype_to_np_dtype(kind))
        else:
            made[value.name] = random.integers(low, high + 1, size=sizes).astype(
                onnx.helper.tensor_dtype_to_np_dtype(kind)
            )
    return made


def run(model: onnx.ModelProto, given: dict[str, Any], by: str) -> list[Any]:
    if by == "reference":
        return list(ReferenceEvaluator(model).run(None, given))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, given))


def rewrite(path: Path) -> None:
    """Puts what comes out into the blocks `fixed`."""
    text = path.read_text(encoding="utf-8")
    for case in cases(path):
        fixed = case.fix()
        print(
            f"{case.name}: {[(one.cure, one.title) for one in fixed.applied]} "
            f"left: {[(one.code, one.reason) for one in fixed.left]}"
        )
        made = text_of(fixed.model) if fixed.is_changed else "none"
        text = re.sub(
            rf"(## {re.escape(case.name)}\n.*?```fixed\n).*?```",
            lambda m, made=made: f"{m[1]}{made}\n```",
            text,
            count=1,
            flags=re.S,
        )
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
