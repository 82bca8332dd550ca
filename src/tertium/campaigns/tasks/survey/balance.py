# SPDX-License-Identifier: Apache-2.0
"""What questionnaires are made of, and whether they are alike.

Quality is that of McCaffery 2017, 6.3.5, as far as it is known before anybody judged:
of a permutation its degree, 1 for the least and 0 for the largest; of a hypothesis
chrF; ranks by others, such as WMT's, are shown separately, as not all are ranked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.campaigns.tasks.survey.building import Built
from tertium.campaigns.tasks.survey.sampled import (
    HYPOTHESIS,
    NOTES,
    SampledItem,
    in_order,
)
from tertium.judgements.adjustment.normalise import degree_score
from tertium.stats.correlation import pearson, spearman

__all__ = ["Sheet", "imbalances", "quality", "report", "sheets"]

_FAR = 3.0  # standard errors from all questionnaires before one stands out


def quality(item: SampledItem, *, largest: int = 18) -> float:
    """Return how good an item should be, from 0 to 1."""
    if item.made is None:
        return item.pair.quality
    return degree_score(min(item.made.degree, largest), largest=max(2, largest))


@dataclass(frozen=True)
class Sheet:
    """A questionnaire: its number, and its items in their order."""

    number: int
    items: Sequence[SampledItem]


def sheets(built: Built, *, seed: int) -> list[Sheet]:
    """Return the questionnaires as participants see them."""
    return [
        Sheet(
            number,
            in_order(
                [*built.shared, *items],
                lambda item: item.pair.segment,
                seed=seed,
                number=number,
            ),
        )
        for number, items in enumerate(built.own, 1)
    ]


def report(built: Built, *, seed: int, largest: int = 18) -> str:
    """Return the composition of questionnaires in words, for people."""
    made = sheets(built, seed=seed)
    size = len(made[0].items) if made else 0
    different = sum(1 for _ in built.items())
    head = (
        f"{_many(len(made), 'questionnaire')} of {_many(size, 'item')}, "
        f"{len(built.shared)} of them shared; {_many(different, 'different item')}"
    )
    lines = [head, _sampled(built)]
    lines += _table(built)
    lines += [f"note: {note}" for note in built.notes]
    if built.pool.misparsed:
        lines.append(
            f"note: {_many(built.pool.misparsed, 'tree')} of another text left out"
        )
    items = [item for item, _ in built.items()]
    lines.append(_lengths(items))
    lines += [*_ranked(items), *_noted(built.shared)]
    lines.append("source languages: " + _shares(item.pair.language for item in items))
    warnings = imbalances(made, largest=largest)
    lines += [f"unbalanced: {what}" for what in warnings]
    if not warnings:
        lines.append("balance: no questionnaire and no position stands out")
    return "\n".join(lines) + "\n"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _sampled(built: Built) -> str:
    counts = Counter(built.pool.corpora.values())
    each = ", ".join(
        f"{_many(n, 'sentence')} of each of {_many(times, 'system corpus')}"
        for n, times in sorted(counts.items())
    ).replace("corpuss", "corpora")
    return f"sampled: {each}"


def _table(built: Built) -> list[str]:
    columns = [HYPOTHESIS, *built.kinds]
    rows = [("shared", [Counter(item.kind for item in built.shared)])]
    rows.append(("own", [Counter(item.kind for item in items) for items in built.own]))
    lines = ["        " + "  ".join(columns)]
    for name, counts in rows:
        cells = [
            _span([one[column] for one in counts]).rjust(len(column))
            for column in columns
        ]
        lines.append(f"{name:<8}" + "  ".join(cells))
    return lines


def _span(numbers: Sequence[int]) -> str:
    if not numbers:
        return "0"
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low}-{high}"


def _lengths(items: Sequence[SampledItem]) -> str:
    ours = [float(len(item.pair.reference.split())) for item in items]
    theirs = [float(len(item.text.split())) for item in items]
    r = pearson(ours, theirs) if len(items) > 1 else None
    shown = "n/a" if r is None else f"{r:.2f}"
    return (
        f"lengths: {_mean(theirs):.1f} words shown, {_mean(ours):.1f} of references, "
        f"r = {shown}"
    )


def _ranked(items: Sequence[SampledItem]) -> list[str]:
    hypotheses = [item.pair for item in items if item.made is None]
    ranks = [pair.rank for pair in hypotheses if pair.rank is not None]
    if not ranks:
        return []
    share = 100 * len(ranks) / len(hypotheses)
    return [
        f"ranks: {share:.0f} % of hypotheses have one, {_mean(ranks):.2f} on average"
    ]


def _noted(shared: Sequence[SampledItem]) -> list[str]:
    lines = []
    for note in NOTES:
        if values := [item.notes[note] for item in shared if note in item.notes]:
            lines.append(f"noted {note} of shared items: {_shares(values)}")
    return lines


def _shares(names: Iterable[str]) -> str:
    counts = Counter(name or "unknown" for name in names)
    total = sum(counts.values())
    return ", ".join(
        f"{name} {100 * n / total:.0f} %" for name, n in counts.most_common()
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def imbalances(made: Sequence[Sheet], *, largest: int = 18) -> list[str]:
    """Return in words what stands out in questionnaires.

    A mean of one questionnaire stands out when it is three standard errors from that
    of all; a trend over positions when Spearman's rho is. With dozens of
    questionnaires sampled at random, neither happens often by chance.
    """
    warnings = []

    def worth(item: SampledItem) -> float:
        return quality(item, largest=largest)

    sides: Mapping[str, Callable[[SampledItem], float | None]] = {
        "length of hypotheses": lambda i: None if i.made else _words(i),
        "quality of hypotheses": lambda i: None if i.made else worth(i),
        "ranks of hypotheses": lambda i: None if i.made else i.pair.rank,
        "degree of permutations": lambda i: float(i.made.degree) if i.made else None,
    }
    for name, side in sides.items():
        warnings += _outliers(made, name, side)
    warnings += _languages(made)
    placed = [
        (float(place), worth(item))
        for sheet in made
        for place, item in enumerate(sheet.items, 1)
    ]
    rho = spearman(*map(list, zip(*placed, strict=True))) if len(placed) > 2 else None
    if rho is not None and abs(rho) > _FAR / math.sqrt(len(placed) - 1):
        warnings.append(f"quality changes with the position (rho {rho:.2f})")
    return warnings


def _words(item: SampledItem) -> float:
    return float(len(item.text.split()))


def _outliers(
    made: Sequence[Sheet], name: str, side: Callable[[SampledItem], float | None]
) -> list[str]:
    values = {
        sheet.number: [v for item in sheet.items if (v := side(item)) is not None]
        for sheet in made
    }
    every = [value for sample in values.values() for value in sample]
    if len(every) < 2:
        return []
    middle = _mean(every)
    spread = math.sqrt(
        math.fsum((value - middle) ** 2 for value in every) / (len(every) - 1)
    )
    warnings = []
    for number, sample in values.items():
        if not sample or not spread:
            continue
        far = (_mean(sample) - middle) / (spread / math.sqrt(len(sample)))
        if abs(far) > _FAR:
            warnings.append(
                f"{name} in questionnaire {number} is {_mean(sample):.2f}, "
                f"{middle:.2f} in all"
            )
    return warnings


def _languages(made: Sequence[Sheet]) -> list[str]:
    names = {item.pair.language for sheet in made for item in sheet.items}
    warnings = []
    for name in sorted(names) if len(names) > 1 else ():
        warnings += _outliers(
            made,
            f"share of {name}",
            lambda item, name=name: float(item.pair.language == name),  # type: ignore[misc]
        )
    return warnings
