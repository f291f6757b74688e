"""Which nodes a draft may get next: the same one several times comes more often."""

from __future__ import annotations

from collections.abc import Callable

from draft import Draft
from draft_layers import (
    attention,
    binary,
    clip,
    compare,
    conv,
    conv_transpose,
    einsum,
    gemm,
    grid_sample,
    logic,
    matmul,
    norm,
    pool,
    recurrent,
    reduce,
    softmax,
    unary,
    where,
)
from draft_moves import (
    argmax,
    cast,
    cast_like,
    concat,
    cumsum,
    depth_to_space,
    eye_like,
    flatten,
    gather,
    gather_elements,
    gather_nd,
    one_hot,
    scatter,
    shape,
    split,
    squeeze,
    top_k,
    transpose,
    trilu,
    unsqueeze,
)
from draft_readers import (
    constant_of_shape,
    expand,
    pad,
    range_,
    reshape,
    resize,
    slice_,
    tile,
)

Layer = Callable[[Draft], object]
SIZES: tuple[Layer, ...] = (
    reshape, reshape, reshape, expand, expand, tile, slice_, slice_, pad, pad, resize, resize, constant_of_shape,
    range_, split, top_k, one_hot,
)  # fmt: skip
FLOATS: tuple[Layer, ...] = (
    unary, unary, binary, binary, reduce, transpose, softmax, concat, split, conv, conv, conv_transpose, pool, norm,
    norm, matmul, matmul, gemm, einsum, recurrent, gather, gather_elements, gather_nd, scatter, argmax, top_k,
    cumsum, trilu, squeeze, unsqueeze, flatten, clip, depth_to_space, grid_sample, attention, resize, pad, slice_,
    reshape,
)  # fmt: skip
TYPES: tuple[Layer, ...] = (
    cast, cast, cast, cast_like, compare, compare, logic, logic, where, where, binary, unary, argmax, gather,
    reduce, cumsum, one_hot, clip, concat, matmul, softmax, expand, range_, constant_of_shape, top_k, shape, trilu,
    slice_, eye_like, pad, unsqueeze, scatter, norm,
)  # fmt: skip
EVERY = (*SIZES, *FLOATS, *TYPES)
PLAIN: tuple[Layer, ...] = (
    unary, binary, transpose, softmax, reduce, concat, matmul, norm, unsqueeze, conv, slice_, squeeze,
)  # fmt: skip
