# SPDX-License-Identifier: Apache-2.0
"""Filters of the dashboard's tables."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

__all__ = ["kind_of_cell", "register", "said"]

register = template.Library()
_LONG = 28  # letters from which on a cell has several lines


@register.filter
def kind_of_cell(cell: object) -> str:
    """Return how a cell of a table stands: numbers right, long texts in lines.

    Examples
    --------
    >>> kind_of_cell("0.25"), kind_of_cell(3), kind_of_cell("1–3")
    ('number', 'number', 'short')
    """
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return "number"
    text = str(cell)
    try:
        float(text)
    except ValueError:
        return "words" if len(text) > _LONG else "short"
    return "number"


@register.filter
def said(name: str) -> str:
    """Return a role, a state or a reason in the reader's language."""
    words = {
        "manager": _("manager"),
        "annotator": _("annotator"),
        "observer": _("observer"),
        "leased": _("under way"),
        "done": _("done"),
        "skipped": _("skipped"),
        "expired": _("taken back"),
        "first": _("first"),
        "intra": _("again, by the same"),
        "inter": _("again, by another"),
        "check": _("check"),
        "training": _("training"),
        "late": _("late"),
        "work": _("work"),
    }
    return words.get(str(name), str(name))
