# SPDX-License-Identifier: Apache-2.0
"""Trained metrics: the speed of BEER beside chrF in one run.

python -m bench trained
"""

from __future__ import annotations

import tertium
from bench.measure import Report, best, fresh, load

#: Segments per second that are wanted of BEER on one thread.
RATE = 20_000
ROUNDS = 30


def jobs() -> dict[str, str]:
    """Return the metrics to time, by the names of the rows."""
    return {
        "chrF": "chrf",
        "beer": "beer",
        "beer, English": "beer:language=en",
        "beer-3.0": "beer:profile=beer-3.0",
    }


def scoring(report: Report, testset: tertium.Testset) -> None:
    """BEER and chrF from Python strings to scores, in turns, on one thread."""
    metrics = {name: tertium.metric(spec) for name, spec in jobs().items()}
    refs = [refs_of_segment[0] for refs_of_segment in testset.references]
    hyps = next(iter(testset.systems.values()))
    usual = [i for i, ref in enumerate(refs) if 20 <= len(ref.split()) <= 30]
    for what, places in (
        ("all segments", range(len(refs))),
        ("segments of 20 to 30 words", usual),
    ):
        times = dict.fromkeys(metrics, float("inf"))
        for _ in range(ROUNDS):
            for name, metric in metrics.items():
                texts = fresh([hyps[i] for i in places])
                ref_texts = fresh([refs[i] for i in places])
                spent = best(
                    lambda metric=metric, texts=texts, ref_texts=ref_texts: (
                        metric.corpus_score(texts, ref_texts, threads=1)
                    ),
                    lambda: None,
                    1,
                )
                times[name] = min(times[name], spent)
        words = sum(len(refs[i].split()) for i in places) / len(places)
        for name in list(metrics)[1:]:
            report.add(
                f"{name}, {len(places):,} {what}",
                times[name],
                peer="chrF of Tertium",
                other=times["chrF"],
                rate=f"{len(places) / times[name]:,.0f} seg/s",
            )
        report.note(
            f"{what.capitalize()}, {words:.0f} words each: at least {RATE:,} per "
            "second are wanted of beer on one thread."
        )


def main() -> None:
    scoring(Report(), load()[0])


if __name__ == "__main__":
    main()
