"""Models of Loop, Scan and If: what they carry, where sizes come from, what decides them.

A form chooses one option in each of a few dimensions. Most options are the plain ones; the grid walks each unusual
option alone, then pairs of them, and draws the rest.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import onnx.parser
from onnx import ModelProto

SEED = 1
OPSET = 17
COUNTS = {"Loop": 1100, "Scan": 350, "If": 950}

# The first option is the plain one.
LOOP: dict[str, tuple[str, ...]] = {
    "data": ("static", "dynamic"),
    "trip": ("four", "zero", "one", "input", "size", "data", "maximum", "none"),
    "condition": ("true", "none", "input", "folded", "in the body", "from data"),
    "first": ("input", "relu", "matmul", "gather", "reshape", "unsqueeze", "expand", "reduce", "transpose", "constant"),
    "carried": (
        "stable",
        "concat",
        "doubled",
        "broadcast",
        "broadcast back",
        "unsqueezed",
        "squeezed",
        "shrunk",
        "other type",
        "concat of nothing",
        "expanded",
        "reshaped",
        "grown and cut",
        "swapped",
        "passed on",
        "constant",
        "outer",
    ),
    "size": (
        "none",
        "iteration",
        "iteration + 1",
        "counter",
        "carried vector",
        "outer shape",
        "outer input",
        "initializer",
        "constant",
        "shape of carried",
        "table",
        "table, folded",
        "from data",
        "minimum",
        "if",
    ),
    "user": (
        "slice to",
        "slice from",
        "slice both",
        "range",
        "zeros",
        "expand",
        "reshape",
        "tile",
        "pad",
        "resize",
        "topk",
        "split",
        "onehot",
        "gather",
        "trilu",
    ),
    "stacked": ("none", "carried", "used"),
    "place": ("main", "in a Loop", "in an If", "in a taken If"),
}
SCAN: dict[str, tuple[str, ...]] = {
    "data": ("static", "dynamic", "dynamic row"),
    "carried": LOOP["carried"],
    "size": (
        "none",
        "counter",
        "carried vector",
        "outer shape",
        "outer input",
        "initializer",
        "constant",
        "shape of carried",
        "scanned",
        "shape of scanned",
        "from data",
        "if",
    ),
    "user": LOOP["user"],
    "stacked": LOOP["stacked"],
    "first": LOOP["first"],
    "axis": ("0", "1"),
    "direction": ("forward", "backward"),
    "place": ("main", "in a Loop", "in an If"),
}
IF: dict[str, tuple[str, ...]] = {
    "data": ("static", "dynamic"),
    "condition": (
        "input",
        "initializer",
        "constant",
        "identity",
        "folded",
        "static size",
        "dynamic size",
        "from data",
        "input of one",
        "size input",
        "iteration",
    ),
    "branches": (
        "same",
        "other size",
        "other rank",
        "other type",
        "transposed",
        "outer",
        "both outer",
        "outer and relu",
        "initializer",
        "constants",
        "invalid else",
        "invalid then",
        "squeeze",
        "sizes",
        "one size",
        "shape of data",
        "sliced",
        "empty",
    ),
    "after": (
        "none",
        "relu",
        "shape",
        "slice",
        "reshape",
        "expand",
        "zeros",
        "range",
        "topk",
        "concat",
        "matmul",
        "conv",
        "add",
        "transpose",
        "resize",
        "reduce",
        "softmax",
        "gru",
        "mixed",
    ),
    "place": ("main", "in a Loop", "in an If", "in front of a Loop", "in front of an If"),
}
# Users whose result has rank 1.
ONE_AXIS = ("range", "zeros", "expand", "split")
DIMENSIONS = {"Loop": LOOP, "Scan": SCAN, "If": IF}


@dataclass(frozen=True)
class Form:
    kind: str
    choices: tuple[tuple[str, str], ...]  # the unusual ones

    def __getitem__(self, dimension: str) -> str:
        return dict(self.choices).get(dimension, DIMENSIONS[self.kind][dimension][0])

    @property
    def name(self) -> str:
        return f"{self.kind}: " + (", ".join(f"{name} {option}" for name, option in self.choices) or "plain")


@dataclass
class Text:
    """What a graph consists of, line by line."""

    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def body(self, name: str) -> str:
        constants = f" <{', '.join(self.constants)}>" if self.constants else ""
        return (
            f"{name} ({', '.join(self.inputs)}) => ({', '.join(self.outputs)}){constants} {{ {'  '.join(self.lines)} }}"
        )


def forms(seed: int = SEED) -> Iterator[Form]:
    for kind, dimensions in DIMENSIONS.items():
        rng = random.Random(f"{seed} {kind}")
        seen: set[Form] = set()
        for form in itertools.chain(_designed(kind, dimensions), _drawn(kind, dimensions, rng)):
            if form in seen:
                continue
            seen.add(form)
            yield form
            if len(seen) == COUNTS[kind]:
                break


def _unusual(dimensions: dict[str, tuple[str, ...]], chosen: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, chosen[name]) for name in dimensions if chosen.get(name, dimensions[name][0]) != dimensions[name][0]
    )


def _designed(kind: str, dimensions: dict[str, tuple[str, ...]]) -> Iterator[Form]:
    """The plain one, each unusual option alone, and each pair of where a size comes from and who uses it."""
    yield Form(kind, ())
    for name, options in dimensions.items():
        for option in options[1:]:
            yield Form(kind, ((name, option),))
    pair = ("branches", "after") if kind == "If" else ("size", "user")
    for first, second in itertools.product(dimensions[pair[0]][1:], dimensions[pair[1]]):
        yield Form(kind, _unusual(dimensions, {pair[0]: first, pair[1]: second}))


def _drawn(kind: str, dimensions: dict[str, tuple[str, ...]], rng: random.Random) -> Iterator[Form]:
    while True:
        names = rng.sample(sorted(dimensions), rng.choice((2, 2, 3, 3, 4)))
        yield Form(kind, _unusual(dimensions, {name: rng.choice(dimensions[name]) for name in names}))


def model(form: Form) -> ModelProto:
    return onnx.parser.parse_model(text(form))


def text(form: Form) -> str:
    graph = {"Loop": _loop, "Scan": _scan, "If": _if}[form.kind](form)
    return f'<ir_version: 9, opset_import: ["" : {OPSET}]> {_placed(form, graph).body("agraph")}'


# What is carried: the type of the first value, statements that make `w` of `v`, the type of `w`.
_CARRIED: dict[str, tuple[str, str, str]] = {
    "stable": ("float[4]", "w = Relu (v)", "float[4]"),
    "concat": ("float[1,4]", "w = Concat <axis = 0> (v, row)", "float[B,4]"),
    "doubled": ("float[4]", "w = Concat <axis = 0> (v, v)", "float[B]"),
    "broadcast": ("float[1]", "w = Add (v, four)", "float[4]"),
    "broadcast back": ("float[4]", "w0 = Add (v, one)  w = Relu (w0)", "float[4]"),
    "unsqueezed": ("float[4]", "w = Unsqueeze (v, zero)", "float[1,4]"),
    "squeezed": ("float[1,4]", "w = Squeeze (v, zero)", "float[4]"),
    "shrunk": ("float[4]", "w = Slice (v, ones, large, zero)", "float[B]"),
    "other type": ("float[4]", "w = Cast <to = 10> (v)", "float16[4]"),
    "concat of nothing": ("float[4]", "w = Concat <axis = 0> (v, nothing)", "float[B]"),
    "expanded": ("float[1,4]", "w = Expand (v, three_four)", "float[B,4]"),
    "reshaped": ("float[4]", "w0 = Reshape (v, two_two)  w = Reshape (w0, minus)", "float[B]"),
    "grown and cut": ("float[1,4]", "w0 = Concat <axis = 0> (v, row)  w = Slice (w0, ones, large, zero)", "float[B,4]"),
    "swapped": ("float[2,4]", "w = Transpose (v)", "float[4,2]"),
    "passed on": ("float[4]", "w = Identity (v)", "float[4]"),
    "constant": ("float[4]", "w = Constant <value = float[4] {1, 2, 3, 4}> ()", "float[4]"),
    "outer": ("float[4]", "w = Identity (four)", "float[4]"),
}
_OUTER = [
    "float[4] four = {1, 2, 3, 4}",
    "float[1] one = {1}",
    "float[1,4] row = {1, 2, 3, 4}",
    "float[0] nothing = {}",
    "int64[1] zero = {0}",
    "int64[1] ones = {1}",
    "int64[1] large = {100}",
    "int64[1] minus = {-1}",
    "int64[2] two_two = {2, 2}",
    "int64[2] three_four = {3, 4}",
    "int64[1] init = {2}",
    "int64[5] sizes = {1, 2, 3, 4, 5}",
    "int64 unit = {1}",
    "int64 nought = {0}",
]
# Statements that make `k`, INT64[1]; `i` is the iteration, `n` a counter that is carried, `q` a vector.
_SIZES = {
    "iteration": "k = Unsqueeze (i, zero)",
    "iteration + 1": "i1 = Add (i, unit)  k = Unsqueeze (i1, zero)",
    "counter": "k = Unsqueeze (n, zero)",
    "carried vector": "k = Identity (q)",
    "outer shape": "k = Shape <start = 0, end = 1> (x)",
    "outer input": "k = Identity (given)",
    "initializer": "k = Identity (init)",
    "constant": "k = Constant <value = int64[1] {2}> ()",
    "shape of carried": "k = Shape <start = 0, end = 1> (v)",
    "table": "k0 = Gather (sizes, i)  k = Unsqueeze (k0, zero)",
    "table, folded": "k0 = Gather (sizes, unit)  k = Unsqueeze (k0, zero)",
    "from data": "m0 = ReduceMax <keepdims = 0> (v)  k0 = Cast <to = 7> (m0)  k = Unsqueeze (k0, zero)",
    "minimum": "k0 = Min (i, unit)  k = Unsqueeze (k0, zero)",
    "scanned": "k = Unsqueeze (si, zero)",
    "shape of scanned": "k = Shape <start = 0, end = 1> (e)",
    "if": "k = If (flag) <then_branch = t () => (int64[1] a) { a = Constant <value = int64[1] {1}> () },"
    " else_branch = f () => (int64[1] b) { b = Constant <value = int64[1] {2}> () }>",
}
# Statements that make `u`, a tensor of FLOAT, of `x` and `k`.
_USERS = {
    "slice to": "u = Slice (x, zero, k, zero)",
    "slice from": "u = Slice (x, k, large, zero)",
    "slice both": "k1 = Add (k, ones)  u = Slice (x, k, k1, zero)",
    "range": "ks = Squeeze (k, zero)  r = Range (nought, ks, unit)  u = Cast <to = 1> (r)",
    "zeros": "u = ConstantOfShape (k)",
    "expand": "u = Expand (one, k)",
    "reshape": "s = Concat <axis = 0> (minus, k)  u = Reshape (flat, s)",
    "tile": "s = Concat <axis = 0> (ones, k)  u = Tile (x, s)",
    "pad": "s = Concat <axis = 0> (zero, zero, k, zero)  u = Pad (x, s)",
    "resize": "s = Concat <axis = 0> (k, large)  u = Resize (x, , , s)",
    "topk": "u, _idx = TopK <axis = 0> (x, k)",
    "split": "k1 = Sub (five, k)  s = Concat <axis = 0> (k, k1)  u, _rest = Split <axis = 0> (fives, s)",
    "onehot": "ks = Squeeze (k, zero)  u = OneHot (sizes, ks, pair)",
    "gather": "u = Gather (x, k)",
    "trilu": "ks = Squeeze (k, zero)  u = Trilu (x, ks)",
}


def _base(form: Form) -> Text:
    graph = Text(constants=list(_OUTER))
    graph.constants += ["float[2] pair = {0, 1}", "float[5] fives = {1, 2, 3, 4, 5}", "int64[1] five = {5}"]
    dims = {"static": "5,4", "dynamic": "N,4", "dynamic row": "5,R"}[form["data"]]
    graph.inputs.append(f"float[{dims}] x")
    return graph


def _first(graph: Text, form: Form, kind: str) -> None:
    """Makes `v0` of the type."""
    dims = kind[kind.index("[") + 1 : -1].split(",")
    shape = ", ".join(dims)
    size = 1
    for dim in dims:
        size *= int(dim)
    graph.constants.append(f"int64[{len(dims)}] like = {{{shape}}}")
    plain = f"float[{','.join(dims)}]"
    made = {
        "relu": (plain, "v0 = Relu (g)"),
        "matmul": (f"float[{','.join([*dims[:-1], '3'])}]", "v0 = MatMul (g, weight)"),
        "gather": (f"float[6,{','.join(dims)}]", "v0 = Gather (g, nought)"),
        "reshape": (f"float[{size}]", "v0 = Reshape (g, like)"),
        "unsqueeze": (f"float[{','.join(dims[1:])}]" if dims[1:] else "float", "v0 = Unsqueeze (g, zero)"),
        "expand": ("float[1]", "v0 = Expand (g, like)"),
        "reduce": (f"float[{','.join([*dims, '3'])}]", "v0 = ReduceSum <keepdims = 0> (g, minus)"),
        "transpose": (f"float[{','.join(reversed(dims))}]", "v0 = Transpose (g)"),
    }
    if form["first"] == "input":
        graph.inputs.append(f"{plain} v0")
    elif form["first"] == "constant":
        graph.constants.append(f"{plain} v0 = {{{', '.join(map(str, range(1, size + 1)))}}}")
    else:
        given, line = made[form["first"]]
        if form["first"] == "matmul":
            graph.constants.append(f"float[3,{dims[-1]}] weight = {{{', '.join(['1'] * 3 * int(dims[-1]))}}}")
        if form["first"] == "unsqueeze" and dims[0] != "1":
            # Only an axis of one element can be made so.
            graph.lines.append("v0 = Relu (g)")
            given = plain
        else:
            graph.lines.append(line)
        graph.inputs.append(f"{given} g")


def _sized(graph: Text, form: Form, body: Text) -> str:
    """Statements of a size and its user; the type of the user's result or ""."""
    size, user = form["size"], form["user"]
    if size == "none":
        return ""
    if size == "outer input":
        graph.inputs.append("int64[1] given")
    if size == "if":
        graph.inputs.append("bool flag")
    if user == "reshape":
        graph.constants.append(f"float[60] flat = {{{', '.join(['1'] * 60)}}}")
    body.lines += [_SIZES[size], _USERS[user], "u0 = ReduceSum <keepdims = 0> (u)"]
    return "float[S]" if user in ONE_AXIS else "float[S,T]"


def _loop_body(form: Form, graph: Text) -> tuple[Text, list[str], list[str]]:
    """The body without the iteration and the condition; first values; outputs of the node."""
    before, line, after = _CARRIED[form["carried"]]
    _first(graph, form, before)
    loose = {"concat": "float[A,4]", "doubled": "float[A]", "shrunk": "float[A]", "grown and cut": "float[A,4]"}
    inside = loose.get(form["carried"], before)
    body = Text(inputs=[f"{inside} v"], lines=[line])
    used = _sized(graph, form, body)
    result = "w"
    if used and form["carried"] != "other type":
        body.lines.append("w2 = Add (w, u0)")
        result = "w2"
    body.outputs = [f"{after} {result}"]
    first, results = ["v0"], ["last"]
    if form["size"] == "counter":
        graph.constants.append("int64 start = {1}")
        body.inputs.append("int64 n")
        body.lines.append("n1 = Add (n, unit)")
        body.outputs.append("int64 n1")
        first.append("start")
        results.append("count")
    if form["size"] == "carried vector":
        graph.constants.append("int64[1] vector = {2}")
        body.inputs.append("int64[1] q")
        body.lines.append("q1 = Identity (q)")
        body.outputs.append("int64[1] q1")
        first.append("vector")
        results.append("kept")
    return body, first, results


def _stacked(form: Form, body: Text) -> list[str]:
    if form["stacked"] == "carried":
        body.lines.append("stack = Neg (v)")
        body.outputs.append(f"float{_dims_of(body)} stack")
        return ["stacks"]
    if form["stacked"] == "used" and form["size"] != "none":
        body.lines.append("stack = Neg (u)")
        body.outputs.append(f"{'float[S]' if form['user'] in ONE_AXIS else 'float[S,T]'} stack")
        return ["stacks"]
    return []


def _dims_of(body: Text) -> str:
    carried = next(each for each in body.inputs if each.endswith(" v"))
    return carried[len("float") : -len(" v")]


def _loop(form: Form) -> Text:
    graph = _base(form)
    body, first, results = _loop_body(form, graph)
    body.inputs[:0] = ["int64 i", "bool c"]
    results += _stacked(form, body)
    if form["condition"] == "in the body":
        body.lines.append(
            "most = Constant <value = float {1000}> ()  m = ReduceMax <keepdims = 0> (v)  d = Less (m, most)"
        )
    elif form["condition"] == "none":
        body.lines.append("d = Constant <value = bool {1}> ()")
    else:
        body.lines.append("d = Identity (c)")
    body.outputs.insert(0, "bool d")
    trip = _trip(graph, form["trip"])
    condition = _loop_condition(graph, form["condition"])
    graph.lines.append(
        f"{', '.join(results)} = Loop ({trip}, {condition}, {', '.join(first)}) <body = {body.body('body')}>"
    )
    graph.outputs = _results(body, results, skip=1)
    return graph


def _results(body: Text, results: list[str], skip: int) -> list[str]:
    kinds = [each.partition("[")[0].partition(" ")[0] for each in body.outputs[skip:]]
    return [_open(kind, each, name) for kind, each, name in zip(kinds, body.outputs[skip:], results, strict=True)]


def _open(kind: str, declared: str, name: str) -> str:
    """Rank as declared, sizes left to the reader; stacked values have an axis more."""
    dims = declared.partition("[")[2].partition("]")[0]
    rank = (dims.count(",") + 1 if dims else 0) + (name == "stacks")
    return f"{kind}[{', '.join(f'{name}_{axis}' for axis in range(rank))}] {name}" if rank else f"{kind} {name}"


def _trip(graph: Text, kind: str) -> str:
    if kind == "none":
        return '""'
    if kind == "input":
        graph.inputs.append("int64 trips")
    elif kind == "size":
        graph.lines.append("trips1 = Shape <start = 0, end = 1> (x)  trips = Squeeze (trips1, zero)")
    elif kind == "data":
        graph.inputs.append("float many")
        graph.lines.append("trips = Cast <to = 7> (many)")
    else:
        number = {"four": 4, "zero": 0, "one": 1, "maximum": 9223372036854775807}[kind]
        graph.constants.append(f"int64 trips = {{{number}}}")
    return "trips"


def _loop_condition(graph: Text, kind: str) -> str:
    if kind == "none":
        return '""'
    if kind == "input":
        graph.inputs.append("bool go")
    elif kind == "folded":
        graph.constants.append("bool stop = {0}")
        graph.lines.append("go = Not (stop)")
    elif kind == "from data":
        graph.lines.append("largest = ReduceMax <keepdims = 0> (x)  limit = Constant <value = float {1000}> ()")
        graph.lines.append("go = Less (largest, limit)")
    else:
        graph.constants.append("bool go = {1}")
    return "go"


def _scan(form: Form) -> Text:
    graph = _base(form)
    body, first, results = _loop_body(form, graph)
    dims = {"static": ["5", "4"], "dynamic": ["N", "4"], "dynamic row": ["5", "R"]}[form["data"]]
    row = dims[1] if form["axis"] == "0" else dims[0]
    body.inputs.append(f"float[{row}] e")
    inputs = [*first, "x"]
    axes = [form["axis"]]
    if form["size"] == "scanned":
        body.inputs.append("int64 si")
        graph.constants.append(
            "int64[4] steps = {1, 2, 3, 4}" if form["axis"] == "1" else "int64[5] steps = {1, 2, 3, 4, 5}"
        )
        inputs.append("steps")
        axes.append("0")
    found = _stacked(form, body)
    if not found:
        body.lines.append("stack = Neg (e)")
        body.outputs.append(f"float[{row}] stack")
        found = ["stacks"]
    results += found
    flags = ", ".join(["1" if form["direction"] == "backward" else "0"] * len(axes))
    attributes = (
        f"num_scan_inputs = {len(axes)}, scan_input_axes = [{', '.join(axes)}], scan_input_directions = [{flags}]"
    )
    graph.lines.append(f"{', '.join(results)} = Scan <{attributes}, body = {body.body('body')}> ({', '.join(inputs)})")
    graph.outputs = _results(body, results, skip=0)
    return graph


# Of each branch: statements, declared type, name.
_BRANCHES: dict[str, tuple[tuple[str, str, str], tuple[str, str, str]]] = {
    "same": (("p = Relu (x)", "float", "p"), ("q = Neg (x)", "float", "q")),
    "other size": (("p = Relu (x)", "float", "p"), ("q = Concat <axis = 0> (x, x)", "float", "q")),
    "other rank": (("p = Relu (x)", "float", "p"), ("q = Unsqueeze (x, zero)", "float", "q")),
    "other type": (("p = Relu (x)", "float", "p"), ("q = Cast <to = 10> (x)", "float16", "q")),
    "transposed": (("p = Relu (x)", "float", "p"), ("q = Transpose (x)", "float", "q")),
    "outer": (("p = Relu (x)", "float", "p"), ("q = Identity (x)", "float", "q")),
    "both outer": (("", "float", "x"), ("", "float", "x2")),
    "outer and relu": (("p = Relu (x)", "float", "p"), ("", "float", "x2")),
    "initializer": (("p = Relu (x)", "float", "p"), ("", "float", "table")),
    "constants": (
        ("p = Constant <value = float[1,4] {1, 2, 3, 4}> ()", "float", "p"),
        ("q = Constant <value = float[1,4] {4, 3, 2, 1}> ()", "float", "q"),
    ),
    "invalid else": (("p = Relu (x)", "float", "p"), ("q = Reshape (x, three_seven)", "float", "q")),
    "invalid then": (("p = Reshape (x, three_seven)", "float", "p"), ("q = Relu (x)", "float", "q")),
    "squeeze": (("p = Squeeze (x, ones)", "float", "p"), ("q = Relu (x)", "float", "q")),
    "sizes": (
        ("p = Constant <value = int64[1] {1}> ()", "int64", "p"),
        ("q = Constant <value = int64[1] {2}> ()", "int64", "q"),
    ),
    "one size": (
        ("p = Constant <value = int64[1] {2}> ()", "int64", "p"),
        ("q = Constant <value = int64[1] {2}> ()", "int64", "q"),
    ),
    "shape of data": (("p = Shape <start = 0, end = 1> (x)", "int64", "p"), ("q = Identity (init)", "int64", "q")),
    "sliced": (("p = Slice (x, zero, ones, zero)", "float", "p"), ("q = Slice (x, zero, init, zero)", "float", "q")),
    "empty": (("p = Relu (x)", "float", "p"), ("q = Slice (x, zero, zero, zero)", "float", "q")),
}
# Of the result `r` of FLOAT, then of INT64.
_AFTER = {
    "relu": "z = Relu (r)",
    "shape": "z0 = Shape (r)  z = Cast <to = 1> (z0)",
    "slice": "z = Slice (r, zero, ones, zero)",
    "reshape": "z = Reshape (r, minus)",
    "expand": "z1 = Shape (r)  z = Expand (one, z1)",
    "zeros": "z1 = Shape (r)  z = ConstantOfShape (z1)",
    "range": "z1 = Shape <start = 0, end = 1> (r)  z2 = Squeeze (z1, zero)  z3 = Range (nought, z2, unit)"
    "  z = Cast <to = 1> (z3)",
    "topk": "z, _idx = TopK <axis = 1> (r, ones)",
    "concat": "z = Concat <axis = 0> (r, r)",
    "matmul": "z = MatMul (r, square)",
    "conv": "z1 = Unsqueeze (r, zero)  z2 = Unsqueeze (z1, zero)  z = Conv (z2, kernel)",
    "add": "z = Add (r, x)",
    "transpose": "z = Transpose (r)",
    "resize": "z1 = Unsqueeze (r, zero)  z2 = Unsqueeze (z1, zero)  z = Resize (z2, , twice)",
    "reduce": "z = ReduceMean <axes = [0]> (r)",
    "softmax": "z = Softmax (r)",
    "gru": "z1 = Unsqueeze (r, ones)  z, _h = GRU <hidden_size = 2> (z1, gw, gr)",
    "mixed": "z1 = Cast <to = 1> (turn)  z = Mul (r, z1)",
}
_AFTER_SIZE = {
    "relu": "z = Cast <to = 1> (r)",
    "shape": "z0 = Shape (r)  z = Cast <to = 1> (z0)",
    "slice": "z = Slice (x, zero, r, zero)",
    "reshape": "s = Concat <axis = 0> (r, minus)  z = Reshape (x, s)",
    "expand": "z = Expand (one, r)",
    "zeros": "z = ConstantOfShape (r)",
    "range": "z2 = Squeeze (r, zero)  z3 = Range (nought, z2, unit)  z = Cast <to = 1> (z3)",
    "topk": "z, _idx = TopK <axis = 0> (x, r)",
    "concat": "z0 = Concat <axis = 0> (r, r)  z = Cast <to = 1> (z0)",
    "matmul": "s = Concat <axis = 0> (ones, r)  z = Tile (x, s)",
    "conv": "s = Concat <axis = 0> (zero, zero, r, zero)  z = Pad (x, s)",
    "add": "z1 = Add (r, ones)  z = Slice (x, zero, z1, zero)",
    "transpose": "z = Gather (x, r)",
    "resize": "s = Concat <axis = 0> (r, large)  z = Resize (x, , , s)",
    "reduce": "z1 = ReduceMax <keepdims = 0> (r)  z = Cast <to = 1> (z1)",
    "softmax": "z1 = Squeeze (r, zero)  z = OneHot (sizes, z1, pair)",
    "gru": "z1 = Mul (r, init)  z = ConstantOfShape (z1)",
    "mixed": "z1 = Add (r, turn)  z = Cast <to = 1> (z1)",
}
_RANKS = {"range": 1, "zeros": 2, "expand": 2, "conv": 4, "resize": 4, "gru": 4, "shape": 1, "reshape": 1, "reduce": 2}
_RANKS_OF_SIZES = dict.fromkeys(_AFTER_SIZE, 2) | {
    "relu": 1,
    "shape": 1,
    "expand": 1,
    "zeros": 1,
    "range": 1,
    "concat": 1,
    "reduce": 0,
    "gru": 1,
    "mixed": 1,
}


def _if(form: Form) -> Text:
    graph = _base(form)
    graph.constants += [
        "int64[2] three_seven = {3, 7}",
        "float[4,4] square = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}",
        "float[1,1,1,1] kernel = {2}",
        "float[4] twice = {1, 1, 2, 2}",
        f"float[1,6,4] gw = {{{', '.join(['1'] * 24)}}}",
        f"float[1,6,2] gr = {{{', '.join(['1'] * 12)}}}",
        f"float[5,4] table = {{{', '.join(map(str, range(20)))}}}",
    ]
    if not form["place"].endswith(" a Loop"):
        graph.constants.append("int64 turn = {2}")  # where no iteration number is
    condition = _if_condition(graph, form["condition"], form["place"])
    (yes, kind, p), (no, other, q) = _BRANCHES[form["branches"]]
    graph.lines.append("x2 = Abs (x)")
    dims = "[1]" if kind == "int64" else ""
    then = Text(outputs=[f"{kind}{dims or '[A,B]'} {p}"], lines=[yes])
    rank = {"other rank": "[C,D,E]"}.get(form["branches"], "[C,D]")
    other_branch = Text(outputs=[f"{other}{dims or rank} {q}"], lines=[no])
    if form["branches"] == "squeeze":
        then.outputs = [f"{kind}[A] {p}"]
    graph.lines.append(f"r = If ({condition}) <then_branch = {then.body('t')}, else_branch = {other_branch.body('f')}>")
    after = form["after"]
    if after == "none" and form["place"].startswith("in front"):
        # A body hands out nothing that it does not make.
        graph.lines.append("z = Identity (r)")
        graph.outputs = [f"{kind}{dims or '[U,V]'} z"]
        return graph
    if after == "none":
        graph.outputs = [f"{kind}{dims or '[U,V]'} r"]
        return graph
    graph.lines.append((_AFTER_SIZE if kind == "int64" else _AFTER)[after])
    rank_after = _RANKS_OF_SIZES[after] if kind == "int64" else _RANKS.get(after, 2)
    graph.outputs = [f"float[{', '.join(f'Z{n}' for n in range(rank_after))}] z" if rank_after else "float z"]
    return graph


def _if_condition(graph: Text, kind: str, place: str) -> str:
    if kind == "iteration" and place != "in a Loop":
        kind = "from data"
    plain = {"input": "bool flag", "input of one": "bool[1] flag"}
    made = {
        "identity": (["bool yes = {1}"], ["flag = Identity (yes)"]),
        "folded": (["bool no = {0}"], ["flag = Not (no)"]),
        "static size": (
            [],
            ["c0 = Shape <start = 1, end = 2> (x)", "c1 = Squeeze (c0, zero)", "flag = Greater (c1, unit)"],
        ),
        "dynamic size": (
            [],
            ["c0 = Shape <start = 0, end = 1> (x)", "c1 = Squeeze (c0, zero)", "flag = Greater (c1, unit)"],
        ),
        "from data": (
            [],
            ["c0 = ReduceMax <keepdims = 0> (x)", "c1 = Constant <value = float {3}> ()", "flag = Greater (c0, c1)"],
        ),
        "iteration": ([], ["flag = Greater (turn, unit)"]),
        "constant": ([], ["flag = Constant <value = bool {1}> ()"]),
        "initializer": (["bool flag = {1}"], []),
    }
    if kind in plain:
        graph.inputs.append(plain[kind])
    elif kind == "size input":
        graph.inputs.append("int64 number")
        graph.lines.append("flag = Greater (number, unit)")
    else:
        constants, lines = made[kind]
        graph.constants += constants
        graph.lines += lines
    return "flag"


def _placed(form: Form, graph: Text) -> Text:
    """The graph as it is, or what it does inside of a Loop or a branch."""
    if form["place"] == "main":
        return graph
    before = [] if not form["place"].startswith("in front") else graph.lines[:-1]
    inner = Text(outputs=list(graph.outputs), lines=graph.lines[len(before) :])
    outer = Text(inputs=list(graph.inputs), outputs=[], constants=list(graph.constants))
    kinds = [each.partition("[")[0].partition(" ")[0] for each in graph.outputs]
    names = [each.rpartition(" ")[2] for each in graph.outputs]
    ranks = [each.count(",") + 1 if "[" in each else 0 for each in graph.outputs]
    if form["place"].endswith(" a Loop"):
        inner.inputs = ["int64 turn", "bool again"]
        inner.lines.append("again_out = Identity (again)")
        inner.outputs.insert(0, "bool again_out")
        outer.constants += ["int64 turns = {3}", "bool always = {1}"]
        stacked = [f"{name}_all" for name in names]
        outer.lines = [*before, f"{', '.join(stacked)} = Loop (turns, always) <body = {inner.body('outer')}>"]
        outer.outputs = [
            f"{kind}[{', '.join(f'O{name}{axis}' for axis in range(rank + 1))}] {name}"
            for kind, rank, name in zip(kinds, ranks, stacked, strict=True)
        ]
        return outer
    other = Text()
    for kind, rank, name in zip(kinds, ranks, names, strict=True):
        dims = ",".join(["1"] * rank)
        declared = f"{kind}[{dims}]" if rank else kind
        # Sizes of its own: the branch is not looked at when the condition is known.
        other.lines.append(f"{name}_else = Constant <value = {declared} {{1}}> ()")
        other.outputs.append(
            f"{kind}{'[' + ','.join(f'L{name}{axis}' for axis in range(rank)) + ']' if rank else ''} {name}_else"
        )
    if form["place"].endswith(" an If"):
        outer.inputs.append("bool which")
    else:
        outer.constants.append("bool which = {1}")
    results = [f"{name}_if" for name in names]
    outer.lines = [
        *before,
        f"{', '.join(results)} = If (which) <then_branch = {inner.body('taken')}, "
        f"else_branch = {other.body('untaken')}>",
    ]
    outer.outputs = [
        f"{kind}[{', '.join(f'O{name}{axis}' for axis in range(rank))}] {name}" if rank else f"{kind} {name}"
        for kind, rank, name in zip(kinds, ranks, results, strict=True)
    ]
    return outer
