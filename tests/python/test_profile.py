"""`trtcheck profile` and `trtcheck.propose_profile`: the sizes run, the commands hold them."""

from __future__ import annotations

import json
import os
import random
import shlex
from pathlib import Path

import jsonschema
import onnx
import pytest
import samples
from onnx import TensorProto, helper
from test_between_points import Chain, sizes_in_doubt, sizes_that_run
from test_cli import run

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
HEALTHY = ROOT / "examples/models/healthy_shufflenet.onnx"
SCHEMA = json.loads((ROOT / "cpp/data/profile.schema.json").read_text())
SEED = int(os.environ.get("TRTCHECK_SEED", random.randrange(2**32)))
MODELS = 60
HEADER = '<ir_version: 8, opset_import: ["" : 17]> '
ROWS = """agraph (float[N,3] x, float[M,3] v) => (float[A,2] y, float[M,3] w)
<int64[2] s = {-1,2}> { y = Reshape (x, s) w = Relu (v) }"""


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.onnx"
    onnx.save(samples.proto(HEADER + ROWS), path)
    return path


def test_text_and_json_tell_the_same(rows: Path) -> None:
    ran = run("profile", rows)
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines[0] == f"{rows}: 2 dynamic sizes"
    assert lines[1].startswith("  N  2:2:8  the usual sizes of a batch; multiples of 2 fit: Reshape `Reshape_0` needs")
    assert lines[2].startswith("  M  1:1:8  the usual sizes of a batch  (axis 0 of `v`)")
    assert "warning[SHP102] Reshape needs `2` to divide `3*N`, at `N` = 3 between" in ran.stdout
    document = json.loads(run("profile", rows, "--output-format", "json").stdout)
    jsonschema.validate(document, SCHEMA)
    assert document["needs_profile"] and document["fits"]
    assert document["profile"][0] == {"name": "x", "min": [2, 3], "opt": [2, 3], "max": [8, 3]}
    assert [dim["name"] for dim in document["dims"]] == ["N", "M"]
    assert [finding["code"] for finding in document["findings"]] == ["SHP102"]
    assert all(command["text"] in ran.stdout for command in document["commands"])
    assert trtcheck.propose_profile(rows).to_dict() == document
    assert str(trtcheck.propose_profile(rows)) == ran.stdout


def test_the_check_that_is_printed_runs(rows: Path) -> None:
    proposal = trtcheck.propose_profile(rows)
    *_, check = proposal.commands
    program, *words = shlex.split(check)
    assert program == "trtcheck"
    ran = run(*words, "--output-format", "json")
    (report,) = json.loads(ran.stdout)["models"]
    assert [finding["code"] for finding in report["findings"]] == ["SHP102"]
    assert trtcheck.check(rows, profile=proposal.profile).verdict == "uncertain"


def test_a_static_model_needs_none(tmp_path: Path) -> None:
    path = tmp_path / "static.onnx"
    onnx.save(samples.proto(HEADER + "agraph (float[2,3] x) => (float[2,3] y) { y = Relu (x) }"), path)
    ran = run("profile", path)
    assert ran.returncode == 0
    first, *commands = ran.stdout.split("\n\n")
    assert first == f"{path}: no input is dynamic, no profile is needed"
    proposal = trtcheck.propose_profile(path)
    assert proposal.profile == {} and [command.strip() for command in commands] == list(proposal.commands)
    assert proposal.commands[0] == f"trtexec --onnx={path} --saveEngine=static.engine"
    assert proposal.commands[-1] == f"trtcheck check {path}"
    assert run(*shlex.split(proposal.commands[-1])[1:]).returncode == 0


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        (["--target", "8.6", "--precision", "fp16,int8"], " --fp16 --int8"),
        (["--target", "10.13", "--precision", "bf16"], " --bf16"),
        (["--target", "8.6", "--precision", "bf16"], ""),
        (["--target", "10.13", "--strongly-typed", "--precision", "fp16"], " --stronglyTyped"),
        (["--target", "11.5", "--precision", "fp16"], ""),
    ],
)
def test_commands_allow_the_precision_that_was_asked_for(tmp_path: Path, words: list[str], flags: str) -> None:
    path = tmp_path / "static.onnx"
    onnx.save(samples.proto(HEADER + "agraph (float[2,3] x) => (float[2,3] y) { y = Relu (x) }"), path)
    document = json.loads(run("profile", path, *words, "--output-format", "json").stdout)
    assert document["commands"][0]["text"] == f"trtexec --onnx={path} --saveEngine=static.engine{flags}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--dim", "M=1", "--profile", "v=2x3"], "`M` is given two sizes: 2 by the profile of `v`, 1 by --dim"),
        (["--dim", "M=1", "--dim", "M=2"], "`M` is given two sizes: 1 by --dim, 2 by --dim"),
        (["--dim", "M=1..4", "--dim", "M=1:2:4"], "`M` is given two sizes: 1..4 by --dim, 1:2:4 by --dim"),
    ],
)
def test_contradictions_are_refused(rows: Path, words: list[str], said: str) -> None:
    ran = run("profile", rows, *words)
    assert (ran.returncode, ran.stdout) == (2, "") and said in ran.stderr
    assert run("profile", rows, "--dim", "M=2", "--dim", "M=2", "--profile", "v=2x3").returncode == 0


def test_where_no_size_fits_there_is_no_command(tmp_path: Path) -> None:
    text = (
        "agraph (float[N,2] x) => (a, b) <int64[2] s = {3,2}, int64[2] t = {4,2}> "
        "{ a = Reshape (x, s) b = Reshape (x, t) }"
    )
    path = tmp_path / "none.onnx"
    path.write_bytes(samples.serialized(HEADER + text))
    ran = run("profile", path)
    assert ran.returncode == 1
    assert "\nno size fits: no command would work\n" in ran.stdout
    assert "trtexec" not in ran.stdout and "trtcheck check" not in ran.stdout
    assert trtcheck.propose_profile(path).commands == []


def test_a_table_of_positions_is_told_in_words(tmp_path: Path) -> None:
    table = ",".join(["1"] * 128)
    text = (
        f"agraph (float[1,s27] x) => (y) <float[1,128] t = {{{table}}}, int64[1] z = {{0}}, int64[1] o = {{1}}> "
        "{ l = Shape <start = 1, end = 2> (x) p = Slice (t, z, l, o) y = Add (x, p) }"
    )
    path = tmp_path / "positions.onnx"
    path.write_bytes(samples.serialized(HEADER + text))
    assert "sizes up to 128 fit: Add `Add_2` adds a table of 128 positions" in run("profile", path).stdout


def test_sizes_that_are_wanted(rows: Path) -> None:
    proposal = trtcheck.propose_profile(rows, dims={"N": 4, "M": (2, 6)})
    assert proposal.profile == {"x": ([4, 3], [4, 3], [4, 3]), "v": ([2, 3], [2, 3], [6, 3])}
    assert [choice.why for choice in proposal.choices][1] == "given by --dim"
    ran = run("profile", rows, "--dim", "N=3")
    assert ran.returncode == 1 and "it does not fit" in ran.stdout and "error[SHP10" in ran.stdout
    assert not trtcheck.propose_profile(rows, dims={"N": (3, 3, 3)}).fits
    ran = run("profile", rows, "--dim", "K=3")
    assert (ran.returncode, ran.stdout) == (2, "") and "no input has a dynamic axis `K`" in ran.stderr
    for word in ("N", "N=0", "N=4..2"):
        ran = run("profile", rows, "--dim", word)
        assert ran.returncode == 2 and ran.stderr.startswith(f"trtcheck: --dim: `{word}`: "), word
    with pytest.raises(trtcheck.Error, match="dim: `N=2:1:3`"):
        trtcheck.propose_profile(rows, dims={"N": (2, 1, 3)})


def test_names_are_quoted_where_a_tool_or_a_shell_needs_it() -> None:
    names = ["a:0", "b c", "it's"]
    graph = helper.make_graph(
        [helper.make_node("Relu", [name], [f"out{i}"]) for i, name in enumerate(names)],
        "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", 3]) for name in names],
        [helper.make_tensor_value_info(f"out{i}", TensorProto.FLOAT, ["N", 3]) for i in range(3)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    trtexec, convert, _, check = trtcheck.propose_profile(model).commands
    assert "--minShapes='a:0':1x3,b c:1x3,it's:1x3" in shlex.split(trtexec)
    words = shlex.split(convert)
    at = words.index("--trt-max-shapes")
    assert words[at + 1 : at + 4] == ["a:0:[8,3]", "b c:[8,3]", "it's:[8,3]"]
    assert shlex.split(check)[2:8:2] == ["--profile"] * 3
    assert shlex.split(check)[3:9:2] == [f"{name}=1x3:1x3:8x3" for name in names]


def test_an_input_that_holds_a_shape_is_named() -> None:
    text = "agraph (float[2,4] x, int64[2] sizes) => (float[a,b] y) { y = Reshape (x, sizes) }"
    proposal = trtcheck.propose_profile(samples.serialized(HEADER + text))
    assert (proposal.valued, proposal.profile, proposal.commands) == (["sizes"], {}, [])
    assert "input `sizes` holds a shape" in str(proposal)
    jsonschema.validate(proposal.to_dict(), SCHEMA)


def test_proposed_sizes_run_in_onnx_runtime() -> None:
    rng = random.Random(SEED)
    print(f"TRTCHECK_SEED={SEED}")
    proposed = 0
    for number in range(MODELS):
        chain = Chain(rng)
        chain.close()
        model = chain.model()
        proposal = trtcheck.propose_profile(model)
        where = f"TRTCHECK_SEED={SEED}, model {number}: {[n.op_type for n in chain.nodes]}, {proposal.choices}"
        sizes = {shape[2] for shape in proposal.profile["x"]}
        notes = [note.message for finding in proposal.findings for note in finding.notes]
        if any("ONNX forbids it" in note or "another size than ONNX" in note for note in notes):
            continue  # empty tensors, and pools with another number of windows: ONNX Runtime is no oracle
        if proposal.fits:
            assert all(sizes_that_run(model, size, size) for size in sizes), where
            proposed += 1
        else:
            assert sizes_that_run(model, 1, 64) <= sizes_in_doubt(model, 1, 64), where
    assert proposed > MODELS // 2


def test_every_example_gets_a_profile_that_fits() -> None:
    for path in sorted(HEALTHY.parent.glob("*.onnx")):
        proposal = trtcheck.propose_profile(path)
        assert proposal.fits, f"{path}: {proposal}"
        jsonschema.validate(proposal.to_dict(), SCHEMA)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**proposal.to_dict(), "fits": "yes"}, SCHEMA)
