"""Fetch the source distribution of onnx with pip, check its hash, unpack it, print the folder."""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tarfile
from pathlib import Path


def pip_command() -> list[str]:
    """An interpreter that has pip: build isolation gives one without."""
    for python in (sys.executable, "python3"):
        if subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0:
            return [python, "-m", "pip"]
    sys.exit("fetch_onnx: no Python with pip found; unpack onnx yourself and set TRTCHECK_ONNX_SOURCE_DIR")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", required=True)
    parser.add_argument("--sha256", required=True)
    parser.add_argument("--into", required=True, type=Path)
    args = parser.parse_args()

    folder = args.into / f"onnx-{args.version}"
    if not folder.is_dir():
        args.into.mkdir(parents=True, exist_ok=True)
        archive = args.into / f"onnx-{args.version}.tar.gz"
        if not archive.is_file():
            subprocess.run(
                [*pip_command(), "download", "--no-deps", "--no-binary", "onnx",
                 "--dest", str(args.into), f"onnx=={args.version}"],
                check=True, stdout=sys.stderr,
            )  # fmt: skip
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != args.sha256:
            archive.unlink()
            sys.exit(f"fetch_onnx: {archive.name} has sha256 {found}, expected {args.sha256}")
        # The hash vouches for the content; Python before 3.11.4 has no filters.
        checked = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        with tarfile.open(archive) as tar:
            tar.extractall(args.into, **checked)
    print(folder)


if __name__ == "__main__":
    main()
