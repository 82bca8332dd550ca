# SPDX-License-Identifier: Apache-2.0
"""A correction as marked tokens: struck out, inserted, moved and joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.search.edits import Kind
from tertium.grammars.search.matching import Change
from tertium.report.grammar.categories import of_kind
from tertium.report.grammar.components import EditMark, Token

__all__ = ["correction_tokens", "edit_words"]


def correction_tokens(record: SegmentRecord) -> list[Token]:
    """Return the correction in the order of the corrected sentence.

    Wrong tokens are struck out before the right ones; a short label names the error;
    an arrow with a number shows how many places a token was moved.
    """
    return [_token(group) for group in _groups(record.best.changes)]


def edit_words(hyp: str, ref: str) -> str:
    """Return an edit as readers may search for it.

    Examples
    --------
    >>> edit_words("apple Tree", "appletree"), edit_words("", "is")
    ('apple+tree>appletree', '>is')
    """
    return f"{hyp.casefold().replace(' ', '+')}>{ref.casefold()}"


def _groups(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield changes one by one, but the tokens of a compound together."""
    group: list[Change] = []
    for change in changes:
        if group and change.continues:
            group.append(change)
            continue
        if group:
            yield group
        group = [change]
    if group:
        yield group


def _token(group: list[Change]) -> Token:
    first = group[0]
    edit = None
    if first.kind is not Kind.MATCH:
        category = of_kind(first.kind)
        removed = " ".join(change.hyp for change in group if change.hyp)
        edit = EditMark(category.key, _label(first, category.short), removed, first.ref)
    moves = [change.moved_by for change in group if change.moved_by is not None]
    return Token(
        first.ref, edit, " ".join(map(_arrow, moves)), ", ".join(map(_move, moves))
    )


def _label(change: Change, short: str) -> str:
    if change.kind is Kind.CASESHIFT and change.label.count("-") == 2:
        _, used, needed = change.label.split("-")
        return f"{used}→{needed}"
    return short


def _arrow(by: int) -> str:
    if by == 0:
        return "↔"
    return f"{by}\N{THIN SPACE}→" if by > 0 else f"←\N{THIN SPACE}{-by}"


def _move(by: int) -> str:
    if by == 0:
        return "moved, as did its neighbours"
    side = "right" if by > 0 else "left"
    return f"moved {abs(by)} place{'' if abs(by) == 1 else 's'} to the {side}"
