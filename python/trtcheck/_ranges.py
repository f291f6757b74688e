"""What the tensors of a model reach on samples: ONNX Runtime runs it with every tensor as an output."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from time import monotonic
from typing import Any

from trtcheck import _confirm, _core, _inputs, _samples
from trtcheck._core import DataType, GraphKind
from trtcheck._errors import Error

_FLOATS = {DataType.FLOAT, DataType.FLOAT16, DataType.BFLOAT16, DataType.DOUBLE}
# What ONNX Runtime hands out as NumPy knows it: no BFLOAT16.
_MEASURED = {
    "tensor(float)": DataType.FLOAT,
    "tensor(float16)": DataType.FLOAT16,
    "tensor(double)": DataType.DOUBLE,
}
_NUMPY: dict[int, str] = {
    DataType.FLOAT: "float32",
    DataType.FLOAT16: "float16",
    DataType.DOUBLE: "float64",
    DataType.INT64: "int64",
    DataType.INT32: "int32",
    DataType.INT16: "int16",
    DataType.INT8: "int8",
    DataType.UINT64: "uint64",
    DataType.UINT32: "uint32",
    DataType.UINT16: "uint16",
    DataType.UINT8: "uint8",
    DataType.BOOL: "bool",
}
# Outputs stay in memory until the run is over: a model whose tensors take more bytes runs in several parts.
_MOST_BYTES = 2 << 30
# Seconds between two words about how far it is.
_INTERVAL = 0.2
_WHERE_EXTERNAL = "session.model_external_initializers_file_folder_path"

_Progress = Callable[[int], None]


@dataclass
class _Tally:
    """What one tensor reached so far."""

    dtype: DataType
    elements: int = 0
    zeros: int = 0
    nan: int = 0
    inf: int = 0
    neg_inf: int = 0
    min: float | None = None
    max: float | None = None

    def add(self, array: Any) -> None:
        import numpy as np

        if array.size == 0:
            return
        self.elements += array.size
        self.zeros += array.size - int(np.count_nonzero(array))
        low, high = array.min(), array.max()  # NaN when there is one
        if not (np.isfinite(low) and np.isfinite(high)):
            self.nan += int(np.count_nonzero(np.isnan(array)))
            self.inf += int(np.count_nonzero(np.isposinf(array)))
            self.neg_inf += int(np.count_nonzero(np.isneginf(array)))
            array = array[np.isfinite(array)]
            if array.size == 0:
                return
            low, high = array.min(), array.max()
        self.min = float(low) if self.min is None else min(self.min, float(low))
        self.max = float(high) if self.max is None else max(self.max, float(high))


def measure_ranges(
    model: object, data: _samples.Samples, *, base_dir: str | os.PathLike[str] | None = None
) -> _core.Ranges:
    """Run a model on samples, and tell what every floating point tensor of its main graph reached.

        ranges = trtcheck.measure_ranges("model.onnx", "samples.npz")
        report = trtcheck.check("model.onnx", precision="fp16", ranges=ranges)

    ONNX Runtime runs it on the CPU, without changes to the graph. The more the samples are like what the engine will
    see, the more the ranges say. `pip install onnxruntime` brings ONNX Runtime and NumPy.

    Args:
        model: a path, or a model in memory as for `check`, which goes through a temporary file.
        data: samples: a file, a mapping from input names to arrays, or any number of both. Files are `.npz` with an
            array for each input, or JSON as Polygraphy's `--save-inputs` writes it. Arrays with one axis more than
            their inputs hold a sample in each entry of the first.
        base_dir: the folder of external data, for a model that does not come from a path.

    Returns:
        Smallest and largest number, zeros, NaN and infinite ones of each tensor. Tensors inside of bodies (If, Loop,
        Scan) and functions are left out, constants too.

    Raises:
        Error: the model or a file cannot be read, samples do not fit, or ONNX Runtime is missing or refuses the model.
        TypeError: `model` is nothing that can be written to a file, or `data` holds no samples.
    """
    return measure_as(None, model, data, base_dir)


def measure_as(
    name: str | None,
    model: object,
    data: _samples.Samples,
    base_dir: str | os.PathLike[str] | None = None,
    progress: _Progress = lambda _: None,
) -> _core.Ranges:
    """As `measure_ranges`; the ranges name the model so, or by its path. `progress` hears of each run."""
    _require()
    with _inputs.opened(model, base_dir) as read, _confirm.as_file(model) as file:
        path = Path(os.fsdecode(file))
        if base_dir is None:
            base_dir = Path(model if _inputs.is_file(model) else path).resolve().parent
        folder = Path(base_dir)
        return _measure(read, path, folder, data, read.path if name is None else name, progress)


def _require() -> None:
    try:
        import numpy  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        raise Error("", f"measuring ranges needs ONNX Runtime: `pip install onnxruntime` ({error})") from error


def _measure(
    model: _core.Model, path: Path, folder: Path, data: _samples.Samples, name: str, progress: _Progress
) -> _core.Ranges:
    shapes = _core.infer(model, target=_core.Target(), as_tensorrt=False)
    inputs = _network_inputs(model, shapes)
    if isinstance(data, Iterator):
        data = list(data)  # each part of the graph needs them again
    first = next(_samples.each_run(inputs, data), None)
    if first is None:
        raise Error("", "there is no sample")
    tallies: dict[str, _Tally] = {}
    samples = left_out = runs = 0
    for number, part in enumerate(_parts(model, shapes, first)):
        session = _session(model, path, folder, part)
        known = {each.name: each.type for each in session.get_outputs()}
        types = {output: known[output] for output in part}
        left_out += sum(kind == "tensor(bfloat16)" for kind in types.values())
        fetched = {output: _MEASURED[kind] for output, kind in types.items() if kind in _MEASURED}
        for run in _samples.each_run(inputs, data):
            if number == 0:
                samples += 1
                _add(tallies, {given: _as_measured(array) for given, array in run.items()}, run)
            _add(tallies, fetched, _outputs(model, session, list(fetched), run))
            runs += 1
            progress(runs)
    tensors = [_measured(tensor, tally) for tensor, tally in tallies.items()]
    left_out += _inner(model, shapes)
    return _core.ranges_of(model, path=name, samples=samples, left_out=left_out, tensors=tensors)


def _add(tallies: dict[str, _Tally], types: Mapping[str, DataType | None], arrays: Mapping[str, Any]) -> None:
    for name, array in arrays.items():
        kind = types[name]
        if kind is not None:
            tallies.setdefault(name, _Tally(kind)).add(array)


def _as_measured(array: Any) -> DataType | None:
    return next((kind for kind in _MEASURED.values() if array.dtype == _NUMPY[kind]), None)


def _measured(name: str, tally: _Tally) -> _core.MeasuredTensor:
    return _core.measured_tensor(
        name=name,
        dtype=tally.dtype,
        elements=tally.elements,
        zeros=tally.zeros,
        nan=tally.nan,
        inf=tally.inf,
        neg_inf=tally.neg_inf,
        min=tally.min,
        max=tally.max,
    )


def _network_inputs(model: _core.Model, shapes: _core.Shapes) -> _samples.Inputs:
    values = [value for value in model.graph.inputs if value.initializer is None]
    known = [shapes[value] for value in values]
    dtypes = [_NUMPY.get(shape.dtype) for shape in known]
    return _samples.Inputs([value.name for value in values], [shape.rank for shape in known], dtypes)


def _inner(model: _core.Model, shapes: _core.Shapes) -> int:
    """Floating point tensors that nodes of bodies and functions make."""
    inner = (GraphKind.BODY, GraphKind.FUNCTION_CALL)
    graphs = [graph for graph in model.graphs if graph.kind in inner]
    return sum(shapes[out].dtype in _FLOATS for graph in graphs for node in graph.nodes for out in node.outputs if out)


def _parts(model: _core.Model, shapes: _core.Shapes, run: Mapping[str, Any]) -> Iterator[list[str]]:
    """Names of the tensors that are fetched together, in the order of the graph."""
    outputs = [out for node in model.graph.order if node.op_type != "Constant" for out in node.outputs if out]
    wanted = [out for out in outputs if shapes[out].dtype in _FLOATS or shapes[out].dtype == DataType.UNDEFINED]
    profile = [f"{name}={'x'.join(map(str, array.shape))}" for name, array in run.items() if array.ndim]
    try:
        sized = _core.infer(model, target=_core.Target(profile=profile), as_tensorrt=False)
    except Error:
        sized = shapes  # ONNX Runtime will say what does not fit
    part: list[str] = []
    taken = 0
    for out in wanted:
        dims = sized[out].dims or ()
        size = 8 * prod(dim for dim in dims if isinstance(dim, int))
        if part and taken + size > _MOST_BYTES:
            yield part
            part, taken = [], 0
        part.append(out.name)
        taken += size
    yield part


def _session(model: _core.Model, path: Path, folder: Path, names: list[str]) -> Any:
    """ONNX Runtime with these tensors as outputs, besides those that the graph has."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    # As the file says it: no operator is fused, none is computed before.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    known = {value.name for value in model.graph.outputs}
    addition = _graph_with_outputs([name for name in names if name not in known])
    with tempfile.TemporaryDirectory(prefix="trtcheck-") as temporary:
        source: Any
        if _is_external(model):
            # The file itself is small, what it refers to is found in its folder.
            options.add_session_config_entry(_WHERE_EXTERNAL, os.fspath(folder))
            source = path.read_bytes() + addition
        else:
            source = Path(temporary) / "model.onnx"
            shutil.copyfile(path, source)
            with source.open("ab") as file:
                file.write(addition)
        try:
            return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # whatever ONNX Runtime raises is its answer
            raise _refused(model, "cannot load it", error) from error


def _outputs(model: _core.Model, session: Any, names: list[str], run: Mapping[str, Any]) -> dict[str, Any]:
    try:
        arrays = session.run(names, dict(run)) if names else []
    except Exception as error:
        raise _refused(model, "cannot run it on these samples", error) from error
    return dict(zip(names, arrays, strict=True))


def _refused(model: _core.Model, what: str, error: Exception) -> Error:
    lines = (str(error).strip() or type(error).__name__).splitlines()
    return Error(model.path, f"ONNX Runtime {what}: {lines[0]}")


def _is_external(model: _core.Model) -> bool:
    return any(tensor.data == _core.TensorData.EXTERNAL for graph in model.graphs for tensor in graph.initializers)


def _graph_with_outputs(names: list[str]) -> bytes:
    """A model that is nothing but outputs: behind another one, protobuf reads both as one.

    In onnx.proto3 ModelProto.graph is 7, GraphProto.output 12, ValueInfoProto.name 1.
    """
    outputs = b"".join(_field(12, _field(1, name.encode())) for name in names)
    return _field(7, outputs) if outputs else b""


def _field(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | 2]) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    made = bytearray()
    while number >= 0x80:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(made) + bytes([number])


def main() -> None:
    """For the program `trtcheck ranges`: MODEL FILE..., and the text of the ranges on standard output.

    On standard error a line "runs 12" now and then; if anything is wrong, the last line says what.
    """
    model, *data = sys.argv[1:]
    written = monotonic()

    def progress(runs: int) -> None:
        nonlocal written
        if monotonic() - written > _INTERVAL:
            written = monotonic()
            print("runs", runs, file=sys.stderr, flush=True)

    try:
        ranges = measure_as(None, model, data, progress=progress)
    except Error as error:
        sys.stderr.write(f"{error}\n".encode(errors="backslashreplace").decode())
        sys.exit(2)
    sys.stdout.buffer.write(ranges.to_json().encode())
