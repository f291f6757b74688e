"""All commands in all formats when a run is interrupted or a limit is reached: what is not whole says so, and why."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import numpy
import onnx
import pytest
from test_cli import CLEAN, ROOT, run, write
from test_cli_signals import PATIENCE, started
from test_confirm import ANSWER, script

STATIC = CLEAN.replace("[N,4]", "[1,4]")
SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143}
#: Of several models.
MANY = ("check", "confirm", "matrix")
#: Of one model, or of two; `MODEL` is where it stands.
ONE = {
    "axes": ("MODEL",),
    "diff": ("clean.onnx", "MODEL"),
    "graph": ("MODEL", "--around", "y"),
    "memory": ("MODEL",),
    "profile": ("MODEL",),
    "quantization": ("MODEL",),
    "ranges": ("MODEL", "--data", "samples.npz"),
    "report": ("MODEL",),
    "shapes": ("MODEL",),
    "types": ("MODEL",),
}
#: They read no model.
OTHERS = {
    "completion",
    "explain",
    "extract",
    "fix",
    "partition",
    "reduce",
    "rules",
    "settings",
    "simplify",
    "support",
    "version",
}


def formats_of(command: str) -> list[str]:
    """As `--help` has them."""
    (listed,) = re.findall(r"--output-format FORMAT\s+((?:[a-z]+(?: \(default\))?(?:,\s+|$))+)", help_of(command), re.M)
    return [word.removesuffix(" (default)") for word in re.split(r",\s+", listed.strip())]


def help_of(command: str) -> str:
    return run(command, "--help").stdout if command else run("--help").stdout


def words_of_help() -> dict[str, list[str]]:
    return {command: formats_of(command) for command in (*MANY, *ONE) if command != "graph"} | {"graph": ["svg"]}


FORMATS = words_of_help()
MANY_CASES = [(command, name) for command in MANY for name in FORMATS[command]]
ONE_CASES = [(command, name) for command in ONE for name in FORMATS[command]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("TRTCHECK_WITNESS", raising=False)
    for name in ("clean", "later"):
        write(tmp_path / f"{name}.onnx", STATIC)
    numpy.savez(tmp_path / "samples.npz", x=numpy.zeros((1, 4), "f"))
    script(tmp_path / "quick", f"print({json.dumps(ANSWER)!r})")
    os.mkfifo(tmp_path / "stuck.onnx")
    writer = os.open(tmp_path / "stuck.onnx", os.O_RDWR)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    os.close(writer)


def family(pid: int) -> list[int]:
    """The process and what it started, as far as it has not ended."""
    found = [pid]
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in children.read_text().split():
                found += family(int(child))
    return found


def has_open(pid: int, file: Path) -> bool:
    try:
        return any(each.resolve() == file.resolve() for each in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # it has just ended
        return False


def wait_until_stuck(process: subprocess.Popen[str], pipe: Path) -> None:
    """Until it, or its child, reads the pipe in which nothing ever comes: what stands before it is done."""
    end = time.monotonic() + PATIENCE
    while not any(has_open(pid, pipe) for pid in family(process.pid)):
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.02)


def output_words(command: str, name: str, file: str) -> list[str]:
    words = [] if command == "graph" else ["--output-format", name]
    return [*words, "-o", file]


def check_form(command: str, name: str, text: str) -> None:
    """A reader of the format accepts it as a whole."""
    assert text.endswith("\n")
    if name in ("json", "sarif", "gitlab"):
        document = json.loads(text)
        schema = {"check": "report"}.get(command, command)
        if name == "json":
            jsonschema.validate(document, json.loads((ROOT / f"cpp/data/{schema}.schema.json").read_text()))
    elif name == "jsonl":
        assert all(json.loads(line)["schema_version"] == 1 for line in text.splitlines())
    elif name == "junit":
        ElementTree.fromstring(text)
    elif name == "html":
        assert text.startswith("<!DOCTYPE html>") and text.endswith("</body>\n</html>\n")
    elif name == "github":
        assert all(line.startswith("::") for line in text.splitlines())


def check_partial(command: str, name: str, text: str, done: int, missed: dict[str, str]) -> None:
    """It names every model that was not done, with the reason, and never counts what was done as all."""
    check_form(command, name, text)
    if name == "json":
        document = json.loads(text)
        assert {each["path"]: each["cause"] for each in document["failures"]} == missed
        assert len(document["models"]) == done
    if name == "jsonl":
        lines = [json.loads(line) for line in text.splitlines()]
        assert {line["path"]: line["cause"] for line in lines if "cause" in line} == missed
    if name == "sarif":
        (invocation,) = json.loads(text)["runs"][0]["invocations"]
        assert invocation["executionSuccessful"] is False
        assert len(invocation["toolExecutionNotifications"]) == len(missed)
    for path, cause in missed.items():
        assert path in text and cause in text, (path, cause)
    if name in ("full", "markdown", "html") and (command, name) != ("check", "markdown"):
        assert f"{done} of {done + len(missed)} models" in text
    assert f"\n{done} model" not in text and f">{done} model" not in text


def nothing_is_left(folder: Path, *others: str) -> bool:
    known = {"clean.onnx", "later.onnx", "stuck.onnx", "samples.npz", "quick", "cache", "out", *others}
    return {path.name for path in folder.iterdir()} <= known


def test_the_commands_of_this_page_are_all() -> None:
    commands = help_of("").partition("Check a model:\n")[2].partition("\nOptions:")[0]
    listed = set(re.findall(r"^  ([a-z]+)  ", commands, re.M))
    assert {*MANY, *ONE, *OTHERS} == listed


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(("command", "name"), MANY_CASES)
def test_an_interrupted_run_of_many_models(folder: Path, command: str, name: str, number: signal.Signals) -> None:
    (folder / "out").write_text("old")
    more = {"check": ["--jobs", "1"], "confirm": ["--witness", str(folder / "quick")]}.get(command, [])
    words = [
        command,
        "--no-config",
        *more,
        *output_words(command, name, "out"),
        "clean.onnx",
        "stuck.onnx",
        "later.onnx",
    ]
    with started(*words) as process:
        wait_until_stuck(process, folder / "stuck.onnx")
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    why = f"the run was interrupted ({number.name})"
    assert (process.returncode, out) == (SIGNALS[number], "")
    assert err == f"trtcheck: {why}: 1 of 3 models were looked at\n"
    check_partial(command, name, (folder / "out").read_text(), 1, {"stuck.onnx": why, "later.onnx": why})
    assert nothing_is_left(folder)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("name", FORMATS["confirm"])
def test_a_witness_that_hangs_when_the_run_is_interrupted(folder: Path, name: str, number: signal.Signals) -> None:
    pid = folder / "pid"
    hang = f"""
        import subprocess
        child = subprocess.Popen(["sleep", "60"])
        open({str(pid)!r}, "w").write(f"{{child.pid}} ")
        time.sleep(60)
    """
    script(folder / "hangs", hang)
    words = ["confirm", "--no-config", "--witness", str(folder / "hangs"), *output_words("confirm", name, "out")]
    with started(*words, "clean.onnx", "later.onnx") as process:
        while not (pid.exists() and pid.read_text().endswith(" ")):
            time.sleep(0.02)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
    why = f"the run was interrupted ({number.name})"
    assert (process.returncode, err) == (SIGNALS[number], f"trtcheck: {why}: 0 of 2 models were looked at\n")
    check_partial("confirm", name, (folder / "out").read_text(), 0, {"clean.onnx": why, "later.onnx": why})
    state = Path(f"/proc/{pid.read_text().strip()}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


#: `check --confirm` asks a witness, too.
SELF_TESTS = [("confirm", name) for name in FORMATS["confirm"]] + [("check", name) for name in FORMATS["check"]]


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(("command", "name"), SELF_TESTS)
def test_a_self_test_of_the_witness_that_is_interrupted(
    folder: Path, command: str, name: str, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = folder / "pid"
    script(folder / "hangs", "pass", self_test=f"open({str(begun)!r}, 'w').write(f'{{os.getpid()}} ')\ntime.sleep(60)")
    monkeypatch.setenv("TRTCHECK_WITNESS", str(folder / "hangs"))
    more = ["--confirm"] if command == "check" else ["--witness", str(folder / "hangs")]
    with started(command, "--no-config", *more, *output_words(command, name, "out"), "clean.onnx") as process:
        while not (begun.exists() and begun.read_text().endswith(" ")):
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    why = f"the run was interrupted ({number.name})"
    said = f"trtcheck: {why}: 0 of 1 models were looked at\n"
    assert (process.returncode, out, err) == (SIGNALS[number], "", said)
    text = (folder / "out").read_text()
    check_form(command, name, text)
    assert "clean.onnx" in text and why in text
    state = Path(f"/proc/{begun.read_text().strip()}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(("command", "name"), ONE_CASES)
def test_an_interrupted_run_of_one_model(folder: Path, command: str, name: str, number: signal.Signals) -> None:
    """There is no document of a part of one model: what was there stays, whole, and standard error says why."""
    (folder / "out").write_text("old")
    words = [word.replace("MODEL", "stuck.onnx") for word in ONE[command]]
    with started(command, *output_words(command, name, "out"), *words) as process:
        wait_until_stuck(process, folder / "stuck.onnx")
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    said = f"trtcheck: the run was interrupted ({number.name}): nothing was written\n"
    assert (process.returncode, out, err) == (SIGNALS[number], "", said)
    assert (folder / "out").read_text() == "old"
    assert nothing_is_left(folder)


def nested(depth: int) -> bytes:
    """More bodies in bodies than are read; protobuf itself would not write them."""
    graph = b""
    for _ in range(depth):
        body = field(1, b"then_branch") + field(6, graph) + b"\xa0\x01\x05"  # of an If: a graph
        graph = field(1, field(4, b"If") + field(5, body))
    return b"\x08\x08" + field(8, b"\x10\x11") + field(7, graph)


def field(number: int, content: bytes) -> bytes:
    length, size = b"", len(content)
    while size >= 0x80:
        length, size = length + bytes([size & 0x7F | 0x80]), size >> 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


@pytest.mark.parametrize(("command", "name"), MANY_CASES)
def test_a_model_beyond_the_limits_among_many(folder: Path, command: str, name: str) -> None:
    (folder / "deep.onnx").write_bytes(nested(70))
    more = ["--witness", str(folder / "quick")] if command == "confirm" else []
    words = [command, "--no-config", *more, *output_words(command, name, "out"), "clean.onnx", "deep.onnx"]
    result = run(*words)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("trtcheck: deep.onnx: ") and result.stderr.count("\n") == 1
    cause = "graphs are nested more than 64 deep"
    text = (folder / "out").read_text()
    check_form(command, name, text)
    assert "deep.onnx" in text and cause in text
    if name in ("full", "markdown", "html") and (command, name) != ("check", "markdown"):
        assert "1 of 2 models" in text


@pytest.mark.parametrize(("command", "name"), ONE_CASES)
def test_one_model_beyond_the_limits(folder: Path, command: str, name: str) -> None:
    (folder / "deep.onnx").write_bytes(nested(70))
    (folder / "out").write_text("old")
    words = [word.replace("MODEL", "deep.onnx") for word in ONE[command]]
    result = run(command, *output_words(command, name, "out"), *words)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr
    assert "deep.onnx" in result.stderr
    assert (folder / "out").read_text() == "old"


#: Children of `confirm` and `ranges` write, too; `concise` has nothing to say of a model without layers or changes.
WRITERS = [
    (command, name)
    for command, name in [*MANY_CASES, *ONE_CASES]
    if command not in ("confirm", "ranges") and (name != "concise" or command in ("check", "shapes"))
]


@pytest.mark.parametrize(("command", "name"), WRITERS)
def test_a_disk_that_is_full_leaves_what_was_there(folder: Path, command: str, name: str) -> None:
    (folder / "out").write_text("old")
    words = ONE.get(command, ("gone.onnx", "clean.onnx"))
    words = tuple(word.replace("MODEL", "clean.onnx") for word in words)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))

    with started(command, *output_words(command, name, "out"), *words, preexec_fn=limit) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert err.splitlines()[-1] == "trtcheck: out: cannot write: file too large"
    assert (folder / "out").read_text() == "old"
    assert nothing_is_left(folder)


@pytest.mark.parametrize("name", FORMATS["confirm"])
def test_a_time_limit_of_the_witness(folder: Path, name: str) -> None:
    witness = script(folder / "hangs", "time.sleep(60)")
    words = ("--witness", witness, "--timeout", "0.3", *output_words("confirm", name, "out"))
    result = run("confirm", "--no-config", *words, "clean.onnx")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    text = (folder / "out").read_text()
    check_form("confirm", name, text)
    assert "clean.onnx" in text and "did not end within 0.3 seconds" in " ".join(text.split())


def test_a_document_on_standard_output_that_is_torn(folder: Path) -> None:
    """A reader that stops reading, and then the signal: what is in the pipe already cannot be taken back."""
    nodes = [onnx.helper.make_node("Relu", ["x"], [f"y{i}"]) for i in range(20_000)]
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [4])
    onnx.save(onnx.helper.make_model(onnx.helper.make_graph(nodes, "g", [x], [])), folder / "big.onnx")
    with started("shapes", "big.onnx") as process:
        assert process.stdout is not None
        os.read(process.stdout.fileno(), 10)  # it has begun; the pipe holds less than the rest
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    assert err == "trtcheck: the run was interrupted (SIGTERM): what was written is not whole\n"
    assert nothing_is_left(folder, "big.onnx")
