# SPDX-License-Identifier: Apache-2.0
"""What a difference between two systems means: how often human judges agreed with it.

The table ``gaps.json`` counts pairs of systems at WMT by the size of their difference,
after Kocmi et al. (2024), "Navigating the metrics maze" (``python -m bench gaps
--write``; the study is in ``bench/GAPS.md``). For judgements of your own see
:func:`tertium.meta.gaps.gaps`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, NotDefinedError
from tertium.metrics import metric
from tertium.stats.shares import wilson

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["GapMeaning", "gap_meaning", "gap_meanings", "gap_metrics", "settings_of"]


@dataclass(frozen=True)
class GapMeaning:
    """Pairs of systems with about the same difference, and what judges preferred.

    Attributes
    ----------
    metric : str
        Its spec.
    delta : float
        The size of the difference.
    low, high : float
        The range of differences that it is in; the last range is open.
    pairs, agreed : int
        Pairs of systems in the range, and those in which judges preferred the system
        that the metric preferred.
    share : float
        agreed / pairs, at least one half: the estimate is made to rise from there
        (isotonic regression).
    interval : tuple of float
        Of the share, by Wilson's method; pairs that share a system are not
        independent, so it is too narrow, and years differ by more: a year estimated
        from the others may be 16 points off (``bench/GAPS.md``).
    sources : tuple of str
        Where the judgements come from, such as "WMT23".
    """

    metric: str
    delta: float
    low: float
    high: float
    pairs: int
    agreed: int
    share: float
    interval: tuple[float, float]
    sources: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures; the end of an open range is None."""
        return {
            "metric": self.metric,
            "delta": self.delta,
            "range": [self.low, None if math.isinf(self.high) else self.high],
            "pairs": self.pairs,
            "agreed": self.agreed,
            "share": self.share,
            "interval": list(self.interval),
            "sources": list(self.sources),
        }


def gap_metrics() -> list[str]:
    """Return the metrics that there are judgements for."""
    return list(_table()["metrics"])


def gap_meaning(spec: str | Metric, delta: float) -> GapMeaning:
    """Return how often human judges agreed with a difference of this size.

    Judges and systems are those of WMT from 2012 to 2023, with one reference and, by
    year, 560 to 3,000 segments per language pair. A difference that is not significant
    may be nothing, whatever its size.

    Parameters
    ----------
    spec : str or Metric
        With the settings that the table has: the defaults.
    delta : float
        The difference of two systems' scores; the sign does not matter.

    Raises
    ------
    NotDefinedError
        When the table does not have the metric.

    Examples
    --------
    >>> one = gap_meaning("bleu", 1.0)
    >>> one.pairs, one.agreed, round(one.share, 2)
    (246, 180, 0.73)
    >>> gap_meaning("bleu", 10.0).share > 0.95
    True
    """
    if math.isnan(delta):
        raise InputError("a difference without a value has no meaning; give a number")
    made = metric(spec)
    name = _known().get(settings_of(made))
    if name is None:
        raise NotDefinedError(
            f"there are no judgements for differences of {made.spec}, only of "
            f"{', '.join(gap_metrics())}, all with their default settings"
        )
    entry, size = _table()["metrics"][name], abs(delta)
    # Ranges with the same estimate are one: the shares of their parts did not rise.
    ranges = [
        list(parts)
        for _, parts in groupby(entry["bins"], key=lambda each: each["share"])
    ]
    parts = next((p for p in ranges[:-1] if size < p[-1]["high"]), ranges[-1])
    pairs = sum(each["pairs"] for each in parts)
    agreed = sum(each["agreed"] for each in parts)
    return GapMeaning(
        metric=name,
        delta=size,
        low=parts[0]["low"],
        high=math.inf if parts is ranges[-1] else parts[-1]["high"],
        pairs=pairs,
        agreed=agreed,
        share=max(0.5, agreed / pairs),
        interval=wilson(agreed, pairs),
        sources=tuple(entry["sources"]),
    )


def gap_meanings(deltas: Mapping[str, float]) -> dict[str, GapMeaning]:
    """Return what differences mean, by metric.

    Metrics that the table does not have are left out, and so are differences of zero.
    """
    return {
        spec: gap_meaning(spec, delta)
        for spec, delta in deltas.items()
        # Metrics of other names may be files or programs: they are not opened here.
        if delta
        and spec.partition(":")[0] in gap_metrics()
        and settings_of(metric(spec)) in _known()
    }


@cache
def _table() -> dict[str, Any]:
    text = files("tertium.analysis").joinpath("gaps.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def _known() -> dict[str, str]:
    """Return the metrics of the table by their settings when it was made."""
    return {entry["settings"]: name for name, entry in _table()["metrics"].items()}


def settings_of(made: Metric) -> str:
    """Return what tells metrics apart: label and signature, without the version."""
    return f"{made.label} {made.signature.rpartition('|version')[0]}"
