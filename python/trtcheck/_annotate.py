"""Shapes written into a model, given back as the kind of object that was handed in."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from trtcheck import _core, _given, _options
from trtcheck._errors import Error
from trtcheck._shape_functions import ShapeFunctions, stated


class Contradiction(NamedTuple):
    """A declaration of the model that contradicts what was inferred. It was kept."""

    #: name of the value
    value: str
    #: in which it is: "main", "main/loop.body"
    graph: str
    #: what is declared and what was inferred
    message: str


class UnknownShape(NamedTuple):
    """A value that a node makes and whose rank is unknown."""

    #: its name
    value: str
    #: in which it is: "main", "main/loop.body"
    graph: str
    #: why
    message: str


class ImpossibleNode(NamedTuple):
    """A node that cannot run, whatever the sizes."""

    #: its name, or its operator and position
    node: str
    #: its operator
    op_type: str
    #: in which it is
    graph: str
    #: why it cannot run
    message: str


class Annotated:
    """What `annotate_shapes` made of a model.

    Nothing is written until `write` is called; `model` is the annotated model as the kind of object that was given.
    """

    def __init__(self, native: _core.AnnotatedModel, given: object) -> None:
        self._native = native
        self._given = given

    @property
    def added(self) -> int:
        """How many values had no declaration and have one now."""
        return self._native.added

    @property
    def refined(self) -> int:
        """How many declarations were completed."""
        return self._native.refined

    @property
    def unknown(self) -> list[UnknownShape]:
        """Values that nodes make and whose rank is unknown, each with the reason."""
        return [UnknownShape(*entry) for entry in self._native.unknown]

    @property
    def contradictions(self) -> list[Contradiction]:
        """Declarations of the model that contradict what was inferred. They were kept."""
        return [Contradiction(*entry) for entry in self._native.contradictions]

    @property
    def impossible(self) -> list[ImpossibleNode]:
        """Nodes that cannot run, whatever the sizes. Values after them may be unknown."""
        return [ImpossibleNode(*entry) for entry in self._native.impossible]

    @property
    def is_changed(self) -> bool:
        """Whether anything was added or completed."""
        return self._native.is_changed

    @property
    def model(self) -> Any:
        """The annotated model: bytes for a path or bytes, else an object of the class that was given.

        Raises:
            MemoryError: it is larger than memory; `write` copies without reading weights.
        """
        return _given.as_given(self._native.content(), self._given)

    def write(self, output: str | os.PathLike[str]) -> None:
        """Write the annotated model.

        A file that is there is replaced once all of the new one is written. External data stays where it is.

        Raises:
            Error: it cannot be written, or the model was written to since it was read.
        """
        self._native.write(os.fsencode(output))

    def __repr__(self) -> str:
        return f"<Annotated: {self.added} added, {self.refined} completed, {len(self.contradictions)} contradict>"


def annotate_shapes(
    model: object,
    *,
    strict: bool = False,
    names_unknown: bool = False,
    only_shapes: bool = False,
    shape_functions: ShapeFunctions | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> Annotated:
    """Write inferred types and shapes into a model, without moving a weight.

        annotated = trtcheck.annotate_shapes("model.onnx")
        annotated.write("annotated.onnx")

    Every value that a node makes gets a `value_info` entry, in the bodies of If, Loop and Scan too, and outputs get
    the dims that were left open. Dims are numbers, names of the model, or expressions over these names
    (`2*N + 1`, `floor((H + 1)/2)`), as onnx and ONNX Runtime read them. What the model declares already stays where it
    agrees, is completed where it says less, and stays where it contradicts: `contradictions` says so.

    Args:
        model: as for `check`; a path is read in parts, whatever its size.
        strict: raise an error instead, if a declaration contradicts or a node cannot run.
        names_unknown: give unknown dims a name of their own, `unk__0`, as `onnx.shape_inference` does.
        only_shapes: leave out values of which only the element type is known.
        shape_functions: as for `check`.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read; with `strict`, what contradicts.
        TypeError: `model` is nothing that can be read.
    """
    options: dict[str, Any] = {
        "names_unknown": _options.flag(names_unknown, "names_unknown"),
        "only_shapes": _options.flag(only_shapes, "only_shapes"),
        "shape_functions": stated(shape_functions),
    }
    is_strict = _options.flag(strict, "strict")
    made = Annotated(_given.made_of(model, base_dir, _core.annotate_file, _core.annotate_memory, options), model)
    if is_strict and (problems := problems_of(made)):
        raise Error("", "; ".join(problems[:3]) + (f"; and {len(problems) - 3} more" if len(problems) > 3 else ""))
    return made


def problems_of(made: Annotated) -> list[str]:
    """What strict inference refuses, a line each."""
    nodes = [f"{one.op_type} `{one.node}`: {one.message}" for one in made.impossible]
    return nodes + [one.message for one in made.contradictions]
