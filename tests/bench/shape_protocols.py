"""What is said of the outputs of onnx's node tests, next to other programs that infer shapes, against recorded tensors.

    python tests/bench/shape_protocols.py              (needs onnx and trtcheck)
    python tests/bench/shape_protocols.py --list       all outputs that are not exact, by operator

Three protocols (tests/python/node_protocols.py): the parameters are constants, nothing but sizes is known, sizes are
names. The others are onnx's `infer_shapes` with data_prop, ONNX Runtime's `symbolic_shape_infer` and, where it is
installed, onnx-shape-inference. What raises an exception says nothing of any output. Exit code 1: trtcheck was wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import onnx
import onnx.shape_inference

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from node_protocols import PROTOCOLS, VERDICTS, Answer, Asked, Engine, Tally, by_trtcheck, run

#: What these programs call a size that they do not know.
UNKNOWN = re.compile(r"unk__|_d\d|^\?|^None$")


def number_of(text: str, sizes: dict[str, int]) -> int | None:
    """A size as these programs write it: a name, or an expression of sympy."""
    if text in sizes:
        return sizes[text]
    if not text or UNKNOWN.search(text):
        return None
    import sympy

    functions = {"floor": sympy.floor, "ceiling": sympy.ceiling, "Max": sympy.Max, "Min": sympy.Min, "Mod": sympy.Mod}
    try:
        made = sympy.sympify(text, locals={**{name: sympy.Integer(size) for name, size in sizes.items()}, **functions})
    except (sympy.SympifyError, SyntaxError, TypeError, AttributeError):
        return None
    return int(made) if getattr(made, "is_integer", False) and made.is_number else None


def said_in(model: onnx.ModelProto, question: Asked) -> dict[str, Answer]:
    out = {}
    for value in [*model.graph.value_info, *model.graph.output]:
        if not value.type.HasField("tensor_type"):
            continue
        kind = value.type.tensor_type
        if not kind.HasField("shape"):
            out[value.name] = Answer(None, kind.elem_type)
            continue
        dims: list[int | None] = [
            dim.dim_value if dim.HasField("dim_value") else number_of(dim.dim_param, question.sizes)
            for dim in kind.shape.dim
        ]
        out[value.name] = Answer(dims, kind.elem_type)
    return out


def by_onnx(question: Asked) -> dict[str, Answer]:
    return said_in(onnx.shape_inference.infer_shapes(question.model, data_prop=True), question)


def by_onnxruntime(question: Asked) -> dict[str, Answer]:
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    return said_in(SymbolicShapeInference.infer_shapes(question.model, auto_merge=True), question)


def by_onnx_shape_inference(question: Asked) -> dict[str, Answer]:
    import onnx_ir as ir
    from onnx_shape_inference import infer_symbolic_shapes

    return said_in(ir.to_proto(infer_symbolic_shapes(ir.from_proto(question.model))), question)


def or_nothing(engine: Engine) -> Engine:
    def asked(question: Asked) -> dict[str, Answer]:
        # They print and log what they cannot do, and raise whatever comes to them.
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                return engine(question)
            except Exception:
                return {}

    return asked


def is_installed(module: str) -> bool:
    try:
        __import__(module)
    except ImportError:
        return False
    return True


#: Not needed for anything else: `make bench` says so where it is missing.
ONNX_SHAPE_INFERENCE = "onnx-shape-inference==0.4.0"


def note_missing() -> None:
    if not is_installed("onnx_shape_inference"):
        print(f"onnx-shape-inference is not compared: pip install {ONNX_SHAPE_INFERENCE}\n")


def engines() -> dict[str, Callable[[Asked], dict[str, Answer]]]:
    out: dict[str, Engine] = {"trtcheck": by_trtcheck, "onnx": or_nothing(by_onnx)}
    if is_installed("onnxruntime") and is_installed("sympy"):
        out["onnxruntime"] = or_nothing(by_onnxruntime)
    if is_installed("onnx_shape_inference"):
        out["onnx-shape-inference"] = or_nothing(by_onnx_shape_inference)
    return out


def print_list(tally: Tally) -> None:
    by_operator: dict[str, list[str]] = defaultdict(list)
    for each in tally.of("wrong", "unknown", "partial"):
        by_operator[each.case.operator].append(f"{each.verdict:8}{each.case.name} {each.output}: {each.text}")
    for operator, lines in sorted(by_operator.items()):
        print(f"  {operator}")
        for line in lines:
            print(f"    {line}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the outputs that trtcheck does not state exactly")
    parser.add_argument("--only", metavar="NAME", help="one program")
    parser.add_argument("--protocol", choices=PROTOCOLS, help="one protocol")
    options = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    wrong = 0
    note_missing()
    print(f"{'protocol':12}{'program':24}" + "".join(f"{verdict:>9}" for verdict in VERDICTS) + f"{'seconds':>10}")
    for protocol in [options.protocol] if options.protocol else PROTOCOLS:
        for name, engine in engines().items():
            if options.only and name != options.only:
                continue
            start = time.perf_counter()
            tally = run(protocol, engine)
            seconds = time.perf_counter() - start
            counts = "".join(f"{tally.count(verdict):9,}" for verdict in VERDICTS)
            print(f"{protocol:12}{name:24}{counts}{seconds:10.1f}")
            if name == "trtcheck":
                wrong += tally.count("wrong")
                if options.list:
                    print_list(tally)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
