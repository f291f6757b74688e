"""Changes of ONNX files that never load a weight.

    from trtcheck import edit

    edit.apply("model.onnx", [edit.SetAttribute(edit.NodeAt(17), "mode", "constant")], "mended.onnx")

Places are positions in the file before any of the changes. What no change touches is copied byte for byte, fields that
ONNX does not know included; the copying is left to the system. External data stays where it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, Union

from trtcheck import _core


@dataclass(frozen=True)
class Step:
    """One level down: the body that an attribute of a node holds. `index` counts the graphs of all attributes of that
    name."""

    node: int
    attribute: str
    index: int = 0


@dataclass(frozen=True)
class GraphAt:
    """A graph of the file: the main graph, the function of that position, or a body below one of these."""

    function: int | None = None
    steps: Sequence[Step] = ()


MAIN = GraphAt()


@dataclass(frozen=True)
class NodeAt:
    """A node, by its position in its graph, counted from 0."""

    position: int
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class TensorValue:
    """A stored tensor.

    Attributes:
        type: element type, as ONNX numbers it (1 is FLOAT).
        dims: sizes; none of them for a scalar.
        data: elements as ONNX's raw_data: little-endian, row-major.
    """

    type: int
    dims: Sequence[int]
    data: bytes


@dataclass(frozen=True)
class TypeValue:
    """The declared type of a tensor; a dim is a number, a name, or None; `dims=None`: not even the rank."""

    type: int
    dims: Sequence[int | str | None] | None = None


#: What an attribute may be: its ONNX type follows from the Python type. An empty list is one of whole numbers.
AttributeValue: TypeAlias = Union[  # noqa: UP007 (evaluated; Python 3.9)
    int, float, str, bytes, Sequence[int], Sequence[float], Sequence[str], TensorValue
]


@dataclass(frozen=True)
class NewNode:
    """A node that is not in the file yet.

    Attributes:
        op_type: name of the operator.
        inputs: names of values; "" = left out.
        outputs: names of values; "" = left out.
        attributes: values by name.
        name: of the node; "" = none.
        domain: of the operator; "" = ONNX.
        like: a node of the file whose other attributes, metadata and documentation it gets too.
    """

    op_type: str
    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    name: str = ""
    domain: str = ""
    like: NodeAt | None = None


@dataclass(frozen=True)
class SetAttribute:
    """Give a node an attribute, in place of the one of that name."""

    node: NodeAt
    name: str
    value: AttributeValue


@dataclass(frozen=True)
class RemoveAttribute:
    """Take an attribute away; an error where the node does not have it."""

    node: NodeAt
    name: str


@dataclass(frozen=True)
class SetOperator:
    """Make a node a call of another operator; its attributes stay."""

    node: NodeAt
    op_type: str
    domain: str = ""


@dataclass(frozen=True)
class SetInputs:
    """Give a node all its inputs."""

    node: NodeAt
    inputs: Sequence[str]


@dataclass(frozen=True)
class SetInput:
    """Change one input; inputs before it that the node lacks are left out."""

    node: NodeAt
    index: int
    name: str


@dataclass(frozen=True)
class SetOutputs:
    """Give a node all its outputs."""

    node: NodeAt
    outputs: Sequence[str]


@dataclass(frozen=True)
class SetOutput:
    """Change one output."""

    node: NodeAt
    index: int
    name: str


@dataclass(frozen=True)
class RenameNode:
    """Change the name of a node, not those of values."""

    node: NodeAt
    name: str


@dataclass(frozen=True)
class RemoveNode:
    """Take a node away, with what its attributes hold."""

    node: NodeAt


@dataclass(frozen=True)
class InsertNode:
    """Put a node before the one at a position; the number of nodes: at the end."""

    before: int
    node: NewNode
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class PutTensor:
    """Store an initializer, in place of the one of that name."""

    name: str
    tensor: TensorValue
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class RemoveTensor:
    """Take an initializer away; an error where there is none of that name."""

    name: str
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class CopyTensor:
    """Store an initializer of one graph in another one too, in place of the one of that name; its elements are copied
    where they lie."""

    source: GraphAt
    name: str
    to: GraphAt
    new_name: str


@dataclass(frozen=True)
class DeclareType:
    """Declare the type of a value: of the input or output of that name, else as value_info."""

    name: str
    type: TypeValue
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class RemoveDeclaration:
    """Take the value_info entries of a name away; without any, nothing happens."""

    name: str
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class ImportOpset:
    """Import an operator set, in place of the import of that domain; for a function, its position."""

    domain: str
    version: int
    function: int | None = None


@dataclass(frozen=True)
class RemoveImport:
    """Take the model's import of an operator set away; an error where it does not import the domain."""

    domain: str


@dataclass(frozen=True)
class RemoveFunction:
    """Take a function of the model away, by its position among all of the file."""

    position: int


@dataclass(frozen=True)
class AddInput:
    """Add an input after the others."""

    name: str
    type: TypeValue
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class AddOutput:
    """Add an output after the others."""

    name: str
    type: TypeValue
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class RemoveInput:
    """Take an input away; an error where there is none of that name."""

    name: str
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class RemoveOutput:
    """Take an output away; an error where there is none of that name."""

    name: str
    graph: GraphAt = MAIN


@dataclass(frozen=True)
class Rewire:
    """Let every node that reads a value read another one, in bodies too; outputs of graphs keep their names."""

    old: str
    new: str
    graph: GraphAt = MAIN


Edit: TypeAlias = Union[  # noqa: UP007 (evaluated; Python 3.9)
    SetAttribute,
    RemoveAttribute,
    SetOperator,
    SetInputs,
    SetInput,
    SetOutputs,
    SetOutput,
    RenameNode,
    RemoveNode,
    InsertNode,
    PutTensor,
    RemoveTensor,
    CopyTensor,
    DeclareType,
    RemoveDeclaration,
    ImportOpset,
    RemoveImport,
    RemoveFunction,
    AddInput,
    AddOutput,
    RemoveInput,
    RemoveOutput,
    Rewire,
]


#: Where the data of tensors goes when a model is written.
DataPlace = Literal["kept", "copied", "inlined", "external"]


def apply(
    path: str | os.PathLike[str],
    edits: Iterable[Edit],
    output: str | os.PathLike[str],
    *,
    data: DataPlace = "kept",
) -> None:
    """Change a file and write the result.

    Until all of it is written, and whenever anything fails, what was at `output` stays as it was. `output` may be the
    file itself.

    Args:
        path: of the model.
        edits: in any order: places are those of the file as it is.
        output: where the result goes.
        data: where the data of tensors goes. "kept": external data stays where it is; in another folder its locations
            are rewritten. "copied": external data is copied into one file beside the new one, "net.onnx.data", which
            must not exist. "inlined": all data becomes part of the file, which must stay below 2 GB. "external":
            initializers of a kilobyte and more move into "net.onnx.data".

    Raises:
        Error: the file cannot be read, a place does not exist, the result cannot be written, or external data is
            missing or too short.
        TypeError: something among the edits is no edit.
    """
    _core.apply_file(os.fsencode(path), list(edits), os.fsencode(output), data)


def apply_to_bytes(model: bytes | bytearray | memoryview, edits: Iterable[Edit]) -> bytes:
    """The same in memory.

    Raises:
        Error: these are not the bytes of a model, or a place does not exist.
        TypeError: something among the edits is no edit.
    """
    return _core.apply_memory(model, list(edits))
