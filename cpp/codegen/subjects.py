"""What a condition of cpp/data/facts is about, told by its form: "rank(X) < 2" is about the rank of X.

Facts of these forms need no message of their own: cpp/src/engine/tell_facts.cpp has one for each.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from conditions import NONE, OUTPUTS, attribute_name, call_of, constant


@dataclass(frozen=True)
class About:
    """What a fact judges, for its message and its place: see Subject in cpp/src/facts/fact.hpp."""

    subject: str
    attribute: str = ""
    index: int = NONE
    allowed: tuple[str, ...] = ()


def allowed_texts(node: ast.expr) -> tuple[str, ...]:
    """The constants of a tuple, or the one constant."""
    nodes = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return tuple(str(constant(one)) for one in nodes)


def either(words: tuple[str, ...]) -> str:
    """ "a", "a or b", "a, b or c"."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def clause(about: About, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> str:
    """The case in plain words, for facts without a message of their own: "input `K` is not constant"."""
    allowed = either(about.allowed) if about.allowed else ""
    names = outputs if about.subject == "output_absent" else inputs
    name = names[about.index] if about.index < len(names) else ""
    return {
        "attribute_value": f"attribute `{about.attribute}` is not {allowed}",
        "attribute_type": f"attribute `{about.attribute}` asks for a type that is not {allowed}",
        "attribute_absent": f"the node has the attribute `{about.attribute}`",
        "constant": f"input `{name}` is neither an initializer nor the output of a Constant",
        "folded": f"input `{name}` cannot be computed from constants",
        "rank_in": f"the rank of input `{name}` is not {allowed}",
        "rank_at_least": f"the rank of input `{name}` is below {allowed}",
        "rank_at_most": f"the rank of input `{name}` is above {allowed}",
        "input_absent": f"the node has the input `{name}`",
        "output_absent": f"the node has the output `{name}`",
        "type_in": f"the type of input `{name}` is not {allowed}",
        "type_not_in": f"the type of input `{name}` is {allowed}",
    }[about.subject]


def limits(node: ast.expr) -> tuple[ast.expr, str, ast.expr] | None:
    """(left, operator, right) of a comparison of two things."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return node.left, type(node.ops[0]).__name__, node.comparators[0]
    return None


def about_attribute(node: ast.expr) -> About | None:
    if (call := call_of(node, "has")) and (name := attribute_name(call.args[0])):
        return About("attribute_absent", name)
    of_list = call_of(node, "any")
    if of_list and isinstance(of_list.args[0], ast.GeneratorExp):
        loop = of_list.args[0]
        name = attribute_name(loop.generators[0].iter)
        compared = limits(loop.elt)
        if name and compared and compared[1] in ("NotEq", "NotIn") and isinstance(compared[0], ast.Name):
            return About("attribute_value", name, allowed=allowed_texts(compared[2]))
        return None
    compared = limits(node)
    if compared is None or compared[1] not in ("NotEq", "NotIn"):
        return None
    if name := attribute_name(compared[0]):
        return About("attribute_value", name, allowed=allowed_texts(compared[2]))
    if (call := call_of(compared[0], "network_type")) and (name := attribute_name(call.args[0])):
        return About("attribute_type", name, allowed=allowed_texts(compared[2]))
    return None


def about_tensor(node: ast.expr, place: Any) -> About | None:
    if call := call_of(node, "given"):
        at = place(call.args[0])
        return About("output_absent", index=at - OUTPUTS) if at >= OUTPUTS else About("input_absent", index=at)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        for word, subject in (("const", "constant"), ("folds", "folded")):
            if call := call_of(node.operand, word):
                return About(subject, index=place(call.args[0]))
    compared = limits(node)
    if compared is None:
        return None
    left, operator, right = compared
    if (call := call_of(left, "rank")) and place(call.args[0]) < OUTPUTS:
        subject = {"Lt": "rank_at_least", "Gt": "rank_at_most", "NotEq": "rank_in", "NotIn": "rank_in"}.get(operator)
        if subject:
            return About(subject, index=place(call.args[0]), allowed=allowed_texts(right))
    if (call := call_of(left, "network_type")) and isinstance(call.args[0], ast.Name) and place(call.args[0]) < OUTPUTS:
        subject = {"NotEq": "type_in", "NotIn": "type_in", "Eq": "type_not_in", "In": "type_not_in"}.get(operator)
        if subject:
            return About(subject, index=place(call.args[0]), allowed=allowed_texts(right))
    return None
