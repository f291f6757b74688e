"""Models that come through a pipe: its writer may be late, slow or gone, and signals come in between."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import onnx.parser
import pytest
from test_cli import CLEAN, PROGRAM

import trtcheck

CONTENT = onnx.parser.parse_model(CLEAN).SerializeToString()


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.fixture
def alarm() -> Iterator[list[float]]:
    """When it rang: every 0.2 seconds, however long it takes until somebody waits."""
    rung: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
    yield rung
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_who_waits_for_a_writer_is_interrupted(pipe: Path, alarm: list[float]) -> None:
    """It may take for ever."""
    with pytest.raises(trtcheck.Error, match=r"nobody has written to the pipe yet: Interrupted system call$"):
        trtcheck.check(pipe)
    assert alarm


def test_who_reads_is_not(pipe: Path, alarm: list[float]) -> None:
    file = os.open(pipe, os.O_RDWR)
    os.write(file, CONTENT[:9])

    def write() -> None:
        time.sleep(0.6)
        os.write(file, CONTENT[9:])
        os.close(file)

    writer = threading.Thread(target=write)
    writer.start()
    assert trtcheck.check(pipe).verdict == "clean"
    writer.join()
    assert alarm


def check(stdin: socket.socket) -> subprocess.CompletedProcess[str]:
    command = [PROGRAM, "check", "--no-config", "-"]
    return subprocess.run(command, stdin=stdin, capture_output=True, text=True, check=False, timeout=20)


def test_a_model_of_a_connection() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(CONTENT)
        ours.close()
        result = check(theirs)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("<stdin>: clean")


def test_a_connection_that_breaks_is_one_line() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        # Nobody reads it, so the end of the connection is an error.
        theirs.sendall(b"x")
        ours.close()
        result = check(theirs)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "trtcheck: <stdin>: cannot be read: Connection reset by peer\n"
