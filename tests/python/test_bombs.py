"""The hostile models of tests/bench/bombs.py, small: time and memory stay proportional to the file."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from test_cli import PROGRAM

BENCH = Path(__file__).resolve().parents[1] / "bench"
sys.path.insert(0, str(BENCH))

import bomb_shapes  # noqa: E402, F401  (its makers join those of bomb_models)
import rule_bombs  # noqa: E402
from bomb_models import MAKERS, constant, graph, number_of, op, write  # noqa: E402
from bombs import Limits, broken, commands, run  # noqa: E402
from models import value_info  # noqa: E402

BYTES = 200_000
#: Of a file of 10 MB, 3 seconds and 500 MB are the limits. A file of 200 kB may use up the budgets that do not depend
#: on its size: of contents that are followed, of ranks, of calls of functions.
LIMITS = Limits(seconds=3, megabytes=350, timeout=20)


@pytest.fixture(scope="module")
def slowness() -> float:
    """How many times as long as where the limits were set something takes here and now; at least 1."""
    start = time.perf_counter()
    sum(number * number for number in range(2_000_000))
    return max(1.0, (time.perf_counter() - start) / 0.15)


@pytest.mark.parametrize("name", MAKERS)
def test_time_and_memory_follow_the_size_of_the_file(name: str, slowness: float, tmp_path: Path) -> None:
    model = tmp_path / f"{name}.onnx"
    write(model, MAKERS[name](BYTES))
    for what in ("check json", "check full", "matrix json", "shapes json", "diff json"):
        # 27 releases are asked, one after the other.
        times = slowness * (2 if what == "matrix json" else 1)
        limits = replace(LIMITS, seconds=times * LIMITS.seconds)
        one = run(what, commands(Path(PROGRAM), model)[what], limits)
        assert not broken(one, limits)
        assert one.output < 500 * BYTES


@pytest.mark.parametrize("name", ["unknown_operators_of_many_names", "unknown_operator_of_a_long_name"])
def test_all_releases_cost_little_more_than_one(name: str, tmp_path: Path) -> None:
    model = tmp_path / f"{name}.onnx"
    write(model, MAKERS[name](20 * BYTES))
    one, all_of_them = (
        run(what, commands(Path(PROGRAM), model)[what], LIMITS) for what in ("check full", "matrix full")
    )
    # 27 releases; what starts the program and reads the file is in both.
    assert all_of_them.seconds < 6 * one.seconds + 0.5
    assert all_of_them.megabytes < 2 * one.megabytes


@pytest.mark.parametrize("command", ["check", "profile", "shapes"])
def test_time_follows_the_number_of_profiles(command: str, tmp_path: Path) -> None:
    seconds = []
    for count in (1000, 10_000):
        model = tmp_path / f"{count}.onnx"
        inputs = [value_info(11, f"input{i}", [f"n{i}", 4]) for i in range(count)]
        outputs = [value_info(12, f"y{i}", []) for i in range(count)]
        write(model, graph(*inputs, *(op("Relu", [f"input{i}"], [f"y{i}"]) for i in range(count)), *outputs))
        profile = [word for i in range(count) for word in ("--profile", f"input{i}=1x4:2x4:8x4")]
        one = run(command, [PROGRAM, command, str(model), *profile], LIMITS)
        assert one.status in (0, 1)
        seconds.append(one.seconds)
    # Ten times as many; with a list that is searched from its beginning it was 70 times the time.
    assert seconds[1] < 25 * max(seconds[0], 0.02)


def resizes(count: int) -> list[bytes]:
    chain = b"".join(op("Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(count))
    ends = b"".join(op("Resize", [f"v{count}", "", "k"], [f"y{i}"]) for i in range(count))
    return graph(value_info(11, "v0", [1, 3, 8, 8]), value_info(11, "k", [4]), chain, ends, value_info(12, "y0", []))


def reductions(count: int) -> list[bytes]:
    chain = b"".join(op("Cast", [f"v{i}"], [f"v{i + 1}"], number_of("to", 7)) for i in range(count))
    ends = b"".join(op("ReduceSum", ["x", f"v{count}"], [f"y{i}"]) for i in range(count))
    return graph(value_info(11, "x", [2, 3]), constant("v0", [1]), chain, ends, value_info(12, "y0", []))


@pytest.mark.parametrize("made", [resizes, reductions])
def test_time_follows_the_number_of_nodes_after_a_long_chain(
    made: Callable[[int], list[bytes]], tmp_path: Path
) -> None:
    seconds = []
    for count in (5000, 20_000):
        model = tmp_path / f"{count}.onnx"
        write(model, made(count))
        seconds.append(run("check", [PROGRAM, "check", str(model)], LIMITS).seconds)
    # Four times as many; where each walks up the whole chain it is 16 times the time.
    assert seconds[1] < 10 * max(seconds[0], 0.02)


@pytest.mark.parametrize("form", ["full", "json", "markdown", "html"])
def test_a_matrix_counts_what_it_does_not_list(form: str, tmp_path: Path) -> None:
    model = tmp_path / "many.onnx"
    write(model, MAKERS["unknown_operators_of_many_names"](BYTES))
    words = ["--no-config", "--select", "OPS102", "--target", "10.13", "--output-format"]
    text = subprocess.run([PROGRAM, "matrix", *words, form, model], capture_output=True, text=True).stdout
    (whole,) = trtcheck_json(model)["models"]
    total = len(whole["findings"]) + sum(each["count"] for each in whole["unlisted"])
    assert total > 4000
    if form != "json":
        assert f"and {total - 5} more, {total - 200} of them not listed" in " ".join(text.split())
        return
    (answer,) = json.loads(text)["models"][0]["releases"]
    assert answer["errors"] == total and len(answer["deciding"]) == 200
    assert answer["unlisted"] == [{"code": "OPS102", "name": "op-unknown", "severity": "error", "count": total - 200}]


def trtcheck_json(model: Path) -> dict[str, list[dict[str, list[dict[str, int]]]]]:
    words = ["check", "--no-config", "--select", "OPS102", "--target", "10.13", "--output-format", "json"]
    made = subprocess.run([PROGRAM, *words, model], capture_output=True, text=True).stdout
    document: dict[str, list[dict[str, list[dict[str, int]]]]] = json.loads(made)
    return document


def test_examples_of_all_rules_in_great_number(tmp_path: Path) -> None:
    makers = rule_bombs.makers()
    for name, make in makers.items():
        write(tmp_path / f"{name}.onnx", make(BYTES // 4))
    made = subprocess.run([PROGRAM, "check", "--no-config", "--output-format", "json", tmp_path], capture_output=True)
    assert made.returncode in (1, 2), made.stderr
    models = json.loads(made.stdout)["models"]
    assert len(models) > 0.9 * len(makers)
    for model in models:
        counts = [(finding["code"], finding["severity"]) for finding in model["findings"]]
        assert max(map(counts.count, set(counts)), default=0) <= 2000


def test_what_is_not_listed_is_counted_and_can_be_listed(tmp_path: Path) -> None:
    model = tmp_path / "many.onnx"
    write(model, MAKERS["unknown_operators_of_many_names"](200_000))

    def check(*words: str) -> str:
        command = [PROGRAM, "check", "--no-config", "--select", "OPS102", *words, model]
        return subprocess.run(command, capture_output=True, text=True).stdout

    (brief,) = json.loads(check("--output-format", "json"))["models"]
    (whole,) = json.loads(check("--output-format", "json", "--all-findings"))["models"]
    total = len(whole["findings"])
    assert total > 4000 and whole["unlisted"] == []
    assert len(brief["findings"]) == 2000 and brief["findings"] == whole["findings"][:2000]
    (rest,) = brief["unlisted"]
    assert rest["code"] == "OPS102" and rest["count"] == total - 2000
    text = check()
    assert f"{total} errors" in text or f"{total} warnings" in text
    assert f"{total - 2000} more findings of this rule, not listed" in text
    for words in (["concise"], ["sarif"], ["github"], ["gitlab"], ["junit"], ["html"]):
        assert f"{total - 2000} more findings" in check("--output-format", *words)
