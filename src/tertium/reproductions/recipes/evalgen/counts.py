# SPDX-License-Identifier: Apache-2.0
"""Nieminen 2018: counts of edits, error profiles, scores, and BLEU-n.

From the printed counts, and on imitations of the eight systems.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise

import numpy as np

from tertium._seed import SEED
from tertium.grammars.analysis.differences import score_of
from tertium.grammars.analysis.systems import cost_of, taxonomy_counts
from tertium.grammars.search.edits import PROFILES, EditCosts, Kind
from tertium.grammars.sets.growth import Growth, bleu_growth
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome
from tertium.reproductions.recipes.evalgen.imitations import testset
from tertium.reproductions.recipes.evalgen.systems import (
    MATERIAL,
    imitated,
    order_of,
    printed_counts,
    rank_alike,
    result_of_imitations,
    seen_counts,
)
from tertium.stats import pearson, spearman

__all__ = ["LENGTH", "edit_counts", "growth", "profiles", "system_scores"]

#: Tokens of all chosen references together, fitted with the default costs to table 4:
#: the thesis prints no length.
LENGTH = 4067
_NMT = ("NMT-1", "NMT-2")
_GROUPS = {
    "NMT": _NMT,
    "RBMT": ("RBMT-1", "RBMT-2"),
    "SMT": ("SMT-1", "SMT-2"),
    "MT": ("MT-1", "MT-2"),
}
_ONLINE = {"NMT-2", "SMT-2", "MT-1", "MT-2"}
_OUTLIER = "SMT-1"
_PRINTED, _HERE = "printed counts", "imitations"
_SIZES = (1, 3, 10, 30, 100, 300, 1000, 1660)
#: Not a seed of the imitations, which would be compared with what they were made of.
_OTHER_SEED = SEED + 1000

Counts = Mapping[str, Mapping[Kind, int]]


def edit_counts(exhibit: Exhibit, _: Data) -> Outcome:
    """Figure 8: how many errors of every kind are found again."""
    put = {name: one.kinds for name, one in imitated().items()}
    seen = seen_counts()
    cells = [
        Cell(row, system, seen[system][Kind[row.upper()]], against=system)
        for row, values in exhibit.published.items()
        for system in values
    ]
    printed = printed_counts()
    missing = sum(printed[s][k] - put[s][k] for s in printed for k in printed[s])
    total = sum(sum(counts.values()) for counts in printed.values())
    kinds = [(system, kind) for system in printed for kind in printed[system]]
    alike = spearman(
        [float(put[system][kind]) for system, kind in kinds],
        [float(seen[system][kind]) for system, kind in kinds],
    )
    rank = rank_alike(
        {name: sum(counts.values()) for name, counts in printed.items()},
        {name: seen[name].total() for name in printed},
    )
    joins = {name: seen[name][Kind.COMP_LEMMA_JOIN] for name in seen}
    claims = [
        Claim("errors of a kind are found in the proportions in which they were put "
              "in (ρ of .95 or more over kinds and systems)",
              alike is not None and alike >= 0.95,
              f"Spearman's ρ {alike:.3f}; {total - missing} of {total} errors had a "
              "place"),
        Claim("systems are ordered by their edits as published (ρ of .9 or more)",
              rank >= 0.9, f"Spearman's ρ {rank:.3f}"),
        Claim("compound joins reveal the system that does not join",
              joins["MT-1"] > sum(joins.values()) / 2,
              ", ".join(f"{name} {count}" for name, count in joins.items())),
        *_count_claims(printed),
    ]  # fmt: skip
    return Outcome(tuple(cells), tuple(claims))


def _count_claims(printed: Counts) -> list[Claim]:
    """Return what section 7.2.5 says about the printed counts."""
    joining = {name for name, kinds in printed.items() if kinds[Kind.COMP_LEMMA_JOIN]}
    forms = {name: _inflectional(kinds) for name, kinds in printed.items()}
    rules = [forms[name] for name in (*_NMT, *_GROUPS["RBMT"])]
    others = [forms[name] for name in (*_GROUPS["SMT"], *_GROUPS["MT"])]
    totals = {name: sum(kinds.values()) for name, kinds in printed.items()}
    order = sorted(totals, key=lambda name: totals[name])
    checked = ("word order", "incorrect noun case", "other incorrect form",
               "missing words", "extra words")  # fmt: skip
    best = [name for name in checked if _lowest(printed, name) == "NMT"]
    return [
        Claim("printed counts: the NMT systems have the fewest edits",
              set(order[:2]) == set(_NMT), ", ".join(order)),
        Claim("printed counts: NMT is best in most respects but lexical choice, "
              "substitutions and unknown words", 2 * len(best) > len(checked),
              f"lowest mean in {', '.join(best)}"),
        Claim("printed counts: compounds are written apart by online systems only",
              joining == _ONLINE, ", ".join(sorted(joining))),
        Claim("printed counts: RBMT and NMT need fewer inflectional edits than all "
              "others", max(rules) < min(others),
              ", ".join(f"{name} {count}" for name, count in forms.items())),
    ]  # fmt: skip


def _lowest(printed: Counts, category: str) -> str:
    def mean(group: str) -> float:
        names = _GROUPS[group]
        return sum(taxonomy_counts(printed[name])[category] for name in names)

    return min(_GROUPS, key=mean)


def profiles(_: Exhibit, __: Data) -> Outcome:
    """Figure 9: the coordinates of its four plots."""
    cells, points = [], {}
    parts: dict[str, Counts] = {_PRINTED: printed_counts(), _HERE: seen_counts()}
    for part, counts in parts.items():
        points[part] = {name: _profile(kinds) for name, kinds in counts.items()}
        cells += [
            Cell(name, column, value, part=part)
            for name, profile in points[part].items()
            for column, value in profile.items()
        ]
    claims = []
    for part, rows in points.items():
        claims += _profile_claims(part, rows)
    first = points[_PRINTED]
    for column in next(iter(first.values())):
        alike = rank_alike(
            {name: row[column] for name, row in first.items()},
            {name: row[column] for name, row in points[_HERE].items()},
        )
        claims.append(
            Claim(
                f"{column}: imitations are ordered as the systems (ρ of .9 or more)",
                alike >= 0.9,
                f"Spearman's ρ {alike:.3f}",
            )
        )
    return Outcome(tuple(cells), tuple(claims))


def _profile_claims(part: str, rows: Mapping[str, Mapping[str, int]]) -> list[Claim]:
    inner = [name for name in rows if name != _OUTLIER]

    def related(x: str, y: str, names: list[str]) -> float:
        value = pearson(
            [float(rows[name][x]) for name in names],
            [float(rows[name][y]) for name in names],
        )
        return 0.0 if value is None else value

    trade = related("inflectional", "lexical", inner)
    both = related("insertions", "deletions", list(rows))
    loss = {name: row["insertions and deletions"] for name, row in rows.items()}
    order = sorted(loss, key=lambda name: loss[name])
    return [
        Claim(f"{part}: fewer inflectional errors go with more lexical ones, without "
              f"{_OUTLIER}", trade < 0, f"Pearson's r {trade:+.2f}"),
        Claim(f"{part}: insertions and deletions do not trade off", both >= 0,
              f"Pearson's r {both:+.2f}"),
        Claim(f"{part}: the NMT systems have the fewest insertions and deletions",
              set(order[:2]) == set(_NMT), ", ".join(order)),
    ]  # fmt: skip


def _profile(kinds: Mapping[Kind, int]) -> dict[str, int]:
    lexical = int(taxonomy_counts(kinds)["wrong lexical choice"])
    inserted, deleted = kinds.get(Kind.INSERT, 0), kinds.get(Kind.DELETE, 0)
    return {
        "inflectional": _inflectional(kinds),
        "lexical": lexical,
        "insertions": inserted,
        "deletions": deleted,
        "insertions and deletions": inserted + deleted,
        "substitutions": kinds.get(Kind.SUB, 0),
        "moves": kinds.get(Kind.MOVE, 0),
    }


def _inflectional(kinds: Mapping[Kind, int]) -> int:
    return kinds.get(Kind.CASESHIFT, 0) + kinds.get(Kind.LEMMA_SUB, 0)


def system_scores(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 4: scores from the printed counts, and of the imitations."""
    printed = {name: row["EvalGen"] for name, row in exhibit.published.items()}
    scores = _printed_scores(PROFILES["default"])
    cells = [
        Cell(name, "EvalGen", scores[name], against="EvalGen", part=_PRINTED)
        for name in printed
    ]
    result, grown = result_of_imitations(), _growth()
    ours = {}
    for name in printed:
        system = result.system(name)
        low, high = system.interval or (None, None)
        ours[name] = system.score
        cells.append(Cell(name, "EvalGen", system.score, low, high, part=_HERE))
        cells += [
            Cell(name, f"BLEU-{size}", value, part=_HERE)
            for size, value in zip(grown.sizes, grown.scores[name], strict=True)
            if f"BLEU-{size}" in exhibit.published[name]
        ]
    worst = max(abs(scores[name] - value) for name, value in printed.items())
    alike = rank_alike(printed, ours)
    table = _printed_scores(PROFILES["thesis-table"])
    order = order_of(printed)
    last = {
        "printed BLEU-1660": {n: -r["BLEU-1660"] for n, r in exhibit.published.items()},
        "BLEU-1660 of the imitations": {n: -grown.scores[n][-1] for n in printed},
    }
    claims = [
        Claim("the printed counts give the printed order", order_of(scores) == order,
              ", ".join(order_of(scores))),
        Claim("the printed counts give the printed scores within .01", worst <= 0.01,
              f"largest difference {worst:.4f}, {LENGTH} reference tokens fitted"),
        Claim("the costs of section 6.3.3 give the printed order as well",
              order_of(table) == order, ", ".join(order_of(table)), False),
        Claim("the imitations are ordered as the systems (ρ of .9 or more)",
              alike >= 0.9, f"Spearman's ρ {alike:.3f}: {', '.join(order_of(ours))}"),
        Claim("the imitated NMT systems are first, SMT-1 is last",
              set(order_of(ours)[:2]) == set(_NMT) and order_of(ours)[-1] == _OUTLIER,
              ", ".join(f"{name} {ours[name]:.3f}" for name in order_of(ours))),
    ]  # fmt: skip
    for name, values in last.items():
        rho = rank_alike(printed, values)
        claims.append(
            Claim(
                f"{name} does not order the systems as EvalGen does",
                order_of(values) != order,
                f"Spearman's ρ {rho:.3f}",
                name.startswith("printed"),
            )
        )
    return Outcome(tuple(cells), tuple(claims))


def growth(_: Exhibit, __: Data) -> Outcome:
    """Figure 11: BLEU against more and more references."""
    grown = _growth()
    curves = tuple(
        Curve(name, tuple(zip(map(float, grown.sizes), values, strict=True)))
        for name, values in grown.scores.items()
    )
    rising = [
        name
        for name, values in grown.scores.items()
        if all(a < b for a, b in pairwise(values))
    ]
    mean = np.mean(list(grown.scores.values()), axis=0)
    early = float(mean[grown.sizes.index(100)] - mean[0])
    late = float(mean[-1] - mean[0])
    claims = (
        Claim("BLEU of every system rises with every step",
              len(rising) == len(curves), f"{len(rising)} of {len(curves)} systems"),
        Claim("most of the rise comes with the first hundred references",
              early > late / 2, f"{early:.1f} of {late:.1f} points"),
        Claim("with one reference BLEU is below 10 for every system: a random "
              "paraphrase is a bad reference",
              max(v[0] for v in grown.scores.values()) < 10,
              f"highest {max(v[0] for v in grown.scores.values()):.1f}"),
    )  # fmt: skip
    return Outcome(claims=claims, curves=curves, axis="references per segment")


def _printed_scores(costs: EditCosts) -> dict[str, float]:
    return {
        name: score_of(cost_of(kinds, costs), LENGTH)
        for name, kinds in printed_counts().items()
    }


@cache
def _growth() -> Growth:
    return bleu_growth(
        {name: one.outputs for name, one in imitated().items()},
        [segment.automaton for segment in testset(MATERIAL).reference_sets()],
        sizes=_SIZES,
        seed=_OTHER_SEED,
    )
