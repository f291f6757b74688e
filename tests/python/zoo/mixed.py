"""Modules with the patterns that other families bring: windows, relative positions, experts, grids, branches."""

from __future__ import annotations

import math
import warnings

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ConvNext(nn.Module):
    """Depthwise 7 x 7, then LayerNorm and Linear with the channels last, a learnt scale and a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 4, 4)
        self.depthwise = nn.Conv2d(8, 8, 7, padding=3, groups=8)
        self.norm = nn.LayerNorm(8)
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)
        self.scale = nn.Parameter(torch.full((8,), 0.1))

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        y = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        y = self.scale * self.down(F.gelu(self.up(y)))
        return x + y.permute(0, 3, 1, 2)


class Swin(nn.Module):
    """Shifted windows of 4 x 4 on a 16 x 16 map with a relative position table; the batch is what may vary."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 8, 2, 2)
        self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)
        self.table = nn.Parameter(torch.randn(49, 2))
        axis = torch.arange(4)
        grid = torch.stack(torch.meshgrid(axis, axis, indexing="ij")).flatten(1)
        offset = (grid[:, :, None] - grid[:, None, :]) + 3
        self.register_buffer("index", offset[0] * 7 + offset[1])

    def forward(self, x: Tensor) -> Tensor:
        y = self.patches(x).permute(0, 2, 3, 1)
        batch, rows, columns, width = y.shape
        y = torch.roll(y, shifts=(-2, -2), dims=(1, 2))
        y = y.view(batch, rows // 4, 4, columns // 4, 4, width).permute(0, 1, 3, 2, 4, 5).reshape(-1, 16, width)
        q, k, v = self.qkv(y).reshape(-1, 16, 3, 2, width // 2).permute(2, 0, 3, 1, 4).unbind(0)
        bias = self.table[self.index.view(-1)].view(16, 16, 2).permute(2, 0, 1)
        y = ((q @ k.transpose(-2, -1) / 2.0 + bias).softmax(-1) @ v).transpose(1, 2).reshape(-1, 16, width)
        y = self.out(y).view(-1, rows // 4, columns // 4, 4, 4, width).permute(0, 1, 3, 2, 4, 5)
        return torch.roll(y.reshape(batch, rows, columns, width), shifts=(2, 2), dims=(1, 2))


class CausalConv(nn.Module):
    """Dilated convolutions over time, padded on one side only, with gates."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv1d(4, 16, 3, dilation=1)
        self.second = nn.Conv1d(8, 16, 3, dilation=2)
        self.head = nn.Conv1d(8, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        y = F.glu(self.first(F.pad(x, (2, 0))), dim=1)
        a, b = self.second(F.pad(y, (4, 0))).chunk(2, dim=1)
        return self.head(y + torch.tanh(a) * torch.sigmoid(b))


class RelativeBias(nn.Module):
    """Positions in logarithmic buckets, computed from the sequence length inside the graph."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(8, 8, bias=False) for _ in range(3))
        self.bias = nn.Embedding(16, 2)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        position = torch.arange(length)
        distance = position[None, :] - position[:, None]
        near = distance.abs()
        far = 4 + (torch.log(near.float().clamp(min=1) / 4) / math.log(4.0) * 4).long()
        bucket = (distance > 0).long() * 8 + torch.where(near < 4, near, torch.clamp(far, max=7))
        q, k, v = (f(x).view(batch, length, 2, 4).transpose(1, 2) for f in (self.q, self.k, self.v))
        scores = torch.einsum("bhid,bhjd->bhij", q, k) + self.bias(bucket).permute(2, 0, 1)
        return torch.einsum("bhij,bhjd->bihd", scores.softmax(-1), v).flatten(2)


class Experts(nn.Module):
    """Two of four experts per token, all computed and weighted."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(8, 4)
        self.weight = nn.Parameter(torch.randn(4, 8, 8) * 0.1)

    def forward(self, x: Tensor) -> Tensor:
        value, chosen = self.gate(x).topk(2, dim=-1)
        share = (value.softmax(-1).unsqueeze(-1) * F.one_hot(chosen, 4).float()).sum(-2)
        return torch.einsum("ble,bleo->blo", share, torch.einsum("bli,eio->bleo", x, self.weight))


class Warp(nn.Module):
    """A predicted affine transform applied with grid_sample, after a reflecting pad."""

    def __init__(self) -> None:
        super().__init__()
        self.locate = nn.Sequential(
            nn.Conv2d(3, 4, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 6)
        )

    def forward(self, x: Tensor) -> Tensor:
        theta = self.locate(F.pad(x, (1, 1, 1, 1), mode="reflect")).view(-1, 2, 3)
        grid = F.affine_grid(theta, [x.shape[0], 3, 12, 16], align_corners=False)
        return F.grid_sample(x, grid, align_corners=False)


class PointNet(nn.Module):
    """Shared layers over points, a maximum over all of them, neighbours gathered by distance."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv1d(3, 8, 1), nn.Conv1d(16, 8, 1)
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x: Tensor) -> Tensor:
        distance = (x.unsqueeze(2) - x.unsqueeze(1)).square().sum(-1)
        nearest = distance.topk(3, dim=-1, largest=False).indices
        y = F.relu(self.norm(self.first(x.transpose(1, 2))))
        batch, width, points = y.shape
        index = nearest.reshape(batch, 1, points * 3).expand(-1, width, -1)
        around = torch.gather(y, 2, index).view(batch, width, points, 3).amax(dim=3)
        y = self.second(torch.cat([y, around], dim=1))
        return torch.cat([y, y.max(dim=2, keepdim=True).values.expand_as(y)], dim=1).cumsum(dim=2)


class TextRecognizer(nn.Module):
    """Convolutions that flatten the height, then an LSTM along the width."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, 1, 1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d((2, 2)), nn.Conv2d(8, 8, (8, 1))
        )
        self.lstm = nn.LSTM(8, 6, bidirectional=True)
        self.head = nn.Linear(12, 7)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.lstm(self.conv(x).squeeze(2).permute(2, 0, 1))
        return F.log_softmax(self.head(y), dim=2)


class Branches(nn.Module):
    """A branch on the data: torch.cond."""

    def __init__(self) -> None:
        super().__init__()
        self.small, self.large = nn.Conv2d(3, 4, 1), nn.Conv2d(3, 4, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = torch.cond(x.mean() > 0, lambda v: F.relu(self.small(v)), lambda v: torch.tanh(self.large(v)), (x,))
        return y + 1


def steps(x: Tensor, count: Tensor) -> Tensor:
    for i in range(int(count)):
        x = x + torch.relu(x) if i % 2 == 0 else x * 0.5
    return x


class Steps(nn.Module):
    """A loop and a branch that only scripting keeps."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # scripted parts are what older programs have
            self.steps = torch.jit.script(steps)

    def forward(self, x: Tensor, count: Tensor) -> Tensor:
        y: Tensor = self.steps(self.conv(x), count)
        return y
