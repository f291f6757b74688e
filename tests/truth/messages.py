"""NVIDIA's message with names and numbers taken out, so that the same complaint about two models is one."""

from __future__ import annotations

import re

# What is told of every failed node, and where in NVIDIA's sources it was noticed.
_NOISE = [
    r"Invalid Node - \S+\s",
    r"\[?checkMacros\.cpp.*?\)\)?\]?$",
    r"In node -?\d+ with name:.*?\(\w+\): (\w+: )?",
    r" In (operator\(\)|~?[\w:]+) at /\S+\.\w+:\d+\)?",
    r"\[[\w.]+(::\w+)+::\d+\]",
    r"\[\w+\.\w+:\d+: \w+\]",
    r"^(I\w+|ITensor|IBuilder|INetworkDefinition)::\w+: ",
    r"^(Assertion failed: )",
    r"Error Code:? \d+: ",
    r"(Internal Error|API Usage Error|Shape Error|Myelin|Runtime Error) ?\(?",
    r"\w+\.cpp:\d+: ",
]
_TYPE = (
    r"(?:Float|Half|BFloat16|U?Int\d+|Bool|FP8|FP4|E8M0|DOUBLE|FLOAT(?:16|8\w+)?|FLOAT|HALF|BF16|BFLOAT16|INT8|INT4|INT32|INT64"
    r"|UINT8|BOOL)"
)
_NAMES = [
    (r"\(Unnamed Layer\* \d+\) \[[\w ]+\]:? ?", ""),
    (r"\b(node_of_\w+|ONNXTRT_\w+)(: node_of_\w+)*:? ?", ""),
    (r"\b(x|y)\d\w*\b", "*"),
    (r"ElementWiseOperation \w+|operator [A-Z]+\b", "operator *"),
    (r"\bI\w+Layer \*?", "layer "),
    (rf"\b{_TYPE}((, or |, | or ){_TYPE})+\b", "TYPES"),
    (rf"\b{_TYPE}\b", "TYPE"),
    (r"(?<!\w)'[^']*'|\"[^\"]*\"", "*"),
    (r"\[[-\d, ]*\]", "[*]"),
    (r"\{[-\d, ]*\}", "{*}"),
    (r"-?\d+(\.\d+)?(e-?\d+)?", "#"),
    (r"\b(first|second|third) input\b", "input"),
    (r"element type \(\w+\)", "element type (TYPE)"),
    (r"validUnaryType: ", ""),
]


def essence(reason: str) -> str:
    """One line of at most 140 letters."""
    lines = [line for line in reason.splitlines() if line.strip() and "catchCudaError" not in line]
    text = lines[1] if len(lines) > 1 and lines[0].startswith("Invalid Node") else (lines or [""])[0]
    if "Error is:" in lines:
        text = lines[lines.index("Error is:") + 1].split(";")[0].split(". In ")[0]
    for pattern in _NOISE:
        text = re.sub(pattern, "", text)
    for pattern, instead in _NAMES:
        text = re.sub(pattern, instead, text)
    return re.sub(r"\s+", " ", text).strip(" .:")[:140]
