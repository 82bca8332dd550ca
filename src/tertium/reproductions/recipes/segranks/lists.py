# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014: a toy decoder, sentences with hypotheses and features."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np
import numpy.typing as npt

import tertium
from tertium.text.tokenizers import tokenize
from tertium.tuning.lists import NBestList

POOL, DAMAGES = 400, 8  # at most
NAMES = ("words", "agreement", "alone", "copied", "odd", "joins", "lm")

Words = list[str]


@dataclass(frozen=True)
class Sentence:
    """A sentence with all hypotheses of the toy decoder."""

    number: str
    reference: Words
    outputs: dict[str, Words]
    texts: list[str]
    features: npt.NDArray[np.float64]

    def list_of(self, rows: Sequence[int]) -> NBestList:
        """Return some hypotheses as an n-best list."""
        return NBestList(
            self.number,
            [self.texts[row] for row in rows],
            NAMES,
            self.features[rows],
            references=(" ".join(self.reference),),
        )

    def best(self, weights: npt.NDArray[np.float64], size: int) -> list[int]:
        """Return what the toy decoder puts first."""
        scores = self.features @ weights
        return [int(row) for row in np.argsort(-scores, kind="stable")[:size]]


# --------------------------------------------------------------------- hypotheses


def sentences(path: Path, first: int, number: int) -> list[Sentence]:
    """Return sentences of newstest2012 English-Czech from a number on."""
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
