"""Graphs as ONNX text, line by line: what models of Loop, Scan and If have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

from control_forms import Form

OUTER = [
    "float[4] four = {1, 2, 3, 4}",
    "float[1] one = {1}",
    "float[1,4] row = {1, 2, 3, 4}",
    "float[0] nothing = {}",
    "int64[1] zero = {0}",
    "int64[1] ones = {1}",
    "int64[1] large = {100}",
    "int64[1] minus = {-1}",
    "int64[2] two_two = {2, 2}",
    "int64[2] three_four = {3, 4}",
    "int64[1] init = {2}",
    "int64[5] sizes = {1, 2, 3, 4, 5}",
    "int64 unit = {1}",
    "int64 nought = {0}",
]


@dataclass
class Text:
    """What a graph consists of, line by line."""

    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def body(self, name: str) -> str:
        constants = f" <{', '.join(self.constants)}>" if self.constants else ""
        return (
            f"{name} ({', '.join(self.inputs)}) => ({', '.join(self.outputs)}){constants} {{ {'  '.join(self.lines)} }}"
        )


def base(form: Form) -> Text:
    graph = Text(constants=list(OUTER))
    graph.constants += ["float[2] pair = {0, 1}", "float[5] fives = {1, 2, 3, 4, 5}", "int64[1] five = {5}"]
    dims = {"static": "5,4", "dynamic": "N,4", "dynamic row": "5,R"}[form["data"]]
    graph.inputs.append(f"float[{dims}] x")
    return graph


def results_of(body: Text, results: list[str], skip: int) -> list[str]:
    kinds = [each.partition("[")[0].partition(" ")[0] for each in body.outputs[skip:]]
    return [opened(kind, each, name) for kind, each, name in zip(kinds, body.outputs[skip:], results, strict=True)]


def opened(kind: str, declared: str, name: str) -> str:
    """Rank as declared, sizes left to the reader; stacked values have an axis more."""
    dims = declared.partition("[")[2].partition("]")[0]
    rank = (dims.count(",") + 1 if dims else 0) + (name == "stacks")
    return f"{kind}[{', '.join(f'{name}_{axis}' for axis in range(rank))}] {name}" if rank else f"{kind} {name}"
