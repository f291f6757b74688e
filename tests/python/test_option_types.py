"""What is given where something else is expected: numbers of NumPy count as numbers, the rest is one clear line."""

from __future__ import annotations

import copy
import errno
import io
import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import samples
from google.protobuf.message import EncodeError

import trtcheck

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
main (float[batch,3] x) => (float[batch,3] y) { y = Relu (x) }"""


@pytest.fixture(scope="module")
def model() -> bytes:
    return samples.serialized(MODEL)


# --- numbers of NumPy ----------------


@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        (np.int64(4), (4, 4, 4)),
        ((np.int32(1), np.uint8(4)), (1, 1, 4)),
        (np.array([1, 2, 4]), (1, 2, 4)),
        ("1..4", (1, 1, 4)),
        ("1:2:4", (1, 2, 4)),
        ([1, 4], (1, 1, 4)),
    ],
)
def test_sizes_of_dims(model: bytes, given: Any, sizes: tuple[int, ...]) -> None:
    (choice,) = trtcheck.propose_profile(model, dims={"batch": given}).choices
    assert (choice.min, choice.opt, choice.max) == sizes


@pytest.mark.parametrize(
    "given",
    [
        (np.int32(2), 3),
        np.array([2, 3]),
        [np.array([2, 3]), (np.int64(2), 3), [2, np.uint16(3)]],
        "2x3",
    ],
)
def test_sizes_of_profiles(model: bytes, given: Any) -> None:
    assert trtcheck.check(model, profile={"x": given}).target.profile == {"x": ([2, 3], [2, 3], [2, 3])}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (np.float32(8.6), "8.6"),
        (np.float64(8.6), "8.6"),
        (np.float16(7.5), "7.5"),
        (np.int64(9), "9.0"),
        (9, "9.0"),
        ((np.int8(8), 9), "8.9"),
    ],
)
def test_compute_capabilities(model: bytes, given: Any, text: str) -> None:
    assert trtcheck.check(model, compute_capability=given).target.compute_capability == text
    assert trtcheck.load_settings(config=False, compute_capability=given).target.compute_capability == text


# --- what is not expected ----------------

RELEASE = 'a TensorRT release is text: write "8.6", not 8.6; as numbers, 10.1 and 10.10 are the same'


@pytest.mark.parametrize(
    ("call", "options", "text"),
    [
        ("check", {"target": 8.6}, RELEASE),
        ("matrix", {"targets": 8.6}, RELEASE),
        ("matrix", {"targets": ["8.5", 8.6]}, RELEASE),
        ("matrix", {"targets": None}, "targets must be text or a list of texts, not NoneType"),
        ("check", {"precision": 8}, "precision must be text or a list of texts, not int"),
        ("check", {"precision": ["fp16", 8]}, "precision must hold texts, not int"),
        ("check", {"plugins": b"Mine"}, "plugins must be text or a list of texts, not bytes"),
        ("check", {"select": 3}, "select must be text or a list of texts, not int"),
        ("check", {"ignore": 3}, "ignore must be text or a list of texts, not int"),
        ("check", {"dla": 1}, "dla must be True or False, not int"),
        ("check", {"strongly_typed": "yes"}, "strongly_typed must be True or False, not str"),
        ("check", {"require_profile": None}, "require_profile must be True or False, not NoneType"),
        ("check", {"read_weights": 1}, "read_weights must be True or False, not int"),
        ("infer_shapes", {"as_tensorrt": 1}, "as_tensorrt must be True or False, not int"),
        ("check", {"compute_capability": [8]}, 'compute_capability must be "8.6", 8.6 or (8, 6), not list'),
        ("check", {"compute_capability": (8, 6.5)}, "compute_capability must be made of whole numbers, not 6.5"),
        (
            "check",
            {"ranges": {}},
            "ranges must be what trtcheck.measure_ranges returned, or a file of it, not dict",
        ),
        ("check", {"profile": 3}, "profile must be text or a list of texts, not int"),
        ("check", {"profile": {"x": 3}}, "profile of `x` must be made of whole numbers, not int"),
        ("check", {"profile": {"x": (1.0, 3)}}, "profile of `x` must be made of whole numbers, not 1.0"),
        ("check", {"profile": {"x": (True, 3)}}, "profile of `x` must be made of whole numbers, not True"),
        ("propose_profile", {"dims": {"batch": 1.0}}, "size of `batch` must be made of whole numbers, not 1.0"),
        ("propose_profile", {"dims": {"batch": ("a", 3)}}, "size of `batch` must be made of whole numbers, not a"),
        ("propose_profile", {"dims": 3}, "dims must be text or a list of texts, not int"),
    ],
)
def test_another_kind_is_a_type_error_of_one_line(model: bytes, call: str, options: Any, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        getattr(trtcheck, call)(model, **options)
    assert str(caught.value) == text


def test_text_that_makes_no_sense_is_an_error(model: bytes) -> None:
    with pytest.raises(trtcheck.Error, match=r"`batch=1\.0`: sizes are numbers from 1 to"):
        trtcheck.propose_profile(model, dims={"batch": "1.0"})
    with pytest.raises(trtcheck.Error, match=r"8\.6x"):
        trtcheck.check(model, compute_capability="8.6x")


# --- files ----------------


def test_a_missing_file_is_a_file_not_found_error(tmp_path: Path) -> None:
    for call in (trtcheck.check, trtcheck.read_model, trtcheck.read_baseline, trtcheck.read_ranges):
        with pytest.raises(FileNotFoundError) as caught:
            call(tmp_path / "none.onnx")
        error = caught.value
        assert isinstance(error, trtcheck.Error)
        assert str(error) == f"{tmp_path / 'none.onnx'}: cannot be opened: No such file or directory"
        assert (error.errno, error.filename) == (errno.ENOENT, str(tmp_path / "none.onnx"))
        for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            assert type(twin) is type(error)
            assert (str(twin), twin.path, twin.cause, twin.errno, twin.filename) == (
                str(error),
                error.path,
                error.cause,
                error.errno,
                error.filename,
            )
    with pytest.raises(trtcheck.Error) as folder:
        trtcheck.check(tmp_path)
    assert not isinstance(folder.value, FileNotFoundError)
    (back,) = trtcheck.check_many([tmp_path / "none.onnx"], errors="return")
    assert isinstance(back, FileNotFoundError)


def test_a_file_that_is_open_for_bytes(model: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(b"before" + model)
    expected = trtcheck.check(model).to_json()
    with path.open("rb") as file:
        file.seek(6)
        assert trtcheck.check(file).to_json() == expected
        assert file.tell() == 6
    assert trtcheck.check(io.BytesIO(model)).to_json() == expected
    with tempfile.SpooledTemporaryFile() as spooled:
        spooled.write(model)
        spooled.seek(0)
        assert trtcheck.check(spooled).to_json() == expected
    with path.open("rb", buffering=0) as raw:
        raw.seek(6)
        assert trtcheck.check(raw).to_json() == expected
    with path.open(encoding="latin-1") as text, pytest.raises(TypeError, match=r'open\(path, "rb"\)'):
        trtcheck.check(text)


def test_an_open_file_is_the_file_with_its_data_beside(tmp_path: Path) -> None:
    proto = samples.proto(MODEL.replace("Relu (x)", "Add (x, w)"))
    proto.graph.initializer.append(onnx.numpy_helper.from_array(np.ones(3, np.float32), "w"))
    path = tmp_path / "m.onnx"
    onnx.save(proto, path, save_as_external_data=True, location="m.data", size_threshold=0)
    with path.open("rb") as file:
        report = trtcheck.check(file)
        assert (report.path, report.to_json()) == (str(path), trtcheck.check(path).to_json())
        (tmp_path / "m.data").unlink()
        assert "MDL" in str(trtcheck.check(file))
        path.unlink()
        assert trtcheck.check(file).path == ""


@pytest.mark.parametrize(
    "error", [EncodeError("Failed to serialize proto"), ValueError("Message exceeds maximum protobuf size of 2GB")]
)
def test_a_message_that_protobuf_cannot_serialize(error: Exception) -> None:
    class Large:
        def SerializeToString(self) -> bytes:
            raise error

    Large.__name__, Large.__module__ = "ModelProto", "onnx.onnx_ml_pb2"
    with pytest.raises(trtcheck.Error) as caught:
        trtcheck.check(Large())
    assert str(caught.value) == (
        "the model cannot be serialized, which protobuf refuses above 2 GiB: write its weights to a file of their own "
        f"by `onnx.save(model, path, save_as_external_data=True)`, and pass the path ({error})"
    )
    with pytest.raises(trtcheck.Error, match="cannot be serialized"):
        trtcheck.measure_ranges(Large(), {})
