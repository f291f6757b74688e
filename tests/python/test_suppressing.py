"""Suppressing inside the model, from Python."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import jsonschema
import onnx
import pytest
import samples

import trtcheck

SCHEMA = Path(__file__).parents[2] / "cpp" / "data" / "report.schema.json"


def with_ignore(text: str, node: str = "") -> onnx.ModelProto:
    model = samples.proto(samples.REFUSED)
    (holder,) = [n for n in model.graph.node if n.op_type == node] if node else [model]
    holder.metadata_props.add(key="trtcheck.ignore", value=text)
    return model


@pytest.mark.parametrize(("node", "by"), [("", "model"), ("Foo", "node")])
def test_a_suppressed_finding_is_listed(node: str, by: str) -> None:
    report = trtcheck.check(with_ignore("OPS103: our plugin serves it", node))
    assert (report.verdict, len(report), report.suppressed) == ("clean", 0, 1)
    (suppressed,) = report.suppressions
    assert (suppressed.finding.code, suppressed.by, suppressed.reason) == ("OPS103", by, "our plugin serves it")
    assert repr(suppressed).startswith(f"<Suppressed by {by}: OPS103 error: ")
    plain = trtcheck.check(samples.serialized(samples.REFUSED))
    assert suppressed.finding.fingerprint == plain[0].fingerprint


def test_json_follows_the_schema() -> None:
    report = trtcheck.check(with_ignore("OPS103: our plugin serves it; QDQ104"))
    document = json.loads(report.to_json())
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    (model,) = document["models"]
    assert model["suppressed"] == 1
    (entry,) = model["suppressions"]
    assert (entry["by"], entry["reason"], entry["finding"]["code"]) == ("model", "our plugin serves it", "OPS103")
    assert [finding["code"] for finding in model["findings"]] == ["MDL901"]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_suppressions_travel_by_pickle(protocol: int) -> None:
    report = trtcheck.check(with_ignore("OPS103: b\u00e9cause"))
    twin = pickle.loads(pickle.dumps(report, protocol))
    assert twin.to_json() == report.to_json()
    assert (twin.unmatched, twin.suppressed) == (report.unmatched, 1)
    (one,), (other,) = report.suppressions, twin.suppressions
    assert (other.by, other.reason, other.finding.fingerprint) == (one.by, one.reason, one.finding.fingerprint)
    alone = pickle.loads(pickle.dumps(one, protocol))
    assert (alone.reason, str(alone.finding)) == (one.reason, str(one.finding))


def test_an_entry_without_effect_is_told() -> None:
    report = trtcheck.check(with_ignore("QDQ: none here", "Foo"))
    assert [(finding.code, finding.severity, finding.node) for finding in report] == [
        ("OPS103", "error", "Foo_1"),
        ("MDL902", "info", "Foo_1"),
    ]


def test_an_onnx_model_keeps_its_suppression(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(with_ignore("plugin-missing: our plugin serves it"), path)
    assert trtcheck.check(path).ok
