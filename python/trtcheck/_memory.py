"""How much memory a model needs."""

from __future__ import annotations

import os

from trtcheck import _core, _inputs, _options
from trtcheck._core import MemoryReport, Target
from trtcheck._shape_functions import ShapeFunctions


def memory(
    model: object,
    *,
    profile: _options.Profile | None = None,
    target: str | Target | None = None,
    shape_functions: ShapeFunctions | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> MemoryReport:
    """Count weights, inputs and outputs, and the activations that live at the same time, in bytes.

        report = trtcheck.memory("model.onnx", profile={"x": ((1, 3, 224, 224), (4, 3, 224, 224), (8, 3, 224, 224))})
        print(report)
        print(report.points[-1].peak)

    Nodes run in the order of the file, sorted so that each comes after what it reads.

    Args:
        model: as for `check`.
        profile: sizes of dynamic inputs, as for `check`; those of the others are proposed.
        target: the release whose known problems are reported.
        shape_functions: as for `check`.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, or the profile does not fit it.
        TypeError: `model` is nothing that can be read.
    """
    made = _options.make_target(target, (), None, (), profile, shape_functions=shape_functions)
    with _inputs.opened(model, base_dir) as opened:
        return _core.memory(opened, target=made)
