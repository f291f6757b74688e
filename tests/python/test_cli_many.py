"""Many models on the command line: which are found, in which order they are reported, and what is said about them."""

from __future__ import annotations

import json
import os
import pty
import random
import shutil
import socket
import subprocess
from pathlib import Path

import onnx
import pytest
from test_cli import CLEAN, PROGRAM, REFUSED, one_line, run, write

import trtcheck

TEST_DATA = Path("/usr/share/libonnx-testdata")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two clean models, one refused, and files that are no models."""
    root = tmp_path / "models"
    (root / "b").mkdir(parents=True)
    write(root / "z.onnx", CLEAN)
    write(root / "b/clean.onnx", CLEAN)
    write(root / "b/refused.onnx", REFUSED)
    (root / "b/weights.bin").write_bytes(b"x")
    (root / "readme.md").write_text("models")
    return root


def checked(*args: str | Path, **options: object) -> list[str]:
    """The models of the JSON document."""
    result = run("check", "--output-format", "json", "--fail-on", "never", *args, **options)
    assert result.returncode == 0, result.stderr
    return [model["path"] for model in json.loads(result.stdout)["models"]]


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


# --- which models ----------------


def test_a_folder_is_all_its_models_sorted(tree: Path) -> None:
    names = ["b/clean.onnx", "b/refused.onnx", "z.onnx"]
    assert checked(tree) == [str(tree / name) for name in names]
    assert checked(".", cwd=tree) == names
    assert checked("b/", "z.onnx", "./b/../z.onnx", cwd=tree) == names
    assert checked("z.onnx", "b", "z.onnx", cwd=tree) == [names[2], *names[:2]]


def test_patterns_that_no_shell_has_expanded(tree: Path) -> None:
    assert checked("**/c*.onnx", cwd=tree) == ["b/clean.onnx"]
    assert checked("*/*.onnx", cwd=tree) == ["b/clean.onnx", "b/refused.onnx"]
    assert "no*.onnx" in one_line(run("no*.onnx", cwd=tree))


def test_a_folder_without_models_is_no_success(tree: Path) -> None:
    (tree / "empty").mkdir()
    assert one_line(run("empty", cwd=tree)) == "empty: there is no model (`*.onnx`) in this folder"
    result = run("empty", "z.onnx", cwd=tree)
    assert result.returncode == 2 and result.stderr.count("\n") == 1 and "z.onnx: clean" in result.stdout
    assert result.stdout.endswith(
        "\n1 of 2 models: 0 refused, 0 uncertain, 1 clean; 1 not checked: there is no model (`*.onnx`) in this folder\n"
    )


def test_excluded_models(tree: Path) -> None:
    (tree / "trtcheck.toml").write_text('exclude = ["b/"]\n')
    assert checked(".", cwd=tree) == ["z.onnx"]
    assert checked("b/clean.onnx", cwd=tree) == ["b/clean.onnx"]
    assert checked("--no-config", ".", cwd=tree) == ["b/clean.onnx", "b/refused.onnx", "z.onnx"]
    assert checked("--exclude", "z.onnx,clean.*", ".", cwd=tree) == ["b/refused.onnx"]
    # pre-commit names every file that changed, also what the project excludes: nothing to do is success.
    assert checked("--force-exclude", "b/clean.onnx", "z.onnx", cwd=tree) == ["z.onnx"]
    result = run("check", "--force-exclude", "b/refused.onnx", cwd=tree)
    assert (result.returncode, result.stdout) == (0, "")
    result = run("b", cwd=tree)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "trtcheck: warning: b: all models (2) are excluded\n"


# --- .gitignore ----------------

GIT = shutil.which("git")
NAMES = ["a", "b", "ab", "a b", "x.onnx", "build", "#c", "[a]"]
PARTS = ["a", "b", "a*", "*b", "?", "*", "**", "[ab]", "[!a]", "a?", "x.*", "build", "\\#c", "\\[a]", "[[:alpha:]]"]


def git(root: Path, *args: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    env = os.environ | {
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "XDG_CONFIG_HOME": str(root),
    }
    assert GIT is not None
    return subprocess.run([GIT, *args], cwd=root, env=env, capture_output=True, check=False, **options)  # type: ignore[call-overload]


def random_ignores(source: random.Random) -> str:
    lines = []
    for _ in range(source.randrange(1, 6)):
        parts = [source.choice(PARTS) for _ in range(source.randrange(1, 4))]
        if source.random() < 0.5:
            parts.append(source.choice(["*.onnx", "m0.onnx", "m[01].onnx", "!m1.onnx"]))
        line = "/".join(parts)
        line = (
            source.choice(["", "", "!"]) + source.choice(["", "", "/"]) + line + source.choice(["", "", "/", " ", "\r"])
        )
        lines.append(line)
    return "\n".join(lines) + source.choice(["", "\n"])


@pytest.mark.skipif(GIT is None, reason="git is the oracle")
def test_gitignore_as_git_reads_it(tmp_path: Path) -> None:
    seed = int(os.environ.get("TRTCHECK_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"TRTCHECK_SEED={seed}")
    source = random.Random(seed)
    ignored_somewhere = 0
    for round_ in range(25):
        root = tmp_path / f"repo{round_}"
        root.mkdir()
        assert git(root, "init", "-q").returncode == 0
        folders = [root]
        for _ in range(8):
            folder = source.choice(folders) / source.choice(NAMES)
            if not folder.exists():
                folder.mkdir()
                folders.append(folder)
        models = [folder / f"m{i}.onnx" for folder in folders for i in range(3)]
        for model in models:
            model.write_bytes(b"")
        for folder in {root, *source.sample(folders, min(3, len(folders)))}:
            (folder / ".gitignore").write_text(random_ignores(source))
        (root / ".git/info/exclude").write_text(random_ignores(source))
        names = sorted(str(model.relative_to(root)) for model in models)
        asked = git(root, "check-ignore", "--no-index", "-z", "--stdin", input="\0".join(names).encode())
        assert asked.returncode in (0, 1), asked.stderr
        ignored = {name.decode() for name in asked.stdout.split(b"\0") if name}
        ignored_somewhere += bool(ignored)
        result = run("check", ".", cwd=root)  # empty files: each is said in one line
        found = sorted(line.removeprefix("trtcheck: ").partition(": ")[0] for line in result.stderr.splitlines())
        expected = sorted(set(names) - ignored) or ["."]
        assert found == expected, (root, seed)
        everything = run("check", "--no-respect-gitignore", ".", cwd=root).stderr
        assert everything.count("\n") == len(names)
    assert ignored_somewhere > 5


# --- standard input ----------------


def test_standard_input(tree: Path) -> None:
    data = (tree / "b/refused.onnx").read_bytes()
    for words in (["-"], ["check", "-"], ["-", "-"]):
        result = subprocess.run([PROGRAM, *words], input=data, capture_output=True, check=False)
        assert result.returncode == 1
        assert result.stdout.decode().splitlines()[-1].startswith("<stdin>: refused for TensorRT")
    with (tree / "b/refused.onnx").open("rb") as file:
        assert run("-", stdin=file).returncode == 1
    with (tree / "z.onnx").open("rb") as file:
        assert checked("b/clean.onnx", "-", cwd=tree, stdin=file) == ["b/clean.onnx", "<stdin>"]


def test_standard_input_may_be_a_socket(tree: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall((tree / "z.onnx").read_bytes())
        ours.shutdown(socket.SHUT_WR)
        assert checked("-", stdin=theirs.fileno()) == ["<stdin>"]


def test_standard_input_takes_the_settings_of_the_working_folder(tree: Path) -> None:
    (tree / "trtcheck.toml").write_text('plugins = ["Frobnicate"]\n')
    with (tree / "b/refused.onnx").open("rb") as file:
        assert run("-", stdin=file, cwd=tree).returncode == 0


@pytest.mark.parametrize(("data", "said"), [(b"", "empty"), (b"no model\n", "text"), (b"\x08", "")])
def test_standard_input_that_is_no_model(data: bytes, said: str) -> None:
    result = subprocess.run([PROGRAM, "-"], input=data, capture_output=True, check=False)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"trtcheck: <stdin>: ") and said in result.stderr.decode()


def test_standard_input_that_is_a_terminal() -> None:
    controller, terminal = pty.openpty()
    assert "terminal" in one_line(run("-", stdin=terminal))
    os.close(terminal)
    os.close(controller)


# --- what cannot be checked ----------------


def test_a_git_lfs_pointer_is_named(tree: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12345\n"
    (tree / "pointer.onnx").write_text(pointer)
    line = one_line(run("pointer.onnx", cwd=tree))
    assert line.startswith("pointer.onnx: ") and "Git LFS pointer" in line and "`git lfs pull`" in line


def test_a_model_that_vanishes_does_not_hide_the_others(tree: Path) -> None:
    (tree / "a.onnx").symlink_to(tree / "was-here")
    result = run(tree)
    assert result.returncode == 2
    assert result.stderr == f"trtcheck: {tree}/a.onnx: cannot be opened: No such file or directory\n"
    assert result.stdout.endswith(
        f"\n{tree}/a.onnx: not checked: cannot be opened: No such file or directory\n\n"
        "3 of 4 models: 1 refused, 0 uncertain, 2 clean; 1 not checked: cannot be opened: No such file or directory\n"
    )


def test_what_could_not_be_found_is_a_failure_of_the_documents(tree: Path) -> None:
    (tree / "empty").mkdir()
    empty = {"path": "empty", "cause": "there is no model (`*.onnx`) in this folder"}
    nothing = {"path": "no*.onnx", "cause": "no model has such a name"}
    result = run("check", "--output-format", "json", "empty", "z.onnx", "no*.onnx", cwd=tree)
    document = json.loads(result.stdout)
    assert result.returncode == 2 and len(document["models"]) == 1
    assert document["failures"] == [empty, nothing]
    result = run("check", "--output-format", "json", "empty", cwd=tree)
    assert result.returncode == 2 and json.loads(result.stdout)["failures"] == [empty]


def test_a_broken_configuration_is_said_once_and_other_projects_are_checked(tree: Path) -> None:
    (tree / "b/trtcheck.toml").write_text("taget = 1\n")
    result = run(".", cwd=tree)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1 and "trtcheck.toml:1" in result.stderr and "`target`" in result.stderr
    assert "z.onnx: clean" in result.stdout


def test_options_of_a_file_that_matched_nothing(tree: Path) -> None:
    (tree / "trtcheck.toml").write_text('[per-file-ignores]\n"b/*" = ["OPS103"]\n"nowhere/*" = ["OPS103"]\n')
    result = run(".", cwd=tree)
    assert result.returncode == 0
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("trtcheck: warning: ") and "nowhere/*" in result.stderr
    assert run(".", "--quiet", cwd=tree).stderr == ""


# --- order, counts ----------------


@pytest.mark.skipif(not TEST_DATA.is_dir(), reason="needs libonnx-testdata")
@pytest.mark.parametrize("options", [[], ["--output-format", "json"], ["--output-format", "concise"], ["--statistics"]])
def test_the_same_bytes_for_any_number_of_workers(options: list[str]) -> None:
    paths = sorted(TEST_DATA.rglob("*.onnx"))
    assert len(paths) > 1000
    one = run("check", "--jobs", "1", *options, TEST_DATA)
    assert one.returncode == 1 and one.stdout
    for jobs in ("2", "7"):
        many = run("check", "--jobs", jobs, *options, TEST_DATA)
        assert (many.returncode, many.stdout, many.stderr) == (one.returncode, one.stdout, one.stderr)
    if "json" in options:
        assert [model["path"] for model in json.loads(one.stdout)["models"]] == [str(path) for path in paths]


def test_clean_models_among_many_have_no_line(tree: Path) -> None:
    result = run(tree)
    assert "clean.onnx" not in result.stdout and "z.onnx" not in result.stdout
    assert result.stdout.endswith("\n3 models: 1 refused, 0 uncertain, 2 clean\n")
    (tree / "b/refused.onnx").unlink()
    assert run(tree).stdout == "2 models: 0 refused, 0 uncertain, 2 clean\n"


def test_quiet_is_findings_only(tree: Path) -> None:
    result = run("check", "--quiet", tree)
    assert result.returncode == 1
    assert "error[OPS103]" in result.stdout and "refused for TensorRT" not in result.stdout
    assert "models:" not in result.stdout
    result = run("check", "-q", tree / "z.onnx")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_statistics_stand_behind_the_findings(tree: Path) -> None:
    shutil.copy(tree / "b/refused.onnx", tree / "again.onnx")
    for format in ("full", "concise"):
        words = ("check", "--output-format", format, tree)
        result = run(*words, "--statistics")
        assert result.returncode == 1
        assert result.stdout == run(*words).stdout + "\n2  OPS103  plugin-missing  in 2 models\n"
    document = json.loads(run("check", "--statistics", "--output-format", "json", tree).stdout)
    assert document.pop("statistics") == [{"code": "OPS103", "name": "plugin-missing", "count": 2, "models": 2}]
    assert document == json.loads(run("check", "--output-format", "json", tree).stdout)


TABLE = "1  OPS103  plugin-missing  in 1 model\n"


@pytest.mark.parametrize("format", trtcheck.formats())
def test_statistics_leave_the_file_what_it_is(tree: Path, format: str) -> None:
    words = ("check", "--output-format", format, "--output", "report", ".")
    result = run(*words, "--statistics", cwd=tree)
    document = (tree / "report").read_bytes()
    assert (result.returncode, result.stdout, result.stderr) == (1, TABLE, "")
    run(*words, cwd=tree)
    assert (tree / "report").read_bytes() == document


def test_statistics_next_to_a_document_on_standard_output(tree: Path) -> None:
    result = run("check", "--statistics", "--output-format", "sarif", ".", cwd=tree)
    assert (result.stdout, result.stderr) == (run("check", "--output-format", "sarif", ".", cwd=tree).stdout, TABLE)
    outputs = ("--output-format", "junit", "--output", "report.xml", "--output-format", "full")
    result = run("check", "--statistics", *outputs, ".", cwd=tree)
    assert (result.stdout, result.stderr) == (run("check", ".", cwd=tree).stdout + "\n" + TABLE, "")
    assert (tree / "report.xml").read_text().startswith("<?xml")


def test_statistics_say_what_was_not_checked(tree: Path) -> None:
    result = run("check", "--statistics", "--output-format", "json", "z.onnx", "gone.onnx", cwd=tree)
    document = json.loads(result.stdout)
    assert document["statistics"] == [] and [each["path"] for each in document["failures"]] == ["gone.onnx"]


@pytest.mark.skipif(not TEST_DATA.is_dir(), reason="needs libonnx-testdata")
def test_statistics_agree_with_the_findings() -> None:
    counted: dict[str, int] = {}

    def count(findings: list[dict[str, object]]) -> None:
        for finding in findings:
            counted[str(finding["code"])] = counted.get(str(finding["code"]), 0) + 1
            count(finding["consequences"])  # type: ignore[arg-type]

    for model in json.loads(run("check", "--output-format", "json", TEST_DATA).stdout)["models"]:
        count(model["findings"])
    statistics = json.loads(run("check", "--statistics", "--output-format", "json", TEST_DATA).stdout)["statistics"]
    assert {row["code"]: row["count"] for row in statistics} == counted
    assert [row["count"] for row in statistics] == sorted(counted.values(), reverse=True)


@pytest.mark.parametrize("word", ["0", "-1", "two", "1.5", "99999999999"])
def test_a_number_of_workers_that_makes_no_sense(word: str) -> None:
    assert f"`{word}`" in one_line(run("check", f"--jobs={word}", "m.onnx"))


def test_a_big_model_among_small_ones_does_not_stay_in_memory(tree: Path) -> None:
    assert onnx.load(tree / "z.onnx").graph.node
    for i in range(200):
        shutil.copy(tree / "z.onnx", tree / f"copy{i}.onnx")
    assert len(checked(tree, "--jobs", "50")) == 203
