"""Every case of a fact in cpp/data/facts: its example fires it in the first and the last release of its range and not
beyond, its near miss never does. A case that nothing can reach does not get past this test; that a fact is right its
evidence says.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
import pytest
import tomllib
from codegen import codegen

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "cpp/data/facts"
SUPPORT: dict[str, Any] = json.loads((ROOT / "cpp/data/op_support.json").read_text("utf-8"))
RELEASES: list[str] = [row["release"] for row in SUPPORT["releases"]]
GPUS = ((6, 1), (7, 0), (7, 2), (7, 5), (8, 0), (8, 6), (8, 7), (8, 9), (9, 0), (10, 0), (11, 0), (12, 0), (12, 1))
RTX: dict[str, str] = {row["release"]: row["like"] for row in SUPPORT["rtx"]["releases"]}
IMPORTED = {*SUPPORT["ops"], *SUPPORT["rtx"]["ops"]}
EFFECTS = {
    "refuse": "error",
    "change": "warning",
    "ignore": "warning",
    "slow": "info",
    "document": "warning",
    "fallback": "info",
}


@dataclass(frozen=True)
class Case:
    file: str
    op: str
    data: dict[str, Any]

    @property
    def is_strong(self) -> bool:
        return self.data.get("network") == "strongly typed"

    @property
    def is_weak(self) -> bool:
        return self.data.get("network") == "weakly typed"

    @property
    def product(self) -> list[str]:
        return list(RTX) if self.data["in"].startswith("rtx") else RELEASES

    @property
    def first(self) -> str:
        return self.data["in"].partition("..")[0] or RELEASES[0]

    @property
    def last(self) -> str:
        lower, dots, upper = self.data["in"].partition("..")
        return (upper or self.product[-1]) if dots else lower

    def model(self, key: str) -> onnx.ModelProto:
        text = self.data[key].strip()
        written_for = (self.data.get("ops") or FILES[self.file].get("ops") or [self.op])[0]
        text = re.sub(rf"\b{written_for}\b", self.op, text)
        if not text.startswith("<"):
            text = f'<ir_version: 10, opset_import: ["" : {self.data.get("at_opset", "17")}]> {text}'
        return onnx.parser.parse_model(text)


FILES = {path.name: tomllib.loads(path.read_text("utf-8")) for path in sorted(FACTS.glob("*.toml"))}
cases_of = codegen("records").cases_of
CASES = [
    Case(name, op, case)
    for name, data in FILES.items()
    for fact in data["fact"]
    for case in cases_of(fact)
    for op in case.get("ops") or data.get("ops") or [Path(name).stem]
]


def options(case: Case) -> dict[str, Any]:
    """What the target has to be, beside its release, that the case holds."""
    found: dict[str, Any] = {}
    if "fallback" in case.data:
        found["dla"] = True
    if case.is_strong:
        found["strongly_typed"] = True
    if gpu := case.data.get("gpu"):
        lower, _, upper = gpu.partition("..")
        found["compute_capability"] = lower or upper
    return found


def severity(case: Case) -> str:
    """A single report is a suspicion."""
    (effect,) = EFFECTS.keys() & case.data.keys()
    is_known = "read" in case.data or "measured" in case.data or len(case.data.get("reported", [])) != 1
    return EFFECTS[effect] if is_known else "info"


def facts(model: onnx.ModelProto, release: str, **options: Any) -> dict[str, str]:
    """Severity by fact, of all findings, folded ones too."""
    report = trtcheck.check(model, target=release, **options)
    found = [*report.errors, *report.warnings, *report.infos]
    return {finding.fact: finding.severity for finding in found if finding.fact}


def told_as_conflict(case: Case, release: str) -> bool:
    """ONNX itself forbids every other rank: shape inference says so."""
    report = trtcheck.check(case.model("example"), target=release)
    return "rank" in case.data["refuse"] and any(finding.code == "SHP101" for finding in report.errors)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.op}-{case.data['id']}-{case.data['in']}")
def test_a_case_fires_on_its_example_and_not_on_its_near_miss(case: Case) -> None:
    example, near, wanted = case.model("example"), case.model("near"), options(case)
    assert not wanted or case.data["id"] not in facts(example, case.last)
    assert not case.is_weak or case.data["id"] not in facts(example, case.last, strongly_typed=True)
    for release in {case.first, case.last}:
        found = facts(example, release, **wanted)
        found = {fact: what for fact, what in found.items() if fact not in refused_anyway(case, release)}
        if found.get(case.data["id"]) is None and told_as_conflict(case, release):
            continue
        assert found == {case.data["id"]: severity(case)}, release
        assert case.data["id"] not in facts(near, release, **wanted), release
    others = [r for r in CASES if (r.op, r.data["id"]) == (case.op, case.data["id"]) and r is not case]
    for release in neighbours(case):
        # Another case of the same name may go on where this one ends.
        if not any(is_in(r, release) for r in others):
            assert case.data["id"] not in facts(example, release, **wanted), release


@pytest.mark.parametrize("case", [case for case in CASES if "gpu" in case.data], ids=lambda case: case.data["id"])
def test_a_case_of_some_gpus_is_silent_on_their_neighbours(case: Case) -> None:
    gpu_span = codegen("embed_facts").gpu_span
    first, last = gpu_span(case.data["gpu"])
    below, above = [gpu for gpu in GPUS if gpu < first], [gpu for gpu in GPUS if gpu > last]
    others = [r for r in CASES if (r.op, r.data["id"]) == (case.op, case.data["id"]) and is_in(r, case.last)]
    for gpu in [*below[-1:], *above[:1]]:
        is_of_another = any(low <= gpu <= high for low, high in (gpu_span(r.data["gpu"]) for r in others))
        found = facts(case.model("example"), case.last, compute_capability=f"{gpu[0]}.{gpu[1]}")
        assert (case.data["id"] in found) == is_of_another, gpu


def is_refuted(case: Case, release: str) -> bool:
    """That version of TensorRT-RTX was seen to accept it."""
    evidence = codegen("evidence").Evidence.of(case.data, RELEASES, SUPPORT["sources"])
    return evidence.verdict(release) == "accepted"


def test_a_version_that_is_ahead_of_its_branch_is_left_out() -> None:
    """TensorRT-RTX 1.7 is of the branch 11.4, and has a change that TensorRT announced with 11.5."""
    case = next(r for r in CASES if r.data["id"] == "squeeze-dynamic")
    fires = {release: case.data["id"] in facts(case.model("example"), release) for release in ("11.4", "11.5", *RTX)}
    assert fires == {
        "11.4": True, "11.5": False, "rtx-1.4": True, "rtx-1.5": True, "rtx-1.6": True, "rtx-1.7": False,
    }  # fmt: skip


def refused_anyway(case: Case, release: str) -> set[str]:
    """What the operator is refused for, whatever the node is like, comes on top."""
    return {
        other.data["id"]
        for other in CASES
        if other.op == case.op and other.data.get("refuse") == "always" and other is not case and is_in(other, release)
    }


def is_in(case: Case, release: str) -> bool:
    if release not in case.product:
        return False
    return case.product.index(case.first) <= case.product.index(release) <= case.product.index(case.last)


def neighbours(case: Case) -> list[str]:
    """The release before the first and the one behind the last; for TensorRT-RTX, what its first and last are like."""
    found = [case.product.index(case.first) - 1, case.product.index(case.last) + 1]
    beside = [RTX[case.first], RTX[case.last]] if case.first in RTX else []
    return [case.product[i] for i in found if 0 <= i < len(case.product)] + beside


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.op}-{case.data['id']}-{case.data['in']}")
def test_a_case_of_a_release_is_one_of_the_rtx_that_is_like_it(case: Case) -> None:
    of_rtx_alone = {r.data["id"] for r in CASES if r.first in RTX} - {r.data["id"] for r in CASES if r.first not in RTX}
    # What the documentation rules out of TensorRT, TensorRT-RTX may refuse.
    name = case.data["id"].removesuffix("-documented")
    own = [r for r in CASES if r.first in RTX and (r.op, r.data["id"]) == (case.op, name)]
    gpu = {name: value for name, value in options(case).items() if name == "compute_capability"}
    for release, like in RTX.items():
        found = facts(case.model("example"), release, **gpu)
        # Where TensorRT-RTX has a case of that name, it is the one that is heard.
        (effect,) = next((EFFECTS.keys() & r.data.keys() for r in own if is_in(r, release)), {None})
        if effect is not None:
            assert found == {name: EFFECTS[effect]}, release
        elif case.op not in IMPORTED:
            assert case.data["id"] not in found, release  # TensorRT-RTX ships no plugins
        elif is_in(case, like) and not is_refuted(case, release):
            # What TensorRT-RTX alone refuses comes on top.
            shared = {fact: what for fact, what in found.items() if fact not in of_rtx_alone}
            # Which is strongly typed in every version.
            strong = {"strongly_typed": True} if int(like.partition(".")[0]) < 11 else {}
            assert shared == facts(case.model("example"), like, **gpu, **strong), release


def test_a_limit_that_nobody_saw_kept_is_not_proven_by_a_measurement() -> None:
    """TopK before the last four axes: refused by 1.5, and built by 1.7 although the documents forbid it."""
    (case,) = [r for r in CASES if r.data["id"] == "topk-axis-before-last-four-documented"]
    certainty = {
        release: [
            finding.certainty
            for finding in trtcheck.check(case.model("example"), target=release).findings
            if finding.fact.startswith("topk-axis-before-last-four")
        ]
        for release in ("11.5", "rtx-1.5", "rtx-1.7")
    }
    assert certainty == {"11.5": ["possible"], "rtx-1.5": ["proven"], "rtx-1.7": ["possible"]}


def test_example_and_near_miss_differ_in_a_few_words() -> None:
    for case in CASES:
        one, two = (re.findall(r"\w+|[^\w\s]", case.data[key]) for key in ("example", "near"))
        assert one != two, case.data["id"]
        common = sum(word in two for word in one)
        assert common >= 0.6 * len(one), (case.op, case.data["id"])


# ScatterElements has `reduction` since opset 16, GatherND `batch_dims` since 12, DequantizeLinear `axis` since 13.
LARGE = "agraph (float[4,5] x, int64[6,5] i, float[6,5] u) => (y) { y = ScatterElements (x, i, u) }"
BEYOND = "agraph (float[2,3] x) => (y) <int64[2,1] i = {0, 7}> { y = GatherND (x, i) }"
YOUNG_ATTRIBUTES = {
    "left out, before it was there": (LARGE, 13, "scatterelements-sizes", True),
    "left out, in the first opset": (LARGE, 11, "scatterelements-sizes", True),
    "left out, where it is": (LARGE, 18, "scatterelements-sizes", True),
    "a near miss": (LARGE.replace("[6,5]", "[3,5]"), 13, "scatterelements-sizes", False),
    "written where it is not yet": (
        LARGE.replace("(x, i, u)", '<reduction = "add"> (x, i, u)'),
        13,
        "scatterelements-sizes",
        False,
    ),
    "a number": (BEYOND, 11, "gather-nd-index-beyond", True),
    "a number, near miss": (BEYOND.replace("7", "1"), 11, "gather-nd-index-beyond", False),
}


@pytest.mark.parametrize("name", YOUNG_ATTRIBUTES)
def test_an_attribute_that_the_opset_does_not_have_yet_has_its_later_default(name: str) -> None:
    text, opset, fact, fires = YOUNG_ATTRIBUTES[name]
    model = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : {opset}]> {text}')
    assert (fact in facts(model, "10.10")) == fires


def test_a_case_about_an_attribute_begins_where_the_attribute_does() -> None:
    module = codegen("embed_facts")
    made = module.Generator(SUPPORT, json.loads(SCHEMAS.read_text("utf-8"))["schemas"])
    made.add_case({**GOOD, "refuse": "attr.axis != 0"}, ["ScatterElements"], {})
    made.add_case({**GOOD, "refuse": "attr.reduction != 'none'"}, ["ScatterElements"], {})
    found = {case.about.attribute: case.opsets[0] for case in made.finished()}
    assert found == {"axis": 11, "reduction": 16}


SCHEMAS = ROOT / "cpp/data/onnx_schemas.json"
GOOD: dict[str, Any] = {
    "id": "a-fact",
    "in": "8.6..",
    "read": "8.6..10.1",
    "refuse": "attr.mode not in ('constant', 'edge')",
    "source": ["onnx-tensorrt onnxOpImporters.cpp, 10.1"],
    "example": "agraph",
    "near": "agraph",
}

NESTED = "a + b + c + d + e < 0"
for name in "edcba":
    NESTED = f"any({NESTED} for {name} in data(pads))"
MISTAKES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "an unknown attribute": (lambda c: c.update(refuse="attr.mood != 'edge'"), "no attribute `mood`"),
    "an unknown input": (lambda c: c.update(refuse="not const(Pads)"), "no input or output `Pads`"),
    "an unknown word": (lambda c: c.update(refuse="dimensions(data) > 2"), "`dimensions` is no word"),
    "a rank and a text": (lambda c: c.update(refuse="rank(data) == 'two'"), "is a number, `'two'` is a text"),
    "no condition": (lambda c: c.update(refuse="rank(data)"), "is a number, no condition"),
    "no expression": (lambda c: c.update(refuse="rank(data) >"), "is no expression"),
    "a type of no network": (lambda c: c.update(refuse="network_type(data) == 'FLOAT'"), "is no type of a network"),
    "an unknown predicate": (lambda c: c.update(refuse="cpp.no_such_thing"), "`cpp.no_such_thing` is no line of"),
    "a predicate that is a number": (lambda c: c.update(refuse="cpp.then_outputs"), "is a number, no condition"),
    "a predicate that is called": (
        lambda c: c.update(refuse="cpp.then_outputs()"),
        "is nothing that a condition can say",
    ),
    "a call of something else": (lambda c: c.update(refuse="__import__('os')"), "is no word"),
    "an output's contents": (lambda c: c.update(refuse="const(output)"), "is an output"),
    "two effects": (lambda c: c.update(ignore="given(axes)"), "exactly one of"),
    "another effect in a case": (
        lambda c: c.update(case=[{"refuse": c.pop("refuse")}, {"ignore": "given(pads)"}]),
        "one effect, and this one has ignore and refuse",
    ),
    "a loop of unequal lists": (lambda c: c.update({"for": {"X": ["data"], "Y": []}}), "`for` names lists"),
    "no effect": (lambda c: c.pop("refuse"), "exactly one of"),
    "an unknown key": (lambda c: c.update(refuses="x"), "unknown key `refuses`"),
    "no example": (lambda c: c.pop("example"), "`example` is missing"),
    "an unknown release": (lambda c: c.update({"in": "8.6..9.9"}), "`9.9` is no release"),
    "loops in loops in loops": (
        lambda c: c.update(refuse=NESTED, message="too deep"),
        "loops in loops in loops",
    ),
    "two products": (lambda c: c.update({"in": "8.6..rtx-1.7"}), "releases of TensorRT and of TensorRT-RTX"),
    "an empty range": (lambda c: c.update({"in": "10.0..9.0"}), "is empty"),
    "read without an end": (lambda c: c.update(read="8.6.."), "`read`: 8.6.. is no range"),
    "read in an unknown release": (lambda c: c.update(read="8.6..9.9"), "`read`: 8.6..9.9 is no range"),
    "read backwards": (lambda c: c.update(read="10.0..8.6"), "`read`: the range 10.0..8.6 is empty"),
    "measured with TensorRT": (
        lambda c: c.update(measured={"10.0": "refused"}),
        "no range of versions of TensorRT-RTX",
    ),
    "measured without a verdict": (lambda c: c.update(measured={"rtx-1.5": "maybe"}), "`maybe` is no verdict"),
    "measured otherwise": (
        lambda c: c.update(measured={"rtx-1.5": "refused", "rtx-1.7": "accepted"}),
        "rtx-1.7 accepts it, and is in the range",
    ),
    "reported nowhere": (lambda c: c.update(reported=["a friend"]), "a friend is no address"),
    "an unknown source": (lambda c: c.update(source=["hearsay"]), "source `hearsay`"),
    "no GPU": (lambda c: c.update(gpu="Ada"), "`gpu`: Ada is no range of compute capabilities"),
    "a GPU without a minor number": (lambda c: c.update(gpu="8.."), "`gpu`: 8.. is no range"),
    "any GPU": (lambda c: c.update(gpu=".."), "`gpu`: .. is no range"),
    "no GPU between": (lambda c: c.update(gpu="8.9..8.6"), "`gpu`: the range 8.9..8.6 is empty"),
    "quantized to no type": (lambda c: c.update(refuse="quantized(data) == 'INT7'"), "is no type of a network"),
    "an output that is quantized": (lambda c: c.update(refuse="quantized(output) == 'INT8'"), "is an output"),
    "no evidence": (lambda c: c.update(source=[]), "how is it known?"),
    "a bad id": (lambda c: c.update(id="A Fact"), "an id is"),
    "no message": (lambda c: c.update(refuse="rank(data) > 2 and given(axes)"), "`message` is missing"),
    "a bad message": (lambda c: c.update(message="{rank(X)}"), "no input or output `X`"),
    "an unclosed message": (lambda c: c.update(message="{op"), "`message`"),
    "an opset that does not exist": (lambda c: c.update(opset="13..", refuse="given(axes)"), "`axes` at this opset"),
}


def test_a_good_fact_passes(tmp_path: Path) -> None:
    assert "a-fact" in generated(tmp_path, GOOD).stdout


def embed(checks: Path, output: Path) -> subprocess.CompletedProcess[str]:
    """Runs the generator as the build does."""
    command = [sys.executable, str(ROOT / "cpp/codegen/embed_facts.py"), str(checks)]
    command += [str(ROOT / "cpp/data" / name) for name in ("op_support.json", "plugins.json", "onnx_schemas.json")]
    command += [str(output), f"{output}.ops"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def record(fact: dict[str, Any]) -> str:
    cases = [f"[[fact.case]]\n{pairs(case)}" for case in fact.get("case", [])]
    return "\n".join(["[[fact]]", pairs({key: value for key, value in fact.items() if key != "case"}), *cases])


def pairs(table: dict[str, Any]) -> str:
    return "\n".join(f"{key} = {toml(value)}" for key, value in table.items())


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(key)} = {toml(each)}' for key, each in value.items())} }}"
    return json.dumps(value)


def generated(folder: Path, check: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    checks = folder / "facts"
    checks.mkdir()
    (checks / "Pad.toml").write_text(record(check), "utf-8")
    output = folder / "facts.inc"
    done = embed(checks, output)
    done.stdout = output.read_text("utf-8") if output.exists() else ""
    return done


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_stops_the_build_with_file_fact_and_word(name: str, tmp_path: Path) -> None:
    damage, message = MISTAKES[name]
    check = dict(GOOD)
    damage(check)
    done = generated(tmp_path, check)
    assert done.returncode == 1
    assert message in done.stderr
    assert f"Pad.toml: {check['id']}: " in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_id_is_of_one_fact(tmp_path: Path) -> None:
    module = codegen("embed_facts")
    made = module.Generator(SUPPORT, json.loads(SCHEMAS.read_text("utf-8"))["schemas"])
    made.add_file("Pad.toml", {"fact": [GOOD]})
    with pytest.raises(module.DataError, match=r"twice, in Pad\.toml too"):
        made.add_file("PadAgain.toml", {"ops": ["Pad"], "fact": [GOOD]})


def test_facts_are_sorted() -> None:
    module = codegen("embed_facts")
    made = module.Generator(SUPPORT, json.loads(SCHEMAS.read_text("utf-8"))["schemas"])
    with pytest.raises(module.DataError, match="a-fact: facts are sorted by id"):
        made.add_file("Pad.toml", {"fact": [{**GOOD, "id": "b-fact"}, GOOD]})


def test_cases_of_other_gpus_do_not_meet() -> None:
    module = codegen("embed_facts")
    made = module.Generator(SUPPORT, json.loads(SCHEMAS.read_text("utf-8"))["schemas"])
    for gpu in ("..8.6", "8.7", "8.9.."):
        made.add_case({**GOOD, "gpu": gpu}, ["Pad"], {})
    assert {case.gpus for case in made.finished()} == {((0, 1), (8, 6)), ((8, 7), (8, 7)), ((8, 9), (999, 9))}
    made.add_case({**GOOD, "gpu": "8.6"}, ["Pad"], {})
    with pytest.raises(module.DataError, match="a-fact is there twice"):
        made.finished()


def test_two_cases_do_not_hold_at_once() -> None:
    module = codegen("embed_facts")
    made = module.Generator(SUPPORT, json.loads(SCHEMAS.read_text("utf-8"))["schemas"])
    made.add_file("Pad.toml", {"fact": [{**GOOD, "case": [{"in": "8.6..10.0"}, {"in": "10.0.."}]}]})
    with pytest.raises(module.DataError, match="a-fact is there twice for release"):
        made.finished()


def test_a_loop_writes_a_fact_out_once_for_each_name() -> None:
    fact = {**GOOD, "refuse": "not const($X)", "for": {"X": ["pads", "axes"]}, "example": ["one", "two"]}
    cases = cases_of(fact)
    assert [case["refuse"] for case in cases] == ["not const(pads)", "not const(axes)"]
    assert [case["example"] for case in cases] == ["one", "two"]
    assert [case["near"] for case in cases] == ["agraph", "agraph"]


def test_a_case_has_the_keys_of_its_fact_and_its_own() -> None:
    first, second = cases_of({**GOOD, "case": [{"in": "8.6"}, {"in": "10.0..", "says": "so"}]})
    assert (first["in"], first["id"], first.get("says")) == ("8.6", "a-fact", None)
    assert (second["in"], second["id"], second["says"]) == ("10.0..", "a-fact", "so")


def compiled(condition: str, let: dict[str, str]) -> list[Any]:
    """The condition as the generator compiles it."""
    module = codegen("embed_facts")
    made = module.Generator(SUPPORT, json.loads(SCHEMAS.read_text("utf-8"))["schemas"])
    made.add_file("Pad.toml", {"let": let, "fact": [{**GOOD, "refuse": condition, "message": "so", "opset": "18.."}]})
    return [made.pool.expressions[case.condition] for case in made.finished()]


def test_always_and_predicates_are_conditions() -> None:
    assert [one.op for one in compiled("always", {})] == ["always"]
    (place,) = {one.a for one in compiled("cpp.equation_has_ellipsis", {})}
    assert list(codegen("conditions").PREDICATES)[place] == "equation_has_ellipsis"
    (both,) = {one.op for one in compiled("always and cpp.then_outputs > 1", {})}
    assert both == "both"


def test_a_name_stands_for_a_part_of_a_condition() -> None:
    spelled = compiled("rank(data) > 2 and not const(pads)", {})
    assert compiled("large and not const(pads)", {"large": "rank(data) > 2"}) == spelled
    assert compiled("whole", {"large": "rank(data) > 2", "whole": "large and not const(pads)"}) == spelled


@pytest.mark.parametrize(
    ("let", "why"),
    [
        ({"large": "large and const(pads)"}, "`large` is made of itself"),
        ({"large": "rank(data) > n"}, "`n` is no word"),
    ],
)
def test_a_name_that_means_nothing_is_refused(let: dict[str, str], why: str) -> None:
    with pytest.raises(codegen("embed_facts").DataError, match=why):
        compiled("large", let)


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"by": "parser"}, "`by`: parser \\(known: builder, shapes, kernels\\)"),
        ({"by": "kernels", "refuse": None, "change": "not const(pads)"}, "the fact refuses nothing"),
    ],
)
def test_who_refuses_is_kernels_or_the_builder_or_nobody_says(keys: dict[str, Any], why: str) -> None:
    module = codegen("embed_facts")
    made = module.Generator(SUPPORT, json.loads(SCHEMAS.read_text("utf-8"))["schemas"])
    fact = {key: value for key, value in {**GOOD, "refuse": "not const(pads)", **keys}.items() if value is not None}
    with pytest.raises(module.DataError, match=why):
        made.add_file("Pad.toml", {"fact": [fact]})
