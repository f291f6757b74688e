"""The models of the benchmark, written as protobuf by hand: a million nodes in seconds, and without importing onnx."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

FLOAT = 1
INT64 = 7
MEBIBYTE = 1 << 20


def number(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def varint(field: int, value: int) -> bytes:
    return number(field << 3) + number(value)


def head(field: int, length: int) -> bytes:
    return number(field << 3 | 2) + number(length)


def message(field: int, content: bytes | str) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return head(field, len(data)) + data


def value_info(field: int, name: str, dims: Iterable[int | str]) -> bytes:
    shape = b"".join(message(1, message(2, d) if isinstance(d, str) else varint(1, d)) for d in dims)
    return message(field, message(1, name) + message(2, message(1, varint(1, FLOAT) + message(2, shape))))


def node(op: str, inputs: Iterable[str], output: str, *attributes: bytes) -> bytes:
    content = b"".join(message(1, i) for i in inputs) + message(2, output) + message(3, output + "/" + op)
    return message(1, content + message(4, op) + b"".join(attributes))


def ints(name: str, values: Iterable[int]) -> bytes:
    return message(5, message(1, name) + b"".join(varint(8, v) for v in values) + varint(20, 7))


def one(name: str, value: int) -> bytes:
    return message(5, message(1, name) + varint(3, value) + varint(20, 2))


def tensor_header(name: str, dims: Iterable[int]) -> bytes:
    return b"".join(varint(1, d) for d in dims) + varint(2, FLOAT) + message(8, name)


def model(path: Path, parts: list[bytes | int]) -> None:
    """Writes a model whose graph is the parts one after the other; a number stands for that many bytes of weights."""
    parts = [message(2, "main"), *parts]
    length = sum(part if isinstance(part, int) else len(part) for part in parts)
    block = os.urandom(MEBIBYTE)
    with path.open("wb") as file:
        file.write(varint(1, 8) + message(8, message(1, "") + varint(2, 17)) + head(7, length))
        for part in parts:
            if isinstance(part, bytes):
                file.write(part)
                continue
            for start in range(0, part, MEBIBYTE):
                file.write(block[: min(MEBIBYTE, part - start)])


def tiny(path: Path) -> None:
    model(path, [node("Relu", ["x"], "y"), value_info(11, "x", ["N", 3]), value_info(12, "y", ["N", 3])])


def products(path: Path, count: int, tensor: bytes, weights: int) -> None:
    """A chain of MatMul with a [1024, K] and a [K, 1024] weight in turn."""
    parts: list[bytes | int] = []
    for i in range(count):
        parts.append(node("MatMul", [f"v{i}" if i else "x", f"w{i}"], f"v{i + 1}"))
    rows = weights // 4 // 1024
    for i in range(count):
        dims = [1024, rows] if i % 2 == 0 else [rows, 1024]
        header = tensor_header(f"w{i}", dims)
        if tensor:
            place = message(13, message(1, "offset") + message(2, str(i * weights)))
            size = message(13, message(1, "length") + message(2, str(weights)))
            content = header + tensor + place + size + varint(14, 1)
            parts.append(message(5, content))
        else:
            raw = head(9, weights)
            parts += [head(5, len(header) + len(raw) + weights) + header + raw, weights]
    last = 1024 if count % 2 == 0 else rows
    model(path, [*parts, value_info(11, "x", ["N", 1024]), value_info(12, f"v{count}", ["N", last])])


def inline_weights(path: Path) -> None:
    products(path, 100, b"", 4 * MEBIBYTE)


def external_weights(path: Path, count: int = 40) -> None:
    """As many weights of 100 MiB."""
    data = path.with_name("weights.bin")
    products(path, count, message(13, message(1, "location") + message(2, data.name)), 100 * MEBIBYTE)
    with data.open("wb") as file:
        file.truncate(count * 100 * MEBIBYTE)


def chain(path: Path, count: int, refused: int = 0) -> None:
    """Conv, Relu and residual Add in turn, named as an exporter names them; with so many Bernoulli among the Relu."""
    every = count // 3 // refused if refused else 0

    def name(i: int) -> str:
        return f"/layers/layers.{i // 3}/value_{i}" if i else "x"

    conv = [ints("kernel_shape", [3, 3]), ints("pads", [1, 1, 1, 1])]
    parts: list[bytes | int] = []
    for i in range(count):
        if i % 3 == 0:
            parts.append(node("Conv", [name(i), "w"], name(i + 1), *conv))
        elif i % 3 == 1:
            is_refused = every > 0 and i // 3 % every == 0
            parts.append(node("Bernoulli" if is_refused else "Relu", [name(i)], name(i + 1)))
        else:
            parts.append(node("Add", [name(i), name(i - 2)], name(i + 1)))
    weights = 4 * 4 * 3 * 3 * 4
    header = tensor_header("w", [4, 4, 3, 3])
    parts += [head(5, len(header) + len(head(9, weights)) + weights) + header + head(9, weights), weights]
    model(path, [*parts, value_info(11, "x", ["N", 4, 32, 32]), value_info(12, name(count), ["N", 4, 32, 32])])


def shuffled(count: int, length: int) -> list[bytes | int]:
    """As many inputs of a dynamic height; each through Relus and a channel shuffle, whose Conv is refused for that."""
    four = [ints("kernel_shape", [3, 3]), ints("pads", [1, 1, 1, 1]), one("group", 2)]
    parts: list[bytes | int] = []
    for i in range(count):
        x = f"x{i}"
        parts.append(value_info(11, x, [1, 4, f"h{i}", 8]))
        for j in range(length):
            parts.append(node("Relu", [x], f"r{i}_{j}"))
            x = f"r{i}_{j}"
        parts.append(node("Shape", [x], f"s{i}"))
        parts.append(node("Reshape", [x, "split"], f"a{i}"))
        parts.append(node("Transpose", [f"a{i}"], f"b{i}", ints("perm", [0, 2, 1, 3, 4])))
        parts.append(node("Slice", [f"s{i}", "two", "four"], f"hw{i}"))
        parts.append(node("Concat", ["channels", f"hw{i}"], f"t{i}", one("axis", 0)))
        parts.append(node("Reshape", [f"b{i}", f"t{i}"], f"d{i}"))
        parts.append(node("Conv", [f"d{i}", "w"], f"y{i}", *four))
    parts.append(node("Concat", [f"y{i}" for i in range(count)], "all", one("axis", 2)))
    return parts


def axes(path: Path) -> None:
    parts = shuffled(12, 160)
    for name, values in {"split": [0, 2, 2, -1, 8], "two": [2], "four": [4], "channels": [1, -1]}.items():
        raw = b"".join(value.to_bytes(8, "little", signed=True) for value in values)
        parts.append(message(5, varint(1, len(values)) + varint(2, INT64) + message(8, name) + message(9, raw)))
    weights = 8 * 2 * 3 * 3 * 4
    header = tensor_header("w", [8, 2, 3, 3])
    parts += [head(5, len(header) + len(head(9, weights)) + weights) + header + head(9, weights), weights]
    model(path, [*parts, value_info(12, "all", [1, 8, "all_h", 8])])


Maker = Callable[[Path], None]
EXTERNAL = "external weights, 4 GB"
MAKERS: dict[str, Maker] = {
    "tiny": tiny,
    "inline weights, 419 MB": inline_weights,
    EXTERNAL: external_weights,
    "20,000 nodes": lambda path: chain(path, 20_000),
    "1,000,000 nodes": lambda path: chain(path, 1_000_000),
}
#: For commands other than `check`.
CUT = "5,000 nodes, 50 refused"
AXES = "12 axes, 2,000 nodes"
OTHERS: dict[str, Maker] = {CUT: lambda path: chain(path, 5_000, 50), AXES: axes}


def path_of(folder: Path, title: str) -> Path:
    return folder / (title.replace(",", "").replace(" ", "_") + ".onnx")


def main() -> None:
    """Makes the models that are not there yet in the folder given."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for title, make in (MAKERS | OTHERS).items():
        path = path_of(folder, title)
        if path.exists():
            continue
        make(path.with_name("part-" + path.name))
        path.with_name("part-" + path.name).rename(path)


if __name__ == "__main__":
    main()
