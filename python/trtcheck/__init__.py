"""Will this ONNX model convert to a TensorRT engine, and if not, why and what to do?

    import trtcheck

    report = trtcheck.check("model.onnx", target="10.13")
    print(report)
    report.raise_for_errors()

Neither TensorRT nor a GPU is needed, and weights are read only where FP16 or `read_weights` asks for it.
`trtcheck.torch` checks PyTorch modules.
"""

from __future__ import annotations

import os as _os
from collections.abc import Iterable as _Iterable
from typing import Any as _Any

from trtcheck import _check, _inputs, _options
from trtcheck import _core as _core
from trtcheck._annotate import Annotated as Annotated
from trtcheck._annotate import annotate_shapes
from trtcheck._axes import axes
from trtcheck._check import check, check_many
from trtcheck._confirm import confirm, find_witness, find_witnesses
from trtcheck._core import (
    Analysis,
    AppliedCure,
    Attribute,
    AttributeType,
    AxesReport,
    AxisCause,
    AxisCondition,
    Baseline,
    BaselineEntry,
    Confirmation,
    Conflict,
    Cure,
    CutTensor,
    DataType,
    Diff,
    DiffSide,
    Dim,
    DynamicAxis,
    Finding,
    Fix,
    FixedAxis,
    Graph,
    GraphKind,
    InterfaceChange,
    Layer,
    LeftFinding,
    LiveTensor,
    LogMatch,
    Matrix,
    MatrixRange,
    MeasuredTensor,
    MemoryPoint,
    MemoryReport,
    MemoryWarning,
    MessageMatch,
    Model,
    ModelCounts,
    Need,
    Node,
    Note,
    Obligation,
    OneReport,
    OperatorChange,
    PartCounts,
    ProfileProposal,
    Ranges,
    Report,
    Rule,
    ShapeKind,
    Shapes,
    Simplification,
    SimplificationKind,
    SizeChoice,
    SourceLocation,
    Sparsity,
    Suppressed,
    TakenBy,
    Target,
    Tensor,
    TensorData,
    Type,
    TypeKind,
    Value,
    ValueShape,
    WeightBytes,
    WeightSparsity,
    Witness,
    WitnessMessage,
    __version__,
    formats,
    releases,
    rtx_releases,
    rule,
    rules,
    rules_for,
    rules_for_log,
)
from trtcheck._errors import ConversionError, Error
from trtcheck._extract import Extracted as Extracted
from trtcheck._extract import extract
from trtcheck._find import find_models
from trtcheck._fix import Fixed as Fixed
from trtcheck._fix import cures, fix
from trtcheck._memory import memory
from trtcheck._ranges import measure_ranges
from trtcheck._reduce import Reduced as Reduced
from trtcheck._reduce import reduce
from trtcheck._settings import Settings, load_settings
from trtcheck._shapes import infer_shapes, layers, sparsity
from trtcheck._simplify import Simplified as Simplified
from trtcheck._simplify import simplifications, simplify
from trtcheck._testing import assert_convertible

__all__ = [
    "Analysis",
    "AppliedCure",
    "Attribute",
    "AttributeType",
    "AxesReport",
    "AxisCause",
    "AxisCondition",
    "Baseline",
    "BaselineEntry",
    "Confirmation",
    "Conflict",
    "ConversionError",
    "Cure",
    "CutTensor",
    "DataType",
    "Diff",
    "DiffSide",
    "Dim",
    "DynamicAxis",
    "Error",
    "Finding",
    "Fix",
    "FixedAxis",
    "Graph",
    "GraphKind",
    "InterfaceChange",
    "Layer",
    "LeftFinding",
    "LiveTensor",
    "LogMatch",
    "Matrix",
    "MatrixRange",
    "MeasuredTensor",
    "MemoryPoint",
    "MemoryReport",
    "MemoryWarning",
    "MessageMatch",
    "Model",
    "ModelCounts",
    "Need",
    "Node",
    "Note",
    "Obligation",
    "OneReport",
    "OperatorChange",
    "PartCounts",
    "ProfileProposal",
    "Ranges",
    "Report",
    "Rule",
    "Settings",
    "ShapeKind",
    "Shapes",
    "Simplification",
    "SimplificationKind",
    "SizeChoice",
    "SourceLocation",
    "Sparsity",
    "Suppressed",
    "TakenBy",
    "Target",
    "Tensor",
    "TensorData",
    "Type",
    "TypeKind",
    "Value",
    "ValueShape",
    "WeightBytes",
    "WeightSparsity",
    "Witness",
    "WitnessMessage",
    "__version__",
    "analyze",
    "annotate_shapes",
    "assert_convertible",
    "axes",
    "check",
    "check_many",
    "confirm",
    "cures",
    "diff",
    "extract",
    "find_models",
    "find_witness",
    "find_witnesses",
    "fix",
    "formats",
    "infer_shapes",
    "layers",
    "load_settings",
    "matrix",
    "measure_ranges",
    "memory",
    "propose_profile",
    "read_baseline",
    "read_model",
    "read_ranges",
    "reduce",
    "releases",
    "render",
    "report",
    "rtx_releases",
    "rule",
    "rules",
    "rules_for",
    "rules_for_log",
    "simplifications",
    "simplify",
    "sparsity",
]


def analyze(model: object, *, base_dir: str | _os.PathLike[str] | None = None) -> Analysis:
    """Read a model once, to check it against several targets.

        analysis = trtcheck.analyze("model.onnx")
        for release in trtcheck.releases():
            print(release, trtcheck.check(analysis, target=release).verdict)

    Args:
        model: as for `check`.
        base_dir: as for `check`.

    Raises:
        Error: it cannot be read.
        TypeError: `model` is nothing that can be read.
    """
    with _inputs.opened(model, base_dir) as opened:
        return _core.analyze(opened)


def diff(
    before: object,
    after: object,
    *,
    target: str | Target | None = None,
    precision: str | _Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    dla: bool = False,
    strongly_typed: bool = False,
    plugins: str | _Iterable[str] = (),
    profile: _options.Profile | None = None,
    require_profile: bool = False,
    select: str | _Iterable[str] = (),
    ignore: str | _Iterable[str] = (),
    base_dir: str | _os.PathLike[str] | None = None,
) -> Diff:
    """Compare two versions of a model: findings that are new, gone or kept, and changes of the interface.

    Args:
        before: as `model` for `check`.
        after: as `model` for `check`.
        target: as for `check`, and so are the following; they count for both models.
        precision: as for `check`.
        compute_capability: as for `check`.
        dla: as for `check`.
        strongly_typed: as for `check`.
        plugins: as for `check`.
        profile: as for `check`.
        require_profile: as for `check`.
        select: as for `check`.
        ignore: as for `check`.
        base_dir: as for `check`.

    Returns:
        Findings are the same when their fingerprints and severities are; inputs and outputs when their names are.

    Raises:
        Error: a model cannot be read, or an option makes no sense.
        TypeError: one of them is nothing that can be checked.
    """
    made = _options.make_target(
        target, precision, compute_capability, plugins, profile, dla, strongly_typed, require_profile
    )
    rules: dict[str, _Any] = {"select": _options.words(select, "select"), "ignore": _options.words(ignore, "ignore")}
    with _inputs.opened(before, base_dir) as old, _inputs.opened(after, base_dir) as new:
        return _core.diff(old, _core.check(old, target=made, **rules), new, _core.check(new, target=made, **rules))


def matrix(
    model: object,
    *,
    targets: str | _Iterable[str] = "all",
    precision: str | _Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    dla: bool = False,
    strongly_typed: bool = False,
    plugins: str | _Iterable[str] = (),
    profile: _options.Profile | None = None,
    require_profile: bool = False,
    select: str | _Iterable[str] = (),
    ignore: str | _Iterable[str] = (),
    base_dir: str | _os.PathLike[str] | None = None,
) -> Matrix:
    """Tell which releases take a model, and what the others object to.

        for taken in trtcheck.matrix("model.onnx", targets="8.6..").taken_by:
            print(taken.product, taken.oldest_clean, taken.newest_clean)

    The model is read once. Of a large one, all releases together cost less than twice one of them.

    Args:
        model: as for `check`.
        targets: "10.13", "rtx-1.7", a range of one product with both ends ("8.6..10.13", "8.6..", "..10.13"), "all", or
            several of these.
        precision: as for `check`.
        compute_capability: as for `check`.
        dla: as for `check`.
        strongly_typed: as for `check`.
        plugins: as for `check`.
        profile: as for `check`.
        require_profile: as for `check`.
        select: as for `check`.
        ignore: as for `check`.
        base_dir: as for `check`.

    Returns:
        A report for each release, equal to that of `check`, with 200 findings of one rule and severity at most and
        without pictures of the neighbourhood.

    Raises:
        Error: the model cannot be read, or an option makes no sense.
        TypeError: `model` is nothing that can be checked.
    """
    made = _options.make_target(
        None, precision, compute_capability, plugins, profile, dla, strongly_typed, require_profile
    )
    rules: dict[str, _Any] = {"select": _options.words(select, "select"), "ignore": _options.words(ignore, "ignore")}
    releases = _options.release_words(targets)
    if isinstance(model, Analysis):
        return _core.matrix(model, target=made, releases=releases, **rules)
    with _inputs.opened(model, base_dir) as opened:
        return _core.matrix(_core.analyze(opened), target=made, releases=releases, **rules)


def propose_profile(
    model: object,
    *,
    dims: _options.Dims | None = None,
    profile: _options.Profile | None = None,
    target: str | None = None,
    base_dir: str | _os.PathLike[str] | None = None,
) -> ProfileProposal:
    """Propose an optimization profile for the dynamic inputs of a model.

        proposal = trtcheck.propose_profile("model.onnx", dims={"batch": (1, 16)})
        print(proposal)
        report = trtcheck.check("model.onnx", profile=proposal.profile)

    Sizes are those that people use, moved to the nearest ones that meet the conditions of shape inference; sizes of one
    name are the same in all inputs.

    Args:
        model: as for `check`.
        dims: wanted sizes of named axes, in elements: 4, (1, 8) for a range, (1, 4, 8) with the best one between. An
            axis without a name is called "x.dim2", axis 2 of input x.
        profile: inputs whose sizes are settled, as for `check`.
        target: the release that the proposal is checked for.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, a dim or an input does not exist, or sizes make no sense.
        TypeError: `model` is nothing that can be read.
    """
    made = _options.make_target(target, (), None, (), profile)
    with _inputs.opened(model, base_dir) as opened:
        return _core.propose_profile(opened, target=made, dims=_options.dim_texts(dims))


def report(
    model: object,
    *,
    target: str | Target | None = None,
    precision: str | _Iterable[str] = (),
    compute_capability: _options.Capability | None = None,
    dla: bool = False,
    strongly_typed: bool = False,
    plugins: str | _Iterable[str] = (),
    profile: _options.Profile | None = None,
    require_profile: bool = False,
    dims: _options.Dims | None = None,
    select: str | _Iterable[str] = (),
    ignore: str | _Iterable[str] = (),
    ranges: str | _os.PathLike[str] | Ranges | None = None,
    read_weights: bool = False,
    base_dir: str | _os.PathLike[str] | None = None,
) -> OneReport:
    """Say all of one model: what `check`, `matrix`, `propose_profile`, the layers and the shapes say, and what not.

        one = trtcheck.report("model.onnx", target="10.13")
        Path("report.html").write_text(one.to_html())

    Args:
        model: as for `check`.
        target: as for `check`; the releases of the matrix are always all known ones.
        precision: as for `check`.
        compute_capability: as for `check`.
        dla: as for `check`.
        strongly_typed: as for `check`.
        plugins: as for `check`.
        profile: as for `check`; the proposed profile keeps it.
        require_profile: as for `check`.
        dims: wanted sizes of named axes, as for `propose_profile`.
        select: as for `check`.
        ignore: as for `check`.
        ranges: as for `check`.
        read_weights: as for `check`.
        base_dir: as for `check`.

    Raises:
        Error: the model cannot be read, or an option makes no sense.
        TypeError: `model` is nothing that can be checked.
    """
    made = _options.make_target(
        target, precision, compute_capability, plugins, profile, dla, strongly_typed, require_profile
    )
    rules: dict[str, _Any] = {"select": _options.words(select, "select"), "ignore": _options.words(ignore, "ignore")}
    rules |= {"ranges": _check.measured(ranges), "read_weights": _options.flag(read_weights, "read_weights")}
    rules["dims"] = _options.dim_texts(dims)
    if isinstance(model, Analysis):
        return _core.report(model, target=made, **rules)
    with _inputs.opened(model, base_dir) as opened:
        return _core.report(_core.analyze(opened), target=made, **rules)


def read_baseline(path: str | _os.PathLike[str]) -> Baseline:
    """Read the file that `trtcheck check --baseline FILE --update-baseline` writes.

    Args:
        path: of the file. Its entries name models relative to its folder.

    Raises:
        Error: it cannot be read, is no baseline, or one of a version that is not known here.
    """
    return _core.read_baseline(_os.fsencode(path))


def read_model(model: object, *, base_dir: str | _os.PathLike[str] | None = None) -> Model:
    """Read a model without touching its weights.

    Args:
        model: as for `check`. A buffer is borrowed: leave it unchanged while the model lives. A file is not
            needed any more.
        base_dir: as for `check`.

    Raises:
        Error: it cannot be read. The text names the file, the cause and, for malformed files, the byte.
        TypeError: `model` is nothing that can be read.
    """
    with _inputs.opened(model, base_dir) as opened:
        return opened


def read_ranges(path: str | _os.PathLike[str]) -> Ranges:
    """Read the file that `trtcheck ranges --save FILE` writes.

    Args:
        path: of the file; `Path(path).write_text(ranges.to_json())` writes one from Python.

    Raises:
        Error: it cannot be read, holds no ranges, or those of a version that is not known here.
    """
    return _core.read_ranges(_os.fsencode(path))


_Documented = Report | Matrix | Confirmation


def render(
    reports: _Documented | Error | _Iterable[_Documented | Error],
    format: str = "full",
    *,
    color: bool = False,
    width: int = 100,
    fail_on: str = "error",
    show_all: bool = False,
) -> str:
    """One document about all reports, matrices or confirmations, as the command line writes it.

        Path("trtcheck.sarif").write_text(trtcheck.render(reports, "sarif"), encoding="utf-8")

    Args:
        reports: one report or any number of them, and in the place of a report the `Error` that there was instead:
            the document then says that it is not whole. Or what `matrix` returned for each model, or `confirm`.
        format: one of `formats()`; of matrices and confirmations "full", "json", "markdown" or "html".
        color: escape codes of a terminal, in "full" and "concise".
        width: columns of "full".
        fail_on: the least severity that is a failed test in "junit": "error", "warning", "info"; or "never".
        show_all: every finding by itself; else "full", "concise", "github", "markdown" and "html" tell those of one
            cause as one.

    Returns:
        The same text for the same reports. Formats for CI name files relative to GITHUB_WORKSPACE, CI_PROJECT_DIR or
        the working folder.

    Raises:
        Error: there is no such format.
        TypeError: they are of different kinds, or of one that has a document of its own only.
    """
    several = [reports] if isinstance(reports, (Report, Matrix, Confirmation, Error)) else list(reports)
    failures = [(each.path, each.cause) for each in several if isinstance(each, Error)]
    made: list[_Any] = [each for each in several if not isinstance(each, Error)]
    kinds = sorted({type(each).__name__ for each in made})
    if len(kinds) > 1:
        raise TypeError(f"one document is about values of one kind, not of {' and '.join(kinds)}")
    if kinds == ["Matrix"]:
        return _core.render_matrices(made, failures, format=format, color=color, width=width)
    if kinds == ["Confirmation"]:
        return _core.render_confirmations(made, failures, format=format, color=color, width=width)
    if kinds not in ([], ["Report"]):
        raise TypeError(f"expected reports, matrices or confirmations, not {kinds[0]}")
    return _core.render(made, failures, format=format, color=color, width=width, fail_on=fail_on, show_all=show_all)
