#!/usr/bin/env python3
"""Runs a compiler and notes its processor seconds: a launcher for CMake, of tests/bench/build_time.py.

TRTCHECK_COMPILE_LOG names the file that a line is appended to: the seconds, a tab, the source.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

words = sys.argv[1:]
status = subprocess.run(words, check=False).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
if "-c" in words:
    source = Path(words[words.index("-c") + 1]).resolve()
    with Path(os.environ["TRTCHECK_COMPILE_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{used.ru_utime + used.ru_stime:.2f}\t{source}\n")
sys.exit(status)
