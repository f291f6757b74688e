"""Constants in files beside the model, and files that change while they are read."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import onnx.parser
import pytest
import samples
from onnx.external_data_helper import convert_model_to_external_data

import trtcheck

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/models"

# The shape stands in a constant, the sizes of Resize in another, a table of numbers behind a Constant node.
SHAPES = """<ir_version: 8, opset_import: ["" : 17]>
main (float[N,8,4,4] x) => (float[N,A,B,C,D] y)
<int64[5] shape = {0, 2, 4, 4, 4}, int64[4] back = {0, 8, 4, 4}, float[4] scales = {1, 1, 2, 2},
 float[8,4,1,1] w = {0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}> {
  a = Reshape (x, shape)
  perm = Transpose <perm = [0, 2, 1, 3, 4]> (a)
  b = Reshape (perm, back)
  c = Conv <group = 2, kernel_shape = [1, 1]> (b, w)
  d = Resize (c, , scales)
  tail = Constant <value = int64[5] {0, 4, 2, 8, 8}> ()
  y = Reshape (d, tail)
}"""


def tensors_of(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                yield from tensors_of(body)


def twin(model: onnx.ModelProto, folder: Path) -> Path:
    """The model with everything that is a tensor in `w.bin`."""
    path = folder / "twin.onnx"
    model = onnx.ModelProto.FromString(model.SerializeToString())
    for tensor in tensors_of(model.graph):  # onnx moves raw data only
        tensor.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor), tensor.name))
    onnx.save(
        model,
        path,
        save_as_external_data=True,
        location="w.bin",
        size_threshold=0,
        convert_attribute=True,
    )
    return path


def answers(report: trtcheck.Report) -> list[tuple[str, str, str, str, list[str]]]:
    return [(f.severity, f.code, f.message, f.fingerprint, [n.message for n in f.notes]) for f in report.findings]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.onnx")), ids=lambda path: path.stem)
@pytest.mark.parametrize("target", ["8.6", "10.3", None])
def test_examples_and_their_twins_give_the_same_answers(path: Path, target: str | None, tmp_path: Path) -> None:
    model = onnx.load(path)
    outside = twin(model, tmp_path)
    assert (tmp_path / "w.bin").stat().st_size > 0
    expected = trtcheck.check(path, target=target)
    assert answers(trtcheck.check(outside, target=target)) == answers(expected)
    memory = outside.read_bytes()
    assert answers(trtcheck.check(memory, base_dir=tmp_path, target=target)) == answers(expected)
    assert str(trtcheck.infer_shapes(outside)) == str(trtcheck.infer_shapes(path))


def test_a_healthy_model_is_clean_with_its_constants_outside(tmp_path: Path) -> None:
    model = samples.proto(SHAPES)
    outside = twin(model, tmp_path)
    for target in ("8.6", "10.3", None):
        assert trtcheck.check(model, target=target).verdict == trtcheck.check(outside, target=target).verdict
        assert not trtcheck.check(outside, target=target).findings
    difference = trtcheck.diff(model, outside, base_dir=tmp_path)
    assert not difference.gone and not difference.interface


def test_what_is_refused_stays_refused(tmp_path: Path) -> None:
    model = samples.proto(SHAPES.replace("back = {0, 8, 4, 4}", "back = {0, 7, 4, 4}"))
    report = trtcheck.check(twin(model, tmp_path))
    assert report.verdict == "refused"
    assert answers(report) == answers(trtcheck.check(model))


@pytest.mark.parametrize("harm", ["no folder", "missing", "cut", "outside", "a folder", "a pipe", "unreadable"])
def test_what_could_not_be_read_is_said_and_the_model_is_not_clean(harm: str, tmp_path: Path) -> None:
    path = twin(samples.proto(SHAPES), tmp_path)
    data = tmp_path / "w.bin"
    model: object = path
    if harm == "no folder":
        model = path.read_bytes()
    elif harm == "cut":
        os.truncate(data, 10)
    elif harm == "unreadable":
        if os.geteuid() == 0:
            pytest.skip("root reads everything")
        data.chmod(0)
    else:
        data.unlink()
        if harm == "outside":
            data.symlink_to("/etc/hostname")
        if harm == "a folder":
            data.mkdir()
        if harm == "a pipe":
            os.mkfifo(data)
    report = trtcheck.check(model, target="10.3")
    assert report.verdict != "clean"
    unread = next(f for f in report.findings if f.code == "MDL204")
    assert unread.message.startswith("not known: constants in `w.bin` could not be read (")
    for finding in report.findings:
        if finding.code == "WGT101":
            assert finding.severity == "warning"
            assert any(note.message == unread.message for note in finding.notes)
    dim = trtcheck.infer_shapes(model)["a"].dims[1]
    assert [f"not known: {reason}" for reason in dim.reasons] == [unread.message]


def test_a_file_that_comes_later_is_found_by_the_same_model(tmp_path: Path) -> None:
    path = twin(samples.proto(SHAPES), tmp_path)
    (tmp_path / "w.bin").rename(tmp_path / "away")
    model = trtcheck.read_model(path)
    assert trtcheck.check(model).verdict != "clean"
    (tmp_path / "away").rename(tmp_path / "w.bin")
    assert trtcheck.check(model).verdict == "clean"


def test_ten_thousand_files_are_opened_one_after_the_other(tmp_path: Path) -> None:
    """More than there may be file descriptors."""
    count = 10_000
    for i in range(count):
        (tmp_path / f"{i}.bin").write_bytes(np.array([0, -1], np.int64).tobytes())
    names = [f"s{i}" for i in range(count)]
    nodes = [onnx.helper.make_node("Reshape", [f"v{i}" if i else "x", names[i]], [f"v{i + 1}"]) for i in range(count)]
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [4, 4])
    y = onnx.helper.make_tensor_value_info(f"v{count}", onnx.TensorProto.FLOAT, [4, 4])
    tensors = [onnx.numpy_helper.from_array(np.array([0, -1]), name) for name in names]
    graph = onnx.helper.make_graph(nodes, "g", [x], [y], tensors)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    convert_model_to_external_data(model, all_tensors_to_one_file=False, size_threshold=0)
    for i, tensor in enumerate(model.graph.initializer):
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        next(entry for entry in tensor.external_data if entry.key == "location").value = f"{i}.bin"
    before = len(list(Path("/proc/self/fd").iterdir()))
    start = time.perf_counter()
    report = trtcheck.check(model.SerializeToString(), base_dir=tmp_path)
    assert report.verdict == "clean", str(report)[:2000]
    assert time.perf_counter() - start < 20
    assert len(list(Path("/proc/self/fd").iterdir())) == before


# --- files that are cut ----------------


def weighty(path: Path) -> Path:
    """Half a megabyte of weights in front of a scale that a rule asks for."""
    model = onnx.load(EXAMPLES / "case2_deconvolution.onnx")
    for i in range(3):
        model.graph.initializer.insert(0, onnx.numpy_helper.from_array(np.ones((600, 600), np.float32), f"extra{i}"))
    onnx.save(model, path)
    return path


def test_a_model_does_not_need_its_file_any_more_once_it_was_read(tmp_path: Path) -> None:
    path = weighty(tmp_path / "m.onnx")
    expected = answers(trtcheck.check(path))
    model = trtcheck.read_model(path)
    os.truncate(path, 0)
    assert answers(trtcheck.check(model)) == expected
    assert trtcheck.infer_shapes(model) is not None
    assert expected


RACE = """
import os, sys, threading
import trtcheck

path = sys.argv[1]
content = open(path, "rb").read()
stop = threading.Event()


def cut() -> None:
    while not stop.is_set():
        os.truncate(path, 5000)
        with open(path, "r+b") as file:
            file.write(content)


writer = threading.Thread(target=cut)
writer.start()
outcomes = {"fine": 0, "error": 0}
for call in [trtcheck.read_model, trtcheck.check, trtcheck.infer_shapes] * 70:
    try:
        call(path)
        outcomes["fine"] += 1
    except trtcheck.Error as error:
        assert str(error).startswith(path) and "\\n" not in str(error), error
        outcomes["error"] += 1
for found in trtcheck.check_many([path] * 50, errors="return"):
    outcomes["error" if isinstance(found, Exception) else "fine"] += 1
stop.set()
writer.join()
print(sum(outcomes.values()))
"""


def test_a_file_that_is_cut_and_restored_all_the_time(tmp_path: Path) -> None:
    path = weighty(tmp_path / "m.onnx")
    run = subprocess.run([sys.executable, "-c", RACE, path], capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "260\n"


def test_a_data_file_that_is_cut_and_restored_all_the_time(tmp_path: Path) -> None:
    path = twin(samples.proto(SHAPES), tmp_path)
    data = tmp_path / "w.bin"
    content = data.read_bytes()
    stop = threading.Event()

    def cut() -> None:
        while not stop.is_set():
            os.truncate(data, 7)
            data.write_bytes(content)

    writer = threading.Thread(target=cut)
    writer.start()
    try:
        verdicts = {trtcheck.check(path).verdict for _ in range(200)}
    finally:
        stop.set()
        writer.join()
    assert verdicts <= {"clean", "uncertain", "refused"}
