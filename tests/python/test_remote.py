"""Models behind fsspec URLs: the same answers as for the file, from as few bytes as possible."""

from __future__ import annotations

import contextlib
import gzip
import http.server
import io
import os
import random
import re
import subprocess
import sys
import threading
import time
import traceback
import zipfile
from collections.abc import Iterator
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

import trtcheck

TESTDATA = Path("/usr/share/libonnx-testdata")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples/models"


class CountingFile(io.BufferedIOBase):
    """Bytes far away: what is read, and in how many requests."""

    def __init__(self, content: bytes, log: list[tuple[int, int]]) -> None:
        super().__init__()
        self.content, self.log, self.at = content, log, 0

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (0, self.at, len(self.content))[whence]
        return self.at

    def read(self, count: int | None = -1) -> bytes:
        assert count is not None and count >= 0, "the whole file is asked for"
        found = self.content[self.at : self.at + count]
        self.log.append((self.at, len(found)))
        self.at += len(found)
        return found

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


class CountingFileSystem(fsspec.AbstractFileSystem):  # type: ignore[misc]
    """`counting://NAME`."""

    protocol = "counting"
    files: dict[str, bytes] = {}  # noqa: RUF012
    log: list[tuple[int, int]] = []  # noqa: RUF012
    options: dict[str, Any] = {}  # noqa: RUF012

    def _open(self, path: str, mode: str = "rb", **options: Any) -> CountingFile:
        if path not in self.files:
            raise FileNotFoundError(path)
        type(self).options = options
        return CountingFile(self.files[path], self.log)


fsspec.register_implementation("counting", CountingFileSystem, clobber=True)


@pytest.fixture
def far() -> Iterator[type[CountingFileSystem]]:
    yield CountingFileSystem
    CountingFileSystem.files.clear()
    CountingFileSystem.log.clear()


@pytest.fixture
def memory() -> Iterator[MemoryFileSystem]:
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()


def weighty(weights: int, megabytes: float, *, kind: str = "raw") -> bytes:
    """A chain of MatMul with large weights, a custom operator behind them."""
    side = int((megabytes * 2**20 / 4) ** 0.5)
    nodes, initializers, value = [], [], "x"
    for i in range(weights):
        array = np.full((side, side), 0.5, np.float32)
        tensor = onnx.numpy_helper.from_array(array, f"w{i}")
        if kind == "typed":
            tensor = onnx.helper.make_tensor(f"w{i}", onnx.TensorProto.FLOAT, array.shape, array.ravel())
        if kind == "constant":
            nodes.append(onnx.helper.make_node("Constant", [], [f"w{i}"], value=tensor))
        else:
            initializers.append(tensor)
        nodes.append(onnx.helper.make_node("MatMul", [value, f"w{i}"], [f"m{i}"], name=f"mul{i}"))
        value = f"m{i}"
    nodes.append(onnx.helper.make_node("Frobnicate", [value], ["y"], name="custom", domain="mine"))
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes,
        "weighty",
        [info("x", onnx.TensorProto.FLOAT, ["N", side])],
        [info("y", onnx.TensorProto.FLOAT, None)],
        initializers,
    )
    opsets = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("mine", 1)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def outcome(model: object, name: str) -> str:
    """The report or the error, without the name of the model."""
    try:
        report = trtcheck.check(model)
    except trtcheck.Error as error:
        return str(error).removeprefix(f"{error.path}: ")
    assert report.path == name
    return report.to_json().replace(name, "") if name else report.to_json()


# --- the same answers ----------------


def test_every_test_model_gives_the_same_report_from_far(far: type[CountingFileSystem]) -> None:
    paths = sorted(TESTDATA.rglob("*.onnx")) or pytest.skip("libonnx-testdata is not installed")
    # Every tenth is enough for each kind of model; those with external data differ, and say so.
    for path in [*paths[::10], *EXAMPLES.glob("*.onnx")]:
        content = path.read_bytes()
        far.files["m"] = content
        assert outcome("counting://m", "counting://m") == outcome(content, ""), path


@pytest.mark.parametrize("kind", ["raw", "typed", "constant"])
def test_a_model_with_large_weights_is_read_around_them(far: type[CountingFileSystem], kind: str) -> None:
    content = weighty(6, 2, kind=kind)
    far.files["m"] = content
    assert outcome("counting://m", "counting://m") == outcome(content, "")
    report = trtcheck.check("counting://m")
    assert [finding.code for finding in report] == ["OPS103"]
    far.log.clear()
    shapes = trtcheck.infer_shapes("counting://m")
    assert str(shapes["m5"]) == str(trtcheck.infer_shapes(content)["m5"])
    model = trtcheck.read_model("counting://m")
    assert [node.name for node in model.graph.nodes][-1] == "custom"
    fetched = sum(count for _, count in far.log) / 2
    assert fetched < 0.05 * len(content)
    assert len(far.log) / 2 <= 6 * 2 + 3
    assert far.options["cache_type"] == "none"
    for (start, count), (following, _) in zip(far.log, far.log[1:], strict=False):
        assert following >= start + count or following == 0, "a byte was fetched twice"


def test_damaged_models_give_the_same_error_from_far(far: type[CountingFileSystem]) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)
    dice = random.Random(seed)
    sound = weighty(3, 1.5)
    # Where the structure is: in front of the weights, around them and behind them.
    starts = [0]
    for i in range(3):
        starts.append(sound.index(b"w%d" % i, sound.index(b"Frobnicate")) - 20)
    starts.append(len(sound) - 120)
    for _ in range(120):
        at = dice.choice(starts) + dice.randrange(100)
        kind = dice.randrange(3)
        if kind == 0:
            content = sound[:at] + dice.randbytes(1 + dice.randrange(4)) + sound[at + 1 :]
        elif kind == 1:
            content = sound[: at + dice.randrange(2) * 10_000]
        else:
            content = sound[:at] + sound[at + dice.randrange(5) :]
        far.files["m"] = content
        assert outcome("counting://m", "counting://m") == outcome(content, ""), (seed, at, kind)


def test_values_that_a_rule_asks_for_are_fetched(far: type[CountingFileSystem]) -> None:
    model = onnx.load(EXAMPLES / "case2_deconvolution.onnx")
    for i in range(3):  # large weights around the scales
        model.graph.initializer.insert(0, onnx.numpy_helper.from_array(np.ones((600, 600), np.float32), f"extra{i}"))
    content = model.SerializeToString()
    far.files["m"] = content
    assert outcome("counting://m", "counting://m") == outcome(content, "")
    assert "QDQ104" in [finding.code for finding in trtcheck.check("counting://m")]
    assert sum(count for _, count in far.log) / 2 < len(content) - 3 * 600 * 600 * 4 + 400_000


def test_a_hundred_megabytes_are_read_in_part(far: type[CountingFileSystem]) -> None:
    content = weighty(6, 16.7)
    assert len(content) > 100_000_000
    far.files["m"] = content
    started = time.perf_counter()
    report = trtcheck.check("counting://m")
    seconds = time.perf_counter() - started
    fetched = sum(count for _, count in far.log)
    print(f"{len(content)} bytes: {fetched} fetched in {len(far.log)} requests, {seconds:.3f} s")
    assert report.verdict == "refused"
    assert fetched < 500_000
    assert len(far.log) < 20


# --- file systems ----------------


@pytest.mark.parametrize("chain", ["", "simplecache::", "filecache::"])
def test_file_systems_of_fsspec(memory: MemoryFileSystem, tmp_path: Path, chain: str) -> None:
    content = weighty(2, 1.5)
    memory.pipe_file("/folder/m.onnx", content)
    (tmp_path / "m.onnx").write_bytes(content)
    for url in ("memory://folder/m.onnx", (tmp_path / "m.onnx").as_uri()):
        assert outcome(chain + url, chain + url) == outcome(content, "")
    small = samples.serialized(samples.REFUSED)
    memory.pipe_file("/small.onnx", small)
    assert outcome(f"{chain}memory://small.onnx", f"{chain}memory://small.onnx") == outcome(small, "")


def test_an_archive_is_a_stream_or_a_file(memory: MemoryFileSystem, tmp_path: Path) -> None:
    content = weighty(2, 1.5)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m.onnx", content)
    url = f"zip://m.onnx::{(tmp_path / 'a.zip').as_uri()}"
    assert outcome(url, url) == outcome(content, "")


class Stream(io.RawIOBase):
    """A server without ranges: no size, no way back."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.inner = io.BytesIO(content)

    def read(self, count: int = -1) -> bytes:
        return self.inner.read(count)

    def readable(self) -> bool:
        return True


def test_a_server_without_ranges_is_read_to_its_end(far: type[CountingFileSystem], monkeypatch: Any) -> None:
    content = weighty(2, 1.5)
    monkeypatch.setattr(far, "_open", lambda self, path, mode="rb", **options: Stream(content))
    assert outcome("counting://m", "counting://m") == outcome(content, "")


def test_an_open_file_of_fsspec_names_a_model(memory: MemoryFileSystem) -> None:
    memory.pipe_file("/m.onnx", samples.serialized(samples.REFUSED))
    place = fsspec.open("memory://m.onnx")
    assert trtcheck.check(place).path == "memory:///m.onnx"
    (report,) = trtcheck.check_many([place])
    assert report.to_json() == trtcheck.check(place).to_json()


def test_many_models_here_and_far(memory: MemoryFileSystem, tmp_path: Path) -> None:
    content = samples.serialized(samples.REFUSED)
    memory.pipe_file("/a.onnx", content)
    (tmp_path / "b.onnx").write_bytes(content)
    given = ["memory://a.onnx", tmp_path / "b.onnx", "memory://missing.onnx"]
    answers = {answer.path: answer for answer in trtcheck.check_many(given, errors="return")}
    assert answers.keys() == {"memory://a.onnx", str(tmp_path / "b.onnx"), "memory://missing.onnx"}
    assert str(answers["memory://missing.onnx"]) == "memory://missing.onnx: cannot be opened: No such file or directory"


# --- what goes wrong ----------------


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("memory://none.onnx", "memory://none.onnx: cannot be opened: No such file or directory"),
        ("nonsense://a.onnx", "nonsense://a.onnx: cannot be fetched: Protocol not known: nonsense"),
        ("memory://empty.onnx", "memory://empty.onnx: is empty, not an ONNX model"),
        ("memory://text.onnx", "memory://text.onnx: not an ONNX model but a text file"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(memory: MemoryFileSystem, url: str, text: str) -> None:
    memory.pipe_file("/empty.onnx", b"")
    memory.pipe_file("/text.onnx", b"hello, world")
    for function in (trtcheck.check, trtcheck.infer_shapes, trtcheck.read_model):
        with pytest.raises(trtcheck.Error) as caught:
            function(url)  # type: ignore[operator]
        assert str(caught.value) == text
        assert caught.value.path == url


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("s3fs", "aiohttp"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(trtcheck.Error, match="s3fs"):
        trtcheck.check("s3://bucket/model.onnx")
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(trtcheck.Error, match=r"pip install fsspec") as caught:
        trtcheck.check("s3://bucket/model.onnx")
    assert caught.value.path == "s3://bucket/model.onnx"


@pytest.mark.parametrize(
    ("failing", "text"),
    [
        (lambda content: CountingFile(content[:-5], []), "ends 5 bytes earlier than its size says"),
        (lambda content: Cut(content), r"ends \d+ bytes earlier than its size says"),
        (lambda content: Vast(content), "no address space"),
    ],
    ids=["short", "cut", "vast"],
)
def test_a_size_that_lies(far: type[CountingFileSystem], monkeypatch: Any, failing: Any, text: str) -> None:
    content = weighty(2, 1.5)
    file = failing(content)
    if isinstance(file, CountingFile) and type(file) is CountingFile:
        monkeypatch.setattr(file, "seek", lambda at, whence=0: CountingFile.seek(file, at, whence) + 5 * (whence == 2))
    monkeypatch.setattr(far, "_open", lambda self, path, mode="rb", **options: file)
    with pytest.raises(trtcheck.Error, match=text):
        trtcheck.check("counting://m")


class Cut(CountingFile):
    """The connection ends in the middle."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content, [])

    def read(self, count: int | None = -1) -> bytes:
        return super().read(min(count or 0, 1_000)) if self.at < 50_000 else b""


class Vast(CountingFile):
    """It claims a size that no machine has."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content, [])

    def seek(self, offset: int, whence: int = 0) -> int:
        return 1 << 62 if whence == 2 else super().seek(offset, whence)


SECRETS = [
    ("https://user:pass-word@host/m.onnx?X-Amz-Signature=abc123&x=y", "https://host/m.onnx"),
    ("https://ghp_token@host/m.onnx#part", "https://host/m.onnx#part"),
    ("simplecache::https://user:pass-word@host/m.onnx?sig=abc123", "simplecache::https://host/m.onnx"),
    ("zip://a.onnx::https://user:pass-word@host/m.zip", "zip://a.onnx::https://host/m.zip"),
    ("s3://key:pass-word@bucket/m.onnx?versionId=abc123", "s3://bucket/m.onnx"),
    ("ftp://user@host:21/m.onnx", "ftp://host:21/m.onnx"),
    ("hf://org/model@main/m.onnx", "hf://org/model@main/m.onnx"),
    ("hf://gpt2@refs/m.onnx", "hf://gpt2@refs/m.onnx"),
    ("abfs://container@account.dfs.core.windows.net/m.onnx", "abfs://container@account.dfs.core.windows.net/m.onnx"),
]


@pytest.mark.parametrize(("url", "shown"), SECRETS, ids=[shown for _, shown in SECRETS])
def test_credentials_are_never_shown(url: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(url: str) -> Any:
        parts = re.split("[:/@?&=]+", url)
        raise PermissionError(f"403 for {url!r}, that is {' and '.join(parts)}, {url.partition('?')[2]}")

    monkeypatch.setattr("fsspec.core.url_to_fs", refusing)
    with pytest.raises(trtcheck.Error) as caught:
        trtcheck.check(url)
    assert caught.value.path == shown
    for text in (str(caught.value), repr(caught.value), "".join(traceback.format_exception(caught.value))):
        for secret in ("abc123", "pass-word", "ghp_token", "user:"):
            assert secret not in text
    (answer,) = trtcheck.check_many([url], errors="return")
    assert (answer.path, str(answer)) == (shown, str(caught.value))


@pytest.mark.parametrize("path", ["a:b.onnx", "a::b.onnx", "C:/a.onnx", "./x://y.onnx", "weird://"[:5] + "/m.onnx"])
def test_what_is_no_url_is_a_path(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(samples.serialized(samples.HEALTHY))
    assert trtcheck.check(path).path == path


def test_fsspec_is_not_imported_for_files() -> None:
    program = "import sys, trtcheck; trtcheck.check(sys.argv[1]); print('fsspec' in sys.modules)"
    command = [sys.executable, "-c", program, os.fspath(EXAMPLES / "healthy_attention.onnx")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "False"


# --- over HTTP ----------------


class RangeServer(http.server.BaseHTTPRequestHandler):
    """One model for `GET` and `HEAD`, with ranges or without."""

    content = b""
    ranges = True
    sent = 0

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def answer(self, with_body: bool) -> None:
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")) if self.ranges else None
        if self.path.partition("?")[0] != "/m.onnx":
            self.send_error(404)
            return
        body = self.content[int(wanted[1]) : int(wanted[2]) + 1] if wanted else self.content
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {wanted[1]}-{wanted[2]}/{len(self.content)}")
        if self.ranges:
            self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            type(self).sent += len(body)
            with contextlib.suppress(ConnectionError):  # who asked for a part hangs up on the whole
                self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("ranges", [True, False], ids=["ranges", "no-ranges"])
def test_over_http(ranges: bool) -> None:
    """In a process of its own: fsspec keeps the loop and the connections of its HTTP client until that ends."""
    pytest.importorskip("aiohttp")
    RangeServer.content, RangeServer.ranges, RangeServer.sent = weighty(4, 3), ranges, 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), RangeServer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/m.onnx?token=sesame"
        program = "import sys, trtcheck; print(trtcheck.check(sys.argv[1]).to_json()); trtcheck.check(sys.argv[2])"
        missing = url.replace("m.onnx", "none.onnx")
        command = [sys.executable, "-c", program, url, missing]
        alone = {**os.environ, "NO_PROXY": "*", "no_proxy": "*"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=alone)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    shown = url.partition("?")[0]
    local = trtcheck.check(RangeServer.content).to_json()
    assert done.stdout.replace(shown, "").rstrip("\n") == local.rstrip("\n")
    assert f"{missing.partition('?')[0]}: cannot be opened: No such file or directory" in done.stderr
    assert "sesame" not in done.stdout + done.stderr
    share = RangeServer.sent / len(RangeServer.content)
    # Without ranges: it begins, learns that there are none, and fetches the whole.
    assert share < 0.05 if ranges else share <= 3


class WildServer(http.server.BaseHTTPRequestHandler):
    """Packs although it is asked not to, and redirects to what is no answer."""

    content = b""

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def answer(self, with_body: bool) -> None:
        if place := {"/loop.onnx": "/loop.onnx", "/file.onnx": "file:///etc/hostname"}.get(self.path):
            self.send_response(302)
            self.send_header("Location", place)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path == "/closed.onnx":
            self.send_error(403)
            return
        self.send_response(200)
        if self.path != "/silent.onnx":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()
        if with_body:
            with contextlib.suppress(ConnectionError):
                self.wfile.write(self.content)

    def log_message(self, *_: object) -> None:
        pass


ASK = """
import re, sys, trtcheck
for url in sys.argv[1:]:
    try:
        print(trtcheck.check(url).verdict)
    except trtcheck.Error as error:
        print(type(error).__name__, error)
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""


def ask_wild(content: bytes, *names: str) -> list[str]:
    pytest.importorskip("aiohttp")
    WildServer.content = content
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), WildServer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    place = f"http://127.0.0.1:{server.server_port}/"
    try:
        command = [sys.executable, "-c", ASK, *(place + name for name in names)]
        alone = {**os.environ, "NO_PROXY": "*", "no_proxy": "*"}
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=alone)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    return done.stdout.replace(place, "").splitlines()


def test_what_a_server_packs_is_unpacked_up_to_a_limit() -> None:
    model = weighty(2, 1)
    packed = gzip.compress(model)
    assert ask_wild(packed, "m.onnx", "silent.onnx")[:2] == [trtcheck.check(model).verdict] * 2
    told, megabytes = ask_wild(gzip.compress(bytes(1 << 30), 1), "m.onnx")
    assert told == "Error m.onnx: is packed with gzip, and has more than 268435456 bytes when it is unpacked"
    assert int(megabytes) < 600
    told, _ = ask_wild(packed[: len(packed) // 2], "m.onnx")
    assert told == "Error m.onnx: is packed with gzip, and ends too early"
    told, _ = ask_wild(packed[:12] + b"x" * 1000, "m.onnx")
    assert told.startswith("Error m.onnx: is packed with gzip, and cannot be unpacked: ")


def test_redirects_and_refusals_are_told_as_they_are() -> None:
    loop, file, closed, _ = ask_wild(b"", "loop.onnx", "file.onnx", "closed.onnx")
    assert loop == "Error loop.onnx: cannot be fetched: the server redirects again and again"
    assert (
        file == "Error file.onnx: cannot be fetched: the server redirects to `file:///etc/hostname`, which is no HTTP"
    )
    assert closed.startswith("Error closed.onnx: cannot be fetched: 403")
