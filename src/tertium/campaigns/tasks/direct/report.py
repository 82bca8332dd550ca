# SPDX-License-Identifier: Apache-2.0
"""Attention checks of direct assessment on the dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tertium.campaigns.tasks.base import Section
from tertium.campaigns.tasks.direct.checks import FEWEST, JudgeChecks, checks

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign

__all__ = ["check_section"]


def check_section(campaign: Campaign) -> Section:
    """Return the attention checks of every annotator, as a table."""
    head = [
        _("annotator"),
        _("scored"),
        _("mean score"),
        _("damage noticed"),
        _("p"),
        _("copies of the reference"),
        _("gap between repeats"),
        _("flagged"),
    ]
    text = _(
        "Damaged outputs should score lower than their originals, copies of "
        "the reference high, and repeated items the same again. p comes "
        "from Wilcoxon’s signed-rank test, which needs %(few)d damaged "
        "outputs. Nobody is excluded because of it."
    )
    rows = [_row(one) for one in checks(campaign)]
    return Section(_("Attention checks"), text % {"few": FEWEST}, head, rows)


def _row(one: JudgeChecks) -> tuple[object, ...]:
    seen = f"{one.passed}/{len(one.bad)}" if one.bad else None
    p_value = None if one.reads is None else _short(one.p_value, 3)
    look = _("may not read what they score") if one.reads is False else "–"
    return (
        one.judge,
        one.scored,
        _short(one.mean),
        seen,
        p_value,
        _short(one.copies_mean),
        _short(one.repeat_gap),
        look,
    )


def _short(value: float | None, digits: int = 1) -> str | None:
    return None if value is None else f"{value:.{digits}f}"
