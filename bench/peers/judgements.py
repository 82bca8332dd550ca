# SPDX-License-Identifier: Apache-2.0
"""Import pairwise judgements and count wins: speed and memory.

    python -m bench judgements [--quick]

Ten million rows of the pairwise CSV of WMT (--quick: 100,000), made up with a fixed
seed, are imported into a store by a process of its own, which then compares systems.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.measure import Report

ROWS = 10_000_000
QUICK = 100_000

_HEAD = (
    "srclang,trglang,srcIndex,segmentId,judgeId,"
    "system1Id,system1rank,system2Id,system2rank,rankingID\n"
)
_JOB = """
import json, resource, sys, time
from tertium.judgements import import_judgements

def spent(start):
    return [now - then for now, then in zip(clock(), start)]

def clock():
    return time.perf_counter(), time.process_time()

start = clock()
read = import_judgements([sys.argv[1]], out=sys.argv[2]).judgements
imported = spent(start)
start = clock()
wins = read.comparisons().wins()
counted = spent(start)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
total = wins.wins.sum() + wins.ties.sum() / 2
print(json.dumps([imported, counted, peak, total]))
"""


def scale(report: Report, rows: int) -> None:
    """Add a row for the import and one for the wins."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "pairs.csv")
        make_pairs(file, rows)
        size = file.stat().st_size / 1e6
        done = subprocess.run(
            [sys.executable, "-c", _JOB, str(file), str(Path(folder, "store"))],
            capture_output=True,
            text=True,
            check=True,
        )
    imported, counted, peak, total = json.loads(done.stdout)
    if total != rows:
        raise SystemExit(f"{total} comparisons of {rows} rows")
    for job, (wall, cpu) in (("import of", imported), ("wins of", counted)):
        rate = f"{rows / wall:,.0f} rows/s, {rows / cpu:,.0f} a CPU second"
        report.add(f"{job} {rows:,} pairwise judgements", wall, rate=rate)
    report.note(
        f"{rows:,} pairwise judgements ({size:,.0f} MB of CSV) imported and compared: "
        f"peak memory {peak / 1024:,.0f} MB (under 2,000 MB is wanted)."
    )


def make_pairs(path: Path, rows: int) -> None:
    """Write a file of made-up comparisons: 15 systems, 3,000 segments, 300 judges."""
    draw = random.Random(12345)
    systems = [f"newstest2099.system{i}.{i}.de-en.txt" for i in range(15)]
    with path.open("w", encoding="utf-8") as file:
        file.write(_HEAD)
        for number in range(rows):
            first, second = draw.sample(systems, 2)
            segment, judge = draw.randrange(1, 3001), draw.randrange(300)
            file.write(
                f"deu,eng,{segment},{segment},judge{judge},{first},"
                f"{draw.randrange(1, 6)},{second},{draw.randrange(1, 6)},{number}\n"
            )


if __name__ == "__main__":
    scale(Report(), QUICK if "--quick" in sys.argv else ROWS)
