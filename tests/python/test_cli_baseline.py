"""trtcheck check --baseline: the workflow, and what may go wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest
from test_cli import CLEAN, REFUSED, ROOT, one_line, run, write

import trtcheck

SCHEMA = json.loads((ROOT / "cpp/data/baseline.schema.json").read_text())
TWICE = REFUSED.replace("y = my.ops.Frobnicate(x)", "t = my.ops.Frobnicate(x) y = my.ops.Frobnicate(t)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "models").mkdir()
    write(tmp_path / "models/a.onnx", REFUSED)
    write(tmp_path / "models/b.onnx", REFUSED.replace("Frobnicate", "Twiddle"))
    return tmp_path


def check(folder: Path, *words: str | Path):  # type: ignore[no-untyped-def]
    return run("check", "--no-config", "--baseline", folder / "b.json", *words)


def entries(folder: Path) -> list[tuple[str, int]]:
    document = json.loads((folder / "b.json").read_text())
    jsonschema.validate(document, SCHEMA)
    return [(entry["model"], entry["count"]) for entry in document["findings"]]


def test_accept_then_only_what_is_new(folder: Path) -> None:
    a, b = folder / "models/a.onnx", folder / "models/b.onnx"
    made = check(folder, "--update-baseline", a)
    assert made.returncode == 0
    assert "1 left out" in made.stdout
    assert made.stderr == ""
    assert entries(folder) == [("models/a.onnx", 1)]

    again = check(folder, a)
    assert (again.returncode, again.stderr) == (0, "")
    assert "clean for" in again.stdout and "1 left out" in again.stdout

    both = check(folder, "--output-format", "json", a, b)
    assert both.returncode == 1
    models = json.loads(both.stdout)["models"]
    assert [model["verdict"] for model in models] == ["clean", "refused"]
    assert models[0]["suppressions"][0]["by"] == "baseline"

    # Another model is added, the first one stays although it was not checked.
    assert check(folder, "--update-baseline", b).returncode == 0
    assert entries(folder) == [("models/a.onnx", 1), ("models/b.onnx", 1)]


def test_the_second_finding_of_one_kind_is_new(folder: Path) -> None:
    a = folder / "models/a.onnx"
    check(folder, "--update-baseline", a)
    write(a, TWICE)
    assert check(folder, a).returncode == 1
    check(folder, "--update-baseline", a)
    assert sum(count for _, count in entries(folder)) == 2
    assert check(folder, a).returncode == 0


def test_what_is_gone_is_said_and_pruned(folder: Path) -> None:
    a, b = folder / "models/a.onnx", folder / "models/b.onnx"
    check(folder, "--update-baseline", a, b)
    write(a, CLEAN)
    write(b, TWICE)
    said = check(folder, a)
    assert (said.returncode, said.stdout.count("\n")) == (0, 1)
    assert said.stderr == (
        f"trtcheck: warning: {folder}/b.json: 1 of the known findings is gone; --prune-baseline removes it\n"
    )
    assert entries(folder) == [("models/a.onnx", 1), ("models/b.onnx", 1)]

    pruned = check(folder, "--prune-baseline", a, b)
    assert pruned.returncode == 1  # what is new in b was not added
    assert pruned.stderr == ""
    assert entries(folder) == []
    assert check(folder, "--prune-baseline", a).stderr == ""


def test_a_run_with_fewer_rules_keeps_the_others(folder: Path) -> None:
    a = folder / "models/a.onnx"
    check(folder, "--update-baseline", a)
    before = (folder / "b.json").read_bytes()
    for words in (["--select", "QDQ"], ["--ignore", "OPS"]):
        assert check(folder, *words, a).stderr == ""
        check(folder, *words, "--update-baseline", a)
        check(folder, *words, "--prune-baseline", a)
        assert (folder / "b.json").read_bytes() == before


def test_the_file_does_not_depend_on_how_models_are_named(folder: Path) -> None:
    a, b = folder / "models/a.onnx", folder / "models/b.onnx"
    check(folder, "--update-baseline", a, b)
    first = (folder / "b.json").read_bytes()
    (folder / "b.json").unlink()
    options = ["check", "--no-config", "--baseline", "../b.json", "--update-baseline", "b.onnx", "../models/a.onnx"]
    assert run(*options, cwd=folder / "models").returncode == 0
    assert (folder / "b.json").read_bytes() == first
    assert check(folder, a, b).returncode == 0


def test_nothing_is_rewritten_without_need(folder: Path) -> None:
    a = folder / "models/a.onnx"
    check(folder, "--update-baseline", a)
    old = (folder / "b.json").stat()
    check(folder, "--update-baseline", a)
    check(folder, "--prune-baseline", a)
    assert (folder / "b.json").stat().st_ino == old.st_ino


def test_from_python(folder: Path) -> None:
    a = folder / "models/a.onnx"
    check(folder, "--update-baseline", a)
    baseline = trtcheck.read_baseline(folder / "b.json")
    assert (len(baseline), baseline.path) == (1, str(folder / "b.json"))
    (entry,) = baseline.entries
    assert (entry.model, entry.code, entry.count) == ("models/a.onnx", "OPS103", 1)
    report = trtcheck.check(a)
    applied = baseline.apply(report)
    assert (report.verdict, applied.verdict, applied.suppressed) == ("refused", "clean", 1)
    assert applied.suppressions[0].finding.fingerprint == entry.fingerprint == report[0].fingerprint
    assert applied.suppressions[0].by == "baseline"
    (folder / "b.json").write_text("[]")
    with pytest.raises(trtcheck.Error, match="is no baseline of trtcheck: it is no object"):
        trtcheck.read_baseline(folder / "b.json")


def test_from_the_configuration(folder: Path) -> None:
    a = folder / "models/a.onnx"
    (folder / "trtcheck.toml").write_text('baseline = "known/b.json"\n')
    (folder / "known").mkdir()
    assert "there is no such baseline" in one_line(run("check", a))
    assert run("check", "--update-baseline", a).returncode == 0
    (entry,) = json.loads((folder / "known/b.json").read_text())["findings"]
    assert entry["model"] == "../models/a.onnx"
    assert run("check", a).returncode == 0
    assert run("check", "--no-config", a).returncode == 1
    report = trtcheck.load_settings(folder).check(a)
    assert (report.verdict, [each.by for each in report.suppressions]) == ("clean", ["baseline"])
    (folder / "known/b.json").write_text("{}")
    with pytest.raises(trtcheck.Error, match="is no baseline"):
        trtcheck.load_settings(folder).check(a)


# --- what may go wrong ----------------


def test_a_missing_baseline(folder: Path) -> None:
    a = folder / "models/a.onnx"
    assert "there is no such baseline; --update-baseline makes it" in one_line(check(folder, a))
    assert "there is no such baseline" in one_line(check(folder, "--prune-baseline", a))
    assert not (folder / "b.json").exists()


@pytest.mark.parametrize("option", ["--update-baseline", "--prune-baseline"])
def test_no_baseline_to_write(folder: Path, option: str) -> None:
    result = run("check", "--no-config", option, folder / "models/a.onnx")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"trtcheck: {option}: there is no baseline; name one with --baseline FILE\n"


def test_update_and_prune_at_once(folder: Path) -> None:
    assert "contradict" in one_line(check(folder, "--update-baseline", "--prune-baseline", folder / "models/a.onnx"))


@pytest.mark.parametrize("name", ["", "-"])
def test_no_file_name(folder: Path, name: str) -> None:
    assert "needs the name of a file" in one_line(run("check", "--baseline", name, folder / "models/a.onnx"))


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "it is not JSON"),
        (b"<<<<<<< HEAD\n", "it is not JSON (at byte 0)"),
        (b'{"findings": []}', "it has no `schema_version`"),
        (b'{"schema_version": "1", "findings": []}', "it has no `schema_version`"),
        (b'{"schema_version": 7, "findings": []}', "version 7, this trtcheck reads version 1"),
        (b'{"schema_version": 1, "findings": [{"model": "\x1b[2J"}]}', "it is not JSON"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
@pytest.mark.parametrize("option", [[], ["--update-baseline"], ["--prune-baseline"]])
def test_a_file_that_is_no_baseline_stays_as_it_is(folder: Path, content: bytes, cause: str, option: list[str]) -> None:
    (folder / "b.json").write_bytes(content)
    line = one_line(check(folder, *option, folder / "models/a.onnx"))
    assert line.startswith(f"{folder}/b.json: is ") and cause in line
    assert (folder / "b.json").read_bytes() == content


def test_nothing_is_written_when_a_model_cannot_be_read(folder: Path) -> None:
    a = folder / "models/a.onnx"
    check(folder, "--update-baseline", a)
    before = (folder / "b.json").read_bytes()
    write(a, CLEAN)
    failed = check(folder, "--update-baseline", a, folder / "models/missing.onnx")
    assert failed.returncode == 2
    assert (folder / "b.json").read_bytes() == before


def test_a_model_is_not_overwritten(folder: Path) -> None:
    a = folder / "models/a.onnx"
    before = a.read_bytes()
    result = run("check", "--no-config", "--baseline", a, "--update-baseline", a)
    assert result.returncode == 2 and result.stderr.count("\n") == 1
    assert a.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(folder: Path) -> None:
    locked = folder / "locked"
    locked.mkdir(mode=0o500)
    result = run("check", "--no-config", "--baseline", locked / "b.json", "--update-baseline", folder / "models/a.onnx")
    assert result.returncode == 2
    assert "cannot write" in result.stderr


def test_a_folder_as_baseline(folder: Path) -> None:
    result = run("check", "--no-config", "--baseline", folder, "--update-baseline", folder / "models/a.onnx")
    assert "it is a directory" in one_line(result)
