"""What the generators share: mistakes in the data files, and a reader of TOML where Python has none."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["DataError", "tomllib"]


class DataError(Exception):
    """A mistake in the data; the text says where."""
