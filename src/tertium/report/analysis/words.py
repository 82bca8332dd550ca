# SPDX-License-Identifier: Apache-2.0
"""What a report shows, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tertium._messages import count
from tertium.analysis.report import SystemReport
from tertium.engine.comparison import Pair
from tertium.report.components import p_text
from tertium.report.draw.lettering import minus
from tertium.report.explain.wording import listed

__all__ = ["cautions", "headline", "join", "lead", "some"]

_FINDINGS = 4  # findings of `tertium check` that are quoted; others are counted
_FEW = 100  # segments, below which differences have to be large
_NAMED = 3
_DISAGREEMENTS = 3  # sentences on metrics that disagree; the rest is counted


def join(items: Sequence[str]) -> str:
    """Return items as a list in a sentence."""
    return "".join(listed(items))


def some(items: Sequence[str], noun: str, *, most: int) -> str:
    """Return the first items as a list in a sentence, and how many more there are."""
    more = [count(len(items) - most, f"more {noun}")] if len(items) > most else []
    return join([*items[:most], *more])


def headline(report: SystemReport) -> str:
    """Return which system is best, by which metrics, and how sure that is.

    The leader is the best system by the first metric. Others are compared with it by
    the tests of their pairs, not by clusters: a cluster may hold systems that are
    significantly different from each other. Nothing is called significant where the
    bootstrap had too little to resample.
    """
    table = report.comparison.scores
    labels = table.labels
    leader, *others = table.ranked(next(iter(labels)))
    if report.comparison.has_few_units:
        return _untested(report, leader, others)
    verdicts = {spec: _against(report, leader, others, spec) for spec in labels}
    alone = [spec for spec, of in verdicts.items() if set(of.values()) == {leader}]
    lost = _winners(verdicts)
    parts = []
    if alone:
        whom = "every other system" if len(others) > 1 else others[0]
        by = _all(labels) if len(alone) == len(labels) else _names(labels, alone)
        parts.append(f"{leader} is significantly better than {whom} by {by}")
        if not lost and len(alone) < len(labels):
            rest = [spec for spec in labels if spec not in alone]
            parts.append(f"but not by {_names(labels, rest, 'or')}")
    if lost:
        wins = [
            f"{_whom(names)} {'is' if len(names) == 1 else 'are'} significantly better "
            f"than {leader} by {_names(labels, specs)}"
            for names, specs in lost.items()
        ]
        parts.append(f"but {join(wins)}" if alone else join(wins))
    if alone:
        return ", ".join(parts)
    if lost:
        return "; ".join([*parts, *_ahead(report, leader, lost, verdicts)])
    return _undecided(labels, leader, others, verdicts)


def _untested(report: SystemReport, leader: str, others: Sequence[str]) -> str:
    labels, run = report.comparison.scores.labels, report.comparison.run
    led = [s for s in labels if all(_leads(report, leader, n, s) for n in others)]
    number = int(run["number_of_units"])
    units = count(number, str(run["units"])[:-1])
    few = f"{units} {'is' if number == 1 else 'are'} too few for a bootstrap test"
    if not led:
        return f"No system is ahead by any metric, and {few}"
    by = _all(labels) if len(led) == len(labels) else _names(labels, led)
    return f"{leader} is ahead by {by}, but {few}"


def _leads(report: SystemReport, leader: str, other: str, spec: str) -> bool:
    return (
        _first_by_score(report, report.comparison.pair(leader, other, spec)) == leader
    )


#: Of every other system, the one that is significantly better: it, the leader or none.
_Verdicts = Mapping[str, Mapping[str, str | None]]


def _against(
    report: SystemReport, leader: str, others: Sequence[str], spec: str
) -> dict[str, str | None]:
    pair = report.comparison.pair
    return {name: pair(leader, name, spec).better for name in others}


def _winners(verdicts: _Verdicts) -> dict[tuple[str, ...], list[str]]:
    """Return the metrics by which systems are significantly better than the leader."""
    lost: dict[tuple[str, ...], list[str]] = {}
    for spec, of in verdicts.items():
        if names := tuple(name for name, better in of.items() if better == name):
            lost.setdefault(names, []).append(spec)
    return lost


def _ahead(
    report: SystemReport,
    leader: str,
    lost: Mapping[tuple[str, ...], Sequence[str]],
    verdicts: _Verdicts,
) -> Iterator[str]:
    """Yield by which metrics the leader leads nevertheless."""
    table = report.comparison.scores
    rivals = list(dict.fromkeys(name for names in lost for name in names))
    led = [s for s in table.labels if table.ranked(s)[0] == leader]
    sure = [s for s in led if all(verdicts[s][name] == leader for name in rivals)]
    if sure:
        by = _names(table.labels, sure)
        yield f"{leader} is significantly better than {_whom(rivals)} by {by}"
    if unsure := [spec for spec in led if spec not in sure]:
        level = [n for n in rivals if any(verdicts[s][n] != leader for s in unsure)]
        end = f" better than {_whom(level)}" if len(table.systems) > 2 else ""
        by = _names(table.labels, unsure)
        yield f"{leader} is ahead by {by}, not significantly{end}"


def _undecided(
    labels: Mapping[str, str], leader: str, others: Sequence[str], verdicts: _Verdicts
) -> str:
    """Return from which systems no metric separates the leader."""
    tied = [n for n in others if all(of[n] is None for of in verdicts.values())]
    if not tied:
        return f"{leader} is ahead, but no metric separates it from every other system"
    if len(labels) > 1:
        return f"No metric separates {leader} from {_whom(tied)}"
    label = next(iter(labels.values()))
    return f"{label} does not separate {leader} from {_whom(tied)}"


def _whom(names: Sequence[str]) -> str:
    return join(names) if len(names) <= _NAMED else count(len(names), "other system")


def _names(labels: Mapping[str, str], specs: Sequence[str], word: str = "and") -> str:
    return "".join(listed([labels[spec] for spec in specs], last=f" {word} "))


def lead(report: SystemReport) -> str:
    """Return what was looked at, and how the two systems in focus differ."""
    table, (a, b) = report.comparison.scores, report.focus
    size = (
        f"{count(len(table.systems), 'system')}, {count(table.segments, 'segment')}, "
        f"{count(len(table.metrics), 'metric')}."
    )
    level = f"{100 * (1 - float(report.comparison.run['alpha'])):g}\u00a0% interval "
    corrected = report.comparison.run["correction"] != "none"
    name = "adjusted " if corrected else ""
    gaps = []
    for spec, label in table.labels.items():
        digits = table.metrics[spec].digits
        pair = report.comparison.pair(a, b, spec)
        pair = pair if pair.a == a else pair.turned()
        low, high = (f"{end:+.{digits}f}" for end in pair.interval)
        test = "" if report.comparison.has_few_units else f", {name}{_p(pair)}"
        gap = f"{pair.delta:+.{digits}f} ({level}{low} to {high}{test})"
        gaps.append(f"{label} {minus(gap)}")
        level = name = ""
    return f"{size} {a} minus {b}: {join(gaps)}."


def _p(pair: Pair) -> str:
    text = p_text(pair.p_adjusted)
    # What belongs together is not divided between lines.
    return f"p\u00a0{'<' if text[0] == '<' else '='}\u00a0{text.lstrip('<')}"


def cautions(report: SystemReport) -> Iterator[str]:
    """Yield what readers should know before they trust the rest."""
    comparison = report.comparison
    if why := comparison.hopeless():
        text = why.explain(unit=str(comparison.run["units"])[:-1])
        yield f"{text[0].upper()}{text[1:]}."
    elif len(report.testset) < _FEW and not comparison.has_few_units:
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
    yield from _disagreements(report)
    for text in dict.fromkeys(map(str, report.notes)):
        yield f"{_named(text, report.comparison.scores.labels)}."


def _named(text: str, labels: Mapping[str, str]) -> str:
    """Return a note as a sentence; metrics have the names of the page, not specs.

    The spec of a file of scores is its path, which is long and says where it was.
    """
    for spec, label in labels.items():
        if text.startswith(f"{spec}: "):
            return f"{label}{text.removeprefix(spec)}"
    return f"{text[0].upper()}{text[1:]}"


def _disagreements(report: SystemReport) -> Iterator[str]:
    """Yield on which systems metrics disagree, the gravest first; the rest as a count.

    A pair of systems counts if a metric finds it significant, and another metric has
    the opposite order.
    """
    both: list[tuple[str, int]] = []
    single: list[tuple[str, int]] = []
    for pair in report.metrics:
        for one, other in (pair.metrics, pair.metrics[::-1]):
            for known, (text, pairs) in zip(
                (both, single), _contradictions(report, one, other), strict=True
            ):
                if pairs:
                    known.append((text, pairs))
    every = [*both, *single]
    for text, _ in every[:_DISAGREEMENTS]:
        yield text
    if rest := sum(pairs for _, pairs in every[_DISAGREEMENTS:]):
        yield f"Metrics disagree in {count(rest, 'more case')}; see “Metrics”."


def _contradictions(
    report: SystemReport, one: str, other: str
) -> Iterator[tuple[str, int]]:
    """Yield pairs of systems that are significant by a metric, opposite by another.

    As a sentence and their number: first those that are significant by both, which
    are listed once, with the first metric first; then those by the first one only.
    """
    comparison, labels = report.comparison, report.comparison.scores.labels
    order = list(labels)
    both: list[tuple[str, str]] = []
    single: list[tuple[str, str]] = []
    for pair in comparison.pairs:
        if pair.metric != one or pair.better is None:
            continue
        opposite = comparison.pair(pair.a, pair.b, other)
        ahead = _first_by_score(report, opposite)
        if ahead in (None, pair.better):
            continue
        if opposite.better is None:
            single.append((pair.better, ahead))
        elif order.index(one) < order.index(other):
            both.append((pair.better, ahead))
    ends = ("and significantly worse by", "but worse, not significantly, by")
    for pairs, end in zip((both, single), ends, strict=True):
        more = len(pairs) - _NAMED
        rest = f" (and {count(more, 'more pair')} of systems)" if more > 0 else ""
        text = (
            f"Metrics disagree: {_orders(pairs[:_NAMED])} significantly by "
            f"{labels[one]}, {end} {labels[other]}{rest}."
        )
        yield text, len(pairs)


def _orders(pairs: Sequence[tuple[str, str]]) -> str:
    """Return which systems are better than which, as clauses of a sentence."""
    worse: dict[str, list[str]] = {}
    for better, other in pairs:
        worse.setdefault(better, []).append(other)
    clauses = [
        f"{better} is better than {join(names)}" for better, names in worse.items()
    ]
    several = any(len(names) > 1 for names in worse.values())
    return "".join(listed(clauses, last=", and " if several else " and "))


def _first_by_score(report: SystemReport, pair: Pair) -> str | None:
    """Return the system with the better score, whether significantly or not."""
    if not pair.delta:
        return None
    higher = report.comparison.scores.metrics[pair.metric].higher_is_better
    return pair.a if (pair.delta > 0) == higher else pair.b


def _all(labels: Mapping[str, str]) -> str:
    if len(labels) == 1:
        return next(iter(labels.values()))
    return "both metrics" if len(labels) == 2 else f"all {len(labels)} metrics"
