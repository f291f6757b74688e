"""trtcheck.check_many on threads, on processes, and when things go wrong."""

from __future__ import annotations

import gc
import itertools
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import samples

import trtcheck

HEALTHY = samples.serialized(samples.HEALTHY)
REFUSED = samples.serialized(samples.REFUSED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six models in three folders, and something that is none."""
    for number, name in enumerate(["b.onnx", "a.onnx", "deep/c.onnx", "deep/er/d.onnx", "e.onnx", "deep/f.onnx"]):
        path = tmp_path / "models" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(REFUSED if number % 2 else HEALTHY)
    (tmp_path / "models/readme.txt").write_text("no model")
    return tmp_path / "models"


def spawned(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def by_path(reports: Iterator[Any]) -> dict[str, str]:
    made = {report.path: report.to_json() for report in reports}
    assert made
    return made


# --- what is checked ----------------


def test_a_folder_gives_what_check_gives_for_each_model(folder: Path) -> None:
    expected = {str(path): trtcheck.check(path, target="10.3").to_json() for path in folder.rglob("*.onnx")}
    assert len(expected) == 6
    assert by_path(trtcheck.check_many(folder, target="10.3")) == expected
    assert by_path(trtcheck.check_many([str(folder)], target="10.3")) == expected
    assert by_path(trtcheck.check_many(iter(expected), target="10.3")) == expected


def test_files_and_folders_mix(folder: Path) -> None:
    given = [folder / "deep", folder / "a.onnx"]
    found = sorted(Path(report.path).name for report in trtcheck.check_many(given))
    assert found == ["a.onnx", "c.onnx", "d.onnx", "f.onnx"]
    (single,) = trtcheck.check_many(folder / "a.onnx")
    assert (single.path, single.verdict) == (str(folder / "a.onnx"), "refused")


def test_one_worker_keeps_the_order(folder: Path) -> None:
    with ThreadPoolExecutor(1) as one:
        found = [os.path.relpath(report.path, folder) for report in trtcheck.check_many(folder, executor=one)]
    assert found == ["a.onnx", "b.onnx", "deep/c.onnx", "deep/er/d.onnx", "deep/f.onnx", "e.onnx"]


def test_nothing_to_check_is_said_for_a_folder(tmp_path: Path) -> None:
    assert list(trtcheck.check_many([])) == []
    with pytest.raises(trtcheck.Error, match=r"there is no model \(`\*\.onnx`\) in this folder") as caught:
        list(trtcheck.check_many(tmp_path))
    assert caught.value.path == str(tmp_path)


def test_an_executor_of_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    relative = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.onnx"))
    expected = {path: trtcheck.check(path).to_json() for path in relative}
    with spawned(2) as pool:
        # The workers stay in the folder in which they were started.
        assert next(trtcheck.check_many("a.onnx", executor=pool)).path == "a.onnx"
        (folder / "other").mkdir()
        Path("deep/er/d.onnx").rename("other/d.onnx")
        monkeypatch.chdir(folder / "other")
        assert next(trtcheck.check_many("d.onnx", executor=pool)).path == "d.onnx"
        monkeypatch.chdir(folder)
        Path("other/d.onnx").rename("deep/er/d.onnx")
        assert by_path(trtcheck.check_many(relative, executor=pool)) == expected
        lost = trtcheck.check_many(["a.onnx", "gone.onnx"], executor=pool, errors="return")
        (error,) = [answer for answer in lost if isinstance(answer, trtcheck.Error)]
        assert str(error) == "gone.onnx: cannot be opened: No such file or directory"
        assert pool.submit(int, "7").result() == 7  # it is not ours to shut down


def test_a_path_need_not_be_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"caf\xe9.onnx")
    Path(name).write_bytes(HEALTHY)
    for given in (name, str(tmp_path), tmp_path / name):
        (report,) = trtcheck.check_many(given)
        assert report.path.endswith("caf\\xe9.onnx")
        assert report.to_json() == trtcheck.check(given if given != str(tmp_path) else tmp_path / name).to_json()


def test_settings_stand_for_options(folder: Path) -> None:
    (folder / "trtcheck.toml").write_text('target = "10.3"\nplugins = ["Foo"]\nexclude = ["deep/er/"]\n')
    settings = trtcheck.load_settings(folder)
    expected = {str(path): settings.check(path).to_json() for path in folder.rglob("*.onnx") if "er" not in path.parts}
    assert len(expected) == 5
    assert by_path(trtcheck.check_many(folder, settings=settings)) == expected
    with spawned(1) as pool:
        assert by_path(trtcheck.check_many(folder, settings=settings, executor=pool)) == expected
    named = folder / "deep/er/d.onnx"
    assert by_path(trtcheck.check_many([named], settings=settings)) == {str(named): settings.check(named).to_json()}
    with pytest.raises(TypeError, match="holds target already"):
        trtcheck.check_many(folder, settings=settings, target="10.3")


# --- laziness ----------------


class Counting(Executor):
    """Runs each task when somebody asks for it, so that a test sees how many wait."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.most = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, lambda: fn(*args, **kwargs)))
        self.most = max(self.most, len(self.waiting))
        if len(self.waiting) == 5:
            self.run()
        return future

    def run(self) -> None:
        for future, task in self.waiting:
            if future.set_running_or_notify_cancel():
                future.set_result(task())
        self.waiting.clear()


def test_an_endless_iterable_is_read_as_far_as_needed(folder: Path) -> None:
    taken = itertools.count()
    paths = (folder / "a.onnx" for _ in taken)
    reports = trtcheck.check_many(paths, in_flight=5)
    for _ in range(50):
        assert next(reports).verdict == "refused"
    reports.close()
    assert next(taken) <= 50 + 5 + 1


def test_no_more_tasks_wait_than_allowed(folder: Path) -> None:
    executor = Counting()
    reports = trtcheck.check_many(itertools.repeat(folder / "a.onnx"), executor=executor, in_flight=5)
    for _ in range(20):
        next(reports)
    assert executor.most == 5
    started = [future for future, _ in executor.waiting]
    reports.close()
    assert all(future.cancelled() for future in started)


def test_reports_come_while_the_paths_are_still_being_found(folder: Path) -> None:
    asked = threading.Event()

    def slow() -> Iterator[Path]:
        yield folder / "a.onnx"
        time.sleep(0.2)
        yield folder / "b.onnx"
        assert asked.is_set(), "the first report was held back"
        yield folder / "e.onnx"

    names = []
    for report in trtcheck.check_many(slow(), in_flight=100):
        names.append(Path(report.path).name)
        asked.set()
    assert sorted(names) == ["a.onnx", "b.onnx", "e.onnx"]


def own_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("trtcheck")]


def test_leaving_early_closes_the_own_threads(folder: Path) -> None:
    reports = trtcheck.check_many(itertools.repeat(folder / "a.onnx"))
    assert own_threads() == []  # nothing starts before somebody asks
    next(reports)
    assert own_threads() != []
    reports.close()
    assert own_threads() == []
    with pytest.raises(KeyError):
        for report in trtcheck.check_many(itertools.repeat(folder / "a.onnx")):
            raise KeyError(report.path)
    gc.collect()
    assert own_threads() == []


# --- errors ----------------


def test_an_unreadable_model_is_raised_or_returned(folder: Path) -> None:
    (folder / "bad.onnx").write_bytes(b"\x08")
    with pytest.raises(trtcheck.Error, match=r"bad\.onnx: malformed"):
        list(trtcheck.check_many(folder))
    answers = list(trtcheck.check_many([folder, "missing.onnx"], errors="return"))
    errors = {answer.path: answer for answer in answers if isinstance(answer, trtcheck.Error)}
    assert errors.keys() == {str(folder / "bad.onnx"), "missing.onnx"}
    with pytest.raises(trtcheck.Error) as alone:
        trtcheck.check(folder / "bad.onnx")
    assert str(errors[str(folder / "bad.onnx")]) == str(alone.value)
    assert sum(isinstance(answer, trtcheck.Report) for answer in answers) == 6


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_listed_is_an_error(folder: Path) -> None:
    (folder / "deep").chmod(0)
    *reports, error = trtcheck.check_many(folder, errors="return")
    (folder / "deep").chmod(0o700)
    assert len(reports) == 3
    assert str(error) == f"{folder}/deep: cannot be read: Permission denied"


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"target": "10.99"}, trtcheck.Error, "10.99"),
        ({"select": "XYZ999"}, trtcheck.Error, "XYZ999"),
        ({"profile": "x=1x3:0"}, trtcheck.Error, "x=1x3:0"),
        ({"tarket": "10.3"}, TypeError, "tarket"),
        ({"errors": "ignore"}, ValueError, "ignore"),
        ({"in_flight": 0}, ValueError, "in_flight"),
    ],
)
def test_options_are_tried_before_the_first_model(options: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        trtcheck.check_many(["missing.onnx"], **options)


@pytest.mark.parametrize(
    ("paths", "text"), [(HEALTHY, "bytes of a model"), ([HEALTHY], "not bytes"), ([None], "not NoneType")]
)
def test_models_in_memory_are_for_check(paths: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        list(trtcheck.check_many(paths))


def test_a_profile_that_does_not_fit_is_raised(folder: Path) -> None:
    with pytest.raises(trtcheck.Error, match="no input `nope`"):
        list(trtcheck.check_many(folder, profile={"nope": (1, 3)}))


class Stubborn(os.PathLike[str]):
    """A path that works in one process only."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        if multiprocessing.parent_process() is not None:
            raise LookupError("not in a worker")
        return str(self.path)


def test_what_is_no_error_of_trtcheck_comes_back_as_it_is(folder: Path) -> None:
    with spawned(1) as pool, pytest.raises(LookupError, match="not in a worker"):
        list(trtcheck.check_many([Stubborn(folder / "a.onnx")], executor=pool, errors="return"))


# --- workers that die ----------------


class Deadly(os.PathLike[str]):
    """A path whose reader is killed, as by the out-of-memory killer."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        if multiprocessing.parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return str(self.path)


def test_a_worker_that_dies_is_an_error_that_names_its_models(folder: Path) -> None:
    paths = [folder / "a.onnx", Deadly(folder / "e.onnx"), folder / "b.onnx"]
    with spawned(1) as pool:
        finished = []
        with pytest.raises(trtcheck.Error) as caught:
            for report in trtcheck.check_many(paths, executor=pool):
                finished.append(report.path)
    assert finished == [str(folder / "a.onnx")]
    assert str(folder / "e.onnx") in str(caught.value)
    assert "a worker died (BrokenProcessPool)" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_models_without_a_report_are_errors_when_a_worker_died(folder: Path) -> None:
    left = [folder / "b.onnx"] * 20 + [folder / "deep"]
    paths = [folder / "a.onnx", Deadly(folder / "e.onnx"), *left]
    with spawned(1) as pool:
        report, *errors = trtcheck.check_many(paths, executor=pool, errors="return")
    assert report.path == str(folder / "a.onnx")
    assert all(isinstance(error, trtcheck.Error) for error in errors)
    expected = [str(path) for path in (folder / "e.onnx", *left[:-1])]
    expected += [str(folder / name) for name in ("deep/c.onnx", "deep/er/d.onnx", "deep/f.onnx")]
    assert [error.path for error in errors] == expected
    died = "was not checked: a worker died (BrokenProcessPool)"
    assert errors[0].cause == f"{died} while it was in flight"
    assert errors[-1].cause == f"{died} before"
    document = json.loads(trtcheck.render([report, *errors], "sarif"))
    (invocation,) = document["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == len(expected)


def test_a_broken_executor_is_found_when_it_takes_no_more(folder: Path) -> None:
    with spawned(1) as pool:
        with pytest.raises(trtcheck.Error):
            list(trtcheck.check_many([Deadly(folder / "a.onnx")], executor=pool))
        with pytest.raises(trtcheck.Error, match=r"in flight: `.*b\.onnx`"):
            list(trtcheck.check_many([folder / "b.onnx"], executor=pool))


class Failing(Executor):
    """What a cluster does with a task whose workers died: the future holds an exception of the cluster's own."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if "a.onnx" in str(args):
            future.set_exception(RuntimeError("the worker\ndied"))
        elif "b.onnx" in str(args):
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_task_that_the_executor_loses_is_an_error_of_its_model(folder: Path) -> None:
    answers = {answer.path: answer for answer in trtcheck.check_many(folder, executor=Failing(), errors="return")}
    assert len(answers) == 6
    lost = answers.pop(str(folder / "a.onnx"))
    assert str(lost) == f"{folder}/a.onnx: was not checked, the executor failed: RuntimeError: the worker died"
    cancelled = answers.pop(str(folder / "b.onnx"))
    assert str(cancelled) == f"{folder}/b.onnx: was not checked: the executor cancelled it"
    assert all(isinstance(answer, trtcheck.Report) for answer in answers.values())


KILLED = """
import logging, os, signal, sys
import dask
from distributed import Client, LocalCluster
import trtcheck

class Deadly(os.PathLike):
    def __init__(self, path, survivor):
        self.path, self.survivor = path, survivor

    def __fspath__(self):
        if os.getpid() != self.survivor:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.path

if __name__ == "__main__":
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    quiet = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with LocalCluster(2, threads_per_worker=1, host="127.0.0.1", **quiet) as cluster, Client(cluster) as client:
        paths = [sys.argv[1], Deadly(sys.argv[2], os.getpid()), sys.argv[3]]
        for answer in trtcheck.check_many(paths, executor=client.get_executor(), errors="return"):
            print(type(answer).__name__, answer.path, "KilledWorker" in str(answer))
"""


def test_a_worker_of_dask_that_dies_is_an_error_of_its_model(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "killed.py").write_text(KILLED)
    paths = [str(folder / name) for name in ("a.onnx", "b.onnx", "e.onnx")]
    command = [sys.executable, tmp_path / "killed.py", *paths]
    alone = {**os.environ, "NO_PROXY": "*", "no_proxy": "*"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=alone)
    assert done.returncode == 0, done.stderr
    answers = {line.split()[1]: line for line in done.stdout.splitlines()}
    assert answers.keys() == set(paths)
    assert answers[paths[1]] == f"Error {paths[1]} True"
    # Dask may hold its neighbours on that worker for guilty, too.
    assert all(line.startswith("Report") or line.endswith("True") for line in answers.values())


INTERRUPTED = """
import itertools, os, signal, sys, threading
import trtcheck

threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    for report in trtcheck.check_many(itertools.repeat(sys.argv[1])):
        pass
except KeyboardInterrupt:
    left = [thread.name for thread in threading.enumerate() if thread.name.startswith("trtcheck")]
    sys.exit(f"threads left: {left}" if left else 130)
"""


def test_ctrl_c_ends_it(folder: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED, str(folder / "a.onnx")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (130, "")
