"""GroupQueryAttention of ONNX Runtime, written as standard operators: the same outputs, at prompts and later tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from zoo.reference import session

import trtcheck

HEADS, FEW, SIZE = 4, 2, 16


@dataclass(frozen=True)
class Form:
    """`lengths`: what each row of the batch holds, the new tokens included; `cache`: places of the cache, 0 = none."""

    new: int
    lengths: tuple[int, ...]
    cache: int
    packed: bool = False
    rotary: bool = False
    bias: bool = False
    attributes: dict[str, Any] = field(default_factory=dict)


FORMS = {
    "a prompt without a cache": Form(5, (5, 5), 0),
    "one token": Form(1, (6, 6), 5),
    "rows of different lengths": Form(1, (3, 6), 6),
    "several tokens later": Form(3, (8,), 5),
    "packed": Form(1, (6, 4), 5, packed=True),
    "rotated": Form(1, (6, 4), 5, rotary=True, attributes={"do_rotary": 1}),
    "rotated in pairs": Form(4, (4, 4), 0, rotary=True, attributes={"do_rotary": 1, "rotary_interleaved": 1}),
    "packed and rotated": Form(1, (6, 6), 5, packed=True, rotary=True, attributes={"do_rotary": 1}),
    "a window": Form(1, (6, 4), 5, attributes={"local_window_size": 3}),
    "a window over a prompt": Form(5, (5, 5), 0, attributes={"local_window_size": 2}),
    "scale and softcap": Form(1, (6, 4), 5, attributes={"scale": 0.5, "softcap": 3.0}),
    "a bias": Form(1, (6, 6), 5, bias=True),
}


def model(form: Form) -> onnx.ModelProto:
    def tensor(name: str, shape: list[int | str], kind: int = TensorProto.FLOAT) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, shape)

    width = (HEADS + 2 * FEW) * SIZE if form.packed else HEADS * SIZE
    inputs = [tensor("q", ["batch", "new", width])]
    names = ["q", "", ""]
    if not form.packed:
        names[1:] = ["k", "v"]
        inputs += [tensor(name, ["batch", "new", FEW * SIZE]) for name in "kv"]
    past = ["pk", "pv"] if form.cache else ["", ""]
    inputs += [tensor(name, ["batch", FEW, "cache", SIZE]) for name in past if name]
    names += [*past, "lengths", "total"]
    inputs += [tensor("lengths", ["batch"], TensorProto.INT32), tensor("total", [1], TensorProto.INT32)]
    if form.rotary:
        names += ["cos", "sin"]
        inputs += [tensor(name, [16, SIZE // 2]) for name in ("cos", "sin")]
    if form.bias:
        names += [""] * (10 - len(names)) + ["bias"]
        inputs.append(tensor("bias", [1, 1, "new", "all"]))
    outputs = [tensor("y", ["batch", "new", HEADS * SIZE])]
    outputs += [tensor(name, ["batch", FEW, "all", SIZE]) for name in ("present_k", "present_v")]
    node = helper.make_node(
        "GroupQueryAttention",
        names,
        [value.name for value in outputs],
        domain="com.microsoft",
        num_heads=HEADS,
        kv_num_heads=FEW,
        **form.attributes,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    graph = helper.make_graph([node], "decoder", inputs, outputs)
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def feeds(form: Form, of: onnx.ModelProto) -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    total = max(form.lengths)
    sizes = {"batch": len(form.lengths), "new": form.new, "cache": form.cache, "all": max(total, form.cache)}
    made: dict[str, np.ndarray] = {}
    for value in of.graph.input:
        shape = [dim.dim_value or sizes[dim.dim_param] for dim in value.type.tensor_type.shape.dim]
        made[value.name] = random.standard_normal(shape).astype(np.float32)
    made["lengths"] = np.array(form.lengths, np.int32) - 1
    made["total"] = np.array([total], np.int32)
    return made


@pytest.mark.parametrize("name", FORMS)
def test_it_computes_the_same(name: str) -> None:
    form = FORMS[name]
    given = model(form)
    fixed = trtcheck.fix(given, target="11.4")
    assert [one.cure for one in fixed.applied][:1] == ["contrib-operator"]
    assert fixed.after.verdict == "clean", str(fixed.after)
    made = fixed.model
    assert {node.domain for node in made.graph.node} == {""}
    values = feeds(form, given)
    (y, *caches), (again, *present) = session(given).run(None, values), session(made).run(None, values)
    np.testing.assert_allclose(again, y, rtol=1e-4, atol=1e-5)
    for old, new in zip(caches, present, strict=True):
        assert old.shape == new.shape
        # Places behind the length of a row hold anything.
        for row, length in enumerate(form.lengths):
            np.testing.assert_allclose(new[row, :, :length], old[row, :, :length], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "attributes", [{"smooth_softmax": 1}, {"num_heads": 3}], ids=["smooth softmax", "heads that are no multiple"]
)
def test_what_is_left(attributes: dict[str, int]) -> None:
    given = model(Form(1, (6, 6), 5))
    for name, value in attributes.items():
        kept = [one for one in given.graph.node[0].attribute if one.name != name]
        del given.graph.node[0].attribute[:]
        given.graph.node[0].attribute.extend([*kept, helper.make_attribute(name, value)])
    assert "contrib-operator" not in {one.cure for one in trtcheck.fix(given, target="11.4").applied}
