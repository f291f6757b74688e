"""The configuration of a project: `trtcheck.toml`, or `[tool.trtcheck]` in `pyproject.toml`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from trtcheck import _core, _inputs, _options

StrPath = str | os.PathLike[str]
SeverityName = Literal["error", "warning", "info"]
FailOn = Literal["error", "warning", "info", "never"]


class Settings:
    """What the models of a project are checked with. Made by `load_settings`; does not change.

    Comes back from pickle, so that other processes may check with it.
    """

    __slots__ = ("_common", "_path")

    def __init__(self, common: _core.Settings, path: str) -> None:
        self._common = common
        self._path = path

    def check(self, model: object, *, base_dir: StrPath | None = None) -> _core.Report:
        """Check a model with these settings.

        The per-file-ignores go by the path of the model: what comes from memory has none. Findings that the
        `baseline` knows are among the `suppressions`.

        Args:
            model: as for `trtcheck.check`.
            base_dir: as for `trtcheck.check`.

        Raises:
            Error: the model or the baseline cannot be read, or a setting does not fit the model.
        """
        settings = self._common
        if isinstance(model, (str, os.PathLike)):
            settings = settings.for_model(os.fsencode(model))
        with _inputs.opened(model, base_dir) as opened:
            report = _core.check_with(opened, settings)
        known = settings.baseline
        return _core.read_baseline(known).apply(report) if known else report

    def fails(self, report: _core.Report) -> bool:
        """Whether the report has a finding, consequences among them, that is at least as severe as `fail_on`."""
        return self._common.fails(report)

    def excludes(self, path: StrPath) -> bool:
        """Whether a model that was found in a folder is to be passed over."""
        return self._common.excludes(os.fsencode(path))

    @property
    def target(self) -> _core.Target:
        """The release and the hardware that models are checked for."""
        return self._common.target

    @property
    def select(self) -> list[str]:
        """Codes, prefixes or names of the rules that are on; empty when all are."""
        return self._common.select

    @property
    def ignore(self) -> list[str]:
        """Codes, prefixes or names of the rules that are off; for all models, per-file-ignores come on top."""
        return self._common.ignore

    @property
    def fail_on(self) -> FailOn:
        """The lowest severity that makes a check fail, or "never"."""
        return self._common.fail_on  # type: ignore[return-value]

    @property
    def baseline(self) -> Path | None:
        """The file of known findings."""
        return _path_or_none(self._common.baseline)

    @property
    def file(self) -> Path | None:
        """The configuration file, or None when there is none."""
        return _path_or_none(self._common.file)

    @property
    def origins(self) -> dict[str, str]:
        """Where each setting comes from: "default", "argument" or "trtcheck.toml:3"."""
        return self._common.origins

    def __str__(self) -> str:
        """All settings as TOML, with their origins as comments."""
        return self._common.toml()

    def __repr__(self) -> str:
        return f"<Settings for {self._path!r} from {str(self.file or 'no file')!r}>"

    def __reduce__(self) -> tuple[type[Settings], tuple[_core.Settings, str]]:
        return Settings, (self._common, self._path)


def _path_or_none(name: bytes) -> Path | None:
    return Path(os.fsdecode(name)) if name else None


def load_settings(
    path: StrPath = ".",
    *,
    config: StrPath | Literal[False] | None = None,
    target: str | None = None,
    precision: str | Iterable[str] | None = None,
    compute_capability: _options.Capability | None = None,
    dla: bool | None = None,
    strongly_typed: bool | None = None,
    plugins: str | Iterable[str] | None = None,
    profile: _options.Profile | None = None,
    require_profile: bool | None = None,
    select: str | Iterable[str] | None = None,
    extend_select: str | Iterable[str] = (),
    ignore: str | Iterable[str] | None = None,
    severity: Mapping[str, SeverityName] | None = None,
    fail_on: FailOn | None = None,
    ranges: StrPath | None = None,
    read_weights: bool | None = None,
    **more: object,
) -> Settings:
    """Read the configuration that counts for a model or a folder, as the command line does.

    Args:
        path: a model or a folder. The closest `trtcheck.toml`, or `pyproject.toml` with a table `[tool.trtcheck]`,
            counts, upward from there.
        config: this file instead; False for none.
        target: this and all that follow stand over the file, with the meaning that they have for `trtcheck.check`.
        precision: see `trtcheck.check`.
        compute_capability: see `trtcheck.check`.
        dla: see `trtcheck.check`.
        strongly_typed: see `trtcheck.check`.
        plugins: see `trtcheck.check`.
        profile: see `trtcheck.check`. The inputs of the file's own profile need not be inputs of every model.
        require_profile: see `trtcheck.check`.
        select: replaces `select` and `extend-select` of the file.
        extend_select: is added to the selection.
        ignore: replaces `ignore` of the file; its per-file-ignores and per-node-ignores stay.
        severity: severities by rule code, prefix or name, over those of the file.
        fail_on: the lowest severity that makes a check fail.
        ranges: a file of what the tensors reached on samples, see `trtcheck.check`.
        read_weights: see `trtcheck.check`.
        **more: any other key of the file, with `_` for `-`: `exclude=["old/"]`, `respect_gitignore=False`. Paths and
            patterns are relative to the working folder.

    Raises:
        Error: the file cannot be read or makes no sense ("trtcheck.toml:3: unknown key `taget`, did you mean
            `target`?"), or an argument makes none.
        TypeError: there is no such key.

    Example:
        >>> settings = trtcheck.load_settings()
        >>> report = settings.check("models/a.onnx")
        >>> settings.fails(report)
        False
    """
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    given = {
        "target": target,
        "precision": _plain(precision),
        "compute_capability": _options.capability_text(compute_capability),
        "dla": dla,
        "strongly_typed": strongly_typed,
        "plugins": _plain(plugins),
        "profile": None if profile is None else _options.profile_texts(profile),
        "require_profile": require_profile,
        "select": _plain(select),
        "extend_select": _plain(extend_select) or None,
        "ignore": _plain(ignore),
        "severity": _plain(severity),
        "fail_on": fail_on,
        "ranges": _plain(ranges),
        "read_weights": read_weights,
        **{name: _plain(value) for name, value in more.items()},
    }
    common = _core.load_settings(
        os.fsencode(folder),
        config=b"" if config is None or config is False else os.fsencode(config),
        search=config is not False,
        given={name.replace("_", "-"): value for name, value in given.items() if value is not None},
    )
    return Settings(common, os.fsdecode(path))


def _plain(given: object) -> object:
    """As a file would have it: text, a flag, a list or a table."""
    if isinstance(given, os.PathLike):
        return os.fsencode(given)
    if isinstance(given, Mapping):
        return dict(given)
    return list(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) else given
