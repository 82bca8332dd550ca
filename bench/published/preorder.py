# SPDX-License-Identifier: Apache-2.0
"""Preordering models on English-Japanese, beside the published figures.

    python -m bench preorder [--lines N] [--folder FOLDER] [--write]

Models learn from the first N pairs of the training data with their links (all 50,000 by
default) and are scored on its 500 development sentences: Kendall's tau against gold
orders by mean link position. Models are kept in the folder, and a second call goes on
there; with --write the report goes to bench/PREORDER.md.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bench import wmt
from bench.measure import ROOT
from bench.studies.beer_report import table
from tertium.align.links import Links
from tertium.align.pharaoh import read_pharaoh
from tertium.preorder import OrderScores, Preorderer, load, score_orders, train
from tertium.preorder.parsing.model import GrammarPreorderer
from tertium.reproductions import find_exhibits
from tertium.trees import DependencyTree
from tertium.trees.parsers import load_parser

REPORT = ROOT / "bench" / "PREORDER.md"
SAMPLES, LATTICE = 1000, 100
#: Settings of every model, from the weakest to the strongest.
MODELS: dict[str, dict[str, object]] = {
    "unsplit": {"model": "grammar", "variant": "pet", "splits": (1, 1), "restarts": 1},
    "left": {"model": "grammar", "variant": "left", "restarts": 1},
    "right": {"model": "grammar", "variant": "right", "restarts": 1},
    "pet": {"model": "grammar", "variant": "pet", "restarts": 1},
    "itg": {"model": "grammar", "variant": "itg", "restarts": 1},
    "grammar": {"model": "grammar"},  # several of them
    "btg": {"model": "btg"},
    "combined": {"model": "combined"},
}
_ROWS = {"identity": "A no preordering", "head-final": "B rule based",
         "left": "RG left-branching", "right": "RG right-branching",
         "itg": "RG ITG-forest", "pet": "RG PET-forest"}  # fmt: skip
_TABLE = find_exhibits(["beer/table-3.2"])[0].published
#: Stanojević (2017), table 3.2: tau on English-Japanese patents.
PUBLISHED = {name: f"{_TABLE[row]['Kendall τ']:.4f}"[1:] for name, row in _ROWS.items()}
#: Measured on these 500 sentences: the top-down BTG of Nakagawa (2015) and Lader.
PEERS = {"btg": ".8238"}
#: Pairs of models of which the thesis says that the first is better, or as good.
CLAIMS = (
    ("unsplit", "identity"),
    ("pet", "unsplit"),
    ("itg", "unsplit"),
    ("itg", "left"),
    ("itg", "right"),
    ("pet", "right"),
    ("pet", "itg"),
    ("right", "left"),
    ("grammar", "itg"),
    ("btg", "grammar"),
    ("combined", "btg"),
)


@dataclass(frozen=True)
class Study:
    """The data, and where models are kept."""

    folder: Path
    lines: int

    @cached_property
    def learnt(self) -> tuple[list[list[str]], list[Links]]:
        """The sentences to learn from, and their links."""
        sentences, links = corpus("train")
        return sentences[: self.lines], links[: self.lines]

    @cached_property
    def scored(self) -> tuple[list[list[str]], list[Links]]:
        """The sentences that orders are scored on, and their links."""
        return corpus("dev")

    def model(self, name: str) -> tuple[Preorderer, dict[str, float]]:
        """Return a model and its times, trained if it is not there."""
        path, times = self.folder / name, self.folder / f"{name}.json"
        if not times.exists():
            say(f"training {name}")
            wall, processor = time.perf_counter(), time.process_time()
            model = train(
                *self.learnt,
                **MODELS[name],  # type: ignore[arg-type]
                checkpoint=self.folder / f"{name}.checkpoint",
            )
            spent = {
                "wall": time.perf_counter() - wall,
                "processor": time.process_time() - processor,
            }
            model.save(path)
            times.write_text(json.dumps(spent), encoding="utf-8")
        return load(path), json.loads(times.read_text(encoding="utf-8"))


def corpus(part: str) -> tuple[list[list[str]], list[Links]]:
    """Return the English sentences of a part of the data, and their links."""
    folder = wmt.folder() / "preorder"
    with gzip.open(folder / f"enja.{part}.tsv.gz", "rt", encoding="utf-8") as file:
        sentences = [line.split("\t", 1)[0].split() for line in file]
    return sentences, read_pharaoh(folder / f"enja.{part}.gdfa.gz")


def report(study: Study) -> str:
    """Train and score everything, and return the report."""
    study.folder.mkdir(parents=True, exist_ok=True)
    sentences, links = study.scored
    systems: dict[str, list[tuple[int, ...]]] = {}
    seconds: dict[str, dict[str, float]] = {}
    for name in MODELS:
        model, seconds[name] = study.model(name)
        say(f"applying {name}")
        start = time.process_time()
        systems[name] = [one.order for one in model.apply(sentences)]
        seconds[name]["applied"] = time.process_time() - start
        if isinstance(model, GrammarPreorderer):
            for choice in ("frequent", "sample"):
                chosen = model.apply(sentences, choice=choice, samples=SAMPLES)
                systems[f"{name}, {choice}"] = [one.order for one in chosen]
            systems[f"{name}, lattice"] = oracle(model, sentences, links)
    scores = score_orders(
        systems,
        sentences,
        links,
        measures=("tau", "tau-linked", "frs", "exact"),
        baselines=("identity", "reverse", "head-final"),
        trees=parsed(sentences),
        correction="none",
    )
    return "".join(
        [
            HEAD.format(lines=f"{study.lines:,}", sentences=len(sentences)),
            models(scores, seconds),
            CHOICES_HEAD.format(samples=f"{SAMPLES:,}", size=LATTICE),
            choices(scores),
            CLAIMS_HEAD,
            claims(scores),
            PERPLEXITY_HEAD,
            perplexities(study),
        ]
    )


def oracle(
    model: GrammarPreorderer, sentences: Sequence[list[str]], links: Sequence[Links]
) -> list[tuple[int, ...]]:
    """Return, for every sentence, the path of its lattice closest to the gold order."""
    from tertium.preorder import gold_orders

    lattices = model.lattice(sentences, LATTICE)
    golds = gold_orders(sentences, links)
    return [
        lattice.closest(gold.order)[0]
        for lattice, gold in zip(lattices, golds, strict=True)
    ]


def parsed(sentences: Sequence[list[str]]) -> list[DependencyTree]:
    """Return the trees of sentences, by a small parser of English."""
    path = wmt.folder().parent / "models" / "en_ewt_spacy"
    parser = load_parser("spacy", str(path), tokenize="none")
    return list(parser.parse([" ".join(words) for words in sentences]))


HEAD = """\
# Preordering

Written by `python -m bench preorder --write`.

English-Japanese (Tanaka corpus, 4 to 16 words), {lines} pairs to learn from, scored on
{sentences} development sentences with 95 % bootstrap intervals. *tau* is over all pairs
of words, *linked* over linked words with ties counted as right; *FRS* is the fuzzy
reordering score. Published: Stanojević (2017), table 3.2, on patents, where only the
order compares; *peer* is a published tool on the same sentences, trained on the same
pairs (top-down BTG, Nakagawa 2015: 470 CPU seconds). Seconds are CPU time.

"""
CHOICES_HEAD = """
## How an order is chosen

Tau by the exact order of least risk, by the most frequent of {samples} sampled orders,
and by one sample; and the oracle of the lattice of the {size} least risky orders.

"""
CLAIMS_HEAD = """
## Which model is better

Differences in tau with 95 % intervals of a paired bootstrap; p is not corrected.

"""
PERPLEXITY_HEAD = """
## Perplexity

Of the training data before each iteration of EM, per unit.

"""


def models(scores: OrderScores, seconds: dict[str, dict[str, float]]) -> str:
    """Return the table of all models."""
    rows = []
    for name in ("reverse", "identity", "head-final", *MODELS):
        row = scores[name]
        low, high = row["tau"].interval or (0.0, 0.0)
        times = seconds.get(name)
        rows.append(
            [
                name,
                f"{row['tau'].score:.4f}",
                f"[{low:.4f}, {high:.4f}]",
                *(f"{row[key].score:.4f}" for key in ("tau-linked", "frs", "exact")),
                f"{times['processor']:.0f}" if times else "",
                f"{times['applied']:.1f}" if times else "",
                PUBLISHED.get(name, ""),
                PEERS.get(name, ""),
            ]
        )
    head = ["model", "tau", "95 % interval", "linked", "FRS", "exact", "training s",
            "applying s", "published", "peer"]  # fmt: skip
    return table(head, rows)


def choices(scores: OrderScores) -> str:
    """Return tau of every way to choose an order, by grammar."""
    rows = []
    for name in MODELS:
        if f"{name}, lattice" in scores.systems:
            more = ("frequent", "sample", "lattice")
            ways = (name, *(f"{name}, {way}" for way in more))
            rows.append([name, *(f"{scores[way]['tau'].score:.4f}" for way in ways)])
    return table(["grammar", "least risk", "most frequent", "sample", "oracle"], rows)


def claims(scores: OrderScores) -> str:
    """Return the differences that the thesis makes claims about."""
    tests = {
        frozenset((pair.a, pair.b)): pair
        for pair in scores.pairs
        if pair.measure == "tau"
    }
    grammars = [name for name in MODELS if f"{name}, lattice" in scores.systems]
    more = [
        pair
        for name in grammars
        for pair in itertools.pairwise((name, f"{name}, frequent", f"{name}, sample"))
    ]
    rows = []
    for better, worse in (*CLAIMS, *more):
        pair = tests[frozenset((better, worse))]
        sign = 1 if pair.a == better else -1
        low, high = sorted(sign * bound for bound in pair.interval)
        rows.append(
            [
                f"{better} > {worse}",
                f"{sign * pair.delta:+.4f}",
                f"[{low:+.4f}, {high:+.4f}]",
                f"{pair.p:.3f}",
            ]
        )
    return table(["claim", "difference", "95 % interval", "p"], rows)


def perplexities(study: Study) -> str:
    """Return the perplexity of every grammar by iteration."""
    rows = []
    for name in MODELS:
        model, _ = study.model(name)
        if isinstance(model, GrammarPreorderer):
            log = model.grammar.settings["log"]
            values = [item["perplexity"] for item in log]
            falls = all(a > b for a, b in itertools.pairwise(values))
            shown = values[:3] + values[9:10] + values[-1:]
            rows.append(
                [
                    name,
                    *(f"{value:.2f}" for value in shown),
                    str(len(values)),
                    "yes" if falls else "no",
                ]
            )
    head = ["grammar", "1", "2", "3", "10", "last", "iterations", "falls every time"]
    return table(head, rows)


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=50_000)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "preorder")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = report(Study(options.folder / str(options.lines), options.lines))
    print(text)
    if options.write:
        REPORT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
