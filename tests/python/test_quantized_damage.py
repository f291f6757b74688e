"""A healthy quantized model, damaged in one place of many: what is found is found there, and nowhere else.

Each kind of damage draws the layer that it strikes from all that it can strike. What is damaged and what has to be
said of it is written down beside it; `TRTCHECK_SEED` repeats a run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import trtcheck

SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))
NEWEST = "11.5"


class Network:
    """A stem, a residual block, a depthwise layer, a deconvolution, Concat and Gemm, quantized as NVIDIA advises."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.tensors: dict[str, np.ndarray] = {}
        self.types: dict[str, int] = {}
        self.rng = np.random.default_rng(7)
        stem = self.conv("stem", self.pair("x", 0.02), 8, 8)
        stem = self.node("Relu", "stem_relu", [stem])
        shared = self.pair(stem, 0.03)
        branch = self.conv("branch", shared, 8, 8)
        branch = self.node("Relu", "branch_relu", [branch])
        inner = self.conv("inner", self.pair(branch, 0.05), 8, 8)
        summed = self.node("Add", "residual", [inner, self.pair(stem, 0.03, "_skip")])
        summed = self.pair(self.node("Relu", "residual_relu", [summed]), 0.06)
        depthwise = self.conv("depthwise", summed, 8, 8, group=8)
        depthwise = self.pair(self.node("Relu", "depthwise_relu", [depthwise]), 0.04)
        up = self.deconv("up", depthwise)
        up = self.pair(self.node("Relu", "up_relu", [up]), 0.045)
        self.cut = self.conv("cut", up, 8, 8, strides=2)
        cut = self.pair(self.cut, 0.04)
        joined = self.node("Concat", "joined", [cut, depthwise], axis=1)
        pooled = self.node("GlobalAveragePool", "pooled", [joined])
        flat = self.pair(self.node("Flatten", "flat", [pooled]), 0.01)
        weight = self.weight("head", (16, 4), 1)
        self.node("Gemm", "head", [flat, weight], output="y")

    def node(self, op: str, name: str, inputs: list[str], output: str | None = None, **attributes: object) -> str:
        output = output or f"{name}_out"
        self.nodes.append(helper.make_node(op, inputs, [output], name=name, **attributes))
        return output

    def constant(self, name: str, value: np.ndarray) -> str:
        self.tensors[name] = value
        return name

    def pair(self, tensor: str, scale: float, suffix: str = "") -> str:
        """QuantizeLinear and DequantizeLinear, which share scale and zero point; gives the result."""
        base = f"{tensor}{suffix}"
        parameters = [
            self.constant(f"{base}_scale", np.float32(scale)),
            self.constant(f"{base}_zero", np.int8(0)),
        ]
        codes = self.node("QuantizeLinear", f"{base}_q", [tensor, *parameters])
        return self.node("DequantizeLinear", f"{base}_dq", [codes, *parameters])

    def weight(self, layer: str, shape: tuple[int, ...], axis: int) -> str:
        values = self.rng.uniform(-1, 1, shape).astype(np.float32)
        others = tuple(i for i in range(len(shape)) if i != axis)
        scale = (np.abs(values).max(axis=others) / 127).astype(np.float32)
        parameters = [
            self.constant(f"{layer}_w_scale", scale),
            self.constant(f"{layer}_w_zero", np.zeros(scale.shape, np.int8)),
        ]
        weight = self.constant(f"{layer}_w", values)
        codes = self.node("QuantizeLinear", f"{layer}_w_q", [weight, *parameters], axis=axis)
        return self.node("DequantizeLinear", f"{layer}_w_dq", [codes, *parameters], axis=axis)

    def conv(self, name: str, data: str, channels: int, filters: int, group: int = 1, strides: int = 1) -> str:
        weight = self.weight(name, (filters, channels // group, 3, 3), 0)
        bias = self.constant(f"{name}_b", self.rng.uniform(-1, 1, filters).astype(np.float32))
        return self.node(
            "Conv", name, [data, weight, bias], kernel_shape=[3, 3], pads=[1, 1, 1, 1], group=group,
            strides=[strides, strides],
        )  # fmt: skip

    def deconv(self, name: str, data: str) -> str:
        weight = self.weight(name, (8, 8, 2, 2), 1)
        return self.node("ConvTranspose", name, [data, weight], kernel_shape=[2, 2], strides=[2, 2])

    def of_type(self, op: str) -> list[NodeProto]:
        return [node for node in self.nodes if node.op_type == op]

    def named(self, name: str) -> NodeProto:
        return next(node for node in self.nodes if node.name == name)

    def remove(self, *gone: NodeProto) -> None:
        """Whoever reads the last one reads what the first one read."""
        for node in self.nodes:
            for i, name in enumerate(node.input):
                if name == gone[-1].output[0]:
                    node.input[i] = gone[0].input[0]
        for node in gone:
            self.nodes.remove(node)

    def insert(self, before: NodeProto, *new: NodeProto) -> None:
        at = self.nodes.index(before)
        self.nodes[at:at] = new

    def model(self) -> ModelProto:
        initializers = [
            numpy_helper.from_array(value, name)
            if name not in self.types
            else helper.make_tensor(name, self.types[name], value.shape, value.astype(np.int64).ravel().tolist())
            for name, value in self.tensors.items()
        ]
        graph = helper.make_graph(
            self.nodes,
            "network",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 16, 16])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            initializers,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


@dataclass
class Damage:
    """What a finding has to say: one of `codes`, at one of `nodes`."""

    codes: set[str]
    nodes: set[str]
    target: str = NEWEST
    others: set[str] = field(default_factory=set)  # codes that may be told at these nodes as well
    precision: list[str] = field(default_factory=list)


Maker = Callable[[Network, random.Random], Damage]
KINDS: dict[str, Maker] = {}


def kind(make: Maker) -> Maker:
    KINDS[make.__name__] = make
    return make


def activations(network: Network) -> list[NodeProto]:
    """The quantizers of what layers compute."""
    return [node for node in network.of_type("QuantizeLinear") if not node.name.endswith("_w_q")]


def weights(network: Network) -> list[NodeProto]:
    return [node for node in network.of_type("QuantizeLinear") if node.name.endswith("_w_q")]


def partner(network: Network, quantize: NodeProto) -> NodeProto:
    return next(node for node in network.of_type("DequantizeLinear") if node.input[0] == quantize.output[0])


def names(*nodes: NodeProto) -> set[str]:
    return {node.name for node in nodes}


def layer_of(network: Network, quantize: NodeProto) -> NodeProto:
    output = partner(network, quantize).output[0]
    return next(node for node in network.nodes if output in node.input)


def set_int(node: NodeProto, name: str, value: int) -> None:
    for attribute in node.attribute:
        if attribute.name == name:
            attribute.i = value
            return
    node.attribute.append(helper.make_attribute(name, value))


@kind
def scale_is_negative(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(network.of_type("QuantizeLinear"))
    network.tensors[quantize.input[1]] = -network.tensors[quantize.input[1]]
    return Damage({"QDQ103"}, names(quantize, partner(network, quantize)))


@kind
def scale_is_zero(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(activations(network))
    network.tensors[quantize.input[1]] = np.float32(0)
    return Damage({"QDQ103"}, names(quantize, partner(network, quantize)))


@kind
def one_scale_of_a_channel_is_zero(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(weights(network))
    scale = network.tensors[quantize.input[1]]
    scale[rng.randrange(scale.size)] = 0
    return Damage({"QDQ103"}, names(quantize, partner(network, quantize)))


@kind
def scale_is_not_a_number(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(activations(network))
    network.tensors[quantize.input[1]] = np.float32(rng.choice([np.nan, np.inf]))
    return Damage({"QDQ103"}, names(quantize, partner(network, quantize)))


@kind
def a_scale_is_missing(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(weights(network))
    for i in (1, 2):
        network.tensors[quantize.input[i]] = network.tensors[quantize.input[i]][:-1]
    return Damage({"QDQ104"}, names(quantize, partner(network, quantize)))


@kind
def a_zero_point_is_missing(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(weights(network))
    network.tensors[quantize.input[2]] = network.tensors[quantize.input[2]][:-1]
    return Damage({"QDQ105"}, names(quantize, partner(network, quantize)))


@kind
def activation_has_a_scale_per_channel(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice([node for node in activations(network) if node.name != "flat_out_q"])
    for i, value in ((1, np.full(8, 0.02, np.float32)), (2, np.zeros(8, np.int8))):
        network.tensors[quantize.input[i]] = value
    set_int(quantize, "axis", 1)
    set_int(partner(network, quantize), "axis", 1)
    return Damage({"QDQ106"}, names(quantize, partner(network, quantize)))


@kind
def scale_is_computed(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(activations(network))
    both = [quantize, partner(network, quantize)]
    largest = helper.make_node("ReduceMax", [quantize.input[0]], ["largest"], name="largest", keepdims=0)
    network.insert(quantize, largest)
    for node in both:
        node.input[1] = "largest"
    return Damage({"QDQ107"}, names(*both))


@kind
def zero_point_is_not_zero(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(activations(network))
    network.tensors[quantize.input[2]] = np.int8(rng.choice([-128, -1, 3, 127]))
    return Damage({"QDQ101"}, names(quantize, partner(network, quantize)))


@kind
def codes_are_unsigned(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(activations(network))
    network.tensors[quantize.input[2]] = np.uint8(0)
    return Damage({"QDQ102"}, names(quantize, partner(network, quantize)))


@kind
def zero_point_is_left_out(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(activations(network))
    both = [quantize, partner(network, quantize)]
    for node in both:
        del node.input[2]
    return Damage({"QDQ109", "QDQ102"}, names(*both))


@kind
def weights_are_scaled_along_the_inputs(network: Network, rng: random.Random) -> Damage:
    layer = rng.choice(["stem", "branch", "inner", "cut"])
    both = [network.named(f"{layer}_w_q"), network.named(f"{layer}_w_dq")]
    for node in both:
        set_int(node, "axis", 1)
    return Damage({"QDQ302"}, names(*both, network.named(layer)))


@kind
def deconvolution_is_scaled_along_the_inputs(network: Network, rng: random.Random) -> Damage:
    both = [network.named("up_w_q"), network.named("up_w_dq")]
    for node in both:
        set_int(node, "axis", 0)
    return Damage({"QDQ301"}, names(*both, network.named("up")), target=rng.choice(["10.3", NEWEST]))


@kind
def gemm_is_scaled_along_the_sum(network: Network, rng: random.Random) -> Damage:
    both = [network.named("head_w_q"), network.named("head_w_dq")]
    for node in both:
        set_int(node, "axis", 0)
        network.tensors[node.input[1]] = np.full(16, 0.01, np.float32)
        network.tensors[node.input[2]] = np.zeros(16, np.int8)
    return Damage({"QDQ213"}, names(*both, network.named("head")))


@kind
def scales_of_a_pair_differ(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(activations(network))
    dequantize = partner(network, quantize)
    dequantize.input[1] = network.constant("other_scale", network.tensors[quantize.input[1]] * np.float32(1.5))
    return Damage({"QDQ208"}, names(quantize, dequantize))


@kind
def codes_reach_a_float_layer(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice([node for node in activations(network) if layer_of(network, node).op_type != "Add"])
    readers = [node for node in network.nodes if partner(network, quantize).output[0] in node.input]
    network.remove(partner(network, quantize))
    return Damage({"STY101", "OPS304"}, names(quantize, *readers), others={"OPS401"})


@kind
def weights_are_not_quantized(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(weights(network))
    layer = layer_of(network, quantize)
    network.remove(quantize, partner(network, quantize))
    return Damage({"QDQ205"}, names(layer))


@kind
def input_is_not_quantized(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["stem", "inner", "head"]))
    quantize = next(node for node in activations(network) if partner(network, node).output[0] == layer.input[0])
    network.remove(quantize, partner(network, quantize))
    return Damage({"QDQ205"}, names(layer))


@kind
def batch_normalization_stays_behind(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["stem", "branch", "inner", "depthwise"]))
    ones = [network.constant(f"bn{i}", np.ones(8, np.float32)) for i in range(4)]
    reader = next(node for node in network.nodes if layer.output[0] in node.input)
    norm = helper.make_node("BatchNormalization", [layer.output[0], *ones], ["normed"], name="norm")
    network.insert(reader, norm)
    reader.input[list(reader.input).index(layer.output[0])] = "normed"
    return Damage({"QDQ207"}, names(layer, norm))


@kind
def quantized_before_the_activation(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["stem", "branch", "depthwise"]))
    relu = next(node for node in network.nodes if node.op_type == "Relu" and node.input[0] == layer.output[0])
    at = network.nodes.index(relu)
    made = len(network.nodes)
    relu.input[0] = network.pair(layer.output[0], 0.05, "_early")
    network.nodes[at:at] = [network.nodes.pop(made), network.nodes.pop(made)]
    return Damage({"QDQ204"}, names(layer, relu, *network.nodes[at : at + 2]))


@kind
def scales_differ_at_a_concatenation(network: Network, rng: random.Random) -> Damage:
    network.tensors["cut_out_scale"] = np.float32(0.07)
    joined = network.named("joined")
    return Damage({"QDQ216"}, names(joined))


@kind
def one_branch_of_the_sum_is_float(network: Network, rng: random.Random) -> Damage:
    quantize = network.named("stem_relu_out_skip_q")
    network.remove(quantize, partner(network, quantize))
    inner = network.named("inner")
    at = network.nodes.index(network.named("residual"))
    made = len(network.nodes)
    network.named("residual").input[0] = network.pair(inner.output[0], 0.05, "_early")
    network.nodes[at:at] = [network.nodes.pop(made), network.nodes.pop(made)]
    return Damage({"QDQ202", "QDQ203"}, names(network.named("residual"), *network.nodes[at : at + 2]))


@kind
def groups_are_ragged(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["branch", "inner", "stem"]))
    set_int(layer, "group", 4)
    base = layer.name
    network.tensors[f"{base}_w"] = network.tensors[f"{base}_w"][:, :2].copy()
    return Damage({"HWD101"}, names(layer), target=rng.choice(["8.6", "10.3"]))


@kind
def bias_holds_nan(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["stem", "branch", "inner", "cut", "depthwise"]))
    values = network.tensors[f"{layer.name}_b"]
    values[rng.randrange(values.size)] = rng.choice([np.nan, np.inf, -np.inf])
    return Damage({"NUM103"}, names(layer), target="10.13", precision=["fp16", "int8"])


@kind
def weights_have_too_many_channels(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["stem", "branch", "inner", "cut"]))
    values = network.tensors[f"{layer.name}_w"]
    network.tensors[f"{layer.name}_w"] = np.concatenate([values, values], axis=1)
    return Damage({"WGT103"}, names(layer))


@kind
def bias_is_too_long(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["stem", "branch", "inner", "cut", "depthwise"]))
    network.tensors[f"{layer.name}_b"] = np.ones(9, np.float32)
    return Damage({"WGT105"}, names(layer))


@kind
def bias_has_codes_of_eight_bits(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["stem", "branch", "inner", "cut", "depthwise"]))
    network.tensors[f"{layer.name}_b"] = np.ones(8, np.int8)
    scale = network.constant("bias_scale", np.float32(0.01))
    zero = network.constant("bias_zero", np.int8(0))
    dequantize = helper.make_node("DequantizeLinear", [layer.input[2], scale, zero], ["bias"], name="bias_dq")
    network.insert(layer, dequantize)
    layer.input[2] = "bias"
    return Damage({"QDQ211"}, names(layer, dequantize))


@kind
def activations_have_four_bits(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice(activations(network))
    network.types[quantize.input[2]] = TensorProto.INT4
    nodes = names(quantize, partner(network, quantize), layer_of(network, quantize))
    return Damage({"QDQ225"}, nodes, others={"QDQ214"})


@kind
def one_operand_is_half(network: Network, rng: random.Random) -> Damage:
    layer = network.named(rng.choice(["stem", "branch", "inner", "cut", "depthwise"]))
    cast = helper.make_node("Cast", [layer.input[1]], ["half"], name="to_half", to=TensorProto.FLOAT16)
    network.insert(layer, cast)
    layer.input[1] = "half"
    return Damage({"STY101"}, names(layer), others={"QDQ205"})


@kind
def quantized_once_more(network: Network, rng: random.Random) -> Damage:
    quantize = rng.choice([node for node in activations(network) if node.name != "stem_relu_out_skip_q"])
    dequantize = partner(network, quantize)
    at = network.nodes.index(dequantize) + 1
    made = len(network.nodes)
    again = network.pair(dequantize.output[0], 0.09, "_again")
    new = [network.nodes.pop(made), network.nodes.pop(made)]
    for node in network.nodes:
        for i, name in enumerate(node.input):
            if name == dequantize.output[0]:
                node.input[i] = again
    network.nodes[at:at] = new
    return Damage({"QDQ209"}, names(dequantize, *new))


def told(model: ModelProto, target: str, precision: list[str]) -> dict[tuple[str, str], str]:
    """Severity by code and node."""
    report = trtcheck.check(model, target=target, precision=precision)
    return {(finding.rule.code, finding.node): str(finding.severity) for finding in report.findings}


def new(network: Network, damage: Damage) -> dict[tuple[str, str], str]:
    """What is told of the damaged model only."""
    healthy = told(Network().model(), damage.target, damage.precision)
    damaged = told(network.model(), damage.target, damage.precision)
    return {key: severity for key, severity in damaged.items() if key not in healthy}


@pytest.mark.parametrize("target", ["10.0", "10.3", "10.13", NEWEST, "rtx-1.7"])
def test_the_model_is_healthy(target: str) -> None:
    assert {"info"} >= set(told(Network().model(), target, []).values())


@pytest.mark.parametrize("name", list(KINDS))
def test_damage_is_found_where_it_is(name: str) -> None:
    for turn in range(6):
        rng = random.Random(f"{SEED} {name} {turn}")
        network = Network()
        damage = KINDS[name](network, rng)
        found = new(network, damage)
        where = f"TRTCHECK_SEED={SEED}, turn {turn}: {damage}"
        assert {code for code, node in found if node in damage.nodes} & damage.codes, (where, found)
        problems = {key for key, severity in found.items() if severity != "info"}
        assert not {key for key in problems if key[1] not in damage.nodes}, (where, found)
        assert {code for code, _ in problems} <= damage.codes | damage.others, (where, found)


def test_there_are_thirty_kinds() -> None:
    assert len(KINDS) >= 30
