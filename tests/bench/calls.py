"""The calls that are compared, on the files given, in one process.

    python tests/bench/calls.py onnx|trtcheck FILE...

Prints the seconds that the calls took (imports not counted) and how many files they refused to read.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def onnx_call() -> Callable[[str], object]:
    import onnx
    import onnx.checker
    import onnx.shape_inference

    def call(path: str) -> None:
        onnx.checker.check_model(path, full_check=True)
        onnx.shape_inference.infer_shapes(onnx.load(path, load_external_data=False), data_prop=True)

    return call


def trtcheck_call() -> Callable[[str], object]:
    import trtcheck

    return trtcheck.check


def main() -> None:
    call = {"onnx": onnx_call, "trtcheck": trtcheck_call}[sys.argv[1]]()
    refused = 0
    start = time.perf_counter()
    for path in sys.argv[2:]:
        try:
            call(path)
        except Exception:  # whatever is said about the model: the time counts, not the verdict
            refused += 1
    print(f"{time.perf_counter() - start:.6f} {refused}")


if __name__ == "__main__":
    main()
