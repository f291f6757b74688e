"""`trtcheck partition` and `trtcheck.partition`: by hand, beside the published algorithm, before NVIDIA's parser."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import onnx.parser
import partitioning
import pytest
from onnx import TensorProto, helper
from test_confirm import real, wheel
from zoo.reference import session

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".venv/bin/trtcheck"
SCHEMA = json.loads((ROOT / "cpp/data/partition.schema.json").read_text())
RTX = "rtx-1.7"


def model(text: str, opset: int = 18) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> {text}')


#: TensorRT has no BitwiseNot.
CHAIN = """m (int32[8] x) => (int32[8] y) {
  [one] a = Add (x, x)
  [two] b = Mul (a, a)
  [bad] c = BitwiseNot (b)
  [three] y = Neg (c)
}"""
#: What is refused stands at the side: nothing of TensorRT needs it.
ASIDE = """m (int32[8] x) => (int32[8] y, int32[8] z) {
  [one] a = Add (x, x)
  [bad] z = BitwiseNot (a)
  [two] y = Neg (a)
}"""


def nodes(report: trtcheck.PartitionReport) -> list[list[str]]:
    return [list(piece.nodes) for piece in report.pieces if piece.runs]


#: The model, whether ONNX Runtime cuts, options; nodes of the pieces that run.
CUT: dict[str, tuple[str, bool, dict[str, Any], list[list[str]]]] = {
    "one node in the middle": (CHAIN, False, {}, [["one", "two"], ["three"]]),
    "the same in ONNX Runtime": (CHAIN, True, {}, [["one", "two"], ["three"]]),
    "pieces of the parser need not be connected": (ASIDE, False, {}, [["one"], ["two"]]),
    "ONNX Runtime joins what no refused node stands between": (ASIDE, True, {}, [["one", "two"]]),
    "nothing refused": (CHAIN.replace("BitwiseNot", "Abs"), True, {}, [["one", "two", "bad", "three"]]),
    "left out by option": (
        CHAIN.replace("BitwiseNot", "Abs"), True, {"exclude": "Abs"}, [["one", "two"], ["three"]],
    ),
    "small pieces": (CHAIN, True, {"min_subgraph_size": 2}, [["one", "two"]]),
    "large enough": (CHAIN, True, {"min_subgraph_size": 1}, [["one", "two"], ["three"]]),
}  # fmt: skip


@pytest.mark.parametrize("name", CUT)
def test_cut_by_hand(name: str) -> None:
    text, ort, options, expected = CUT[name]
    report = trtcheck.partition(model(text), target="10.13", ort=ort, **options)
    assert nodes(report) == expected
    assert report.now.engines == len(expected) and report.now.nodes == sum(map(len, expected))


def test_who_is_refused_and_what_crosses() -> None:
    report = trtcheck.partition(model(CHAIN), target="10.13")
    (bad,) = report.refused
    assert (bad.node, bad.op_type, bad.reason) == ("bad", "BitwiseNot", "parser")
    assert bad.code == "OPS101" and "BitwiseNot" in bad.message
    first, second = report.pieces
    assert [(t.name, t.type, t.bytes, t.is_of_model) for t in first.inputs] == [("x", "INT32[8]", 32, True)]
    assert [(t.name, t.bytes, t.is_of_model) for t in first.outputs] == [("b", 32, False)]
    assert [t.name for t in second.inputs] == ["c"]
    assert (first.bytes_in, first.bytes_out, second.bytes_in, second.bytes_out) == (0, 32, 32, 0)
    assert report.checks == 2


def test_shares_of_the_work() -> None:
    report = trtcheck.partition(
        model("""m (float[2,4] x) => (float[2,4] y) <float[4,4] w = {0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}> {
          a = MatMul (x, w)  b = Bernoulli (a)  c = MatMul (b, w)  d = MatMul (c, w)  y = Neg (d)
        }"""),
        target="10.13",
    )
    assert [piece.share for piece in report.pieces] == pytest.approx([1 / 3, 2 / 3])
    assert report.now.share == pytest.approx(1)
    (cause,) = report.causes
    assert (cause.op_type, cause.count, cause.alone.engines, cause.after.engines) == ("Bernoulli", 1, 1, 1)


def test_the_most_useful_repair_comes_first() -> None:
    text = """m (int32[8] x) => (int32[8] y, int32[8] z) {
      [n1] a = Add (x, x) [r1] b = BitwiseNot (a) [n2] c = Add (b, b) [r2] d = BitwiseNot (c) [n3] e = Add (d, d)
      [r3] f = BitwiseXor (e, e) [n4] y = Add (f, f) [r4] z = BitwiseAnd (y, y)
    }"""
    report = trtcheck.partition(model(text), target="10.13")
    assert [cause.op_type for cause in report.causes] == ["BitwiseNot", "BitwiseXor", "BitwiseAnd"]
    assert [cause.after.engines for cause in report.causes] == [2, 1, 1]
    assert [cause.after.nodes for cause in report.causes] == [6, 7, 8]


class TestWhatAPieceSees:
    """Pieces are asked about by themselves: what was a constant, or had a type, may be an input there."""

    def test_a_constant_that_comes_from_another_piece(self) -> None:
        # The parser squeezes a constant as it reads the file; behind a cut the axes are an input.
        text = """m (float[4,4] x) => (float[4,1] y) <int64[1,1] two = {1}, int64[1] zero = {0}> {
          [squeeze] k = Squeeze (two, zero)  [bad] b = %s (x)  [sum] y = ReduceSum (b, k)
        }"""
        report = trtcheck.partition(model(text % "Bernoulli"), target="10.13")
        assert [(node.node, node.is_cut_again) for node in report.refused] == [("bad", False), ("sum", True)]
        assert nodes(report) == [["squeeze"]]
        whole = trtcheck.partition(model(text % "Neg"), target="10.13")
        assert whole.refused == [] and whole.checks == 1

    def test_a_node_that_is_refused_for_another_one_only(self) -> None:
        # Nobody knows the type of what an unknown operator makes; by itself the next node is accepted.
        text = "m (float[4] x) => (float[4] y) { [n0] a = Neg (x) %s [n1] y = Neg (b) }"
        known = trtcheck.partition(model(text % "[bad] b = Bernoulli (a)"), target="10.13")
        unknown = trtcheck.partition(model(text % "[bad] b = Foo (a)"), target="10.13")
        assert nodes(known) == nodes(unknown) == [["n0"], ["n1"]]
        assert not any("is not known" in note for note in known.notes)
        assert any("the rank of `b`, an input of piece 2, is not known" in note for note in unknown.notes)

    def test_one_refused_node_after_the_other(self) -> None:
        """What follows from an error is an error of its own when it is still there without that."""
        count = 40
        lines = [f"[n{i}] t{i + 1} = {'BitwiseNot' if i % 2 else 'Neg'} (t{i})" for i in range(count)]
        text = f"m (int32[4] t0) => (int32[4] t{count}) {{ {' '.join(lines)} }}"
        report = trtcheck.partition(model(text), target="10.13")
        assert len(report.refused) == count // 2 and report.checks == 2

    def test_constant_nodes_stay_constants(self) -> None:
        text = """m (float[4,4] x) => (float[16] y) {
          [k] k = Constant <value_ints = [16]> ()  [one] a = Neg (x)  [bad] b = Bernoulli (a)
          [two] y = Reshape (b, k)
        }"""
        report = trtcheck.partition(model(text), target="10.13", ort=True)
        assert nodes(report) == [["one"], ["two"]]
        assert [t.name for t in report.pieces[1].inputs] == ["b"]

    def test_an_input_of_a_type_that_tensorrt_lacks(self) -> None:
        text = """m (string[4] s, float[4] x) => (float[4] y, string[4] t) {
          [text] t = Identity (s)  [one] y = Neg (x)
        }"""
        report = trtcheck.partition(model(text), target="10.13")
        (refused,) = report.refused
        assert (refused.node, refused.reason) == ("text", "input")
        assert nodes(report) == [["one"]]


class TestTheBuilder:
    """What the parser accepts and the builder refuses ends no piece: it ends the session."""

    TEXT = """m (float[1,5000] x) => (float[1,K] y, int64[1,K] i) <int64[1] k = {%d}> {
      [one] a = Neg (x)  [top] y, i = TopK (a, k)
    }"""

    def test_a_piece_of_which_no_engine_is_made(self) -> None:
        report = trtcheck.partition(model(self.TEXT % 4000), target="10.13", ort=True)
        (piece,) = report.pieces
        assert piece.nodes == ["one", "top"] and report.refused == []
        assert len(piece.not_built) == 1 and piece.not_built[0].startswith("TopK `top`: ")
        assert {o.name: o.value for o in report.options} == {"trt_op_types_to_exclude": "TopK"}
        assert report.advised is not None and report.advised.nodes == 1

    def test_a_smaller_one(self) -> None:
        report = trtcheck.partition(model(self.TEXT % 3000), target="10.13", ort=True)
        assert report.pieces[0].not_built == [] and report.advised is None

    def test_facts_that_the_builder_tells(self) -> None:
        text = """m (float[4,4] x, int64[4,1] i, float[4,5] u) => (float[4,4] y) {
          [one] a = Neg (x) [two] y = ScatterND (a, i, u)
        }"""
        report = trtcheck.partition(model(text), target="10.13")
        assert nodes(report) == [["one", "two"]] and report.pieces[0].not_built


class TestBodies:
    TEXT = """m (bool c, int32[8] x) => (int32[8] y) {{
      [one] a = Add (x, x)
      [if] b = If (c) <
        then_branch = t () => (int32[8] u) {{ [p] u = {then} (a) }},
        else_branch = e () => (int32[8] v) {{ [q] w = Neg (a) [r] v = {other} (w) }}
      >
      [two] y = Neg (b)
    }}"""

    def test_a_node_with_bodies_that_are_accepted(self) -> None:
        report = trtcheck.partition(model(self.TEXT.format(then="Neg", other="Abs")), target="10.13", ort=True)
        assert nodes(report) == [["one", "if", "two"]]

    @pytest.mark.parametrize(("then", "other"), [("BitwiseNot", "Abs"), ("Neg", "BitwiseNot")])
    def test_one_body_is_enough(self, then: str, other: str) -> None:
        report = trtcheck.partition(model(self.TEXT.format(then=then, other=other)), target="10.13", ort=True)
        main = [piece.nodes for piece in report.pieces if piece.graph == "main"]
        assert main == [["one"], ["two"]]
        (refused,) = report.refused
        assert (refused.node, refused.reason) == ("if", "body")
        assert refused.inner == ("p" if then == "BitwiseNot" else "r")
        inside = {piece.graph: piece.nodes for piece in report.pieces if piece.graph != "main"}
        assert inside["main/if.else_branch"] == (["q", "r"] if then == "BitwiseNot" else ["q"])

    def test_pieces_of_bodies_are_files(self, tmp_path: Path) -> None:
        """They compute what the body does, with weights and constants from outside."""
        given = model("""m (bool c, float[N,4] x) => (float[N,4] y) <float[4] w = {1, 2, 3, 4}> {
          [k] k = Constant <value_floats = [4.0, 3.0, 2.0, 1.0]> ()  [one] a = Mul (x, w)
          [if] y = If (c) <
            then_branch = t () => (float[N,4] u) { [p] u = Bernoulli (a) },
            else_branch = e () => (float[N,4] v) { [q] h = Add (a, w) [r] v = Sub (h, k) }
          >
        }""")
        path = tmp_path / "net.onnx"
        onnx.save(given, path)
        report = trtcheck.partition(path, target="10.13", ort=True, output=tmp_path / "pieces")
        (inside,) = [piece for piece in report.pieces if piece.graph == "main/if.else_branch"]
        assert [tensor.name for tensor in inside.inputs] == ["a"]
        made = onnx.load(inside.file)
        onnx.checker.check_model(made, full_check=True)
        a = np.float32([[1, 2, 3, 4]])
        assert session(made).run(None, {"a": a})[0].tolist() == [[-2, 1, 4, 7]]

    def test_sizes_of_what_pieces_of_bodies_are_fed(self) -> None:
        """The provider requires a profile for all dynamic inputs of all engines."""
        given = {"x": ((1,), (4,), (16,))}
        text = self.TEXT.format(then="BitwiseNot", other="Abs").replace("int32[8]", "int32[N]")
        report = trtcheck.partition(model(text), target="10.13", ort=True, profile=given)
        options = {option.name: option.value for option in report.options}
        assert options["trt_profile_opt_shapes"] == "x:4,b:4,a:4"
        assert options["trt_profile_max_shapes"] == "x:16,b:16,a:16"
        (inside,) = [piece for piece in report.pieces if piece.graph != "main"]
        assert (inside.bytes_in, inside.bytes_out) == (16, 16)
        whole = trtcheck.partition(model(text.replace("BitwiseNot", "Neg")), target="10.13", ort=True, profile=given)
        assert {option.name: option.value for option in whole.options}["trt_profile_opt_shapes"] == "x:4"

    def test_more_bodies_than_are_asked_about(self) -> None:
        branch = """[if{0}] t{1} = If (c) < then_branch = a{0} () => (int32[4] u) {{ u = Neg (t{0}) }},
            else_branch = b{0} () => (int32[4] v) {{ v = {2} (t{0}) }} >"""
        lines = " ".join(branch.format(i, i + 1, "BitwiseNot" if i == 39 else "Abs") for i in range(40))
        report = trtcheck.partition(
            model(f"m (bool c, int32[4] t0) => (int32[4] t40) {{ {lines} }}"), target="10.13", ort=True
        )
        assert any("16 bodies were not asked about alone" in note for note in report.notes)
        assert [(node.node, node.inner) for node in report.refused] == [("if39", "BitwiseNot_0")]
        assert nodes(report) == [[f"if{i}" for i in range(39)]]

    def test_rtx_looks_at_the_first_body_only(self) -> None:
        first = trtcheck.partition(model(self.TEXT.format(then="BitwiseNot", other="Abs")), target=RTX, ort=True)
        assert [piece.nodes for piece in first.pieces if piece.graph == "main" and piece.runs] == [["one"], ["two"]]
        second = trtcheck.partition(model(self.TEXT.format(then="Neg", other="BitwiseNot")), target=RTX, ort=True)
        assert nodes(second) == []


class TestRtx:
    def test_a_refused_node_takes_its_neighbours_with_it(self) -> None:
        report = trtcheck.partition(model(CHAIN), target=RTX, ort=True)
        assert nodes(report) == [] and len(report.pieces) == 2
        assert all("asks no more" in piece.why_not for piece in report.pieces)
        assert {option.name: option.value for option in report.options} == {"nv_op_types_to_exclude": "BitwiseNot"}
        assert report.advised is not None and report.advised.engines == 2
        mended = trtcheck.partition(model(CHAIN), target=RTX, ort=True, exclude="BitwiseNot")
        assert nodes(mended) == [["one", "two"], ["three"]]

    def test_nodes_of_types_that_it_does_not_know(self) -> None:
        text = """m (float[4] x) => (float[4] y) {
          [one] a = Neg (x) [cast] b = Cast <to = 4> (a) [back] c = Cast <to = 1> (b) [two] y = Neg (c) }"""
        report = trtcheck.partition(model(text), target=RTX, ort=True)
        assert [(node.node, node.reason) for node in report.refused] == [("cast", "type"), ("back", "type")]
        assert nodes(report) == [["one"], ["two"]]

    def test_ends_of_the_model_of_such_types(self) -> None:
        text = "m (double[4] x) => (float[4] y) { [cast] a = Cast <to = 1> (x) [one] y = Neg (a) }"
        report = trtcheck.partition(model(text), target=RTX, ort=True)
        assert nodes(report) == []
        assert any("makes no session" in note for note in report.notes)


class TestOptions:
    def test_what_is_refused_anyway(self) -> None:
        report = trtcheck.partition(model(CHAIN), target="10.13", ort=True)
        options = {option.name: option.value for option in report.options}
        assert options["trt_op_types_to_exclude"] == "BitwiseNot"
        assert "nodes" not in options

    def test_sizes_of_tensors_between_pieces(self) -> None:
        text = CHAIN.replace("int32[8]", "int32[N,8]")
        given = {"x": ((1, 8), (4, 8), (16, 8))}
        report = trtcheck.partition(model(text), target="10.13", ort=True, profile=given)
        options = {option.name: option.value for option in report.options}
        assert options["trt_profile_min_shapes"] == "x:1x8,c:1x8"
        assert options["trt_profile_opt_shapes"] == "x:4x8,c:4x8"
        assert options["trt_profile_max_shapes"] == "x:16x8,c:16x8"
        assert report.profile["c"] == ([1, 8], [4, 8], [16, 8])
        assert report.pieces[0].bytes_out == 4 * 8 * 4
        rtx = trtcheck.partition(model(text), target=RTX, ort=True, profile=given)
        assert "nv_profile_min_shapes" in {option.name for option in rtx.options}

    def test_sizes_that_nobody_knows(self) -> None:
        text = """m (float[8] x) => (int64[K] y) {
          [find] a = NonZero (x) [flat] s = Squeeze (a) [bad] b = BitwiseNot (s) [one] y = Neg (b) }"""
        report = trtcheck.partition(model(text), target="10.13", ort=True)
        assert not any("profile" in option.name for option in report.options)
        assert any("not known" in note for note in report.notes)
        assert any("trt_op_types_to_exclude" in note for note in report.notes)

    def test_a_minimal_size(self) -> None:
        """Small pieces of shape arithmetic cost no work, and are given up when fewer engines remain."""
        lines = ["[m0] a = MatMul (x, w)", "[m1] h0 = MatMul (a, w)"]
        last = "h0"
        for i in range(3):
            lines += [
                f"[r{i}] p{i} = Bernoulli ({last})",
                f"[s{i}] q{i} = Neg (p{i})",
                f"[t{i}] u{i} = Bernoulli (q{i})",
            ]
            lines += [f"[n{i}] v{i} = MatMul (u{i}, w)", f"[o{i}] h{i + 1} = MatMul (v{i}, w)"]
            last = f"h{i + 1}"
        text = (
            f"m (float[4,4] x) => (float[4,4] {last}) <float[4,4] w = {{{','.join('0' * 16)}}}> {{ {' '.join(lines)} }}"
        )
        report = trtcheck.partition(model(text), target="10.13", ort=True)
        assert report.now.engines == 7
        options = {option.name: option.value for option in report.options}
        assert "trt_min_subgraph_size" in options
        assert report.advised is not None and report.advised.engines < 7
        assert report.advised.share == pytest.approx(report.now.share, abs=0.011)

    def test_shapes_that_onnxruntime_must_know(self) -> None:
        report = trtcheck.partition(model(CHAIN), target="10.13", ort=True)
        assert report.pieces[1].without_shape == ["c"]
        stated = model(CHAIN)
        stated.graph.value_info.append(helper.make_tensor_value_info("c", TensorProto.INT32, [8]))
        assert trtcheck.partition(stated, target="10.13", ort=True).pieces[1].without_shape == []


def test_an_error_of_the_whole_model() -> None:
    given = model(CHAIN)
    given.graph.initializer.append(onnx.TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[4], raw_data=b"1"))
    report = trtcheck.partition(given, target="10.13", ort=True)
    assert report.whole_model and report.pieces == [] and report.now.engines == 0


def test_a_thousand_calls_of_the_parser() -> None:
    def chain(count: int) -> onnx.ModelProto:
        made = [
            helper.make_node("BitwiseNot" if i % 2 else "Neg", [f"t{i}"], [f"t{i + 1}"], f"n{i}") for i in range(count)
        ]
        ends = [helper.make_tensor_value_info(name, TensorProto.INT32, [2]) for name in ("t0", f"t{count}")]
        graph = helper.make_graph(made, "g", ends[:1], ends[1:])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)

    enough = trtcheck.partition(chain(1999), target="10.13", ort=True)
    assert enough.iterations == 1000 and enough.now.engines == 1000
    beyond = trtcheck.partition(chain(2001), target="10.13", ort=True)
    assert beyond.iterations == 1001 and beyond.now.engines == 0
    assert any("nothing runs" in note for note in beyond.notes)
    assert trtcheck.partition(chain(2001), target="10.13").now.engines == 1001


# --- beside the published algorithm ---

#: Read or write INT32[4]; the second half is refused by name.
KINDS = {"Neg": 1, "Abs": 1, "Add": 2, "Mul": 2, "Sub": 2, "BitwiseNot": 1, "BitwiseXor": 2}
REFUSED = {"BitwiseNot", "BitwiseXor"}


def random_model(seed: int) -> onnx.ModelProto:
    rng = random.Random(seed)
    count = rng.randint(4, 28)
    bad = rng.choice([0.1, 0.25, 0.5])
    has_names = rng.random() < 0.7
    made = []
    values = ["x"]
    for i in range(count):
        pool = [kind for kind in KINDS if (kind in REFUSED) == (rng.random() < bad)]
        kind = rng.choice(pool or ["Neg"])
        recent = values[-rng.choice([2, 6, len(values)]) :]
        name = f"n{i}" if has_names or rng.random() < 0.5 else ""
        made.append(helper.make_node(kind, [rng.choice(recent) for _ in range(KINDS[kind])], [f"t{i}"], name))
        values.append(f"t{i}")
        if rng.random() < 0.1:
            made.append(helper.make_node("Shape", [rng.choice(values)], [f"s{i}"], f"shape{i}" if has_names else ""))
    read = {name for node in made for name in node.input}
    ends = [node for node in made if node.output[0] not in read]
    outputs = [
        helper.make_tensor_value_info(
            node.output[0],
            TensorProto.INT64 if node.op_type == "Shape" else TensorProto.INT32,
            [1] if node.op_type == "Shape" else [4],
        )
        for node in ends
    ]
    if rng.random() < 0.3:
        # Files need not be sorted for the parser; ONNX Runtime sorts anyway.
        pass
    graph = helper.make_graph(made, "g", [helper.make_tensor_value_info("x", TensorProto.INT32, [4])], outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def labels(given: onnx.ModelProto, pieces: list[list[int]]) -> list[list[str]]:
    nodes = given.graph.node
    return [[nodes[at].name or f"{nodes[at].op_type}_{at}" for at in piece] for piece in pieces]


@pytest.mark.parametrize("seed", range(150))
def test_beside_the_published_algorithm(seed: int) -> None:
    rng = random.Random(seed)
    given = random_model(seed)
    exclude = set(rng.sample(sorted(KINDS), rng.choice([0, 0, 1, 2])))
    refused = {i for i, node in enumerate(given.graph.node) if node.op_type in REFUSED}
    published = partitioning.Model(given.graph.node, refused, exclude)
    parsed = trtcheck.partition(given, target="10.13", exclude=exclude)
    assert nodes(parsed) == labels(given, partitioning.parser_pieces(published)), seed
    for target, is_rtx in (("10.13", False), (RTX, True)):
        for least in (1, 2, 4):
            report = trtcheck.partition(given, target=target, ort=True, exclude=exclude, min_subgraph_size=least)
            expected = partitioning.capability(published, least, is_rtx=is_rtx)
            assert nodes(report) == labels(given, expected), (seed, target, least)


def test_the_model_of_the_algorithm_reaches_all_of_it() -> None:
    """Else the comparison above says nothing of cycles, of consolidation and of small pieces."""
    seen = set()
    for seed in range(150):
        report = trtcheck.partition(random_model(seed), target="10.13", ort=True, min_subgraph_size=2)
        seen |= {piece.why_not.split(":")[0] for piece in report.pieces if not piece.runs}
        seen.add("consolidated" if report.is_consolidated else "apart")
        if any("behind the last" in note for note in report.notes):
            seen.add("past the end")
    assert {"consolidated", "apart", "past the end", "it has less than 2 nodes"} <= seen
    assert any("circle" in trtcheck.partition(random_model(s), target="10.13", ort=True).to_json() for s in range(150))


# --- files, and NVIDIA's parser ---

EXAMPLES = sorted((ROOT / "examples/models").glob("*.onnx"))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx.save(model(CHAIN), path)
    report = trtcheck.partition(path, target="10.13", output=tmp_path / "pieces")
    assert [Path(piece.file).name for piece in report.pieces] == ["net.piece1.onnx", "net.piece2.onnx"]
    for piece in report.pieces:
        made = onnx.load(piece.file)
        onnx.checker.check_model(made, full_check=True)
        assert [node.name for node in made.graph.node] == piece.nodes
        assert [each.name for each in made.graph.input] == [tensor.name for tensor in piece.inputs]
        assert [each.name for each in made.graph.output] == [tensor.name for tensor in piece.outputs]
    with pytest.raises(trtcheck.Error, match="is there already"):
        trtcheck.partition(path, target="10.13", output=tmp_path / "pieces")
    with pytest.raises(TypeError, match="in memory"):
        trtcheck.partition(model(CHAIN), output=tmp_path / "other")


def test_a_tensor_without_a_type_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx.save(model(CHAIN.replace("BitwiseNot", "Foo")), path)
    report = trtcheck.partition(path, target="10.13", output=tmp_path / "pieces")
    assert [bool(piece.file) for piece in report.pieces] == [True, False]
    assert any("piece 2 is not written" in note for note in report.notes)


@real
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_nvidias_parser_accepts_each_piece(path: Path, tmp_path: Path) -> None:
    report = trtcheck.partition(path, target=RTX, output=tmp_path)
    witness = trtcheck.find_witness(wheel() or None)
    for piece in report.pieces:
        if piece.file:
            answer = trtcheck.confirm(piece.file, witness=witness, parse_only=True)
            assert answer.testimony in ("parsed", "not judged"), (piece.nodes, answer.messages)


@real
@pytest.mark.parametrize("seed", range(12))
def test_nvidias_parser_accepts_pieces_and_refuses_the_rest(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx.save(random_model(seed), path)
    report = trtcheck.partition(path, target=RTX, output=tmp_path / "pieces")
    witness = trtcheck.find_witness(wheel() or None)
    for piece in report.pieces:
        assert trtcheck.confirm(piece.file, witness=witness, parse_only=True).testimony == "parsed", piece.nodes
    if report.refused:
        assert trtcheck.confirm(path, witness=witness, parse_only=True).testimony == "refused"


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "partition", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


class TestTheProgram:
    @pytest.fixture(autouse=True)
    def _files(self, tmp_path: Path) -> None:
        onnx.save(model(CHAIN), tmp_path / "m.onnx")
        onnx.save(model(CHAIN.replace("BitwiseNot", "Abs")), tmp_path / "good.onnx")

    def test_text(self, tmp_path: Path) -> None:
        done = run("m.onnx", "--target", "10.13", "--ort", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (1, "")
        assert (
            "ONNX Runtime with TensorRT 10.13 (TensorrtExecutionProvider): 2 engines with 3 of 4 nodes" in done.stdout
        )
        assert '    "trt_op_types_to_exclude": "BitwiseNot",\n' in done.stdout
        assert "1 BitwiseNot [OPS101]: 1 engine with 4 of 4 nodes" in done.stdout

    def test_nothing_to_cut(self, tmp_path: Path) -> None:
        done = run("good.onnx", "--target", "10.13", cwd=tmp_path)
        assert done.returncode == 0 and "1 engine with 4 of 4 nodes" in done.stdout

    @pytest.mark.parametrize("more", [[], ["--ort"], ["--ort", "--target", RTX]])
    def test_json(self, tmp_path: Path, more: list[str]) -> None:
        document = json.loads(run("m.onnx", "--output-format", "json", *more, cwd=tmp_path).stdout)
        jsonschema.validate(document, SCHEMA)
        assert document["refused"][0]["op_type"] == "BitwiseNot"
        jsonschema.validate(trtcheck.partition(model(CHAIN), ort=True).to_dict(), SCHEMA)

    def test_html(self, tmp_path: Path) -> None:
        page = run("m.onnx", "--output-format", "html", "--ort", cwd=tmp_path).stdout
        assert page.startswith("<!DOCTYPE html>") and "<svg" in page and "piece 2" in page and "elsewhere" in page

    def test_files(self, tmp_path: Path) -> None:
        assert run("m.onnx", "-o", "pieces", cwd=tmp_path).returncode == 1
        assert sorted(path.name for path in (tmp_path / "pieces").iterdir()) == ["m.piece1.onnx", "m.piece2.onnx"]

    @pytest.mark.parametrize(
        ("arguments", "cause"),
        [
            (["gone.onnx"], "gone.onnx: "),
            (["m.onnx", "--min-subgraph-size", "2"], "--ort"),
            (["m.onnx", "--ort", "--min-subgraph-size", "0"], "--min-subgraph-size"),
            (["m.onnx", "--output-format", "sarif"], "sarif"),
            (["m.onnx", "--profile", "z=1:2:3"], "z"),
            (["m.onnx", "--exclude", "Add Mul"], "Add Mul"),
            (["-", "-o", "pieces"], "<stdin>"),
        ],
    )
    def test_what_makes_no_sense(self, arguments: list[Any], cause: str, tmp_path: Path) -> None:
        done = run(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert cause in done.stderr and done.stderr.count("\n") == 1, done.stderr
