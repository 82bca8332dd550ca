# SPDX-License-Identifier: Apache-2.0
"""Agreement of judges on a large store: speed and memory of ``tertium agree``.

    python -m bench agreement [--quick]

A store of ten million comparisons (--quick: 100,000), made up with a fixed seed, is
given to the command without and with intervals, each in a process of its own. At the
end the rows are printed as they stand in bench/RESULTS.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.measure import Report
from bench.peers.judgements import QUICK, ROWS, make_pairs
from tertium.judgements import import_judgements

_JOB = """
import json, resource, sys, time
from tertium.cli import main

start = time.perf_counter(), time.process_time()
store, out, *options = sys.argv[1:]
code = main(["agree", "-q", "-f", "json", "-o", out, *options, store])
spent = time.perf_counter() - start[0], time.process_time() - start[1]
print(json.dumps([code, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""


def scale(report: Report, rows: int) -> None:
    """Add a row for figures alone and one for figures with intervals."""
    with tempfile.TemporaryDirectory() as folder:
        file, store = Path(folder, "pairs.csv"), Path(folder, "store")
        make_pairs(file, rows)
        import_judgements([file], out=store)
        file.unlink()
        for job, options in (("", []), (" with intervals", ["--intervals"])):
            out = Path(folder, "found.json")
            done = subprocess.run(
                [sys.executable, "-c", _JOB, str(store), str(out), *options],
                capture_output=True,
                text=True,
                check=True,
            )
            code, (wall, cpu), peak = json.loads(done.stdout)
            if code:
                raise SystemExit(f"tertium agree ended with {code}: {done.stderr}")
            inter = json.loads(out.read_text())["groups"][0]["rankings"]["inter"]
            # Judges are made up: kappa is 0, but for chance.
            if abs(inter["value"]) > 0.05 or (inter["interval"] is None) == bool(job):
                raise SystemExit(f"odd agreement{job}: {inter}")
            report.add(
                f"agreement on {rows:,} pairwise judgements{job}",
                wall,
                rate=f"{rows / wall:,.0f} rows/s, {rows / cpu:,.0f} a CPU second, "
                f"peak memory {peak / 1024:,.0f} MB",
            )
    report.note(
        f"Agreement on {rows:,} pairwise judgements of 300 judges: `tertium agree`, "
        "without and with `--intervals` (1,000 resamples of segments)."
    )


def main() -> None:
    report = Report()
    scale(report, QUICK if "--quick" in sys.argv else ROWS)
    print(f"\n{report.table()}", end="")


if __name__ == "__main__":
    main()
