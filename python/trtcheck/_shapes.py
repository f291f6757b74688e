"""What is known of values, layers and weights of a model."""

from __future__ import annotations

import os
from collections.abc import Iterable

from trtcheck import _core, _inputs, _options
from trtcheck._core import Layer, Shapes, Sparsity, Target
from trtcheck._shape_functions import ShapeFunctions


def infer_shapes(
    model: object,
    *,
    profile: _options.Profile | None = None,
    as_tensorrt: bool = False,
    shape_functions: ShapeFunctions | None = None,
    assume: str | Iterable[str] = (),
    base_dir: str | os.PathLike[str] | None = None,
) -> Shapes:
    """Element type and dims of every value, in every graph of the model.

    Args:
        model: as for `check`.
        profile: as for `check`; bounds the named sizes.
        as_tensorrt: what TensorRT knows when it builds, which is less: a -1 of Reshape next to a named size stays
            unknown.
        shape_functions: as for `check`.
        assume: what holds of the named sizes: "S % 8 == 0", "1 <= N <= 512", "past + seq == total", "N == 4".
        base_dir: as for `check`.

    Returns:
        Dims in elements: a number, an expression over the named sizes of the inputs, or unknown with a reason.

    Raises:
        Error: the model cannot be read, or the profile or an assumption does not fit it.
        TypeError: `model` is nothing that can be read.
    """
    target = _options.make_target(None, (), None, (), profile, shape_functions=shape_functions)
    with _inputs.opened(model, base_dir) as opened:
        return _core.infer(
            opened,
            target=target,
            as_tensorrt=_options.flag(as_tensorrt, "as_tensorrt"),
            assume=_options.words(assume, "assume"),
        )


def layers(
    model: object,
    *,
    target: str | Target | None = None,
    profile: _options.Profile | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> list[Layer]:
    """How the layers of the engine are expected to run: element type, work, and why they do not run quantized.

        for layer in trtcheck.layers("model.onnx"):
            if layer.reason != "none":
                print(layer.node.name, layer.type, layer.why)

    A forecast by the documented rules of explicit quantization, not what the builder's timing chooses. Listed are
    those that multiply (Conv, ConvTranspose, Gemm, MatMul, LSTM, GRU, RNN, Attention, Einsum ...), and of the other
    operators those next to Q/DQ.

    Args:
        model: as for `check`.
        target: as for `check`.
        profile: as for `check`; bounds the named sizes.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, or an option makes no sense.
        TypeError: `model` is nothing that can be read.
    """
    made = _options.make_target(target, (), None, (), profile)
    with _inputs.opened(model, base_dir) as opened:
        return _core.layers(opened, target=made)


def sparsity(
    model: object,
    *,
    target: str | Target | None = None,
    profile: _options.Profile | None = None,
    base_dir: str | os.PathLike[str] | None = None,
) -> Sparsity:
    """Tell which weights are 2:4 structured sparse, as `trtcheck types --sparsity --read-weights` does.

        for weights in trtcheck.sparsity("model.onnx").weights:
            print(weights.node.name, weights.state)

    Of each four consecutive input channels at least two must be zero, for each output channel and each position of the
    kernel: `trtexec --sparsity=enable` uses such weights of Conv, Gemm and MatMul. All weights are read, those in other
    files too.

    Args:
        model: as for `check`. Of a model at a URL large weights were not fetched: they are "unread".
        target: as for `check`.
        profile: as for `check`; bounds the named sizes, which `share` depends on.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, or an option makes no sense.
        TypeError: `model` is nothing that can be read.
    """
    made = _options.make_target(target, (), None, (), profile)
    with _inputs.opened(model, base_dir) as opened:
        return _core.sparsity(opened, target=made)
