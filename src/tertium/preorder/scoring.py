# SPDX-License-Identifier: Apache-2.0
"""Scores of systems that predict orders: means, bootstrap intervals, paired tests.

The measures are those of :mod:`tertium.preorder.measures`; the score of a corpus is the
mean of its sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.align.links import Links
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.baselines import BASELINES, baseline_orders
from tertium.preorder.candidates import (
    Candidates,
    candidate_count,
    first_orders,
    oracle_orders,
)
from tertium.preorder.gold import gold_orders
from tertium.preorder.measures import MEASURES, measure_orders
from tertium.preorder.operator_counts import count_operators
from tertium.preorder.results import Oracle, OrderScore, OrderScores, PairTest
from tertium.stats.correction import CORRECTIONS, adjust
from tertium.stats.paired import p_value
from tertium.stats.resample import check_run, draw_parts, interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.trees.tree import DependencyTree

    Floats: TypeAlias = NDArray[np.float64]
    Progress: TypeAlias = Callable[[int, int], None]

__all__ = ["score_orders"]


def score_orders(
    systems: Mapping[str, Sequence[Sequence[int]]],
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links],
    *,
    candidates: Mapping[str, Sequence[Candidates]] | None = None,
    reduction: str = "mean",
    attach: str = "right",
    backward: Sequence[Links] | None = None,
    measures: Sequence[str] = MEASURES,
    baselines: Sequence[str] = ("identity",),
    trees: Sequence[DependencyTree] | None = None,
    segments: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    correction: str = "holm",
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> OrderScores:
    """Score the orders of systems against the gold orders of word links.

    Parameters
    ----------
    systems : mapping of name to orders
        One order per sentence: source positions, counted from 0, in their new order.
    sentences : sequence of sequences of str
        The source words.
    links : sequence of Links
        Between source and target words, counted from 0.
    candidates : mapping of name to several orders per sentence, optional
        Lists of orders, the best first, or lattices. The best one is scored under the
        name and, if there are several, the one with the highest tau under ``NAME
        oracle``; no test compares an oracle.
    reduction, attach, backward
        How links become gold orders; see :func:`tertium.preorder.gold_orders`.
    measures : sequence of str
        Of :data:`tertium.preorder.measures.MEASURES`.
    baselines : sequence of str
        Of ``identity``, ``reverse`` and ``head-final``; scored after the systems, under
        these names.
    trees : sequence of DependencyTree, optional
        Of the sentences, for ``head-final``.
    segments : bool
        Whether to keep the score of each sentence.
    resamples : int
        Of the bootstrap, for intervals and tests; 0 for neither.
    confidence : float
        Of the intervals; 1 minus it is the threshold of the tests.
    correction : {"holm", "bh", "none"}
        For the pairs of systems under one measure.
    seed : int
    threads : int, optional
    progress : callable, optional
        Called with the number of resamples so far, and of all.

    Raises
    ------
    InputError
        If an order does not fit its sentence, with system and index, or settings are
        wrong.

    Examples
    --------
    >>> from tertium.align.pharaoh import parse_pharaoh
    >>> scores = score_orders(
    ...     {"model": [(0, 2, 1)]},
    ...     ["she reads books".split()],
    ...     [parse_pharaoh("0-0 1-2 2-1")],
    ... )
    >>> scores["model"]["tau"].score, round(scores["identity"]["tau"].score, 4)
    (1.0, 0.6667)
    """
    _check_settings(measures, baselines, correction, resamples, confidence, seed)
    gold = gold_orders(
        sentences, links, reduction=reduction, attach=attach, backward=backward
    )
    orders = dict(systems)
    several = dict(candidates or {})
    for name, lists in several.items():
        _check_candidates(name, lists, len(sentences), orders)
        orders[name] = first_orders(lists)
    for name in baselines:
        orders.setdefault(name, baseline_orders(sentences, name, trees=trees))
    tested = list(orders)
    oracles: dict[str, Oracle] = {}
    for name, lists in several.items():
        counts = [*map(candidate_count, lists)]
        if max(counts, default=0) > 1:
            oracles[f"{name} oracle"] = Oracle(name, sum(counts) / len(counts))
            orders[f"{name} oracle"] = oracle_orders(lists, gold)
    if not sentences or not orders:
        message = "there is nothing to score; give at least one sentence and one system"
        raise InputError(message)
    table = np.stack(
        [
            measure_orders(
                orders[name], gold, measures=measures, threads=threads, name=name
            )
            for name in orders
        ]
    )
    drawn = None
    if resamples:
        drawn = _resample(table, resamples, seed, threads, progress)
    return OrderScores(
        sentences=len(sentences),
        measures=tuple(measures),
        systems=_scores(orders, measures, table, drawn, confidence, segments),
        # Oracles come last.
        pairs=_pairs(tested, measures, table, drawn, confidence, correction),
        settings={
            "reduction": reduction,
            "attach": attach,
            "resamples": resamples,
            "confidence": confidence,
            "correction": correction,
            "seed": seed,
        },
        oracles=oracles,
        operators={
            "gold": count_operators(each.order for each in gold),
            **{name: count_operators(orders[name]) for name in orders},
        },
    )


def _check_candidates(
    name: str,
    lists: Sequence[Candidates],
    sentences: int,
    systems: Mapping[str, object],
) -> None:
    if name in systems:
        raise InputError(f"two systems are called {name!r}; give them different names")
    if len(lists) != sentences:
        raise InputError(
            f"system {name!r} has orders of {len(lists):,} sentences, there are "
            f"{sentences:,}; give a list of orders per sentence"
        )
    for index, each in enumerate(lists):
        if not candidate_count(each):
            raise InputError(
                f"system {name!r}, sentence {index}: there is no order; give at least "
                "one"
            )


def _resample(
    table: Floats,
    resamples: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
) -> Floats:
    """Return the mean scores of resampled corpora, (resamples, systems, measures)."""
    systems, sentences, measures = table.shape
    rows = table.transpose(1, 0, 2).reshape(sentences, systems * measures)
    parts = []
    for sums in draw_parts("bootstrap", rows, resamples, seed=seed, threads=threads):
        parts.append(sums.reshape(-1, systems, measures) / sentences)
        if progress:
            progress(sum(map(len, parts)), resamples)
    return np.concatenate(parts)


def _scores(
    names: Mapping[str, object],
    measures: Sequence[str],
    table: Floats,
    drawn: Floats | None,
    confidence: float,
    segments: bool,
) -> dict[str, dict[str, OrderScore]]:
    return {
        name: {
            measure: OrderScore(
                float(table[row, :, column].mean()),
                None
                if drawn is None
                else interval(drawn[:, row, column], confidence=confidence),
                table[row, :, column].tolist() if segments else None,
            )
            for column, measure in enumerate(measures)
        }
        for row, name in enumerate(names)
    }


def _pairs(
    names: Sequence[str],
    measures: Sequence[str],
    table: Floats,
    drawn: Floats | None,
    confidence: float,
    correction: str,
) -> tuple[PairTest, ...]:
    """Return the paired tests of all systems, corrected within each measure."""
    if drawn is None:
        return ()
    tests: list[PairTest] = []
    rows = list(combinations(range(len(names)), 2))
    for column, measure in enumerate(measures):
        results = []
        for a, b in rows:
            observed = float((table[a, :, column] - table[b, :, column]).mean())
            differences = drawn[:, a, column] - drawn[:, b, column]
            p = p_value(differences - observed, observed) if table.shape[1] > 1 else 1.0
            ends = interval(differences, confidence=confidence)
            results.append((observed, ends, p))
        adjusted = adjust([p for *_, p in results], correction)
        for (a, b), (difference, ends, p), corrected in zip(
            rows, results, adjusted, strict=True
        ):
            better = None
            if corrected < 1 - confidence - 1e-12 and difference:
                better = names[a] if difference > 0 else names[b]
            pair = names[a], names[b]
            tests.append(
                PairTest(measure, *pair, difference, ends, p, corrected, better)
            )
    return tuple(tests)


def _check_settings(
    measures: Sequence[str],
    baselines: Sequence[str],
    correction: str,
    resamples: int,
    confidence: float,
    seed: int,
) -> None:
    for kind, names, known in (
        ("measure", measures, MEASURES),
        ("baseline", baselines, BASELINES),
        ("correction", (correction,), CORRECTIONS),
    ):
        for name in names:
            if name not in known:
                raise UnknownNameError(kind, name, known)
    if not measures:
        raise InputError("there is no measure; give at least one")
    check_run(resamples or 1, seed)
    if not 0 < confidence < 1:
        message = f"confidence must be between 0 and 1, not {confidence}"
        raise InputError(message)
