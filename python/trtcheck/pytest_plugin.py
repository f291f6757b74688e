"""The pytest plugin. There is nothing to import: it is found by its entry point, see docs/pytest.md."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import trtcheck as _trtcheck
from trtcheck import _core, _export_log, _testing

# Which document a file name asks for.
FORMATS = _core.format_endings()
MARKER = """trtcheck(target, precision, allow, ...): what the checks of this test are made with, as for
trtcheck.load_settings; allow: rules that may report.""".replace("\n", " ")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("trtcheck", "will models convert to TensorRT")
    group.addoption(
        "--trtcheck", action="store_true", help="collect *.onnx files as tests: will TensorRT convert the model"
    )
    group.addoption(
        "--trtcheck-target",
        metavar="RELEASE",
        help='TensorRT release, such as "10.13", for all checks that do not name one',
    )
    group.addoption(
        "--trtcheck-confirm",
        action="store_true",
        help="ask NVIDIA's own parser and builder, too: needs `pip install tensorrt_rtx_cu12_libs==1.7.1.116`",
    )
    group.addoption(
        "--trtcheck-report",
        metavar="FILE",
        type=Path,
        help=f"write the reports of all checks as one document; FILE ends in {', '.join(FORMATS)}",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    target = config.option.trtcheck_target
    if target is not None:
        try:
            _trtcheck.Target(release=target)
        except _trtcheck.Error as error:
            raise pytest.UsageError(f"--trtcheck-target: {error}") from None
    path = config.option.trtcheck_report
    if path is not None:
        _check_destination(path)
    config.pluginmanager.register(_Session(config), "trtcheck-session")


def _check_destination(path: Path) -> None:
    if path.suffix not in FORMATS:
        raise pytest.UsageError(f"--trtcheck-report: {path}: the name has to end in one of {', '.join(FORMATS)}")
    folder = path.absolute().parent
    if path.is_dir() or not os.access(folder, os.W_OK):
        raise pytest.UsageError(f"--trtcheck-report: {path}: cannot be written")


class _Session:
    """The reports of a run, and the checks that are going on."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._path: Path | None = config.option.trtcheck_report
        # By test; reports of one test in the order in which they were made, an error where there is none.
        self._reports: dict[str, list[_trtcheck.Report | _trtcheck.Error]] = {}
        self._started: set[str] = set()
        self._lost: list[str] = []
        self._written = False

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("trtcheck"):
                unknown = [repr(name) for name in mark.kwargs if name not in _testing.option_names()]
                if mark.args or unknown:
                    wrong = f"no keyword {', '.join(unknown)}" if unknown else "keywords only"
                    raise pytest.UsageError(f"{item.nodeid}: the marker trtcheck accepts {wrong}")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        # A test that runs again (a plugin's retries) does not report twice.
        self._reports.pop(item.nodeid, None)

        self._started.add(item.nodeid)

        def record(report: _trtcheck.Report | _trtcheck.Error) -> None:
            if self._path is not None:
                self._reports.setdefault(item.nodeid, []).append(_named(report, item.nodeid))

        here = _testing.Surroundings(item.path.parent, _options(item), record, partial(_exporting, item))
        token = _testing.surroundings.set(here)
        try:
            return (yield)
        finally:
            _testing.surroundings.reset(token)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker of xdist has ended."""
        output = getattr(node, "workeroutput", {})
        if "trtcheck" in output:
            self._reports.update(pickle.loads(output["trtcheck"]))
        elif self._path is not None:
            self._lost.append(str(node.gateway.id))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._path is None:
            return
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["trtcheck"] = pickle.dumps(self._reports)
            return
        # Workers finish in any order.
        reports = [report for name in sorted(self._reports) for report in self._reports[name]]
        missing = [_trtcheck.Error("", f"worker {worker} died, its reports are missing") for worker in self._lost]
        missing += self._not_run(session, exitstatus)
        try:
            _write(self._path, _trtcheck.render([*reports, *missing], FORMATS[self._path.suffix]))
        except OSError as error:
            reason = f"--trtcheck-report: {self._path}: cannot be written: {error.strerror}"
            pytest.exit(reason, returncode=pytest.ExitCode.INTERNAL_ERROR)
        self._written = True

    def _not_run(self, session: pytest.Session, exitstatus: int) -> list[_trtcheck.Error]:
        """What a run that was stopped (Ctrl-C, `-x`, an error of pytest) has left out."""
        if session.config.option.collectonly:
            return []
        left = [item for item in session.items if item.nodeid not in self._started]
        # With xdist only the workers have tests.
        if not left and exitstatus in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR):
            return [_trtcheck.Error("", "the run was stopped before its end")]
        known = [item for item in left if _checks(item)]
        missing = [_trtcheck.Error(_name(item), "the run was stopped before this test") for item in known]
        others = len(left) - len(known)
        if others > 0:
            what = "1 more test" if others == 1 else f"{others} more tests"
            missing.append(_trtcheck.Error("", f"the run was stopped before {what}"))
        return missing

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._written:
            return
        terminalreporter.write_sep("-", f"trtcheck reports: {self._path}")
        for worker in self._lost:
            terminalreporter.write_line(f"trtcheck: warning: worker {worker} died, its reports are missing")


def _named(report: _trtcheck.Report | _trtcheck.Error, test: str) -> _trtcheck.Report | _trtcheck.Error:
    """A model without a path bears the name of its test."""
    if isinstance(report, _trtcheck.Error):
        return _trtcheck.Error(report.path or test, report.cause, report.offset)
    return report if report.path else report._renamed(test.encode(errors="backslashreplace"))


def _checks(item: pytest.Item) -> bool:
    """Whether the test is known to check a model before it runs."""
    fixtures = {"assert_convertible", "trtcheck"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures) or item.get_closest_marker("trtcheck") is not None


def _name(item: pytest.Item) -> str:
    """As its report would be called."""
    return os.fspath(_shortest(item.path, Path.cwd())) if isinstance(item, ModelItem) else item.nodeid


@contextmanager
def _exporting(item: pytest.Item) -> Iterator[None]:
    """Exporters write dozens of lines, which would stand below each failure."""
    with _export_log.captured() as said:
        try:
            yield
        finally:
            if "A" in item.config.option.reportchars and said():
                item.add_report_section("call", "export log", said())


def _write(path: Path, text: str) -> None:
    """All of it or nothing."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.absolute().parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _options(item: pytest.Item) -> dict[str, Any]:
    """The marker closest to the test stands over further ones, all of them over the command line."""
    target = item.config.option.trtcheck_target
    made: dict[str, Any] = {} if target is None else {"target": target}
    if item.config.option.trtcheck_confirm:
        made["confirm"] = True
    for mark in reversed(list(item.iter_markers("trtcheck"))):
        made.update(mark.kwargs)
    return made


@pytest.fixture
def trtcheck() -> Callable[..., _trtcheck.Report]:
    """Check a model, or a PyTorch module with its inputs, with the project's settings: `trtcheck(model, args)`.

    Returns the report; nothing fails. In a test that uses this, `trtcheck` is no longer the package.
    """
    return _testing.check_here


@pytest.fixture
def assert_convertible() -> Callable[..., _trtcheck.Report]:
    """`trtcheck.assert_convertible`."""
    return _testing.assert_convertible


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != ".onnx" or not parent.config.option.trtcheck:
        return None
    # A model that is named itself is checked, as on the command line.
    named = any(Path(argument.split("::")[0]).absolute() == file_path for argument in parent.config.args)
    try:
        if not named and _trtcheck.load_settings(file_path).excludes(file_path):
            return None
    except _trtcheck.Error as error:
        raise parent.CollectError(str(error)) from None
    return ModelFile.from_parent(parent, path=file_path)


class ModelFile(pytest.File):
    """A model that was collected."""

    def collect(self) -> Iterable[pytest.Item]:
        yield ModelItem.from_parent(self, name="trtcheck")


class ModelItem(pytest.Item):
    """The one test of a model."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.add_marker("trtcheck")

    def runtest(self) -> None:
        _testing.assert_convertible(_shortest(self.path, Path.cwd()))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, (AssertionError, _trtcheck.Error)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"trtcheck {_shortest(self.path, self.config.rootpath)}"


def _shortest(path: Path, folder: Path) -> Path:
    return path.relative_to(folder) if path.is_relative_to(folder) else path
