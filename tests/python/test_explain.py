"""From what TensorRT prints to the rule, on the command line and from Python."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from test_cli import run

import trtcheck

KERNEL = "kernel weights has count 1474560 but 737280 was expected"
UNKNOWN = "the moon is in the wrong quarter"
LOG = """\
&&&& RUNNING TensorRT.trtexec [TensorRT v8003] # trtexec --onnx=m.onnx
[10/02/2022-14:40:17] [I] [TRT] No importer registered for op: Custom. Attempting to import as plugin.
[10/02/2022-14:40:17] [E] [TRT] 3: getPluginCreator could not find plugin: Custom version: 1
[10/02/2022-14:40:17] [E] [TRT] ModelImporter.cpp:720: While parsing node number 2 [Custom -> "41\x1b[31m"]:
[8] Assertion failed: creator && "Plugin not found, are the plugin name, version, and namespace correct?"
"""


def test_a_message_leads_to_its_rules() -> None:
    ran = run("explain", KERNEL)
    assert (ran.returncode, ran.stderr) == (0, "")
    first, *rest = ran.stdout.splitlines()
    assert first == KERNEL
    assert rest[0].startswith("  error[WGT101] grouped-conv-unknown-channels: a grouped convolution")
    assert rest[1] == "    says `kernel weights has count * but * was expected`"
    assert rest[-1] == "  more: trtcheck explain WGT101"
    assert run("explain", KERNEL, "--output-format", "concise").stdout.startswith("WGT101 error grouped-conv")


def test_as_json_with_the_rules_themselves() -> None:
    document = json.loads(run("explain", "MDL101", KERNEL, "--output-format", "json").stdout)
    codes = [rule["code"] for rule in document["rules"]]
    assert codes[:2] == ["MDL101", "WGT101"]
    (message,) = document["messages"]
    assert message["message"] == KERNEL and message["line"] is None
    assert [match["code"] for match in message["matches"]] == codes[1:]
    assert message["matches"][0]["words"] == 7


def test_a_message_that_no_rule_knows_is_said_to_be_one() -> None:
    ran = run("explain", UNKNOWN)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"trtcheck: no rule knows the message `{UNKNOWN}`\n"
    # What is known is answered all the same.
    ran = run("explain", UNKNOWN, KERNEL)
    assert ran.returncode == 2
    assert "WGT101" in ran.stdout and UNKNOWN in ran.stderr


def test_a_log_is_read_line_by_line(tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    log.write_text(LOG)
    ran = run("explain", "--error-log", log)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "line 3: 3: getPluginCreator could not find plugin: Custom version: 1\n  error[OPS104]" in ran.stdout
    assert "\nline 5: [8] Assertion failed: creator && " in ran.stdout
    assert "line 2" not in ran.stdout
    assert "\x1b" not in ran.stdout
    assert run("explain", "--error-log", "-", input=LOG).stdout == ran.stdout
    document = json.loads(run("explain", "--error-log", log, "--output-format", "json").stdout)
    assert [message["line"] for message in document["messages"]] == [3, 5]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain"], "nothing to explain; give a rule, a message in quotes or --error-log"),
        (["explain", "WGT999"], "there is no rule `WGT999`"),
        (["explain", "--error-log", "missing.log"], "missing.log: "),
        (["explain", "--error-log", "/dev/null"], "/dev/null: "),
    ],
)
def test_what_cannot_be_explained(arguments: list[str], said: str) -> None:
    ran = run(*arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"trtcheck: {said}")
    assert ran.stderr.count("\n") == 1


def test_a_log_without_messages_is_said_to_be_one(tmp_path: Path) -> None:
    log = tmp_path / "fine.log"
    log.write_text("[I] Engine built in 3 s\n")
    ran = run("explain", "--error-log", log)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"trtcheck: {log}: no rule knows any of its lines\n"


def test_the_texts_stand_with_the_rule() -> None:
    assert (
        "What TensorRT prints\n- `kernel weights has count * but * was expected`\n" in run("explain", "WGT101").stdout
    )
    # A table rule has the texts of its rows.
    rule = json.loads(run("explain", "OPS402", "--output-format", "json").stdout)["rules"][0]
    assert "Axis input must be an initializer!" in rule["messages"]
    assert len(set(rule["messages"])) == len(rule["messages"])


def test_from_python() -> None:
    first = trtcheck.rules_for(KERNEL)[0]
    assert (first.rule.code, first.text, first.op_type) == ("WGT101", trtcheck.rule("WGT101").messages[0], "")
    assert repr(first) == "<MessageMatch WGT101 'kernel weights has count * but * was expected'>"
    assert trtcheck.rules_for("Axis input must be an initializer! (importReduceMax)")[0].op_type == "ReduceMax"
    assert trtcheck.rules_for(UNKNOWN) == []
    found = trtcheck.rules_for_log(LOG)
    assert [(match.line, match.matches[0].rule.code) for match in found] == [(3, "OPS104"), (5, "OPS101")]
    assert repr(found[0]) == "<LogMatch line 3 OPS104>"
    assert "Axis input must be an initializer!" in trtcheck.rule("OPS402").messages


def test_rows_with_messages_are_valid() -> None:
    data = Path(__file__).resolve().parents[2] / "cpp/data"
    schema = json.loads((data / "op_support.schema.json").read_text())
    jsonschema.validate(json.loads((data / "op_support.json").read_text()), schema)
