"""Fake-quantized convolutional networks in the placement that TensorRT documents, and misplacements that users report.

Good placement: data and weights of a convolution both quantized, weights per output channel (axis 0) with zero
point 0, BatchNorm folded beforehand, nothing between Conv and Relu, and in a residual block one quantizer on the
shortcut operand of the addition.
"""

from __future__ import annotations

import torch
import torch.ao.quantization.fx._decomposed  # registers torch.ops.quantized_decomposed
import torch.nn.functional as F
from torch import Tensor, nn


class Quantizer(nn.Module):
    """One INT8 quantize/dequantize pair for an activation.

    torch 2.13 cannot trace fake_quantize_per_tensor_affine with symbolic sizes (FakeQuantize below shows it), so the
    pair is spelt with the operators of torch's own decomposed quantization there.
    """

    def __init__(self, scale: float = 0.05) -> None:
        super().__init__()
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        if any(isinstance(size, torch.SymInt) for size in x.shape):
            ops = torch.ops.quantized_decomposed
            y = ops.quantize_per_tensor(x, self.scale, 0, -128, 127, torch.int8)
            return ops.dequantize_per_tensor(y, self.scale, 0, -128, 127, torch.int8)
        return torch.fake_quantize_per_tensor_affine(x, self.scale, 0, -128, 127)


class FakeQuantize(nn.Module):
    """Nothing but torch.fake_quantize_per_tensor_affine."""

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(torch.fake_quantize_per_tensor_affine(x, 0.05, 0, -128, 127))


class QuantConv2d(nn.Conv2d):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        others = [1, 2, 3]
        self.register_buffer("weight_scale", self.weight.detach().abs().amax(dim=others) / 127.0)
        self.register_buffer("weight_zero", torch.zeros(self.out_channels, dtype=torch.int32))
        self.input_quantizer = Quantizer()

    def forward(self, x: Tensor) -> Tensor:
        weight = torch.fake_quantize_per_channel_affine(self.weight, self.weight_scale, self.weight_zero, 0, -128, 127)
        return F.conv2d(
            self.input_quantizer(x), weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )


class QuantConvTranspose2d(nn.ConvTranspose2d):
    """`axis`: which axis of the [inputs, outputs, kh, kw] weights has the scales; None is one scale per tensor."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, axis: int | None) -> None:
        super().__init__(inputs, outputs, kernel, stride)
        self.axis = axis
        self.input_quantizer = Quantizer()
        if axis is not None:
            others = [d for d in range(4) if d != axis]
            self.register_buffer("weight_scale", self.weight.detach().abs().amax(dim=others) / 127.0)
            self.register_buffer("weight_zero", torch.zeros(self.weight.shape[axis], dtype=torch.int32))

    def forward(self, x: Tensor, output_size: list[int] | None = None) -> Tensor:
        if self.axis is None:
            weight = torch.fake_quantize_per_tensor_affine(self.weight, 0.01, 0, -128, 127)
        else:
            weight = torch.fake_quantize_per_channel_affine(
                self.weight, self.weight_scale, self.weight_zero, self.axis, -128, 127
            )
        return F.conv_transpose2d(self.input_quantizer(x), weight, self.bias, self.stride)


class QuantBlock(nn.Module):
    """Residual block. `placement` says where the addition is quantized and what the shortcut is.

    shortcut   one quantizer on the shortcut operand: the documented form
    float      the shortcut convolution left in float, nothing quantized in front of the addition
    none       shortcut convolution quantized, but no quantizer in front of the addition
    backbone   the quantizer on the main path's operand instead
    both       quantizers on both operands
    """

    def __init__(self, inputs: int, outputs: int, stride: int, placement: str) -> None:
        super().__init__()
        self.placement = placement
        self.conv1 = QuantConv2d(inputs, outputs, 3, stride, 1)
        self.conv2 = QuantConv2d(outputs, outputs, 3, 1, 1)
        self.downsample: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            convolution = nn.Conv2d if placement == "float" else QuantConv2d
            self.downsample = nn.Sequential(convolution(inputs, outputs, 1, stride))
        self.residual_quantizer = Quantizer()

    def forward(self, x: Tensor) -> Tensor:
        y = self.conv2(F.relu(self.conv1(x)))
        shortcut = self.downsample(x)
        if self.placement in ("shortcut", "both"):
            shortcut = self.residual_quantizer(shortcut)
        if self.placement in ("backbone", "both"):
            y = self.residual_quantizer(y)
        return F.relu(y + shortcut)


class QuantResNet(nn.Module):
    def __init__(self, placement: str = "shortcut") -> None:
        super().__init__()
        self.stem = QuantConv2d(3, 8, 3, 2, 1)
        self.layer1 = QuantBlock(8, 8, 1, "shortcut")
        self.layer2 = QuantBlock(8, 16, 2, placement)
        self.last = QuantConv2d(16, 16, 3, 1, 1)
        self.head = nn.Linear(16, 10)

    def forward(self, x: Tensor) -> Tensor:
        y = self.layer2(self.layer1(F.relu(self.stem(x))))
        return self.head(F.relu(self.last(y)).mean(dim=(2, 3)))


class QuantStage(nn.Module):
    """One down-sampling block and the convolution behind it."""

    def __init__(self, placement: str) -> None:
        super().__init__()
        self.block = QuantBlock(4, 8, 2, placement)
        self.last = QuantConv2d(8, 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.last(self.block(x)))


class QuantMobileNet(nn.Module):
    """`quantize_depthwise` False keeps the grouped convolution in float, the advice for INT8; True is user case 3."""

    def __init__(self, channels: int, groups: int, quantize_depthwise: bool) -> None:
        super().__init__()
        self.expand = QuantConv2d(4, channels, 1)
        convolution = QuantConv2d if quantize_depthwise else nn.Conv2d
        self.depthwise = convolution(channels, channels, 3, 1, 1, groups=groups)
        self.project = QuantConv2d(channels, 8, 1)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.depthwise(F.relu(self.expand(x))))
        return F.relu(self.project(y)).mean(dim=(2, 3))


class QuantDecoder(nn.Module):
    """An INT8 ConvTranspose between two convolutions."""

    def __init__(self, axis: int | None) -> None:
        super().__init__()
        self.down = QuantConv2d(4, 16, 3, 2, 1)
        self.up = QuantConvTranspose2d(16, 8, 2, 2, axis)
        self.head = nn.Conv2d(8, 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(F.relu(self.up(F.relu(self.down(x)))))


class QuantDeconvOutput(nn.Module):
    """User case 2: the last layer is a quantized ConvTranspose 64 -> 10 with kernel 1."""

    def __init__(self, axis: int | None) -> None:
        super().__init__()
        self.conv = QuantConv2d(4, 64, 3, 1, 1)
        self.last = QuantConvTranspose2d(64, 10, 1, 1, axis)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(F.relu(self.conv(x)))


class QuantBatchNorm(nn.Module):
    """A pair between Conv and BatchNorm: neither can the BatchNorm be folded nor the Relu be fused."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = QuantConv2d(4, 8, 3, 1, 1)
        self.between = Quantizer()
        self.bn = nn.BatchNorm2d(8)
        self.last = QuantConv2d(8, 8, 3, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(F.relu(self.bn(self.between(self.conv(x)))))
