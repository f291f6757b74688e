"""The referee of tests/truth, absent: what NVIDIA's parser and builder said is recorded, the grid is made again.

TRTCHECK_SEED chooses which part of the grid is looked at.
"""

from __future__ import annotations

import os
import random
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import compare
import composition_truth
import compositions
import control
import control_truth
import draft
import grid
import mutants
import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest
import shrink
import verdicts
from cases import Case, Input
from messages import essence
from onnx import TensorProto, numpy_helper
from smaller import smaller
from witness import Libraries, Verdict, Witness, judge

SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))
CELLS = 60


# What the grid has to come upon by itself, and what NVIDIA says of it: each was seen in models that people exported.


def input_of(case: Case, at: int) -> Input | None:
    return case.inputs[at] if at < len(case.inputs) else None


def number(case: Case, at: int) -> float | None:
    given = input_of(case, at)
    return None if given is None or given.value is None or given.value.size != 1 else float(given.value.flat[0])


def has_type(case: Case, at: int, element: int) -> bool:
    given = input_of(case, at)
    return given is not None and given.type == element


def is_above_one(case: Case, name: str) -> bool:
    return any(number > 1 for number in case.attributes.get(name, []))


def head_size(case: Case) -> object:
    given = input_of(case, 0)
    return given.dims[-1] if given is not None and len(given.dims) == 4 else None


def result_letters(case: Case) -> int:
    return len(str(case.attributes["equation"]).partition("->")[2])


def cache_batch_differs(case: Case) -> bool:
    data, cache = input_of(case, 0), input_of(case, 1)
    return bool(data and cache and data.dims and len(cache.dims) == 3 and data.dims[0] != cache.dims[0])


def is_vector_times_batch(case: Case) -> bool:
    left, right = case.inputs
    return bool(left and right and len(left.dims) == 1 and len(right.dims) > 2)


KINDS: dict[str, tuple[str, Callable[[Case], bool], str]] = {
    "mixed types after a cast": (
        "Add",
        lambda c: any("cast to FLOAT16" in word for word in c.changes),
        "must have same input types",
    ),
    "mixed types after a cast to BF16": (
        "Mul",
        lambda c: any("cast to BFLOAT16" in word for word in c.changes),
        "must have same input types",
    ),
    "BOOL into a reduction": ("ReduceMax", lambda c: has_type(c, 0, TensorProto.BOOL), "unsupported input type"),
    "BOOL into Resize": ("Resize", lambda c: has_type(c, 0, TensorProto.BOOL), "unsupported input type"),
    "UINT8 into Transpose": ("Transpose", lambda c: has_type(c, 0, TensorProto.UINT8), "has type TYPE but must have"),
    "dilated MaxPool": ("MaxPool", lambda c: is_above_one(c, "dilations"), "dilations"),
    "dilated AveragePool": ("AveragePool", lambda c: is_above_one(c, "dilations"), "dilations"),
    "K above 3840": ("TopK", lambda c: (number(c, 1) or 0) > 3840, "K exceeds the maximum"),
    "strides and dilations": (
        "ConvTranspose",
        lambda c: is_above_one(c, "strides") and is_above_one(c, "dilations"),
        "Strided & Dilated",
    ),
    "head size 8": ("Attention", lambda c: c.opset == 23 and head_size(c) == 8, ""),
    "head size 512": ("Attention", lambda c: c.opset == 23 and head_size(c) == 512, "decomposable"),
    "FLOAT attention": ("Attention", lambda c: c.opset == 23 and has_type(c, 0, TensorProto.FLOAT), "decomposable"),
    "training mode": ("Dropout", lambda c: number(c, 2) == 1, "training mode"),
    "many letters": ("Einsum", lambda c: result_letters(c) > 8, "MAX_DIMS"),
    "cache of another batch": ("RotaryEmbedding", cache_batch_differs, "batch size"),
    "vector on the left": ("MatMul", is_vector_times_batch, "changes volume"),
    "reduction": (
        "ScatterElements",
        lambda c: c.attributes.get("reduction", "none") != "none",
        "Unsupported reduction",
    ),
}
FORMS: dict[str, tuple[str, Callable[[Case], bool]]] = {
    "in an If": ("Conv", lambda c: c.place == "if"),
    "in a Loop": ("Conv", lambda c: c.place == "loop"),
    "in a function": ("Conv", lambda c: c.place == "function"),
    "rank 9": ("Relu", lambda c: len(c.inputs[0].dims) == 9 if c.inputs[0] else False),
    "a name as an extent": ("Conv", lambda c: any(isinstance(d, str) for x in c.inputs if x for d in x.dims)),
    "listed initializer": ("Gemm", lambda c: any(x.form == "listed" for x in c.inputs if x)),
    "Constant node": ("Reshape", lambda c: any(x.form == "constant" for x in c.inputs if x)),
}


@pytest.mark.parametrize("kind", FORMS)
def test_the_grid_comes_upon(kind: str) -> None:
    op, is_of_kind = FORMS[kind]
    found = [case for opset in grid.opsets(op) for case in grid.cases(op, opset) if is_of_kind(case)]
    assert any(grid.model(case) is not None for case in found), kind


def test_the_grid_has_every_operator_and_opset() -> None:
    assert grid.supported() <= {op for op, _ in grid.cells()} | custom()
    assert {opset for _, opset in grid.cells()} >= set(range(9, 26))


def custom() -> set[str]:
    """Operators that are not ONNX's: there is no schema to make them from."""
    return {op for op in grid.supported() if op not in grid._versions()}


@pytest.fixture(scope="module")
def recorded() -> verdicts.Recorded:
    found = verdicts.load()
    if found.onnx != onnx.__version__:
        pytest.skip(f"recorded with onnx {found.onnx}")
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_grid_comes_upon_what_is_refused(kind: str, recorded: verdicts.Recorded) -> None:
    op, is_of_kind, said = KINDS[kind]
    reasons = set()
    for opset in grid.opsets(op):
        cell = recorded.cells[f"{op}/{opset}"]
        for at, case in enumerate(grid.cases(op, opset)):
            if not is_of_kind(case) or (made := grid.model(case)) is None:
                continue
            assert cell.knows(at, grid.digest(made)), f"{op}/{opset}/{at} is not what is recorded: make truth"
            reasons |= {cell.verdict(at, version).reason for version in verdicts.VERSIONS}
    assert any(said in reason for reason in reasons - {""}), reasons


def test_no_new_disagreement_with_what_is_recorded(recorded: verdicts.Recorded) -> None:
    rng = random.Random(SEED)
    compared, new = 0, []
    for name in rng.sample(sorted(recorded.cells), CELLS):
        op, _, opset = name.partition("/")
        cell = recorded.cells[name]
        for at, case in enumerate(grid.cases(op, int(opset), recorded.seed)):
            made = grid.model(case)
            if made is None:
                continue
            assert cell.knows(at, grid.digest(made)), f"{name}/{at} is not what is recorded: make truth"
            content = made.SerializeToString(deterministic=True)
            for version in verdicts.VERSIONS:
                level, facts = compare.our_verdict(content, version)
                word = compare.compared(level == "error", cell.verdict(at, version))
                compared += 1
                if word in ("missed", "false") and not cell.is_known(at, version):
                    new.append(f"{name}/{at} {version}: {word} {facts} {case.changes}")
    assert not new, f"seed {SEED}: " + "\n".join(new)
    assert compared > 1000, f"seed {SEED}"


def test_what_is_recorded_is_enough(recorded: verdicts.Recorded) -> None:
    newest = verdicts.VERSIONS[-1]
    models = sum(len(cell.letters[newest]) - cell.letters[newest].count(".") for cell in recorded.cells.values())
    assert models >= 30_000
    letters = "".join(cell.letters[version] for cell in recorded.cells.values() for version in verdicts.VERSIONS)
    assert set(letters) <= set("bprxuBRX.")
    # Builds are there, and both kinds of refusal.
    assert all(letters.count(letter) > 100 for letter in "bprx")
    assert verdicts.FILE.stat().st_size < 700_000


# The witness as a child process, played by a script.

FAKE = """#!{python}
import json, os, sys, time
for line in sys.stdin:
    name = os.path.basename(line.strip())
    if name == "crash": os.abort()
    if name == "hang": time.sleep(60)
    log = [dict(severity="error", text="no runners that implement it")] if name == "plugin" else []
    errors = [dict(description="nobody knows it")] if name == "refused" else []
    built = None if name == "dynamic" else name not in ("plugin", "refused", "unbuilt")
    answer = dict(parsed=name != "refused", errors=errors, built=built, not_built="dynamic", log=log)
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    program = tmp_path / "witness"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return Witness(program, Libraries("1.7.1", tmp_path / "a", tmp_path / "b"), timeout=3)


def test_the_witness_survives_crashes_and_hangs(witness: Witness) -> None:
    names = ["good", "crash", "refused", "hang", "dynamic", "plugin", "unbuilt", "good"]
    with witness:
        kinds = [witness.ask(Path(name)).kind for name in names]
    assert kinds == ["built", "builder", "parser", "unjudged", "parsed", "unjudged", "builder", "built"]
    assert witness.crashes == 1


@pytest.mark.parametrize(
    "text",
    [
        "Plugin not found, are the plugin name, version, and namespace correct?",
        "NonZero plugin creator version 1 was not found in plugin registry.",
        "cudnn_impl.cpp:100: CHECK(dtype == kINT8) failed",
    ],
)
def test_what_needs_a_driver_is_not_judged(text: str) -> None:
    answer = {"errors": [{"description": text}], "log": [], "parsed": False, "built": None, "not_built": ""}
    assert judge(answer).kind == "unjudged"


def test_a_message_is_the_same_for_other_names_and_numbers() -> None:
    one = (
        "Invalid Node - n\nITensor::getDimensions: Error Code 4: API Usage Error (n: ElementWiseOperation SUM must have"
    )
    two = one.replace("SUM", "PROD").replace("4:", "3:")
    assert essence(one) == essence(two)
    assert "operator * must have" in essence(one)
    assert essence("K exceeds 3840") == essence("K exceeds 12")


@pytest.mark.parametrize(
    ("we_refuse", "kind", "word"),
    [
        (True, "parser", "agree"),
        (False, "builder", "missed"),
        (True, "built", "false"),
        (False, "built", "agree"),
        (False, "parsed", "agree"),
        (True, "parsed", "unjudged"),
        (False, "unjudged", "unjudged"),
    ],
)
def test_comparison(we_refuse: bool, kind: str, word: str) -> None:
    assert compare.compared(we_refuse, Verdict(kind)) == word


MODEL = """<ir_version: 9, opset_import: ["" : 17]>
g (float[1,2,8,8] x, float[1,2,8,8] e) => (float[1,2,4,4] z, float[1,2,8,8] s) {
  r = Relu (x)
  s = Add (r, e)
  [pool] p = MaxPool <kernel_shape = [2,2], strides = [2,2], ceil_mode = 1> (s)
  z = Sigmoid (p)
}"""


def test_shrinking_leaves_the_node_that_it_is_about() -> None:
    model = onnx.parser.parse_model(MODEL)

    def still(made: onnx.ModelProto) -> bool:
        pools = [node for node in made.graph.node if node.op_type == "MaxPool"]
        return any(attribute.name == "ceil_mode" and attribute.i for node in pools for attribute in node.attribute)

    small = shrink.shrink(model, still)
    (node,) = small.graph.node
    assert node.op_type == "MaxPool"
    assert not node.name
    assert {attribute.name for attribute in node.attribute} == {"kernel_shape", "ceil_mode"}
    (given,) = small.graph.input
    assert max(dim.dim_value for dim in given.type.tensor_type.shape.dim) <= 2
    assert not small.graph.initializer


def test_each_step_of_shrinking_makes_another_model() -> None:
    model = onnx.parser.parse_model(MODEL)
    model.graph.initializer.append(numpy_helper.from_array(np.ones((4, 4), np.float32), "w"))
    before = model.SerializeToString()
    made = [one.SerializeToString() for one in smaller(model)]
    assert model.SerializeToString() == before
    assert len(made) > 10
    assert before not in made


# Control flow: the grid of tests/truth/control.py.


@pytest.mark.parametrize("kind", control.DIMENSIONS)
def test_each_option_of_control_flow_is_tried_alone(kind: str) -> None:
    found = {form.choices for form in control.forms() if form.kind == kind}
    assert () in found
    for name, options in control.DIMENSIONS[kind].items():
        assert {((name, option),) for option in options[1:]} <= found, name


def test_control_flow_has_enough_models() -> None:
    forms = list(control.forms())
    assert len(forms) == len(set(forms)) == sum(control.COUNTS.values()) >= 2000
    assert list(control.forms(2)) != forms


# What ONNX forbids: outputs of a branch that come from outside of it.
OUTSIDE = {"both outer", "outer and relu", "initializer"}


def test_models_of_control_flow_are_onnx() -> None:
    rng = random.Random(SEED)
    for form in rng.sample(list(control.forms()), 200):
        if form.kind == "If" and form["branches"] in OUTSIDE:
            continue
        onnx.checker.check_model(control.model(form))


@pytest.fixture(scope="module")
def recorded_control() -> verdicts.Recorded:
    found = verdicts.load(control_truth.FILE)
    if found.onnx != onnx.__version__:
        pytest.skip(f"recorded with onnx {found.onnx}")
    return found


def test_control_flow_that_is_refused_is_found(recorded_control: verdicts.Recorded) -> None:
    counts: dict[str, int] = {"agree": 0, "missed": 0, "false": 0}
    wrong = []
    position: dict[str, int] = {}
    for form in control.forms():
        at = position[form.kind] = position.get(form.kind, -1) + 1
        cell = recorded_control.cells[f"{form.kind}/{control.OPSET}"]
        made = control.model(form)
        assert cell.knows(at, grid.digest(made)), f"{form.name} is not what is recorded: make truth"
        content = made.SerializeToString(deterministic=True)
        for version in verdicts.VERSIONS:
            level, facts = compare.our_verdict(content, version)
            theirs = cell.verdict(at, version)
            word = compare.compared(level == "error", theirs)
            if theirs.refused or word == "false":
                counts[word] += 1
            if word in ("missed", "false") and not cell.is_known(at, version):
                wrong.append(f"{version} {form.name}: {word} {facts} {theirs.reason}")
    assert not wrong, "\n".join(wrong)
    assert counts["false"] == 0
    assert counts["agree"] > 1500
    assert counts["agree"] >= 0.98 * (counts["agree"] + counts["missed"])


# Compositions: graphs that are drawn, and mutants of the zoo's exports.


def drawn(seed: int, some: random.Random, count: int) -> list[tuple[str, onnx.ModelProto, tuple[str, ...]]]:
    found = []
    for _ in range(count):
        kind = some.choice(sorted(compositions.COUNTS))
        at = some.randrange(compositions.COUNTS[kind])
        if (made := compositions.composition(kind, at, seed)) is not None:
            given = tuple(filter(None, (draft.profile(value.name) for value in made.graph.input)))
            found.append((compositions.Composition(kind, at, made).address, made, given))
    return found


def loads(model: onnx.ModelProto) -> bool:
    """By ONNX Runtime, which runs what `onnx.checker` objects to, such as LayerNormalization at opset 13."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return bool(session.get_outputs())


def test_compositions_run_and_are_the_same_for_the_same_seed() -> None:
    once, again = (drawn(SEED, random.Random(SEED), 60) for _ in range(2))
    assert len(once) > 20
    for (address, made, _), (_, same, _) in zip(once, again, strict=True):
        assert loads(made), address
        assert made.SerializeToString(deterministic=True) == same.SerializeToString(deterministic=True), address
        names = composition_truth.all_names(made)
        assert compositions.SMALLEST <= len(names) <= compositions.LARGEST, address


def test_the_kinds_of_compositions_hold_what_they_are_named_after() -> None:
    inside = {"bodies": {"If", "Loop", "Scan"}, "quantized": {"QuantizeLinear"}, "sizes": {"Shape"}}
    for kind, ops in inside.items():
        made = [compositions.composition(kind, at, SEED) for at in range(60)]
        found = [{node.op_type for node in model.graph.node} for model in made if model is not None]
        assert sum(bool(ops & some) for some in found) > len(found) // 3 > 3, kind


def test_mutants_run() -> None:
    made = [model for _, model, _ in mutants.every_mutant(SEED, 40)]
    assert len(made) > 10
    assert all(loads(model) for model in made)


@pytest.mark.parametrize(
    ("reason", "node", "name"),
    [
        ("Conv12: kernel weights has count 3", "", "Conv12"),
        ("layer Conv1 + Relu2 has no tactic", "", "Conv1"),
        ("input Conv1_0 is FLOAT", "", ""),
        ("{ForeignNode[Conv1...Relu2]} fails", "", ""),
        ("Invalid Node - Conv12", "Relu2", "Relu2"),
        ("/a/Conv: no", "", "/a/Conv"),
    ],
)
def test_the_node_that_a_message_names(reason: str, node: str, name: str) -> None:
    names = ("Conv1", "Conv12", "Relu2", "/a/Conv")
    assert composition_truth.named(Verdict("builder", reason, node), names) == name


@pytest.fixture(scope="module")
def recorded_compositions() -> verdicts.Recorded:
    found = verdicts.load(composition_truth.FILES[compositions.SEED])
    if found.onnx != onnx.__version__:
        pytest.skip(f"recorded with onnx {found.onnx}")
    return found


def test_compositions_that_are_refused_are_found(recorded_compositions: verdicts.Recorded) -> None:
    wrong = []
    for address, made, given in drawn(compositions.SEED, random.Random(SEED), 600):
        name, _, at = address.rpartition("/")
        cell = recorded_compositions.cells[name]
        assert cell.knows(int(at), grid.digest(made)), f"{address} is not what is recorded: make truth"
        for version in verdicts.VERSIONS:
            report = compare.our_report(made.SerializeToString(deterministic=True), version, given)
            level, facts = compare.said(report)
            word = compare.compared(level == "error", cell.verdict(int(at), version))
            if word in ("missed", "false") and not cell.is_known(int(at), version):
                wrong.append(f"{version} {address}: {word} {facts}")
    assert not wrong, f"seed {SEED}: " + "\n".join(wrong)


def test_enough_compositions_are_recorded() -> None:
    recorded = [verdicts.load(file) for file in composition_truth.FILES.values()]
    newest = verdicts.VERSIONS[-1]
    letters = "".join(cell.letters[newest] for found in recorded for cell in found.cells.values()).replace(".", "")
    assert len(letters) >= 10_000
    refused = sum(letter in "rRxX" for letter in letters)
    assert refused > 2000
    assert sum(letter in "RX" for letter in letters) < 0.05 * refused
    assert sum(letter == "B" for letter in letters) < 0.002 * len(letters)
    assert [found.seed for found in recorded] == list(composition_truth.SEEDS)


def test_nodes_are_recorded(recorded_compositions: verdicts.Recorded) -> None:
    for address, made, _ in drawn(compositions.SEED, random.Random(SEED), 200):
        name, _, at = address.rpartition("/")
        names = composition_truth.all_names(made)
        cell = recorded_compositions.cells[name]
        for version in verdicts.VERSIONS:
            node = cell.node(int(at), version, names)
            assert not node or (node in names and cell.verdict(int(at), version).refused)
