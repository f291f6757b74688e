"""Models that are small as files and large in what they may cost, written as protobuf by hand.

Every maker takes the number of bytes that the file is to have, about, and gives the parts of a ModelProto. What the
parts say need not make sense: a checker has to survive it in time and memory proportional to the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path

from models import ints, message, value_info, varint

Maker = Callable[[int], "list[bytes]"]
MAKERS: dict[str, Maker] = {}

X = value_info(11, "x", ["N", 4, 8, 8])
Y = value_info(12, "y", [])
INT64 = 7


def bomb(maker: Maker) -> Maker:
    MAKERS[maker.__name__] = maker
    return maker


def op(kind: str, inputs: Iterable[str], outputs: Iterable[str], *more: bytes, field: int = 1, name: str = "") -> bytes:
    content = b"".join(message(1, i) for i in inputs) + b"".join(message(2, o) for o in outputs)
    return message(field, content + (message(3, name) if name else b"") + message(4, kind) + b"".join(more))


def number_of(name: str, value: int) -> bytes:
    return message(5, message(1, name) + varint(3, value % (1 << 64)) + varint(20, 2))


def text_of(name: str, value: str) -> bytes:
    return message(5, message(1, name) + message(4, value) + varint(20, 3))


def body_of(name: str, *parts: bytes) -> bytes:
    return message(5, message(1, name) + message(6, message(2, "b") + b"".join(parts)) + varint(20, 5))


def constant(name: str, values: list[int]) -> bytes:
    """An initializer: INT64, one axis."""
    packed = b"".join(varint(0, v % (1 << 64))[1:] for v in values)
    return message(5, varint(1, len(values)) + varint(2, INT64) + message(7, packed) + message(8, name))


def graph(*parts: bytes) -> list[bytes]:
    return [message(7, message(2, "g") + b"".join(parts))]


def fill(size: int, make: Callable[[int], bytes]) -> Iterator[bytes]:
    """Parts, numbered from 0, until the size is reached."""
    left = size
    for i in count():
        part = make(i)
        left -= len(part)
        if left < 0:
            return
        yield part


def chain(size: int, make: Callable[[str, str, int], bytes], start: str = "x") -> bytes:
    """Nodes of which each reads the output of the one before; the last output is called `y`."""
    links = list(fill(size, lambda i: make(f"v{i}" if i else start, f"v{i + 1}", i)))
    return b"".join(links) + op("Identity", [f"v{len(links)}"], ["y"])


def write(path: Path, parts: list[bytes], opset: int = 17) -> None:
    with path.open("wb") as file:
        file.write(varint(1, 8) + message(8, message(1, "") + varint(2, opset)))
        file.writelines(parts)


# One node with a million of something.


@bomb
def split_outputs_of_one_name(size: int) -> list[bytes]:
    return graph(X, message(1, message(1, "x") + message(4, "Split") + message(2, "y") * (size // 3)), Y)


@bomb
def split_outputs(size: int) -> list[bytes]:
    outputs = b"".join(fill(size, lambda i: message(2, f"y{i}")))
    return graph(X, message(1, message(1, "x") + message(4, "Split") + outputs), Y)


@bomb
def concat_inputs_of_one_name(size: int) -> list[bytes]:
    return graph(X, op("Concat", ["x"] * (size // 3), ["y"], number_of("axis", 0)), Y)


@bomb
def sum_inputs_undefined(size: int) -> list[bytes]:
    inputs = b"".join(fill(size, lambda i: message(1, f"u{i}")))
    return graph(X, message(1, inputs + message(2, "y") + message(4, "Sum")), Y)


@bomb
def unknown_operator_inputs(size: int) -> list[bytes]:
    inputs = b"".join(fill(size, lambda i: message(1, f"u{i}")))
    return graph(X, message(1, inputs + message(2, "y") + message(4, "Foo")), Y)


@bomb
def attributes(size: int) -> list[bytes]:
    return graph(X, op("Relu", ["x"], ["y"], *fill(size, lambda i: number_of(f"a{i}", i))), Y)


@bomb
def attributes_of_one_name(size: int) -> list[bytes]:
    return graph(X, op("Conv", ["x", "x"], ["y"], *fill(size, lambda _: number_of("group", 2))), Y)


@bomb
def attribute_ints(size: int) -> list[bytes]:
    return graph(X, op("Transpose", ["x"], ["y"], ints("perm", range(size // 4))), Y)


@bomb
def attribute_strings(size: int) -> list[bytes]:
    strings = message(5, message(1, "value_strings") + message(9, "s") * (size // 3) + varint(20, 8))
    return graph(X, op("Constant", [], ["y"], strings), Y)


@bomb
def einsum_equation(size: int) -> list[bytes]:
    return graph(X, op("Einsum", ["x"], ["y"], text_of("equation", "ab," * (size // 3) + "ab->ab")), Y)


@bomb
def einsum_letters(size: int) -> list[bytes]:
    return graph(X, op("Einsum", ["x"], ["y"], text_of("equation", "abcd" * (size // 4) + "->abcd")), Y)


# Many nodes.


@bomb
def unknown_operator_of_a_long_name(size: int) -> list[bytes]:
    return graph(X, op("F" * size, ["x"], ["y"]), Y)


@bomb
def custom_operator_of_a_long_name(size: int) -> list[bytes]:
    return graph(X, op("F" * (size // 2), ["x"], ["y"], message(7, "d" * (size // 2))), Y)


@bomb
def unknown_operators(size: int) -> list[bytes]:
    return graph(X, *fill(size, lambda i: op("Foo", [], [f"v{i}"])), Y)


@bomb
def unknown_operators_of_many_names(size: int) -> list[bytes]:
    return graph(X, *fill(size, lambda i: op(f"Convv{i}", ["x"], [f"v{i}"], name=f"n{i}")), Y)


@bomb
def unknown_operators_in_a_chain(size: int) -> list[bytes]:
    return graph(X, chain(size, lambda a, b, i: op(f"Foo{i % 7}", [a], [b])), Y)


@bomb
def nodes_without_anything(size: int) -> list[bytes]:
    return graph(X, op("F", [], []) * (size // 5), Y)


@bomb
def empty_nodes(size: int) -> list[bytes]:
    return graph(X, message(1, "") * (size // 2), Y)


@bomb
def chain_behind_an_unknown(size: int) -> list[bytes]:
    return graph(X, op("Foo", ["x"], ["u"]), chain(size, lambda a, b, _: op("Reshape", ["x", a], [b]), "u"), Y)


@bomb
def chain_in_reverse(size: int) -> list[bytes]:
    return graph(X, *reversed(list(fill(size, lambda i: op("Relu", [f"v{i}"], [f"v{i + 1}"])))), Y)


@bomb
def circles(size: int) -> list[bytes]:
    return graph(X, *fill(size, lambda i: op("Relu", [f"v{i}"], [f"v{i ^ 1}"])), Y)


@bomb
def one_circle(size: int) -> list[bytes]:
    nodes = list(fill(size, lambda i: op("Relu", [f"v{i}"], [f"v{i + 1}"])))
    return graph(X, *nodes, op("Relu", [f"v{len(nodes)}"], ["v0"]), Y)


@bomb
def outputs_of_one_name(size: int) -> list[bytes]:
    return graph(X, op("Relu", ["x"], ["y"], name="r") * (size // 16), Y)


@bomb
def constants(size: int) -> list[bytes]:
    return graph(X, *fill(size, lambda i: op("Constant", [], [f"c{i}"], number_of("value_int", i))), Y)


@bomb
def users_of_one_value(size: int) -> list[bytes]:
    return graph(X, *fill(size, lambda i: op("Conv", ["x", "x"], [f"y{i}"])), Y)


@bomb
def quantized_pairs(size: int) -> list[bytes]:
    def pair(i: int) -> bytes:
        return op("QuantizeLinear", ["x", "x", "z"], [f"q{i}"]) + op("DequantizeLinear", [f"q{i}", "x"], [f"d{i}"])

    return graph(X, *fill(size, pair), Y)


# Many values and many texts.


@bomb
def graph_inputs(size: int) -> list[bytes]:
    return graph(*fill(size, lambda i: value_info(11, f"x{i}", ["N", 3])), Y)


@bomb
def graph_inputs_without_type(size: int) -> list[bytes]:
    return graph(*fill(size, lambda i: message(11, message(1, f"x{i}"))), Y)


@bomb
def graph_inputs_of_one_name(size: int) -> list[bytes]:
    return graph(message(11, message(1, "x")) * (size // 5), Y)


@bomb
def graph_outputs(size: int) -> list[bytes]:
    return graph(X, op("Relu", ["x"], ["y"]), *fill(size, lambda i: value_info(12, f"y{i}", ["N", i])))


@bomb
def graph_outputs_of_one_name(size: int) -> list[bytes]:
    return graph(X, op("Relu", ["x"], ["y"]), message(12, message(1, "y")) * (size // 5))


@bomb
def value_infos(size: int) -> list[bytes]:
    return graph(X, op("Relu", ["x"], ["y"]), *fill(size, lambda i: value_info(13, f"v{i}", [f"N{i}"])), Y)


@bomb
def wrong_claims(size: int) -> list[bytes]:
    def pair(i: int) -> bytes:
        return op("Relu", ["x"], [f"v{i}"]) + value_info(13, f"v{i}", [i % 7, 5])

    return graph(X, *fill(size, pair), Y)


@bomb
def initializers(size: int) -> list[bytes]:
    return graph(X, op("Relu", ["x"], ["y"]), *fill(size, lambda i: message(5, varint(1, i) + message(8, f"w{i}"))), Y)


@bomb
def initializers_of_one_name(size: int) -> list[bytes]:
    return graph(X, op("Relu", ["x"], ["y"]), message(5, message(8, "w")) * (size // 5), Y)


@bomb
def initializers_in_files(size: int) -> list[bytes]:
    def tensor(i: int) -> bytes:
        place = message(13, message(1, "location") + message(2, f"../w{i}.bin"))
        return message(5, varint(1, 4) + varint(2, 1) + message(8, f"w{i}") + place + varint(14, 1))

    return graph(X, op("Relu", ["x"], ["y"]), *fill(size, tensor), Y)


@bomb
def metadata(size: int) -> list[bytes]:
    return [
        *graph(X, op("Relu", ["x"], ["y"]), Y),
        *fill(size, lambda i: message(14, message(1, f"k{i}") + message(2, "v"))),
    ]


@bomb
def metadata_ignores(size: int) -> list[bytes]:
    ignore = message(14, message(1, "trtcheck.ignore") + message(2, "SHP101,WGT,NONE: r; x; :"))
    return [*graph(X, op("Foo", ["x"], ["y"]), Y), ignore * (size // len(ignore))]


@bomb
def opset_imports(size: int) -> list[bytes]:
    imports = fill(size, lambda i: message(8, message(1, f"d{i}") + varint(2, i)))
    return [*imports, *graph(X, op("Relu", ["x"], ["y"], message(7, "d5")), Y)]


@bomb
def stack_traces(size: int) -> list[bytes]:
    frames = 'File "/a/torch/nn/x.py", line 3, in forward\n' * (size // 46)
    return graph(
        X, op("Foo", ["x"], ["y"], message(9, message(1, "pkg.torch.onnx.stack_trace") + message(2, frames))), Y
    )


@bomb
def scopes(size: int) -> list[bytes]:
    names = "['', " + "'a', " * (size // 5) + "'b']"
    return graph(
        X, op("Foo", ["x"], ["y"], message(9, message(1, "pkg.torch.onnx.name_scopes") + message(2, names))), Y
    )
