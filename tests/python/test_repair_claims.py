"""What a check says of repairs: how many findings there is a cure for, and the command that tries them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import onnx.parser
import pytest
from test_cli import PROGRAM, run

import trtcheck

# Refused by 8.2: axes that are no constant. The first one can be repaired, of the second nobody knows the axes.
SQUEEZE = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[2,1,N] x, int64[1] unknown) => (float[2,N] y, float[2,N] z) <int64[1] one = {1}> {
  a = Identity (one)
  y = Squeeze (x, a)
  z = Squeeze (x, unknown)
}"""
CLEAN = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[2,N] x) => (float[2,N] y) { y = Relu (x) }"""
EXAMPLES = Path(__file__).resolve().parents[2] / "examples/models"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(onnx.parser.parse_model(text).SerializeToString())
    return path


def last_line(text: str) -> str:
    return text.rstrip("\n").splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("net.onnx", "trtcheck fix --target 8.2 net.onnx"),
        ("a b's.onnx", "trtcheck fix --target 8.2 'a b'\\''s.onnx'"),
        ("./-net.onnx", "trtcheck fix --target 8.2 ./-net.onnx"),
    ],
)
def test_the_summary_names_the_command(name: str, command: str, tmp_path: Path) -> None:
    write(tmp_path / name, SQUEEZE)
    result = run("check", "--no-config", "--target", "8.2", name, cwd=tmp_path)
    assert result.returncode == 1
    assert last_line(result.stdout) == f"2 of 2 errors may be repaired: {command}"
    # What it names works, typed as it stands.
    environment = {**os.environ, "PATH": f"{Path(PROGRAM).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert "store `a` as a constant (proven)" in done.stdout
    # From Python such a name needs no folder in front.
    report = trtcheck.check(write(tmp_path / name, SQUEEZE), target="8.2")._renamed(b"-x.onnx")
    assert last_line(str(report)).endswith("8.2 ./-x.onnx")


def test_the_release_is_named_unless_it_is_the_newest() -> None:
    def command(target: str | None = None) -> str:
        report = trtcheck.check(EXAMPLES / "case0_channel_shuffle.onnx", target=target)
        return last_line(str(report)).partition(": ")[2]

    assert command().startswith("trtcheck fix /")
    assert command("10.13").startswith("trtcheck fix --target 10.13 /")
    assert command("rtx-1.7").startswith("trtcheck fix --target rtx-1.7 /")


def test_nothing_is_claimed_of_a_clean_model(tmp_path: Path) -> None:
    assert "repaired" not in str(trtcheck.check(write(tmp_path / "net.onnx", CLEAN)))


def test_a_model_in_memory() -> None:
    report = trtcheck.check(onnx.parser.parse_model(SQUEEZE), target="8.2")
    assert last_line(str(report)) == '2 of 2 errors may be repaired: trtcheck.fix(model, target="8.2")'


def test_what_has_to_be_asked_for() -> None:
    report = trtcheck.check(EXAMPLES / "case3_grouped_int8.onnx")
    command = f"trtcheck fix --class proven,rounding,interface,choice {EXAMPLES / 'case3_grouped_int8.onnx'}"
    assert last_line(str(report)) == f"1 of 1 warning may be repaired: {command}"
    both = last_line(str(trtcheck.check(EXAMPLES / "case2_deconvolution.onnx")))
    assert both.startswith("2 of 2 errors may be repaired: trtcheck fix /")
    assert both.endswith("(1 more with --class proven,rounding,interface,choice)")


def test_standard_input_has_no_command() -> None:
    model = onnx.parser.parse_model(SQUEEZE).SerializeToString()
    done = subprocess.run(
        [str(PROGRAM), "check", "--no-config", "--target", "8.2", "-"], input=model, capture_output=True, check=False
    )
    assert last_line(done.stdout.decode()) == "2 of 2 errors may be repaired"


class TestEachFinding:
    def test_json_and_python_name_the_cures(self, tmp_path: Path) -> None:
        report = trtcheck.check(write(tmp_path / "net.onnx", SQUEEZE), target="8.2")
        known = [cure.name for cure in trtcheck.cures()]
        for finding in report.errors:
            assert finding.cures
            assert finding.cures == sorted(finding.cures, key=known.index)
        assert report.infos[0].cures == []
        document = json.loads(report.to_json())
        assert [found["cures"] for found in document["models"][0]["findings"]] == [one.cures for one in report]

    def test_every_cure_is_named_by_a_finding_that_it_repairs(self) -> None:
        """A claim is made for whatever `fix` repairs."""
        fixed = trtcheck.fix(onnx.parser.parse_model(SQUEEZE), target="8.2")
        for applied in fixed.applied:
            (finding,) = [found for found in fixed.before if found.node == applied.node]
            assert applied.cure in finding.cures

    def test_html_says_it_as_a_claim(self, tmp_path: Path) -> None:
        write(tmp_path / "net.onnx", SQUEEZE)
        page = run(
            "check", "--no-config", "--target", "8.2", "--output-format", "html", "net.onnx", cwd=tmp_path
        ).stdout
        assert "<code>trtcheck fix</code> may do it: <code>" in page
        assert "2 of 2 errors may be repaired: <code>trtcheck fix --target 8.2 net.onnx</code>" in page


def test_report_fix(tmp_path: Path) -> None:
    path = write(tmp_path / "net.onnx", SQUEEZE)
    report = trtcheck.check(path, target="8.2")
    fixed = report.fix()
    assert isinstance(fixed, trtcheck.Fixed)
    assert [applied.cure for applied in fixed.applied] == ["constant-folded"]
    assert fixed.after.target.release == "8.2"
    assert not report.fix(classes="choice").is_changed
    with pytest.raises(trtcheck.Error, match=r"the model was in memory, .* call `trtcheck\.fix\(model\)`"):
        trtcheck.check(path.read_bytes(), target="8.2").fix()


class TestAQuickLook:
    """Cures for whole rules are claimed only where the finding itself does not speak against it."""

    def cures(self, text: str, **options: Any) -> list[list[str]]:
        report = trtcheck.check(onnx.parser.parse_model(text), **options)
        return [finding.cures for finding in report if finding.severity != "info"]

    def test_folding_is_for_what_has_to_be_constant(self) -> None:
        (about_attribute,) = self.cures(
            """<ir_version: 8, opset_import: ["" : 13]>
            agraph (float[1,4,4,4] x) => (float[1,4,N,M] y) {
              y = MaxPool <kernel_shape = [2, 2], dilations = [2, 2]> (x)
            }""",
            target="8.2",
        )
        assert "constant-folded" not in about_attribute
        (about_axes, _) = self.cures(SQUEEZE, target="8.2")
        assert "constant-folded" in about_axes

    def test_unrolling_is_for_bodies(self) -> None:
        for named in self.cures(SQUEEZE, target="8.2"):
            assert not {"if-inlined", "loop-unrolled", "scan-unrolled"} & set(named)
        inside = """<ir_version: 8, opset_import: ["" : 13]>
            agraph (float[2,1,N] x, bool c, int64[1] a) => (float[2,N] y) {
              y = If (c) <
                then_branch = one () => (float[2,N] t) { t = Squeeze (x, a) },
                else_branch = two () => (float[2,N] e) { e = Squeeze (x, a) }
              >
            }"""
        found = self.cures(inside, target="8.2")
        assert found
        assert all("if-inlined" in named for named in found)
        assert not any("loop-unrolled" in named for named in found)

    def test_an_operator_that_nobody_defines(self) -> None:
        (named,) = self.cures(
            """<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
            agraph (float[2,4] x) => (float[2,4] y) { y = own.Secret (x) }"""
        )
        assert not {"standard-function", "contrib-operator"} & set(named)
        (known,) = self.cures(
            """<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
            agraph (float[2,4] x) => (float[2,4] y) { y = com.microsoft.QuickGelu (x) }"""
        )
        assert "contrib-operator" in known

    @pytest.mark.parametrize(
        ("data", "parameters", "is_claimed"),
        [
            ("N,32,32,16", 16, True),
            ("N,64,C,16", 16, True),
            # Axes that are no channels, a size that nobody knows, and none that fits.
            ("N,64,16,32", 16, False),
            ("N,64,H,W", 16, False),
            ("N,64,32,32", 16, False),
            ("16,64", 16, False),
        ],
    )
    def test_parameters_of_batch_normalization(self, data: str, parameters: int, is_claimed: bool) -> None:
        """Nobody knows which values are missing; `fix` changes what is channels-last."""
        ones = f"{{{','.join(['1'] * parameters)}}}"
        stored = ", ".join(f"float[{parameters}] {name} = {ones}" for name in "sbmv")
        text = f"""<ir_version: 8, opset_import: ["" : 15]>
            agraph (float[{data}] x) => (float[{data}] y) <{stored}> {{ y = BatchNormalization (x, s, b, m, v) }}"""
        (named,) = self.cures(text)
        assert ("batchnorm-transposed" in named) == is_claimed
        fixed = trtcheck.fix(onnx.parser.parse_model(text), classes=["proven", "rounding", "interface", "choice"])
        assert fixed.is_changed == is_claimed
