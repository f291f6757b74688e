"""The command line, run as a user runs it: as a program."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import onnx
import onnx.parser
import pytest

import trtcheck

ROOT = Path(__file__).resolve().parents[2]


def find_program() -> str:
    """Where it would be when it is not built: then tests fail with that path."""
    for candidate in (os.environ.get("TRTCHECK_BIN"), ROOT / ".venv/bin/trtcheck", ROOT / "build/cpp/trtcheck"):
        if candidate and Path(candidate).is_file():
            return str(candidate)
    return shutil.which("trtcheck") or str(ROOT / "build/cpp/trtcheck")


PROGRAM = find_program()

CLEAN = """
<ir_version: 8, opset_import: ["" : 17]>
clean (float[N,4] x) => (float[N,4] y) { y = Relu(x) }
"""
REFUSED = """
<ir_version: 8, opset_import: ["" : 17, "my.ops" : 1]>
refused (float[N,4] x) => (float[N,4] y) { y = my.ops.Frobnicate(x) }
"""
# Channel shuffle before a grouped convolution (user case 0).
SHUFFLE = """
<ir_version: 8, opset_import: ["" : 17]>
shuffle (float[N,4,H,W] x, float[8,2,3,3] w) => (float[N,8,P,Q] y)
<int64[1] i0 = {0}, int64[1] i2 = {2}, int64[1] i3 = {3}, int64[2] groups = {2, 2}, int64[1] rest = {-1}>
{
    s = Shape(x)
    n = Gather(s, i0)
    h = Gather(s, i2)
    v = Gather(s, i3)
    t1 = Concat<axis = 0>(n, groups, h, v)
    a = Reshape(x, t1)
    b = Transpose<perm = [0, 2, 1, 3, 4]>(a)
    t2 = Concat<axis = 0>(n, rest, h, v)
    r = Reshape(b, t2)
    y = Conv<group = 2, pads = [1, 1, 1, 1]>(r, w)
}
"""


def run(*args: str | Path, env: dict[str, str] | None = None, **options: Any) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    return subprocess.run(
        [PROGRAM, *map(str, args)], env=clean | (env or {}), text=True, timeout=60, check=False,
        **({"capture_output": True} | options),
    )  # fmt: skip


def write(path: Path, text: str) -> Path:
    model = onnx.parser.parse_model(text)
    if "float[8,2,3,3] w" in text:  # the text syntax has no room for big initializers
        weight = onnx.numpy_helper.from_array(__import__("numpy").ones((8, 2, 3, 3), "float32"), "w")
        model.graph.initializer.append(weight)
        del model.graph.input[1]
    onnx.save(model, path)
    return path


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    return write(tmp_path / "clean.onnx", CLEAN)


@pytest.fixture
def refused(tmp_path: Path) -> Path:
    return write(tmp_path / "refused.onnx", REFUSED)


@pytest.fixture
def shuffle(tmp_path: Path) -> Path:
    return write(tmp_path / "shuffle.onnx", SHUFFLE)


def one_line(result: subprocess.CompletedProcess[str]) -> str:
    """A failure: one line on standard error, nothing on standard output, exit code 2."""
    assert result.returncode == 2, result
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("trtcheck: "), result.stderr
    return result.stderr.removeprefix("trtcheck: ").rstrip("\n")


# --- check ----------------


def test_a_clean_model_is_one_line_and_exit_0(clean: Path) -> None:
    result = run("check", clean)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.fullmatch(rf"{clean}: clean for TensorRT \d+\.\d+: nothing found in 1 node\n", result.stdout)


def test_the_short_form_is_check(clean: Path, refused: Path) -> None:
    assert run(clean).stdout == run("check", clean).stdout
    assert run("--target", "8.6", refused).stdout == run("check", "--target", "8.6", refused).stdout


def test_findings_give_exit_1_and_read_like_a_compiler(refused: Path) -> None:
    result = run(refused)
    assert (result.returncode, result.stderr) == (1, "")
    head, arrow, body = result.stdout.partition("\n  --> ")
    assert arrow and re.match(r"error\[[A-Z]{3}\d{3}\] [a-z0-9-]+: .*Frobnicate", head)
    lines = body.splitlines()
    assert any(re.match(r"   = node: Frobnicate `.+`", line) for line in lines)
    assert any(line.strip() == "x: FLOAT[N,4]" for line in lines)
    assert any(re.match(r"   = more: trtcheck explain [A-Z]{3}\d{3}$", line) for line in lines)
    assert lines[-1].startswith(f"{refused}: refused for TensorRT ")


def test_the_grouped_convolution_is_explained(shuffle: Path) -> None:
    result = run("--target", "10.13", shuffle)
    assert result.returncode == 1
    assert "144" in result.stdout and "72" in result.stdout
    assert "   = because:" in result.stdout
    assert "   = fix: " in result.stdout


@pytest.mark.parametrize(
    ("fail_on", "code"), [("error", 1), ("warning", 1), ("info", 1), ("never", 0)]
)  # fmt: skip
def test_fail_on(refused: Path, clean: Path, fail_on: str, code: int) -> None:
    assert run("check", "--fail-on", fail_on, refused).returncode == code
    assert run("check", "--fail-on", fail_on, clean).returncode == 0


def test_target_changes_the_answer(tmp_path: Path) -> None:
    text = CLEAN.replace("Relu(x)", "Gelu(x)").replace(": 17]", ": 20]")
    model = write(tmp_path / "gelu.onnx", text)
    old = json.loads(run("check", "--target", "8.0", "--output-format", "json", model).stdout)["models"][0]
    new = json.loads(run("check", "--output-format", "json", model).stdout)["models"][0]
    assert (old["target"], old["verdict"]) == ("8.0", "refused")
    assert new["verdict"] == "clean"


def test_plugin_serves_a_custom_operator(refused: Path) -> None:
    assert run("check", "--plugin", "Frobnicate", refused).returncode == 0
    assert run("check", "--plugin", "Other", "--plugin", "Frobnicate", refused).returncode == 0
    assert run("check", "--plugin", "Other,Frobnicate", refused).returncode == 0
    assert run("check", "--plugin", "Other", refused).returncode == 1


def test_select_and_ignore(refused: Path) -> None:
    finding = json.loads(run("check", "--output-format", "json", refused).stdout)["models"][0]["findings"][0]
    code, name = finding["code"], finding["name"]
    for word in (code, code.lower(), code[:3], code[:4], name):
        assert run("check", "--ignore", word, refused).returncode == 0, word
        assert run("check", "--select", word, refused).returncode == 1, word
    assert run("check", "--select", code, "--ignore", name, refused).returncode == 0
    assert run("check", "--select", f"MDL9,{code}", refused).returncode == 1
    assert "left out" in run("check", "--ignore", code, refused).stdout


def test_a_profile_bounds_the_symbols(clean: Path) -> None:
    assert run("check", "--profile", "x=1x4:8x4:32x4", clean).returncode == 0
    assert "y" in one_line(run("check", "--profile", "y=1x4", clean))
    assert one_line(run("check", "--profile", "x=1x4x5", clean)).startswith(f"{clean}: ")
    result = json.loads(run("shapes", "--profile", "x=7x4", "--output-format", "json", clean).stdout)
    assert [v["dims"] for v in result["graphs"][0]["values"]] == [[7, 4], [7, 4]]


def test_several_inputs_in_one_profile(tmp_path: Path) -> None:
    two = write(tmp_path / "two.onnx", CLEAN.replace("float[N,4] x)", "float[N,4] x, float[M,4] z)"))
    assert run("check", "--profile", "x=1x4:8x4:32x4,z=2x4", two).returncode == 0
    assert run("check", "--profile", "x=1x4", "--profile", "z=2x4", two).returncode == 0


def test_precision_and_capability_are_taken(clean: Path) -> None:
    assert (
        run("check", "--precision", "fp16", "--precision", "int8", "--compute-capability", "8.6", clean).returncode == 0
    )
    assert run("check", "--precision=fp16,int8", "--compute-capability", "sm_86", clean).returncode == 0


@pytest.mark.parametrize("name", trtcheck.formats())
def test_a_precision_that_no_flag_asks_for_is_told_in_every_format(clean: Path, name: str) -> None:
    asked = ("check", "--precision", "fp16", "--output-format", name)
    told = run(*asked, "--target", "11.0", clean)
    assert told.returncode == 0
    assert "STY201" in told.stdout
    assert "STY201" not in run(*asked, "--target", "10.16", clean).stdout


def test_the_other_models_are_reported_when_one_cannot_be_read(clean: Path, refused: Path, tmp_path: Path) -> None:
    result = run(clean, tmp_path / "none.onnx", refused)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1 and "none.onnx: " in result.stderr
    assert "refused.onnx: refused" in result.stdout
    assert result.stdout.endswith(
        "\n2 of 3 models: 1 refused, 0 uncertain, 1 clean; 1 not checked: cannot be opened: No such file or directory\n"
    )


# --- formats ----------------


def test_json_follows_the_schema(clean: Path, refused: Path, shuffle: Path) -> None:
    schema = json.loads((ROOT / "cpp/data/report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(run("check", "--output-format", "json", clean, refused, shuffle).stdout)
    jsonschema.validate(document, schema)
    assert [m["verdict"] for m in document["models"]] == ["clean", "refused", "uncertain"]
    assert [m["path"] for m in document["models"]] == [str(clean), str(refused), str(shuffle)]
    assert document["trtcheck_version"] == run("--version").stdout.split()[1]
    broken = json.loads(json.dumps(document))
    del broken["models"][1]["findings"][0]["certainty"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_concise_is_one_line_for_each_finding(refused: Path, clean: Path) -> None:
    lines = run("check", "--output-format", "concise", refused, clean).stdout.splitlines()
    assert lines
    for line in lines:
        assert re.match(
            rf"{refused}: (error|warning|info)\[[A-Z]{{3}}\d{{3}}\] .+ \(.+\)( \+\d+ consequences?)?$", line
        )


def test_lines_fit_the_width(shuffle: Path) -> None:
    narrow = run(shuffle, env={"COLUMNS": "60"}).stdout
    wide = run(shuffle, env={"COLUMNS": "120"}).stdout
    body = [line for line in narrow.splitlines() if "/" not in line]
    assert max(map(len, body)) <= 60
    assert narrow.split() == wide.split()


def test_colours(refused: Path) -> None:
    plain = run(refused).stdout
    assert "\x1b" not in plain
    forced = run(refused, env={"FORCE_COLOR": "1"}).stdout
    assert "\x1b[1;31merror" in forced
    assert run(refused, env={"CLICOLOR_FORCE": "1"}).stdout == forced
    assert re.sub(r"\x1b\[[0-9;]*m", "", forced) == plain
    for args, env in [
        (["--no-color"], {"FORCE_COLOR": "1"}),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}),
        ([], {"FORCE_COLOR": "0"}),
        ([], {"FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"}),
        (["--output-format", "json"], {"FORCE_COLOR": "1"}),
    ]:
        assert "\x1b" not in run("check", *args, refused, env=env).stdout


def in_a_terminal(*args: str | Path, env: dict[str, str] | None = None) -> str:
    controller, terminal = pty.openpty()
    clean = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    with subprocess.Popen([PROGRAM, *map(str, args)], stdout=terminal, env=clean | {"TERM": "xterm"} | (env or {})):
        os.close(terminal)
        out = b""
        try:
            while piece := os.read(controller, 65536):
                out += piece
        except OSError:  # how Linux says that the other end is closed
            pass
    os.close(controller)
    return out.decode()


def test_a_terminal_gets_colours(refused: Path) -> None:
    assert "\x1b[1;31merror" in in_a_terminal(refused)
    assert "\x1b" not in in_a_terminal(refused, env={"NO_COLOR": "1"})
    assert "\x1b" not in in_a_terminal(refused, env={"TERM": "dumb"})
    assert "\x1b" not in in_a_terminal("check", "--no-color", refused)


# --- shapes, options of all commands ----------------


def test_shapes_prints_every_value(shuffle: Path) -> None:
    text = run("shapes", shuffle)
    assert (text.returncode, text.stderr) == (0, "")
    assert re.search(r"^  y +FLOAT +\[N, 8, H, W\] +Conv$", text.stdout, re.MULTILINE)
    document = json.loads(run("shapes", "--output-format", "json", shuffle).stdout)
    (graph,) = document["graphs"]
    values = {v["name"]: v for v in graph["values"]}
    assert graph["graph"] == "main"
    assert values["x"] | {"reason": ""} == {
        "name": "x", "from": "input", "node": "", "dtype": "FLOAT", "dims": ["N", 4, "H", "W"],
        "sizes": ["N", 4, "H", "W"], "contents": None, "assumed": False, "reason": "",
    }  # fmt: skip
    assert values["r"]["dims"] == ["N", 4, "H", "W"]
    assert values["t1"]["contents"] == ["N", 2, 2, "H", "W"]
    assert values["w"]["from"] == "initializer"
    assert "main: y FLOAT[N,8,H,W]\n" in run("shapes", "--output-format", "concise", shuffle).stdout


def test_shapes_says_why_something_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 17, "my.ops" : 1]>
        g (float[N,4] x, bool[N] c) => (y, z, i) {
          [pick] p = Compress <axis = 0> (x, c)
          y = Relu (p)
          [mine] z = my.ops.Foo (x)
          [where] i = NonZero (x)
          s = Shape (p)
          [odd] t = Cast <to = 7> (z)
        }"""
    )
    path.write_bytes(model.SerializeToString())
    rows, _, notes = run("shapes", path).stdout.partition("sizes that are known when the model runs:\n")
    told = {line.split()[0]: re.split(r" {2,}", line.strip())[-1] for line in rows.splitlines()[1:]}
    told = {name: told[name] for name in ("p", "y", "z", "i", "s", "t")}
    assert re.search(r"^  p +FLOAT +\[compress_1, 4\]", rows, re.MULTILINE)
    assert "  compress_1 in 0..3: Compress keeps what its condition selects (Compress `pick`)\n" in notes or (
        "  compress_1 >= 0: Compress keeps what its condition selects (Compress `pick`)\n" in notes
    ), notes
    assert told["p"] == told["y"] == "Compress keeps what its condition selects (at `pick`)"
    assert told["z"].endswith("(at `mine`)")
    assert told["s"] == "= [compress_1, 4]; Compress keeps what its condition selects (at `pick`)"
    assert all("(at `" in reason for reason in told.values()), told
    values = json.loads(run("shapes", "--output-format", "json", path).stdout)["graphs"][0]["values"]
    assert {v["name"]: v["reason"] for v in values}["p"] == told["p"]
    assert {v["name"] for v in values if not v["reason"]} >= {"x", "c"}


def test_output_has_a_short_name(shuffle: Path, tmp_path: Path) -> None:
    file = tmp_path / "out"
    words = {
        "check": [shuffle], "diff": [shuffle, shuffle], "explain": ["WGT101"], "profile": [shuffle],
        "report": [shuffle], "rules": [], "settings": [], "shapes": [shuffle],
    }  # fmt: skip
    for command, arguments in words.items():
        text = run(command, *arguments).stdout
        assert text and run(command, *arguments, "-o", file).stdout == ""
        assert file.read_text() == text, command
    assert run("graph", shuffle, "--around", "WGT101", "-o", file).stdout == ""
    assert "<svg" in file.read_text()


def test_shapes_as_trtexec_writes_them(clean: Path) -> None:
    expected = run("check", "--profile", "x=2x4", "--output-format", "json", clean)
    assert (expected.returncode, expected.stderr) == (0, "")
    assert run("check", "--profile", "x:2x4", "--output-format", "json", clean).stdout == expected.stdout
    assert (
        run("shapes", "--profile", "x:2x4", clean).stdout
        == "main\n  x  FLOAT  [2, 4]  input\n  y  FLOAT  [2, 4]  Relu\n"
    )


def test_a_named_pipe_whose_writer_comes_late(clean: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.onnx"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", 'sleep 0.3; (sleep 0.3; cat "$0") > "$1"', clean, pipe]):
        result = run(pipe)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{pipe}: clean for TensorRT ")


# --- mistakes of the user ----------------


def test_no_words_name_the_models_of_the_folder(tmp_path: Path) -> None:
    def said() -> str:
        result = subprocess.run([PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (result.returncode, result.stdout) == (2, "")
        return result.stderr

    assert "`trtcheck model.onnx` checks one" in said()
    (tmp_path / "below").mkdir()
    for name in ("b.onnx", "a.onnx", "c\n.onnx", "d.onnx", "notes.txt", "below/e.onnx"):
        (tmp_path / name).touch()
    assert said().count("\n") == 1
    assert said().endswith("(`a.onnx`, `b.onnx`, `c\\n.onnx` and 1 more) and in folders below\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], ["no model given"]),
        (["check"], ["PATH"]),
        (["chekc", "m.onnx"], ["unknown command `chekc`", "`check`"]),
        (["ruels"], ["`rules`"]),
        (["explian", "MDL101"], ["`explain`"]),
        (["check", "--tagret", "10.3", "m.onnx"], ["unknown option `--tagret`", "`--target`"]),
        (["check", "--out-putformat=json", "m.onnx"], ["`--output-format`"]),
        (["m.onnx", "--presicion", "fp16"], ["`--precision`"]),
        (["check", "--target", "m.onnx"], ["PATH is required"]),
        (["check", "--target", "10.99", "m.onnx"], ["--target", "10.99", "10."]),
        (["check", "--target", "ten", "m.onnx"], ["--target", "ten"]),
        (["check", "--precision", "fp61", "m.onnx"], ["--precision", "`fp61`", "fp16"]),
        (["check", "--compute-capability", "big", "m.onnx"], ["--gpu", "big"]),
        (["check", "--gpu", "h10", "m.onnx"], ["--gpu", "`h10`", "`h100`"]),
        (["check", "--gpu", "99.9", "m.onnx"], ["--gpu", "no GPU has 99.9", "8.6", "12.1"]),
        (["check", "--target", "8.6", "--target", "10.0", "m.onnx"], ["--target: given 2 times (`8.6`, `10.0`)"]),
        (["check", "--gpu", "8.6", "--compute-capability", "h100", "m.onnx"], ["--gpu or --compute-capability: given"]),
        (["m.onnx", "--exit-zero"], ["unknown option `--exit-zero`", "`--fail-on never`"]),
        (["m.onnx", "--color", "always"], ["`--color`", "FORCE_COLOR=1", "--no-color"]),
        (["check", "--profile", "x", "m.onnx"], ["--profile", "x"]),
        (["check", "--profile", "x=2x3:1x3:4x3", "m.onnx"], ["--profile", "x"]),
        (["check", "--profile", "x=1x3:1x3x4:4x3", "m.onnx"], ["--profile", "x"]),
        (["check", "--profile", "x=99999999999999999999", "m.onnx"], ["--profile", "x"]),
        (["check", "--fail-on", "errors", "m.onnx"], ["--fail-on", "`errors`", "`error`"]),
        (["check", "--output-format", "jsno", "m.onnx"], ["--output-format", "`jsno`", "`json`"]),
        (["check", "--select", "ZZZ999", "m.onnx"], ["--select", "ZZZ999"]),
        (["check", "--ignore", "op-unsuported", "m.onnx"], ["--ignore", "`op-unsuported`", "`op-unsupported`"]),
        (["explain", "op-unsuported"], ["`op-unsuported`", "`op-unsupported`"]),
        (["explain", "xyzzy"], ["xyzzy", "trtcheck rules"]),
        (["explain"], ["nothing to explain"]),
        (["shapes"], ["MODEL"]),
        (["rules", "extra"], ["`extra` is no rule code, prefix, name or fact"]),
        (["rules", "--select", "WGT999"], ["`WGT999`", "`WGT"]),
        (["check", "--output"], ["--output"]),
        (["check", "--format", "json", "m.onnx"], ["unknown option `--format`", "`--output-format`"]),
        (["check", "-f", "json", "m.onnx"], ["unknown option `-f`", "`--output-format`"]),
        (["m.onnx", "--json"], ["unknown option `--json`", "`--output-format json`"]),
        (["shapes", "m.onnx", "--json"], ["`--output-format json`"]),
        (["m.onnx", "--fp16"], ["unknown option `--fp16`", "`--precision fp16`"]),
        (["check", "--shapes=x:1x3", "m.onnx"], ["`--shapes=x:1x3`", "`--profile NAME:SHAPE`"]),
        (["check", "--minShapes=x:1x3", "m.onnx"], ["`--profile NAME=MIN:OPT:MAX`"]),
        (["check", "--useDLACore=0", "m.onnx"], ["`--dla`"]),
        (["check", "--stronglyTyped", "m.onnx"], ["`--strongly-typed`"]),
        (["check", "--onnx=m.onnx"], ["models are named without an option"]),
        (["m.onnx", "--trt-version", "8.6"], ["`--target`"]),
        (["check", "-output", "x.json", "m.onnx"], ["unknown option `-output`", "`--output`"]),
        (["help", "chekc"], ["help: there is no command `chekc`", "`check`"]),
    ],
)
def test_a_mistake_is_one_line_with_a_suggestion(args: list[str], said: list[str]) -> None:
    line = one_line(run(*args))
    for word in said:
        assert word in line


def test_shapes_and_check_take_the_same_profile(tmp_path: Path) -> None:
    header = '<ir_version: 10, opset_import: ["" : 17]>'
    text = f"{header} agraph (float[N,3] x, float[N,3] y) => (float[N,3] z) {{ z = Add(x, y) }}"
    model = tmp_path / "sum.onnx"
    onnx.save(onnx.parser.parse_model(text), model)
    profile = ("--profile", "x=1x3:2x3:4x3", "--profile", "y=8x3:8x3:8x3")
    checked = run("check", "--no-config", *profile, model)
    shapes = run("shapes", *profile, model)
    # That the sizes of N disagree is a finding; the shapes are those of all of them.
    assert "PRF103" in checked.stdout
    assert (shapes.returncode, shapes.stderr) == (0, "")
    assert "FLOAT  [N, 3]" in shapes.stdout
