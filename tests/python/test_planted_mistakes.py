"""Twenty mistakes in one graph are twenty findings: one for each node, and none for the nodes after it."""

from __future__ import annotations

from collections import Counter

import onnx.parser

import trtcheck

#: Inputs, the node that is wrong, and both sides of the contradiction, as the finding has to name them.
MISTAKES = {
    "matmul": ("float[B,4] x, float[5,6] w", "MatMul(x, w)", ("4", "5")),
    "gemm": ("float[7,8] x, float[9,3] w", "Gemm(x, w)", ("8", "9")),
    "conv channels": ("float[1,63,9,9] x, float[8,64,3,3] w", "Conv(x, w)", ("63", "64")),
    "conv window": ("float[1,3,4,5] x, float[8,3,6,7] w", "Conv(x, w)", ("4 by 5", "6 by 7")),
    "max pool": ("float[1,3,4,5] x", "MaxPool<kernel_shape=[6,7]>(x)", ("4 by 5", "6 by 7")),
    "average pool": ("float[1,3,8,2] x", "AveragePool<kernel_shape=[3,4]>(x)", ("2", "4")),
    "transposed": ("float[1,6,9,9] x, float[8,4,3,3] w", "ConvTranspose(x, w)", ("6", "8")),
    "add": ("float[B,3,5] x, float[4,7] w", "Add(x, w)", ("3", "4")),
    "where": ("bool[3] x, float[4] w, float[4] v", "Where(x, w, v)", ("3", "4")),
    "concat ranks": ("float[2,3] x, float[2,3,1] w", "Concat<axis=0>(x, w)", ("2", "3")),
    "concat sizes": ("float[2,3] x, float[2,4] w", "Concat<axis=0>(x, w)", ("3", "4")),
    "gather axis": ("float[2,3] x, int64[5] w", "Gather<axis=2>(x, w)", ("2", "[-2, 1]")),
    "einsum": ("float[2,3] x, float[4,5] w", 'Einsum<equation="ij,jk->ik">(x, w)', ("3", "4")),
    "flatten": ("float[2,3] x", "Flatten<axis=4>(x)", ("4", "2")),
    "norm scale": ("float[B,8] x, float[9] w", "LayerNormalization(x, w)", ("8", "9")),
    "batch norm": (
        "float[1,8,4,4] x, float[9] w, float[9] v, float[9] u, float[9] t",
        "BatchNormalization(x, w, v, u, t)",
        ("8", "9"),
    ),
    "depth to space": ("float[1,6,4,4] x", "DepthToSpace<blocksize=2>(x)", ("6", "4")),
    "reshape": ("float[2,3] x", "Reshape(x, k)", ("6", "35")),
    "squeeze": ("float[2,3] x", "Squeeze(x, one)", ("3", "1")),
    "pads": ("float[2,3,4] x", "Pad(x, k)", ("2", "6")),
}
CONSTANTS = "int64[2] k = {5, 7}, int64[1] one = {1}"


def branch(at: int, inputs: str, node: str) -> tuple[list[str], list[str]]:
    """Inputs and nodes under names of their own; what comes after it reads sizes and contents of what is wrong."""
    names = {each.split()[-1]: f"{each.split()[-1]}{at}" for each in inputs.split(", ")}
    typed = [f"{each.split()[0]} {names[each.split()[-1]]}" for each in inputs.split(", ")]
    head, arguments = node[:-1].rsplit("(", 1)
    given = ", ".join(names.get(each, each) for each in arguments.split(", "))
    return typed, [
        f"m{at} = {head}({given})",
        f"a{at} = Relu(m{at})",
        f"b{at} = Shape(a{at})",
        f"c{at} = Reshape(a{at}, b{at})",
        f"d{at} = Mul(c{at}, a{at})",
        f"e{at} = Transpose(d{at})",
        f"f{at} = Concat<axis=0>(e{at}, e{at})",
        f"y{at} = Add(f{at}, f{at})",
    ]


def planted() -> onnx.ModelProto:
    parts = [branch(at, inputs, node) for at, (inputs, node, _) in enumerate(MISTAKES.values())]
    inputs = ", ".join(each for typed, _ in parts for each in typed)
    outputs = ", ".join(f"y{at}" for at in range(len(parts)))
    nodes = "\n".join(each for _, made in parts for each in made)
    model = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["" : 17]> g ({inputs}) => ({outputs}) <{CONSTANTS}> {{ {nodes} }}'
    )
    for output in model.graph.output:
        output.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    return model


def test_one_finding_for_each_mistake() -> None:
    model = planted()
    for at, node in enumerate(model.graph.node):
        node.name = f"{'mistake' if at % 8 == 0 else 'after'}_{at // 8}"
    found = [f for f in trtcheck.check(model.SerializeToString()).findings if f.severity != "info"]
    by_node = Counter(each.node for each in found)
    assert len(MISTAKES) == 20
    unexpected = [(f.node, f.code, f.message) for f in found if by_node[f.node] > 1 or f.node.startswith("after")]
    assert not unexpected
    assert len(by_node) == 20
    messages = {each.node: each.message for each in found}
    for at, (title, (_, _, sides)) in enumerate(MISTAKES.items()):
        for side in sides:
            assert side in messages[f"mistake_{at}"], (title, messages[f"mistake_{at}"])
