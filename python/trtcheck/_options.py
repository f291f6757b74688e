"""The options of a check, from what people write to what the native part takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trtcheck import _core

Shape = Sequence[int]
#: One shape, or the smallest, the best and the largest; or the same as text, "1x3:4x3:8x3".
ShapeRange = str | Shape | tuple[Shape, Shape, Shape]
#: Shapes by input name, or texts such as "x=1x3:4x3:8x3" or trtexec's "x:1x3".
Profile = str | Iterable[str] | Mapping[str, ShapeRange]
#: Sizes by the name of a dynamic axis: 4, (1, 8) for a range, (1, 4, 8) with the best one; or texts, "batch=1:4:8".
Dims = str | Iterable[str] | Mapping[str, int | tuple[int, int] | tuple[int, int, int]]
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
) -> _core.Target:
    if isinstance(target, _core.Target):
        flags = dla or strongly_typed or require_profile
        if precision or compute_capability is not None or flags or plugins or profile is not None:
            raise TypeError(
                "a Target holds precision, compute_capability, dla, strongly_typed, plugins, profile and "
                "require_profile already"
            )
        return target
    return _core.Target(
        release=target,
        precision=words(precision),
        compute_capability=capability_text(compute_capability),
        dla=dla,
        strongly_typed=strongly_typed,
        plugins=words(plugins),
        profile=profile_texts(profile),
        require_profile=require_profile,
    )


def words(given: str | Iterable[str]) -> list[str]:
    """A single word is a list of one, not a list of letters."""
    return [given] if isinstance(given, str) else list(given)


def capability_text(given: Capability | None) -> str | None:
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, tuple):
        return f"{given[0]}.{given[1]}"
    return str(float(given))


def profile_texts(given: Profile | None) -> list[str]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [f"{name}={_shape_range(shapes)}" for name, shapes in given.items()]
    return _inputs_of(given) if isinstance(given, str) else list(given)


def dim_texts(given: Dims | None) -> list[str]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [f"{name}={_size_range(sizes)}" for name, sizes in given.items()]
    return words(given)


def _size_range(given: int | tuple[int, ...]) -> str:
    sizes = [given] if isinstance(given, int) else list(given)
    return (".." if len(sizes) == 2 else ":").join(str(int(size)) for size in sizes)


def _inputs_of(text: str) -> list[str]:
    """Of "x:1x3,y:1x8", which the command line splits, too. A name with a comma in it stands alone."""
    parts = text.split(",")
    return parts if all("=" in part or ":" in part for part in parts) else [text]


def _shape_range(given: ShapeRange) -> str:
    if isinstance(given, str):
        return given
    sizes = [size for size in given if isinstance(size, int)]
    shapes = [sizes] if len(sizes) == len(given) else [shape for shape in given if not isinstance(shape, int)]
    return ":".join("x".join(str(int(size)) for size in shape) for shape in shapes)
