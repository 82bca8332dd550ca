# SPDX-License-Identifier: Apache-2.0
"""Which score of a file belongs to which output: by system and segment, never by text.

A system goes by its name, or by the file that has its outputs, since programs know
nothing else. A segment goes by its place where a file has only that; otherwise by its
id (``DOCUMENT/ID`` where ids start again in every document), or by its number: from 1,
or from 0 where a file has every number from 0 on.
What could be the score of another output is an error.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.data.formats.columns import system_name
from tertium.errors import FormatError, InputError

if TYPE_CHECKING:
    from tertium.data.batch import Batch
    from tertium.meta.scores import MetricScores

__all__ = ["MARK", "SystemTable", "find_scores", "repeat", "system_scores"]

#: What the numbers of segments start with that only have a place in their file.
MARK = "#"

_SHOWN = 6  # names in messages


def system_scores(
    scores: MetricScores,
    name: str,
    names: Sequence[str],
    outputs: Mapping[str, str],
    files: str,
) -> str:
    """Return what a file calls a system.

    Parameters
    ----------
    scores : MetricScores
    name : str
        As the test set calls it.
    names : sequence of str
        All systems of the test set.
    outputs : mapping of str to str
        The file with the outputs of each system, where these are known.
    files : str
        The score files, for messages.

    Raises
    ------
    InputError
        If the file does not have the system, or only a score of the whole system; or
        if what it has may be another system.
    """
    known = list(scores.segment)
    everyone = list(dict.fromkeys([*names, *outputs]))
    taken: dict[str, str] = {}  # system, by what the file calls it
    entries: dict[str, str] = {}
    for matches in _LEVELS:
        claims = {
            who: [
                key
                for key in known
                if key not in taken and matches(key, who, outputs.get(who, ""))
            ]
            for who in everyone
            if who not in entries
        }
        claimed = [key for keys in claims.values() for key in keys]
        mine = claims.get(name, [])
        if len(mine) > 1 or any(claimed.count(key) > 1 for key in mine):
            rivals = [who for who, keys in claims.items() if set(keys) & set(mine)]
            raise InputError(
                f"{files}: {_listed(mine)} may be the {scores.name} scores of "
                f"{_listed(rivals)}; use the names of systems in the file, or give a "
                f"file for each system as {name}=FILE"
            )
        for who, keys in claims.items():
            if len(keys) == 1 and claimed.count(keys[0]) == 1:
                entries[who] = keys[0]
                taken[keys[0]] = who
    if name in entries:
        return entries[name]
    if len(names) == 1 and len(known) == 1 and known[0] in scores.unnamed:
        return known[0]
    if name in scores.system:
        raise InputError(
            f"{files} has a score of the whole system {name!r} for {scores.name}, and "
            "none of its segments, which scores and tests are made of here; give "
            "segment scores, or use `tertium correlate`"
        )
    cure = f"use the same names, or give a file for each system as {name}=FILE"
    if f"{name}=" in files:
        cure = (
            "metrics go by the extensions of files, so use the same for all systems, "
            "such as A.comet and B.comet"
        )
    raise InputError(
        f"{files} has no {scores.name} scores of system {name!r}, only of "
        f"{_listed(known)}; {cure}"
    )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN]) or "no system"
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _same_end(key: str, path: str) -> bool:
    """Return whether a path is the end of the other, perhaps without an extension."""
    if not path:
        return False
    ours, theirs = _parts(path), _parts(key)
    shared = min(len(ours), len(theirs))
    if ours[-shared:] == theirs[-shared:]:
        return True
    return shared == 1 and system_name(key) == system_name(path)


def _parts(path: str) -> list[str]:
    return os.path.normpath(path).replace("\\", "/").split("/")


#: Whether a file may mean a system by what it calls it; the surest first.
_LEVELS: tuple[Callable[[str, str, str], bool], ...] = (
    lambda key, name, _: key == name,
    lambda key, _, path: bool(path) and _parts(key) == _parts(path),
    lambda key, _, path: _same_end(key, path),
    lambda key, name, _: system_name(key) == name,
)


class SystemTable:
    """The scores of a system in a file, and what segments are called there.

    Parameters
    ----------
    scores : MetricScores
    system : str
        As the file calls it.
    """

    def __init__(self, scores: MetricScores, system: str) -> None:
        self.metric = scores.name
        self._scores = scores.segment[system]
        self._undefined = scores.undefined.get(system, ())
        keys = {*self._scores, *self._undefined}
        self.size = len(keys)
        self._keys = keys
        self._unnumbered = scores.unnumbered.get(system)
        #: Whether segments only have a place.
        self.placed = any(key.startswith(MARK) for key in keys)
        #: Whether they have a number or a place, not a name.
        self.numbered = self.placed or all(map(str.isdecimal, keys))
        #: Whether all numbers from 0 to one less than their count are there, as
        #: programs that count from 0 write them.
        self.from_zero = "0" in keys and keys == {str(n) for n in range(self.size)}

    def __contains__(self, key: str) -> bool:
        """Return whether a segment has a score, or none by definition."""
        return key in self._scores or key in self._undefined

    def check_numbers(self) -> None:
        """Raise an error if one of the names is not a number, and most are."""
        numbers = sum(map(str.isdecimal, self._keys))
        if self._unnumbered is None or 2 * numbers <= self.size:
            return
        segment, path, line = self._unnumbered
        raise FormatError(
            f"segment {segment!r} is not a number, and most others are; correct it",
            path=path,
            line=line,
        )

    def score(self, key: str) -> float | None:
        """Return the score of a segment that is there; None if it is undefined."""
        return self._scores.get(key)


def find_scores(
    table: SystemTable, batch: Batch, name: str, files: str, *, restart: bool = False
) -> Sequence[float | None]:
    """Return the score of every segment of a system; None where it is undefined.

    Parameters
    ----------
    table : SystemTable
    batch : Batch
    name : str
        As the test set calls the system.
    files : str
    restart : bool
        Whether ids are known to start again in every document.

    Raises
    ------
    InputError
        If segments have none, or it is not clear which.
    """
    values: list[float | None] = []
    missing: list[str] = []
    for at, candidates in enumerate(_keys(table, batch, files, restart)):
        key = next((each for each in candidates if each in table), None)
        if key is None:
            missing.append(_shown(batch, at))
        else:
            values.append(table.score(key))
    if missing:
        table.check_numbers()
        raise InputError(
            f"{files} has no {table.metric} score for {len(missing):,} of "
            f"{count(len(batch), 'segment')} of system {name!r} (first: {missing[0]}); "
            "score the same test set again"
        )
    return values


def repeat(ids: Sequence[str] | None) -> bool:
    """Return whether segments have the same id."""
    return ids is not None and len(set(ids)) < len(ids)


def _keys(
    table: SystemTable, batch: Batch, files: str, restart: bool
) -> Iterable[tuple[str, ...]]:
    """Return what each segment may be called, in the order of preference.

    Raises
    ------
    InputError
        If it is not clear which score belongs to which segment.
    """
    places = [str(number + 1) for number in batch.numbers]
    if table.placed:
        return [(f"{MARK}{place}",) for place in places]
    ids, docs = batch.ids, batch.docs
    if ids is not None:
        twice = restart or repeat(ids)
        if twice and docs is None:
            raise InputError(
                f"segments have the same id, and {files} has ids or numbers, so that "
                "scores could be those of others; give every segment its own id"
            )
        if not table.numbered:
            return _names(ids, docs, twice=twice)
        if not twice and ids != places and any(map(str.isdecimal, ids)):
            _check_ids(table, batch, places, files)
            return [(each,) for each in ids]
    if table.from_zero and not any(map(str.isdecimal, ids or ())):
        return [(str(number),) for number in batch.numbers]
    if "0" in table:
        raise InputError(
            f"{files} has a segment 0, but not all numbers from there on, or the test "
            "set has numbers as ids; name segments by their ids, or give the scores in "
            "the order of the test set, without numbers"
        )
    return [(place,) for place in places]


def _names(
    ids: Sequence[str], docs: Sequence[str] | None, *, twice: bool
) -> Iterable[tuple[str, ...]]:
    if docs is None:
        return [(each,) for each in ids]
    return [
        (f"{doc}/{each}",) if twice else (f"{doc}/{each}", each)
        for doc, each in zip(docs, ids, strict=True)
    ]


def _check_ids(
    table: SystemTable, batch: Batch, places: Sequence[str], files: str
) -> None:
    """Raise an error if the numbers of a file may be places, and not ids.

    Ids that are all different here may start again in a part of the test set that comes
    before or after, unless there is none: files have a score for every segment.
    """
    whole = len(batch) == table.size and batch.numbers[0] == 0
    by_place = all(place in table for place in places)
    mixed = not all(map(str.isdecimal, batch.ids or ()))
    if mixed or (batch.docs is not None and not whole and by_place):
        raise InputError(
            f"{files} has numbers of segments, which may be their ids or their places; "
            "name segments DOCUMENT/ID in the file, or give the scores in the order of "
            "the test set, without numbers"
        )


def _shown(batch: Batch, at: int) -> str:
    number = f"segment {batch.numbers[at] + 1}"
    return number if batch.ids is None else f"{number}, id {batch.ids[at]}"
