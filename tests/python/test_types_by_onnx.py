"""Element types agree with onnx's own inference for every value that it has an opinion of, in every graph.

What files say about their own values is taken out before, so that both infer and neither repeats a claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import onnx
import pytest
from onnx import GraphProto, ModelProto, TensorProto
from onnxruntime.transformers.float16 import convert_float_to_float16  # type: ignore[import-untyped]
from zoo.catalog import ENTRIES, HEALTHY, Entry
from zoo.export import all_exports, export

import trtcheck

TEST_DATA = Path("/usr/share/libonnx-testdata")
EXPORTS = [
    pytest.param(*case, id="-".join([case[0].name, *case[1:]]))
    for case in all_exports(ENTRIES.values())
    if case[1:] not in case[0].cannot_export
]
STATIC = [
    pytest.param(*case[:2], id=f"{case[0].name}-{case[1]}")
    for case in all_exports(HEALTHY)
    if case[1:] not in case[0].cannot_export and case[2] == "static"
]
#: Folder of the model -> why nothing is inferred where onnx infers something.
UNKNOWN = {
    "test_optional_get_element": "TensorRT has no optionals: what one holds, a tensor or a sequence, is left open"
}


def graphs(graph: GraphProto) -> Iterator[GraphProto]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs(attribute.g)


def strip_claims(model: ModelProto) -> None:
    for graph in graphs(model.graph):
        del graph.value_info[:]
        for output in graph.output:
            if output.type.HasField("tensor_type"):
                output.ClearField("type")


def sort_nodes(graph: GraphProto) -> None:
    """The converter puts its Casts at the end. Bodies read what stands before their node."""
    waiting = list(graph.node)
    made = {value.name for value in [*graph.input, *graph.initializer]} | {""}
    del graph.node[:]
    while waiting:
        ready = [node for node in waiting if made.issuperset(read_by(node))]
        graph.node.extend(ready)
        made.update(name for node in ready for name in node.output)
        assert ready, "a cycle"
        waiting = [node for node in waiting if node not in ready]


def read_by(node: onnx.NodeProto) -> set[str]:
    names = set(node.input)
    for attribute in node.attribute:
        if attribute.HasField("g"):
            inner = set().union(*(read_by(each) for each in attribute.g.node), (o.name for o in attribute.g.output))
            own = {name for each in attribute.g.node for name in each.output}
            own |= {value.name for value in [*attribute.g.input, *attribute.g.initializer]}
            names |= inner - own
    return names


def has_old_half_scale(model: ModelProto) -> bool:
    """Of it TensorRT makes FLOAT16 and onnx FLOAT, and so on behind it. See DELIBERATE."""
    halves = {tensor.name for tensor in model.graph.initializer if tensor.data_type == TensorProto.FLOAT16}
    halves |= {
        node.output[0]
        for node in model.graph.node
        if node.op_type == "Constant" and node.attribute[0].t.data_type == TensorProto.FLOAT16
    }
    (opset,) = (entry.version for entry in model.opset_import if entry.domain == "")
    nodes = (node for node in model.graph.node if node.op_type == "DequantizeLinear")
    return opset < 19 and any(node.input[1] in halves for node in nodes)


def body_of(node: trtcheck.Node, attribute: onnx.AttributeProto, model: trtcheck.Model) -> trtcheck.Graph:
    (found,) = (graph for graph in model.graphs if graph.parent == node and graph.path.endswith(f".{attribute.name}"))
    return found


def pairs(
    theirs: GraphProto, ours: trtcheck.Graph, model: trtcheck.Model
) -> Iterator[tuple[GraphProto, trtcheck.Graph]]:
    """Both forms of each graph."""
    yield theirs, ours
    for proto, node in zip(theirs.node, ours.nodes, strict=True):
        for attribute in proto.attribute:
            if attribute.HasField("g"):
                yield from pairs(attribute.g, body_of(node, attribute, model), model)


def by_name(graph: trtcheck.Graph) -> dict[str, trtcheck.Value]:
    values = [*graph.inputs, *(value for node in graph.nodes for value in node.outputs if value)]
    return {value.name: value for value in values}


class Comparison:
    def __init__(self, proto: ModelProto) -> None:
        """Raises onnx's error where it refuses the model."""
        strip_claims(proto)
        inferred = onnx.shape_inference.infer_shapes(proto, strict_mode=True)
        self.values = 0
        self.wrong: list[str] = []
        self.unknown: list[str] = []
        model = trtcheck.read_model(proto)
        shapes = trtcheck.infer_shapes(model)
        for theirs, ours in pairs(inferred.graph, model.graph, model):
            values = by_name(ours)
            for info in [*theirs.value_info, *theirs.output]:
                element = info.type.tensor_type.elem_type
                if element:
                    self.compare(info.name, element, shapes[values[info.name]])

    def compare(self, name: str, element: int, found: trtcheck.ValueShape) -> None:
        self.values += 1
        if found.dtype is None or int(found.dtype) == TensorProto.UNDEFINED:
            self.unknown.append(f"{name}: {TensorProto.DataType.Name(element)}, not known: {found.reason}")
        elif int(found.dtype) != element:
            self.wrong.append(f"{name}: {TensorProto.DataType.Name(element)}, found {found.dtype}")


def compare(proto: ModelProto) -> Comparison | None:
    """None: onnx refuses the model, as it may for sizes."""
    try:
        return Comparison(proto)
    except onnx.shape_inference.InferenceError:
        return None


@pytest.mark.skipif(not TEST_DATA.is_dir(), reason="needs libonnx-testdata")
def test_types_of_the_test_data_of_onnx() -> None:
    values, refused, problems, unknown = 0, 0, [], []
    for path in sorted(TEST_DATA.rglob("*.onnx")):
        found = compare(onnx.load(path, load_external_data=False))
        if found is None:
            refused += 1
            continue
        values += found.values
        problems += [f"{path}: {line}" for line in found.wrong]
        if path.parent.name not in UNKNOWN:
            unknown += [f"{path}: {line}" for line in found.unknown]
    assert not problems, "\n".join(problems)
    assert not unknown, "\n".join(unknown)
    assert refused <= 1
    assert values > 3000


@pytest.mark.parametrize(("entry", "exporter", "mode"), EXPORTS)
def test_types_of_the_zoo(entry: Entry, exporter: str, mode: str) -> None:
    path = export(entry, exporter, mode).path
    assert path is not None
    found = compare(onnx.load(path))
    if found is None:
        assert trtcheck.check(path).findings, "onnx refuses it"
        return
    assert not found.wrong, "\n".join(found.wrong)
    assert not found.unknown, "\n".join(found.unknown)
    assert found.values > 0


@pytest.mark.parametrize(("entry", "exporter"), STATIC)
def test_types_of_converted_models(entry: Entry, exporter: str) -> None:
    """To FLOAT16, with the Casts that ONNX Runtime's converter places."""
    path = export(entry, exporter, "static").path
    model = convert_float_to_float16(onnx.load(path), keep_io_types=True)
    sort_nodes(model.graph)
    if has_old_half_scale(model):
        model = onnx.version_converter.convert_version(model, 19)
    found = compare(model)
    assert found is not None
    assert not found.wrong, "\n".join(found.wrong)
    assert not found.unknown, "\n".join(found.unknown)


HALF = "agraph (int8[4] x) => (y) <float16 s = {14336}, int8 z = {0}> { y = DequantizeLinear(x, s, z) }"
FULL = "agraph (int8[4] x) => (y) <float s = {1}, int8 z = {0}> { y = DequantizeLinear(x, s, z) }"
#: Opset, body, and the types that onnx and TensorRT have for `y`. onnx says FLOAT in any case before opset 19; TensorRT
#: gives what is dequantized the type of the scale.
DELIBERATE = {
    "a FLOAT16 scale before opset 19": (17, HALF, "FLOAT", "FLOAT16"),
    "a FLOAT16 scale from opset 19 on": (19, HALF, "FLOAT16", "FLOAT16"),
    "a FLOAT scale": (17, FULL, "FLOAT", "FLOAT"),
}


@pytest.mark.parametrize("name", DELIBERATE)
def test_where_tensorrt_has_another_type(name: str) -> None:
    opset, body, theirs, ours = DELIBERATE[name]
    proto = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> {body}')
    inferred = onnx.shape_inference.infer_shapes(proto, strict_mode=False)
    assert TensorProto.DataType.Name(inferred.graph.output[0].type.tensor_type.elem_type) == theirs
    found = trtcheck.infer_shapes(proto)["y"].dtype
    assert found is not None
    assert TensorProto.DataType.Name(int(found)) == ours
