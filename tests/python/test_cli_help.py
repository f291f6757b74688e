"""What the command line says of itself: rules, explain, help, version."""

from __future__ import annotations

import json
import re

import pytest
from test_cli import run


def test_rules_lists_every_rule() -> None:
    document = json.loads(run("rules", "--output-format", "json").stdout)
    rules = document["rules"]
    assert rules and document["schema_version"] == 1
    assert [r["code"] for r in rules] == sorted({r["code"] for r in rules})
    table = run("rules").stdout
    concise = run("rules", "--output-format", "concise").stdout
    for rule in rules:
        assert rule["summary"] and rule["docs"]
        assert rule["code"] in table and rule["name"] in table
        assert f"{rule['code']} {rule['severity']} {rule['name']}: {rule['summary']}\n" in concise


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_rules_fit_the_terminal(columns: int) -> None:
    table = run("rules", env={"COLUMNS": str(columns)}).stdout
    assert max(map(len, table.splitlines())) <= columns


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        (["WGT101"], ["WGT101"]),
        (["--select", "WGT101,scale-length"], ["QDQ104", "WGT101"]),
        (["WGT101", "--select", "qdq104"], ["QDQ104", "WGT101"]),
    ],
)
def test_rules_can_be_chosen(words: list[str], codes: list[str]) -> None:
    document = json.loads(run("rules", *words, "--output-format", "json").stdout)
    assert [rule["code"] for rule in document["rules"]] == codes


def test_rules_of_a_family() -> None:
    every = json.loads(run("rules", "--output-format", "json").stdout)["rules"]
    family = [rule["code"] for rule in every if rule["code"].startswith("WGT1")]
    assert len(family) > 3
    assert [
        rule["code"] for rule in json.loads(run("rules", "WGT1", "--output-format", "json").stdout)["rules"]
    ] == family


def test_explain_by_code_and_by_name() -> None:
    rule = json.loads(run("rules", "--output-format", "json").stdout)["rules"][0]
    by_code = run("explain", rule["code"])
    assert by_code.returncode == 0
    assert rule["name"] in by_code.stdout and rule["summary"] in by_code.stdout
    assert rule["docs"].strip() in by_code.stdout
    assert run("explain", rule["name"]).stdout == by_code.stdout
    assert run("explain", rule["code"].lower()).stdout == by_code.stdout
    assert json.loads(run("explain", rule["code"], "--output-format", "json").stdout)["rules"] == [rule]


def test_help_fits_a_screen_and_names_every_option() -> None:
    commands = re.findall(r"^  ([a-z]+)  ", run("--help").stdout.partition("Options:")[0], re.MULTILINE)
    known = {
        "check",
        "completion",
        "confirm",
        "diff",
        "explain",
        "graph",
        "matrix",
        "profile",
        "report",
        "rules",
        "settings",
        "shapes",
        "support",
    }
    assert known <= set(commands)
    for args in ([], *([command] for command in commands)):
        result = run(*args, "--help")
        assert (result.returncode, result.stderr) == (0, "")
        lines = result.stdout.splitlines()
        allowed = {
            "check": 70,
            "confirm": 54,
            "diff": 42,
            "fix": 74,
            "matrix": 51,
            "reduce": 61,
            "report": 56,
            "simplify": 43,
        }
        allowed |= {"partition": 48, "settings": 42, "types": 44}
        assert len(lines) <= (52 if not args else allowed.get(args[0], 41)), args
        assert max(map(len, lines)) <= 80, args
    top = run("--help").stdout
    assert "\nFirst steps:\n  trtcheck model.onnx " in top
    assert re.findall(r"^(.*[^:]):$", top, re.MULTILINE) == [
        "First steps", "Check a model", "Understand an answer", "Compare", "Repair", "Narrow a problem down",
        "Look inside a model", "Set up a project", "Options",
    ]  # fmt: skip
    for command in commands:
        text = run(command, "--help").stdout
        assert re.search(r"^Usage: .*\n\nExamples:\n  trtcheck ", text, re.MULTILINE), command
    # Every option is below a heading, and its name begins in the column of all others.
    for command in ("check", "matrix"):
        lines = run(command, "--help").stdout.partition("\nOptions:")[2].splitlines()
        assert all(re.match(r"      --|  -\w, --|  -\w  |[A-Z]|$| {10}", line) for line in lines), command
    assert "--gpu GPU" in run("check", "--help").stdout
    assert "Exit codes:" in top
    for command in ("check", "explain", "rules", "shapes"):
        assert command in top
    options = run("check", "--help").stdout
    for option in (
        "--target", "--precision", "--gpu", "--plugin", "--profile", "--select", "--ignore", "--fail-on",
        "--output-format", "--output", "--no-color",
    ):  # fmt: skip
        assert option in options
    assert run("help").stdout == top
    assert run("-h").stdout == top


def test_version() -> None:
    text = run("--version").stdout
    assert re.fullmatch(r"trtcheck \d+\.\d+\.\d+\n", text)
    assert run("version").stdout == run("-V").stdout == text
    for word in ("--version", "-V", "version"):
        document = json.loads(run(word, "--output-format", "json").stdout)
        assert f"trtcheck {document['trtcheck_version']}\n" == text
        assert document["schema_version"] == 1
        assert {"8.6", "10.13", "rtx-1.7"} <= set(document["releases"])


@pytest.mark.parametrize(
    "command",
    ["check", "completion", "diff", "explain", "graph", "matrix", "profile", "report", "rules", "settings", "shapes"],
)
def test_help_about_a_command(command: str) -> None:
    expected = run(command, "--help")
    assert (expected.returncode, expected.stderr) == (0, "")
    assert f"\nUsage: trtcheck {command} [OPTIONS]" in expected.stdout
    for words in (["help", command], ["--help", command], ["-h", command]):
        result = run(*words)
        assert (result.returncode, result.stdout, result.stderr) == (0, expected.stdout, "")


def test_help_about_everything() -> None:
    expected = run("--help").stdout
    assert expected.count("\n") > 10
    assert run("help").stdout == run("--help", "m.onnx").stdout == expected
