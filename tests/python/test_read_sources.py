"""tests/truth/read_sources.py with sources that nobody wrote for TensorRT: what it finds, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
import read_sources
from read_sources import main
from source_texts import Release, literal_share, matches

# A release of the parser in a few lines: an importer with a helper, macros, a checker, and what every node passes.
IMPORTERS = r"""
#define DEFINE_BUILTIN_OP_IMPORTER(op) \
    NodeOutputs import##op(Context* ctx)
#define NEEDS(condition, text) \
    if (!(condition)) { throw Error("Needed here: " << text); }

namespace onnx2trt
{
namespace
{
static char const* const kNames[] = {"a name in a table"};

bool notNormal(Type type, Node const& node)
{
    ASSERT_NODE(type != kBOOL,
        "Found unsupported input type of " + name(type)
            << " in node " << node.name() << "."  // "in a comment"
        , node);
    return false;
}

DEFINE_BUILTIN_OP_IMPORTER(Pad)
{
    ASSERT(ctx->rank() == 1 && "The \"pads\" input "
        "must be 1D.");
    notNormal(ctx->type(), ctx->node());
    return {{nullptr}};
}

DEFINE_BUILTIN_OP_IMPORTER(Gemm)
{
    NEEDS(ctx, "C");
    return importPad(ctx);
}

DEFINE_BUILTIN_OP_IMPORTER(Abs) { return {}; }
} // namespace
}
"""
CHECKERS = """
DEFINE_OP_EMPTY_CHECKER(Pad)

DEFINE_OP_CHECKER(Abs)
{
    STATIC_CHECK(false && "Abs is refused", node);
}
"""
MODEL = """
class Importer
{
    void parseNode(Node const& node)
    {
        auto* all = kNames;
        CHECK(node.size() < 3, "Node " + node.name() + " has more outputs than expected");
    }
};
"""
FACTS = """
[[fact]]
id = "pad-rank"
in = "8.4..9.0"
says = "input must be 1D"
"""


def made(**sources: str) -> Release:
    return Release({f"{name}.cpp": source for name, source in sources.items()})


PARSER = made(onnxOpImporters=IMPORTERS, onnxOpCheckers=CHECKERS, ModelImporter=MODEL)

TEXTS = {
    "of the importer, over two lines": ("Pad", 'The "pads" input must be 1D.', True),
    "a part of it": ("Pad", "input must be 1D", True),
    "of a helper": ("Pad", "Found unsupported input type", True),
    "with what varies, as a star": ("Pad", "Found unsupported input type of * in node", True),
    "with what varies, as a value": ("Pad", "Found unsupported input type of BOOL", True),
    "with both": ("Pad", "input type of BOOL in node *.", True),
    "a condition": ("Pad", "ctx->rank() == 1", True),
    "another condition": ("Pad", "ctx->rank() == 2", False),
    "of an importer that is called": ("Gemm", "input must be 1D", True),
    "of a macro": ("Gemm", "Needed here: C", True),
    "of the checker": ("Abs", "Abs is refused", True),
    "of another operator": ("Abs", "input must be 1D", False),
    "of the checker of another operator": ("Pad", "Abs is refused", False),
    "of all nodes": ("Abs", "has more outputs than expected", True),
    "in a comment": ("Pad", "in a comment", False),
    "that differs in a word": ("Pad", "Found invalid input type of BOOL", False),
    "that only what varies could hold": ("Pad", "BOOL has no order", False),
    "of an operator that is not there": ("Conv", "input must be 1D", False),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_found_where_the_operator_can_print_it(name: str) -> None:
    op, says, is_there = TEXTS[name]
    assert PARSER.prints(op, says) == is_there


def test_what_varies_makes_up_a_part_only() -> None:
    text = "the size of axis \0 of \0 has"
    assert matches("size of axis 3 of x has", text)
    assert matches("size of axis * of x has", text)
    assert not matches("size of axis 3 of a tensor that is called x", text)
    assert literal_share("ab", "ab") == 1
    assert literal_share("a3b4", "a\0b\0") == 0.5
    assert literal_share("a*b", "a and b") == 1


FOLDER = {"8.2": "", "8.4": "Pad", "8.5": "Pad", "8.6": "Pad", "9.0": "Pad", "9.1": ""}
# What is changed in that folder, and the line that tells it: kind and releases.
FOLDERS = {
    "in agreement": ({}, []),
    "the text is there before": ({"8.2": "Pad"}, ["before 8.2"]),
    "and after": ({"9.1": "Pad"}, ["after 9.1"]),
    "it is missing in the middle": ({"8.5": "", "8.6": ""}, ["missing 8.5..8.6"]),
    "here and there": ({"8.4": "", "8.6": ""}, ["missing 8.4, 8.6"]),
    "both ends": ({"8.2": "Pad", "9.1": "Pad"}, ["before 8.2", "after 9.1"]),
    "a release is not in the folder": ({"8.2": None, "8.5": None}, []),
}


def write(folder: Path, changed: dict[str, str | None] | None = None) -> list[str]:
    """The folder of sources, one of facts, and the arguments that name them."""
    for release, holds in ({**FOLDER, **(changed or {})}).items():
        if holds is not None:
            place = folder / "sources" / release
            place.mkdir(parents=True)
            (place / "importers.cpp").write_text(IMPORTERS if holds else IMPORTERS.replace("1D", "a vector"), "utf-8")
    (folder / "facts").mkdir()
    (folder / "facts" / "Pad.toml").write_text(FACTS, "utf-8")
    explained = folder / "explained.toml"
    explained.write_text("", "utf-8")
    return [str(folder / "sources"), "--facts", str(folder / "facts"), "--explained", str(explained)]


@pytest.mark.parametrize("name", FOLDERS)
def test_ranges_are_compared_with_the_sources(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed, told = FOLDERS[name]
    status = main(write(tmp_path, changed))
    *lines, last = capsys.readouterr().out.splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        f"Pad:pad-rank 8.4..9.0 {words} input must be 1D" for words in told
    ]
    assert status == bool(told)
    assert f"{len(told) > 0:d} unexplained" in last


def test_a_case_of_the_same_fact_may_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = write(tmp_path, {"9.1": "Pad"})
    more = FACTS + FACTS.replace("8.4..9.0", "9.1..9.2")
    (tmp_path / "facts" / "Pad.toml").write_text(more, "utf-8")
    assert main(arguments) == 0
    assert "0 unexplained" in capsys.readouterr().out


# Whether an explanation covers the text at 9.1, after the range.
EXPLANATIONS = {
    "that one": ('id = "pad-rank"\nafter = "9.1"', True),
    "of the operator": ('id = "pad-rank"\nops = ["Pad", "Conv"]\nafter = "9.0..9.1"', True),
    "of another operator": ('id = "pad-rank"\nops = ["Conv"]\nafter = "9.1"', False),
    "of another fact": ('id = "pad-mode"\nafter = "9.1"', False),
    "of another release": ('id = "pad-rank"\nafter = "9.0"', False),
    "of another kind": ('id = "pad-rank"\nbefore = "9.1"', False),
}


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_what_is_explained_is_not_told_and_what_explains_nothing_is(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry, covers = EXPLANATIONS[name]
    arguments = write(tmp_path, {"9.1": "Pad"})
    (tmp_path / "explained.toml").write_text(f'[[explained]]\n{entry}\nreason = "it is known"\n', "utf-8")
    assert main(arguments) == (not covers)
    out = capsys.readouterr().out
    assert ("in vain" in out) == (not covers)
    assert f"{covers:d} explained" in out


MISTAKES = {
    "no folder": ("none", "", "none is no folder"),
    "an empty folder": ("empty", "", "has no folder of a release"),
    "no reason": ("", '[[explained]]\nid = "a"\nafter = "9.1"', "explained.toml: a: a reason and one of"),
    "no kind": ("", '[[explained]]\nid = "a"\nreason = "b"', "explained.toml: a: a reason and one of"),
    "an unknown key": ("", '[[explained]]\nid = "a"\nwhy = "b"', "unknown key `why`"),
    "an unknown release": ("", '[[explained]]\nid = "a"\nafter = "7.1"\nreason = "b"', "`7.1` is no release"),
    "no TOML": ("", "[[", "read_sources: "),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_2(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, explained, message = MISTAKES[name]
    arguments = write(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "explained.toml").write_text(explained, "utf-8")
    arguments[0] = str(tmp_path / folder) if folder else arguments[0]
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_what_is_explained_is_about_facts_that_are_there() -> None:
    releases = read_sources.releases_of(read_sources.support())
    known = {(fact.op, fact.id) for fact in read_sources.facts(read_sources.FACTS, releases)}
    for one in read_sources.explanations(read_sources.EXPLAINED, releases):
        assert one.id in {name for _, name in known}, one.id
        assert all((op, one.id) in known for op in one.ops), one.id
