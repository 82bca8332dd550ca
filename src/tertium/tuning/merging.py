# SPDX-License-Identifier: Apache-2.0
"""N-best lists merged by segment, and without duplicates.

Tuning collects the hypotheses of all iterations of a decoder, most of which come again
and again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from heapq import merge
from itertools import chain, groupby
from operator import itemgetter
from typing import TypeVar

import numpy as np

from tertium._messages import quote
from tertium.data.lines import StrPath, display
from tertium.errors import FormatError, InputError
from tertium.tuning.lists import NBestList, feature_names

__all__ = ["merge_lists", "merge_streams"]

_Value = TypeVar("_Value", bound=Hashable)


def merge_lists(lists: Sequence[NBestList]) -> NBestList:
    """Return one list with the hypotheses of all lists of a segment.

    Parameters
    ----------
    lists : sequence of NBestList
        With the same id and features. All or none have scores; those without source
        or references get them from the others.

    Raises
    ------
    InputError
        When features, sources or references contradict each other.
    """
    first = lists[0]
    if len(lists) == 1:
        return first
    names = feature_names(lists)
    scores = [each.scores for each in lists if each.scores is not None]
    if len(scores) not in (0, len(lists)):
        message = f"only some of the lists {first.id} have scores; give all or none"
        raise InputError(message)
    return NBestList(
        first.id,
        [text for each in lists for text in each.texts],
        names,
        np.concatenate([each.features for each in lists]),
        np.concatenate(scores) if scores else None,
        source=_agreed(first.id, "sources", [each.source for each in lists]),
        references=_agreed(
            first.id, "references", [each.references or None for each in lists]
        )
        or (),
    )


def merge_streams(
    streams: Sequence[Iterator[NBestList]], paths: Sequence[StrPath]
) -> Iterator[NBestList]:
    """Yield the lists of several files, merged by id.

    Lists whose ids are numbers come in the order of these, and only those of one
    segment are in memory. Otherwise all of them are, in the order of the first file.

    Parameters
    ----------
    streams : sequence of iterators of NBestList
        One per file.
    paths : sequence of paths
        The files, for messages.

    Raises
    ------
    FormatError
        When a file has other features than the first, or ids out of order.
    """
    heads = [next(stream) for stream in streams]
    for head, path in zip(heads, paths, strict=True):
        if head.names != heads[0].names:
            what = (
                f"the features are {_listed(head.names)}, but in {display(paths[0])} "
                f"{_listed(heads[0].names)}; merge lists with the same features"
            )
            raise FormatError(what, path=display(path))
    whole = [chain([head], rest) for head, rest in zip(heads, streams, strict=True)]
    if all(_is_number(head.id) for head in heads):
        yield from _merge_numbered(whole, paths)
    else:
        by_id: dict[str, list[NBestList]] = {}
        for each in chain.from_iterable(whole):
            by_id.setdefault(each.id, []).append(each)
        yield from map(merge_lists, by_id.values())


def _merge_numbered(
    streams: Sequence[Iterator[NBestList]], paths: Sequence[StrPath]
) -> Iterator[NBestList]:
    numbered = [
        _numbered(stream, index, path)
        for index, (stream, path) in enumerate(zip(streams, paths, strict=True))
    ]
    for _, group in groupby(merge(*numbered, key=itemgetter(0, 1)), itemgetter(0)):
        yield merge_lists([each for _, _, each in group])


def _numbered(
    stream: Iterator[NBestList], index: int, path: StrPath
) -> Iterator[tuple[int, int, NBestList]]:
    last = -1
    for each in stream:
        if not _is_number(each.id) or int(each.id) <= last:
            what = (
                f"the list {quote(each.id)} comes after {last}; to merge files, number "
                "their lists and sort them"
            )
            raise FormatError(what, path=display(path))
        last = int(each.id)
        yield last, index, each


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal()


def _listed(names: Sequence[str]) -> str:
    return " ".join(names) or "none"


def _agreed(name: str, what: str, values: Sequence[_Value | None]) -> _Value | None:
    distinct = {value for value in values if value is not None}
    if len(distinct) > 1:
        message = f"the lists {name} have different {what}; merge those of one test set"
        raise InputError(message)
    return distinct.pop() if distinct else None
