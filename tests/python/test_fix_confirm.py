"""`trtcheck fix --confirm`: NVIDIA's builder is asked about the repaired model."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest
from test_confirm import ANSWER, REFUSAL, real, script, wheel
from test_fix import PROGRAM, SCHEMA, files, folder

__all__ = ["folder"]


def fix(
    *words: object, cwd: Path, witness: Path | str | None, program: Path = PROGRAM
) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("TRTCHECK_WITNESS", "VIRTUAL_ENV")}
    if witness is not None:
        environment["TRTCHECK_WITNESS"] = str(witness)
    environment["XDG_CACHE_HOME"] = str(cwd / ".cache")
    command = [str(program), "fix", "--no-config", "--target", "8.2", "--confirm", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False)


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The program without the packages that stand beside it, among which a witness may be."""
    made = tmp_path / "bin"
    made.mkdir()
    for name in ("trtcheck", "trtcheck-witness"):
        (made / name).write_bytes(PROGRAM.resolve().with_name(name).read_bytes())
        (made / name).chmod(0o755)
    return made / "trtcheck"


def says(path: Path, answer: dict[str, object]) -> Path:
    """It builds what it is given, and notes what that was."""
    return script(
        path, f"open({str(path) + '.asked'!r}, 'a').write(sys.argv[-1] + '\\n')\nprint({json.dumps(answer)!r})"
    )


def test_the_repaired_model_is_asked_about(folder: Path, alone: Path, tmp_path: Path) -> None:
    witness = says(tmp_path / "witness", ANSWER)
    done = fix("broken.onnx", "-o", "out.onnx", cwd=folder, witness=witness, program=alone)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2] == "written to out.onnx"
    assert done.stdout.splitlines()[-1].startswith("TensorRT-RTX says: built")
    assert "out.onnx" in (tmp_path / "witness.asked").read_text()


def test_the_witness_that_is_named_is_asked(folder: Path, alone: Path, tmp_path: Path) -> None:
    usual, named = says(tmp_path / "usual", ANSWER), says(tmp_path / "named", REFUSAL)
    done = fix("healthy.onnx", "--witness", named, cwd=folder, witness=usual, program=alone)
    assert done.returncode == 1
    assert (tmp_path / "named.asked").exists() and not (tmp_path / "usual.asked").exists()


def test_what_needs_no_repair_is_asked_about_itself(folder: Path, alone: Path, tmp_path: Path) -> None:
    witness = says(tmp_path / "witness", ANSWER)
    done = fix("healthy.onnx", cwd=folder, witness=witness, program=alone)
    assert done.returncode == 0
    assert "healthy.onnx" in (tmp_path / "witness.asked").read_text()
    assert not (folder / "healthy.fixed.onnx").exists()


def test_a_refusal_is_exit_code_1(folder: Path, alone: Path, tmp_path: Path) -> None:
    witness = says(tmp_path / "witness", REFUSAL)
    done = fix("broken.onnx", "--output-format", "json", cwd=folder, witness=witness, program=alone)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    (model,) = document["models"]
    assert model["after"]["verdict"] == "clean"
    assert model["confirmation"]["testimony"] == "refused"
    assert "we do not like it" in model["confirmation"]["reason"]
    # What was written stays: the reader decides.
    assert (folder / "broken.fixed.onnx").exists()


def test_nobody_to_ask_is_exit_code_2_and_nothing_is_written(folder: Path, alone: Path) -> None:
    names = files(folder)
    done = fix("broken.onnx", cwd=folder, witness=None, program=alone)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) <= 2
    assert files(folder) - {".cache"} == names


@pytest.mark.parametrize("option", ["--list", "--diff"])
def test_there_is_no_file_to_ask_about(option: str, folder: Path) -> None:
    done = fix("broken.onnx", option, cwd=folder, witness=None)
    assert done.returncode == 2
    assert "--confirm asks about a file: not with --list, --diff or --cures" in done.stderr


@real
def test_the_real_one(folder: Path) -> None:
    done = fix("broken.onnx", "--output-format", "json", cwd=folder, witness=wheel())
    (model,) = json.loads(done.stdout)["models"]
    assert (done.returncode, model["confirmation"]["testimony"]) == (0, "built")
