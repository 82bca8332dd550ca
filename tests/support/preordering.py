# SPDX-License-Identifier: Apache-2.0
"""A preordering model that needs no training."""

from __future__ import annotations

import random

import numpy as np

from tertium.preorder import Reordering
from tertium.preorder.parsing.risk import least_risk


class Reverser:
    """A model that is rather sure that everything is reversed.

    It has no parse of sentences with one word.
    """

    kind = "reverser"
    unaligned = None

    def expectations(self, sentences, *, constraints=None, threads=None):
        """Return .6 for every later word before an earlier one."""
        sure = 0.6
        return [
            np.tril(np.full((len(s), len(s)), sure), -1)
            + np.triu(np.full((len(s), len(s)), 1 - sure), 1)
            for s in sentences
        ]

    def apply(self, sentences, *, constraints=None, threads=None):
        """Return the orders of least risk."""
        expectations = self.expectations(sentences)
        orders = least_risk(expectations, constraints=constraints)
        return [
            Reordering((0,), fallback="identity") if len(s) == 1 else order
            for s, order in zip(sentences, orders, strict=True)
        ]

    def save(self, path):
        """Fail: there is nothing to save."""
        raise NotImplementedError


def toy_corpus(count=60, *, seed=5):
    """Return sentences whose verb moves to the end, with links."""
    draw = random.Random(seed)
    sentences, links = [], []
    for _ in range(count):
        thing = draw.choice(["books", "letters", "papers", f"rare{draw.random()}"])
        article = draw.choice([[], ["the"]])
        words = [draw.choice(["she", "he"]), draw.choice(["reads", "writes"])]
        sentences.append([*words, *article, thing, "."])
        order = [0, *range(2, 3 + len(article)), 1, 3 + len(article)]
        places = {word: place for place, word in enumerate(order)}
        unaligned = {2} if article else set()
        links.append([(w, p) for w, p in places.items() if w not in unaligned])
    return sentences, links
