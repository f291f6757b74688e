"""Shape functions of the user: what comes out of operators that nobody else knows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from trtcheck import _core
from trtcheck._errors import Error

#: An output: a text of the language, (type, dims), or an input of the node.
Output = Any
#: What a function is given, and what it gives: one output, or a list of them.
Function = Callable[["ShapeNode"], Output]
#: A file of [[shape]] tables, functions marked by `shape_function`, or outputs or a function by operator.
ShapeFunctions = str | os.PathLike[str] | Iterable[Function] | Mapping[str, str | Sequence[str] | Function]
_Made = TypeVar("_Made", bound=Callable[..., Any])
_Stated = tuple[str, list[str], str, Callable[..., Any] | None]


@dataclass(frozen=True)
class ShapeSize:
    """A size that is no number: it can be added, subtracted, multiplied and divided by `//`.

    Attributes:
        text: how it is written in the language of shape functions: "in0[1]".
    """

    text: str

    def __str__(self) -> str:
        return self.text

    def __add__(self, other: int | ShapeSize) -> ShapeSize:
        return ShapeSize(f"({self} + {other})")

    def __radd__(self, other: int) -> ShapeSize:
        return ShapeSize(f"({other} + {self})")

    def __sub__(self, other: int | ShapeSize) -> ShapeSize:
        return ShapeSize(f"({self} - {other})")

    def __rsub__(self, other: int) -> ShapeSize:
        return ShapeSize(f"({other} - {self})")

    def __mul__(self, other: int | ShapeSize) -> ShapeSize:
        return ShapeSize(f"({self} * {other})")

    __rmul__ = __mul__

    def __floordiv__(self, other: int | ShapeSize) -> ShapeSize:
        return ShapeSize(f"({self} / {other})")

    def __mod__(self, other: int | ShapeSize) -> ShapeSize:
        return ShapeSize(f"({self} % {other})")


@dataclass(frozen=True)
class ShapeInput:
    """What is known of an input of the node.

    Attributes:
        index: its place.
        dtype: "FLOAT", "" when it is unknown.
        dims: numbers, and a `ShapeSize` for whatever is none; None when not even their number is known.
    """

    index: int
    dtype: str
    dims: list[int | ShapeSize] | None


@dataclass(frozen=True)
class ShapeNode:
    """What a shape function is asked about.

    Attributes:
        domain: of the operator; "" for ONNX's own.
        op_type: name of the operator.
        name: of the node, or what stands for it.
        inputs: one each; None where the node leaves it out.
        attributes: whole numbers, floats, texts and lists of them by name; None for tensors and graphs.
        outputs: how many the node has.
    """

    domain: str
    op_type: str
    name: str
    inputs: list[ShapeInput | None]
    attributes: dict[str, Any]
    outputs: int


def shape_function(op: str) -> Callable[[_Made], _Made]:
    """Mark a function as that of an operator, "mydomain::MyOp".

        @trtcheck.shape_function("mydomain::Merge")
        def merge(node):
            x = node.inputs[0]
            return x.dtype, [x.dims[0], x.dims[1] // node.attributes["by"], *x.dims[2:]]

        shapes = trtcheck.infer_shapes("model.onnx", shape_functions=[merge])

    Nothing is registered: it counts where it is passed as one of `shape_functions`.
    """

    def mark(function: _Made) -> _Made:
        function.trtcheck_op = op  # type: ignore[attr-defined]
        return function

    return mark


def stated(given: ShapeFunctions | None) -> list[_Stated]:
    """As the native part accepts them."""
    if given is None:
        return []
    if isinstance(given, (str, os.PathLike)):
        return _core.read_shape_functions(os.fsencode(given))
    if isinstance(given, Mapping):
        return [_one(op, what) for op, what in given.items()]
    if not isinstance(given, Iterable) or isinstance(given, (bytes, bytearray)):
        raise TypeError(
            f"shape_functions must be a file, a dict by operator or a list of functions, not {_kind(given)}"
        )
    made = list(given)
    for function in made:
        if not hasattr(function, "trtcheck_op"):
            raise TypeError(
                f"shape_functions must hold functions marked by trtcheck.shape_function, not {_kind(function)}"
            )
    return [_one(function.trtcheck_op, function) for function in made]  # type: ignore[attr-defined]


def _one(op: object, what: object) -> _Stated:
    if not isinstance(op, str):
        raise TypeError(f'operators of shape_functions must be named "domain::Op", not {_kind(op)}')
    if callable(what):
        return op, [], "shape_functions", _asked(op, what)
    texts = [what] if isinstance(what, str) else what
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise TypeError(
            f"the shape function of `{op}` must be a function, or one text for each output, not {_kind(what)}"
        )
    return op, list(texts), "shape_functions", None


def _asked(op: str, function: Function) -> Callable[[Any], list[str]]:
    def answer(question: Any) -> list[str]:
        node = _node(question)
        try:
            return _texts(function(node))
        except Error:
            raise
        except Exception as error:
            cause = f"shape function of `{op}`, node `{node.name}`: {type(error).__name__}: {error}"
            raise Error("", " ".join(cause.split())) from error

    return answer


def _node(question: Any) -> ShapeNode:
    domain, op_type, name, inputs, attributes, outputs = question
    made: list[ShapeInput | None] = []
    for index, known in enumerate(inputs):
        if known is None:
            made.append(None)
            continue
        dtype, dims = known
        sizes = None if dims is None else [ShapeSize(f"in{index}[{i}]") if d is None else d for i, d in enumerate(dims)]
        made.append(ShapeInput(index, dtype, sizes))
    return ShapeNode(domain, op_type, name, made, attributes, outputs)


def _texts(given: Output) -> list[str]:
    """A list holds outputs; a tuple is one, (type, dims)."""
    return [_text(output) for output in given] if isinstance(given, list) else [_text(given)]


def _text(output: Output) -> str:
    if isinstance(output, str):
        return output
    if output is None:
        return "?"
    if isinstance(output, ShapeInput):
        return f"in{output.index}"
    if isinstance(output, tuple) and len(output) == 2:
        dtype, dims = output
        if dtype is not None and not isinstance(dtype, str):
            raise TypeError(f'an element type must be a name such as "FLOAT", not {_kind(dtype)}')
        if dims is None:
            return dtype or "?"
        return f"{dtype or '?'}[{', '.join(_size(dim) for dim in dims)}]"
    raise TypeError(f"an output must be a text, (type, dims), an input or None, not {_kind(output)}")


def _size(dim: object) -> str:
    if dim is None:
        return "?"
    if isinstance(dim, bool) or not isinstance(dim, (int, ShapeSize, str)):
        raise TypeError(f"a size must be a whole number, a size of an input or None, not {_kind(dim)}")
    return str(dim)


def _kind(given: object) -> str:
    return type(given).__name__
