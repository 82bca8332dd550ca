# SPDX-License-Identifier: Apache-2.0
"""Choices in training a reordering grammar, on held-out training sentences.

    python -m bench preorder_grammars [--train N] [--test N] [--seeds N] [--write]
        [--only NAME ...]

Each kind of training differs from the defaults in what its name says: Dirichlet
priors, heights of unaligned words as alternatives, alternative links, or rounds of
splitting and merging. The last sentences of the training data are the test data; the
development data are not used. With --write the report goes to
bench/PREORDER_TRAINING.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bench import wmt
from bench.measure import ROOT
from tertium.align.bilingual import HmmAligner
from tertium.align.links import Links
from tertium.align.pharaoh import parse_pharaoh
from tertium.align.symmetrisation import symmetrise_all
from tertium.data.lines import open_lines
from tertium.preorder.gold import gold_orders
from tertium.preorder.grammar import Alternatives, combine_links, train_grammar
from tertium.preorder.measures import measure_orders
from tertium.preorder.parsing.model import GrammarPreorderer

REPORT = ROOT / "bench" / "PREORDER_TRAINING.md"
RESAMPLES = 1_000
BASE = "default"
#: The settings of every kind of training, and how its links are made.
KINDS: dict[str, tuple[dict[str, object], tuple[str, ...]]] = {
    BASE: ({}, ("file",)),
    "prior 0.01 0.01": ({"prior": (0.01, 0.01)}, ("file",)),
    "prior 0.1 0.1": ({"prior": (0.1, 0.1)}, ("file",)),
    "prior 1 1": ({"prior": (1.0, 1.0)}, ("file",)),
    "height high": ({"height": "high"}, ("file",)),
    "height both": ({"height": "both"}, ("file",)),
    "links HMM gdfa": ({}, ("grow-diag-final-and",)),
    "links HMM intersection": ({}, ("intersection",)),
    "links file + HMM gdfa": ({}, ("file", "grow-diag-final-and")),
    "links file + HMM intersection": ({}, ("file", "intersection")),
    "74 iterations": ({"iterations": 74}, ("file",)),
    "rounds 6, 26 iterations": ({"rounds": 6, "iterations": 26}, ("file",)),
    "rounds 8, 10 iterations": ({"rounds": 8, "iterations": 10}, ("file",)),
    "rounds 8, height both": (
        {"rounds": 8, "iterations": 10, "height": "both"},
        ("file",),
    ),
}

HEAD = """\
# Training of reordering grammars

Written by `python -m bench preorder_grammars --write`.

English-Japanese (Tanaka corpus): grammars learn from the first {train:,} training pairs
and are scored on the last {test:,}; the development sentences are not used. Tau is that
of the order of least risk, for each of {seeds} seeds. The difference from the default
training is that of the means over seeds, with a 95 % interval of a paired bootstrap
over sentences and seeds. Links of the *file* are those of the data, and gold orders
come from such links; *HMM* is `tertium preorder align`, run on the training pairs.
Perplexities compare only if the forests are the same. Seconds are CPU time of training
one grammar on one thread. With rounds there are eight more iterations for each, so that
all rows below *74 iterations* have as many.

"""


@dataclass(frozen=True)
class Result:
    """What one kind of training gives.

    Parameters
    ----------
    taus : ndarray, seeds by sentences
    states : int
        Of the grammar of the last seed, as perplexity.
    perplexity : float
    seconds : float
        Per seed.
    """

    taus: np.ndarray
    states: int
    perplexity: float
    seconds: float


class Data:
    """The training data, and links that are made when they are needed."""

    def __init__(self, train: int, test: int) -> None:
        folder = wmt.folder() / "preorder"
        lines = list(open_lines(folder / "enja.train.tsv.gz"))
        if train + test > len(lines):
            raise SystemExit(f"there are {len(lines)} sentences")
        pairs = [line.split("\t")[:2] for line in lines]
        links = [parse_pharaoh(x) for x in open_lines(folder / "enja.train.gdfa.gz")]
        self.texts = [tuple(pair) for pair in pairs[:train]]
        self.sentences = [source.split() for source, _ in self.texts]
        self.links = links[:train]
        self.test = [source.split() for source, _ in pairs[-test:]]
        self.gold = gold_orders(self.test, links[-test:])

    @cached_property
    def directions(self) -> tuple[list[Links], list[Links]]:
        """The links of both directions of the HMM."""
        sources, targets = zip(*self.texts, strict=True)
        forward, backward = HmmAligner().align(sources, targets)
        return list(forward), list(backward)

    def read(self, kinds: Sequence[str]) -> list[Links] | list[Alternatives]:
        """Return the links of one kind, or the alternatives of several."""
        each = [
            self.links
            if kind == "file"
            else symmetrise_all(*self.directions, method=kind)
            for kind in kinds
        ]
        return each[0] if len(each) == 1 else combine_links(each)


def measure(data: Data, name: str, seeds: int) -> Result:
    """Train one grammar per seed, and return the tau of every sentence."""
    settings, kinds = KINDS[name]
    links = data.read(kinds)
    taus, seconds = [], 0.0
    for seed in range(1, seeds + 1):
        start = time.process_time()
        grammar = train_grammar(
            data.sentences,
            links,
            seed=seed,
            threads=1,
            **settings,  # type: ignore[arg-type]
        )
        seconds += time.process_time() - start
        chosen = GrammarPreorderer(grammar).apply(data.test, threads=1)
        orders = [one.order for one in chosen]
        taus.append(measure_orders(orders, data.gold, measures=["tau"])[:, 0])
    log = grammar.settings["log"]
    assert isinstance(log, list)
    return Result(
        np.array(taus), sum(grammar.splits), log[-1]["perplexity"], seconds / seeds
    )


def difference(one: Result, base: Result) -> str:
    """Return how much better a kind is; seeds and sentences are resampled."""
    random = np.random.default_rng(1)
    seeds, sentences = base.taus.shape
    observed = one.taus.mean() - base.taus.mean()
    values = []
    for _ in range(RESAMPLES):
        chosen = random.integers(0, sentences, sentences)
        means = [
            table[random.integers(0, seeds, seeds)][:, chosen].mean()
            for table in (one.taus, base.taus)
        ]
        values.append(means[0] - means[1])
    low, high = np.quantile(values, [0.025, 0.975])
    return f"{observed:+.4f} [{low:+.4f}, {high:+.4f}]"


def rows(
    names: Sequence[str], result: Callable[[str], Result]
) -> Iterator[tuple[str, ...]]:
    base = result(BASE)
    for name in names:
        one = base if name == BASE else result(name)
        yield (
            name,
            " ".join(f"{tau:.4f}" for tau in one.taus.mean(axis=1)),
            f"{one.taus.mean():.4f}",
            "" if name == BASE else difference(one, base),
            str(one.states),
            f"{one.perplexity:.1f}",
            f"{one.seconds:.0f}",
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=int, default=20_000, help="sentences")
    parser.add_argument("--test", type=int, default=2_000, help="the last ones")
    parser.add_argument("--seeds", type=int, default=3, help="grammars of each kind")
    parser.add_argument("--only", nargs="+", choices=KINDS, metavar="NAME")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    data = Data(options.train, options.test)
    text = HEAD.format(**vars(options))
    text += "| training | tau of each seed | mean | difference | states | perplexity |"
    text += " seconds |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
    print(text, end="")
    for row in rows(
        options.only or list(KINDS), lambda name: measure(data, name, options.seeds)
    ):
        line = f"| {' | '.join(row)} |\n"
        print(line, end="", flush=True)
        text += line
    if options.write:
        REPORT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
