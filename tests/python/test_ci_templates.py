"""The GitHub Action and the GitLab template: their YAML against the vendors' schemas, their shell parts run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from test_cli import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
GITLAB = ROOT / "templates/trtcheck.gitlab-ci.yml"
SCRIPTS = ROOT / "packaging/github"
HEALTHY = ROOT / "examples/models/healthy_shufflenet.onnx"
REFUSED = ROOT / "examples/models/case4_batchnorm.onnx"


# Stands where trtcheck would, and writes down what it was called with.
RECORDER = """\
#!/bin/sh
for word in "$@"; do printf '%s\\n' "$word"; done >"$RECORD"
"""

HOSTILE = ["$(touch pwned)", "`touch pwned`", "; touch pwned;", '"; touch pwned; "', "$RECORD", "a b*c"]


def check_schema(schema: str, file: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def shellcheck(shell: str, text: str) -> None:
    program = shutil.which("shellcheck")
    if program is None:
        pytest.skip("shellcheck is not installed")
    ran = subprocess.run([program, f"--shell={shell}", "-"], input=text, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


class Runner:
    """A machine of a CI service: a checkout, a PATH with trtcheck, files that the service reads."""

    def __init__(self, folder: Path, recording: bool) -> None:
        self.folder = folder
        self.summary, self.output, self._record = (folder / name for name in (".summary", ".output", ".record"))
        self.output.touch()
        self.summary.touch()
        programs = folder / ".bin"
        programs.mkdir()
        if recording:
            (programs / "trtcheck").write_text(RECORDER)
            (programs / "trtcheck").chmod(0o755)
        else:
            (programs / "trtcheck").symlink_to(Path(PROGRAM).resolve())
        self._environment = {
            "PATH": os.pathsep.join([str(programs), "/usr/bin", "/bin"]),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_ACTION_PATH": str(ROOT),
            "RECORD": str(self._record),
        }

    def run(self, command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**self._environment, **{f"TRTCHECK_{name}": value for name, value in variables.items()}}
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=60
        )

    def check(self, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.run([str(SCRIPTS / "check.sh")], **variables)

    def recorded(self) -> list[str]:
        return self._record.read_text().splitlines()

    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.output.read_text().splitlines())


@pytest.fixture
def recording(tmp_path: Path) -> Runner:
    return Runner(tmp_path, recording=True)


@pytest.fixture
def real(tmp_path: Path) -> Runner:
    shutil.copy(HEALTHY, tmp_path / "good one.onnx")
    (tmp_path / "models").mkdir()
    shutil.copy(REFUSED, tmp_path / "models/bad.onnx")
    return Runner(tmp_path, recording=False)


def gitlab_documents() -> tuple[dict[str, Any], dict[str, Any]]:
    header, jobs = yaml.safe_load_all(GITLAB.read_text())
    return header, jobs


def gitlab_variables(**inputs: str) -> dict[str, str]:
    """The variables of the job, as GitLab fills them in."""
    header, jobs = gitlab_documents()
    values = {name: given.get("default", "") for name, given in header["spec"]["inputs"].items()} | inputs
    filled = {}
    for name, value in jobs["trtcheck"]["variables"].items():
        for given, text in values.items():
            value = value.replace(f"$[[ inputs.{given} ]]", text)
        filled[name.removeprefix("TRTCHECK_")] = value
    return filled


def gitlab_script(part: str = "script") -> str:
    return "\n".join(gitlab_documents()[1]["trtcheck"][part])


# ---- what stands in the files


def test_the_action_is_one_by_githubs_schema() -> None:
    check_schema("vendor.github-actions", ACTION)


def test_the_template_is_one_by_gitlabs_schema(tmp_path: Path) -> None:
    # check-jsonschema reads one document; the first, `spec`, is no part of that schema.
    job = tmp_path / "job.yml"
    job.write_text(GITLAB.read_text().split("\n---\n", 1)[1])
    check_schema("vendor.gitlab-ci", job)


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.sh")), ids=lambda path: path.name)
def test_shellcheck_likes_the_scripts(script: Path) -> None:
    assert os.access(script, os.X_OK)
    shellcheck("bash", script.read_text())


def test_shellcheck_likes_the_template() -> None:
    shellcheck("sh", gitlab_script("before_script") + "\n" + gitlab_script())


def test_no_input_is_written_into_shell_text() -> None:
    for step in yaml.safe_load(ACTION.read_text())["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert (ROOT / step["run"].strip('"').removeprefix("$GITHUB_ACTION_PATH/")).is_file()
    for part in ("before_script", "script"):
        assert "$[[" not in gitlab_script(part)


def test_every_input_is_used_and_every_variable_is_known() -> None:
    action = yaml.safe_load(ACTION.read_text())
    text = json.dumps(action["runs"])
    assert all(f"inputs.{name} " in text for name in action["inputs"])
    scripts = "".join(script.read_text() for script in SCRIPTS.glob("*.sh"))
    for step in action["runs"]["steps"]:
        assert all(f"${{{name}:-" in scripts or f"${name}" in scripts for name in step["env"])
    header, jobs = gitlab_documents()
    assert all(f"$[[ inputs.{name} ]]" in json.dumps(jobs) for name in header["spec"]["inputs"])


# ---- what the scripts call trtcheck with


def test_inputs_become_options(recording: Runner) -> None:
    ran = recording.check(
        PATHS="models\n\n  \nmore models/*.onnx\r\n-strange.onnx\n",
        TARGET="10.13",
        PRECISION="fp16,int8",
        FAIL_ON="warning",
        BASELINE="base line.json",
        ARGS="--select\nWGT,OPS 101\n",
        ANNOTATIONS="true",
        SARIF_FILE="out.sarif",
    )
    assert ran.returncode == 0, ran.stderr
    words = recording.recorded()
    work = [word for word in words if word.endswith(("/summary.md", "/report.json"))]
    assert len(work) == 2
    assert [word for word in words if word not in work] == [
        *["check", "--target=10.13", "--precision=fp16,int8", "--fail-on=warning", "--baseline=base line.json"],
        *[
            "--output-format",
            "github",
            "--output-format",
            "markdown",
            "--output",
            "--output-format",
            "json",
            "--output",
        ],
        *["--output-format", "sarif", "--output", "out.sarif", "--select", "WGT,OPS 101"],
        *["models", "more models/*.onnx", "./-strange.onnx"],
    ]


def test_without_inputs_the_configuration_decides(recording: Runner) -> None:
    assert recording.check(ANNOTATIONS="false").returncode == 0
    words = recording.recorded()
    assert words[:3] == ["check", "--output-format", "full"]
    assert words[-1] == "."
    assert not any(word.startswith(("--target", "--fail-on", "--precision", "--baseline")) for word in words)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["PATHS", "TARGET", "PRECISION", "FAIL_ON", "BASELINE", "ARGS", "SARIF_FILE"])
def test_an_input_of_the_action_is_never_a_command(recording: Runner, name: str, text: str) -> None:
    assert recording.check(**{name: text}).returncode == 0
    assert any(word.endswith(text) for word in recording.recorded())
    assert not (recording.folder / "pwned").exists()


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["paths", "target", "precision", "fail-on", "baseline"])
def test_an_input_of_the_template_is_never_a_command(recording: Runner, name: str, text: str) -> None:
    ran = recording.run(["sh", "-e", "-c", gitlab_script()], **gitlab_variables(**{name: text}))
    assert ran.returncode == 0, ran.stderr
    assert any(word.endswith(text) for word in recording.recorded())
    assert not (recording.folder / "pwned").exists()


def test_the_job_of_the_template_passes_its_inputs_on(recording: Runner) -> None:
    inputs = {"paths": "models\n-a b.onnx\n", "target": "8.6", "precision": "int8", "fail-on": "never", "baseline": "b"}
    ran = recording.run(["sh", "-e", "-c", gitlab_script()], **gitlab_variables(**inputs))
    assert ran.returncode == 0, ran.stderr
    assert recording.recorded() == [
        *["check", "--output-format", "full", "--output-format", "gitlab", "--output", "trtcheck-codequality.json"],
        *["--output-format", "junit", "--output", "trtcheck-junit.xml"],
        *["--target=8.6", "--precision=int8", "--fail-on=never", "--baseline=b", "models", "./-a b.onnx"],
    ]


@pytest.mark.parametrize(
    ("install", "words"),
    [
        ("", ["-m", "pip", "install", "--verbose", "--", str(ROOT)]),
        ("a wheel.whl", ["-m", "pip", "install", "--", "a wheel.whl"]),
        ("-r evil.txt", ["-m", "pip", "install", "--", "-r evil.txt"]),
    ],
)
def test_what_is_installed(recording: Runner, install: str, words: list[str]) -> None:
    # A python3 that writes down what it was called with, in front of the real one.
    python = recording.folder / ".bin/python3"
    python.write_text(RECORDER.replace("$RECORD", "$RECORD.pip"))
    python.chmod(0o755)
    assert recording.run([str(SCRIPTS / "install.sh")], INSTALL=install).returncode == 0
    assert (recording.folder / ".record.pip").read_text().splitlines() == words
    assert recording.recorded() == ["--version"]
    if install:
        script = gitlab_script("before_script")
        assert recording.run(["sh", "-e", "-c", script], INSTALL=install).returncode == 0
        assert (recording.folder / ".record.pip").read_text().splitlines() == words


def test_nothing_is_installed_where_it_is_there(recording: Runner) -> None:
    assert recording.run([str(SCRIPTS / "install.sh")], INSTALL="none").returncode == 0
    assert recording.recorded() == ["--version"]
    (recording.folder / ".bin/trtcheck").unlink()
    ran = recording.run([str(SCRIPTS / "install.sh")], INSTALL="none")
    assert ran.returncode == 2
    assert ran.stdout == "::error title=trtcheck::install is none, and there is no trtcheck on PATH\n"


# ---- the real program


def test_the_action_reports_in_every_way(real: Runner) -> None:
    ran = real.check(PATHS="good one.onnx\nmodels", SARIF_FILE="out.sarif")
    assert ran.returncode == 1, ran.stderr
    assert "::error " in ran.stdout
    assert "WGT201" in ran.stdout
    assert "WGT201" in real.summary.read_text()
    outputs = real.outputs()
    assert outputs == {"exit-code": "1", "sarif-file": "out.sarif", "errors": "1", "warnings": outputs["warnings"]}
    sarif = json.loads((real.folder / "out.sarif").read_text())
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]][:1] == ["WGT201"]


def test_the_action_passes_clean_models(real: Runner) -> None:
    ran = real.check(PATHS="good one.onnx", TARGET="10.0", ANNOTATIONS="false")
    assert ran.returncode == 0, ran.stderr
    assert "good one.onnx: clean for TensorRT 10.0" in ran.stdout
    assert real.outputs() == {"exit-code": "0", "sarif-file": "", "errors": "0", "warnings": "0"}
    assert real.summary.read_text() != ""


def test_the_action_says_what_it_could_not_do(real: Runner) -> None:
    ran = real.check(PATHS="missing.onnx")
    assert ran.returncode == 2
    assert "missing.onnx" in ran.stdout + ran.stderr
    assert real.outputs()["exit-code"] == "2"


def test_the_result_of_a_part_is_not_uploaded(real: Runner) -> None:
    ran = real.check(PATHS="models\nmissing.onnx", SARIF_FILE="out.sarif")
    assert ran.returncode == 2
    outputs = real.outputs()
    assert (outputs["exit-code"], outputs["sarif-file"], outputs["errors"]) == ("2", "", "1")
    (run,) = json.loads((real.folder / "out.sarif").read_text())["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert "missing.onnx" in real.summary.read_text() and "::error file=missing.onnx," in ran.stdout


def test_the_job_of_the_template_writes_its_artifacts(real: Runner) -> None:
    ran = real.run(["sh", "-e", "-c", gitlab_script()], **gitlab_variables(paths="models\ngood one.onnx"))
    assert ran.returncode == 1, ran.stderr
    assert "error[WGT201]" in ran.stdout
    reports = gitlab_documents()[1]["trtcheck"]["artifacts"]["reports"]
    quality = json.loads((real.folder / reports["codequality"]).read_text())
    assert "WGT201 batchnorm-parameter-count" in {entry["check_name"] for entry in quality}
    assert "WGT201" in (real.folder / reports["junit"]).read_text()
