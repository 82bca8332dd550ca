# SPDX-License-Identifier: Apache-2.0
"""What a report shows, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tertium._messages import count
from tertium.analysis.report import SystemReport
from tertium.report.components import p_text
from tertium.report.explain.wording import listed

__all__ = ["cautions", "headline", "join", "lead"]

_FINDINGS = 4  # findings of `tertium check` that are quoted; others are counted
_FEW = 100  # segments, below which differences have to be large
_NAMED = 3


def join(items: Sequence[str]) -> str:
    """Return items as a list in a sentence."""
    return "".join(listed(items))


def headline(report: SystemReport) -> str:
    """Return which system is best, by which metrics, and how sure that is."""
    table = report.comparison.scores
    labels = table.labels
    best = {spec: table.ranked(spec)[0] for spec in labels}
    leader = best[next(iter(labels))]
    alone = [spec for spec in labels if _first(report, spec) == [leader]]
    behind = [s for s in labels if s not in alone and leader in _first(report, s)]
    lost = [spec for spec in labels if spec not in alone and spec not in behind]
    others = "every other system" if len(table.systems) > 2 else _other(report, leader)
    if len(alone) == len(labels):
        return f"{leader} is significantly better than {others} by {_all(labels)}"
    parts = []
    if alone:
        by = join([labels[spec] for spec in alone])
        parts.append(f"{leader} is significantly better than {others} by {by}")
    elif behind and not lost:
        tied = [name for name in _first(report, behind[0]) if name != leader]
        whom = join(tied) if len(tied) <= _NAMED else count(len(tied), "other system")
        by = "no metric" if len(labels) > 1 else labels[behind[0]]
        verb = "separates" if len(labels) > 1 else "does not separate"
        return f"{by[0].upper()}{by[1:]} {verb} {leader} from {whom}"
    else:
        parts.append(f"{leader} leads by {join([labels[s] for s in behind])}")
    if behind and alone:
        by = join([labels[spec] for spec in behind])
        parts.append(f"not by {by}")
    if lost:
        winners = join(sorted({best[spec] for spec in lost}))
        parts.append(f"but {winners} by {join([labels[spec] for spec in lost])}")
    return ", ".join(parts)


def lead(report: SystemReport) -> str:
    """Return what was looked at, and how the two systems in focus differ."""
    table, (a, b) = report.comparison.scores, report.focus
    size = (
        f"{count(len(table.systems), 'system')}, {count(table.segments, 'segment')}, "
        f"{count(len(table.metrics), 'metric')}."
    )
    level = f"{100 * (1 - float(report.comparison.run['alpha'])):g} % interval"
    gaps = []
    for spec, label in table.labels.items():
        digits = table.metrics[spec].digits
        pair = report.comparison.pair(a, b, spec)
        pair = pair if pair.a == a else pair.turned()
        low, high = (f"{end:+.{digits}f}" for end in pair.interval)
        p = p_text(pair.p_adjusted)
        p = f"p {'<' if p[0] == '<' else '='} {p.lstrip('<')}"
        gaps.append(f"{label} {pair.delta:+.{digits}f} ({level} {low} to {high}, {p})")
        level = ""
    return f"{size} {a} minus {b}: {join(gaps)}.".replace("( ", "(")


def cautions(report: SystemReport) -> Iterator[str]:
    """Yield what readers should know before they trust the rest."""
    comparison = report.comparison
    if why := comparison.hopeless():
        text = why.explain(unit=str(comparison.run["units"])[:-1])
        yield f"{text[0].upper()}{text[1:]}."
    elif len(report.testset) < _FEW:
        yield (
            f"The test set has {count(len(report.testset), 'segment')}: only large "
            "differences can be significant, and groups of segments are small."
        )
    serious = [each for each in report.checks.findings if each.severity != "note"]
    for finding in serious[:_FINDINGS]:
        text = f"{finding.where[0].upper()}{finding.where[1:]}: {finding.message}"
        yield text if text[-1] in ".?!" else f"{text}."
    if len(serious) > _FINDINGS:
        more = count(len(serious) - _FINDINGS, "more finding")
        yield f"tertium check shows {more}."
    for pair in report.metrics:
        if swapped := _contradictions(report, pair.metrics):
            one, other = (comparison.scores.labels[spec] for spec in pair.metrics)
            yield (
                f"Metrics disagree: {join(swapped)} significantly by {one}, and "
                f"significantly worse by {other}."
            )
    for text in map(str, report.notes):
        yield f"{text[0].upper()}{text[1:]}."


def _contradictions(report: SystemReport, metrics: tuple[str, str]) -> list[str]:
    """Return pairs of systems in opposite orders, both of them significant."""
    better = {
        frozenset((pair.a, pair.b)): pair.better
        for pair in report.comparison.pairs
        if pair.metric == metrics[0] and pair.better
    }
    out = []
    for pair in report.comparison.pairs:
        key = frozenset((pair.a, pair.b))
        if pair.metric != metrics[1] or pair.better is None or key not in better:
            continue
        if (winner := better[key]) != pair.better:
            out.append(f"{winner} is better than {pair.better}")
    return out[:_NAMED]


def _first(report: SystemReport, spec: str) -> list[str]:
    places = report.comparison.ranking[spec]
    return [place.system for place in places if place.cluster == 1]


def _other(report: SystemReport, leader: str) -> str:
    return next(name for name in report.testset.systems if name != leader)


def _all(labels: Mapping[str, str]) -> str:
    if len(labels) == 1:
        return next(iter(labels.values()))
    return "both metrics" if len(labels) == 2 else f"all {len(labels)} metrics"
