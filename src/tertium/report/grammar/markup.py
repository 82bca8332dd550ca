# SPDX-License-Identifier: Apache-2.0
"""A correction as marked-up text: what is struck out, put in, moved and joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.edits import Kind
from tertium.grammars.matching import Change
from tertium.report.grammar.categories import of_kind
from tertium.report.html_tables import plain

__all__ = ["edit_words", "marked_up"]


def marked_up(record: SegmentRecord) -> str:
    """Return the correction in the order of the corrected sentence.

    Wrong tokens are struck out before the right ones; a short name says what is
    wrong; an arrow with a number says how many places a token was moved.
    """
    return " ".join(_group(own) for own in _groups(record.best.changes))


def edit_words(hyp: str, ref: str) -> str:
    """Return an edit as readers may look for it.

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


def _group(group: list[Change]) -> str:
    first = group[0]
    text = plain(first.ref)
    if first.kind is not Kind.MATCH:
        own = of_kind(first.kind)
        gone = " ".join(change.hyp for change in group if change.hyp)
        text = "".join(
            (
                f'<span class="e c-{own.key}">',
                f"<del>{plain(gone)}</del>" if gone else "",
                f"<ins>{plain(first.ref)}</ins>" if first.ref else "",
                f"<small>{_tag(first, own.short)}</small></span>",
            )
        )
    moved = [change.moved_by for change in group if change.moved_by is not None]
    return _moved(text, moved) if moved else text


def _tag(change: Change, short: str) -> str:
    if change.kind is Kind.CASESHIFT and change.label.count("-") == 2:
        _, found, needed = change.label.split("-")
        return f"{plain(found)}→{plain(needed)}"
    return short


def _arrow(by: int) -> str:
    if by == 0:
        return "↔"
    return f"{by}&thinsp;→" if by > 0 else f"←&thinsp;{-by}"


def _way(by: int) -> str:
    if by == 0:
        return "moved, as others around it"
    side = "right" if by > 0 else "left"
    return f"moved {abs(by)} place{'' if abs(by) == 1 else 's'} to the {side}"


def _moved(text: str, by: list[int]) -> str:
    shown = " ".join(map(_arrow, by))
    words = ", ".join(map(_way, by))
    return (
        f'<span class="m c-order" title="{words}">{text}'
        f'<small><span aria-hidden="true">{shown}</span>'
        f'<span class="unseen">{words}</span></small></span>'
    )
