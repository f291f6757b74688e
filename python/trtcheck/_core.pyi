"""
The native part of trtcheck. Use the names of the package `trtcheck` instead.
"""

from __future__ import annotations

import collections.abc
import enum
import typing

import typing_extensions

import trtcheck._fix

__all__: list[str] = [
    "Analysis",
    "AnnotatedModel",
    "AppliedCure",
    "Attribute",
    "AttributeType",
    "AxesReport",
    "AxisCause",
    "AxisCondition",
    "Baseline",
    "BaselineEntry",
    "Confirmation",
    "Conflict",
    "ConstantChange",
    "CrossingTensor",
    "Cure",
    "CutTensor",
    "DataType",
    "Diff",
    "DiffSide",
    "Dim",
    "DynamicAxis",
    "ExtractedModel",
    "FarFile",
    "Finding",
    "Fix",
    "FixedAxis",
    "FixedModel",
    "Graph",
    "GraphKind",
    "GraphPiece",
    "InterfaceChange",
    "Layer",
    "LeftFinding",
    "LiveTensor",
    "LogMatch",
    "Matrix",
    "MatrixRange",
    "MeasuredTensor",
    "MemoryPoint",
    "MemoryReport",
    "MemoryWarning",
    "MessageMatch",
    "Model",
    "ModelCounts",
    "Need",
    "Node",
    "Note",
    "Obligation",
    "OneReport",
    "OperatorChange",
    "OperatorCount",
    "OwnedModel",
    "OwnedShapes",
    "PartCounts",
    "PartitionBox",
    "PartitionCause",
    "PartitionGraph",
    "PartitionLink",
    "PartitionOutcome",
    "PartitionReport",
    "ProfileProposal",
    "ProviderOption",
    "Ranges",
    "ReducedModel",
    "RefusedNode",
    "Report",
    "Rule",
    "Settings",
    "ShapeChange",
    "ShapeKind",
    "Shapes",
    "Simplification",
    "SimplificationKind",
    "SimplifiedModel",
    "SizeChoice",
    "SizeConflict",
    "SizeDemand",
    "Skeleton",
    "SourceLocation",
    "Sparsity",
    "Suppressed",
    "SymbolChange",
    "TakenBy",
    "Target",
    "Tensor",
    "TensorData",
    "Type",
    "TypeKind",
    "Value",
    "ValueShape",
    "WeightBytes",
    "WeightSparsity",
    "Why",
    "WhyStep",
    "Witness",
    "WitnessMessage",
    "analyze",
    "annotate_file",
    "annotate_memory",
    "apply_file",
    "apply_memory",
    "axes",
    "check",
    "check_with",
    "confirm",
    "confirm_with",
    "cures",
    "diff",
    "extract_file",
    "extract_memory",
    "find_models",
    "find_witnesses",
    "fix_file",
    "fix_memory",
    "fold",
    "folded_operators",
    "format_endings",
    "formats",
    "infer",
    "layers",
    "load_settings",
    "matrix",
    "measured_tensor",
    "memory",
    "partition",
    "propose_profile",
    "ranges_of",
    "read_baseline",
    "read_file",
    "read_memory",
    "read_partial",
    "read_ranges",
    "read_shape_functions",
    "reduce_model",
    "releases",
    "render",
    "render_confirmations",
    "render_matrices",
    "report",
    "rtx_releases",
    "rule",
    "rules",
    "rules_for",
    "rules_for_log",
    "simplifications",
    "simplify_file",
    "simplify_memory",
    "sparsity",
]

class DataType(enum.IntEnum):
    """
    ONNX element types, with ONNX's names and numbers.
    """

    BFLOAT16 = 16
    BOOL = 9
    COMPLEX128 = 15
    COMPLEX64 = 14
    DOUBLE = 11
    FLOAT = 1
    FLOAT16 = 10
    FLOAT4E2M1 = 23
    FLOAT6E2M3 = 27
    FLOAT6E3M2 = 28
    FLOAT8E4M3FN = 17
    FLOAT8E4M3FNUZ = 18
    FLOAT8E5M2 = 19
    FLOAT8E5M2FNUZ = 20
    FLOAT8E8M0 = 24
    INT16 = 5
    INT2 = 26
    INT32 = 6
    INT4 = 22
    INT64 = 7
    INT8 = 3
    STRING = 8
    UINT16 = 4
    UINT2 = 25
    UINT32 = 12
    UINT4 = 21
    UINT64 = 13
    UINT8 = 2
    UNDEFINED = 0

class AttributeType(enum.IntEnum):
    """
    ONNX attribute types, with ONNX's names and numbers.
    """

    FLOAT = 1
    FLOATS = 6
    GRAPH = 5
    GRAPHS = 10
    INT = 2
    INTS = 7
    SPARSE_TENSOR = 11
    SPARSE_TENSORS = 12
    STRING = 3
    STRINGS = 8
    TENSOR = 4
    TENSORS = 9
    TYPE_PROTO = 13
    TYPE_PROTOS = 14
    UNDEFINED = 0

class TensorData(enum.IntEnum):
    """
    Where the elements of a tensor are.
    """

    EXTERNAL = 3
    NONE = 0
    RAW = 1
    TYPED = 2

class GraphKind(enum.IntEnum):
    """
    What a graph is part of.
    """

    BODY = 1
    FUNCTION_CALL = 2
    FUNCTION_DEFINITION = 3
    MAIN = 0

class TypeKind(enum.IntEnum):
    """
    The kind of a declared type.
    """

    MAP = 5
    NONE = 0
    OPAQUE = 6
    OPTIONAL = 4
    SEQUENCE = 3
    SPARSE_TENSOR = 2
    TENSOR = 1

class ShapeKind(enum.IntEnum):
    """
    The kind of an inferred value.
    """

    MAP = 4
    OPTIONAL = 3
    SEQUENCE = 2
    TENSOR = 1
    UNKNOWN = 0

class Need(enum.IntEnum):
    """
    What an obligation asks of its two dims.
    """

    AT_LEAST = 3
    DIVIDES = 1
    EQUAL = 0
    IN_RANGE = 4
    ONE_OR_EQUAL = 2

class OwnedModel:
    """
    What views of a model share.
    """
    def __copy__(self) -> typing.Any: ...
    def __deepcopy__(self, memo: typing.Any) -> typing.Any: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...

class OwnedShapes:
    """
    What shapes of a model share.
    """
    def __copy__(self) -> typing.Any: ...
    def __deepcopy__(self, memo: typing.Any) -> typing.Any: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...

class Model:
    """
    A read-only ONNX model, read without touching its weights.

    Made by `trtcheck.read_model`. Graphs, nodes, values and tensors that it hands out keep it alive.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    @property
    def base_dir(self) -> str:
        """
        Folder against which external data is resolved; "" when unknown.
        """
    @property
    def doc_string(self) -> str:
        """
        May be empty.
        """
    @property
    def domain(self) -> str:
        """
        Of the model; often empty.
        """
    @property
    def graph(self) -> Graph:
        """
        The main graph.
        """
    @property
    def graphs(self) -> list[Graph]:
        """
        Every graph, bodies and function calls included.
        """
    @property
    def ir_version(self) -> int:
        """
        0: not stated.
        """
    @property
    def metadata(self) -> dict[str, str]:
        """
        metadata_props.
        """
    @property
    def model_version(self) -> int:
        """
        0: not stated.
        """
    @property
    def nodes(self) -> list[Node]:
        """
        Every node of every graph.
        """
    @property
    def opset_imports(self) -> dict[str, int]:
        """
        Version by domain; "" is ONNX's own.
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def producer_name(self) -> str:
        """
        "pytorch".
        """
    @property
    def producer_version(self) -> str:
        """
        Of the producer.
        """
    @property
    def values(self) -> list[Value]:
        """
        Every value of every graph.
        """

class Graph:
    """
    The main graph, a body of an If/Loop/Scan, or one call of a function.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    @property
    def depth(self) -> int:
        """
        0 for the main graph.
        """
    @property
    def doc_string(self) -> str:
        """
        May be empty.
        """
    @property
    def initializers(self) -> list[Tensor]:
        """
        Its constants.
        """
    @property
    def inputs(self) -> list[Value]:
        """
        As listed, initializers included.
        """
    @property
    def kind(self) -> GraphKind:
        """
        The main graph, a body, a call of a function, or its definition.
        """
    @property
    def metadata(self) -> dict[str, str]:
        """
        metadata_props.
        """
    @property
    def name(self) -> str:
        """
        May be empty.
        """
    @property
    def nodes(self) -> list[Node]:
        """
        Nodes as they stand in the file.
        """
    @property
    def order(self) -> list[Node]:
        """
        Nodes sorted so that each comes after what it reads.
        """
    @property
    def outputs(self) -> list[Value]:
        """
        As listed.
        """
    @property
    def parent(self) -> Node | None:
        """
        The node that owns the body or makes the call; None for the main graph.
        """
    @property
    def path(self) -> str:
        """
        "main", "main/If_3.then_branch", ...
        """

class Node:
    """
    One node of a graph.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    @property
    def attributes(self) -> dict[str, Attribute]:
        """
        By name.
        """
    @property
    def call(self) -> Graph | None:
        """
        The body, when the node calls a model-local function.
        """
    @property
    def doc_string(self) -> str:
        """
        May be empty.
        """
    @property
    def domain(self) -> str:
        """
        "" for ONNX's own operators.
        """
    @property
    def graph(self) -> Graph:
        """
        The graph that it stands in.
        """
    @property
    def inputs(self) -> list[Value | None]:
        """
        None in the place of an omitted optional input.
        """
    @property
    def label(self) -> str:
        """
        The name, or OpType_position.
        """
    @property
    def metadata(self) -> dict[str, str]:
        """
        metadata_props; exporters leave the Python stack here.
        """
    @property
    def name(self) -> str:
        """
        May be empty; see `label`.
        """
    @property
    def op_type(self) -> str:
        """
        "Conv".
        """
    @property
    def outputs(self) -> list[Value | None]:
        """
        None in the place of an omitted optional output.
        """
    @property
    def overload(self) -> str:
        """
        "": none.
        """
    @property
    def position(self) -> int:
        """
        Index of the node in its graph, as in the file.
        """

class Value:
    """
    One tensor name in one scope.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    @property
    def graph(self) -> Graph | None:
        """
        The scope that defines it.
        """
    @property
    def initializer(self) -> Tensor | None:
        """
        Its data, when it is a constant of the file.
        """
    @property
    def is_defined(self) -> bool:
        """
        False: nothing produces it.
        """
    @property
    def is_input(self) -> bool:
        """
        An input of its graph.
        """
    @property
    def is_output(self) -> bool:
        """
        An output of its graph, or of a body in it that hands it on.
        """
    @property
    def name(self) -> str:
        """
        Unique in its graph.
        """
    @property
    def output(self) -> int:
        """
        Which output of the producer.
        """
    @property
    def producer(self) -> Node | None:
        """
        None for graph inputs and initializers.
        """
    @property
    def type(self) -> Type | None:
        """
        The type that the file declares: a claim, not a proof.
        """
    @property
    def users(self) -> list[tuple[Node, int]]:
        """
        The nodes that read it, each with the index of the input.
        """

class Tensor:
    """
    A constant tensor of the file. Its data is not decoded.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    @property
    def data(self) -> TensorData:
        """
        Where the elements are.
        """
    @property
    def dims(self) -> tuple[int, ...]:
        """
        () is a scalar; entries may be negative in a bad file.
        """
    @property
    def dtype(self) -> DataType | int:
        """
        Of an element.
        """
    @property
    def element_count(self) -> int | None:
        """
        None when a dim is negative or the product leaves 64 bits.
        """
    @property
    def external(self) -> dict[str, str]:
        """
        location, offset, length, checksum of external data; not opened.
        """
    @property
    def is_sparse(self) -> bool:
        """
        Stored as a sparse tensor; `dims` are those of the dense one.
        """
    @property
    def name(self) -> str:
        """
        "" for most attribute values.
        """
    @property
    def raw(self) -> tuple[int, int] | None:
        """
        First byte and number of bytes in the file, for data that is stored as bytes.
        """

class Type:
    """
    A type as the file declares it.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    @property
    def dims(self) -> list[int | str | None] | None:
        """
        A number, a name, or None for each axis; None alone when even the rank is not declared.
        """
    @property
    def dtype(self) -> DataType | int:
        """
        Element type of a tensor, key type of a map.
        """
    @property
    def inner(self) -> Type | None:
        """
        Element of a sequence or optional, value of a map.
        """
    @property
    def kind(self) -> TypeKind:
        """
        Which other fields count.
        """

class Attribute:
    """
    One attribute of a node.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    @property
    def name(self) -> str:
        """
        As ONNX calls it: "kernel_shape".
        """
    @property
    def ref_attr_name(self) -> str:
        """
        Inside function definitions only.
        """
    @property
    def type(self) -> AttributeType:
        """
        Which kind of value it has.
        """
    @property
    def value(
        self,
    ) -> (
        None
        | float
        | int
        | str
        | Tensor
        | Graph
        | Type
        | list[float]
        | list[int]
        | list[str]
        | list[Tensor]
        | list[Graph]
        | list[Type]
    ):
        """
        Its value; None when it has none.
        """

class Dim:
    """
    A size that is no plain number: an expression over named sizes, or unknown.

    `str()` gives the text, "2*N" or "?". Equal means proven equal for all sizes; unequal proves nothing.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def evaluate(self, sizes: collections.abc.Mapping[str, typing.SupportsInt | typing.SupportsIndex]) -> int | None:
        """
        The number for these sizes by name; None when one is missing, something is unknown, or 64 bits overflow.
        """
    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """
        Smallest and largest possible value, inclusive; None for no bound.
        """
    @property
    def is_exact(self) -> bool:
        """
        True when nothing unknown is inside.
        """
    @property
    def reasons(self) -> list[str]:
        """
        Why it is unknown, one for each unknown inside.
        """
    @property
    def symbols(self) -> list[str]:
        """
        Names of the sizes that it depends on.
        """

class ValueShape:
    """
    What is known of one value. `str()` gives "FLOAT[N,3,224,224]".
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def assumed(self) -> bool:
        """
        The dims rest on a claim of the file, here or upstream.
        """
    @property
    def dims(self) -> tuple[int | Dim, ...] | None:
        """
        An int or a Dim for each axis; None when not even the rank is known.
        """
    @property
    def dtype(self) -> DataType | int:
        """
        Element type; `undefined` when it is not known.
        """
    @property
    def kind(self) -> ShapeKind:
        """
        Which other fields count.
        """
    @property
    def known(self) -> tuple[int | Dim, ...] | None:
        """
        The contents of a small integer tensor in row-major order, when known.
        """
    @property
    def rank(self) -> int | None:
        """
        Number of dims; None: unknown.
        """
    @property
    def reason(self) -> str | None:
        """
        Why the rank, a dim or the contents are unknown, when they are.
        """

class Conflict:
    """
    Two things that cannot both hold, whatever the sizes.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def axis(self) -> int | None:
        """
        Its axis; None when it is not about one.
        """
    @property
    def message(self) -> str:
        """
        What cannot hold, one line.
        """
    @property
    def node(self) -> Node | None:
        """
        Where it happens.
        """
    @property
    def taken_as(self) -> str:
        """
        What TensorRT builds where ONNX alone forbids it; empty when it refuses it too.
        """
    @property
    def value(self) -> Value | None:
        """
        The tensor at fault.
        """

class Obligation:
    """
    Something that holds for some sizes only, or could not be proved for all.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def a(self) -> int | Dim:
        """
        Left side.
        """
    @property
    def b(self) -> int | Dim:
        """
        Right side.
        """
    @property
    def need(self) -> Need:
        """
        What has to hold between a and b.
        """
    @property
    def node(self) -> Node | None:
        """
        The node that needs it.
        """
    @property
    def why(self) -> str:
        """
        What needs it.
        """

class Shapes:
    """
    Element type and dims of every value of a model.

    `shapes["x"]` asks for a value of the main graph by name, `shapes[value]` for any value. Dims are exact for all
    sizes or honestly unknown.
    """
    def __contains__(self, name: str) -> bool: ...
    @typing.overload
    def __getitem__(self, name: str) -> ValueShape: ...
    @typing.overload
    def __getitem__(self, value: Value) -> ValueShape: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __iter__(self) -> collections.abc.Iterator[str]:
        """
        Names as in `items`.
        """
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def _repr_pretty_(self, printer: typing.Any, cycle: bool) -> None:
        """
        For IPython: the table.
        """
    def demands(self) -> list[SizeDemand]:
        """
        What the nodes need of sizes, each once, with where the sizes come from.
        """
    def items(self) -> list[tuple[str, ValueShape]]:
        """
        Inputs of the main graph, then the outputs of its nodes in order of execution.
        """
    def size_conflicts(self) -> list[SizeConflict]:
        """
        What cannot hold, with where both sides come from.
        """
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @typing.overload
    def why(self, value: str, axis: typing.SupportsInt | typing.SupportsIndex | None = None) -> Why:
        """
        Where a size of a value of the main graph comes from: with `axis` that one, else all of them.
        """
    @typing.overload
    def why(self, value: Value, axis: typing.SupportsInt | typing.SupportsIndex | None = None) -> Why:
        """
        The same of any value.
        """
    @property
    def conflicts(self) -> list[Conflict]:
        """
        What cannot hold for any size, in execution order; branches that are never taken are left out.
        """
    @property
    def mismatches(self) -> list[tuple[Value, str]]:
        """
        Values for which the file claims what cannot be, each with the reason.
        """
    @property
    def model(self) -> Model:
        """
        The model that they are of.
        """
    @property
    def obligations(self) -> list[Obligation]:
        """
        What holds for some sizes only, in execution order.
        """

class Target:
    """
    The TensorRT release and the hardware that a model is checked for.
    """
    @typing.overload
    def __init__(
        self,
        *,
        release: str | None = None,
        precision: collections.abc.Sequence[str] = [],
        compute_capability: str | None = None,
        dla: bool = False,
        strongly_typed: bool = False,
        plugins: collections.abc.Sequence[str] = [],
        profile: collections.abc.Sequence[str] = [],
        require_profile: bool = False,
        shape_functions: collections.abc.Sequence[
            tuple[str, collections.abc.Sequence[str], str, collections.abc.Callable[[typing.Any], list[str]] | None]
        ] = [],
    ) -> None: ...
    @typing.overload
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def compute_capability(self) -> str | None:
        """
        Of the GPU, "8.6"; None: not stated.
        """
    @property
    def dla(self) -> bool:
        """
        Layers are to run on NVIDIA's DLA, with GPU fallback.
        """
    @property
    def plugins(self) -> list[str]:
        """
        Operators that the user's plugins serve.
        """
    @property
    def precision(self) -> list[str]:
        """
        Precisions beyond FP32; empty when not stated.
        """
    @property
    def profile(self) -> dict[str, tuple[list[int], list[int], list[int]]]:
        """
        Smallest, best and largest shape of each input.
        """
    @property
    def release(self) -> str:
        """
        "10.13"
        """
    @property
    def require_profile(self) -> bool:
        """
        Nothing but a profile gives sizes: dynamic inputs without one are reported.
        """
    @property
    def shape_functions(self) -> list[str]:
        """
        Operators whose shapes the user states.
        """
    @property
    def strongly_typed(self) -> bool:
        """
        The network is made strongly typed, where that is a choice (9.0 to 10.16).
        """

class Rule:
    """
    One thing that a check looks for.
    """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def certainty(self) -> typing.Literal["proven", "likely", "possible"]:
        """
        The highest certainty that it reports.
        """
    @property
    def code(self) -> str:
        """
        "QDQ104": family and number, for ever.
        """
    @property
    def docs(self) -> str:
        """
        Markdown.
        """
    @property
    def evidence(self) -> list[str]:
        """
        Sources, most direct first.
        """
    @property
    def fix(self) -> typing.Literal["safe", "unsafe", "display", "none"]:
        """
        What its fixes can promise: "safe" keeps the outputs.
        """
    @property
    def messages(self) -> list[str]:
        """
        What TensorRT prints when it meets the defect, `*` for what varies.
        """
    @property
    def name(self) -> str:
        """
        The defect: "residual-not-quantized".
        """
    @property
    def ops(self) -> list[str]:
        """
        Operators it looks at; empty: whole models.
        """
    @property
    def severity(self) -> typing.Literal["error", "warning", "info"]:
        """
        The highest severity that it reports.
        """
    @property
    def since(self) -> str:
        """
        The version of trtcheck that brought it.
        """
    @property
    def summary(self) -> str:
        """
        What it finds, one line.
        """

class MessageMatch:
    """
    A rule that explains a message of TensorRT.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def facts(self) -> list[str]:
        """
        Ids of the facts that explain it, where the rule tells several: "pad-mode".
        """
    @property
    def op_type(self) -> str:
        """
        The operator whose importer prints it; "": any, or several.
        """
    @property
    def rule(self) -> Rule:
        """
        The rule that explains it.
        """
    @property
    def text(self) -> str:
        """
        What was recognised, `*` for what varies.
        """
    @property
    def words(self) -> int:
        """
        How many words agree; more is more specific.
        """

class LogMatch:
    """
    A line of a log that some rule explains.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def line(self) -> int:
        """
        Counted from 1.
        """
    @property
    def matches(self) -> list[MessageMatch]:
        """
        The most specific first.
        """
    @property
    def message(self) -> str:
        """
        The line, without time stamp and severity.
        """

class SourceLocation:
    """
    A line of the PyTorch program that the model was exported from.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def code(self) -> str:
        """
        The text of the line; "" when not recorded.
        """
    @property
    def file(self) -> str:
        """
        As the exporter recorded it.
        """
    @property
    def function(self) -> str:
        """
        "" when not recorded.
        """
    @property
    def line(self) -> int:
        """
        Counted from 1.
        """

class Note:
    """
    One step in the chain of reasons.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def library(self) -> SourceLocation | None:
        """
        The line of the library that `source` called, if any.
        """
    @property
    def message(self) -> str:
        """
        One line.
        """
    @property
    def node(self) -> str:
        """
        The node that it is about, or "".
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of that node, when the exporter recorded it.
        """

class Fix:
    """
    The remedy.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def applicability(self) -> typing.Literal["safe", "unsafe", "display", "none"]:
        """
        "safe" keeps the outputs, "unsafe" needs your consent, "display" is words only.
        """
    @property
    def library(self) -> SourceLocation | None:
        """
        The line of the library that `source` called, if any.
        """
    @property
    def node(self) -> str:
        """
        The node to change; "" when that is the node of the finding, or none.
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of that node, when the exporter recorded it.
        """
    @property
    def title(self) -> str:
        """
        Imperative, one line.
        """

class Finding:
    """
    One thing that a check found. The attributes are those of the JSON output.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def picture(self) -> str:
        """
        The nodes around it as an SVG; "" when it is about no node, follows from another or is beyond the 500th.
        """
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def certainty(self) -> typing.Literal["proven", "likely", "possible"]:
        """
        Of this finding; at most that of the rule.
        """
    @property
    def code(self) -> str:
        """
        "QDQ104"
        """
    @property
    def consequences(self) -> list[Finding]:
        """
        Findings that follow from this one.
        """
    @property
    def cures(self) -> list[str]:
        """
        Repairs that `fix` would try, in order; whether one helps, only trying tells.
        """
    @property
    def evidence(self) -> list[str]:
        """
        Sources, most direct first.
        """
    @property
    def fact(self) -> str:
        """
        "pad-mode": which of the facts that the rule tells; "" = it tells one.
        """
    @property
    def fingerprint(self) -> str:
        """
        16 hexadecimal digits, the same for the same defect in a new export of the model.
        """
    @property
    def fix(self) -> Fix | None:
        """
        The remedy, when there is one.
        """
    @property
    def graph(self) -> str:
        """
        "main", "main/If_3.then_branch", ...
        """
    @property
    def group(self) -> str:
        """
        16 hexadecimal digits that findings of one model share which have one cause; "" = no other has its cause.
        """
    @property
    def library(self) -> SourceLocation | None:
        """
        The innermost line of an installed package that `source` called, if any.
        """
    @property
    def message(self) -> str:
        """
        One line.
        """
    @property
    def module(self) -> str:
        """
        Path of the PyTorch module: "encoder.layers.10"; "" when not recorded.
        """
    @property
    def name(self) -> str:
        """
        "residual-not-quantized"
        """
    @property
    def node(self) -> str:
        """
        Name of the node, or OpType_position; "" when it concerns the whole model.
        """
    @property
    def notes(self) -> list[Note]:
        """
        The chain of reasons.
        """
    @property
    def of_other_releases(self) -> bool:
        """
        It is likely because it is known of other releases; a note says which.
        """
    @property
    def op_type(self) -> str:
        """
        Operator of the node; "" without a node.
        """
    @property
    def rule(self) -> Rule:
        """
        The rule that found it.
        """
    @property
    def severity(self) -> typing.Literal["error", "warning", "info"]:
        """
        Of this finding; at most that of the rule, unless overridden.
        """
    @property
    def signature(self) -> list[str]:
        """
        One line for each input of the node: "x: FLOAT[N,4,H,W]".
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The recorded line of the PyTorch program: the innermost one outside of installed packages, if there is one.
        """
    @property
    def value(self) -> str:
        """
        The tensor at fault, or "".
        """
    @property
    def witness(self) -> str:
        """
        What NVIDIA's own builder says of it, where it was asked; else "".
        """

class Suppressed:
    """
    A finding that somebody does not want to hear of.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def by(self) -> typing.Literal["model", "node", "settings", "baseline"]:
        """
        Metadata of the "model" or of a "node", "settings" (per-node-ignores), or the "baseline".
        """
    @property
    def finding(self) -> Finding:
        """
        As it would have been reported.
        """
    @property
    def reason(self) -> str:
        """
        As it was written; "" when none was given.
        """

class Report:
    """
    What a check found, sorted: errors first, then by place in the model.

    Iterates over its findings; `str()` is the full text, `to_json()` what the command line prints as JSON.
    """
    def __bool__(self) -> bool:
        """
        A report is true, also without findings; ask `ok`.
        """
    def __getitem__(self, index: typing.SupportsInt | typing.SupportsIndex) -> Finding: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __iter__(self) -> collections.abc.Iterator[Finding]: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _renamed(self, path: bytes) -> Report: ...
    def _repr_html_(self) -> str: ...
    def _repr_pretty_(self, printer: typing.Any, cycle: bool) -> None:
        """
        For IPython: the full text.
        """
    def _with_remarks(self, path: str, remarks: collections.abc.Sequence[str]) -> Report: ...
    def fix(self, **kwargs: typing.Any) -> trtcheck._fix.Fixed:
        """
        `trtcheck.fix` of the model that was checked, for the same target; other options are given again.
        """
    def raise_for_errors(self) -> None:
        """
        Raises `trtcheck.ConversionError` when the verdict is "refused".
        """
    def render(
        self,
        format: str = "full",
        *,
        color: bool = False,
        width: typing.SupportsInt | typing.SupportsIndex = 100,
        fail_on: str = "error",
        show_all: bool = False,
    ) -> str:
        """
        This report in an output format; see `trtcheck.render`.
        """
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck check --output-format json` prints for this model.
        """
    @property
    def errors(self) -> list[Finding]:
        """
        TensorRT refuses the model for every allowed shape. Consequences of other findings are among them.
        """
    @property
    def findings(self) -> list[Finding]:
        """
        First cause first; what follows from one stands in its `consequences`.
        """
    @property
    def groups(self) -> list[list[Finding]]:
        """
        `findings` by cause: those that share a `Finding.group`, in the place of the first of them.
        """
    @property
    def infos(self) -> list[Finding]:
        """
        Cost or advice.
        """
    @property
    def node_count(self) -> int:
        """
        Of all graphs.
        """
    @property
    def ok(self) -> bool:
        """
        True unless the verdict is "refused".
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def remarks(self) -> list[str]:
        """
        What was said about the way to the model, by `trtcheck.torch.check_module`.
        """
    @property
    def suppressed(self) -> int:
        """
        Number of findings left out: by `select` and `ignore`, and all that are in `suppressions`.
        """
    @property
    def suppressions(self) -> list[Suppressed]:
        """
        Findings left out by metadata of the model, per-node-ignores, or a baseline.
        """
    @property
    def target(self) -> Target:
        """
        What was checked for.
        """
    @property
    def unlisted(self) -> dict[str, int]:
        """
        How many findings are not listed, by rule code: of a rule and severity `findings` has the first 2,000.
        """
    @property
    def unmatched(self) -> list[str]:
        """
        Options that had nothing to do in this model, one line each.
        """
    @property
    def verdict(self) -> typing.Literal["clean", "uncertain", "refused"]:
        """
        "refused" with an error, "uncertain" with a warning, else "clean".
        """
    @property
    def warnings(self) -> list[Finding]:
        """
        TensorRT refuses for some shape, computes something else, or it could not be proved.
        """

class Skeleton:
    """
    Which bytes of a model are needed, found out while they are fetched.
    """
    def __init__(self, size: typing.SupportsInt | typing.SupportsIndex) -> None: ...
    def holes(self) -> list[tuple[int, int]]: ...
    def next(
        self, memory: typing_extensions.Buffer, fetched: typing.SupportsInt | typing.SupportsIndex
    ) -> tuple[int, int] | None: ...

class FarFile:
    """
    What was found of a file beside a model at a URL.
    """
    @staticmethod
    def directory() -> FarFile: ...
    @staticmethod
    def found(
        size: typing.SupportsInt | typing.SupportsIndex | None,
        parts: collections.abc.Sequence[tuple[typing.SupportsInt | typing.SupportsIndex, bytes]],
    ) -> FarFile: ...
    @staticmethod
    def missing() -> FarFile: ...
    @staticmethod
    def unknown(why: str) -> FarFile: ...

class MeasuredTensor:
    """
    What one tensor reached on samples. Counts are of elements, over all samples.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def dtype(self) -> DataType | int:
        """
        As it was measured.
        """
    @property
    def elements(self) -> int:
        """
        That were looked at.
        """
    @property
    def inf(self) -> int:
        """
        Infinite and greater than 0.
        """
    @property
    def max(self) -> float | None:
        """
        The largest finite one; None: none is finite.
        """
    @property
    def min(self) -> float | None:
        """
        The smallest finite one; None: none is finite.
        """
    @property
    def name(self) -> str:
        """
        Of the value.
        """
    @property
    def nan(self) -> int:
        """
        NaN.
        """
    @property
    def neg_inf(self) -> int:
        """
        Infinite and less than 0.
        """
    @property
    def zeros(self) -> int:
        """
        0 and -0.
        """

class Ranges:
    """
    What the tensors of a model reached on samples.

    Made by `trtcheck.measure_ranges` or read by `trtcheck.read_ranges`; `ranges["x"]` is the tensor of that name. It
    belongs to one graph: the operators of the model and the names of its tensors, not its weights.
    """
    def __contains__(self, name: str) -> bool: ...
    def __getitem__(self, name: str) -> MeasuredTensor: ...
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_json(self) -> str:
        """
        The text of the file that `save` writes.
        """
    @property
    def graph(self) -> str:
        """
        Hash of the graph that it belongs to.
        """
    @property
    def left_out(self) -> int:
        """
        Floating point tensors inside of bodies and functions, and of types that could not be read.
        """
    @property
    def model(self) -> str:
        """
        Path of the model, for readers.
        """
    @property
    def samples(self) -> int:
        """
        How often the model ran.
        """
    @property
    def tensors(self) -> list[MeasuredTensor]:
        """
        Inputs of the network, then in the order of the graph.
        """

class Analysis:
    """
    A model to be checked against several targets; made by `trtcheck.analyze`.

    What has to be known of it is found out once: targets with the same profile share it. Checks of one analysis run one
    after the other, whatever thread asks.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    @property
    def model(self) -> Model:
        """
        The model.
        """

class BaselineEntry:
    """
    One known finding, or several that share a fingerprint.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def code(self) -> str:
        """
        Of the rule.
        """
    @property
    def count(self) -> int:
        """
        How many findings share it.
        """
    @property
    def fact(self) -> str:
        """
        Which of the facts that the rule tells; or "".
        """
    @property
    def fingerprint(self) -> str:
        """
        See `Finding.fingerprint`.
        """
    @property
    def message(self) -> str:
        """
        Of one of them, for readers.
        """
    @property
    def model(self) -> str:
        """
        Relative to the folder of the baseline.
        """
    @property
    def severity(self) -> typing.Literal["error", "warning", "info"]:
        """
        That was accepted; the same finding with a higher one is new.
        """

class Baseline:
    """
    Findings that are known and accepted for now.

    The command line writes the file: `trtcheck check --baseline FILE --update-baseline`.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def apply(self, report: Report) -> Report:
        """
        A copy of the report in which the known findings are among the `suppressions`.
        """
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The document in the file, as it is written.
        """
    @property
    def entries(self) -> list[BaselineEntry]:
        """
        Sorted by model, code and fingerprint.
        """
    @property
    def path(self) -> str:
        """
        Of the file.
        """

class WhyStep:
    """
    One place on the way from a size back to where it comes from.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def axis(self) -> int | None:
        """
        Of the tensor; None: an element, or the shape as a whole.
        """
    @property
    def element(self) -> int | None:
        """
        Of its contents.
        """
    @property
    def graph(self) -> str:
        """
        Path of its graph.
        """
    @property
    def kind(self) -> str:
        """
        "input", "constant", "computed", "decided" (by the node alone), "claimed" (by the file) or "unknown".
        """
    @property
    def module(self) -> str | None:
        """
        Of the PyTorch program.
        """
    @property
    def node(self) -> str | None:
        """
        Label of the node that makes the tensor.
        """
    @property
    def op_type(self) -> str | None:
        """
        Of that node.
        """
    @property
    def reason(self) -> str | None:
        """
        Why an unknown begins here.
        """
    @property
    def size(self) -> str:
        """
        "2*N", "64" or "?".
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of the PyTorch program.
        """
    @property
    def sources(self) -> list[int]:
        """
        Places of the steps that it is made of.
        """
    @property
    def text(self) -> str:
        """
        "`y` axis 1".
        """
    @property
    def value(self) -> str:
        """
        Name of the tensor.
        """

class Why:
    """
    Where a size comes from, back to inputs and constants of the model.

    `str()` is what `trtcheck shapes --why` prints.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def axis(self) -> int | None:
        """
        None: all of them.
        """
    @property
    def graph(self) -> str:
        """
        That it is in.
        """
    @property
    def is_cut(self) -> bool:
        """
        There is more of it.
        """
    @property
    def shape(self) -> str:
        """
        "FLOAT[N,64]".
        """
    @property
    def starts(self) -> list[int]:
        """
        Places of the steps that were asked about.
        """
    @property
    def steps(self) -> list[WhyStep]:
        """
        Breadth first.
        """
    @property
    def value(self) -> str:
        """
        That was asked about.
        """

class SizeDemand:
    """
    Something that a node needs of sizes.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def because(self) -> str:
        """
        What needs it.
        """
    @property
    def node(self) -> str:
        """
        Label of the node that needs it first.
        """
    @property
    def op_type(self) -> str:
        """
        Of that node.
        """
    @property
    def others(self) -> int:
        """
        Further nodes that need the same.
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of the PyTorch program.
        """
    @property
    def steps(self) -> list[WhyStep]:
        """
        Where the sizes come from.
        """
    @property
    def text(self) -> str:
        """
        "`past + seq` must equal `mask_len`".
        """

class SizeConflict:
    """
    A `Conflict` with where its two sides come from.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def axis(self) -> int | None:
        """
        Its axis.
        """
    @property
    def message(self) -> str:
        """
        What cannot hold.
        """
    @property
    def node(self) -> str:
        """
        Label of the node where it happens.
        """
    @property
    def op_type(self) -> str:
        """
        Of that node.
        """
    @property
    def sides(self) -> list[str]:
        """
        One line for each side.
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of the PyTorch program.
        """
    @property
    def steps(self) -> list[WhyStep]:
        """
        Where the sizes come from.
        """
    @property
    def taken_as(self) -> str:
        """
        What TensorRT builds where ONNX alone forbids it.
        """
    @property
    def value(self) -> str | None:
        """
        The tensor at fault.
        """

class DiffSide:
    """
    One of the two models of a comparison.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def node_count(self) -> int:
        """
        Of all graphs.
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def release(self) -> str:
        """
        Of TensorRT: "10.13".
        """
    @property
    def suppressed(self) -> int:
        """
        Findings that are left out of the comparison.
        """
    @property
    def verdict(self) -> typing.Literal["clean", "uncertain", "refused"]:
        """
        Of its report.
        """

class InterfaceChange:
    """
    What the caller of the model sees differently.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def after(self) -> str | None:
        """
        As `before`.
        """
    @property
    def before(self) -> str | None:
        """
        "FLOAT[N,3]", a version, names in order; None when it was not there.
        """
    @property
    def kind(self) -> str:
        """
        "input", "output", "order of inputs", "order of outputs", "opset", "IR version" or "producer".
        """
    @property
    def name(self) -> str:
        """
        Of the input, output or opset domain, or "".
        """

class OperatorChange:
    """
    An operator that stands in the model more or less often.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def after(self) -> int:
        """
        How many in the second model.
        """
    @property
    def before(self) -> int:
        """
        How many in the first model.
        """
    @property
    def op_type(self) -> str:
        """
        With its domain, unless it is ONNX's own.
        """

class ShapeChange:
    """
    What is known of the sizes of a tensor that both models have.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def after(self) -> str:
        """
        "FLOAT[N,64]".
        """
    @property
    def before(self) -> str:
        """
        "FLOAT[1,64]".
        """
    @property
    def kind(self) -> str:
        """
        "lost", "gained" or "changed".
        """
    @property
    def reason(self) -> str | None:
        """
        Why something is unknown in the second model, if something is.
        """
    @property
    def value(self) -> str:
        """
        Name of the tensor.
        """

class SymbolChange:
    """
    A named size that has another name in the second model.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def after(self) -> str:
        """
        Its name in the second model.
        """
    @property
    def before(self) -> str:
        """
        Its name in the first model.
        """
    @property
    def tensors(self) -> int:
        """
        How many have it.
        """

class ConstantChange:
    """
    A constant of the first model that the second one computes.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def node(self) -> str:
        """
        Label of the node that computes it.
        """
    @property
    def op_type(self) -> str:
        """
        Of that node.
        """
    @property
    def shape(self) -> str:
        """
        "INT64[4]".
        """
    @property
    def value(self) -> str:
        """
        Name of the tensor.
        """

class Diff:
    """
    Two versions of a model: their findings and their interfaces.

    `str()` is the full text, `to_json()` what the command line prints as JSON.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck diff --output-format json` prints.
        """
    @property
    def after(self) -> DiffSide:
        """
        The second model.
        """
    @property
    def before(self) -> DiffSide:
        """
        The first model.
        """
    @property
    def changes_interface(self) -> bool:
        """
        Whether an input, an output, their types or dims changed.
        """
    @property
    def constants(self) -> list[ConstantChange]:
        """
        Constants that are computed now.
        """
    @property
    def folds_after(self) -> int:
        """
        The same of the second model.
        """
    @property
    def folds_before(self) -> int:
        """
        Nodes of the first model that compute what is known without running it.
        """
    @property
    def gone(self) -> list[Finding]:
        """
        Findings of `before` only.
        """
    @property
    def interface(self) -> list[InterfaceChange]:
        """
        What users of the model would notice.
        """
    @property
    def kept(self) -> list[Finding]:
        """
        Findings of both, as they are in `after`.
        """
    @property
    def new(self) -> list[Finding]:
        """
        Findings of `after` only, the most severe first.
        """
    @property
    def not_compared(self) -> list[str]:
        """
        Shapes that were not compared, and why, in sentences.
        """
    @property
    def operators(self) -> list[OperatorChange]:
        """
        Those whose number changed.
        """
    @property
    def shapes(self) -> list[ShapeChange]:
        """
        Tensors whose sizes are known differently.
        """
    @property
    def symbols(self) -> list[SymbolChange]:
        """
        Named sizes that have other names.
        """

class MatrixRange:
    """
    Neighbouring releases with the same answer.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def deciding(self) -> list[Finding]:
        """
        Errors of a refused model, warnings of an uncertain one, as the newest of them has them; one of each cause.
        """
    @property
    def first(self) -> str:
        """
        The oldest of them: "8.0".
        """
    @property
    def last(self) -> str:
        """
        The newest of them; may be the same.
        """
    @property
    def unlisted(self) -> int:
        """
        How many more such findings are counted only: of a rule and severity the first 200 are listed.
        """
    @property
    def verdict(self) -> typing.Literal["clean", "uncertain", "refused"]:
        """
        Of all of them.
        """

class TakenBy:
    """
    The oldest and newest releases of one product that take a model.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def newest_clean(self) -> str | None:
        """
        The last such release.
        """
    @property
    def newest_not_refused(self) -> str | None:
        """
        The last such release.
        """
    @property
    def oldest_clean(self) -> str | None:
        """
        The first release with nothing to object to; None: there is none.
        """
    @property
    def oldest_not_refused(self) -> str | None:
        """
        The first release that is clean or uncertain; None: all refuse.
        """
    @property
    def product(self) -> str:
        """
        "TensorRT" or "TensorRT-RTX".
        """

class Matrix:
    """
    What each of several releases makes of one model.

    `str()` is the full text, `to_json()` what the command line prints as JSON.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_html(self) -> str:
        """
        A page of its own.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck matrix --output-format json` prints.
        """
    def to_markdown(self) -> str:
        """
        A table for a wiki.
        """
    @property
    def node_count(self) -> int:
        """
        Of all graphs.
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def ranges(self) -> list[MatrixRange]:
        """
        `reports` with neighbours of one answer put together.
        """
    @property
    def reports(self) -> list[Report]:
        """
        One for each release, oldest first, TensorRT before TensorRT-RTX: as from `check`, with 200 findings of a rule.
        """
    @property
    def taken_by(self) -> list[TakenBy]:
        """
        One for each product that was asked, TensorRT first.
        """

class Settings:
    """
    The native part of `trtcheck.Settings`.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def excludes(self, path: bytes) -> bool: ...
    def fails(self, report: Report) -> bool: ...
    def for_model(self, path: bytes) -> Settings: ...
    def toml(self) -> str: ...
    @property
    def baseline(self) -> bytes: ...
    @property
    def fail_on(self) -> str: ...
    @property
    def file(self) -> bytes: ...
    @property
    def ignore(self) -> list[str]: ...
    @property
    def origins(self) -> dict[str, str]: ...
    @property
    def select(self) -> list[str]: ...
    @property
    def target(self) -> Target: ...

class Layer:
    """
    How a layer of the engine is expected to run; made by `trtcheck.layers`.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def at(self) -> Node | None:
        """
        The node that the reason is about; None: the layer itself.
        """
    @property
    def counted_once(self) -> bool:
        """
        It is in the body of a loop whose trip count is not known: `work` is that of one iteration.
        """
    @property
    def node(self) -> Node:
        """
        Of the model.
        """
    @property
    def output(self) -> DataType | int | None:
        """
        Element type that it writes.
        """
    @property
    def reason(
        self,
    ) -> typing.Literal[
        "none",
        "not-quantized",
        "weights-only",
        "data-only",
        "types-differ",
        "operator-between",
        "input-float",
        "output-float",
        "pair-before",
    ]:
        """
        Why it does not run quantized.
        """
    @property
    def type(self) -> DataType | int | None:
        """
        Element type that it computes in; None where not even ONNX's is known.
        """
    @property
    def weights(self) -> DataType | int | None:
        """
        Element type that its weights are stored in for weight-only quantization; None for others.
        """
    @property
    def why(self) -> str:
        """
        The same in words, with the names of the model; empty for none.
        """
    @property
    def work(self) -> int | Dim | None:
        """
        Multiply-accumulates of one run of the model: a number or an expression over the named sizes.

        None: sizes are not known, or there is no formula for the operator.
        """

class AppliedCure:
    """
    A repair that was made.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def picture(self, which: str) -> str:
        """
        The graph around the node as an SVG, "before" the repair or "after" it; "" = none, or beyond the 100th.
        """
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def after(self) -> list[str]:
        """
        What stands there now.
        """
    @property
    def before(self) -> list[str]:
        """
        Nodes that were changed, as ONNX text.
        """
    @property
    def code(self) -> str:
        """
        Of the finding.
        """
    @property
    def cure(self) -> str:
        """
        Its name.
        """
    @property
    def fact(self) -> str:
        """
        Of the finding; "" = none.
        """
    @property
    def graph(self) -> str:
        """
        Of the node.
        """
    @property
    def kind(self) -> str:
        """
        "proven", "rounding", "interface" or "choice".
        """
    @property
    def message(self) -> str:
        """
        Of the finding.
        """
    @property
    def node(self) -> str:
        """
        Label of the node.
        """
    @property
    def op_type(self) -> str:
        """
        Of the node.
        """
    @property
    def round(self) -> int:
        """
        In which round it was made, from 1.
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        Line of the PyTorch program; None: not recorded.
        """
    @property
    def title(self) -> str:
        """
        What was done.
        """

class LeftFinding:
    """
    An error or a warning that remains after repairs.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def code(self) -> str:
        """
        Of the finding.
        """
    @property
    def cure(self) -> str:
        """
        The cure that would be made if its class were asked for; "" = none.
        """
    @property
    def fact(self) -> str:
        """
        Of the finding; "" = none.
        """
    @property
    def message(self) -> str:
        """
        Of the finding.
        """
    @property
    def node(self) -> str:
        """
        Label of the node.
        """
    @property
    def reason(self) -> str:
        """
        Why it remains.
        """
    @property
    def severity(self) -> typing.Literal["error", "warning", "info"]:
        """
        Of the finding.
        """

class Cure:
    """
    One kind of repair.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def findings(self) -> list[str]:
        """
        What it repairs: "OPS401:pad-mode".
        """
    @property
    def kind(self) -> str:
        """
        The least that it promises.
        """
    @property
    def name(self) -> str:
        """
        Lower-case words with hyphens.
        """
    @property
    def summary(self) -> str:
        """
        One line.
        """

class FixedModel:
    def content(self) -> bytes: ...
    def write(self, output: bytes, data: str) -> Report: ...
    @property
    def after(self) -> Report: ...
    @property
    def applied(self) -> list[AppliedCure]: ...
    @property
    def before(self) -> Report: ...
    @property
    def left(self) -> list[LeftFinding]: ...

class Simplification:
    """
    A change that was made to simplify a model.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def after(self) -> list[str]:
        """
        What stands there now; [] = nothing.
        """
    @property
    def before(self) -> list[str]:
        """
        The node, as ONNX text.
        """
    @property
    def graph(self) -> str:
        """
        Of the node.
        """
    @property
    def kind(self) -> str:
        """
        "proven", "rounding", "interface" or "choice".
        """
    @property
    def name(self) -> str:
        """
        Its kind: "constant-stored".
        """
    @property
    def node(self) -> str:
        """
        Label of the node; "" = the whole model.
        """
    @property
    def op_type(self) -> str:
        """
        Of the node.
        """
    @property
    def pass_(self) -> int:
        """
        In which pass it was made, from 1; 0 = before.
        """
    @property
    def title(self) -> str:
        """
        What was done.
        """

class ModelCounts:
    """
    How large a model is.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def constants(self) -> int:
        """
        Initializers.
        """
    @property
    def file_bytes(self) -> int:
        """
        Size of the file, without external data.
        """
    @property
    def nodes(self) -> int:
        """
        Of the main graph and of bodies.
        """
    @property
    def shapes(self) -> int:
        """
        Shape and Size among them.
        """

class SimplificationKind:
    """
    One kind of change.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def kind(self) -> str:
        """
        The least that it promises.
        """
    @property
    def name(self) -> str:
        """
        Lower-case words with hyphens.
        """
    @property
    def summary(self) -> str:
        """
        One line.
        """

class SimplifiedModel:
    def content(self) -> bytes: ...
    def write(self, output: bytes) -> None: ...
    @property
    def after(self) -> ModelCounts: ...
    @property
    def applied(self) -> list[Simplification]: ...
    @property
    def before(self) -> ModelCounts: ...
    @property
    def is_changed(self) -> bool: ...
    @property
    def left(self) -> list[str]: ...

class AnnotatedModel:
    def content(self) -> bytes: ...
    def write(self, output: bytes) -> None: ...
    @property
    def added(self) -> int: ...
    @property
    def contradictions(self) -> list[tuple[str, str, str]]: ...
    @property
    def impossible(self) -> list[tuple[str, str, str, str]]: ...
    @property
    def is_changed(self) -> bool: ...
    @property
    def refined(self) -> int: ...
    @property
    def unknown(self) -> list[tuple[str, str, str]]: ...

class CutTensor:
    """
    An input or output of a part of a model.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def is_new(self) -> bool:
        """
        The model itself does not have it as one.
        """
    @property
    def name(self) -> str:
        """
        Of the tensor.
        """
    @property
    def type(self) -> str:
        """
        "FLOAT[N,64,56,56]".
        """

class PartCounts:
    """
    What is in a model, or in a part of it.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def functions(self) -> int:
        """
        Model-local ones.
        """
    @property
    def nodes(self) -> int:
        """
        Of the main graph and of bodies.
        """
    @property
    def weight_bytes(self) -> int:
        """
        Of their data, external data included.
        """
    @property
    def weights(self) -> int:
        """
        Initializers.
        """

class ExtractedModel:
    def content(self) -> bytes: ...
    def write(self, output: bytes, data: str) -> None: ...
    @property
    def after(self) -> PartCounts: ...
    @property
    def before(self) -> PartCounts: ...
    @property
    def inputs(self) -> list[CutTensor]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def outputs(self) -> list[CutTensor]: ...

class AxisCondition:
    """
    A condition that a node puts on a dynamic axis.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def node(self) -> str:
        """
        Label of the node that forces it; "" = none.
        """
    @property
    def number(self) -> int:
        """
        Of "fixed", "multiples", "at-most" and "at-least".
        """
    @property
    def op_type(self) -> str:
        """
        Of that node.
        """
    @property
    def other(self) -> str:
        """
        Of "equal": the other axis.
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of the PyTorch program that the node comes from.
        """
    @property
    def state(self) -> str:
        """
        As of an axis.
        """
    @property
    def text(self) -> str:
        """
        "only multiples of 16".
        """
    @property
    def why(self) -> str:
        """
        What the node needs; "" = not known.
        """

class DynamicAxis:
    """
    A size that is not known when a model is exported.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def conditions(self) -> list[AxisCondition]:
        """
        What the model asks of it; [] = it is free.
        """
    @property
    def name(self) -> str:
        """
        "batch"; "x.dim2" of an axis without a name.
        """
    @property
    def places(self) -> list[str]:
        """
        Where it stands: ["axis 0 of `x`"].
        """
    @property
    def reaches(self) -> str:
        """
        The first node that it reaches; "" = none.
        """
    @property
    def size(self) -> int:
        """
        What it was pinned to for the comparison; 0: of an output.
        """
    @property
    def state(self) -> str:
        """
        "free", "equal", "fixed", "multiples", "at-most", "at-least", "some", "tied", "none", "computed", "data".
        """

class AxisCause:
    """
    A finding that is there because axes are dynamic.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def finding(self) -> Finding:
        """
        With all axes dynamic.
        """
    @property
    def has_all_sets(self) -> bool:
        """
        False: there may be more sets, looking for them would cost too much.
        """
    @property
    def sets(self) -> list[list[str]]:
        """
        Each set of axes alone is enough; the smallest first.
        """

class FixedAxis:
    """
    An axis that came out as a number.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def is_asked(self) -> bool:
        """
        It was asked for.
        """
    @property
    def number(self) -> int:
        """
        In the file.
        """
    @property
    def place(self) -> str:
        """
        "axis 0 of `mask`".
        """
    @property
    def why(self) -> str:
        """
        What may have happened.
        """

class AxesReport:
    """
    What the dynamic axes of a model may be, and which of them cause its findings.

    `str()` is the full text, `to_json()` what the command line prints as JSON.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_html(self) -> str:
        """
        The page that `trtcheck axes --output-format html` writes.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck axes --output-format json` prints.
        """
    @property
    def axes(self) -> list[DynamicAxis]:
        """
        Of inputs, in their order.
        """
    @property
    def caused(self) -> list[AxisCause]:
        """
        Findings that dynamic axes cause, worst first.
        """
    @property
    def checks(self) -> int:
        """
        How many checks were made.
        """
    @property
    def dynamic_axes(self) -> str:
        """
        Python for torch.onnx.export(dynamo=False).
        """
    @property
    def dynamic_shapes(self) -> str:
        """
        Python for torch.export; "" = no axis is left.
        """
    @property
    def fix_command(self) -> str:
        """
        `trtcheck fix --static ...`; "" = nothing has to be pinned.
        """
    @property
    def fixed(self) -> list[FixedAxis]:
        """
        Axes that came out as numbers.
        """
    @property
    def outputs(self) -> list[DynamicAxis]:
        """
        Symbols that only outputs have.
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def pins(self) -> dict[str, int]:
        """
        The smallest set of axes to pin, with sizes that fit.
        """
    @property
    def pins_suffice(self) -> bool:
        """
        Whether a check with these axes pinned has none of the findings left.
        """
    @property
    def remaining(self) -> int:
        """
        Errors and warnings that stay when all axes are numbers.
        """

class WeightBytes:
    """
    Weights of one element type.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def bytes(self) -> int:
        """
        Of their data.
        """
    @property
    def count(self) -> int:
        """
        Tensors.
        """
    @property
    def type(self) -> str:
        """
        "FLOAT".
        """

class LiveTensor:
    """
    A tensor that is there at the peak.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def bytes(self) -> int:
        """
        Of its data.
        """
    @property
    def name(self) -> str:
        """
        Of the tensor.
        """
    @property
    def node(self) -> str:
        """
        Label of the node that makes it.
        """
    @property
    def op_type(self) -> str:
        """
        Of that node.
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of the PyTorch program that the node comes from.
        """
    @property
    def type(self) -> str:
        """
        "FLOAT[8,64,112,112]".
        """

class MemoryPoint:
    """
    Memory at one size of the inputs, in bytes.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def fused_peak(self) -> int:
        """
        The same when pointwise operators write over what they read.
        """
    @property
    def inputs(self) -> int:
        """
        Of all inputs.
        """
    @property
    def live(self) -> list[int]:
        """
        While each node of the main graph runs, in order of execution.
        """
    @property
    def name(self) -> str:
        """
        "min", "opt", "max" or "static".
        """
    @property
    def outputs(self) -> int:
        """
        Of all outputs.
        """
    @property
    def peak(self) -> int:
        """
        Of those that live at the same time, at most.
        """
    @property
    def peak_node(self) -> str:
        """
        Label of the node that runs then; "" = there are no activations.
        """
    @property
    def peak_op_type(self) -> str:
        """
        Of that node.
        """
    @property
    def peak_tensors(self) -> list[LiveTensor]:
        """
        That live then, the largest first.
        """
    @property
    def sum(self) -> int:
        """
        Of all activations, if each had a place of its own.
        """
    @property
    def unknown(self) -> int:
        """
        Results whose size is not known: they are not counted.
        """

class MemoryWarning:
    """
    Something that memory may fail of.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def node(self) -> str:
        """
        Label of the node; "" = none.
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of the PyTorch program that the node comes from.
        """
    @property
    def text(self) -> str:
        """
        One line.
        """

class MemoryReport:
    """
    How much memory a model needs.

    `str()` is the full text, `to_json()` what the command line prints as JSON.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_html(self) -> str:
        """
        The page that `trtcheck memory --output-format html` writes.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck memory --output-format json` prints.
        """
    @property
    def is_proposed(self) -> bool:
        """
        The sizes are those that `propose_profile` chose.
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def points(self) -> list[MemoryPoint]:
        """
        At min, opt and max, or static alone.
        """
    @property
    def profile(self) -> dict[str, tuple[list[int], list[int], list[int]]]:
        """
        Smallest, best and largest shape by input.
        """
    @property
    def warnings(self) -> list[MemoryWarning]:
        """
        In the order of the graph.
        """
    @property
    def weight_bytes(self) -> int:
        """
        Sum of them.
        """
    @property
    def weights(self) -> list[WeightBytes]:
        """
        By type, most bytes first.
        """

class CrossingTensor:
    """
    A tensor between a piece and what is around it.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def bytes(self) -> int | None:
        """
        At the best sizes of the profile; None: they are not known.
        """
    @property
    def is_of_model(self) -> bool:
        """
        It is an input or output of the model.
        """
    @property
    def name(self) -> str:
        """
        Of the tensor.
        """
    @property
    def type(self) -> str:
        """
        "FLOAT[N,64,56,56]".
        """

class OperatorCount:
    """
    Nodes of one operator.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def count(self) -> int:
        """
        Nodes.
        """
    @property
    def op_type(self) -> str:
        """
        "Conv".
        """

class GraphPiece:
    """
    Nodes that the parser accepts together.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def bytes_in(self) -> int:
        """
        Of the inputs whose size is known, those of the model left out.
        """
    @property
    def bytes_out(self) -> int:
        """
        Of the outputs, in the same way.
        """
    @property
    def file(self) -> str:
        """
        That it was written to; "" = none.
        """
    @property
    def graph(self) -> str:
        """
        "main", or the body that it lies in.
        """
    @property
    def inputs(self) -> list[CrossingTensor]:
        """
        That are not weights.
        """
    @property
    def nodes(self) -> list[str]:
        """
        Labels, in the order of execution.
        """
    @property
    def not_built(self) -> list[str]:
        """
        Nodes that the parser accepts and the builder refuses.
        """
    @property
    def number(self) -> int:
        """
        From 1, in the order of execution.
        """
    @property
    def operators(self) -> list[OperatorCount]:
        """
        Most nodes first.
        """
    @property
    def outputs(self) -> list[CrossingTensor]:
        """
        That somebody outside reads.
        """
    @property
    def runs(self) -> bool:
        """
        It becomes an engine.
        """
    @property
    def share(self) -> float | None:
        """
        Of the multiply-accumulates of the model; None: they are not known.
        """
    @property
    def why_not(self) -> str:
        """
        "" = it runs.
        """
    @property
    def without_shape(self) -> list[str]:
        """
        Inputs whose dims the file does not state.
        """

class RefusedNode:
    """
    A node that runs elsewhere, and why.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def code(self) -> str:
        """
        "OPS401:pad-mode"; "" = no finding says so.
        """
    @property
    def graph(self) -> str:
        """
        "main", or the body that it stands in.
        """
    @property
    def inner(self) -> str:
        """
        Label of the node in its bodies that is refused; "" = it is itself.
        """
    @property
    def is_cut_again(self) -> bool:
        """
        It is refused only when its piece stands by itself.
        """
    @property
    def message(self) -> str:
        """
        One line.
        """
    @property
    def node(self) -> str:
        """
        Label of the node of the graph that is cut.
        """
    @property
    def op_type(self) -> str:
        """
        Of that node.
        """
    @property
    def reason(self) -> str:
        """
        "parser", "body", "input", "excluded" or "type".
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of the PyTorch program that the node comes from.
        """

class PartitionOutcome:
    """
    What would become of the model.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def engines(self) -> int:
        """
        Pieces that run.
        """
    @property
    def nodes(self) -> int:
        """
        In them.
        """
    @property
    def share(self) -> float | None:
        """
        Of the multiply-accumulates; None: they are not known.
        """

class PartitionCause:
    """
    Nodes that are refused for one reason.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def after(self) -> PartitionOutcome:
        """
        When these, and those of the causes before, were accepted.
        """
    @property
    def alone(self) -> PartitionOutcome:
        """
        When these alone were accepted.
        """
    @property
    def code(self) -> str:
        """
        "OPS401:pad-mode"; "" = no finding says so.
        """
    @property
    def count(self) -> int:
        """
        Nodes.
        """
    @property
    def message(self) -> str:
        """
        Of the first of its nodes.
        """
    @property
    def op_type(self) -> str:
        """
        "Pad".
        """

class ProviderOption:
    """
    An option of the provider.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def name(self) -> str:
        """
        "trt_op_types_to_exclude".
        """
    @property
    def value(self) -> str:
        """
        As the provider reads it.
        """
    @property
    def why(self) -> str:
        """
        One line.
        """

class PartitionBox:
    """
    A box of the picture.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def name(self) -> str:
        """
        Label of the node; of a piece "piece 1".
        """
    @property
    def op_type(self) -> str:
        """
        Of the node; of a piece "3 Conv, 2 Relu".
        """
    @property
    def piece(self) -> int:
        """
        Number of the piece that it is in; 0 = it runs elsewhere.
        """

class PartitionLink:
    """
    A tensor between two boxes.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def maker(self) -> int:
        """
        Index of a box.
        """
    @property
    def reader(self) -> int:
        """
        Index of a box.
        """
    @property
    def type(self) -> str:
        """
        "FLOAT[N,64,56,56]".
        """
    @property
    def value(self) -> str:
        """
        Name of the tensor.
        """

class PartitionGraph:
    """
    What a picture of the main graph shows.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def boxes(self) -> list[PartitionBox]:
        """
        In the order of execution.
        """
    @property
    def is_condensed(self) -> bool:
        """
        A piece is one box.
        """
    @property
    def left_out(self) -> int:
        """
        Boxes beyond those that can be drawn.
        """
    @property
    def links(self) -> list[PartitionLink]:
        """
        Between them.
        """

class PartitionReport:
    """
    The pieces of one model.

    `str()` is the full text, `to_json()` what the command line prints as JSON.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_html(self) -> str:
        """
        The page that `trtcheck partition --output-format html` prints.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck partition --output-format json` prints.
        """
    @property
    def advised(self) -> PartitionOutcome | None:
        """
        With these options; None: they change nothing.
        """
    @property
    def causes(self) -> list[PartitionCause]:
        """
        The most useful to repair first.
        """
    @property
    def checks(self) -> int:
        """
        Of the model and of its pieces.
        """
    @property
    def graph(self) -> PartitionGraph:
        """
        For a picture.
        """
    @property
    def is_consolidated(self) -> bool:
        """
        ONNX Runtime makes one engine of all pieces.
        """
    @property
    def iterations(self) -> int:
        """
        That the provider needs at most, of 1,000.
        """
    @property
    def nodes(self) -> int:
        """
        Of the main graph that count.
        """
    @property
    def notes(self) -> list[str]:
        """
        What else is to be known.
        """
    @property
    def now(self) -> PartitionOutcome:
        """
        As it is.
        """
    @property
    def options(self) -> list[ProviderOption]:
        """
        For ONNX Runtime; empty without it.
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def pieces(self) -> list[GraphPiece]:
        """
        In the order of execution, those of bodies last.
        """
    @property
    def pieces_found(self) -> int:
        """
        Before that.
        """
    @property
    def profile(self) -> dict[str, tuple[list[int], list[int], list[int]]]:
        """
        Smallest, best and largest shape by dynamic input, those of pieces included.
        """
    @property
    def provider(self) -> str:
        """
        "parser", "TensorrtExecutionProvider", ...
        """
    @property
    def refused(self) -> list[RefusedNode]:
        """
        Nodes that run elsewhere, in the order of execution.
        """
    @property
    def release(self) -> str:
        """
        "10.13", "rtx-1.7".
        """
    @property
    def whole_model(self) -> list[Finding]:
        """
        Errors that are of no node: with one of them nothing runs.
        """

class ReducedModel:
    def content(self) -> bytes: ...
    def write(self, output: bytes, data: str) -> None: ...
    def write_report(self, folder: bytes, versions: collections.abc.Sequence[str]) -> None: ...
    @property
    def after(self) -> PartCounts: ...
    @property
    def before(self) -> PartCounts: ...
    @property
    def finding(self) -> Finding | None: ...
    @property
    def is_partial(self) -> bool: ...
    @property
    def nodes(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def report(self) -> Report: ...
    @property
    def steps(self) -> int: ...

class WeightSparsity:
    """
    Whether the weights of one layer are 2:4 structured sparse.

    Axes and indices are those that the layer sees, after any Transpose.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def axis(self) -> int:
        """
        Of the input channels.
        """
    @property
    def channels(self) -> int:
        """
        Its size; 0 where weights are computed.
        """
    @property
    def first_dense(self) -> list[int]:
        """
        Index of the first value of the first other group; else empty.
        """
    @property
    def groups(self) -> int:
        """
        Of four values, that were looked at.
        """
    @property
    def node(self) -> Node:
        """
        Conv, Gemm or MatMul.
        """
    @property
    def obeying(self) -> int:
        """
        Of them, those with two zeros or more.
        """
    @property
    def sparse_axis(self) -> int | None:
        """
        The axis along which they are sparse, for "wrong-axis".
        """
    @property
    def state(self) -> typing.Literal["sparse", "dense", "wrong-axis", "unaligned", "unread"]:
        """
        "wrong-axis": sparse along another axis. "unaligned": channels are no multiple of 4. "unread": see `why`.
        """
    @property
    def tensor(self) -> Tensor | None:
        """
        The stored tensor; None: the weights are computed.
        """
    @property
    def why(self) -> str:
        """
        Why they could not be looked at; else empty.
        """

class Sparsity:
    """
    Which weights of a model are 2:4 structured sparse; made by `trtcheck.sparsity`.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def share(self) -> float | None:
        """
        Of the multiply-accumulates those with sparse weights, 0 to 1; None: it depends on sizes that nobody gave.
        """
    @property
    def weights(self) -> list[WeightSparsity]:
        """
        In the order of the layers.
        """

class SizeChoice:
    """
    What one dynamic size became, and why. Sizes are elements.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def axes(self) -> list[str]:
        """
        Where it stands: ["axis 0 of `x`"].
        """
    @property
    def max(self) -> int:
        """
        Largest.
        """
    @property
    def min(self) -> int:
        """
        Smallest.
        """
    @property
    def name(self) -> str:
        """
        "batch"; "x.dim2" of an axis without a name.
        """
    @property
    def opt(self) -> int:
        """
        What the engine is tuned for.
        """
    @property
    def why(self) -> str:
        """
        One line.
        """

class ProfileProposal:
    """
    An optimization profile that fits what was inferred.

    `str()` is the full text, `to_json()` what the command line prints as JSON.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck profile --output-format json` prints.
        """
    @property
    def choices(self) -> list[SizeChoice]:
        """
        One for each dynamic size.
        """
    @property
    def commands(self) -> list[str]:
        """
        Lines for a POSIX shell: trtexec, polygraphy convert, polygraphy run, trtcheck check.
        """
    @property
    def findings(self) -> list[Finding]:
        """
        What a check says of this profile, rules SHP and PRF.
        """
    @property
    def fits(self) -> bool:
        """
        Whether no finding is an error.
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def profile(self) -> dict[str, tuple[list[int], list[int], list[int]]]:
        """
        Smallest, best and largest shape by input, as `check` accepts it. Empty: no input is dynamic.
        """
    @property
    def shapeless(self) -> list[str]:
        """
        Inputs that state no shape: nothing is proposed for them.
        """
    @property
    def valued(self) -> list[str]:
        """
        Inputs whose values are a shape: the builder requires values for them, too.
        """

class OneReport:
    """
    All that is said of one model.

    `to_html()` is the page that `trtcheck report` writes, `to_json()` what it prints as JSON.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_html(self) -> str:
        """
        The page that `trtcheck report` writes.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck report --output-format json` prints.
        """
    @property
    def matrix(self) -> Matrix:
        """
        What `matrix` says of all known releases.
        """
    @property
    def path(self) -> str:
        """
        "" for a model from memory.
        """
    @property
    def profile(self) -> ProfileProposal:
        """
        What `propose_profile` says.
        """
    @property
    def report(self) -> Report:
        """
        What `check` says.
        """
    @property
    def verdict(self) -> typing.Literal["clean", "uncertain", "refused"]:
        """
        Of `report`.
        """

class Witness:
    """
    NVIDIA's parser and builder as they are installed on this machine.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def library(self) -> str:
        """
        The file of the builder, or "".
        """
    @property
    def product(self) -> str:
        """
        "TensorRT-RTX" or "TensorRT".
        """
    @property
    def program(self) -> str:
        """
        The program that loads it.
        """
    @property
    def release(self) -> str:
        """
        "1.7.1".
        """
    @property
    def target(self) -> str | None:
        """
        What a prediction is made for that it can judge: "rtx-1.7"; None: no facts are known about that release.
        """

class WitnessMessage:
    """
    Something that the parser or the builder said.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        Its attributes as plain Python values.
        """
    @property
    def graph(self) -> str:
        """
        Of the node: "main"; "" without one.
        """
    @property
    def library(self) -> SourceLocation | None:
        """
        The line of the library that `source` called, if any.
        """
    @property
    def matches(self) -> list[MessageMatch]:
        """
        Rules that explain it, best first.
        """
    @property
    def module(self) -> str:
        """
        Of the node: "encoder.layers.10", or "".
        """
    @property
    def node(self) -> str:
        """
        The node that it is about, or "".
        """
    @property
    def op_type(self) -> str:
        """
        Of the node, or "".
        """
    @property
    def predicted(self) -> bool:
        """
        Whether there is a finding of such a rule, or at that node.
        """
    @property
    def source(self) -> SourceLocation | None:
        """
        The line of the PyTorch program, when the exporter recorded it.
        """
    @property
    def stage(self) -> str:
        """
        "parser" or "builder".
        """
    @property
    def text(self) -> str:
        """
        As it was printed; may have several lines.
        """

class Confirmation:
    """
    A prediction, and what NVIDIA's parser and builder say.

    `str()` is the full text, `to_json()` what the command line prints as JSON.
    """
    def __init__(self, state: tuple[typing.Any, ...]) -> None:
        """
        For pickle.
        """
    def __reduce__(self) -> tuple[typing.Any, tuple[typing.Any, ...]]: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def _is_accepted(self) -> bool: ...
    def _marked(self, report: Report) -> Report: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, typing.Any]:
        """
        The same document as Python values.
        """
    def to_json(self) -> str:
        """
        The JSON document that `trtcheck confirm --output-format json` prints for this model.
        """
    @property
    def agreement(self) -> typing.Literal["agree", "not predicted", "false alarm", "not judged"]:
        """
        "agree"; "not predicted": refused all the same; "false alarm": built all the same; "not judged".
        """
    @property
    def asked(self) -> bool:
        """
        Whether the witness answers for the release that was named: it is of it, or was built from its branch.
        """
    @property
    def build_seconds(self) -> float | None:
        """
        None: it was not built.
        """
    @property
    def engine_bytes(self) -> int | None:
        """
        Size of the engine, None without one.
        """
    @property
    def messages(self) -> list[WitnessMessage]:
        """
        Errors, the first 100 in the order in which they came.
        """
    @property
    def parse_seconds(self) -> float | None:
        """
        None: it was not parsed.
        """
    @property
    def path(self) -> str:
        """
        Of the file that both have read.
        """
    @property
    def profile_proposed(self) -> bool:
        """
        Whether part of the profile was not given by the caller. The profile is that of `report.target`.
        """
    @property
    def reason(self) -> str:
        """
        One line, or "" when it was built.
        """
    @property
    def refused(self) -> bool:
        """
        Whether the witness, or the prediction for the release that was named, says that the model does not convert.
        """
    @property
    def report(self) -> Report:
        """
        The prediction for the release of the witness, which its answer is compared with.
        """
    @property
    def requested(self) -> Report | None:
        """
        The prediction for the release that was named; None: that is the one of the witness.
        """
    @property
    def testimony(self) -> typing.Literal["built", "parsed", "refused", "crashed", "not judged"]:
        """
        "built", "parsed" (the builder was not asked), "refused", "crashed" or "not judged".
        """
    @property
    def unlisted_messages(self) -> int:
        """
        How many errors came beyond these.
        """
    @property
    def unlisted_warnings(self) -> int:
        """
        How many warnings the witness counted only.
        """
    @property
    def warnings(self) -> list[str]:
        """
        What was warned of.
        """
    @property
    def witness(self) -> Witness:
        """
        Who was asked.
        """

def analyze(model: Model) -> Analysis: ...
def annotate_file(
    path: bytes,
    *,
    names_unknown: bool,
    only_shapes: bool,
    shape_functions: collections.abc.Sequence[
        tuple[str, collections.abc.Sequence[str], str, collections.abc.Callable[[typing.Any], list[str]] | None]
    ],
) -> AnnotatedModel: ...
def annotate_memory(
    buffer: typing_extensions.Buffer,
    base_dir: bytes,
    *,
    names_unknown: bool,
    only_shapes: bool,
    shape_functions: collections.abc.Sequence[
        tuple[str, collections.abc.Sequence[str], str, collections.abc.Callable[[typing.Any], list[str]] | None]
    ],
) -> AnnotatedModel: ...
def apply_file(path: bytes, edits: list[typing.Any], output: bytes, data: str) -> None: ...
def apply_memory(buffer: typing_extensions.Buffer, edits: list[typing.Any]) -> bytes: ...
def axes(
    model: Model,
    *,
    target: Target,
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    asked: collections.abc.Sequence[str],
) -> AxesReport: ...
@typing.overload
def check(
    model: Model,
    *,
    target: Target,
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    ranges: Ranges | None = None,
    read_weights: bool = False,
) -> Report: ...
@typing.overload
def check(
    model: Analysis,
    *,
    target: Target,
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    ranges: Ranges | None = None,
    read_weights: bool = False,
) -> Report: ...
def check_with(model: Model, settings: Settings) -> Report: ...
def confirm(
    path: bytes,
    name: bytes,
    witness: Witness,
    *,
    target: Target,
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    parse_only: bool,
    propose_profile: bool,
    timeout: typing.SupportsFloat | typing.SupportsIndex,
    memory: typing.SupportsFloat | typing.SupportsIndex,
) -> Confirmation: ...
def confirm_with(
    path: bytes,
    name: bytes,
    witness: Witness,
    settings: Settings,
    *,
    parse_only: bool,
    propose_profile: bool,
    timeout: typing.SupportsFloat | typing.SupportsIndex,
    memory: typing.SupportsFloat | typing.SupportsIndex,
) -> Confirmation: ...
def cures() -> list[Cure]: ...
def diff(before: Model, before_report: Report, after: Model, after_report: Report) -> Diff: ...
def extract_file(
    path: bytes,
    *,
    inputs: collections.abc.Sequence[str],
    outputs: collections.abc.Sequence[str],
    shape_functions: collections.abc.Sequence[
        tuple[str, collections.abc.Sequence[str], str, collections.abc.Callable[[typing.Any], list[str]] | None]
    ],
) -> ExtractedModel: ...
def extract_memory(
    buffer: typing_extensions.Buffer,
    base_dir: bytes,
    *,
    inputs: collections.abc.Sequence[str],
    outputs: collections.abc.Sequence[str],
    shape_functions: collections.abc.Sequence[
        tuple[str, collections.abc.Sequence[str], str, collections.abc.Callable[[typing.Any], list[str]] | None]
    ],
) -> ExtractedModel: ...
def find_models(
    words: collections.abc.Sequence[bytes],
    *,
    settings: Settings | None,
    respect_gitignore: bool | None,
    force_exclude: bool,
) -> tuple[list[bytes], list[tuple[str, str]]]: ...
def find_witnesses(
    path: bytes,
    *,
    program: bytes,
    folders: collections.abc.Sequence[bytes],
    timeout: typing.SupportsFloat | typing.SupportsIndex,
) -> tuple[list[Witness], list[str]]: ...
def fix_file(
    path: bytes,
    *,
    target: Target,
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    classes: collections.abc.Sequence[str],
    cures: collections.abc.Sequence[str],
    rounds: typing.SupportsInt | typing.SupportsIndex,
    sizes: collections.abc.Sequence[tuple[str, collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]]],
    dynamic: collections.abc.Sequence[tuple[str, typing.SupportsInt | typing.SupportsIndex, str]],
) -> FixedModel: ...
def fix_memory(
    buffer: typing_extensions.Buffer,
    base_dir: bytes,
    *,
    target: Target,
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    classes: collections.abc.Sequence[str],
    cures: collections.abc.Sequence[str],
    rounds: typing.SupportsInt | typing.SupportsIndex,
    sizes: collections.abc.Sequence[tuple[str, collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]]],
    dynamic: collections.abc.Sequence[tuple[str, typing.SupportsInt | typing.SupportsIndex, str]],
) -> FixedModel: ...
def fold(model: Model, elements: typing.SupportsInt | typing.SupportsIndex = 1048576) -> dict[str, typing.Any]: ...
def folded_operators() -> list[str]: ...
def format_endings() -> dict[str, str]:
    """
    Formats by the endings of the files that hold them.
    """

def formats() -> list[str]:
    """
    Names of the output formats, as `render` and the command line take them.
    """

def infer(model: Model, *, target: Target, as_tensorrt: bool, assume: collections.abc.Sequence[str] = []) -> Shapes: ...
def layers(model: Model, *, target: Target) -> list[Layer]: ...
def load_settings(folder: bytes, *, config: bytes, search: bool, given: dict[str, typing.Any]) -> Settings: ...
def matrix(
    analysis: Analysis,
    *,
    target: Target,
    releases: collections.abc.Sequence[str],
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
) -> Matrix: ...
def measured_tensor(
    *,
    name: str,
    dtype: DataType,
    elements: typing.SupportsInt | typing.SupportsIndex,
    zeros: typing.SupportsInt | typing.SupportsIndex,
    nan: typing.SupportsInt | typing.SupportsIndex,
    inf: typing.SupportsInt | typing.SupportsIndex,
    neg_inf: typing.SupportsInt | typing.SupportsIndex,
    min: typing.SupportsFloat | typing.SupportsIndex | None,
    max: typing.SupportsFloat | typing.SupportsIndex | None,
) -> MeasuredTensor: ...
def memory(model: Model, *, target: Target) -> MemoryReport: ...
def partition(
    model: Model,
    *,
    target: Target,
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    ort: bool,
    exclude: collections.abc.Sequence[str],
    least_nodes: typing.SupportsInt | typing.SupportsIndex,
    output: bytes | None,
) -> PartitionReport: ...
def propose_profile(model: Model, *, target: Target, dims: collections.abc.Sequence[str]) -> ProfileProposal: ...
def ranges_of(
    model: Model,
    *,
    path: str,
    samples: typing.SupportsInt | typing.SupportsIndex,
    left_out: typing.SupportsInt | typing.SupportsIndex,
    tensors: collections.abc.Sequence[MeasuredTensor],
) -> Ranges: ...
def read_baseline(path: bytes) -> Baseline: ...
def read_file(path: bytes) -> Model: ...
def read_memory(buffer: typing_extensions.Buffer, base_dir: bytes) -> Model: ...
def read_partial(
    buffer: typing_extensions.Buffer,
    path: bytes,
    missing: collections.abc.Sequence[
        tuple[typing.SupportsInt | typing.SupportsIndex, typing.SupportsInt | typing.SupportsIndex]
    ],
    base_dir: bytes,
    fetch: typing.Any,
) -> Model: ...
def read_ranges(path: bytes) -> Ranges: ...
def read_shape_functions(path: bytes) -> list[tuple[typing.Any, ...]]:
    """
    What a file of [[shape]] tables says, for `Target`.
    """

def reduce_model(
    memory: typing.Any,
    path: bytes,
    *,
    target: Target,
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    read_weights: bool,
    finding: str,
    command: str,
    judge: typing.Any,
    timeout: typing.SupportsFloat | typing.SupportsIndex,
    weights: str,
    anonymous: bool,
) -> ReducedModel: ...
def releases() -> list[str]:
    """
    The TensorRT releases with facts, oldest first: "8.0" ... .
    """

def render(
    reports: collections.abc.Sequence[Report],
    failures: collections.abc.Sequence[tuple[str, str]],
    *,
    format: str,
    color: bool,
    width: typing.SupportsInt | typing.SupportsIndex,
    fail_on: str,
    show_all: bool,
) -> str: ...
def render_confirmations(
    values: collections.abc.Sequence[Confirmation],
    failures: collections.abc.Sequence[tuple[str, str]],
    *,
    format: str,
    color: bool,
    width: typing.SupportsInt | typing.SupportsIndex,
) -> str: ...
def render_matrices(
    values: collections.abc.Sequence[Matrix],
    failures: collections.abc.Sequence[tuple[str, str]],
    *,
    format: str,
    color: bool,
    width: typing.SupportsInt | typing.SupportsIndex,
) -> str: ...
def report(
    analysis: Analysis,
    *,
    target: Target,
    dims: collections.abc.Sequence[str],
    select: collections.abc.Sequence[str],
    ignore: collections.abc.Sequence[str],
    ranges: Ranges | None = None,
    read_weights: bool = False,
) -> OneReport: ...
def rtx_releases() -> list[str]:
    """
    The TensorRT-RTX releases with facts, oldest first: "rtx-1.5" ... .
    """

def rule(code_or_name: str) -> Rule:
    """
    One rule by its code (in any case) or name; KeyError when there is none.
    """

def rules() -> list[Rule]:
    """
    All rules, sorted by code.
    """

def rules_for(message: str) -> list[MessageMatch]:
    """
    Rules that explain a message of TensorRT, the most specific first; empty when no rule knows it.

    Punctuation, letter case and numbers do not count, and text around the message is skipped.
    """

def rules_for_log(log: str) -> list[LogMatch]:
    """
    The lines of a log of trtexec or TensorRT that some rule explains, in order; each message once.
    """

def simplifications() -> list[SimplificationKind]: ...
def simplify_file(
    path: bytes,
    *,
    sizes: collections.abc.Sequence[tuple[str, collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]]],
    classes: collections.abc.Sequence[str],
    fuses: bool,
    shape_functions: collections.abc.Sequence[
        tuple[str, collections.abc.Sequence[str], str, collections.abc.Callable[[typing.Any], list[str]] | None]
    ],
) -> SimplifiedModel: ...
def simplify_memory(
    buffer: typing_extensions.Buffer,
    base_dir: bytes,
    *,
    sizes: collections.abc.Sequence[tuple[str, collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]]],
    classes: collections.abc.Sequence[str],
    fuses: bool,
    shape_functions: collections.abc.Sequence[
        tuple[str, collections.abc.Sequence[str], str, collections.abc.Callable[[typing.Any], list[str]] | None]
    ],
) -> SimplifiedModel: ...
def sparsity(model: Model, *, target: Target) -> Sparsity: ...

__version__: str = "0.1.0"
