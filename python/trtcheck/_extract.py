"""Parts of models, given back as the kind of object that was handed in."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from trtcheck import _core, _given, _options, _values, edit
from trtcheck._core import CutTensor, PartCounts
from trtcheck._shape_functions import ShapeFunctions, stated


class Extracted:
    """A part of a model.

    Nothing is written until `write` is called; `model` is the part as the kind of object that was given.
    """

    def __init__(self, native: _core.ExtractedModel, given: object) -> None:
        self._native = native
        self._given = given

    @property
    def inputs(self) -> list[CutTensor]:
        """Its inputs: those that are inputs of the model first, then the new ones."""
        return self._native.inputs

    @property
    def outputs(self) -> list[CutTensor]:
        """Its outputs, in the same order."""
        return self._native.outputs

    @property
    def before(self) -> PartCounts:
        """What is in the model."""
        return self._native.before

    @property
    def after(self) -> PartCounts:
        """What is in the part."""
        return self._native.after

    @property
    def notes(self) -> list[str]:
        """What is strange about the cut, one line each."""
        return self._native.notes

    @property
    def model(self) -> Any:
        """The part as a model: bytes for a path or bytes, else an object of the class that was given.

        Raises:
            MemoryError: it is larger than memory; `write` copies without reading weights.
        """
        return _given.as_given(self._native.content(), self._given)

    def write(self, output: str | os.PathLike[str], *, data: edit.DataPlace = "kept") -> None:
        """Write the part.

        A file that is there is replaced once all of the new one is written.

        Args:
            output: where.
            data: where the data of tensors goes, as for `trtcheck.edit.apply`; by default external data stays where it
                is.

        Raises:
            Error: it cannot be written, the model was written to since it was read, or external data is missing or too
                short.
        """
        self._native.write(os.fsencode(output), data)

    def to_dict(self) -> dict[str, Any]:
        """What was cut, as plain Python values."""
        return {
            "inputs": [tensor.to_dict() for tensor in self.inputs],
            "outputs": [tensor.to_dict() for tensor in self.outputs],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "notes": self.notes,
        }

    def _repr_html_(self) -> str:
        rows = [("input", each) for each in self.inputs] + [("output", each) for each in self.outputs]
        table = _values._table(
            ("", "tensor", "type", ""),
            [(word, each.name, each.type, "new" if each.is_new else "") for word, each in rows],
        )
        return _values._line(repr(self)[1:-1]) + table

    def __repr__(self) -> str:
        return f"<Extracted: {self.after.nodes} of {self.before.nodes} nodes, {self.after.weights} weights>"


def extract(
    model: object,
    *,
    inputs: str | Iterable[str] = (),
    outputs: str | Iterable[str] = (),
    shape_functions: ShapeFunctions | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> Extracted:
    """Cut a part out of a model, by the names of tensors, without moving a weight.

        part = trtcheck.extract("model.onnx", inputs="features", outputs=["boxes", "scores"])
        part.write("head.onnx")

    New inputs and outputs are declared with the types and dims that shape inference knows. Only the weights, functions
    and operator sets remain that the part needs.

    Args:
        model: as for `check`; a path is read in parts, whatever its size.
        inputs: tensors that the part begins with; without any, the inputs of the model that it needs.
        outputs: tensors that the part ends with; without any, the outputs of the model.
        shape_functions: as for `check`.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, a name is unknown, or an output needs an input that is not named.
        ValueError: neither inputs nor outputs are given.
        TypeError: `model` is nothing that can be read.
    """
    options: dict[str, Any] = {
        "inputs": _options.words(inputs, "inputs"),
        "outputs": _options.words(outputs, "outputs"),
        "shape_functions": stated(shape_functions),
    }
    if not options["inputs"] and not options["outputs"]:
        raise ValueError("inputs or outputs are required")
    return Extracted(_given.made_of(model, base_dir, _core.extract_file, _core.extract_memory, options), model)
