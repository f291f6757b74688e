"""External data beside a model behind an fsspec URL: the same answers as on disk, from few bytes."""

from __future__ import annotations

import contextlib
import http.server
import io
import json
import os
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import pytest
import samples
from fsspec.implementations.memory import MemoryFileSystem
from test_external_data import EXAMPLES, SHAPES, twin

import trtcheck

# Their floating-point weights are never asked for.
WEIGHTY = """<ir_version: 9, opset_import: ["" : 18]>
main (float[N,4,6,6] x, float[N,3,4] s) => (float[N,A,B,C] y, float[N,D,E] z)
<float[4,4,1,1] w = {0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7}, float[4] b = {1, 2, 3, 4},
 float[4,4] m = {0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7},
 float[2] t = {1, 2}> {
  a = Conv (x, w, b)
  c = ConvTranspose (a, w, b)
  d = BatchNormalization (c, b, b, b, b)
  e = InstanceNormalization (d, b, b)
  f = GroupNormalization <num_groups = 2> (e, t, t)
  g = PRelu (f, b_)
  y = Identity (g)
  h = MatMul (s, m)
  i = LayerNormalization (h, b, b)
  z = Identity (i)
  b_ = Constant <value = float[4,1,1] {1, 2, 3, 4}> ()
}"""


class RecordingFileSystem(fsspec.AbstractFileSystem):  # type: ignore[misc]
    """`recording://NAME`: what is asked of it."""

    protocol = "recording"
    cachable = False
    files: dict[str, bytes] = {}  # noqa: RUF012
    infos: list[str] = []  # noqa: RUF012
    reads: list[tuple[str, int, int]] = []  # noqa: RUF012

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        self.infos.append(path)
        if path not in self.files:
            raise FileNotFoundError(path)
        return {"name": path, "size": len(self.files[path]), "type": "file"}

    def _open(self, path: str, mode: str = "rb", **options: Any) -> io.BytesIO:
        assert options.get("cache_options") is None
        if path not in self.files:
            raise FileNotFoundError(path)
        return Recorded(path, self.files[path], self.reads)


class Recorded(io.BytesIO):
    def __init__(self, path: str, content: bytes, log: list[tuple[str, int, int]]) -> None:
        super().__init__(content)
        self.path, self.log = path, log

    def read(self, count: int | None = -1) -> bytes:
        at = self.tell()
        found = super().read(count)
        self.log.append((self.path, at, len(found)))
        return found


fsspec.register_implementation("recording", RecordingFileSystem, clobber=True)


@pytest.fixture
def far() -> Iterator[type[RecordingFileSystem]]:
    yield RecordingFileSystem
    for log in (RecordingFileSystem.files, RecordingFileSystem.infos, RecordingFileSystem.reads):
        log.clear()  # type: ignore[attr-defined]


@pytest.fixture
def memory() -> Iterator[MemoryFileSystem]:
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def answer(model: object, name: str, target: str | None = None) -> str:
    text = trtcheck.check(model, target=target).to_json().replace(json.dumps(name)[1:-1], "")
    return text + str(trtcheck.infer_shapes(model))


def upload(system: Any, folder: Path, to: str) -> None:
    for path in folder.iterdir():
        system.pipe_file(f"{to}/{path.name}", path.read_bytes())


def weighty(vectors: int, side: int) -> onnx.ModelProto:
    """MatMul with large weights, a bias in front of each, Reshape with a small constant."""
    nodes, tensors, value = [], [], "x"
    for i in range(vectors):
        tensors.append(onnx.numpy_helper.from_array(np.full(side, 0.5, np.float32), f"b{i}"))
        tensors.append(onnx.numpy_helper.from_array(np.full((side, side), 0.5, np.float32), f"w{i}"))
        tensors.append(onnx.numpy_helper.from_array(np.array([0, 0]), f"s{i}"))
        nodes.append(onnx.helper.make_node("MatMul", [value, f"w{i}"], [f"m{i}"]))
        nodes.append(onnx.helper.make_node("Add", [f"m{i}", f"b{i}"], [f"a{i}"]))
        nodes.append(onnx.helper.make_node("Reshape", [f"a{i}", f"s{i}"], [f"r{i}"]))
        value = f"r{i}"
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(nodes, "g", [info("x", 1, ["N", side])], [info(value, 1, ["N", side])], tensors)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)


# --- the same answers ----------------


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.onnx")), ids=lambda path: path.stem)
def test_examples_with_their_data_outside(path: Path, tmp_path: Path, memory: MemoryFileSystem) -> None:
    outside = twin(onnx.load(path), tmp_path)
    folder = f"a/{path.stem}"  # simplecache:: keeps models by their names
    upload(memory, tmp_path, f"/{folder}")
    for target in ("8.6", None):
        expected = answer(outside, str(outside), target)
        for url in (f"memory://{folder}/twin.onnx", f"simplecache::memory://{folder}/twin.onnx", outside.as_uri()):
            assert answer(url, url, target) == expected, url


@pytest.mark.parametrize("text", [SHAPES, SHAPES.replace("back = {0, 8", "back = {0, 7"), WEIGHTY])
def test_written_models_with_their_data_outside(text: str, tmp_path: Path, memory: MemoryFileSystem) -> None:
    outside = twin(samples.proto(text), tmp_path)
    upload(memory, tmp_path, "")
    for target in ("8.6", "10.3", None):
        expected = answer(outside, str(outside), target)
        assert "MDL204" not in expected
        assert answer("memory://twin.onnx", "memory://twin.onnx", target) == expected
    place = fsspec.open("memory://twin.onnx")
    assert answer(place, "memory:///twin.onnx", None) == expected


def cut(folder: Path) -> None:
    os.truncate(folder / "w.bin", 10)


def empty(folder: Path) -> None:
    os.truncate(folder / "w.bin", 0)


def without(folder: Path) -> None:
    (folder / "w.bin").unlink()


def a_folder(folder: Path) -> None:
    (folder / "w.bin").unlink()
    (folder / "w.bin").mkdir()
    (folder / "w.bin/x").write_bytes(b"")


@pytest.mark.parametrize("harm", [cut, empty, without, a_folder])
def test_harm_is_told_as_on_disk(harm: Any, tmp_path: Path, memory: MemoryFileSystem) -> None:
    outside = twin(samples.proto(SHAPES), tmp_path)
    harm(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            memory.pipe_file(f"/m/{path.relative_to(tmp_path)}", path.read_bytes())
    expected = answer(outside, str(outside))
    assert "MDL201" in expected and "MDL204" in expected
    assert answer("memory://m/twin.onnx", "memory://m/twin.onnx") == expected


def moved(model: onnx.ModelProto, location: str, **entries: str) -> bytes:
    """Everything in that file."""
    for tensor in model.graph.initializer:
        for entry in tensor.external_data:
            entry.value = {"location": location, **entries}.get(entry.key, entry.value)
    return model.SerializeToString()


LOCATIONS = [
    "../w.bin", "sub/../../w.bin", "/w.bin", "/etc/hostname", "C:\\w.bin", "sub\\..\\..\\w.bin", "w.bin\0x",
    "./w.bin", "sub/../w.bin", "none/../w.bin", "sub//./v.bin", "sub/v.bin", "none.bin", "sub/none.bin", "",
    "memory://w.bin", "*.bin", "w?.bin", "ä.bin",
]  # fmt: skip


@pytest.mark.parametrize("location", LOCATIONS)
def test_locations_are_judged_as_on_disk(location: str, tmp_path: Path, memory: MemoryFileSystem) -> None:
    folder = tmp_path / "m"
    (folder / "sub").mkdir(parents=True)
    twin(samples.proto(SHAPES), folder)
    content = (folder / "w.bin").read_bytes()
    path = folder / "twin.onnx"
    path.write_bytes(moved(onnx.load(path, load_external_data=False), location))
    for other in ("w.bin", "m/sub/v.bin", "m/ä.bin"):
        (tmp_path / other).write_bytes(content)
    for each in tmp_path.rglob("*"):
        if each.is_file():
            memory.pipe_file(f"/{each.relative_to(tmp_path)}", each.read_bytes())
    url = "memory://m/twin.onnx"
    assert answer(url, url) == answer(path, str(path))


def test_links_on_this_machine_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    path = twin(samples.proto(SHAPES), folder)
    (folder / "w.bin").rename(tmp_path / "w.bin")
    (folder / "w.bin").symlink_to(tmp_path / "w.bin")
    for url in (path.as_uri(), f"simplecache::{path.as_uri()}"):
        assert answer(url, url) == answer(path, str(path))
        assert "MDL202" in [finding.code for finding in trtcheck.check(url)]


# --- few bytes in few requests ----------------


def test_large_weights_stay_where_they_are(far: type[RecordingFileSystem], tmp_path: Path) -> None:
    onnx.save(weighty(40, 512), tmp_path / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    far.files.update({f"m/{p.name}": p.read_bytes() for p in tmp_path.iterdir()})
    report = trtcheck.check("recording://m/m.onnx")
    assert report.to_json() == trtcheck.check(tmp_path / "m.onnx").to_json().replace(
        str(tmp_path / "m.onnx"), "recording://m/m.onnx"
    )
    assert report.verdict == "clean"
    reads = [read for read in far.reads if read[0] == "m/w.bin"]
    fetched = sum(count for _, _, count in reads)
    print(f"{len(far.files['m/w.bin'])} bytes: {fetched} fetched in {len(reads)} requests")
    assert far.infos == ["m/w.bin"]
    # A bias and the shape in front of it lie together, with the next ones far away.
    assert len(reads) <= 41
    assert fetched < 40 * 3000


def test_neighbours_are_fetched_together(far: type[RecordingFileSystem], tmp_path: Path) -> None:
    onnx.save(weighty(300, 16), tmp_path / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    far.files.update({f"m/{p.name}": p.read_bytes() for p in tmp_path.iterdir()})
    assert trtcheck.check("recording://m/m.onnx").verdict == "clean"
    reads = [read for read in far.reads if read[0] == "m/w.bin"]
    assert len(reads) == 1


def test_only_the_size_is_looked_up_when_nothing_is_needed(far: type[RecordingFileSystem], tmp_path: Path) -> None:
    twin(samples.proto(WEIGHTY), tmp_path)
    far.files.update({p.name: p.read_bytes() for p in tmp_path.iterdir()})
    trtcheck.check("recording://twin.onnx")
    assert far.infos == ["w.bin"]
    read = sum(count for path, _, count in far.reads if path == "w.bin")
    assert read < len(far.files["w.bin"])


def test_a_model_without_data_outside_looks_for_nothing(far: type[RecordingFileSystem]) -> None:
    far.files["m.onnx"] = samples.serialized(samples.HEALTHY)
    trtcheck.check("recording://m.onnx")
    assert far.infos == []


def test_what_leaves_the_folder_is_not_asked_for(far: type[RecordingFileSystem], tmp_path: Path) -> None:
    path = twin(samples.proto(SHAPES), tmp_path)
    far.files["a/m.onnx"] = moved(onnx.load(path, load_external_data=False), "../w.bin")
    trtcheck.check("recording://a/m.onnx")
    assert far.infos == [] or far.infos == ["a/w.bin"]  # of the constants in attributes
    assert {read[0] for read in far.reads} <= {"a/m.onnx"}


def test_files_without_number(far: type[RecordingFileSystem], tmp_path: Path) -> None:
    model = weighty(2000, 2)
    onnx.save(model, tmp_path / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    model = onnx.load(tmp_path / "m.onnx", load_external_data=False)
    for tensor in model.graph.initializer:
        tensor.external_data[0].value = f"{tensor.name}.bin"
    far.files["m.onnx"] = model.SerializeToString()
    started = time.perf_counter()
    report = trtcheck.check("recording://m.onnx")
    assert time.perf_counter() - started < 20
    assert len(far.infos) == 1000
    assert any("so many files are named that it was not looked for" in finding.message for finding in report)


# --- file systems ----------------


def test_an_archive_has_no_folder(tmp_path: Path) -> None:
    path = twin(samples.proto(SHAPES), tmp_path)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, "m.onnx")
        archive.write(tmp_path / "w.bin", "w.bin")
    url = f"zip://m.onnx::{(tmp_path / 'a.zip').as_uri()}"
    assert answer(url, url) == answer(path, str(path))


@pytest.mark.parametrize(
    ("failure", "text"),
    [
        (PermissionError("403 for sesame-street"), "cannot be fetched: 403 for ***"),
        (NotImplementedError(), "cannot be fetched: NotImplementedError"),
        (None, "its size is not known"),
    ],
)
def test_what_cannot_be_known_is_not_blamed_on_the_model(
    failure: Exception | None,
    text: str,
    far: type[RecordingFileSystem],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def info(self: object, path: str, **_: object) -> dict[str, Any]:
        if failure is not None:
            raise failure
        return {"size": None, "type": "file"}

    twin(samples.proto(SHAPES), tmp_path)
    far.files.update({f"m/{p.name}": p.read_bytes() for p in tmp_path.iterdir()})
    monkeypatch.setattr(far, "info", info)
    monkeypatch.setattr(
        far, "_strip_protocol", staticmethod(lambda url: url.partition("://")[2].partition("?")[0] or url)
    )
    report = trtcheck.check("recording://m/twin.onnx?key=sesame-street")
    assert report.verdict == "uncertain"
    assert "MDL201" not in [finding.code for finding in report]
    unread = next(finding for finding in report if finding.code == "MDL204")
    assert unread.message == f"not known: constants in `w.bin` could not be read ({text})"
    assert "sesame" not in report.to_json()


def test_a_file_that_ends_before_its_size(far: type[RecordingFileSystem], tmp_path: Path) -> None:
    twin(samples.proto(SHAPES), tmp_path)
    far.files.update({p.name: p.read_bytes() for p in tmp_path.iterdir()})
    content = far.files["w.bin"]

    class Cut(RecordingFileSystem):
        def info(self, path: str, **_: Any) -> dict[str, Any]:
            return {"name": path, "size": len(content), "type": "file"}

    far.files["w.bin"] = content[:-1]
    report = trtcheck.check(fsspec.core.OpenFile(Cut(), "twin.onnx"))
    assert "bytes where" in next(finding.message for finding in report if finding.code == "MDL204")


def test_many_models_at_once_share_their_data(tmp_path: Path, memory: MemoryFileSystem) -> None:
    path = twin(samples.proto(SHAPES), tmp_path)
    upload(memory, tmp_path, "/m")
    for i in range(40):
        memory.pipe_file(f"/m/{i}.onnx", path.read_bytes())
    reports = trtcheck.check_many([f"memory://m/{i}.onnx" for i in range(40)], executor=ThreadPoolExecutor(8))
    assert [report.verdict for report in reports] == ["clean"] * 40


class Server(http.server.BaseHTTPRequestHandler):
    files: dict[str, bytes] = {}  # noqa: RUF012
    ranges = True
    sent = 0
    token = ""

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def answer(self, with_body: bool) -> None:
        path, _, query = self.path.partition("?")
        content = self.files.get(path)
        if content is None or query != self.token:
            self.send_error(404 if content is None else 403)
            return
        first, _, last = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        partial = self.ranges and first != ""
        body = content[int(first) : int(last) + 1] if partial else content
        self.send_response(206 if partial else 200)
        if partial:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            with contextlib.suppress(ConnectionError):  # who asked for a part hangs up on the whole
                type(self).sent += self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


PROGRAM = "import sys, trtcheck; sys.stdout.write(trtcheck.check(sys.argv[1]).to_json())"


def over_http(url: str) -> str:
    alone = {**os.environ, "NO_PROXY": "*", "no_proxy": "*"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, url], capture_output=True, text=True, check=False, timeout=60, env=alone
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def server() -> Iterator[str]:
    pytest.importorskip("aiohttp")
    Server.files, Server.ranges, Server.sent, Server.token = {}, True, 0, ""
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    thread.join()
    running.server_close()


@pytest.mark.parametrize("token", ["", "token=sesame/x"])
@pytest.mark.parametrize("ranges", [True, False], ids=["ranges", "no-ranges"])
def test_over_http(server: str, token: str, ranges: bool, tmp_path: Path) -> None:
    path = tmp_path / "a b#c?.onnx"
    onnx.save(weighty(3, 600), path, save_as_external_data=True, location="w ä#?.bin", size_threshold=0)
    Server.files = {"/m/m.onnx": path.read_bytes(), "/m/w%20%C3%A4%23%3F.bin": (tmp_path / "w ä#?.bin").read_bytes()}
    Server.token, Server.ranges = token, ranges
    url = f"{server}/m/m.onnx" + (f"?{token}" if token else "")
    found = over_http(url)
    assert "sesame" not in found
    if ranges:
        shown = url.partition("?")[0]
        assert json.loads(found.replace(shown, "")) == json.loads(trtcheck.check(path).to_json().replace(str(path), ""))
        assert Server.sent < 30_000
    else:
        assert "cannot be fetched in parts" in found
        assert "MDL201" not in found


def test_a_small_file_without_ranges_is_fetched_as_a_whole(server: str, tmp_path: Path) -> None:
    path = twin(samples.proto(SHAPES), tmp_path)
    Server.files = {f"/{p.name}": p.read_bytes() for p in tmp_path.iterdir()}
    Server.ranges = False
    found = over_http(f"{server}/twin.onnx").replace(f"{server}/twin.onnx", "")
    assert json.loads(found) == json.loads(trtcheck.check(path).to_json().replace(str(path), ""))


@pytest.mark.parametrize(("token", "is_known"), [("", True), ("token=sesame", False)])
def test_a_missing_file_over_http(server: str, token: str, is_known: bool, tmp_path: Path) -> None:
    """A query may be what names the file: then nobody knows."""
    path = twin(samples.proto(SHAPES), tmp_path)
    Server.files, Server.token = {"/m.onnx": path.read_bytes()}, token
    found = json.loads(over_http(f"{server}/m.onnx" + (f"?{token}" if token else "")))
    codes = {finding["code"] for finding in found["models"][0]["findings"]}
    assert "MDL204" in codes
    assert ("MDL201" in codes) == is_known
    assert "sesame" not in json.dumps(found)
