"""trtcheck.check and what it returns."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import samples

import trtcheck

SCHEMA = Path(__file__).parents[2] / "cpp" / "data" / "report.schema.json"


def refused(**options: object) -> trtcheck.Report:
    return trtcheck.check(samples.serialized(samples.REFUSED), **options)  # type: ignore[arg-type]


def test_a_healthy_model_is_clean() -> None:
    report = trtcheck.check(samples.serialized(samples.HEALTHY))
    assert (report.verdict, report.ok, len(report), list(report)) == ("clean", True, 0, [])
    assert (report.path, report.node_count, report.suppressed) == ("", 2, 0)
    assert report.target.release == trtcheck.releases()[-1]
    assert report  # a report without findings is no false answer
    report.raise_for_errors()


def test_a_refused_model_says_why() -> None:
    report = refused()
    assert (report.verdict, report.ok, len(report)) == ("refused", False, 1)
    assert (
        [f.code for f in report] == [f.code for f in report.findings] == [f.code for f in report.errors] == ["OPS103"]
    )
    assert report.warnings == report.infos == []
    assert repr(report) == "<Report refused: 1 error, 0 warnings, 0 info>"
    assert report[0].code == report[-1].code == "OPS103"
    with pytest.raises(IndexError):
        report[1]
    with pytest.raises(trtcheck.ConversionError) as caught:
        report.raise_for_errors()
    assert caught.value.report is report
    assert str(caught.value) == str(report)
    assert isinstance(caught.value, trtcheck.Error)


def test_str_is_the_full_format() -> None:
    text = str(refused())
    assert "error[OPS103] plugin-missing" in text
    assert "a: FLOAT[N,3]" in text
    assert "\x1b" not in text


def test_html_names_the_finding_and_is_a_fragment() -> None:
    html = refused()._repr_html_()
    assert "OPS103" in html
    assert "<html" not in html


def test_json_follows_the_schema_and_findings_mirror_it() -> None:
    report = refused()
    document = json.loads(report.to_json())
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert document == report.to_dict()
    (model,) = document["models"]
    assert (model["verdict"], model["path"], model["target"]) == (report.verdict, report.path, report.target.release)
    (stated,), (finding,) = model["findings"], report.findings
    for name in ("code", "name", "severity", "certainty", "message", "node", "op_type", "graph", "value", "module"):
        assert getattr(finding, name) == stated[name], name
    assert finding.evidence == stated["evidence"]
    of_note = ("message", "node", "source", "library")
    assert [{name: getattr(note, name) for name in of_note} for note in finding.notes] == stated["notes"]
    assert finding.consequences == stated["consequences"] == []
    assert finding.source is stated["source"] is None
    assert finding.fix is not None
    names = ("title", "applicability", "node", "source", "library")
    assert {name: getattr(finding.fix, name) for name in names} == stated["fix"]
    assert finding.signature == ["a: FLOAT[N,3]"]
    assert str(finding).startswith("OPS103 error: `Foo_1`: custom operator")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_reports_travel_by_pickle(protocol: int) -> None:
    options = {
        "precision": ["fp16", "int8"],
        "compute_capability": (8, 7),
        "dla": True,
        "strongly_typed": True,
        "profile": {"x": (8, 3)},
        "target": "10.3",
    }
    report = refused(**options)
    twin = pickle.loads(pickle.dumps(report, protocol))
    assert str(twin) == str(report)
    assert twin.to_json() == report.to_json()
    assert (twin.node_count, twin.suppressed) == (report.node_count, report.suppressed)
    for name in (
        "release",
        "precision",
        "compute_capability",
        "dla",
        "strongly_typed",
        "plugins",
        "profile",
        "require_profile",
    ):
        assert getattr(twin.target, name) == getattr(report.target, name)
    finding = pickle.loads(pickle.dumps(report[0], protocol))
    assert str(finding) == str(report[0])
    assert finding.rule.docs == report[0].rule.docs


def test_errors_travel_by_pickle() -> None:
    with pytest.raises(trtcheck.Error) as caught:
        trtcheck.check("missing.onnx")
    twin = pickle.loads(pickle.dumps(caught.value))
    assert (str(twin), twin.path, twin.cause) == (str(caught.value), "missing.onnx", caught.value.cause)
    with pytest.raises(trtcheck.ConversionError) as conversion:
        refused().raise_for_errors()
    assert str(pickle.loads(pickle.dumps(conversion.value))) == str(conversion.value)


def test_a_precision_that_no_flag_asks_for_leaves_the_model_clean(tmp_path: Path) -> None:
    model = samples.serialized(samples.HEALTHY)
    report = trtcheck.check(model, target="11.0", precision="fp16")
    assert (report.verdict, report.ok, [f.code for f in report.infos]) == ("clean", True, ["STY201"])
    assert trtcheck.check(model, target="10.16", precision="fp16").infos == []
    (tmp_path / "trtcheck.toml").write_text('target = "11.0"\nprecision = ["bf16"]\n')
    (tmp_path / "m.onnx").write_bytes(model)
    settings = trtcheck.load_settings(tmp_path)
    (found,) = trtcheck.check_many([tmp_path / "m.onnx"], settings=settings)
    assert [f.message for f in found] == [
        "precision `bf16` does nothing: TensorRT 11.0 has no such flag, the types in the file decide, and it holds no "
        "BFLOAT16 tensor"
    ]


@pytest.mark.parametrize("release", [name for name in trtcheck.releases() if int(name.split(".")[0]) >= 11])
def test_a_precision_does_nothing_from_11_0_on(release: str) -> None:
    (found,) = trtcheck.check(samples.serialized(samples.HEALTHY), target=release, precision="fp16")
    assert found.code == "STY201"
    assert f"TensorRT {release} has no such flag" in found.message


def test_options_reach_the_target() -> None:
    report = refused(
        target="10.3.0",
        precision="fp16",
        compute_capability=8.6,
        plugins="Foo",
        profile={"x": ((1, 3), (4, 3), (8, 3))},
    )
    assert report.target.release == "10.3"
    assert report.target.precision == ["fp16"]
    assert report.target.compute_capability == "8.6"
    assert report.target.plugins == ["Foo"]
    assert report.target.profile == {"x": ([1, 3], [4, 3], [8, 3])}
    assert report.ok  # the plugin serves it


@pytest.mark.parametrize(
    "profile",
    [
        {"x": ((1, 3), (4, 3), (8, 3))},
        {"x": [[1, 3], [4, 3], [8, 3]]},
        {"x": "1x3:4x3:8x3"},
        "x=1x3:4x3:8x3",
        ["x=1x3:4x3:8x3"],
    ],
)
def test_a_profile_may_be_written_in_several_ways(profile: trtcheck._options.Profile) -> None:
    report = trtcheck.check(samples.serialized(samples.HEALTHY), profile=profile)
    assert report.target.profile == {"x": ([1, 3], [4, 3], [8, 3])}


@pytest.mark.parametrize("profile", ["x=8x3", "x:8x3", ["x:8x3"], "'x':8x3"])
def test_a_shape_as_trtexec_writes_it(profile: trtcheck._options.Profile) -> None:
    report = trtcheck.check(samples.serialized(samples.HEALTHY), profile=profile)
    assert report.target.profile == {"x": ([8, 3], [8, 3], [8, 3])}


def test_shapes_of_several_inputs_stand_in_one_text() -> None:
    target = trtcheck.Target(profile=trtcheck._options.profile_texts("in:0:1x3,y=2:3:4"))
    assert target.profile == {"in:0": ([1, 3],) * 3, "y": ([2], [3], [4])}
    alone = trtcheck.Target(profile=trtcheck._options.profile_texts("a,b=1x3"))
    assert list(alone.profile) == ["a,b"]


NUMBER = r"^a TensorRT release is text: write \"{0}\", not {0}; as numbers, 10.1 and 10.10 are the same$"


@pytest.mark.parametrize("release", [8.6, 10])
def test_a_release_that_is_a_number_is_answered_in_words(release: Any, tmp_path: Path) -> None:
    said = NUMBER.format(release)
    with pytest.raises(TypeError, match=said):
        trtcheck.check(samples.serialized(samples.HEALTHY), target=release)
    with pytest.raises(TypeError, match=said):
        trtcheck.check_many([], target=release)
    with pytest.raises(TypeError, match=said):
        trtcheck.Target(release=release)
    with pytest.raises(TypeError, match=said):
        trtcheck.load_settings(tmp_path, target=release)
    with pytest.raises(TypeError, match=r"^a TensorRT release is text such as \"8\.6\", not tuple$"):
        trtcheck.Target(release=(8, 6))  # type: ignore[arg-type]
    assert trtcheck.Target(release=None).release == trtcheck.releases()[-1]


def test_a_single_shape_is_a_whole_profile() -> None:
    shapes = trtcheck.infer_shapes(samples.serialized(samples.HEALTHY), profile={"x": (8, 3)})
    assert shapes["y"].dims == (8, 3)


@pytest.mark.parametrize(
    ("capability", "text"), [("8.6", "8.6"), (8.6, "8.6"), (9, "9.0"), ((12, 0), "12.0"), ("sm_89", "8.9")]
)
def test_a_compute_capability_may_be_written_in_several_ways(
    capability: trtcheck._options.Capability, text: str
) -> None:
    report = trtcheck.check(samples.serialized(samples.HEALTHY), compute_capability=capability)
    assert report.target.compute_capability == text


def test_a_target_may_be_made_once() -> None:
    target = trtcheck.Target(release="8.6", precision=["int8"])
    assert refused(target=target).target.precision == ["int8"]
    with pytest.raises(TypeError, match="holds precision"):
        refused(target=target, precision="fp16")


@pytest.mark.parametrize("named", ["OPS103", "OPS", "ops103", "plugin-missing", ["OPS103"]])
def test_select_and_ignore(named: str | list[str]) -> None:
    assert len(refused(select=named)) == 1
    ignored = refused(ignore=named)
    assert (len(ignored), ignored.suppressed) == (0, 1)
    assert len(refused(select=named, ignore=named)) == 0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"target": "10.99"}, "10.99"),
        ({"target": "new"}, "new"),
        ({"precision": "fp17"}, "fp1"),
        ({"compute_capability": "eight"}, "eight"),
        ({"select": "XYZ999"}, "XYZ999"),
        ({"ignore": "plugin-mising"}, "plugin-missing"),
        ({"profile": "x=1x3:0"}, "x=1x3:0"),
        ({"profile": "x:1x3:4x3:8x3"}, "NAME=MIN:OPT:MAX"),
        ({"profile": {"nope": (1, 3)}}, "nope"),
        ({"profile": {"x": (1, 3, 4)}}, "x"),
    ],
)
def test_an_option_that_makes_no_sense_is_an_error(options: dict[str, object], text: str) -> None:
    with pytest.raises(trtcheck.Error) as caught:
        refused(**options)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_threads_agree() -> None:
    models = [samples.serialized(text) for text in (samples.HEALTHY, samples.REFUSED, samples.RICH)] * 50
    expected = [trtcheck.check(model).to_json() for model in models]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda model: trtcheck.check(model).to_json(), models)) == expected


def test_rules_are_listed_and_found() -> None:
    rules = trtcheck.rules()
    assert [rule.code for rule in rules] == sorted(rule.code for rule in rules)
    for rule in rules:
        assert trtcheck.rule(rule.code).name == trtcheck.rule(rule.name).name == rule.name
        assert rule.summary
        assert rule.docs
        assert rule.severity in ("error", "warning", "info")
        assert rule.certainty in ("proven", "likely", "possible")
        assert rule.fix in ("safe", "unsafe", "display", "none")
    with pytest.raises(KeyError, match="XYZ1"):
        trtcheck.rule("XYZ1")


def test_releases_are_sorted() -> None:
    releases = [tuple(map(int, text.split("."))) for text in trtcheck.releases()]
    assert releases == sorted(releases)
    assert releases[0] == (8, 0)
    assert {(11, 2), (11, 3), (11, 4), (11, 5)} <= set(releases)


def test_findings_of_one_cause_are_told_as_one() -> None:
    model = samples.serialized(
        """<ir_version: 8, opset_import: ["" : 17]>
        main (float[4] x) => (float[6] a, float[6] b, float[6] c) <int64[2] p = {1, 1}> {
          [one] a = Pad <mode = "symmetric"> (x, p)
          [two] b = Pad <mode = "symmetric"> (x, p)
          [three] c = Pad <mode = "mirror"> (x, p)
        }"""
    )
    report = trtcheck.check(model)
    assert [[finding.node for finding in group] for group in report.groups] == [["one", "two"], ["three"]]
    assert report[0].group == report[1].group != report[2].group
    assert [finding["group"] for finding in report.to_dict()["models"][0]["findings"]] == [f.group for f in report]
    assert len(report.errors) == 3 and "3 errors" in str(report)
    assert str(report).count("error[OPS401:pad-mode]") == 2
    assert "also: 1 more finding like this one: `two`" in str(report)
    assert report.render(show_all=True).count("error[OPS401:pad-mode]") == 3
    assert trtcheck.render(report, "concise", show_all=True).count("\n") == 3
    assert "1 more finding like this one" in report._repr_html_()


def test_an_analysis_serves_many_targets() -> None:
    model = samples.serialized(samples.REFUSED)
    analysis = trtcheck.analyze(model)
    assert [node.op_type for node in analysis.model.nodes] == ["Relu", "Foo", "Add"]
    for options in (
        {"target": "8.6"},
        {"target": "10.13"},
        {"profile": {"x": (4, 3)}, "ignore": "OPS103"},
        {"dla": True},
        {"strongly_typed": True},
        {"require_profile": True},
        {"plugins": "Foo"},
    ):
        assert trtcheck.check(analysis, **options).to_json() == trtcheck.check(model, **options).to_json()  # type: ignore[arg-type]
    with pytest.raises(trtcheck.Error, match="no input `z`"):
        trtcheck.check(analysis, profile={"z": (1,)})
    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(lambda release: trtcheck.check(analysis, target=release).verdict, trtcheck.releases()))
    assert set(verdicts) == {"refused"}
    assert str(trtcheck.infer_shapes(analysis)) == str(trtcheck.infer_shapes(model))
