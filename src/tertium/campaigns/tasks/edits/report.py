# SPDX-License-Identifier: Apache-2.0
"""Attention checks of edit positions on the dashboard."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tertium.campaigns.exchange.exporting import item_judgements
from tertium.campaigns.tasks.base import Section
from tertium.campaigns.tasks.edits.checks import FEWEST, MarkChecks, mark_checks

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign

__all__ = ["check_section"]


def check_section(campaign: Campaign) -> Section:
    """Return the attention checks of every annotator, as a table."""
    head = [
        _("annotator"),
        _("items"),
        _("words marked"),
        _("foreign words marked"),
        _("copies without marks"),
        _("repeats marked alike"),
        _("flagged"),
    ]
    text = _(
        "In damaged outputs the foreign words should be marked, copies of "
        "the reference need no marks, and repeated items should be marked "
        "as before. Nobody is excluded because of it; with fewer than "
        "%(few)d damaged outputs there is no verdict."
    )
    rows = [_row(one) for one in mark_checks(item_judgements(campaign))]
    return Section(_("Attention checks"), text % {"few": FEWEST}, head, rows)


def _row(one: MarkChecks) -> tuple[object, ...]:
    look = _("may not read what they mark") if one.reads is False else "–"
    return (
        one.judge,
        one.items,
        None if one.marked is None else _share(one.marked),
        _share(fmean(one.found)) if one.found else None,
        f"{sum(one.alone)}/{len(one.alone)}" if one.alone else None,
        _share(fmean(one.repeats)) if one.repeats else None,
        look,
    )


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"
