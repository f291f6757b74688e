"""The JSON schema of a configuration file, and that it and the program judge alike (test_docs.py: it is up to date)."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomllib
from test_cli import ROOT, run

SCHEMA = ROOT / "cpp/data/settings.schema.json"

GOOD = [
    "",
    'target = "latest"',
    'target = "8.6.1.6"',
    'precision = "FP16"',
    'precision = ["fp16", "int8", "tf32"]',
    'compute-capability = "8.6"',
    'compute-capability = "sm_120"',
    'compute-capability = "86"',
    "dla = true",
    "strongly-typed = true",
    "require-profile = true",
    'plugins = "Mine"',
    "plugins = []",
    'select = ["QDQ", "qdq104", "W", "scale-length"]',
    'extend-select = "HWD"',
    'ignore = ["MDL1"]',
    'fail-on = "never"',
    'exclude = ["build/", "!build/mine", "**/*.onnx", "a[b-c]?"]',
    'exclude = ["/a.onnx", ".hidden/", "a/.b", "!/x", "[[:digit:]]", "x "]',
    "respect-gitignore = false",
    'baseline = "../known.json"',
    'profile = ["x=1x3:4x3:8x3", "y=", "a=b=2"]',
    'profile = "x=1"',
    'profile = ["x:1x3", "in:0:2"]',
    'profile = { x = "1x3:4x3:8x3", "odd name" = "2", scalar = "" }',
    'severity = { QDQ = "info", "scale-length" = "error" }',
    'per-file-ignores = { "legacy/**" = ["QDQ"], "a.onnx" = "SHP" }',
    'per-node-ignores = { "/a/*" = { reason = "x" }, "b" = { rules = "QDQ", reason = " x " } }',
]
BAD = [
    'taget = "8.6"',
    "target = 8.6",
    'target = "8.1"',
    'target = ""',
    'target = "8.6."',
    'target = ["8.6"]',
    'precision = "half"',
    "precision = [16]",
    'compute-capability = "8.66"',
    'compute-capability = "8"',
    "compute-capability = 8.6",
    'dla = "yes"',
    "dla = 1",
    "plugins = [1]",
    "plugins = { a = 1 }",
    'select = ["QDX"]',
    'select = "QDQ104x"',
    'select = ["Scale-Length"]',
    'select = [""]',
    "ignore = true",
    'ignore = ["scale"]',
    'extend-select = [["QDQ"]]',
    'fail-on = "Error"',
    "fail-on = []",
    "exclude = 1",
    'exclude = [""]',
    'exclude = ["/"]',
    'exclude = ["./a"]',
    'exclude = ["!/a/../b"]',
    'exclude = ["a/."]',
    'exclude = ["a//b"]',
    'exclude = ["#a"]',
    'exclude = [" "]',
    'respect-gitignore = "no"',
    'baseline = ""',
    "baseline = false",
    'profile = { x = "1x3:4x3" }',
    'profile = { x = "1,3" }',
    "profile = { x = 1 }",
    'profile = ["1x3"]',
    'profile = ["x:1x3:y"]',
    'severity = { QDX = "info" }',
    'severity = { QDQ = "off" }',
    'severity = ["QDQ"]',
    'per-file-ignores = { "a" = [] }',
    'per-file-ignores = { "!a" = ["QDQ"] }',
    'per-file-ignores = { "a" = ["nope"] }',
    'per-node-ignores = { "a" = { rules = ["QDQ"] } }',
    'per-node-ignores = { "a" = { reason = "" } }',
    'per-node-ignores = { "a" = { reason = "\\t " } }',
    'per-node-ignores = { "a" = { reason = "x", rules = [] } }',
    'per-node-ignores = { "a" = { reason = "x", rule = ["QDQ"] } }',
    'per-node-ignores = { "" = { reason = "x" } }',
    'per-node-ignores = { "a" = "QDQ" }',
]


@functools.cache
def schema() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(SCHEMA.read_text())
    return made


def accepted_by_schema(text: str) -> bool:
    return bool(jsonschema.Draft202012Validator(schema()).is_valid(tomllib.loads(text)))


def accepted_by_program(folder: Path, text: str) -> bool:
    (folder / "trtcheck.toml").write_text(text)
    (folder / "shapes.toml").touch()  # that of the example
    result = run("settings", cwd=folder)
    assert result.returncode in {0, 2}, result
    return result.returncode == 0


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("text", GOOD)
def test_schema_and_program_take_what_is_good(tmp_path: Path, text: str) -> None:
    assert (accepted_by_schema(text), accepted_by_program(tmp_path, text)) == (True, True)


@pytest.mark.parametrize("text", BAD)
def test_schema_and_program_refuse_what_is_bad(tmp_path: Path, text: str) -> None:
    assert (accepted_by_schema(text), accepted_by_program(tmp_path, text)) == (False, False)


def test_every_rule_is_known_to_the_schema() -> None:
    for rule in json.loads(run("rules", "--output-format", "json").stdout)["rules"]:
        for word in (rule["code"], rule["code"].lower(), rule["code"][:4], rule["name"]):
            assert accepted_by_schema(f'select = ["{word}"]'), word


def test_check_jsonschema_judges_alike(tmp_path: Path) -> None:
    """The program that editors and pre-commit hooks use."""
    pytest.importorskip("check_jsonschema")
    for name, texts in (("good", GOOD), ("bad", BAD)):
        for i, text in enumerate(texts):
            (tmp_path / f"{name}{i}.toml").write_text(text)
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(SCHEMA), "-o", "json"]
    for name, texts in (("good", GOOD), ("bad", BAD)):
        files = sorted(map(str, tmp_path.glob(f"{name}*.toml")))
        result = subprocess.run([*command, *files], capture_output=True, text=True, check=False)
        refused = {error["filename"] for error in json.loads(result.stdout).get("errors", [])}
        assert refused == (set() if name == "good" else set(files)), result.stdout
        assert len(files) == len(texts)


def test_the_example_of_the_documentation_loads(tmp_path: Path) -> None:
    page = (ROOT / "docs/configuration.md").read_text()
    blocks = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > len(schema()["properties"])
    for block in blocks:
        assert accepted_by_schema(block), block
        assert accepted_by_program(tmp_path, block), block
        # The same keys in a pyproject.toml, as the page says.
        (tmp_path / "trtcheck.toml").unlink()
        moved = re.sub(r"^\[", "[tool.trtcheck.", "[tool.trtcheck]\n" + block, flags=re.MULTILINE)
        moved = moved.replace("[tool.trtcheck.tool.trtcheck]", "[tool.trtcheck]")
        (tmp_path / "pyproject.toml").write_text(moved)
        assert run("settings", cwd=tmp_path).returncode == 0, moved
        (tmp_path / "pyproject.toml").unlink()
    for name in schema()["properties"]:
        assert f"### {name}\n" in page
