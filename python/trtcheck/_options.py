"""The options of a check, from what people write to what the native part accepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real

from trtcheck import _core
from trtcheck._shape_functions import ShapeFunctions, stated

Shape = Sequence[int]
#: One shape, or the smallest, the best and the largest; or the same as text, "1x3:4x3:8x3".
ShapeRange = str | Shape | tuple[Shape, Shape, Shape]
#: Shapes by input name, or texts such as "x=1x3:4x3:8x3" or trtexec's "x:1x3".
Profile = str | Iterable[str] | Mapping[str, ShapeRange]
#: Sizes by the name of a dynamic axis: 4, (1, 8) for a range, (1, 4, 8) with the best one; or texts, "batch=1:4:8".
Dims = str | Iterable[str] | Mapping[str, str | int | tuple[int, int] | tuple[int, int, int]]
Capability = str | float | tuple[int, int]


def make_target(
    target: str | _core.Target | None,
    precision: str | Iterable[str],
    compute_capability: Capability | None,
    plugins: str | Iterable[str],
    profile: Profile | None,
    dla: bool = False,
    strongly_typed: bool = False,
    require_profile: bool = False,
    shape_functions: ShapeFunctions | None = None,
) -> _core.Target:
    if isinstance(target, _core.Target):
        flags = dla or strongly_typed or require_profile or shape_functions is not None
        if precision or compute_capability is not None or flags or plugins or profile is not None:
            raise TypeError(
                "a Target holds precision, compute_capability, dla, strongly_typed, plugins, profile, require_profile "
                "and shape_functions already"
            )
        return target
    return _core.Target(
        release=target,
        precision=words(precision, "precision"),
        compute_capability=capability_text(compute_capability),
        dla=flag(dla, "dla"),
        strongly_typed=flag(strongly_typed, "strongly_typed"),
        plugins=words(plugins, "plugins"),
        profile=profile_texts(profile),
        require_profile=flag(require_profile, "require_profile"),
        shape_functions=stated(shape_functions),
    )


def words(given: str | Iterable[str], name: str) -> list[str]:
    """A single word is a list of one, not a list of letters."""
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, (bytes, bytearray)):
        raise TypeError(f"{name} must be text or a list of texts, not {_kind(given)}")
    made = list(given)
    for each in made:
        if not isinstance(each, str):
            raise TypeError(f"{name} must hold texts, not {_kind(each)}")
    return made


def release_words(given: str | Iterable[str]) -> list[str]:
    """A number is refused by the native part, which says why."""
    several = [given] if isinstance(given, (str, Real)) else given
    if isinstance(several, (list, tuple)) and all(isinstance(each, (str, Real)) for each in several):
        return list(several)
    return words(several, "targets")


def flag(given: object, name: str) -> bool:
    if isinstance(given, bool) or (type(given).__module__ == "numpy" and type(given).__name__ in ("bool", "bool_")):
        return bool(given)
    raise TypeError(f"{name} must be True or False, not {_kind(given)}")


def capability_text(given: Capability | None) -> str | None:
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, tuple) and len(given) == 2:
        return f"{_size(given[0], 'compute_capability')}.{_size(given[1], 'compute_capability')}"
    if isinstance(given, Real):
        # As it was written: 8.6 in single precision is 8.600000381469727.
        return str(given) if "." in str(given) else f"{given}.0"
    raise TypeError(f'compute_capability must be "8.6", 8.6 or (8, 6), not {_kind(given)}')


def profile_texts(given: Profile | None) -> list[str]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [f"{name}={_shape_range(shapes, f'profile of `{name}`')}" for name, shapes in given.items()]
    return _inputs_of(given) if isinstance(given, str) else words(given, "profile")


def dim_texts(given: Dims | None) -> list[str]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [f"{name}={_size_range(sizes, f'size of `{name}`')}" for name, sizes in given.items()]
    return words(given, "dims")


def _size_range(given: str | int | tuple[int, ...], name: str) -> str:
    if isinstance(given, str):
        return given
    sizes = [given] if isinstance(given, Real) else _entries(given, name)
    return (".." if len(sizes) == 2 else ":").join(_size(size, name) for size in sizes)


def _inputs_of(text: str) -> list[str]:
    """Of "x:1x3,y:1x8", which the command line splits, too. A name with a comma in it stands alone."""
    parts = text.split(",")
    return parts if all("=" in part or ":" in part for part in parts) else [text]


def _shape_range(given: ShapeRange, name: str) -> str:
    if isinstance(given, str):
        return given
    entries = _entries(given, name)
    shapes = entries if entries and not isinstance(entries[0], Real) else [entries]
    return ":".join("x".join(_size(size, name) for size in _entries(shape, name)) for shape in shapes)


def _entries(given: object, name: str) -> list[object]:
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise TypeError(f"{name} must be made of whole numbers, not {_kind(given)}")
    return list(given)


def _size(given: object, name: str) -> str:
    """Of Python or NumPy."""
    if isinstance(given, Integral) and not isinstance(given, bool):
        return str(int(given))
    shown = f"{given}" if isinstance(given, (Real, str)) else _kind(given)
    raise TypeError(f"{name} must be made of whole numbers, not {shown}")


def _kind(given: object) -> str:
    return type(given).__name__


def dims(given: object, name: str) -> list[int]:
    """One number, or one for each dim."""
    made = [given] if isinstance(given, int) else list(given) if isinstance(given, Sequence) else None
    if made is None or not all(type(dim) is int for dim in made):
        raise TypeError(f"{name} must be a whole number, or one for each dim")
    return made
