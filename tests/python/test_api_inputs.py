"""What may be given to check, infer_shapes and read_model."""

from __future__ import annotations

import array
import gc
import mmap
import os
import weakref
from pathlib import Path

import numpy as np
import onnx
import onnx.external_data_helper
import onnx.numpy_helper
import onnx_ir
import pytest
import samples

import trtcheck

BYTES = samples.serialized(samples.REFUSED)
EXPECTED = trtcheck.check(BYTES)


@pytest.mark.parametrize(
    "model",
    [
        BYTES,
        bytearray(BYTES),
        memoryview(BYTES),
        memoryview(b"?" + BYTES + b"?")[1:-1],
        array.array("B", BYTES),
        np.frombuffer(BYTES, np.uint8),
        samples.proto(samples.REFUSED),
        onnx_ir.from_proto(samples.proto(samples.REFUSED)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_models_in_memory(model: object) -> None:
    assert trtcheck.check(model).to_json() == EXPECTED.to_json()
    assert trtcheck.read_model(model).graph.nodes[1].op_type == "Foo"
    assert str(trtcheck.infer_shapes(model)["a"]) == "FLOAT[N,3]"


def test_paths(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(BYTES)
    for given in (path, str(path)):
        report = trtcheck.check(given)
        assert report.path == str(path)
        assert [f.code for f in report] == [f.code for f in EXPECTED]
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert trtcheck.check(mapped).to_json() == EXPECTED.to_json()


def test_a_path_need_not_be_utf8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.onnx")
    path.write_bytes(BYTES)
    report = trtcheck.check(path)
    assert report.path.endswith("caf\\xe9.onnx")
    assert "caf" in str(report)
    assert "caf" in report.to_json()


def test_a_model_is_read_once() -> None:
    model = trtcheck.read_model(BYTES)
    assert trtcheck.read_model(model) is model
    assert trtcheck.check(model).to_json() == EXPECTED.to_json()
    assert trtcheck.infer_shapes(model).model.graph == model.graph


def test_external_data_is_not_loaded(tmp_path: Path) -> None:
    model = samples.proto("""<ir_version: 8, opset_import: ["" : 17]>
main (float[N,4] x) => (float[N,4] y) <float[4] w = {1, 2, 3, 4}> { y = Add (x, w) }""")
    weight = model.graph.initializer[0]
    weight.raw_data = onnx.numpy_helper.to_array(weight).tobytes()
    del weight.float_data[:]
    onnx.external_data_helper.set_external_data(weight, "w.bin", 0, 16)
    weight.ClearField("raw_data")
    (tmp_path / "w.bin").write_bytes(bytes(16))
    with_folder = trtcheck.read_model(model, base_dir=tmp_path)
    assert with_folder.base_dir == str(tmp_path)
    (tensor,) = with_folder.graph.initializers
    assert (tensor.data, tensor.external["location"]) == (trtcheck.TensorData.EXTERNAL, "w.bin")
    assert trtcheck.check(model, base_dir=tmp_path).ok

    onnx.save(model, tmp_path / "model.onnx")
    lazy = onnx_ir.load(tmp_path / "model.onnx")
    (tmp_path / "w.bin").unlink()
    assert trtcheck.read_model(lazy).base_dir == str(tmp_path)


def test_a_large_onnx_ir_model_goes_through_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    model = samples.proto(f"""<ir_version: 8, opset_import: ["" : 17]>
main (float[N,1024] x) => (float[N,1024] y) <float[1024] w = {{{", ".join(["1"] * 1024)}}}> {{ y = Add (x, w) }}""")
    monkeypatch.setattr(trtcheck._inputs, "_LARGEST_MESSAGE", 100)
    report = trtcheck.check(onnx_ir.from_proto(model))
    assert (report.verdict, report.path) == ("clean", "")
    assert str(trtcheck.infer_shapes(onnx_ir.from_proto(model))["y"]) == "FLOAT[N,1024]"


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (None, "not NoneType"),
        (5, "not int"),
        ([BYTES], "not list"),
        (onnx.GraphProto(), "not GraphProto"),
    ],
)
def test_other_things_are_a_type_error(model: object, text: str) -> None:
    for function in (trtcheck.check, trtcheck.read_model, trtcheck.infer_shapes):
        with pytest.raises(TypeError, match=text):
            function(model)


def test_a_strided_buffer_is_refused_by_python() -> None:
    with pytest.raises(BufferError):
        trtcheck.check(memoryview(BYTES)[::2])


@pytest.mark.parametrize(
    "content", [b"", b"hello, world", BYTES[:-3], b"\xff" * 64], ids=["empty", "text", "cut", "noise"]
)
def test_bad_bytes_are_one_clear_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.onnx"
    path.write_bytes(content)
    with pytest.raises(trtcheck.Error) as from_memory:
        trtcheck.check(content)
    with pytest.raises(trtcheck.Error) as from_file:
        trtcheck.check(path)
    assert from_file.value.path == str(path)
    assert str(from_file.value).startswith(f"{path}: {from_file.value.cause}")
    for caught in (from_memory, from_file):
        assert "\n" not in str(caught.value)
        assert caught.value.offset is None or 0 <= caught.value.offset <= len(content)


def test_a_folder_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.onnx"):
        with pytest.raises(trtcheck.Error, match=str(path)):
            trtcheck.check(path)


def test_views_keep_the_bytes_alive() -> None:
    class Tracked(bytearray):
        pass

    content = Tracked(samples.serialized(samples.RICH))
    alive = weakref.ref(content)
    shape = trtcheck.infer_shapes(content)["y"]
    node = trtcheck.read_model(content).graph.nodes[0]
    attribute = node.attributes["kernel_shape"]
    del content, node
    gc.collect()
    assert alive() is not None
    assert attribute.value == [2, 2]
    assert shape.dims is not None
    assert str(shape.dims[2]) != ""
    del attribute, shape
    gc.collect()
    assert alive() is None


def test_a_borrowed_bytearray_cannot_be_resized_meanwhile() -> None:
    content = bytearray(BYTES)
    model = trtcheck.read_model(content)
    with pytest.raises(BufferError):
        content.append(0)
    del model
    content.append(0)
