"""The read-only model and its shapes."""

from __future__ import annotations

import onnx
import pytest
import samples

import trtcheck


@pytest.fixture
def model() -> trtcheck.Model:
    return trtcheck.read_model(samples.proto(samples.RICH))


def test_model_fields(model: trtcheck.Model) -> None:
    assert (model.path, model.base_dir, model.ir_version, model.producer_name) == ("", "", 9, "hand")
    assert model.opset_imports == {"": 17}
    assert model.metadata == {"a": "b"}
    assert model.graphs[0] == model.graph
    assert len(model.graphs) == 3
    assert len(model.nodes) == 7


def test_graph_and_nodes(model: trtcheck.Model) -> None:
    graph = model.graph
    assert (graph.kind, graph.name, graph.depth, graph.parent) == (trtcheck.GraphKind.MAIN, "main", 0, None)
    assert [value.name for value in graph.inputs] == ["x", "c"]
    assert [value.name for value in graph.outputs] == ["z"]
    assert [tensor.name for tensor in graph.initializers] == ["scale", "one"]
    assert [node.op_type for node in graph.nodes] == ["MaxPool", "Constant", "Clip", "Constant", "If"]
    assert [node.position for node in graph.nodes] == [0, 1, 2, 3, 4]
    order = graph.order
    assert order.index(graph.nodes[3]) < order.index(graph.nodes[2])  # what Clip reads comes first
    assert (graph.nodes[0].name, graph.nodes[0].label, graph.nodes[1].label) == ("conv", "conv", "Constant_1")
    clip = graph.nodes[2]
    assert clip.inputs[1] is None
    assert [value.name for value in clip.inputs if value] == ["y", "one_f"]
    assert clip.call is None


def test_attributes_have_python_values(model: trtcheck.Model) -> None:
    pool, constant, _, six, branch = model.graph.nodes
    assert {name: a.value for name, a in pool.attributes.items()} == {
        "kernel_shape": [2, 2],
        "auto_pad": "VALID",
        "ceil_mode": 0,
    }
    assert pool.attributes["kernel_shape"].type == trtcheck.AttributeType.INTS
    assert six.attributes["value_float"].value == 6.0
    tensor = constant.attributes["value"].value
    assert isinstance(tensor, trtcheck.Tensor)
    assert (tensor.dims, tensor.dtype, tensor.element_count) == ((2,), trtcheck.DataType.FLOAT, 2)
    body = branch.attributes["then_branch"].value
    assert isinstance(body, trtcheck.Graph)
    assert (body.kind, body.parent, body.path) == (trtcheck.GraphKind.BODY, branch, f"main/{branch.label}.then_branch")


def test_values_know_who_makes_and_reads_them(model: trtcheck.Model) -> None:
    pool = model.graph.nodes[0]
    (y,) = pool.outputs
    assert y is not None
    assert (y.producer, y.output, y.is_defined, y.is_output) == (pool, 0, True, False)
    readers = {(node.op_type, index) for node, index in y.users}
    assert readers == {("Clip", 0), ("Relu", 0), ("Identity", 0)}  # captured by the branches
    x = model.graph.inputs[0]
    assert x.producer is None
    assert x.is_input
    assert x.type is not None
    assert (x.type.kind, x.type.dtype, x.type.dims) == (
        trtcheck.TypeKind.TENSOR,
        trtcheck.DataType.FLOAT,
        [1, 4, "H", 8],
    )
    scale = next(value for value in model.values if value.name == "scale")
    assert scale.initializer is not None
    assert scale.initializer.dims == (2,)


def test_views_are_equal_by_place(model: trtcheck.Model) -> None:
    other = trtcheck.read_model(samples.proto(samples.RICH))
    assert model.graph.nodes[0] == model.nodes[0]
    assert hash(model.graph.nodes[0]) == hash(model.nodes[0])
    assert model.graph.nodes[0] != model.graph.nodes[1]
    assert model.graph.nodes[0] != other.graph.nodes[0]


def test_an_unknown_element_type_stays_a_number() -> None:
    proto = samples.proto(samples.HEALTHY)
    proto.graph.input[0].type.tensor_type.elem_type = 99
    declared = trtcheck.read_model(proto).graph.inputs[0].type
    assert declared is not None
    assert declared.dtype == 99


def test_names_need_not_be_utf8() -> None:
    content = samples.serialized(samples.HEALTHY).replace(b"main", b"m\xff\xfen")
    model = trtcheck.read_model(content)
    assert model.graph.name == "m\\xff\\xfen"
    assert trtcheck.check(model).ok


def test_element_types_are_those_of_onnx() -> None:
    assert {kind.name: kind.value for kind in trtcheck.DataType} == dict(onnx.TensorProto.DataType.items())
    assert set(onnx.AttributeProto.AttributeType.keys()) == {kind.name for kind in trtcheck.AttributeType}


def test_shapes() -> None:
    shapes = trtcheck.infer_shapes(samples.proto(samples.RICH))
    x, y = shapes["x"], shapes["y"]
    assert (x.kind, x.dtype, x.rank) == (trtcheck.ShapeKind.TENSOR, trtcheck.DataType.FLOAT, 4)
    assert str(x) == "FLOAT[1,4,H,8]"
    assert x.dims is not None
    assert y.dims is not None
    assert x.dims[:2] == (1, 4)
    height = y.dims[2]
    assert isinstance(height, trtcheck.Dim)
    assert str(height) == "H - 1"
    assert height.symbols == ["H"]
    assert height.is_exact
    assert height.evaluate({"H": 10}) == 9
    assert height.evaluate({}) is None
    assert height == y.dims[2]
    assert height != x.dims[2]
    assert hash(height) == hash(y.dims[2])
    assert shapes["one"].known == (1,)
    assert "y" in shapes
    assert "nope" not in shapes
    with pytest.raises(KeyError, match="nope"):
        shapes["nope"]
    assert next(iter(shapes)) == "x"
    assert [name for name, _ in shapes.items()] == list(shapes)
    assert f"y{' ' * 6}FLOAT[1,4,H - 1,7]" in str(shapes)


def test_shapes_of_inner_values() -> None:
    shapes = trtcheck.infer_shapes(samples.proto(samples.RICH))
    relu = next(node for node in shapes.model.nodes if node.op_type == "Relu")
    (t,) = relu.outputs
    assert t is not None
    assert str(shapes[t]) == "FLOAT[1,4,H - 1,7]"
    stranger = trtcheck.read_model(samples.proto(samples.HEALTHY)).graph.inputs[0]
    with pytest.raises(ValueError, match="another model"):
        shapes[stranger]


def test_conflicts_and_unknowns_are_told() -> None:
    shapes = trtcheck.infer_shapes(
        samples.proto("""<ir_version: 8, opset_import: ["" : 17]>
main (float[2,3] a, float[4,3] b, float[N,3] c) => (float[n,m] y, int64[k,l] z)
{ y = Add (a, b)  found = NonZero (c)  z = Identity (found) }""")
    )
    (conflict,) = shapes.conflicts
    assert conflict.node is not None
    assert conflict.node.op_type == "Add"
    assert "2" in conflict.message
    assert "4" in conflict.message
    dims = shapes["found"].dims
    assert dims is not None
    assert isinstance(dims[1], trtcheck.Dim)
    assert not dims[1].is_exact
    assert dims[1].reasons
    low, _ = dims[1].bounds
    assert low == 0
