"""User case 4 and its neighbours: BatchNorm layers whose parameters TensorRT cannot match with the channels."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class NormAfterView(nn.Module):
    """The channel count is left to `view`, so nobody but the parameters knows it."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x: Tensor) -> Tensor:
        y = self.conv(x)
        b, _, h, w = y.shape
        y = y.view(b, 2, 4, h, w).amax(dim=1).transpose(1, 2).contiguous().view(b, h, -1, w).transpose(1, 2)
        return self.norm(y)


class ConditionalNorm(nn.Module):
    """Scale and shift computed from a second input: no constants."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.scale = nn.Linear(5, 8)
        self.shift = nn.Linear(5, 8)
        self.register_buffer("mean", torch.randn(8))
        self.register_buffer("variance", torch.rand(8) + 0.5)

    def forward(self, x: Tensor, style: Tensor) -> Tensor:
        y = F.relu(self.conv(x))
        return F.batch_norm(y, self.mean, self.variance, self.scale(style), self.shift(style))


class ConvNorm3d(nn.Module):
    """The layers of the reported 3-D U-Net: rank 5, 16 channels."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv3d(1, 16, 3, 2, 1)
        self.act = nn.PReLU()
        self.norm = nn.BatchNorm3d(16)
        self.head = nn.Conv3d(16, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.norm(self.act(self.conv(x))))
