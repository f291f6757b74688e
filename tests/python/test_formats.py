"""Each output format, read by a program or a schema that we did not write."""

from __future__ import annotations

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import jsonschema
import junitparser
import onnx
import pytest
import xmlschema
from markdown_it import MarkdownIt
from test_cli import PROGRAM, in_a_terminal, one_line, run

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = Path(__file__).parent / "schemas"
EXAMPLES = sorted((ROOT / "examples/models").glob("*.onnx"))
REFUSED = ROOT / "examples/models/case4_batchnorm.onnx"

# What models, and people who make models, put into names. Bytes: a file need not hold UTF-8.
HOSTILE = [
    b"::error file=x::y",
    b"%0A%25,a:b",
    b"two\nlines\r\n\ttab",
    b"]]></failure>&lt;",
    b"| a | b |\\|",
    b"```\n`code` **bold** _x_ $x$",
    b"</details></summary><script>x</script>",
    b"\x1b[31mred\x1b]8;;http://evil\x1b\\",
    b"\x00\x01\x7f\xc2\x85",
    b"bad \xff\xfe\xc0\x80",
    b"\xed\xa0\x80 lone surrogate",
    b"\xef\xbf\xbe\xef\xbf\xbf",
    b"right \xe2\x80\xae to left",
    b"next\xc2\x85line \xe2\x80\xa8 separator \xf3\xa0\x80\x81 tag",
    b"[link](http://evil) {0} www.evil.example @me #1",
    b"x" * 10_000,
]


# Of such a model, only the node that cannot be served.
OPS = ("--select", "OPS")


def hostile_model(path: Path, name: bytes) -> Path:
    """A node that no importer serves, with this name, on a line of a Python file that has it in its path."""
    stand_in = "Z" * len(name)  # no byte of a length, no name of the model
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17, "my.ops" : 1]>'
        "g (float[N,4] x) => (float[N,4] y) { y = my.ops.Frobnicate(x) }"
    )
    node = model.graph.node[0]
    node.name = stand_in
    stack = f'File "{stand_in}.py", line 7, in forward\n    return frobnicate(x)'
    node.metadata_props.add(key="pkg.torch.onnx.stack_trace", value=stack)
    path.write_bytes(model.SerializeToString().replace(stand_in.encode(), name))
    return path


def shown(name: bytes) -> str:
    """As formats for programs hold it: bytes that are not UTF-8 as \\xNN, above 1,000 bytes cut."""
    if len(name) > 1000:
        return shown(name[:1000]) + f"... ({len(name)} bytes)"
    return name.decode(errors="backslashreplace")


def output(format: str, *models: Path | str, **options: Any) -> str:
    result = run("check", "--no-config", "--output-format", format, *models, **options)
    assert result.returncode in (0, 1), result.stderr
    return str(result.stdout)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("hostile models #1")
    return [hostile_model(folder / f"{i}.onnx", name) for i, name in enumerate(HOSTILE)]


@pytest.fixture(scope="module")
def odd_paths(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    """A folder, and models below it whose names no format may take literally."""
    folder = tmp_path_factory.mktemp("paths")
    names = [b"a b#c?.onnx", b"100%.onnx", b"c:d.onnx", b"\xff\xfe.onnx", b"sub/[x].onnx", b"`|`<b>.onnx"]
    (folder / "sub").mkdir()
    for name in names:
        hostile_model(folder / os.fsdecode(name), b"node")
    return folder, names


# --- JSON ----------------


@pytest.mark.parametrize("format", ["json", "jsonl", "sarif", "gitlab"])
def test_documents_for_programs_hide_nothing(hostile: list[Path], format: str) -> None:
    text = output(format, *OPS, *hostile)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\U000e0000-\U000e0fff]", text)
    if format != "gitlab":  # which shows a text, escaped already
        assert "\\u202e" in text and "\\u2028" in text and "\\udb40\\udc01" in text


def test_json_lines_follow_the_schema(hostile: list[Path], tmp_path: Path) -> None:
    schema = json.loads((ROOT / "cpp/data/report.schema.json").read_text())
    line_schema = {"$ref": "#/$defs/line", "$defs": schema["$defs"]}
    lines = [json.loads(line) for line in output("jsonl", *OPS, *hostile, *EXAMPLES).splitlines()]
    document = json.loads(output("json", *OPS, *hostile, *EXAMPLES))
    jsonschema.Draft202012Validator(schema).validate(document)
    for line in lines:
        jsonschema.Draft202012Validator(line_schema).validate(line)
    versions = {"schema_version": 1, "trtcheck_version": document["trtcheck_version"]}
    assert lines == [versions | model for model in document["models"]]
    assert [m["findings"][0]["node"] for m in document["models"][: len(HOSTILE)]] == [shown(n) for n in HOSTILE]
    failed = run("check", "--output-format", "jsonl", EXAMPLES[0], tmp_path / "gone.onnx")
    last = json.loads(failed.stdout.splitlines()[-1])
    jsonschema.Draft202012Validator(line_schema).validate(last)
    assert (failed.returncode, last["path"]) == (2, str(tmp_path / "gone.onnx"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(line_schema).validate(last | {"more": 1})


# --- SARIF ----------------


def sarif(*models: Path | str, **options: Any) -> dict[str, Any]:
    document = json.loads(output("sarif", *models, **options))
    schema = json.loads((SCHEMAS / "sarif-schema-2.1.0.json").read_text())
    checker = jsonschema.Draft4Validator.FORMAT_CHECKER  # with rfc3986-validator: uri and uri-reference
    assert {"uri", "uri-reference"} <= {*checker.checkers} | {*jsonschema.Draft7Validator.FORMAT_CHECKER.checkers}
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER).validate(document)
    (only,) = document["runs"]
    return dict(only)


def test_sarif_follows_its_schema(hostile: list[Path]) -> None:
    found = sarif(*EXAMPLES, *hostile)
    rules = found["tool"]["driver"]["rules"]
    assert [r["id"] for r in rules] == sorted({r["ruleId"] for r in found["results"]})
    for rule in rules:
        assert rule["shortDescription"]["text"] and rule["help"]["markdown"] and rule["properties"]["tags"]
    for result in found["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        artifact = location["physicalLocation"]["artifactLocation"]
        assert found["artifacts"][artifact["index"]]["location"]["uri"] == artifact["uri"]
        assert re.fullmatch("[0-9a-f]{16}", result["partialFingerprints"]["trtcheck/v1"])
    identities = [r["partialFingerprints"]["primaryLocationLineHash"] for r in found["results"]]
    assert len(set(identities)) == len(identities)
    assert "endTimeUtc" not in found["invocations"][0]


def test_sarif_keeps_every_name(hostile: list[Path]) -> None:
    results = sarif(*OPS, *hostile)["results"]
    by_node = {r["locations"][0]["logicalLocations"][0]["name"]: r for r in results}
    for name in HOSTILE:
        result = by_node[shown(name)]
        assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "main:" + shown(name)
        # Braces are doubled (3.11.5), and nothing reads as a link (3.11.6).
        text = result["message"]["text"]
        assert not re.search(r"(?<!\{)\{(?!\{)\d", text) and "](" not in text
        assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", text)


def test_sarif_names_files_by_uri(odd_paths: tuple[Path, list[bytes]]) -> None:
    folder, names = odd_paths
    found = sarif(*(os.fsdecode(n) for n in names), cwd=folder)
    models = [a for a in found["artifacts"] if a.get("roles") == ["analysisTarget"]]
    assert [unquote(a["location"]["uri"], errors="surrogateescape") for a in models] == [os.fsdecode(n) for n in names]
    for model in models:
        assert model["location"]["uriBaseId"] == "SRCROOT"
        base = "file:///base/"
        assert urlsplit(urljoin(base, model["location"]["uri"])).path == "/base/" + model["location"]["uri"]
    outside = sarif(folder / "sub/[x].onnx")["artifacts"][0]["location"]
    assert "uriBaseId" not in outside
    assert unquote(urlsplit(outside["uri"]).path) == str(folder / "sub/[x].onnx")


def test_sarif_says_what_could_not_be_checked(tmp_path: Path) -> None:
    result = run("check", "--output-format", "sarif", EXAMPLES[0], tmp_path / "gone.onnx")
    (invocation,) = json.loads(result.stdout)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 1


# --- GitHub ----------------


def workflow_commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """As the runner reads them: ActionCommand.TryParseV2 of actions/runner."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"::(\S+) (.*?)::(.*)", line)
        assert match, line
        command, words, data = match.groups()
        properties = {}
        for word in words.split(","):
            key, equals, value = word.partition("=")
            assert equals
            for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
                value = value.replace(code, char)
            properties[key] = value
        for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            data = data.replace(code, char)
        found.append((command, properties, data))
    return found


def test_github_annotates_the_line_of_python(hostile: list[Path]) -> None:
    commands = workflow_commands(output("github", *OPS, *hostile))
    assert len(commands) == len(HOSTILE)
    for (command, properties, data), name in zip(commands, HOSTILE, strict=True):
        assert command == "error"
        assert list(properties) in (["file", "line", "title"], ["file", "title"])
        assert properties["title"].startswith("trtcheck OPS")
        assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", data)
        if name.isascii() and name.isalnum():
            assert properties["line"] == "7"


def test_github_paths_are_those_of_the_repository(tmp_path: Path) -> None:
    model = hostile_model(tmp_path / "m.onnx", b"plain")
    (tmp_path / "sub").mkdir()
    env = {"GITHUB_WORKSPACE": str(tmp_path)}
    (command,) = workflow_commands(output("github", "../m.onnx", cwd=tmp_path / "sub", env=env))
    assert command[1]["file"] == "sub/plain.py" and "model: ../m.onnx" in command[2]
    (command,) = workflow_commands(output("github", model, cwd=tmp_path / "sub"))
    assert command[1]["file"] == "plain.py"


# --- GitLab ----------------

# docs.gitlab.com, "Code Quality report format"
CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string"},
            "check_name": {"type": "string"},
            "fingerprint": {"type": "string"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "lines": {"required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                },
            },
        },
    },
}


def test_gitlab_follows_its_documentation(hostile: list[Path], odd_paths: tuple[Path, list[bytes]]) -> None:
    issues = json.loads(output("gitlab", *hostile, *EXAMPLES, *hostile))
    jsonschema.validate(issues, CODE_QUALITY)
    assert len({i["fingerprint"] for i in issues}) == len(issues)
    folder, names = odd_paths
    issues = json.loads(output("gitlab", *(os.fsdecode(n) for n in names), cwd=folder))
    assert {i["location"]["path"] for i in issues} == {"node.py"}


# --- JUnit ----------------


def test_junit_is_read_by_others(hostile: list[Path], tmp_path: Path) -> None:
    result = run("check", "--output-format", "junit", *OPS, *hostile, *EXAMPLES, tmp_path / "gone.onnx")
    xmlschema.XMLSchema10(SCHEMAS / "junit-10.xsd").validate(result.stdout)
    xml = junitparser.JUnitXml.fromstring(result.stdout.encode())
    suites = list(xml)
    assert len(suites) == len(hostile) + len(EXAMPLES) + 1
    for suite, name in zip(suites, HOSTILE, strict=False):
        (case,) = suite
        (failure,) = case.result
        assert isinstance(failure, junitparser.Failure) and "Frobnicate" in failure.message
        if name.isascii() and name.decode().isprintable():
            assert case.name.endswith(" at " + shown(name))
    assert isinstance(next(iter(suites[-1])).result[0], junitparser.Error)
    assert (xml.failures, xml.errors) == (sum(s.failures for s in suites), 1)
    healthy = next(s for s in suites if s.name.endswith("healthy_shufflenet.onnx"))
    assert (healthy.tests, healthy.failures) == (1, 0)


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("warning", 1), ("never", 0)])
def test_junit_fails_with_the_exit_code(fail_on: str, code: int) -> None:
    model = ROOT / "examples/models/case1_residual.onnx"  # two warnings
    result = run("check", "--no-config", "--fail-on", fail_on, "--output-format", "junit", model)
    assert result.returncode == code
    assert (junitparser.JUnitXml.fromstring(result.stdout.encode()).failures > 0) == (code == 1)


# --- Markdown and HTML ----------------


class Outline(HTMLParser):
    """Tags and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_markdown_has_the_structure_that_we_gave_it(hostile: list[Path]) -> None:
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    plain = hostile_model(hostile[0].parent / "plain.onnx", b"plain")
    expected = Outline(parser.render(output("markdown", *OPS, plain))).tags
    for model, name in zip(hostile, HOSTILE, strict=True):
        text = output("markdown", *OPS, model)
        outline = Outline(parser.render(text))
        # A mention or a formula is put into <code>, a backtick parts one; a file name with a line break is none.
        ours = [t for t in outline.tags if t not in {"code", "li"}]
        assert ours == [t for t in expected if t not in {"code", "li"}], name
        assert outline.tags.count("li") == len(re.findall(r"^ *- ", text, re.MULTILINE)) <= expected.count("li")
        assert len(text) < 65536
        if name.isascii() and name.decode().isprintable() and b"`" not in name and len(name) < 100:
            assert name.decode() in outline.text


def test_markdown_of_many_models_fits_a_comment(tmp_path: Path) -> None:
    models = [tmp_path / f"{i}_{model.name}" for i in range(60) for model in EXAMPLES]
    for model, original in zip(models, EXAMPLES * 60, strict=True):
        model.symlink_to(original)
    text = output("markdown", *models)
    assert len(text) < 65536
    more = re.search(r"(\d+) more findings not shown", text)
    assert more and int(more[1]) > 0
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert html.count("<details>") == html.count("</details>") > 0
    assert html.count("<tr>") <= 60 * len(EXAMPLES) + 1


# --- several outputs, files, terminals ----------------


def test_several_outputs_of_one_run(tmp_path: Path) -> None:
    model = EXAMPLES[0]
    a, b = tmp_path / "a.sarif", tmp_path / "b.xml"
    formats = ("--output-format", "sarif", "--output", a, "--output-format", "junit", "--output", b)
    result = run("check", *formats, "--output-format", "concise", model)
    assert result.stdout == output("concise", model)
    assert a.read_text() == output("sarif", model)
    assert b.read_text() == output("junit", model)
    assert list(tmp_path.iterdir()) == [a, b] or set(tmp_path.iterdir()) == {a, b}


@pytest.mark.parametrize(
    ("args", "to_stdout", "files"),
    [
        (["--output", "F"], None, {"F": "full"}),
        (["--output", "F", "--output-format", "json"], None, {"F": "json"}),
        (["--output-format", "json", "--output", "F"], None, {"F": "json"}),
        (["--output", "F", "--output-format", "json", "--output", "G"], None, {"F": "full", "G": "json"}),
        (["--output-format", "json", "--output", "F", "--output", "G"], None, {"F": "json", "G": "json"}),
        (["--output-format", "json", "--output", "F", "--output", "-"], "json", {"F": "json"}),
        (["--output-format", "full", "--output", "F", "--output-format", "json"], "json", {"F": "full"}),
        (["--output-format", "html"], "html", {}),
    ],
)
def test_each_output_belongs_to_the_format_before_it(
    args: list[str], to_stdout: str | None, files: dict[str, str], tmp_path: Path
) -> None:
    model = REFUSED
    result = run("check", *args, model, cwd=tmp_path)
    assert result.returncode == 1 and result.stderr == ""
    assert result.stdout == (output(to_stdout, model, cwd=tmp_path) if to_stdout else "")
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {
        name: output(format, model, cwd=tmp_path) for name, format in files.items()
    }


@pytest.mark.parametrize(
    "args",
    [
        ["--output-format", "json", "--output-format", "full"],
        ["--output-format", "json", "--output", "F", "--output-format", "full", "--output", "./F"],
        ["--output-format", "json", "--output", "-", "--output-format", "full"],
    ],
)
def test_two_outputs_to_one_place_are_a_mistake(args: list[str], tmp_path: Path) -> None:
    assert "two outputs to" in one_line(run("check", *args, EXAMPLES[0], cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_failing_output_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text("before")
    outputs = ("--output-format", "json", "--output", good, "--output-format", "sarif", "--output")
    line = one_line(run("check", *outputs, tmp_path / "no/such/folder.sarif", EXAMPLES[0]))
    assert "folder.sarif: cannot write" in line
    assert good.read_text() == "before" and list(tmp_path.iterdir()) == [good]


def test_files_have_neither_colours_nor_links(tmp_path: Path) -> None:
    env = {"FORCE_COLOR": "1", "FORCE_HYPERLINK": "1", "TRTCHECK_DOCS_URL": "https://docs.example.org/rules"}
    result = run("check", "--output", "F", "--output-format", "concise", EXAMPLES[0], cwd=tmp_path, env=env)
    assert "\x1b" not in (tmp_path / "F").read_text()
    both = ("--output-format", "full", "--output", "G", "--output-format", "concise")
    result = run("check", *both, REFUSED, cwd=tmp_path, env=env)
    assert "\x1b" not in (tmp_path / "G").read_text()
    assert "\x1b[1;31merror" in result.stdout and "\x1b]8;;https://docs.example.org/rules/" in result.stdout


def test_links_where_the_terminal_can() -> None:
    docs = {"TRTCHECK_DOCS_URL": "https://docs.example.org/rules/", "CI": "", "TERM_PROGRAM": "", "VTE_VERSION": ""}
    link = "\x1b]8;;https://docs.example.org/rules/grouped-conv-unknown-channels.html\x1b\\"
    model = ROOT / "examples/models/case0_channel_shuffle.onnx"
    for env, expected in [
        ({"VTE_VERSION": "7200"}, True),
        ({"VTE_VERSION": "5000"}, False),
        ({"TERM_PROGRAM": "WezTerm"}, True),
        ({"KITTY_WINDOW_ID": "1"}, True),
        ({"WT_SESSION": "1", "CI": "true"}, False),
        ({"WT_SESSION": "1", "TERM": "dumb"}, False),
        ({"WT_SESSION": "1", "FORCE_HYPERLINK": "0"}, False),
        ({"FORCE_HYPERLINK": "1"}, True),
        ({}, False),
    ]:
        assert (link in in_a_terminal(model, env=docs | env)) == expected, env
    assert "\x1b]8" not in run(model, env=docs).stdout
    assert "\x1b]8;;x" not in run(model, env=docs | {"FORCE_HYPERLINK": "1", "TRTCHECK_DOCS_URL": "x\x1b\\y"}).stdout


def test_links_lead_to_the_pages_installed_with_the_program() -> None:
    pages = Path(PROGRAM).resolve().parent.parent / "share/doc/trtcheck/rules"
    rules = json.loads(run("rules", "--output-format", "json").stdout)["rules"]
    assert {p.name for p in pages.iterdir()} == {f"{rule['name']}.html" for rule in rules}
    for rule in rules:
        outline = Outline((pages / f"{rule['name']}.html").read_text())
        assert rule["code"] in outline.text and "script" not in outline.tags
    text = run(*EXAMPLES, env={"FORCE_HYPERLINK": "1", "TRTCHECK_DOCS_URL": ""}).stdout
    links = re.findall(r"\x1b\]8;;(file://[^\x1b]+)\x1b", text)
    assert links
    for link in links:
        assert urlsplit(link).netloc == os.uname().nodename
        assert Path(unquote(urlsplit(link).path)).is_file()


# --- Python, documentation ----------------


def test_python_renders_what_the_command_line_prints() -> None:
    paths = [str(p.relative_to(ROOT)) for p in EXAMPLES]
    reports = [trtcheck.check(ROOT / path) for path in paths]
    relative = [trtcheck.check(path) for path in paths] if Path.cwd() == ROOT else None
    names = trtcheck.formats()
    assert names == re.findall(r"[a-z]+", run("check", "--output-format", "x", "m").stderr.partition("it must be ")[2])
    for format in names:
        assert trtcheck.render(reports[0], format) == reports[0].render(format) == trtcheck.render(reports[:1], format)
        if relative is not None:
            assert trtcheck.render(relative, format) == output(format, *paths, cwd=ROOT, env={"COLUMNS": "100"})
    with pytest.raises(trtcheck.Error, match="did you mean `sarif`"):
        trtcheck.render(reports, "sarfi")
    with pytest.raises(trtcheck.Error, match="fail_on"):
        trtcheck.render(reports, "junit", fail_on="errors")
    assert trtcheck.render([], "jsonl") == ""
    error = trtcheck.Error("gone.onnx", "is gone")
    assert json.loads(trtcheck.render([reports[0], error], "json"))["failures"] == [
        {"path": "gone.onnx", "cause": "is gone"}
    ]
    assert trtcheck.render(error) == "gone.onnx: not checked: is gone\n"
    assert "<failure" in reports[1].render("junit", fail_on="warning")


def test_the_page_names_every_format() -> None:
    text = (ROOT / "docs/output-formats.md").read_text().partition("## Where it goes")[0]
    listed = re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE)
    known = run("check", "--output-format", "x", "m").stderr.partition("it must be ")[2].rstrip().split(", ")
    assert listed == known
