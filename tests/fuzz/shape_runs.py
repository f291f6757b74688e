"""Runs a model node by node, as ONNX Runtime or onnx's reference computes it: the values of all nodes that run, and why
the others do not."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from draft import Array, element_type, names_read, wrapped
from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

#: What a node gives: arrays, and lists of arrays for sequences.
Made = Any
LARGEST = 1 << 18
MOST_TRIPS = 8
#: Operators whose results are as large as the numbers that they read say.
READS_SIZES = {
    "AffineGrid", "BlackmanWindow", "CenterCropPad", "Col2Im", "ConstantOfShape", "DFT", "Expand", "EyeLike",
    "HammingWindow", "HannWindow", "Loop", "MaxUnpool", "MelWeightMatrix", "OneHot", "Pad", "RandomNormal",
    "Range", "Reshape", "Resize", "STFT", "Tile", "TopK", "Upsample",
}  # fmt: skip
#: Runtimes broadcast their operands, or pass over empty ones, where the standard asks for more.
MAY_FIT_BY_CHANCE = ("PRelu", "GroupNormalization", "Concat", "GatherND")
NOT_THERE = (
    "NOT_IMPLEMENTED",
    "is not a registered function/op",
    "Could not find an implementation",
    "under development",
)


@dataclass
class Run:
    """`values`: also inputs and constants. `refused`: why, by name of the node."""

    values: dict[str, Made] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


class RefusedError(Exception):
    """The runtime does not compute the node; the text is its reason."""


def _options() -> ort.SessionOptions:
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return options


def session(model: ModelProto) -> ort.InferenceSession:
    return ort.InferenceSession(model.SerializeToString(), _options(), providers=["CPUExecutionProvider"])


def _declared(name: str, value: Made, with_shape: bool) -> ValueInfoProto:
    if isinstance(value, list):
        kind = element_type(value[0].dtype) if value else 1
        return helper.make_tensor_sequence_value_info(name, kind, None)
    return helper.make_tensor_value_info(name, element_type(value.dtype), value.shape if with_shape else None)


def divides_by_nothing(a: Array, b: Array) -> bool:
    """The processor stops ONNX Runtime then."""
    if b.dtype.kind not in "iu":
        return False
    return bool((b == 0).any() or ((b == -1).any() and (a == np.iinfo(a.dtype).min).any()))


def stops(node: NodeProto, inputs: Sequence[Made | None]) -> Iterator[bool]:
    """What ends the process, or takes it for ever."""
    if node.op_type == "Einsum":
        equation = helper.get_node_attr_value(node, "equation").decode()
        for letters, value in zip(equation.split("->")[0].split(","), inputs, strict=False):
            yield "." not in letters and value is not None and value.ndim != len(letters.replace(" ", ""))
    if node.op_type in ("Scan", "GRU", "LSTM", "RNN", "Unique", "Attention"):
        yield from (value is not None and value.size == 0 for value in inputs)
    if node.op_type == "Loop" and inputs[0] is not None:
        yield bool((inputs[0] > MOST_TRIPS).any())


def is_within_limits(node: NodeProto, read: Mapping[str, Made]) -> bool:
    """Nothing that would fill the memory is asked for."""
    if node.op_type in ("Div", "Mod") and divides_by_nothing(*(read[name] for name in node.input)):
        return False
    if any(stops(node, [read.get(name) for name in node.input])):
        return False
    if node.op_type not in READS_SIZES:
        return True
    for value in (read[name] for name in node.input if name):
        if isinstance(value, list) or value.size > 64 or value.dtype.kind not in "iuf":
            continue
        with np.errstate(all="ignore"):
            sizes = np.abs(value.astype(np.float64)).reshape(-1)
        if math.prod(max(1.0, float(size)) for size in sizes if np.isfinite(size) and size < 1e8) > LARGEST:
            return False
    return True


class Runner:
    """Keeps the session of each node of a model, so that many sizes cost one load."""

    def __init__(self, opset: int) -> None:
        self._opset = opset
        self._sessions: dict[tuple[Any, ...], ort.InferenceSession] = {}

    def compute(self, node: NodeProto, read: Mapping[str, Made], constants: frozenset[str] = frozenset()) -> list[Made]:
        """@raises RefusedError"""
        if not is_within_limits(node, read):
            raise RefusedError("too large")
        try:
            made = self._by_runtime(node, read, constants)
        except RefusedError as error:
            if not any(word in str(error) for word in NOT_THERE):
                raise
            made = self.by_reference(node, read)
        if any(isinstance(value, np.ndarray) and value.size > LARGEST for value in made):
            raise RefusedError("too large")
        return made

    def _by_runtime(self, node: NodeProto, read: Mapping[str, Made], constants: frozenset[str]) -> list[Made]:
        reason = ""
        for with_shape in (False, True):
            types = tuple(
                (name, _declared(name, value, with_shape).SerializeToString()) for name, value in read.items()
            )
            key = (node.name, types)
            try:
                if key not in self._sessions:
                    self._sessions[key] = session(self._model(node, read, constants, with_shape))
                found = self._sessions[key]
            except Exception as error:  # it raises what it likes
                reason = reason or str(error)
                continue
            feed = {given.name: read[given.name] for given in found.get_inputs()}
            try:
                return [value if isinstance(value, list) else np.asarray(value) for value in found.run(None, feed)]
            except Exception as error:
                raise RefusedError(str(error)) from error
        raise RefusedError(reason)

    def _model(
        self, node: NodeProto, read: Mapping[str, Made], constants: frozenset[str], with_shape: bool
    ) -> ModelProto:
        fixed = [numpy_helper.from_array(read[name], name) for name in read if name in constants]
        inputs = [_declared(name, value, with_shape) for name, value in read.items() if name not in constants]
        outputs = [ValueInfoProto(name=name) for name in node.output if name]
        return wrapped(helper.make_graph([node], "one", inputs, outputs, fixed), self._opset)

    def by_reference(self, node: NodeProto, read: Mapping[str, Made]) -> list[Made]:
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                model = self._model(node, read, frozenset(), False)
                return [np.asarray(value) for value in ReferenceEvaluator(model).run(None, dict(read))]
        except Exception as error:
            raise RefusedError(f"reference: {error}") from error

    def second_opinion(self, node: NodeProto, values: Mapping[str, Made]) -> bool | None:
        """Whether onnx's reference makes the same shapes of the same inputs, and onnx's inference no others; None: the
        reference computes nothing."""
        read = {name: values[name] for name in names_read(node)}
        try:
            made = self.by_reference(node, read)
        except RefusedError:
            return None
        names = [name for name in node.output if name]
        is_same = all(
            name not in values or isinstance(values[name], list) or np.shape(value) == values[name].shape
            for name, value in zip(names, made, strict=False)
        )
        return is_same and all(self._may_have_shape(value, values) for value in self._inferred(node, read))

    def _inferred(self, node: NodeProto, read: Mapping[str, Made]) -> list[ValueInfoProto]:
        model = self._model(node, read, frozenset(name for name in read if isinstance(read[name], np.ndarray)), True)
        return list(onnx.shape_inference.infer_shapes(model, data_prop=True).graph.output)

    @staticmethod
    def _may_have_shape(value: ValueInfoProto, values: Mapping[str, Made]) -> bool:
        if value.name not in values or not value.type.tensor_type.HasField("shape"):
            return True
        stated = value.type.tensor_type.shape.dim
        made = np.shape(values[value.name])
        fits = (not dim.HasField("dim_value") or dim.dim_value == size for dim, size in zip(stated, made, strict=False))
        return len(stated) == len(made) and all(fits)

    def run(self, model: ModelProto, feed: Mapping[str, Array]) -> Run:
        done = Run(dict(feed))
        constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        done.values.update(constants)
        for node in model.graph.node:
            names = list(dict.fromkeys(names_read(node)))
            if not all(name in done.values for name in names):
                continue
            try:
                made = self.compute(
                    node, {name: done.values[name] for name in names}, frozenset(constants) & set(names)
                )
            except RefusedError as error:
                done.refused[node.name] = str(error)
                continue
            done.values.update(zip([name for name in node.output if name], made, strict=True))
            for name in made_up(node, done.values):
                del done.values[name]
        return done


def made_up(node: NodeProto, values: Mapping[str, Made]) -> list[str]:
    """Rows of a body that never ran: ONNX Runtime makes their sizes up."""
    if node.op_type not in ("Loop", "Scan"):
        return []
    count = len(node.input) - (2 if node.op_type == "Loop" else helper.get_node_attr_value(node, "num_scan_inputs"))
    return [name for name in node.output[count:] if name and 0 in values[name].shape]


def with_sizes(model: ModelProto, sizes: Mapping[str, int]) -> ModelProto:
    """A model whose inputs have these sizes."""
    made = ModelProto()
    made.CopyFrom(model)
    for value in made.graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param in sizes:
                dim.dim_value = sizes[dim.dim_param]
    return made


def names_no_axis(node: NodeProto, read: Mapping[str, Made], opset: int) -> bool:
    """An axis that input 0 does not have: ONNX Runtime passes over it where nothing is to be done there."""
    first = read.get(node.input[0]) if node.input else None
    if not isinstance(first, np.ndarray) or node.op_type == "Unsqueeze":
        return False
    axes = [axis for attribute in node.attribute if attribute.name == "axes" for axis in attribute.ints]
    if onnx.defs.has(node.op_type, opset, node.domain):
        formal = [one.name for one in onnx.defs.get_schema(node.op_type, opset, node.domain).inputs]
        at = formal.index("axes") if "axes" in formal else len(node.input)
        given = read.get(node.input[at]) if at < len(node.input) else None
        axes += given.reshape(-1).tolist() if isinstance(given, np.ndarray) else []
    return any(not -first.ndim <= axis < first.ndim for axis in axes)


def picks_of_nothing(node: NodeProto, read: Mapping[str, Made]) -> bool:
    """ArgMax and ArgMin of an empty tensor: ONNX Runtime gives them its shape, and falls over a right one."""
    first = read.get(node.input[0]) if node.op_type in ("ArgMax", "ArgMin") else None
    return isinstance(first, np.ndarray) and first.size == 0


def fits_by_chance(node: NodeProto, read: Mapping[str, Made], opset: int) -> bool:
    """A slope that does not fit the input, parameters that are not one value per channel, no channels, parts or batches
    of other sizes."""
    if node.op_type not in MAY_FIT_BY_CHANCE or not all(isinstance(read.get(name), np.ndarray) for name in node.input):
        return False
    data, *others = (read[name].shape for name in node.input)
    if node.op_type == "GatherND":
        batch = helper.get_node_attr_value(node, "batch_dims") if node.attribute else 0
        return bool(data[:batch] != others[0][:batch])
    if node.op_type == "Concat":
        axis = helper.get_node_attr_value(node, "axis") % max(len(data), 1)
        return any(shape[:axis] + shape[axis + 1 :] != data[:axis] + data[axis + 1 :] for shape in others)
    if node.op_type == "GroupNormalization":
        count = data[1] if opset >= 21 else helper.get_node_attr_value(node, "num_groups")
        return len(data) < 3 or data[1] == 0 or any(shape != (count,) for shape in others)
    slope = others[0]
    return len(slope) > len(data) or any(a not in (1, b) for a, b in zip(slope[::-1], data[::-1], strict=False))


def changes_a_state(node: NodeProto, values: Mapping[str, Made]) -> bool:
    """A Scan that hands on another shape than it began with: the standard forbids it."""
    if node.op_type != "Scan":
        return False
    states = len(node.input) - helper.get_node_attr_value(node, "num_scan_inputs")
    pairs = [(values.get(a), values.get(b)) for a, b in zip(node.input[:states], node.output, strict=False)]
    return any(a is not None and b is not None and np.shape(a) != np.shape(b) for a, b in pairs)


def rotates_an_odd_number(node: NodeProto, read: Mapping[str, Made]) -> bool:
    """A RotaryEmbedding of heads of an odd size: ONNX Runtime leaves their last element as memory has it."""
    if node.op_type != "RotaryEmbedding":
        return False
    data = read.get(node.input[0])
    return isinstance(data, np.ndarray) and data.ndim == 4 and data.shape[-1] % 2 == 1


def slices_backward_to_the_largest(node: NodeProto, read: Mapping[str, Made]) -> bool:
    """A Slice with a step below 0 and the largest number as its end: for ONNX Runtime that is the first element."""
    if node.op_type != "Slice" or len(node.input) < 5:
        return False
    ends, steps = read.get(node.input[2]), read.get(node.input[4])
    if not isinstance(ends, np.ndarray) or not isinstance(steps, np.ndarray) or ends.shape != steps.shape:
        return False
    return bool(np.any((ends == np.iinfo(ends.dtype).max) & (steps < 0)))


def pads_around_gaps(node: NodeProto) -> bool:
    """A pool that pads to the same size, with dilations: ONNX Runtime makes empty tensors of some."""
    words = {one.name: helper.get_attribute_value(one) for one in node.attribute}
    is_same = words.get("auto_pad", b"").startswith(b"SAME")
    return node.op_type.endswith("Pool") and is_same and any(gap != 1 for gap in words.get("dilations", []))


def casts_what_does_not_fit(node: NodeProto, read: Mapping[str, Made]) -> bool:
    """A real number that the integer type does not hold: ONNX leaves open what comes out."""
    given = read.get(node.input[0]) if node.op_type == "Cast" and node.input else None
    if not isinstance(given, np.ndarray) or given.dtype.kind != "f":
        return False
    to = helper.tensor_dtype_to_np_dtype(helper.get_node_attr_value(node, "to"))
    if to.kind not in "iu":
        return False
    limits = np.iinfo(to)
    with np.errstate(all="ignore"):
        real = given.astype(np.float64)
    return not bool(np.all(np.isfinite(real) & (real >= limits.min) & (real < float(limits.max) + 1)))


def is_odd_in_body(node: NodeProto, stored: set[str]) -> bool:
    """What ONNX Runtime computes in its own way for some values, which nobody sees in a body: the place of the largest
    of no elements; sums along computed axes, which may not be there; a ratio that is kept along axes counted from the
    end; a slope that is larger than its data. `stored`: names of constants."""
    if node.op_type == "Resize":
        words = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        keeps = words.get("keep_aspect_ratio_policy", b"stretch") != b"stretch"
        return keeps and any(axis < 0 for axis in words.get("axes", []))
    if node.op_type.startswith("Reduce"):
        return len(node.input) > 1 and node.input[1] not in stored
    return node.op_type in ("ArgMax", "ArgMin", "PRelu")


def holds_odd_one(node: NodeProto, model: ModelProto) -> bool:
    inside = [inner for one in node.attribute if one.HasField("g") for inner in nodes_within(one.g)]
    stored = {tensor.name for tensor in model.graph.initializer}
    for one in node.attribute:
        if one.HasField("g"):
            stored |= {tensor.name for tensor in one.g.initializer}
    stored |= {name for made in inside if made.op_type == "Constant" for name in made.output}
    return any(is_odd_in_body(inner, stored) for inner in inside)


def is_declared_otherwise(node: NodeProto, values: Mapping[str, Made]) -> bool:
    """An If whose branch declares another rank than it returns: a model is drawn at one size, where it was right."""
    if node.op_type != "If" or not isinstance(values.get(node.input[0]), np.ndarray):
        return False
    taken = "then_branch" if np.ravel(values[node.input[0]])[:1].any() else "else_branch"
    for name, declared in zip(node.output, helper.get_node_attr_value(node, taken).output, strict=False):
        made, kind = values.get(name), declared.type.tensor_type
        if isinstance(made, np.ndarray) and kind.HasField("shape") and len(kind.shape.dim) != made.ndim:
            return True
    return False


def is_odd(node: NodeProto, read: Mapping[str, Made], opset: int) -> bool:
    """ONNX Runtime computes it, and nobody means it."""
    return (
        names_no_axis(node, read, opset)
        or picks_of_nothing(node, read)
        or fits_by_chance(node, read, opset)
        or rotates_an_odd_number(node, read)
        or slices_backward_to_the_largest(node, read)
        or pads_around_gaps(node)
        or casts_what_does_not_fit(node, read)
    )


def is_forbidden(node: NodeProto, read: Mapping[str, Made], opset: int) -> bool:
    """Whether ONNX, or ONNX Runtime when it loads, refuses the node for inputs of these shapes."""
    if is_odd(node, read, opset):
        return True
    constants = [numpy_helper.from_array(value, name) for name, value in read.items() if isinstance(value, np.ndarray)]
    inputs = [_declared(name, value, True) for name, value in read.items()]
    outputs = [ValueInfoProto(name=name) for name in node.output if name]
    for fixed in ([], constants):
        graph = helper.make_graph([node], "one", inputs, outputs, fixed)
        model = wrapped(graph, opset)
        try:
            onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
            session(model)
        except Exception:  # either of them raises what it likes
            return True
    return False


def nodes_within(graph: GraphProto) -> Iterator[NodeProto]:
    """Also those of bodies."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from nodes_within(attribute.g)
