# SPDX-License-Identifier: Apache-2.0
"""External judgements of hypotheses: scores from ranks, such as WMT's (6.1.1)."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import TypeAlias, cast

from tertium.data import Testset
from tertium.data.segment_ids import full_ids
from tertium.judgements.adjustment.normalise import rank_score
from tertium.judgements.judgement import Ranking

__all__ = ["RankScores", "rank_scores", "read_ranks"]


#: Mean score by segment (from 0) and text.
RankScores: TypeAlias = "dict[tuple[int, str], float]"


def read_ranks(path: str, testset: Testset, *, lowest: str) -> RankScores:
    """Return `rank_scores` of a file in any format of rankings.

    Raises
    ------
    FormatError
        When it cannot be read.
    """
    from tertium.judgements import Judgements

    rankings = Judgements.read(path, strict=True).iterate("rankings")
    return rank_scores(
        (cast("Ranking", one) for one in rankings), testset, lowest=lowest
    )


_LAST = 10_000  # of garbage, until it is known how many outputs there are


def rank_scores(
    rankings: Iterable[Ranking], testset: Testset, *, lowest: str = "share"
) -> RankScores:
    """Return the scores of ranked outputs, the mean over rankings.

    Equal outputs count once (Equation 6.1). Rankings of parts, of other segments and
    of other language pairs are left out.

    Parameters
    ----------
    lowest : {"share", "zero"}
        What the last rank gets, see `rank_score`.
    """
    numbers = [str(place) for place in range(1, len(testset) + 1)]
    ids = testset.ids or numbers
    names = full_ids(ids, testset.docs)
    places = {name: place for place, name in enumerate(names)}
    by_document = names is not ids
    scores: dict[tuple[int, str], list[float]] = {}
    for ranking in rankings:
        segment = ranking.segment
        name = f"{ranking.document}/{segment}" if by_document else segment
        place = places.get(name)
        other = {ranking.langpair, testset.langpair} - {None}
        if place is None or ranking.part or len(other) > 1:
            continue
        ranked: dict[str, list[int]] = {}
        for one in ranking.places:
            for system in one.systems:
                output = testset.systems.get(system)
                text = output[place] if output else f"\0{system}"
                ranked.setdefault(text, []).append(_LAST if one.garbage else one.rank)
        for text, ranks in ranked.items():
            # Judges may leave gaps, and what is merged leaves some.
            for rank in ranks:
                score = rank_score(min(rank, len(ranked)), len(ranked), lowest=lowest)
                scores.setdefault((place, text), []).append(score)
    return {key: fmean(values) for key, values in scores.items()}
