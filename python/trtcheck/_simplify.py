"""Simpler models that compute the same, given back as the kind of object that was handed in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trtcheck import _core, _given, _options
from trtcheck._core import ModelCounts, Simplification, SimplificationKind
from trtcheck._shape_functions import ShapeFunctions, stated


class Simplified:
    """What `simplify` made of a model.

    Nothing is written until `write` is called; `model` is the simplified model as the kind of object that was given.
    """

    def __init__(self, native: _core.SimplifiedModel, given: object) -> None:
        self._native = native
        self._given = given

    @property
    def applied(self) -> list[Simplification]:
        """The changes that were made, in order."""
        return self._native.applied

    @property
    def before(self) -> ModelCounts:
        """How large the model was."""
        return self._native.before

    @property
    def after(self) -> ModelCounts:
        """How large it is now."""
        return self._native.after

    @property
    def left(self) -> list[str]:
        """Why something was left as it is, one line each."""
        return self._native.left

    @property
    def is_changed(self) -> bool:
        """Whether anything was changed."""
        return self._native.is_changed

    @property
    def model(self) -> Any:
        """The simplified model: bytes for a path or bytes, else an object of the class that was given.

        Raises:
            MemoryError: it is larger than memory; `write` copies without reading weights.
        """
        return _given.as_given(self._native.content(), self._given)

    def write(self, output: str | os.PathLike[str]) -> None:
        """Write the simplified model.

        A file that is there is replaced once all of the new one is written. External data stays where it is.

        Raises:
            Error: it cannot be written, or the model was written to since it was read.
        """
        self._native.write(os.fsencode(output))

    def __repr__(self) -> str:
        return f"<Simplified: {self.before.nodes} nodes become {self.after.nodes}, {len(self.applied)} changes>"


def simplify(
    model: object,
    *,
    sizes: Mapping[str, int | Sequence[int]] | None = None,
    classes: str | Iterable[str] = ("proven",),
    fuse: bool = False,
    shape_functions: ShapeFunctions | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> Simplified:
    """Write down what shape inference knows of a model, and remove what is not needed, without moving a weight.

        simple = trtcheck.simplify("model.onnx")
        print(simple.before, simple.after)
        simple.write("simple.onnx")

    Inputs and outputs keep their names, types and dims, dynamic sizes stay dynamic, and the model computes the same,
    bit for bit.

    Args:
        model: as for `check`; a path is read in parts, whatever its size.
        sizes: inputs or symbols whose dims become numbers: `{"x": (1, 3, 224, 224), "batch": 1}`.
        classes: which changes may be made: "proven" (the same function, bit for bit), "rounding" (constants are
            computed whose last bit depends on who computes them), "choice" (training mode is turned off).
        fuse: put BatchNormalization, and sums and products with constants, into the weights of the layers before them:
            the same up to rounding, and the only change that computes new weights.
        shape_functions: as for `check`.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, or an option makes no sense.
        TypeError: `model` is nothing that can be read.
    """
    options: dict[str, Any] = {
        "sizes": [(name, _options.dims(size, f"sizes[{name!r}]")) for name, size in (sizes or {}).items()],
        "classes": _options.words(classes, "classes"),
        "fuses": _options.flag(fuse, "fuse"),
        "shape_functions": stated(shape_functions),
    }
    return Simplified(_given.made_of(model, base_dir, _core.simplify_file, _core.simplify_memory, options), model)


def simplifications() -> list[SimplificationKind]:
    """All kinds of changes that `simplify` makes, sorted by name."""
    return _core.simplifications()
