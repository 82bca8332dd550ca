# SPDX-License-Identifier: Apache-2.0
"""Tuning for stored segment judgements: hit rates and scores (Macháček 2014, 3.3.2).

    python -m bench segranks_tuning [--quick] [--write]

The thesis tunes a Moses system; here a toy decoder reranks. For every sentence of
newstest2012 English-Czech its hypotheses are the outputs of all systems, splices of
two of them at a common word, and damaged splices (words lost, exchanged, repeated, or
left in English, as an untuned decoder does it), with seven simple features. Weights
start at random. An iteration decodes with the current weights (the best 50 hypotheses),
merges the list with earlier ones, and tunes by MERT, until no list has a new
hypothesis, at most eight times.

Judgements are simulated: parts of the *reference* (3 to 6 words, cut by halving the
sentence, as the data have no trees), projected onto the outputs of ten systems by
monotone word links (equal words, and what stands between them). Their ranks come from
chrF with the part of the reference plus noise, not from people. The outputs of the
other three systems are judged nowhere, and no splice is.

Weights are tuned on the judged sentences and measured on others. What is fixed here
(features, damage, sizes, noise) was chosen by hit rates of --quick, whose sentences are
among the tuned ones. The held-back sentences were scored twice; in between, only the
default settings of MERT changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from statistics import fmean

import tertium
from bench import wmt
from bench.measure import ROOT
from bench.studies.beer_report import table
from tertium._files import replace_file
from tertium.reproductions.recipes.segranks.judges import judge
from tertium.reproductions.recipes.segranks.lists import Sentence, sentences
from tertium.reproductions.recipes.segranks.tuning import (
    ITERATIONS,
    Tuning,
    first_hypotheses,
    iterate,
    rate_hits,
    specs_of,
    store_of,
)

#: Macháček (2014), figure 3.5.
PUBLISHED = {
    "exactmatch": (0.13, 0.05, None, None, None, None, None, 0.51),
    "penalizeunknown": (0.13, 0.05, 0.48, 0.60, 0.69, 0.70, 0.70, 0.70),
}

PATH = ROOT / "bench" / "SEGRANKS.md"
HEAD = """\
# Tuning for segment judgements

Written by `python -m bench segranks_tuning --write`, which also describes the toy
decoder. Judgements are simulated. The rows of the thesis (Macháček 2014, figure 3.5)
are those of a Moses system and real judgements: compare shapes, not numbers.
"""

# ------------------------------------------------------------------------- report


def run(number: int, seeds: int) -> str:
    """Tune for every metric, and return both tables."""
    path = wmt.folder() / "wmt12" / "en-cs.tsv.gz"
    dev, held = sentences(path, 0, number), sentences(path, number, number)
    rankings = list(judge(dev, seed=1))
    places = sum(len(one.places) for one in rankings)
    sizes = (
        f"{number} tuned and {number} held-back sentences, {len(rankings):,} "
        f"ranked parts with {places:,} candidates, random starts: {seeds}.\n\n"
    )
    with store_of(dev, rankings) as settings:
        runs = {
            name: [
                iterate(dev, spec, f"exactmatch:{settings}", seed)
                for seed in range(1, seeds + 1)
            ]
            for name, spec in specs_of(settings).items()
        }
        return (
            sizes
            + hit_table(runs)
            + score_table(runs, dev, held, f"exactmatch:{settings}")
        )


def hit_table(runs: Mapping[str, Sequence[Tuning]]) -> str:
    """Return hit rates of the lists of every iteration, beside the thesis's."""
    head = ["tuned for", *map(str, range(1, ITERATIONS + 1))]
    rows = []
    for name, several in runs.items():
        kept = [one.all_hits for one in several]
        rows.append(
            [name, *(f"{fmean(column):.2f}" for column in zip(*kept, strict=True))]
        )
        if name in PUBLISHED:
            shown = ["-" if x is None else f"{x:.2f}" for x in PUBLISHED[name]]
            rows.append([f"{name}, in the thesis", *shown])
    title = "Hit rate of the n-best lists of each iteration, means over seeds:\n\n"
    return f"{title}{table(head, rows)}\n"


def score_table(
    runs: Mapping[str, Sequence[Tuning]],
    dev: Sequence[Sentence],
    held: Sequence[Sentence],
    counted: str,
) -> str:
    """Return what the tuned weights score on tuned and on held-back sentences."""
    columns = {"tuned": dev, "held back": held}
    head = ["tuned for", "hit rate"]
    head += [f"{label}, {name}" for name in columns for label in ("BLEU", "chrF")]
    head.append("length ratio, held back")
    rows = []
    for name, several in runs.items():
        meter = tertium.metric(counted)
        row = [
            _spread(
                [
                    rate_hits(dev, [each.best(one.weights, 1) for each in dev], meter)
                    for one in several
                ],
                2,
            )
        ]
        for part in columns.values():
            refs = [" ".join(each.reference) for each in part]
            for spec in ("bleu:tokenize=none", "chrf"):
                metric = tertium.metric(spec)
                scores = [
                    metric.corpus_score(first_hypotheses(part, one.weights), refs)
                    for one in several
                ]
                row.append(_spread(scores, 2))
        words = sum(len(each.reference) for each in held)
        ratios = [
            sum(len(text.split()) for text in first_hypotheses(held, one.weights))
            / words
            for one in several
        ]
        rows.append([name, *row, _spread(ratios, 3)])
    title = "Best hypotheses under the tuned weights, means and ranges over seeds:\n\n"
    return f"{title}{table(head, rows)}"


def _spread(values: Sequence[float], digits: int) -> str:
    low, high = min(values), max(values)
    return f"{fmean(values):.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="60 sentences, one seed")
    parser.add_argument("--write", action="store_true", help=f"write {PATH.name}")
    options = parser.parse_args()
    text = run(60, 1) if options.quick else run(200, 3)
    print(text)
    if options.write:
        with replace_file(str(PATH)) as file:
            file.write(f"{HEAD}\n{text}".encode())
