# SPDX-License-Identifier: Apache-2.0
"""Run all benchmarks and write bench/RESULTS.md.

    python -m bench [--quick]

With --quick the memory test has 100,000 segments instead of 5 million, the judgements
are 100,000 instead of 10 million, and nothing is written.
"""

from __future__ import annotations

import sys

from bench import (
    alignment,
    derp,
    judgements,
    machine,
    meta,
    meta_year,
    order,
    peers,
    trained,
    training,
    tree_edit,
)
from bench.measure import ROOT, Report, load


def main() -> None:
    quick = "--quick" in sys.argv
    testset, text = load()
    report = Report()
    peers.scoring(report, testset)
    peers.testing(report, testset)
    peers.profile(report, testset)
    alignment.alignment(report, testset)
    trained.scoring(report, testset)
    order.permutations(report)
    order.growth(report)
    tree_edit.trees(report)
    tree_edit.flat(report, testset)
    derp.run(report)
    meta.run(report)
    meta_year.run(report)
    training.run(report, *((20_000, 200) if quick else ()))
    machine.many_systems(report, testset)
    machine.commands(report, testset)
    machine.structure(report, testset)
    machine.threads(report, testset)
    machine.memory(report, testset, 100_000 if quick else 5_000_000)
    judgements.scale(report, judgements.QUICK if quick else judgements.ROWS)
    if not quick:
        report.write(ROOT / "bench" / "RESULTS.md", text)


if __name__ == "__main__":
    main()
