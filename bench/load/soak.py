# SPDX-License-Identifier: Apache-2.0
"""Score on a cluster for half an hour, and watch the memory of all who take part.

    python -m bench soak [--minutes N] [--write]

Turn after turn, metrics, segment scores and tests run on a local cluster of two
workers, with a worker killed every two minutes. Results must be those of the first
turn. The table shows the memory of the client (with the scheduler in it) and of the
workers over time. A line through the second half of the measurements tells whether it
rises.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import tertium
from bench.load.cluster import make_texts
from bench.load.page import write_section
from tertium._executor import use
from tertium.cluster import Cluster
from tertium.engine import open_testset, score_stream

_KILL = 120.0  # seconds between two deaths


def turn(files: tertium.data.TestsetFiles, testset: tertium.Testset) -> str:
    """Score in several ways, and return all results."""
    chunks = open_testset(files, metrics=["chrf", "bleu", "ter"], slices=True)
    table = score_stream(chunks, metrics=["chrf", "bleu", "ter"], threads=1)
    rows = tertium.score(testset, metrics=["beer"], segments=True, threads=1)
    compared = tertium.compare(testset, metrics=["chrf"], resamples=2000, threads=1)
    return table.to_json() + rows.to_json() + compared.to_json()


def memory(pid: int) -> float:
    """Return the resident memory of a process in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench soak")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--write", action="store_true", help="into bench/LOAD.md")
    options = parser.parse_args()
    seen: list[tuple[float, float, float]] = []  # minutes, client, workers
    turns = killed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = make_texts(Path(folder), 30_000)
        some = files.read().select(range(2000))
        testset = tertium.Testset(
            some.references,
            {"A": some.systems["A"], "B": [text[2:] for text in some.systems["A"]]},
        )
        with Cluster("local:2") as cluster, use(cluster):
            expected = turn(files, testset)
            begin = last = time.monotonic()
            client = cluster._session.client  # type: ignore[union-attr]
            while (spent := time.monotonic() - begin) < 60 * options.minutes:
                if turn(files, testset) != expected:
                    sys.exit(f"turn {turns + 1} has other results than the first")
                turns += 1
                pids = list(client.run(os.getpid).values())
                parts = memory(os.getpid()), max(map(memory, pids))
                seen.append((spent / 60, *parts))
                if time.monotonic() - last > _KILL:
                    os.kill(pids[0], signal.SIGKILL)
                    killed += 1
                    last = time.monotonic()
    text = report(np.array(seen), turns, killed, options.minutes)
    print(text)
    if options.write:
        write_section("Soak", text)


def report(seen: np.ndarray, turns: int, killed: int, minutes: float) -> str:
    """Return the section of the page."""
    late = seen[len(seen) // 2 :]
    rows = "\n".join(
        f"| {row[0]:.0f} | {row[1]:.0f} MB | {row[2]:.0f} MB |"
        for row in seen[np.linspace(0, len(seen) - 1, 7).astype(int)]
    )
    slopes = [60 * float(np.polyfit(late[:, 0], late[:, k], 1)[0]) for k in (1, 2)]
    return f"""\
`python -m bench soak --minutes {minutes:g}`: {turns} turns with equal results, while
{killed} workers were killed. Memory of the client with the scheduler, and of the larger
worker (new ones start small):

| minute | client | worker |
|---|---|---|
{rows}

A line through the second half: {slopes[0]:+.1f} MB an hour for the client,
{slopes[1]:+.1f} MB an hour for the worker.
"""


if __name__ == "__main__":
    main()
