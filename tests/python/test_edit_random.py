"""Random edits of random models: onnx's own library makes the same of them, or both refuse."""

from __future__ import annotations

import os
import random
import secrets
import time
from pathlib import Path
from typing import Any

import edits_by_onnx
import onnx
from test_edit import FLOAT, MODEL

import trtcheck
from trtcheck import edit


def random_edit(rng: random.Random, model: onnx.ModelProto, is_alone: bool) -> edit.Edit:
    """Somewhere in the model, or nowhere. A node is copied as the file has it, so nothing else may change it."""
    count = len(model.graph.node)
    graphs = [edit.MAIN] + [edit.GraphAt(function=i) for i in range(len(model.functions) + 1)]
    for at, node in enumerate(model.graph.node):
        for held_by, several in edits_by_onnx.bodies(node).items():
            graphs += [edit.GraphAt(steps=(edit.Step(at, held_by, index),)) for index in range(len(several))]
    graph = rng.choice(graphs) if rng.random() < 0.4 else edit.MAIN
    node = edit.NodeAt(rng.randrange(count + 1), graph)
    names = [value.name for value in [*model.graph.input, *model.graph.output, *model.graph.initializer]] + [
        "new",
        "other",
    ]
    name = rng.choice(names)
    kind = edit.TypeValue(rng.choice([1, 7, 10]), rng.choice([None, [], [1, "N", None]]))
    data = edit.TensorValue(FLOAT, [rng.randrange(3)], b"")
    attributes: dict[str, Any] = {
        rng.choice(["axis", "alpha", "to"]): rng.choice([1, 0.5, "word", [1, 2], [0.5], ["a"], data])
    }
    attribute, value = next(iter(attributes.items()))
    made = edit.NewNode("Abs", [name], [f"v{rng.randrange(9)}"], attributes, like=node if is_alone else None)
    return rng.choice(
        [
            edit.SetAttribute(node, attribute, value),
            edit.RemoveAttribute(node, attribute),
            edit.SetOperator(node, "Op", rng.choice(["", "own"])),
            edit.SetInputs(node, [name] * rng.randrange(4)),
            edit.SetInput(node, rng.randrange(5), name),
            edit.SetOutputs(node, [name] * rng.randrange(1, 3)),
            edit.SetOutput(node, rng.randrange(3), name),
            edit.RenameNode(node, rng.choice(["", "name", "n" * 200])),
            edit.RemoveNode(node),
            edit.InsertNode(rng.randrange(count + 2), made, graph),
            edit.PutTensor(name, data, graph),
            edit.RemoveTensor(name, graph),
            edit.DeclareType(name, kind, graph),
            edit.RemoveDeclaration(name, graph),
            edit.ImportOpset(
                rng.choice(["", "ai.onnx", "own", "x"]), rng.randrange(1, 22), rng.choice([None, None, 0])
            ),
            edit.RemoveImport(rng.choice(["", "ai.onnx", "own", "x"])),
            edit.RemoveFunction(rng.randrange(2)),
            edit.AddInput(f"i{rng.randrange(4)}", kind, graph),
            edit.AddOutput(f"o{rng.randrange(4)}", kind, graph),
            edit.RemoveInput(name, graph),
            edit.RemoveOutput(name, graph),
            edit.CopyTensor(
                rng.choice(graphs), name, rng.choice(graphs), rng.choice([f"t{rng.randrange(3)}", rng.choice(names)])
            ),
            edit.Rewire(name, rng.choice(names)),
        ]
    )


def in_parts(rng: random.Random, model: onnx.ModelProto) -> bytes:
    """The same model as a writer may leave it that appends: protobuf puts the parts of a message together."""
    if rng.random() < 0.7 or len(model.graph.node) < 2:
        return model.SerializeToString()
    first = onnx.ModelProto()
    first.CopyFrom(model)
    second = onnx.ModelProto()
    cut = rng.randrange(1, len(model.graph.node))
    second.graph.node.extend(first.graph.node[cut:])
    del first.graph.node[cut:]
    if rng.random() < 0.5:
        second.graph.initializer.extend(first.graph.initializer)
        del first.graph.initializer[:]
    return first.SerializeToString() + second.SerializeToString()


def with_two_bodies_of_one_name(model: onnx.ModelProto) -> onnx.ModelProto:
    made = onnx.ModelProto()
    made.CopyFrom(model)
    for node in made.graph.node:
        for one in node.attribute:
            one.name = "body" if one.HasField("g") else one.name
    return made


def test_random_edits_of_random_models() -> None:
    """TRTCHECK_FUZZ_SECONDS: longer than the minute of CI."""
    seed = int(os.environ.get("TRTCHECK_FUZZ_SEED", secrets.randbits(32)))
    print(f"seed {seed}")
    rng = random.Random(seed)
    files = sorted(Path("/usr/share/libonnx-testdata").rglob("*.onnx"))
    models = [MODEL, with_two_bodies_of_one_name(MODEL)] + [onnx.load(path) for path in rng.sample(files, 60)]
    until = time.monotonic() + float(os.environ.get("TRTCHECK_FUZZ_SECONDS", "30"))
    equal = refused = 0
    # A slow machine takes longer, and does as much.
    while time.monotonic() < until or equal <= 200 or refused <= 50:
        model = rng.choice(models)
        count = rng.randrange(1, 6)
        edits = [random_edit(rng, model, count == 1) for _ in range(count)]
        try:
            expected = edits_by_onnx.apply(model, edits)
        except edits_by_onnx.Refused:
            expected = None
        try:
            made = edit.apply_to_bytes(in_parts(rng, model), edits)
        except trtcheck.Error:
            assert expected is None, (seed, edits)
            refused += 1
            continue
        assert expected is not None, (seed, edits)
        assert onnx.ModelProto.FromString(made) == expected, f"seed {seed}: {edits}"
        equal += 1
    print(f"equal {equal}, refused {refused}")
