"""Every node test of the installed onnx, newest opsets included: what we state is what its reference computes.

Three protocols (node_protocols.py), nothing wrong under any of them, and each output that is not exact is one of which
nobody can say more: `UNKNOWABLE` says why.
"""

from __future__ import annotations

import pytest
from node_protocols import PROTOCOLS, by_trtcheck, cases, run
from unknowable import UNKNOWABLE

#: Outputs that are exact; more are welcome, and the number is raised then.
EXACT = {"constants": 2242, "blind": 1964, "symbolic": 1958}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nothing_is_wrong_and_what_is_not_exact_has_a_reason(protocol: str) -> None:
    if len(cases()) < 1500:
        pytest.skip("an onnx without its node tests")
    tally = run(protocol, by_trtcheck)
    assert not [f"{each.case.name} {each.output}: {each.text}" for each in tally.of("wrong")]
    inexact = tally.of("partial", "unknown")
    listed = UNKNOWABLE[protocol]
    assert not [f"{each.case.name} {each.output}: {each.text}" for each in inexact if each.case.operator not in listed]
    assert not set(listed) - {each.case.operator for each in inexact}, "these are exact now"
    assert tally.count("exact") >= EXACT[protocol]
