"""From what TensorRT prints to the rule, on the command line and from Python."""

from __future__ import annotations

import json
import re
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
        (["explain", "WGT999"], "there is no rule and no fact `WGT999`"),
        (["explain", "--error-log", "missing.log"], "missing.log: "),
        (["explain", "--error-log", "/dev/null"], "/dev/null: "),
    ],
)
def test_what_cannot_be_explained(arguments: list[str], said: str) -> None:
    ran = run(*arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"trtcheck: {said}")
    assert ran.stderr.count("\n") == 1


def test_a_message_needs_no_quotes() -> None:
    message = "kernel weights has count 1474560 but 737280 was expected"
    assert run("explain", *message.split()).stdout == run("explain", message).stdout != ""


def test_a_family_is_listed() -> None:
    ran = run("explain", "WGT")
    assert (ran.returncode, ran.stderr) == (0, "")
    listed = [rule.code for rule in trtcheck.rules() if rule.code.startswith("WGT")]
    assert [word for word in ran.stdout.split() if re.fullmatch(r"WGT\d+", word)] == [*listed, listed[0]]
    document = json.loads(run("explain", "WGT", "--output-format", "json").stdout)
    assert [rule["code"] for rule in document["rules"]] == listed


def test_how_a_fix_is_used_is_said_in_words() -> None:
    text = run("explain", "OPS101").stdout
    assert "fix: shown, not applied" in text and "fix: display" not in text


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
    rule = json.loads(run("explain", "OPS401", "--output-format", "json").stdout)["rules"][0]
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
    assert "Axis input must be an initializer!" in trtcheck.rule("OPS401").messages


def test_rows_with_messages_are_valid() -> None:
    data = Path(__file__).resolve().parents[2] / "cpp/data"
    schema = json.loads((data / "op_support.schema.json").read_text())
    jsonschema.validate(json.loads((data / "op_support.json").read_text()), schema)


def test_the_nodes_that_a_log_names(tmp_path: Path) -> None:
    model = Path(__file__).resolve().parents[2] / "examples/models/case0_channel_shuffle.onnx"
    log = tmp_path / "build.log"
    log.write_text(
        "[I] [TRT] /unit/Transpose is fine\n"
        '[E] [TRT] ModelImporter.cpp:773: While parsing node number 99 [Conv -> "/unit/conv/Conv_output_0"]:\n'
        "[E] [TRT] 4: (/unit/Reshape_1: reshape would change volume)\n"
    )
    ran = run("explain", "--error-log", log, "--model", model)
    assert (ran.returncode, ran.stderr) == (0, "")
    _, _, named = ran.stdout.partition(f"nodes of {model} that are named\n")
    lines = named.splitlines()
    assert lines[0] == "  line 2: Conv `/unit/conv/Conv`"
    assert lines[1].startswith("    --> tests/python/zoo/convnets.py:")
    assert lines[2] == "    module: unit.conv"
    assert lines[3].startswith("    warning[WGT101] grouped-conv-unknown-channels: ")
    assert lines[4] == "  line 3: Reshape `/unit/Reshape_1`"
    document = json.loads(run("explain", "--error-log", log, "--model", model, "--output-format", "json").stdout)
    assert [(node["line"], node["node"]) for node in document["nodes"]] == [
        (2, "/unit/conv/Conv"),
        (3, "/unit/Reshape_1"),
    ]
    assert [finding["code"] for finding in document["nodes"][0]["findings"]] == ["WGT101"]


def test_a_log_that_names_no_node_of_the_model_says_so(tmp_path: Path) -> None:
    model = Path(__file__).resolve().parents[2] / "examples/models/healthy_shufflenet.onnx"
    log = tmp_path / "build.log"
    log.write_text(f"[E] [TRT] someone_else: {KERNEL}\n")
    ran = run("explain", "--error-log", log, "--model", model)
    assert ran.returncode == 0
    assert ran.stdout.endswith(f"no node of {model} is named\n")
    # A message in quotes names nodes, too; a rule does not.
    ran = run("explain", f"(/stages.0/conv1: {KERNEL})", "--model", model)
    assert ran.returncode == 0 and "WGT101" in ran.stdout
    ran = run("explain", "WGT101", "--model", model)
    assert (ran.returncode, ran.stderr) == (2, "trtcheck: --model goes with --error-log, or with a message in quotes\n")
    ran = run("explain", "--error-log", log, "--model", tmp_path / "none.onnx")
    assert ran.returncode == 2 and "none.onnx: cannot be opened" in ran.stderr
