"""A finding that was accepted hides itself and nothing else: over facts, places and releases."""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from pathlib import Path

import pytest
from test_fact_records import CASES, RELEASES, RTX, Case, options

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


def found(case: Case, release: str) -> list[Finding]:
    return flat(trtcheck.check(case.model("example"), target=release, **options(case)).findings)


@pytest.mark.parametrize("file", sorted({case.file for case in CASES}))
def test_no_fact_has_the_fingerprint_of_another_one_in_any_release(file: str) -> None:
    compared = 0
    for case in (case for case in CASES if case.file == file):
        addresses: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for release in [*RELEASES, *RTX]:
            for finding in found(case, release):
                addresses[finding.fingerprint].add((finding.code, finding.fact))
                compared += 1
        shared = [names for names in addresses.values() if len(names) > 1]
        assert not shared, f"{case.op}: {case.data['id']}"
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
    walked = random.Random(seed).sample(CASES, WALKED)
    new = 0
    for case in walked:
        model = case.model("example")
        known: trtcheck.Baseline | None = None
        before: dict[Key, str] = {}
        for release in STEPS:
            report = trtcheck.check(model, target=release, **options(case))
            now = {key(finding): finding.severity for finding in flat(report.findings)}
            wanted = {one for one, severity in now.items() if one not in before or rank(severity) > rank(before[one])}
            if known is not None:
                told = {key(finding) for finding in flat(known.apply(report).findings)}
                assert told == wanted, f"seed {seed}, {case.op}: {case.data['id']}, {release}"
                new += len(wanted)
            known, before = accepted(trtcheck.check(model, target=release, **options(case)), tmp_path / "b"), now
    assert new > WALKED / 10, f"seed {seed}"


def rank(severity: str) -> int:
    return ("info", "warning", "error").index(severity)


def test_an_accepted_warning_does_not_hide_an_error(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.data["id"] == "pad-mode")
    report = trtcheck.check(case.model("example"), target=case.last)
    known = accepted(report, tmp_path / "b")
    assert known.apply(report).findings == []
    mild = (tmp_path / "b").read_text("utf-8").replace('"error"', '"warning"')
    (tmp_path / "b").write_text(mild, "utf-8")
    told = trtcheck.read_baseline(tmp_path / "b").apply(report).findings
    assert {finding.severity for finding in told} == {"error"}
    assert "pad-mode" in {finding.fact for finding in told}
