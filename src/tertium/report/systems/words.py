# SPDX-License-Identifier: Apache-2.0
"""What system scores and comparisons show, in words."""

from __future__ import annotations

from collections.abc import Sequence

from tertium._messages import count
from tertium.engine.comparison import Comparison
from tertium.engine.results import ScoreTable
from tertium.report.explain.wording import listed

__all__ = [
    "comparison_headline",
    "comparison_lead",
    "how_tested",
    "score_headline",
    "score_lead",
]

_NAMED = 3  # systems that a headline names; more are counted

_CORRECTIONS = {
    "holm": "corrected by Holm's method for the number of pairs",
    "bh": "corrected by Benjamini and Hochberg's method for the number of pairs",
    "none": "not corrected for the number of pairs",
}


def score_headline(table: ScoreTable) -> str:
    """Return which system scores best by which metrics."""
    named = table.labels
    if len(table.systems) == 1:
        (name,) = table.systems
        scores = [
            f"{table.metrics[spec].show(table[name][spec].score)} {label}"
            for spec, label in named.items()
        ]
        return f"{name}: {_listed(scores)}"
    best: dict[tuple[str, ...], list[str]] = {}
    for spec, label in named.items():
        best.setdefault(_best(table, spec), []).append(label)
    if len(best) == 1 and len(named) > 1:
        (winners,) = best
        several = "both metrics" if len(named) == 2 else f"all {len(named)} metrics"
        return f"{_systems(winners)} {_score_verb(winners)} best by {several}"
    (winners, metrics), *others = best.items()
    parts = [f"{_systems(winners)} {_score_verb(winners)} best by {_listed(metrics)}"]
    parts += [f"{_systems(names)} by {_listed(metrics)}" for names, metrics in others]
    return "; ".join(parts)


def score_lead(table: ScoreTable) -> str:
    """Return what was scored."""
    return (
        f"{count(len(table.systems), 'system')}, {count(table.segments, 'segment')}, "
        f"{count(len(table.metrics), 'metric')}. Scores alone do not show whether "
        "differences are significant; tertium compare tests them."
    )


def comparison_headline(result: Comparison) -> str:
    """Return which systems are significantly better by the first metric."""
    spec, label = next(iter(result.scores.labels.items()))
    places = result.ranking[spec]
    pairs = [pair for pair in result.pairs if pair.metric == spec]
    if not places:
        baseline = pairs[0].a
        better = sum(pair.better == pair.b for pair in pairs)
        worse = sum(pair.better == baseline for pair in pairs)
        return (
            f"Of {count(len(pairs), 'system')}, {better} {_are(better)} significantly "
            f"better than {baseline} and {worse} {_are(worse)} worse by {label}"
        )
    first = [place.system for place in places if place.cluster == 1]
    if len(first) == len(places):
        return f"{label} does not separate the systems into clusters"
    if len(first) == 1:
        return f"{first[0]} is significantly better than all others by {label}"
    if len(first) <= _NAMED:
        return f"{_listed(first)} tie for first place by {label}"
    return f"{len(first)} of {len(places)} systems tie for first place by {label}"


def comparison_lead(result: Comparison) -> str:
    """Return how many clusters there are, and what was tested."""
    named = result.scores.labels
    clusters = [
        f"{named[spec]} finds {count(places[-1].cluster, 'cluster')}"
        for spec, places in result.ranking.items()
        if places
    ]
    pairs = len(result.pairs) // len(result.scores.metrics)
    wins = sum(pair.better is not None for pair in result.pairs)
    first = f"{_listed(clusters)}. " if clusters else ""
    return (
        f"{first}{wins:,} of {count(len(result.pairs), 'difference')} between "
        f"{count(len(result.scores.systems), 'system')} "
        f"({count(pairs, 'pair')}, {count(len(named), 'metric')}) are significant."
    )


def how_tested(result: Comparison) -> str:
    """Return how differences were tested."""
    run = result.run
    trials = "resamples" if run["test"] == "bootstrap" else "assignments"
    exact = "exact, " if run["exact"] else ""
    units = count(int(run["number_of_units"]), str(run["units"])[:-1])
    name = f"Paired {run['test']} test over {units}"
    if run.get("sources") == "runs and segments":
        name = f"t test of mean scores with the variance between runs and over {units}"
    elif result.scores.has_runs:
        name += " of every run"
    return (
        f"{name}, {int(run['resamples']):,} {trials} "
        f"({exact}seed {run['seed']}). P-values are two-sided and "
        f"{_CORRECTIONS[str(run['correction'])]}; differences with an adjusted p-value "
        f"below {float(run['alpha']):g} are called significant."
    )


def _best(table: ScoreTable, spec: str) -> tuple[str, ...]:
    names = table.ranked(spec)
    most = table[names[0]][spec].score
    return tuple(name for name in names if table[name][spec].score == most)


def _systems(names: Sequence[str]) -> str:
    return _listed(names) if len(names) <= _NAMED else f"{len(names)} systems"


def _score_verb(names: Sequence[str]) -> str:
    return "scores" if len(names) == 1 else "score equally"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _listed(items: Sequence[str]) -> str:
    return "".join(listed(items))
