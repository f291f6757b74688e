"""PyTorch programs with control flow, exported: TorchScript (`for`, `while`, `if`) and dynamo (`torch.cond`, `scan`).

Each stands for a form that people write; some TensorRT accepts, some it refuses.
"""

from __future__ import annotations

import importlib.util
import itertools
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import torch

# Bodies of `def forward_(x, n: int)` for TorchScript; x is FLOAT[5,4], n is 3.
SCRIPTS = {
    "for": "for i in range(n):\n    x = x * 2 + 1\nreturn x",
    "for, three times": "for i in range(3):\n    x = x * 2 + 1\nreturn x",
    "for over the rows": "out = torch.zeros(4)\nfor i in range(x.size(0)):\n    out = out + x[i]\nreturn out",
    "while of data": "while float(x.sum()) < 100.0:\n    x = x.abs() + 1\nreturn x",
    "while of a counter": "i = 0\nwhile i < n:\n    x = x + 1\n    i = i + 1\nreturn x",
    "while, collected": "i = 0\nout = torch.zeros(4)\nwhile i < n:\n    out = out + x[i]\n    i = i + 1\nreturn out",
    "prefix": "out = torch.zeros(4)\nfor i in range(n):\n    out = out + x[: i + 1].softmax(0).sum(0)\nreturn out",
    "suffix": "out = torch.zeros(4)\nfor i in range(n):\n    out = out + x[i:].sum(0)\nreturn out",
    "window": "out = torch.zeros(4)\nfor i in range(n):\n    out = out + x[i : i + 2].sum(0)\nreturn out",
    "one row as a slice": "out = torch.zeros(1, 4)\nfor i in range(n):\n    out = out + x[i : i + 1]\nreturn out",
    "narrow": "out = torch.zeros(1, 4)\nfor i in range(n):\n    out = out + x.narrow(0, i, 1)\nreturn out",
    "grow": "out = x[:1]\nfor i in range(n):\n    out = torch.cat([out, x[:1] * 2], 0)\nreturn out",
    "grow by rows": "out = x[:1]\nfor i in range(n):\n    out = torch.cat([out, x[i].unsqueeze(0)], 0)\nreturn out",
    "shrink": "out = x\nfor i in range(n):\n    out = out[1:]\nreturn out",
    "grow and cut": "out = x\nfor i in range(n):\n    out = torch.cat([out[1:], x[:1]], 0)\nreturn out",
    "broadcast": "out = torch.zeros(1)\nfor i in range(n):\n    out = out + x[0]\nreturn out",
    "rank": "out = x\nfor i in range(n):\n    out = out.unsqueeze(0)\nreturn out.sum()",
    "type": "out = torch.zeros(4, dtype=torch.int64)\nfor i in range(n):\n    out = out + 1\nreturn out * x",
    "arange": "out = torch.zeros(1)\nfor i in range(n):\n    out = out + torch.arange(i + 1).sum()\nreturn out + x",
    "zeros": "out = torch.zeros(1)\nfor i in range(n):\n    out = out + torch.ones(i + 1).sum()\nreturn out + x",
    "mask": "out = torch.zeros(4)\nrows = torch.arange(5).unsqueeze(1)\nfor i in range(n):\n"
    "    out = out + torch.where(rows <= i, x, torch.zeros(1)).sum(0)\nreturn out",
    "list": "outs = []\nfor i in range(n):\n    outs.append(x * i)\nreturn torch.stack(outs)",
    "written rows": "out = torch.zeros(5, 4)\nfor i in range(n):\n    out[i] = x[i] * 2\nreturn out",
    "counter as a size": "k = 1\nout = torch.zeros(4)\nfor i in range(n):\n    out = out + x[:k].sum(0)\n"
    "    k = k + 1\n"
    "return out",
    "counter after the loop": "k = 1\nfor i in range(n):\n    k = k + 1\nreturn x[:k]",
    "nested": "for i in range(n):\n    for j in range(2):\n        x = x * 2 + j\nreturn x",
    "nested, inner count": "for i in range(n):\n    for j in range(i):\n        x = x * 2\nreturn x",
    "nested prefix": "out = torch.zeros(4)\nfor i in range(n):\n    for j in range(2):\n"
    "        out = out + x[: i + 1].sum(0)\nreturn out",
    "break": "for i in range(10):\n    x = x * 2\n    if float(x.sum()) > 100.0:\n        break\nreturn x",
    "recurrent": "h = torch.zeros(4)\nfor i in range(x.size(0)):\n    h = torch.tanh(x[i] * 0.5 + h)\nreturn h",
    "matrix power": "w = torch.ones(4, 4)\nfor i in range(n):\n    x = torch.matmul(x, w)\nreturn x",
    "greedy": "out = torch.zeros(5, dtype=torch.int64)\nfor i in range(n):\n    out[i] = x[i].argmax()\nreturn out",
    "topk in a loop": "out = torch.zeros(2)\nfor i in range(n):\n    out = out + torch.topk(x[i], 2)[0]\nreturn out",
    "if of data": "if float(x.sum()) > 0:\n    y = x * 2\nelse:\n    y = x - 1\nreturn y",
    "if of a number": "if n > 3:\n    y = x * 2\nelse:\n    y = x - 1\nreturn y",
    "if, other size": "if n > 3:\n    y = x[:2]\nelse:\n    y = x * 2\nreturn y",
    "if, other rank": "if n > 3:\n    y = x.unsqueeze(0)\nelse:\n    y = x\nreturn y",
    "if, other type": "if n > 3:\n    y = x.half()\nelse:\n    y = x.half() * 2\nreturn y",
    "if as a size": "k = 2\nif n > 3:\n    k = 4\nreturn x[:k] * 2",
    "if as a shape": "k = 2\nif n > 3:\n    k = 10\nreturn x.reshape(k, -1)",
    "if as a width": "k = 2\nif float(x.sum()) > 3:\n    k = 4\nreturn torch.ones(k) * 2",
    "if of the shape": "if x.size(0) > 3:\n    y = x * 2\nelse:\n    y = x - 1\nreturn y",
    "if of the shape, another rank": "if x.size(0) == 5:\n    y = x * 2\nelse:\n    y = x.unsqueeze(0)\nreturn y",
    "if in if": "if n > 3:\n    if float(x.sum()) > 0:\n        y = x[:2].sum(0)\n    else:\n"
    "        y = x[:3].sum(0)\nelse:\n    y = x[0]\nreturn y",
    "if in if, other size": "if n > 3:\n    if float(x.sum()) > 0:\n        y = x[:2]\n"
    "    else:\n        y = x[:3]\nelse:\n"
    "    y = x\nreturn y",
    "for in if": "if n > 3:\n    y = x\n    for i in range(3):\n        y = y * 2\nelse:\n    y = x\nreturn y",
    "for in if, invariant": "if n > 3:\n    y = x\n"
    "    for i in range(3):\n        y = y + torch.matmul(x, torch.ones(4, 4))\n"
    ""
    "else:\n    y = x\nreturn y",
    "if in for": "for i in range(n):\n    if float(x[i].sum()) > 0:\n        x = x * 2\n    else:\n        x = x + 1\n"
    "return x",
    "squeeze": "return x.squeeze(0) * n",
    "squeeze of one": "return x.unsqueeze(0).squeeze(0) * n",
    "where": "return torch.where(x > 0, x, x * n)",
    "prefix outside": "k = x.size(0) - 1\nout = torch.zeros(4)\nfor i in range(n):\n    out = out + x[:k].sum(0)\n"
    "return out",
}
# Methods `forward(self, x)` for dynamo; x is FLOAT[5,4].
DYNAMO = {
    "cond": "return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))",
    "cond, outer values": "y = x.abs()\nreturn torch.cond(x.sum() > 0, lambda x, y: x + y, lambda x, y: x - y, (x, y))",
    "cond of two": "a, b = torch.cond(x.sum() > 0, lambda x: (x * 2, x + 1), lambda x: (x - 1, x * 3), (x,))\n"
    "return a + b",
    "cond in cond": "def inner(x):\n    return torch.cond(x.mean() > 1, lambda x: x.sin(), lambda x: x.cos(), (x,))\n"
    "return torch.cond(x.sum() > 0, inner, lambda x: x - 1, (x,))",
    "cond with a reduction": "return torch.cond(x.sum() > 0, lambda x: x.sum(0), lambda x: x.mean(0), (x,))",
    "cond with a product": "w = torch.ones(4, 4)\nreturn torch.cond(x.sum() > 0, lambda x, w: x @ w, lambda x, w: x - "
    "1, (x, w))",
    "cond, then a slice": "y = torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))\nreturn y[:2]",
    "scan of sums": "def step(h, e):\n    h = h + e\n    return h, h.clone()\n"
    "h, y = scan(step, torch.zeros(4), x)\nreturn y",
    "scan of a recurrent cell": "def step(h, e):\n    h = torch.tanh(e * 0.5 + h)\n    return h, h * 2\n"
    "h, y = scan(step, torch.zeros(4), x)\nreturn h, y",
    "scan with a product": "w = torch.ones(4, 4)\ndef step(h, e):\n    h = torch.tanh(e @ w + h)\n    return h, h * 2\n"
    "h, y = scan(step, torch.zeros(4), x)\nreturn y",
}


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in text.splitlines())


def _source() -> str:
    parts = ["import torch", "from torch._higher_order_ops.scan import scan"]
    for number, body in enumerate(SCRIPTS.values()):
        parts.append(f"@torch.jit.script\ndef script{number}(x, n: int):\n{_indented(body, 4)}")
        parts.append(
            f"class Script{number}(torch.nn.Module):\n    def forward(self, x, n: int):\n"
            f"        return script{number}(x, n)"
        )
    for number, body in enumerate(DYNAMO.values()):
        parts.append(f"class Dynamo{number}(torch.nn.Module):\n    def forward(self, x):\n{_indented(body, 8)}")
    return "\n\n\n".join(parts) + "\n"


def _module(folder: Path) -> Any:
    path = folder / "control_programs.py"
    path.write_text(_source(), "utf-8")
    spec = importlib.util.spec_from_file_location("control_programs", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules["control_programs"] = made
    spec.loader.exec_module(made)
    return made


def every_program(folder: Path) -> Iterator[tuple[str, onnx.ModelProto | str]]:
    ""
    """Name and model, or what the exporter says where it fails. `folder`: for the source of the programs."""
    warnings.simplefilter("ignore")
    module = _module(folder)
    torch.manual_seed(1)
    x = torch.randn(5, 4)
    for (number, name), is_dynamic in itertools.product(enumerate(SCRIPTS), (False, True)):
        scripted = torch.jit.script(getattr(module, f"Script{number}")())
        axes: dict[str, Any] = {"dynamic_axes": {"x": {0: "rows"}}} if is_dynamic else {}
        yield _exported(
            f"{name}{', dynamic' if is_dynamic else ''}", scripted, (x, torch.tensor(3)), dynamo=False, **axes
        )
    for (number, name), is_dynamic in itertools.product(enumerate(DYNAMO), (False, True)):
        made = getattr(module, f"Dynamo{number}")()
        shapes: dict[str, Any] = {"dynamic_shapes": ({0: "rows"},)} if is_dynamic else {}
        yield _exported(f"{name}{', dynamic' if is_dynamic else ''}", made, (x,), dynamo=True, **shapes)
    bag = torch.nn.EmbeddingBag(10, 4)
    yield _exported("EmbeddingBag", bag, (torch.tensor([1, 2, 3, 4]), torch.tensor([0, 2])), dynamo=False)


def _exported(name: str, module: Any, inputs: tuple[Any, ...], **words: Any) -> tuple[str, onnx.ModelProto | str]:
    words["input_names"] = ["x", "n"][: len(inputs)]
    try:
        if words.pop("dynamo"):
            program = torch.onnx.export(module.eval(), inputs, dynamo=True, verbose=False, **words)
            assert program is not None
            return name, program.model_proto
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
            torch.onnx.export(module, inputs, file.name, dynamo=False, **words)
            return name, onnx.load(file.name)
    except Exception as error:  # the exporter raises what it likes
        return name, f"{type(error).__name__}: {error}".splitlines()[0]
