"""Small PyTorch programs with what people use and TensorRT lacks, or may lack; part of exports.py."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

Axes = tuple[dict[int, str], ...]
BATCH: Axes = ({0: "batch"},)
BOTH: Axes = BATCH * 2
IMAGE: Axes = ({0: "batch", 2: "height", 3: "width"},)
TOKENS: Axes = ({0: "batch", 1: "length"},)


class Function(nn.Module):
    def __init__(self, body: Callable[..., Any]) -> None:
        super().__init__()
        self.body = body

    def forward(self, *given: Tensor) -> Any:
        return self.body(*given)


@dataclass(frozen=True)
class Program:
    name: str
    body: Callable[..., Any] | nn.Module
    inputs: tuple[Callable[[], Tensor], ...]
    axes: Axes = ()

    def module(self) -> tuple[nn.Module, tuple[Tensor, ...]]:
        torch.manual_seed(0)
        body = self.body if isinstance(self.body, nn.Module) else Function(self.body)
        return body, tuple(make() for make in self.inputs)


def floats(*sizes: int) -> Callable[[], Tensor]:
    return lambda: torch.rand(*sizes)


def whole(high: int, *sizes: int, kind: torch.dtype = torch.int64) -> Callable[[], Tensor]:
    return lambda: torch.randint(0, high, sizes).to(kind)


def scattered(reduce: str) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda x, i: x.scatter_reduce(1, i, x * 2, reduce=reduce)


def normalized(x: Tensor) -> Tensor:
    return (x.permute(0, 3, 1, 2).float() / 255 - 0.5) / 0.25


def resized_bytes(x: Tensor) -> Tensor:
    return functional.interpolate(x.permute(0, 3, 1, 2).float(), scale_factor=2.0, mode="nearest").to(torch.uint8)


def masked(x: Tensor) -> Tensor:
    mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
    return (x @ x.transpose(1, 2)).masked_fill(~mask, float("-inf")).softmax(-1) @ x


def half_attention(x: Tensor) -> Tensor:
    y = x.half()
    return functional.scaled_dot_product_attention(y, y, y, is_causal=True).float()


def counted(x: Tensor) -> Tensor:
    return torch.zeros(8, dtype=x.dtype).index_add(0, torch.tensor([1, 1, 3, 5]), x.sum(1))


def accumulated(x: Tensor, i: Tensor) -> Tensor:
    made = torch.zeros(6, x.shape[1])
    return made.index_put((i,), x, accumulate=True)


def boxes(x: Tensor) -> Tensor:
    scores, at = x.flatten(1).topk(8)
    return torch.stack([scores, (at % 16).float(), torch.div(at, 16, rounding_mode="floor").float()], -1)


def looped(x: Tensor) -> Tensor:
    state = torch.zeros(x.shape[0], x.shape[2])
    for at in range(x.shape[1]):
        state = torch.tanh(state * 0.5 + x[:, at])
    return state


def squeezed(x: Tensor) -> Tensor:
    return x.mean(1, keepdim=True).squeeze(1)


def rolled(x: Tensor) -> Tensor:
    return torch.roll(x, (1, -1), (2, 3)).flip(2)


def gathered(x: Tensor) -> Tensor:
    return functional.grid_sample(
        x, functional.affine_grid(torch.eye(2, 3)[None], list(x.shape), False), "bilinear", "zeros", False
    )


def sampled(mode: str, padding: str, corners: bool) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda x, g: functional.grid_sample(x, g * 2 - 1, mode, padding, corners)


def resized(mode: str, **options: Any) -> Callable[[Tensor], Tensor]:
    return lambda x: functional.interpolate(x, size=(12, 20), mode=mode, **options)


class Recurrent(nn.Module):
    def __init__(self, kind: type[nn.Module], **options: Any) -> None:
        super().__init__()
        self.inner = kind(8, 12, batch_first=True, **options)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)[0]  # type: ignore[no-any-return]


class Unpooled(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y, at = functional.max_pool2d(x, 2, return_indices=True)
        return functional.max_unpool2d(y, at, [2])


class Trained(nn.Module):
    """Exported as it is trained."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)

    def forward(self, x: Tensor, at: Tensor) -> Tensor:
        return functional.cross_entropy(self.norm(self.conv(x)).mean((2, 3)), at)


F, IM = floats, floats(2, 3, 8, 8)
FUNCTIONS: tuple[Program, ...] = (
    Program("affine_grid", gathered, (F(1, 3, 8, 8),)),
    Program("grid_sample_bicubic", sampled("bicubic", "zeros", False), (IM, F(2, 6, 6, 2)), BOTH),
    Program("grid_sample_reflection", sampled("bilinear", "reflection", True), (IM, F(2, 6, 6, 2))),
    Program("grid_sample_volume", sampled("bilinear", "zeros", False), (F(1, 2, 4, 4, 4), F(1, 3, 3, 3, 3))),
    Program("scatter_max", scattered("amax"), (F(3, 6), whole(6, 3, 6)), BOTH),
    Program("scatter_min", scattered("amin"), (F(3, 6), whole(6, 3, 6))),
    Program("scatter_sum", scattered("sum"), (F(3, 6), whole(6, 3, 6)), BOTH),
    Program("scatter_prod", scattered("prod"), (F(3, 6), whole(6, 3, 6))),
    Program("index_put", accumulated, (F(4, 6), whole(6, 4))),
    Program("index_add", counted, (F(4, 6),)),
    Program("bytes_normalized", normalized, (whole(255, 1, 8, 8, 3, kind=torch.uint8),)),
    Program("bytes_resized", resized_bytes, (whole(255, 1, 8, 8, 3, kind=torch.uint8),)),
    Program("bytes_added", lambda x: (x + x).float(), (whole(100, 2, 8, kind=torch.uint8),), BATCH),
    Program("bool_mask", masked, (F(2, 6, 8),), TOKENS),
    Program("half_attention", half_attention, (F(1, 2, 6, 8),)),
    Program("eye", lambda x: x @ x.transpose(1, 2) + torch.eye(x.shape[1]), (F(2, 6, 8),), TOKENS),
    Program("one_hot", lambda x: functional.one_hot(x, 10).float(), (whole(9, 2, 6),), TOKENS),
    Program("cross_entropy", lambda x, y: functional.cross_entropy(x, y), (F(4, 10), whole(9, 4)), BOTH),
    Program("cross_entropy_weighted", lambda x, y: functional.cross_entropy(x, y, torch.arange(10.0), label_smoothing=0.1), (F(4, 10), whole(9, 4))),
    Program("bernoulli", lambda x: torch.bernoulli(x), (F(4, 10),)),
    Program("dropout_trained", lambda x: functional.dropout(x, 0.5, True) + x, (F(4, 10),)),
    Program("trained", Trained(), (IM, whole(3, 2))),
    Program("bucketize", lambda x: torch.bucketize(x, torch.tensor([0.1, 0.5, 0.9])), (F(4, 10),), BATCH),
    Program("searchsorted", lambda x: torch.searchsorted(torch.tensor([0.1, 0.5, 0.9]), x), (F(4, 10),)),
    Program("unique", lambda x: torch.unique(x), (whole(4, 12),)),
    Program("nonzero", lambda x: torch.nonzero(x > 0.5), (F(4, 10),)),
    Program("masked_select", lambda x: x[x > 0.5], (F(4, 10),)),
    Program("fold", lambda x: functional.fold(x, (8, 8), 2, stride=2), (F(1, 12, 16),)),
    Program("fold_overlap", lambda x: functional.fold(x, (8, 8), 3, padding=1), (F(1, 27, 64),)),
    Program("unfold", lambda x: functional.unfold(x, 3, padding=1), (IM,), IMAGE),
    Program("adaptive_pool", lambda x: functional.adaptive_avg_pool2d(x, (3, 5)), (IM,)),
    Program("adaptive_max", lambda x: functional.adaptive_max_pool2d(x, (2, 4)), (IM,)),
    Program("pool_indices", lambda x: functional.max_pool2d(x, 2, return_indices=True)[1], (IM,)),
    Program("unpool", Unpooled(), (IM,)),
    Program("lp_pool", lambda x: functional.lp_pool2d(x, 2.0, 3), (IM,)),
    Program("embedding_bag", nn.EmbeddingBag(20, 8), (whole(20, 3, 5),)),
    Program("lstm", Recurrent(nn.LSTM), (F(2, 5, 8),)),
    Program("lstm_projected", Recurrent(nn.LSTM, proj_size=6), (F(2, 5, 8),)),
    Program("gru", Recurrent(nn.GRU, bidirectional=True), (F(2, 5, 8),)),
    Program("rnn_relu", Recurrent(nn.RNN, nonlinearity="relu"), (F(2, 5, 8),)),
    Program("looped", looped, (F(2, 5, 8),)),
    Program("median", lambda x: x.median(1).values, (F(4, 9),), BATCH),
    Program("kthvalue", lambda x: x.kthvalue(3, 1).values, (F(4, 9),)),
    Program("sort", lambda x: x.sort(1, descending=True), (F(4, 9),), BATCH),
    Program("sort_whole", lambda x: x.sort(1).values, (whole(99, 4, 9),)),
    Program("argsort_bool", lambda x: (x > 0.5).long().argsort(1, stable=True), (F(4, 9),)),
    Program("argmax_bool", lambda x: (x > 0.5).int().argmax(1), (F(4, 9),), BATCH),
    Program("any_all", lambda x: ((x > 0.5).any(1), (x > 0.1).all(1)), (F(4, 9),), BATCH),
    Program("cumsum_bool", lambda x: (x > 0.5).cumsum(1), (F(4, 9),), BATCH),
    Program("cumprod", lambda x: x.cumprod(1), (F(4, 9),)),
    Program("cummax", lambda x: x.cummax(1).values, (F(4, 9),)),
    Program("logcumsumexp", lambda x: x.logcumsumexp(1), (F(4, 9),)),
    Program("boxes", boxes, (F(2, 16, 16),)),
    Program("rolled", rolled, (IM,), IMAGE),
    Program("bitwise", lambda x: (x & 3) | (x ^ 5), (whole(99, 4, 9),)),
    Program("shifted", lambda x: (x << 2) + (x >> 1), (whole(99, 4, 9, kind=torch.int32),)),
    Program("modulo", lambda x: (x % 7, torch.fmod(x, 5)), (whole(99, 4, 9),), BATCH),
    Program("modulo_float", lambda x: (x % 0.3, torch.fmod(x, 0.5)), (F(4, 9),)),
    Program("nan_to_num", lambda x: torch.nan_to_num(x / (x - x)), (F(4, 9),)),
    Program("einsum_three", lambda x, y: torch.einsum("bij,bjk,bkl->bil", x, y, x), (F(2, 4, 4), F(2, 4, 4))),
    Program("einsum_diagonal", lambda x: torch.einsum("bii->bi", x), (F(2, 4, 4),)),
    Program("diagonal", lambda x: torch.diagonal(x, 0, 1, 2), (F(2, 4, 4),)),
    Program("determinant", lambda x: torch.det(x), (F(2, 4, 4),)),
    Program("inverse", lambda x: torch.inverse(x), (F(2, 4, 4),)),
    Program("cdist", lambda x, y: torch.cdist(x, y), (F(2, 4, 3), F(2, 5, 3))),
    Program("stft", lambda x: torch.view_as_real(torch.stft(x, 16, 8, window=torch.hann_window(16), return_complex=True)), (F(1, 64),)),
    Program("fft", lambda x: torch.view_as_real(torch.fft.rfft(x)), (F(2, 16),)),
    Program("antialias", resized("bicubic", antialias=True), (IM,)),
    Program("antialias_linear", resized("bilinear", antialias=True), (IM,)),
    Program("bicubic_corners", resized("bicubic", align_corners=True), (IM,)),
    Program("area", resized("area"), (IM,)),
    Program("resized_batch", lambda x: functional.interpolate(x, scale_factor=2.0, mode="bilinear"), (IM,), IMAGE),
    Program("squeezed", squeezed, (IM,), ({0: "batch", 1: "channels"},)),
    Program("stack_split", lambda x: torch.stack(x.chunk(3, 1), 0)[1], (IM,), IMAGE),
    Program("split_sizes", lambda x: torch.cat(torch.split(x, [1, 2], 1)[::-1], 1), (IM,), BATCH),
    Program("pad_reflect", lambda x: functional.pad(x, (1, 2, 1, 2), "reflect"), (IM,), IMAGE),
    Program("pad_circular", lambda x: functional.pad(x, (1, 2, 1, 2), "circular"), (IM,)),
    Program("pad_bool", lambda x: functional.pad(x > 0.5, (1, 1), value=True), (F(4, 9),)),
    Program("where_whole", lambda x: torch.where(x > 4, x, torch.tensor(0)), (whole(9, 4, 9),), BATCH),
    Program("double", lambda x: (x.double() * 2).float(), (F(4, 9),), BATCH),
    Program("double_constants", lambda x: x * torch.tensor([0.5], dtype=torch.float64), (F(4, 9),)),
    Program("small_integers", lambda x: (x.to(torch.int16) + 1).to(torch.int8).float(), (F(4, 9),)),
    Program("randn", lambda x: x + torch.randn_like(x), (F(4, 9),)),
    Program("multinomial", lambda x: torch.multinomial(x, 2), (F(4, 9),)),
    Program("range", lambda x: torch.arange(x.shape[1]) + x.long(), (F(4, 9),), TOKENS),
    Program("linspace", lambda x: torch.linspace(0, 1, x.shape[1]) * x, (F(4, 9),), TOKENS),
    Program("meshgrid", lambda x: torch.stack(torch.meshgrid(torch.arange(x.shape[2]), torch.arange(x.shape[3]), indexing="ij")), (IM,), IMAGE),
    Program("tril", lambda x: x.tril(-1) + x.triu(1), (F(2, 6, 6),), BATCH),
    Program("tril_bool", lambda x: (x > 0.5).tril(), (F(2, 6, 6),), BATCH),
    Program("group_norm", nn.GroupNorm(1, 3), (IM,), IMAGE),
    Program("rms_norm", nn.RMSNorm(9), (F(4, 9),), BATCH),
    Program("celu", nn.Sequential(nn.CELU(), nn.Mish(), nn.Hardswish(), nn.SELU(), nn.Softplus(), nn.Softshrink(), nn.Hardshrink()), (F(4, 9),), BATCH),
    Program("transposed_bfloat16", nn.ConvTranspose2d(3, 4, 3).bfloat16(), (lambda: torch.rand(1, 3, 8, 8).bfloat16(),)),
    Program("convolved_bfloat16", nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Hardswish()).eval().bfloat16(), (lambda: torch.rand(1, 3, 8, 8).bfloat16(),)),
    Program("transposed_dilated", nn.ConvTranspose2d(3, 4, 3, dilation=2), (IM,)),
    Program("transposed_padded", nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1), (IM,), IMAGE),
    Program("lstm_half", Recurrent(nn.LSTM).half(), (lambda: torch.rand(2, 5, 8).half(),)),
    Program("multihead", lambda x: functional.scaled_dot_product_attention(x, x, x), (F(2, 4, 6, 8),), TOKENS),
    Program("unflatten", lambda x: x.unflatten(1, (3, -1)).sum(1), (F(4, 9),), BATCH),
    Program("expand_rank", lambda x: x[:, None, None, :, None, None, :, None, None].sum(4), (F(2, 3, 4),)),
    Program("bincount", lambda x: torch.bincount(x, minlength=9), (whole(9, 12),)),
    Program("histogram", lambda x: torch.histc(x, 5, 0, 1), (F(40),)),
    Program("complex", lambda x: torch.view_as_real(torch.view_as_complex(x) * torch.view_as_complex(x)), (F(4, 9, 2),)),
    Program("hardmax", lambda x: functional.gumbel_softmax(x, hard=True), (F(4, 9),)),
    Program("repeat_interleave", lambda x: x.repeat_interleave(2, 1), (F(4, 9),), BATCH),
    Program("nll", lambda x, y: functional.nll_loss(x.log_softmax(1), y), (F(4, 10), whole(9, 4)), BOTH),
    Program("pairwise", lambda x: torch.pdist(x), (F(4, 9),)),
    Program("quantile", lambda x: torch.quantile(x, 0.3, 1), (F(4, 9),)),
    Program("isin", lambda x: torch.isin(x, torch.tensor([2, 4])), (whole(9, 4, 9),)),
    Program("take_along", lambda x, i: torch.take_along_dim(x, i, 1), (F(4, 9), whole(9, 4, 3)), BOTH),
    Program("copysign", lambda x: torch.copysign(x, x - 0.5) + torch.atan2(x, x + 1) + torch.hypot(x, x), (F(4, 9),)),
    Program("erfinv", lambda x: torch.erfinv(x * 0.5) + torch.special.expit(x), (F(4, 9),)),
)  # fmt: skip
