"""The language of conditions in cpp/data/facts: a closed subset of Python's expressions, checked and compiled.

    rank(X) < 2 and not const(K)
    any(d != 1 for d in attr.dilations)
    const(W) and dim(B, 0) != dim(W, 0)

Names of inputs and outputs are those of the ONNX schema in force; a name of both is the input. `Compiler` gives a
tree of expressions (children before parents) for cpp/src/facts/evaluate.cpp, which knows the same words.
docs/adding-a-fact.md lists them. Standard library only: it runs in every build.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Kinds of values. `any` is what cannot be known here: an attribute of an operator without ONNX schema.
TRUTH, NUMBER, TEXT, TYPE, NUMBERS, TEXTS, ANY = "truth", "number", "text", "type", "numbers", "texts", "any"
GRAPH = "graph"
ITEMS = {NUMBERS: NUMBER, TEXTS: TEXT, ANY: ANY}

#: onnx.AttributeProto.AttributeType of the attributes that a condition can look at.
ATTRIBUTE_KINDS = {1: NUMBER, 2: NUMBER, 3: TEXT, 5: GRAPH, 6: NUMBERS, 7: NUMBERS, 8: TEXTS}

#: TensorProto.DataType by name, as ONNX writes them.
TYPES = {
    "FLOAT": 1, "UINT8": 2, "INT8": 3, "UINT16": 4, "INT16": 5, "INT32": 6, "INT64": 7, "STRING": 8, "BOOL": 9,
    "FLOAT16": 10, "DOUBLE": 11, "UINT32": 12, "UINT64": 13, "COMPLEX64": 14, "COMPLEX128": 15, "BFLOAT16": 16,
    "FLOAT8E4M3FN": 17, "FLOAT8E4M3FNUZ": 18, "FLOAT8E5M2": 19, "FLOAT8E5M2FNUZ": 20, "UINT4": 21, "INT4": 22,
    "FLOAT4E2M1": 23,
}  # fmt: skip

#: What TensorRT calls the element types of a network.
NETWORK_TYPES = {"FP32", "FP16", "BF16", "INT8", "UINT8", "INT32", "INT64", "BOOL", "FP8", "INT4", "FP4"}

#: Words about one tensor: what they give, and whether they can be asked about an output.
TENSOR_WORDS = {
    "given": TRUTH, "const": TRUTH, "folds": TRUTH, "type": TYPE, "network_type": TEXT, "rank": NUMBER,
    "dims": NUMBERS, "volume": NUMBER, "data": NUMBERS, "source": TEXT, "name": TEXT,
    "from_data": TRUTH, "quantized": TEXT,
}  # fmt: skip
#: Facts that a wrong word could be meant for, for the message.
WORDS = [
    *TENSOR_WORDS, "dim", "attr", "has", "fixed", "len", "range", "all", "any", "always", "opset", "inputs", "outputs",
    "unnamed", "cpp",
]  # fmt: skip

#: What is asked as `cpp.name`, with its kind; the place of each is its index in C++.
PREDICATES = dict(
    re.findall(
        r"^TRTCHECK_PREDICATE\((\w+), (\w+)\)",
        (Path(__file__).resolve().parents[1] / "src/facts/predicates.inc").read_text("utf-8"),
        re.MULTILINE,
    )
)

#: Loops in each other (facts/evaluate.cpp).
MOST_BOUND = 4

COMPARISONS = {ast.Eq: "equal", ast.NotEq: "unequal", ast.Lt: "less", ast.LtE: "less_equal"}
MIRRORED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
ARITHMETIC = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "modulo",
}

#: "no such child"
NONE = 0xFFFF


class ConditionError(Exception):
    """What is wrong with a condition; names the word."""


@dataclass(frozen=True)
class Expression:
    """One node of a tree: `a`, `b`, `c` index others or count, as its operation says."""

    op: str
    a: int = NONE
    b: int = NONE
    c: int = NONE
    number: int = 0
    real: float = 0.0
    text: str = ""


@dataclass(frozen=True)
class Schema:
    """Names that a condition can use: an ONNX schema, or what a file says of an operator that ONNX does not have."""

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    #: kind and default (None: there is none) by name; None: nothing is known of the attributes
    attributes: dict[str, tuple[str, Any]] | None
    #: names of those that only a higher opset has
    later: frozenset[str] = frozenset()

    @staticmethod
    def of(schema: dict[str, Any], later: Iterable[dict[str, Any]] = ()) -> Schema:
        """`later`: the operator's schemas of higher opsets. What they add has their default: importers of TensorRT do
        not ask for the opset, and an attribute that is left out means what was meant before there was one."""
        attributes: dict[str, tuple[str, Any]] = {}
        for one in (schema, *later):
            for name, entry in one["attributes"].items():
                if name in attributes or (one is not schema and not entry["default"]):
                    continue
                kind = ATTRIBUTE_KINDS.get(entry["type"])
                default = entry["default"]
                if default is not None and kind in (NUMBER, TEXT):
                    (default,) = default
                attributes[name] = (kind or "", default)
        inputs = tuple(entry["name"] for entry in schema["inputs"])
        added = frozenset(attributes) - set(schema["attributes"])
        return Schema(schema["op"], inputs, tuple(schema["outputs"]), attributes, added)


@dataclass
class Pool:
    """Expressions of all conditions; equal ones are kept once."""

    expressions: list[Expression] = field(default_factory=list)
    places: dict[Expression, int] = field(default_factory=dict)
    lists: dict[tuple[Expression, ...], int] = field(default_factory=dict)

    def add(self, expression: Expression) -> int:
        if expression not in self.places:
            self.places[expression] = len(self.expressions)
            self.expressions.append(expression)
        return self.places[expression]

    def add_list(self, items: list[Expression]) -> int:
        """Neighbours, for a list of constants."""
        if tuple(items) not in self.lists:
            self.lists[tuple(items)] = len(self.expressions)
            self.expressions += items
        return self.lists[tuple(items)]


def constant(node: ast.expr) -> Any:
    """The number or text that a node stands for; None when it is none."""
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float | str)
        and not isinstance(node.value, bool)
    ):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = constant(node.operand)
        return -value if isinstance(value, int | float) else None
    return None


def attribute_name(node: ast.expr) -> str | None:
    """`x` of `attr.x`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "attr":
        return node.attr
    return None


def predicate_name(node: ast.expr) -> str | None:
    """`x` of `cpp.x`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "cpp":
        return node.attr
    return None


def call_of(node: ast.expr, *words: str) -> ast.Call | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in words and not node.keywords:
        return node
    return None


def parse(text: str) -> ast.expr:
    try:
        return ast.parse(" ".join(text.split()), mode="eval").body
    except SyntaxError as error:
        raise ConditionError(f"`{text}` is no expression: {error.msg}") from None


class Compiler:
    """Compiles conditions against one schema."""

    def __init__(self, schema: Schema, pool: Pool, lets: dict[str, str] | None = None) -> None:
        """@param lets  names for parts of conditions, with what they stand for"""
        self.schema = schema
        self.pool = pool
        self.lets = lets or {}
        self.opened: list[str] = []  # of `lets`, those that are being compiled
        self.bound: list[tuple[str, str]] = []  # loop variables with their kinds, outermost first

    def condition(self, text: str) -> int:
        return self.truth(parse(text))

    # Each of these gives the place of the compiled node.

    def truth(self, node: ast.expr) -> int:
        place, kind = self.value(node)
        if kind not in (TRUTH, ANY):
            raise ConditionError(f"`{ast.unparse(node)}` is a {kind}, no condition")
        return place

    def number(self, node: ast.expr) -> int:
        place, kind = self.value(node)
        if kind not in (NUMBER, ANY):
            raise ConditionError(f"`{ast.unparse(node)}` is a {kind}, no number")
        return place

    def items(self, node: ast.expr) -> tuple[int, str]:
        place, kind = self.value(node)
        if kind not in ITEMS:
            raise ConditionError(f"`{ast.unparse(node)}` is a {kind}, no list")
        return place, ITEMS[kind]

    def value(self, node: ast.expr) -> tuple[int, str]:
        """Place and kind."""
        literal = constant(node)
        if literal is not None:
            return self.literal(literal)
        if isinstance(node, ast.Name):
            return self.variable(node.id)
        if (name := attribute_name(node)) is not None:
            return self.attribute(name), self.known_attribute(name)[0]
        if (name := predicate_name(node)) is not None:
            return self.predicate(name)
        if isinstance(node, ast.BoolOp):
            return self.joined("both" if isinstance(node.op, ast.And) else "either", node.values), TRUTH
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.pool.add(Expression("negate", self.truth(node.operand))), TRUTH
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            zero, _ = self.literal(0)
            return self.pool.add(Expression("subtract", zero, self.number(node.operand))), NUMBER
        if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            left, right = self.number(node.left), self.number(node.right)
            return self.pool.add(Expression(ARITHMETIC[type(node.op)], left, right)), NUMBER
        if isinstance(node, ast.Compare):
            return self.comparisons(node), TRUTH
        if isinstance(node, ast.Subscript):
            return self.subscript(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.call(node, node.func.id)
        raise ConditionError(f"`{ast.unparse(node)}` is nothing that a condition can say")

    def literal(self, value: Any) -> tuple[int, str]:
        return self.pool.add(literal(value)), TEXT if isinstance(value, str) else NUMBER

    def variable(self, name: str) -> tuple[int, str]:
        for slot, (bound, kind) in enumerate(self.bound):
            if bound == name:
                return self.pool.add(Expression("bound", slot)), kind
        if name in self.lets:
            return self.named_part(name)
        if name == "always":
            return self.pool.add(Expression("always")), TRUTH
        if name in TYPES:
            return self.pool.add(Expression("type_literal", number=TYPES[name])), TYPE
        if name in ("opset", "inputs", "outputs", "unnamed"):
            return self.pool.add(Expression({"opset": "opset"}.get(name, f"{name}_count"))), NUMBER
        raise ConditionError(f"`{name}` is no word of conditions ({', '.join(WORDS)}) and no element type")

    def predicate(self, name: str) -> tuple[int, str]:
        if name not in PREDICATES:
            raise ConditionError(f"`cpp.{name}` is no line of cpp/src/facts/predicates.inc")
        return self.pool.add(Expression("predicate", list(PREDICATES).index(name), text=name)), PREDICATES[name]

    def named_part(self, name: str) -> tuple[int, str]:
        if name in self.opened:
            raise ConditionError(f"`{name}` is made of itself")
        self.opened.append(name)
        bound, self.bound = self.bound, []  # a name means the same wherever it stands
        try:
            return self.value(parse(self.lets[name]))
        finally:
            self.opened.pop()
            self.bound = bound

    def known_attribute(self, name: str) -> tuple[str, Any]:
        if self.schema.attributes is None:
            return ANY, None
        if name not in self.schema.attributes:
            known = ", ".join(sorted(self.schema.attributes)) or "none"
            raise ConditionError(f"{self.schema.op} has no attribute `{name}` at this opset; it has {known}")
        return self.schema.attributes[name]

    def attribute(self, name: str, is_typed: bool = False) -> int:
        """`is_typed`: it names an element type, or is a tensor that has one."""
        kind, default = self.known_attribute(name)
        if kind == GRAPH or (not kind and not is_typed):
            raise ConditionError(f"attribute `{name}` is a tensor or a graph, which a condition cannot look at")
        place = NONE if default is None else self.constants(default)
        return self.pool.add(Expression("attribute", place, text=name))

    def constants(self, values: Any) -> int:
        if not isinstance(values, list | tuple):
            return self.literal(values)[0]
        items = [literal(value) for value in values]
        return self.pool.add(Expression("list", self.pool.add_list(items) if items else 0, len(items)))

    def joined(self, op: str, nodes: list[ast.expr]) -> int:
        place = self.truth(nodes[0])
        for node in nodes[1:]:
            place = self.pool.add(Expression(op, place, self.truth(node)))
        return place

    def comparisons(self, node: ast.Compare) -> int:
        places = []
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            places.append(self.comparison(left, operator, right))
            left = right
        place = places[0]
        for other in places[1:]:
            place = self.pool.add(Expression("both", place, other))
        return place

    def comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> int:
        if isinstance(operator, ast.In | ast.NotIn):
            place = self.membership(left, right)
            return self.pool.add(Expression("negate", place)) if isinstance(operator, ast.NotIn) else place
        if type(operator) in MIRRORED:
            left, right, operator = right, left, MIRRORED[type(operator)]()
        if type(operator) not in COMPARISONS:
            raise ConditionError(f"`{ast.unparse(ast.Compare(left, [operator], [right]))}`: no such comparison")
        (a, kind), (b, other) = self.value(left), self.value(right)
        self.must_agree(left, kind, right, other)
        if not isinstance(operator, ast.Eq | ast.NotEq) and {kind, other} - {NUMBER, ANY}:
            raise ConditionError(f"`{ast.unparse(left)}` and `{ast.unparse(right)}` have no order")
        return self.pool.add(Expression(COMPARISONS[type(operator)], a, b))

    def must_agree(self, left: ast.expr, kind: str, right: ast.expr, other: str) -> None:
        if kind != other and ANY not in (kind, other):
            raise ConditionError(f"`{ast.unparse(left)}` is a {kind}, `{ast.unparse(right)}` is a {other}")
        for one, two in ((left, right), (right, left)):
            is_literal = isinstance(two, ast.Constant) and two.value not in {*NETWORK_TYPES, ""}
            if call_of(one, "network_type", "quantized") and is_literal:
                known = ", ".join(sorted(NETWORK_TYPES))
                raise ConditionError(f"`{ast.literal_eval(two)}` is no type of a network ({known})")

    def membership(self, left: ast.expr, right: ast.expr) -> int:
        place, kind = self.value(left)
        if not isinstance(right, ast.Tuple | ast.List):
            items, other = self.items(right)
            self.must_agree(left, kind, right, other)
            return self.pool.add(Expression("is_in", place, items))
        constants = []
        for item in right.elts:
            item_place, other = self.value(item)
            self.must_agree(left, kind, item, other)
            constants.append(self.pool.expressions[item_place])
        if not constants or any(one.op not in ("number", "real", "text", "type_literal") for one in constants):
            raise ConditionError(f"`{ast.unparse(right)}` is to hold constants, and at least one")
        listing = self.pool.add(Expression("list", self.pool.add_list(constants), len(constants)))
        return self.pool.add(Expression("is_in", place, listing))

    def subscript(self, node: ast.Subscript) -> tuple[int, str]:
        listing, kind = self.items(node.value)
        if not isinstance(node.slice, ast.Slice):
            return self.pool.add(Expression("item", listing, self.number(node.slice))), kind
        if node.slice.step is not None:
            raise ConditionError(f"`{ast.unparse(node)}` has a step")
        lower, upper = (NONE if end is None else self.number(end) for end in (node.slice.lower, node.slice.upper))
        list_kind = {item: many for many, item in ITEMS.items()}[kind]
        return self.pool.add(Expression("slice", listing, lower, upper)), list_kind

    def call(self, node: ast.Call, word: str) -> tuple[int, str]:
        if node.keywords:
            raise ConditionError(f"`{ast.unparse(node)}` has a keyword")
        if word in ("all", "any"):
            return self.loop(node, word), TRUTH
        wanted = 2 if word == "dim" else 1
        if len(node.args) != wanted:
            raise ConditionError(f"`{ast.unparse(node)}`: {word} takes {wanted} argument{'s' * (wanted > 1)}")
        first = node.args[0]
        if word == "has":
            name = attribute_name(first)
            if name is None:
                raise ConditionError(f"`{ast.unparse(node)}`: has takes attr.x")
            self.known_attribute(name)
            return self.pool.add(Expression("has_attribute", text=name)), TRUTH
        if word == "network_type" and (name := attribute_name(first)) is not None:
            return self.pool.add(Expression("network_type_named", self.attribute(name, is_typed=True))), TEXT
        if word == "dim":
            return self.pool.add(Expression("dim", self.tensor(first, word), self.number(node.args[1]))), NUMBER
        if word in TENSOR_WORDS:
            return self.pool.add(Expression(f"{word}_of", self.tensor(first, word))), TENSOR_WORDS[word]
        if word == "fixed":
            return self.pool.add(Expression(word, self.number(first))), TRUTH
        if word == "range":
            return self.pool.add(Expression("range_to", self.number(first))), NUMBERS
        if word == "len":
            return self.pool.add(Expression(word, self.items(first)[0])), NUMBER
        raise ConditionError(f"`{word}` is no word of conditions ({', '.join(WORDS)})")

    def tensor(self, node: ast.expr, word: str) -> int:
        """The index of an input; of an output from OUTPUTS on."""
        name = node.id if isinstance(node, ast.Name) else None
        if name in self.schema.inputs:
            return self.schema.inputs.index(name)
        if name in self.schema.outputs:
            if word in ("const", "folds", "data", "source", "from_data", "quantized"):
                raise ConditionError(f"`{word}({name})`: {name} is an output")
            return OUTPUTS + self.schema.outputs.index(name)
        known = ", ".join((*self.schema.inputs, *self.schema.outputs))
        raise ConditionError(
            f"{self.schema.op} has no input or output `{ast.unparse(node)}` at this opset; it has {known}"
        )

    def loop(self, node: ast.Call, word: str) -> int:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
            raise ConditionError(f"`{ast.unparse(node)}`: {word} takes `... for d in ...`")
        comprehension = node.args[0]
        (loop, *others) = comprehension.generators
        if others or loop.ifs or loop.is_async or not isinstance(loop.target, ast.Name):
            raise ConditionError(f"`{ast.unparse(node)}`: one `for d in ...`, without `if`")
        listing, kind = self.items(loop.iter)
        if len(self.bound) == MOST_BOUND:
            raise ConditionError(f"`{ast.unparse(node)}`: loops in loops in loops")
        self.bound.append((loop.target.id, kind))
        try:
            body = self.truth(comprehension.elt)
        finally:
            self.bound.pop()
        return self.pool.add(Expression(f"{word}_of_list", listing, body, len(self.bound)))


#: Places of outputs start here.
OUTPUTS = 0x8000


def literal(value: Any) -> Expression:
    if isinstance(value, str):
        return Expression("text", text=value)
    if isinstance(value, int):
        return Expression("number", number=value)
    return Expression("real", real=float(value))
