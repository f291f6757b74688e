"""A new release, written into the data: one run, and a diff to review.

    record_release.py rtx-1.8 --like 11.6     asks that version of TensorRT-RTX about the models of all facts
    record_release.py 11.6 --sources FOLDER   looks up what facts say in FOLDER/11.6, the sources of onnx-tensorrt

The release gets its row in cpp/data/op_support.json where it has none, and facts that hold there the evidence of it:
`measured` goes on, or gets a verdict of its own; `read` goes on where the text is still in the importer. The first
needs a line for the wheel in witness.py. What one run cannot decide is listed, a line each: a fact that ends, models
of one case that the release judges differently, effects that a build does not show.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tomllib
from fact_text import FACTS, ROOT, Holder, holders, ops_of, with_key

SUPPORT = ROOT / "cpp/data/op_support.json"
#: What the witness makes of the model of a case: (case, operator) -> refused, crashed, built; None: not judged.
Ask = Callable[[dict[str, Any], str], str | None]
Prints = Callable[[str, str], bool]


def releases_of(support: dict[str, Any]) -> list[str]:
    return [row["release"] for row in support["releases"]]


def with_row(text: str, release: str, like: str) -> str:
    """`cpp/data/op_support.json` with the release; as it is where it has it."""
    support = json.loads(text)
    is_rtx = release.startswith("rtx-")
    rows = support["rtx"]["releases"] if is_rtx else support["releases"]
    if any(row["release"] == release for row in rows):
        return text
    last = rows[-1]
    row = {"release": release, "like": like or last["like"]} if is_rtx else {
        **last, "release": release, "opset_interpolated": True, "opset_max_upper_bound": last["opset_max"],
        "table_interpolated": True,
    }  # fmt: skip
    found = re.search(rf'^( *)\{{"release": "{re.escape(last["release"])}".*\}}$', text, re.MULTILINE)
    assert found is not None
    return text[: found.end()] + f",\n{found[1]}{json.dumps(row)}" + text[found.end() :]


def is_in(span: str, release: str, releases: list[str]) -> bool:
    """@param releases  in their order; the release is among them"""
    lower, dots, upper = span.partition("..")
    first = releases.index(lower) if lower else 0
    last = first if not dots else releases.index(upper) if upper else len(releases) - 1
    return first <= releases.index(release) <= last


def effect_of(case: dict[str, Any]) -> str:
    (effect,) = {"refuse", "change", "ignore", "slow", "document", "fallback"} & case.keys()
    return effect


def verdict_of(holder: Holder, release: str, support: dict[str, Any], ask: Ask) -> tuple[str | None, str]:
    """What to write, and what somebody has to look at."""
    rtx = {row["release"]: row["like"] for row in support["rtx"]["releases"]}
    found: set[str | None] = set()
    effects: set[str] = set()
    for case in holder.cases:
        is_of_rtx = case["in"].startswith("rtx-")
        at, order = (release, list(rtx)) if is_of_rtx else (rtx[release], releases_of(support))
        # DLA is no part of TensorRT-RTX, and a witness has no GPU.
        if effect_of(case) == "fallback" or "gpu" in case or "network" in case or not is_in(case["in"], at, order):
            continue
        effects.add(effect_of(case))
        ops = ops_of(holder, case)
        found |= {ask({**case, "ops": ops}, op) for op in ops}
    found.discard(None)
    if not found:
        return None, ""
    if len(found) > 1:
        return None, f"its models are {' and '.join(sorted(map(str, found)))}"
    (verdict,) = found
    is_refusal = effects == {"refuse"}
    if is_refusal and verdict == "built":
        return "accepted", "is accepted: `in` has to end before"
    if not is_refusal and verdict != "built":
        return None, f"is {verdict}, and its effect is {' or '.join(sorted(effects))}"
    return verdict, ""


def gone_on(measured: dict[str, str], release: str, before: str | None, verdict: str) -> dict[str, str]:
    """`measured` with one version more. @param before  the version before it"""
    made = dict(measured)
    if made:
        span, last = list(made.items())[-1]
        first, _, end = span.partition("..")
        # That results differ, or that something is not read, nobody sees in a build.
        is_same = verdict == last or (verdict == "built" and last in ("changed", "ignored"))
        if (end or first) == release:
            return made
        if is_same and verdict == last and (end or first) == before:
            del made[span]
            return {**made, f"{first}..{release}": last}
    return {**made, release: verdict}


def inline(table: dict[str, str]) -> str:
    return f"{{ {', '.join(f'{json.dumps(key)} = {json.dumps(value)}' for key, value in table.items())} }}"


def measured(path: Path, text: str, release: str, support: dict[str, Any], ask: Ask) -> tuple[str, list[str]]:
    versions = [row["release"] for row in support["rtx"]["releases"]]
    at = versions.index(release)
    by_hand = []
    for holder in list(holders(path, text, "measured")):
        verdict, remark = verdict_of(holder, release, support, ask)
        if remark:
            by_hand.append(f"{path.name}: {holder.id}: {remark}")
        known = holder.own.get("measured", {})
        # What nobody measured before is told by a refusal only.
        if verdict is None or (not known and verdict not in ("refused", "crashed")):
            continue
        made = gone_on(known, release, versions[at - 1] if at else None, verdict)
        if made != known:
            text = with_key(text, holder.number, "measured", inline(made))
    return text, by_hand


def read_on(path: Path, text: str, release: str, releases: list[str], prints: Prints) -> tuple[str, list[str]]:
    """`read` of the facts whose text the release still prints."""
    before = releases[releases.index(release) - 1]
    by_hand = []
    for holder in list(holders(path, text, "read")):
        cases = [case for case in holder.cases if not case["in"].startswith("rtx-")]
        held = [case for case in cases if is_in(case["in"], release, releases)]
        first, _, last = holder.own.get("read", "").partition("..")
        if not held or not all("says" in case for case in held):
            continue
        if not all(prints(op, case["says"]) for case in held for op in ops_of(holder, case)):
            by_hand.append(f"{path.name}: {holder.id}: {release} does not print what it says")
        elif first and (last or first) == before:
            text = with_key(text, holder.number, "read", json.dumps(f"{first}..{release}"))
        elif first and (last or first) != release:
            by_hand.append(f"{path.name}: {holder.id}: read up to {last or first}, not in {before}")
    return text, by_hand


@contextlib.contextmanager
def asked(release: str, program: Path) -> Iterator[Ask]:
    """The witness of a version."""
    import rows
    from prepare import declare_outputs, write
    from witness import TARGETS, Witness, find_libraries

    versions = [version for version, target in TARGETS.items() if target == release]
    if not versions:
        sys.exit(f"record_release: tests/truth/witness.py names no wheel of {release}")
    with tempfile.TemporaryDirectory() as folder, Witness(program, find_libraries(versions[-1])) as witness:

        def verdict(case: dict[str, Any], op: str, part: str) -> str | None:
            text = re.sub(rf"\b{case['ops'][0]}\b", op, case[part].strip())
            model = rows.parsed(text, case.get("at_opset", "17"))
            if not declare_outputs(model):
                return None
            found = witness.ask(write(model, Path(folder)))
            if found.reason.startswith("it crashes"):
                return "crashed"
            return "refused" if found.refused else "built" if found.kind == "built" else None

        def ask(case: dict[str, Any], op: str) -> str | None:
            found = verdict(case, op, "example")
            # Where the near miss is refused as well, something else is wrong with both.
            is_clear = found == "built" or verdict(case, op, "near") != found
            return found if is_clear else None

        yield ask


def update(folder: Path, change: Callable[[Path, str], tuple[str, list[str]]]) -> list[str]:
    by_hand = []
    for path in sorted(folder.glob("*.toml")):
        text = path.read_text("utf-8")
        made, remarks = change(path, text)
        tomllib.loads(made)
        if made != text:
            path.write_text(made, "utf-8")
        by_hand += remarks
    return by_hand


def main(arguments: list[str]) -> int:
    from program import add_witness_option, find_program

    parser = argparse.ArgumentParser(description="a new release, written into the data")
    parser.add_argument("release", help="11.6, or rtx-1.8")
    parser.add_argument("--like", default="", help="the release of TensorRT that a version of TensorRT-RTX is like")
    parser.add_argument("--sources", type=Path, metavar="FOLDER", help="a folder of the release in it")
    parser.add_argument("--facts", type=Path, default=FACTS, help="where the facts are")
    parser.add_argument("--support", type=Path, default=SUPPORT, help="where the releases are")
    add_witness_option(parser)
    options = parser.parse_args(arguments)
    text = with_row(options.support.read_text("utf-8"), options.release, options.like)
    options.support.write_text(text, "utf-8")
    support = json.loads(text)
    by_hand: list[str] = []
    if options.release.startswith("rtx-"):
        with asked(options.release, find_program(options.witness)) as ask:
            change = functools.partial(measured, release=options.release, support=support, ask=ask)
            by_hand = update(options.facts, change)
    elif options.sources:
        from source_texts import Release

        prints = Release.read(options.sources / options.release).prints
        change = functools.partial(read_on, release=options.release, releases=releases_of(support), prints=prints)
        by_hand = update(options.facts, change)
    print("\n".join([*by_hand, f"{len(by_hand)} to look at"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
