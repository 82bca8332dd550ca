# SPDX-License-Identifier: Apache-2.0
"""Which segment of its document an item of an Appraise batch is.

Items of a batch are numbered through, document after document, so the segment is the
document and the position in it. Copies that check the judge, or that fill a batch,
take the positions of the items they copy.

*Beginnings.* A judge may skip items. What stands before the first item of a document
tells whether it is the document's first: the number before is that of another document.
Otherwise, other judges of the same batch may have the beginning, or the document is
known to be as long. The document before tells nothing, since it may be cut.

*Parts.* A document may be cut between two batches; which judge has its beginning, only
the batches themselves tell.

Items whose position is not known get names of their own (:func:`is_cut`), so that they
are never taken for others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tertium.judgements.formats.appraise_rows import Document

__all__ = ["Item", "is_cut", "segments_of"]

Worker: TypeAlias = "tuple[str, str]"  # judge, and batch where it is known

_CUT = "-items-"
_CUT_NAME = re.compile(rf":.+{_CUT}\d+-\d+:\d+$")


class Item(NamedTuple):
    """A row of an export, as far as its place in a batch is concerned."""

    line: int
    worker: Worker
    number: int
    raw: str  # the document as Appraise names it
    document: Document
    system: str
    kind: str
    place: tuple[str, str]  # languages
    start: float  # NaN if unknown
    end: float


class _Run(NamedTuple):
    """Items of one document that stand together in a batch.

    `before` and `after` are the numbers of the nearest items of other documents. Where
    there is none, `after` is the next number if the batch ends here, else None.
    """

    worker: Worker
    items: tuple[Item, ...]
    before: int
    after: int | None

    @property
    def first(self) -> int:
        return self.items[0].number

    @property
    def last(self) -> int:
        return self.items[-1].number

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def name(self) -> str:
        return self.items[0].document.name

    @property
    def output(self) -> tuple[str, str]:
        return self.name, self.items[0].system

    @property
    def key(self) -> tuple[str, str]:
        """The document as Appraise names it, and the system."""
        return self.items[0].raw, self.items[0].system


@dataclass(frozen=True)
class _Part:
    """Runs of the same items, by all judges of a batch.

    Its first item is at `first` at the latest, and at `least` at the earliest.
    """

    key: tuple[str, str]
    runs: tuple[_Run, ...]
    first: int
    last: int
    least: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def is_sure(self) -> bool:
        return self.least == self.first


def is_cut(segment: str) -> bool:
    """Return whether the position of a segment in its document is not known."""
    return _CUT_NAME.search(segment) is not None


def segments_of(items: Sequence[Item]) -> dict[int, str]:
    """Return the document and the position in it for every line of one export.

    Another export may come from batches in another order, which would mislead.
    """
    runs = list(_runs(items))
    longest, is_known = _sizes(runs)
    parts = _sure(_parts(runs, longest), longest, is_known)
    plain: dict[tuple[str, str], list[_Part]] = defaultdict(list)
    for part in parts:
        if not part.runs[0].items[0].document.marks:
            plain[part.runs[0].output].append(part)
    cut = {
        output
        for output, same in plain.items()
        if len(same) > 1 and sum(part.size for part in same) <= longest[output[0]]
    }
    mixed = _with_several_batches(items)
    names = {}
    for part in parts:
        output = part.runs[0].output
        for run in part.runs:
            original = _original(run, part, plain[output])
            sure = part.is_sure and original.is_sure and run.worker not in mixed
            apart = output in cut or not sure
            for each in run.items:
                place = f"{each.number - part.first + 1}"
                if apart and not each.document.is_tutorial:
                    span = f"{original.first}-{original.last}"
                    place = f"{output[1]}{_CUT}{span}:{place}"
                names[each.line] = f"{output[0]}:{place}"
    return names


def _with_several_batches(items: Iterable[Item]) -> set[Worker]:
    """Return workers that have one number for two items.

    Rounds may be joined in one file. What stands before an item may be another batch's.
    """
    keys: dict[tuple[Worker, int], set[tuple[str, str]]] = defaultdict(set)
    for item in items:
        keys[item.worker, item.number].add((item.raw, item.system))
    return {worker for (worker, _), several in keys.items() if len(several) > 1}


def _sizes(runs: Iterable[_Run]) -> tuple[dict[str, int], set[str]]:
    """Return the length of every document, and where it is certain.

    It is as long as somebody saw it; with other documents on both sides, or the ends of
    the batch, nobody skipped an item.
    """
    longest: dict[str, int] = defaultdict(int)
    whole: dict[str, int] = defaultdict(int)
    for run in runs:
        longest[run.name] = max(longest[run.name], run.size)
        if run.before + 1 == run.first and run.after == run.last + 1:
            whole[run.name] = max(whole[run.name], run.size)
    return longest, {name for name, size in longest.items() if whole[name] == size}


def _parts(runs: Iterable[_Run], longest: Mapping[str, int]) -> list[_Part]:
    """Return runs of one output together that have items in common.

    Another batch may have the output elsewhere: together, runs are not longer than the
    document.
    """
    by_key: dict[tuple[str, str], list[_Part]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: (run.first, -run.last)):
        least = min(run.before + 1, run.first)
        new = _Part(run.key, (run,), run.first, run.last, least)
        known = by_key[run.key]
        for i, part in enumerate(known):
            last = max(part.last, run.last)
            # A beginning after a later item of another document is another layout.
            if (
                run.first <= part.last
                and least <= part.first
                and last - part.first + 1 <= longest[run.name]
            ):
                known[i] = replace(
                    part,
                    runs=(*part.runs, run),
                    last=last,
                    least=max(part.least, least),
                )
                break
        else:
            known.append(new)
    return [part for same in by_key.values() for part in same]


def _sure(
    parts: Sequence[_Part], longest: Mapping[str, int], is_known: set[str]
) -> list[_Part]:
    """Return parts that begin no earlier than the length of the document allows."""
    return [
        replace(
            part, least=min(part.first, max(part.least, part.last - longest[name] + 1))
        )
        if (name := part.runs[0].name) in is_known
        else part
        for part in parts
    ]


def _original(run: _Run, part: _Part, plain: Sequence[_Part]) -> _Part:
    """Return the items that a run copies: the same judge's, or else somebody's."""
    if not run.items[0].document.marks:
        return part
    same = [each for each in plain if each.size >= part.size]
    same.sort(
        key=lambda each: (
            each.size != part.size,
            all(other.worker != run.worker for other in each.runs),
        )
    )
    return same[0] if same else part


def _runs(items: Sequence[Item]) -> Iterator[_Run]:
    """Yield the items of every document and worker that stand together.

    A number without a row was skipped and parts nothing; an item of another document
    does.
    """
    by_worker: dict[Worker, list[Item]] = defaultdict(list)
    for item in items:
        by_worker[item.worker].append(item)
    start = min((item.number for item in items), default=1)
    end = max((item.number for item in items), default=1)
    for worker, rows in by_worker.items():
        taken = sorted({item.number for item in rows})
        # The judge saw the last item if nobody saw more, or if no item was skipped.
        is_whole = taken[-1] == end or len(taken) == taken[-1] - taken[0] + 1
        after = taken[-1] + 1 if is_whole else None
        rank = {number: place for place, number in enumerate(taken)}
        by_document: dict[tuple[str, str], list[Item]] = defaultdict(list)
        for item in rows:
            by_document[item.raw, item.system].append(item)
        for same in by_document.values():
            same.sort(key=lambda item: item.number)
            cuts = [
                place
                for place, (a, b) in enumerate(pairwise(same), start=1)
                if rank[b.number] - rank[a.number] > 1
            ]
            for first, last in pairwise([0, *cuts, len(same)]):
                run = tuple(same[first:last])
                low, high = rank[run[0].number], rank[run[-1].number]
                yield _Run(
                    worker,
                    run,
                    taken[low - 1] if low else min(start, 1) - 1,
                    taken[high + 1] if high + 1 < len(taken) else after,
                )
