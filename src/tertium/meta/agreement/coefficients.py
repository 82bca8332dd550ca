# SPDX-License-Identifier: Apache-2.0
"""The coefficients of agreement between metrics and human judgements.

A name says what is computed and, after a colon, over which groups of outputs it
is averaged, in the words of mt-metrics-eval: ``tau-b:item`` takes Kendall's tau-b
among the outputs of every segment, ``tau-b:sys`` among those of every system,
``tau-b:none`` among all at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tertium.errors import UnknownNameError

__all__ = ["COEFFICIENTS", "Coefficient", "find_coefficients"]


@dataclass(frozen=True)
class Coefficient:
    """A way to compare a metric with human judgements.

    Parameters
    ----------
    name : str
    level : {"system", "segment"}
    needs : {"scores", "comparisons", "ratings", "assessments"}
        What judgements must give: scores of systems, rankings, ratings of outputs,
        or such ratings on a scale from 0 to 100.
    about : str
        What it is and who used it, in one line.
    """

    name: str
    level: str
    needs: str
    about: str

    @property
    def preset(self) -> str | None:
        """The tie matrix of a tau of comparisons; None of another coefficient."""
        name, _, preset = self.name.partition("tau-")
        return preset if not name and ":" not in preset else None


def _system(name: str, about: str, needs: str = "scores") -> Coefficient:
    return Coefficient(name, "system", needs, about)


def _compared(name: str, about: str, needs: str = "comparisons") -> Coefficient:
    return Coefficient(name, "segment", needs, about)


def _grouped(name: str, about: str, groups: Iterable[str]) -> list[Coefficient]:
    return [
        Coefficient(f"{name}:{group}", "segment", "ratings", f"{about}, {words}")
        for group in groups
        for words in [_GROUPS[group]]
    ]


_GROUPS = {
    "item": "mean over segments",
    "sys": "mean over systems",
    "none": "all outputs at once",
}

#: By name, in the order of tables.
COEFFICIENTS: dict[str, Coefficient] = {
    each.name: each
    for each in (
        _system("pearson", "Pearson's r (metrics tasks of WMT14 to WMT22)"),
        _system("spearman", "Spearman's rho (metrics tasks of WMT08 to WMT13)"),
        _system("kendall", "Kendall's tau-b (mt-metrics-eval)"),
        _system(
            "accuracy",
            "share of pairs of systems in the same order (Kocmi et al. 2021; WMT21-23)",
        ),
        _system(
            "soft-accuracy",
            "agreement of p-values over pairs of systems (Thompson et al. 2024; WMT24)",
            "ratings",
        ),
        _compared(
            "tau-wmt12", "human ties left out, ties of the metric punished (WMT12)"
        ),
        _compared("tau-wmt13", "all ties left out (metrics task of WMT13)"),
        _compared(
            "tau-wmt14", "human ties left out, ties of the metric count 0 (WMT14-16)"
        ),
        _compared("tau-hties", "ties of both count (Macháček 2014, proposed)"),
        _compared(
            "tau-darr",
            "as wmt12, on ratings 25 points of 100 apart (WMT17 to WMT20)",
            "assessments",
        ),
        *_grouped(
            "tau-b", "Kendall's tau-b (mt-metrics-eval)", ("item", "sys", "none")
        ),
        *_grouped("tau-c", "Stuart's tau-c (mt-metrics-eval)", ("item", "sys", "none")),
        *_grouped(
            "tau-23", "tau with credit for ties (Deutsch et al. 2023)", ("item",)
        ),
        *_grouped(
            "acc-23", "pairwise accuracy with ties (Deutsch et al. 2023)", ("item",)
        ),
        *_grouped("acc-eq", "the same with ties calibrated, acc*eq (WMT23)", ("item",)),
        *_grouped(
            "pearson", "Pearson's r (WMT16, WMT17, WMT23)", ("item", "sys", "none")
        ),
        _compared(
            "pdp",
            "Pearson's r of differences between systems on a segment (PDP)",
            "ratings",
        ),
        *_grouped(
            "spearman", "Spearman's rho (McCaffery 2017)", ("item", "sys", "none")
        ),
    )
}


def find_coefficients(names: Iterable[str]) -> list[Coefficient]:
    """Return coefficients by name; ``all`` is all of them, in their order.

    Examples
    --------
    >>> [each.level for each in find_coefficients(["pearson", "tau-b:item"])]
    ['system', 'segment']
    """
    chosen: dict[str, Coefficient] = {}
    for name in names:
        if name == "all":
            chosen |= COEFFICIENTS
        elif name in COEFFICIENTS:
            chosen[name] = COEFFICIENTS[name]
        else:
            raise UnknownNameError("coefficient", name, [*COEFFICIENTS, "all"])
    return list(chosen.values())
