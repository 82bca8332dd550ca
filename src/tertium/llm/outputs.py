# SPDX-License-Identifier: Apache-2.0
"""Which outputs are judged, and what they are called in a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tertium._messages import count
from tertium.errors import InputError, UnknownNameError
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = ["OutputName", "choose_outputs"]


class OutputName(NamedTuple):
    """An output of a test set, by place and system, and its names in judgements."""

    place: int
    system: str
    segment: str
    document: str | None = None
    langpair: str | None = None
    campaign: str | None = None


def choose_outputs(
    testset: Testset,
    *,
    systems: Sequence[str] | None = None,
    sample: int | None = None,
    seed: int,
    like: Judgements | None = None,
    campaign: str | None = None,
) -> tuple[Sequence[OutputName], tuple[Note, ...]]:
    """Return the outputs to judge, segment by segment, and what a user should know.

    Those of a whole test set are named when they are asked for: there may be many.

    Parameters
    ----------
    testset : Testset
    systems : sequence of str, optional
        Only these.
    sample : int, optional
        So many segments, chosen at random, of all systems; of `like`, so many that it
        is about.
    seed : int
    like : Judgements, optional
        Only outputs that these judgements are about, named as they name them: then
        all judgements together are of the same segments.
    campaign : str, optional
        The campaign of all outputs; that of `like` by default.

    Raises
    ------
    InputError
        When there is nothing to judge.
    """
    for name in systems or ():
        if name not in testset.systems:
            raise UnknownNameError("system", name, testset.systems)
    names = list(dict.fromkeys(systems or testset.systems))
    notes: tuple[Note, ...] = ()
    outputs: Sequence[OutputName]
    if like is None:
        outputs = _every(testset, names, campaign)
    else:
        outputs, notes = _judged(testset, names, like)
        if campaign is not None:
            outputs = [output._replace(campaign=campaign) for output in outputs]
    if sample is not None:
        outputs = _sample(outputs, sample, seed)
    if not outputs:
        raise InputError("no outputs to judge; give a test set with systems")
    return outputs, notes


def _every(
    testset: Testset, systems: Sequence[str], campaign: str | None
) -> Sequence[OutputName]:
    from tertium.data.kept import Lazy, pairs

    places = pairs(range(len(testset)), systems)

    def name(number: int) -> OutputName:
        place, system = places[number]
        return OutputName(
            place,
            system,
            str(place + 1) if testset.ids is None else testset.ids[place],
            None if testset.docs is None else testset.docs[place],
            testset.langpair,
            campaign,
        )

    return Lazy(len(places), name)


def _sample(
    outputs: Sequence[OutputName], size: int, seed: int
) -> Sequence[OutputName]:
    import numpy as np

    segments = sorted({output.place for output in outputs})
    if size >= len(segments):
        return outputs
    chosen = set(np.random.default_rng(seed).choice(segments, size, replace=False))
    return [output for output in outputs if output.place in chosen]


def _judged(
    testset: Testset, systems: Sequence[str], like: Judgements
) -> tuple[list[OutputName], tuple[Note, ...]]:
    """Return the outputs that were judged, and how many are not in the test set."""
    import polars as pl

    columns = ("system", "segment", "document", "langpair", "campaign")
    tables = [
        table.select(pl.col(columns).cast(pl.String)).unique()
        for table in like.tables().values()
    ]
    rows = pl.concat(tables).unique().sort(columns, nulls_last=True).collect()
    ids = testset.ids or [str(number) for number in range(1, len(testset) + 1)]
    docs: Sequence[str | None] = testset.docs or [None] * len(ids)
    by_both = {both: at for at, both in enumerate(zip(docs, ids, strict=True))}
    by_id: dict[str, int] = {}
    repeated = set()
    for index, name in enumerate(ids):
        if by_id.setdefault(name, index) != index:
            repeated.add(name)
    chosen: dict[tuple[int, int], OutputName] = {}
    order = {system: number for number, system in enumerate(systems)}
    unknown = set()
    for system, segment, document, pair, campaign in rows.iter_rows():
        if testset.langpair and pair and pair != testset.langpair:
            continue
        if system is None or (system in testset.systems and system not in order):
            continue
        place = by_both.get((document, segment))
        if place is None and segment not in repeated:
            place = by_id.get(segment)
        if place is None or system not in order:
            unknown.add((system, segment))
            continue
        output = OutputName(place, system, segment, document, pair, campaign)
        chosen.setdefault((place, order[system]), output)
    if not chosen:
        message = (
            f"the test set has none of the {count(len(unknown), 'output')} that were "
            "judged; give the test set whose systems and segments were judged"
        )
        raise InputError(message, options=("like",))
    notes = [Note("outputs-not-there", {"count": len(unknown)})] if unknown else []
    return [chosen[key] for key in sorted(chosen)], tuple(notes)
