# SPDX-License-Identifier: Apache-2.0
"""Scale of `--cluster`: workers against threads, the scheduler's share, 10^9 segments.

    python -m bench cluster [--segments N] [--repeats N] [--workers N ...] [--write]

Three parts. *Scaling*: chrF of plain files by threads of one process and by workers of
a local cluster, which run already; the least of several turns counts. *Scheduler*:
a scheduler in a process of its own, as many stub workers as asked for in another one,
and tasks that only sleep; the processor time of the scheduler per task is what it can
be slowed down by. *Model*: what these figures mean for 10^9 segments.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench.load.page import write_section
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


# The scheduler, with stub workers.

_SCHEDULER = "import sys; from dask.__main__ import main; sys.exit(main())"


class Share(NamedTuple):
    """What a run with stub workers cost."""

    workers: int
    tasks: int
    pause: float
    wall: float
    scheduler: float  # seconds of its processor time

    @property
    def per_task(self) -> float:
        """Processor time of the scheduler per task."""
        return self.scheduler / self.tasks

    @property
    def efficiency(self) -> float:
        """Which share of the time workers had a task."""
        return self.tasks * self.pause / (self.workers * self.wall)


async def stub_workers(address: str, count: int) -> None:
    """Be that many workers of one thread, until the scheduler ends."""
    from distributed import Worker

    made = [Worker(address, nthreads=1, memory_limit=0) for _ in range(count)]
    for start in range(0, count, 64):
        await asyncio.gather(*made[start : start + 64])
    await asyncio.gather(*(worker.finished() for worker in made))


def measure_scheduler(workers: int, tasks_per_worker: int, pause: float) -> Share:
    """Return the cost of tasks that only sleep."""
    from distributed import Client

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "scheduler.json")
        quiet = {"cwd": folder, "stderr": subprocess.DEVNULL}
        options = ["--scheduler-file", str(place), "--port", "0", "--no-dashboard"]
        started = [
            subprocess.Popen(
                [sys.executable, "-c", _SCHEDULER, "scheduler", *options], **quiet
            )
        ]
        try:
            while not place.exists():
                time.sleep(0.1)
            address = json.loads(place.read_text())["address"]
            stub = [sys.executable, "-m", "bench", "cluster", "--stubs", address]
            env = os.environ | {"PYTHONPATH": os.getcwd()}
            started.append(subprocess.Popen([*stub, str(workers)], env=env, **quiet))
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=600)
                tasks = workers * tasks_per_worker
                before, begin = _processor(started[0].pid), time.perf_counter()
                futures = client.map(_sleep, [pause] * tasks, pure=False)
                client.gather(futures)
                wall = time.perf_counter() - begin
                spent = _processor(started[0].pid) - before
        finally:
            for process in started:
                process.kill()
                process.wait()
    return Share(workers, tasks, pause, wall, spent)


def _sleep(pause: float) -> None:
    time.sleep(pause)


def _processor(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# The model.


class Costs(NamedTuple):
    """What a segment and a task cost, all measured above."""

    segment: float  # seconds of a worker for a segment
    cut: float  # seconds of the client to cut plain files, per segment
    task: float  # seconds of the scheduler for a task


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
    task = task_seconds(costs.task, workers)
    tasks = segments * costs.segment / task
    return {
        "workers": segments * costs.segment / workers,
        "scheduler": tasks * costs.task,
        "cutting": segments * costs.cut,
        "task": task,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench cluster", description=__doc__
    )
    parser.add_argument("--segments", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--workers", type=int, nargs="*", default=[16, 64, 256])
    parser.add_argument("--pause", type=float, default=1.0, help="seconds of a task")
    parser.add_argument("--write", action="store_true", help="into bench/LOAD.md")
    parser.add_argument("--stubs", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stubs:
        asyncio.run(stub_workers(options.stubs[0], int(options.stubs[1])))
        return
    scaling = measure_scaling(options.segments, options.repeats)
    shares = [measure_scheduler(n, 20, options.pause) for n in options.workers]
    costs = Costs(
        scaling.workers[1] / scaling.segments,
        measure_cut(min(200_000, options.segments)),
        max(share.per_task for share in shares),
    )
    text = report(scaling, shares, costs, options)
    print(text)
    if options.write:
        write_section("Cluster", text)


def report(
    scaling: Scaling, shares: list[Share], costs: Costs, options: argparse.Namespace
) -> str:
    """Return the section of the page."""
    one, two = scaling.workers[1], scaling.workers[2]
    alone, both = scaling.threads[1], scaling.threads[2]
    stubs = "\n".join(
        f"| {s.workers} | {s.tasks:,} | {s.wall:.1f} s | {s.scheduler:.1f} s "
        f"| {1000 * s.per_task:.2f} ms | {s.efficiency:.0%} |"
        for s in shares
    )
    forecast = "\n".join(
        f"| {workers:,} | {each['workers']:,.0f} s | {each['scheduler']:,.1f} s "
        f"| {each['cutting']:,.0f} s | {each['task']:.2f} s |"
        for workers in (64, 1024)
        for each in [predicted(costs, 1e9, workers)]
    )
    return f"""\
`python -m bench cluster --segments {options.segments} --repeats {options.repeats}`:
{METRIC} of {scaling.segments:,} segments in plain files, least of all turns. Clusters
run already; starting `local:2` takes two to three seconds.

| | 1 | 2 | gain |
|---|---|---|---|
| threads | {alone:.2f} s | {both:.2f} s | {alone / both:.2f}x |
| workers | {one:.2f} s | {two:.2f} s | {one / two:.2f}x |
| workers against threads | {one / alone - 1:+.0%} | {two / both - 1:+.0%} | |

A task that does nothing takes {1000 * scaling.overhead:.1f} ms from the client and
back; tasks are made {task_seconds(scaling.overhead, 2):.2f} s long for two workers.

The scheduler in its own process, with stub workers and tasks that sleep
{options.pause:g} s, 20 for every worker:

| stub workers | tasks | time | scheduler | per task | workers busy |
|---|---|---|---|---|---|
{stubs}

The model for 10^9 segments of {METRIC}: {1e6 * costs.segment:.2f} µs of a worker per
segment, {1e6 * costs.cut:.3f} µs of the client to cut plain files (nothing for the
shards of a partitioned dataset, whose rows are known), {1000 * costs.task:.2f} ms of
the scheduler per task. It assumes that workers read as fast as they score (a disk
that keeps up), that all are alike, and that results are sums, which are small. Parts
run at the same time, so the longest one decides.

| workers | working | scheduling | cutting files | seconds per task |
|---|---|---|---|---|
{forecast}
"""


if __name__ == "__main__":
    main()
