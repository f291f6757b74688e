"""Where the data of tensors goes when a model is written: it stays, is copied, becomes part of the model, moves out."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.external_data_helper
import onnx.parser
import pytest
from test_cli import find_program
from test_edit import field

import trtcheck
from trtcheck import edit

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(find_program())
PLACES: list[edit.DataPlace] = ["copied", "inlined", "external"]

# With something to repair at 8.2: axes behind Identity.
TEXT = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[2,1,N] x, bool c) => (float[2,N] y, float[N] z) <int64[1] one = {1}> {
  a = Identity (one)
  y = Squeeze (x, a)
  z = If (c) <
    then_branch = then_graph () => (float[N] t) { t = Identity (inner) },
    else_branch = else_graph () => (float[N] e) { e = Identity (inner) }
  >
}"""
BIG = np.arange(1024, dtype=np.float32)


def outside(tensor: onnx.TensorProto, location: str, offset: int | None = None, length: int | None = None) -> None:
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))


def model(folder: Path, change: Callable[[onnx.ModelProto], None] = lambda model: None) -> Path:
    """A model with data in two files, a large and a small tensor of its own, and a body that stores tensors."""
    folder.mkdir(parents=True, exist_ok=True)
    made = onnx.parser.parse_model(TEXT)
    graph = made.graph
    graph.initializer.extend(onnx.numpy_helper.from_array(BIG + i, name) for i, name in enumerate(["own", "far"]))
    graph.initializer.append(onnx.numpy_helper.from_array(BIG[:4], "small"))
    graph.initializer.extend([onnx.numpy_helper.from_array(BIG[3:8], name) for name in ("tied", "bound")])
    graph.initializer.append(onnx.numpy_helper.from_array(BIG[:0], "empty"))
    for branch in made.graph.node[2].attribute:
        branch.g.initializer.append(onnx.numpy_helper.from_array(BIG * 2, "inner"))
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data/w.bin").write_bytes(b"head" + (BIG + 1).tobytes() + b"tail")
    (folder / "t.bin").write_bytes(BIG[3:8].tobytes())
    stored = {tensor.name: tensor for tensor in graph.initializer}
    outside(stored["far"], "data/w.bin", 4, 4096)
    # Two tensors that share their bytes; one without any.
    outside(stored["tied"], "t.bin")
    outside(stored["bound"], "t.bin", 0, 20)
    outside(stored["empty"], "t.bin", 0, 0)
    change(made)
    path = folder / "net.onnx"
    path.write_bytes(made.SerializeToString())
    return path


def contents(path: Path) -> dict[str, Any]:
    """All tensors with their values, of bodies too, as onnx reads them."""
    read = onnx.load(path)
    graphs = [read.graph, *(one.g for node in read.graph.node for one in node.attribute if one.HasField("g"))]
    return {
        f"{graph.name}/{tensor.name}": onnx.numpy_helper.to_array(tensor).tolist()
        for graph in graphs
        for tensor in graph.initializer
    }


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def fix(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "fix", "--no-config", "--target", "8.2", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("folder", [".", "../elsewhere"])
def test_every_value_is_kept(place: edit.DataPlace, folder: str, tmp_path: Path) -> None:
    path = model(tmp_path / "a")
    (tmp_path / "elsewhere").mkdir()
    output = tmp_path / "a" / folder / "out.onnx"
    edit.apply(path, [edit.RenameNode(edit.NodeAt(0), "changed")], output, data=place)
    assert contents(output) == contents(path)
    bare = onnx.load(output, load_external_data=False)
    assert bare.graph.node[0].name == "changed"
    where = {tensor.name: tensor.data_location for tensor in bare.graph.initializer}
    inner = bare.graph.node[2].attribute[0].g.initializer[0].data_location
    assert [name for name, at in where.items() if at] == {
        "copied": ["far", "tied", "bound", "empty"],
        "inlined": [],
        "external": ["own", "far", "tied", "bound", "empty"],
    }[place]
    assert inner == (place == "external")
    names = {"out.onnx"} if place == "inlined" else {"out.onnx", "out.onnx.data"}
    assert files(output.parent) - {"net.onnx", "data", "t.bin"} == names
    onnx.checker.check_model(output)
    assert not [finding for finding in trtcheck.check(output) if finding.code.startswith("MDL3")]


def test_shared_bytes_stay_shared_and_large_ones_begin_with_a_page(tmp_path: Path) -> None:
    path = model(tmp_path)
    edit.apply(path, [], tmp_path / "out.onnx", data="copied")
    bare = onnx.load(tmp_path / "out.onnx", load_external_data=False)
    offsets = {
        tensor.name: int({pair.key: pair.value for pair in tensor.external_data}["offset"])
        for tensor in bare.graph.initializer
        if tensor.data_location
    }
    assert offsets["tied"] == offsets["bound"]
    assert all(offset % 64 == 0 for offset in offsets.values())
    assert (tmp_path / "out.onnx.data").stat().st_size < 4096 + 64 + 20


def test_tensors_that_edits_brought_are_moved_too(tmp_path: Path) -> None:
    path = model(tmp_path)
    edits: list[edit.Edit] = [
        edit.PutTensor("new", edit.TensorValue(onnx.TensorProto.FLOAT, [1024], BIG.tobytes())),
        edit.CopyTensor(edit.MAIN, "far", edit.MAIN, "copy"),
    ]
    edit.apply(path, edits, tmp_path / "out.onnx", data="external")
    bare = onnx.load(tmp_path / "out.onnx", load_external_data=False)
    where = {tensor.name: tensor.data_location for tensor in bare.graph.initializer}
    assert where["new"] == where["copy"] == onnx.TensorProto.EXTERNAL
    assert contents(tmp_path / "out.onnx")["agraph/copy"] == (BIG + 1).tolist()


def test_a_copy_of_an_external_tensor_is_found_in_another_folder(tmp_path: Path) -> None:
    path = model(tmp_path / "a")
    edit.apply(path, [edit.CopyTensor(edit.MAIN, "far", edit.MAIN, "copy")], tmp_path / "out.onnx")
    assert contents(tmp_path / "out.onnx")["agraph/copy"] == (BIG + 1).tolist()


def test_in_and_out_again(tmp_path: Path) -> None:
    path = model(tmp_path)
    edit.apply(path, [], tmp_path / "in.onnx", data="inlined")
    edit.apply(tmp_path / "in.onnx", [], tmp_path / "out.onnx", data="external")
    edit.apply(tmp_path / "out.onnx", [], tmp_path / "again.onnx", data="inlined")
    assert contents(tmp_path / "again.onnx") == contents(path)
    # onnx does the same with what we moved out.
    theirs = onnx.load(tmp_path / "out.onnx")
    onnx.save(theirs, tmp_path / "theirs.onnx")
    assert onnx.load(tmp_path / "again.onnx").graph.initializer[4] == theirs.graph.initializer[4]


MISSING = {
    "missing": (lambda made: outside_again(made, "gone.bin", 0, 20), "external data `gone.bin` of `tied` cannot be "),
    "too short": (lambda made: outside_again(made, "t.bin", 8, 20), "it has 20 bytes, 20 from byte 8 on are asked"),
    "outside": (lambda made: outside_again(made, "../t.bin", 0, 20), "`../t.bin` of `tied` cannot be copied"),
    "a folder": (lambda made: outside_again(made, "data", 0, 20), "is a directory"),
    "no number": (lambda made: outside_again(made, "t.bin", "x", 20), "offset is `x`, no count of bytes"),
    "no length": (lambda made: no_bytes(made), "nobody knows how many bytes it has"),
    "no location": (lambda made: outside_again(made, None, 0, 20), "has no location"),
}


def outside_again(made: onnx.ModelProto, location: str | None, offset: Any, length: int) -> None:
    tensor = next(tensor for tensor in made.graph.initializer if tensor.name == "tied")
    del tensor.external_data[:]
    if location is not None:
        tensor.external_data.add(key="location", value=location)
    tensor.external_data.add(key="offset", value=str(offset))
    tensor.external_data.add(key="length", value=str(length))


def no_bytes(made: onnx.ModelProto) -> None:
    outside_again(made, "t.bin", 20, 0)
    tensor = next(tensor for tensor in made.graph.initializer if tensor.name == "tied")
    tensor.data_type = 99
    del tensor.external_data[2]


@pytest.mark.parametrize("what", MISSING)
@pytest.mark.parametrize("option", ["--copy-data", "--inline-data", "--external-data"])
def test_data_that_cannot_be_copied_is_one_line(what: str, option: str, tmp_path: Path) -> None:
    change, cause = MISSING[what]
    model(tmp_path / "a", change)
    names = files(tmp_path / "a")
    done = fix("net.onnx", option, "-o", "out.onnx", cwd=tmp_path / "a")
    assert done.returncode == 2
    assert cause in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert files(tmp_path / "a") == names


def test_tensors_of_attributes_and_of_parts_that_nobody_reads(tmp_path: Path) -> None:
    """Those that are large stay where they are, those that are in another file move."""

    def enlarge(made: onnx.ModelProto) -> None:
        own, far = (onnx.numpy_helper.from_array(BIG + i) for i in (2, 1))
        outside(far, "data/w.bin", 4, 4096)
        for name, tensor in (("large", own), ("distant", far)):
            made.graph.node.append(onnx.helper.make_node("Constant", [], [name], value=tensor))
        indices = onnx.numpy_helper.from_array(np.arange(1024), "indices")
        far.name = "sparse"
        made.graph.sparse_initializer.append(onnx.helper.make_sparse_tensor(far, indices, [2048]))
        made.training_info.add().algorithm.initializer.append(far)

    path = model(tmp_path, enlarge)
    for place in PLACES:
        edit.apply(path, [], tmp_path / f"{place}.onnx", data=place)
        bare = onnx.load(tmp_path / f"{place}.onnx", load_external_data=False)
        large, distant = (node.attribute[0].t for node in bare.graph.node[-2:])
        assert large.raw_data == (BIG + 2).tobytes()
        sparse = bare.graph.sparse_initializer[0]
        assert sparse.indices.raw_data == np.arange(1024).tobytes()
        for tensor in (distant, sparse.values, bare.training_info[0].algorithm.initializer[0]):
            assert tensor.data_location == (place != "inlined")
            if tensor.data_location:
                onnx.external_data_helper.load_external_data_for_tensor(tensor, str(tmp_path))
            assert tensor.raw_data == (BIG + 1).tobytes()


def test_dims_that_protobuf_does_not_know(tmp_path: Path) -> None:
    """A field of another wire type is an unknown one, whatever its number."""

    def extend(made: onnx.ModelProto) -> None:
        tied = next(tensor for tensor in made.graph.initializer if tensor.name == "tied")
        tied.MergeFromString(b"\x0d\x01\x00\x00\xff")
        assert tied.dims == [5]

    path = model(tmp_path, extend)
    assert b"\x0d\x01\x00\x00\xff" in path.read_bytes()
    edit.apply(path, [], tmp_path / "out.onnx", data="inlined")
    assert contents(tmp_path / "out.onnx") == contents(path)


def test_dims_as_a_packed_list(tmp_path: Path) -> None:
    """Without a length the dims say how many bytes there are."""
    path = model(tmp_path)
    tensor = b"\x0a\x02\x05\x01\x10\x01" + field(8, b"packed") + field(13, field(1, b"location") + field(2, b"t.bin"))
    path.write_bytes(path.read_bytes() + field(7, field(5, tensor + b"\x70\x01")))
    assert contents(path)["agraph/packed"] == [[number] for number in BIG[3:8].tolist()]
    edit.apply(path, [], tmp_path / "out.onnx", data="inlined")
    assert contents(tmp_path / "out.onnx") == contents(path)


def test_a_file_that_is_written_to_while_it_is_copied(tmp_path: Path) -> None:
    def enlarge(made: onnx.ModelProto) -> None:
        far = next(tensor for tensor in made.graph.initializer if tensor.name == "far")
        far.dims[0] = 1 << 26
        far.external_data[1].value, far.external_data[2].value = "0", str(1 << 28)

    path = model(tmp_path, enlarge)
    data = tmp_path / "data/w.bin"
    os.truncate(data, 1 << 28)
    is_done = threading.Event()

    def touch() -> None:
        while not is_done.is_set():
            os.utime(data, ns=(time.time_ns(), time.time_ns()))

    writer = threading.Thread(target=touch)
    writer.start()
    with pytest.raises(trtcheck.Error, match=r"data/w\.bin: was written to while it was copied"):
        edit.apply(path, [], tmp_path / "out.onnx", data="copied")
    is_done.set()
    writer.join()
    assert files(tmp_path) == {"net.onnx", "data", "t.bin"}


def test_a_location_that_nobody_reads_stays(tmp_path: Path) -> None:
    def leave(made: onnx.ModelProto) -> None:
        far = next(tensor for tensor in made.graph.initializer if tensor.name == "far")
        far.external_data[0].value = "../w.bin"

    path = model(tmp_path / "a", leave)
    edit.apply(path, [], tmp_path / "out.onnx")
    stored = onnx.load(tmp_path / "out.onnx", load_external_data=False).graph.initializer
    places = {tensor.name: tensor.external_data[0].value for tensor in stored if tensor.external_data}
    assert (places["far"], places["tied"]) == ("../w.bin", "a/t.bin")


class TestTheProgram:
    @pytest.mark.parametrize("place", ["copy", "inline", "external"])
    def test_a_repaired_model(self, place: str, tmp_path: Path) -> None:
        path = model(tmp_path / "a")
        (tmp_path / "b").mkdir()
        done = fix(path, f"--{place}-data", "-o", tmp_path / "b/out.onnx", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        expected = {name: value for name, value in contents(path).items() if name != "agraph/one"}
        made = contents(tmp_path / "b/out.onnx")
        assert {name: made[name] for name in expected} == expected
        assert trtcheck.check(tmp_path / "b/out.onnx", target="8.2").verdict == "clean"

    def test_what_is_asked_for_is_written_though_nothing_is_broken(self, tmp_path: Path) -> None:
        path = model(tmp_path)
        done = fix("net.onnx", "--inline-data", "--cure", "graph-sorted", "-o", "out.onnx", cwd=tmp_path)
        assert "0 repairs" in done.stdout
        assert done.stdout.endswith("written to out.onnx\n")
        assert contents(tmp_path / "out.onnx") == contents(path)

    def test_without_it_a_line_says_what_to_do(self, tmp_path: Path) -> None:
        path = model(tmp_path / "a")
        (tmp_path / "b").mkdir()
        done = fix(path, "-o", tmp_path / "b/out.onnx", cwd=tmp_path)
        assert done.returncode == 2
        assert "copy it too (--copy-data), or write the model next to its data" in done.stderr

    def test_a_data_file_that_is_there_stays(self, tmp_path: Path) -> None:
        model(tmp_path)
        (tmp_path / "out.onnx.data").write_bytes(b"of another model")
        done = fix("net.onnx", "--copy-data", "-o", "out.onnx", cwd=tmp_path)
        assert done.returncode == 2
        assert "out.onnx.data: cannot write: it is there already" in done.stderr
        assert (tmp_path / "out.onnx.data").read_bytes() == b"of another model"
        assert not (tmp_path / "out.onnx").exists()

    @pytest.mark.parametrize(
        ("words", "cause"),
        [
            (["--copy-data", "--inline-data"], "one of --copy-data, --inline-data and --external-data at a time"),
            (["--copy-data", "--in-place"], "not with --in-place, --list, --diff or --cures"),
            (["--external-data", "--list"], "not with --in-place, --list, --diff or --cures"),
        ],
    )
    def test_options_that_make_no_sense(self, words: list[str], cause: str, tmp_path: Path) -> None:
        model(tmp_path)
        done = fix("net.onnx", *words, cwd=tmp_path)
        assert done.returncode == 2
        assert cause in done.stderr

    def test_too_large_for_one_file(self, tmp_path: Path) -> None:
        def enlarge(made: onnx.ModelProto) -> None:
            far = next(tensor for tensor in made.graph.initializer if tensor.name == "far")
            far.dims[0] = 1 << 29
            far.external_data[1].value, far.external_data[2].value = "0", str(1 << 31)

        model(tmp_path, enlarge)
        os.truncate(tmp_path / "data/w.bin", 1 << 31)
        names = files(tmp_path)
        done = fix("net.onnx", "--inline-data", "-o", "out.onnx", cwd=tmp_path)
        assert done.returncode == 2
        assert "ONNX reads files below 2 GB; move large tensors out (--external-data)" in done.stderr
        assert files(tmp_path) == names


class TestPython:
    @pytest.mark.parametrize("place", PLACES)
    def test_bytes_with_a_folder(self, place: edit.DataPlace, tmp_path: Path) -> None:
        path = model(tmp_path / "a")
        fixed = trtcheck.fix(path.read_bytes(), target="8.2", base_dir=tmp_path / "a")
        assert fixed.write(tmp_path / "out.onnx", data=place).verdict == "clean"
        assert contents(tmp_path / "out.onnx")["agraph/far"] == (BIG + 1).tolist()

    def test_a_word_that_is_none(self, tmp_path: Path) -> None:
        path = model(tmp_path)
        with pytest.raises(trtcheck.Error, match="`inline` is no place for data, did you mean `inlined`"):
            edit.apply(path, [], tmp_path / "out.onnx", data="inline")  # type: ignore[arg-type]
        with pytest.raises(trtcheck.Error, match="is no place for data"):
            trtcheck.fix(path, target="8.2").write(tmp_path / "out.onnx", data="")  # type: ignore[arg-type]


def test_large_data_does_not_pass_through_memory(tmp_path: Path) -> None:
    """4 GB that are a hole, and 1 GB of it copied by the system."""

    def enlarge(made: onnx.ModelProto) -> None:
        far = next(tensor for tensor in made.graph.initializer if tensor.name == "far")
        far.dims[0] = 1 << 28
        far.external_data[1].value, far.external_data[2].value = "0", str(1 << 30)

    path = model(tmp_path, enlarge)
    os.truncate(tmp_path / "data/w.bin", 1 << 30)
    code = (
        "import resource, trtcheck.edit as e; before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; "
        f"e.apply({str(path)!r}, [], {str(tmp_path / 'out.onnx')!r}, data='copied'); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 60_000
    assert (tmp_path / "out.onnx.data").stat().st_size > 1 << 30
