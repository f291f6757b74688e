"""Reports, findings, targets and errors travel: by every protocol of pickle, by copy and by cloudpickle."""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import pytest
import samples

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples/models").glob("*.onnx"))
OPTIONS: dict[str, Any] = {
    "target": "10.3",
    "precision": ["fp16", "int8"],
    "compute_capability": (8, 6),
    "plugins": ["Mine"],
}

Way = Callable[[Any], Any]
WAYS: dict[str, Way] = {
    **{f"protocol{p}": lambda o, p=p: pickle.loads(pickle.dumps(o, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)},
    "cloudpickle": lambda o: pickle.loads(cloudpickle.dumps(o)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def state(value: Any) -> object:
    """All that a value holds, also what no attribute shows."""
    return value.__reduce__()[1]


def flat(findings: list[trtcheck.Finding]) -> Iterator[trtcheck.Finding]:
    for finding in findings:
        yield finding
        yield from flat(finding.consequences)


@every_way
def test_reports_of_all_examples(way: Way) -> None:
    fields = {"source": 0, "notes": 0, "fix": 0, "signature": 0, "module": 0, "evidence": 0}
    for path in EXAMPLES:
        report = trtcheck.check(path, **OPTIONS)
        twin = way(report)
        assert state(twin) == state(report)
        assert (str(twin), twin.to_json(), twin.path) == (str(report), report.to_json(), report.path)
        for finding in flat(report.findings):
            for name in fields:
                fields[name] += bool(getattr(finding, name))
            assert state(way(finding)) == state(finding)
    assert all(fields.values()), f"the examples do not show that these survive: {fields}"


@every_way
def test_targets(way: Way) -> None:
    target = trtcheck.check(EXAMPLES[0], **OPTIONS).target
    twin = way(target)
    assert (twin.release, twin.precision, twin.compute_capability) == ("10.3", ["fp16", "int8"], "8.6")
    assert state(twin) == state(target)
    made = way(trtcheck.Target(release="8.6", profile=["x=1x3:4x3:8x3"], plugins=["A", "B"], dla=True))
    assert (made.profile, made.plugins, made.dla) == ({"x": ([1, 3], [4, 3], [8, 3])}, ["A", "B"], True)
    assert trtcheck.check(samples.serialized(samples.HEALTHY), target=made).target.release == "8.6"


@every_way
def test_settings(way: Way, tmp_path: Path) -> None:
    (tmp_path / "trtcheck.toml").write_text(
        'target = "10.3"\nignore = ["QDQ"]\nper-file-ignores = { "a.onnx" = ["OPS"] }\n'
    )
    settings = trtcheck.load_settings(tmp_path, precision="fp16", fail_on="warning")
    twin = way(settings)
    assert str(twin) == str(settings)
    assert (twin.target.release, twin.target.precision, twin.fail_on) == ("10.3", ["fp16"], "warning")
    path = tmp_path / "a.onnx"
    path.write_bytes(samples.serialized(samples.REFUSED))
    assert twin.check(path).to_json() == settings.check(path).to_json()
    assert twin.check(path).suppressed == 1


@every_way
def test_errors(way: Way) -> None:
    with pytest.raises(trtcheck.Error) as missing:
        trtcheck.check("missing.onnx")
    with pytest.raises(trtcheck.Error) as malformed:
        trtcheck.check(b"\x08\x08\x3a\x05")
    with pytest.raises(trtcheck.ConversionError) as refused:
        trtcheck.check(samples.serialized(samples.REFUSED)).raise_for_errors()
    for caught in (missing, malformed, refused):
        twin = way(caught.value)
        assert type(twin) is type(caught.value)
        assert (str(twin), twin.path, twin.cause) == (str(caught.value), caught.value.path, caught.value.cause)
        assert twin.offset == caught.value.offset
    assert malformed.value.offset is not None


@every_way
def test_names_that_are_no_text(way: Way, tmp_path: Path) -> None:
    content = samples.serialized(samples.REFUSED).replace(b"Foo", b"F\xff\xfe")
    path = tmp_path / os.fsdecode(b"m\xe9.onnx")
    path.write_bytes(content)
    report = trtcheck.check(path)
    assert "F\\xff\\xfe" in str(report)
    assert state(way(report)) == state(report)
    assert str(way(report)) == str(report)


FIELDS = [
    "rule",
    "fact",
    "severity",
    "certainty",
    "of_other_releases",
    "message",
    "node",
    "op_type",
    "graph",
    "value",
    "signature",
    "source",
    "library",
    "module",
    "notes",
    "fix",
    "evidence",
    "witness",
    "fingerprint",
    "group",
    "neighbourhood",
    "consequences",
    "node_id",
    "caused_by",
]


def picture() -> tuple[Any, ...]:
    """A picture of two nodes, as a state: whether `check` draws one is not for this test to say."""
    nodes = [(0, 1, b"Conv", b"conv"), (0, 2, b"Foo\xff", b"foo")]
    return nodes, [(0, 1, b"y", b"FLOAT[N,4]", True, b"= [1]")]


@every_way
def test_fingerprints_pictures_and_suppressions(way: Way) -> None:
    report = trtcheck.check(samples.serialized(samples.REFUSED))
    format, fields = state(report[0])[0]  # type: ignore[index]
    finding = [*fields]
    finding[FIELDS.index("fingerprint")] = b"0123456789abcdef"
    finding[FIELDS.index("neighbourhood")] = picture()
    made = trtcheck.Finding((format, tuple(finding)))
    assert made.fingerprint == "0123456789abcdef"
    assert state(way(made)) == ((format, tuple(finding)),)
    whole, remarks = state(report)[0][1]  # type: ignore[index]
    whole = [*whole]
    whole[6:8] = [(2, b"known, see #12", tuple(finding))], [b"per-node-ignores: `*` matched nothing"]
    report = trtcheck.Report((format, (tuple(whole), remarks)))
    assert report.suppressions[0].reason == "known, see #12"
    assert state(way(report)) == ((format, (tuple(whole), remarks)),)


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("rule", "XYZ999", "rule XYZ999 is not known"),
        ("neighbourhood", ([], [(0, 1, b"", b"", False, b"")]), "an edge to nowhere"),
        ("notes", [(b"a note of two fields", b"")], "another version"),
    ],
)
def test_a_state_that_makes_no_sense_is_refused(field: str, value: object, text: str) -> None:
    format, fields = state(trtcheck.check(samples.serialized(samples.REFUSED))[0])[0]  # type: ignore[index]
    finding = [*fields]
    finding[FIELDS.index(field)] = value
    with pytest.raises(ValueError, match=text):
        trtcheck.Finding((format, tuple(finding)))


def test_a_state_of_another_version_is_refused() -> None:
    format, fields = state(trtcheck.check(samples.serialized(samples.REFUSED))[0])[0]  # type: ignore[index]
    for other in (1, 99, "4", None):
        with pytest.raises(ValueError, match="another version"):
            trtcheck.Finding((other, fields))
    with pytest.raises(ValueError, match="another version"):
        trtcheck.Finding((format, fields[:-1]))
    with pytest.raises(ValueError, match="another version"):
        trtcheck.Finding((2,))
