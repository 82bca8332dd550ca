# SPDX-License-Identifier: Apache-2.0
"""Families of metrics: one metric in several configurations, range against range.

Families go by the name of the metric, or by its variant: everything but the parser,
the aligner and the like (:mod:`tertium.meta.variants`). A metric that needs a parser or
an aligner has a coefficient for each of them. One family beats another if its worst
configuration is above the best of the other (McCaffery 2017, section 7.1); ranges that
overlap show no difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

from tertium.judgements.estimates import need_scipy
from tertium.meta.results import Correlation, Correlations
from tertium.meta.variants import variant_of

__all__ = [
    "FAMILIES",
    "Family",
    "FamilyTest",
    "families",
    "family_of",
    "family_tests",
]


@dataclass(frozen=True)
class Family:
    """The configurations of a metric on one language pair.

    Parameters
    ----------
    langpair, coefficient, name : str
    members : tuple of Correlation
        Those with a value, in the order they were given.
    """

    langpair: str
    coefficient: str
    name: str
    members: tuple[Correlation, ...]

    @property
    def values(self) -> list[float]:
        """The values of the configurations."""
        return [each.value for each in self.members if each.value is not None]

    @property
    def mean(self) -> float:
        """The mean over configurations."""
        return math.fsum(self.values) / len(self.values)


@dataclass(frozen=True)
class FamilyTest:
    """Whether the range of one family is above that of another.

    Parameters
    ----------
    langpair, coefficient, a, b : str
    better : str, optional
        The family whose lowest value is above the highest of the other; None where
        ranges overlap.
    u : float
        U of Mann and Whitney, for a: pairs of configurations in which a is higher,
        ties as a half.
    p : float
        Two-sided; exact without ties. Few configurations cannot give a small one:
        four against four at best 0.029, three against three 0.1. Configurations are
        not a random sample either, so the range decides.
    """

    langpair: str
    coefficient: str
    a: str
    b: str
    better: str | None
    u: float
    p: float


def family_of(metric: str) -> str:
    """Return the family of a metric: its name without settings.

    Examples
    --------
    >>> family_of("dted:variant=c"), family_of("chrf")
    ('dted', 'chrf')
    """
    return metric.partition(":")[0]


#: What metrics of a family share, with a function from a metric to the family's name.
FAMILIES: Mapping[str, Callable[[str], str]] = {
    "metric": family_of,
    "variant": lambda metric: variant_of(metric).name,
}


def families(
    result: Correlations, family: Callable[[str], str] = family_of
) -> list[Family]:
    """Return the families of a result, for each language pair and coefficient.

    Parameters
    ----------
    result : Correlations
        Probes, and metrics without a value, are left out.
    family : callable
        Metric to the name of its family.
    """
    groups: dict[tuple[str, str, str], list[Correlation]] = {}
    for each in result.values:
        if each.value is not None and not each.probe:
            key = each.langpair, each.coefficient, family(each.metric)
            groups.setdefault(key, []).append(each)
    return [Family(*key, tuple(members)) for key, members in groups.items()]


def family_tests(
    result: Correlations, family: Callable[[str], str] = family_of
) -> list[FamilyTest]:
    """Return the tests of all two families on a language pair, by a coefficient.

    Raises
    ------
    MissingExtraError
        If SciPy is not installed.
    """
    need_scipy("tests of families")
    from scipy.stats import mannwhitneyu

    groups: dict[tuple[str, str], list[Family]] = {}
    for each in families(result, family):
        groups.setdefault((each.langpair, each.coefficient), []).append(each)
    tests = []
    for (langpair, coefficient), members in groups.items():
        for a, b in combinations(members, 2):
            better = None
            if min(a.values) > max(b.values):
                better = a.name
            elif min(b.values) > max(a.values):
                better = b.name
            u, p = 0.5 * len(a.values) * len(b.values), 1.0
            if len({*a.values, *b.values}) > 1:  # all equal would divide by zero
                test = mannwhitneyu(a.values, b.values)
                u, p = float(test.statistic), float(test.pvalue)
            tests.append(
                FamilyTest(langpair, coefficient, a.name, b.name, better, u, p)
            )
    return tests
