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
import difflib
import json
import math
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np

import tertium
from bench import wmt
from bench.measure import ROOT
from bench.studies.beer_report import table
from tertium._files import replace_file
from tertium.align.links import Link, Links
from tertium.judgements import Judgements, Place, Ranking, write_store
from tertium.judgements.parts import SentenceParts, extract, project
from tertium.text.tokenizers import tokenize
from tertium.trees.brackets import ConstituencyTree
from tertium.tuning.judged.metrics import hit_rate
from tertium.tuning.lists import NBestList, statistics
from tertium.tuning.tune import tune

JUDGED_SYSTEMS = 10  # as in the thesis
POOL, LIST = 400, 50
DAMAGES = 8  # at most
ITERATIONS = 8
NOISE, TIE = 10.0, 4.0  # in points of chrF
NAMES = ("words", "agreement", "alone", "copied", "odd", "joins", "lm")

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

Words = list[str]


@dataclass(frozen=True)
class Sentence:
    """A sentence with all hypotheses of the toy decoder."""

    number: str
    reference: Words
    outputs: dict[str, Words]
    texts: list[str]
    features: np.ndarray

    def list_of(self, rows: Sequence[int]) -> NBestList:
        """Return some hypotheses as an n-best list."""
        return NBestList(
            self.number,
            [self.texts[row] for row in rows],
            NAMES,
            self.features[rows],
            references=(" ".join(self.reference),),
        )

    def best(self, weights: np.ndarray, size: int) -> list[int]:
        """Return what the toy decoder puts first."""
        scores = self.features @ weights
        return [int(row) for row in np.argsort(-scores, kind="stable")[:size]]


# --------------------------------------------------------------------- hypotheses


def sentences(first: int, number: int) -> list[Sentence]:
    """Return sentences of newstest2012 from a number on."""
    path = wmt.folder() / "wmt12" / "en-cs.tsv.gz"
    testset = tertium.read(path)
    words = {
        name: tokenize(texts, "13a")
        for name, texts in {
            "": [refs[0] for refs in testset.references],
            " ": testset.sources or [],
            **testset.systems,
        }.items()
    }
    references, sources = words.pop(""), words.pop(" ")
    # The language model reads references that are neither tuned nor measured on.
    model = Bigrams(references[2000:])
    return [
        _sentence(
            i,
            references[i],
            sources[i],
            {name: column[i] for name, column in words.items()},
            model,
        )
        for i in range(first, first + number)
    ]


def _sentence(
    number: int,
    reference: Words,
    source: Words,
    outputs: dict[str, Words],
    model: Bigrams,
) -> Sentence:
    chance = random.Random(number)
    pool = {tuple(words): 0 for words in outputs.values() if words}
    columns = [words for words in outputs.values() if words]
    for _ in range(20 * POOL):
        if len(pool) >= POOL:
            break
        left, right = chance.sample(columns, 2)
        spliced = _splice(left, right, chance)
        if spliced:
            damages = chance.randrange(DAMAGES + 1)
            pool.setdefault(tuple(_damaged(spliced, source, damages, chance)), 1)
    pairs = Counter(pair for words in columns for pair in set(pairwise(words)))
    known = Counter(word for words in columns for word in set(words))
    length = fmean(map(len, columns))
    copied = set(source)
    rows = []
    for words, joins in pool.items():
        shared = sum(pairs[pair] for pair in pairwise(words)) / len(columns)
        rows.append(
            [
                len(words),
                shared / max(1, len(words) - 1),
                sum(known[word] <= 1 for word in words),
                sum(word in copied and word.isalpha() for word in words),
                abs(len(words) - length),
                joins,
                model.log_probability(words) / len(words),
            ]
        )
    texts = [" ".join(words) for words in pool]
    return Sentence(str(number + 1), reference, outputs, texts, np.array(rows))


def _splice(left: Words, right: Words, chance: random.Random) -> Words | None:
    """Return the start of one output and the end of another, joined at a word."""
    common = [
        (i, j)
        for i, word in enumerate(left)
        for j in range(max(0, i - 3), min(len(right), i + 4))
        if right[j] == word
    ]
    if not common:
        return None
    i, j = chance.choice(common)
    return left[:i] + right[j:]


def _damaged(words: Words, source: Words, damages: int, chance: random.Random) -> Words:
    """Return a text with some words lost, exchanged, repeated or in English."""
    words = list(words)
    for _ in range(damages):
        place = chance.randrange(len(words))
        kind = chance.randrange(4)
        if kind == 0 and len(words) > 1:
            del words[place]
        elif kind == 1 and place:
            words[place - 1], words[place] = words[place], words[place - 1]
        elif kind == 2:
            words.insert(place, words[place])
        else:
            words[place] = chance.choice(source)
    return words


class Bigrams:
    """A bigram model with one added to every count."""

    def __init__(self, texts: Sequence[Words]) -> None:
        self.words = Counter(word for text in texts for word in text)
        self.pairs = Counter(pair for text in texts for pair in pairwise(text))

    def log_probability(self, text: Sequence[str]) -> float:
        """Return the log-probability of a text."""
        size = len(self.words) + 1
        return sum(
            math.log((self.pairs[pair] + 1) / (self.words[pair[0]] + size))
            for pair in pairwise(text)
        )


# --------------------------------------------------------------------- judgements


def judge(dev: Sequence[Sentence], seed: int) -> Iterator[Ranking]:
    """Yield simulated rankings of parts."""
    chance = random.Random(seed)
    systems = list(dev[0].outputs)[:JUDGED_SYSTEMS]
    parts = [
        SentenceParts(
            each.number, tuple(each.reference), extract(_halved(len(each.reference)))
        )
        for each in dev
    ]
    outputs = {name: [" ".join(one.outputs[name]) for one in dev] for name in systems}
    links = {
        name: [_links(one.reference, one.outputs[name]) for one in dev]
        for name in systems
    }
    written: dict[tuple[str, tuple[int, ...], str], list[str]] = {}
    projection = project(parts, outputs, links)
    for origin in projection.origins:
        key = origin.sentence, origin.source_indices, origin.image.text
        written.setdefault(key, []).append(origin.system)
    chrf = tertium.metric("chrf")
    for sentence, candidates in projection.sentences:
        for part in candidates:
            if len(part.candidates) < 2:
                continue
            texts = part.candidates
            scores = chrf.segment_scores(texts, [part.text] * len(texts), threads=1)
            noisy = [score + chance.gauss(0, NOISE) for score in scores]
            ranks = _ranks(noisy)
            yield Ranking(
                tuple(
                    Place(
                        tuple(written[sentence.sentence, part.indices, text]),
                        rank,
                        text=text,
                    )
                    for text, rank in zip(texts, ranks, strict=True)
                ),
                sentence.sentence,
                f"{part.indices[0]}-{part.indices[-1]}",
            )


def _ranks(scores: Sequence[float]) -> list[int]:
    """Return ranks from 1; a score close to the one above shares its rank."""
    ranks = [0] * len(scores)
    rank, before = 0, math.inf
    for place in sorted(range(len(scores)), key=lambda i: -scores[i]):
        if before - scores[place] > TIE:
            rank += 1
        ranks[place], before = rank, scores[place]
    return ranks


def _halved(length: int) -> ConstituencyTree:
    """Return a tree that halves a sentence, down to six words."""

    def brackets(words: range) -> str:
        if len(words) <= 6:
            return f"(X {' '.join(f'(W {word})' for word in words)})"
        middle = len(words) // 2
        return f"(X {brackets(words[:middle])} {brackets(words[middle:])})"

    return ConstituencyTree.parse(brackets(range(length)))


def _links(reference: Words, output: Words) -> Links:
    """Return links between equal words in order, and between what they enclose."""
    matcher = difflib.SequenceMatcher(None, reference, output, autojunk=False)
    links = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            links += [Link(a + k, c + k) for k in range(b - a)]
        elif kind == "replace":
            # Every word on either side has a link, along the diagonal.
            size = max(b - a, d - c)
            links += [
                Link(a + k * (b - a) // size, c + k * (d - c) // size)
                for k in range(size)
            ]
    return tuple(dict.fromkeys(links))


# ------------------------------------------------------------------------- tuning


@dataclass(frozen=True)
class Tuning:
    """What the iterations of a run reached."""

    hits: list[float]
    weights: np.ndarray


def iterate(dev: Sequence[Sentence], spec: str, counted: str, seed: int) -> Tuning:
    """Tune for a metric; `counted` is the metric whose hits are counted."""
    weights = np.random.default_rng(seed).normal(size=len(NAMES))
    weights /= np.array([each.features.std(axis=0) for each in dev]).mean(axis=0) + 1e-9
    merged: list[dict[int, None]] = [{} for _ in dev]
    hits: list[float] = []
    meter = tertium.metric(counted)
    for _ in range(ITERATIONS):
        decoded = [each.best(weights, LIST) for each in dev]
        hits.append(_hit_rate(dev, decoded, meter))
        before = sum(map(len, merged))
        for rows, known in zip(decoded, merged, strict=True):
            known.update(dict.fromkeys(rows))
        if sum(map(len, merged)) == before:
            break
        lists = [
            each.list_of(list(rows)) for each, rows in zip(dev, merged, strict=True)
        ]
        start = dict(zip(NAMES, weights.tolist(), strict=True))
        tuned = tune(lists, metric=spec, start=start, seed=seed, restarts=8)
        weights = np.array([tuned.final.weights[name] for name in NAMES])
    return Tuning(hits, weights)


def _hit_rate(
    dev: Sequence[Sentence], rows: Sequence[Sequence[int]], meter: tertium.Metric
) -> float:
    lists = [one.list_of(best) for one, best in zip(dev, rows, strict=True)]
    total = sum(table.sum(axis=0) for table in statistics(lists, meter))
    return hit_rate(meter, list(total)) or 0.0


def first_hypotheses(part: Sequence[Sentence], weights: np.ndarray) -> list[str]:
    """Return the hypotheses that the decoder puts first."""
    return [each.texts[each.best(weights, 1)[0]] for each in part]


# ------------------------------------------------------------------------- report


def run(number: int, seeds: int) -> str:
    """Tune for every metric, and return both tables."""
    dev, held = sentences(0, number), sentences(number, number)
    with tempfile.TemporaryDirectory() as folder:
        store, testset = str(Path(folder, "store")), str(Path(folder, "dev.jsonl"))
        rankings = list(judge(dev, seed=1))
        write_store(Judgements.from_iterable(rankings), store)
        with replace_file(testset) as file:
            for each in dev:
                line = {"id": each.number, "ref": " ".join(each.reference), "tgt": {}}
                file.write(f"{json.dumps(line)}\n".encode())
        places = sum(len(one.places) for one in rankings)
        sizes = (
            f"{number} tuned and {number} held-back sentences, {len(rankings):,} "
            f"ranked parts with {places:,} candidates, random starts: {seeds}.\n\n"
        )
        settings = f"judgements={store},testset={testset},tokenize=none"
        specs = {
            "bleu": "bleu:tokenize=none",
            "exactmatch": f"mean:(bleu:tokenize=none)*0.5+(exactmatch:{settings})*0.5",
            "penalizeunknown": "mean:(bleu:tokenize=none)*0.5+"
            f"(penalizeunknown:{settings})*0.5",
            "exactmatch alone": f"exactmatch:{settings}",
            "segranksbleu": f"segranksbleu:{settings}",
        }
        runs = {
            name: [
                iterate(dev, spec, f"exactmatch:{settings}", seed)
                for seed in range(1, seeds + 1)
            ]
            for name, spec in specs.items()
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
        # A run that has ended keeps its last lists.
        kept = [
            one.hits + one.hits[-1:] * (ITERATIONS - len(one.hits)) for one in several
        ]
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
                    _hit_rate(dev, [each.best(one.weights, 1) for each in dev], meter)
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
