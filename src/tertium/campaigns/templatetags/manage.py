# SPDX-License-Identifier: Apache-2.0
"""Filters of the dashboard's tables."""

from __future__ import annotations

from django import template

__all__ = ["is_number", "register"]

register = template.Library()


@register.filter
def is_number(cell: object) -> bool:
    """Tell whether a cell of a table holds a number, which stands on the right.

    Examples
    --------
    >>> is_number("0.25"), is_number(3), is_number("1–3"), is_number("system 3")
    (True, True, False, False)
    """
    if isinstance(cell, int | float):
        return not isinstance(cell, bool)
    try:
        float(str(cell))
    except ValueError:
        return False
    return True
