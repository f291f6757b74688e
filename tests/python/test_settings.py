"""Configuration, as the command line finds and applies it."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from pathlib import Path
from typing import Any

import pytest
import tomllib
from test_cli import CLEAN, PROGRAM, REFUSED, SHUFFLE, one_line, run, write


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "refused.onnx", REFUSED)
    write(tmp_path / "clean.onnx", CLEAN)
    return tmp_path


def config(folder: Path, text: str, name: str = "trtcheck.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(text)
    return file


def reports(*args: str | Path, **options: Any) -> list[dict[str, Any]]:
    result = run("check", "--output-format", "json", *args, **options)
    assert result.returncode in {0, 1}, result
    models: list[dict[str, Any]] = json.loads(result.stdout)["models"]
    return models


def shown(*args: str | Path, **options: Any) -> dict[tuple[str, str | None], dict[str, Any]]:
    result = run("settings", "--output-format", "json", *args, **options)
    assert (result.returncode, result.stderr) == (0, ""), result
    return {(entry["key"], entry["entry"]): entry for entry in json.loads(result.stdout)["settings"]}


def codes(report: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in report["findings"]}


# --- which file counts ----------------


def test_two_projects_in_one_run(tmp_path: Path) -> None:
    for name, release in (("a", "8.0"), ("b", "9.3")):
        config(tmp_path / name, f'target = "{release}"\n')
        write(tmp_path / name / "m.onnx", CLEAN)
    first, second = reports(tmp_path / "a/m.onnx", tmp_path / "b/m.onnx")
    assert (first["target"], second["target"]) == ("8.0", "9.3")


def test_the_closest_file_upward_counts_and_pyproject_without_a_table_is_passed_by(project: Path) -> None:
    config(project, 'target = "8.0"\n')
    config(project / "deep", '[project]\nname = "x"\n', "pyproject.toml")
    config(project / "deep/er", '[tool.trtcheck]\ntarget = "9.3"\n', "pyproject.toml")
    for folder, release in ((".", "8.0"), ("deep", "8.0"), ("deep/er", "9.3"), ("deep/er/est", "9.3")):
        (project / folder).mkdir(exist_ok=True)
        (report,) = reports(write(project / folder / "m.onnx", CLEAN))
        assert report["target"] == release, folder


def test_config_and_no_config(project: Path) -> None:
    config(project, 'target = "8.0"\n')
    other = config(project / "elsewhere", 'target = "9.3"\n', "strict.toml")
    model = project / "clean.onnx"
    assert reports("--config", other, model)[0]["target"] == "9.3"
    assert reports("--no-config", model)[0]["target"] == run("settings", "--no-config").stdout.split('"')[1]
    assert "contradict" in one_line(run("--no-config", "--config", other, model))
    assert "no such file" in one_line(run("--config", project / "none.toml", model))
    assert "is a directory" in one_line(run("--config", project, model))


def test_a_file_from_a_pipe(project: Path) -> None:
    result = subprocess.run(
        ["bash", "-c", f"'{PROGRAM}' settings --config <(echo 'target = \"8.0\"')"],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert 'target = "8.0"' in result.stdout, result


# --- what it says ----------------


def test_the_command_line_wins(project: Path) -> None:
    config(project, 'target = "8.0"\nfail-on = "never"\nignore = ["OPS"]\n')
    model = project / "refused.onnx"
    assert run(model).returncode == 0
    assert run("--fail-on", "error", model).returncode == 0  # still ignored
    assert run("--fail-on", "error", "--ignore", "QDQ", model).returncode == 1  # replaces the file's
    assert reports("--target", "9.3", model)[0]["target"] == "9.3"


def test_select_and_extend_select(project: Path) -> None:
    config(project, 'select = ["QDQ"]\n')
    model = project / "refused.onnx"
    assert run(model).returncode == 0
    assert run("--extend-select", "OPS", model).returncode == 1
    assert run("--select", "OPS", model).returncode == 1
    assert run("--select", "SHP", model).returncode == 0
    assert "--extend-select: `QDX` is no rule" in one_line(run("--extend-select", "QDX", model))


def test_per_file_ignores_go_by_the_path_below_the_file(project: Path) -> None:
    config(project, '[per-file-ignores]\n"legacy/**" = ["OPS"]\n"/other.onnx" = "OPS"\n')
    for path, code in (("legacy/m.onnx", 0), ("legacy/deep/m.onnx", 0), ("other.onnx", 0), ("x/other.onnx", 1)):
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        model = write(project / path, REFUSED)
        assert run(model).returncode == code, path
        assert run(model.relative_to(project), cwd=project).returncode == code, path
        assert run(os.path.relpath(model, project / "legacy"), cwd=project / "legacy").returncode == code, path


def test_severities_decide_order_verdict_and_exit_code(project: Path) -> None:
    model = project / "refused.onnx"
    (plain,) = reports(model)
    (code,) = codes(plain)
    assert plain["verdict"] == "refused"
    for severity, verdict, exit_code in (("warning", "uncertain", 0), ("info", "clean", 0), ("error", "refused", 1)):
        config(project, f'[severity]\n{code[:3]} = "{severity}"\n')
        (report,) = reports(model)
        assert (report["verdict"], report["findings"][0]["severity"]) == (verdict, severity)
        assert run(model).returncode == exit_code
        assert severity in run(model).stdout
    config(project, f'[severity]\n{code[:3]} = "info"\n{code} = "warning"\n{code[:4]} = "error"\n')
    assert reports(model)[0]["verdict"] == "uncertain"  # the most specific one
    assert run("--fail-on", "warning", model).returncode == 1


def test_a_profile_of_the_file_may_name_inputs_that_a_model_lacks(project: Path) -> None:
    config(project, '[profile]\nx = "1x4:2x4:8x4"\nmask = "1x4"\n')
    model = project / "clean.onnx"
    result = run(model, cwd=project)
    assert result.returncode == 0
    assert result.stderr == "trtcheck: warning: trtcheck.toml:3: profile `mask` matched nothing\n"
    assert "no input `mask`" in one_line(run("--profile", "mask=1x4", model))


def test_what_matched_nothing_in_any_model_is_said_once(project: Path) -> None:
    config(project, '[per-file-ignores]\n"refused.onnx" = ["OPS"]\n"gone/*" = ["OPS"]\n')
    result = run("refused.onnx", "clean.onnx", cwd=project)
    assert result.returncode == 0
    assert result.stderr == "trtcheck: warning: trtcheck.toml:3: per-file-ignores `gone/*` matched nothing\n"


def test_nodes_are_ignored_with_a_reason(project: Path) -> None:
    config(project, '[per-node-ignores]\n"*" = { rules = ["OPS"], reason = "a plugin will come" }\n')
    (report,) = reports("refused.onnx", cwd=project)
    assert (report["verdict"], report["findings"]) == ("clean", [])
    result = run("clean.onnx", cwd=project)
    warning = "trtcheck: warning: trtcheck.toml:2: per-node-ignores `*` matched nothing\n"
    assert (result.returncode, result.stderr) == (0, warning)


# --- what makes no sense ----------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('taget = "8.6"\n', "trtcheck.toml:1: unknown key `taget`, did you mean `target`?"),
        ('\n\ntarget = "8.6\n', "trtcheck.toml:3:14: not TOML: "),
        ("target = 8.6\n", "trtcheck.toml:1: `target` must be a string"),
        ('[per-node-ignores]\n"n" = { rules = ["QDQ"] }\n', "trtcheck.toml:2: `n` needs a reason"),
        ('ignore = ["QDQ", "scale-lenght"]\n', "did you mean `scale-length`?"),
        ('exclude = ["a["]\n', "trtcheck.toml:1: exclude: `a[`"),
    ],
)
def test_a_bad_file_is_one_line_and_nothing_is_checked(project: Path, text: str, expected: str) -> None:
    config(project, text)
    for arguments in (("clean.onnx",), ("clean.onnx", "refused.onnx"), ("settings",), ("settings", "clean.onnx")):
        assert expected in one_line(run(*arguments, cwd=project)), arguments


def test_bad_bytes_in_a_file(project: Path) -> None:
    (project / "trtcheck.toml").write_bytes(b'target = "\xff"\n')
    assert "not TOML" in one_line(run("clean.onnx", cwd=project))
    (project / "trtcheck.toml").write_bytes(b'\xef\xbb\xbftarget = "8.6"\r\n')
    assert reports("clean.onnx", cwd=project)[0]["target"] == "8.6"
    (project / "trtcheck.toml").write_text('"\\u001b[31m\\u202e" = 1\n')
    line = one_line(run("clean.onnx", cwd=project))
    assert "\x1b" not in line and "\u202e" not in line and "unknown key" in line


def test_folders_and_links_of_that_name(project: Path) -> None:
    config(project, 'target = "8.0"\n')
    (project / "sub/trtcheck.toml").mkdir(parents=True)
    model = write(project / "sub/m.onnx", CLEAN)
    assert reports(model)[0]["target"] == "8.0"
    (project / "sub/trtcheck.toml").rmdir()
    (project / "sub/trtcheck.toml").symlink_to("nowhere.toml")
    assert "no such file" in one_line(run(model))
    (project / "sub/trtcheck.toml").unlink()
    (project / "sub/trtcheck.toml").symlink_to(config(project / "shared", 'target = "9.3"\n'))
    assert reports(model)[0]["target"] == "9.3"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_what_may_not_be_read(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    model = write(config(locked / "open", "", "x").parent / "m.onnx", CLEAN)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)
    file = config(locked, 'target = "8.0"\n')
    file.chmod(0)
    line = one_line(run(model, user=65534))
    assert line == f"{file}: cannot be opened: permission denied"
    file.unlink()
    # A folder that we may pass through but not look into, and one that we can only be in.
    locked.chmod(0o711)
    assert run(model, user=65534).returncode == 0
    result = subprocess.run(
        ["setpriv", "--reuid=65534", "--clear-groups", "sh", "-c", f"'{PROGRAM}' m.onnx"],
        cwd=model.parent, preexec_fn=lambda: locked.chmod(0o700), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result


# --- trtcheck settings ----------------


def test_settings_tells_values_and_where_they_come_from(project: Path) -> None:
    config(project, 'target = "8.6"\nselect = ["QDQ"]\n[severity]\nHWD = "info"\n')
    result = run("settings", "--fail-on", "info", "--extend-select", "WGT", cwd=project)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == f"# the working folder: {project / 'trtcheck.toml'}"
    found = {line.partition(" = ")[0]: " ".join(line.split()) for line in lines}
    assert found["target"] == 'target = "8.6" # trtcheck.toml:1'
    assert found["select"] == 'select = ["QDQ", "WGT"] # trtcheck.toml:2 and command line'
    assert found["severity.HWD"] == 'severity.HWD = "info" # trtcheck.toml:4'
    assert found["fail-on"] == 'fail-on = "info" # command line'
    assert found["precision"] == "precision = [] # default"
    assert any(line.startswith("# baseline is not set") for line in lines)


def test_settings_are_a_configuration_file_themselves(project: Path) -> None:
    config(
        project,
        'target = "8.6"\nprecision = ["fp16"]\ncompute-capability = "8.6"\nplugins = ["A\\u0007B"]\nselect = ["QDQ"]\n'
        'exclude = ["a/"]\nbaseline = "/b.json"\nfail-on = "info"\nprofile = { "a.b" = "1x2:2x2:3x2" }\n'
        'severity = { QDQ = "info" }\nper-file-ignores = { "x/**" = ["QDQ"] }\n'
        'per-node-ignores = { "/a \\"b\\"" = { rules = ["QDQ"], reason = "why\\nnot" }, c = { reason = "ü" } }\n',
    )
    text = run("settings", cwd=project).stdout
    assert tomllib.loads(text)["per-node-ignores"]['/a "b"']["reason"] == "why\nnot"
    first = {key: entry["value"] for key, entry in shown(cwd=project).items()}
    config(project, text)
    assert {key: entry["value"] for key, entry in shown(cwd=project).items()} == first


def test_settings_of_a_model_a_folder_and_what_is_not_there(project: Path) -> None:
    config(project / "a", 'target = "8.6"\n[per-file-ignores]\n"m.onnx" = ["QDQ"]\n"n.onnx" = ["QDQ"]\n')
    assert shown(project / "a")["target", None]["value"] == "8.6"
    assert shown(project / "a/m.onnx")["target", None] == {
        "key": "target", "entry": None, "value": "8.6", "from": "file", "extended": False, "line": 1,
    }  # fmt: skip
    lines = run("settings", project / "a/m.onnx").stdout.splitlines()
    (other,) = [line for line in lines if "n.onnx" in line and line.startswith("per-file")]
    assert other.endswith("trtcheck.toml:4, not for this model")
    assert "no such folder" in one_line(run("settings", project / "nowhere/m.onnx"))
    assert shown(cwd=project)["target", None]["from"] == "default"


def test_consequences_follow_the_severities_too(tmp_path: Path) -> None:
    model = write(tmp_path / "shuffle.onnx", SHUFFLE)
    (plain,) = reports(model)
    wanted = codes(plain)
    config(tmp_path, "[severity]\n" + "".join(f'{code} = "info"\n' for code in sorted(wanted)))
    (report,) = reports(model)
    everything = [*report["findings"], *(c for finding in report["findings"] for c in finding["consequences"])]
    assert {finding["severity"] for finding in everything if finding["code"] in wanted} == {"info"}


def test_a_configuration_file_costs_no_time_that_anybody_notices(tmp_path: Path) -> None:
    model = write(tmp_path / "m.onnx", CLEAN)
    config(tmp_path, 'target = "10.13"\n[severity]\nQDQ = "info"\n[per-file-ignores]\n"a/**" = ["QDQ"]\n')

    def processor_seconds() -> float:
        """Unlike the time on the clock it does not depend on what else the machine does."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run(model).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(processor_seconds() for _ in range(20)) < 0.020
