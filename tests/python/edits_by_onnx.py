"""The edits of trtcheck.edit made by onnx's Python library: the oracle of tests/python/test_edit.py."""

from __future__ import annotations

from typing import Any

import onnx

from trtcheck import edit


class Refused(Exception):
    """The place does not exist."""


def tensor(name: str, value: edit.TensorValue) -> onnx.TensorProto:
    made = onnx.TensorProto(data_type=value.type, raw_data=value.data, dims=list(value.dims))
    if name:
        made.name = name
    return made


def attribute(name: str, value: Any) -> onnx.AttributeProto:
    made = onnx.AttributeProto(name=name)
    if isinstance(value, edit.TensorValue):
        made.type = onnx.AttributeProto.TENSOR
        made.t.CopyFrom(tensor("", value))
    elif isinstance(value, float):
        made.type, made.f = onnx.AttributeProto.FLOAT, value
    elif isinstance(value, int):
        made.type, made.i = onnx.AttributeProto.INT, value
    elif isinstance(value, str):
        made.type, made.s = onnx.AttributeProto.STRING, value.encode()
    elif all(isinstance(item, int) for item in value):
        made.type = onnx.AttributeProto.INTS
        made.ints.extend(value)
    elif all(isinstance(item, float) for item in value):
        made.type = onnx.AttributeProto.FLOATS
        made.floats.extend(value)
    else:
        made.type = onnx.AttributeProto.STRINGS
        made.strings.extend(item.encode() for item in value)
    return made


def type_proto(value: edit.TypeValue) -> onnx.TypeProto:
    made = onnx.TypeProto()
    made.tensor_type.elem_type = value.type
    if value.dims is not None:
        made.tensor_type.shape.SetInParent()
        for dim in value.dims:
            entry = made.tensor_type.shape.dim.add()
            if isinstance(dim, int):
                entry.dim_value = dim
            elif isinstance(dim, str):
                entry.dim_param = dim
    return made


class Listed:
    """A repeated field whose entries keep their positions until all edits are made."""

    def __init__(self, items: Any) -> None:
        self.items = [type(item)() for item in items]
        for mine, item in zip(self.items, items, strict=True):
            mine.CopyFrom(item)
        self.removed: set[int] = set()
        self.inserted: list[tuple[int, Any]] = []

    def live(self) -> list[tuple[int, Any]]:
        return [(i, item) for i, item in enumerate(self.items) if i not in self.removed]

    def added(self, name: str) -> int | None:
        """Where an entry of that name stands among those that were added."""
        return next((i for i, (_, item) in enumerate(self.inserted) if item.name == name), None)

    def end(self) -> int:
        """Behind the last entry that is there."""
        return max((i for i, _ in self.live()), default=len(self.items) - 1) + 1

    def result(self) -> list[Any]:
        made = []
        for i in range(len(self.items) + 1):
            made += [item for before, item in self.inserted if before == i]
            if i < len(self.items) and i not in self.removed:
                made.append(self.items[i])
        return made


class Graph:
    LISTS = ("node", "initializer", "input", "output", "value_info")

    def __init__(self, proto: Any, is_function: bool) -> None:
        self.proto = proto
        self.is_function = is_function
        names = ("node", "value_info") if is_function else self.LISTS
        self.lists = {name: Listed(getattr(proto, name)) for name in names}

    def finish(self) -> None:
        for name, listed in self.lists.items():
            made = listed.result()
            del getattr(self.proto, name)[:]
            getattr(self.proto, name).extend(made)

    def stored(self, name: str) -> Listed:
        if self.is_function:
            raise Refused(name)
        return self.lists[name]

    def replace(self, name: str, key: str, made: Any) -> None:
        listed = self.lists[name]
        old = [i for i, item in listed.live() if item.name == key]
        added = listed.added(key)
        if added is not None:
            listed.inserted[added] = (listed.inserted[added][0], made)
        else:
            listed.inserted.append((old[0] if old else listed.end(), made))
        listed.removed.update(old)

    def remove(self, name: str, key: str) -> None:
        listed = self.stored(name)
        old = [i for i, item in listed.live() if item.name == key]
        added = listed.added(key)
        if not old and added is None:
            raise Refused(key)
        if added is not None:
            del listed.inserted[added]
        listed.removed.update(old)


def bodies(node: onnx.NodeProto) -> dict[str, list[onnx.GraphProto]]:
    """By the name of an attribute, or of several."""
    made: dict[str, list[onnx.GraphProto]] = {}
    for one in node.attribute:
        is_single = one.HasField("g") and one.type != onnx.AttributeProto.GRAPHS
        made.setdefault(one.name, []).extend([one.g] if is_single else one.graphs)
    return made


def body_of(node: onnx.NodeProto, step: edit.Step) -> onnx.GraphProto:
    found = bodies(node).get(step.attribute, [])
    if step.index >= len(found):
        raise Refused(step.attribute)
    return found[step.index]


def defined(graph: onnx.GraphProto) -> set[str]:
    values = [value.name for value in [*graph.input, *graph.initializer]]
    values += [sparse.values.name for sparse in graph.sparse_initializer]
    return {*values, *(name for node in graph.node for name in node.output)}


def uses(graph: onnx.GraphProto, name: str, steps: tuple[edit.Step, ...] = ()) -> list[tuple[edit.NodeAt, int]] | None:
    """Who reads a value that the main graph defines, bodies included; None: it does not define it."""
    if not steps and name not in defined(graph):
        return None
    found = []
    for position, node in enumerate(graph.node):
        at = edit.NodeAt(position, edit.GraphAt(steps=steps))
        found += [(at, index) for index, read in enumerate(node.input) if read == name]
        for held_by, several in bodies(node).items():
            for index, body in enumerate(several):
                # A body may call something of its own by the same name.
                if name not in defined(body):
                    found += uses(body, name, (*steps, edit.Step(position, held_by, index))) or []
    return found


class Editor:
    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = onnx.ModelProto()
        self.model.CopyFrom(model)
        self.original = model
        self.graphs: dict[Any, Graph] = {}
        self.gone: set[int] = set()

    def graph(self, at: edit.GraphAt) -> Graph:
        key = (at.function, tuple(at.steps))
        if key not in self.graphs:
            if at.steps:
                owner = self.node(edit.NodeAt(at.steps[-1].node, edit.GraphAt(at.function, tuple(at.steps[:-1]))))
                self.graphs[key] = Graph(body_of(owner, at.steps[-1]), False)
            elif at.function is None:
                self.graphs[key] = Graph(self.model.graph, False)
            elif at.function < len(self.model.functions):
                self.graphs[key] = Graph(self.model.functions[at.function], True)
            else:
                raise Refused(key)
        return self.graphs[key]

    def node(self, at: edit.NodeAt) -> onnx.NodeProto:
        nodes = self.graph(at.graph).lists["node"].items
        if at.position >= len(nodes):
            raise Refused(at)
        return nodes[at.position]

    def new_node(self, made: edit.NewNode) -> onnx.NodeProto:
        node = onnx.NodeProto(op_type=made.op_type, name=made.name or None, domain=made.domain or None)
        node.input.extend(made.inputs)
        node.output.extend(made.outputs)
        node.attribute.extend(attribute(name, value) for name, value in made.attributes.items())
        if made.like is not None:
            other = self.node(made.like)
            node.attribute.extend(one for one in other.attribute if one.name not in made.attributes)
            if other.HasField("doc_string"):
                node.doc_string = other.doc_string
            node.metadata_props.extend(other.metadata_props)
        return node

    def set_attribute(self, node: onnx.NodeProto, name: str, made: onnx.AttributeProto | None) -> None:
        old = [i for i, one in enumerate(node.attribute) if one.name == name]
        if made is None and not old:
            raise Refused(name)
        # The others stay the objects that they are: a body may be changed by another edit.
        for i in reversed(old):
            del node.attribute[i]
        if made is not None:
            node.attribute.insert(old[0] if old else len(node.attribute), made)

    def set_name(self, field: Any, index: int, name: str) -> None:
        names = list(field)
        names += [""] * (index + 1 - len(names))
        names[index] = name
        del field[:]
        field.extend(names)

    def apply(self, one: Any) -> None:
        match one:
            case edit.SetAttribute():
                self.set_attribute(self.node(one.node), one.name, attribute(one.name, one.value))
            case edit.RemoveAttribute():
                self.set_attribute(self.node(one.node), one.name, None)
            case edit.SetOperator():
                node = self.node(one.node)
                node.op_type = one.op_type
                node.ClearField("domain")
                if one.domain:
                    node.domain = one.domain
            case edit.SetInputs():
                node = self.node(one.node)
                del node.input[:]
                node.input.extend(one.inputs)
            case edit.SetOutputs():
                node = self.node(one.node)
                del node.output[:]
                node.output.extend(one.outputs)
            case edit.SetInput():
                self.set_name(self.node(one.node).input, one.index, one.name)
            case edit.SetOutput():
                self.set_name(self.node(one.node).output, one.index, one.name)
            case edit.RenameNode():
                node = self.node(one.node)
                node.ClearField("name")
                if one.name:
                    node.name = one.name
            case edit.RemoveNode():
                self.node(one.node)
                self.graph(one.node.graph).lists["node"].removed.add(one.node.position)
            case edit.InsertNode():
                listed = self.graph(one.graph).lists["node"]
                if one.before > len(listed.items):
                    raise Refused(one.before)
                listed.inserted.append((one.before, self.new_node(one.node)))
            case edit.PutTensor():
                self.graph(one.graph).stored("initializer")
                self.graph(one.graph).replace("initializer", one.name, tensor(one.name, one.tensor))
            case edit.RemoveTensor():
                self.graph(one.graph).remove("initializer", one.name)
            case edit.DeclareType():
                self.declare(self.graph(one.graph), one)
            case edit.RemoveDeclaration():
                listed = self.graph(one.graph).lists["value_info"]
                listed.removed.update(i for i, item in listed.live() if item.name == one.name)
                listed.inserted = [entry for entry in listed.inserted if entry[1].name != one.name]
            case edit.ImportOpset():
                self.import_opset(one)
            case edit.RemoveImport():
                onnx_names = ("", "ai.onnx")
                kept = [
                    onnx.OperatorSetIdProto.FromString(item.SerializeToString())
                    for item in self.model.opset_import
                    if item.domain != one.domain and not {item.domain, one.domain} <= set(onnx_names)
                ]
                if len(kept) == len(self.model.opset_import):
                    raise Refused(one.domain)
                del self.model.opset_import[:]
                self.model.opset_import.extend(kept)
            case edit.RemoveFunction():
                if one.position >= len(self.model.functions):
                    raise Refused(one.position)
                self.gone.add(one.position)
            case edit.AddInput() | edit.AddOutput():
                name = "input" if isinstance(one, edit.AddInput) else "output"
                listed = self.graph(one.graph).stored(name)
                if any(item.name == one.name for _, item in listed.live()) or listed.added(one.name) is not None:
                    raise Refused(one.name)
                listed.inserted.append((listed.end(), onnx.ValueInfoProto(name=one.name, type=type_proto(one.type))))
            case edit.RemoveInput():
                self.graph(one.graph).remove("input", one.name)
            case edit.RemoveOutput():
                self.graph(one.graph).remove("output", one.name)
            case edit.CopyTensor():
                self.copy_tensor(one)
            case edit.Rewire():
                places = uses(self.original.graph, one.old)
                if places is None:
                    raise Refused(one.old)
                for node, index in places:
                    self.set_name(self.node(node).input, index, one.new)
            case _:
                raise AssertionError(one)

    def copy_tensor(self, one: edit.CopyTensor) -> None:
        old = [item for _, item in self.graph(one.source).stored("initializer").live() if item.name == one.name]
        self.graph(one.to).stored("initializer")
        if not old:
            raise Refused(one.name)
        made = onnx.TensorProto()
        made.CopyFrom(old[-1])
        made.name = one.new_name
        self.graph(one.to).replace("initializer", one.new_name, made)

    def declare(self, graph: Graph, one: edit.DeclareType) -> None:
        made = type_proto(one.type)
        is_declared = False
        for name in () if graph.is_function else ("input", "output"):
            for _, item in graph.lists[name].live() + graph.lists[name].inserted:
                if item.name == one.name:
                    item.type.CopyFrom(made)
                    is_declared = True
        if not is_declared:
            graph.replace("value_info", one.name, onnx.ValueInfoProto(name=one.name, type=made))

    def import_opset(self, one: edit.ImportOpset) -> None:
        if one.function is not None and one.function >= len(self.model.functions):
            raise Refused(one.function)
        importer = self.model if one.function is None else self.model.functions[one.function]
        onnx_names = ("", "ai.onnx")

        def is_same(domain: str) -> bool:
            return domain == one.domain or (domain in onnx_names and one.domain in onnx_names)

        kept = [item for item in importer.opset_import if not is_same(item.domain)]
        old = [i for i, item in enumerate(importer.opset_import) if is_same(item.domain)]
        kept.insert(old[0] if old else len(kept), onnx.OperatorSetIdProto(domain=one.domain, version=one.version))
        copies = [onnx.OperatorSetIdProto.FromString(item.SerializeToString()) for item in kept]
        del importer.opset_import[:]
        importer.opset_import.extend(copies)

    def finish(self) -> onnx.ModelProto:
        # Bodies before what holds them: their nodes are copied with them.
        for key in sorted(self.graphs, key=lambda key: -len(key[1])):
            self.graphs[key].finish()
        for position in sorted(self.gone, reverse=True):
            del self.model.functions[position]
        return self.model


def apply(model: onnx.ModelProto, edits: list[Any]) -> onnx.ModelProto:
    editor = Editor(model)
    for one in edits:
        editor.apply(one)
    return editor.finish()
