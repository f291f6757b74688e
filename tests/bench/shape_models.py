"""What is said of the shapes of exported models, next to other programs that infer shapes, against recorded runs.

    python tests/bench/shape_models.py            (needs torch, onnxruntime and trtcheck)
    python tests/bench/shape_models.py --list     the values of which trtcheck does not state every size

The models are the exports of tests/python/zoo and a decoder with a KV cache, by both exporters of torch; their claims
about shapes are taken away. ONNX Runtime runs each at up to three sizes: a value is exact when all its sizes are stated
and are those of every run, wrong when one is another. Seconds are those of the calls, of the processor. Then the
inference of a decoder of 1,700 nodes is timed within one process. Exit code 1: trtcheck was wrong, left a size unknown
that does not depend on data, or was slower than promised.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import onnx

import trtcheck

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "python"), str(Path(__file__).resolve().parent)]

import decoder  # noqa: E402
from decoder_graph import Decoder  # noqa: E402
from node_protocols import Answer, Asked, Case, judge  # noqa: E402
from shape_protocols import engines, note_missing  # noqa: E402
from zoo.catalog import ENTRIES  # noqa: E402
from zoo.export import Export, all_exports, export  # noqa: E402
from zoo.reference import Trace, run  # noqa: E402

VERDICTS = ("exact", "partial", "unknown", "wrong")
DECODER_LAYERS = 20
#: Of the inference of that decoder, on a machine that is free.
DECODER_MILLISECONDS = 20.0
#: Values of which only a run can tell all sizes: what NonZero finds, and what is made of it.
DATA_DEPENDENT = "detector_nonzero"


def without_claims(model: onnx.ModelProto) -> onnx.ModelProto:
    """Every value of the main graph is an output, and nothing is said of its shape."""
    out = onnx.ModelProto.FromString(model.SerializeToString())
    del out.graph.value_info[:]
    for output in out.graph.output:
        output.type.tensor_type.ClearField("shape")
    return out


def by_trtcheck(question: Asked) -> dict[str, Answer]:
    shapes = trtcheck.infer_shapes(question.model)
    out = {}
    for name, stated in shapes.items():
        dims = stated.dims
        made = None if dims is None else [d if isinstance(d, int) else d.evaluate(question.sizes) for d in dims]
        out[name] = Answer(made, int(stated.dtype) if stated.dtype else 0, f"{stated}: {stated.reason}")
    return out


@dataclass
class Row:
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(VERDICTS, 0))
    seconds: float = 0.0


@dataclass(frozen=True)
class Recorded:
    made: Export
    model: onnx.ModelProto
    traces: list[Trace]


def recorded(exports: Sequence[Export]) -> Iterator[Recorded]:
    for made in exports:
        if made.path is None or made.entry.edit is not None:
            continue
        model = onnx.load(made.path)
        yield Recorded(made, without_claims(model), run(made))


def is_convolutional(made: Export) -> bool:
    return made.entry.build.__module__.endswith("convnets")


def verdict_of(answers: Sequence[Answer], name: str, traces: Sequence[Trace]) -> str:
    """The worst of all runs."""
    each = [judge(answer, answer.element, trace.shapes[name]) for answer, trace in zip(answers, traces, strict=True)]
    return max(each, key=VERDICTS.index)


def measure(
    models: Sequence[Recorded], programs: dict[str, Callable[[Asked], dict[str, Answer]]]
) -> tuple[dict[str, Row], list[str]]:
    rows = {name: Row() for name in programs}
    open_values = []
    for each in models:
        names = {name for node in each.model.graph.node for name in node.output if name in each.traces[0].shapes}
        case = Case(each.made.name, each.model, [], [])
        for program, engine in programs.items():
            answers = []
            for at, trace in enumerate(each.traces):
                start = time.process_time()
                answers.append(engine(Asked(case, each.model, trace.sizes)))
                if at == 0:
                    rows[program].seconds += time.process_time() - start
            for name in sorted(names):
                said = [answer.get(name, Answer(None)) for answer in answers]
                verdict = verdict_of(said, name, each.traces)
                rows[program].counts[verdict] += 1
                if program == "trtcheck" and verdict != "exact":
                    open_values.append(f"{verdict:8}{each.made.name} {name} {said[0].why}")
    return rows, open_values


def best_of(call: Callable[[], Any], times: int = 7) -> float:
    taken = []
    for _ in range(times):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken) * 1000


def time_decoder() -> list[str]:
    """Within one process: the model is read from memory each time."""
    model = Decoder(DECODER_LAYERS).model()
    content = model.SerializeToString()
    shapes = trtcheck.infer_shapes(content)
    unknown = [name for name, shape in shapes.items() if shape.dims is None or "?" in str(shape)]
    inferred = best_of(lambda: trtcheck.infer_shapes(content))
    checked = best_of(lambda: trtcheck.check(content))
    theirs = best_of(lambda: onnx.shape_inference.infer_shapes(content, data_prop=True), 3)
    print(
        f"\ndecoder of {len(model.graph.node):,} nodes: infer_shapes {inferred:.1f} ms, check {checked:.1f} ms, "
        f"onnx's infer_shapes {theirs:.1f} ms; {len(unknown)} values with an unknown size"
    )
    broken = [f"the decoder took {inferred:.1f} ms > {DECODER_MILLISECONDS:g} ms"] * (inferred > DECODER_MILLISECONDS)
    return broken + [f"decoder: `{name}` is not known" for name in unknown]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the values that trtcheck does not state exactly")
    options = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")  # of the exporters
    note_missing()
    programs = engines() | {"trtcheck": by_trtcheck}
    zoo = [export(*how) for how in all_exports(ENTRIES.values()) if how[0].edit is None]
    with tempfile.TemporaryDirectory() as folder:
        sets = {
            "CNNs": list(recorded([made for made in zoo if is_convolutional(made)])),
            "other exports": list(recorded([made for made in zoo if not is_convolutional(made)])),
            "decoder": list(recorded(decoder.exported(Path(folder)))),
        }
    print(f"{'models':22}{'program':24}" + "".join(f"{verdict:>9}" for verdict in VERDICTS) + f"{'seconds':>10}")
    broken = []
    for title, models in sets.items():
        rows, open_values = measure(models, programs)
        for program, row in rows.items():
            counts = "".join(f"{row.counts[verdict]:9,}" for verdict in VERDICTS)
            print(f"{f'{len(models)} {title}':22}{program:24}{counts}{row.seconds:10.2f}", flush=True)
        if options.list:
            print("".join(f"  {line}\n" for line in open_values), end="")
        broken += [
            line for line in open_values if line.startswith("wrong") or not any(n in line for n in DATA_DEPENDENT)
        ]
    broken += time_decoder()
    print("\nall sizes are known but those of data" if not broken else "\nbroken:\n  " + "\n  ".join(broken))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
