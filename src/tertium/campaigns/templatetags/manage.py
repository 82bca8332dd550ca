# SPDX-License-Identifier: Apache-2.0
"""Filters of the dashboard's tables."""

from __future__ import annotations

import re

from django import template

from tertium.campaigns import rendering
from tertium.campaigns.dashboard import labels

__all__ = ["kind_of_cell", "register"]

register = template.Library()
register.filter("label", labels.label)
register.filter("action_label", labels.action_label)
register.filter("flag_label", labels.flag_label)
register.filter("render", rendering.render)
register.filter("render_flag", rendering.render_flag)
_SHARE = re.compile(r"[0-9]+(?:/[0-9]+| %)")
_LONG = 28  # letters from which on a cell has several lines


@register.filter
def kind_of_cell(cell: object) -> str:
    """Return how a cell of a table stands: numbers right, long texts in lines.

    None is a number that is not there; shares are numbers, too.

    Examples
    --------
    >>> kind_of_cell("0.25"), kind_of_cell(3), kind_of_cell("1–3")
    ('number', 'number', 'short')
    >>> kind_of_cell("12 %"), kind_of_cell("3/4")
    ('number', 'number')
    """
    if cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)):
        return "number"
    text = str(cell)
    if _SHARE.fullmatch(text):
        return "number"
    try:
        float(text)
    except ValueError:
        return "words" if len(text) > _LONG else "short"
    return "number"
