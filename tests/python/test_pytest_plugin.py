"""The pytest plugin, run by pytest: inside of this process, in a process of its own, and with xdist."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
import samples

import trtcheck

pytest_plugins = ["pytester"]

PACKAGE = Path(trtcheck.__file__).resolve().parents[1]
PAGE = Path(__file__).resolve().parents[2] / "docs/pytest.md"
INSTALLED = any(point.name == "trtcheck" for point in metadata.entry_points(group="pytest11"))
# Not imported here: pytester forgets what a test imports, which torch does not survive.
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
needs_xdist = pytest.mark.skipif(find_spec("xdist") is None, reason="xdist is not installed")
ENTRY_POINTS = "[pytest11]\ntrtcheck = trtcheck.pytest_plugin\n"


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> pytest.Pytester:
    """A project with three models, where trtcheck is installed."""
    if not INSTALLED:  # the tests run on the source tree: say what the wheel would say
        site = tmp_path_factory.mktemp("site")
        info = site / "trtcheck_cpp-0.1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: trtcheck-cpp\nVersion: 0.1.0\n")
        (info / "entry_points.txt").write_text(ENTRY_POINTS)
        monkeypatch.syspath_prepend(str(site))
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(PACKAGE)]))
    # The plugin of hypothesis imports all of hypothesis at the end of each of these runs.
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest")
    monkeypatch.setenv("COLUMNS", "200")  # or messages of the summary are cut
    models = pytester.mkdir("models")
    (models / "good.onnx").write_bytes(samples.serialized(samples.HEALTHY))
    (models / "bad.onnx").write_bytes(samples.serialized(samples.REFUSED))
    (models / "worse.onnx").write_bytes(samples.serialized(samples.REFUSED.replace("Foo", "Bar")))
    pytester.makeini("[pytest]\naddopts = --strict-markers --strict-config\nfilterwarnings = error\n")
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """In this process, which takes a tenth of the time."""
    return project.runpytest_inprocess("-p", "no:cacheprovider", "-rA", *arguments)


def run_alone(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """In a process of its own; it must end without a warning."""
    result = project.runpytest_subprocess("-p", "no:cacheprovider", "-rA", *arguments)
    assert "warning" not in result.stderr.str().lower()
    return result


def full_report(path: str, **options: object) -> list[str]:
    return str(trtcheck.check(path, **options)).rstrip("\n").split("\n")  # type: ignore[arg-type]


# --- fixtures ----------------

USES = """
    import pytest
    import trtcheck as package

    def test_fixture(trtcheck):
        report = trtcheck("models/bad.onnx")
        assert [f.code for f in report] == ["OPS103"]
        assert report.target.release == "10.3"
        assert trtcheck("models/bad.onnx", target="8.6").target.release == "8.6"
        assert trtcheck("models/bad.onnx", plugins="Foo").ok

    def test_memory(trtcheck):
        with open("models/bad.onnx", "rb") as file:
            report = trtcheck(file.read())
        assert (report.path, report.target.release, report.verdict) == ("", "10.3", "refused")

    def test_passes(assert_convertible):
        assert assert_convertible("models/good.onnx").verdict == "clean"

    def test_the_same_by_import():
        assert package.assert_convertible("models/good.onnx").target.release == "10.3"

    @pytest.mark.trtcheck(plugins=["Foo"])
    def test_marker(assert_convertible):
        assert_convertible("models/bad.onnx")

    @pytest.mark.parametrize("allow", ["OPS103", "OPS", ["plugin-missing"]])
    def test_allow(allow, assert_convertible):
        assert assert_convertible("models/bad.onnx", allow=allow).suppressed == 1
        with pytest.raises(AssertionError):
            assert_convertible("models/bad.onnx", allow="QDQ104")

    @pytest.mark.trtcheck(allow=["OPS103"])
    def test_allow_by_marker():
        assert package.assert_convertible("models/bad.onnx", allow="QDQ104").suppressed == 1

    def test_unknown(assert_convertible):
        with pytest.raises(package.Error, match="plugin-missing"):
            assert_convertible("models/bad.onnx", allow="plugin-mising")
        with pytest.raises(TypeError, match="tarket"):
            assert_convertible("models/bad.onnx", tarket="10.3")
        with pytest.raises(TypeError, match="only for a PyTorch module"):
            assert_convertible("models/bad.onnx", (1, 2))
        with pytest.raises(package.Error, match="missing.onnx: cannot be opened"):
            assert_convertible("missing.onnx")
"""


def test_the_fixtures_use_the_settings_of_the_project(project: pytest.Pytester) -> None:
    project.makefile(".toml", trtcheck='target = "10.3"\n')
    project.makepyfile(USES)
    run(project).assert_outcomes(passed=10)


PRECEDENCE = """
    import pytest

    pytestmark = pytest.mark.trtcheck(target="10.0")

    def test_module(trtcheck):
        assert trtcheck("models/good.onnx").target.release == "10.0"

    @pytest.mark.trtcheck(target="10.1", precision="fp16")
    class TestClass:
        def test_class(self, trtcheck):
            target = trtcheck("models/good.onnx").target
            assert (target.release, target.precision) == ("10.1", ["fp16"])

        @pytest.mark.trtcheck(target="10.2")
        def test_function(self, trtcheck):
            target = trtcheck("models/good.onnx").target
            assert (target.release, target.precision) == ("10.2", ["fp16"])
            assert trtcheck("models/good.onnx", target="8.5").target.release == "8.5"
"""
PLAIN = """
    def test_plain(trtcheck):
        import os
        assert trtcheck("models/good.onnx").target.release == os.environ["EXPECTED"]
"""


def test_the_closer_one_wins(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    project.makefile(".toml", trtcheck='target = "10.3"\n')
    project.makepyfile(test_a=PRECEDENCE, test_b=PLAIN)
    monkeypatch.setenv("EXPECTED", "10.3")
    run(project).assert_outcomes(passed=4)
    monkeypatch.setenv("EXPECTED", "10.7")
    run(project, "--trtcheck-target", "10.7").assert_outcomes(passed=4)


def test_a_failure_is_the_full_report_and_nothing_of_the_plugin(project: pytest.Pytester) -> None:
    project.makepyfile("""
        import trtcheck

        def test_import():
            trtcheck.assert_convertible("models/bad.onnx", target="10.13")

        def test_fixture(assert_convertible):
            assert_convertible("models/bad.onnx", target="10.13")
    """)
    result = run_alone(project)
    result.assert_outcomes(failed=2)
    shown = [line[1:].strip() for line in result.outlines if line.startswith("E ")]
    expected = [line.strip() for line in full_report("models/bad.onnx", target="10.13")]
    assert shown == [f"AssertionError: {expected[0]}", *expected[1:]] * 2
    assert ">       assert_convertible(" in result.stdout.str()
    for file in ("_testing.py", "pytest_plugin.py"):
        assert file not in result.stdout.str()
    result.stdout.fnmatch_lines(["FAILED *::test_import - AssertionError: error?OPS103?*"])


def test_a_unittest_has_no_fixtures_but_the_function(project: pytest.Pytester) -> None:
    project.makepyfile("""
        import unittest
        import trtcheck

        class Models(unittest.TestCase):
            def test_good(self):
                assert trtcheck.assert_convertible("models/good.onnx").target.release == "10.7"
    """)
    run(project, "--trtcheck-target=10.7").assert_outcomes(passed=1)


def test_outside_of_pytest_the_function_works_alone(project: pytest.Pytester) -> None:
    project.makefile(".toml", trtcheck='target = "10.3"\n')
    program = "import trtcheck; print(trtcheck.assert_convertible('models/good.onnx').target.release)"
    assert project.run(sys.executable, "-c", program).outlines == ["10.3"]
    failing = program.replace("good", "bad")
    result = project.run(sys.executable, "-c", failing)
    assert result.ret == 1
    assert any(line.startswith("AssertionError: error[OPS103]") for line in result.errlines)


MODULE = """
    import pytest
    import torch
    import trtcheck

    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.relu(x) + 1

    def test_module(assert_convertible):
        options = {"input_names": ["x"], "dynamic_axes": {"x": {0: "N"}}}
        report = assert_convertible(Net().eval(), torch.ones(2, 3), **options)
        assert (report.path, report.target.release) == ("", "10.7")
"""


@needs_torch
def test_a_module_is_exported_and_named_after_its_test(project: pytest.Pytester) -> None:
    project.makepyfile(test_net=MODULE)
    result = run_alone(project, "--trtcheck-target=10.7", "--trtcheck-report=all.json")  # torch is imported once only
    result.assert_outcomes(passed=1)
    (model,) = json.loads(Path("all.json").read_text())["models"]
    assert model["path"] == "test_net.py::test_module"
    assert model["verdict"] == "clean"


FAILING_MODULE = """
    import logging
    import sys

    import torch
    from torch.onnx import export

    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.relu(x) + 1

    def noisy(*args, **kwargs):
        logging.getLogger("torch.onnx.somewhere").warning("a torch logger")
        logging.getLogger("somebody").warning("a logger of mine")
        print("printed")
        print("printed as an error", file=sys.stderr)
        sys.__stderr__.write("written to the descriptor")
        return export(*args, **kwargs)

    def test_module(assert_convertible, monkeypatch):
        monkeypatch.setattr(torch.onnx, "export", noisy)
        print("before")
        assert_convertible(Net().eval(), torch.ones(2, 3), target="10.7", fail_on="never", exporter="{exporter}")
        print("after")
        assert logging.getLogger("torch").handlers and not logging.getLogger("onnx_ir").handlers
        raise RuntimeError("the failure")
"""
NOISE = ["a torch logger", "printed as an error", "written to the descriptor"]


@needs_torch
@pytest.mark.parametrize("exporter", ["dynamo", "torchscript"])
def test_the_log_of_the_exporter_is_no_part_of_a_failure(project: pytest.Pytester, exporter: str) -> None:
    project.makepyfile(test_net=FAILING_MODULE.replace("{exporter}", exporter))
    quiet = project.runpytest_subprocess("-p", "no:cacheprovider", "-W", "ignore::DeprecationWarning")
    quiet.assert_outcomes(failed=1)
    text = quiet.stdout.str()
    assert not [word for word in [*NOISE, "torch.__trace", "Exported graph", "export log"] if word in text]
    output = text[text.index("Captured stdout call") :].splitlines()[1:3]
    assert output == ["before", "after"]
    assert "a logger of mine" in text[text.index("Captured log call") :]

    asked = project.runpytest_subprocess("-p", "no:cacheprovider", "-rA", "-W", "ignore::DeprecationWarning")
    asked.assert_outcomes(failed=1)
    text = asked.stdout.str()
    log = text[text.index("Captured export log call") :]
    for word in NOISE:
        assert word in log


@needs_torch
def test_the_program_of_the_page_runs(project: pytest.Pytester) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    project.makepyfile(test_deployment=program)
    (project.path / "models/good.onnx").rename("model.onnx")
    result = run_alone(project, "-W", "ignore::DeprecationWarning")
    result.assert_outcomes(passed=3)


# --- markers and options ----------------


def test_the_marker_is_registered(project: pytest.Pytester) -> None:
    result = project.runpytest_inprocess("--markers")
    result.stdout.fnmatch_lines(["@pytest.mark.trtcheck(target, precision, allow, ...): *"])
    result.stdout.fnmatch_lines(["@pytest.mark.trtcheck*"])


@pytest.mark.parametrize(
    ("mark", "text"),
    [('tarket="10.3"', "accepts no keyword 'tarket'"), ('"10.3"', "accepts keywords only")],
)
def test_a_marker_that_makes_no_sense_stops_the_run(project: pytest.Pytester, mark: str, text: str) -> None:
    project.makepyfile(f"""
        import pytest

        @pytest.mark.trtcheck({mark})
        def test_it():
            pass
    """)
    result = project.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*::test_it: the marker trtcheck {text}"])


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--trtcheck-target=10.99", "ERROR: --trtcheck-target: *10.99*"),
        ("--trtcheck-report=all.pdf", "ERROR: --trtcheck-report: all.pdf: the name has to end in one of .html, *"),
        ("--trtcheck-report=all", "ERROR: --trtcheck-report: all: the name has to end in one of *"),
        ("--trtcheck-report=none/all.json", "ERROR: --trtcheck-report: none/all.json: cannot be written"),
        ("--trtcheck-report=models.json", "ERROR: --trtcheck-report: models.json: cannot be written"),
    ],
)
def test_an_option_that_makes_no_sense_stops_the_run(project: pytest.Pytester, option: str, text: str) -> None:
    project.mkdir("models.json")
    project.makepyfile("def test_it(): raise SystemExit('it ran')")
    result = project.runpytest_inprocess(option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([text])


def test_it_can_be_switched_off(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it(): pass")
    run_alone(project, "-p", "no:trtcheck").assert_outcomes(passed=1)
    result = project.runpytest_subprocess("-p", "no:trtcheck", "--trtcheck")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*unrecognized arguments: --trtcheck*"])


def test_the_fixtures_are_listed_with_their_words(project: pytest.Pytester) -> None:
    result = project.runpytest_inprocess("--fixtures")
    result.stdout.fnmatch_lines(["*fixtures defined from trtcheck.pytest_plugin*", "trtcheck*", "*Check a model*"])


def test_importing_it_imports_little() -> None:
    program = "import sys, pytest, trtcheck.pytest_plugin as plugin; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    heavy = {"torch", "onnx", "onnx_ir", "onnxruntime", "numpy", "fsspec", "distributed", "xdist", "asyncio"}
    assert heavy & set(done.stdout.split()) == set()


# --- models as tests ----------------


def test_models_are_tests_when_asked_for(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it(): pass")
    run(project).assert_outcomes(passed=1)
    result = run(project, "--trtcheck", "--trtcheck-target=10.13")
    result.assert_outcomes(passed=2, failed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines_random(["PASSED models/good.onnx::trtcheck", "FAILED models/bad.onnx::trtcheck*"])
    text = "\n".join(line.rstrip() for line in result.outlines)
    assert "\n".join(line.rstrip() for line in full_report("models/bad.onnx", target="10.13")) in text
    assert "_testing.py" not in text and "pytest_plugin.py" not in text

    run(project, "--trtcheck", "-m", "trtcheck").assert_outcomes(passed=1, failed=2, deselected=1)
    run(project, "--trtcheck", "models/good.onnx").assert_outcomes(passed=1)
    run(project, "--trtcheck", "models/good.onnx::trtcheck").assert_outcomes(passed=1)
    run(project, "--trtcheck", "-k", "bad").assert_outcomes(failed=1, deselected=3)


def test_configuration_counts_for_models(project: pytest.Pytester) -> None:
    project.makefile(".toml", trtcheck='exclude = ["worse.onnx"]\nplugins = ["Foo"]\n')
    run(project, "--trtcheck").assert_outcomes(passed=2)
    run(project, "--trtcheck", "models").assert_outcomes(passed=2)
    run(project, "--trtcheck", "models/worse.onnx").assert_outcomes(failed=1)
    project.makefile(".toml", trtcheck='tarket = "10.3"\n')
    result = run(project, "--trtcheck")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*trtcheck.toml:1: unknown key `tarket`*"])


def test_a_model_that_cannot_be_read_fails_in_one_line(project: pytest.Pytester) -> None:
    (project.path / "models/cut.onnx").write_bytes(b"\x08")
    result = run(project, "--trtcheck", "models/cut.onnx")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["models/cut.onnx: malformed ONNX model: a number is cut off (at byte 1)"])
    assert "Traceback" not in result.stdout.str()


def test_the_last_failed_ones_run_again(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("--trtcheck").assert_outcomes(passed=1, failed=2)
    again = project.runpytest_subprocess("--trtcheck", "--lf", "-v")
    again.assert_outcomes(failed=2)
    again.stdout.fnmatch_lines(["models/bad.onnx::trtcheck FAILED*", "models/worse.onnx::trtcheck FAILED*"])


# --- one document for all ----------------

SEVERAL = """
    import pytest

    @pytest.mark.parametrize("name", ["worse", "good", "bad"])
    def test_model(name, trtcheck):
        trtcheck(f"models/{name}.onnx", target="10.13")
        with open("models/bad.onnx", "rb") as file:
            trtcheck(file.read(), target="10.13")
"""
PATHS = [
    *("models/bad.onnx", "test_several.py::test_model[bad]"),
    *("models/good.onnx", "test_several.py::test_model[good]"),
    *("models/worse.onnx", "test_several.py::test_model[worse]"),
]


def test_all_reports_of_a_run_are_one_document(project: pytest.Pytester) -> None:
    project.makepyfile(test_several=SEVERAL)
    result = run_alone(project, "--trtcheck-report=all.json")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["*- trtcheck reports: all.json -*"])
    document = json.loads(Path("all.json").read_text())
    assert [model["path"] for model in document["models"]] == PATHS
    assert [model["verdict"] for model in document["models"]] == ["refused"] * 2 + ["clean", "refused"] + [
        "refused"
    ] * 2
    assert Path("all.json").stat().st_mode & 0o777 == 0o666 & ~umask()


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("suffix", [".html", ".jsonl", ".md", ".sarif", ".txt", ".xml"])
def test_the_name_says_the_format(project: pytest.Pytester, suffix: str) -> None:
    project.makepyfile(test_several=SEVERAL)
    result = project.runpytest_inprocess(f"--trtcheck-report=all{suffix}")
    result.assert_outcomes(passed=3)
    text = Path(f"all{suffix}").read_text()
    assert "OPS103" in text
    # SARIF knows findings only, text counts the clean models.
    assert suffix == ".sarif" or ("1 clean" if suffix == ".txt" else "good.onnx") in text
    if suffix == ".sarif":
        (sarif_run,) = json.loads(text)["runs"]
        assert [found["ruleId"] for found in sarif_run["results"]] == ["OPS103"] * 5
    elif suffix == ".xml":
        assert ElementTree.fromstring(text).tag in ("testsuites", "testsuite")
    elif suffix == ".jsonl":
        assert all(isinstance(json.loads(line), dict) for line in text.splitlines())
    elif suffix == ".html":
        assert text.lower().startswith("<!doctype html>")


def test_a_test_that_fails_is_in_the_document(project: pytest.Pytester) -> None:
    result = run(project, "--trtcheck", "--trtcheck-report=all.json")
    result.assert_outcomes(passed=1, failed=2)
    models = json.loads(Path("all.json").read_text())["models"]
    assert [Path(model["path"]).name for model in models] == ["bad.onnx", "good.onnx", "worse.onnx"]


def test_an_empty_run_writes_an_empty_document(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it(): pass")
    run(project, "--trtcheck-report=all.json").assert_outcomes(passed=1)
    assert json.loads(Path("all.json").read_text())["models"] == []


def failures(path: str) -> list[tuple[str, str]]:
    return [(each["path"], each["cause"]) for each in json.loads(Path(path).read_text())["failures"]]


def test_what_could_not_be_read_is_a_failure_of_the_document(project: pytest.Pytester) -> None:
    (project.path / "models/cut.onnx").write_bytes(b"\x08")
    project.makepyfile("def test_it(trtcheck): trtcheck(b'')")
    run(project, "--trtcheck", "--trtcheck-report=all.json").assert_outcomes(passed=1, failed=4)
    empty = "is empty, not an ONNX model"
    cut = "malformed ONNX model: a number is cut off"
    assert failures("all.json") == [
        ("models/cut.onnx", cut),
        ("test_what_could_not_be_read_is_a_failure_of_the_document.py::test_it", empty),
    ]


STOPPED = """
    import pytest

    def test_first(trtcheck):
        trtcheck("models/bad.onnx")
        {how}

    def test_second(trtcheck):
        trtcheck("models/good.onnx")

    @pytest.mark.skip(reason="not now")
    def test_third(trtcheck):
        trtcheck("models/good.onnx")

    def test_fourth():
        import trtcheck
        trtcheck.assert_convertible("models/good.onnx")
"""


@pytest.mark.parametrize(("how", "options"), [("assert 0", ["-x"]), ("raise KeyboardInterrupt", [])])
def test_a_run_that_was_stopped_leaves_no_whole_document(
    project: pytest.Pytester, how: str, options: list[str]
) -> None:
    project.makepyfile(test_stopped=STOPPED.replace("{how}", how))
    project.runpytest_subprocess("--trtcheck", "--trtcheck-report=all.json", "test_stopped.py", "models", *options)
    before = "the run was stopped before this test"
    tests = [f"test_stopped.py::test_{name}" for name in ("second", "third")]
    models = [f"models/{name}.onnx" for name in ("bad", "good", "worse")]
    expected = [(name, before) for name in (*tests, *models)]
    assert failures("all.json") == [*expected, ("", "the run was stopped before 1 more test")]
    assert [model["path"] for model in json.loads(Path("all.json").read_text())["models"]] == ["models/bad.onnx"]


def test_a_whole_run_has_no_failures(project: pytest.Pytester) -> None:
    project.makepyfile(test_stopped=STOPPED.replace("{how}", "assert 0"))
    project.runpytest_subprocess("--trtcheck-report=all.json", "-k", "not fourth")
    assert failures("all.json") == []
    project.runpytest_subprocess("--trtcheck-report=all.json", "--collect-only")
    assert failures("all.json") == []


@needs_xdist
def test_two_workers_of_xdist_give_the_same_document(project: pytest.Pytester) -> None:
    project.makepyfile(test_several=SEVERAL)
    run_alone(project, "--trtcheck", "--trtcheck-report=one.json").assert_outcomes(passed=4, failed=2)
    result = run_alone(project, "--trtcheck", "--trtcheck-report=two.json", "-n", "2", "-v")
    result.assert_outcomes(passed=4, failed=2)
    workers = {line.split("]")[0] for line in result.outlines if line.startswith("[gw")}
    assert workers == {"[gw0", "[gw1"}
    assert Path("two.json").read_bytes() == Path("one.json").read_bytes()


@needs_xdist
def test_a_worker_of_xdist_that_dies_is_said(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_several=SEVERAL,
        test_deadly="import os\ndef test_deadly(trtcheck):\n    trtcheck('models/good.onnx')\n    os._exit(1)\n",
    )
    result = project.runpytest_subprocess("-n", "2", "--trtcheck-report=all.json")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["trtcheck: warning: worker gw? died, its reports are missing"])
    assert {model["path"] for model in json.loads(Path("all.json").read_text())["models"]} <= set(PATHS)
    ((path, cause),) = failures("all.json")
    assert path == "" and re.fullmatch("worker gw[01] died, its reports are missing", cause)


@needs_xdist
def test_a_stopped_run_of_xdist_leaves_no_whole_document(project: pytest.Pytester) -> None:
    project.makepyfile(test_stopped=STOPPED.replace("{how}", "assert 0") + "\n" + "def test_slow(): pass\n" * 2)
    project.runpytest_subprocess("--trtcheck-report=all.json", "-n", "1", "-x")
    assert failures("all.json") == [("", "the run was stopped before its end")]


def test_a_document_that_cannot_be_written_at_the_end(project: pytest.Pytester) -> None:
    project.mkdir("out")
    project.makepyfile("import shutil\ndef test_it(): shutil.rmtree('out')")
    result = project.runpytest_subprocess("--trtcheck-report=out/all.json")
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    result.stderr.fnmatch_lines(["*--trtcheck-report: out/all.json: cannot be written: No such file or directory"])
