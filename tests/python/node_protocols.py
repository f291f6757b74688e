"""onnx's node tests under three protocols: what is said of their outputs, against the tensors that were recorded.

`constants`  every input that is no data has an initializer: axes, sizes, scales, conditions
`blind`      inputs have sizes, nobody knows what is in them
`symbolic`   as `blind`, and each size of each input is a name; the recorded sizes are put in for the names at the end

What the file claims about its outputs is taken away first. A size of 0 stays a number: names stand for sizes from 1 on.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

import trtcheck

PROTOCOLS = ("constants", "blind", "symbolic")
VERDICTS = ("exact", "partial", "unknown", "wrong")


@dataclass(frozen=True)
class Case:
    name: str
    model: onnx.ModelProto
    inputs: list[TensorProto | None]
    outputs: list[TensorProto | None]

    @property
    def operator(self) -> str:
        """What is tested. The functions of expanded models write it in front of their names."""
        nodes = self.model.graph.node
        return nodes[0].op_type if len(nodes) == 1 else nodes[0].output[0].split("_test_")[0]


@dataclass(frozen=True)
class Asked:
    """One case under one protocol."""

    case: Case
    model: onnx.ModelProto
    sizes: dict[str, int]


@dataclass(frozen=True)
class Answer:
    """One output: None for a rank or a size that is not known."""

    dims: Sequence[int | None] | None
    element: int = 0
    why: str = ""


@dataclass(frozen=True)
class Judged:
    case: Case
    output: str
    verdict: str
    text: str


@dataclass
class Tally:
    judged: list[Judged] = field(default_factory=list)

    def count(self, verdict: str) -> int:
        return sum(each.verdict == verdict for each in self.judged)

    def of(self, *verdicts: str) -> list[Judged]:
        return [each for each in self.judged if each.verdict in verdicts]


#: Answers for the outputs of a model by name; an exception says that nothing is known of any.
Engine = Callable[[Asked], dict[str, Answer]]


def tensor(value: object) -> TensorProto | None:
    if isinstance(value, TensorProto):
        return value
    return numpy_helper.from_array(np.asarray(value)) if isinstance(value, np.ndarray | np.generic) else None


@cache
def cases() -> list[Case]:
    out = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in collect_testcases(""):
            if case.model is None or not case.data_sets:
                continue
            inputs, outputs = case.data_sets[0]
            out.append(Case(case.name, case.model, [tensor(v) for v in inputs], [tensor(v) for v in outputs]))
    return out


def without_claims(model: onnx.ModelProto) -> onnx.ModelProto:
    out = copy.deepcopy(model)
    del out.graph.value_info[:]
    for output in out.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return out


def is_data(at: int, made: TensorProto) -> bool:
    """The first input, unless it is a number or a list of integers, and whatever has two axes or more."""
    is_number = made.data_type in (TensorProto.INT64, TensorProto.INT32)
    return len(made.dims) > 1 or (at == 0 and len(made.dims) == 1 and not is_number)


def asked(case: Case, protocol: str) -> Asked:
    model = without_claims(case.model)
    sizes: dict[str, int] = {}
    kept = []
    for at, value in enumerate(model.graph.input):
        made = case.inputs[at] if at < len(case.inputs) else None
        if made is None or not value.type.HasField("tensor_type"):
            kept.append(value)
        elif protocol == "constants" and not is_data(at, made):
            constant = copy.deepcopy(made)
            constant.name = value.name
            model.graph.initializer.append(constant)
        else:
            dims: list[int | str] = list(made.dims)
            if protocol == "symbolic":
                dims = [f"in{at}_{axis}" if size else size for axis, size in enumerate(made.dims)]
                sizes.update({name: size for name, size in zip(dims, made.dims, strict=True) if isinstance(name, str)})
            kept.append(helper.make_tensor_value_info(value.name, value.type.tensor_type.elem_type, dims))
    del model.graph.input[:]
    model.graph.input.extend(kept)
    # Before 4 every initializer is an input, too.
    model.ir_version = max(model.ir_version, 4)
    return Asked(case, model, sizes)


def by_trtcheck(question: Asked) -> dict[str, Answer]:
    shapes = trtcheck.infer_shapes(question.model)
    if shapes.conflicts:
        raise AssertionError(f"{question.case.name}: conflict: {shapes.conflicts[0].message}")
    out = {}
    for value in question.model.graph.output:
        stated = shapes[value.name]
        if stated.dims is None:
            out[value.name] = Answer(None, int(stated.dtype), f"{stated}: {stated.reason}")
            continue
        found = [d if isinstance(d, int) else d.evaluate(question.sizes) for d in stated.dims]
        out[value.name] = Answer(found, int(stated.dtype), str(stated))
    return out


def judge(answer: Answer, declared: int, made: Sequence[int]) -> str:
    if answer.element not in (0, declared):
        return "wrong"
    if answer.dims is None:
        return "unknown"
    is_wrong = len(answer.dims) != len(made) or any(
        size not in (None, true) for size, true in zip(answer.dims, made, strict=True)
    )
    if is_wrong:
        return "wrong"
    return "partial" if None in answer.dims else "exact"


def run(protocol: str, engine: Engine, chosen: Iterable[Case] | None = None) -> Tally:
    tally = Tally()
    for case in cases() if chosen is None else chosen:
        question = asked(case, protocol)
        answers = engine(question)
        for value, made in zip(question.model.graph.output, case.outputs, strict=False):
            if made is None or not value.type.HasField("tensor_type"):
                continue
            answer = answers.get(value.name, Answer(None))
            verdict = judge(answer, value.type.tensor_type.elem_type, made.dims)
            text = f"{answer.why or answer.dims}, recorded {list(made.dims)}"
            tally.judged.append(Judged(case, value.name, verdict, text))
    return tally
