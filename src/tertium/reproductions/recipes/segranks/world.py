# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014: a campaign like that of the thesis, with simulated judges.

The segment judgements of the thesis are not public here. Texts are real: ten systems
of WMT12 English-Czech, most of them earlier versions of those in the thesis, on the
sentences whose outputs people ranked in that year. Without trees, references are
cut into parts by halving, and parts are projected onto outputs by equal words and what
stands between them. Judges are simulated: chrF with the part of
the reference, plus a taste that a judge keeps, plus noise that is new every time. Both
are as large as the kappas of the thesis ask for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tertium
from tertium._seed import SEED
from tertium.data.testset import Testset
from tertium.judgements import Judgements, Ranking
from tertium.reproductions.data import Data
from tertium.reproductions.recipes.segranks.judges import Part, parts_of
from tertium.text.tokenizers import tokenize

__all__ = ["NAMES", "SHARE", "World", "annotate", "people", "world"]

#: Systems of WMT12 by the names of their successors in the thesis, if there are any.
NAMES = {
    "cu-depfix": "cu-depfix",
    "cu-bojar_2012": "cu-bojar",
    "cu-tamch-boj": "cu-tamch-boj",
    "uedin-wmt12": "uedin-wmt14",
    "onlineA": "onlineA",
    "onlineB": "onlineB",
    "CU_TectoMT": "CU-TectoMT",
    "pctrans2010": "commercial1",
    "commercial2": "commercial2",
    "jhu-hiero": "jhu-hiero",
}
#: Of sentences that a judge ranks again, and that another one ranks too.
SHARE = 0.05
#: As many as in the thesis.
JUDGES = 17
#: In points of chrF, chosen so that judges agree as those of the thesis.
TASTE, NOISE, TIE = 5.0, 3.75, 2.1


@dataclass(frozen=True, eq=False)
class World:
    """A judged test set: texts, their parts, and rankings of them.

    Parameters
    ----------
    testset : Testset
    parts : tuple of Part
        Those with at least two candidates.
    judgements : Judgements
    """

    testset: Testset
    parts: tuple[Part, ...]
    judgements: Judgements


def world(data: Data) -> World:
    """Return the campaign, computed once."""
    return _world(data.path("wmt12"))


def people(data: Data) -> Judgements:
    """Return the rankings of whole sentences by people, of the same systems."""
    return _people(data.path("wmt12"))


def annotate(
    parts: Sequence[Part], sizes: Sequence[int], *, seed: int, only_repeated: bool
) -> Iterator[Ranking]:
    """Yield the rankings of judges who share the sentences out among themselves.

    Parameters
    ----------
    parts : sequence of Part
    sizes : sequence of int
        How many sentences each judge ranks.
    seed : int
    only_repeated : bool
        Leave out sentences that are ranked once.
    """
    chance = random.Random(seed)
    sentences = list(dict.fromkeys(part.sentence for part in parts))
    chance.shuffle(sentences)
    owners = [judge for judge, size in enumerate(sizes) for _ in range(size)]
    chance.shuffle(owners)
    judges: dict[str, list[int]] = {}
    for sentence, owner in zip(sentences, owners, strict=False):
        judges[sentence] = [owner]
        draw = chance.random()
        if draw < SHARE:
            judges[sentence].append(owner)
        elif draw < 2 * SHARE:
            others = [other for other in range(len(sizes)) if other != owner]
            weights = [sizes[other] for other in others]
            judges[sentence] += chance.choices(others, weights)
    for part in parts:
        listed = judges.get(part.sentence, [])
        if only_repeated and len(listed) < 2:
            continue
        for judge in listed:
            taste = random.Random(f"{seed} {judge} {part.sentence} {part.name}")
            seen = [
                score + taste.gauss(0, TASTE) + chance.gauss(0, NOISE)
                for score in part.scores
            ]
            yield part.ranking(seen, f"judge {judge + 1}", TIE)


@cache
def _world(folder: Path) -> World:
    whole = tertium.read(folder / "en-cs.tsv.gz")
    judged = sorted({int(one.segment) for one in _rankings(folder)})
    ids = [str(number) for number in judged]
    systems = {
        new: [whole.systems[old][number - 1] for number in judged]
        for old, new in NAMES.items()
    }
    references = [whole.references[number - 1][0] for number in judged]
    parts = tuple(
        parts_of(
            ids,
            tokenize(references, "13a"),
            {name: tokenize(texts, "13a") for name, texts in systems.items()},
        )
    )
    sizes = [-(-len(ids) // JUDGES)] * JUDGES
    rankings = annotate(parts, sizes, seed=SEED, only_repeated=False)
    testset = Testset([(text,) for text in references], systems, ids=ids)
    return World(testset, parts, Judgements.from_iterable(rankings))


@cache
def _people(folder: Path) -> Judgements:
    return Judgements.from_iterable(_rankings(folder))


@cache
def _rankings(folder: Path) -> tuple[Ranking, ...]:
    """Return the rankings by people, without systems that are not in the campaign."""
    path = folder / "wmt12.RNK_results.csv.gz"
    rankings = []
    for one in Judgements.read(path, langpair="en-cs").iterate("rankings"):
        if not isinstance(one, Ranking):
            continue
        places = tuple(
            place._replace(systems=tuple(NAMES[n] for n in place.systems if n in NAMES))
            for place in one.places
        )
        kept = tuple(place for place in places if place.systems)
        if len(kept) > 1:
            rankings.append(one._replace(places=kept, langpair=None))
    return tuple(rankings)
