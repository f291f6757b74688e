"""A graph as it is, or inside of a Loop or of a branch."""

from __future__ import annotations

from control_forms import Form
from control_text import Text


def placed(form: Form, graph: Text) -> Text:
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
