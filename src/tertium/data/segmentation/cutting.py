# SPDX-License-Identifier: Apache-2.0
"""Outputs cut where lines of the reference end.

By words: such that the edit distance of all segments from their references is the
smallest (Matusov et al. 2005). With one reference per segment, it is the edit distance
of the two whole texts. Among equal cuts, segments rather end where a sentence of the
output ends, then where a line does, then as early as possible, the last segment first.

By similarity: lines are linked in groups of up to four with one, or two with two, by
the character trigrams that they share; groups with several lines of the reference are
then cut by words. Time and memory are quadratic in the lines of a document where many
are missing on one side; beyond 16 million pairs of lines, it is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tertium import _core
from tertium._messages import count, quote
from tertium.data.segmentation.results import (
    LinkedLines,
    MatchedSegment,
    Resegmentation,
)
from tertium.data.segmentation.units import Units, units_of
from tertium.errors import InputError, UnknownNameError

__all__ = ["resegment"]

_WAYS = ("words", "similarity")
_MOST = 1 << 20  # words of a document, in the core
_AT_ONCE = 50_000  # words, between two reports of progress
_WIDTH = 32  # lines on either side, at first
_SLACK = 2  # edits for every border of documents that were found by order
_FEW = 3  # documents that are compared at once, however long they are

References = Sequence[str] | Sequence[Sequence[str]]
OnProgress = Callable[[int, int], None]


class _Group(NamedTuple):
    """Segments and lines, by index, that belong together."""

    segments: list[int]
    lines: list[int]
    document: str
    similarity: float | None = None


def resegment(
    references: References,
    output: Sequence[str],
    *,
    docs: Sequence[str] | None = None,
    output_docs: Sequence[str] | None = None,
    by: str = "words",
    exact: bool = False,
    always: bool = False,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> Resegmentation:
    """Return an output with one line per segment of the reference.

    An output that has as many lines as the reference is left as it is, unless its
    documents are others.

    Parameters
    ----------
    references : sequence of str, or of sequences of str
        One or more references for every segment.
    output : sequence of str
        The lines of the output: any part of the text each, blank ones included.
    docs : sequence of str, optional
        The document of every segment.
    output_docs : sequence of str, optional
        The document of every line of the output. Without it, an output with one line
        per document, or with a blank line between documents, is recognised, if its
        documents then match about as well as without borders: with at most two more
        edits per border. Anything else is one document.
    by : {"words", "similarity"}
        Whether to cut anywhere by words, or to link whole lines first.
    exact : bool
        Compare words as they are written. By default case, punctuation around words
        and tags such as ``<p>`` do not count.
    always : bool
        Also cut an output anew that has as many lines as the reference.
    threads : int, optional
        All cores by default; the result does not depend on it.
    progress : callable, optional
        Called with the segments done, within a long document about, and their number.

    Returns
    -------
    Resegmentation

    Raises
    ------
    InputError
        If documents do not match, one is too long, or a segment has no reference.

    Examples
    --------
    >>> result = resegment(
    ...     ["The cat sat.", "It was tired.", "So was I."],
    ...     ["The cat sat. It was", "very tired. So am I."],
    ... )
    >>> result.texts
    ['The cat sat.', 'It was very tired.', 'So am I.']
    >>> result.edits, result.uncertain()
    (2, [])
    """
    if by not in _WAYS:
        raise UnknownNameError("way to segment", by, _WAYS)
    refs = [(r,) if isinstance(r, str) else tuple(r) for r in references]
    for name, column, texts in (
        ("docs", docs, refs),
        ("output_docs", output_docs, output),
    ):
        if column is not None and len(column) != len(texts):
            raise InputError(
                f"{name} has {count(len(column), 'item')} for "
                f"{count(len(texts), 'line')}; give one per line",
                options=(name,),
            )
    for number, candidates in enumerate(refs, start=1):
        if not candidates:
            raise InputError(f"segment {number:,} has no reference; give at least one")
    same = len(output) == len(refs) and (
        docs is None or output_docs is None or list(docs) == list(output_docs)
    )
    unchanged = same and not always
    if unchanged:
        groups, how = _by_line(refs, docs), "nothing" if docs is None else "ids"
    else:
        groups, how = _documents(refs, output, docs, output_docs)
        if how in ("lines", "blank lines") and not _fit(refs, output, groups, exact):
            groups, how = [_whole(refs, output)], "nothing"
    documents = len({group.document for group in groups} if unchanged else groups)
    links: list[LinkedLines] = []
    if by == "similarity" and not unchanged:
        groups, links = _linked(refs, output, groups, threads)
    segments: list[MatchedSegment | None] = [None] * len(refs)
    parts = _cut(refs, output, groups, exact=exact, threads=threads, progress=progress)
    for index, segment in parts:
        if unchanged and "\n" not in output[index]:
            segment = replace(segment, text=output[index])
        segments[index] = segment
    return Resegmentation(
        segments=[segment for segment in segments if segment is not None],
        lines=len(output),
        documents=documents,
        documents_by=how,
        by=by,
        links=links,
        unchanged=unchanged,
        docs_unused=how == "nothing" and docs is not None and len(set(docs)) > 1,
    )


def _by_line(refs: Sequence[Sequence[str]], docs: Sequence[str] | None) -> list[_Group]:
    names = [""] * len(refs) if docs is None else docs
    return [_Group([k], [k], name) for k, name in enumerate(names)]


def _documents(
    refs: Sequence[Sequence[str]],
    output: Sequence[str],
    docs: Sequence[str] | None,
    output_docs: Sequence[str] | None,
) -> tuple[list[_Group], str]:
    """Return segments and lines of every document, and how they were matched."""
    if not refs and any(line.strip() for line in output):
        raise InputError("the reference has no segments; check that it is not empty")
    whole = list(range(len(output)))
    if docs is not None:
        by_name = _members(docs)
        if output_docs is not None:
            return _same_documents(by_name, _members(output_docs)), "ids"
        parts, how = [[k] for k in whole if output[k].strip()], "lines"
        if len(parts) != len(by_name):
            parts, how = _blocks(output), "blank lines"
        if len(parts) == len(by_name):
            return [
                _Group(segments, lines, name)
                for (name, segments), lines in zip(by_name.items(), parts, strict=True)
            ], how
    else:
        blocks = _blocks([texts[0] if texts else "" for texts in refs])
        parts, how = _blocks(output), "blank lines"
        if output_docs is not None:
            parts = list(_members(output_docs).values())
        if len(blocks) == len(parts) > 1:
            return [
                _Group(segments, lines, "")
                for segments, lines in zip(blocks, parts, strict=True)
            ], how
    return [_whole(refs, output)], "nothing"


def _whole(refs: Sequence[Sequence[str]], output: Sequence[str]) -> _Group:
    return _Group(list(range(len(refs))), list(range(len(output))), "")


def _fit(
    refs: Sequence[Sequence[str]],
    output: Sequence[str],
    groups: Sequence[_Group],
    exact: bool,
) -> bool:
    """Return whether documents would hardly match better without borders between them.

    They were paired by nothing but their number, which can be equal by chance. Long
    texts are looked at in parts that share a document.
    """
    pairs = [
        (
            units_of([output[k] for k in group.lines], exact=exact).keys,
            units_of([refs[k][0] for k in group.segments], exact=exact).keys,
        )
        for group in groups
    ]

    def edits(some: Sequence[tuple[list[str], list[str]]]) -> int:
        numbers: dict[str, int] = {}  # of few words: the core has a row for each
        hyp, ref = (
            [numbers.setdefault(key, len(numbers)) for pair in some for key in pair[k]]
            for k in (0, 1)
        )
        return _core.levenshtein(hyp, ref, len(numbers) + 1)

    alone = [edits([pair]) for pair in pairs]
    start = size = 0
    for stop in range(1, len(pairs) + 1):
        size += sum(map(len, pairs[stop - 1]))
        if stop < len(pairs) and (stop - start < _FEW or size < _AT_ONCE):
            continue
        slack = _SLACK * (stop - start - 1)
        if sum(alone[start:stop]) > edits(pairs[start:stop]) + slack:
            return False
        start, size = stop - 1, sum(map(len, pairs[stop - 1]))
    return True


def _same_documents(
    mine: dict[str, list[int]], theirs: dict[str, list[int]]
) -> list[_Group]:
    for known, others, side, cure in (
        (theirs, mine, "output lacks", "add it to the output"),
        (mine, theirs, "reference lacks", "remove it from the output"),
    ):
        missing = [name for name in others if name not in known]
        if missing:
            raise InputError(
                f"the {side} {count(len(missing), 'document')} of {len(others):,} "
                f"(first: {quote(missing[0])}); {cure}, or give document ids that match"
            )
    return [_Group(segments, theirs[name], name) for name, segments in mine.items()]


def _members(docs: Iterable[str]) -> dict[str, list[int]]:
    members: dict[str, list[int]] = {}
    for index, doc in enumerate(docs):
        members.setdefault(doc, []).append(index)
    return members


def _blocks(lines: Sequence[str]) -> list[list[int]]:
    """Return the lines between blank ones; these belong to the block before."""
    blocks: list[list[int]] = []
    blank = True
    leading: list[int] = []
    for index, line in enumerate(lines):
        if not line.strip():
            (blocks[-1] if blocks else leading).append(index)
        elif blank:
            blocks.append([*leading, index])
            leading = []
        else:
            blocks[-1].append(index)
        blank = not line.strip()
    return blocks or [leading]


def _linked(
    refs: Sequence[Sequence[str]],
    output: Sequence[str],
    documents: Sequence[_Group],
    threads: int | None,
) -> tuple[list[_Group], list[LinkedLines]]:
    """Return groups of linked lines, smaller than documents, and the links."""
    rows = [
        group._replace(lines=[k for k in group.lines if output[k].strip()])
        for group in documents
    ]
    try:
        linked = _core.link_lines(
            [[_folded(refs[k][0]) for k in group.segments] for group in rows],
            [[_folded(output[k]) for k in group.lines] for group in rows],
            _WIDTH,
            threads or 0,
        )
    except ValueError as error:  # too many lines
        most = max(rows, key=lambda row: len(row.segments) * len(row.lines))
        where = f"document {quote(most.document)}" if most.document else "the text"
        message = (
            f"{where} has {count(len(most.segments), 'segment')} and "
            f"{count(len(most.lines), 'line')}, too many to link by similarity where "
            "so many lines differ; cut it by words (by=words), or give the document of "
            "every line"
        )
        raise InputError(message, options=("by",)) from error
    groups: list[_Group] = []
    links = []
    for group, shapes in zip(rows, linked, strict=True):
        stray: list[int] = []  # lines before the first one that is linked
        first = len(groups)
        for ref, refs_linked, hyp, hyps_linked, similarity in shapes:
            segments = group.segments[ref : ref + refs_linked]
            lines = group.lines[hyp : hyp + hyps_linked]
            links.append(LinkedLines(tuple(segments), tuple(lines), similarity))
            if segments:
                groups.append(
                    _Group(segments, stray + lines, group.document, similarity)
                )
                stray = []
            elif len(groups) > first:
                groups[-1].lines.extend(lines)
            else:
                stray += lines
    return groups, links


def _folded(text: str) -> str:
    return text.casefold()


def _cut(
    refs: Sequence[Sequence[str]],
    output: Sequence[str],
    groups: Sequence[_Group],
    *,
    exact: bool,
    threads: int | None,
    progress: OnProgress | None,
) -> Iterator[tuple[int, MatchedSegment]]:
    """Yield the index and the part of every segment."""
    start = size = done = 0

    def inside(segments: int) -> None:
        if progress is not None:
            progress(done + segments, len(refs))

    batch: list[tuple[Units, list[list[Units]]]] = []
    for number, group in enumerate(groups, start=1):
        units = units_of([output[k] for k in group.lines], exact=exact)
        texts = [
            [units_of([text], exact=exact) for text in refs[k]] for k in group.segments
        ]
        _check_size(group, units, texts)
        batch.append((units, texts))
        size += len(units)
        if size >= _AT_ONCE or number == len(groups):
            yield from _cut_batch(groups[start:number], batch, threads, inside)
            done += sum(len(each.segments) for each in groups[start:number])
            inside(0)
            start, size, batch = number, 0, []


def _cut_batch(
    groups: Sequence[_Group],
    batch: Sequence[tuple[Units, list[list[Units]]]],
    threads: int | None,
    progress: Callable[[int], None],
) -> Iterator[tuple[int, MatchedSegment]]:
    numbered = [_numbered(*pair) for pair in batch]
    ends = _core.cut_documents(numbered, threads or 0, progress=progress)
    for group, (units, texts), cuts in zip(groups, batch, ends, strict=True):
        place, places, margin, inside = 0, 1, 2, False
        for index, candidates, cut in zip(group.segments, texts, cuts, strict=True):
            stop, edits, matched, ref, stop_places, stop_margin = cut
            stop_inside = units.inside_sentence(stop) and candidates[ref].ends_sentence
            yield (
                index,
                MatchedSegment(
                    text=units.part(place, stop),
                    document=group.document,
                    words=stop - place,
                    reference_words=len(candidates[ref]),
                    matched=matched,
                    edits=edits,
                    places=(places, stop_places),
                    margins=(margin, stop_margin),
                    inside_sentence=(inside, stop_inside),
                    similarity=group.similarity,
                ),
            )
            place, places, margin = stop, stop_places, stop_margin
            inside = stop_inside


def _numbered(
    units: Units, texts: list[list[Units]]
) -> tuple[list[int], list[int], list[list[list[int]]]]:
    """Return words as numbers, equal ones for equal keys."""
    numbers: dict[str, int] = {}

    def number(keys: Sequence[str]) -> list[int]:
        return [numbers.setdefault(key, len(numbers)) for key in keys]

    refs = [[number(ref.keys) for ref in candidates] for candidates in texts]
    return number(units.keys), units.penalties, refs


def _check_size(group: _Group, units: Units, texts: list[list[Units]]) -> None:
    longest = sum(max(map(len, candidates), default=0) for candidates in texts)
    if max(len(units), longest, 3 * len(texts)) < _MOST:
        return
    where = f"document {quote(group.document)}" if group.document else "the text"
    message = (
        f"{where} has {count(max(len(units), longest), 'word')}, more than "
        f"{_MOST - 1:,} in one document; give the document of every segment"
    )
    raise InputError(message, options=("docs",))
