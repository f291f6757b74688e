"""`trtcheck.shape_inference` in the place of onnx's and ONNX Runtime's: the same arguments, results and exceptions."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from pathlib import Path

import onnx
import onnx.parser
import onnx.shape_inference
import pytest
from onnx import TensorProto, helper
from test_annotate import HEADER, SYMBOLIC, declared, model_of

import trtcheck
from trtcheck import shape_inference

BROKEN = f"{HEADER}agraph (float[N,3] x, float[4,5] w) => (y) {{ y = MatMul (x, w) }}"
CLAIMED = f"{HEADER}agraph (float[4] x) => (float[5] y) {{ y = Relu (x) }}"
MIXED = f"{HEADER}agraph (float[4] x, int64[4] z) => (y) {{ y = Add (x, z) }}"


@pytest.mark.parametrize(
    "name", ["infer_shapes", "infer_shapes_path", "infer_node_outputs", "infer_function_output_types"]
)
def test_arguments_are_those_of_onnx(name: str) -> None:
    ours, theirs = (inspect.signature(getattr(m, name)).parameters for m in (shape_inference, onnx.shape_inference))
    assert list(ours) == list(theirs)
    assert [p.default for p in ours.values()] == [p.default for p in theirs.values()]


def test_arguments_are_those_of_onnx_runtime() -> None:
    tool = pytest.importorskip("onnxruntime.tools.symbolic_shape_infer").SymbolicShapeInference.infer_shapes
    ours = inspect.signature(shape_inference.SymbolicShapeInference.infer_shapes).parameters
    theirs = inspect.signature(tool).parameters
    assert list(ours) == list(theirs)
    assert [p.default for p in ours.values()] == [p.default for p in theirs.values()]


class TestInferShapes:
    def test_a_model_or_its_bytes(self) -> None:
        model = model_of(SYMBOLIC)
        before = model.SerializeToString()
        of_model = shape_inference.infer_shapes(model)
        assert declared(of_model)["d"] == [3, "unk__0"]
        assert shape_inference.infer_shapes(before) == of_model
        assert model.SerializeToString() == before

    @pytest.mark.parametrize("wrong", ["model.onnx", Path("model.onnx"), None, helper.make_graph([], "g", [], [])])
    def test_nothing_else(self, wrong: object) -> None:
        with pytest.raises(TypeError, match="only accepts ModelProto or bytes"):
            shape_inference.infer_shapes(wrong)  # type: ignore[arg-type]

    def test_bytes_that_are_no_model(self) -> None:
        with pytest.raises(trtcheck.Error):
            shape_inference.infer_shapes(b"\xff\xff\xff")

    @pytest.mark.parametrize(("field", "is_refused"), [("int64_data", True), ("float_data", False)])
    def test_constants_that_cannot_be_read(self, field: str, is_refused: bool) -> None:
        model = model_of(f"{HEADER}agraph (float[4] x) => (y) <float[2] w = {{1, 2}}> {{ y = Relu (x) }}")
        tensor = model.graph.initializer[0]
        tensor.CopyFrom(onnx.TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2]))
        getattr(tensor, field).extend([1, 2])
        shape_inference.infer_shapes(model)
        if not is_refused:
            shape_inference.infer_shapes(model, strict_mode=True)
            return
        with pytest.raises(onnx.shape_inference.InferenceError, match="`w`"):
            shape_inference.infer_shapes(model, strict_mode=True)

    @pytest.mark.parametrize(("text", "said"), [(BROKEN, "MatMul"), (CLAIMED, "declared as")])
    def test_strict_mode(self, text: str, said: str) -> None:
        model = model_of(text)
        shape_inference.infer_shapes(model)
        with pytest.raises(onnx.shape_inference.InferenceError, match=said) as caught:
            shape_inference.infer_shapes(model, strict_mode=True)
        assert isinstance(caught.value, shape_inference.InferenceError)

    def test_check_type(self) -> None:
        model = model_of(MIXED)
        with pytest.raises(shape_inference.InferenceError, match=r"tensor\(int64\)"):
            shape_inference.infer_shapes(model, check_type=True, strict_mode=True)

    def test_a_function_that_calls_itself(self) -> None:
        text = """<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
        agraph (float[N] x) => (float[N] y) { y = local.f (x) }
        <opset_import: ["" : 17, "local" : 1], domain: "local"> f (x) => (y) { y = local.g (x) }
        <opset_import: ["" : 17, "local" : 1], domain: "local"> g (x) => (y) { y = local.f (x) }"""
        with pytest.raises(onnx.checker.ValidationError, match="calls itself"):
            shape_inference.infer_shapes(model_of(text))


class TestInferShapesPath:
    def test_in_place_and_beside(self, tmp_path: Path) -> None:
        path = tmp_path / "a.onnx"
        onnx.save(model_of(SYMBOLIC), path)
        shape_inference.infer_shapes_path(path, tmp_path / "b.onnx")
        assert onnx.load(path) == model_of(SYMBOLIC)
        shape_inference.infer_shapes_path(str(path))
        assert onnx.load(path) == onnx.load(tmp_path / "b.onnx")
        assert declared(onnx.load(path))["c"] == [3, "2*N", "H"]

    def test_what_is_refused_is_not_written(self, tmp_path: Path) -> None:
        path = tmp_path / "a.onnx"
        onnx.save(model_of(BROKEN), path)
        before = path.read_bytes()
        with pytest.raises(shape_inference.InferenceError):
            shape_inference.infer_shapes_path(path, strict_mode=True)
        assert path.read_bytes() == before

    def test_a_model_is_no_path(self) -> None:
        with pytest.raises(TypeError, match="only accepts paths"):
            shape_inference.infer_shapes_path(model_of(SYMBOLIC))  # type: ignore[arg-type]


class TestRegisteredSchemas:
    """What `onnx.defs.register_schema` got is asked, through onnx; the rest of the model is inferred by us."""

    MODEL = """<ir_version: 10, opset_import: ["" : 17, "mine" : 1]>
      agraph (float[N,3] x) => (y) {
        a = Concat <axis = 0> (x, x)
        b = mine.Twice (a)
        y = Concat <axis = 0> (b, b)
      }"""

    @pytest.fixture
    def schema(self) -> Iterator[list[list[str]]]:
        """Doubles the last axis. The dims that it is asked with."""
        asked: list[list[str]] = []

        def infer(context: onnx.shape_inference.InferenceContext) -> None:
            kind = context.get_input_type(0)
            asked.append([dim.dim_param or str(dim.dim_value) for dim in kind.tensor_type.shape.dim])
            kind.tensor_type.shape.dim[-1].dim_value *= 2
            context.set_output_type(0, kind)

        parameter = onnx.defs.OpSchema.FormalParameter
        made = onnx.defs.OpSchema(
            "Twice", "mine", 1, inputs=[parameter("x", "T")], outputs=[parameter("y", "T")],
            type_constraints=[("T", ["tensor(float)"], "")],
        )  # fmt: skip
        made.set_type_and_shape_inference_function(infer)
        onnx.defs.register_schema(made)
        yield asked
        onnx.defs.deregister_schema("Twice", 1, "mine")

    @pytest.mark.parametrize("as_bytes", [False, True])
    def test_they_are_asked_with_what_is_known(self, schema: list[list[str]], as_bytes: bool) -> None:
        model = model_of(self.MODEL)
        before = model.SerializeToString()
        made = shape_inference.infer_shapes(before if as_bytes else model, check_type=True, strict_mode=True)
        assert declared(made) == {"a": ["2*N", 3], "b": ["2*N", 6], "y": ["4*N", 6]}
        assert ["2*N", "3"] in schema
        assert model.SerializeToString() == before

    def test_without_a_schema_nothing_is_known(self) -> None:
        made = shape_inference.infer_shapes(model_of(self.MODEL), strict_mode=True)
        assert declared(made) == {"a": ["2*N", 3], "y": None}


def test_infer_node_outputs() -> None:
    schema = onnx.defs.get_schema("Reshape", 19)
    node = helper.make_node("Reshape", ["x", "s"], ["y"])
    types = {
        "x": helper.make_tensor_type_proto(TensorProto.FLOAT, [2, 6]),
        "s": helper.make_tensor_type_proto(TensorProto.INT64, [2]),
    }
    data = {"s": helper.make_tensor("s", TensorProto.INT64, [2], [3, -1])}
    made = shape_inference.infer_node_outputs(schema, node, types, data)
    assert [dim.dim_value for dim in made["y"].tensor_type.shape.dim] == [3, 4]
    with pytest.raises(KeyError):
        shape_inference.infer_node_outputs(schema, node, {"x": types["x"]})


class TestSymbolicShapeInference:
    def test_all_shapes(self) -> None:
        made = shape_inference.SymbolicShapeInference.infer_shapes(model_of(SYMBOLIC), auto_merge=True, verbose=3)
        assert declared(made)["c"] == [3, "2*N", "H"]

    def test_incomplete(self, caplog: pytest.LogCaptureFixture) -> None:
        model = model_of(f"{HEADER}agraph (float[N] x, int64[K] s) => (y) {{ y = Reshape (x, s) }}")
        with pytest.raises(Exception, match="Incomplete symbolic shape inference: `y`"):
            shape_inference.symbolic_shape_infer(model)
        assert shape_inference.symbolic_shape_infer(model, guess_output_rank=True).graph.output[0].name == "y"
        with caplog.at_level(logging.WARNING):
            shape_inference.symbolic_shape_infer(model_of(CLAIMED), verbose=1)
        assert "declared as" in caplog.text
