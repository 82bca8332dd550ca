# SPDX-License-Identifier: Apache-2.0
"""A ranking as bars with intervals, which need no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.html_tables import plain

__all__ = ["Bar", "bars"]


@dataclass(frozen=True)
class Bar:
    """A system in a ranking.

    Parameters
    ----------
    name : str
    score : float
        The length of the bar.
    shown : str
        The score as readers see it.
    interval : tuple of float, optional
    note : str
        What stands below the bar.
    person : bool
        Whether a person translated.
    """

    name: str
    score: float
    shown: str
    interval: tuple[float, float] | None = None
    note: str = ""
    person: bool = False


def bars(systems: Sequence[Bar], legend: str) -> str:
    """Return the ranking; the longest bar or interval fills the width."""
    ends = [own.interval[1] for own in systems if own.interval]
    most = max([own.score for own in systems] + ends, default=0.0)
    most = most if most > 0 else 1.0
    items = "".join(_item(own, most) for own in systems)
    return f'<ol class="board">{items}</ol><p class="legend">{plain(legend)}</p>'


def _item(own: Bar, most: float) -> str:
    def share(value: float) -> str:
        return f"{max(0.0, value / most):.4f}"

    whisker = ""
    if own.interval:
        low, high = own.interval
        whisker = f'<b style="--l:{share(low)};--h:{share(high)}"></b>'
    kind = ' <span class="person">person</span>' if own.person else ""
    return (
        f"<li{' class=human' if own.person else ''}>"
        f'<span class="name">{plain(own.name)}{kind}</span>'
        '<span class="bar" aria-hidden="true">'
        f'<i style="--v:{share(own.score)}"></i>{whisker}</span>'
        f'<span class="score">{plain(own.shown)}</span>'
        f'<p class="note">{plain(own.note)}</p></li>'
    )
