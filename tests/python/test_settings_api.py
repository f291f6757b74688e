"""Configuration from Python."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
import samples

import trtcheck


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("a.onnx", "legacy.onnx"):
        (tmp_path / name).write_bytes(samples.serialized(samples.REFUSED))
    (tmp_path / "trtcheck.toml").write_text(
        'target = "10.13"\nprecision = ["fp16"]\nfail-on = "warning"\nexclude = ["old/"]\nbaseline = "known.json"\n'
        '[per-file-ignores]\n"legacy.onnx" = ["OPS"]\n[severity]\nHWD = "info"\n'
        '[per-node-ignores]\n"none" = { rules = ["QDQ"], reason = "why" }\n[profile]\nelsewhere = "1x2:2x2:3x2"\n'
    )
    (tmp_path / "known.json").write_text('{"schema_version": 1, "findings": []}')
    return tmp_path


def test_settings_of_a_project(project: Path) -> None:
    settings = trtcheck.load_settings(project)
    assert settings.target.release == "10.13"
    assert settings.target.precision == ["fp16"]
    assert settings.fail_on == "warning"
    assert settings.file == project / "trtcheck.toml"
    assert settings.baseline == project / "known.json"
    assert settings.origins["target"] == f"{project / 'trtcheck.toml'}:1"
    assert settings.origins["severity.HWD"].endswith("trtcheck.toml:9")
    assert settings.origins["ignore"] == "default"
    assert 'target = "10.13"' in str(settings)
    assert repr(settings) == f"<Settings for {str(project)!r} from {str(project / 'trtcheck.toml')!r}>"
    assert settings.excludes(project / "old/m.onnx") and not settings.excludes(project / "m.onnx")


def test_checking_with_settings(project: Path) -> None:
    settings = trtcheck.load_settings(project / "a.onnx")
    refused = settings.check(project / "a.onnx")
    assert (refused.verdict, refused.target.release, settings.fails(refused)) == ("refused", "10.13", True)
    ignored = settings.check(project / "legacy.onnx")
    assert (ignored.verdict, settings.fails(ignored)) == ("clean", False)
    assert settings.check((project / "legacy.onnx").read_bytes()).verdict == "refused"  # bytes have no path


def test_findings_of_the_baseline_are_known(project: Path) -> None:
    settings = trtcheck.load_settings(project)
    (finding,) = settings.check(project / "a.onnx")
    entry = {"model": "a.onnx", "code": finding.code, "fact": "", "severity": finding.severity}
    entry |= {"fingerprint": finding.fingerprint, "count": 1, "message": "m"}
    (project / "known.json").write_text(json.dumps({"schema_version": 1, "findings": [entry]}))
    known = settings.check(project / "a.onnx")
    assert (known.verdict, known.suppressed, settings.fails(known)) == ("clean", 1, False)
    assert settings.check((project / "a.onnx").read_bytes()).verdict == "refused"
    (project / "known.json").unlink()
    with pytest.raises(trtcheck.Error, match=r"known\.json"):
        settings.check(project / "a.onnx")


def test_arguments_stand_over_the_file(project: Path) -> None:
    settings = trtcheck.load_settings(
        project,
        target="8.6",
        precision="int8",
        compute_capability=8.6,
        dla=True,
        strongly_typed=True,
        require_profile=True,
        plugins="Frobnicate",
        profile={"x": (2, 4)},
        select=["OPS"],
        extend_select="QDQ",
        ignore=[],
        severity={"OPS": "warning"},
        fail_on="never",
    )
    assert (settings.target.release, settings.target.precision) == ("8.6", ["int8"])
    assert settings.target.compute_capability == "8.6"
    assert settings.target.plugins == ["Frobnicate"]
    assert settings.target.dla
    assert settings.target.strongly_typed
    assert settings.target.require_profile
    assert list(settings.target.profile) == ["x"]
    assert (settings.select, settings.ignore, settings.fail_on) == (["OPS", "QDQ"], [], "never")
    assert settings.origins["target"] == "argument"
    assert settings.origins["severity.OPS"] == "argument"
    uncertain = trtcheck.load_settings(project, severity={"OPS": "warning"}).check(project / "a.onnx")
    assert [finding.severity for finding in uncertain] == ["warning"]
    assert uncertain.verdict == "uncertain"


def test_without_a_file_and_with_another(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "mine.toml"
    other.write_text('target = "8.0"\n')
    assert trtcheck.load_settings(project, config=other).target.release == "8.0"
    none = trtcheck.load_settings(project, config=False)
    assert (none.file, none.baseline, none.fail_on) == (None, None, "error")
    assert none.target.release == trtcheck.releases()[-1]
    # check() reads no configuration, whatever the folder says.
    assert trtcheck.check(project / "a.onnx").target.release == trtcheck.releases()[-1]


def test_the_working_folder_is_the_default(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert trtcheck.load_settings().origins["target"] == "trtcheck.toml:1"
    assert trtcheck.load_settings("a.onnx").target.release == "10.13"


def test_settings_pickle(project: Path) -> None:
    settings = trtcheck.load_settings(project, fail_on="info")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(settings, protocol))
        assert str(back) == str(settings) and repr(back) == repr(settings)
        assert back.origins == settings.origins
        assert back.check(project / "legacy.onnx").verdict == "clean"
        assert back.check(project / "a.onnx").to_json() == settings.check(project / "a.onnx").to_json()


def test_what_makes_no_sense(project: Path) -> None:
    with pytest.raises(trtcheck.Error, match=r"no facts about TensorRT 10\.17"):
        trtcheck.load_settings(project, target="10.17")
    with pytest.raises(trtcheck.Error, match="select: `QDX` is no rule"):
        trtcheck.load_settings(project, select=["QDX"])
    with pytest.raises(trtcheck.Error, match="severity: `off` is none of"):
        trtcheck.load_settings(project, severity={"QDQ": "off"})  # type: ignore[dict-item]
    (project / "trtcheck.toml").write_text("\ntaget = 1\n")
    with pytest.raises(trtcheck.Error) as caught:
        trtcheck.load_settings(project)
    assert caught.value.path.endswith("trtcheck.toml:2")
    assert caught.value.cause == "unknown key `taget`, did you mean `target`?"
