# SPDX-License-Identifier: Apache-2.0
"""Scale of `--cluster`: workers against threads, the scheduler's share, 10^9 segments.

    python -m bench cluster [--segments N] [--repeats N] [--workers N ...] [--write]

Three parts. *Scaling*: chrF of plain files by threads of one process and by workers of
a local cluster, which run already; the least of several turns counts. *Scheduler*:
a scheduler in a process of its own, as many stub workers as asked for in others, and
tasks that only wait; processor time per task says when it becomes too much (see
`bench.load.stubs`). *Model*: what these figures mean for 10^9 segments.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench.load.page import write_section
from bench.load.stubs import Share, measure_scheduler
from tertium._executor import Threads, use
from tertium.cluster import Cluster
from tertium.cluster.flow import task_seconds
from tertium.data import TestsetFiles
from tertium.engine import open_testset, score_stream

METRIC = "chrf"


# Scaling.


def make_texts(folder: Path, segments: int) -> TestsetFiles:
    """Write a reference and an output of that many segments, from a seed."""
    rng = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgk"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(5000)]
    paths = [folder / "reference.txt", folder / "output.txt"]
    with paths[0].open("w") as reference, paths[1].open("w") as output:
        for _ in range(segments):
            line = rng.choices(words, k=rng.randint(5, 30))
            reference.write(" ".join(line) + "\n")
            changed = [w if rng.random() < 0.7 else rng.choice(words) for w in line]
            output.write(" ".join(changed) + "\n")
    return TestsetFiles(references=paths[0], systems={"A": paths[1]})


def seconds(files: TestsetFiles, threads: int, *, slices: bool) -> tuple[float, float]:
    """Return the time that scoring takes where we are, and the score."""
    begin = time.perf_counter()
    chunks = open_testset(files, metrics=METRIC, slices=slices)
    table = score_stream(chunks, metrics=METRIC, threads=threads)
    return time.perf_counter() - begin, table.systems["A"][METRIC].score


class Scaling(NamedTuple):
    """The least seconds of every way, and the overhead of a task."""

    segments: int
    threads: dict[int, float]
    workers: dict[int, float]
    overhead: float


def measure_scaling(segments: int, repeats: int) -> Scaling:
    """Let threads and workers take turns."""
    threads = {1: float("inf"), 2: float("inf")}
    workers = dict(threads)
    scores = set()
    with tempfile.TemporaryDirectory() as folder:
        files = make_texts(Path(folder), segments)
        with Cluster("local:1") as one, Cluster("local:2") as two:
            clusters = {1: one, 2: two}
            overhead = two._session.overhead if two._session else 0.0
            for _ in range(repeats):
                for count in (1, 2):
                    with use(Threads()):
                        taken, score = seconds(files, count, slices=False)
                    threads[count] = min(threads[count], taken)
                    scores.add(score)
                    with use(clusters[count]):
                        taken, score = seconds(files, 1, slices=True)
                    workers[count] = min(workers[count], taken)
                    scores.add(score)
    if len(scores) > 1:
        sys.exit(f"scores differ: {scores}")
    return Scaling(segments, threads, workers, overhead)


# The model.


class Costs(NamedTuple):
    """What a segment and a task cost, all measured above."""

    segment: float  # seconds of a worker for a segment
    cut: float  # seconds of the client to cut plain files, per segment
    shares: dict[int, Share]  # by workers


def measure_cut(segments: int) -> float:
    """Return the seconds per segment that cutting plain files takes."""
    with tempfile.TemporaryDirectory() as folder:
        files = make_texts(Path(folder), segments)
        list(files.slices() or ())
        begin = time.perf_counter()
        list(files.slices() or ())
        return (time.perf_counter() - begin) / segments


def predicted(costs: Costs, segments: float, workers: int) -> dict[str, float]:
    """Return the seconds that each part would need alone, and of a task."""
    share = costs.shares[workers]
    task = task_seconds(share.per_task + share.client_per_task, workers)
    tasks = segments * costs.segment / task
    return {
        "workers": segments * costs.segment / workers,
        "scheduler": tasks * share.per_task,
        "client": tasks * share.client_per_task,
        "cutting": segments * costs.cut,
        "tasks": tasks,
        "task": task,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench cluster", description=__doc__
    )
    parser.add_argument("--segments", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--workers", type=int, nargs="*", default=[64, 1024])
    parser.add_argument(
        "--pause",
        type=float,
        default=1.0,
        help="seconds of a task; more for over 256 workers (default: 1)",
    )
    parser.add_argument("--write", action="store_true", help="into bench/LOAD.md")
    options = parser.parse_args()
    scaling = measure_scaling(options.segments, options.repeats)
    shares = {
        count: measure_scheduler(count, 20, max(options.pause, count / 256))
        for count in options.workers
    }
    costs = Costs(
        scaling.workers[1] / scaling.segments,
        measure_cut(min(200_000, options.segments)),
        shares,
    )
    text = report(scaling, costs, options)
    print(text)
    if options.write:
        write_section("Cluster", text)


def report(scaling: Scaling, costs: Costs, options: argparse.Namespace) -> str:
    """Return the section of the page."""
    one, two = scaling.workers[1], scaling.workers[2]
    alone, both = scaling.threads[1], scaling.threads[2]
    counts = " ".join(map(str, options.workers))
    stubs = "\n".join(
        f"| {s.workers:,} | {s.tasks:,} | {s.pause:g} s | {s.wall:.1f} s "
        f"| {s.scheduler:.1f} s | {s.client:.1f} s | {s.stubs:.1f} s "
        f"| {1000 * s.per_task:.2f} ms | {1000 * s.client_per_task:.2f} ms "
        f"| {s.efficiency:.0%} |"
        for s in costs.shares.values()
    )
    forecast = "\n".join(
        f"| {workers:,} | {each['workers']:,.0f} s | {each['scheduler']:,.1f} s "
        f"| {each['client']:,.1f} s | {each['cutting']:,.0f} s | {each['tasks']:,.0f} "
        f"| {each['task']:.2f} s |"
        for workers in costs.shares
        for each in [predicted(costs, 1e9, workers)]
    )
    return f"""\
`python -m bench cluster --segments {options.segments} --repeats {options.repeats} \
--workers {counts}`:
{METRIC} of {scaling.segments:,} segments in plain files, least of all turns. Clusters
run already; starting `local:2` takes two to three seconds.

| | 1 | 2 | gain |
|---|---|---|---|
| threads | {alone:.2f} s | {both:.2f} s | {alone / both:.2f}x |
| workers | {one:.2f} s | {two:.2f} s | {one / two:.2f}x |
| workers against threads | {one / alone - 1:+.0%} | {two / both - 1:+.0%} | |

A task that does nothing takes {1000 * scaling.overhead:.1f} ms from the client and
back; tasks are made {task_seconds(scaling.overhead, 2):.2f} s long for two workers.

Dask's scheduler in its own process, stub workers in others, and Tertium's own sending
of tasks, 20 for every worker, that only wait. Time is that of the whole call, with the
function given to all workers; then come the processor seconds of each side:

| stub workers | tasks | task | time | scheduler | client | stubs \
| scheduler per task | client per task | workers busy |
|---|---|---|---|---|---|---|---|---|---|
{stubs}

The model for 10^9 segments of {METRIC}: {1e6 * costs.segment:.2f} µs of a worker per
segment, {1e6 * costs.cut:.3f} µs of the client to cut plain files (nothing for the
shards of a partitioned dataset, whose rows are known), and the cost of a task with as
many workers as the row has. It assumes that

- all workers are alike, and as fast as a worker here;
- disks and the network let workers read as fast as they score, and the client cut;
- results are sums, which are small;
- scheduler and client have a core each;
- sending a task takes as long as scheduler and client need for it one after the other,
  from which Tertium chooses the length of tasks.

Parts run at the same time, so the longest one decides.

| workers | working | scheduling | sending | cutting files | tasks | seconds per task |
|---|---|---|---|---|---|---|
{forecast}
"""


if __name__ == "__main__":
    main()
