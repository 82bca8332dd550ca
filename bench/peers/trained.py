# SPDX-License-Identifier: Apache-2.0
"""Trained metrics: the speed of BEER beside chrF in one run.

python -m bench trained
"""

from __future__ import annotations

import tertium
from bench.measure import Report, best, fresh, load

#: A third of chrF's speed, and segments per second on one core, are wanted.
SHARE, RATE = 1 / 3, 40_000
ROUNDS = 60


def scoring(report: Report, testset: tertium.Testset) -> None:
    """BEER and chrF from Python strings to scores, in turns, on one thread."""
    jobs = {"chrf": tertium.metric("chrf"), "beer": tertium.metric("beer")}
    refs = [refs_of_segment[0] for refs_of_segment in testset.references]
    hyps = next(iter(testset.systems.values()))
    usual = [i for i, ref in enumerate(refs) if 20 <= len(ref.split()) <= 30]
    for what, places in (
        ("all segments", range(len(refs))),
        ("segments of 20 to 30 words", usual),
    ):
        times = dict.fromkeys(jobs, float("inf"))
        for _ in range(ROUNDS):
            for name, metric in jobs.items():
                texts = fresh([hyps[i] for i in places])
                own_refs = fresh([refs[i] for i in places])
                spent = best(
                    lambda metric=metric, texts=texts, own_refs=own_refs: (
                        metric.corpus_score(texts, own_refs, threads=1)
                    ),
                    lambda: None,
                    1,
                )
                times[name] = min(times[name], spent)
        words = sum(len(refs[i].split()) for i in places) / len(places)
        rate = len(places) / times["beer"]
        report.add(
            f"beer, {len(places):,} {what}",
            times["beer"],
            peer="chrF of Tertium",
            other=times["chrf"],
            wanted=round(SHARE, 2),
            rate=f"{rate:,.0f} seg/s",
        )
        report.note(
            f"BEER (profile beer-3.0), {what}, {words:.0f} words each: "
            f"{times['beer'] / times['chrf']:.2f} times the time of chrF, which does "
            f"{len(places) / times['chrf']:,.0f} segments per second. At most 3 times "
            f"and at least {RATE:,} segments per second are wanted."
        )


def main() -> None:
    scoring(Report(), load()[0])


if __name__ == "__main__":
    main()
