"""docs/adding-a-setting.md: the code that it shows is there, and is all that the settings know of the key."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest
import samples
from test_cli import ROOT, one_line, run

import trtcheck

PAGE = (ROOT / "docs/adding-a-setting.md").read_text("utf-8")
GIVEN, PLACE, ROW = re.findall(r"^```cpp\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
HEADER = ROOT / "cpp/include/trtcheck/settings.hpp"
ROWS = ROOT / "cpp/src/settings/rows.hpp"


def test_what_the_page_shows_is_there() -> None:
    assert GIVEN in HEADER.read_text() and PLACE in HEADER.read_text()
    assert ROW in ROWS.read_text()


def test_nothing_else_of_the_machinery_names_the_key() -> None:
    assert HEADER.read_text().count("respect_gitignore") == 2
    assert len(re.findall("respect.gitignore", ROWS.read_text())) == len(re.findall("respect.gitignore", ROW))
    machinery = [path for path in ROWS.parent.iterdir() if path != ROWS]
    machinery += [*ROOT.glob("cpp/src/cli/*_words.?pp"), *ROOT.glob("cpp/src/cli/*_options.?pp")]
    machinery += [ROOT / "python/src/register_settings.cpp", ROOT / "python/trtcheck/_settings.py"]
    assert len(machinery) > 20
    texts = {path.name: re.sub(r'""".*?"""', "", path.read_text(), flags=re.DOTALL) for path in machinery}
    assert [name for name, text in texts.items() if re.search("respect.gitignore", text)] == []


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a", "ignored"):
        (tmp_path / f"{name}.onnx").write_bytes(samples.serialized(samples.HEALTHY))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("ignored.onnx\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(*words: str) -> list[str]:
    result = run("check", "--output-format", "json", ".", *words)
    return [model["path"] for model in json.loads(result.stdout)["models"]]


def test_a_boolean_in_the_file_on_the_command_line_and_in_python(repository: Path) -> None:
    everything = ["a.onnx", "ignored.onnx"]
    config = repository / "trtcheck.toml"
    assert checked() == ["a.onnx"]
    assert checked("--no-respect-gitignore") == everything
    assert trtcheck.load_settings().origins["respect-gitignore"] == "default"
    config.write_text("\nrespect-gitignore = false\n")
    assert checked() == everything
    assert "respect-gitignore = false" in run("settings").stdout
    settings = trtcheck.load_settings()
    assert settings.origins["respect-gitignore"] == "trtcheck.toml:2"
    for each in (settings, pickle.loads(pickle.dumps(settings))):
        assert trtcheck.find_models(".", settings=each) == everything
        assert [report.path for report in trtcheck.check_many(".", settings=each, in_flight=1)] == everything
        assert trtcheck.find_models(".", settings=each, respect_gitignore=True) == ["a.onnx"]
    given = trtcheck.load_settings(respect_gitignore=True)
    assert (given.origins["respect-gitignore"], trtcheck.find_models(".", settings=given)) == ("argument", ["a.onnx"])
    config.write_text('respect-gitignore = "no"\n')
    expected = "trtcheck.toml:1: `respect-gitignore` must be true or false, it is a string"
    assert one_line(run("settings")) == expected
    with pytest.raises(trtcheck.Error) as caught:
        trtcheck.load_settings()
    assert str(caught.value) == expected


def test_any_key_is_a_keyword_of_python(repository: Path) -> None:
    given = {
        "exclude": ["a.*"],
        "baseline": Path("known.json"),
        "per_file_ignores": {"a.onnx": ["QDQ"]},
        "per_node_ignores": {"/x/*": {"reason": "why", "rules": ("QDQ",)}},
    }
    settings = trtcheck.load_settings(**given)  # type: ignore[arg-type]
    assert settings.baseline == repository / "known.json"
    assert settings.excludes("a.onnx") and not settings.excludes("b.onnx")
    assert 'per-node-ignores."/x/*" = { rules = ["QDQ"], reason = "why" }' in str(settings)
    assert {settings.origins[key] for key in ("exclude", "baseline", "per-file-ignores.a.onnx")} == {"argument"}
    with pytest.raises(TypeError, match="there is no setting `tarket`"):
        trtcheck.load_settings(tarket="10.3")
    with pytest.raises(trtcheck.Error, match=r"exclude: `a\[`"):
        trtcheck.load_settings(exclude="a[")
    with pytest.raises(trtcheck.Error, match="`respect-gitignore` must be true or false, it is an integer"):
        trtcheck.load_settings(respect_gitignore=1)
