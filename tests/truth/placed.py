"""Models in other places: behind a body, within one, beside one, and with an operator around.

What NVIDIA's builder takes alone it may refuse there. Near misses of rows and pages are such models, for nearly every
operator: each is put into all places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from messages import essence
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto, helper
from rows import Sample, of_pages, of_rows, typed
from witness import TARGETS, Libraries, Witness

import trtcheck

FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16)
NEGATED = (*FLOATS, TensorProto.BFLOAT16, TensorProto.INT32, TensorProto.INT64)
BODIES = {"If", "Loop", "Scan"}


def scalar(name: str, element: int) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, element, [])


def element_of(value: ValueInfoProto) -> int:
    return value.type.tensor_type.elem_type


def copied(model: ModelProto) -> ModelProto:
    made = ModelProto()
    made.CopyFrom(model)
    return made


def fed(model: ModelProto, elements: tuple[int, ...] = ()) -> list[ValueInfoProto]:
    """Inputs of the network, of these element types or of any."""
    stored = {tensor.name for tensor in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in stored and value.type.HasField("tensor_type")]
    return [value for value in inputs if not elements or element_of(value) in elements]


def put_nodes(model: ModelProto, nodes: list[NodeProto]) -> None:
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def add_count(model: ModelProto) -> None:
    """How often a loop runs, and that it goes on."""
    model.graph.initializer.append(helper.make_tensor("placed_n", TensorProto.INT64, [], [3]))
    model.graph.initializer.append(helper.make_tensor("placed_go", TensorProto.BOOL, [], [True]))


def loop(name: str, begin: str, operator: str, kind: TypeProto) -> NodeProto:
    """Carries one value, to which the operator is applied three times."""
    step = [f"{name}_{part}" for part in ("i", "c", "v", "d", "w")]
    nodes = [helper.make_node("Identity", [step[1]], [step[3]]), helper.make_node(operator, [step[2]], [step[4]])]
    inputs = [scalar(step[0], TensorProto.INT64), scalar(step[1], TensorProto.BOOL)]
    outputs = [scalar(step[3], TensorProto.BOOL), helper.make_value_info(step[4], kind)]
    body = helper.make_graph(nodes, f"{name}_body", [*inputs, helper.make_value_info(step[2], kind)], outputs)
    return helper.make_node("Loop", ["placed_n", "placed_go", begin], [name], body=body)


def choice(names: list[str], then_branch: GraphProto, else_branch: GraphProto) -> NodeProto:
    return helper.make_node("If", ["placed_c"], names, then_branch=then_branch, else_branch=else_branch)


def one_of_two(name: str, begin: str, kind: TypeProto) -> NodeProto:
    """An If of which each branch computes one value."""
    branches = [
        helper.make_graph(
            [helper.make_node(operator, [begin], [f"{name}_{branch}"])],
            f"{name}_{branch}_graph",
            [],
            [helper.make_value_info(f"{name}_{branch}", kind)],
        )
        for branch, operator in (("t", "Exp"), ("e", "Abs"))
    ]
    return choice([name], *branches)


SCALAR = helper.make_tensor_type_proto(TensorProto.FLOAT, [])


def beside_if(model: ModelProto) -> ModelProto:
    model.graph.input.extend([scalar("placed_c", TensorProto.BOOL), scalar("placed_a", TensorProto.FLOAT)])
    model.graph.output.append(scalar("placed_z", TensorProto.FLOAT))
    put_nodes(model, [one_of_two("placed_z", "placed_a", SCALAR), *model.graph.node])
    return model


def beside_loop(model: ModelProto) -> ModelProto:
    add_count(model)
    model.graph.input.append(scalar("placed_a", TensorProto.FLOAT))
    model.graph.output.append(scalar("placed_z", TensorProto.FLOAT))
    put_nodes(model, [loop("placed_z", "placed_a", "Exp", SCALAR), *model.graph.node])
    return model


def with_inputs_made(
    model: ModelProto, elements: tuple[int, ...], make: Callable[[str, str, TypeProto], NodeProto]
) -> ModelProto | None:
    """`make`: (name of the value, of the input, type of both)."""
    made = []
    for value in fed(model, elements):
        name = f"placed_{value.name}"
        for node in model.graph.node:
            for i, read in enumerate(node.input):
                if read == value.name:
                    node.input[i] = name
        made.append(make(name, value.name, value.type))
    put_nodes(model, [*made, *model.graph.node])
    return model if made else None


def behind_if(model: ModelProto) -> ModelProto | None:
    model.graph.input.append(scalar("placed_c", TensorProto.BOOL))
    return with_inputs_made(model, (TensorProto.FLOAT,), one_of_two)


def behind_loop(model: ModelProto) -> ModelProto | None:
    add_count(model)
    return with_inputs_made(model, (TensorProto.FLOAT,), lambda name, begin, kind: loop(name, begin, "Tanh", kind))


def behind_relu(model: ModelProto) -> ModelProto | None:
    return with_inputs_made(model, FLOATS, lambda name, begin, _: helper.make_node("Relu", [begin], [name]))


def behind_identity(model: ModelProto) -> ModelProto | None:
    return with_inputs_made(model, (), lambda name, begin, _: helper.make_node("Identity", [begin], [name]))


def before(operator: str, model: ModelProto) -> ModelProto:
    outputs = list(model.graph.output)
    del model.graph.output[:]
    for value in outputs:
        model.graph.node.append(helper.make_node(operator, [value.name], [f"placed_{value.name}"]))
        made = model.graph.output.add()
        made.CopyFrom(value)
        made.name = f"placed_{value.name}"
    return model


def before_neg(model: ModelProto) -> ModelProto | None:
    return before("Neg", model) if all(element_of(value) in NEGATED for value in model.graph.output) else None


def before_identity(model: ModelProto) -> ModelProto:
    return before("Identity", model)


def renamed(model: ModelProto, prefix: str) -> list[NodeProto]:
    """The nodes again, with other names for all that they make."""
    made = {name for node in model.graph.node for name in node.output if name}
    nodes = []
    for node in model.graph.node:
        copy = NodeProto()
        copy.CopyFrom(node)
        copy.name = prefix + node.name if node.name else ""
        for names in (copy.input, copy.output):
            for i, name in enumerate(names):
                if name in made:
                    names[i] = prefix + name
        nodes.append(copy)
    return nodes


def branch_of(model: ModelProto, prefix: str) -> GraphProto:
    outputs = [
        helper.make_value_info(
            prefix + value.name, TypeProto(tensor_type=TypeProto.Tensor(elem_type=element_of(value)))
        )
        for value in model.graph.output
    ]
    return helper.make_graph(renamed(model, prefix), f"{prefix}graph", [], outputs)


def can_be_inside(model: ModelProto) -> bool:
    inputs = {value.name for value in model.graph.input}
    return all(element_of(value) in NEGATED and value.name not in inputs for value in model.graph.output)


def inside_if(model: ModelProto, with_loop: bool = False) -> ModelProto | None:
    """Both branches are the model."""
    if not can_be_inside(model):
        return None
    branches = [branch_of(model, "placed_t_"), branch_of(model, "placed_e_")]
    names = [value.name for value in model.graph.output]
    model.graph.input.append(scalar("placed_c", TensorProto.BOOL))
    if with_loop:
        add_count(model)
        model.graph.input.append(scalar("placed_a", TensorProto.FLOAT))
        model.graph.output.append(scalar("placed_l", TensorProto.FLOAT))
        names.append("placed_l")
        branches[0].node.append(loop("placed_t_l", "placed_a", "Exp", SCALAR))
        branches[1].node.append(helper.make_node("Neg", ["placed_a"], ["placed_e_l"]))
        for branch, name in zip(branches, ("placed_t_l", "placed_e_l"), strict=True):
            branch.output.append(scalar(name, TensorProto.FLOAT))
    put_nodes(model, [choice(names, *branches)])
    return model


def inside_if_with_loop(model: ModelProto) -> ModelProto | None:
    return inside_if(model, with_loop=True)


def inside_loop(model: ModelProto) -> ModelProto | None:
    """What it makes is added to a carried scalar."""
    if not can_be_inside(model):
        return None
    nodes, total = renamed(model, "placed_b_"), "placed_v"
    for i, value in enumerate(model.graph.output):
        names = [f"placed_{part}{i}" for part in ("f", "m", "s")]
        nodes.append(helper.make_node("Cast", [f"placed_b_{value.name}"], names[:1], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("ReduceMax", names[:1], names[1:2], keepdims=0))
        nodes.append(helper.make_node("Add", [total, names[1]], names[2:]))
        total = names[2]
    nodes.append(helper.make_node("Identity", ["placed_k"], ["placed_d"]))
    inputs = [scalar("placed_i", TensorProto.INT64), scalar("placed_k", TensorProto.BOOL)]
    outputs = [scalar("placed_d", TensorProto.BOOL), scalar(total, TensorProto.FLOAT)]
    body = helper.make_graph(nodes, "placed_body", [*inputs, scalar("placed_v", TensorProto.FLOAT)], outputs)
    add_count(model)
    model.graph.input.append(scalar("placed_a", TensorProto.FLOAT))
    del model.graph.output[:]
    model.graph.output.append(scalar("placed_z", TensorProto.FLOAT))
    put_nodes(model, [helper.make_node("Loop", ["placed_n", "placed_go", "placed_a"], ["placed_z"], body=body)])
    return model


def carried_by_loop(model: ModelProto) -> ModelProto | None:
    """A value of which it makes another one like it is given to it again, three times."""
    ends = [value for value in model.graph.output if value.type == fed(model)[0].type] if fed(model) else []
    if len(model.graph.output) != 1 or not ends or not can_be_inside(model):
        return None
    begin, end = fed(model)[0], ends[0]
    nodes = renamed(model, "placed_b_")
    for node in nodes:
        for i, name in enumerate(node.input):
            if name == begin.name:
                node.input[i] = "placed_v"
    nodes.append(helper.make_node("Identity", ["placed_k"], ["placed_d"]))
    inputs = [scalar("placed_i", TensorProto.INT64), scalar("placed_k", TensorProto.BOOL)]
    outputs = [scalar("placed_d", TensorProto.BOOL), helper.make_value_info(f"placed_b_{end.name}", end.type)]
    body = helper.make_graph(nodes, "placed_body", [*inputs, helper.make_value_info("placed_v", begin.type)], outputs)
    add_count(model)
    put_nodes(model, [helper.make_node("Loop", ["placed_n", "placed_go", begin.name], [end.name], body=body)])
    return model


PLACES: dict[str, Callable[[ModelProto], ModelProto | None]] = {
    "beside an If": beside_if,
    "beside a Loop": beside_loop,
    "behind an If": behind_if,
    "behind a Loop": behind_loop,
    "inside of an If": inside_if,
    "inside of an If with a Loop": inside_if_with_loop,
    "inside of a Loop": inside_loop,
    "carried by a Loop": carried_by_loop,
    "behind Relu": behind_relu,
    "behind Identity": behind_identity,
    "before Neg": before_neg,
    "before Identity": before_identity,
}


def in_all_places(model: ModelProto) -> Iterator[tuple[str, ModelProto]]:
    for place, put in PLACES.items():
        made = put(copied(model))
        if made is not None:
            yield place, made


def samples() -> Iterator[Sample]:
    """Near misses without bodies and options, one for each set of operators."""
    seen = set()
    for sample in filter(None, map(typed, (*of_rows(), *of_pages()))):
        operators = tuple(sorted(node.op_type for node in sample.model.graph.node))
        is_asked = sample.part.startswith("near") and not sample.options and not BODIES.intersection(operators)
        if is_asked and operators not in seen:
            seen.add(operators)
            yield sample


def answers(program: Path, libraries: Libraries, folder: Path) -> Iterator[tuple[str, str]]:
    """(word, what it is about): "agreed", "missed", "false", "not judged". Of what is refused alone, nothing."""
    path = folder / "placed.onnx"
    for sample in samples():
        profiles = tuple(sample.profile.split(",")) if sample.profile else ()
        with Witness(program, libraries, profiles=profiles) as witness:
            path.write_bytes(sample.model.SerializeToString())
            if witness.ask(path).kind != "built":
                continue
            for place, model in in_all_places(sample.model):
                path.write_bytes(model.SerializeToString())
                verdict = witness.ask(path)
                report = trtcheck.check(path, target=TARGETS[libraries.version], profile=sample.profile or None)
                ours = [finding.fact or finding.code for finding in report.errors]
                about = f"{sample.name} {place}: {verdict.kind} {essence(verdict.reason)}; we say {ours or 'taken'}"
                if not verdict.refused and verdict.kind != "built":
                    yield "not judged", about
                elif verdict.refused == bool(ours):
                    yield "agreed", about
                else:
                    yield "missed" if verdict.refused else "false", about
