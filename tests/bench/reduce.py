"""Time and size of `trtcheck reduce` for each planted defect in a model of 5,000 nodes.

    python tests/bench/reduce.py .venv/bin/trtcheck

Exit code 1: more than 10 nodes are left, or it took 10 seconds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import reduced_models

MOST_NODES = 10
MOST_SECONDS = 10.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, default=Path(".venv/bin/trtcheck"))
    parser.add_argument("--nodes", type=int, default=5000)
    args = parser.parse_args()
    broken = []
    with tempfile.TemporaryDirectory() as folder:
        model, small = Path(folder) / "model.onnx", Path(folder) / "small.onnx"
        for name, (finding, _) in reduced_models.DEFECTS.items():
            model.write_bytes(reduced_models.planted(name, args.nodes).SerializeToString())
            command = [args.program, "reduce", "--no-config", "--finding", finding, "--output-format", "json"]
            start = time.perf_counter()
            done = subprocess.run([*command, model, "-o", small], capture_output=True, text=True, timeout=300)
            seconds = time.perf_counter() - start
            nodes = json.loads(done.stdout)["after"]["nodes"] if done.returncode == 0 else None
            print(f"{name:40}{finding:32}{seconds:6.2f} s{nodes!s:>6} nodes", flush=True)
            if nodes is None or nodes > MOST_NODES or seconds > MOST_SECONDS:
                broken.append(f"{name}: {nodes} nodes, {seconds:.1f} s {done.stderr}")
    print("all limits are kept" if not broken else "broken limits:\n  " + "\n  ".join(broken))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
