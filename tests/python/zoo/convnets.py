"""Convolutional networks in miniature: the layers and wiring of the well-known families, a few channels wide."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval


def settle(module: nn.Module) -> nn.Module:
    """Evaluation mode, with batch statistics as after training: folding the initial ones (0 and 1) would do nothing."""
    for norm in module.modules():
        if isinstance(norm, (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)):
            nn.init.uniform_(norm.running_mean, -0.5, 0.5)
            nn.init.uniform_(norm.running_var, 0.5, 2.0)
            nn.init.uniform_(norm.weight, 0.5, 1.5)
    return module.eval()


class ResidualBlock(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return F.relu(y + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1)
        )
        self.layer1 = ResidualBlock(8, 8)
        self.layer2 = ResidualBlock(8, 16, 2)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, 10)

    def forward(self, x: Tensor) -> Tensor:
        y = self.layer2(self.layer1(self.stem(x)))
        return self.fc(torch.flatten(self.pool(y), 1))


def folded(make: Callable[[], nn.Module]) -> nn.Module:
    """The model with every Conv + BatchNorm pair folded by torch.nn.utils.fusion before the export."""
    model = settle(make())
    for parent in model.modules():
        children = list(parent.named_children())
        for (conv_name, conv), (norm_name, norm) in pairwise(children):
            if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                setattr(parent, conv_name, fuse_conv_bn_eval(conv, norm))
                setattr(parent, norm_name, nn.Identity())
    return model


class PreActivationBlock(nn.Module):
    """BatchNorm before the convolution: nothing can fold it, so it stays in every export."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        y = self.conv1(F.relu(self.bn1(x)))
        return x + self.conv2(F.relu(self.bn2(y)))


class PreActivationResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, 2, 1)
        self.blocks = nn.Sequential(PreActivationBlock(8), PreActivationBlock(8))
        self.head = nn.Linear(8, 10)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.blocks(self.stem(x)).mean(dim=(2, 3)))


class DoubleConv(nn.Sequential):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(
            nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(),
        )  # fmt: skip


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down1 = DoubleConv(3, 4)
        self.down2 = DoubleConv(4, 8)
        self.bottom = DoubleConv(8, 16)
        self.up2 = nn.ConvTranspose2d(16, 8, 2, 2)
        self.conv2 = DoubleConv(16, 8)
        self.up1 = nn.ConvTranspose2d(8, 4, 2, 2)
        self.conv1 = DoubleConv(8, 4)
        self.head = nn.Conv2d(4, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.bottom(F.max_pool2d(b, 2))
        b = self.conv2(torch.cat([self.up2(c), b], dim=1))
        a = self.conv1(torch.cat([self.up1(b), a], dim=1))
        return self.head(a)


class PaddingUNet(nn.Module):
    """Takes any size: the upsampled branch is padded to the skip connection, as many public U-Nets do."""

    def __init__(self) -> None:
        super().__init__()
        self.down = DoubleConv(3, 4)
        self.bottom = DoubleConv(4, 8)
        self.up = nn.ConvTranspose2d(8, 4, 2, 2)
        self.conv = DoubleConv(8, 4)

    def forward(self, x: Tensor) -> Tensor:
        a = self.down(x)
        b = self.up(self.bottom(F.max_pool2d(a, 2)))
        rows, columns = a.shape[2] - b.shape[2], a.shape[3] - b.shape[3]
        b = F.pad(b, [columns // 2, columns - columns // 2, rows // 2, rows - rows // 2])
        return self.conv(torch.cat([a, b], dim=1))


class UNet3d(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(nn.Conv3d(1, 4, 3, 2, 1), nn.BatchNorm3d(4), nn.PReLU())
        self.bottom = nn.Sequential(nn.Conv3d(4, 8, 3, 2, 1), nn.BatchNorm3d(8), nn.ReLU())
        self.up = nn.ConvTranspose3d(8, 4, 2, 2)
        self.norm = nn.BatchNorm3d(8)
        self.head = nn.ConvTranspose3d(8, 2, 2, 2)

    def forward(self, x: Tensor) -> Tensor:
        a = self.down(x)
        b = self.up(self.bottom(a))
        return self.head(F.relu(self.norm(torch.cat([a, b], dim=1))))


class ShuffleUnit(nn.Module):
    """Channel shuffle, then a grouped convolution. `infer_channels` leaves the channel count to `view`: user case 0."""

    def __init__(self, channels: int, groups: int, infer_channels: bool) -> None:
        super().__init__()
        self.channels, self.groups, self.infer_channels = channels, groups, infer_channels
        self.conv = nn.Conv2d(channels, 2 * channels, 3, padding=1, groups=groups)

    def forward(self, x: Tensor) -> Tensor:
        b, _, h, w = x.size()
        x = x.view(b, self.groups, self.channels // self.groups, h, w).transpose(1, 2).contiguous()
        x = x.view(b, -1 if self.infer_channels else self.channels, h, w)
        return F.relu(self.conv(x))


class ShuffleNet(nn.Module):
    def __init__(self, infer_channels: bool = False) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, 2, 1)
        self.unit = ShuffleUnit(4, 2, infer_channels)
        self.head = nn.Conv2d(8, 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.unit(F.relu(self.stem(x))))


class InvertedResidual(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        hidden = 2 * inputs
        self.use_residual = stride == 1 and inputs == outputs
        self.expand = nn.Sequential(nn.Conv2d(inputs, hidden, 1, bias=False), nn.BatchNorm2d(hidden), nn.Hardswish())
        self.depthwise = nn.Sequential(
            nn.Conv2d(hidden, hidden, 3, stride, 1, groups=hidden, bias=False), nn.BatchNorm2d(hidden), nn.ReLU6()
        )
        self.squeeze = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(hidden, 4, 1), nn.SiLU(), nn.Conv2d(4, hidden, 1), nn.Hardsigmoid()
        )
        self.project = nn.Sequential(nn.Conv2d(hidden, outputs, 1, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        y = self.depthwise(self.expand(x))
        y = self.project(y * self.squeeze(y))
        return x + y if self.use_residual else y


class MobileNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish())
        self.features = nn.Sequential(InvertedResidual(8, 8, 1), InvertedResidual(8, 16, 2))
        self.classifier = nn.Linear(16, 10)

    def forward(self, x: Tensor) -> Tensor:
        y = F.adaptive_avg_pool2d(self.features(self.stem(x)), (1, 1))
        return self.classifier(y.flatten(1))


class Segmenter(nn.Module):
    """A pyramid head: features of two strides resized to each other and to the input."""

    def __init__(self) -> None:
        super().__init__()
        self.stride2 = nn.Conv2d(3, 8, 3, 2, 1)
        self.stride4 = nn.Conv2d(8, 8, 3, 2, 1)
        self.pool = nn.AvgPool2d(3, 1, 1)
        self.lateral = nn.Conv2d(8, 8, 1)
        self.norm = nn.GroupNorm(2, 8)
        self.head = nn.Conv2d(8, 3, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        fine = F.leaky_relu(self.stride2(x), 0.1)
        coarse = self.pool(F.elu(self.stride4(fine)))
        up = F.interpolate(coarse, scale_factor=2.0, mode="nearest")
        up = up[:, :, : fine.shape[2], : fine.shape[3]]
        y = self.head(F.gelu(self.norm(self.lateral(fine) + up)))
        logits = F.interpolate(y, size=x.shape[-2:], mode="bilinear", align_corners=False)
        return logits, logits.softmax(1).argmax(1)


class SpaceToDepth(nn.Module):
    """Pixel shuffling both ways, instance normalization and a split: the layout operators of restoration networks."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.InstanceNorm2d(12, affine=True)
        self.body = nn.Conv2d(12, 24, 3, padding=1)
        self.tail = nn.Conv2d(12, 12, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm(F.pixel_unshuffle(x, 2))
        a, b = self.body(y).chunk(2, dim=1)
        y = self.tail(a * torch.sigmoid(b)) + y
        return torch.clamp(F.pixel_shuffle(y, 2) + x, -1.0, 1.0)
