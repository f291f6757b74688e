"""From files, folders and patterns to models, as the command line finds them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from trtcheck import _core, _inputs
from trtcheck._errors import Error
from trtcheck._settings import Settings, StrPath


def find_models(
    paths: StrPath | Iterable[StrPath],
    *,
    settings: Settings | None = None,
    respect_gitignore: bool | None = None,
    force_exclude: bool = False,
) -> list[str]:
    """The models that `trtcheck check` would look at for the same words.

    A file means itself, whatever its name. A folder means all `*.onnx` in it and below, sorted, without the
    folders of version control, environments and caches; a pattern (`**/*.onnx`) for those that match. Nothing is
    opened but folders and `.gitignore` files.

    Args:
        paths: one file, folder or pattern, or any number of them.
        settings: what `load_settings` returned; models that its `exclude` names are passed over in folders.
        respect_gitignore: in folders of a Git repository, pass over what `.gitignore` names; by default what `settings`
            say, else True.
        force_exclude: `exclude` counts for files that are named, too.

    Returns:
        Paths that begin as they were given, in that order, each file once.

    Raises:
        Error: a folder cannot be read or holds no model, a pattern matches none.
        TypeError: one of them is no path on this machine.
    """
    given: Iterable[object] = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    words = []
    for path in given:
        if not _inputs.is_file(path):
            what = _inputs.label(path) if _inputs.is_path(path) else type(path).__name__
            raise TypeError(f"expected files, folders and patterns, not {what}")
        words.append(os.fsencode(path))
    models, failures = _core.find_models(
        words, settings=_common(settings), respect_gitignore=respect_gitignore, force_exclude=force_exclude
    )
    for failure in failures:
        raise Error(*failure)
    return [os.fsdecode(model) for model in models]


def found(path: StrPath, settings: Settings | None) -> Iterator[StrPath | Error]:
    """What one word means; a file is the very same object."""
    word = os.fsencode(path)
    models, failures = _core.find_models(
        [word], settings=_common(settings), respect_gitignore=None, force_exclude=False
    )
    for model in models:
        yield path if model == word else os.fsdecode(model)
    for failure in failures:
        yield Error(*failure)


def _common(settings: Settings | None) -> _core.Settings | None:
    return None if settings is None else settings._common
