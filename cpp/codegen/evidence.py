"""How a fact is known, as values: which sources were opened, what was measured, who reported it.

    read = "8.0..10.10"                             sources of TensorRT's parser, and its headers
    measured = { "rtx-1.5..rtx-1.7" = "refused" }   what versions of TensorRT-RTX did with such models
    reported = ["https://..."]                      threads of users
    source = ["importer-code"]                      where to look it up: texts, or keys of cpp/data/op_support.json

Certainty is computed from them (cpp/src/evidence). Standard library only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from data import DataError

VERDICTS = ("refused", "crashed", "changed", "ignored", "built", "accepted")


@dataclass(frozen=True)
class Evidence:
    #: places of the first and the last release whose source was opened
    read: tuple[int | None, int | None]
    #: spans of versions, each with one of VERDICTS
    measured: tuple[tuple[tuple[str, str], str], ...]
    reported: tuple[str, ...]
    source: str

    @staticmethod
    def of(case: dict[str, Any], releases: list[str], sources: dict[str, str]) -> Evidence:
        """@param releases  of TensorRT, in order; @param sources  texts by key"""
        found = Evidence(
            read_span(case.get("read"), releases),
            tuple(measurement(span, verdict) for span, verdict in case.get("measured", {}).items()),
            tuple(case.get("reported", [])),
            source_text(case.get("source", []), sources),
        )
        if not (found.measured or found.reported or found.source):
            raise DataError("no `source`, `measured` or `reported`: how is it known?")
        for url in found.reported:
            if not url.startswith("https://"):
                raise DataError(f"`reported`: {url} is no address")
        return found

    def verdict(self, release: str) -> str | None:
        """What that version of TensorRT-RTX did; None: nobody asked it."""
        for (first, last), verdict in self.measured:
            if number(first) <= number(release) <= number(last):
                return verdict
        return None


def read_span(text: str | None, releases: list[str]) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    first, dots, last = text.partition("..")
    for release in {first, last or first}:
        if release not in releases or (dots and not last):
            raise DataError(f"`read`: {text} is no range of releases of TensorRT")
    if releases.index(first) > releases.index(last or first):
        raise DataError(f"`read`: the range {text} is empty")
    return releases.index(first), releases.index(last or first)


def number(release: str) -> tuple[int, int]:
    """(1, 5) of "rtx-1.5"."""
    major, minor = release.removeprefix("rtx-").split(".")
    return int(major), int(minor)


def measurement(text: str, verdict: str) -> tuple[tuple[str, str], str]:
    first, _, last = text.partition("..")
    last = last or first
    for release in (first, last):
        if not re.fullmatch(r"rtx-\d+\.\d+", release):
            raise DataError(f"`measured`: {text} is no range of versions of TensorRT-RTX")
    if number(first) > number(last):
        raise DataError(f"`measured`: the range {text} is empty")
    if verdict not in VERDICTS:
        raise DataError(f"`measured`: `{verdict}` is no verdict (known: {', '.join(VERDICTS)})")
    return (first, last), verdict


def source_text(named: list[str], sources: dict[str, str]) -> str:
    for key in named:
        if re.fullmatch(r"[a-z-]+", key) and key not in sources:
            raise DataError(f"source `{key}` is not among the sources ({', '.join(sources)})")
    return "; ".join(sources.get(key, key) for key in named)
