"""Check many models on a Dask cluster: check_on_dask.py [FOLDER] [--scheduler ADDRESS] [--workers N] [--target X.Y].

Without an address, a cluster of N processes is started on this machine for the time of the check. The workers open
the models themselves: FOLDER (by default the models that Debian's libonnx-testdata installs) has to be a path, or the
models URLs, that they see too.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client, LocalCluster

import trtcheck


@contextmanager
def connected(address: str | None, workers: int) -> Iterator[Client]:
    if address is not None:
        with Client(address) as client:
            yield client
        return
    # What goes wrong with a worker comes back as an error of its model; Dask's log would say it once more.
    quiet = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", **quiet) as cluster,
        Client(cluster) as client,
    ):
        yield client


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default="/usr/share/libonnx-testdata")
    parser.add_argument("--scheduler", metavar="ADDRESS")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--target", metavar="X.Y")
    options = parser.parse_args()

    verdicts: Counter[str] = Counter()
    unreadable = 0
    started = time.perf_counter()
    with connected(options.scheduler, options.workers) as client:
        answers = trtcheck.check_many(
            options.folder, executor=client.get_executor(), errors="return", target=options.target
        )
        for answer in answers:
            if isinstance(answer, trtcheck.Error):
                print(answer, file=sys.stderr)
                unreadable += 1
                continue
            verdicts[answer.verdict] += 1
            for finding in answer.errors:
                print(f"{answer.path}: {finding}")
    seconds = time.perf_counter() - started
    counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("refused", "uncertain", "clean"))
    print(f"{verdicts.total()} models in {seconds:.1f} s: {counts}; {unreadable} could not be checked")
    if unreadable:
        return 2
    return 1 if verdicts["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
