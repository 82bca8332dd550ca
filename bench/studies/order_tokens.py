# SPDX-License-Identifier: Apache-2.0
"""Which tokeniser should word-order metrics use? Measured by human judgements.

    python -m bench order_tokens [--years 12 15 16] [--write]

For every tokeniser: segment-level Kendall tau (ties of people and of the metric left
out), the share of ties, system-level Pearson correlation with the share of comparisons
that a system won, both averaged over language pairs, and the seconds that all metrics
together took. Metrics have their default settings but for the tokeniser. With --write
the table goes to bench/ORDER_TOKENS.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import tertium
from bench import wmt
from tertium.data.batch import Batch

TOKENIZERS = ("none", "13a", "words")
METRICS = (
    "kendall",
    "spearman",
    "hamming",
    "ulam",
    "fuzzy",
    "recpef",
    "pef",
    "lrscore",
    "dted:variant=fc",
    "dted:variant=fco",
    "derp:flat=yes",
    "headword-chain:flat=yes",
    "dependency-f:flat=yes",
    "aligned-percentage",
    "link-tau",
)

HEAD = """\
# Tokenisers of word order metrics

Printed by

    python -m bench order_tokens --write

on WMT12, 15 and 16, all language pairs with texts and judgements. `none` cuts at white
space, so that `cat.` and `cat` are two words; `13a` is mteval's, and makes punctuation
marks words; `words`, the default, leaves them out, in any script. *τ* is the
segment-level Kendall τ without ties of people or of the metric, *ties* the share of
comparisons that the metric tied, *r* the system-level Pearson correlation with the
share of comparisons that a system won; all are means over language pairs. Metrics have
their default settings; nothing was tuned on these figures.
"""


@dataclass
class Figures:
    """What one metric with one tokeniser gave, one figure a language pair."""

    taus: list[float] = field(default_factory=list)
    ties: list[float] = field(default_factory=list)
    systems: list[float] = field(default_factory=list)


def with_tokenizer(spec: str, name: str) -> str:
    """Return the spec with a tokeniser."""
    return f"{spec}{',' if ':' in spec else ':'}tokenize={name}"


def won(judged: wmt.Judged) -> dict[str, float]:
    """Return the share of its comparisons that every system won."""
    wins = Counter(better for _, better, _ in judged.preferred)
    losses = Counter(worse for _, _, worse in judged.preferred)
    return {
        name: wins[name] / (wins[name] + losses[name])
        for name in judged.systems
        if wins[name] + losses[name]
    }


def measure(judged: wmt.Judged, name: str, table: dict[str, Figures]) -> float:
    """Add the figures of a language pair, and return the seconds that they took."""
    human = won(judged)
    taken = 0.0
    for spec in METRICS:
        metric = tertium.metric(with_tokenizer(spec, name))
        start = time.perf_counter()
        rows = metric.rows(Batch(judged.systems.values(), judged.references))
        taken += time.perf_counter() - start
        scores = {
            system: metric.from_statistics(value)
            for system, value in zip(judged.systems, rows, strict=True)
        }
        total = {
            system: metric.from_statistics(value.sum(axis=0))
            for system, value in zip(judged.systems, rows, strict=True)
        }
        tau, ties = wmt.tau(judged, scores)
        value = table[spec]
        value.taus.append(tau)
        value.ties.append(ties)
        pair = np.corrcoef([human[s] for s in human], [total[s] for s in human])
        value.systems.append(float(pair[0, 1]))
    return taken


def layout(tables: dict[str, dict[str, Figures]], seconds: dict[str, float]) -> str:
    """Return the table, best figures of a metric in bold."""
    head = ["metric"]
    for what in ("τ", "ties", "r"):
        head += [f"{what} {name}" for name in tables]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for spec in METRICS:
        cells = []
        for key in ("taus", "ties", "systems"):
            means = [
                float(np.mean(getattr(tokenizer_figures[spec], key)))
                for tokenizer_figures in tables.values()
            ]
            shown = [f"{m:.1%}" if key == "ties" else f"{m:.3f}" for m in means]
            best = max(shown) if key != "ties" else ""
            cells += [f"**{text}**" if text == best else text for text in shown]
        lines.append("| " + " | ".join([f"`{spec}`", *cells]) + " |")
    means = []
    for key in ("taus", "ties", "systems"):
        for tokenizer_figures in tables.values():
            mean = np.mean(
                [
                    np.mean(getattr(figures, key))
                    for figures in tokenizer_figures.values()
                ]
            )
            means.append(f"{mean:.1%}" if key == "ties" else f"{mean:.3f}")
    lines.append("| mean | " + " | ".join(means) + " |")
    sets = len(next(iter(next(iter(tables.values())).values())).taus)
    took = ", ".join(
        f"`{name}` {tokenizer_figures / seconds[TOKENIZERS[0]]:.2f}"
        for name, tokenizer_figures in seconds.items()
    )
    note = (
        f"{sets} language pairs. Time of all metrics together, relative to "
        f"`{TOKENIZERS[0]}`: {took}."
    )
    return "\n".join([*lines, "", note, ""])


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--years", nargs="+", default=["12", "15", "16"])
    parser.add_argument("--pairs", nargs="+", help="only these language pairs")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args(argv)
    tables = {name: {spec: Figures() for spec in METRICS} for name in TOKENIZERS}
    seconds = dict.fromkeys(TOKENIZERS, 0.0)
    for year in args.years:
        for pair in wmt.pairs_of(year):
            if args.pairs and pair not in args.pairs:
                continue
            judged = wmt.read(year, pair)
            for name in TOKENIZERS:
                seconds[name] += measure(judged, name, tables[name])
            sys.stderr.write(f"{year} {pair}\n")
    text = layout(tables, seconds)
    print(text)
    if args.write:
        path = Path(__file__).parents[1] / "ORDER_TOKENS.md"
        path.write_text(f"{HEAD}\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
