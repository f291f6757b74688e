"""trtcheck matrix, and trtcheck.matrix."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import pytest
from browser import needs_browser, open_browser
from test_cli import PROGRAM, ROOT, one_line, run, write
from test_fact_records import CASES
from test_fact_records import options as options_of

import trtcheck

SCHEMA = json.loads((ROOT / "cpp/data/matrix.schema.json").read_text())
EVERY = [*trtcheck.releases(), *trtcheck.rtx_releases()]
NEWEST = trtcheck.releases()[-1]

# Gelu has an importer from 10.0 on.
GELU = """<ir_version: 10, opset_import: ["" : 20]>
agraph (float[N,4] x) => (float[N,4] y) { [act] y = Gelu (x) }"""
RELU = """<ir_version: 10, opset_import: ["" : 17]>
agraph (float[N,4] x) => (float[N,4] y) { y = Relu (x) }"""
NOBODY = """<ir_version: 10, opset_import: ["" : 17]>
agraph (float[2,2] x) => (float y) { y = Det (x) }"""


@pytest.fixture
def gelu(tmp_path: Path) -> Path:
    return write(tmp_path / "gelu.onnx", GELU)


def matrix(*words: str | Path, **options: Any):  # type: ignore[no-untyped-def]
    return run("matrix", "--no-config", *words, **options)


def verdicts(path: Path, *words: str) -> dict[str, str]:
    document = json.loads(matrix("--output-format", "json", "--fail-on", "never", *words, path).stdout)
    jsonschema.validate(document, SCHEMA)
    return {one["release"]: one["verdict"] for one in document["models"][0]["releases"]}


def said(report: trtcheck.Report) -> Any:
    """All of a report, but for the pictures, which only `check` makes."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bare(one) for key, one in value.items() if key != "neighbourhood"}
        return [bare(one) for one in value] if isinstance(value, list) else value

    return bare(report.to_dict())


def assert_same_as_checks(model: object, **options: Any) -> None:
    analysis = trtcheck.analyze(model)
    reports = trtcheck.matrix(analysis, **options).reports
    assert [report.target.release for report in reports] == EVERY
    for report in reports:
        alone = trtcheck.check(analysis, target=report.target.release, **options)
        assert said(report) == said(alone), report.target.release


def test_text(gelu: Path) -> None:
    result = matrix(gelu)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == f"{gelu}: 1 node against TensorRT 8.0 .. {NEWEST}, TensorRT-RTX rtx-1.4 .. rtx-1.7"
    refused = [line.split() for line in lines if "  refused " in line]
    assert refused[0][:5] == ["8.0", "..", "9.3", "refused", "OPS101"]
    assert any(
        re.fullmatch(r"TensorRT: .*not refused by 10\.0 to .*|TensorRT: clean for 10\.0 to .*", line) for line in lines
    )
    assert lines[-1].startswith("TensorRT-RTX: ")


def test_neighbours_with_one_answer_share_a_line(gelu: Path) -> None:
    made = trtcheck.matrix(gelu)
    told = verdicts(gelu)
    assert list(told) == EVERY
    places = [EVERY.index(one.first) for one in made.ranges]
    ends = [EVERY.index(one.last) for one in made.ranges]
    assert places == [0, *[end + 1 for end in ends[:-1]]] and ends[-1] == len(EVERY) - 1
    for one, first, last in zip(made.ranges, places, ends, strict=True):
        assert {told[release] for release in EVERY[first : last + 1]} == {one.verdict}
        assert one.first.startswith("rtx") == one.last.startswith("rtx")
    assert len(made.ranges) < 12
    lines = [line for line in str(made).splitlines() if line.startswith("  ") and line[2] != " "]
    assert len(lines) == len(made.ranges)


def test_taken_by(gelu: Path, tmp_path: Path) -> None:
    tensorrt, rtx = trtcheck.matrix(gelu).taken_by
    told = verdicts(gelu)
    not_refused = [release for release in trtcheck.releases() if told[release] != "refused"]
    assert (tensorrt.product, rtx.product) == ("TensorRT", "TensorRT-RTX")
    assert (tensorrt.oldest_not_refused, tensorrt.newest_not_refused) == (not_refused[0], not_refused[-1])
    assert not_refused[0] == "10.0" and told["9.3"] == "refused"
    (nobody,) = trtcheck.matrix(write(tmp_path / "det.onnx", NOBODY), targets="8.0..").taken_by
    assert nobody.oldest_clean is None and nobody.newest_not_refused is None
    assert "TensorRT: refused by every release asked" in str(trtcheck.matrix(tmp_path / "det.onnx"))


@pytest.mark.parametrize(
    ("word", "releases"),
    [
        ("10.13", ["10.13"]),
        ("rtx-1.7", ["rtx-1.7"]),
        ("8.4..8.6", ["8.4", "8.5", "8.6"]),
        ("..8.2", ["8.0", "8.2"]),
        (f"{NEWEST}..", [NEWEST]),
        ("rtx-1.5..rtx-1.6", ["rtx-1.5", "rtx-1.6"]),
        ("all", EVERY),
    ],
)
def test_targets(gelu: Path, word: str, releases: list[str]) -> None:
    assert list(verdicts(gelu, "--target", word)) == releases
    assert [report.target.release for report in trtcheck.matrix(gelu, targets=word).reports] == releases


def test_several_targets_in_python(gelu: Path) -> None:
    made = trtcheck.matrix(gelu, targets=["rtx-1.6", "8.5..8.6", "8.6"])
    assert [report.target.release for report in made.reports] == ["8.5", "8.6", "rtx-1.6"]
    with pytest.raises(trtcheck.Error, match="no release is named"):
        trtcheck.matrix(gelu, targets=[])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "10.0..9.0"], "--target: `10.0..9.0` runs backwards, did you mean `9.0..10.0`?"),
        (["--target", "8.6...9"], "did you mean `8.6..9.0`?"),
        (["--target", "8.6..x"], "did you mean `8.6..`?"),
        (["--target", ""], "--target: no release is named; there are releases such as 10.13"),
        (["--target", "9.9"], "the nearest known release is 9.3"),
        (["--from", "8.6"], "--from needs --to, too"),
        (["--to", "8.6"], "--to needs --from, too"),
        (["--from", "8.6..", "--to", "11.0"], "--from: `8.6..` is "),
        (["--from", "8.6", "--to", "11.0", "--target", "all"], "--target is not for them"),
        (["--from", "8.6", "--to", "11.0", "--output-format", "html"], "have full, json and markdown, not html"),
        (["--from", "8.6", "--to", "11.0", "--fail-on", "any"], "--fail-on is not for them"),
        (["--fail-on", "error"], "--fail-on: unknown value `error`; it must be any, newest, every, never"),
        (["--output-format", "sarif"], "--output-format: unknown value `sarif`"),
        (["--profile", "z=1x4"], "the model has no input `z`, did you mean `x`?"),
    ],
)
def test_bad_words(gelu: Path, words: list[str], message: str) -> None:
    assert message in one_line(matrix(*words, gelu))


@pytest.mark.parametrize("word", ["8.6..10.13", "all", "rtx-1.5.."])
def test_a_check_is_for_one_release(gelu: Path, word: str) -> None:
    assert "a check is for one; `trtcheck matrix` accepts several" in one_line(run("check", "--target", word, gelu))
    with pytest.raises(trtcheck.Error, match="accepts several"):
        trtcheck.check(gelu, target=word)


@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        (RELU, [], 0),
        (RELU, ["--target", "8.0.."], 0),
        (GELU, [], 0),
        (GELU, ["--target", "8.6..10.13"], 1),
        (GELU, ["--target", "10.0..10.13"], 0),
        (GELU, ["--target", "8.6..10.13", "--fail-on", "newest"], 0),
        (GELU, ["--target", "8.4..8.6", "--fail-on", "newest"], 1),
        (GELU, ["--target", "8.6..10.13", "--fail-on", "every"], 0),
        (GELU, ["--target", "8.4..8.6", "--fail-on", "every"], 1),
        (GELU, ["--fail-on", "any"], 1),
        (GELU, ["--fail-on", "never", "--target", "8.6"], 0),
        (NOBODY, [], 1),
        (GELU, ["--from", "8.6", "--to", "10.13"], 0),
        (GELU, ["--from", "10.13", "--to", "8.6"], 1),
        (GELU, ["--from", "8.6", "--to", "8.6"], 0),
    ],
)
def test_exit_codes(tmp_path: Path, text: str, words: list[str], code: int) -> None:
    result = matrix(*words, write(tmp_path / "m.onnx", text))
    assert (result.returncode, result.stderr) == (code, "")


def test_what_an_upgrade_changes(gelu: Path) -> None:
    lines = matrix("--from", "8.6", "--to", "10.13", gelu).stdout.splitlines()
    assert lines[0] == f"before: {gelu}: refused for TensorRT 8.6, 1 node"
    assert lines[1] == f"after:  {gelu}: clean for TensorRT 10.13, 1 node"
    assert any(line.startswith("gone (1 error") for line in lines)
    document = json.loads(matrix("--from", "10.13", "--to", "8.6", "--output-format", "json", gelu).stdout)
    assert [one["code"] for one in document["new"]] == ["OPS101", "OPS202"] and document["gone"] == []
    assert "| error | OPS101 |" in matrix("--from", "10.13", "--to", "8.6", "--output-format", "markdown", gelu).stdout
    other = write(gelu.parent / "other.onnx", RELU)
    assert "--from and --to are for one model, there are 2" in one_line(
        matrix("--from", "8.6", "--to", "9.0", gelu, other)
    )


def test_json_has_every_release_and_its_reasons(gelu: Path) -> None:
    document = json.loads(matrix("--output-format", "json", gelu).stdout)
    jsonschema.validate(document, SCHEMA)
    assert document == trtcheck.matrix(gelu).to_dict()
    (model,) = document["models"]
    assert (model["path"], model["node_count"]) == (str(gelu), 1)
    oldest = model["releases"][0]
    assert (oldest["release"], oldest["verdict"], oldest["errors"]) == ("8.0", "refused", 1)
    assert [(one["code"], one["node"]) for one in oldest["deciding"]] == [("OPS101", "act")]
    assert all(bool(one["deciding"]) == (one["verdict"] != "clean") for one in model["releases"])


def test_several_models(gelu: Path, tmp_path: Path) -> None:
    write(tmp_path / "relu.onnx", RELU)
    (tmp_path / "broken.onnx").write_bytes(b"\x08\x08\x3a\x7f")
    result = matrix("--output-format", "json", tmp_path)
    assert result.returncode == 2 and "broken.onnx" in result.stderr
    document = json.loads(result.stdout)
    jsonschema.validate(document, SCHEMA)
    assert [Path(one["path"]).name for one in document["models"]] == ["gelu.onnx", "relu.onnx"]
    assert [Path(one["path"]).name for one in document["failures"]] == ["broken.onnx"]
    for chosen in ("full", "markdown", "html"):
        text = matrix("--output-format", chosen, tmp_path).stdout
        assert all(name in text for name in ("gelu.onnx", "relu.onnx", "broken.onnx")), chosen


def test_standard_input(gelu: Path) -> None:
    with gelu.open("rb") as file:
        result = matrix("--target", "10.0..10.2", "-", stdin=file)
    assert result.returncode == 0 and result.stdout.startswith("<stdin>: 1 node against TensorRT 10.0 .. 10.2\n")


def test_settings_count_but_for_the_release(gelu: Path) -> None:
    (gelu.parent / "trtcheck.toml").write_text('target = "8.6"\nignore = ["OPS101"]\n')
    document = json.loads(run("matrix", "--output-format", "json", gelu).stdout)
    told = document["models"][0]["releases"]
    assert [one["release"] for one in told] == EVERY
    assert all(finding["code"] != "OPS101" for one in told for finding in one["deciding"])
    assert told[0]["suppressed"] == 1


def test_markdown(tmp_path: Path) -> None:
    path = write(tmp_path / "a|b.onnx", GELU.replace("[act]", "[a_b]"))
    lines = matrix("--output-format", "markdown", path).stdout.splitlines()
    head = lines.index("| releases | verdict | why |")
    assert lines[head + 1] == "|---|---|---|"
    rows = [line for line in lines[head + 2 :] if line.startswith("|")]
    assert len(rows) == len(trtcheck.matrix(path).ranges)
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 4 for row in rows)
    assert rows[0].startswith("| 8.0 .. 9.3 | refused | OPS101 ")
    assert trtcheck.matrix(path).to_markdown() == "\n".join(lines) + "\n"


def test_html(gelu: Path) -> None:
    page = matrix("--output-format", "html", gelu).stdout
    assert page == trtcheck.matrix(gelu).to_html()
    assert "<script" not in page and "script-src" not in page
    assert page.count('<tr><th scope="row">') == len(trtcheck.matrix(gelu).ranges)


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits(gelu: Path, tmp_path: Path, width: int) -> None:
    page = tmp_path / "matrix.html"
    write(tmp_path / "a_model_with_a_rather_long_name_that_has_to_go_somewhere.onnx", NOBODY)
    matrix("--output-format", "html", "--output", page, tmp_path)
    with open_browser(tmp_path / "profile") as browser:
        for dark in (False, True):
            browser.open(page, dark=dark, width=width)
            assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
            assert browser.poor_contrasts(dark=dark) == []
        assert browser.complaints() == []


# --- the same answers ----------------


def test_examples_get_the_answers_of_checks() -> None:
    models = sorted((ROOT / "examples/models").glob("*.onnx"))
    assert len(models) >= 8
    for path in models:
        assert_same_as_checks(path)
        assert_same_as_checks(path, precision=["fp16", "int8"], compute_capability="7.0")
        assert_same_as_checks(path, dla=True)
        assert_same_as_checks(path, strongly_typed=True)


@pytest.mark.parametrize("key", ["example", "near"])
def test_facts_get_the_answers_of_checks(key: str) -> None:
    assert len(CASES) > 300
    for case in CASES:
        assert_same_as_checks(case.model(key).SerializeToString(), **options_of(case))


def chain(nodes: int) -> bytes:
    """Of Add and Relu, as long as anybody wants."""
    made, last = [], "x"
    for i in range(nodes):
        inputs = [last] if i % 2 else [last, "b"]
        made.append(onnx.helper.make_node("Relu" if i % 2 else "Add", inputs, [f"v{i}"], name=f"n{i}"))
        last = f"v{i}"
    value = lambda name: onnx.helper.make_tensor_value_info(name, 1, ["N", 64])  # noqa: E731
    bias = onnx.numpy_helper.from_array(np.ones(64, "float32"), "b")
    graph = onnx.helper.make_graph(made, "g", [value("x")], [value(last)], [bias])
    opsets = [onnx.helper.make_opsetid("", 17)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind, which counts instructions, is not installed")
def test_all_releases_cost_half_more_than_one(tmp_path: Path) -> None:
    path = tmp_path / "chain.onnx"
    path.write_bytes(chain(20_000))

    def instructions(command: str) -> int:
        words = [
            "valgrind",
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            PROGRAM,
            command,
            "--no-config",
            path,
        ]
        printed = subprocess.run(words, capture_output=True, text=True, check=True).stderr
        return int(printed.rsplit("Collected :", 1)[1].split()[0])

    one, every = instructions("check"), instructions("matrix")
    assert every < 1.5 * one, (every, one)
