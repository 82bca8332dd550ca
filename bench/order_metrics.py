# SPDX-License-Identifier: Apache-2.0
"""Do metrics of word order agree with people? In the layout of the papers.

    python bench/order_metrics.py [--years 12 14 15 16] [--match exact+stem]
    python bench/order_metrics.py --structured 200 --parser udpipe --model PATH

Sentence-level Kendall tau (ties of people and of the metric excluded) of flat and
recursive order metrics, each mixed half and half with BLEU-1 as in Stanojević and
Sima'an 2014, tables 1-3 (which used WMT13: the figures differ, the pattern should
hold); then of DTED and DERP, flattened and, on a sample, with a real parser. Nothing
is tuned on these numbers. With --write the tables go to bench/ORDER.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import tertium
from bench import wmt

FULL = "alpha=0.5,lexical=bleu1,brevity=yes"
ORDER = {
    "RECPEF": f"recpef:beta=0.6,{FULL}",
    "KENDALL": f"kendall:{FULL}",
    "SPEARMAN": f"spearman:{FULL}",
    "RECPET": f"recpet:beta=0.6,{FULL}",
    "ULAM": f"ulam:{FULL}",
    "FUZZY": f"fuzzy:{FULL}",
    "HAMMING": f"hamming:{FULL}",
}
FLAT = {
    "fb DTED": "dted:variant=b,flat=yes",
    "fc DTED": "dted:variant=c,flat=yes",
    "fco DTED": "dted:variant=co,flat=yes",
    "fcl DTED": "dted:variant=cl,flat=yes",
    "fDERP": "derp:flat=yes",
    "Aligned": "aligned-percentage",
    "METEOR": "meteor:normalize=no",
    "chunking": "meteor-chunking:normalize=no",
}
TREES = {
    "b DTED": "dted:variant=b",
    "c DTED": "dted:variant=c",
    "co DTED": "dted:variant=co",
    "cl DTED": "dted:variant=cl",
    "DERP": "derp",
    "HWCM": "headword-chain",
    "dep F": "dependency-f",
}

#: Average tau on WMT13 as published (Stanojević and Sima'an 2014, table 3).
PUBLISHED = {
    "RECPEF": 0.2041,
    "KENDALL": 0.2016,
    "SPEARMAN": 0.2010,
    "RECPET": 0.2008,
    "ULAM": 0.1996,
    "FUZZY": 0.1963,
    "HAMMING": 0.1853,
}


def scores(judged: wmt.Judged, spec: str) -> dict[str, Sequence[float]]:
    """Return the segment scores of every system."""
    rows = tertium.metric(spec).statistics_many(
        list(judged.systems.values()), judged.references
    )
    metric = tertium.metric(spec)
    return {
        name: metric.from_statistics(own)
        for name, own in zip(judged.systems, rows, strict=True)
    }


def measure(
    sets: Sequence[wmt.Judged], specs: dict[str, str], settings: str
) -> dict[str, list[float]]:
    """Return tau by metric, one figure a set."""
    table: dict[str, list[float]] = {name: [] for name in specs}
    for judged in sets:
        language = judged.pair.split("-")[1]
        for name, spec in specs.items():
            full = f"{spec}{',' if ':' in spec else ':'}" + settings.format(
                language=language
            )
            table[name].append(wmt.tau(judged, scores(judged, full))[0])
            print(f"  {judged.year} {judged.pair} {name}", end="\r", file=sys.stderr)
    return table


def average_ranks(table: dict[str, list[float]]) -> dict[str, float]:
    """Return the mean rank over sets, tied ranks averaged."""
    totals = dict.fromkeys(table, 0.0)
    columns = list(zip(*table.values(), strict=True))
    for column in columns:
        rounded = [round(value, 3) for value in column]  # as printed, as published
        for name, value in zip(table, rounded, strict=True):
            above = sum(other > value for other in rounded)
            same = sum(other == value for other in rounded)
            totals[name] += above + (same + 1) / 2
    return {name: total / len(columns) for name, total in totals.items()}


def layout(
    title: str, sets: Sequence[wmt.Judged], table: dict[str, list[float]]
) -> str:
    """Return a Markdown table, best metric first, the best figures in bold."""
    ranks = average_ranks(table)
    published = set(table) == set(PUBLISHED)
    head = ["metric", *(f"{s.pair}" for s in sets), "avg rank", "avg τ"]
    head += ["WMT13 avg τ"] * published
    best = [
        max(round(v, 3) for v in column) for column in zip(*table.values(), strict=True)
    ]
    lines = [f"### {title}", "", "| " + " | ".join(head) + " |"]
    lines.append("|---" + "|---:" * (len(head) - 1) + "|")
    for name in sorted(table, key=lambda n: (ranks[n], -sum(table[n]))):
        cells = [
            f"**{value:.3f}**" if round(value, 3) == top else f"{value:.3f}"
            for value, top in zip(table[name], best, strict=True)
        ]
        mean = sum(table[name]) / len(sets)
        row = [name, *cells, f"{ranks[name]:.2f}", f"{mean:.4f}"]
        row += [f"{PUBLISHED[name]:.4f}"] if published else []
        lines.append("| " + " | ".join(row) + " |")
    counts = ", ".join(f"{s.pair} {len(s.preferred):,}" for s in sets)
    return "\n".join([*lines, "", f"Human preferences: {counts}.", ""])


def verdict(table: dict[str, list[float]]) -> str:
    """Return plainly where the published pattern holds."""
    columns = list(zip(*table.values(), strict=True))
    names = list(table)
    first = last = above = 0
    for column in columns:
        value = dict(zip(names, (round(v, 3) for v in column), strict=True))
        first += value["RECPEF"] == max(value.values())
        last += value["HAMMING"] == min(value.values())
        above += value["RECPEF"] >= value["RECPET"]
    return (
        f"RECPEF is first or tied on {first} of {len(columns)} pairs (published: 8 of "
        f"10), HAMMING last on {last} (published: 10 of 10), RECPEF at least RECPET on "
        f"{above} (published: 9 of 10).\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--years", nargs="+", default=list(wmt.YEARS))
    parser.add_argument("--match", default="exact+stem")
    parser.add_argument("--tokenize", default="13a")
    parser.add_argument("--structured", type=int, default=0, metavar="SEGMENTS")
    parser.add_argument("--parser", default="udpipe")
    parser.add_argument("--model", default="")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    words = f"tokenize={args.tokenize},match={args.match},language={{language}}"
    parts = []
    for year in args.years:
        sets = [wmt.read(year, pair) for pair in wmt.pairs_of(year)]
        order = measure(sets, ORDER, words)
        parts.append(layout(f"WMT{year}, order metrics with BLEU-1", sets, order))
        parts.append(verdict(order))
        flat = measure(sets, FLAT, words)
        parts.append(layout(f"WMT{year}, flattened DTED and DERP", sets, flat))
        print("\n".join(parts[-3:]), flush=True)
        into = [s.cut(args.structured) for s in sets if s.pair.endswith("-en")]
        if args.structured and into:
            trees = f"parser={args.parser},model={args.model},match={args.match}"
            table = measure(into, TREES, f"{trees},language={{language}}")
            table |= measure(into, FLAT, words)
            title = f"WMT{year}, first {args.structured} judged segments, {args.parser}"
            parts.append(layout(title, into, table))
            print(parts[-1], flush=True)
    if args.write:
        text = f"# Word order metrics and people\n\n{__doc__}\n" + "\n".join(parts)
        (Path(__file__).parent / "ORDER.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
