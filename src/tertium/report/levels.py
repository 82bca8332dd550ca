# SPDX-License-Identifier: Apache-2.0
"""Judgements of parts beside judgements of sentences, as a self-contained HTML page.

Translations of judged parts are marked in the outputs, so that readers see what judges
of parts could not: words that are in no part (Macháček 2014, section 3.1.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tertium._messages import count
from tertium.judgements.parts.cases import LevelCase, LevelCases, RankedPart
from tertium.report.components import (
    Component,
    Heading,
    Inline,
    Legend,
    Page,
    Section,
    Span,
    Text,
)
from tertium.report.explain.components import Marked, SegmentCard
from tertium.report.rendering import render
from tertium.report.tables.page import table_blocks
from tertium.report.tables.table import Table

__all__ = ["levels_page"]

_LEGEND = """\
Marked: the judged segments, and their translations in the output. Green: ranked first;
red: ranked last or thrown away; orange: between. Words without a mark are in no
segment, so nobody who ranked segments saw them. Ranks are counted from 1 over the
different ranks of a judge."""


def levels_page(tables: Sequence[Table], cases: Mapping[str, LevelCases]) -> str:
    """Return a page of tables and of the sentences to read.

    Parameters
    ----------
    tables : sequence of Table
        What comes first.
    cases : mapping of str to LevelCases
        By language pair; ``""`` if it is unknown.
    """
    sections = [
        Section(f"{key}-{number}", f"{name or 'All'}: {title}", blocks)
        for number, (name, ends) in enumerate(cases.items(), start=1)
        for key, title, blocks in _sections(ends)
    ]
    page = Page(
        "Segments and sentences",
        kicker="Human judgements",
        lead="Rankings of segments, short parts of sentences, beside rankings of the "
        "whole sentences, and the sentences where they differ most.",
        body=[block for table in tables for block in table_blocks(table)],
        sections=sections,
    )
    return render(page)


def _sections(ends: LevelCases) -> Iterator[tuple[str, str, list[Component]]]:
    listed = (
        ("better", "segments better than the sentence", ends.parts_better),
        ("worse", "segments worse than the sentence", ends.parts_worse),
        ("agree", "segments and sentence agree", ends.agreeing),
    )
    for key, title, cases in listed:
        if not cases:
            yield key, title, [Text("There is no such sentence.")]
            continue
        blocks: list[Component] = [Legend(_LEGEND)]
        for case in cases:
            blocks += _case(case)
        yield key, title, blocks


def _case(case: LevelCase) -> list[Component]:
    each = case.disagreement
    quotient = "n/a" if each.quotient is None else f"{each.quotient:.2f}"
    scores = [
        ("segments won : lost", f"{each.segment_wins} : {each.segment_losses}"),
        ("sentence won : lost", f"{each.sentence_wins} : {each.sentence_losses}"),
        ("quotient", "∞" if each.infinite else quotient),
        ("log ratio", f"{each.log_ratio:+.2f}"),
    ]
    heading = Heading(f"Sentence {each.sentence}, {each.system}")
    return [heading, SegmentCard(_texts(case), list(_findings(case.parts)), scores)]


def _texts(case: LevelCase) -> list[tuple[str, Inline]]:
    texts: list[tuple[str, Inline]] = []
    if case.source is not None:
        parts = [(part.part, "moved") for part in case.parts]
        texts.append(("Source", _marked(case.source, parts)))
    if case.reference is not None:
        texts.append(("Reference", case.reference))
    if case.output is not None:
        ranked = [(part.text or "", _look(part)) for part in case.parts]
        texts.append(("Output", _marked(case.output, ranked)))
    return texts


def _findings(parts: Sequence[RankedPart]) -> Iterator[tuple[str, str, Inline]]:
    for part in parts:
        sentence: list[str | Component] = [Span(part.part, "quote")]
        if part.text is not None:
            sentence += [": ", Marked(part.text, _look(part))]
        rank = "thrown away" if part.garbage else f"rank {part.rank} of {part.ranks}"
        sentence.append(f", {rank}")
        others = [text for text in part.best if text != part.text]
        if part.rank > 1 and others:
            more = f" and {count(len(others) - 1, 'other')}" if len(others) > 1 else ""
            sentence += ["; best: ", Span(others[0], "quote"), more]
        yield _look(part), "•", sentence


def _look(part: RankedPart) -> str:
    if part.garbage or (part.rank == part.ranks > 1):
        return "extra"
    return "form" if part.rank == 1 else "replaced"


def _marked(text: str, parts: Sequence[tuple[str, str]]) -> list[str | Component]:
    """Return a text with its parts marked, the earlier part where two overlap."""
    looks: list[str | None] = [None] * len(text)
    for words, look in parts:
        for start, end in _spans(words.split(), text):
            if not any(looks[start:end]):
                looks[start:end] = [look] * (end - start)
    pieces: list[str | Component] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or looks[end] != looks[start]:
            piece, kind = text[start:end], looks[start]
            pieces.append(piece if kind is None else Marked(piece, kind))
            start = end
    return pieces


def _spans(words: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Return where words stand: together, whatever the spaces, or one by one."""
    if not words:
        return []
    together = re.search(_bounded(r"\s*".join(map(re.escape, words))), text)
    if together:
        return [together.span()]
    spans: list[tuple[int, int]] = []
    start = 0
    for word in words:
        match = re.compile(_bounded(re.escape(word))).search(text, start)
        if match is None:
            return []
        spans.append(match.span())
        start = match.end()
    return spans


def _bounded(pattern: str) -> str:
    return rf"(?<!\w){pattern}(?!\w)"
