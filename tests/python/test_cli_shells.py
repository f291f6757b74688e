"""Completions in the real shells, and the man page through mandoc."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from test_cli import one_line, run

CASES = [
    ("trtcheck ch", {"check"}),
    ("trtcheck expl", {"explain"}),
    ("trtcheck check --prec", {"--precision"}),
    ("trtcheck check --output-format js", {"json", "jsonl"}),
    ("trtcheck check --fail-on w", {"warning"}),
    ("trtcheck check --target 10.1", {"10.1", "10.10", "10.11", "10.12", "10.13", "10.14"}),
    ("trtcheck check --precision bf", {"bf16"}),
    ("trtcheck explain QDQ104", {"QDQ104"}),
    ("trtcheck explain op-unsup", {"op-unsupported"}),
    ("trtcheck completion z", {"zsh"}),
    ("trtcheck check mod", {"model.onnx", "models"}),
    ("trtcheck shapes mod", {"model.onnx", "models"}),
    ("trtcheck rules --output rep", {"report.txt"}),
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "model.onnx").touch()
    (tmp_path / "models").mkdir()
    (tmp_path / "model.txt").touch()
    (tmp_path / "report.txt").touch()
    for shell in ("bash", "zsh", "fish"):
        (tmp_path / f"{shell}-script").write_text(run("completion", shell).stdout)
    return tmp_path


def asked(shell: str, script: str, place: Path, *args: str) -> list[str]:
    binary = shutil.which(shell)
    if binary is None:
        pytest.skip(f"{shell} is not installed")
    result = subprocess.run([binary, *args, script], cwd=place, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout.split("\n")


@pytest.mark.parametrize(("line", "expected"), CASES)
def test_bash(place: Path, line: str, expected: set[str]) -> None:
    words = line.split(" ")
    listed = " ".join(f"'{word}'" for word in words)
    script = (
        f"source ./bash-script; COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _trtcheck; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    found = {word for word in asked("bash", script, place, "--norc", "-c") if word}
    assert expected <= found if "--target" in line else found == expected


def test_bash_after_an_equals_sign(place: Path) -> None:
    script = (
        "source ./bash-script; COMP_WORDS=(trtcheck check --fail-on = n); COMP_CWORD=4; _trtcheck; "
        'printf "%s\\n" "${COMPREPLY[@]}"; complete -p trtcheck'
    )
    assert asked("bash", script, place, "--norc", "-c") == ["never", "complete -F _trtcheck trtcheck", ""]


@pytest.mark.parametrize(("line", "expected"), CASES)
def test_fish(place: Path, line: str, expected: set[str]) -> None:
    lines = asked("fish", f"source ./fish-script; complete -C '{line}'", place, "--no-config", "-c")
    # fish offers files with other names, too, behind those that fit.
    found = [candidate.partition("\t")[0].rstrip("/") for candidate in lines if candidate]
    assert expected <= set(found)
    if "mod" not in line and "--target" not in line:
        assert expected == set(found)


ZSH = r"""
zmodload zsh/zpty
zpty -b shell zsh -f -i
() {
  zpty -w shell "PS1='' ; autoload -Uz compinit; compinit -u -D; source ./zsh-script"
  zpty -w shell 'zstyle ":completion:*" list-separator "@@"; LISTMAX=0; COLUMNS=300; LINES=400'
  zpty -w shell 'compadd() { builtin compadd -A hits "$@"; builtin compadd "$@"; print -rl -- "<"$^hits">" >> found; }'
  zpty -w shell 'zle -C ask complete-word _main_complete; bindkey "^I" ask; print READY >> found'
  repeat 100; do sleep 0.1; grep -q READY found 2>/dev/null && break; done
  zpty -w -n shell LINE$'\t'
  repeat 100; do sleep 0.1; grep -q '^<' found && break; done
  sleep 0.3
}
zpty -d shell
grep '^<' found | sort -u
"""


@pytest.mark.parametrize(("line", "expected"), [case for case in CASES if "model" not in next(iter(case[1]))])
def test_zsh(place: Path, line: str, expected: set[str]) -> None:
    lines = asked("zsh", ZSH.replace("LINE", "'" + line + "'"), place, "-f", "-c")
    found = {word.strip("<>") for word in lines if word}
    assert expected <= found, found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_valid_for_its_shell(place: Path, shell: str) -> None:
    binary = shutil.which(shell)
    if binary is None:
        pytest.skip(f"{shell} is not installed")
    result = subprocess.run([binary, "-n", f"{shell}-script"], cwd=place, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_every_format_that_is_offered_is_taken(place: Path) -> None:
    words = ["trtcheck", "rules", "--output-format", ""]
    listed = " ".join(f"'{word}'" for word in words)
    script = f'source ./bash-script; COMP_WORDS=({listed}); COMP_CWORD=3; _trtcheck; printf "%s\\n" "${{COMPREPLY[@]}}"'
    formats = [word for word in asked("bash", script, place, "--norc", "-c") if word]
    assert "json" in formats
    for name in formats:
        assert run("rules", "--output-format", name).returncode == 0
    json.loads(run("rules", "--output-format", "json").stdout)


def test_a_shell_that_is_not_known() -> None:
    assert "`fsh`" in one_line(run("completion", "fsh")) and "fish" in one_line(run("completion", "fsh"))


# --- the man page ----------------


def test_the_man_page_is_clean_and_names_every_option(tmp_path: Path) -> None:
    page = run("man", "--date", "2026-11-21").stdout
    (tmp_path / "trtcheck.1").write_text(page)
    for option in ("\\-\\-precision", "\\-\\-no\\-respect\\-gitignore", "\\-\\-statistics", "\\-\\-error\\-log"):
        assert option in page
    mandoc = shutil.which("mandoc")
    if mandoc is None:
        pytest.skip("mandoc is not installed")
    lint = subprocess.run(
        [mandoc, "-T", "lint", "-W", "warning", tmp_path / "trtcheck.1"], capture_output=True, text=True, check=False
    )
    assert (lint.returncode, lint.stdout, lint.stderr) == (0, "", "")
    text = subprocess.run([mandoc, "-T", "html", tmp_path / "trtcheck.1"], capture_output=True, check=True).stdout
    assert b"EXIT" in text and b"--no-respect-gitignore" in text
