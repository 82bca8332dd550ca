# SPDX-License-Identifier: Apache-2.0
"""What an error analysis found, in words."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.grammars.analysis.differences import Difference
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.humans import challenge
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.edits import UNRELIABLE
from tertium.report.grammar.categories import CATEGORIES

__all__ = ["ALPHA", "between", "cautions", "headline", "lead", "main_fault", "people"]

#: Differences with a larger adjusted p-value are called unclear.
ALPHA = 0.05

_SOME = 10  # errors that are worth a warning
_OUTSIDE = 0.1  # share of words that a lexicon may lack
_WORDS = {
    "order": "word order",
    "case": "noun case",
    "form": "other word forms",
    "unknown": "unknown words",
    "lexical": "the choice of words",
    "compound": "the spelling of compounds",
    "missing": "missing words",
    "extra": "extra words",
    "other": "mistranslations of other kinds",
    "outside": "words that are not in the lexicon",
}


def headline(evaluation: Evaluation) -> str:
    """Return the most important finding in a line."""
    systems = [own for own in evaluation.ranking if not own.human] or list(
        evaluation.ranking
    )
    best = systems[0]
    if len(systems) == 1:
        if not best.edits:
            return f"{best.name} needs no correction"
        return f"{best.name} costs {best.score:.3f} a word to correct"
    second = systems[1]
    if second.score == best.score:
        return f"{best.name} and {second.name} need equally little correction"
    found = between(evaluation, best.name, second.name)
    if found.p_adjusted is not None and found.p_adjusted > ALPHA:
        return f"{best.name} needs the least correction, but not clearly"
    return f"{best.name} needs the least correction"


def lead(evaluation: Evaluation) -> Iterator[str]:
    """Yield sentences on who is best, by how much, and how sure that is."""
    systems = [own for own in evaluation.ranking if not own.human] or list(
        evaluation.ranking
    )
    best = systems[0]
    yield (
        f"Turning its {best.segments:,} outputs into accepted sentences costs "
        f"{best.score:.3f} a word{_range(best.interval)}; "
        f"{_share(best.exact, best.segments)} of them are right as they are."
    )
    if fault := main_fault(best):
        words, share = fault
        yield f"What it gets wrong most is {words} ({share} of its errors)."
    if len(systems) > 1:
        second = systems[1]
        found = between(evaluation, best.name, second.name)
        yield (
            f"The next, {second.name}, costs {second.score:.3f}: "
            f"{found.difference:.3f} more{_range(found.interval)}{_chance(found)}."
        )


def between(evaluation: Evaluation, one: str, other: str) -> Difference:
    """Return the difference of two systems."""
    return next(own for own in evaluation.differences if {own.a, own.b} == {one, other})


def main_fault(own: SystemResult) -> tuple[str, str] | None:
    """Return the kind of error a system has most often, and its share of errors."""
    if not own.errors:
        return None
    counts = own.taxonomy
    most = max(CATEGORIES, key=lambda each: counts[each.name])
    return _WORDS[most.key], _share(counts[most.name], sum(counts.values()))


def people(evaluation: Evaluation) -> str:
    """Return how people compare with systems, or an empty string."""
    found = challenge(evaluation)
    if found.separated is None:
        return ""
    if found.separated:
        return (
            "All people score better than all systems, as they should if the "
            "references allow what good translators write."
        )
    return (
        "A system scores better than a person. Unless that person erred, the "
        "references lack what good translators write: look at the edits they are "
        "charged for."
    )


def cautions(evaluation: Evaluation) -> Iterator[str]:
    """Yield what readers must beware of."""
    if evaluation.caution and evaluation.bootstrap.resamples:
        yield evaluation.caution
    if evaluation.analyser == "none":
        yield (
            "There was no analyser of words, so wrong cases and wrong forms count as "
            "other mistranslations, missing or extra words."
        )
    many = [own for own in evaluation.systems if own.outside > _OUTSIDE]
    if many:
        shares = [
            f"{100 * own.outside:.0f} % of the words of {own.name}" for own in many
        ]
        yield (
            f"{_listed(shares)} are not in the lexicon, so "
            "nobody can tell whether these are wrong words, wrong forms or right ones "
            "that the references lack. Use an analyser of the whole language, or add "
            "the words."
        )
    unproven = sum(own.unproven for own in evaluation.systems)
    if unproven:
        plural = "s are" if unproven > 1 else " is"
        yield (
            f"{unproven:,} correction{plural} not proven to be the cheapest: the "
            "search ended early."
        )
    bad = [
        own
        for own in evaluation.systems
        if (errors := sum(own.errors.values())) >= _SOME
        and sum(own.taxonomy[name] for name in UNRELIABLE) > 0.5 * errors
    ]
    if bad:
        kinds = [
            _WORDS[each.key]
            for each in CATEGORIES
            if each.name in UNRELIABLE and any(own.taxonomy[each.name] for own in bad)
        ]
        yield (
            f"Most errors of {_listed([own.name for own in bad])} are "
            f"{_listed(kinds, 'or')}, which say little about what went wrong."
        )
    ranks = {tuple(own.ranking) for own in evaluation.sensitivity}
    if len(ranks) > 1:
        yield (
            "The ranking depends on what a move costs, which nobody knows; see "
            "“How sure is this?”."
        )


def _chance(found: Difference) -> str:
    if found.p_adjusted is None:
        return ""
    p = "p < 0.001" if found.p_adjusted < 0.001 else f"p = {found.p_adjusted:.3f}"
    if found.p_adjusted > ALPHA:
        return f", which may be chance ({p})"
    return f", hardly by chance ({p})"


def _range(bounds: tuple[float, float] | None) -> str:
    return f" ({bounds[0]:.3f} to {bounds[1]:.3f})" if bounds else ""


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.0f} %"


def _listed(names: list[str], last: str = "and") -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {last} {names[-1]}"
