"""What the importers of one release can print: functions of C++ sources with their texts and what they call.

No compiler is needed for that: braces tell where a function ends, and a name in front of a parenthesis what it calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

#: In a text: here stands what only a run knows.
VARIES = "\0"
#: So much of a text must stand in the source literally, where the rest is what varies.
MOST_VARYING = 0.35
#: Shorter runs of letters show nothing.
SHORTEST = 8

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"
      | "(?P<text>(?:[^"\\\n]|\\.)*)"
      | (?P<other>'(?:[^'\\\n]|\\.)+'|\w+|<<|::|\S|\n)""",
    re.VERBOSE | re.DOTALL,
)
#: Braces after these words hold functions.
TRANSPARENT = {"namespace", "class", "struct", "extern", "union"}
#: Where nodes of every operator pass.
COMMON_FILES = ("ModelImporter.cpp", "ImporterContext.cpp", "OnnxAttrs.cpp")
#: Macros that make the importer or the checker of an operator, and the name of the function that they make.
MADE_BY = {
    "DEFINE_BUILTIN_OP_IMPORTER": "import",
    "DEFINE_BUILTIN_OP_CHECKER": "check",
    "DEFINE_OP_CHECKER": "check",
}


@dataclass(frozen=True)
class Token:
    text: str
    is_literal: bool = False


@dataclass
class Function:
    """`calls`: all names in its body, known functions or not."""

    name: str
    body: list[Token] = field(default_factory=list)

    @cached_property
    def calls(self) -> set[str]:
        return {token.text for token in self.body if not token.is_literal and token.text[0].isalpha()}

    @cached_property
    def texts(self) -> list[str]:
        return list(dict.fromkeys(texts(self.body)))

    @cached_property
    def code(self) -> str:
        """Without blanks: an assertion prints its condition."""
        return "".join(re.sub(r"\s", "", token.text) for token in self.body)


def tokens(source: str) -> Iterator[Token]:
    for found in TOKEN.finditer(source):
        if found["comment"]:
            continue
        if found["other"]:
            if found["other"] != "\n":
                yield Token(found["other"])
        elif found["raw"] is not None:
            yield Token(found["raw"], True)
        else:
            yield Token(re.sub(r"\\(.)", lambda m: {"n": " ", "t": " "}.get(m[1], m[1]), found["text"]), True)


def texts(body: Iterable[Token]) -> Iterator[str]:
    """Literals that follow each other are one; what is put between them varies. A comma or a statement ends a text."""
    open_texts = [""]

    def ended(text: str) -> Iterator[str]:
        if text.strip(VARIES):
            yield " ".join(text.split(" "))

    for token in body:
        if token.is_literal:
            open_texts[-1] += token.text
        elif token.text == "(":
            open_texts.append("")
        elif token.text == ")":
            yield from ended(open_texts.pop())
            open_texts = open_texts or [""]
            open_texts[-1] += VARIES * (not open_texts[-1].endswith(VARIES))
        elif token.text in ",;{}":
            yield from ended(open_texts[-1])
            open_texts[-1] = ""
        elif token.text not in ("<<", "+") and not open_texts[-1].endswith(VARIES):
            open_texts[-1] += VARIES
    for text in open_texts:
        yield from ended(text)


def functions(source: str) -> Iterator[Function]:
    """Macros too: their name calls them."""
    source = source.replace("\\\r\n", "\\\n").replace("\r\n", "\n")
    define = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n]*\\\n)*[^\n]*)\n", re.MULTILINE)
    for macro in define.finditer(source):
        yield Function(macro[1], list(tokens(macro[2].replace("\\\n", " "))))
    source = define.sub("\n", source)
    source = re.sub(r"^[ \t]*#[^\n]*$", "", source, flags=re.MULTILINE)
    header: list[Token] = []
    body: list[Token] | None = None
    depth = 0
    for token in tokens(source):
        bare = "" if token.is_literal else token.text
        if body is not None:
            depth += {"{": 1, "}": -1}.get(bare, 0)
            if depth:
                body.append(token)
            else:
                yield Function(function_name(header), body)
                header, body = [], None
        elif bare == "{":
            if any(one.text in TRANSPARENT for one in header) and not any(one.text == "(" for one in header):
                header = []
            else:
                body, depth = [], 1
        elif bare in (";", "}"):
            header = []
        else:
            header.append(token)


def function_name(header: list[Token]) -> str:
    """`importAbs` of DEFINE_BUILTIN_OP_IMPORTER(Abs); empty for a table of values."""
    words = [token.text for token in header]
    # Empty checkers in front of it end with no brace and no semicolon.
    made = [at for at, word in enumerate(words) if word in MADE_BY]
    words = words[made[-1] :] if made else words
    if "(" not in words or "=" in words[: words.index("(")]:
        return ""
    at = words.index("(")
    name = words[at - 1] if at else ""
    if name in MADE_BY and len(words) > at + 1:
        return MADE_BY[name] + words[at + 1]
    return name


class Release:
    """Functions of one release by name; those of one name are kept together."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.functions: dict[str, list[Function]] = {}
        common: list[str] = []
        for name, source in sorted(sources.items()):
            for function in functions(source):
                self.functions.setdefault(function.name, []).append(function)
                if name in COMMON_FILES:
                    common.append(function.name)
        self.common = self.reached(common)
        self.answers: dict[tuple[str, str], bool] = {}

    @staticmethod
    def read(folder: Path) -> Release:
        paths = [path for path in folder.iterdir() if path.suffix in (".cpp", ".hpp", ".h")]
        return Release({path.name: path.read_text("utf-8", "replace") for path in paths})

    def reached(self, names: Iterable[str]) -> set[str]:
        """These functions and all that they call, in order of nothing."""
        found: set[str] = set()
        waiting = [name for name in names if name in self.functions]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += [call for one in self.functions[name] for call in one.calls if call in self.functions]
        return found

    def knows(self, op: str) -> bool:
        return f"import{op}" in self.functions

    def prints(self, op: str, says: str) -> bool:
        """Whether an importer or checker of the operator, or what every node passes, can print it; `*` varies."""
        names = self.reached([f"import{op}", f"check{op}"]) | self.common
        return any(self.can_print(name, says) for name in sorted(names))

    def can_print(self, name: str, says: str) -> bool:
        if (name, says) not in self.answers:
            self.answers[name, says] = any(prints(one, says) for one in self.functions[name])
        return self.answers[name, says]


def prints(function: Function, says: str) -> bool:
    if any(matches(says, text) for text in function.texts):
        return True
    pieces = ["".join(piece.split()) for piece in says.split("*") if piece.strip()]
    is_code = any(mark in says for mark in ("(", "::", "==", "!="))
    return is_code and all(len(piece) >= SHORTEST and piece in function.code for piece in pieces)


def matches(says: str, text: str) -> bool:
    """Whether what the source prints can hold what is said. Both vary somewhere."""
    pieces = [piece for piece in says.split("*") if piece.strip()]
    if re.search(".*".join(re.escape(piece.strip()) for piece in pieces), text, re.DOTALL):
        return True
    runs = [run for run in text.split(VARIES) if len(run.strip()) >= SHORTEST]
    if VARIES not in text or not any(touches(run, says) for run in runs):
        return False
    return literal_share(says, text) >= 1 - MOST_VARYING


def touches(run: str, says: str) -> bool:
    return any(run[at : at + SHORTEST] in says for at in range(len(run) - SHORTEST + 1))


def literal_share(says: str, text: str) -> float:
    """How much of `says` the source's own letters make up at best, where the rest stands for what varies."""
    constant = sum(letter != "*" for letter in says)
    none = -len(says) - 1
    # best[j]: letters so far when the next one of the text is j; before the first one, the text may begin anywhere.
    best = [0] * (len(text) + 1)
    for letter in says:
        after = [none] * (len(text) + 1)
        for j, so_far in enumerate(best):
            if so_far == none:
                continue
            if letter == "*":
                # It may stand for any letters of the text.
                for k in range(j, len(text) + 1):
                    after[k] = max(after[k], so_far)
            elif j < len(text) and text[j] == VARIES:
                after[j] = max(after[j], so_far)
                if j + 1 < len(text) and text[j + 1] == letter:
                    after[j + 2] = max(after[j + 2], so_far + 1)
            elif j < len(text) and text[j] == letter:
                after[j + 1] = max(after[j + 1], so_far + 1)
        best = after
    return max(best) / max(constant, 1)
