"""A finding that was accepted hides itself and nothing else: over facts, places and releases."""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from pathlib import Path

import pytest
from test_fact_records import RELEASES, ROWS, RTX, Row

import trtcheck
from trtcheck import Finding

Key = tuple[str, str, str, str, str]

#: Releases that people move between.
STEPS = ("8.6", "10.3", "10.16", "11.5")
WALKED = 200


def flat(findings: list[Finding]) -> list[Finding]:
    return [each for finding in findings for each in (finding, *flat(finding.consequences))]


def key(finding: Finding) -> Key:
    return finding.code, finding.fact, finding.graph, finding.node, finding.value


def found(row: Row, release: str) -> list[Finding]:
    effects = row.data.keys()
    report = trtcheck.check(
        row.model("example"), target=release, dla="fallback" in effects, strongly_typed="network" in effects
    )
    return flat(report.findings)


@pytest.mark.parametrize("file", sorted({row.file for row in ROWS}))
def test_no_fact_has_the_fingerprint_of_another_one_in_any_release(file: str) -> None:
    compared = 0
    for row in (row for row in ROWS if row.file == file):
        addresses: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for release in [*RELEASES, *RTX]:
            for finding in found(row, release):
                addresses[finding.fingerprint].add((finding.code, finding.fact))
                compared += 1
        shared = [names for names in addresses.values() if len(names) > 1]
        assert not shared, f"{row.op}: {row.data['id']}"
    assert compared > 0


def accepted(report: trtcheck.Report, path: Path) -> trtcheck.Baseline:
    """What `--update-baseline` writes of it."""
    findings = [
        {
            "model": "",
            "code": finding.code,
            "fact": finding.fact,
            "severity": finding.severity,
            "fingerprint": finding.fingerprint,
            "count": 1,
            "message": finding.message,
        }
        for finding in flat(report.findings)
    ]
    path.write_text(json.dumps({"schema_version": 1, "findings": findings}), "utf-8")
    return trtcheck.read_baseline(path)


def test_what_is_new_in_a_later_release_is_reported_although_the_earlier_one_was_accepted(tmp_path: Path) -> None:
    seed = int.from_bytes(os.urandom(4), "big")
    walked = random.Random(seed).sample(ROWS, WALKED)
    new = 0
    for row in walked:
        model = row.model("example")
        strong = "network" in row.data
        known: trtcheck.Baseline | None = None
        before: dict[Key, str] = {}
        for release in STEPS:
            report = trtcheck.check(model, target=release, strongly_typed=strong)
            now = {key(finding): finding.severity for finding in flat(report.findings)}
            wanted = {one for one, severity in now.items() if one not in before or rank(severity) > rank(before[one])}
            if known is not None:
                told = {key(finding) for finding in flat(known.apply(report).findings)}
                assert told == wanted, f"seed {seed}, {row.op}: {row.data['id']}, {release}"
                new += len(wanted)
            known, before = accepted(trtcheck.check(model, target=release, strongly_typed=strong), tmp_path / "b"), now
    assert new > WALKED / 10, f"seed {seed}"


def rank(severity: str) -> int:
    return ("info", "warning", "error").index(severity)


def test_an_accepted_warning_does_not_hide_an_error(tmp_path: Path) -> None:
    row = next(row for row in ROWS if row.data["id"] == "pad-mode")
    report = trtcheck.check(row.model("example"), target=row.last)
    known = accepted(report, tmp_path / "b")
    assert known.apply(report).findings == []
    mild = (tmp_path / "b").read_text("utf-8").replace('"error"', '"warning"')
    (tmp_path / "b").write_text(mild, "utf-8")
    told = trtcheck.read_baseline(tmp_path / "b").apply(report).findings
    assert {finding.severity for finding in told} == {"error"}
    assert "pad-mode" in {finding.fact for finding in told}
