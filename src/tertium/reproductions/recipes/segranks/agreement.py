# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014, section 2.2.1: how far annotators agree.

The judgements of segments are not public here, so kappas are those of people who ranked
sentences in WMT12, 15 and 16, and those of simulated judges in a campaign of the same
size, which show how much chance there is in the printed ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from tertium._seed import SEED
from tertium.judgements import Judgements, Ranking
from tertium.judgements.agreement.kappa import Kappa
from tertium.judgements.agreement.pooled import Agreement, pooled_agreement
from tertium.reproductions.data import Data, read_table
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.segranks.world import annotate, world
from tertium.stats.resample import Bootstrap

__all__ = ["annotators", "kappas"]

OURS, WMT = "our method", "Bojar et al. (2014)"
INTRA, INTER = "intra-annotator κ", "inter-annotator κ"
#: Campaigns of simulated judges who are all equally reliable.
CAMPAIGNS = 20


def kappas(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 2.2: kappas of segments and of sentences."""
    simulated = _campaign(data.path("wmt12").parent, SEED)
    cells = _kappa_cells(simulated, "simulated judges", OURS, "simulated campaign")
    sets = {
        f"WMT{year} en-cs": pooled_agreement(
            _rankings(data, year), bootstrap=Bootstrap(resamples=500)
        )
        for year in ("12", "15", "16")
    }
    for name, agreement in sets.items():
        cells += _kappa_cells(agreement, name, WMT, "people, whole sentences")
    gaps = {
        row: exhibit.published[row][OURS] - exhibit.published[row][WMT]
        for row in (INTRA, INTER)
    }
    widths = {INTRA: _half(simulated.intra), INTER: _half(simulated.inter)}
    pairs = {name: (_value(a.intra), _value(a.inter)) for name, a in sets.items()}
    short, long = _by_length(data)
    claims = [
        Claim("people agree more with themselves than with others",
              all(intra > inter for intra, inter in pairs.values()),
              "; ".join(f"{n}: {a:.3f} and {b:.3f}" for n, (a, b) in pairs.items())),
        *(
            Claim(f"the printed gap of the {row} between segments and sentences is "
                  "wider than the half-width of a campaign of that size",
                  gaps[row] > widths[row], f"{gaps[row]:.3f} against {widths[row]:.3f}")
            for row in gaps
        ),
        Claim("people agree more on short sentences than on long ones (shortest and "
              "longest third, WMT12 en-cs)", short > long,
              f"κ {short:.3f} and {long:.3f}"),
    ]  # fmt: skip
    return Outcome(tuple(cells), tuple(claims))


def annotators(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 2.3: what every annotator did."""
    rows = {name: row for name, row in exhibit.published.items() if name != "Total"}
    total = exhibit.published["Total"]
    cells = [
        Cell(
            name, "s per segment", _seconds(row) / row["n_seg"], against="s per segment"
        )
        for name, row in exhibit.published.items()
    ]
    segments, sentences = (
        sum(row[column] for row in rows.values()) for column in ("n_seg", "n_sent")
    )
    ranges = _ranges(data.path("wmt12").parent)
    claims = [
        Claim("segments of all annotators add up to the total",
              segments == total["n_seg"], f"{segments:.0f}"),
        Claim("sentences of all annotators add up to at least the total, as some were "
              "ranked by two", sentences >= total["n_sent"],
              f"{sentences:.0f} against {total['n_sent']:.0f}"),
    ]  # fmt: skip
    for column, draws in ranges.items():
        known = [row[column] for row in rows.values() if column in row]
        printed = max(known) - min(known)
        high = float(np.percentile(draws, 97.5))
        claims.append(
            Claim(
                f"{column} differs more between annotators than between equally "
                "reliable ones by chance (range)",
                printed > high,
                f"{printed:.3f} against {high:.3f} in 97.5 % of simulated campaigns",
            )
        )
    claims.append(_pace(data, [row["s per segment"] for row in rows.values()]))
    return Outcome(tuple(cells), tuple(claims))


# --------------------------------------------------------------------------- parts


def _kappa_cells(
    agreement: Agreement, column: str, against: str, part: str
) -> list[Cell]:
    cells = []
    for row, kappa in ((INTRA, agreement.intra), (INTER, agreement.inter)):
        low, high = kappa.interval or (None, None)
        cells.append(Cell(row, column, _value(kappa), low, high, against, part))
    return cells


def _value(kappa: Kappa) -> float:
    return kappa.value or 0.0


def _half(kappa: Kappa) -> float:
    low, high = kappa.interval or (0.0, 0.0)
    return (high - low) / 2


def _seconds(row: Mapping[str, float]) -> float:
    return 60 * (60 * (24 * row["days"] + row["h"]) + row["min"]) + row["s"]


@cache
def _campaign(folder: Path, seed: int) -> Agreement:
    """Return kappas of 17 simulated judges; only sentences ranked twice count."""
    sizes = _sizes()
    parts = world(Data(folder)).parts
    rankings = annotate(parts, sizes, seed=seed, only_repeated=True)
    bootstrap = Bootstrap(resamples=500) if seed == SEED else None
    return pooled_agreement(Judgements.from_iterable(rankings), bootstrap=bootstrap)


@cache
def _sizes() -> tuple[int, ...]:
    """Return how many sentences each annotator ranked, as printed."""
    from tertium.reproductions.documents import find_exhibits

    (exhibit,) = find_exhibits(["segranks/table-2.3"])
    rows = exhibit.published.items()
    return tuple(round(row["n_sent"]) for name, row in rows if name != "Total")


@cache
def _ranges(folder: Path) -> dict[str, list[float]]:
    """Return how far kappas of equally reliable judges are apart, by campaign."""
    ranges: dict[str, list[float]] = {"κ intra": [], "κ inter": []}
    for seed in range(1, CAMPAIGNS + 1):
        judges = _campaign(folder, seed).judges.values()
        for column, kappas_ in (
            ("κ intra", [one.intra.value for one in judges]),
            ("κ inter", [one.inter.value for one in judges]),
        ):
            known = [value for value in kappas_ if value is not None]
            ranges[column].append(max(known) - min(known))
    return ranges


def _rankings(data: Data, year: str) -> Judgements:
    folder = data.path(f"wmt{year}")
    file = "wmt12.RNK_results.csv.gz" if year == "12" else "en-cs.rankings.tsv.gz"
    return Judgements.read(folder / file, langpair="en-cs")


def _by_length(data: Data) -> tuple[float, float]:
    """Return kappa between judges on the shortest and longest third of sentences."""
    table = read_table(data.path("wmt12") / "en-cs.tsv.gz")
    words = {row["seg"]: len(row["source"].split()) for row in table}
    low, high = np.percentile(list(words.values()), (100 / 3, 200 / 3))
    rankings = [
        one
        for one in _rankings(data, "12").iterate("rankings")
        if isinstance(one, Ranking) and one.segment in words
    ]
    short = [one for one in rankings if words[one.segment] <= low]
    long = [one for one in rankings if words[one.segment] > high]
    values = [
        _value(pooled_agreement(Judgements.from_iterable(p)).inter)
        for p in (short, long)
    ]
    return values[0], values[1]


def _pace(data: Data, printed: Sequence[float]) -> Claim:
    """Return whether judges of WMT15 differ in pace as much as those of the thesis."""
    seconds: dict[str, list[float]] = {}
    for one in _rankings(data, "15").iterate("rankings"):
        if isinstance(one, Ranking) and one.judge and one.duration:
            seconds.setdefault(one.judge, []).append(min(one.duration, 600.0))
    means = [float(np.mean(times)) for times in seconds.values() if len(times) >= 20]
    if not means:
        return Claim("paces of judges differ", holds=False, detail="no times are known")
    return Claim(
        "the slowest judge takes at least four times as long as the fastest, in print "
        "and in WMT15 en-cs, where sentences were ranked",
        all(max(part) >= 4 * min(part) for part in (means, printed)),
        f"{min(means):.0f} to {max(means):.0f} s per ranking, {len(means)} judges; "
        f"printed: {min(printed):.0f} to {max(printed):.0f} s per segment",
    )
