# SPDX-License-Identifier: Apache-2.0
"""Which score of a file belongs to which output: by system and segment, never by text.

A system goes by its name, or by the file that has its outputs, since programs know
nothing else. A segment goes by its place where a file has only that; otherwise by its
id (``DOCUMENT/ID`` where ids start again in every document), or by its number from 1.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.data.formats.columns import system_name
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.batch import Batch
    from tertium.meta.scores import MetricScores

__all__ = ["MARK", "find_scores", "system_scores"]

#: What the numbers of segments start with that only have a place in their file.
MARK = "#"

_SHOWN = 6  # names in messages


def system_scores(
    scores: MetricScores, name: str, alone: bool, outputs: Mapping[str, str], files: str
) -> str:
    """Return what a file calls a system.

    Parameters
    ----------
    scores : MetricScores
    name : str
        As the test set calls it.
    alone : bool
        Whether the test set has no other.
    outputs : mapping of str to str
        The file with the outputs of each system, where these are known.
    files : str
        The score files, for messages.

    Raises
    ------
    InputError
        If the file does not have the system, or only a score of the whole system.
    """
    known = list(scores.segment)
    path = outputs.get(name, "")
    for candidate in (name, path, os.path.basename(path), path and system_name(path)):
        if candidate in known:
            return candidate
    if alone and len(known) == 1:
        return known[0]
    if name in scores.system:
        raise InputError(
            f"{files} has a score of the whole system {name!r} for {scores.name}, and "
            "none of its segments, which scores and tests are made of here; give "
            "segment scores, or use `tertium correlate`"
        )
    shown = ", ".join(known[:_SHOWN]) or "no system"
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    raise InputError(
        f"{files} has no {scores.name} scores of system {name!r}, only of "
        f"{shown}{more}; use the same names, or give a file for each system as "
        f"{name}=FILE"
    )


def find_scores(
    scores: MetricScores, system: str, batch: Batch, name: str, files: str
) -> Sequence[float | None]:
    """Return the score of every segment of a system; None where it is undefined.

    Parameters
    ----------
    scores : MetricScores
    system : str
        As the file calls it.
    batch : Batch
    name : str
        As the test set calls it.
    files : str

    Raises
    ------
    InputError
        If segments have none.
    """
    table = scores.segment[system]
    undefined = scores.undefined.get(system, ())
    values: list[float | None] = []
    missing: list[str] = []
    for at in range(len(batch)):
        for key in _keys(batch, at, table, undefined):
            if key in table:
                values.append(table[key])
                break
            if key in undefined:
                values.append(None)
                break
        else:
            missing.append(_shown(batch, at))
    if missing:
        raise InputError(
            f"{files} has no {scores.name} score for {len(missing):,} of "
            f"{count(len(batch), 'segment')} of system {name!r} (first: {missing[0]}); "
            "score the same test set again"
        )
    return values


def _keys(
    batch: Batch, at: int, table: Mapping[str, float], undefined: Collection[str]
) -> tuple[str, ...]:
    """Return what a segment may be called, in the order of preference."""
    place = batch.numbers[at] + 1
    position = f"{MARK}{place}"
    if position in table or position in undefined:
        return (position,)
    if batch.ids is None:
        return (str(place),)
    name = batch.ids[at]
    full = () if batch.docs is None else (f"{batch.docs[at]}/{name}",)
    # A number below the place is one of an id that starts again in every document, and
    # would be that of an earlier segment.
    again = batch.docs is not None and name.isdecimal() and int(name) < place
    if again:
        return (*full, str(place))
    by_id = (*full, name)
    if any(key in table or key in undefined for key in by_id) or name.isdecimal():
        return by_id
    return (str(place),)


def _shown(batch: Batch, at: int) -> str:
    number = f"segment {batch.numbers[at] + 1}"
    return number if batch.ids is None else f"{number}, id {batch.ids[at]}"
