# SPDX-License-Identifier: Apache-2.0
"""How fast BEER scores and learns: ``python -m bench beer_speed [--write]``.

The same rows are part of ``make bench``.
"""

from __future__ import annotations

import sys
import time

from bench.measure import Report, cpu, load
from bench.peers import trained, training
from bench.studies.beer_report import write_section


def main() -> None:
    """Measure, print, and write down if asked to."""
    report = Report()
    testset, text = load()
    trained.scoring(report, testset)
    training.run(report)
    if "--write" in sys.argv:
        day = time.strftime("%Y-%m-%d")
        words = (
            f"Printed by `python -m bench beer_speed --write` on {day}, {cpu()}. Text: "
            f"{text}. Training is of made-up features of 200,000 pairs; at most 60 "
            "seconds on two cores are wanted for the joint objective."
        )
        write_section("speed", f"{words}\n\n{report.table()}")


if __name__ == "__main__":
    main()
