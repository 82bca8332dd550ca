# SPDX-License-Identifier: Apache-2.0
"""Candidates in order: what tasks that rank share.

Content has *panels*, each with candidates by key. Keys do not name systems, and are
unique in an item. An answer is ``{"ranks": {KEY: RANK}}``: numbers from 1 (best) to
the number of candidates of the panel, or ``"garbage"``. Ties and gaps are legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from django.utils.translation import gettext as _

from tertium.campaigns.tasks.base import AnswerError
from tertium.judgements.judgement import Judgement, Place, Ranking

__all__ = [
    "GARBAGE",
    "check_ranks",
    "keyed",
    "keys_of",
    "panel_page",
    "places",
    "ranks_of",
    "same_order",
    "whole_panel",
]

#: The answer for an unusable candidate.
GARBAGE = "garbage"
_THROWN = 2**31  # worse than any rank of a file


def keyed(texts: Iterable[str], panel: int = 0) -> dict[str, str]:
    """Return candidates by key; their order is that of the texts, not of systems."""
    return {f"{panel}-{n}": text for n, text in enumerate(sorted(set(texts)))}


def check_ranks(
    panels: Sequence[Iterable[str]], answer: object, *, garbage: bool
) -> dict[str, object]:
    """Return a complete answer.

    Parameters
    ----------
    panels : sequence of iterables of str
        The keys of the candidates of every panel.
    answer : object
        Whatever a browser sent.
    garbage : bool
        Whether candidates may be thrown away.

    Raises
    ------
    AnswerError
        When a candidate has no rank, or one that it cannot have, or something else
        is in it.
    """
    ranks = answer.get("ranks") if isinstance(answer, dict) else None
    if not isinstance(ranks, dict) or answer.keys() != {"ranks"}:  # type: ignore[attr-defined]
        raise AnswerError(_("This is not a valid ranking. Reload the page."))
    checked: dict[str, int | str] = {}
    for panel in panels:
        keys = list(panel)
        for key in keys:
            if key not in ranks:
                raise AnswerError(_("Put every candidate in a row before you submit."))
            rank = ranks[key]
            if garbage and rank == GARBAGE:
                checked[key] = GARBAGE
            # True is an int in Python, and 1.0 equals 1.
            elif type(rank) is int and 1 <= rank <= len(keys):
                checked[key] = rank
            else:
                raise AnswerError(_("There is no such rank. Reload the page."))
    if ranks.keys() != checked.keys():
        raise AnswerError(_("There is no such candidate. Reload the page."))
    return {"ranks": checked}


def same_order(
    panels: Sequence[Iterable[str]],
    one: Mapping[str, object],
    other: Mapping[str, object],
) -> bool:
    """Return whether two complete answers agree: rows may be left empty."""

    def orders(answer: Mapping[str, object]) -> list[list[tuple[bool, int]]]:
        ranks = answer["ranks"]
        if not isinstance(ranks, dict):
            raise TypeError
        panel_orders = []
        for panel in panels:
            placed = [ranks[key] for key in panel]
            rows = sorted({rank for rank in placed if rank != GARBAGE})
            panel_orders.append(
                [(r == GARBAGE, r != GARBAGE and rows.index(r)) for r in placed]
            )
        return panel_orders

    return orders(one) == orders(other)


def panel_page(
    candidates: Mapping[str, str], rng: Random, *, garbage: bool
) -> dict[str, object]:
    """Return what ``campaigns/ranking.html`` shows of a panel.

    Parameters
    ----------
    candidates : dict of str to str
        What is shown, by key.
    rng : random.Random
        Of the order in which candidates stand.
    """
    shown = list(candidates.items())
    rng.shuffle(shown)
    return {
        "candidates": shown,
        "ranks": range(1, len(shown) + 1),
        "garbage": garbage,
    }


def places(
    candidates: Mapping[str, object],
    origins: Mapping[str, tuple[str, ...]],
    answer: Mapping[str, object],
) -> Iterator[Place]:
    """Yield the candidates of a panel where a judge put them; garbage is N + 1."""
    ranks = answer["ranks"]
    if not isinstance(ranks, dict):
        raise TypeError
    for key, text in candidates.items():
        thrown = ranks[key] == GARBAGE
        rank = len(candidates) + 1 if thrown else int(ranks[key])
        yield Place(origins.get(key, ()), rank, thrown, str(text))


def keys_of(
    candidates: Mapping[str, str],
    origins: Mapping[str, tuple[str, ...]],
    ranked: Iterable[Place],
) -> list[str] | None:
    """Return the candidates that places are about, by system or else by text.

    None if they are not about all candidates of the panel, and no others.
    """
    by_system = {name: key for key in candidates for name in origins.get(key, ())}
    by_text = {text: key for key, text in candidates.items()}
    ordered = []
    for place in ranked:
        keys = {by_system.get(name) for name in place.systems} - {None}
        if not keys and place.text is not None:
            keys = {by_text.get(place.text)}
        key = keys.pop() if len(keys) == 1 else None
        if key is None or place.text not in (None, candidates[key]):
            return None
        ordered.append(key)
    return ordered if set(ordered) == set(candidates) else None


def whole_panel(
    candidates: Mapping[str, str],
    origins: Mapping[str, tuple[str, ...]],
    record: Judgement,
) -> int | None:
    """Return 0 if a record ranks the candidates of the one panel there is."""
    if not isinstance(record, Ranking) or record.part is not None:
        return None
    return None if keys_of(candidates, origins, record.places) is None else 0


def ranks_of(
    candidates: Mapping[str, str],
    origins: Mapping[str, tuple[str, ...]],
    ranked: Sequence[Place],
    *,
    garbage: bool,
) -> dict[str, int | str]:
    """Return the ranks of a panel from where a judge elsewhere put its candidates.

    Formats without garbage write it as rank N + 1. Ranks beyond 1 to N are counted
    anew, in the same order: elsewhere there may be more rows, or no garbage.

    Raises
    ------
    AnswerError
        When systems whose outputs are equal here have different ranks.
    """
    most = len(candidates)
    ranks: dict[str, int] = {}
    keys = keys_of(candidates, origins, ranked)
    if keys is None:
        raise AnswerError("these are other candidates; check segment and systems")
    for key, place in zip(keys, ranked, strict=True):
        rank = _THROWN if place.garbage else place.rank
        if ranks.setdefault(key, rank) != rank:
            names = ", ".join(origins.get(key, ()))
            message = (
                f"{names} wrote the same here and have different ranks; check the "
                "systems of the file"
            )
            raise AnswerError(message)
    if garbage:
        thrown = {k for k, rank in ranks.items() if rank in (most + 1, _THROWN)}
    else:
        thrown = set()
    kept = {key: rank for key, rank in ranks.items() if key not in thrown}
    if any(not 1 <= rank <= most for rank in kept.values()):
        order = sorted(set(kept.values()))
        kept = {key: order.index(rank) + 1 for key, rank in kept.items()}
    return {key: GARBAGE if key in thrown else kept[key] for key in candidates}
