# SPDX-License-Identifier: Apache-2.0
"""Translation from a reordered source: Thot on plain, gold and predicted orders.

    python -m bench preorder_thot --python THOT_PYTHON [--folder FOLDER] [--write]

English-Japanese. One Thot is trained on plain English, one on English in gold order,
which follows from the links of the training data. Lines held back from everything are
then translated in the order that each model predicts, and in the best of several orders
by the decoder's score and the expected tau, by decoders with several distortion limits.
THOT_PYTHON is a Python with ``sil-thot`` and ``sil-machine``. All steps are kept in the
folder; with --write the report goes to bench/PREORDER_MT.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import tertium
from bench import wmt
from bench.measure import ROOT
from bench.studies.beer_report import table
from tertium.align.links import Links
from tertium.align.pharaoh import read_pharaoh
from tertium.data.formats.nbest import nbest_fields
from tertium.data.lines import open_lines
from tertium.engine.comparison import Comparison
from tertium.preorder import Preorderer, gold_orders, load, train
from tertium.preorder.application import nbest_orders
from tertium.preorder.training import DEFAULT_MODEL
from tertium.reproductions.recipes.beer import thot
from tertium.reproductions.recipes.beer.thot import COMPONENTS

DECODER = Path(thot.__file__)
REPORT = ROOT / "bench" / "PREORDER_MT.md"
METRICS = ("bleu:tokenize=none", "ribes", "ter")
#: Lines for Thot (the first), to choose a weight (before the last), to test (the last);
#: the preordering models learn from all but the lines to choose and to test.
TRANSLATED, TUNED, TESTED = 5000, 500, 500
MODELS = ("grammar", "btg", "combined")
JUMP = 2  # positions that a phrase may jump; 0 is monotone
JUMPS = (0, JUMP, 4, 6)
SWEPT = ("plain", DEFAULT_MODEL, "gold")
LIGHT = 0.1  # weight of jumps that lets phrases jump; with 1 they never do
#: Orders among which the decoder chooses, and what the expected tau may weigh.
NBEST, TAU_WEIGHTS = 10, (0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
CHOSEN = f"{NBEST} orders, decoder chooses"
RESAMPLES = 1000
#: Stanojević (2017), table 3.2: BLEU, TER, RIBES.
PUBLISHED = {
    "plain": (27.8, 59.2, 68.29),
    "grammar": (32.0, 55.7, 75.62),
    "btg": (31.1, 56.0, 74.29),
}

HEAD = f"""\
# Translation from a reordered source

Written by `python -m bench preorder_thot --write`.

Thot (sil-thot, phrase-based, equal weights, not tuned), English-Japanese, trained on
{TRANSLATED:,} pairs of the Tanaka corpus, tested on {TESTED} other lines. *plain*
is a Thot trained on plain English; all others use one trained on English in gold order,
and differ in the order of the test lines: predicted by a model that learnt from
all pairs but the last {TUNED + TESTED:,}, or *gold*, which only the links of the test
lines know. Differences from plain English have 95 % intervals of a paired bootstrap,
{RESAMPLES:,} resamples. Published: Stanojević (2017), table 3.2, on patents with a
tuned Moses; only the direction compares.
"""
CHOICE = """
## The decoder chooses the order

Thot takes no lattices. Instead, each of the {count} least risky orders of the {model}
is decoded monotonically, and the translation with the highest sum of the decoder's
score and the weighted expected tau is kept. The weight, {weight:g}, has the highest
BLEU on {tuned} lines before the test lines, which neither Thot nor the model learnt
from. The translation is not that of the first order in {changed} of {tested} test
lines.

"""
SWEEP = """
## Distortion limits

With equal weights Thot hardly ever jumps: limits of {jump} and 0, which is monotone,
give other outputs in {moved} of {outputs:,} cases. Here the model of jumps weighs
{light}: BLEU by the number of positions that a phrase may jump, and how many outputs
the highest limit changes.

"""
Words = list[str]


class Output(NamedTuple):
    """A translation and the score of the decoder."""

    text: str
    score: float


class Ordered(NamedTuple):
    """A translation of one of several orders: both scores."""

    text: str
    score: float
    tau: float


@dataclass(frozen=True)
class Study:
    """The data and where everything is kept."""

    folder: Path
    python: str

    @cached_property
    def pairs(self) -> list[tuple[Words, str]]:
        """All pairs: English words, and the Japanese text."""
        with gzip.open(wmt.folder() / "preorder" / "enja.train.tsv.gz", "rt") as file:
            columns = (line.rstrip("\n").split("\t") for line in file)
            return [(english.split(), japanese) for english, japanese in columns]

    @cached_property
    def links(self) -> list[Links]:
        """The links of all pairs."""
        return read_pharaoh(wmt.folder() / "preorder" / "enja.train.gdfa.gz")

    @property
    def tuned(self) -> slice:
        """The lines held back to choose a weight."""
        return slice(len(self.pairs) - TUNED - TESTED, len(self.pairs) - TESTED)

    @property
    def tested(self) -> slice:
        """The lines held back to test."""
        return slice(len(self.pairs) - TESTED, len(self.pairs))

    def references(self, lines: slice) -> list[str]:
        """Return lines of Japanese."""
        return [text for _, text in self.pairs[lines]]

    def gold(self, lines: slice) -> list[Words]:
        """Return lines of English in gold order."""
        sentences = self.plain(lines)
        golds = gold_orders(sentences, self.links[lines])
        return [
            [words[i] for i in gold.order]
            for words, gold in zip(sentences, golds, strict=True)
        ]

    def plain(self, lines: slice) -> list[Words]:
        """Return lines of English as they are."""
        return [words for words, _ in self.pairs[lines]]

    def model(self, kind: str) -> Preorderer:
        """Return a model that learnt from all lines but those held back."""
        path = self.folder / kind
        if not path.exists():
            say(f"training the {kind}")
            end = self.tuned.start
            model = train(self.plain(slice(end)), self.links[:end], model=kind)
            model.save(path)
        return load(path)

    def predicted(self, kind: str) -> list[Words]:
        """Return the test lines in the order of a model."""
        sentences = self.plain(self.tested)
        orders = self.model(kind).apply(sentences)
        return [o.reorder(words) for o, words in zip(orders, sentences, strict=True)]

    def choices(self, decoder: Path, lines: slice, name: str) -> list[list[Ordered]]:
        """Return the translations of several orders of every line.

        They are decoded monotonically; the least risky order is the first.
        """
        sentences = self.plain(lines)
        lists = list(nbest_orders(self.model(DEFAULT_MODEL), sentences, count=NBEST))
        source = [
            [words[i] for i in each.order]
            for words, orders in zip(sentences, lists, strict=True)
            for each in orders
        ]
        outputs = iter(self.outputs(decoder, name, source, 0))
        return [
            [Ordered(*next(outputs), each.expected) for each in orders]
            for orders in lists
        ]

    def thot(self, *words: object) -> None:
        """Run Thot."""
        subprocess.run([self.python, DECODER, *map(str, words)], check=True)

    def trained(self, name: str, source: Callable[[slice], list[Words]]) -> Path:
        """Return the folder of a Thot that learnt from a source, trained if missing."""
        folder, part = self.folder / f"thot-{name}", self.folder / f"thot-{name}.part"
        if not folder.exists():
            say(f"training Thot on {name} English")
            lines = slice(TRANSLATED)
            text = "".join(
                f"{' '.join(words)}\t{target}\n"
                for words, target in zip(
                    source(lines), self.references(lines), strict=True
                )
            )
            path = self.folder / f"{name}.tsv"
            path.write_text(text, encoding="utf-8")
            self.thot("train", path, part)
            part.rename(folder)
        return folder

    def outputs(
        self,
        model: Path,
        name: str,
        source: list[Words],
        jump: int,
        *,
        jump_weight: float = 1.0,
    ) -> list[Output]:
        """Return the translations of a source, decoded if they are missing."""
        path = self.folder / f"{name}.{jump}.{jump_weight:g}.nbest"
        if not path.exists():
            say(f"decoding {name}, jumps of at most {jump}, weight {jump_weight:g}")
            text, weights = self.folder / f"{name}.en", self.folder / "weights.json"
            lines = "".join(f"{' '.join(words)}\n" for words in source)
            text.write_text(lines, encoding="utf-8")
            values = {**dict.fromkeys(COMPONENTS, 1.0), "SourceJump": jump_weight}
            weights.write_text(json.dumps(values))
            part = path.with_suffix(".part")
            self.thot("decode", model, text, weights, part, "--size", 1, "--jump", jump)
            part.rename(path)
        return [
            Output(" ".join(words.split()), float(score))
            for _, _, (words, _, score) in nbest_fields(open_lines(path), path=path)
        ]


def report(study: Study) -> str:
    """Run everything and return the report."""
    study.folder.mkdir(parents=True, exist_ok=True)
    plain = study.trained("plain", study.plain)
    gold = study.trained("gold", study.gold)
    sources = {"plain": (plain, study.plain(study.tested))}
    sources |= {kind: (gold, study.predicted(kind)) for kind in MODELS}
    sources["gold"] = (gold, study.gold(study.tested))
    references = study.references(study.tested)
    systems, limits, moved = {}, {}, 0
    for name, (model, source) in sources.items():
        systems[name] = texts(study.outputs(model, name, source, JUMP))
        monotone = texts(study.outputs(model, name, source, 0))
        moved += changes(systems[name], monotone)
        if name in SWEPT:
            limits[name] = [
                texts(study.outputs(model, name, source, jump, jump_weight=LIGHT))
                for jump in JUMPS
            ]
    swept = SWEEP.format(
        jump=JUMP, light=LIGHT, moved=moved, outputs=len(systems) * TESTED
    )
    weight = tau_weight(
        study.choices(gold, study.tuned, "tuned"), study.references(study.tuned)
    )
    choices = study.choices(gold, study.tested, "tested")
    chosen = [best(orders, weight) for orders in choices]
    systems[CHOSEN] = [each.text for each in chosen]
    about = CHOICE.format(
        count=NBEST,
        model=DEFAULT_MODEL,
        weight=weight,
        tuned=TUNED,
        tested=TESTED,
        changed=changes(systems[CHOSEN], [orders[0].text for orders in choices]),
    )
    return (
        f"{HEAD}\n{figures(systems, references)}{about}"
        f"{against_first(systems, references)}{swept}{sweep(limits, references)}"
    )


def texts(outputs: Sequence[Output]) -> list[str]:
    """Return translations without their scores."""
    return [each.text for each in outputs]


def best(orders: Sequence[Ordered], weight: float) -> Ordered:
    """Return the translation with the highest weighted sum of both scores."""
    return max(orders, key=lambda each: each.score + weight * each.tau)


def tau_weight(choices: Sequence[Sequence[Ordered]], references: list[str]) -> float:
    """Return the weight of the expected tau with the highest BLEU."""
    scores = {}
    for weight in TAU_WEIGHTS:
        outputs = [best(orders, weight).text for orders in choices]
        scores[weight] = bleu(outputs, references)
        say(f"weight {weight:g}: BLEU {scores[weight]:.2f} on lines to choose by")
    return max(scores, key=scores.__getitem__)


def bleu(outputs: list[str], references: list[str]) -> float:
    """Return BLEU of translations."""
    return float(tertium.metric(METRICS[0]).corpus_score(outputs, references))


def sweep(limits: dict[str, list[list[str]]], references: list[str]) -> str:
    """Return BLEU by distortion limit, and how many outputs a limit changes."""
    rows = []
    for name, by_jump in limits.items():
        scores = [bleu(outputs, references) for outputs in by_jump]
        changed = f"{changes(by_jump[-1], by_jump[0])} of {TESTED}"
        rows.append([name, *(f"{score:.2f}" for score in scores), changed])
    return table(["source order", *map(str, JUMPS), "changed"], rows)


def changes(outputs: list[str], others: list[str]) -> int:
    """Return how many translations differ."""
    return sum(a != b for a, b in zip(outputs, others, strict=True))


def against_first(systems: dict[str, list[str]], references: list[str]) -> str:
    """Return what the decoder's choice gains over the least risky order."""
    pair = {name: systems[name] for name in (DEFAULT_MODEL, CHOSEN)}
    compared = tertium.compare(
        pair, references, metrics=list(METRICS), resamples=RESAMPLES
    )
    cells = [difference(compared, CHOSEN, metric, DEFAULT_MODEL) for metric in METRICS]
    return table(
        ["against the first order", "BLEU", "RIBES", "TER"], [[CHOSEN, *cells]]
    )


def figures(systems: dict[str, list[str]], references: list[str]) -> str:
    """Return a table of all metrics with the difference from plain English."""
    compared = tertium.compare(
        systems, references, metrics=list(METRICS), resamples=RESAMPLES
    )
    rows = []
    for name in systems:
        cells = [name]
        for metric in METRICS:
            scale = 100 if metric == "ribes" else 1
            cells.append(f"{scale * compared.scores[name][metric].score:.2f}")
            cells.append("" if name == "plain" else difference(compared, name, metric))
        published = PUBLISHED.get(name)
        rows.append([*cells, " / ".join(map(str, published)) if published else ""])
    head = ["source order"]
    for label in ("BLEU", "RIBES", "TER"):
        head += [label, "against plain"]
    return table([*head, "published BLEU / TER / RIBES"], rows)


def difference(
    compared: Comparison, name: str, metric: str, other: str = "plain"
) -> str:
    """Return a difference from another system with its 95 % interval."""
    pair = compared.pair(name, other, metric)
    pair = pair if pair.a == name else pair.turned()
    scale = 100 if metric == "ribes" else 1
    delta, low, high = (scale * x for x in (pair.delta, *pair.interval))
    return f"{delta:+.2f} [{low:+.2f}, {high:+.2f}]"


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "preorder_thot")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = report(Study(options.folder, options.python))
    print(text)
    if options.write:
        REPORT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
