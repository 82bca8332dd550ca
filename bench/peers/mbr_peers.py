# SPDX-License-Identifier: Apache-2.0
"""Minimum Bayes risk by mbrs and fastchrf, in a Python that has them.

`bench.peers.mbr` starts this file with lists as JSON on standard input; Tertium is not
needed. It prints seconds and picks, or why there are none.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable

Lists = list[list[str]]
Job = Callable[[Lists], list[int]]


def fastchrf_job(name: str) -> Job:
    import fastchrf

    def pairwise(lists: Lists) -> list[int]:
        tables = fastchrf.pairwise_chrf(lists, lists)
        return [highest([sum(row) for row in table]) for table in tables]

    def aggregate(lists: Lists) -> list[int]:
        return [highest(scores) for scores in fastchrf.aggregate_chrf(lists, lists)]

    return {"pairwise": pairwise, "aggregate": aggregate}[name]


def mbrs_job(name: str) -> Job:
    warnings.simplefilter("ignore")
    from mbrs import metrics
    from mbrs.decoders import DecoderMBR

    kind = {
        "chrf": metrics.MetricChrF,
        "bleu": metrics.MetricBLEU,
        "ter": metrics.MetricTER,
    }[name]
    decoder = DecoderMBR(DecoderMBR.Config(), kind(kind.Config(num_workers=1)))
    return lambda lists: [
        int(decoder.decode(texts, texts, nbest=1).idx[0]) for texts in lists
    ]


def highest(scores: list[float]) -> int:
    return max(range(len(scores)), key=scores.__getitem__)


def answer(peer: str, name: str, lists: Lists, runs: int) -> dict[str, object]:
    try:
        job = {"fastchrf": fastchrf_job, "mbrs": mbrs_job}[peer](name)
    except ImportError as error:
        return {"missing": str(error)}
    job([lists[0][:2]])  # what is loaded at first use is loaded now
    times = []
    picks: list[int] = []
    for _ in range(runs):
        start = time.perf_counter()
        picks = job(lists)
        times.append(time.perf_counter() - start)
    return {"seconds": min(times), "picks": picks}


if __name__ == "__main__":
    request = json.load(sys.stdin)
    sys.stdout.write(json.dumps(answer(**request)))
