# SPDX-License-Identifier: Apache-2.0
"""The simulated judgements of segranks_tuning: parts of references, ranked by chrF."""

from __future__ import annotations

import difflib
import math
import random
from collections.abc import Iterator, Sequence

import tertium
from bench.studies.segranks_lists import Sentence, Words
from tertium.align.links import Link, Links
from tertium.judgements import Place, Ranking
from tertium.judgements.parts import SentenceParts, extract, project
from tertium.trees.brackets import ConstituencyTree

JUDGED_SYSTEMS = 10  # as in the thesis
NOISE, TIE = 10.0, 4.0  # in points of chrF


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
