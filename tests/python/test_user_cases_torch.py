"""The five user cases as PyTorch writes them: the expected rules, on the expected line and module, and silent twins."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from zoo.catalog import BROKEN, ENTRIES
from zoo.export import EXPORTERS, MODES, export
from zoo.old_releases import is_read_past_by_8_6

import trtcheck


@dataclass(frozen=True)
class Expected:
    """One finding. `line` is part of the Python line that the newer exporter records."""

    rule: str
    severity: str
    module: str
    line: str


DECONV = "return F.conv_transpose2d(self.input_quantizer(x), weight, self.bias, self.stride)"
OUTPUT = Expected("QDQ303", "info", "last", DECONV)
ADD = "return F.relu(y + shortcut)"
SHUFFLE = Expected("WGT101", "warning", "unit.conv", "return F.relu(self.conv(x))")
THREE = "return F.conv2d("
NORM_3D = "return self.head(self.norm(self.act(self.conv(x))))"

#: entry -> findings; a key with a mode or an exporter behind a slash stands before the plain one.
CASES: dict[str, list[Expected]] = {
    "case0_shuffle/static": [],
    "case0_shuffle": [SHUFFLE],
    "case1_float_shortcut": [
        Expected("QDQ203", "warning", "layer2.downsample.0", "shortcut = self.downsample(x)"),
        Expected("QDQ201", "warning", "layer2", ADD),
    ],
    "case1_no_residual_quantizer": [Expected("QDQ201", "warning", "layer2", ADD)],
    "case1_backbone_quantized": [Expected("QDQ202", "warning", "layer2", ADD)],
    "case1_both_quantized": [Expected("QDQ202", "info", "layer2", ADD)],
    "case1_pair_before_norm": [Expected("QDQ204", "info", "between", "")],
    "case2_deconv_axis0": [Expected("QDQ301", "warning", "last", DECONV), OUTPUT],
    "case2_deconv_axis1": [OUTPUT],
    "case2_bias_by_axis0": [Expected("WGT105", "error", "last", DECONV), OUTPUT],
    "case2_scale_by_axis1": [
        Expected("QDQ104", "error", "last", "weight = torch.fake_quantize_per_channel_affine("),
        Expected("QDQ301", "warning", "last", DECONV),
        OUTPUT,
    ],
    "case3_three_per_group": [Expected("HWD101", "warning", "depthwise", THREE)],
    "case3_depthwise": [Expected("HWD102", "warning", "depthwise", THREE)],
    "case4_view/static": [],
    "case4_view": [Expected("WGT206", "warning", "norm", "return self.norm(y)")],
    "case4_conditional": [Expected("WGT205", "info", "", "return F.batch_norm(y, self.mean, self.variance")],
    "case4_pruned": [Expected("WGT201", "error", "norm", NORM_3D)],
    # The convolution behind it finds the wrong channels too: folded into the cause.
    "case4_channels_last/static": [Expected("WGT201", "error", "norm", NORM_3D)],
    "case4_channels_last": [Expected("WGT206", "warning", "norm", NORM_3D)],
    # The newer exporter writes inference mode whatever the module says: nothing left to find.
    "case4_training/dynamo": [],
    # One finding for all four layers and for their further outputs.
    "case4_training": [Expected("WGT203", "error", "blocks.0.bn1", "")],
}


def expected(name: str, exporter: str, mode: str) -> list[Expected]:
    for key in (f"{name}/{exporter}", f"{name}/{mode}"):
        if key in CASES:
            return CASES[key]
    return CASES[name]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("name", [entry.name for entry in BROKEN])
def test_broken_models_get_their_findings(name: str, exporter: str, mode: str) -> None:
    # The layers of these models are smaller than any that somebody would quantize.
    report = trtcheck.check(export(ENTRIES[name], exporter, mode).path, ignore=["HWD108"])
    wanted = expected(name, exporter, mode)
    found = sorted((f.code, str(f.severity), f.module or "") for f in report)
    assert found == sorted((e.rule, e.severity, e.module) for e in wanted), str(report)
    for e in wanted:
        (finding,) = (f for f in report if f.code == e.rule and (f.module or "") == e.module)
        if exporter == "dynamo":
            assert finding.source is not None
            assert finding.source.file.endswith((".py",)) and "/zoo/" in finding.source.file
            assert e.line in (finding.source.code or "")


@pytest.mark.parametrize(
    ("name", "options", "wanted"),
    [
        ("case2_deconv_axis0", {"target": "8.6"}, {}),
        ("case2_deconv_axis0", {"target": "10.0"}, {}),
        ("case2_deconv_axis0", {"target": "10.1"}, {}),
        ("case2_deconv_axis0", {"target": "10.2"}, {"QDQ301": "warning"}),
        ("case2_deconv_axis0", {"target": "10.3"}, {"QDQ301": "warning"}),
        ("case2_deconv_axis1", {"target": "8.6"}, {"QDQ301": "warning"}),
        ("case2_deconv_axis1", {"target": "10.3"}, {}),
        ("case3_three_per_group", {"target": "8.6"}, {"HWD101": "error"}),
        ("case3_three_per_group", {"target": "10.0"}, {"HWD101": "warning"}),
        ("case3_depthwise", {"target": "8.6"}, {"HWD102": "error"}),
        ("case3_depthwise", {"target": "10.13", "compute_capability": "7.5"}, {"HWD102": "error"}),
        ("case3_depthwise", {"target": "10.13", "compute_capability": "8.6"}, {"HWD102": "warning"}),
    ],
)
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_what_depends_on_the_target(name: str, exporter: str, options: dict[str, str], wanted: dict[str, str]) -> None:
    path = export(ENTRIES[name], exporter, "static").path
    report = trtcheck.check(path, **options)
    if options["target"] == "8.6" and is_read_past_by_8_6(str(path)):
        wanted = {**wanted, "OPS412": "warning"}
    assert {f.code: str(f.severity) for f in [*report.errors, *report.warnings]} == wanted, str(report)


@pytest.mark.parametrize(
    "name", ["shufflenet", "qdq_resnet", "qdq_decoder", "qdq_grouped", "qdq_mobilenet", "norm3d", "unet3d"]
)
@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("mode", MODES)
def test_twins_stay_silent(name: str, exporter: str, mode: str) -> None:
    report = trtcheck.check(export(ENTRIES[name], exporter, mode).path)
    assert [f.code for f in report if str(f.severity) != "info"] == []
    assert report.verdict == "clean"


def test_case_0_tells_the_whole_chain() -> None:
    report = trtcheck.check(export(ENTRIES["case0_shuffle"], "dynamo", "dynamic").path)
    (finding,) = report
    assert "kernel weights has count 144 but 72 was expected" in finding.message
    told = " ".join(note.message for note in finding.notes)
    assert "`batch`" in told and "-1 at index 1" in told and "must be 4" in told
    assert finding.fix is not None and finding.fix.title.startswith("write 4 instead of -1 at index 1")
    # The convolution fails, the view above it is wrong: each is on its own line.
    (writes,) = (note for note in finding.notes if "writes -1" in note.message)
    assert finding.source is not None and finding.source.code == "return F.relu(self.conv(x))"
    for part in (writes, finding.fix):
        assert part.source is not None and part.source.code.startswith("x = x.view(b, -1 if self.infer_channels")
        assert part.source.line == finding.source.line - 1


@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("release", ["8.5", "10.0", "10.15"])
def test_case_0_is_refused_by_the_releases_of_its_reports(release: str, exporter: str) -> None:
    report = trtcheck.check(export(ENTRIES["case0_shuffle"], exporter, "dynamic").path, target=release)
    assert (report.verdict, [f.code for f in report.errors]) == ("refused", ["WGT101"])


def test_what_follows_is_folded_into_the_cause() -> None:
    (training,) = trtcheck.check(export(ENTRIES["case4_training"], "torchscript", "static").path)
    assert sorted(f.code for f in training.consequences) == ["WGT203"] * 3 + ["WGT204"] * 4
    path = export(ENTRIES["case4_channels_last"], "dynamo", "dynamic").path
    assert path is not None
    (layout,) = trtcheck.check(path, target="10.15")
    assert [f.code for f in layout.consequences] == ["WGT102"]


def test_case_0_stays_silent_once_all_sizes_are_fixed() -> None:
    for exporter in EXPORTERS:
        assert trtcheck.check(export(ENTRIES["case0_shuffle"], exporter, "static").path).verdict == "clean"
