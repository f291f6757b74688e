"""What can be changed of a node, one thing at a time: types, ranks, extents, forms of inputs, attributes, places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from cases import (
    BFLOAT16,
    BOOL,
    DOUBLE,
    FLOAT,
    FLOAT16,
    FORMS,
    INT8,
    INT32,
    INT64,
    PLACES,
    UINT8,
    Case,
    Dims,
    Input,
)
from onnx import GraphProto, TensorProto, defs, helper
from seeds import types_of

MIXED = (FLOAT, FLOAT16, BFLOAT16, DOUBLE, INT32, INT64, INT8, UINT8, BOOL)
MAX_RANK = 9
AttrType = defs.OpSchema.AttrType
Optional = defs.OpSchema.FormalParameterOption.Optional


def variations(case: Case, also: dict[str, list[Any]]) -> Iterator[Case]:
    """All nodes that differ from this one in one thing."""
    for kind in KINDS:
        yield from kind(case, also)


def changed(case: Case, word: str) -> Case:
    return replace(case, changes=(*case.changes, word))


def formal(case: Case, index: int) -> int:
    """Of the schema, for an input of the node: the last one may stand for many."""
    return min(index, len(case.schema.inputs) - 1)


def type_groups(case: Case) -> dict[str, list[int]]:
    """Inputs that the schema wants to have one type."""
    groups: dict[str, list[int]] = {}
    for i, given in enumerate(case.inputs):
        if given is not None:
            groups.setdefault(case.schema.inputs[formal(case, i)].type_str, []).append(i)
    return groups


def types(case: Case) -> Iterator[Case]:
    """Each type that the schema allows, for all inputs that share it."""
    for variable, members in type_groups(case).items():
        for element in types_of(case.schema, formal(case, members[0])):
            made = case
            for i in members:
                made = made.with_input(i, _of_type(case.inputs[i], element))
            yield changed(made, f"{variable} is {_name(element)}")


def mixed_types(case: Case) -> Iterator[Case]:
    """One input of another type than the rest, as it is or out of a Cast."""
    for i, given in enumerate(case.inputs):
        if given is None:
            continue
        for element in MIXED:
            if element == given.type:
                continue
            yield changed(case.with_input(i, _of_type(given, element)), f"input {i} alone is {_name(element)}")
        if given.value is None and given.type == FLOAT:
            for element in (FLOAT16, BFLOAT16, INT32, BOOL):
                cast = replace(given, type=element, form="cast")
                yield changed(case.with_input(i, cast), f"input {i} alone is cast to {_name(element)}")


def _of_type(given: Input | None, element: int) -> Input | None:
    return None if given is None else replace(given, type=element)


def _name(element: int) -> str:
    return str(TensorProto.DataType.Name(element))


def of_rank(dims: Dims, rank: int) -> Dims:
    return dims[len(dims) - rank :] if rank <= len(dims) else (*((1, 2) * MAX_RANK)[: rank - len(dims)], *dims)


def with_dims(given: Input, dims: Dims) -> Input:
    """Of this shape; contents are repeated or cut."""
    if given.value is None:
        return replace(given, dims=dims)
    shape = tuple(1 if isinstance(d, str) else d for d in dims)
    return replace(given, dims=shape, value=np.resize(given.value, shape))


def ranks(case: Case) -> Iterator[Case]:
    data = [i for i, given in enumerate(case.inputs) if given is not None and given.value is None]
    for rank in range(MAX_RANK + 1):
        for i, given in enumerate(case.inputs):
            if given is not None and len(given.dims) != rank:
                yield changed(
                    case.with_input(i, with_dims(given, of_rank(given.dims, rank))), f"input {i} has rank {rank}"
                )
        if len(data) > 1:
            made = case
            for i in data:
                given = case.inputs[i]
                assert given is not None
                made = made.with_input(i, with_dims(given, of_rank(given.dims, rank)))
            yield changed(made, f"rank {rank}")


def extents(case: Case) -> Iterator[Case]:
    for i, given in enumerate(case.inputs):
        if given is None:
            continue
        for axis, extent in enumerate(given.dims):
            if isinstance(extent, str):
                continue
            for other in dict.fromkeys((0, 1, extent + 1, 2 * extent)):
                if other != extent:
                    dims = (*given.dims[:axis], other, *given.dims[axis + 1 :])
                    yield changed(case.with_input(i, with_dims(given, dims)), f"axis {axis} of input {i} is {other}")
            if not given.is_constant:
                dims = (*given.dims[:axis], "n", *given.dims[axis + 1 :])
                made = case.with_input(i, replace(given, dims=dims, value=given.value))
                yield changed(made, f"axis {axis} of input {i} has a name")
    yield from everywhere(case)


def everywhere(case: Case) -> Iterator[Case]:
    """An extent changed wherever it stands: the node may still be right."""
    free = [i for i, given in enumerate(case.inputs) if given is not None and not given.is_constant]
    sizes = sorted({d for i in free for d in case.inputs[i].dims if isinstance(d, int) and d > 1})  # type: ignore[union-attr]
    for size in sizes:
        for other in ("n", 1, 7, 8, size // 2, 2 * size, 8 * size):
            if other in (size, 0):
                continue
            made = case
            for i, given in enumerate(case.inputs):
                if given is None or (given.is_constant and not isinstance(other, int)):
                    continue
                dims = tuple(other if d == size else d for d in given.dims)
                if dims != given.dims and given.value is None:
                    made = made.with_input(i, replace(given, dims=dims))
            yield changed(made, f"{size} is {other} everywhere")
    made = case
    for i in free:
        given = case.inputs[i]
        assert given is not None
        made = made.with_input(i, replace(given, dims=tuple(f"d{d}" for d in given.dims)))
    if free:
        yield changed(made, "all extents have names")


def forms(case: Case) -> Iterator[Case]:
    for i, given in enumerate(case.inputs):
        if given is None:
            continue
        for form in FORMS:
            if form in (given.form, "cast"):
                continue
            made = replace(given, form="run") if form == "run" else replace(given.constant(), form=form)
            yield changed(case.with_input(i, made), f"input {i} comes as {form}")
    for form in FORMS[1:-1]:
        made_of_all = case
        for i, given in enumerate(case.inputs):
            if given is not None:
                made_of_all = made_of_all.with_input(i, replace(given.constant(), form=form))
        if case.inputs:
            yield changed(made_of_all, f"all inputs come as {form}")
    if len(case.inputs) > 1 and case.inputs[0] is not None:
        for i, given in enumerate(case.inputs[1:], 1):
            if given is not None and given.is_constant:
                continue
            if given is not None and given.dims != case.inputs[0].dims:
                yield changed(case.with_input(i, replace(given, dims=case.inputs[0].dims)), f"input {i} like the first")


def contents(case: Case) -> Iterator[Case]:
    """Each number of a small constant, at and around what it may be."""
    for i, given in enumerate(case.inputs):
        if given is None or given.value is None or given.value.size > 8 or not given.is_constant:
            continue
        flat = given.value.reshape(-1)
        for at in range(flat.size):
            for other in dict.fromkeys((-100.0, -1.0, 0.0, 0.5, 1.0, flat[at] + 1, flat[at] - 1, 100.0)):
                whole = given.type in (INT32, INT64, INT8, UINT8, BOOL)
                if other == flat[at] or (whole and other != int(other)):
                    continue
                value = flat.copy()
                value[at] = other
                made = replace(given, value=value.reshape(given.value.shape))
                yield changed(case.with_input(i, made), f"number {at} of input {i} is {other:g}")


def presence(case: Case) -> Iterator[Case]:
    """Optional inputs left out and given; outputs more and fewer."""
    for i, given in enumerate(case.inputs):
        is_optional = case.schema.inputs[formal(case, i)].option == Optional
        if given is not None and (is_optional or len(case.inputs) > len(case.schema.inputs)):
            yield changed(case.with_input(i, None), f"input {i} is left out")
    first = case.inputs[0] if case.inputs else None
    for i in range(len(case.inputs), len(case.schema.inputs)):
        if case.schema.inputs[i].option != Optional or first is None:
            continue
        allowed = types_of(case.schema, i)
        element = first.type if first.type in allowed else INT64 if INT64 in allowed else allowed[0]
        for dims in ((), (1,), (2,), first.dims):
            inputs = [*case.inputs, *[None] * (i - len(case.inputs))]
            for given in (Input(element, dims), Input(element, dims).constant()):
                made = replace(case, inputs=(*inputs, given))
                yield changed(made, f"input {i} of shape {list(dims)} is {given.form}")
    for outputs in range(case.schema.min_output, min(case.schema.max_output, 4) + 1):
        if outputs not in (0, case.outputs):
            yield changed(replace(case, outputs=outputs), f"{outputs} outputs")


def attributes(case: Case, also: dict[str, list[Any]]) -> Iterator[Case]:
    """Each attribute left out and at other values."""
    for name, declared in sorted(case.schema.attributes.items()):
        present = case.attributes.get(name)
        if present is not None and not declared.required:
            yield changed(case.with_attribute(name, None), f"{name} is left out")
        default = declared.default_value
        stated = present if present is not None else _value(default)
        for value in [*also.get(name, []), *_around(declared.type, stated)]:
            if value != present:
                yield changed(case.with_attribute(name, value), f"{name} is {_described(value)}")


def _described(value: Any) -> str:
    if isinstance(value, GraphProto):
        return "another graph"
    return _name(value.type) if isinstance(value, Input) else str(value)


def _value(attribute: Any) -> Any:
    return helper.get_attribute_value(attribute) if attribute.type else None


def _around(kind: AttrType, value: Any) -> list[Any]:
    if isinstance(value, Input):
        return [
            Input(element, value.dims, value.value, value.form)
            for element in (FLOAT, FLOAT16, BFLOAT16, DOUBLE, INT32, INT64, INT8, UINT8, BOOL)
            if element != value.type
        ]
    if kind == AttrType.INT:
        middle = value or 0
        return list(dict.fromkeys([middle - 1, middle + 1, -10, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 10, 100]))
    if kind == AttrType.FLOAT:
        return [0.0, -1.0, 0.5, 1.0, 2.0, 1e-5, 1e-12, 1e30]
    if kind == AttrType.INTS and value:
        found = []
        for at, number in enumerate(value):
            for other in (-1, 0, 1, 2, 3, number + 1):
                if other != number:
                    found.append([*value[:at], other, *value[at + 1 :]])
        return [*found, value[:-1], [*value, 1]]
    if kind == AttrType.FLOATS and value:
        return [value[:-1], [*value, 1.0], [-1.0] * len(value)]
    if kind == AttrType.STRING:
        return ["", "unheard_of"]
    return []


def places(case: Case) -> Iterator[Case]:
    for place in PLACES[1:]:
        yield changed(replace(case, place=place), f"in {place}")


Kind = Callable[[Case, dict[str, list[Any]]], Iterator[Case]]
KINDS: list[Kind] = [
    lambda case, _: types(case),
    lambda case, _: mixed_types(case),
    lambda case, _: ranks(case),
    lambda case, _: extents(case),
    lambda case, _: forms(case),
    lambda case, _: contents(case),
    lambda case, _: presence(case),
    attributes,
    lambda case, _: places(case),
]
