"""How many refused models `trtcheck fix` makes clean, whether they compute the same, and whether NVIDIA builds them.

    python tests/truth/repairs.py --count 2000 --build 300
    python tests/truth/repairs.py --source exports --exports build/exports --packages build/exporters --build 1000

The models: those of the grid that TensorRT-RTX 1.7.1 refused (verdicts.json), a part drawn with the seed; the examples
of rules and facts that it refuses; exports of the zoo, and PyTorch programs with control flow, that it refuses; real
exports (exports.py) that it refuses, by family. Each is repaired for `rtx-1.7` (or the release of `--version`), first
with the classes that are made without being asked for, then with more. A model is *sound*
where ONNX Runtime, or onnx's reference evaluator, computes something from random inputs. Where both run, the outputs
are compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import control_truth
import exports
import grid
import numpy as np
import onnx
import onnxruntime
import rows
import verdicts
from compare import is_strict
from onnx import ModelProto, TensorProto
from onnx.reference import ReferenceEvaluator
from prepare import profile_text
from program import add_witness_option, find_program
from witness import TARGETS, WHEELS, Witness, find_libraries

import trtcheck

VERSION = "1.7.1"
SOURCES = ("grid", "rules", "zoo", "programs", "exports")
CLASSES = ("proven", "rounding", "interface", "choice")
# Those before, and what is asked for in addition.
STEPS = (("proven",), ("rounding",), ("interface",), ("choice",))
SIZE = 4
# Of FLOAT, relative and absolute.
FINE = 1e-4
INTEGER_PRODUCTS = ("ConvInteger", "MatMulInteger", "QLinearConv", "QLinearMatMul")
NOT_RUN = (TensorProto.STRING, TensorProto.UNDEFINED)


# What stays wrong where no rewrite of some nodes helps, by the beginning of "code:fact".
OUT_OF_REACH = {
    "more axes than a tensor of TensorRT has, at the inputs and outputs": ("HWD201:",),
    "sizes that only the running model knows": (
        "OPS401:dq-zero-point-computed",
        "OPS401:expand-shape",
        "OPS401:loop-scan-without-trip-count",
        "OPS401:nms-boxes-unknown",
        "OPS401:reduce-axes-co",
        "OPS401:size-from-data",
        "OPS401:slice-computed",
        "OPS401:tile-repeats-length",
    ),
    "what ONNX forbids or leaves undefined, and a runtime computes all the same": (
        "SHP101:",
        "OPS401:gelu-approximate",
        "OPS401:lp-normalization-order",
        "OPS401:mod-by-zero",
        "OPS401:nms-one-number",
        "OPS401:reversesequence-lengths",
        "OPS401:rnn-state-shape",
        "OPS401:scatterelements-update-size",
        "OPS401:scatternd-update-size",
    ),
    "random numbers": ("OPS401:random",),
    "text": ("OPS401:constant-attrs",),
}


@dataclass
class Refused:
    """A model that NVIDIA refuses, and what becomes of it."""

    source: str  # one of SOURCES
    name: str
    model: ModelProto
    said: str  # by NVIDIA
    profile: tuple[str, ...] = ()
    family: str = ""  # of real exports
    codes: list[str] = field(default_factory=list)  # our errors; none: we do not see it
    kind: str = ""  # the class with which it comes clean; "" = it does not
    applied: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    sound: str = ""  # who runs it as it was: "runtime", "reference"
    compared: str = ""  # "equal", "different: ...", or why it cannot be said
    built: str = ""  # "built", "refused: ...", "unjudged"
    fixed: ModelProto | None = None


def of_grid(count: int, seed: int) -> Iterator[Refused]:
    recorded = verdicts.load()
    refused = [
        (name, at)
        for name, cell in recorded.cells.items()
        for at in range(len(cell.letters[VERSION]))
        if cell.letters[VERSION][at] in "rRxX"
    ]
    drawn = sorted(random.Random(seed).sample(refused, min(count, len(refused))))
    cells: dict[str, list[int]] = {}
    for name, at in drawn:
        cells.setdefault(name, []).append(at)
    for name, places in cells.items():
        op, opset = name.split("/")
        cases = grid.cases(op, int(opset))
        for at in places:
            made = grid.model(cases[at])
            if made is not None and recorded.cells[name].knows(at, grid.digest(made)):
                yield Refused("grid", f"{name}/{at}", made, recorded.cells[name].reasons[at], profile_text_of(made))


def profile_text_of(model: ModelProto) -> tuple[str, ...]:
    return profile_text(model, SIZE)


def of_rules() -> Iterator[Refused]:
    for sample in [*rows.of_rows(), *rows.of_pages()]:
        if sample.part.startswith("example") and not sample.options and (typed := rows.typed(sample)) is not None:
            yield Refused("rules", sample.name, typed.model, "", profile_text_of(typed.model))


def of_zoo(folder: Path) -> Iterator[Refused]:
    entries, profiles = control_truth.write_zoo(folder / "zoo")
    for entry in entries:
        yield Refused("zoo", entry.changes[0], onnx.load(entry.path), "", profiles[entry.address])


def of_programs(folder: Path) -> Iterator[Refused]:
    for entry in control_truth.write_programs(folder / "programs"):
        model = onnx.load(entry.path)
        yield Refused("programs", entry.changes[0], model, "", profile_text(model, control_truth.PROGRAM_SIZE))


def of_exports(folder: Path, packages: Path | None) -> Iterator[Refused]:
    for path in exports.make_all(folder, packages):
        model = onnx.load(path)
        family = exports.family_of(path.stem)
        yield Refused("exports", path.stem, model, "", profile_text(model, exports.SIZE), family)


class Builder:
    """The witness; one child for models without a profile, one for each profile. Remembers what it was asked."""

    def __init__(self, program: Path, folder: Path, version: str, kept: Path) -> None:
        self.program, self.path = program, folder / "asked.onnx"
        self.libraries = find_libraries(version)
        self.kept = kept / f"answers-{version}.json"
        self.answers: dict[str, str] = json.loads(self.kept.read_text("utf-8")) if self.kept.exists() else {}
        self.static = Witness(program, self.libraries)

    def ask(self, model: ModelProto, profile: tuple[str, ...]) -> str:
        key = f"{hashlib.sha256(model.SerializeToString(deterministic=True)).hexdigest()} {' '.join(profile)}"
        if key not in self.answers:
            self.answers[key] = self._ask(model, profile)
        return self.answers[key]

    def keep(self) -> None:
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        self.kept.write_text(json.dumps(self.answers, indent=0, sort_keys=True), "utf-8")

    def _ask(self, model: ModelProto, profile: tuple[str, ...]) -> str:
        self.path.write_bytes(model.SerializeToString())
        if not profile:
            verdict = self.static.ask(self.path)
        else:
            with Witness(self.program, self.libraries, profiles=profile) as own:
                verdict = own.ask(self.path)
        return f"refused: {verdict.reason}" if verdict.refused else verdict.kind


def has_foreign_nodes(model: ModelProto) -> bool:
    """Operators of ONNX Runtime: the witness looks for a plugin, which is "not judged" there; nobody has these."""
    local = {function.domain for function in model.functions}
    return any(node.domain == "com.microsoft" for node in model.graph.node) and "com.microsoft" not in local


def numbers(value: onnx.ValueInfoProto, sizes: tuple[int, ...], source: np.random.Generator) -> Any:
    kind = value.type.tensor_type.elem_type
    if kind in NOT_RUN or kind > TensorProto.BFLOAT16 or kind in (TensorProto.COMPLEX64, TensorProto.COMPLEX128):
        raise TypeError(f"no numbers of type {TensorProto.DataType.Name(kind)}")
    if kind == TensorProto.BOOL:
        return np.asarray(source.random(sizes) < 0.5)
    as_type = onnx.helper.tensor_dtype_to_np_dtype(kind)
    if kind in (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16):
        return np.asarray(source.random(sizes) + 0.25).astype(as_type)
    return np.asarray(source.integers(0, 2, size=sizes)).astype(as_type)


def feeds(model: ModelProto, profile: tuple[str, ...]) -> dict[str, Any]:
    source = np.random.default_rng(1)
    given = dict(text.split("=", 1) for text in profile)
    stored = {tensor.name for tensor in model.graph.initializer}
    made = {}
    for value in model.graph.input:
        if value.name in stored:
            continue
        sizes = tuple(dim.dim_value or SIZE for dim in value.type.tensor_type.shape.dim)
        if value.name in given:
            sizes = tuple(int(size) for size in given[value.name].split(":")[0].split("x"))
        made[value.name] = numbers(value, sizes, source)
    return made


def by_runtime(model: ModelProto, given: dict[str, Any]) -> list[Any]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, given))


def by_reference(model: ModelProto, given: dict[str, Any]) -> list[Any]:
    with np.errstate(all="ignore"):
        return list(ReferenceEvaluator(model).run(None, given))


RUNNERS = {"runtime": by_runtime, "reference": by_reference}


def tolerance_of(model: ModelProto) -> float:
    """Of the least precise type that is computed with."""
    types = {value.type.tensor_type.elem_type for value in [*model.graph.input, *model.graph.output]}
    types |= {tensor.data_type for tensor in model.graph.initializer}
    types |= {attribute.i for node in model.graph.node for attribute in node.attribute if attribute.name == "to"}
    return 5e-2 if TensorProto.BFLOAT16 in types else 1e-2 if TensorProto.FLOAT16 in types else FINE


def differs(before: list[Any], after: list[Any], kind: str, tolerance: float) -> str:
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        if isinstance(one, list):
            continue
        one, other = np.asarray(one), np.asarray(other)
        if one.shape != other.shape:
            return f"output {number} has shape {other.shape} instead of {one.shape}"
        if one.dtype != other.dtype and kind in CLASSES[:2]:
            return f"output {number} is {other.dtype} instead of {one.dtype}"
        if one.dtype.kind in "OSU":
            if not np.array_equal(one, other):
                return f"output {number} differs"
            continue
        a, b = one.astype(np.float64), other.astype(np.float64)
        if kind == "proven" and not np.array_equal(a, b, equal_nan=True):
            return f"output {number} is off by {np.nanmax(np.abs(a - b)):.3g}, though proven"
        if not np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True):
            off, largest = np.nanmax(np.abs(a - b)), max(float(np.nanmax(np.abs(a))), 1e-9)
            return f"output {number} is off by {off:.3g}, {off / largest:.1%} of the largest"
    return ""


def as_declared(model: ModelProto, given: dict[str, Any]) -> dict[str, Any]:
    types = {value.name: value.type.tensor_type.elem_type for value in model.graph.input}
    return {name: array.astype(onnx.helper.tensor_dtype_to_np_dtype(types[name])) for name, array in given.items()}


def same_inputs(one: ModelProto, other: ModelProto) -> bool:
    return [v.SerializeToString() for v in one.graph.input] == [v.SerializeToString() for v in other.graph.input]


class Comparer:
    """Runs models in a child process, as some never end."""

    SECONDS = 20

    def __init__(self) -> None:
        self.pipe: Any = None
        self.child: Any = None

    def compare(self, model: Refused) -> None:
        if self.child is None:
            self.pipe, other = multiprocessing.Pipe()
            self.child = multiprocessing.get_context("fork").Process(target=answer, args=(other,), daemon=True)
            self.child.start()
            other.close()
        try:
            self.pipe.send(model)
            if self.pipe.poll(self.SECONDS):
                model.sound, model.compared = self.pipe.recv()
                return
            model.compared = f"no answer in {self.SECONDS} s"
        except (EOFError, ConnectionError):
            model.compared = "the runtime crashes"
        self.child.kill()
        self.child = None


def answer(pipe: Any) -> None:
    while True:
        model = pipe.recv()
        compare(model)
        pipe.send((model.sound, model.compared))


def runs(model: ModelProto, given: dict[str, Any]) -> bool:
    try:
        by_runtime(model, as_declared(model, given))
    except Exception:  # runtimes raise what they like
        return False
    return True


def may_overflow(model: ModelProto) -> bool:
    """On x86 processors without VNNI ONNX Runtime adds two products of UINT8 and INT8 in 16 bits, which may be too few:
    microsoft/onnxruntime#12088."""
    stored = {tensor.name for tensor in model.graph.initializer if tensor.data_type == TensorProto.INT8}
    return any(node.op_type in INTEGER_PRODUCTS and not stored.isdisjoint(node.input) for node in model.graph.node)


def compare(model: Refused) -> None:
    """Runs it as it was, and repaired."""
    try:
        given = feeds(model.model, model.profile)
    except (TypeError, ValueError) as error:
        model.compared = str(error)
        return
    for name, run in RUNNERS.items():
        # What ONNX forbids the reference evaluator computes somehow: no measure of anything.
        if name == "reference" and not is_strict(model.model):
            continue
        try:
            before = run(model.model, given)
        except Exception as error:  # runtimes raise what they like
            model.compared = f"{name}: {error}".splitlines()[0][:160]
            continue
        model.sound = model.sound or name
        if model.fixed is None:
            return
        try:
            after = run(model.fixed, as_declared(model.fixed, given))
        except Exception as error:
            model.compared = f"the repaired model does not run: {name}: {error}".splitlines()[0][:300]
            if runs(model.fixed, given):
                model.compared = f"not compared: {name} does not run the repaired model, ONNX Runtime does"
            continue
        # The evaluator rounds every step to half precision, a runtime none.
        if name == "reference" and tolerance_of(model.model) > FINE:
            model.compared = "not compared: half precision"
            return
        said = differs(before, after, model.kind, tolerance_of(model.model))
        if said and name == "runtime" and may_overflow(model.model):
            model.compared = f"not compared: {name}: {said}, but its own sums may overflow"
            continue
        model.compared = f"different: {name}: {said}" if said else "equal"
        return


def repair(model: Refused, target: str) -> None:
    report = trtcheck.check(model.model, target=target)
    model.codes = [f"{one.code}:{one.fact or one.op_type}" for one in report.errors]
    if not report.errors:
        return
    asked: list[str] = []
    for step in STEPS:
        asked += step
        fixed = trtcheck.fix(model.model, target=target, classes=list(asked))
        if len(fixed.after.errors) > len(report.errors):
            raise AssertionError(f"{model.name}: more errors than before")
        model.applied = [f"{one.cure}" for one in fixed.applied]
        if not fixed.after.errors:
            model.kind, model.left, model.fixed = step[0], [], fixed.model
            return
        model.left = [f"{one.code}:{one.fact}: {one.reason}" for one in fixed.left if str(one.severity) == "error"]


def out_of_reach(model: Refused) -> str:
    """Why no local rewrite cures it; "" = one might."""
    if model.kind:
        return ""
    for why, starts in OUT_OF_REACH.items():
        if any(one.startswith(starts) for one in model.left):
            return why
    return ""


def reach_table(models: list[Refused]) -> Iterator[str]:
    of = [model for model in models if model.codes and model.sound]
    reasons = Counter(out_of_reach(model) for model in of if out_of_reach(model))
    within = [model for model in of if not out_of_reach(model)]
    clean = sum(bool(model.kind) for model in within)
    asked = sum(model.kind in CLASSES[:2] for model in within)
    share = f"{clean} of {len(within)} ({clean / max(len(within), 1):.0%})"
    yield f"that a local rewrite can reach: {share} clean, {asked} without being asked for more classes"
    yield from (f"      {count} not reached: {why}" for why, count in reasons.most_common())


def table(models: list[Refused]) -> Iterator[str]:
    yield "| models | refused | reported | sound | clean | proven | rounding | interface | choice | sound and clean |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for source in SOURCES:
        of = [model for model in models if model.source == source]
        if not of:
            continue
        found = [model for model in of if model.codes]
        sound = [model for model in found if model.sound]
        clean = [model for model in found if model.kind]
        kinds = [sum(model.kind == kind for model in clean) for kind in CLASSES]
        both = sum(bool(model.kind) for model in sound)
        share = f"{both} of {len(sound)} ({both / max(len(sound), 1):.0%})"
        cells = [source, len(of), len(found), len(sound), len(clean), *kinds, share]
        yield "| " + " | ".join(map(str, cells)) + " |"


def family_table(models: list[Refused]) -> Iterator[str]:
    """Real exports by family; those that the builder was not asked about again do not count as built."""
    of = [model for model in models if model.family]
    if not of:
        return
    heads = ["exports", "refused", "clean", *CLASSES, "run", "clean of those that run", "built", "equal"]
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    families = sorted({model.family for model in of})
    for family in [*families, "all"]:
        within = [model for model in of if family in (model.family, "all")]
        clean = [model for model in within if model.kind]
        sound = [model for model in within if model.sound]
        kinds = [sum(model.kind == kind for model in clean) for kind in CLASSES]
        both = sum(bool(model.kind) for model in sound)
        asked = [model for model in clean if model.built and not model.built.startswith("unjudged")]
        built = f"{sum(model.built == 'built' for model in asked)} of {len(asked)}"
        compared = [model for model in clean if model.sound and not model.compared.startswith("not compared")]
        equal = f"{sum(model.compared == 'equal' for model in compared)} of {len(compared)}"
        row = [family, len(within), f"{len(clean)} ({len(clean) / len(within):.0%})", *kinds]
        row += [len(sound), f"{both} ({both / max(len(sound), 1):.0%})", built, equal]
        yield "| " + " | ".join(map(str, row)) + " |"


def left_groups(models: list[Refused], count: int) -> Iterator[str]:
    """What stands in the way of most sound models."""
    groups: Counter[str] = Counter()
    names: dict[str, list[str]] = {}
    for model in models:
        if model.codes and not model.kind and model.sound:
            for key in sorted(set(model.left)) or ["nothing is tried"]:
                groups[key] += 1
                names.setdefault(key, []).append(model.name)
    for key, number in groups.most_common(count):
        yield f"{number:4}  {key}  ({', '.join(names[key][:3])})"


def built_table(models: list[Refused]) -> Iterator[str]:
    asked = [model for model in models if model.built]
    counts = Counter(model.built.partition(":")[0] for model in asked)
    yield f"of {len(asked)} clean models: " + ", ".join(f"{word} {count}" for word, count in counts.most_common())
    for model in asked:
        if model.built.startswith("refused"):
            yield f"      {model.name} {model.applied}: {' '.join(model.built.split())[:200]}"


def is_wrong(model: Refused) -> bool:
    """Repairs of the class `choice` change values, and say so."""
    return model.kind != "choice" and model.compared.startswith(("different", "the repaired"))


def compared_table(models: list[Refused]) -> Iterator[str]:
    for kind in CLASSES:
        of = [model for model in models if model.kind == kind and model.sound]
        same = sum(model.compared == "equal" for model in of)
        compared = sum(not model.compared.startswith("not compared") for model in of)
        yield f"{kind}: {same} of {compared} that could be compared compute the same"
    for model in models:
        if is_wrong(model):
            yield f"      {model.name} {model.kind} {model.applied}: {model.compared}"


def tell(start: float, what: str) -> None:
    print(f"{time.monotonic() - start:6.0f} s  {what}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="models of the grid")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=int, default=300, help="so many repaired models are built")
    parser.add_argument("--version", default=VERSION, choices=WHEELS, help="of TensorRT-RTX")
    parser.add_argument("--exports", type=Path, default=Path("build/exports"), help="where real exports are kept")
    parser.add_argument("--packages", type=Path, help="where what makes them is installed")
    parser.add_argument("--source", action="append", choices=SOURCES)
    parser.add_argument("--groups", type=int, default=40, help="so many causes of what is left are listed")
    parser.add_argument("--write", type=Path, help="a JSON file with what became of each model")
    add_witness_option(parser)
    args = parser.parse_args()
    sources = args.source or SOURCES
    start = time.monotonic()
    models: list[Refused] = []
    with tempfile.TemporaryDirectory(prefix="trtcheck-repairs-") as name:
        folder = Path(name)
        builder = Builder(find_program(args.witness), folder, args.version, args.exports)
        if "grid" in sources:
            models += of_grid(args.count, args.seed)
        asked = [*(of_rules() if "rules" in sources else []), *(of_zoo(folder) if "zoo" in sources else [])]
        asked += of_programs(folder) if "programs" in sources else []
        asked += of_exports(args.exports, args.packages) if "exports" in sources else []
        for model in asked:
            model.said = builder.ask(model.model, model.profile)
            if model.said.startswith("refused") or (model.said == "unjudged" and has_foreign_nodes(model.model)):
                models.append(model)
        builder.keep()
        tell(start, f"{len(models)} refused models, seed {args.seed}")
        for model in models:
            repair(model, TARGETS[args.version])
        tell(start, "repaired")
        comparer = Comparer()
        for model in models:
            comparer.compare(model)
        tell(start, "compared")
        clean = [model for model in models if model.kind]
        for model in random.Random(args.seed).sample(clean, min(args.build, len(clean))):
            assert model.fixed is not None
            profile = model.profile if same_inputs(model.model, model.fixed) else profile_text_of(model.fixed)
            model.built = builder.ask(model.fixed, profile)
        builder.keep()
        tell(start, "built")
    if args.write:
        facts = [asdict_of(model) for model in models]
        args.write.write_text(json.dumps(facts, indent=1), "utf-8")
    print(
        "\n".join(
            [
                *table(models),
                "",
                *family_table(models),
                "",
                *reach_table(models),
                "",
                *built_table(models),
                "",
                *left_groups(models, args.groups),
            ]
        )
    )
    print("\n".join(compared_table(models)))
    return int(any(is_wrong(model) for model in models))


def asdict_of(model: Refused) -> dict[str, Any]:
    made = {key: value for key, value in vars(model).items() if key not in ("model", "fixed")}
    return made | {"profile": list(model.profile)}


if __name__ == "__main__":
    sys.exit(main())
