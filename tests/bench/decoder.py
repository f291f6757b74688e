"""A decoder with rotary positions, grouped queries and a cache of keys and values, through both exporters of torch."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))

from zoo.catalog import Entry, Input, sizes  # noqa: E402
from zoo.export import OPSET, Export, silent_output  # noqa: E402

LAYERS, HEADS, CACHED_HEADS, HEAD_WIDTH, TOKENS = 12, 8, 2, 8, 100
WIDTH = HEADS * HEAD_WIDTH


class RmsNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], dim=-1) * sin


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.queries = nn.Linear(WIDTH, WIDTH, bias=False)
        self.keys = nn.Linear(WIDTH, CACHED_HEADS * HEAD_WIDTH, bias=False)
        self.values = nn.Linear(WIDTH, CACHED_HEADS * HEAD_WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(
        self, x: Tensor, place: tuple[Tensor, Tensor, Tensor], past: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, ...]:
        batch, length, _ = x.shape
        cos, sin, mask = place
        q = rotated(self.queries(x).view(batch, length, HEADS, HEAD_WIDTH).transpose(1, 2), cos, sin)
        k = rotated(self.keys(x).view(batch, length, CACHED_HEADS, HEAD_WIDTH).transpose(1, 2), cos, sin)
        v = self.values(x).view(batch, length, CACHED_HEADS, HEAD_WIDTH).transpose(1, 2)
        k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        all_k, all_v = (self.repeated(each) for each in (k, v))
        scores = q @ all_k.transpose(-2, -1) / math.sqrt(HEAD_WIDTH) + mask
        y = (scores.softmax(-1) @ all_v).transpose(1, 2).reshape(batch, length, WIDTH)
        return self.out(y), k, v

    @staticmethod
    def repeated(x: Tensor) -> Tensor:
        batch, heads, length, width = x.shape
        times = HEADS // CACHED_HEADS
        return x[:, :, None].expand(batch, heads, times, length, width).reshape(batch, heads * times, length, width)


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2 = RmsNorm(), RmsNorm()
        self.attention = Attention()
        self.up, self.gate = nn.Linear(WIDTH, 2 * WIDTH, bias=False), nn.Linear(WIDTH, 2 * WIDTH, bias=False)
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)

    def forward(
        self, x: Tensor, place: tuple[Tensor, Tensor, Tensor], past: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, ...]:
        y, k, v = self.attention(self.norm1(x), place, past)
        x = x + y
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y)), k, v


class Decoder(nn.Module):
    """ids [batch, length], then keys and values of each layer [batch, heads, past, width]."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(TOKENS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = RmsNorm()
        self.head = nn.Linear(WIDTH, TOKENS, bias=False)
        self.register_buffer("frequencies", 1 / 10000 ** (torch.arange(0, HEAD_WIDTH, 2) / HEAD_WIDTH))

    def forward(self, ids: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        length, before = ids.shape[1], past[0].shape[2]
        positions = torch.arange(before, before + length, device=ids.device)
        angles = positions[:, None].float() * self.frequencies[None, :]
        angles = torch.cat([angles, angles], dim=-1)
        seen = torch.arange(before + length, device=ids.device)[None, :] <= positions[:, None]
        mask = torch.zeros(seen.shape).masked_fill(~seen, -1e9)
        x, cache = self.embed(ids), []
        for i, block in enumerate(self.blocks):
            x, k, v = block(x, (angles.cos(), angles.sin(), mask), (past[2 * i], past[2 * i + 1]))
            cache += [k, v]
        return (self.head(self.norm(x)), *cache)


PAST = Input(("batch", CACHED_HEADS, "past", HEAD_WIDTH))
ENTRY = Entry(
    "decoder",
    Decoder,
    {"ids": Input(("batch", "length"), TOKENS)} | {f"past{i // 2}.{'kv'[i % 2]}": PAST for i in range(2 * LAYERS)},
    sizes("batch length past", (2, 5, 9), (1, 1, 33), (3, 7, 2)),
)


def _torchscript(module: nn.Module, arguments: tuple[Any, ...], path: Path) -> None:
    axes = {name: {i: d for i, d in enumerate(x.shape) if isinstance(d, str)} for name, x in ENTRY.inputs.items()}
    torch.onnx.export(
        module,
        arguments,
        str(path),
        input_names=list(ENTRY.inputs),
        opset_version=OPSET["torchscript"],
        dynamo=False,
        dynamic_axes=axes,
    )


def _dynamo(module: nn.Module, arguments: tuple[Any, ...], path: Path) -> None:
    shapes = [{i: d for i, d in enumerate(x.shape) if isinstance(d, str)} for x in ENTRY.inputs.values()]
    torch.onnx.export(
        module,
        arguments,
        str(path),
        input_names=list(ENTRY.inputs),
        opset_version=OPSET["dynamo"],
        dynamo=True,
        dynamic_shapes={"ids": shapes[0], "past": tuple(shapes[1:])},
        external_data=False,
        verbose=False,
    )


WRITERS: dict[str, Callable[[nn.Module, tuple[Any, ...], Path], None]] = {
    "torchscript": _torchscript,
    "dynamo": _dynamo,
}


def exported(folder: Path) -> list[Export]:
    """As each exporter writes it, with all axes dynamic."""
    made = []
    for exporter, write in WRITERS.items():
        path = folder / f"decoder-{exporter}.onnx"
        with silent_output():
            write(ENTRY.module(), ENTRY.arguments(ENTRY.sizes[0]), path)
        made.append(Export(ENTRY, exporter, "dynamic", path, ""))
    return made
