# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on what metrics are compared with, and trained on."""

from __future__ import annotations

__all__ = ["META"]

#: English templates by code; a pair is a singular and a plural.
META: dict[str, str | tuple[str, str]] = {
    "pair-without-testset": "no test set for %(langpairs)s; left out",
    "pair-without-judgements": "no judgements of %(langpairs)s; left out",
    "pair-without-comparisons": (
        "%(langpairs)s: no two systems were judged; nothing to compare"
    ),
    "metric-taken-to-rise": (
        "%(metric)s in score files is taken to rise with quality; if it falls, name it "
        "as one that does"
    ),
    "metric-taken-to-fall": (
        "%(metric)s in score files is taken to fall with quality, as its name says and "
        "its positive mean; if it rises, name it as one that does"
    ),
    "source-note": "%(source)s: %(note)s",
    "judgements-without-pair": (
        (
            "%(count)s judgement has no language pair and is not counted for "
            "%(langpair)s; import it with a language pair"
        ),
        (
            "%(count)s judgements have no language pair and are not counted for "
            "%(langpair)s; import them with a language pair"
        ),
    ),
    "spans-beside-ratings": "error spans were left out, as there are ratings",
    "systems-scored-by": "systems are scored by %(method)s, as %(reason)s",
    "adjusted-without-judge": (
        "left out by the adjustment: %(count)s rating has no judge",
        "left out by the adjustment: %(count)s ratings have no judge",
    ),
    "p-values-unadjusted": (
        "p-values test the ratings as judges gave them, not the adjusted ones"
    ),
    "judged-without-scores": "judged, but without scores: %(systems)s",
    "references-left-out": "left out of the systems, as references: %(systems)s",
    "scored-without-judgements": "scored, but not judged: %(systems)s",
    "metric-undefined": (
        "%(metric)s is undefined for %(undefined)s of %(judged)s judged outputs; they "
        "are left out of its figures"
    ),
    "metric-scores-few": (
        "%(metric)s has scores of %(scored)s judged outputs, fewer than %(least)s; "
        "left out"
    ),
    "systems-alone": "no scores of %(metrics)s for %(what)s: systems alone count",
    "scores-dropped": "no score of %(metrics)s for %(lacking)s; dropped",
    "test-misfit": "%(test)s: does not fit %(coefficients)s",
    "test-note": "%(test)s: %(note)s",
    "metrics-lack": "%(metrics)s: %(reason)s",
    "test-stopped": "%(reason)s",
    "no-shared-outputs": "%(metrics)s have scored no judged output both",
    "no-intervals": "no intervals of %(coefficient)s: %(reason)s",
    "judges-unknown": "%(unknown)s %(what)s of unknown judges are in no slice",
    "spans-beyond-output": (
        (
            "%(metric)s: spans of %(count)s output end after it (%(where)s: %(end)s of "
            "%(length)s characters); positions are code points, from 0"
        ),
        (
            "%(metric)s: spans of %(count)s outputs end after them (first: %(where)s, "
            "%(end)s of %(length)s characters); positions are code points, from 0"
        ),
    ),
    "scores-of-some-outputs": (
        (
            "%(metric)s has no score of %(count)s of %(outputs)s outputs; scores from "
            "its spans stand for all of them"
        ),
        (
            "%(metric)s has no scores of %(count)s of %(outputs)s outputs; scores from "
            "its spans stand for all of them"
        ),
    ),
    "unknown-severity-of": (
        "%(name)s: %(count)s error span of severity %(severity)r counts as minor",
        "%(name)s: %(count)s error spans of severity %(severity)r count as minor",
    ),
    "outputs-without-prediction": (
        (
            "%(count)s of %(judged)s judged outputs has no prediction of every metric; "
            "left out"
        ),
        (
            "%(count)s of %(judged)s judged outputs have no prediction of every "
            "metric; left out"
        ),
    ),
    "means-of-slices": (
        "metrics of systems are means of their segments, as slices have no others"
    ),
}
