"""A model in another order and under other names, which is still the same model."""

from __future__ import annotations

import random

import onnx


def shuffled(model: onnx.ModelProto, random_: random.Random) -> onnx.ModelProto:
    """Nodes in a random order that is topological again; nodes and inner tensors renamed, in bodies too."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    ends = {value.name for value in [*made.graph.input, *made.graph.output]}
    _rename(made.graph, dict.fromkeys(ends), random_)
    _permute(made.graph, random_)
    return made


def _fresh(random_: random.Random) -> str:
    return f"t{random_.getrandbits(48):012x}"


def _rename(graph: onnx.GraphProto, outer: dict[str, str | None], random_: random.Random) -> None:
    """`outer` maps names seen from outside; None: it stays."""
    names = dict(outer)

    def renamed(name: str) -> str:
        if not name:
            return name
        return names.setdefault(name, _fresh(random_)) or name

    for value in [*graph.input, *graph.initializer, *graph.output, *graph.value_info]:
        if value.name not in outer:
            names.setdefault(value.name, _fresh(random_))
    for tensor in graph.sparse_initializer:
        tensor.values.name = renamed(tensor.values.name)
    for node in graph.node:
        for name in node.output:
            if name not in outer:
                renamed(name)
    for value in [*graph.input, *graph.initializer, *graph.output, *graph.value_info]:
        value.name = renamed(value.name)
    for annotation in graph.quantization_annotation:
        annotation.tensor_name = renamed(annotation.tensor_name)
    for node in graph.node:
        node.name = _node_name(node.name, random_)
        node.input[:] = [renamed(name) for name in node.input]
        node.output[:] = [renamed(name) for name in node.output]
        for attribute in node.attribute:
            for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                _rename(body, names, random_)


def _node_name(name: str, random_: random.Random) -> str:
    """The path of the module stays (`/layer1/conv/Conv`): it says where the node is from."""
    path, slash, _ = name.rpartition("/")
    return f"{path}{slash}{_fresh(random_)}" if name.startswith("/") else _fresh(random_)


def _reads(node: onnx.NodeProto) -> set[str]:
    names = set(node.input)
    for attribute in node.attribute:
        for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
            for inner in body.node:
                names |= _reads(inner)
            names |= {value.name for value in body.output}
    return names


def _permute(graph: onnx.GraphProto, random_: random.Random) -> None:
    for node in graph.node:
        for attribute in node.attribute:
            for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                _permute(body, random_)
    waiting = list(graph.node)
    made_here = {name for node in waiting for name in node.output if name}
    reads = {id(node): _reads(node) & made_here for node in waiting}
    done: set[str] = set()
    order = []
    while waiting:
        ready = [node for node in waiting if reads[id(node)] <= done]
        if not ready:  # a cycle, or a name that is made twice: left as it is
            order += waiting
            break
        chosen = random_.choice(ready)
        waiting = [node for node in waiting if node is not chosen]
        order.append(chosen)
        done |= set(chosen.output)
    copies = []
    for node in order:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copies.append(copy)
    del graph.node[:]
    graph.node.extend(copies)
