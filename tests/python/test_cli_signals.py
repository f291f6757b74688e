"""Interrupts, workers that die, outputs that cannot be written, and the progress bar: with real signals and terminals.

A named pipe whose writer writes nothing is a model that takes for ever to read.
"""

from __future__ import annotations

import ctypes
import json
import os
import pty
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import onnx
import pytest
from test_cli import CLEAN, PROGRAM, REFUSED, one_line, run, write

import trtcheck

PATIENCE = 20.0  # seconds, on a machine with other things to do


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for i in range(5):
        write(tmp_path / f"clean{i}.onnx", CLEAN)
    write(tmp_path / "refused.onnx", REFUSED)
    return tmp_path


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "stuck.onnx"
    os.mkfifo(path)
    writer = os.open(path, os.O_RDWR)
    yield path
    os.close(writer)


def heed_hangups() -> None:
    """Who starts the tests with nohup hands on that this signal is ignored."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextmanager
def started(*args: str | Path, **options: object) -> Iterator[subprocess.Popen[str]]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": heed_hangups} | options
    with subprocess.Popen([PROGRAM, *map(str, args)], text=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


def wait_until_stuck(process: subprocess.Popen[str]) -> list[int]:
    """Until all threads sleep: the only work left is that of the worker in the pipe. Gives the workers."""
    end = time.monotonic() + PATIENCE
    calm = 0
    while calm < 3:
        assert time.monotonic() < end, "it never came to rest"
        time.sleep(0.05)
        threads = list(Path(f"/proc/{process.pid}/task").iterdir())
        states = [(thread / "stat").read_text().rpartition(")")[2].split()[0] for thread in threads]
        calm = calm + 1 if len(threads) > 1 and set(states) == {"S"} else 0
    return [int(thread.name) for thread in threads if int(thread.name) != process.pid]


def tell_thread(process: subprocess.Popen[str], thread: int, number: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.syscall(234 if os.uname().machine == "x86_64" else 131, process.pid, thread, int(number)) == 0


# --- interrupts ----------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_reports_what_is_finished(
    models: Path, stuck: Path, number: signal.Signals, code: int, jobs: str
) -> None:
    before = [models / "clean0.onnx", models / "refused.onnx", models / "clean1.onnx"]
    after = [models / "clean2.onnx", models / "clean3.onnx"]
    with started("check", "--jobs", jobs, "--output-format", "json", *before, stuck, *after) as process:
        wait_until_stuck(process)
        process.send_signal(number)
        start = time.monotonic()
        out, err = process.communicate(timeout=PATIENCE)
        assert time.monotonic() - start < 5
    assert process.returncode == code
    done = before if jobs == "1" else before + after
    document = json.loads(out)
    assert [model["path"] for model in document["models"]] == [str(path) for path in done]
    why = f"the run was interrupted ({number.name})"
    assert err == f"trtcheck: {why}: {len(done)} of 6 models were looked at\n"
    missed = [stuck, *(path for path in after if path not in done)]
    assert document["failures"] == [{"path": str(path), "cause": why} for path in missed]


# How each format says that a document is not whole, of a model that was missed.
PARTIAL = {
    "full": "missed.onnx: not checked: the run was interrupted (SIGTERM)\n",
    "concise": "missed.onnx: not checked: the run was interrupted (SIGTERM)\n",
    "json": '"path": "missed.onnx",\n      "cause": "the run was interrupted (SIGTERM)"',
    "jsonl": '"path":"missed.onnx","cause":"the run was interrupted (SIGTERM)"',
    "sarif": '"executionSuccessful": false',
    "github": "::error file=missed.onnx,title=trtcheck::missed.onnx: the run was interrupted (SIGTERM)\n",
    "gitlab": '"description": "not checked: the run was interrupted (SIGTERM)"',
    "junit": '<error message="the run was interrupted (SIGTERM)"',
    "markdown": "### trtcheck: 0 refused, 0 uncertain, 1 clean; 2 not checked: the run was interrupted (SIGTERM)\n",
    "html": "<li><code>missed.onnx</code>: the run was interrupted (SIGTERM)</li>",
}


def test_every_document_of_an_interrupted_run_says_so(models: Path, stuck: Path) -> None:
    os.link(models / "clean0.onnx", models / "missed.onnx")
    assert set(PARTIAL) == set(trtcheck.formats())
    outputs = [word for name in PARTIAL for word in ("--output-format", name, "--output", f"report.{name}")]
    paths = ("clean0.onnx", "stuck.onnx", "missed.onnx")
    with started("check", "--jobs", "1", *outputs, *paths, cwd=models) as process:
        wait_until_stuck(process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    for name, said in PARTIAL.items():
        assert said in (models / f"report.{name}").read_text(), name
    (sarif,) = json.loads((models / "report.sarif").read_text())["runs"]
    notified = sarif["invocations"][0]["toolExecutionNotifications"]
    assert [note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for note in notified] == list(paths[1:])
    full = (models / "report.full").read_text()
    said = "1 of 3 models: 0 refused, 0 uncertain, 1 clean; 2 not checked: the run was interrupted (SIGTERM)"
    assert full.endswith(f"\n{said}\n")


def test_a_time_limit_is_an_interrupt(models: Path, stuck: Path) -> None:
    """`timeout` signals the program, and then the group that the program is in."""
    command = ["timeout", "1", PROGRAM, "check", "--output-format", "json", models / "clean0.onnx", stuck]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert result.returncode == 124
    document = json.loads(result.stdout)
    assert len(document["models"]) == 1 and [each["path"] for each in document["failures"]] == [str(stuck)]


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGXCPU])
def test_a_closed_terminal_and_a_limit_of_processor_time(models: Path, stuck: Path, number: signal.Signals) -> None:
    """Both come more than once."""
    with started("check", "--output-format", "json", models / "clean0.onnx", stuck) as process:
        wait_until_stuck(process)
        process.send_signal(number)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + number
    assert err == f"trtcheck: the run was interrupted ({number.name}): 1 of 2 models were looked at\n"
    assert number.name in json.loads(out)["failures"][0]["cause"]


def test_a_limit_of_file_sizes_is_one_line(models: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    out = models / "report.json"
    out.write_text("old")
    words = ("check", "--output-format", "json", "--output", out, models / "clean0.onnx")
    with started(*words, preexec_fn=limit) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (2, f"trtcheck: {out}: cannot write: file too large\n")
    assert out.read_text() == "old"


def test_an_interrupt_writes_the_output_file(models: Path, stuck: Path) -> None:
    out = models / "report.json"
    with started("check", "--output-format", "json", "--output", out, models / "clean0.onnx", stuck) as process:
        wait_until_stuck(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert len(json.loads(out.read_text())["models"]) == 1
    assert not list(models.glob("report.json.*"))


def test_a_text_file_of_a_run_without_results_is_no_old_one(models: Path, stuck: Path) -> None:
    out = models / "report.txt"
    out.write_text("1 model: 0 refused")
    with started("check", "--output", out, stuck) as process:
        wait_until_stuck(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert out.read_text() == f"{stuck}: not checked: the run was interrupted (SIGINT)\n"


def test_an_interrupt_while_standard_input_is_read() -> None:
    with started("-", stdin=subprocess.PIPE) as process:
        wait_until_stuck(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr is not None and "interrupted" in process.stderr.read()


def test_the_second_interrupt_ends_at_once(models: Path, stuck: Path) -> None:
    """The first one finds a reader of standard output that does not read."""
    many = [models / "refused.onnx"]
    for i in range(400):
        many.append(models / f"refused{i}.onnx")
        os.link(models / "refused.onnx", many[-1])
    with started(*many, stuck) as process:
        wait_until_stuck(process)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None  # the pipe is full
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130


def test_other_commands_end_with_one_line(stuck: Path) -> None:
    with started("shapes", stuck) as process:
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert err == "trtcheck: the run was interrupted (SIGINT): nothing was written\n"


def test_what_the_caller_ignores_stays_ignored(models: Path, stuck: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with started(stuck, preexec_fn=ignore) as process:
        wait_until_stuck(process)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 143


# --- workers that die ----------------


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT])
def test_a_worker_that_breaks_names_its_model_and_ends_the_program(models: Path, stuck: Path, number: int) -> None:
    report = models / "report.json"
    report.write_text("old")
    paths = [models / "clean0.onnx", stuck, models / "refused.onnx"]
    outputs = ("--output-format", "json", "--output", report, "--output-format", "full")
    with started("check", *outputs, "--jobs", "1", *paths) as process:
        (worker,) = wait_until_stuck(process)
        tell_thread(process, worker, number)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    assert err == f"trtcheck: {stuck}: the program broke on it (signal {int(number)}), please report it\n"
    assert report.read_text() == "old"


def test_a_name_with_control_characters_in_the_line_of_a_crash(models: Path, stuck: Path) -> None:
    strange = stuck.rename(models / "a\x1b\nb.onnx")
    with started(strange) as process:
        (worker,) = wait_until_stuck(process)
        tell_thread(process, worker, signal.SIGSEGV)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert "\x1b" not in err and "b.onnx: the program broke on it" in err


def test_a_file_that_really_becomes_shorter(models: Path) -> None:
    """Nodes enough for a second of work; cut while it is at it. Once it was read, the model does not need its file."""
    node = onnx.helper.make_node("Relu", ["x"], ["y"], name="n" * 40)
    x, y = (onnx.helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [4]) for n in "xy")
    graph = onnx.helper.make_graph([node], "g", [x], [y])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])
    data = node.SerializeToString()
    one = b"\x0a" + bytes([len(data)]) + data
    body = one * 1_000_000
    rest = onnx.helper.make_graph([], "g", [x], [y]).SerializeToString()
    size = len(body) + len(rest)
    length = b""
    while size >= 0x80:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    length += bytes([size])
    del model.graph.node[:]
    model.ClearField("graph")
    path = models / "big.onnx"
    path.write_bytes(model.SerializeToString() + b"\x3a" + length + body + rest)
    with started("check", "--output-format", "json", "--jobs", "1", path, models / "clean0.onnx") as process:
        time.sleep(0.15)
        os.truncate(path, 100)
        out, err = process.communicate(timeout=60)
    reported = [model["path"] for model in json.loads(out)["models"]]
    if err:
        assert process.returncode == 2
        assert err == f"trtcheck: {path}: became shorter while it was read\n"
        assert reported == [str(models / "clean0.onnx")]
    else:
        assert sorted(reported) == sorted([str(path), str(models / "clean0.onnx")])


# --- outputs that cannot be written, said before the work ----------------


@pytest.mark.parametrize(
    ("place", "cause"),
    [
        ("nowhere/report.txt", "no such file or directory"),
        ("clean0.onnx/report.txt", "not a directory"),
        (".", "is a directory"),
        ("clean0.onnx", "one of the files that are read"),
        ("/proc/report.txt", "cannot write"),
    ],
)
def test_an_output_that_cannot_be_written_is_said_first(models: Path, stuck: Path, place: str, cause: str) -> None:
    """Checking would take for ever."""
    before = (models / "clean0.onnx").read_bytes()
    line = one_line(run("check", "--output", models / place, models / "clean0.onnx", stuck))
    assert "cannot write" in line and cause in line
    assert (models / "clean0.onnx").read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_said_first(models: Path, stuck: Path) -> None:
    folder = models / "locked"
    folder.mkdir(mode=0o500)
    assert "permission denied" in one_line(run("check", "--output", folder / "report.txt", stuck))


def test_closed_standard_output_is_said_first(stuck: Path) -> None:
    command = f"'{PROGRAM}' '{stuck}' >&-"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert result.returncode == 2 and "standard output: cannot write" in result.stderr


# --- the progress bar ----------------


class Terminal:
    """Standard error as a terminal, everything that appears on it."""

    def __init__(self) -> None:
        self.controller, self.terminal = pty.openpty()
        self.seen = b""

    def read_for(self, seconds: float) -> str:
        end = time.monotonic() + seconds
        os.set_blocking(self.controller, False)
        while time.monotonic() < end:
            try:
                self.seen += os.read(self.controller, 65536)
            except BlockingIOError:
                time.sleep(0.02)
            except OSError:  # how Linux says that the other end is closed
                break
        return self.seen.decode()

    def close(self) -> None:
        os.close(self.controller)
        os.close(self.terminal)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    made.close()


def environment(term: str = "xterm") -> dict[str, str]:
    return os.environ | {"TERM": term}


def test_the_bar_appears_after_a_second_and_is_erased(models: Path, stuck: Path, terminal: Terminal) -> None:
    with started(models / "clean0.onnx", stuck, stderr=terminal.terminal, env=environment()) as process:
        assert terminal.read_for(0.5) == ""
        seen = terminal.read_for(2.0)
        assert "1/2 models" in seen and "checking [=" in seen
        process.send_signal(signal.SIGINT)
        seen = terminal.read_for(1.0)
        process.communicate(timeout=PATIENCE)
    assert seen.endswith("\r\x1b[Ktrtcheck: the run was interrupted (SIGINT): 1 of 2 models were looked at\r\n")
    assert "\x1b[?" not in seen


@pytest.mark.parametrize(("options", "term"), [(["--quiet"], "xterm"), ([], "dumb")])
def test_no_bar(models: Path, stuck: Path, terminal: Terminal, options: list[str], term: str) -> None:
    with started(*options, stuck, stderr=terminal.terminal, env=environment(term)) as process:
        assert terminal.read_for(1.6) == ""
        process.kill()
        process.communicate()


def test_no_bar_in_a_file(stuck: Path) -> None:
    with started(stuck, env=environment()) as process:
        time.sleep(1.4)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert err == "trtcheck: the run was interrupted (SIGINT): 0 of 1 models were looked at\n"


def test_no_bar_for_short_work(models: Path, terminal: Terminal) -> None:
    with started(models, stderr=terminal.terminal, env=environment()) as process:
        process.communicate(timeout=PATIENCE)
    assert terminal.read_for(0.2) == ""
