"""Exports the example models in examples/models from the test suite's PyTorch modules.

    python examples/make_models.py            (needs torch, onnx and onnxscript)

Each file keeps what the exporter recorded of the Python source, with paths as seen from the repository, so that a
finding points at a line of tests/python/zoo. All other metadata is dropped: the files stay a few KB.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

import onnx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from zoo import quantized  # noqa: E402
from zoo.catalog import ENTRIES, Entry, image  # noqa: E402
from zoo.export import write  # noqa: E402

STACK, SCOPES = "pkg.torch.onnx.stack_trace", "pkg.torch.onnx.name_scopes"


@dataclass(frozen=True)
class Example:
    file: str
    entry: Entry
    exporter: str
    mode: str


def stage(name: str, placement: str) -> Entry:
    """The residual block alone: a few KB instead of the whole network."""
    entry = ENTRIES[name]
    return replace(entry, build=lambda: quantized.QuantStage(placement), inputs=image(4))


EXAMPLES = (
    Example("healthy_shufflenet", ENTRIES["shufflenet"], "dynamo", "dynamic"),
    Example("healthy_attention", ENTRIES["attention"], "dynamo", "dynamic"),
    Example("healthy_quantized", stage("qdq_resnet", "shortcut"), "dynamo", "dynamic"),
    Example("case0_channel_shuffle", ENTRIES["case0_shuffle"], "torchscript", "dynamic"),
    Example("case1_residual", stage("case1_float_shortcut", "float"), "dynamo", "dynamic"),
    Example("case2_deconvolution", ENTRIES["case2_scale_by_axis1"], "dynamo", "dynamic"),
    Example("case3_grouped_int8", ENTRIES["case3_three_per_group"], "dynamo", "dynamic"),
    Example("case4_batchnorm", ENTRIES["case4_pruned"], "dynamo", "dynamic"),
)


def own_frames(stack: str) -> str:
    """The frames of the zoo alone, with paths relative to the repository.

    Newer exporter: pairs of `File "x.py", line 3, in forward` and the code, innermost last; older exporter: lines of
    `x.py(3): forward`, innermost first.
    """
    own = re.compile(rf'^\s*(?:File ")?{re.escape(str(ROOT))}/(tests/python/zoo/)')
    lines = stack.split("\n")
    kept = []
    for line, code in zip_longest(lines, lines[1:], fillvalue=""):
        if not own.match(line) or ": write" in line:
            continue
        kept.append(line.replace(f"{ROOT}/", ""))
        if line.lstrip().startswith('File "'):
            kept.append(code)
    return "\n".join(kept)


def tidy(model: onnx.ModelProto) -> None:
    del model.metadata_props[:], model.graph.metadata_props[:], model.graph.value_info[:]
    model.graph.doc_string = ""
    for value in [*model.graph.input, *model.graph.output]:
        del value.metadata_props[:]
    for tensor in model.graph.initializer:
        del tensor.metadata_props[:]
    for node in model.graph.node:
        kept = {p.key: p.value for p in node.metadata_props if p.key in (STACK, SCOPES)}
        del node.metadata_props[:]
        for key, value in kept.items():
            node.metadata_props.add(key=key, value=own_frames(value) if key == STACK else value)
        node.doc_string = own_frames(node.doc_string)


def make(example: Example, folder: Path) -> Path:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model.onnx"
        write(example.entry, example.exporter, example.mode, path, keep_source_lines=True)
        model = onnx.load(path)
    tidy(model)
    made = folder / f"{example.file}.onnx"
    onnx.save(model, made)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "examples" / "models")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for example in EXAMPLES:
        path = make(example, folder)
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
