"""Every public class of values: it is copied and pickled, turned into plain values, and shown by notebooks."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
import samples
from test_cli import ROOT, run

import trtcheck

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
main (float[N,4] x, int64[M] ids) => (float[N,4] y, float[K] z) <float[4,4] w = {0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}> {
  a = MatMul (x, w)
  b = Foo (a)
  c = Reshape (x, shape)
  shape = Constant <value_ints = [-1, 3]> ()
  y = Add (a, a)
  z = Cast <to = 1> (ids)
}"""
EXAMPLE = ROOT / "examples/models/case0_channel_shuffle.onnx"
MESSAGE = "kernel weights has count 144 but 72 was expected"

#: They are places in a model, or options: no plain values, and no view but their text.
PLACES = {"Analysis", "Attribute", "Dim", "Graph", "Model", "Node", "Settings", "Tensor", "Type", "Value"}
#: Made with the program's own document as JSON.
DOCUMENTS = {
    "AxesReport",
    "Baseline",
    "Confirmation",
    "Diff",
    "Matrix",
    "MemoryReport",
    "OneReport",
    "PartitionReport",
    "ProfileProposal",
    "Ranges",
    "Report",
}


def witness_state() -> Any:
    """No NVIDIA library is needed to make one: the fields of a Witness, in order."""
    return (b"/opt/trtcheck-witness", b"/opt/libtensorrt_rtx.so", b"", b"TensorRT-RTX", b"1.7.1")


@cache
def made() -> dict[str, Any]:
    content = samples.serialized(MODEL)
    report = trtcheck.check(EXAMPLE, target="10.13")
    model = trtcheck.read_model(content)
    shapes = trtcheck.infer_shapes(content)
    matrix = trtcheck.matrix(EXAMPLE, targets="10.0..11.0")
    diff = trtcheck.diff(
        content, samples.serialized(MODEL.replace("Foo", "Relu").replace("float[N,4] x", "float[N,8] x"))
    )
    renamed = trtcheck.diff(content, samples.serialized(MODEL.replace("int64[M] ids", "int64[L] ids")))
    stored = "shape = Constant <value_ints = [-1, 3]> ()"
    again = MODEL.replace(stored, stored.replace("shape", "stored") + "  shape = Identity (stored)")
    computed = trtcheck.diff(content, samples.serialized(again))
    clash = trtcheck.infer_shapes(samples.serialized(MODEL.replace("float[N,4] x", "float[2,4] x")))
    needy = trtcheck.infer_shapes(samples.serialized(MODEL.replace("[-1, 3]", "[2, 6]")))
    proposal = trtcheck.propose_profile(EXAMPLE)
    format = report.__reduce__()[1][0][0]
    _, whole = report.__reduce__()[1][0]
    witness = trtcheck.Witness((format, witness_state()))
    match = trtcheck.rules_for(MESSAGE)[0]
    message = (b"it stops", b"parser", b"conv", b"Conv", b"main", b"", None, None, [match.__reduce__()[1][0][1]], True)
    confirmation = trtcheck.Confirmation(
        (
            format,
            (
                *(b"m.onnx", whole[0], whole[0], witness_state(), 2, 0, b"refused"),
                *([message], 3, [b"slow"], 4, [], True, None, 0.5, None, whole[0]),
            ),
        )
    )
    ranges = trtcheck.Ranges((format, (b"", b"m.onnx", b"0" * 16, 1, 0, [(b"x", 1, 8, 0, 0, 0, 0, -1.5, 2.0)])))
    finding = report[0]
    (layer,) = trtcheck.layers(content)
    baseline = trtcheck.Baseline((format, b"base.json", [(b"m.onnx", b"WGT101", b"0" * 16, 2, b"known", b"", 2)]))
    suppressed = trtcheck.Suppressed((format, (2, b"known", finding.__reduce__()[1][0][1])))
    node = model.graph.nodes[0]
    assert finding.source is not None and finding.fix is not None
    squeeze = MODEL.replace("b = Foo (a)", "b = Squeeze (a, d)  d = Identity (e)  e = Constant <value_ints = [0]> ()")
    repaired = trtcheck.fix(samples.serialized(squeeze.replace("float[N,4] x", "float[1,4] x")), target="8.2")
    simple = trtcheck.simplify(samples.serialized(MODEL))
    part = trtcheck.extract(content, outputs="y")
    axes = trtcheck.axes(EXAMPLE, target="10.13", asked="x.dim1")
    huge = {"x": ((1, 3, 32, 32), (1, 3, 32, 32), (1, 3, 65536, 65536))}
    memory = trtcheck.memory(EXAMPLE, profile=huge)
    pieces = trtcheck.partition(content, target="10.13", ort=True)
    values = [
        trtcheck.analyze(content),
        pieces,
        pieces.pieces[0],
        pieces.pieces[0].operators[0],
        pieces.pieces[0].inputs[0],
        pieces.refused[0],
        pieces.now,
        pieces.causes[0],
        pieces.options[0],
        pieces.graph,
        pieces.graph.boxes[0],
        pieces.graph.links[0],
        part.outputs[0],
        part.after,
        axes,
        axes.axes[0],
        axes.outputs[0].conditions[0],
        axes.caused[0],
        axes.fixed[0],
        memory,
        memory.points[0],
        memory.weights[0],
        memory.points[0].peak_tensors[0],
        memory.warnings[0],
        simple.applied[0],
        simple.before,
        trtcheck.simplifications()[0],
        repaired.applied[0],
        repaired.left[0],
        trtcheck.cures()[0],
        model.graph.nodes[3].attributes["value_ints"],
        baseline,
        baseline.entries[0],
        confirmation,
        clash.conflicts[0],
        clash.size_conflicts()[0],
        needy.demands()[0],
        shapes.why("a"),
        shapes.why("a").steps[0],
        diff.shapes[0],
        renamed.symbols[0],
        computed.constants[0],
        diff,
        diff.before,
        shapes["x"].dims[0],  # type: ignore[index]
        finding,
        finding.fix,
        model.graph,
        diff.interface[0],
        layer,
        trtcheck.rules_for_log(MESSAGE)[0],
        matrix,
        matrix.ranges[0],
        trtcheck.report(samples.serialized(MODEL)),
        ranges.tensors[0],
        match,
        model,
        node,
        finding.notes[0],
        needy.obligations[0],
        diff.operators[0],
        proposal,
        ranges,
        report,
        trtcheck.rule("WGT101"),
        trtcheck.load_settings(config=False),
        shapes,
        proposal.choices[0],
        finding.source,
        suppressed,
        matrix.taken_by[0],
        report.target,
        model.graph.initializers[0],
        node.inputs[0].type,  # type: ignore[union-attr]
        node.inputs[0],
        shapes["x"],
        witness,
        confirmation.messages[0],
        trtcheck.sparsity(content),
        trtcheck.sparsity(content).weights[0],
    ]
    return {type(value).__name__: value for value in values}


def public_classes() -> list[str]:
    found = [name for name in trtcheck.__all__ if inspect.isclass(getattr(trtcheck, name))]
    # What a shape function is asked with lives as long as the call.
    found = [name for name in found if name not in ("ShapeInput", "ShapeNode", "ShapeSize")]
    return [name for name in found if not issubclass(getattr(trtcheck, name), (Enum, Exception))]


def test_there_is_one_of_every_class() -> None:
    assert sorted(made()) == sorted(public_classes())


def shown(value: Any) -> tuple[Any, ...]:
    """All that it says of itself."""
    plain = value.to_dict() if hasattr(value, "to_dict") else None
    return type(value), repr(value), str(value), plain


WAYS: dict[str, Callable[[Any], Any]] = {
    **{f"protocol{p}": lambda o, p=p: pickle.loads(pickle.dumps(o, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)},
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("name", public_classes())
def test_it_is_copied_and_pickled(name: str, way: Callable[[Any], Any]) -> None:
    value = made()[name]
    assert shown(way(value)) == shown(value)


@pytest.mark.parametrize("name", sorted({*public_classes()} - PLACES))
def test_it_is_plain_values(name: str) -> None:
    value = made()[name]
    plain = value.to_dict()
    assert plain and json.loads(json.dumps(plain)) == plain
    if name in DOCUMENTS - {"Baseline"}:
        assert plain == json.loads(value.to_json())
    if name not in DOCUMENTS:
        assert {*plain} - {"values"} == {
            key for key, entry in vars(type(value)).items() if isinstance(entry, property) and key[0] != "_"
        }


@pytest.mark.parametrize("name", sorted({*public_classes()} - PLACES | {"Dim"} - {"Settings"}))
def test_a_notebook_shows_it(name: str) -> None:
    html = made()[name]._repr_html_()
    assert html.startswith("<") and len(html) > 20
    assert "<script" not in html


def test_names_are_text_in_notebooks() -> None:
    name = "</td><script>alert(1)</script>"
    content = samples.proto(MODEL)
    content.graph.input[0].name = content.graph.node[0].input[0] = content.graph.node[2].input[0] = name
    content.graph.node[0].name = name
    values = [
        trtcheck.layers(content)[0],
        trtcheck.propose_profile(content),
        trtcheck.matrix(content, targets="11.0"),
        trtcheck.sparsity(content),
    ]
    for value in values:
        html = value._repr_html_()
        assert "<script" not in html
    assert "&lt;script&gt;" in values[1]._repr_html_()


def test_a_pickle_holds_a_model_once(tmp_path: Path) -> None:
    shapes = trtcheck.infer_shapes(EXAMPLE)
    one, all = pickle.dumps(shapes["x"]), pickle.dumps([*shapes.items(), shapes, shapes.model])
    assert len(all) < len(one) + 200 * len(shapes)
    twins = pickle.loads(all)
    assert twins[-1] is not None and twins[-2].model.nodes[0] == twins[-1].nodes[0]


def test_weights_stay_behind(tmp_path: Path) -> None:
    import numpy as np
    import onnx
    import onnx.numpy_helper

    proto = samples.proto(MODEL)
    del proto.graph.initializer[:]
    proto.graph.initializer.append(onnx.numpy_helper.from_array(np.zeros((4, 1 << 20), np.float32), "w"))
    path = tmp_path / "m.onnx"
    onnx.save(proto, path)
    content = pickle.dumps(trtcheck.analyze(path))
    assert len(content) < 1 << 20 < path.stat().st_size
    path.unlink()
    again = trtcheck.check(pickle.loads(content))
    assert (again.path, again.node_count) == (str(path), 6)


def test_documents_are_those_of_the_program() -> None:
    matrix = json.loads(
        run("matrix", EXAMPLE, "--no-config", "--target", "10.0..11.0", "--output-format", "json").stdout
    )
    theirs, ours = matrix["models"][0], made()["Matrix"].to_dict()["models"][0]
    assert theirs == ours


def test_documents_about_several_models_say_that_they_are_not_whole() -> None:
    matrix, confirmation = made()["Matrix"], made()["Confirmation"]
    gone = trtcheck.Error("gone.onnx", "the run was interrupted (SIGINT)")
    for value in (matrix, confirmation):
        document = json.loads(trtcheck.render([value, gone, value], "json"))
        assert document["failures"] == [{"path": "gone.onnx", "cause": "the run was interrupted (SIGINT)"}]
        assert len(document["models"]) == 2
        assert document["models"][0] == value.to_dict()["models"][0]
        for name in ("full", "markdown", "html"):
            text = trtcheck.render([value, gone], name)
            assert "gone.onnx" in text and "interrupted" in text and "1 of 2 models" in text, name
        assert trtcheck.render(value, "json") == value.to_json()
    with pytest.raises(trtcheck.Error, match="a matrix has the formats full, json, markdown and html"):
        trtcheck.render(matrix, "sarif")
    with pytest.raises(TypeError, match="Matrix and Report"):
        trtcheck.render([matrix, made()["Report"]])
    with pytest.raises(TypeError, match="ProfileProposal"):
        trtcheck.render([made()["ProfileProposal"]])


def test_a_document_of_several_models_is_that_of_the_program(tmp_path: Path) -> None:
    path = tmp_path / "gone.onnx"
    done = run("matrix", EXAMPLE, path, "--no-config", "--target", "10.0..11.0", "--output-format", "json")
    theirs = json.loads(done.stdout)
    results: list[trtcheck.Matrix | trtcheck.Error] = [made()["Matrix"]]
    try:
        results.append(trtcheck.matrix(path, targets="10.0..11.0"))
    except trtcheck.Error as error:
        results.append(error)
    assert json.loads(trtcheck.render(results, "json")) == theirs


def matrix_of(path: str) -> trtcheck.Matrix:
    return trtcheck.matrix(path, targets="10.0..11.0")


def test_a_matrix_comes_back_from_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        (there,) = pool.map(matrix_of, [str(EXAMPLE)])
    assert there.to_json() == made()["Matrix"].to_json()


def test_counts_are_in_words() -> None:
    assert repr(made()["Ranges"]) == "<Ranges of m.onnx: 1 tensor, 1 sample>"


def test_a_state_of_another_version_is_refused() -> None:
    for name in sorted({*public_classes()} - {"Cure", "Rule", "Settings", "SimplificationKind"}):
        value = made()[name]
        kind, (state,) = value.__reduce__()
        with pytest.raises(ValueError, match="another version"):
            kind((*state, 1, 2, 3, 4, 5, 6, 7))
