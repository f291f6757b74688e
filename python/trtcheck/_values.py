"""What every value can be turned into: plain values of Python, and what a notebook shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from html import escape
from typing import Any

from trtcheck import _core

_CELL = "text-align:left;vertical-align:top;padding:1px 14px 1px 0"
# Rows of a table, and characters of a cell.
_MOST_ROWS = 200
_MOST_TEXT = 2000
# Parts of a model are named by this attribute: they refer to each other without end.
_NAMES = {
    _core.Model: "path",
    _core.Graph: "path",
    _core.Node: "label",
    _core.Value: "name",
    _core.Tensor: "name",
}


def attributes(value: object) -> list[str]:
    """Names of what it shows, in the order of its class."""
    return [name for name, entry in vars(type(value)).items() if isinstance(entry, property) and name[0] != "_"]


def plain(value: Any) -> Any:
    """Its attributes as dictionaries, lists, text, numbers and None; what has a document of its own as that."""
    if isinstance(value, _core.Shapes):
        made = {name: _plain(getattr(value, name)) for name in attributes(value)}
        return {"values": {name: _plain(shape) for name, shape in value.items()}, **made}
    return {name: _plain(getattr(value, name)) for name in attributes(value)}


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, (str, int, float)) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if (name := _NAMES.get(type(value))) is not None:
        return getattr(value, name)
    return value.to_dict() if hasattr(value, "to_dict") else str(value)


def html(value: Any) -> str:
    """With the colours of the notebook."""
    for kind, show in _VIEWS.items():
        if isinstance(value, kind):
            return show(value)
    return _table(("", type(value).__name__), ((name, _cell(getattr(value, name))) for name in attributes(value)))


def _cell(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_cell(entry)}" for key, entry in value.items())
    if value is None:
        return ""
    if (name := _NAMES.get(type(value))) is not None:
        return str(getattr(value, name))
    return value.name if isinstance(value, Enum) else str(value)


def _text(text: str) -> str:
    shown = "".join(each if each.isprintable() or each == "\n" else ascii(each)[1:-1] for each in text[:_MOST_TEXT])
    return escape(shown + ("…" if len(text) > _MOST_TEXT else ""))


def _line(text: str) -> str:
    return f"<div>{_text(text)}</div>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f'<th scope="col" style="{_CELL}">{_text(name)}</th>' for name in head)
    out = f'<table style="border-collapse:collapse;border:0"><thead><tr>{cells}</tr></thead><tbody>'
    left = 0
    for index, row in enumerate(rows):
        if index >= _MOST_ROWS:
            left += 1
            continue
        cells = "".join(f'<td style="{_CELL}">{_text(text)}</td>' for text in row)
        out += f'<tr style="background:none">{cells}</tr>'
    return out + "</tbody></table>" + (f"<div>and {left} more</div>" if left else "")


def _findings(findings: Iterable[_core.Finding], mark: str = "") -> list[tuple[str, str, str]]:
    return [(mark or each.severity, each.code, f"{each.node}: {each.message}" if each.node else each.message)
            for each in findings]  # fmt: skip


def _matrix(value: _core.Matrix) -> str:
    rows = [
        (
            each.first if each.first == each.last else f"{each.first} to {each.last}",
            each.verdict,
            "\n".join(f"{finding.code}: {finding.message}" for finding in each.deciding),
        )
        for each in value.ranges
    ]
    return _line(value.path) + _table(("releases", "verdict", "because of"), rows)


def _confirmation(value: _core.Confirmation) -> str:
    asked = f"{value.witness.product} {value.witness.release}: {value.testimony}"
    reason = f" ({value.reason})" if value.reason else ""
    head = f"{value.path}: {value.report.verdict} is predicted for {value.report.target.release}"
    rows = [(each.stage, each.node, each.text) for each in value.messages]
    table = _table(("stage", "node", "message"), rows) if rows else ""
    return _line(head) + _line(f"{asked}{reason}") + table + _table(("", "", "predicted"), _findings(value.report))


def _proposal(value: _core.ProfileProposal) -> str:
    rows = [
        (each.name, str(each.min), str(each.opt), str(each.max), each.why, ", ".join(each.axes))
        for each in value.choices
    ]
    commands = "".join(f"<pre>{_text(command)}</pre>" for command in value.commands)
    findings = _table(("", "", "finding"), _findings(value.findings)) if value.findings else ""
    head = _line(f"{value.path}: {'it fits' if value.fits else 'it does not fit'}")
    return head + _table(("size", "min", "opt", "max", "why", "where"), rows) + findings + commands


def _diff(value: _core.Diff) -> str:
    counts = f"{len(value.new)} new, {len(value.gone)} gone, {len(value.kept)} kept"
    findings = [*_findings(value.new, "new"), *_findings(value.gone, "gone"), *_findings(value.kept, "kept")]
    changes = [(each.kind, each.name, each.before or "", each.after or "") for each in value.interface]
    table = _table(("interface", "name", "before", "after"), changes) if changes else ""
    head = _line(f"{value.before.path} -> {value.after.path}: {counts}")
    return head + _table(("", "code", "finding"), findings) + table


def _ranges(value: _core.Ranges) -> str:
    def number(given: float | None) -> str:
        return "" if given is None else f"{given:.6g}"

    rows = (
        (each.name, _cell(each.dtype), number(each.min), number(each.max), str(each.zeros), str(each.nan),
         str(each.inf + each.neg_inf))
        for each in value.tensors
    )  # fmt: skip
    return _line(repr(value)[1:-1]) + _table(("tensor", "type", "min", "max", "zeros", "NaN", "infinite"), rows)


def _sparsity(value: _core.Sparsity) -> str:
    rows = (
        (each.node.label, each.node.op_type, each.state, f"{each.obeying} of {each.groups}", each.why)
        for each in value.weights
    )
    share = "" if value.share is None else f", {100 * value.share:.1f} % of the multiply-accumulates"
    head = _line(f"{repr(value)[1:-1]}{share}")
    return head + _table(("layer", "operator", "weights", "groups with two zeros", "why"), rows)


def _rule(value: _core.Rule) -> str:
    return _line(f"{value.code} {value.name}") + _line(value.summary) + f"<pre>{_text(value.docs)}</pre>"


def _baseline(value: _core.Baseline) -> str:
    rows = ((each.model, each.code, str(each.count), each.message) for each in value.entries)
    return _line(value.path) + _table(("model", "code", "count", "message"), rows)


_VIEWS: dict[type, Callable[[Any], str]] = {
    _core.Matrix: _matrix,
    _core.Confirmation: _confirmation,
    _core.ProfileProposal: _proposal,
    _core.Diff: _diff,
    _core.Ranges: _ranges,
    _core.Rule: _rule,
    _core.Sparsity: _sparsity,
    _core.Baseline: _baseline,
}
