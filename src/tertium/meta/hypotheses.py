# SPDX-License-Identifier: Apache-2.0
"""Hypotheses on variants of metrics, each in several configurations.

After McCaffery (2017, section 7.1): a variant is more reliable than another if its
worst configuration is above the best of the other; it is at least as accurate if the
ranges overlap.

EVAL
    A variant is above every variant of all other metrics.
STRUC
    A variant that uses dependency structure is above the flattened one.
CONF
    The choice of a configuration changes a variant's coefficient by no more than a
    standard deviation of all coefficients of DTED and DERP that use structure.
ORD
    A variant predicts one question at least as well as another.

Ranges decide, as in the thesis. The p-value of a hypothesis on two ranges is added
here: a sign-flip test of the differences between configurations that fit each other,
two-sided and exact up to 13 pairs. Four pairs cannot give less than 0.125.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from tertium.meta.families import FAMILIES, Family, families
from tertium.meta.results import Correlations
from tertium.meta.variants import flat_variant, variant_of

__all__ = ["Hypothesis", "hypotheses", "paired_p_value"]

_STRUCTURED = ("dted", "derp")  # metrics with flattened variants
_EXACT = 13  # differences whose signs are flipped in all ways
_TRIALS = 9999  # random flips of more of them


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis on a variant, and whether it holds.

    Parameters
    ----------
    kind : {"EVAL", "STRUC", "CONF", "ORD"}
    langpair, coefficient, a : str
        Of ORD, `langpair` is that of both questions.
    b : str, optional
        The variant that comes closest (EVAL), the flattened one (STRUC), the two
        questions (ORD); None for CONF.
    a_range : tuple of float
        The lowest and the highest configuration.
    b_range : tuple of float, optional
    margin : float
        By how much the ranges are apart, negative where they overlap: the lowest of a
        less the highest of b. Of ORD, by how much they overlap: the highest of a less
        the lowest of b. Of CONF the threshold less the spread.
    holds : bool
    threshold : float, optional
        Of CONF.
    pairs : int
        Configurations of a with one of b that fits it.
    p : float, optional
        Of the differences between them; None for fewer than two.
    """

    kind: str
    langpair: str
    coefficient: str
    a: str
    b: str | None
    a_range: tuple[float, float]
    b_range: tuple[float, float] | None
    margin: float
    holds: bool
    threshold: float | None = None
    pairs: int = 0
    p: float | None = None


def hypotheses(
    result: Correlations, questions: Mapping[str, tuple[str, str]] | None = None
) -> list[Hypothesis]:
    """Return the hypotheses that a result allows, for every coefficient.

    Parameters
    ----------
    result : Correlations
    questions : mapping of str to (str, str), optional
        By name in `result`, the language pair without the question, and the question;
        for ORD.
    """
    groups: dict[tuple[str, str], list[Family]] = {}
    for each in families(result, FAMILIES["variant"]):
        groups.setdefault((each.langpair, each.coefficient), []).append(each)
    out: list[Hypothesis] = []
    for variants in groups.values():
        out += [*_evaluated(variants), *_structured(variants), *_configured(variants)]
    return [*out, *_asked(groups, questions or {})]


def paired_p_value(differences: Sequence[float]) -> float | None:
    """Return the p-value of a two-sided sign-flip test of a mean of 0.

    Exact up to 13 differences. None for fewer than two, which show nothing.

    Examples
    --------
    >>> paired_p_value([0.1, 0.2, 0.05, 0.1])
    0.125
    """
    if len(differences) < 2:
        return None
    sample = np.array(differences, dtype=np.float64)
    if exact := len(sample) <= _EXACT:
        signs = np.array(list(product((1.0, -1.0), repeat=len(sample))))
    else:
        signs = np.random.default_rng(0).choice((1.0, -1.0), (_TRIALS, len(sample)))
    # As large as the sum itself, up to rounding.
    as_large = np.abs(signs @ sample) >= abs(sample.sum()) * (1 - 1e-9)
    if exact:
        return float(as_large.mean())
    return float((as_large.sum() + 1) / (_TRIALS + 1))


def _evaluated(variants: Sequence[Family]) -> Iterator[Hypothesis]:
    """Yield whether variants are above all of other metrics."""
    for each in variants:
        tool = variant_of(each.name).tool
        rivals = [other for other in variants if variant_of(other.name).tool != tool]
        if rivals:
            best = max(rivals, key=lambda rival: max(rival.values))
            yield _above("EVAL", each, best)


def _structured(variants: Sequence[Family]) -> Iterator[Hypothesis]:
    """Yield whether variants are above their flattened ones."""
    by_name = {each.name: each for each in variants}
    for each in variants:
        flat = by_name.get(flat_variant(each.name) or "")
        if flat is not None:
            yield _above("STRUC", each, flat)


def _configured(variants: Sequence[Family]) -> Iterator[Hypothesis]:
    """Yield whether the spread over configurations is small."""
    values = [
        value
        for each in variants
        if variant_of(each.name).tool in _STRUCTURED
        and flat_variant(each.name) is not None
        for value in each.values
    ]
    if len(values) < 2:
        return
    threshold = statistics.stdev(values)
    for each in variants:
        if len(each.values) > 1:
            low, high = _range(each)
            margin = threshold - (high - low)
            yield Hypothesis(
                "CONF",
                each.langpair,
                each.coefficient,
                each.name,
                None,
                (low, high),
                None,
                margin,
                margin >= 0,
                threshold,
            )


def _asked(
    groups: Mapping[tuple[str, str], Sequence[Family]],
    questions: Mapping[str, tuple[str, str]],
) -> Iterator[Hypothesis]:
    """Yield whether variants predict the first question as well as the second."""
    coefficients = dict.fromkeys(coefficient for _, coefficient in groups)
    for (first, second), coefficient in product(
        combinations(questions, 2), coefficients
    ):
        if questions[first][0] != questions[second][0]:
            continue
        base, question = questions[first]
        others = {each.name: each for each in groups.get((second, coefficient), ())}
        for each in groups.get((first, coefficient), ()):
            other = others.get(each.name)
            if other is None:
                continue
            differences = _differences(each, other)
            a_range, b_range = _range(each), _range(other)
            margin = a_range[1] - b_range[0]
            yield Hypothesis(
                "ORD",
                base,
                coefficient,
                each.name,
                f"{question}, {questions[second][1]}",
                a_range,
                b_range,
                margin,
                margin >= 0,
                None,
                len(differences),
                paired_p_value(differences),
            )


def _above(kind: str, a: Family, b: Family) -> Hypothesis:
    a_range, b_range = _range(a), _range(b)
    margin = a_range[0] - b_range[1]
    differences = _differences(a, b)
    return Hypothesis(
        kind,
        a.langpair,
        a.coefficient,
        a.name,
        b.name,
        a_range,
        b_range,
        margin,
        margin > 0,
        None,
        len(differences),
        paired_p_value(differences),
    )


def _range(family: Family) -> tuple[float, float]:
    return min(family.values), max(family.values)


def _differences(a: Family, b: Family) -> list[float]:
    """Return values of configurations of a, less those that fit them of b.

    A configuration fits another if they have the same settings; else the only one that
    differs in none, as that of a flattened variant, which needs no parser.
    """
    known = [(variant_of(each.metric), each.value) for each in b.members]
    out = []
    for each in a.members:
        variant = variant_of(each.metric)
        same = [v for o, v in known if o.configuration == variant.configuration]
        fitting = [v for o, v in known if variant.fits(o)]
        chosen = same or (fitting if len(fitting) == 1 else [])
        if chosen and each.value is not None and chosen[0] is not None:
            out.append(each.value - chosen[0])
    return out
