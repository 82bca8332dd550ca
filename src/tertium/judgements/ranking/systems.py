# SPDX-License-Identifier: Apache-2.0
"""One entry for all ways to rank systems by human judgements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.methods import (
    CLUSTERS,
    METHODS,
    PAIRINGS,
    RATED,
    TESTS,
    UNITS,
)
from tertium.judgements.ranking.bradley_terry import abilities as bradley_terry
from tertium.judgements.ranking.bradley_terry import needs_prior
from tertium.judgements.ranking.hopkins_may import abilities as hopkins_may
from tertium.judgements.ranking.ranks import (
    bootstrap_ranks,
    pairwise_ranks,
    rating_tests,
    sign_tests,
)
from tertium.judgements.ranking.ratings import (
    MqmWeights,
    means_of_rows,
    mqm_scores,
    normalised_ratings,
    rating_scores,
    span_ratings,
)
from tertium.judgements.ranking.resampling import ranking_starts, resampled_wins
from tertium.judgements.ranking.results import Pairwise, RankedSystem, SystemRanking
from tertium.judgements.ranking.screens import Screens, screens_of
from tertium.judgements.ranking.trueskill import TrueSkill, skill_runs
from tertium.judgements.ranking.wins import (
    Array,
    CountScorer,
    expected_win_ratios,
    win_or_tie_ratios,
    win_ratios,
)
from tertium.notes import Note
from tertium.stats.resample import check_run, draw_sums, interval

if TYPE_CHECKING:
    from tertium.judgements.comparisons import Comparisons
    from tertium.judgements.tables import Judgements
    from tertium.stats.resample import Report

__all__ = ["rank_systems", "resampled_scores"]

_COUNTED: dict[str, CountScorer] = {
    "wins": win_ratios,
    "wins-or-ties": win_or_tie_ratios,
    "expected-wins": expected_win_ratios,
    "bradley-terry": bradley_terry,
    "hopkins-may": hopkins_may,
}


#: Judgements are contrastive if at least this share of screens has several systems.
_SIDE_BY_SIDE = 0.5


@dataclass(frozen=True)
class _Scored:
    """Scores of all systems, how to resample them and to test pairs."""

    systems: tuple[str, ...]
    scores: Array
    units: Array  # judgements of every system
    sampled: Callable[[], Array]
    pairs: Callable[[list[str]], Pairwise]
    run: dict[str, str | int | float]
    notes: list[Note]


def rank_systems(
    judgements: Judgements | Comparisons,
    *,
    method: str = "expected-wins",
    clusters: str = "bootstrap",
    resamples: int = 1000,
    unit: str = "ranking",
    confidence: float = 0.95,
    correction: str = "none",
    seed: int = SEED,
    scale: str | None = None,
    weights: MqmWeights | None = None,
    model: TrueSkill | None = None,
    test: str = "wilcoxon",
    pairing: str = "auto",
    threads: int | None = None,
    progress: Report | None = None,
) -> SystemRanking:
    """Return systems ranked by human judgements of one language pair.

    Parameters
    ----------
    judgements : Judgements or Comparisons
        Ratings and spans need the former.
    method : str
        A key of ``METHODS``.
    clusters : {"bootstrap", "pairwise"}
        Where rank ranges and clusters come from.
    resamples : int
        Of rankings, or of segments where those are rated; 0 for no intervals (and
        then clusters are pairwise).
    unit : {"ranking", "comparison", "document"}
        What is resampled; of ratings and error spans segments, or documents. With
        comparisons, clusters are nearer to those that WMT published, but
        ranges are narrower than they should be: comparisons of one ranking are not
        independent of each other.
    confidence : float
        Of intervals and rank ranges; tests use 1 - confidence.
    correction : {"none", "holm", "bh"}
        Of the pairwise tests; WMT uses none.
    seed : int
    scale : str, optional
        The scale of ratings, where there are several.
    weights : MqmWeights, optional
    model : TrueSkill, optional
        The numbers of TrueSkill's model.
    test : {"wilcoxon", "t", "wmt26"}
        Of every two systems, for ratings and error spans.
    pairing : {"auto", "screen", "segment", "none"}
        What the test pairs: outputs that a judge saw on one screen, as in contrastive
        ESA, or segments, where two systems share at least half of them. ``auto``: by
        screen if at least half of the screens have several systems.
    threads : int, optional
    progress : callable, optional
        Called with what is counted ("resamples"), how many are done, and of how many.

    Raises
    ------
    InputError
        When the judgements are not of the kind that the method needs, or of several
        language pairs.
    """
    need_scipy("ranking systems")
    if method not in METHODS:
        raise UnknownNameError("ranking method", method, METHODS)
    if clusters not in CLUSTERS:
        raise UnknownNameError("kind of clusters", clusters, CLUSTERS)
    if unit not in UNITS:
        raise UnknownNameError("unit of resampling", unit, UNITS)
    if test not in TESTS:
        raise UnknownNameError("test", test, TESTS)
    if pairing not in PAIRINGS:
        raise UnknownNameError("pairing", pairing, PAIRINGS)
    if unit == "document" and method not in RATED:
        message = "documents are resampled for ratings and error spans only"
        raise InputError(f"{message}; choose another unit", options=("unit",))
    if not 0 < confidence < 1:
        raise InputError(f"confidence must be between 0 and 1, not {confidence}")
    check_run(max(1, resamples), seed)
    if resamples < 0:
        raise InputError(f"resamples must be 0 or more, not {resamples}")
    langpair = one_langpair(judgements)
    if method in RATED:
        scored = _rated(
            judgements,
            method,
            resamples,
            seed,
            correction,
            scale,
            weights,
            threads,
            unit,
            test,
            pairing,
        )
    else:
        scored = _compared(
            judgements,
            method,
            resamples,
            seed,
            correction,
            model,
            unit,
            threads,
            progress,
        )
    kind = clusters if resamples else "pairwise"
    scored.run.update(
        clusters=kind,
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        correction=correction,
    )
    return _ranking(scored, method, langpair, kind, resamples, confidence)


def resampled_scores(
    comparisons: Comparisons,
    *,
    method: str = "expected-wins",
    resamples: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[tuple[str, ...], Array]:
    """Return systems, and their scores in resampled rankings, one row each.

    As in :func:`rank_systems`; NaN where a resample lacks a system.
    """
    need_scipy("ranking systems")
    if method not in METHODS:
        raise UnknownNameError("ranking method", method, METHODS)
    check_run(resamples, seed)
    scored = _compared(
        comparisons, method, resamples, seed, "none", None, "ranking", threads
    )
    return scored.systems, scored.sampled()


def _ranking(
    scored: _Scored,
    method: str,
    langpair: str | None,
    clusters: str,
    resamples: int,
    confidence: float,
) -> SystemRanking:
    known = np.isfinite(scored.scores)
    by_name = sorted(range(len(scored.systems)), key=lambda i: scored.systems[i])
    order = sorted(
        (i for i in by_name if known[i]),
        key=lambda i: -round(float(scored.scores[i]), 9),
    )
    unknown = [i for i in by_name if not known[i]]
    names = [scored.systems[i] for i in order]
    pairs = scored.pairs(names)
    intervals: list[tuple[float, float] | None] = [None] * len(order)
    if resamples:
        sampled = scored.sampled()[:, order]
        # A system that a resample does not have keeps its score.
        sampled = np.where(np.isnan(sampled), scored.scores[order], sampled)
        intervals = [interval(column, confidence=confidence) for column in sampled.T]
    if clusters == "bootstrap":
        places = bootstrap_ranks(names, sampled, confidence=confidence)
    else:
        places = pairwise_ranks(pairs, alpha=1 - confidence)
    systems = [
        RankedSystem(
            name,
            float(scored.scores[i]),
            between,
            place.rank,
            place.cluster,
            int(scored.units[i]),
        )
        for name, i, between, place in zip(names, order, intervals, places, strict=True)
    ]
    systems += [
        RankedSystem(scored.systems[i], None, None, None, None, int(scored.units[i]))
        for i in unknown
    ]
    if unknown:
        names = [scored.systems[i] for i in unknown]
        scored.notes.append(Note("no-score", {"systems": names}))
    return SystemRanking(
        method, langpair, tuple(systems), pairs, scored.run, tuple(scored.notes)
    )


def one_langpair(judgements: Judgements | Comparisons) -> str | None:
    """Return the language pair, if it is known; raise an error if there are several."""
    from tertium.judgements.tables import Judgements

    if not isinstance(judgements, Judgements):
        return None
    pairs = judgements.names("langpair")
    # Those without one may be of any.
    unknown = ["unknown"] if pairs and judgements.nameless("langpair") else []
    if len(pairs) + len(unknown) > 1:
        note = Note("several-langpairs", {"langpairs": [*pairs, *unknown]})
        raise InputError(note, options=("langpair",))
    return pairs[0] if pairs else None


def _compared(
    judgements: Judgements | Comparisons,
    method: str,
    resamples: int,
    seed: int,
    correction: str,
    model: TrueSkill | None,
    unit: str,
    threads: int | None,
    progress: Report | None = None,
) -> _Scored:
    from tertium.judgements.comparisons import Comparisons

    comparisons = (
        judgements if isinstance(judgements, Comparisons) else judgements.comparisons()
    )
    if len(comparisons) == 0:
        raise InputError(
            Note("no-comparisons", {"method": method}), options=("method",)
        )
    rankings = len(ranking_starts(comparisons)) - 1
    if unit == "comparison":
        comparisons = replace(
            comparisons, ranking=np.arange(len(comparisons), dtype=np.int32)
        )
    wins = comparisons.wins()
    units = (wins.wins + wins.wins.T + wins.ties).sum(axis=1)
    notes = _mixed_levels(judgements)
    # The score and the resamples have streams of their own.
    streams = np.random.default_rng(seed).spawn(2)
    n = len(comparisons.systems)
    if method == "trueskill":
        numbers = model or TrueSkill()

        def report(done: int, total: int) -> None:
            if progress:
                progress("resamples", done, total)

        def skills(runs: int, which: int, *, replace: bool) -> Array:
            table = skill_runs(
                comparisons,
                numbers,
                runs=runs,
                rng=streams[which],
                replace=replace,
                threads=threads,
                progress=report if replace else None,
            )
            abilities = table[:, :n]
            # Only differences mean something: the whole drifts from run to run.
            centred: Array = abilities - abilities.mean(axis=1, keepdims=True)
            return centred

        scores = np.where(units > 0, skills(100, 0, replace=False).mean(axis=0), np.nan)

        def sampled() -> Array:
            return skills(resamples, 1, replace=True)

    else:
        scorer = _COUNTED[method]
        scores = scorer(wins.wins[None], wins.ties[None])[0]
        if method == "bradley-terry" and needs_prior(wins):
            notes.append(Note("prior"))

        def sampled() -> Array:
            parts = []
            done = 0
            for won, tied in resampled_wins(
                comparisons, resamples=resamples, rng=streams[1]
            ):
                parts.append(scorer(won, tied))
                done += len(won)
                if progress:
                    progress("resamples", done, resamples)
            return np.concatenate(parts)

    run: dict[str, str | int | float] = {
        "judgements": rankings,
        "unit": unit,
        "comparisons": len(comparisons),
        "ties": int(np.count_nonzero(comparisons.outcome == 0)),
    }
    return _Scored(
        comparisons.systems,
        scores,
        units,
        sampled,
        lambda order: sign_tests(wins, order, correction=correction),
        run,
        notes,
    )


def _mixed_levels(judgements: Judgements | Comparisons) -> list[Note]:
    """Return a remark if rankings of sentences and of their parts are together."""
    import polars as pl

    from tertium.judgements.tables import Judgements

    if not isinstance(judgements, Judgements):
        return []
    kinds = judgements.rankings.select(pl.col("part").is_null().unique()).collect()
    if len(kinds) < 2:
        return []
    return [Note("mixed-levels")]


def _rated(
    judgements: Judgements | Comparisons,
    method: str,
    resamples: int,
    seed: int,
    correction: str,
    scale: str | None,
    weights: MqmWeights | None,
    threads: int | None,
    unit: str,
    test: str,
    pairing: str,
) -> _Scored:
    from tertium.judgements.tables import Judgements

    if not isinstance(judgements, Judgements):
        raise InputError(Note("only-comparisons", {"method": method}))
    by_document = unit == "document"
    if method == "mqm":
        table = mqm_scores(judgements, weights=weights, documents=by_document)
    else:
        normalise = "z" if method == "z" else "none"
        table = rating_scores(
            judgements, normalise=normalise, scale=scale, documents=by_document
        )
    if not table.systems:
        values = {"method": method, "scale": scale}
        code = "no-ratings-on-scale" if scale else "no-ratings"
        note = Note("no-spans" if method == "mqm" else code, values)
        raise InputError(note)

    screens = None
    if pairing in ("auto", "screen"):
        screens = _screens(judgements, method, scale, weights, table.systems, pairing)
        if pairing == "auto":
            pairing = (
                "screen" if screens and screens.share >= _SIDE_BY_SIDE else "segment"
            )

    def sampled() -> Array:
        rows = table.document_rows() if by_document else table.rows()
        sums = draw_sums("bootstrap", rows, resamples, seed=seed, threads=threads)
        return means_of_rows(sums)

    run: dict[str, str | int | float] = {
        "judgements": table.judgements,
        "unit": "segment" if table.documents is None else "document",
        "segments": len(table.segments),
        "pairing": pairing,
    }
    return _Scored(
        table.systems,
        table.means(),
        (~np.isnan(table.scores)).sum(axis=1),
        sampled,
        lambda order: rating_tests(
            table,
            order,
            test=test,
            correction=correction,
            pairing=pairing,
            screens=screens,
        ),
        run,
        list(table.notes),
    )


def _screens(
    judgements: Judgements,
    method: str,
    scale: str | None,
    weights: MqmWeights | None,
    systems: tuple[str, ...],
    pairing: str,
) -> Screens | None:
    """Return what judges saw side by side; asked for, it need not be at one time."""
    if method == "mqm":
        ratings, _ = span_ratings(judgements, weights=weights)
    else:
        normalise = "z" if method == "z" else "none"
        ratings, _ = normalised_ratings(judgements, normalise=normalise, scale=scale)
    screens = screens_of(ratings, systems, times=pairing == "auto")
    if screens is None and pairing == "screen":
        message = "no judge is known, so nobody saw outputs side by side"
        raise InputError(f"{message}; pair segments", options=("pairing",))
    return screens
