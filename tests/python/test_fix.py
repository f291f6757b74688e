"""`trtcheck fix` and `trtcheck.fix`: what is written, what is said, what stays."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import onnx.parser
import pytest
from test_cli import find_program

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(find_program())
SCHEMA = json.loads((ROOT / "cpp/data/fix.schema.json").read_text())

# Refused by 8.2, and repaired: axes behind Identity.
BROKEN = """<ir_version: 8, opset_import: ["" : 13], producer_name: "somebody">
agraph (float[2,1,N] x) => (float[2,N] y) <int64[1] one = {1}> {
  [first] a = Identity (one)
  [second] y = Squeeze (x, a)
}"""
# Refused by 8.2: nobody knows the axes.
HOPELESS = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[2,1,N] x, int64[1] a) => (float[2,N] y) { y = Squeeze (x, a) }"""
HEALTHY = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[2,N] x) => (float[2,N] y) { y = Relu (x) }"""

# Refused by 11.5 for what it carries, which a loop of three iterations that is written out does not; its condition is
# computed from itself.
CIRCLE = """<ir_version: 8, opset_import: ["" : 17]>
agraph (float[2] x) => (float[N] y) <int64 n = {3}, bool t = {1}> {
  y = Loop (n, t, x) <body = b (int64 i, bool c, float[N] v) => (bool e, float[N] w) {
    d = Identity (e)
    e = Identity (d)
    w = Concat <axis = 0> (v, v)
  }>
}"""


def proto(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(text)


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    given = () if "--target" in arguments else ("--target", "8.2")
    command = [str(PROGRAM), "fix", "--no-config", *given, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("broken", BROKEN), ("hopeless", HOPELESS), ("healthy", HEALTHY)):
        (tmp_path / f"{name}.onnx").write_bytes(proto(text).SerializeToString())
    return tmp_path


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


class TestTheProgram:
    def test_beside_the_model(self, folder: Path) -> None:
        before = (folder / "broken.onnx").read_bytes()
        done = run("broken.onnx", cwd=folder)
        assert done.returncode == 0
        assert done.stderr == ""
        assert done.stdout == (
            "broken.onnx: 1 repair for TensorRT 8.2\n"
            "  OPS401:squeeze-axes at Squeeze `second`\n"
            "    store `a` as a constant (proven)\n"
            "before: refused, 1 error and 0 warnings\n"
            "after: clean, 0 errors and 0 warnings\n"
            "written to broken.fixed.onnx\n"
        )
        assert (folder / "broken.onnx").read_bytes() == before
        assert trtcheck.check(folder / "broken.fixed.onnx", target="8.2").verdict == "clean"
        made = onnx.load(folder / "broken.fixed.onnx")
        assert made.producer_name == "somebody"
        assert [node.name for node in made.graph.node] == ["second"]
        onnx.checker.check_model(made, full_check=True)

    def test_a_release_is_named_with_its_product(self, folder: Path) -> None:
        full, page = (
            run("healthy.onnx", "--target", "rtx-1.7", "--output-format", form, cwd=folder).stdout
            for form in ("full", "html")
        )
        assert full.startswith("healthy.onnx: 0 repairs for TensorRT-RTX 1.7\n")
        assert "<p>for TensorRT-RTX 1.7: 0 repairs. " in page

    def test_the_given_place(self, folder: Path) -> None:
        assert run("broken.onnx", "-o", "out.onnx", cwd=folder).returncode == 0
        assert (folder / "out.onnx").exists()
        assert not (folder / "broken.fixed.onnx").exists()

    @pytest.mark.parametrize("backup", [True, False])
    def test_in_place(self, backup: bool, folder: Path) -> None:
        before = (folder / "broken.onnx").read_bytes()
        done = run("--in-place", *([] if backup else ["--no-backup"]), "broken.onnx", cwd=folder)
        assert done.returncode == 0
        assert (folder / "broken.onnx").read_bytes() != before
        assert (folder / "broken.onnx.bak").exists() == backup
        if backup:
            assert (folder / "broken.onnx.bak").read_bytes() == before
        again = (folder / "broken.onnx").read_bytes()
        assert run("--in-place", "broken.onnx", cwd=folder).stdout.startswith("broken.onnx: 0 repairs")
        assert (folder / "broken.onnx").read_bytes() == again

    @pytest.mark.parametrize("option", ["--list", "--diff"])
    def test_nothing_is_written(self, option: str, folder: Path) -> None:
        names = files(folder)
        done = run(option, "broken.onnx", cwd=folder)
        assert done.returncode == 0
        assert files(folder) == names
        assert done.stdout.endswith("nothing is written\n")
        assert ("- y = Squeeze (x, a)" in done.stdout) == (option == "--diff")
        assert ("+ y = Squeeze (x, y/folded)" in done.stdout) == (option == "--diff")

    def test_a_healthy_model_stays(self, folder: Path) -> None:
        names = files(folder)
        done = run("healthy.onnx", cwd=folder)
        assert done.returncode == 0
        assert done.stdout.endswith("nothing to write: the model stays as it is\n")
        assert files(folder) == names

    def test_what_is_left(self, folder: Path) -> None:
        done = run("hopeless.onnx", cwd=folder)
        assert done.returncode == 1
        assert "not repaired: 1 finding\n" in done.stdout
        assert "    `a` is not a constant: `a` is an input\n" in done.stdout
        assert not (folder / "hopeless.fixed.onnx").exists()

    def test_a_circle_in_the_body_of_a_loop_comes_to_an_end(self, folder: Path) -> None:
        (folder / "circle.onnx").write_bytes(proto(CIRCLE).SerializeToString())
        done = run("--target", "11.5", "--list", "circle.onnx", cwd=folder)
        assert done.returncode == 1
        assert "MDL106" in done.stdout

    def test_json(self, folder: Path) -> None:
        (folder / "text.onnx").write_text("no model")
        done = run("--output-format", "json", "broken.onnx", "hopeless.onnx", "text.onnx", cwd=folder)
        assert done.returncode == 2
        document = json.loads(done.stdout)
        jsonschema.validate(document, SCHEMA)
        assert [model["after"]["verdict"] for model in document["models"]] == ["clean", "refused"]
        assert document["models"][0]["output"] == "broken.fixed.onnx"
        assert document["models"][1]["output"] is None
        assert document["failures"][0]["path"] == "text.onnx"

    @pytest.mark.parametrize(
        ("arguments", "cause"),
        [
            (["-"], "<stdin>: cannot be repaired: a file is required"),
            (["missing.onnx"], "missing.onnx: "),
            (["broken.onnx", "healthy.onnx", "-o", "out.onnx"], "--output is for one model, there are 2"),
            (["broken.onnx", "--class", "prooven"], "did you mean `proven`"),
            (["broken.onnx", "--cure", "constant-foldet"], "did you mean `constant-folded`"),
            (["broken.onnx", "--rounds", "0"], "--rounds: `0` is no number from 1 to 1000"),
            (["broken.onnx", "--list", "--diff"], "one of --in-place, --list, --diff, --cures and --output at a time"),
            (["broken.onnx", "--no-backup"], "--no-backup goes with --in-place"),
            (["broken.onnx", "-o", "missing/out.onnx"], "cannot write: No such file or directory"),
            ([], "MODEL is required"),
        ],
    )
    def test_one_clear_line(self, arguments: list[str], cause: str, folder: Path) -> None:
        names = files(folder)
        done = run(*arguments, cwd=folder)
        assert done.returncode == 2
        assert cause.lower() in done.stderr.lower()
        assert len(done.stderr.strip().splitlines()) <= 2
        assert files(folder) == names

    def test_the_list_of_cures(self, folder: Path) -> None:
        done = run("--cures", "--output-format", "json", cwd=folder)
        names = [cure["name"] for cure in json.loads(done.stdout)]
        assert names == sorted(names) == [cure.name for cure in trtcheck.cures()]
        assert "constant-folded (proven)" in run("--cures", cwd=folder).stdout


class TestPython:
    def test_paths_bytes_and_protos(self, folder: Path) -> None:
        model = proto(BROKEN)
        by_path = trtcheck.fix(folder / "broken.onnx", target="8.2")
        by_bytes = trtcheck.fix(model.SerializeToString(), target="8.2")
        by_proto = trtcheck.fix(model, target="8.2")
        assert isinstance(by_proto.model, onnx.ModelProto)
        assert by_path.model == by_bytes.model
        assert onnx.ModelProto.FromString(by_path.model) == by_proto.model
        assert repr(by_proto) == "<Fixed: 1 repaired, 0 left, clean>"
        assert by_proto.before.verdict == "refused"
        assert by_proto.after.verdict == "clean"
        (applied,) = by_proto.applied
        assert (applied.cure, applied.kind, applied.code) == ("constant-folded", "proven", "OPS401")
        assert by_path.write(folder / "out.onnx").verdict == "clean"
        assert (folder / "out.onnx").read_bytes() == by_path.model

    def test_an_ir_model(self) -> None:
        import onnx_ir

        fixed = trtcheck.fix(onnx_ir.from_proto(proto(BROKEN)), target="8.2")
        assert isinstance(fixed.model, onnx_ir.Model)
        assert [node.op_type for node in fixed.model.graph] == ["Squeeze"]

    def test_a_file_that_is_written_to_meanwhile(self, folder: Path) -> None:
        fixed = trtcheck.fix(folder / "broken.onnx", target="8.2")
        with (folder / "broken.onnx").open("ab") as file:
            file.write(b"\x08\x08")
        with pytest.raises(trtcheck.Error, match="was written to while it was copied"):
            fixed.write(folder / "out.onnx")
        assert not (folder / "out.onnx").exists()

    def test_only_what_is_selected(self) -> None:
        assert not trtcheck.fix(proto(BROKEN), target="8.2", ignore="OPS401").is_changed
        assert not trtcheck.fix(proto(BROKEN), target="8.2", classes="rounding").is_changed
        (left,) = trtcheck.fix(proto(BROKEN), target="8.2", classes="rounding").left
        assert left.cure == "constant-folded"
        assert left.reason == "`constant-folded` is of class proven, which was not asked for"

    @pytest.mark.parametrize("bad", [{"classes": "best"}, {"cures": "nothing"}, {"target": "7.1"}])
    def test_options_that_make_no_sense(self, bad: dict[str, Any]) -> None:
        with pytest.raises(trtcheck.Error):
            trtcheck.fix(proto(BROKEN), **bad)

    @pytest.mark.parametrize("bad", [{"rounds": 0}, {"rounds": True}, {"cures": 3}])
    def test_options_of_another_type(self, bad: dict[str, Any]) -> None:
        with pytest.raises(TypeError):
            trtcheck.fix(proto(BROKEN), **bad)

    def test_a_model_that_was_read(self, folder: Path) -> None:
        with pytest.raises(TypeError, match="give its path or bytes"):
            trtcheck.fix(trtcheck.read_model(folder / "broken.onnx"))


def test_external_data_stays_where_it_is(folder: Path) -> None:
    model = proto(BROKEN)
    weights = model.graph.initializer.add(name="far", data_type=1, dims=[3], data_location=onnx.TensorProto.EXTERNAL)
    weights.external_data.add(key="location", value="far.bin")
    (folder / "far.bin").write_bytes(np.float32([1, 2, 3]).tobytes())
    (folder / "far.onnx").write_bytes(model.SerializeToString())
    (folder / "above").mkdir()
    assert run("far.onnx", "-o", "near.onnx", cwd=folder).returncode == 0
    near = onnx.load(folder / "near.onnx")
    stored = {tensor.name: onnx.numpy_helper.to_array(tensor).tolist() for tensor in near.graph.initializer}
    assert stored["far"] == [1, 2, 3]
    done = run("far.onnx", "-o", "above/out.onnx", cwd=folder)
    assert done.returncode == 2
    assert "external data `far.bin` would be outside of its folder" in done.stderr
    assert not files(folder / "above")


@pytest.mark.parametrize("given", ["path", "bytes", "external"])
def test_large_weights_are_read_where_they_are_needed(given: str, folder: Path) -> None:
    """Weights of more than 256 KB are stepped over when a model is read; this one has codes that INT8 does not hold."""
    model = proto("""<ir_version: 8, opset_import: ["" : 13]>
agraph (float[N,600] x) => (float[N,600] y) <float s = {0.5}, uint8 z = {3}> {
  d = DequantizeLinear (w, s, z)
  y = MatMul (x, d)
}""")
    codes = np.arange(600 * 600, dtype=np.uint32).astype(np.uint8).reshape(600, 600)
    model.graph.initializer.append(onnx.numpy_helper.from_array(codes, "w"))
    data = onnx.ModelProto()
    data.CopyFrom(model)
    if given == "external":
        onnx.save(data, folder / "large.onnx", save_as_external_data=True, size_threshold=1024, location="large.bin")
    else:
        onnx.save(data, folder / "large.onnx")
    fixed = trtcheck.fix(model.SerializeToString() if given == "bytes" else folder / "large.onnx", target="10.3")
    assert [one.cure for one in fixed.applied] == ["dequantized-stored"]
    assert fixed.after.verdict == "clean"
    fixed.write(folder / "out.onnx")
    stored = {one.name: onnx.numpy_helper.to_array(one) for one in onnx.load(folder / "out.onnx").graph.initializer}
    np.testing.assert_array_equal(stored["d"], (codes.astype(np.float32) - 3) * np.float32(0.5))


# The five cases that users came with: which classes of repairs they need, and what is left.
USER_CASES = {
    "case0_channel_shuffle": (("proven", "rounding"), ("8.6", "10.13", "11.5")),
    "case1_residual": (("proven", "rounding", "choice"), ("8.6", "10.13", "11.5")),
    "case2_deconvolution": (("proven", "rounding", "choice"), ("8.6", "10.13", "11.5")),
    "case3_grouped_int8": (("proven", "rounding", "choice"), ("10.13", "11.5")),
}


@pytest.mark.parametrize(
    ("name", "target"), [(name, target) for name, (_, all_of) in USER_CASES.items() for target in all_of]
)
def test_from_refused_to_clean(name: str, target: str) -> None:
    fixed = trtcheck.fix(ROOT / f"examples/models/{name}.onnx", target=target, classes=USER_CASES[name][0])
    assert fixed.before.verdict != "clean"
    assert fixed.after.verdict == "clean", [(left.code, left.message, left.reason) for left in fixed.left]


def test_what_nobody_can_know_is_left() -> None:
    fixed = trtcheck.fix(
        ROOT / "examples/models/case4_batchnorm.onnx", classes=("proven", "rounding", "interface", "choice")
    )
    assert fixed.after.verdict == "refused"
    assert {left.code for left in fixed.left if left.severity == "error"} == {"WGT201"}


def test_what_cures_are_for_exists() -> None:
    support = subprocess.run(
        [str(PROGRAM), "support", "--output-format", "json"], capture_output=True, text=True, check=True
    )
    facts = {fact["fact"] for operator in json.loads(support.stdout)["operators"] for fact in operator["facts"]}
    codes = {rule.code for rule in trtcheck.rules()}
    for cure in trtcheck.cures():
        for finding in cure.findings:
            code, _, fact = finding.partition(":")
            assert code in codes, (cure.name, finding)
            assert not fact or fact in facts, (cure.name, finding)
