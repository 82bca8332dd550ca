# SPDX-License-Identifier: Apache-2.0
"""What an import does after reading: systems by text, one scale, notes."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

from tertium._messages import count
from tertium.data.lines import display
from tertium.errors import InputError
from tertium.judgements.adjustment.normalised import normalised
from tertium.judgements.formats import FORMATS, ImportOptions
from tertium.judgements.formats.appraise_positions import is_cut
from tertium.judgements.formats.wmt_da import NO_SYSTEM, WMT_DA
from tertium.judgements.judgement import Bad, Ranking
from tertium.judgements.parts.candidates import (
    attach_systems,
    read_system_table,
    unmatched,
)
from tertium.judgements.sources import numbered_judgements
from tertium.judgements.summary import describe
from tertium.judgements.tables import Judgements
from tertium.notes import Note

__all__ = ["attach", "content_notes", "put_on_scale", "quarantine_notes"]


def attach(
    judgements: Judgements,
    systems: str | os.PathLike[str],
    formats: Mapping[str, str],
    options: ImportOptions,
    *,
    keep: bool,
) -> tuple[Judgements, list[Note]]:
    """Return judgements with the systems of a table, and notes on the rest.

    Raises
    ------
    InputError
        When the table lacks candidates, unless they are to be kept. The message lists
        them with their lines.
    """
    attached = attach_systems(judgements, read_system_table(systems))
    rest = unmatched(attached)
    if not rest:
        return attached, []
    places = _places(formats, options, {candidate.ranking for candidate in rest})
    notes = [
        Note(
            "unmatched-candidate",
            {
                "where": places.get(candidate.ranking, "<stdin>"),
                "text": repr(candidate.text),
                "segment": candidate.segment
                if candidate.part is None
                else f"{candidate.segment}, part {candidate.part!r}",
            },
        )
        for candidate in rest
    ]
    candidates = count(len(rest), "candidate")
    if not keep:
        message = (
            f"{candidates} without a system in {display(os.fspath(systems))}; complete "
            "that file, or set keep_unmatched=True"
        )
        listed = "\n".join(map(str, notes))
        raise InputError(f"{message}\n{listed}", options=("keep_unmatched",))
    return attached, [*notes, Note("unmatched-kept", {"candidates": candidates})]


def _places(
    formats: Mapping[str, str], options: ImportOptions, wanted: Collection[int]
) -> dict[int, str]:
    """Return the file and the line of rankings; standard input cannot be read again."""
    if "-" in formats:
        return {}
    places: dict[int, str] = {}
    ranking = 0
    for path, name in formats.items():
        for line, judgement in numbered_judgements(path, FORMATS[name], options):
            if isinstance(judgement, Ranking):
                if ranking in wanted:
                    places[ranking] = f"{path}:{line}"
                ranking += 1
    return places


def put_on_scale(
    judgements: Judgements, how: str, size: int | None
) -> tuple[Judgements, list[Note]]:
    """Return judgements on one scale, and a note on ratings left out.

    Raises
    ------
    InputError
        When no judgement is left.
    """
    result = normalised(judgements, how, size)
    before, after = judgements.counts(), result.counts()
    if not any(after.values()):
        message = (
            f"{how} does not apply to {describe(judgements)}; choose another "
            "normaliser, or none"
        )
        raise InputError(message, options=("normalise",))
    if before["rankings"] and not after["rankings"] and before["ratings"]:
        values = {"ratings": count(before["ratings"], "rating"), "how": how}
        return result, [Note("ratings-not-ranked", values)]
    return result, []


def content_notes(judgements: Judgements, formats: Mapping[str, str]) -> list[Note]:
    """Return notes on systems without names, and segments without a position."""
    notes = []
    if WMT_DA.name in formats.values():
        ratings = judgements.filter(system=NO_SYSTEM).counts()["ratings"]
        if ratings:
            values = {"ratings": count(ratings, "rating"), "system": repr(NO_SYSTEM)}
            notes.append(Note("systems-without-name", values))
    if cut := sum(is_cut(name) for name in judgements.names("segment")):
        notes.append(Note("cut-documents", {"segments": count(cut, "segment")}))
    return notes


def quarantine_notes(
    bad: Sequence[tuple[str, Bad]], quarantine: str | os.PathLike[str]
) -> list[Note]:
    """Return how many rows were set aside, for being bad or for being empty."""
    notes = []
    for code, noun, skipped in (
        ("bad-rows", "bad row", False),
        ("empty-rows", "row", True),
    ):
        rows = [(file, row) for file, row in bad if row.skipped == skipped]
        if rows:
            file, first = rows[0]
            values = {
                "rows": count(len(rows), noun),
                "quarantine": os.fspath(quarantine),
                "where": f"{file}:{first.line}",
                "reason": first.reason,
            }
            notes.append(Note(code, values))
    return notes
