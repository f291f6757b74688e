"""The fact that a finding rests on, wherever a user meets or names it."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import onnx
import pytest
from test_cli import run

import trtcheck

TEXT = """<ir_version: 10, opset_import: ["" : 19]>
agraph (float[2,3] x) => (float[A,B] y)
<int64[4] p = {0, 1, 0, 1}> {
  y = Pad <mode = "symmetric"> (x, p)
}"""
FACT = "OPS401:pad-mode"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "pad.onnx"
    onnx.save(onnx.parser.parse_model(TEXT), made)
    return made


def codes(path: Path, *options: str) -> list[str]:
    document = json.loads(run("check", "--no-config", "--output-format", "json", *options, str(path)).stdout)
    return [f"{f['code']}:{f['fact']}" if f["fact"] else f["code"] for f in document["models"][0]["findings"]]


def test_findings_name_it(path: Path) -> None:
    (finding,) = trtcheck.check(path)
    assert (finding.code, finding.fact) == ("OPS401", "pad-mode")
    assert pickle.loads(pickle.dumps(finding)).fact == "pad-mode"
    assert FACT in repr(finding)


@pytest.mark.parametrize("form", ["full", "concise", "markdown", "github", "junit", "gitlab", "html"])
def test_texts_name_it(path: Path, form: str) -> None:
    assert FACT in run("check", "--no-config", "--output-format", form, str(path)).stdout


def test_sarif_names_it(path: Path) -> None:
    document = json.loads(run("check", "--no-config", "--output-format", "sarif", str(path)).stdout)
    (result,) = document["runs"][0]["results"]
    assert (result["ruleId"], result["properties"]["fact"]) == ("OPS401/pad-mode", "pad-mode")
    (rule,) = document["runs"][0]["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"]) == ("OPS401/pad-mode", "pad-mode")
    assert rule["shortDescription"]["text"] == (
        "Pad: attribute `mode` of Pad is `...`, TensorRT accepts `constant`, `reflect`, `edge` or `wrap`"
    )
    assert "## Pad, TensorRT 8.2 to 9.3" in rule["help"]["markdown"]


@pytest.mark.parametrize("word", [FACT, "ops401:pad-mode", "form-unsupported:pad-mode", "pad-mode"])
def test_it_can_be_selected_and_ignored(path: Path, word: str) -> None:
    assert codes(path, "--ignore", word) == []
    assert codes(path, "--select", word) == [FACT]
    assert list(trtcheck.check(path, ignore=[word])) == []


def test_other_facts_of_the_rule_stay(path: Path) -> None:
    assert codes(path, "--ignore", "OPS401:resize-mode") == [FACT]
    assert codes(path, "--select", "OPS401:resize-mode") == []
    assert codes(path, "--select", "OPS401:resize-mode", "--select", "OPS4") == [FACT]


def test_its_severity_can_be_set(path: Path) -> None:
    config = path.with_name("trtcheck.toml")
    config.write_text(f'[severity]\nOPS401 = "warning"\n"{FACT}" = "info"\n', "utf-8")
    document = json.loads(run("check", "--config", config, "--output-format", "json", path).stdout)
    assert [finding["severity"] for finding in document["models"][0]["findings"]] == ["info"]


def test_a_node_can_ignore_it(path: Path) -> None:
    model = onnx.load(path)
    entry = model.graph.node[0].metadata_props.add()
    entry.key = "trtcheck.ignore"
    entry.value = f"{FACT}: it is folded away later"
    assert list(trtcheck.check(model)) == []
    entry.value = "OPS401:resize-mode: about something else"
    assert [finding.code for finding in trtcheck.check(model)] == ["OPS401", "MDL902"]


def test_settings_take_it(path: Path) -> None:
    config = path.with_name("trtcheck.toml")
    config.write_text(f'ignore = ["{FACT}"]\n', "utf-8")
    assert run("check", "--config", str(config), str(path)).returncode == 0


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("OPS401:pad-mod", "did you mean `pad-mode`?"),
        ("OPS401:", "none of the facts"),
        ("WGT101:pad-mode", "no rule that tells several facts"),
        ("OPS4:pad-mode", "no rule that tells several facts"),
    ],
)
def test_a_fact_that_does_not_exist_is_refused(path: Path, word: str, said: str) -> None:
    done = run("check", "--ignore", word, str(path))
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_it_can_be_explained() -> None:
    text = run("explain", FACT).stdout
    assert "Unsupported pad mode" in text
    assert "attr.mode not in ('constant', 'reflect', 'edge', 'wrap') and " in text
    document = json.loads(run("explain", FACT, "--output-format", "json").stdout)
    assert [fact["ops"] for fact in document["facts"]] == [["Pad"]] * 4
    assert [fact["evidence"]["read_to"] for fact in document["facts"]] == ["9.3", "9.3", "10.16", "10.16"]
    assert '"wrap"' in document["facts"][0]["example"] and '"wrap"' in document["facts"][2]["near_miss"]
    assert run("explain", "pad-mode").stdout == text
    assert run("explain", "OPS401:pad-mod").returncode == 2


def test_support_prints_what_is_asked_of_an_operator() -> None:
    text = run("support", "GridSample").stdout
    assert "8.0 to 8.4          unsupported" in text
    assert "OPS411:grid-sample-mode  TensorRT 8.5 to 11.1, opset 20 and later\n" in text
    assert "DFT" in run("support").stdout
    done = run("support", "GridSampel")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "did you mean `GridSample`?" in done.stderr
    assert run("support", "gridsample").stdout == text


def test_support_says_it_in_sentences() -> None:
    text, verbose = run("support", "Pad").stdout, run("support", "--verbose", "Pad").stdout
    assert (
        "refused if: attribute `mode` of Pad is `...`, TensorRT accepts `constant`, `reflect`, `edge` or `wrap`\n"
        in text
    )
    assert "refused if: axes of Pad are ...: one is there twice\n" in text
    assert "condition: " not in text and "source: " not in text
    assert "\n    condition: attr.mode not in ('constant', 'reflect', 'edge', 'wrap') and " in verbose
    assert "\n    source: " in verbose
    assert "\n    evidence: read in the sources of TensorRT 10.0 to 10.16\n" in verbose
    assert "refused by TensorRT-RTX 1.5 to 1.7\n" in verbose


def test_what_dla_does_not_run_names_the_releases_that_have_one() -> None:
    text = run("support", "Softmax").stdout
    assert "HWD401:dla-softmax-batch  TensorRT 8.4 to 10.16 and 11.4 to 11.5," in text
    (operator,) = json.loads(run("support", "Softmax", "--output-format", "json").stdout)["operators"]
    (fact,) = [fact for fact in operator["facts"] if fact["fact"] == "dla-softmax-batch"]
    assert (fact["from"], fact["to"], fact["releases"]) == ("8.4", "11.5", "8.4 to 10.16 and 11.4 to 11.5")
