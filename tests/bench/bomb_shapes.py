"""More models as in bomb_models.py: long names, contents, expressions, graphs in graphs, functions."""

from __future__ import annotations

from bomb_models import X, Y, body_of, bomb, chain, constant, fill, graph, number_of, op, text_of
from models import message, value_info, varint

# Long texts, each in one place or in a few.


def long_name(size: int, parts: int = 1) -> str:
    return "n" * (size // parts)


@bomb
def long_node_name(size: int) -> list[bytes]:
    return graph(X, op("Foo", ["x"], ["v"], name=long_name(size)), op("Conv", ["v", "v"], ["y"]), Y)


@bomb
def long_node_name_over_a_body(size: int) -> list[bytes]:
    inner = b"".join(fill(size // 2, lambda i: op("Foo", ["x"], [f"i{i}"])))
    body = body_of("then_branch", inner, message(12, message(1, "i0")))
    other = body_of("else_branch", op("Foo", ["x"], ["o"]), message(12, message(1, "o")))
    return graph(X, op("If", ["x"], ["y"], body, other, name=long_name(size, 2)), Y)


@bomb
def long_value_name(size: int) -> list[bytes]:
    name = long_name(size, 3)
    return graph(X, op("Foo", ["x"], [name]), op("Conv", [name, name], ["y"]), Y)


@bomb
def long_value_name_before_many(size: int) -> list[bytes]:
    name = long_name(size, 4)
    nodes = fill(size // 2, lambda i: op("Reshape", ["x", "u"], [f"v{i}"]) + op("Conv", [f"v{i}", "x"], [f"w{i}"]))
    return graph(X, op("Foo", [name], ["u"], name=name), *nodes, Y)


@bomb
def long_input_name(size: int) -> list[bytes]:
    name = long_name(size, 2)
    return graph(value_info(11, name, ["N", "N", 3]), op("Foo", [name], ["y"]), Y)


@bomb
def long_initializer_name(size: int) -> list[bytes]:
    name = long_name(size, 3)
    return graph(
        X, message(5, varint(1, 4) + varint(2, 77) + message(8, name)), op("Conv", ["x", name, name], ["y"]), Y
    )


@bomb
def long_operator_name(size: int) -> list[bytes]:
    return graph(X, op(long_name(size), ["x"], ["y"]), Y)


@bomb
def long_domain(size: int) -> list[bytes]:
    return graph(X, op("Foo", ["x"], ["y"], message(7, long_name(size))), Y)


@bomb
def long_attribute_name(size: int) -> list[bytes]:
    return graph(X, op("Relu", ["x"], ["y"], number_of(long_name(size), 1)), Y)


@bomb
def long_attribute_text(size: int) -> list[bytes]:
    resize = op("Resize", ["x", "", "x"], ["y"], text_of("mode", long_name(size)))
    return graph(X, resize, op("Pad", ["x", "x"], ["p"], text_of("mode", long_name(10))), Y)


@bomb
def long_symbol(size: int) -> list[bytes]:
    inputs = value_info(11, "x", [long_name(size, 2), 4, 8, 8])
    nodes = [op("Conv", ["x", "x"], [f"v{i}"]) + op("Relu", ["x"], [f"r{i}"]) for i in range(size // 10000)]
    return graph(inputs, *nodes, Y)


@bomb
def long_external_location(size: int) -> list[bytes]:
    place = message(13, message(1, "location") + message(2, long_name(size)))
    tensor = message(5, varint(1, 4) + varint(2, 1) + message(8, "w") + place + varint(14, 1))
    return graph(X, tensor, op("Add", ["x", "w"], ["y"]), Y)


@bomb
def long_texts_elsewhere(size: int) -> list[bytes]:
    text = long_name(size, 6)
    model = [message(2, text), message(3, text), message(4, text), message(6, text)]
    return [*model, message(14, message(1, text) + message(2, text)), *graph(X, op("Relu", ["x"], ["y"]), Y)]


@bomb
def bytes_that_are_no_text(size: int) -> list[bytes]:
    node = message(1, "x") + message(2, "y") + message(3, b"\xff" * (size // 2)) + message(4, "Foo")
    return graph(X, message(1, node + message(6, b"\x1b`\n" * (size // 6))), Y)


# Contents and expressions.


@bomb
def reshape_to_many_axes(size: int) -> list[bytes]:
    return graph(X, constant("s", [1] * size), op("Reshape", ["x", "s"], ["y"]), Y)


@bomb
def doubling_concat(size: int) -> list[bytes]:
    start = constant("c", [2, 3])
    step = chain(size, lambda a, b, _: op("Concat", [a, a], [b], number_of("axis", 0)), "c")
    return graph(X, start, step, Y)


@bomb
def growing_concat(size: int) -> list[bytes]:
    step = chain(size, lambda a, b, _: op("Concat", [a, "x"], [b], number_of("axis", 0)))
    return graph(X, step, Y)


@bomb
def growing_rank(size: int) -> list[bytes]:
    return graph(X, constant("a", [0]), chain(size, lambda a, b, _: op("Unsqueeze", [a, "a"], [b])), Y)


@bomb
def growing_products(size: int) -> list[bytes]:
    step = chain(size, lambda a, b, i: op("Mul" if i % 2 else "Add", [a, f"s{i % 5}" if i % 3 else a], [b]), "s0")
    inputs = value_info(11, "x", ["A", "B", "C", "D", "E"])
    gathers = b"".join(constant(f"i{i}", [i]) + op("Gather", ["s", f"i{i}"], [f"s{i}"]) for i in range(5))
    return graph(inputs, op("Shape", ["x"], ["s"]), gathers, step, op("Reshape", ["x", "y"], ["r"]), Y)


@bomb
def growing_divisions(size: int) -> list[bytes]:
    step = chain(size, lambda a, b, i: op("Div" if i % 2 else "Add", [a, "s1" if i % 4 else "s2"], [b]), "s0")
    inputs = value_info(11, "x", ["A", "B", "C", "D", "E"])
    gathers = b"".join(constant(f"i{i}", [i]) + op("Gather", ["s", f"i{i}"], [f"s{i}"]) for i in range(5))
    return graph(inputs, op("Shape", ["x"], ["s"]), gathers, step, op("Reshape", ["x", "y"], ["r"]), Y)


@bomb
def shapes_of_many_symbols(size: int) -> list[bytes]:
    inputs = b"".join(fill(size // 2, lambda i: value_info(11, f"x{i}", [f"A{i}", f"B{i}"])))
    nodes = fill(size // 2, lambda i: op("Add", [f"v{i}" if i else "x0", f"x{i}"], [f"v{i + 1}"]))
    return graph(inputs, *nodes, Y)


@bomb
def many_symbols_in_one_size(size: int) -> list[bytes]:
    inputs = b"".join(fill(size // 2, lambda i: value_info(11, f"x{i}", [f"A{i}", 4])))
    nodes = fill(
        size // 2, lambda i: op("Concat", [f"v{i}" if i else "x0", f"x{i}"], [f"v{i + 1}"], number_of("axis", 0))
    )
    return graph(inputs, *nodes, Y)


@bomb
def long_size_text(size: int) -> list[bytes]:
    return graph(value_info(11, "x", ["+".join(["N*M"] * (size // 4)), 4, 8, 8]), op("Relu", ["x"], ["y"]), Y)


@bomb
def nested_size_text(size: int) -> list[bytes]:
    return graph(value_info(11, "x", ["(" * (size // 2) + "N" + ")" * (size // 2), 4]), op("Relu", ["x"], ["y"]), Y)


@bomb
def ranks_at_the_limit(size: int) -> list[bytes]:
    dims = [f"N{i}" for i in range(1024)]
    return graph(*fill(size, lambda i: value_info(11, f"x{i}", dims) + op("Relu", [f"x{i}"], [f"y{i}"])), Y)


@bomb
def ranks_passed_on(size: int) -> list[bytes]:
    inputs = value_info(11, "x", [f"N{i}" for i in range(1024)])
    return graph(inputs, chain(size, lambda a, b, _: op("Add", [a, "x"], [b])), Y)


@bomb
def contents_passed_on(size: int) -> list[bytes]:
    start = constant("c", list(range(1000)))
    return graph(X, start, chain(size, lambda a, b, _: op("Add", [a, "c"], [b]), "c"), Y)


@bomb
def huge_contents(size: int) -> list[bytes]:
    start = constant("n", [1 << 40]) + constant("one", [1])
    nodes = fill(size, lambda i: op("ConstantOfShape", ["n"], [f"c{i}"]) + op("Expand", ["one", "n"], [f"e{i}"]))
    return graph(X, start, *nodes, Y)


# Graphs in graphs, and functions.


def nested(depth: int, make: str, inner: bytes) -> bytes:
    """Loops or Ifs, one in the other."""
    body = inner
    for i in range(depth):
        if make == "Loop":
            ends = b"".join(message(11, message(1, f"{n}{i}")) for n in "icv")
            ends += message(12, message(1, f"c{i}")) + message(12, message(1, f"o{i - 1}" if i else f"v{i}"))
            body = op("Loop", ["t", "t", "x"], [f"o{i}"], body_of("body", body + ends))
        else:
            ends = message(12, message(1, f"o{i - 1}" if i else "x"))
            branches = body_of("then_branch", body, ends) + body_of("else_branch", op("Foo", ["x"], ["e"]), ends)
            body = op("If", ["t"], [f"o{i}"], branches)
    return body


@bomb
def nested_loops(size: int) -> list[bytes]:
    return graph(X, nested(60, "Loop", b"".join(fill(size, lambda i: op("Foo", ["x"], [f"z{i}"])))), Y)


@bomb
def growing_loops(size: int) -> list[bytes]:
    grow = b"".join(op("Concat", [f"v{i}", "x"], [f"z{i}"], number_of("axis", 0)) for i in range(30))
    return graph(X, *fill(size, lambda _: nested(30, "Loop", grow)), Y)


@bomb
def nested_ifs(size: int) -> list[bytes]:
    return graph(X, nested(60, "If", b"".join(fill(size, lambda i: op("Foo", ["x"], [f"z{i}"])))), Y)


@bomb
def nested_too_deeply(size: int) -> list[bytes]:
    return graph(X, nested(min(size // 80, 2000), "If", b""), Y)


@bomb
def many_bodies(size: int) -> list[bytes]:
    branch = op("Foo", ["x"], ["o"]) + message(12, message(1, "o"))
    branches = body_of("then_branch", branch) + body_of("else_branch", branch)
    return graph(X, *fill(size, lambda i: op("If", ["x"], [f"y{i}"], branches)), Y)


@bomb
def many_loops(size: int) -> list[bytes]:
    return graph(X, *fill(size, lambda _: nested(1, "Loop", b"")), Y)


@bomb
def loop_with_many_values(size: int) -> list[bytes]:
    names = [f"{i}" for i in range(size // 20)]
    ends = b"".join(message(11, message(1, f"i{n}")) for n in ["t", "c", *names])
    ends += b"".join(message(12, message(1, f"i{n}")) for n in ["c", *names])
    loop = op("Loop", ["t", "t", *["x"] * len(names)], [f"o{n}" for n in names], body_of("body", ends))
    return graph(X, loop, Y)


def function(name: str, content: bytes) -> bytes:
    ends = message(4, "a") + message(5, "z") + message(10, "f") + message(9, message(1, "") + varint(2, 17))
    return message(25, message(1, name) + ends + message(9, message(1, "f") + varint(2, 1)) + content)


def call(name: str, a: str, z: str, field: int = 1) -> bytes:
    return op(name, [a], [z], message(7, "f"), field=field)


@bomb
def functions_that_double(size: int) -> list[bytes]:
    functions = [function("f0", op("Foo", ["a"], ["z"], field=7))]
    for i in range(1, 40):
        functions.append(function(f"f{i}", call(f"f{i - 1}", "a", "m", 7) + call(f"f{i - 1}", "m", "z", 7)))
    return [message(8, message(1, "f") + varint(2, 1)), *functions, *graph(X, call("f39", "x", "y"), Y)]


@bomb
def functions_called_often(size: int) -> list[bytes]:
    inner = b"".join(op("Foo", ["a"], [f"z{i}" if i else "z"], field=7) for i in range(100))
    calls = fill(size, lambda i: call("f0", "x", f"y{i}"))
    return [message(8, message(1, "f") + varint(2, 1)), function("f0", inner), *graph(X, *calls, Y)]


@bomb
def many_functions(size: int) -> list[bytes]:
    functions = fill(size, lambda i: function(f"f{i}", op("Foo", ["a"], ["z"], field=7)))
    return [message(8, message(1, "f") + varint(2, 1)), *functions, *graph(X, call("f1", "x", "y"), Y)]


@bomb
def nested_sequences(size: int) -> list[bytes]:
    kind = message(1, varint(1, 1))
    for _ in range(min(size // 10, 5000)):
        kind = message(4, message(1, kind))
    return graph(message(11, message(1, "x") + message(2, kind)), op("Relu", ["x"], ["y"]), Y)


@bomb
def bodies_in_a_circle(size: int) -> list[bytes]:
    """Loops that carry what is reshaped from itself."""
    body = op("Reshape", ["q", "s"], ["p"]) + op("Reshape", ["p", "s"], ["q"]) + op("Identity", ["c"], ["d"])
    ends = b"".join(message(11, message(1, n)) for n in "icv") + b"".join(message(12, message(1, n)) for n in "dq")
    return graph(
        X,
        constant("s", [1, -1]),
        *fill(size, lambda i: op("Loop", ["t", "", "x"], [f"y{i}"], body_of("body", body + ends))),
        Y,
    )
