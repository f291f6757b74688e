"""The published way in which a model is given to TensorRT, written anew from reading it, as slowly as it is told.

Read: onnx/onnx-tensorrt, ModelImporter.cpp (doSupportsModel) and toposort.hpp; microsoft/onnxruntime,
tensorrt_execution_provider.cc (GetCapability, GetSupportedList, DetectTensorRTGraphCycles, FindCycleHelper),
graph_viewer.cc (PriorityNodeCompare) and graph.cc (ReverseDFSFrom); the plug-in provider for TensorRT-RTX
(GetCapabilityImpl, GetSupportedList).
What `trtcheck partition` makes out of findings in one pass is made here call by call, with a parser that is a set of
nodes which it refuses.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import onnx

sys.setrecursionlimit(20_000)

Group = tuple[list[int], bool]


@dataclass
class Model:
    """Nodes of the main graph, without bodies; `refused` are positions that the parser refuses."""

    nodes: Sequence[onnx.NodeProto]
    refused: set[int]
    exclude: set[str] = field(default_factory=set)

    def feeds(self, before: int, after: int) -> bool:
        return bool(set(self.nodes[before].output) & set(self.nodes[after].input))

    def followers(self, at: int, among: Sequence[int]) -> list[int]:
        return [other for other in among if other != at and self.feeds(at, other)]


class GaveUp(Exception):
    pass


def parser_order(model: Model, nodes: Sequence[int]) -> list[int]:
    makers = {output: at for at in nodes for output in model.nodes[at].output}
    order: list[int] = []
    met: set[int] = set()

    def visit(at: int) -> None:
        if at in met:
            return
        met.add(at)
        for name in model.nodes[at].input:
            if name in makers:
                visit(makers[name])
        order.append(at)

    for at in nodes:
        visit(at)
    return order


def onnxruntime_order(model: Model, nodes: Sequence[int]) -> list[int]:
    waits = dict.fromkeys(nodes, 0)
    for at in nodes:
        for follower in model.followers(at, nodes):
            waits[follower] += 1

    def key(at: int) -> tuple[bool, int]:
        return model.nodes[at].op_type not in ("Shape", "Size"), at

    ready = [key(at) for at in nodes if waits[at] == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        _, at = heapq.heappop(ready)
        order.append(at)
        for follower in model.followers(at, nodes):
            waits[follower] -= 1
            if waits[follower] == 0:
                heapq.heappush(ready, key(follower))
    return order


def plugin_order(model: Model, nodes: Sequence[int]) -> list[int]:
    """Depth first from the leaves, with a stack: what was put there last comes first."""
    before: dict[int, list[int]] = {at: [] for at in nodes}
    stack: list[tuple[int, bool]] = []
    for at in nodes:
        followers = model.followers(at, nodes)
        for follower in followers:
            before[follower].append(at)
        if not followers:
            stack.append((at, False))
    order: list[int] = []
    visited: set[int] = set()
    while stack:
        at, leaves = stack.pop()
        if leaves:
            order.append(at)
            continue
        if at in visited:
            continue
        visited.add(at)
        stack.append((at, True))
        stack += [(other, False) for other in sorted(before[at]) if other not in visited]
    return order


def supports_model(model: Model, nodes: Sequence[int]) -> tuple[bool, list[list[int]]]:
    """One call of the parser: it cuts at the node of its last error alone."""
    order = parser_order(model, nodes)
    errors = [at for at in order if at in model.refused]
    cut = errors[-1] if errors else None
    pieces: list[list[int]] = []
    is_new = True
    for at in order:
        if at == cut:
            is_new = True
            continue
        if is_new:
            pieces.append([])
            is_new = False
        pieces[-1].append(at)
    return cut is None, pieces


def supported_list(model: Model, groups: list[Group], iterations: int, most: int) -> list[Group]:
    if iterations > most:
        raise GaveUp
    made: list[Group] = []
    for nodes, is_known in groups:
        if is_known:
            made.append((nodes, True))
            continue
        supported, pieces = supports_model(model, nodes)
        made += supported_list(model, [(piece, supported) for piece in pieces], iterations + 1, most)
    return made


def supported_list_rtx(model: Model, groups: list[Group]) -> list[Group]:
    """A group that does not parse as a whole is dropped."""
    return [(nodes, True) for nodes, _ in groups if not model.refused & set(nodes)]


def cycle(model: Model, order: list[int], pieces: list[list[int]]) -> list[str | int] | None:
    """Names of what was found on the way to a circle and around it. A piece is its number, a node its name."""
    vertex: dict[int, str | int] = {at: number for number, piece in enumerate(pieces) for at in piece}
    others = [at for at in order if at not in vertex]
    ids: dict[str | int, int] = {number: number for number in range(len(pieces))}
    for at in others:
        vertex[at] = model.nodes[at].name
        ids.setdefault(vertex[at], len(ids))
    reads: dict[int, set[int]] = {number: set() for number in ids.values()}
    for at in order:
        for follower in model.followers(at, order):
            if isinstance(vertex[at], int) and vertex[at] == vertex[follower]:
                continue
            reads[ids[vertex[at]]].add(ids[vertex[follower]])
    names = {number: name for name, number in ids.items()}
    visited: set[int] = set()
    on_way: set[int] = set()
    found: list[int] = []

    def helper(at: int) -> bool:
        if at not in visited:
            visited.add(at)
            on_way.add(at)
            for follower in sorted(reads[at]):
                if (follower not in visited and helper(follower)) or follower in on_way:
                    found.append(follower)
                    return True
        on_way.discard(at)
        return False

    for at in names:
        if helper(at):
            return [names[number] for number in found]
    return None


def capability(model: Model, least: int = 1, most: int = 1000, is_rtx: bool = False) -> list[list[int]]:
    """The pieces that become engines, each with its nodes in order."""
    order = (plugin_order if is_rtx else onnxruntime_order)(model, range(len(model.nodes)))
    groups: list[Group] = []
    is_new = True
    for at in order:
        if model.nodes[at].op_type in model.exclude:
            is_new = True
            continue
        if is_new:
            groups.append(([], False))
            is_new = False
        groups[-1][0].append(at)
    try:
        supported = supported_list_rtx(model, groups) if is_rtx else supported_list(model, groups, 0, most)
    except GaveUp:
        return []
    pieces = [nodes for nodes, _ in supported]
    # for (it = begin; it != end; ++it) if (small) it = erase(it): the one after an erased one is not looked at.
    i = 0
    while i < len(pieces):
        if len(pieces[i]) < least:
            del pieces[i]
            i -= is_rtx
        i += 1
    while (found := cycle(model, order, pieces)) is not None:
        in_it = [number for number in found if isinstance(number, int)]
        if not in_it:
            break
        del pieces[in_it[0]]
    if len(pieces) > 1:
        joined = [at for piece in pieces for at in piece]
        if cycle(model, order, [joined]) is None:
            return [joined]
    return pieces


def parser_pieces(model: Model) -> list[list[int]]:
    """What a caller gets who asks the parser about each piece until all of it is accepted."""
    left = [Model(model.nodes, model.refused | {i for i, n in enumerate(model.nodes) if n.op_type in model.exclude})]
    return [nodes for nodes, _ in supported_list(left[0], [(list(range(len(model.nodes))), False)], 0, 10_000)]


Cutter = Callable[[Model], list[list[int]]]
