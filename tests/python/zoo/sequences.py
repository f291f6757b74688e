"""Transformers and recurrent networks in miniature."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.head_width = heads, width // heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, self.head_width).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_width)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e4)
        y = (scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width)
        return self.out(y)


class EncoderBlock(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = SelfAttention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = x + self.attention(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))


class VisionTransformer(nn.Module):
    """Patches of 8 x 8 pixels from a 32 x 32 image; the batch is what may vary."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 8, 8)
        self.token = nn.Parameter(torch.randn(1, 1, 16))
        self.position = nn.Parameter(torch.randn(1, 17, 16))
        self.blocks = nn.ModuleList([EncoderBlock(16, 4), EncoderBlock(16, 4)])
        self.head = nn.Linear(16, 10)

    def forward(self, x: Tensor) -> Tensor:
        y = self.patches(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.token.expand(x.shape[0], -1, -1), y], dim=1) + self.position
        for block in self.blocks:
            y = block(y)
        return self.head(y[:, 0])


class Bert(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(50, 16)
        self.positions = nn.Embedding(64, 16)
        self.norm = nn.LayerNorm(16)
        self.blocks = nn.ModuleList([EncoderBlock(16, 2), EncoderBlock(16, 2)])
        self.pooler = nn.Linear(16, 16)

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        position = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        y = self.norm(self.words(ids) + self.positions(position))
        for block in self.blocks:
            y = block(y, mask)
        return y, torch.tanh(self.pooler(y[:, 0]))


class FusedAttention(nn.Module):
    """torch's scaled_dot_product_attention, as newer models use it."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(16, 16) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        q, k, v = (f(x).view(batch, length, 2, 8).transpose(1, 2) for f in (self.query, self.key, self.value))
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, 16)
        return x + self.out(y)


class EncoderLayer(nn.Module):
    """torch's own encoder layer with its MultiheadAttention."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, activation="gelu")

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


class Lstm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(30, 8)
        self.lstm = nn.LSTM(8, 12, num_layers=2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(24, 5)

    def forward(self, ids: Tensor) -> Tensor:
        y, _ = self.lstm(self.embed(ids))
        return F.log_softmax(self.head(y), dim=-1)


class Gru(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(4, 8, 3, padding=1)
        self.gru = nn.GRU(8, 6)
        self.head = nn.Linear(6, 3)

    def forward(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        y, state = self.gru(F.relu(self.conv(x)).permute(2, 0, 1), state)
        return self.head(y[-1]), state


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


class DecoderBlock(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.head_width = heads, width // heads
        self.scale = nn.Parameter(torch.ones(width))
        self.q, self.k, self.v, self.out = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.gate, self.up = nn.Linear(width, 2 * width, bias=False), nn.Linear(width, 2 * width, bias=False)
        self.down = nn.Linear(2 * width, width, bias=False)

    def rms_norm(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.scale

    def forward(
        self, x: Tensor, past_key: Tensor, past_value: Tensor, cos: Tensor, sin: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        batch, length, width = x.shape
        y = self.rms_norm(x)
        q, k, v = (
            f(y).view(batch, length, self.heads, self.head_width).transpose(1, 2) for f in (self.q, self.k, self.v)
        )
        key = torch.cat([past_key, rotate(k, cos, sin)], dim=2)
        value = torch.cat([past_value, v], dim=2)
        scores = rotate(q, cos, sin) @ key.transpose(2, 3) / math.sqrt(self.head_width) + mask
        x = x + self.out((scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, width))
        y = self.rms_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y)), key, value


class Gpt(nn.Module):
    """A decoder with rotary positions whose keys and values of earlier steps are inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(40, 16)
        self.blocks = nn.ModuleList([DecoderBlock(16, 2), DecoderBlock(16, 2)])
        self.head = nn.Linear(16, 40, bias=False)
        self.register_buffer("frequency", 1.0 / (100.0 ** (torch.arange(4).float() / 4)))

    def forward(self, ids: Tensor, k0: Tensor, v0: Tensor, k1: Tensor, v1: Tensor) -> tuple[Tensor, ...]:
        length, past = ids.shape[1], k0.shape[2]
        position = torch.arange(length) + past
        angle = position[:, None].float() * self.frequency[None, :]
        cos, sin = angle.cos(), angle.sin()
        visible = torch.arange(past + length)[None, :] <= position[:, None]
        mask = torch.where(visible, 0.0, -1e4)
        x = self.embed(ids)
        x, k0, v0 = self.blocks[0](x, k0, v0, cos, sin, mask)
        x, k1, v1 = self.blocks[1](x, k1, v1, cos, sin, mask)
        return self.head(x[:, -1]), k0, v0, k1, v1
