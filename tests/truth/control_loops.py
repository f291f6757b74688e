"""Models of Loop and Scan: what they carry, where sizes come from, who uses them."""

from __future__ import annotations

from control_forms import Form
from control_text import Text, base, results_of

# Users whose result has rank 1.
ONE_AXIS = ("range", "zeros", "expand", "split")
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


def loop_graph(form: Form) -> Text:
    graph = base(form)
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
    graph.outputs = results_of(body, results, skip=1)
    return graph


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


def scan_graph(form: Form) -> Text:
    graph = base(form)
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
    graph.outputs = results_of(body, results, skip=0)
    return graph
