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
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tertium._messages import quote
from tertium.data.lines import StrPath, display
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.tuning.lists import NBestList, feature_names, references_of, statistics
from tertium.tuning.placed import joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.metrics import Metric

__all__ = ["DUPLICATES", "deduplicate", "merge_lists", "merge_streams", "repeated"]

#: What two hypotheses of a list share if they are duplicates.
DUPLICATES = ("both", "text", "features", "statistics")

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
        joined([each.texts for each in lists]),
        names,
        np.concatenate([each.features for each in lists]),
        np.concatenate(scores) if scores else None,
        source=_agreed(first.id, "sources", [each.source for each in lists]),
        references=_agreed(
            first.id, "references", [each.references or None for each in lists]
        )
        or (),
    )


def deduplicate(
    lists: Sequence[NBestList],
    *,
    by: str = "both",
    metric: Metric | None = None,
    threads: int | None = None,
) -> list[NBestList]:
    """Return lists without duplicates; of these, the first is kept.

    Parameters
    ----------
    lists : sequence of NBestList
    by : {"both", "text", "features", "statistics"}
        What duplicates share: text and features, one of the two, or the features and
        the statistics of a metric, as the extractor of Moses does. The latter also
        takes different texts for one another where tuning cannot tell them apart.
        Scores do not matter: they are those of different weights.
    metric : Metric, optional
        For ``statistics``; the lists need references then.
    threads : int, optional

    Examples
    --------
    >>> made = NBestList("0", ["a", "b", "a"], ("lm",), np.array([[1.0], [1], [1]]))
    >>> deduplicate([made])[0].texts, deduplicate([made], by="features")[0].texts
    (['a', 'b'], ['a'])
    """
    if by not in DUPLICATES:
        raise UnknownNameError("kind of duplicates", by, DUPLICATES)
    if by != "statistics":
        return [each.select(_first_rows(each, by)) for each in lists]
    if metric is None:
        message = "duplicates by statistics need a metric; give one"
        raise InputError(message, options=("metric",))
    fitted = metric.prepare(references_of(lists))
    tables = statistics(lists, fitted, threads=threads)
    return [
        each.select(_first_rows(each, "features", _row_keys(table)))
        for each, table in zip(lists, tables, strict=True)
    ]


def repeated(made: NBestList, by: str = "both") -> int:
    """Return how many hypotheses of a list are duplicates of earlier ones."""
    return len(made) - len(_first_rows(made, by))


def _first_rows(
    made: NBestList, by: str, more: Sequence[bytes] | None = None
) -> list[int]:
    keys: list[Sequence[object]] = [] if more is None else [more]
    if by in ("both", "text"):
        keys.append(made.texts)
    if by in ("both", "features"):
        keys.append(_row_keys(made.features))
    first: dict[tuple[object, ...], int] = {}
    for row, key in enumerate(zip(*keys, strict=True)):
        first.setdefault(key, row)
    return list(first.values())


def _row_keys(table: NDArray[np.float64]) -> list[bytes]:
    return [row.tobytes() for row in table + 0.0]  # -0.0 equals 0.0


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
