"""Holds what trtcheck says about shapes against what ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from draft import Array, element_type, names_read
from onnx import ModelProto, NodeProto
from shape_runs import (
    MAY_FIT_BY_CHANCE,
    Run,
    Runner,
    changes_a_state,
    holds_odd_one,
    is_declared_otherwise,
    is_forbidden,
    is_odd,
    with_sizes,
)

import trtcheck

Sizes = dict[str, int]
#: A size of 0 in a Reshape target copies: we say that nobody means it, and ask that it is none.
ASKED_FOR_MORE = ("a size of 0 in a Reshape target would copy the input's",)

#: A window that does not fit makes an empty tensor, which no pooling means.
FITS = "the window fits into the padded input"
#: Of this the other side may be 1 as well.
EITHER_SIDE = "inputs broadcast against each other"
#: onnx's reference does not compute these, or not in all forms.
ONLY_ONNX_RUNTIME = {"If", "Loop", "Scan", "MaxRoiPool", "Multinomial", "QLinearConv"}


@dataclass(frozen=True)
class Disagreement:
    kind: str
    op: str
    text: str
    #: name of the node
    node: str = ""

    @property
    def signature(self) -> tuple[str, str]:
        return self.kind, self.op

    def __str__(self) -> str:
        return f"{self.kind} of {self.op}: {self.text}"


@dataclass
class Sample:
    """A model, values of its inputs at one point, and the sizes that are asked about."""

    model: ModelProto
    feed: dict[str, Array]
    points: list[Sizes]
    opset: int
    compared: dict[str, int] = field(default_factory=dict)
    #: by operator: why ONNX Runtime refused a node of numbers that we say nothing against
    missed: dict[str, list[str]] = field(default_factory=dict)


def feed_at(sample: Sample, sizes: Sizes) -> dict[str, Array]:
    made = {}
    for value in sample.model.graph.input:
        given = sample.feed[value.name]
        shape = [
            dim.dim_value if not dim.dim_param else sizes[dim.dim_param] for dim in value.type.tensor_type.shape.dim
        ]
        made[value.name] = np.resize(given, shape) if given.size else np.zeros(shape, given.dtype)
    return made


def profile_of(model: ModelProto, points: Sequence[Sizes]) -> dict[str, Any]:
    """Ranges that hold all points."""
    made = {}
    for value in model.graph.input:
        dims = value.type.tensor_type.shape.dim
        if any(dim.dim_param for dim in dims):
            shapes = [tuple(at.get(dim.dim_param, dim.dim_value) for dim in dims) for at in points]
            low = tuple(map(min, zip(*shapes, strict=True)))
            high = tuple(map(max, zip(*shapes, strict=True)))
            made[value.name] = (low, high, high)
    return made


def disagreements(sample: Sample) -> Iterator[Disagreement]:
    model = sample.model
    runner = Runner(sample.opset)
    views = {"": trtcheck.infer_shapes(model)}
    positive = [at for at in sample.points if all(at.values())]
    if positive and positive[0]:
        views["in a range, "] = trtcheck.infer_shapes(model, profile=profile_of(model, positive))
    views["as TensorRT, "] = trtcheck.infer_shapes(model, as_tensorrt=True)
    for sizes in sample.points:
        done = runner.run(model, feed_at(sample, sizes))
        fixed = with_sizes(model, sizes)
        look = Look(sample, fixed, runner, done, sizes)
        shapes = trtcheck.infer_shapes(fixed)
        yield from look.at(shapes, "with numbers, ", {})
        look.note_missed(shapes)
        if all(sizes.values()):
            for word, shapes in views.items():
                yield from look.at(shapes, word, sizes)


@dataclass
class Look:
    """At one run."""

    sample: Sample
    model: ModelProto
    runner: Runner
    done: Run
    sizes: Sizes
    #: values that come from what a runtime need not compute: we say nothing of them
    beyond: set[str] = field(default_factory=set)

    def at(self, shapes: Any, word: str, names: Sizes) -> Iterator[Disagreement]:
        if not self._is_meant(shapes, names):
            return
        self.beyond = self.found_beyond(shapes, names)
        makers = {name: node for node in self.model.graph.node for name in node.output}
        seen: dict[Any, tuple[str, int]] = {}
        broken = False
        for found in self._unmet(shapes, names):
            broken = True
            yield Disagreement(found.kind, found.op, f"{word}{self._where()}{found.text}", found.node)
        if broken:
            return
        for name, stated in shapes.items():
            made = self.done.values.get(name)
            if made is None or isinstance(made, list) or name in self.beyond:
                continue
            op = makers[name].op_type if name in makers else "input"
            if op != "input":
                self.sample.compared[op] = self.sample.compared.get(op, 0) + 1
            for kind, text in _wrong(name, stated, made, names, seen):
                if kind.endswith(("dims", "rank")) and name in makers and not self._is_sure(makers[name]):
                    return
                node = makers[name].name if name in makers else ""
                yield Disagreement(kind, op, f"{word}{self._where()}`{name}`: {text}", node)
                return  # what comes after it follows from it

    def note_missed(self, shapes: Any) -> None:
        told = {one.node.name for one in (*shapes.conflicts, *shapes.obligations) if one.node is not None}
        for node in self.model.graph.node:
            reason = self.done.refused.get(node.name, "too large")
            if node.name not in told and not reason.startswith(("too large", "reference")):
                self.sample.missed.setdefault(node.op_type, []).append(reason)

    def _where(self) -> str:
        return ", ".join(f"{name}={size}" for name, size in self.sizes.items()) + ": "

    def _unmet(self, shapes: Any, names: Sizes) -> Iterator[Disagreement]:
        nodes = {node.name: node for node in self.model.graph.node}
        for conflict in shapes.conflicts:
            node = self._ran(conflict.node, nodes)
            if node is None or self._is_beyond(node):
                continue
            yield Disagreement("conflict", conflict.node.op_type, conflict.message, node.name)
        for need in shapes.obligations:
            node = self._ran(need.node, nodes)
            if node is None or self._is_beyond(node):
                continue
            if need.why in ASKED_FOR_MORE or self._is_met(need, names):
                continue
            a, b = (_number(side, names) for side in (need.a, need.b))
            if b == 1 and need.why == EITHER_SIDE:
                continue
            text = f"{need.a} {need.need.name.lower()} {need.b}, {a} and {b}: {need.why}"
            yield Disagreement("obligation", need.node.op_type, text, node.name)

    def _is_meant(self, shapes: Any, names: Sizes) -> bool:
        """No exporter means a size of 0 in a target of Reshape, which would copy."""
        nodes = {node.name: node for node in self.model.graph.node}
        for need in shapes.obligations:
            node = self._ran(need.node, nodes) if need.why in ASKED_FOR_MORE else None
            if node is None:
                continue
            size = _number(need.a, names)
            target = self.done.values.get(node.input[1]) if node.op_type == "Reshape" else None
            if size == 0 or (size is None and (target is None or not target.all())):
                return False
        return True

    def _ran(self, node: Any, nodes: Mapping[str, NodeProto]) -> NodeProto | None:
        """The node of the main graph, when all of it was executed."""
        while node is not None and node.graph.parent is not None:
            graph, owner = node.graph, node.graph.parent
            if owner.graph.parent is not None and owner.op_type != "Scan":
                return None
            if not self._entered(owner, graph.path):
                return None
            node = owner
        found = nodes.get(node.name) if node is not None else None
        made = found is not None and all(name in self.done.values for name in found.output if name)
        return found if made else None

    def _entered(self, owner: Any, path: str) -> bool:
        inputs = [value and self.done.values.get(value.name) for value in owner.inputs]
        if owner.op_type == "If":
            condition = inputs[0]
            if condition is None or not condition.size:
                return False
            return path.endswith("then_branch" if np.ravel(condition)[0] else "else_branch")
        if owner.op_type == "Loop":
            if any(given is not None and not given.size for given in inputs[:2]):
                return False
            trips = inputs[0] is None or (np.ravel(inputs[0])[0] > 0)
            return bool(trips) and (inputs[1] is None or bool(np.ravel(inputs[1])[0]))
        # A Scan: how many steps, its outputs say.
        return False

    def found_beyond(self, shapes: Any, names: Sizes) -> set[str]:
        """What comes of a node that somebody refuses, as we do, though it ran; of axes that are not there; of windows
        that do not fit: ONNX Runtime makes an empty tensor of them, or one element."""
        unmet = [need for need in shapes.obligations if not self._is_met(need, names)]
        windows = [need.node for need in unmet if need.why == FITS]
        windows += [conflict.node for conflict in shapes.conflicts if "does not fit" in conflict.message]
        strange = {node.name for node in self._all_ran(windows) if self._is_empty(node)}
        told = [need.node for need in unmet if need.why not in ASKED_FOR_MORE]
        told += [conflict.node for conflict in shapes.conflicts]
        strange |= {node.name for node in self._all_ran(told) if self._is_forbidden(node)}
        # In a body nobody sees the values: what the reference does not compute as well is not sure.
        inner = [one for one in told if one.graph.parent is not None]
        strange |= {
            node.name for node in self._all_ran(inner) if not self.runner.second_opinion(node, self.done.values)
        }
        by_chance = [need.node for need in shapes.obligations if self._holds_at(need, names) is not True]
        by_chance += [conflict.node for conflict in shapes.conflicts]
        strange.update(owner for owner in map(_owner_of_odd_one, by_chance) if owner)
        strange.update(self._others(shapes, names))
        strange |= {node.name for node in self.model.graph.node if changes_a_state(node, self.done.values)}
        beyond: set[str] = set()
        for node in self.model.graph.node:
            read = {name: value for name in names_read(node) if (value := self.done.values.get(name)) is not None}
            if is_odd(node, read, self.sample.opset) or node.name in strange or not beyond.isdisjoint(read):
                beyond.update(filter(None, node.output))
        return beyond

    def _others(self, shapes: Any, names: Sizes) -> Iterator[str]:
        """Nodes whose results have other sizes than we state, and nobody agrees with ONNX Runtime."""
        makers = {name: node for node in self.model.graph.node for name in node.output}
        for name, stated in shapes.items():
            made = self.done.values.get(name)
            if name not in makers or not isinstance(made, np.ndarray):
                continue
            kinds = [kind for kind, _ in _wrong(name, stated, made, names, {})]
            if any(kind.endswith(("dims", "rank")) for kind in kinds) and not self._is_sure(makers[name]):
                yield makers[name].name

    def _all_ran(self, told: Sequence[Any]) -> list[NodeProto]:
        nodes = {node.name: node for node in self.model.graph.node}
        return [node for one in told if (node := self._ran(one, nodes)) is not None]

    @staticmethod
    def _holds_at(need: Any, names: Sizes) -> bool | None:
        """None: of a size that the names do not tell."""
        a, b = (_number(side, names) for side in (need.a, need.b))
        return None if a is None or b is None else _holds(need.need.name.lower(), a, b)

    def _is_met(self, need: Any, names: Sizes) -> bool:
        return self._holds_at(need, names) is not False

    def _is_empty(self, node: NodeProto) -> bool:
        return any(0 in self.done.values[name].shape for name in node.output if name)

    def _is_beyond(self, node: NodeProto) -> bool:
        return not self.beyond.isdisjoint(node.output)

    def _is_forbidden(self, node: NodeProto) -> bool:
        read = {name: self.done.values[name] for name in names_read(node)}
        return is_forbidden(node, read, self.sample.opset) or not self._is_sure(node)

    def _is_sure(self, node: NodeProto) -> bool:
        """ONNX Runtime's word alone is no proof: it makes strange sizes of empty tensors."""
        if holds_odd_one(node, self.model) or is_declared_otherwise(node, self.done.values):
            return False
        opinion = self.runner.second_opinion(node, self.done.values)
        return node.op_type in ONLY_ONNX_RUNTIME if opinion is None else opinion


def _owner_of_odd_one(node: Any) -> str:
    """The node of the main graph whose body holds it; "": it is none, or in none, or of another operator."""
    if node is None or node.graph.parent is None or node.op_type not in MAY_FIT_BY_CHANCE:
        return ""
    while node.graph.parent is not None:
        node = node.graph.parent
    return str(node.name)


def _holds(need: str, a: int, b: int) -> bool:
    return {
        "equal": a == b,
        "divides": b != 0 and a % b == 0,
        "one_or_equal": a in (1, b),
        "at_least": a >= b,
        "in_range": 0 <= a < b,
    }[need]


def _number(dim: Any, names: Sizes) -> int | None:
    if isinstance(dim, int):
        return dim
    found: int | None = dim.evaluate(names)
    return found


def _wrong(
    name: str, stated: Any, made: Array, names: Sizes, seen: dict[Any, tuple[str, int]]
) -> Iterator[tuple[str, str]]:
    if int(stated.dtype) not in (0, element_type(made.dtype)):
        yield "type", f"{stated}, is {made.dtype}"
    if stated.dims is None:
        return
    if len(stated.dims) != made.ndim:
        yield "rank", f"{stated}, is {made.shape}"
        return
    entries = [("dims", dim, size) for dim, size in zip(stated.dims, made.shape, strict=True)]
    if stated.known is not None and made.dtype.kind in "iubf":
        flat = made.reshape(-1)
        if len(stated.known) != flat.size:
            yield "known", f"{list(map(str, stated.known))}, is {flat.tolist()[:20]}"
        else:
            entries += [("known", dim, number) for dim, number in zip(stated.known, flat.tolist(), strict=True)]
    for kind, dim, actual in entries:
        said = _number(dim, names)
        if said is not None and said != actual:
            if kind == "dims":
                yield kind, f"{stated} gives {said}, is {made.shape}"
            else:
                yield kind, f"{list(map(str, stated.known))} gives {said}, is {made.reshape(-1).tolist()[:20]}"
            return
        if isinstance(dim, int):
            continue
        low, high = dim.bounds
        if (low is not None and actual < low) or (high is not None and actual > high):
            yield f"bounds of {kind}", f"{dim} in [{low}, {high}] is {actual}"
            return
        first = seen.setdefault(dim, (name, actual))
        is_number = actual == actual  # NaN is not
        if first[1] != actual and is_number:
            yield f"equal {kind}", f"`{dim}` is {actual}, and {first[1]} in `{first[0]}`"
            return
