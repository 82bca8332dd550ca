# SPDX-License-Identifier: Apache-2.0
"""Nieminen 2018: imitations of its eight systems, which other recipes analyse.

The outputs are not public, but the numbers of errors are printed (figure 8). They are
put into references of our own templates, at random places; what the analysis makes of
them can be compared with what was put in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache, partial

from tertium._seed import SEED
from tertium.grammars.analysis import Evaluation
from tertium.grammars.search.edits import Kind
from tertium.grammars.search.words import Word
from tertium.reproductions.documents import find_exhibits
from tertium.reproductions.recipes.evalgen.imitations import (
    Imitation,
    Material,
    correct,
    imitate,
)
from tertium.stats import spearman

__all__ = [
    "GRAMMATICAL",
    "MATERIAL",
    "PATTERNS",
    "imitated",
    "order_of",
    "printed_counts",
    "rank_alike",
    "result_of_imitations",
    "seen_counts",
]

#: The test set: as many sentences as in the thesis.
MATERIAL = Material(500)
GRAMMATICAL = ("NOM", "GEN", "PAR")
#: Which wrong cases a system uses (section 7.2.7); the others use any.
PATTERNS = {
    "SMT-2": "top-heavy",
    "MT-1": "top-heavy",
    "MT-2": "top-heavy",
    "RBMT-1": "wedge",
    "RBMT-2": "wedge",
}
#: Lexicons cannot tell unknown words from words that they lack.
_SAME = {Kind.OUTDEL: Kind.UNKDEL, Kind.OUTSUB: Kind.UNKSUB}


def printed_counts() -> dict[str, dict[Kind, int]]:
    """Return system to kind to count, as printed (figure 8)."""
    (exhibit,) = find_exhibits(["evalgen/figure-8"])
    systems = next(iter(exhibit.published.values()))
    return {
        system: {
            Kind[row.upper()]: int(values[system])
            for row, values in exhibit.published.items()
        }
        for system in systems
    }


def _uses(pattern: str, hyp: Word, ref: Word) -> bool:
    """Return whether a pattern has a case shift."""
    used = {case for case, _ in hyp.cases}
    needed = {case for case, _ in ref.cases}
    grammatical = set(GRAMMATICAL)
    if pattern == "wedge":  # rare cases are not put for grammatical ones
        return used <= grammatical or not needed & grammatical
    return used <= grammatical


_WANTED = {pattern: partial(_uses, pattern) for pattern in ("top-heavy", "wedge")}


@cache
def imitated() -> dict[str, Imitation]:
    """Return the eight systems by name."""
    return {
        name: imitate(
            MATERIAL,
            kinds,
            seed=SEED + number,
            wanted=_WANTED.get(PATTERNS.get(name, "")),
        )
        for number, (name, kinds) in enumerate(printed_counts().items())
    }


@cache
def result_of_imitations() -> Evaluation:
    """Return their error analysis."""
    return correct(MATERIAL, {name: one.outputs for name, one in imitated().items()})


def seen_counts() -> dict[str, Counter[Kind]]:
    """Return the edits that the analysis sees, by system and kind."""
    seen = {}
    for system in result_of_imitations().systems:
        counts: Counter[Kind] = Counter()
        for kind, count in system.counts.items():
            counts[_SAME.get(kind, kind)] += count
        seen[system.name] = counts
    return seen


def order_of(scores: Mapping[str, float]) -> list[str]:
    """Return names, the lowest score first."""
    return sorted(scores, key=lambda name: (scores[name], name))


def rank_alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return Spearman's rho of two scores of the same systems."""
    value = spearman(
        [float(one[name]) for name in one], [float(other[name]) for name in one]
    )
    return 0.0 if value is None else value
