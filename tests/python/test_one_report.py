"""`trtcheck report`: one page, and one document, of what six commands say of a model."""

from __future__ import annotations

import itertools
import json
import pickle
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import onnx
import pytest
from browser import Page, needs_browser, open_browser
from onnx import TensorProto, helper
from referencing import Registry, Resource
from test_cli import one_line, run

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "cpp/data"
SHUFFLE = ROOT / "examples/models/case0_channel_shuffle.onnx"
RESIDUAL = ROOT / "examples/models/case1_residual.onnx"
HEALTHY = ROOT / "examples/models/healthy_shufflenet.onnx"
HOSTILE = "</script><img src=x onerror=alert(1)><b>`</details>&lt;\x1b]0;x\x07"
PARTS = ["releases", "profile", "types", "shapes", "not-looked-at"]


def schema_of(name: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((DATA / name).read_text())
    return made


def validate(document: dict[str, Any]) -> None:
    others = ("report.schema.json", "matrix.schema.json", "profile.schema.json", "shapes.schema.json")
    registry: Registry[Any] = Registry().with_resources([(n, Resource.from_contents(schema_of(n))) for n in others])
    schema = schema_of("one_report.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema, registry=registry).validate(document)


def page_of(target: Path, *words: Path | str, code: int = 0) -> str:
    ran = run("report", "--no-config", *words, "-o", target)
    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", "")
    return target.read_text(encoding="utf-8")


@pytest.mark.parametrize("example", [SHUFFLE, RESIDUAL, HEALTHY])
def test_python_says_what_the_command_says(example: Path, tmp_path: Path) -> None:
    words = ("--target", "10.13", "--precision", "fp16", "--dim", "batch=1..16")
    options: dict[str, Any] = {"target": "10.13", "precision": "fp16", "dims": {"batch": (1, 16)}}
    document = run("report", "--no-config", *words, "--output-format", "json", example)
    one = trtcheck.report(example, **options)
    assert one.to_json() == document.stdout
    assert one.to_dict() == json.loads(document.stdout)
    assert one.to_html() == page_of(tmp_path / "report.html", *words, example, code=document.returncode)
    assert (one.path, one.verdict) == (str(example), one.report.verdict)
    assert one.report.to_dict() == trtcheck.check(example, target="10.13", precision="fp16").to_dict()
    assert one.matrix.to_dict() == trtcheck.matrix(example, precision="fp16").to_dict()
    assert one.profile.to_dict() == one.to_dict()["profile"]
    assert trtcheck.report(trtcheck.analyze(example), **options).to_json() == document.stdout
    copied = pickle.loads(pickle.dumps(one))
    assert (copied.to_json(), copied.to_html()) == (one.to_json(), one.to_html())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"dims": {"nope": 4}}, "no input has a dynamic axis `nope`"),
        ({"target": "1.0"}, "1.0"),
        ({"profile": {"nope": [1]}}, "the model has no input `nope`"),
        ({"select": "XYZ999"}, "XYZ999"),
    ],
)
def test_python_refuses_what_makes_no_sense(options: dict[str, Any], said: str) -> None:
    with pytest.raises(trtcheck.Error, match=re.escape(said)):
        trtcheck.report(HEALTHY, **options)


def chain(path: Path, count: int) -> Path:
    """So many nodes, one behind the other; names of tensors do not repeat."""
    names = ["x", *(f"layer{i}.out" for i in range(count))]
    nodes = [helper.make_node("Relu", [a], [b]) for a, b in itertools.pairwise(names)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", 8]) for name in (names[0], names[-1])]
    made = helper.make_model(
        helper.make_graph(nodes, "chain", ends[:1], ends[1:]), opset_imports=[helper.make_opsetid("", 17)]
    )
    made.ir_version = 8
    onnx.save(made, path)
    return path


def hostile(path: Path) -> Path:
    x = helper.make_tensor_value_info(HOSTILE, TensorProto.FLOAT, [HOSTILE, 8])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    nodes = [helper.make_node(HOSTILE, [HOSTILE], [HOSTILE + "2"], HOSTILE, domain=HOSTILE)]
    nodes += [helper.make_node("Relu", [HOSTILE + "2"], ["y"])]
    made = helper.make_model(helper.make_graph(nodes, HOSTILE, [x], [y]), opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(made, path)
    return path


@pytest.mark.parametrize("model", [SHUFFLE, RESIDUAL, HEALTHY], ids=lambda path: path.stem)
def test_the_document_holds_what_the_commands_print(model: Path) -> None:
    ran = run("report", "--target", "10.13", "--no-config", "--output-format", "json", model)
    assert ran.stderr == ""
    document = json.loads(ran.stdout)
    validate(document)
    expected = run("check", "--target", "10.13", "--no-config", "--output-format", "json", model)
    assert (json.loads(expected.stdout), expected.returncode) == (document["check"], ran.returncode)
    assert document["verdict"] == document["check"]["models"][0]["verdict"]
    for command in ("quantization", "types"):
        words = ("--target", "10.13", "--no-config", "--output-format", "json")
        assert json.loads(run(command, *words, model).stdout) == document[command]
    for command, words in {"matrix": ("--no-config",), "profile": ("--target", "10.13"), "shapes": ()}.items():
        assert json.loads(run(command, *words, "--output-format", "json", model).stdout) == document[command], command


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--target", "10.13", SHUFFLE], 1),
        (["--target", "10.13", "--fail-on", "never", SHUFFLE], 0),
        (["--target", "10.13", "--ignore", "WGT101", SHUFFLE], 0),
        (["--target", "10.13", RESIDUAL], 0),
        (["--target", "10.13", "--fail-on", "warning", RESIDUAL], 1),
    ],
)
def test_exit_codes_are_those_of_check(words: list[Path | str], code: int) -> None:
    assert run("report", "--no-config", *words).returncode == code
    assert run("check", "--no-config", *words).returncode == code


def test_the_page_has_all_parts(tmp_path: Path) -> None:
    page = page_of(tmp_path / "page.html", "--target", "10.13", "--dim", "batch=2..6", SHUFFLE, code=1)
    assert [f'<section class="part" id="{part}"' in page for part in PARTS] == [True] * len(PARTS)
    for part in ["m1", *PARTS]:  # of the lines on top
        assert f'<a href="#{part}">' in page and f' id="{part}"' in page
    assert '<dd><span class="badge refused">refused</span> for TensorRT 10.13: 1 error</dd>' in page
    assert "<figure" in page and "<svg" in page  # of the finding
    assert "trtexec --onnx=" in page and "polygraphy convert" in page
    assert "--minShapes=x:2x" in page and "maxShapes=x:6x" in page
    assert 'TensorRT-RTX: clean for none; not refused by <span class="whole">rtx-1.4</span>' in page
    assert "FLOAT 100.0 % of the multiply-accumulates" in page
    assert re.search(r"<tr><th scope=\"row\">unit.conv.weight</th><td>FLOAT</td><td>\[8, 2, 3, 3\]</td>", page)
    assert "the values of the weights and constants (18 tensors, 1.3 KB)" in page


def test_what_was_looked_at_is_not_named(tmp_path: Path) -> None:
    def lines(*words: Path | str) -> str:
        ran = run("report", "--no-config", "--output-format", "json", *words, SHUFFLE)
        return "\n".join(json.loads(ran.stdout)["not_looked_at"])

    assert "--read-weights" in lines() and "--profile" in lines() and "the GPU" in lines()
    assert "--read-weights" not in lines("--read-weights")
    assert "--read-weights" not in lines("--precision", "fp16")
    assert "no profile was given" not in lines("--profile", "x=1x4x8x8")
    assert "the GPU" not in lines("--compute-capability", "8.6")
    assert "1 finding that the settings leave out" in lines("--target", "10.13", "--ignore", "WGT101")
    assert "1 finding that the settings leave out" not in lines("--target", "10.13")
    ran = run("report", "--no-config", "--output-format", "json", hostile(tmp_path / "m.onnx"))
    told = "\n".join(json.loads(ran.stdout)["not_looked_at"])
    assert "it is no operator of ONNX" in told and "whose shape is not fully known" in told
    assert "it is no operator of ONNX" not in lines() and "not fully known" not in lines()


def test_settings_and_baseline_count(tmp_path: Path) -> None:
    model = tmp_path / "model.onnx"
    model.write_bytes(SHUFFLE.read_bytes())
    (tmp_path / "trtcheck.toml").write_text('target = "10.13"\nbaseline = "known.json"\n')
    assert run("check", "--update-baseline", model).returncode == 0
    document = json.loads(run("report", "--output-format", "json", model).stdout)
    assert (document["target"], document["verdict"]) == ("10.13", "clean")
    assert document["check"]["models"][0]["suppressions"][0]["by"] == "baseline"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.onnx"], "none.onnx: "),
        (["text.onnx"], "text.onnx: "),
        (["model.onnx", "-o", "model.onnx"], "model.onnx: "),
        (["model.onnx", "-o", "none/page.html"], "none/page.html: "),
        (["model.onnx", "--profile", "z=1"], "model.onnx: "),
        (["model.onnx", "--dim", "z=1"], "model.onnx: "),
        (["model.onnx", "--dim", "z"], "--dim: "),
        (["model.onnx", "--ranges", "none.json"], "none.json: "),
        (["model.onnx", "--output-format", "sarif"], "--output-format: unknown value `sarif`"),
        (["model.onnx", "other.onnx"], "other.onnx"),
    ],
)
def test_bad_input_is_one_line(words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.onnx").write_text("no model")
    model = chain(tmp_path / "model.onnx", 1).read_bytes()
    assert said in one_line(run("report", "--no-config", *words))
    assert (tmp_path / "model.onnx").read_bytes() == model
    assert {path.name for path in tmp_path.iterdir()} == {"text.onnx", "model.onnx"}


def test_a_large_model_makes_a_page_that_ends(tmp_path: Path) -> None:
    started = time.process_time()
    page = page_of(tmp_path / "page.html", chain(tmp_path / "model.onnx", 20_500))
    assert len(page) < 6_000_000 and time.process_time() - started < 60
    assert "The first 20000 of 20501 tensors; the search finds only these" in page
    assert page.count('<tr><th scope="row">layer') == 19_999
    assert "only these" not in page_of(tmp_path / "page.html", chain(tmp_path / "model.onnx", 19_999))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@needs_browser
@pytest.mark.parametrize("width", [1100, 400])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_can_be_read(page: Page, tmp_path: Path, width: int, dark: bool) -> None:
    for at, model in enumerate((SHUFFLE, RESIDUAL, hostile(tmp_path / "hostile.onnx"))):
        target = tmp_path / f"{at}.html"
        run("report", "--no-config", model, "-o", target)
        page.requests()
        page.open(target, width=width, dark=dark)
        page.run("for (const details of document.querySelectorAll('details')) details.open = true")
        assert page.run("return document.documentElement.scrollWidth <= window.innerWidth"), model
        assert page.poor_contrasts(dark=dark) == []
        assert page.complaints() == []
        asked = [url for url in page.requests() if not url.startswith(("data:", "chrome"))]
        assert asked == [target.as_uri()]


@needs_browser
def test_tensors_can_be_searched(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    page_of(target, chain(tmp_path / "model.onnx", 2000))
    page.open(target)
    shown = "return [...document.querySelectorAll('.searchable tbody tr')].filter((row) => !row.hidden).length"
    page.one("#shapes summary").click()
    told = page.one(".searchable output")
    assert (page.run(shown), told.text) == (500, "the first 500 of 2001 rows")
    field = page.one(".searchable input")
    field.send_keys("layer17 relu")
    wait(page, shown, 111)
    assert told.text == "111 of 2001 rows"
    field.clear()
    field.send_keys("layer")
    wait(page, shown, 500)
    assert told.text == "the first 500 of 2000 rows"
    page.one(".searchable button").click()
    assert (page.run(shown), told.text) == (2000, "2000 of 2001 rows")
    page.emulate("Emulation.setScriptExecutionDisabled", value=True)
    page.open(target)
    page.emulate("Emulation.setScriptExecutionDisabled", value=False)
    assert page.run(shown) == 2001
    assert not page.one(".searchable form").is_displayed()


@needs_browser
def test_long_tables_are_not_printed(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    run("report", "--no-config", "--target", "10.13", SHUFFLE, "-o", target)
    page.open(target)
    page.run("globalThis.open = []; addEventListener('afterprint', () => {}); dispatchEvent(new Event('beforeprint'))")
    assert page.run("return [...document.querySelectorAll('details:not(.long)')].every((each) => each.open)")
    assert not page.run("return [...document.querySelectorAll('details.long')].some((each) => each.open)")


def wait(page: Page, script: str, expected: int) -> None:
    end = time.monotonic() + 10
    while page.run(script) != expected and time.monotonic() < end:
        time.sleep(0.05)
    assert page.run(script) == expected
