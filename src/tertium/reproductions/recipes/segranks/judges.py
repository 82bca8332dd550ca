# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014: parts of references, ranked by simulated judges through chrF."""

from __future__ import annotations

import difflib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import tertium
from tertium.align.links import Link, Links
from tertium.judgements import Place, Ranking
from tertium.judgements.parts import SentenceParts, extract, project
from tertium.reproductions.recipes.segranks.lists import Sentence, Words
from tertium.trees.brackets import ConstituencyTree

JUDGED_SYSTEMS = 10  # as in the thesis
NOISE, TIE = 10.0, 4.0  # in points of chrF


def judge(dev: Sequence[Sentence], seed: int) -> Iterator[Ranking]:
    """Yield simulated rankings of parts, one per part."""
    chance = random.Random(seed)
    systems = list(dev[0].outputs)[:JUDGED_SYSTEMS]
    parts = parts_of(
        [each.number for each in dev],
        [each.reference for each in dev],
        {name: [each.outputs[name] for each in dev] for name in systems},
    )
    for part in parts:
        noisy = [score + chance.gauss(0, NOISE) for score in part.scores]
        yield part.ranking(noisy)


@dataclass(frozen=True)
class Part:
    """A part of a sentence that systems translated differently.

    Parameters
    ----------
    sentence, name : str
    texts : tuple of str
        The candidates.
    systems : tuple of tuples of str
        Who produced each of them.
    scores : tuple of float
        chrF of each with the part of the reference.
    """

    sentence: str
    name: str
    texts: tuple[str, ...]
    systems: tuple[tuple[str, ...], ...]
    scores: tuple[float, ...]

    def ranking(
        self, scores: Sequence[float], judge: str | None = None, tie: float = TIE
    ) -> Ranking:
        """Return the ranking of a judge who sees these scores."""
        places = zip(self.systems, _ranks(scores, tie), self.texts, strict=True)
        return Ranking(
            tuple(Place(names, rank, text=text) for names, rank, text in places),
            self.sentence,
            self.name,
            judge,
        )


def parts_of(
    numbers: Sequence[str],
    references: Sequence[Words],
    outputs: Mapping[str, Sequence[Words]],
) -> Iterator[Part]:
    """Yield the parts of references with what systems have in their place."""
    parts = [
        SentenceParts(number, tuple(words), extract(_halved(len(words))))
        for number, words in zip(numbers, references, strict=True)
    ]
    texts = {name: [" ".join(words) for words in of] for name, of in outputs.items()}
    links = {
        name: [_links(a, b) for a, b in zip(references, of, strict=True)]
        for name, of in outputs.items()
    }
    written: dict[tuple[str, tuple[int, ...], str], list[str]] = {}
    projection = project(parts, texts, links)
    for origin in projection.origins:
        key = origin.sentence, origin.source_indices, origin.image.text
        written.setdefault(key, []).append(origin.system)
    chrf = tertium.metric("chrf")
    for sentence, candidates in projection.sentences:
        for part in candidates:
            if len(part.candidates) < 2:
                continue
            refs = [part.text] * len(part.candidates)
            scores = chrf.segment_scores(part.candidates, refs, threads=1)
            yield Part(
                sentence.sentence,
                f"{part.indices[0]}-{part.indices[-1]}",
                part.candidates,
                tuple(
                    tuple(written[sentence.sentence, part.indices, text])
                    for text in part.candidates
                ),
                tuple(map(float, scores)),
            )


def _ranks(scores: Sequence[float], tie: float) -> list[int]:
    """Return ranks from 1; a score close to the one above shares its rank."""
    ranks = [0] * len(scores)
    rank, before = 0, math.inf
    for place in sorted(range(len(scores)), key=lambda i: -scores[i]):
        if before - scores[place] > tie:
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
