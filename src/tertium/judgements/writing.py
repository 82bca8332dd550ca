# SPDX-License-Identifier: Apache-2.0
"""Judgements written in the formats of other tools, with notes on what is lost."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tertium._messages import count
from tertium.errors import InputError, UnknownNameError
from tertium.judgements.adjustment.models import adjust_ratings
from tertium.judgements.adjustment.normalised import normaliser
from tertium.judgements.formats import FORMATS, Format
from tertium.judgements.formats.losses import lost
from tertium.judgements.import_steps import put_on_scale
from tertium.judgements.summary import describe
from tertium.judgements.tables import Judgements
from tertium.notes import Note

__all__ = ["write_adjusted", "write_judgement_shards", "write_judgements"]


def write_judgements(
    judgements: Judgements,
    path: str | os.PathLike[str],
    *,
    format: str = "tertium-jsonl",  # noqa: A002
    normalise: str | None = None,
) -> tuple[Note, ...]:
    """Write judgements to a file, and return notes on what the format cannot hold.

    Parameters
    ----------
    judgements : Judgements
    path : path
        ``-`` is standard output.
    format : str
        A key of ``tertium.judgements.FORMATS``; ``tertium-jsonl`` loses nothing.
    normalise : str, optional
        Put scores on one scale first, such as ``likert=5`` (see
        :func:`~tertium.judgements.adjustment.normalised.normaliser`).

    Raises
    ------
    InputError
        When the format can only be read, or holds none of these judgements.
    """
    if format not in FORMATS:
        raise UnknownNameError("judgement format", format, FORMATS)
    kind = FORMATS[format]
    notes: list[Note] = []
    if normalise is not None:
        judgements, notes = put_on_scale(judgements, *normaliser(normalise))
    counts = judgements.counts()
    if not any(counts[name] for name in kind.kinds):
        message = (
            f"nothing to write: {format} holds {', '.join(kind.kinds)}, and there "
            f"are {describe(judgements)}; choose another format"
        )
        raise InputError(message, options=("format",))
    if kind.write is None:
        message = f"{format} can only be read; choose another format"
        raise InputError(message, options=("format",))
    kind.write(judgements, os.fspath(path))
    return (*notes, *_losses(judgements, kind))


def write_judgement_shards(
    judgements: Judgements,
    path: str | os.PathLike[str],
    *,
    rows: int,
    compression: str | None = None,
    normalise: str | None = None,
) -> tuple[Note, ...]:
    """Write judgements to a folder of ``tertium-jsonl`` shards, with a manifest.

    Judgements of a store are read piece by piece, so memory does not grow with them.

    Parameters
    ----------
    judgements : Judgements
    path : path
        The folder, which is new or empty.
    rows : int
        Judgements per shard.
    compression : {"gz", "xz", "bz2", "zst"}, optional
    normalise : str, optional
        As in :func:`write_judgements`.
    """
    from tertium.data.partitions import write_line_shards
    from tertium.judgements.formats.jsonl import first_line, judgement_lines

    notes: list[Note] = []
    if normalise is not None:
        judgements, notes = put_on_scale(judgements, *normaliser(normalise))
    write_line_shards(
        judgement_lines(judgements),
        path,
        content="judgements",
        compression=compression,
        rows=rows,
        head=first_line(),
    )
    return tuple(notes)


def write_adjusted(
    judgements: Judgements,
    path: str | os.PathLike[str],
    method: str,
    *,
    scales: Sequence[str],
) -> tuple[Note, ...]:
    """Write adjusted ratings to a file that every verb reads.

    Parameters
    ----------
    judgements : Judgements
    path : path
        ``.jsonl`` is written as ``tertium-jsonl``, everything else as ``likert-tsv``
        (with commas if it is ``.csv``).
    method : {"judge", "judge+segment", "z"}
        As in :func:`tertium.judgements.adjust_ratings`.
    scales : sequence of str
        Those to adjust, each separately; other ratings are left out.

    Raises
    ------
    InputError
        When there is no scale, or a file cannot be written.
    NotDefinedError
        When ratings cannot be adjusted.
    """
    if not scales:
        message = (
            "nothing was adjusted, so nothing can be written; give ratings and a method"
        )
        raise InputError(message, options=("adjust",))
    import polars as pl

    tables = [adjust_ratings(judgements, method, scale=scale) for scale in scales]
    ratings = pl.concat([table.ratings for table in tables])
    adjusted = Judgements(
        judgements.rankings.clear(), ratings, judgements.spans.clear()
    )
    name = os.fspath(path)
    is_jsonl = name.removesuffix(".gz").endswith(".jsonl")
    kind = "tertium-jsonl" if is_jsonl else "likert-tsv"
    return write_judgements(adjusted, path, format=kind)


def _losses(judgements: Judgements, kind: Format) -> list[Note]:
    notes = []
    holds = " and ".join(kind.kinds)
    counts = judgements.counts()
    left = [name for name in counts if counts[name] and name not in kind.kinds]
    if left:
        what = " and ".join(count(counts[k], k.removesuffix("s")) for k in left)
        values = {"judgements": what, "format": kind.name, "kinds": holds}
        notes.append(Note("kinds-left-out", values))
    by_number: dict[int, list[str]] = {}
    for name, number in lost(judgements, kind).items():
        by_number.setdefault(number, []).append(name)
    for number, names in by_number.items():
        noun = holds.removesuffix("s") if number == 1 else holds
        verb = "loses" if number == 1 else "lose"
        values = {"judgements": f"{number:,} {noun} {verb}", "losses": ", ".join(names)}
        notes.append(Note("details-lost", values))
    return notes
