"""The documentation site: `make docs` writes build/docs/html.

The pages are Markdown that reads well on GitHub. What only a site can have is added here: the table of contents of the
rule pages, the references made from docstrings and headers. Nothing is fetched from a network, when it is built or when
it is read.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

project = "trtcheck"
author = "the trtcheck authors"
_version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
assert _version is not None
version = release = _version[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "breathe", "sphinx_copybutton"]
root_doc = "index"
exclude_patterns = ["_build"]
nitpicky = True
# Types of other projects; there is no inventory of them to look into.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!trtcheck).*|trtcheck\._.*"),
    (r"cpp:.*", r"(std|rules)\b.*|u?int\w+|size_t|\w+Tag"),
]

# Each header opens the namespace anew; members called `bytes` are no other meaning of the type in a signature.
suppress_warnings = ["duplicate_declaration.cpp", "ref.python"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_numpy_docstring = False
# `x` in a docstring is code.
default_role = "code"

_doxygen = Path(os.environ.get("TRTCHECK_DOXYGEN", ROOT / "build/docs/doxygen"))
breathe_projects = {"trtcheck": str(_doxygen / "xml")}
breathe_default_project = "trtcheck"
breathe_default_members = ("members",)

html_theme = "furo"
html_title = f"trtcheck {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["messages.js"]
html_copy_source = False
html_show_copyright = False
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True


class OnnxText(RegexLexer):
    """The text form of ONNX models (onnx.parser), as the rules write their examples."""

    name = "ONNX text"
    aliases = ("onnx",)
    tokens = {  # noqa: RUF012
        "root": [
            (r"#.*$", Comment.Single),
            (r'"[^"]*"', String),
            (r"=>|=", Operator),
            (r"-?\d+(\.\d+)?([eE][-+]?\d+)?", Number),
            (r"\b(float|float16|double|bfloat16|u?int(4|8|16|32|64)|bool|string|seq|optional|map)\b", Keyword.Type),
            (r"([A-Za-z_][\w.]*)(\s*)(?=[<(])", bygroups(Name.Function, Text)),
            (r"[A-Za-z_][\w./:]*", Name),
            (r"[<>()\[\]{},:]", Punctuation),
            (r"\s+", Text),
            (r".", Text),
        ]
    }


# Doxygen puts private members into its XML whatever it is told; the rest has no page to link to.
_NOT_FOR_READERS = re.compile(
    r"\s*<(includes|includedby)\b.*?</\1>"
    r'|\s*<sectiondef kind="(?:private|friend|protected)[^"]*">.*?</sectiondef>',
    re.DOTALL,
)


def make_cpp_reference(_: Sphinx) -> None:
    """Runs Doxygen; a public declaration without a comment is an error, as everything that it warns of."""
    _doxygen.mkdir(parents=True, exist_ok=True)
    settings = (HERE / "Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {_doxygen}\n"
    try:
        ran = subprocess.run(["doxygen", "-"], input=settings, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ExtensionError(f"doxygen: {error}") from error
    if ran.stderr:
        raise ExtensionError(f"doxygen:\n{ran.stderr}")
    for page in (_doxygen / "xml").glob("*.xml"):
        page.write_text(_NOT_FOR_READERS.sub("", page.read_text()))


def add_to_pages(_: Sphinx, docname: str, source: list[str]) -> None:
    """The pages of the rules stand below their index, the headers on their page, so that no list forgets one."""
    if docname == "index":
        others = sorted(
            page.stem for page in HERE.glob("*.md") if not re.search(rf"^{page.stem}$", source[0], re.MULTILINE)
        )
        pages = "\n".join(page for page in others if page != docname)
        source[0] += f"\n```{{toctree}}\n:caption: More\n:hidden:\n:maxdepth: 1\n\n{pages}\n```\n"
    if docname == "rules/index":
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"
    if docname == "reference/cpp":
        source[0] += "".join(map(header_section, sorted((ROOT / "cpp/include/trtcheck").glob("*.hpp"))))


def header_section(header: Path) -> str:
    """What the header says of itself at its top, then its declarations."""
    top = re.match(r"(?://.*\n)+", header.read_text())
    lines = [line[3:] for line in top[0].splitlines()] if top else []
    # What is indented is code.
    text = re.sub(
        r"(?:^ {4}.*\n|^\n(?= {4}))+", "\n.. code-block:: cpp\n\n\\g<0>\n", "\n".join(lines) + "\n", flags=re.MULTILINE
    )
    return f"\n{header.name}\n{'-' * len(header.name)}\n\n{text}\n.. doxygenfile:: {header.name}\n"


def read_docstring(_: Sphinx, what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Docstrings are written for people and terminals: indented text is code, a colon in a property is a colon."""
    for at in reversed(range(1, len(lines))):
        if lines[at].startswith("    ") and not lines[at - 1].strip():
            # Not a further paragraph of the code above it.
            before = next((line for line in reversed(lines[:at]) if line.strip()), "")
            if not before.startswith("    "):
                lines[at:at] = [".. code-block:: python", ""]
    if what in ("property", "attribute", "data"):
        # Napoleon reads "type: description" from a first line.
        lines.insert(0, "")


def setup(app: Sphinx) -> None:
    app.add_lexer("onnx", OnnxText)
    app.connect("builder-inited", make_cpp_reference)
    app.connect("source-read", add_to_pages)
    app.connect("autodoc-process-docstring", read_docstring, priority=400)
