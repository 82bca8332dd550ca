# SPDX-License-Identifier: Apache-2.0
"""Many annotators at the production server: no error, nothing lost, nothing doubled.

``python -m bench campaign_load --annotators 100 --seconds 60 [--task NAME ...]
[--database WHERE] [--kill] [--write]``

WHERE is ``sqlite`` (default), ``postgresql`` (one is started for this), or an address
``postgresql://...`` at which a database can be made. Prints a line of figures for
every kind of request, and ends with 1 if a judgement was lost or doubled. ``--write``
also writes a row per task into ``bench/LOAD.md``.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from textwrap import fill

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from bench.load.page import write_section
from support.campaign_server import Server
from support.postgresql_cluster import cluster
from support.simulated_annotators import Outcome, simulate

TASKS = ("pairs", "esa", "mqm", "cesa")


def main(argv: Sequence[str] | None = None) -> int:
    """Run, print and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotators", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=5.0, help="mean, a move")
    parser.add_argument("--database", default="sqlite")
    parser.add_argument("--kill", action="store_true", help="kill -9 in the middle")
    parser.add_argument("--task", choices=TASKS, nargs="+", default=["pairs"])
    parser.add_argument("--write", action="store_true", help="write bench/LOAD.md")
    args = parser.parse_args(argv)
    failed, rows = 0, []
    for task in args.task:
        outcome = run(task, args)
        failed |= show(outcome)
        rows.append(_row(task, outcome))
    if args.write:
        write_section("Annotators", _section(args, rows))
    return failed


def run(task: str, args: argparse.Namespace) -> Outcome:
    """Run annotators of a task, and print the conditions."""
    temporary = args.database == "postgresql"
    with cluster(durable=True) if temporary else nullcontext(args.database) as address:
        if address != "sqlite":
            os.environ["TERTIUM_TEST_DATABASE"] = address
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder))
            try:
                outcome = simulate(
                    server,
                    annotators=args.annotators,
                    seconds=args.seconds,
                    think=args.think,
                    kill=args.kill,
                    task=task,
                    items=5000 if task == "pairs" else 1500,
                )
            finally:
                server.kill()
    kind = "SQLite" if args.database == "sqlite" else "PostgreSQL"
    what = ", killed in the middle" if args.kill else ""
    load = os.getloadavg()[0]
    name = "" if task == "pairs" else f"{task}, "
    print(
        f"{name}{kind}, {args.annotators} annotators, {args.seconds:g} s, "
        f"a move every {args.think:g} s{what}; {os.cpu_count()} cores with a load of "
        f"{load:.1f}"
    )
    return outcome


def _row(task: str, outcome: Outcome) -> str:
    every = [time for times in outcome.times.values() for time in times]
    cells = [f"{_quantile(every, q) * 1000:.0f} ms" for q in (0.5, 0.95, 0.99)]
    return (
        f"| `{task}` | {len(every):,} | {len(every) / outcome.seconds:.1f} | "
        f"{' | '.join(cells)} | {len(outcome.acknowledged):,} | "
        f"{outcome.lost.total()} | {outcome.doubled.total()} |"
    )


def _section(args: argparse.Namespace, rows: Sequence[str]) -> str:
    kind = "SQLite" if args.database == "sqlite" else "PostgreSQL"
    kill = " --kill" if args.kill else ""
    command = (
        f"python -m bench campaign_load --annotators {args.annotators} "
        f"--seconds {args.seconds:g} --think {args.think:g} "
        f"--task {' '.join(args.task)}{kill} --write"
    )
    about = (
        f"`{command}`: {args.annotators} simulated annotators on one server with "
        f"{kind}, a move every {args.think:g} s on average, one submission in ten sent "
        "twice at once. Every acknowledged submission is looked for in the export. "
        "Items of `esa`, `mqm` and `cesa` are documents of three paragraphs of 40 "
        "words."
    )
    head = (
        "| task | requests | a second | p50 | p95 | p99 | judgements | lost | doubled |"
    )
    line = "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    facts = (
        f"{date.today()}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores with a load of {os.getloadavg()[0]:.1f}: annotators "
        "run on the same machine."
    )
    return "\n".join([fill(about, 88), "", head, line, *rows, "", fill(facts, 88)])


def show(outcome: Outcome) -> int:
    """Print the figures, and return 1 if something is wrong."""
    print(f"{'':<10} {'requests':>8} {'a second':>8} {'p50':>7} {'p95':>7} {'p99':>7}")
    every = [time for times in outcome.times.values() for time in times]
    for name, times in [*sorted(outcome.times.items()), ("all", every)]:
        cells = [f"{_quantile(times, q) * 1000:>4.0f} ms" for q in (0.5, 0.95, 0.99)]
        rate = len(times) / outcome.seconds
        print(f"{name:<10} {len(times):>8} {rate:>8.1f} {' '.join(cells)}")
    print(
        f"errors {len(outcome.errors)}, connections cut {outcome.broken}, "
        f"double clicks {outcome.double_clicks}\n"
        f"submissions acknowledged {len(outcome.acknowledged)}, "
        f"judgements in the export {len(outcome.exported)}"
    )
    if outcome.cpu is not None:
        each = 1000 * outcome.cpu / max(1, outcome.requests)
        print(f"the server used {outcome.cpu:.1f} s of CPU, {each:.1f} ms a request")
    for problem in (problems := outcome.problems()):
        print(f"WRONG: {problem}")
    print("nothing lost, nothing doubled" if not problems else "")
    return 1 if problems else 0


def _quantile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


if __name__ == "__main__":
    sys.exit(main())
