"""Real exports: PyTorch models of random weights, and what people make of them with ONNX Runtime before TensorRT.

    python tests/truth/exports.py build/exports [--only NAME] [--packages build/exporters]

Writes NAME.onnx for each, once, or NAME.refused with what the exporter or the tool said. Models of timm and
transformers need `pip install --target build/exporters --no-deps timm transformers torchvision tokenizers safetensors
regex pillow onnxconverter-common`, and the same with `huggingface_hub` without `--no-deps`; what is not installed is left out, and a line says so.

Names are `family.model.form`: families are "timm", "transformers" and "functions" (small PyTorch programs), forms
"float", "half", "bfloat16", "dynamic" (sizes), "torchscript", and the names of `DERIVED`.
"""

# ruff: noqa: E501
from __future__ import annotations

import argparse
import contextlib
import logging
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import export_derived
import export_functions
import onnx
import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from zoo.export import silent_output

OPSET = {True: 20, False: 17}
# Of dynamic sizes that nothing tells: none of the exports was made with it.
SIZE = 8

# The name, what it is made with, the size of the image. Small: an engine is built from each.
TIMM: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("resnet10t", {}, 64),
    ("mobilenetv3_small_050", {}, 64),
    ("efficientnet_lite0", {}, 64),
    ("regnetx_002", {}, 64),
    ("convnext_atto", {"depths": (1, 1, 1, 1)}, 64),
    ("ghostnet_050", {}, 64),
    ("vit_tiny_patch16_224", {"img_size": 64, "depth": 2}, 64),
    ("mixer_s32_224", {"img_size": 64, "num_blocks": 2}, 64),
    ("edgenext_xx_small", {}, 64),
    ("mobilevit_xxs", {}, 64),
    ("efficientvit_b0", {}, 64),
    ("xcit_nano_12_p16_224", {"img_size": 64, "depth": 2}, 64),
    ("fastvit_t8", {}, 64),
    ("botnet26t_256", {"img_size": 64}, 64),
    ("swin_tiny_patch4_window7_224", {"img_size": 56, "embed_dim": 24, "depths": (1, 1, 1, 1)}, 56),
    ("hardcorenas_a", {}, 64),
    ("tf_efficientnet_lite0", {}, 64),
    ("res2net50_14w_8s", {}, 64),
)
# Of these, other forms are made as well.
CONVOLUTIONS = ("resnet10t", "mobilenetv3_small_050", "efficientnet_lite0", "regnetx_002", "fastvit_t8")
TEXT = {"vocab_size": 64, "max_position_embeddings": 64}
NARROW = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
# The class of the model, of its configuration, what it is configured with, and what it is called with.
TRANSFORMERS: tuple[tuple[str, str, str, dict[str, Any], str], ...] = (
    ("bert", "BertModel", "BertConfig", TEXT | NARROW, "ids mask"),
    ("roberta", "RobertaModel", "RobertaConfig", TEXT | NARROW, "ids mask"),
    ("distilbert", "DistilBertModel", "DistilBertConfig", {"vocab_size": 64, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64}, "ids mask"),
    ("albert", "AlbertModel", "AlbertConfig", TEXT | NARROW | {"embedding_size": 16}, "ids mask"),
    ("electra", "ElectraModel", "ElectraConfig", TEXT | NARROW | {"embedding_size": 16}, "ids mask"),
    ("deberta", "DebertaV2Model", "DebertaV2Config", TEXT | NARROW | {"relative_attention": True, "pos_att_type": ["p2c", "c2p"]}, "ids mask"),
    ("gpt2", "GPT2Model", "GPT2Config", {"vocab_size": 64, "n_positions": 64, "n_embd": 32, "n_layer": 2, "n_head": 4, "use_cache": False}, "ids"),
    ("llama", "LlamaModel", "LlamaConfig", TEXT | NARROW | {"num_key_value_heads": 2, "use_cache": False}, "ids"),
    ("qwen2", "Qwen2Model", "Qwen2Config", TEXT | NARROW | {"num_key_value_heads": 2, "use_cache": False}, "ids"),
    ("opt", "OPTModel", "OPTConfig", {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 64, "max_position_embeddings": 64, "word_embed_proj_dim": 32, "use_cache": False}, "ids"),
    ("bloom", "BloomModel", "BloomConfig", {"vocab_size": 64, "hidden_size": 32, "n_layer": 2, "n_head": 4, "use_cache": False}, "ids mask"),
    ("t5", "T5EncoderModel", "T5Config", {"vocab_size": 64, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}, "ids mask"),
    ("mamba", "MambaModel", "MambaConfig", {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 1, "state_size": 4, "use_cache": False}, "ids"),
    ("vit", "ViTModel", "ViTConfig", NARROW | {"image_size": 32, "patch_size": 8}, "image"),
    ("clip_text", "CLIPTextModel", "CLIPTextConfig", TEXT | NARROW, "ids"),
    ("clip_vision", "CLIPVisionModel", "CLIPVisionConfig", NARROW | {"image_size": 32, "patch_size": 8}, "image"),
    ("segformer", "SegformerModel", "SegformerConfig", {"hidden_sizes": [16, 16, 32, 32], "depths": [1, 1, 1, 1], "decoder_hidden_size": 16}, "image"),
    ("wav2vec2", "Wav2Vec2Model", "Wav2Vec2Config", NARROW | {"conv_dim": [16, 16], "conv_stride": [5, 2], "conv_kernel": [10, 3], "num_feat_extract_layers": 2, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4}, "wave"),
    ("dinov2", "Dinov2Model", "Dinov2Config", NARROW | {"image_size": 32, "patch_size": 8}, "image"),
    ("convnextv2", "ConvNextV2Model", "ConvNextV2Config", {"hidden_sizes": [8, 16, 16, 32], "depths": [1, 1, 1, 1]}, "image"),
    ("funnel", "FunnelModel", "FunnelConfig", {"vocab_size": 64, "block_sizes": [1, 1], "d_model": 32, "n_head": 4, "d_head": 8, "d_inner": 64}, "ids mask"),
    ("xlnet", "XLNetModel", "XLNetConfig", {"vocab_size": 64, "d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 64, "use_mems_eval": False}, "ids mask"),
)  # fmt: skip
ATTENTION = ("bert", "distilbert", "gpt2", "t5", "vit", "roberta")
TYPES = {"float": torch.float32, "half": torch.float16, "bfloat16": torch.bfloat16}

TITLES = {
    "qdq-": "quantized with Q/DQ",
    "qoperator-": "quantized with QLinear operators",
    "dynamic-": "quantized dynamically",
    "nbits-": "weights of 4 and 8 bits",
    "optimized-": "optimized by ONNX Runtime",
    "fused-": "optimized by ONNX Runtime",
    "converted-": "converted to FLOAT16",
}


@dataclass(frozen=True)
class Export:
    """One model as PyTorch exports it; the others are derived from it."""

    family: str
    model: str
    form: str
    make: Callable[[], tuple[nn.Module, tuple[Tensor, ...]]]
    dynamo: bool = True
    # Axes whose size is dynamic, by input.
    axes: tuple[dict[int, str], ...] = ()

    @property
    def name(self) -> str:
        return f"{self.family}.{self.model}.{self.form}"


class FirstOutput(nn.Module):
    """Models of transformers give back a dictionary of their own."""

    def __init__(self, inner: nn.Module, names: list[str]) -> None:
        super().__init__()
        self.inner, self.names = inner, names

    def forward(self, *given: Tensor) -> Tensor:
        made = self.inner(**dict(zip(self.names, given, strict=True)))
        first: Tensor = made[0] if isinstance(made, tuple) else made.last_hidden_state
        return first


def inputs_of(what: str, kind: torch.dtype) -> dict[str, Tensor]:
    torch.manual_seed(1)
    made: dict[str, tuple[str, Callable[[], Tensor]]] = {
        "ids": ("input_ids", lambda: torch.randint(0, 60, (1, 16))),
        "mask": ("attention_mask", lambda: torch.ones(1, 16, dtype=torch.int64)),
        "image": ("pixel_values", lambda: torch.rand(1, 3, 32, 32).to(kind)),
        "wave": ("input_values", lambda: torch.rand(1, 800).to(kind)),
    }
    return {made[word][0]: made[word][1]() for word in what.split()}


def of_timm(name: str, options: dict[str, Any], size: int, kind: torch.dtype) -> tuple[nn.Module, tuple[Tensor, ...]]:
    import timm

    torch.manual_seed(0)
    model = timm.create_model(name, pretrained=False, num_classes=10, exportable=True, **options)
    return model.eval().to(kind), (torch.rand(1, 3, size, size).to(kind),)


def of_transformers(
    row: tuple[str, str, str, dict[str, Any], str], kind: torch.dtype
) -> tuple[nn.Module, tuple[Tensor, ...]]:
    import transformers

    torch.manual_seed(0)
    _, model, configuration, options, what = row
    made = getattr(transformers, configuration)(**options, attn_implementation="eager")
    given = inputs_of(what, kind)
    return FirstOutput(getattr(transformers, model)(made).eval().to(kind), list(given)), tuple(given.values())


def every_export() -> Iterator[Export]:
    for name, options, size in TIMM:
        for form, kind in TYPES.items():
            yield Export("timm", name, form, partial(of_timm, name, options, size, kind))
        yield Export("timm", name, "torchscript", partial(of_timm, name, options, size, torch.float32), False)
    for row in TRANSFORMERS:
        for form, kind in TYPES.items():
            yield Export("transformers", row[0], form, partial(of_transformers, row, kind))
        yield Export("transformers", row[0], "torchscript", partial(of_transformers, row, torch.float32), False)
    for function in export_functions.FUNCTIONS:
        for form, dynamo in (("float", True), ("torchscript", False)):
            yield Export("functions", function.name, form, function.module, dynamo)
            if function.axes:
                name = "dynamic" if dynamo else "torchscript-dynamic"
                yield Export("functions", function.name, name, function.module, dynamo, function.axes)


def write(one: Export, path: Path) -> None:
    module, given = one.make()
    names = [f"x{at}" for at in range(len(given))]
    axes = dict(zip(names, one.axes, strict=False))
    with warnings.catch_warnings(), silent_output(), torch.no_grad():
        warnings.simplefilter("ignore")
        how: dict[str, Any] = {"dynamic_axes": axes or None, "dynamo": False}
        if one.dynamo:
            shapes = tuple(axes.get(name, {}) for name in names) if axes else None
            how = {"dynamic_shapes": shapes, "dynamo": True, "external_data": False, "verbose": False}
            if shapes and isinstance(module, export_functions.Function):
                # A function of any arguments: they are one.
                how["dynamic_shapes"] = (shapes,)
        torch.onnx.export(module, given, str(path), input_names=names, opset_version=OPSET[one.dynamo], **how)


def family_of(name: str) -> str:
    """What a table groups by: plain exports by what they are of, derived ones by how they were made."""
    family, _, form = name.split(".")
    if form in ("float", "dynamic", "torchscript", "torchscript-dynamic"):
        return f"{family}, as exported"
    if form in TYPES:
        return f"{family}, in half precision"
    return next(title for start, title in TITLES.items() if form.startswith(start))


def derived(folder: Path) -> Iterator[tuple[str, Path, Callable[[Path, Path], None]]]:
    for family, names, forms in (
        ("timm", CONVOLUTIONS, export_derived.CONVOLUTIONS),
        ("transformers", ATTENTION, export_derived.ATTENTION),
    ):
        for name in names:
            base = folder / f"{family}.{name}.float.onnx"
            for form, make in forms.items():
                yield f"{family}.{name}.{form}", base, make


def kept(folder: Path, name: str, make: Callable[[Path], None]) -> None:
    """Makes it unless it, or the reason why it cannot be made, is there."""
    path, refusal = folder / f"{name}.onnx", folder / f"{name}.refused"
    if path.exists() or refusal.exists():
        return
    start = time.monotonic()
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = Path(scratch) / path.name
        try:
            make(made)
            # One file without shapes of values inside: they say what the tool knew, not what TensorRT reads.
            onnx.save(onnx.load(made), path)
        except ImportError as error:
            print(f"left out: {name}: {error}", flush=True)
            return
        except Exception as error:  # exporters and tools raise what they like
            refusal.write_text(f"{type(error).__name__}: {error}")
    print(f"{time.monotonic() - start:6.1f} s  {name}{'' if path.exists() else ': refused'}", flush=True)


def make_all(folder: Path, packages: Path | None = None, only: str = "") -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    logging.disable(logging.ERROR)
    prepare(packages)
    for one in every_export():
        if only in one.name:
            kept(folder, one.name, partial(write, one))
    for name, base, make in derived(folder):
        if only in name and base.exists():
            kept(folder, name, partial(make, base))
    return sorted(folder.glob("*.onnx"))


def prepare(packages: Path | None) -> None:
    if packages is not None:
        sys.path.append(str(packages))
    # A torchvision of another build has no operators of its own; timm imports it all the same, and uses none of them.
    with contextlib.suppress(Exception):
        library = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        globals()["_KEPT"] = library


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="names that hold this")
    parser.add_argument("--packages", type=Path, help="where timm and transformers are installed")
    args = parser.parse_args()
    made = make_all(args.folder, args.packages, args.only)
    print(f"{len(made)} models")
    return 0


if __name__ == "__main__":
    sys.exit(main())
