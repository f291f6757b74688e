"""The zoo's list: which module, which inputs, which sizes, and what is known not to export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import onnx
import torch
from torch import Tensor, nn

from . import convnets, detection, edits, mixed, normalization, quantized, sequences
from .convnets import folded, settle

EXPORTERS = ("dynamo", "torchscript")
MODES = ("static", "dynamic")


@dataclass(frozen=True)
class Input:
    """A graph input. Names in `shape` are dynamic axes. `high` > 0 makes integers in [0, high)."""

    shape: tuple[int | str, ...]
    high: int = 0

    def tensor(self, sizes: dict[str, int]) -> Tensor:
        shape = [sizes[d] if isinstance(d, str) else d for d in self.shape]
        return torch.randint(0, self.high, shape) if self.high else torch.randn(shape)


@dataclass(frozen=True)
class Entry:
    """One module with its inputs. The first of `sizes` is the one it is exported with."""

    name: str
    build: Callable[[], nn.Module]
    inputs: dict[str, Input]
    sizes: tuple[dict[str, int], ...]
    #: (exporter, mode) -> a part of the exporter's message
    cannot_export: dict[tuple[str, str], str] = field(default_factory=dict)
    #: (exporter, mode) -> a part of ONNX Runtime's message at any other size: the exporter wrote sizes into the graph
    first_size_only: dict[tuple[str, str], str] = field(default_factory=dict)
    #: (exporter, mode) -> why it is not tried: one process exports it, another refuses
    unreliable: dict[tuple[str, str], str] = field(default_factory=dict)
    training: bool = False
    #: what somebody did to the file after the export; the result no longer runs
    edit: Callable[[onnx.ModelProto], None] | None = None

    def module(self) -> nn.Module:
        torch.manual_seed(0)
        module = settle(self.build())
        return module.train() if self.training else module

    def arguments(self, sizes: dict[str, int]) -> tuple[Tensor, ...]:
        torch.manual_seed(1)
        return tuple(x.tensor(sizes) for x in self.inputs.values())


def image(channels: int = 3, *, square: int | None = None) -> dict[str, Input]:
    return {"x": Input(("batch", channels, square or "height", square or "width"))}


def sizes(names: str, *rows: tuple[int, ...]) -> tuple[dict[str, int], ...]:
    return tuple(dict(zip(names.split(), row, strict=True)) for row in rows)


VOLUME = {"x": Input(("batch", 1, "depth", "height", "width"))}
VOLUME_SIZE = sizes("batch depth height width", (2, 8, 16, 12), (1, 12, 8, 8), (3, 4, 20, 16))
ANY_SIZE = sizes("batch height width", (2, 32, 40), (1, 33, 47), (5, 64, 31))
EVEN_SIZE = sizes("batch height width", (2, 32, 40), (1, 36, 48), (3, 64, 20))
BATCHES = sizes("batch", (2,), (1,), (7,))
TOKENS = sizes("batch length", (2, 12), (1, 7), (3, 33))
STEPS = sizes("batch length", (2, 9), (1, 4), (5, 21))
LENGTH = "torch 2.13 takes the length of a recurrent layer for fixed: refused, or written into the graph as a number"

HEALTHY = (
    Entry("resnet", convnets.ResNet, image(), ANY_SIZE),
    Entry("resnet_folded", lambda: folded(convnets.ResNet), image(), ANY_SIZE),
    Entry("resnet_preact", convnets.PreActivationResNet, image(), ANY_SIZE),
    Entry("unet", convnets.UNet, image(), EVEN_SIZE),
    Entry("unet_padding", convnets.PaddingUNet, image(), ANY_SIZE),
    Entry("shufflenet", convnets.ShuffleNet, image(), ANY_SIZE),
    Entry("mobilenet", convnets.MobileNet, image(), ANY_SIZE),
    Entry(
        "unet3d",
        convnets.UNet3d,
        VOLUME,
        VOLUME_SIZE,
    ),
    Entry("segmenter", convnets.Segmenter, image(), ANY_SIZE),
    Entry("pixel_shuffle", convnets.SpaceToDepth, {"x": Input(("batch", 3, "height", "width"))}, EVEN_SIZE),
    Entry("vit", sequences.VisionTransformer, image(square=32), BATCHES),
    Entry(
        "bert",
        sequences.Bert,
        {"ids": Input(("batch", "length"), 50), "mask": Input(("batch", "length"), 2)},
        TOKENS,
    ),
    Entry("attention", sequences.FusedAttention, {"x": Input(("batch", "length", 16))}, TOKENS),
    Entry(
        "encoder_layer",
        sequences.EncoderLayer,
        {"x": Input(("batch", "length", 16))},
        TOKENS,
        first_size_only={("torchscript", "dynamic"): "The input tensor cannot be reshaped to the requested shape"},
    ),
    Entry(
        "lstm",
        sequences.Lstm,
        {"ids": Input(("batch", "length"), 30)},
        STEPS,
        unreliable={("dynamo", "dynamic"): LENGTH},
    ),
    Entry(
        "gru",
        sequences.Gru,
        {"x": Input(("batch", 4, "length")), "state": Input((1, "batch", 6))},
        STEPS,
        unreliable={("dynamo", "dynamic"): LENGTH},
    ),
    Entry("lstm_batch", sequences.Lstm, {"ids": Input(("batch", 9), 30)}, BATCHES),
    Entry("gru_batch", sequences.Gru, {"x": Input(("batch", 4, 9)), "state": Input((1, "batch", 6))}, BATCHES),
    Entry(
        "gpt",
        sequences.Gpt,
        {
            "ids": Input(("batch", "length"), 40),
            **{n: Input(("batch", 2, "past", 8)) for n in ("k0", "v0", "k1", "v1")},
        },
        sizes("batch length past", (2, 3, 5), (1, 1, 9), (3, 6, 2)),
    ),
    Entry("convnext", mixed.ConvNext, image(), ANY_SIZE),
    Entry("swin", mixed.Swin, image(square=32), BATCHES),
    Entry("causal_conv", mixed.CausalConv, {"x": Input(("batch", 4, "length"))}, TOKENS),
    Entry("relative_bias", mixed.RelativeBias, {"x": Input(("batch", "length", 8))}, TOKENS),
    Entry("experts", mixed.Experts, {"x": Input(("batch", "length", 8))}, TOKENS),
    Entry(
        "warp",
        mixed.Warp,
        image(),
        ANY_SIZE,
        cannot_export={
            ("torchscript", mode): "'aten::affine_grid_generator' to ONNX opset version 17" for mode in MODES
        },
    ),
    Entry(
        "pointnet",
        mixed.PointNet,
        {"x": Input(("batch", "points", 3))},
        sizes("batch points", (2, 12), (1, 7), (3, 33)),
    ),
    Entry(
        "text_recognizer",
        mixed.TextRecognizer,
        {"x": Input(("batch", 1, 16, "width"))},
        sizes("batch width", (2, 40), (1, 33), (3, 64)),
    ),
    Entry(
        "branches",
        mixed.Branches,
        image(),
        ANY_SIZE,
        cannot_export={("torchscript", mode): "torch.jit.trace a dynamo-optimized function" for mode in MODES},
    ),
    Entry(
        "steps",
        mixed.Steps,
        {**image(), "count": Input((), 4)},
        ANY_SIZE,
        cannot_export={("dynamo", mode): "Could not extract specialized integer from data-dependent" for mode in MODES},
    ),
    Entry("detector_topk", detection.TopKDetector, image(), ANY_SIZE),
    Entry("detector_nonzero", detection.NonZeroDetector, image(), ANY_SIZE),
    Entry("detector_anchors", detection.AnchorDetector, image(), ANY_SIZE),
    Entry(
        "fake_quantize",
        quantized.FakeQuantize,
        image(),
        ANY_SIZE,
        cannot_export={("dynamo", "dynamic"): "aten.fake_quantize_per_tensor_affine_cachemask.default"},
    ),
    Entry("qdq_resnet", quantized.QuantResNet, image(), ANY_SIZE),
    Entry("qdq_mobilenet", lambda: quantized.QuantMobileNet(8, 8, False), image(4), ANY_SIZE),
    Entry("qdq_grouped", lambda: quantized.QuantMobileNet(32, 8, True), image(4), ANY_SIZE),
    Entry("norm3d", normalization.ConvNorm3d, VOLUME, VOLUME_SIZE),
    Entry("qdq_decoder", lambda: quantized.QuantDecoder(None), image(4), ANY_SIZE),
)

BROKEN = (
    Entry("case0_shuffle", lambda: convnets.ShuffleNet(infer_channels=True), image(), ANY_SIZE),
    Entry("case1_float_shortcut", lambda: quantized.QuantResNet("float"), image(), ANY_SIZE),
    Entry("case1_no_residual_quantizer", lambda: quantized.QuantResNet("none"), image(), ANY_SIZE),
    Entry("case1_backbone_quantized", lambda: quantized.QuantResNet("backbone"), image(), ANY_SIZE),
    Entry("case1_both_quantized", lambda: quantized.QuantResNet("both"), image(), ANY_SIZE),
    Entry("case1_pair_before_norm", quantized.QuantBatchNorm, image(4), ANY_SIZE),
    Entry("case2_deconv_axis0", lambda: quantized.QuantDeconvOutput(0), image(4), ANY_SIZE),
    Entry("case2_deconv_axis1", lambda: quantized.QuantDeconvOutput(1), image(4), ANY_SIZE),
    Entry("case3_three_per_group", lambda: quantized.QuantMobileNet(24, 8, True), image(4), ANY_SIZE),
    Entry("case3_depthwise", lambda: quantized.QuantMobileNet(6, 6, True), image(4), ANY_SIZE),
    Entry("case4_view", normalization.NormAfterView, image(), ANY_SIZE),
    Entry(
        "case4_conditional",
        normalization.ConditionalNorm,
        {**image(), "style": Input((5,))},
        ANY_SIZE,
    ),
    Entry("case4_training", convnets.PreActivationResNet, image(), ANY_SIZE, training=True),
    Entry(
        "case2_bias_by_axis0",
        lambda: quantized.QuantDeconvOutput(None),
        image(4),
        ANY_SIZE,
        edit=edits.size_bias_by_axis0,
    ),
    Entry(
        "case2_scale_by_axis1", lambda: quantized.QuantDeconvOutput(1), image(4), ANY_SIZE, edit=edits.drop_scale_axis
    ),
    Entry("case4_pruned", normalization.ConvNorm3d, VOLUME, VOLUME_SIZE, edit=edits.prune_norm),
    Entry("case4_channels_last", normalization.ConvNorm3d, VOLUME, VOLUME_SIZE, edit=edits.norm_channels_last),
)

ENTRIES = {entry.name: entry for entry in HEALTHY + BROKEN}
