"""Shapes written into models: what is written, what stays, and that onnx and ONNX Runtime agree."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper, shape_inference

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".venv/bin/trtcheck"

HEADER = '<ir_version: 10, opset_import: ["" : 17]>\n'
SYMBOLIC = f"""{HEADER}agraph (float[N,3,H] x) => (float[?,?] y) {{
  a = Concat <axis = 0> (x, x)
  b = MaxPool <kernel_shape = [2], strides = [2]> (x)
  c = Transpose <perm = [1, 0, 2]> (a)
  d = NonZero (x)
  y = Flatten (c)
}}"""


def model_of(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(text)


def declared(model: onnx.ModelProto | onnx.GraphProto) -> dict[str, list[Any] | None]:
    """Dims of value_info and outputs: numbers, names, None."""
    graph = model.graph if isinstance(model, onnx.ModelProto) else model
    made: dict[str, list[Any] | None] = {}
    for value in [*graph.value_info, *graph.output]:
        tensor = value.type.tensor_type
        dims = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None for dim in tensor.shape.dim]
        made[value.name] = dims if tensor.HasField("shape") else None
    return made


def kind_text(kind: onnx.TypeProto) -> str:
    """`seq(FLOAT[N,?])`"""
    which = kind.WhichOneof("value")
    if which == "sequence_type":
        return f"seq({kind_text(kind.sequence_type.elem_type)})"
    if which == "optional_type":
        return f"optional({kind_text(kind.optional_type.elem_type)})"
    if which == "map_type":
        key = TensorProto.DataType.Name(kind.map_type.key_type)
        return f"map({key}, {kind_text(kind.map_type.value_type)})"
    tensor = kind.tensor_type
    dims = ",".join(
        str(dim.dim_value) if dim.HasField("dim_value") else dim.dim_param or "?" for dim in tensor.shape.dim
    )
    return TensorProto.DataType.Name(tensor.elem_type) + (f"[{dims}]" if tensor.HasField("shape") else "")


def annotated(text: str, **options: Any) -> onnx.ModelProto:
    return trtcheck.annotate_shapes(model_of(text), **options).model


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "shapes", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


class TestWhatIsWritten:
    def test_numbers_names_expressions_and_nothing(self) -> None:
        assert declared(annotated(SYMBOLIC)) == {
            "a": ["2*N", 3, "H"],
            "b": ["N", 3, "floor(H/2)"],
            "c": [3, "2*N", "H"],
            "d": [3, None],
            "y": [3, "2*H*N"],
        }

    def test_unknown_dims_get_names_of_their_own(self) -> None:
        made = declared(annotated(SYMBOLIC, names_unknown=True))
        assert made["d"] == [3, "unk__0"]

    def test_a_new_name_is_none_of_the_file(self) -> None:
        made = declared(annotated(SYMBOLIC.replace("N,", "unk__0,"), names_unknown=True))
        assert made["d"] == [3, "unk__1"]

    def test_equal_unknown_dims_share_a_name(self) -> None:
        text = f"{HEADER}agraph (float[N] x) => (y) {{ i = NonZero (x)\n j = Transpose (i)\n y = Identity (i) }}"
        made = declared(annotated(text, names_unknown=True))
        assert made == {"i": [1, "unk__0"], "j": ["unk__0", 1], "y": [1, "unk__0"]}

    def test_axes_of_inputs_without_a_name_are_no_names(self) -> None:
        text = f"{HEADER}agraph (float[?,2] x) => (y) {{ a = Relu (x)\n y = Concat <axis = 0> (a, a) }}"
        assert declared(annotated(text)) == {"a": [None, 2], "y": [None, 2]}

    @pytest.mark.parametrize(
        ("nodes", "dim"),
        [
            ("y = MaxPool <kernel_shape = [3], strides = [2], pads = [1, 1]> (x)", "floor((H + 1)/2)"),
            ("y = Pad (x, three)", "H + 6"),
            ("y = Slice (x, zero, minus, two)", "H - 1"),
        ],
    )
    def test_expressions_are_what_sympy_reads(self, nodes: str, dim: str) -> None:
        sympy = pytest.importorskip("sympy")
        weights = "<int64[6] three = {0,0,3,0,0,3}, int64[1] zero = {0}, int64[1] minus = {-1}, int64[1] two = {2}>"
        made = declared(annotated(f"{HEADER}agraph (float[1,2,H] x) => (y) {weights} {{ {nodes} }}"))["y"]
        assert made is not None
        assert made[2] == dim
        assert sympy.sympify(made[2]).free_symbols == {sympy.Symbol("H")}

    def test_sequences_and_values_of_any_rank(self) -> None:
        nodes = "q = SplitToSequence <axis = 0> (x)\n y = Reshape (x, s)"
        text = f"{HEADER}agraph (float[N,2] x, int64[K] s) => (y) {{ {nodes} }}"
        made = annotated(text)
        kinds = {value.name: value.type.WhichOneof("value") for value in [*made.graph.value_info, *made.graph.output]}
        assert kinds == {"q": "sequence_type", "y": "tensor_type"}
        assert made.graph.output[0].type.tensor_type.elem_type == TensorProto.FLOAT
        assert kind_text(made.graph.value_info[0].type) == "seq(FLOAT[1,2])"

    @pytest.mark.parametrize(
        ("nodes", "written"),
        [
            ("v = SequenceConstruct (x, x)", "seq(FLOAT[N,3])"),
            ("v = SequenceConstruct (x, w)", "seq(FLOAT[N,?])"),
            ("v = SequenceConstruct (x, u)", "seq(FLOAT)"),
            ("v = SequenceEmpty ()", "seq(FLOAT)"),
            ("s = SequenceConstruct (x, w)\n v = SequenceErase (s, i)", "seq(FLOAT[N,5])"),
            ("v = SplitToSequence <axis = 1> (w, p)", "seq(FLOAT[N,?])"),
            ("v = Optional (x)", "optional(FLOAT[N,3])"),
            ("s = SequenceConstruct (x, w)\n v = Optional (s)", "optional(seq(FLOAT[N,?]))"),
            ("v = Optional <type: type_proto = float[2,3]> ()", "optional(FLOAT[2,3])"),
            ("v = Optional <type: type_proto = seq(float[2,3])> ()", "optional(seq(FLOAT[2,3]))"),
            ("t = NonZero (x)\n v = SequenceConstruct (t)", "seq(INT64[2,?])"),
        ],
    )
    def test_what_sequences_and_optionals_hold(self, nodes: str, written: str) -> None:
        inputs = "float[N,3] x, float[N,5] w, float[N] u, int64 p"
        text = f"{HEADER}agraph ({inputs}) => (l) <int64 i = {{0}}> {{ {nodes}\n l = Size (x) }}"
        made = annotated(text, names_unknown=True)
        assert [kind_text(value.type) for value in made.graph.value_info if value.name == "v"] == [written]
        onnx.checker.check_model(made, full_check=True)

    def test_only_shapes_leaves_sequences_without_one_out(self) -> None:
        text = f"{HEADER}agraph (float[N] x, float[N,2] w) => (l) {{ a = SequenceConstruct (x, w)\n b = Optional (w)\n"
        made = annotated(text + " l = Size (x) }", only_shapes=True)
        assert [value.name for value in made.graph.value_info] == ["b"]

    @pytest.mark.parametrize(
        ("labels", "key"), [({"classlabels_int64s": [1, 2]}, "INT64"), ({"classlabels_strings": ["a", "b"]}, "STRING")]
    )
    def test_maps_from_labels_to_numbers(self, labels: dict[str, Any], key: str) -> None:
        node = helper.make_node("ZipMap", ["x"], ["v"], domain="ai.onnx.ml", **labels)
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 2])], [])
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 1)]
        made = trtcheck.annotate_shapes(helper.make_model(graph, opset_imports=opsets)).model
        assert [kind_text(value.type) for value in made.graph.value_info] == [f"seq(map({key}, FLOAT[]))"]

    def test_a_branch_of_two_kinds_says_nothing(self) -> None:
        text = f"""{HEADER}agraph (bool c, float[N,3] x) => (l) {{
          v = If (c) <then_branch = a () => (p) {{ p = Optional (x) }},
                      else_branch = b () => (q) {{ s = SequenceConstruct (x)\n q = Optional (s) }}>
          l = Size (x)
        }}"""
        assert [value.name for value in annotated(text).graph.value_info] == []

    def test_bodies(self) -> None:
        text = f"""{HEADER}agraph (float[N] x, bool c) => (y) {{
          y = If (c) <then_branch = a () => (float[M] p) {{ t = Concat <axis = 0> (x, x)
                                                   p = Relu (t) }},
                      else_branch = b () => (float[M] q) {{ q = Neg (x) }}>
        }}"""
        made = annotated(text)
        body = {a.name: a.g for a in made.graph.node[0].attribute}["then_branch"]
        assert declared(body)["t"] == ["2*N"]

    def test_functions_get_what_all_calls_have_in_common(self) -> None:
        text = """<ir_version: 10, opset_import: ["" : 17, "local" : 1]>
        agraph (float[2,3] x, float[5,3] z) => (y, w) { y = local.twice (x)
          w = local.twice (z) }
        <opset_import: ["" : 17], domain: "local">
        twice (a) => (b) { t = Relu (a)
          b = Add (t, t) }"""
        made = annotated(text)
        dims = {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in made.functions[0].value_info}
        assert dims == {"t": [0, 3], "b": [0, 3]}
        older = annotated(text.replace("ir_version: 10", "ir_version: 9"))
        assert not older.functions[0].value_info


class TestWhatStays:
    def test_a_name_of_the_file(self) -> None:
        text = f"{HEADER}agraph (float[N] x) => (float[M] y) {{ y = Concat <axis = 0> (x, x) }}"
        made = trtcheck.annotate_shapes(model_of(text))
        assert not made.is_changed
        assert made.model == model_of(text)

    def test_a_number_takes_the_place_of_a_name(self) -> None:
        text = f"{HEADER}agraph (float[4] x) => (float[M] y) {{ y = Concat <axis = 0> (x, x) }}"
        assert declared(annotated(text)) == {"y": [8]}

    def test_a_number_of_the_file(self) -> None:
        text = f"{HEADER}agraph (float[N] x) => (float[6] y) {{ y = Relu (x) }}"
        assert declared(annotated(text)) == {"y": [6]}

    def test_what_contradicts_is_kept_and_said(self) -> None:
        text = f"{HEADER}agraph (float[4] x) => (float[5] y) {{ y = Relu (x) }}"
        made = trtcheck.annotate_shapes(model_of(text))
        assert declared(made.model) == {"y": [5]}
        assert [one.value for one in made.contradictions] == ["y"]
        with pytest.raises(trtcheck.Error, match="declared as"):
            trtcheck.annotate_shapes(model_of(text), strict=True)

    def test_documentation_and_denotations(self) -> None:
        model = model_of(f"{HEADER}agraph (float[N,3] x) => (float[?,?] y) {{ y = Relu (x) }}")
        output = model.graph.output[0]
        output.doc_string = "what it is"
        output.type.denotation = "TENSOR"
        output.type.tensor_type.shape.dim[0].denotation = "DATA_BATCH"
        made = trtcheck.annotate_shapes(model).model.graph.output[0]
        assert made.doc_string == "what it is"
        assert made.type.denotation == "TENSOR"
        assert [d.denotation for d in made.type.tensor_type.shape.dim] == ["DATA_BATCH", ""]
        assert [d.dim_param or d.dim_value for d in made.type.tensor_type.shape.dim] == ["N", 3]

    def test_inputs(self) -> None:
        model = model_of(SYMBOLIC)
        assert list(trtcheck.annotate_shapes(model).model.graph.input) == list(model.graph.input)

    def test_twice_is_once(self) -> None:
        once = annotated(SYMBOLIC)
        again = trtcheck.annotate_shapes(once)
        assert not again.is_changed
        assert again.model == once

    def test_weights_beside_the_model(self, tmp_path: Path) -> None:
        weight = numpy_helper.from_array(np.ones((512, 4), np.float32), "w")
        graph = helper.make_graph(
            [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Relu", ["h"], ["y"])],
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 512])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [weight],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(model, tmp_path / "a.onnx", save_as_external_data=True, location="a.data", size_threshold=0)
        before = (tmp_path / "a.data").read_bytes()
        trtcheck.annotate_shapes(tmp_path / "a.onnx").write(tmp_path / "b.onnx")
        assert (tmp_path / "a.data").read_bytes() == before
        assert {path.name for path in tmp_path.iterdir()} == {"a.onnx", "a.data", "b.onnx"}
        assert declared(onnx.load(tmp_path / "b.onnx")) == {"h": ["N", 4], "y": ["N", 4]}


class TestKindsOfModels:
    def test_each_comes_back_as_it_was_given(self, tmp_path: Path) -> None:
        ir = pytest.importorskip("onnx_ir")
        model = model_of(SYMBOLIC)
        path = tmp_path / "a.onnx"
        onnx.save(model, path)
        assert isinstance(trtcheck.annotate_shapes(model).model, onnx.ModelProto)
        assert isinstance(trtcheck.annotate_shapes(path.read_bytes()).model, bytes)
        assert isinstance(trtcheck.annotate_shapes(path).model, bytes)
        assert isinstance(trtcheck.annotate_shapes(ir.from_proto(model)).model, ir.Model)

    def test_flags_are_flags(self) -> None:
        with pytest.raises(TypeError, match="strict"):
            trtcheck.annotate_shapes(model_of(SYMBOLIC), strict=1)  # type: ignore[arg-type]


def zoo() -> list[Path]:
    return sorted((ROOT / "tests/zoo").rglob("*.onnx"))[:40] + sorted((ROOT / "examples/models").glob("*.onnx"))


class TestOthersAgree:
    @pytest.mark.parametrize("path", zoo(), ids=lambda p: p.stem)
    def test_onnx_and_onnx_runtime_accept_the_model(self, path: Path) -> None:
        made = trtcheck.annotate_shapes(path).model
        model = onnx.ModelProto.FromString(made)
        onnx.checker.check_model(model)
        try:
            shape_inference.infer_shapes(onnx.load(path), strict_mode=True, data_prop=True)
        except shape_inference.InferenceError:
            pass
        else:
            shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
        try:
            onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
        except Exception:
            pytest.skip("ONNX Runtime does not load the model itself")
        onnxruntime.InferenceSession(made, providers=["CPUExecutionProvider"])

    def test_onnx_runtime_computes_the_same(self) -> None:
        model = model_of(SYMBOLIC)
        feed = {"x": np.arange(2 * 3 * 6, dtype=np.float32).reshape(2, 3, 6)}
        results = [
            onnxruntime.InferenceSession(m.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feed)
            for m in (model, annotated(SYMBOLIC))
        ]
        np.testing.assert_array_equal(results[0][0], results[1][0])


class TestTheProgram:
    def test_a_model_as_output(self, tmp_path: Path) -> None:
        onnx.save(model_of(SYMBOLIC), tmp_path / "a.onnx")
        done = run("a.onnx", "-o", "b.onnx", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "4 declarations added, 1 completed" in done.stdout
        assert "written to b.onnx" in done.stdout
        assert declared(onnx.load(tmp_path / "b.onnx"))["c"] == [3, "2*N", "H"]

    def test_another_name_is_the_list(self, tmp_path: Path) -> None:
        onnx.save(model_of(SYMBOLIC), tmp_path / "a.onnx")
        assert run("a.onnx", "-o", "shapes.txt", cwd=tmp_path).returncode == 0
        assert "2*N" in (tmp_path / "shapes.txt").read_text()

    def test_what_contradicts_is_said(self, tmp_path: Path) -> None:
        onnx.save(model_of(f"{HEADER}agraph (float[4] x) => (float[5] y) {{ y = Relu (x) }}"), tmp_path / "a.onnx")
        done = run("a.onnx", "-o", "b.onnx", cwd=tmp_path)
        assert done.returncode == 0
        assert "kept as it is: `y` is declared as FLOAT[5], computed is FLOAT[4]" in done.stdout

    @pytest.mark.parametrize(
        ("words", "cause"),
        [
            (["a.onnx", "-o", "a.onnx"], "is the model itself"),
            (["a.onnx", "-o", "b.onnx", "--output-format", "json"], "is a model"),
            (["a.onnx", "-o", "b.onnx", "--profile", "x=1x3x8"], "--profile goes with the list"),
            (["missing.onnx", "-o", "b.onnx"], "missing.onnx"),
        ],
    )
    def test_bad_input_is_one_line(self, tmp_path: Path, words: list[str], cause: str) -> None:
        onnx.save(model_of(SYMBOLIC), tmp_path / "a.onnx")
        before = (tmp_path / "a.onnx").read_bytes()
        done = run(*words, cwd=tmp_path)
        assert done.returncode == 2
        assert cause in done.stderr
        assert done.stderr.count("\n") == 1
        assert (tmp_path / "a.onnx").read_bytes() == before
        assert not (tmp_path / "b.onnx").exists()


class TestSpeed:
    def test_two_gigabytes_beside_the_model(self, tmp_path: Path) -> None:
        size = 2 * 1024**3
        with (tmp_path / "a.data").open("wb") as file:
            file.truncate(size)
        weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[size // 4096, 1024])
        weight.data_location = TensorProto.EXTERNAL
        for key, value in (("location", "a.data"), ("length", str(size))):
            weight.external_data.add(key=key, value=value)
        graph = helper.make_graph(
            [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Relu", ["h"], ["y"])],
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", size // 4096])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        )
        graph.initializer.append(weight)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "a.onnx")
        start = time.process_time()
        trtcheck.annotate_shapes(tmp_path / "a.onnx").write(tmp_path / "b.onnx")
        assert time.process_time() - start < 0.3
        assert (tmp_path / "b.onnx").stat().st_size < 10_000
