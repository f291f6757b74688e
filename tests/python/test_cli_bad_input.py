"""Files that are no models, and places that cannot be written: one clear line, exit code 2, nothing overwritten."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import onnx
import onnx.helper
import onnx.parser
import pytest
from test_cli import CLEAN, PROGRAM, REFUSED, one_line, run, write


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    return write(tmp_path / "clean.onnx", CLEAN)


def judged(*paths: Path) -> dict[str, str]:
    """Each path with its verdict or with the cause of not having one; never a crash, never a line too many."""
    result = run("check", "--output-format", "json", *paths)
    assert result.returncode in {0, 1, 2}, result
    verdicts = {m["path"]: m["verdict"] for m in json.loads(result.stdout)["models"]}
    for line in result.stderr.splitlines():
        path, _, cause = line.removeprefix("trtcheck: ").partition(": ")
        assert cause and path not in verdicts, line
        verdicts[path] = cause
    assert set(verdicts) == set(map(str, paths))
    return verdicts


def test_what_is_no_model_is_one_line_with_file_and_cause(tmp_path: Path) -> None:
    (tmp_path / "empty.onnx").write_bytes(b"")
    (tmp_path / "text.onnx").write_text("this is no model\n" * 20)
    (tmp_path / "html.onnx").write_text("<!DOCTYPE html><html><body>404</body></html>")
    (tmp_path / "zeros.onnx").write_bytes(b"\0" * 4096)
    (tmp_path / "pickle.onnx").write_bytes(b"PK\x03\x04" + b"archive/data.pkl" * 20)
    (tmp_path / "folder.onnx").mkdir()
    (tmp_path / "loop.onnx").symlink_to(tmp_path / "loop.onnx")
    (tmp_path / "dangling.onnx").symlink_to(tmp_path / "nowhere")
    tensor = onnx.helper.make_tensor("t", onnx.TensorProto.FLOAT, [2], [1.0, 2.0])
    (tmp_path / "tensor.onnx").write_bytes(tensor.SerializeToString())
    names = ["empty", "text", "html", "zeros", "pickle", "folder", "loop", "dangling", "tensor", "missing"]
    for name in names:
        path = tmp_path / f"{name}.onnx"
        line = one_line(run(path))
        assert line.startswith(f"{path}: "), line
        assert len(line) - len(f"{path}: ") > 8, line
    assert "empty" in one_line(run(tmp_path / "empty.onnx")).removeprefix(str(tmp_path / "empty.onnx"))
    assert "no model" in one_line(run(tmp_path / "folder.onnx"))
    assert "no such file" in one_line(run(tmp_path / "missing.onnx")).lower()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(50), "a PNG image"),
        (b"\xff\xd8\xff\xe0" + bytes(50), "a JPEG image"),
        (b"PK\x03\x04" + bytes(26) + b"model/data.pkl", "a PyTorch file (.pt)"),
        (b"PK\x03\x04" + bytes(26) + b"config.json", "a Keras model (.keras)"),
        (b"PK\x03\x04" + bytes(26) + b"x.npy", "an archive of NumPy arrays (.npz)"),
        (b"PK\x03\x04" + bytes(26) + b"x", "a ZIP archive"),
        (b"\x80\x02}q\0.", "a Python pickle"),
        (b"\x89HDF\r\n\x1a\n" + bytes(50), "an HDF5 file (a Keras model, perhaps)"),
        (b"\x1c\0\0\0TFL3" + bytes(50), "a TensorFlow Lite model"),
        (b"ftrt" + bytes(50), "a TensorRT engine"),
        (b"\x1f\x8b\x08\0" + bytes(50), "a gzip archive"),
        (b"m.onnx".ljust(257, b"\0") + b"ustar\x0000" + bytes(300), "a tar archive"),
        (b'\x10\0\0\0\0\0\0\0{"w":{}}', "a safetensors file"),
        (b'{"weights": "8"}', "a JSON file"),
        (b'{"irVersion": "8"}', "a text form of one: it is read from a file named .onnxtxt, .textproto or .json"),
        (b"\xef\xbb\xbf<!doctype HTML><html>", "an HTML page"),
        (b'<?xml version="1.0"?><net name="x">', "an XML file (an OpenVINO model, perhaps)"),
        (b"this is no model\n", "a text file"),
        (b"%PDF-1.7\n\xe2\xe3", "a PDF document"),
    ],
)
def test_another_format_is_named(tmp_path: Path, content: bytes, kind: str) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    assert one_line(run(path)).startswith(f"{path}: not an ONNX model but {kind}")


def test_odd_paths(tmp_path: Path, clean: Path) -> None:
    for path in (clean / "x.onnx", tmp_path / ("n" * 300 + ".onnx"), Path("/dev/null")):
        assert str(path) in one_line(run(path))
    assert one_line(run(""))
    odd = write(tmp_path / "name with \x1b[31m escape.onnx", CLEAN)
    result = run(odd)
    assert result.returncode == 0 and "\x1b" not in result.stdout
    missing = one_line(run(tmp_path / "line\nbreak\x1b.onnx"))
    assert "\x1b" not in missing and "\\n" in missing


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(clean: Path) -> None:
    clean.chmod(0)
    assert "permission" in one_line(run(clean)).lower()


def test_a_model_cut_at_every_byte(tmp_path: Path) -> None:
    data = write(tmp_path / "whole.onnx", REFUSED).read_bytes()
    cuts = []
    for length in range(len(data)):
        path = tmp_path / f"cut{length}.onnx"
        path.write_bytes(data[:length])
        cuts.append(path)
    verdicts = judged(*cuts)
    assert sum(v not in {"clean", "uncertain", "refused"} for v in verdicts.values()) > len(cuts) / 2


def test_random_bytes_and_random_changes(tmp_path: Path) -> None:
    seed = int(os.environ.get("TRTCHECK_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"TRTCHECK_SEED={seed}")
    source = random.Random(seed)
    data = write(tmp_path / "whole.onnx", REFUSED).read_bytes()
    paths = []
    for i in range(400):
        if i % 2:
            mutated = bytearray(data)
            for _ in range(source.randrange(1, 6)):
                mutated[source.randrange(len(mutated))] = source.randrange(256)
            content = bytes(mutated)
        else:
            content = source.randbytes(source.randrange(1, 300))
        path = tmp_path / f"random{i}.onnx"
        path.write_bytes(content)
        paths.append(path)
    judged(*paths)


def varint(number: int) -> bytes:
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number: int, content: bytes) -> bytes:
    """A length-delimited field of a protobuf message."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def nested_ifs(depth: int) -> bytes:
    """A model with branches in branches: protobuf itself refuses to write more than about 30 of them."""
    boolean = onnx.helper.make_tensor_type_proto(onnx.TensorProto.BOOL, [])

    def branch(node: bytes, out: str) -> bytes:
        return (
            field(1, node)
            + field(2, out.encode())
            + field(12, onnx.helper.make_value_info(out, boolean).SerializeToString())
        )

    def attribute(name: bytes, graph: bytes) -> bytes:
        return field(1, name) + field(6, graph) + varint(20 << 3) + varint(onnx.AttributeProto.GRAPH)

    other = branch(onnx.helper.make_node("Not", ["c"], ["e"]).SerializeToString(), "e")
    node, out = onnx.helper.make_node("Identity", ["c"], ["leaf"]).SerializeToString(), "leaf"
    for level in range(depth):
        branches = field(5, attribute(b"then_branch", branch(node, out))) + field(5, attribute(b"else_branch", other))
        out = f"y{level}"
        node = field(1, b"c") + field(2, out.encode()) + field(4, b"If") + branches
    graph = branch(node, out) + field(11, onnx.helper.make_value_info("c", boolean).SerializeToString())
    opset = onnx.helper.make_opsetid("", 17).SerializeToString()
    return varint(1 << 3) + varint(8) + field(7, graph) + field(8, opset)


def test_nested_graphs(tmp_path: Path) -> None:
    onnx.checker.check_model(nested_ifs(3))
    paths = {depth: tmp_path / f"nested{depth}.onnx" for depth in (20, 50, 200)}
    for depth, path in paths.items():
        path.write_bytes(nested_ifs(depth))
    verdicts = judged(*paths.values())
    assert verdicts[str(paths[20])] in {"clean", "uncertain", "refused"}
    assert verdicts[str(paths[50])] == "refused"  # TensorRT's own reader stops at 34
    assert "not read: graphs are nested more than 64 deep" in verdicts[str(paths[200])]


def test_deep_messages_do_not_overflow_the_stack(tmp_path: Path) -> None:
    data = b""
    for _ in range(20000):
        data = field(7, data)
    path = tmp_path / "bomb.onnx"
    path.write_bytes(data)
    judged(path)


def test_a_message_beyond_2_gib_is_read_and_refused(tmp_path: Path) -> None:
    size = 1 << 31
    node = onnx.helper.make_node("Add", ["x", "w"], ["y"]).SerializeToString()
    x, y = (onnx.helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [1]).SerializeToString() for n in "xy")
    head = onnx.TensorProto(name="w", data_type=onnx.TensorProto.FLOAT, dims=[size // 4]).SerializeToString()
    head += varint(9 << 3 | 2) + varint(size)  # raw_data follows: a hole in the file, to the very end
    graph = field(1, node) + field(11, x) + field(12, y)
    graph += varint(5 << 3 | 2) + varint(len(head) + size) + head
    model = varint(1 << 3) + varint(8) + field(8, onnx.helper.make_opsetid("", 17).SerializeToString())
    model += varint(7 << 3 | 2) + varint(len(graph) + size) + graph
    path = tmp_path / "huge.onnx"
    with path.open("wb") as file:
        file.write(model)
        file.truncate(len(model) + size)
    assert judged(path)[str(path)] == "refused"


def test_flaws_of_a_model_that_can_be_read_are_findings(tmp_path: Path) -> None:
    cases = {
        "cyclic": CLEAN.replace("y = Relu(x)", "y = Add(x, z)\n z = Relu(y)"),
        "undefined": CLEAN.replace("Relu(x)", "Relu(nowhere)"),
        "duplicate": CLEAN.replace("y = Relu(x)", "y = Relu(x)\n y = Abs(x)"),
        "unsorted": CLEAN.replace("y = Relu(x)", "y = Relu(a)\n a = Abs(x)"),
    }
    for name, text in cases.items():
        path = write(tmp_path / f"{name}.onnx", text)
        document = json.loads(run("check", "--output-format", "json", path).stdout)
        names = {finding["name"] for finding in document["models"][0]["findings"]}
        assert any(name in found for found in names), (name, names)


def edited(tmp_path: Path, name: str, edit) -> Path:  # type: ignore[no-untyped-def]
    model = onnx.parser.parse_model(CLEAN)
    edit(model)
    path = tmp_path / f"{name}.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def weight(*dims: int, size: int = 0) -> onnx.TensorProto:
    tensor = onnx.TensorProto(name="w", data_type=onnx.TensorProto.FLOAT, dims=dims)
    tensor.raw_data = b"\0" * size
    return tensor


def external(location: str) -> onnx.TensorProto:
    tensor = onnx.TensorProto(name="w", data_type=onnx.TensorProto.FLOAT, dims=[4])
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return tensor


@pytest.mark.parametrize(
    ("name", "tensor"),
    [
        ("negative", weight(-1, 4, size=16)),
        ("overflow", weight(1 << 40, 1 << 40, size=16)),
        ("short", weight(4, size=8)),
        ("long", weight(4, size=32)),
        ("missing-file", external("nowhere.bin")),
        ("parent", external("../secret.bin")),
        ("absolute", external("/etc/passwd")),
        ("nul", external("a\0b")),
    ],
)
def test_bad_tensors_are_findings(tmp_path: Path, name: str, tensor: onnx.TensorProto) -> None:
    def use(model: onnx.ModelProto) -> None:
        model.graph.initializer.append(tensor)
        model.graph.node[0].CopyFrom(onnx.helper.make_node("Add", ["x", "w"], ["y"], name="add"))

    path = edited(tmp_path, name, use)
    assert judged(path)[str(path)] in {"refused", "uncertain"}


def test_negative_input_dims(tmp_path: Path) -> None:
    def negative(model: onnx.ModelProto) -> None:
        model.graph.input[0].type.tensor_type.shape.dim[1].dim_value = -4

    path = edited(tmp_path, "negative-input", negative)
    judged(path)


def test_names_that_are_not_utf_8_are_escaped(tmp_path: Path) -> None:
    data = edited(tmp_path, "plain", lambda m: m.graph.node[0].MergeFrom(onnx.NodeProto(name="QQQQ", op_type="Zork")))
    path = tmp_path / "bytes.onnx"
    path.write_bytes(data.read_bytes().replace(b"QQQQ", b"\xff\x1b[\x80"))
    result = run(path)
    assert result.returncode == 1
    assert "\\xff\\x1b[\\x80" in result.stdout and "\x1b" not in result.stdout
    finding = json.loads(run("check", "--output-format", "json", path).stdout)["models"][0]["findings"][0]
    assert finding["node"] == "\\xff\x1b[\\x80"


# --- places that cannot be written ----------------


def test_output_is_written_whole(clean: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    result = run("check", "--output-format", "json", "--output", out, clean)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert out.read_text() == run("check", "--output-format", "json", clean).stdout
    assert sorted(p.name for p in tmp_path.iterdir()) == ["clean.onnx", "report.json"]


def test_output_replaces_a_file_and_keeps_mode_and_links(clean: Path, tmp_path: Path) -> None:
    out, link = tmp_path / "report.txt", tmp_path / "link.txt"
    out.write_text("old")
    out.chmod(0o640)
    link.symlink_to(out)
    assert run("check", "--output", link, clean).returncode == 0
    assert link.is_symlink() and "clean for TensorRT" in out.read_text()
    assert out.stat().st_mode & 0o777 == 0o640


def test_output_file_has_no_colours(clean: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.txt"
    run("check", "--output", out, clean, env={"FORCE_COLOR": "1"})
    assert "\x1b" not in out.read_text()


def test_the_exit_code_of_findings_survives_output(tmp_path: Path) -> None:
    refused = write(tmp_path / "refused.onnx", REFUSED)
    assert run("check", "--output", tmp_path / "out.txt", refused).returncode == 1


@pytest.mark.parametrize(
    ("place", "cause"),
    [
        ("nowhere/report.txt", "no such file or directory"),
        ("clean.onnx/report.txt", "not a directory"),
        (".", "is a directory"),
        ("/dev/full", "no space left"),
        ("clean.onnx", "one of the files that are read"),
    ],
)
def test_output_that_cannot_be_written(clean: Path, place: str, cause: str) -> None:
    before = clean.read_bytes()
    line = one_line(run("check", "--output", clean.parent / place, clean))
    assert "cannot write" in line and cause in line and place.strip(".") in line
    assert clean.read_bytes() == before
    assert [p.name for p in clean.parent.iterdir()] == ["clean.onnx"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a small disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_leaves_the_old_file_untouched(clean: Path, small_disk: Path) -> None:
    out = small_disk / "report.json"
    out.write_text("precious")
    (small_disk / "filler").write_bytes(b"x" * 4096)
    line = one_line(run("rules", "--output-format", "json", "--output", out))
    assert "no space left" in line and str(out) in line
    assert out.read_text() == "precious"
    assert sorted(p.name for p in small_disk.iterdir()) == ["filler", "report.json"]


def test_standard_output_that_cannot_be_written(clean: Path) -> None:
    with Path("/dev/full").open("w") as full:
        result = run(clean, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 2
    assert result.stderr == "trtcheck: standard output: cannot write: no space left on device\n"


def test_closed_standard_output(clean: Path) -> None:
    result = subprocess.run(f"'{PROGRAM}' '{clean}' >&-", shell=True, capture_output=True, text=True, check=False)
    assert result.returncode == 2 and "cannot write" in result.stderr


@pytest.mark.parametrize(("text", "code"), [(CLEAN, 0), (REFUSED, 1)])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, text: str, code: int) -> None:
    model = write(tmp_path / "m.onnx", text)
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen([PROGRAM, str(model)], stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        assert process.communicate()[1] == b""
    assert process.returncode == code
