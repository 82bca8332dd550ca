# SPDX-License-Identifier: Apache-2.0
"""The findings of an error analysis, in words."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.grammars.analysis.differences import Difference
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.humans import challenge
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.search.edits import UNRELIABLE
from tertium.report.grammar.categories import CATEGORIES

__all__ = ["ALPHA", "between", "cautions", "headline", "lead", "main_fault", "people"]

#: Differences with a larger adjusted p-value are called not significant.
ALPHA = 0.05

_SOME = 10  # errors; fewer do not justify a caution
_OUTSIDE = 0.1  # share of words that a lexicon may lack without a caution
_WORDS = {
    "order": "word order",
    "case": "noun case",
    "form": "other word forms",
    "unknown": "unknown words",
    "lexical": "word choice",
    "compound": "compound spelling",
    "missing": "missing words",
    "extra": "extra words",
    "other": "other mistranslations",
    "outside": "words that are not in the lexicon",
}


def headline(evaluation: Evaluation) -> str:
    """Return the most important finding in a line."""
    systems = _machines(evaluation)
    best = systems[0]
    if len(systems) == 1:
        if not best.edits:
            return f"{best.name} needs no correction"
        return f"{best.name} costs {best.score:.3f} per word to correct"
    second = systems[1]
    if second.score == best.score:
        return f"{best.name} and {second.name} need equally little correction"
    difference = between(evaluation, best.name, second.name)
    if difference.p_adjusted is not None and difference.p_adjusted > ALPHA:
        return f"{best.name} needs the least correction, but not significantly"
    return f"{best.name} needs the least correction"


def lead(evaluation: Evaluation) -> Iterator[str]:
    """Yield sentences on the best system, its lead, and whether it is significant."""
    systems = _machines(evaluation)
    best = systems[0]
    yield (
        f"Turning its {best.segments:,} outputs into accepted sentences costs "
        f"{best.score:.3f} per word{_range(best.interval)}; "
        f"{_share(best.exact, best.segments)} of them are correct as they are."
    )
    if fault := main_fault(best):
        kind, share = fault
        yield f"Its most frequent problem is {kind} ({share} of its errors)."
    if len(systems) > 1:
        second = systems[1]
        difference = between(evaluation, best.name, second.name)
        yield (
            f"The second best, {second.name}, costs {second.score:.3f}: "
            f"{difference.difference:.3f} more{_range(difference.interval)}"
            f"{_significance(difference)}."
        )


def between(evaluation: Evaluation, one: str, other: str) -> Difference:
    """Return the difference between two systems."""
    both = {one, other}
    return next(each for each in evaluation.differences if {each.a, each.b} == both)


def main_fault(system: SystemResult) -> tuple[str, str] | None:
    """Return the most frequent kind of error of a system, and its share of errors."""
    if not system.errors:
        return None
    counts = system.taxonomy
    most = max(CATEGORIES, key=lambda each: counts[each.name])
    return _WORDS[most.key], _share(counts[most.name], sum(counts.values()))


def people(evaluation: Evaluation) -> str:
    """Return how humans compare with systems, or an empty string."""
    separated = challenge(evaluation).separated
    if separated is None:
        return ""
    if separated:
        return (
            "All humans score better than all systems, as they should if the "
            "references accept what good translators write."
        )
    return (
        "A system scores better than a human. Unless that human made mistakes, the "
        "references lack what good translators write: check the edits that count "
        "against them."
    )


def cautions(evaluation: Evaluation) -> Iterator[str]:
    """Yield what readers should know before they trust the scores."""
    if evaluation.caution and evaluation.bootstrap.resamples:
        yield evaluation.caution
    if evaluation.analyser == "none":
        yield (
            "There was no word analyser, so wrong cases and wrong forms count as other "
            "mistranslations, missing words or extra words."
        )
    many = [system for system in evaluation.systems if system.outside > _OUTSIDE]
    if many:
        shares = [
            f"{100 * system.outside:.0f} % of the words in {system.name}"
            for system in many
        ]
        yield (
            f"{_listed(shares)} are not in the lexicon, so it is unknown whether they "
            "are wrong words, wrong forms, or correct words that the references lack. "
            "Use an analyser with full coverage of the language, or add the words."
        )
    unproven = sum(system.unproven for system in evaluation.systems)
    if unproven:
        plural = "s are" if unproven > 1 else " is"
        yield (
            f"{unproven:,} correction{plural} not proven to be the cheapest: the "
            "search ended early."
        )
    bad = [
        system
        for system in evaluation.systems
        if (errors := sum(system.errors.values())) >= _SOME
        and sum(system.taxonomy[name] for name in UNRELIABLE) > 0.5 * errors
    ]
    if bad:
        kinds = [
            _WORDS[each.key]
            for each in CATEGORIES
            if each.name in UNRELIABLE
            and any(system.taxonomy[each.name] for system in bad)
        ]
        yield (
            f"Most errors of {_listed([system.name for system in bad])} are "
            f"{_listed(kinds, 'or')}, which reveal little about what went wrong."
        )
    ranks = {tuple(run.ranking) for run in evaluation.sensitivity}
    if len(ranks) > 1:
        yield (
            "The ranking depends on the cost of a move, which is a matter of "
            "judgement; see “Reliability”."
        )


def _machines(evaluation: Evaluation) -> list[SystemResult]:
    """Return the systems that are not human, or all if there are none."""
    machines = [system for system in evaluation.ranking if not system.human]
    return machines or list(evaluation.ranking)


def _significance(difference: Difference) -> str:
    value = difference.p_adjusted
    if value is None:
        return ""
    p = "p < 0.001" if value < 0.001 else f"p = {value:.3f}"
    return f", {'not significant' if value > ALPHA else 'significant'} ({p})"


def _range(bounds: tuple[float, float] | None) -> str:
    return f" ({bounds[0]:.3f} to {bounds[1]:.3f})" if bounds else ""


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.0f} %"


def _listed(names: list[str], last: str = "and") -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {last} {names[-1]}"
