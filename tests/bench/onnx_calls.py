"""What trtcheck is compared with: onnx's checker and shape inference on the files given, in one process.

Prints the seconds that the two calls took (imports not counted) and how many files they refused.
"""

from __future__ import annotations

import sys
import time

import onnx
import onnx.checker
import onnx.shape_inference


def main() -> None:
    refused = 0
    start = time.perf_counter()
    for path in sys.argv[1:]:
        try:
            onnx.checker.check_model(path, full_check=True)
            onnx.shape_inference.infer_shapes(onnx.load(path, load_external_data=False), data_prop=True)
        except Exception:  # whatever onnx says about the model: the time counts, not the verdict
            refused += 1
    print(f"{time.perf_counter() - start:.6f} {refused}")


if __name__ == "__main__":
    main()
