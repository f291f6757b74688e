"""Check an ONNX file from Python: check_a_model.py MODEL [TENSORRT_RELEASE]."""

from __future__ import annotations

import sys

import trtcheck


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        report = trtcheck.check(sys.argv[1], target=sys.argv[2] if len(sys.argv) == 3 else None)
    except trtcheck.Error as error:
        print(error, file=sys.stderr)
        return 2
    for finding in report:
        place = f"{finding.source.file}:{finding.source.line}" if finding.source else finding.node
        print(f"{finding.severity} {finding.code} at {place}: {finding.message}")
        for note in finding.notes:
            print(f"    because {note.message}")
        if finding.fix:
            print(f"    fix: {finding.fix.title}")
    print(f"{report.verdict} for TensorRT {report.target.release}")
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
