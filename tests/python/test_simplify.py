"""`trtcheck simplify` and `trtcheck.simplify`: what is written, what is said, what stays."""

from __future__ import annotations

import json
import pickle
import subprocess
import time
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import helper, numpy_helper

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".venv/bin/trtcheck"
SCHEMA = json.loads((ROOT / "cpp/data/simplify.schema.json").read_text())

COMPUTED = """<ir_version: 8, opset_import: ["" : 17], producer_name: "somebody">
agraph (float[N,8] x) => (float[N,2,4] y) <int64[1] zero = {0}, int64[1] one = {1}, int64[2] rest = {2, 4}> {
  [first] s = Shape (x)
  [second] n = Slice (s, zero, one)
  [third] t = Concat <axis = 0> (n, rest)
  [fourth] y = Reshape (x, t)
}"""
SIMPLE = """<ir_version: 8, opset_import: ["" : 17]>
agraph (float[N,4] x) => (float[N,4] y) { y = Relu (x) }"""


def proto(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(text)


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "simplify", "--no-config", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("computed", COMPUTED), ("simple", SIMPLE)):
        (tmp_path / f"{name}.onnx").write_bytes(proto(text).SerializeToString())
    return tmp_path


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


class TestTheProgram:
    def test_beside_the_model(self, folder: Path) -> None:
        before = (folder / "computed.onnx").read_bytes()
        done = run("computed.onnx", cwd=folder)
        assert done.returncode == 0
        assert done.stderr == ""
        assert done.stdout == (
            "computed.onnx: 1 change\n"
            "  sizes-written: 1\n"
            "before: 4 nodes, 1 of them Shape\n"
            "after: 1 node, 0 of them Shape\n"
            "written to computed.simplified.onnx\n"
        )
        assert (folder / "computed.onnx").read_bytes() == before
        made = onnx.load(folder / "computed.simplified.onnx")
        assert made.producer_name == "somebody"
        assert [node.name for node in made.graph.node] == ["fourth"]
        onnx.checker.check_model(made, full_check=True)

    def test_the_given_place(self, folder: Path) -> None:
        assert run("computed.onnx", "-o", "out.onnx", cwd=folder).returncode == 0
        assert files(folder) == {"computed.onnx", "simple.onnx", "out.onnx"}

    @pytest.mark.parametrize("backup", [True, False])
    def test_in_place(self, backup: bool, folder: Path) -> None:
        before = (folder / "computed.onnx").read_bytes()
        done = run("--in-place", *([] if backup else ["--no-backup"]), "computed.onnx", cwd=folder)
        assert done.returncode == 0
        again = (folder / "computed.onnx").read_bytes()
        assert again != before
        assert (folder / "computed.onnx.bak").exists() == backup
        if backup:
            assert (folder / "computed.onnx.bak").read_bytes() == before
        assert run("--in-place", "computed.onnx", cwd=folder).stdout.startswith("computed.onnx: 0 changes")
        assert (folder / "computed.onnx").read_bytes() == again

    @pytest.mark.parametrize("option", ["--list", "--diff"])
    def test_nothing_is_written(self, option: str, folder: Path) -> None:
        names = files(folder)
        done = run(option, "computed.onnx", cwd=folder)
        assert done.returncode == 0
        assert files(folder) == names
        assert "  sizes-written at Reshape `fourth`\n    write [0, 2, 4] as the target (proven)\n" in done.stdout
        assert done.stdout.endswith("nothing is written\n")
        assert ("- y = Reshape (x, t)" in done.stdout) == (option == "--diff")
        assert ("+ y = Reshape (x, y/sizes)" in done.stdout) == (option == "--diff")

    def test_a_simple_model_stays(self, folder: Path) -> None:
        names = files(folder)
        done = run("simple.onnx", cwd=folder)
        assert done.returncode == 0
        assert done.stdout.endswith("nothing to write: the model stays as it is\n")
        assert files(folder) == names

    def test_static_sizes(self, folder: Path) -> None:
        assert run("--static", "x=5x8", "computed.onnx", "-o", "five.onnx", cwd=folder).returncode == 0
        assert run("--static", "N=5", "computed.onnx", "-o", "symbol.onnx", cwd=folder).returncode == 0
        made = onnx.load(folder / "five.onnx")
        assert [dim.dim_value for dim in made.graph.input[0].type.tensor_type.shape.dim] == [5, 8]
        assert [dim.dim_value for dim in made.graph.output[0].type.tensor_type.shape.dim] == [5, 2, 4]
        assert numpy_helper.to_array(made.graph.initializer[0]).tolist() == [5, 2, 4]
        assert (folder / "symbol.onnx").read_bytes() == (folder / "five.onnx").read_bytes()

    def test_json(self, folder: Path) -> None:
        (folder / "text.onnx").write_text("no model")
        done = run("--output-format", "json", "computed.onnx", "simple.onnx", "text.onnx", cwd=folder)
        assert done.returncode == 2
        document = json.loads(done.stdout)
        jsonschema.validate(document, SCHEMA)
        first, second = document["models"]
        assert (first["before"]["nodes"], first["after"]["nodes"]) == (4, 1)
        assert first["output"] == "computed.simplified.onnx"
        assert first["applied"][0]["after"] == ["y = Reshape (x, y/sizes)"]
        assert second["output"] is None
        assert document["failures"][0]["path"] == "text.onnx"

    @pytest.mark.parametrize(
        ("arguments", "cause"),
        [
            (["-"], "<stdin>: cannot be simplified: a file is required"),
            (["missing.onnx"], "missing.onnx: "),
            (["computed.onnx", "simple.onnx", "-o", "out.onnx"], "--output is for one model, there are 2"),
            (["computed.onnx", "--list", "--diff"], "one of --in-place, --list, --diff and --output at a time"),
            (["computed.onnx", "--no-backup"], "--no-backup goes with --in-place"),
            (["computed.onnx", "--class", "prooven"], "did you mean `proven`"),
            (["computed.onnx", "--static", "x"], "`x`: NAME=SIZES is required, as in x=1x3x224x224"),
            (["computed.onnx", "--static", "x=1xtwo"], "`two` is no size of at least 1"),
            (["computed.onnx", "--static", "x=0x8"], "`0` is no size of at least 1"),
            (["computed.onnx", "--static", "x=1x8x"], "a size is missing after the last x"),
            (["computed.onnx", "--static", "x=1x8x3"], "`x` has 2 dims, not 3"),
            (["computed.onnx", "--static", "x=1x7"], "axis 1 of `x` has 8 entries, not 7"),
            (["computed.onnx", "--static", "M=1"], "there is no input and no symbol `M`"),
            (["computed.onnx", "--static", "N=1x2"], "`N` is a symbol, which has one size"),
            (["computed.onnx", "--static", "N=1", "--static", "x=2x8"], "`N` cannot be both 1 and 2"),
            (["computed.onnx", "-o", "missing/out.onnx"], "cannot write: No such file or directory"),
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


class TestPython:
    def test_paths_bytes_and_protos(self, folder: Path) -> None:
        model = proto(COMPUTED)
        by_path = trtcheck.simplify(folder / "computed.onnx")
        by_bytes = trtcheck.simplify(model.SerializeToString())
        by_proto = trtcheck.simplify(model)
        assert isinstance(by_proto.model, onnx.ModelProto)
        assert by_path.model == by_bytes.model
        assert onnx.ModelProto.FromString(by_path.model) == by_proto.model
        assert repr(by_proto) == "<Simplified: 4 nodes become 1, 1 changes>"
        assert (by_proto.before.nodes, by_proto.before.shapes, by_proto.before.constants) == (4, 1, 3)
        assert (by_proto.after.nodes, by_proto.after.shapes, by_proto.after.constants) == (1, 0, 1)
        (applied,) = by_proto.applied
        assert (applied.name, applied.kind, applied.node, applied.pass_) == ("sizes-written", "proven", "fourth", 1)
        assert repr(pickle.loads(pickle.dumps(applied))) == repr(applied)
        assert pickle.loads(pickle.dumps(applied)).before == ["y = Reshape (x, t)"]
        assert pickle.loads(pickle.dumps(by_proto.after)).nodes == 1
        by_path.write(folder / "out.onnx")
        assert (folder / "out.onnx").read_bytes() == by_path.model

    def test_an_ir_model(self) -> None:
        import onnx_ir

        made = trtcheck.simplify(onnx_ir.from_proto(proto(COMPUTED)))
        assert isinstance(made.model, onnx_ir.Model)
        assert [node.op_type for node in made.model.graph] == ["Reshape"]

    def test_sizes(self) -> None:
        by_symbol = trtcheck.simplify(proto(COMPUTED), sizes={"N": 3})
        by_input = trtcheck.simplify(proto(COMPUTED), sizes={"x": (3, 8)})
        assert by_symbol.model == by_input.model
        assert by_symbol.applied[0].kind == "interface"

    @pytest.mark.parametrize("bad", [{"classes": "best"}, {"sizes": {"y": 3}}, {"sizes": {"x": (0, 8)}}])
    def test_options_that_make_no_sense(self, bad: dict[str, Any]) -> None:
        with pytest.raises(trtcheck.Error):
            trtcheck.simplify(proto(COMPUTED), **bad)

    @pytest.mark.parametrize("bad", [{"sizes": {"x": "1x8"}}, {"sizes": {"x": 1.5}}, {"classes": 3}])
    def test_options_of_another_type(self, bad: dict[str, Any]) -> None:
        with pytest.raises(TypeError):
            trtcheck.simplify(proto(COMPUTED), **bad)

    def test_a_file_that_is_written_to_meanwhile(self, folder: Path) -> None:
        made = trtcheck.simplify(folder / "computed.onnx")
        with (folder / "computed.onnx").open("ab") as file:
            file.write(b"\x08\x08")
        with pytest.raises(trtcheck.Error, match="was written to while it was copied"):
            made.write(folder / "out.onnx")
        assert not (folder / "out.onnx").exists()

    def test_kinds(self) -> None:
        names = [kind.name for kind in trtcheck.simplifications()]
        assert names == sorted(names)
        page = (ROOT / "docs/simplifying.md").read_text()
        assert [name for name in names if name not in page] == [
            "batchnorm-inference",
            "dropout-removed",
            "name-made-unique",
            "size-pinned",
        ]


def test_external_data_stays_where_it_is(folder: Path) -> None:
    model = proto(COMPUTED)
    for name in ("far", "same"):
        weights = model.graph.initializer.add(name=name, data_type=1, dims=[8], data_location=onnx.TensorProto.EXTERNAL)
        weights.external_data.add(key="location", value="far.bin")
        model.graph.node.add(op_type="Mul", input=["x", name], output=[f"{name}_y"])
        model.graph.output.add(name=f"{name}_y")
    (folder / "far.bin").write_bytes(np.arange(8, dtype=np.float32).tobytes())
    (folder / "far.onnx").write_bytes(model.SerializeToString())
    (folder / "above").mkdir()
    assert run("far.onnx", "-o", "near.onnx", cwd=folder).returncode == 0
    near = onnx.load(folder / "near.onnx")
    stored = {tensor.name: numpy_helper.to_array(tensor).tolist() for tensor in near.graph.initializer}
    assert stored["far"] == list(range(8))
    assert "same" not in stored
    done = run("far.onnx", "-o", "above/out.onnx", cwd=folder)
    assert done.returncode == 2
    assert "external data `far.bin` would be outside of its folder" in done.stderr
    assert not files(folder / "above")


def chain(blocks: int) -> onnx.ModelProto:
    """Blocks of 10 nodes, all but two of which compute sizes."""
    nodes, stored, last = [], [], "x"
    for b in range(blocks):
        stored.append(numpy_helper.from_array(np.array([b], np.float32), f"w{b}"))
        stored.append(numpy_helper.from_array(np.array([0], np.int64), f"z{b}"))
        nodes += [
            helper.make_node("Shape", [last], [f"s{b}"]),
            helper.make_node("Gather", [f"s{b}", f"z{b}"], [f"n{b}"]),
            helper.make_node("Constant", [], [f"c{b}"], value=numpy_helper.from_array(np.array([2, -1], np.int64))),
            helper.make_node("Concat", [f"n{b}", f"c{b}"], [f"t{b}"], axis=0),
            helper.make_node("Reshape", [last, f"t{b}"], [f"r{b}"]),
            helper.make_node("Identity", [f"r{b}"], [f"i{b}"]),
            helper.make_node("Mul", [f"i{b}", f"w{b}"], [f"m{b}"]),
            helper.make_node("Constant", [], [f"d{b}"], value=numpy_helper.from_array(np.array([8], np.int64))),
            helper.make_node("Concat", [f"n{b}", f"d{b}"], [f"u{b}"], axis=0),
            helper.make_node("Reshape", [f"m{b}", f"u{b}"], [f"y{b}"]),
        ]
        last = f"y{b}"
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [value("x", 1, ["N", 8])], [value(last, 1, ["N", 8])], stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_time_is_in_proportion_to_nodes() -> None:
    def seconds(blocks: int) -> float:
        content = chain(blocks).SerializeToString()
        times = []
        for _ in range(3):
            start = time.process_time()
            made = trtcheck.simplify(content)
            times.append(time.process_time() - start)
        assert made.after.shapes == 0
        assert made.after.nodes < made.before.nodes / 3
        return min(times)

    small, large = seconds(200), seconds(2000)
    assert large < 25 * small
