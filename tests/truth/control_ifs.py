"""Models of If: what decides it, how its branches differ, what happens behind it."""

from __future__ import annotations

from control_forms import Form
from control_text import Text, base

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


def if_graph(form: Form) -> Text:
    graph = base(form)
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
