# SPDX-License-Identifier: Apache-2.0
"""Systems ranked in every language pair, with plans for further judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.judgements.methods import METHODS, METHODS_BY_KIND, RATED
from tertium.judgements.ranking.defaults import default_method, kinds_of
from tertium.judgements.ranking.rankings import Rankings
from tertium.judgements.ranking.ratings import MqmWeights
from tertium.judgements.ranking.systems import rank_systems
from tertium.judgements.selection import (
    campaign_notes,
    check_read,
    langpairs,
    select_langpairs,
)
from tertium.notes import Note
from tertium.stats.resample import Report, report_for

if TYPE_CHECKING:
    from tertium.judgements.planning.comparisons import Item
    from tertium.judgements.ranking.results import SystemRanking
    from tertium.judgements.tables import Judgements

__all__ = ["rank"]


@dataclass(frozen=True, kw_only=True)
class _Options:
    method: Sequence[str] | None
    clusters: str
    resamples: int
    unit: str
    test: str
    pairing: str
    weights: MqmWeights
    correction: str
    confidence: float
    scale: str | None
    seed: int
    threads: int | None
    progress: Report | None


def rank(
    judgements: Judgements,
    *,
    method: str | Sequence[str] | None = None,
    clusters: str = "bootstrap",
    resamples: int = 1000,
    unit: str = "ranking",
    test: str = "wilcoxon",
    pairing: str = "auto",
    weights: str | MqmWeights = "wmt-mqm",
    correction: str = "none",
    confidence: float = 0.95,
    plan: float | None = None,
    next: int | None = None,  # noqa: A002
    levels: bool = False,
    unseen: bool = False,
    scale: str | None = None,
    langpair: str | Sequence[str] | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Report | None = None,
) -> Rankings:
    """Rank systems by human judgements: scores, rank ranges and clusters.

    Language pairs are ranked separately, and so are rankings of whole segments and
    of parts of them.

    Parameters
    ----------
    judgements : Judgements
    method : str or sequence of str, optional
        Keys of ``tertium.judgements.ranking.METHODS``, or ``all`` for those that the
        judgements allow. By default ``expected-wins`` for rankings; ``z`` for ratings,
        or ``mean`` where judges are unknown or have no z-scores; ``mqm`` for error
        spans without ratings.
    clusters : {"bootstrap", "pairwise"}
        Where rank ranges and clusters come from: ranks in resamples, as at WMT, or
        tests of every two systems.
    resamples : int
        Bootstrap resamples of rankings, or of rated segments; 0 for none.
    unit : {"ranking", "comparison", "document"}
        What is resampled; WMT resamples comparisons. Of ratings and error spans,
        segments are, or documents.
    test : {"wilcoxon", "t", "wmt26"}
        Of every two systems, for ratings and error spans. Results have all.
    pairing : {"auto", "screen", "segment", "none"}
        What these tests pair: outputs that a judge saw on one screen, as in contrastive
        ESA, or segments, where two systems share at least half of them. ``auto``: by
        screen if at least half of the screens have several systems.
    weights : str or MqmWeights
        What error spans cost: ``wmt-mqm``, ``esa`` or severities; see
        :meth:`~tertium.judgements.ranking.MqmWeights.named`. Plans have the default.
    correction : {"none", "holm", "bh"}
        For multiple pairwise tests.
    confidence : float
        Of intervals and rank ranges; tests use 1 - confidence.
    plan : float, optional
        Also estimate how many judgements would tell systems apart with this power.
    next : int, optional
        Also list this many comparisons that would be most informative.
    levels : bool
        Also compare rankings of parts with those of whole sentences.
    unseen : bool
        Also score every system as if it had not been judged, from identical or similar
        outputs of other systems; rankings need texts.
    scale : str, optional
        The scale of ratings, where there are several.
    langpair : str or sequence of str, optional
        Rank these language pairs only; ``unknown`` for judgements without one.
    seed : int
    threads : int, optional
    progress : callable, optional
        Called with what is counted, how many are done, and how many there are.

    Raises
    ------
    InputError
        When judgements do not allow a method, or a language pair has none.

    Examples
    --------
    >>> import tertium
    >>> judgements = tertium.Judgements.read("demo")
    >>> rankings = tertium.rank(judgements, method="wins", resamples=0)
    >>> ranking = rankings.rankings["en-de"][0]
    >>> [(each.system, round(each.score, 2)) for each in ranking.systems[:2]]
    [('good', 0.86), ('order', 0.52)]
    """
    check_read(judgements)
    options = _Options(
        method=[method] if isinstance(method, str) else method,
        clusters=clusters,
        resamples=resamples,
        unit=unit,
        test=test,
        pairing=pairing,
        weights=MqmWeights.named(weights) if isinstance(weights, str) else weights,
        correction=correction,
        confidence=confidence,
        scale=scale,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    wanted = [langpair] if isinstance(langpair, str) else langpair
    notes = campaign_notes(judgements)
    pairs = {
        pair: select_langpairs(judgements, [pair])
        for pair in langpairs(judgements, wanted)
    }
    result = _compared(pairs, levels=levels, unseen=unseen)
    groups = [group for pair, part in pairs.items() for group in _groups(pair, part)]
    for group in groups:
        rankings, remarks = _rankings(group, options)
        result.rankings[group.name] = rankings
        notes += remarks
    for group in groups if plan is not None or next is not None else ():
        first = result.rankings[group.name][0].method
        if plan is not None:
            _add_plan(result, group, first, plan, options)
        if next is not None:
            result.next[group.name] = _next(group, first, next, options)
    return replace(result, notes=tuple(notes))


class _Group(NamedTuple):
    """Judgements that are ranked together."""

    name: str
    level: str | None
    judgements: Judgements


def _groups(pair: str, judgements: Judgements) -> list[_Group]:
    """Return the levels of a language pair, which are never counted together."""
    levels = judgements.levels()
    if len(levels) == 1:
        return [_Group(pair, None, judgements)]
    return [
        _Group(f"{pair or 'all'} {level}", level, part)
        for level, part in levels.items()
    ]


def _compared(pairs: dict[str, Judgements], *, levels: bool, unseen: bool) -> Rankings:
    """Return levels compared and systems left out, without rankings."""
    result = Rankings({})
    if levels:
        from tertium.judgements.parts.against_sentences import compare_levels

        result.levels.update({p: compare_levels(part) for p, part in pairs.items()})
    if unseen:
        from tertium.judgements.reuse.unseen import leave_one_out

        result.unseen.update({p: leave_one_out(part) for p, part in pairs.items()})
    return result


def _rankings(
    group: _Group, options: _Options
) -> tuple[list[SystemRanking], list[Note]]:
    """Return one ranking per method, and notes on the choice of methods."""
    rankings = []
    methods, notes = _methods(group, options)
    for method in methods:
        try:
            rankings.append(_ranking(group, method, options))
        except InputError as error:
            # Judges may have no z-scores where they have means.
            if method != "z" or "all" not in (options.method or ()):
                raise
            values = {"group": group.name or "all", "method": method, "reason": error}
            notes.insert(0, Note("method-left-out", values))
    return rankings, notes


def _methods(group: _Group, options: _Options) -> tuple[list[str], list[Note]]:
    """Return the methods to rank by, and a note if the usual one does not apply."""
    if options.method is None:
        default = default_method(group.judgements, scale=options.scale)
        if not default.reason:
            return [default.method], []
        values = {
            "group": group.name or "all",
            "method": default.method,
            "reason": str(default.reason),
        }
        return [default.method], [Note("fallback-method", values)]
    if "all" in options.method:
        kinds = kinds_of(group.judgements)
        allowed = {method for kind in kinds for method in METHODS_BY_KIND[kind]}
        return [method for method in METHODS if method in allowed], []
    return list(dict.fromkeys(options.method)), []


def _ranking(group: _Group, method: str, options: _Options) -> SystemRanking:
    whom = ", ".join([method, *group.judgements.names("langpair")])
    ranking = rank_systems(
        group.judgements,
        method=method,
        clusters=options.clusters,
        resamples=options.resamples,
        unit=options.unit,
        test=options.test,
        pairing=options.pairing,
        weights=options.weights,
        confidence=options.confidence,
        correction=options.correction,
        seed=options.seed,
        scale=options.scale,
        threads=options.threads,
        progress=report_for(options.progress, whom),
    )
    return replace(ranking, level=group.level)


def _add_plan(
    result: Rankings, group: _Group, method: str, power: float, options: _Options
) -> None:
    """Add a plan for comparisons, or for ratings if the method is for those."""
    from tertium.judgements.planning.comparisons import plan_judgements
    from tertium.judgements.planning.rating_plans import plan_ratings

    alpha = 1 - options.confidence
    if method in RATED:
        result.rating_plans[group.name] = plan_ratings(
            group.judgements,
            method=method,
            power=power,
            alpha=alpha,
            scale=options.scale,
            seed=options.seed,
        )
    else:
        result.plans[group.name] = plan_judgements(
            group.judgements,
            power=power,
            alpha=alpha,
            seed=options.seed,
            progress=options.progress,
        )


def _next(group: _Group, method: str, number: int, options: _Options) -> list[Item]:
    """Return what to compare next, or to rate if the method is for ratings."""
    from tertium.judgements.planning.comparisons import judge_next
    from tertium.judgements.planning.rating_next import rate_next

    if method in RATED:
        return rate_next(
            group.judgements,
            number,
            method=method,
            scale=options.scale,
            seed=options.seed,
        )
    return judge_next(group.judgements, number, seed=options.seed)
