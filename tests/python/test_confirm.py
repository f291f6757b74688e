"""trtcheck confirm, trtcheck.confirm and `trtcheck-witness`: with witnesses that are scripts, and with the real one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import onnx
import pytest
from browser import needs_browser, open_browser
from doc_blocks import WITNESS as RECORDED
from test_cli import CLEAN, PROGRAM, REFUSED, ROOT, one_line, run, write

import trtcheck

SCHEMA = json.loads((ROOT / "cpp/data/confirm.schema.json").read_text())
EXAMPLES = ROOT / "examples/models"
STATIC = CLEAN.replace("[N,4]", "[1,4]")
# New in 10.0.
GELU = STATIC.replace("Relu", "Gelu").replace('"" : 17', '"" : 20')


def wheel() -> str:
    """The folder of TensorRT-RTX on this machine; "" = it is not installed."""
    spec = find_spec("onnxruntime_ep_nv_tensorrt_rtx") or find_spec("tensorrt_rtx_libs")
    places = [*(spec.submodule_search_locations or ()), ""] if spec is not None else [""]
    return os.environ.get("TRTCHECK_TEST_WITNESS", str(places[0]))


real = pytest.mark.skipif(not wheel(), reason="TensorRT-RTX is an optional wheel, and not installed")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("TRTCHECK_WITNESS", raising=False)


def script(path: Path, model: str, self_test: str | None = None) -> Path:
    """A witness that passes the self-test and then does what `model` says, in Python."""
    said = json.dumps(ANSWER | {"model": "self-test"})
    path.write_text(
        f"#!{sys.executable}\nimport json, os, sys, time\nif '--self-test' in sys.argv:\n"
        + textwrap.indent(self_test or f"print({said!r})", "    ")
        + "\nelse:\n"
        + textwrap.indent(textwrap.dedent(model), "    ")
        + "\n"
    )
    path.chmod(0o755)
    return path


ANSWER: dict[str, Any] = {
    "format": 1,
    "library": {"path": "", "parser": "", "product": "rtx", "release": "1.7.1", "number": 10701},
    "parsed": True,
    "errors": [],
    "built": True,
    "not_built": "",
    "engine_bytes": 10,
    "log": [],
    "seconds": {"parse": 0.1, "build": 0.2},
}


# It refuses the only node.
REFUSAL = ANSWER | {
    "parsed": False,
    "built": None,
    "errors": [
        {
            "code": 6,
            "description": "we do not like it",
            "file": "",
            "line": 0,
            "function": "",
            "node": 0,
            "node_name": "",
            "operator": "Relu",
        }
    ],
}


def confirm(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return run("confirm", "--no-config", *words, **options)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write(tmp_path / "model.onnx", STATIC)


# What a witness does, and what is said of it.
ENDINGS = {
    "crash": ("os.kill(os.getpid(), 11)", "the parser crashed: SIGSEGV", 1),
    "abort": ("print('trtcheck-witness: building', file=sys.stderr, flush=True); os.abort()", "SIGABRT", 1),
    "hang": ("time.sleep(60)", "did not end within 4 seconds", 0),
    "memory": ("x = bytearray(4 << 30)", "exit code 1 and said nothing", 0),
    "truncated": ("print(json.dumps({'format': 1})[:-5])", "is no answer", 0),
    "garbage": ("sys.stdout.buffer.write(bytes(range(256)) * 9)", "is no answer", 0),
    "silent": ("sys.exit(0)", "exit code 0 and said nothing", 0),
    "flood": ("while True: print('x' * 100000)", "printed more than 64 MB", 0),
    "killed": ("os.kill(os.getpid(), 9)", "somebody stopped the parser with SIGKILL", 0),
}


@pytest.mark.parametrize("how", ENDINGS)
def test_however_the_witness_ends_there_is_an_answer(tmp_path: Path, model: Path, how: str) -> None:
    does, said, code = ENDINGS[how]
    witness = script(tmp_path / "witness", does)
    # The flood needs longer than the hang may; both have to pass the self-test first, which is a start of Python.
    timeout = "60" if how == "flood" else "4" if how == "hang" else "30"
    result = confirm("--witness", witness, "--timeout", timeout, "--memory", "1", model)
    assert (result.returncode, result.stderr) == (code, ""), result
    assert said in " ".join(result.stdout.split())
    assert result.stdout.splitlines()[-1].startswith("1 model: ")


def test_a_hang_leaves_no_process(tmp_path: Path, model: Path) -> None:
    pid = tmp_path / "pid"
    does = f"""
        import subprocess
        child = subprocess.Popen(["sleep", "60"])
        open({str(pid)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
        time.sleep(60)
    """
    confirm("--witness", script(tmp_path / "witness", does), "--timeout", "4", model)
    time.sleep(0.2)
    for each in map(int, pid.read_text().split()):
        state = Path(f"/proc/{each}/stat")
        assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


def test_ctrl_c_ends_the_witness_and_tells_what_was_done(tmp_path: Path, model: Path) -> None:
    started = tmp_path / "started"
    witness = script(tmp_path / "witness", f"open({str(started)!r}, 'w').write('x'); time.sleep(60)")
    command = [PROGRAM, "confirm", "--no-config", "--witness", str(witness), str(model)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        while not started.exists():
            time.sleep(0.05)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=20)
    assert program.returncode == 130
    assert "interrupted" in err
    assert "not checked: the run was interrupted (SIGINT)\n" in out


def run_alone(folder: Path, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """The program in a folder of its own, where no wheel is beside it."""
    folder.mkdir(exist_ok=True)
    for name in ("trtcheck", "trtcheck-witness"):
        if not (folder / name).exists() and not (folder / "left-out").exists():
            shutil.copy(Path(PROGRAM).resolve().with_name(name), folder)
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "LD_LIBRARY_PATH")}
    command = [folder / "trtcheck", *words]
    return subprocess.run(command, env=environment | variables, capture_output=True, text=True, check=False)


def test_no_witness_is_one_line(model: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    result = run_alone(bare, "confirm", "--no-config", model)
    assert "pip install tensorrt_rtx_cu12_libs==" in one_line(result)
    (bare / "trtcheck-witness").rename(bare / "left-out")
    result = run_alone(bare, "confirm", "--no-config", model)
    assert "the program `trtcheck-witness` is not installed" in one_line(result)


@pytest.mark.parametrize(
    ("self_test", "said"),
    [
        ("os.kill(os.getpid(), 11)", "the self-test failed: the parser crashed: SIGSEGV"),
        ("print('nonsense')", "the self-test failed: what the witness printed is no answer"),
        ('print(json.dumps({"format": 1, "fatal": "x.so: is version 9.9.9, which is not known"}))', "is version 9.9.9"),
    ],
)
def test_a_witness_that_does_not_work_is_refused(tmp_path: Path, model: Path, self_test: str, said: str) -> None:
    result = confirm("--witness", script(tmp_path / "witness", "pass", self_test), model)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in one_line(result)


def test_bad_input_is_named(tmp_path: Path, model: Path) -> None:
    for name, content in {"empty": b"", "garbage": b"\xff" * 100, "cut": model.read_bytes()[:20]}.items():
        bad = tmp_path / f"{name}.onnx"
        bad.write_bytes(content)
        result = confirm("--witness", RECORDED, bad, model)
        assert result.returncode == 2
        assert result.stderr.startswith(f"trtcheck: {bad}: ") and result.stderr.count("\n") == 1
        assert "1 not checked" in result.stdout
    assert "standard input" in confirm("--witness", RECORDED, "-").stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--timeout", "soon"], "--timeout: `soon` is no number of seconds"),
        (["--memory", "-1"], "--memory: `-1` is no number of GB"),
        (["--witness", "/nowhere"], "/nowhere: --witness: there is no such file or folder"),
        (["--output-format", "sarif"], "--output-format: unknown value `sarif`"),
    ],
)
def test_options_that_make_no_sense(model: Path, words: list[str], said: str) -> None:
    result = confirm(*words, model)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in one_line(result)


def test_names_may_be_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mit Leerzeichen und Umläuten äöü"
    folder.mkdir()
    witness = script(folder / "zeuge ß", f"print({json.dumps(ANSWER)!r})")
    result = confirm("--witness", witness, write(folder / "-modell ü.onnx", STATIC))
    assert (result.returncode, result.stderr) == (0, "")
    monkeypatch.chdir(folder)
    assert trtcheck.confirm("-modell ü.onnx", witness="zeuge ß").testimony == "built"


def test_json_follows_the_schema() -> None:
    result = confirm("--witness", RECORDED, "--propose-profile", "--output-format", "json", EXAMPLES)
    document = json.loads(result.stdout)
    jsonschema.validate(document, SCHEMA)
    assert result.returncode == 1
    by_name = {Path(each["path"]).name: each for each in document["models"]}
    refused = by_name["case4_batchnorm.onnx"]
    assert (refused["agreement"], refused["testimony"]) == ("agree", "refused")
    (message,) = refused["messages"]
    assert message["rules"][0]["code"] == "WGT201"
    assert message["node"] == "node__native_batch_norm_legit_no_training__0"
    assert message["source"]["file"].endswith("zoo/normalization.py")
    assert message["predicted"]
    assert by_name["healthy_attention.onnx"]["testimony"] == "built"
    assert by_name["healthy_attention.onnx"]["profile_proposed"]


# Answers as the release that stands in the path of its library.
BY_PATH = f"""#!{sys.executable}
import json, sys
if "--library" not in sys.argv:
    print(json.dumps({{"format": 1, "fatal": "no TensorRT on the library path"}}))
    sys.exit(2)
release = sys.argv[2].split("/")[-3]
if release == "9.9.9":
    print(json.dumps({{"format": 1, "fatal": "is version 9.9.9, which is not known"}}))
    sys.exit(2)
answer = {ANSWER!r}
answer["library"] = {{"product": "rtx", "release": release, "number": 0, "path": "", "parser": ""}}
answer["log"] = [{{"severity": "warning", "text": "words: " + " ".join(sys.argv[3:])}}]
print(json.dumps(answer))
"""


def side_by_side(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """The program, with a script instead of the child, and libraries in the user's cache folder."""
    bare = folder / "bin"
    bare.mkdir(exist_ok=True)
    (bare / "trtcheck-witness").write_text(BY_PATH)
    (bare / "trtcheck-witness").chmod(0o755)
    for release in ("1.4.0", "1.7.1", "9.9.9"):
        place = folder / "cache/trtcheck/witness" / release / "tensorrt_rtx_libs"
        place.mkdir(parents=True, exist_ok=True)
        for name in ("libtensorrt_rtx.so.1", "libtensorrt_onnxparser_rtx.so.1"):
            (place / name).touch()
    return run_alone(bare, "confirm", "--no-config", *words)


def test_all_witnesses_are_asked(tmp_path: Path, model: Path) -> None:
    result = side_by_side(tmp_path, "--witness", "all", "--gpu", "8.6", "--output-format", "json", model)
    assert "warning: passed over: the witness cannot be asked: is version 9.9.9, which is not known" in result.stderr
    document = json.loads(result.stdout)
    jsonschema.validate(document, SCHEMA)
    asked = [(each["witness"]["release"], each["witness"]["branch"]) for each in document["models"]]
    assert asked == [("1.4.0", "10.16"), ("1.7.1", "11.4")]
    assert [each["prediction"]["target"] for each in document["models"]] == ["rtx-1.4", "rtx-1.7"]
    assert all("--gpu 8.6" in each["warnings"][0] for each in document["models"])
    text = side_by_side(tmp_path, "--witness", "all", "-q", model)
    assert text.stderr == ""
    assert "  TensorRT 10.16 (TensorRT-RTX 1.4.0)  built, agree\n" in text.stdout


@pytest.mark.parametrize("word", ["10.16", "rtx-1.4"])
def test_a_witness_is_named_by_its_release(tmp_path: Path, model: Path, word: str) -> None:
    result = side_by_side(tmp_path, "--witness", word, model)
    assert "agree: built by TensorRT-RTX 1.4.0, as predicted for TensorRT-RTX 1.4" in result.stdout
    assert "1.7.1" not in result.stdout


def test_a_release_that_nobody_answers_for(tmp_path: Path, model: Path) -> None:
    said = one_line(side_by_side(tmp_path, "-q", "--witness", "11.2", model))
    place = tmp_path / "cache/trtcheck/witness/1.6.1"
    assert f"`pip install --target {place} tensorrt_rtx_cu12_libs==1.6.1.120` brings it" in said
    assert "there are witnesses of 10.16, 11.0" in one_line(side_by_side(tmp_path, "--witness", "10.9", model))


@pytest.mark.parametrize("name", ["markdown", "html"])
def test_documents(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"out.{name}"
    result = confirm("--witness", RECORDED, "--output-format", name, "-o", file, EXAMPLES)
    assert (result.returncode, result.stdout, result.stderr) == (1, "", "")
    text = file.read_text()
    assert "8 models: 8 agree, 0 not predicted, 0 false alarms, 0 not judged" in text
    assert "WGT201" in text


@needs_browser
@pytest.mark.parametrize("width", [500, 1280])
def test_the_page_fits(tmp_path: Path, width: int) -> None:
    page = tmp_path / "confirm.html"
    write(tmp_path / "a_model_with_a_rather_long_name_that_has_to_go_somewhere.onnx", GELU)
    confirm("--witness", RECORDED, "--target", "8.6", "--output-format", "html", "-o", page, EXAMPLES, tmp_path)
    cells = "return [...document.querySelectorAll('td.said')].map((cell) => cell.getBoundingClientRect().width)"
    with open_browser(tmp_path / "profile") as browser:
        for dark in (False, True):
            browser.open(page, dark=dark, width=width)
            assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
            assert browser.poor_contrasts(dark=dark) == []
            assert min(browser.run(cells)) > 200
        assert browser.complaints() == []


def test_the_prediction_goes_by_the_configuration(tmp_path: Path) -> None:
    refused = write(tmp_path / "refused.onnx", REFUSED.replace("[N,4]", "[1,4]"))
    assert "false alarm" in confirm("--witness", RECORDED, "--propose-profile", refused).stdout
    (tmp_path / "trtcheck.toml").write_text('ignore = ["OPS103"]\n')
    result = run("confirm", "--witness", RECORDED, "--propose-profile", refused)
    assert (result.returncode, "agree: parsed" in result.stdout or "agree: built" in result.stdout) == (0, True), result


def test_a_release_that_is_named_stands_beside_that_of_the_witness(tmp_path: Path, model: Path) -> None:
    def requested(*words: str) -> tuple[str, bool] | None:
        result = run("confirm", "--witness", RECORDED, "--output-format", "json", *words, model)
        document = json.loads(result.stdout)
        jsonschema.validate(document, SCHEMA)
        (made,) = document["models"]
        assert made["prediction"]["target"] == "rtx-1.7"
        return made["requested"] and (made["requested"]["target"], made["requested"]["asked"])

    assert requested() is None
    assert requested("--target", "rtx-1.7") is None
    assert requested("--target", "10.13") == ("10.13", False)
    (tmp_path / "trtcheck.toml").write_text('target = "11.4"\n')
    assert requested() == ("11.4", True)
    assert requested("--target", "rtx-1.5") == ("rtx-1.5", False)
    assert trtcheck.find_witness(RECORDED).target == "rtx-1.7"
    made = trtcheck.confirm(model, witness=RECORDED)
    assert (made.report.target.release, made.requested, made.asked) == ("rtx-1.7", None, True)
    made = trtcheck.confirm(model, witness=RECORDED, target="10.13")
    assert made.report.target.release == "rtx-1.7"
    assert made.requested is not None and made.requested.target.release == "10.13"
    assert not made.asked


def test_no_release_is_acquitted_that_was_not_asked(tmp_path: Path) -> None:
    gelu = write(tmp_path / "gelu.onnx", GELU)
    witness = script(tmp_path / "witness", f"print({json.dumps(ANSWER)!r})")
    result = confirm("--witness", witness, "--target", "8.6", gelu)
    text = " ".join(result.stdout.split())
    assert result.returncode == 1
    assert "false alarm:" not in text
    assert "agree: built by TensorRT-RTX 1.7.1, as predicted for TensorRT-RTX 1.7" in text
    assert "= TensorRT 8.6: predicted refused: 1 error, 1 info; not asked" in text
    assert "TensorRT-RTX 1.7.1 is another release than TensorRT 8.6" in text


def test_check_marks_its_findings(tmp_path: Path) -> None:
    bad, healthy = EXAMPLES / "case4_batchnorm.onnx", EXAMPLES / "case3_grouped_int8.onnx"

    def check(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return run_alone(tmp_path / "bin", "check", "--no-config", "--confirm", *words, TRTCHECK_WITNESS=str(RECORDED))

    result = check("--target", "rtx-1.7", bad, healthy)
    assert (result.returncode, result.stderr) == (1, "")
    text = " ".join(result.stdout.split())
    assert "= witness: confirmed: TensorRT-RTX 1.7.1 says `Error Code: 3: " in text
    assert "= witness: TensorRT-RTX 1.7.1 builds the model all the same" in text
    text = " ".join(check("--target", "10.13", bad, healthy).stdout.split())
    assert "confirmed" not in text and "contradicted" not in text
    assert "= witness: TensorRT-RTX 1.7.1 says `Error Code: 3: " in text
    assert "= witness: TensorRT-RTX 1.7.1 builds the model; TensorRT 10.13 was not asked" in text
    assert "= witness" not in run("check", "--no-config", bad, healthy).stdout
    document = json.loads(check("--target", "rtx-1.7", "--output-format", "json", bad).stdout)
    assert document["models"][0]["findings"][0]["witness"].startswith("confirmed: ")


def test_check_asks_the_witness_that_is_named(tmp_path: Path, model: Path) -> None:
    builds, refuses = (script(tmp_path / name, f"print({json.dumps(answer)!r})") for name, answer in SAYING.items())

    def check(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return run_alone(tmp_path / "bin", "check", "--no-config", *words, model, TRTCHECK_WITNESS=str(builds))

    assert check("--confirm").returncode == 0
    result = check("--confirm", "--witness", refuses)
    assert (result.returncode, result.stderr) == (1, "")
    assert "we do not like it" in " ".join(result.stdout.split())
    for words, said in [
        (["--witness", refuses], "--witness goes with --confirm"),
        (["--confirm", "--witness", "all"], "one is asked here; `trtcheck confirm --witness all` asks all"),
        (["--confirm", "--witness", tmp_path / "nobody"], "there is no such file or folder"),
        (["--confirm", "--witness", "10.13"], "no witness answers for TensorRT 10.13"),
    ]:
        assert said in one_line(check(*words))


SAYING = {"builds": ANSWER, "refuses": REFUSAL}
DOCUMENTS = ["full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown", "html"]


@pytest.mark.parametrize("how", DOCUMENTS)
def test_what_nothing_predicted_is_in_every_document(tmp_path: Path, model: Path, how: str) -> None:
    witness = script(tmp_path / "witness", f"print({json.dumps(REFUSAL)!r})")

    def check(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {"TRTCHECK_WITNESS": str(witness)}
        return run_alone(tmp_path / "bin", "check", "--no-config", "--confirm", *words, model, **environment)

    result = check("--output-format", how)
    assert (result.returncode, result.stderr) == (1, "")
    text = " ".join(result.stdout.split())
    assert "OPS900" in text
    assert "we do not like it" in text and "Relu" in text
    quiet = check("--output-format", how, "--ignore", "OPS900")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert "we do not like it" not in quiet.stdout


def test_what_nothing_predicted_counts_for_the_verdict(tmp_path: Path, model: Path) -> None:
    witness = script(tmp_path / "witness", f"print({json.dumps(REFUSAL)!r})")

    def check(*words: str | Path) -> tuple[int, dict[str, Any]]:
        words = ("check", "--no-config", "--confirm", "--output-format", "json", *words, model)
        result = run_alone(tmp_path / "bin", *words, TRTCHECK_WITNESS=str(witness))
        return result.returncode, json.loads(result.stdout)["models"][0]

    code, made = check()
    assert (code, made["verdict"]) == (1, "refused")
    (finding,) = made["findings"]
    assert (finding["code"], finding["certainty"], finding["node"]) == ("OPS900", "likely", "Relu_0")
    code, made = check("--target", "8.6")
    assert (code, made["verdict"], made["findings"][0]["severity"]) == (0, "uncertain", "warning")
    assert "TensorRT 8.6 was not asked" in made["findings"][0]["message"]
    baseline = tmp_path / "known.json"
    assert check("--baseline", baseline, "--update-baseline")[0] == 0
    assert check("--baseline", baseline)[0] == 0


def test_what_is_not_judged_is_a_line(tmp_path: Path, model: Path) -> None:
    witness = script(tmp_path / "witness", "sys.exit(0)")
    result = run_alone(tmp_path / "bin", "check", "--no-config", "--confirm", model, TRTCHECK_WITNESS=str(witness))
    assert result.returncode == 0
    said = "not judged by TensorRT-RTX 1.7.1: the witness ended with exit code 0 and said nothing"
    assert result.stderr == f"trtcheck: warning: {model}: {said}\n"


def test_the_time_counts_for_the_self_test(tmp_path: Path, model: Path) -> None:
    witness = script(tmp_path / "witness", "pass", "time.sleep(60)")
    begun = time.monotonic()
    result = confirm("--witness", witness, "--timeout", "1", model)
    with pytest.raises(trtcheck.Error, match="the self-test failed: the parser did not end within 1 seconds"):
        trtcheck.confirm(model, witness=witness, timeout=1)
    assert time.monotonic() - begun < 20
    assert "the self-test failed: the parser did not end within 1 seconds" in one_line(result)


def test_python_takes_files_and_memory(model: Path) -> None:
    proto = onnx.load(model)
    for given in (model, str(model), model.read_bytes(), proto, trtcheck.read_model(model)):
        made = trtcheck.confirm(given, witness=RECORDED, profile={"x": (1, 4)})
        assert (made.agreement, made.testimony, made.refused) == ("agree", "built", False)
        assert made.witness.release == "1.7.1"
        assert made.report.verdict == "clean"
        assert made.engine_bytes is not None and made.build_seconds is not None
    assert made.to_dict()["models"][0]["agreement"] == "agree"
    assert "agree: built by TensorRT-RTX 1.7.1" in str(made)
    with pytest.raises(TypeError, match="read from memory"):
        trtcheck.confirm(trtcheck.read_model(model.read_bytes()), witness=RECORDED)
    with pytest.raises(trtcheck.Error, match="files of this machine"):
        trtcheck.confirm("s3://bucket/model.onnx", witness=RECORDED)
    with pytest.raises(trtcheck.Error, match="cannot be opened"):
        trtcheck.confirm("nothing.onnx", witness=RECORDED)


def test_python_messages() -> None:
    made = trtcheck.confirm(EXAMPLES / "case2_deconvolution.onnx", witness=RECORDED)
    assert made.refused
    (message,) = made.messages
    assert (message.stage, message.op_type, message.predicted) == ("parser", "QuantizeLinear", True)
    assert message.matches[0].rule.code == "QDQ104"
    assert message.source is not None and message.source.file.endswith("zoo/quantized.py")


@pytest.mark.parametrize("in_self_test", [False, True])
def test_ctrl_c_in_python(tmp_path: Path, model: Path, in_self_test: bool) -> None:
    started = tmp_path / "started"
    hang = f"open({str(started)!r}, 'w').write('x'); time.sleep(60)"
    witness = script(tmp_path / "witness", hang, hang if in_self_test else None)
    program = f"import trtcheck; trtcheck.confirm({str(model)!r}, witness={str(witness)!r})"
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) as python:
        while not started.exists():
            time.sleep(0.05)
        python.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in python.communicate(timeout=20)[1]


def test_assert_convertible_asks(tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRTCHECK_WITNESS", str(RECORDED))
    trtcheck.assert_convertible(model, confirm=True, config=False)
    trtcheck.assert_convertible(model, config=False)
    if wheel():  # which counts before the environment variable
        return
    refusing = script(tmp_path / "witness", f"print({json.dumps(REFUSAL)!r})")
    monkeypatch.setenv("TRTCHECK_WITNESS", str(refusing))
    with pytest.raises(AssertionError, match="we do not like it") as caught:
        trtcheck.assert_convertible(model, confirm=True, config=False)
    assert "OPS900" in str(caught.value)
    assert str(caught.value).endswith("refused by TensorRT-RTX 1.7.1, which was not predicted for TensorRT-RTX 1.7")
    trtcheck.assert_convertible(model, confirm=True, config=False, allow="OPS900")


def test_a_failure_keeps_fixes_and_names_the_witness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if wheel():
        return
    monkeypatch.setenv("TRTCHECK_WITNESS", str(RECORDED))
    deconvolution = EXAMPLES / "case2_deconvolution.onnx"
    with pytest.raises(AssertionError) as caught:
        trtcheck.assert_convertible(deconvolution, confirm=True, config=False, target="rtx-1.7")
    said = " ".join(str(caught.value).split())
    assert "= fix: " in said and "zoo/quantized.py:" in said and "= witness: confirmed: TensorRT-RTX 1.7.1 says" in said
    assert said.endswith("agree: refused by TensorRT-RTX 1.7.1, as predicted for TensorRT-RTX 1.7")
    # The prediction alone fails.
    building = script(tmp_path / "witness", f"print({json.dumps(ANSWER)!r})")
    monkeypatch.setenv("TRTCHECK_WITNESS", str(building))
    refused = write(tmp_path / "refused.onnx", REFUSED.replace("[N,4]", "[1,4]"))
    with pytest.raises(AssertionError) as caught:
        trtcheck.assert_convertible(refused, confirm=True, config=False, target="rtx-1.7")
    assert "= witness: contradicted: TensorRT-RTX 1.7.1 builds the model" in str(caught.value)
    assert "false alarm: built by TensorRT-RTX 1.7.1" in str(caught.value)


def test_pytest_asks(tmp_path: Path, model: Path) -> None:
    witness = script(tmp_path / "witness", "os.kill(os.getpid(), 11)")
    environment = os.environ | {"TRTCHECK_WITNESS": str(witness)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--trtcheck", str(model)]
    if find_spec("trtcheck.pytest_plugin") and "trtcheck" not in _plugins():
        command += ["-p", "trtcheck.pytest_plugin"]
    plain = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert plain.returncode == 0, plain.stdout
    if wheel():
        return
    asked = subprocess.run(
        [*command, "--trtcheck-confirm"], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert asked.returncode == 1, asked.stdout
    assert "the parser crashed: SIGSEGV" in asked.stdout


def _plugins() -> set[str]:
    from importlib.metadata import entry_points

    return {point.name for point in entry_points(group="pytest11")}
