"""Edits give what onnx's Python library gives, and what nobody touches stays byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import edits_by_onnx
import numpy as np
import onnx
import onnx.parser
import pytest

import trtcheck
from trtcheck import edit

ROOT = Path(__file__).resolve().parents[2]
FLOAT = onnx.TensorProto.FLOAT

TEXT = """<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
main (float[N,4] x, bool c) => (float[N,4] y, float[N,4] z) <float[4] w = {1, 2, 3, 4}, int64[1] axes = {0}> {
  [first] a = Add (x, w)
  [second] b = own.twice (a)
  y = If (c) <
    then_branch = then_graph () => (float[N,4] t) <float[4] v = {1, 1, 1, 1}> { t = Mul (b, v) },
    else_branch = else_graph () => (float[N,4] e) { e = Neg (b) }
  >
  k = Constant <value_ints = [1, 2, 3]> ()
  z = Elu <alpha = 0.5> (a)
}
<domain: "own", opset_import: ["" : 17]>
twice (p) => (q) { one = Add (p, p) q = Identity (one) }"""
MODEL = onnx.parser.parse_model(TEXT)
THEN = edit.GraphAt(steps=(edit.Step(2, "then_branch"),))
FUNCTION = edit.GraphAt(function=0)

CASES: dict[str, list[edit.Edit]] = {
    "nothing": [],
    "an attribute is changed": [edit.SetAttribute(edit.NodeAt(4), "alpha", 1.5)],
    "an attribute is new": [edit.SetAttribute(edit.NodeAt(0), "axes", [1, 2])],
    "an attribute becomes a tensor": [
        edit.SetAttribute(edit.NodeAt(3), "value", edit.TensorValue(FLOAT, [2], np.float32([1, 2]).tobytes()))
    ],
    "an attribute goes": [edit.RemoveAttribute(edit.NodeAt(4), "alpha")],
    "texts, floats and a word": [
        edit.SetAttribute(edit.NodeAt(4), "words", ["a", "b"]),
        edit.SetAttribute(edit.NodeAt(4), "numbers", [1.0, 2.5]),
        edit.SetAttribute(edit.NodeAt(4), "word", "text"),
    ],
    "another operator": [edit.SetOperator(edit.NodeAt(0), "Sub"), edit.SetOperator(edit.NodeAt(1), "Relu", "")],
    "two edits at one node": [edit.SetInput(edit.NodeAt(0), 1, "x"), edit.RenameNode(edit.NodeAt(0), "renamed")],
    "an input far behind the others": [edit.SetInput(edit.NodeAt(4), 3, "x")],
    "all inputs and outputs": [
        edit.SetInputs(edit.NodeAt(0), ["x", "x"]),
        edit.SetOutputs(edit.NodeAt(0), ["a", "extra"]),
    ],
    "a node that had no inputs": [edit.SetInput(edit.NodeAt(3), 0, "x")],
    "nodes before, between and behind": [
        edit.InsertNode(0, edit.NewNode("Relu", ["x"], ["r"])),
        edit.InsertNode(2, edit.NewNode("Abs", ["a"], ["abs"], {"k": 3}, name="new")),
        edit.InsertNode(5, edit.NewNode("Exp", ["z"], ["exp"], domain="own")),
        edit.InsertNode(0, edit.NewNode("Neg", ["r"], ["n"])),
    ],
    "a node in place of another one": [
        edit.InsertNode(4, edit.NewNode("Elu", ["x"], ["z"], {"beta": 1.0}, like=edit.NodeAt(4))),
        edit.RemoveNode(edit.NodeAt(4)),
    ],
    "an attribute that an edit brought goes": [
        edit.SetAttribute(edit.NodeAt(0), "brought", 1),
        edit.RemoveAttribute(edit.NodeAt(0), "brought"),
    ],
    "an output gets another name": [
        edit.SetOutput(edit.NodeAt(0), 0, "other"),
        edit.SetOutput(edit.NodeAt(4), 2, "far"),
    ],
    "the same names once more": [
        edit.SetInputs(edit.NodeAt(0), ["x", "w"]),
        edit.SetOutputs(edit.NodeAt(0), ["a"]),
    ],
    "an If is moved with its bodies": [
        edit.RemoveNode(edit.NodeAt(2)),
        edit.InsertNode(5, edit.NewNode("If", ["c"], ["y"], like=edit.NodeAt(2))),
    ],
    "what was added is declared anew": [
        edit.AddInput("i", edit.TypeValue(FLOAT)),
        edit.DeclareType("i", edit.TypeValue(7, [1, "N"])),
        edit.AddOutput("o", edit.TypeValue(FLOAT), THEN),
        edit.DeclareType("o", edit.TypeValue(7, []), THEN),
    ],
    "a tensor in place of another one": [edit.PutTensor("w", edit.TensorValue(FLOAT, [1], np.float32([7]).tobytes()))],
    "a tensor in a body": [edit.PutTensor("u", edit.TensorValue(FLOAT, [], np.float32([7]).tobytes()), THEN)],
    "a tensor goes": [edit.RemoveTensor("axes")],
    "a node of a body": [edit.SetOperator(edit.NodeAt(0, THEN), "Div"), edit.SetInput(edit.NodeAt(0, THEN), 0, "a")],
    "a function that is called": [
        edit.InsertNode(1, edit.NewNode("Relu", ["one"], ["r"]), FUNCTION),
        edit.SetInput(edit.NodeAt(1, FUNCTION), 0, "r"),
    ],
    "types of an input, an output and a value": [
        edit.DeclareType("x", edit.TypeValue(FLOAT, ["N", 4])),
        edit.DeclareType("y", edit.TypeValue(FLOAT, [None, 4])),
        edit.DeclareType("a", edit.TypeValue(FLOAT)),
        edit.DeclareType("a", edit.TypeValue(FLOAT, [])),
    ],
    "a type anew, and another one": [
        edit.DeclareType("x", edit.TypeValue(FLOAT, ["N", 5])),
        edit.DeclareType("x", edit.TypeValue(7, [2, 5])),
        edit.DeclareType("x", edit.TypeValue(7, ["M", 6])),
        edit.DeclareType("y", edit.TypeValue(FLOAT, ["M", 4])),
        edit.DeclareType("c", edit.TypeValue(9, [1, 4])),
        edit.DeclareType("z", edit.TypeValue(FLOAT)),
        edit.DeclareType("z", edit.TypeValue(FLOAT, ["N", 4])),
        edit.DeclareType("one", edit.TypeValue(FLOAT, [1]), FUNCTION),
    ],
    "declarations go": [
        edit.DeclareType("a", edit.TypeValue(FLOAT, [1])),
        edit.DeclareType("one", edit.TypeValue(FLOAT, [1]), FUNCTION),
        edit.RemoveDeclaration("a"),
        edit.RemoveDeclaration("one", FUNCTION),
        edit.RemoveDeclaration("nothing"),
    ],
    "an operator set": [edit.ImportOpset("", 18), edit.ImportOpset("com.example", 2), edit.ImportOpset("", 16, 0)],
    "an operator set goes": [edit.RemoveImport("own"), edit.ImportOpset("x", 2), edit.RemoveImport("x")],
    "ONNX's own operator set goes": [edit.RemoveImport("ai.onnx")],
    "ONNX's own operator set by its long name": [edit.ImportOpset("ai.onnx", 18), edit.ImportOpset("", 19)],
    "a function goes": [
        edit.RemoveFunction(0),
        edit.SetOperator(edit.NodeAt(0, FUNCTION), "Mul"),
        edit.ImportOpset("", 16, 0),
    ],
    "an input and an output that edits brought go": [
        edit.AddInput("i", edit.TypeValue(FLOAT)),
        edit.RemoveInput("i"),
        edit.AddOutput("o", edit.TypeValue(FLOAT)),
        edit.RemoveOutput("o"),
    ],
    "inputs and outputs": [
        edit.AddInput("extra", edit.TypeValue(FLOAT, [1])),
        edit.AddOutput("a", edit.TypeValue(FLOAT, ["N", 4])),
        edit.RemoveInput("c"),
        edit.RemoveOutput("z"),
    ],
}


def same(made: bytes, expected: onnx.ModelProto) -> None:
    assert onnx.ModelProto.FromString(made) == expected


@pytest.mark.parametrize("name", CASES)
def test_as_onnx_does_it(name: str) -> None:
    same(edit.apply_to_bytes(MODEL.SerializeToString(), CASES[name]), edits_by_onnx.apply(MODEL, CASES[name]))


def test_bodies_in_a_list() -> None:
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    bodies = [one.g for one in MODEL.graph.node[2].attribute]
    model.graph.node.append(onnx.helper.make_node("Switch", ["x"], ["s"], domain="own", branches=bodies))
    second = edit.GraphAt(steps=(edit.Step(5, "branches", 1),))
    edits: list[edit.Edit] = [
        edit.SetOperator(edit.NodeAt(0, second), "Abs"),
        edit.InsertNode(1, edit.NewNode("Exp", ["e"], ["f"]), second),
    ]
    same(edit.apply_to_bytes(model.SerializeToString(), edits), edits_by_onnx.apply(model, edits))
    beyond = edit.GraphAt(steps=(edit.Step(5, "branches", 2),))
    with pytest.raises(trtcheck.Error, match="there is no graph 2 in the body `branches` of node 5 of the main graph"):
        edit.apply_to_bytes(model.SerializeToString(), [edit.RemoveNode(edit.NodeAt(0, beyond))])


def test_bodies_of_two_attributes_of_one_name() -> None:
    """Which no file should have; the index counts the graphs of both. A list beside a single graph is not read."""
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    bodies = [one.g for one in MODEL.graph.node[2].attribute]
    node = onnx.helper.make_node("Switch", ["x"], ["s"], domain="own")
    node.attribute.append(onnx.helper.make_attribute("body", bodies[0]))
    node.attribute[0].graphs.extend(bodies)
    node.attribute.append(onnx.helper.make_attribute("body", bodies))
    node.attribute[1].g.CopyFrom(bodies[0])
    node.attribute.append(onnx.helper.make_attribute("body", bodies[1]))
    model.graph.node.append(node)
    every: list[edit.Edit] = [
        edit.SetOperator(edit.NodeAt(0, edit.GraphAt(steps=(edit.Step(5, "body", index),))), f"Op{index}")
        for index in range(4)
    ]
    rewired: list[edit.Edit] = [edit.Rewire("b", "a")]
    for edits in (every, rewired):
        same(edit.apply_to_bytes(model.SerializeToString(), edits), edits_by_onnx.apply(model, edits))
    beyond = edit.NodeAt(0, edit.GraphAt(steps=(edit.Step(5, "body", 4),)))
    with pytest.raises(trtcheck.Error, match="there is no graph 4 in the body `body` of node 5 of the main graph"):
        edit.apply_to_bytes(model.SerializeToString(), [edit.RemoveNode(beyond)])


def test_bodies_of_attributes_without_a_type() -> None:
    """As files of the first versions of ONNX have them."""
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    for one in model.graph.node[2].attribute:
        one.ClearField("type")
    edits: list[edit.Edit] = [edit.SetOperator(edit.NodeAt(0, THEN), "Abs"), edit.Rewire("b", "a")]
    same(edit.apply_to_bytes(model.SerializeToString(), edits), edits_by_onnx.apply(model, edits))


def test_a_tensor_is_copied_and_a_value_is_rewired() -> None:
    edits: list[edit.Edit] = [edit.CopyTensor(THEN, "v", edit.MAIN, "copy"), edit.Rewire("b", "a")]
    made = edit.apply_to_bytes(MODEL.SerializeToString(), edits)
    same(made, edits_by_onnx.apply(MODEL, edits))
    model = onnx.ModelProto.FromString(made)
    copy = next(tensor for tensor in model.graph.initializer if tensor.name == "copy")
    assert onnx.numpy_helper.to_array(copy).tolist() == [1, 1, 1, 1]
    branches = {one.name: one.g for one in model.graph.node[2].attribute}
    assert branches["then_branch"].node[0].input[0] == "a"
    assert branches["else_branch"].node[0].input[0] == "a"


def test_a_tensor_is_copied_in_place_of_another() -> None:
    name = MODEL.graph.initializer[0].name
    edits: list[edit.Edit] = [edit.CopyTensor(THEN, "v", edit.MAIN, name)]
    made = edit.apply_to_bytes(MODEL.SerializeToString(), edits)
    same(made, edits_by_onnx.apply(MODEL, edits))
    stored = [tensor for tensor in onnx.ModelProto.FromString(made).graph.initializer if tensor.name == name]
    assert [onnx.numpy_helper.to_array(tensor).tolist() for tensor in stored] == [[1, 1, 1, 1]]


@pytest.mark.parametrize(
    ("one", "cause"),
    [
        (edit.RemoveNode(edit.NodeAt(9)), "there is no node 9 in the main graph, it has 5"),
        (edit.SetOperator(edit.NodeAt(0, edit.GraphAt(function=3)), "Abs"), "there is no function 3, the model has 1"),
        (edit.RemoveAttribute(edit.NodeAt(0), "alpha"), "node 0 of the main graph has no attribute `alpha`"),
        (edit.RemoveTensor("nothing"), "the main graph stores no tensor `nothing`"),
        (edit.RemoveInput("nothing"), "the main graph has no input `nothing`"),
        (edit.AddOutput("y", edit.TypeValue(FLOAT)), "the main graph has `y` already"),
        (edit.CopyTensor(edit.MAIN, "nothing", edit.MAIN, "copy"), "the main graph stores no tensor `nothing`"),
        (edit.InsertNode(6, edit.NewNode("Abs", ["x"], ["u"])), "there is no node 6 in the main graph, it has 5"),
        (edit.SetInput(edit.NodeAt(0), 1_000_000, "x"), "a node has no place 1000000 for a name"),
        (edit.RemoveImport("com.example"), "the model does not import the domain `com.example`"),
        (
            edit.RemoveNode(edit.NodeAt(0, edit.GraphAt(steps=(edit.Step(2, "then_branch", 1),)))),
            "there is no graph 1 in the body `then_branch` of node 2 of the main graph",
        ),
        (
            edit.PutTensor("t", edit.TensorValue(FLOAT, [], bytes(4)), FUNCTION),
            "function 0 is a function, which stores no tensors",
        ),
        (
            edit.RemoveNode(edit.NodeAt(0, edit.GraphAt(steps=(edit.Step(0, "body"),)))),
            "node 0 of the main graph has no attribute `body`",
        ),
        (edit.Rewire("nothing", "x"), "there is no value `nothing` in the main graph"),
    ],
)
def test_a_place_that_does_not_exist(one: edit.Edit, cause: str, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(MODEL.SerializeToString())
    with pytest.raises(trtcheck.Error) as error:
        edit.apply(path, [one], tmp_path / "out.onnx")
    assert str(error.value) == f"{path}: {cause}"
    assert not (tmp_path / "out.onnx").exists()


def test_what_an_edit_added_is_there_already() -> None:
    with pytest.raises(trtcheck.Error, match="the main graph has `o` already"):
        edit.apply_to_bytes(MODEL.SerializeToString(), [edit.AddOutput("o", edit.TypeValue(FLOAT))] * 2)


def edited(edits: list[edit.Edit], model: onnx.ModelProto) -> onnx.ModelProto:
    return onnx.ModelProto.FromString(edit.apply_to_bytes(model.SerializeToString(), edits))


class TestSparseTensors:
    @staticmethod
    def model() -> onnx.ModelProto:
        """Two of them, and one without a name because it has no values."""
        model = onnx.ModelProto()
        model.CopyFrom(MODEL)
        for name in ("s", "kept"):
            values = onnx.helper.make_tensor(name, FLOAT, [1], [7.0])
            indices = onnx.helper.make_tensor(f"{name} indices", onnx.TensorProto.INT64, [1], [2])
            model.graph.sparse_initializer.append(onnx.helper.make_sparse_tensor(values, indices, [4]))
        model.graph.sparse_initializer.add(dims=[4])
        return model

    def expected(self) -> onnx.ModelProto:
        model = self.model()
        del model.graph.sparse_initializer[0]
        return model

    def test_one_goes(self) -> None:
        assert edited([edit.RemoveTensor("s")], self.model()) == self.expected()

    def test_a_dense_one_takes_its_place(self) -> None:
        tensor = edit.TensorValue(FLOAT, [4], np.float32([0, 0, 7, 0]).tobytes())
        expected = self.expected()
        expected.graph.initializer.append(edits_by_onnx.tensor("s", tensor))
        assert edited([edit.PutTensor("s", tensor)], self.model()) == expected
        assert edited([edit.PutTensor("s", tensor), edit.RemoveTensor("s")], self.model()) == self.expected()

    def test_a_dense_one_of_the_same_name_goes_with_it(self) -> None:
        model = self.model()
        model.graph.initializer.append(onnx.helper.make_tensor("s", FLOAT, [1], [7.0]))
        assert edited([edit.RemoveTensor("s")], model) == self.expected()


def test_declarations_of_the_file() -> None:
    """Twice of one name, which a checker refuses, and what stands beside the type."""
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    for dims in ([2, 4], [3, 4]):
        model.graph.value_info.append(onnx.helper.make_tensor_value_info("a", FLOAT, dims, "what it is"))
    sequence = onnx.helper.make_tensor_sequence_value_info("b", FLOAT, [2])
    model.graph.value_info.append(sequence)
    new: list[edit.Edit] = [
        edit.DeclareType("a", edit.TypeValue(FLOAT, ["N", 4])),
        edit.DeclareType("b", edit.TypeValue(FLOAT, [1])),
    ]
    read = edited(new, model)
    a, b = read.graph.value_info
    assert (a.doc_string, a.type) == ("what it is", edits_by_onnx.type_proto(edit.TypeValue(FLOAT, ["N", 4])))
    assert b.type == edits_by_onnx.type_proto(edit.TypeValue(FLOAT, [1]))
    assert edited([edit.RemoveDeclaration("a")], model).graph.value_info[:] == [sequence]


def test_a_graph_without_nodes() -> None:
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    del model.graph.node[:]
    new: list[edit.Edit] = [edit.InsertNode(0, edit.NewNode("Relu", ["x"], ["y"]))]
    same(edit.apply_to_bytes(model.SerializeToString(), new), edits_by_onnx.apply(model, new))


def test_a_node_like_another_one_has_its_documentation() -> None:
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    model.graph.node[4].doc_string = "what it does"
    model.graph.node[4].metadata_props.add(key="where", value="net.py:7")
    new: list[edit.Edit] = [
        edit.InsertNode(0, edit.NewNode("Elu", ["x"], ["u"], {"alpha": 2.0}, like=edit.NodeAt(4))),
    ]
    same(edit.apply_to_bytes(model.SerializeToString(), new), edits_by_onnx.apply(model, new))


def test_values_of_one_name_in_two_graphs() -> None:
    """The list of graphs is that of the second body."""
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    bodies = [one.g for one in MODEL.graph.node[2].attribute]
    model.graph.node.append(onnx.helper.make_node("Switch", ["x"], ["s"], domain="own", branches=bodies, k=1))
    new: list[edit.Edit] = [edit.Rewire("b", "a"), edit.Rewire("v", "w", THEN)]
    read = edited(new, model)
    then, other = (one.g for one in read.graph.node[2].attribute)
    assert (then.node[0].input[:], other.node[0].input[:]) == (["a", "w"], ["a"])
    listed = next(one for one in read.graph.node[5].attribute if one.name == "branches").graphs
    assert [graph.node[0].input[:] for graph in listed] == [["a", "v"], ["a"]]


def test_what_is_no_edit() -> None:
    with pytest.raises(TypeError, match=r"expected edits of trtcheck\.edit, not int"):
        edit.apply_to_bytes(MODEL.SerializeToString(), [3])  # type: ignore[list-item]


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(number: int) -> bytes:
    made = b""
    while number > 0x7F:
        made += bytes([number & 0x7F | 0x80])
        number >>= 7
    return made + bytes([number])


class TestTheWireFormat:
    """What writers do that onnx's own does not."""

    def test_nothing_done_is_byte_equal(self) -> None:
        # A length written longer than it has to be, fields out of order, fields that ONNX does not know.
        graph = field(1, field(4, b"Relu") + field(1, b"x") + field(2, b"y") + field(99, b"unknown"))
        content = b"\x3a" + bytes([len(graph) | 0x80, 0x00]) + graph + field(77, b"later") + b"\x08\x08"
        assert edit.apply_to_bytes(content, []) == content

    def test_unknown_fields_stay(self) -> None:
        node = field(4, b"Relu") + field(1, b"x") + field(2, b"y") + field(99, b"unknown")
        other = field(4, b"Abs") + field(1, b"y") + field(2, b"z") + field(98, b"too")
        content = field(7, field(1, node) + field(1, other)) + field(77, b"later")
        made = edit.apply_to_bytes(content, [edit.SetOperator(edit.NodeAt(1), "Neg")])
        changed = field(4, b"Neg") + field(1, b"y") + field(2, b"z") + field(98, b"too")
        assert made == field(7, field(1, node) + field(1, changed)) + field(77, b"later")

    def test_a_message_in_several_parts(self) -> None:
        first = field(1, field(4, b"Relu") + field(1, b"x") + field(2, b"y"))
        second = field(1, field(4, b"Abs") + field(1, b"y") + field(2, b"z"))
        content = field(7, first) + b"\x08\x08" + field(7, second)
        made = edit.apply_to_bytes(content, [edit.SetOperator(edit.NodeAt(1), "Neg")])
        model = onnx.ModelProto.FromString(made)
        assert [node.op_type for node in model.graph.node] == ["Relu", "Neg"]
        assert model.ir_version == 8
        # Untouched, the parts stay as they are.
        assert edit.apply_to_bytes(content, [edit.ImportOpset("", 17)]).startswith(content)

    def test_a_length_that_grows_a_byte_moves_every_parent(self) -> None:
        for size in (90, 100, 110, 120, 125, 126, 127, 128, 16_370, 16_383, 16_384):
            model = onnx.ModelProto()
            model.CopyFrom(MODEL)
            edits: list[edit.Edit] = [edit.RenameNode(edit.NodeAt(0, THEN), "n" * size)]
            same(edit.apply_to_bytes(model.SerializeToString(), edits), edits_by_onnx.apply(model, edits))


def test_messages_nested_deeper_than_anybody_writes(tmp_path: Path) -> None:
    """Bodies up to the reader's limit, and in the last one a graph that is no value of its attribute."""
    inner = b""
    for _ in range(30):
        inner = field(1, field(5, field(6, inner)))
    integer = b"\xa0\x01\x02"
    path = tmp_path / "net.onnx"
    for deep, is_edited in ((20, True), (62, False)):
        graph = field(1, field(4, b"Own") + field(2, b"y") + field(5, field(1, b"k") + field(6, inner) + integer))
        for _ in range(deep):
            graph = field(1, field(4, b"Own") + field(2, b"y") + field(5, field(1, b"body") + field(6, graph)))
        path.write_bytes(b"\x08\x08" + field(8, b"\x10\x11") + field(7, graph))
        if is_edited:
            edit.apply(path, [], tmp_path / "out.onnx", data="inlined")
            assert (tmp_path / "out.onnx").read_bytes() == path.read_bytes()
            continue
        with pytest.raises(trtcheck.Error) as error:
            edit.apply(path, [], tmp_path / "out.onnx", data="inlined")
        assert str(error.value) == f"{path}: cannot be edited: messages are nested more than 256 deep"


def large(path: Path, megabytes: int) -> None:
    """With weights inside that are zeros, which cost no disk."""
    model = onnx.ModelProto()
    model.CopyFrom(MODEL)
    size = megabytes << 20
    tensor = field(8, b"weights") + b"\x08" + varint(size // 4) + b"\x10\x01" + varint(9 << 3 | 2) + varint(size)
    graph = model.graph.SerializeToString() + varint(5 << 3 | 2) + varint(len(tensor) + size) + tensor
    model.ClearField("graph")
    head = model.SerializeToString() + varint(7 << 3 | 2) + varint(len(graph) + size) + graph
    with path.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + size)


def measured(code: str) -> tuple[float, int]:
    """Seconds and kilobytes of a process."""
    script = (
        f"import resource, time; start = time.perf_counter(); {code}; "
        "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    seconds, kilobytes = done.stdout.split()
    return float(seconds), int(kilobytes)


def test_weights_do_not_pass_through_memory(tmp_path: Path) -> None:
    large(tmp_path / "net.onnx", 1900)
    out = tmp_path / "out.onnx"
    _, before = measured("import trtcheck.edit")
    _, after = measured(
        f"import trtcheck.edit as e; e.apply({str(tmp_path / 'net.onnx')!r}, [e.ImportOpset('', 18)], {str(out)!r})"
    )
    assert out.stat().st_size == (tmp_path / "net.onnx").stat().st_size
    assert after - before < 60_000


class TestFiles:
    def test_over_the_file_itself(self, tmp_path: Path) -> None:
        path = tmp_path / "net.onnx"
        path.write_bytes(MODEL.SerializeToString())
        path.chmod(0o640)
        edit.apply(path, CASES["another operator"], path)
        same(path.read_bytes(), edits_by_onnx.apply(MODEL, CASES["another operator"]))
        assert path.stat().st_mode & 0o777 == 0o640
        assert [other.name for other in tmp_path.iterdir()] == ["net.onnx"]

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real.onnx").write_bytes(MODEL.SerializeToString())
        (tmp_path / "link.onnx").symlink_to("real.onnx")
        edit.apply(tmp_path / "link.onnx", CASES["another operator"], tmp_path / "link.onnx")
        assert (tmp_path / "link.onnx").is_symlink()
        same((tmp_path / "real.onnx").read_bytes(), edits_by_onnx.apply(MODEL, CASES["another operator"]))

    @pytest.mark.parametrize("output", ["missing/out.onnx", ".", "/dev/null"])
    def test_where_nothing_can_be_written(self, output: str, tmp_path: Path) -> None:
        path = tmp_path / "net.onnx"
        path.write_bytes(MODEL.SerializeToString())
        with pytest.raises(trtcheck.Error, match="cannot write"):
            edit.apply(path, [], tmp_path / output)
        assert path.read_bytes() == MODEL.SerializeToString()

    def external(self, folder: Path) -> onnx.ModelProto:
        folder.mkdir(parents=True)
        model = onnx.ModelProto()
        model.CopyFrom(MODEL)
        tensor = model.graph.initializer.add(
            name="far", data_type=FLOAT, dims=[2], data_location=onnx.TensorProto.EXTERNAL
        )
        tensor.external_data.add(key="location", value="w.bin")
        (folder / "w.bin").write_bytes(np.float32([5, 6]).tobytes())
        (folder / "net.onnx").write_bytes(model.SerializeToString())
        return model

    def test_external_data_stays_where_it_is(self, tmp_path: Path) -> None:
        self.external(tmp_path / "a")
        edit.apply(tmp_path / "a/net.onnx", CASES["another operator"], tmp_path / "a/out.onnx")
        edit.apply(tmp_path / "a/net.onnx", CASES["another operator"], tmp_path / "above.onnx")
        near = onnx.load(tmp_path / "a/out.onnx", load_external_data=False)
        far = onnx.load(tmp_path / "above.onnx", load_external_data=False)
        assert near.graph.initializer[-1].external_data[0].value == "w.bin"
        assert far.graph.initializer[-1].external_data[0].value == "a/w.bin"
        assert onnx.numpy_helper.to_array(onnx.load(tmp_path / "above.onnx").graph.initializer[-1]).tolist() == [5, 6]

    def test_external_data_that_would_be_out_of_reach(self, tmp_path: Path) -> None:
        self.external(tmp_path / "a")
        (tmp_path / "b").mkdir()
        with pytest.raises(trtcheck.Error, match=r"external data `w\.bin` would be outside of its folder"):
            edit.apply(tmp_path / "a/net.onnx", [], tmp_path / "b/out.onnx")
        assert not list((tmp_path / "b").iterdir())


def test_graphs_and_nodes_of_many_fields() -> None:
    """Beyond 64 fields a message keeps an index of them."""
    nodes = [onnx.helper.make_node("Relu", ["x"], [f"v{at}"]) for at in range(90)]
    wide = onnx.helper.make_node("Own", ["x"], ["w"], domain="own", **{f"a{at}": at for at in range(90)})
    info = [onnx.helper.make_tensor_value_info(name, FLOAT, [2]) for name in ("x", "v89")]
    graph = onnx.helper.make_graph([*nodes, wide], "main", info[:1], info[1:])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])
    edits: list[edit.Edit] = [
        edit.SetAttribute(edit.NodeAt(90), "a50", 7.5),
        edit.RemoveAttribute(edit.NodeAt(90), "a80"),
        edit.SetAttribute(edit.NodeAt(90), "new", [1, 2]),
        edit.SetInput(edit.NodeAt(3), 0, "v1"),
        edit.RemoveNode(edit.NodeAt(5)),
        edit.InsertNode(70, edit.NewNode("Abs", ["x"], ["abs"], like=edit.NodeAt(90))),
        edit.DeclareType("v7", edit.TypeValue(FLOAT, [2])),
        edit.AddOutput("abs", edit.TypeValue(FLOAT, [2])),
    ]
    same(edit.apply_to_bytes(model.SerializeToString(), edits[:3]), edits_by_onnx.apply(model, edits[:3]))
    same(edit.apply_to_bytes(model.SerializeToString(), edits[3:]), edits_by_onnx.apply(model, edits[3:]))


def test_a_pipe_is_not_edited(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.onnx"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    try:
        with pytest.raises(trtcheck.Error, match="is a pipe, a file is required to be edited"):
            edit.apply(pipe, [], tmp_path / "out.onnx")
    finally:
        os.close(writer)
    assert not (tmp_path / "out.onnx").exists()
